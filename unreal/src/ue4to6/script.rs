//! Classes of Unreal Engine 4 to 6 by their paths: those of sounds, and of what can be looked into. Packages in
//! `IoStore` containers know them by hashes of these, the same in every game, so a game's own list of them need not be
//! at hand.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::base::hash;
use crate::base::sound_class::Class;

/// The classes of objects that are sounds, or play some.
const SOUNDS: [(&str, Class); 12] = [
    ("/Script/Engine.SoundWave", Class::SoundWave),
    ("/Script/Engine.SoundCue", Class::SoundCue),
    ("/Script/MetasoundEngine.MetaSoundSource", Class::MetaSoundSource),
    ("/Script/Engine.DialogueWave", Class::DialogueWave),
    ("/Script/Engine.SoundWaveProcedural", Class::SoundWaveProcedural),
    ("/Script/Engine.SoundSourceBus", Class::SoundSourceBus),
    ("/Script/HarmonixMidi.MidiFile", Class::MidiFile),
    ("/Script/AkAudio.AkAudioEvent", Class::AkAudioEvent),
    ("/Script/AkAudio.AkMediaAsset", Class::AkMediaAsset),
    ("/Script/AkAudio.AkMediaAssetData", Class::AkMediaAssetData),
    ("/Script/CriWareRuntime.SoundAtomCue", Class::SoundAtomCue),
    ("/Script/CriWareRuntime.SoundAtomCueSheet", Class::SoundAtomCueSheet),
];

/// Classes of audio middleware whose objects hold files as bulk data: those of Wwise, then those of CRI. The modules of
/// the last ones are assumed.
const BANKS: [&str; 17] = [
    "/Script/AkAudio.AkAudioEvent",
    "/Script/AkAudio.AkAudioEventData",
    "/Script/AkAudio.AkAssetData",
    "/Script/AkAudio.AkAssetDataWithMedia",
    "/Script/AkAudio.AkInitBankAssetData",
    "/Script/AkAudio.AkAudioBank",
    "/Script/AkAudio.AkAuxBus",
    "/Script/AkAudio.AkInitBank",
    "/Script/AkAudio.AkMediaAsset",
    "/Script/AkAudio.AkMediaAssetData",
    "/Script/AkAudio.AkLocalizedMediaAsset",
    "/Script/AkAudio.AkExternalMediaAsset",
    "/Script/WwiseAssetLibrary.WwiseAssetLibrary",
    "/Script/CriWareRuntime.SoundAtomCueSheet",
    "/Script/CriWareRuntime.SoundAtomConfig",
    "/Script/CriWareCore.AtomCueSheet",
    "/Script/CriWareCore.AtomWaveBank",
];

/// The classes of nodes that cues are made of, all in the engine.
const NODES: [&str; 23] = [
    "/Script/Engine.SoundNodeAssetReferencer",
    "/Script/Engine.SoundNodeAttenuation",
    "/Script/Engine.SoundNodeBranch",
    "/Script/Engine.SoundNodeConcatenator",
    "/Script/Engine.SoundNodeDelay",
    "/Script/Engine.SoundNodeDialoguePlayer",
    "/Script/Engine.SoundNodeDistanceCrossFade",
    "/Script/Engine.SoundNodeDoppler",
    "/Script/Engine.SoundNodeEnveloper",
    "/Script/Engine.SoundNodeGroupControl",
    "/Script/Engine.SoundNodeLooping",
    "/Script/Engine.SoundNodeMature",
    "/Script/Engine.SoundNodeMixer",
    "/Script/Engine.SoundNodeModulator",
    "/Script/Engine.SoundNodeModulatorContinuous",
    "/Script/Engine.SoundNodeOscillator",
    "/Script/Engine.SoundNodeParamCrossFade",
    "/Script/Engine.SoundNodeQualityLevel",
    "/Script/Engine.SoundNodeRandom",
    "/Script/Engine.SoundNodeSoundClass",
    "/Script/Engine.SoundNodeSwitch",
    "/Script/Engine.SoundNodeWaveParam",
    "/Script/Engine.SoundNodeWavePlayer",
];

/// Classes of meshes, of their materials, of string tables, and of Niagara systems.
const LOOKS: [&str; 21] = [
    "/Script/Engine.StaticMesh",
    "/Script/Engine.SkeletalMesh",
    "/Script/Engine.StringTable",
    "/Script/Engine.Material",
    "/Script/Engine.MaterialInstanceConstant",
    "/Script/Engine.BodySetup",
    "/Script/Engine.Texture2D",
    "/Script/Niagara.NiagaraSystem",
    "/Script/Niagara.NiagaraScript",
    "/Script/Niagara.NiagaraDataInterfaceColorCurve",
    "/Script/Niagara.NiagaraDataInterfaceVector4Curve",
    "/Script/Niagara.NiagaraDataInterfaceVectorCurve",
    "/Script/Niagara.NiagaraDataInterfaceVector2DCurve",
    "/Script/Niagara.NiagaraDataInterfaceCurve",
    "/Script/Niagara.NiagaraDataInterfaceArrayColor",
    "/Script/Niagara.NiagaraDataInterfaceArrayFloat",
    "/Script/Niagara.NiagaraDataInterfaceArrayFloat2",
    "/Script/Niagara.NiagaraDataInterfaceArrayFloat3",
    "/Script/Niagara.NiagaraDataInterfaceArrayFloat4",
    "/Script/Niagara.NiagaraDataInterfaceArrayPosition",
    "/Script/Niagara.NiagaraDataInterfaceArrayInt32",
];

/// The classes, the packages that they lie in, and the objects with their defaults.
static BY_NUMBER: LazyLock<HashMap<u64, String>> = LazyLock::new(|| {
    let around = |path: &str| {
        let (package, class) = path.split_once('.').unwrap_or((path, ""));
        [package.to_owned(), path.to_owned(), format!("{package}.Default__{class}")]
    };
    paths()
        .chain(BANKS)
        .chain(LOOKS)
        .flat_map(around)
        .map(|path| (hash::script_object(&path), path))
        .collect()
});

/// Returns the paths of all classes that have to do with sounds.
pub fn paths() -> impl Iterator<Item = &'static str> {
    SOUNDS.iter().map(|(path, _)| *path).chain(NODES)
}

/// Returns the path of the class that packages know as a number, of its package, or of the object with its defaults;
/// none if it is one of those that only a game's own list has.
#[must_use]
pub fn path(number: u64) -> Option<&'static str> {
    BY_NUMBER.get(&number).map(String::as_str)
}

/// The numbers of the classes of sounds.
static SOUND_NUMBERS: LazyLock<[u64; SOUNDS.len()]> =
    LazyLock::new(|| SOUNDS.map(|(path, _)| hash::script_object(path)));

/// The numbers of the classes of audio middleware.
static BANK_NUMBERS: LazyLock<[u64; BANKS.len()]> = LazyLock::new(|| BANKS.map(hash::script_object));

/// Returns whether packages know a class of sounds, or of what holds some, as a number.
pub(crate) fn is_sound(number: u64) -> bool {
    SOUND_NUMBERS.contains(&number) || BANK_NUMBERS.contains(&number)
}

/// Returns whether objects of a class hold files of audio middleware, by the name of the class alone: games rename
/// modules.
pub(crate) fn is_bank_class(name: &str) -> bool {
    BANKS.iter().any(|path| path.rsplit_once('.').is_some_and(|(_, known)| known.eq_ignore_ascii_case(name)))
}

/// Returns the class of sounds with a path; none if it is another.
#[must_use]
pub fn class(path: &str) -> Option<Class> {
    SOUNDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(path)).map(|(_, class)| *class)
}
