//! The schema of recordings, so that those of packages without tags can be changed without mappings. Whether it is that
//! of a package has to be proved: what it reads must end where the recording begins.
//!
//! Source: mappings of Unreal Engine 5.8.

use std::sync::LazyLock;

use super::mappings::Mappings;
use crate::base::property::PropertyType;

/// A class or struct: its name, what it inherits from, and its properties with their types.
type BuiltIn = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// Classes and structs: what each inherits from, and its properties in their order. `*` before a type is an array of
/// it, `#` a set.
const STRUCTS: [BuiltIn; 14] = [
    (
        "SoundWave",
        "SoundBase",
        &[
            ("CompressionQuality", "Int"),
            ("StreamingPriority", "Int"),
            ("SampleRateQuality", "ESoundwaveSampleRateSettings"),
            ("SoundGroup", "ESoundGroup"),
            ("bLooping", "Bool"),
            ("bStreaming", "Bool"),
            ("bSeekableStreaming", "Bool"),
            ("bUseBinkAudio", "Bool"),
            ("SoundAssetCompressionType", "ESoundAssetCompressionType"),
            ("ModulationSettings", "SoundModulationDefaultRoutingSettings"),
            ("FrequenciesToAnalyze", "*Float"),
            ("CookedSpectralTimeData", "*SoundWaveSpectralTimeData"),
            ("CookedEnvelopeTimeData", "*SoundWaveEnvelopeTimeData"),
            ("bMature", "Bool"),
            ("bManualWordWrap", "Bool"),
            ("bSingleLine", "Bool"),
            ("bIsAmbisonics", "Bool"),
            ("LoadingBehavior", "ESoundWaveLoadingBehavior"),
            ("SpokenText", "Str"),
            ("SubtitlePriority", "Float"),
            ("Volume", "Float"),
            ("Pitch", "Float"),
            ("NumChannels", "Int"),
            ("SampleRate", "Int"),
            ("Subtitles", "*SubtitleCue"),
            ("Curves", "Object"),
            ("InternalCurves", "Object"),
        ],
    ),
    (
        "SoundBase",
        "Object",
        &[
            ("SoundClassObject", "Object"),
            ("bDebug", "Bool"),
            ("bOverrideConcurrency", "Bool"),
            ("bEnableBusSends", "Bool"),
            ("bEnableBaseSubmix", "Bool"),
            ("bEnableSubmixSends", "Bool"),
            ("bHasDelayNode", "Bool"),
            ("bHasConcatenatorNode", "Bool"),
            ("bBypassVolumeScaleForPriority", "Bool"),
            ("VirtualizationMode", "EVirtualizationMode"),
            ("ConcurrencySet", "#Object"),
            ("ConcurrencyOverrides", "SoundConcurrencySettings"),
            ("Duration", "Float"),
            ("MaxDistance", "Float"),
            ("TotalSamples", "Float"),
            ("Priority", "Float"),
            ("AttenuationSettings", "Object"),
            ("SoundSubmixObject", "Object"),
            ("SoundSubmixSends", "*SoundSubmixSendInfo"),
            ("SourceEffectChain", "Object"),
            ("BusSends", "*SoundSourceBusSendInfo"),
            ("PreEffectBusSends", "*SoundSourceBusSendInfo"),
            ("PostAttenuationBusSends", "*SoundSourceBusSendInfo"),
            ("AssetUserData", "*Object"),
            ("TimecodeOffset", "SoundTimecodeOffset"),
        ],
    ),
    ("Object", "", &[]),
    (
        "SoundModulationDefaultRoutingSettings",
        "SoundModulationDefaultSettings",
        &[
            ("VolumeRouting", "EModulationRouting"),
            ("PitchRouting", "EModulationRouting"),
            ("HighpassRouting", "EModulationRouting"),
            ("LowpassRouting", "EModulationRouting"),
        ],
    ),
    (
        "SoundModulationDefaultSettings",
        "",
        &[
            ("VolumeModulationDestination", "SoundModulationDestinationSettings"),
            ("PitchModulationDestination", "SoundModulationDestinationSettings"),
            ("HighpassModulationDestination", "SoundModulationDestinationSettings"),
            ("LowpassModulationDestination", "SoundModulationDestinationSettings"),
        ],
    ),
    ("SoundModulationDestinationSettings", "", &[("Value", "Float"), ("Modulators", "#Object")]),
    ("SoundWaveSpectralTimeData", "", &[("Data", "*SoundWaveSpectralDataEntry"), ("TimeSec", "Float")]),
    ("SoundWaveSpectralDataEntry", "", &[("Magnitude", "Float"), ("NormalizedMagnitude", "Float")]),
    ("SoundWaveEnvelopeTimeData", "", &[("Amplitude", "Float"), ("TimeSec", "Float")]),
    ("SubtitleCue", "", &[("Text", "Text"), ("Time", "Float")]),
    (
        "SoundConcurrencySettings",
        "",
        &[
            ("MaxCount", "Int"),
            ("bLimitToOwner", "Bool"),
            ("bVolumeScaleCanRelease", "Bool"),
            ("bEnableMaxCountPlatformScaling", "Bool"),
            ("ResolutionRule", "EMaxConcurrentResolutionRule"),
            ("RetriggerTime", "Float"),
            ("PlatformMaxCount", "PerPlatformInt"),
            ("VolumeScale", "Float"),
            // An enumeration whose values have four bytes.
            ("VolumeScaleMode", "Int"),
            ("VolumeScaleAttackTime", "Float"),
            ("VolumeScaleReleaseTime", "Float"),
            ("VoiceStealReleaseTime", "Float"),
        ],
    ),
    ("PerPlatformInt", "", &[("Default", "Int")]),
    ("SoundTimecodeOffset", "", &[("NumOfSecondsSinceMidnight", "Double")]),
    // Its parts differ too much between releases.
    ("SoundSubmixSendInfo", "", &[]),
];

/// How recordings may be compressed, by the numbers of the values.
const COMPRESSION_TYPES: [&str; 7] =
    ["BinkAudio", "ADPCM", "PCM", "Opus", "PlatformSpecific", "ProjectDefined", "RADAudio"];

static SOUND_WAVE: LazyLock<Mappings> = LazyLock::new(|| {
    let mut mappings = Mappings::default();
    for (name, parent, properties) in STRUCTS {
        let properties = properties.iter().map(|(name, kind)| ((*name).to_owned(), kind_of(kind)));
        mappings.add(name, Some(parent).filter(|parent| !parent.is_empty()), properties);
    }
    mappings.add_enum("ESoundAssetCompressionType", COMPRESSION_TYPES);
    mappings
});

/// Returns the schema of recordings.
pub(crate) fn sound_wave_schema() -> &'static Mappings {
    &SOUND_WAVE
}

fn kind_of(text: &str) -> PropertyType {
    if let Some(of) = text.strip_prefix('*') {
        return PropertyType::Array(Box::new(kind_of(of)));
    }
    if let Some(of) = text.strip_prefix('#') {
        return PropertyType::Set(Box::new(kind_of(of)));
    }
    match text {
        "Bool" => PropertyType::Bool,
        "Int" => PropertyType::Int32,
        "Float" => PropertyType::Float,
        "Double" => PropertyType::Double,
        "Str" => PropertyType::Str,
        "Text" => PropertyType::Text,
        "Object" => PropertyType::Object,
        name if name.starts_with('E') => {
            PropertyType::Enum { name: name.to_owned(), number: Box::new(PropertyType::UInt8) }
        }
        name => PropertyType::Struct(name.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structs_that_properties_name_are_structs_that_are_known() {
        assert_eq!(kind_of("PerPlatformInt"), PropertyType::Struct("PerPlatformInt".to_owned()));
        let kind = kind_of("*#ESoundAssetCompressionType");
        let PropertyType::Array(of) = kind else { panic!("{kind:?}") };
        let PropertyType::Set(of) = *of else { panic!("{of:?}") };
        assert!(matches!(*of, PropertyType::Enum { .. }), "{of:?}");
        for (_, _, properties) in STRUCTS {
            for (property, kind) in properties {
                let kind = kind_of(kind.trim_start_matches(['*', '#']));
                let PropertyType::Enum { name, .. } = kind else { continue };
                assert!(!SOUND_WAVE.has(&name), "{property}: {name} is a struct");
            }
        }
    }
}
