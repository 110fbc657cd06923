//! Classes of sounds of Unreal Engine 4 to 6 by the numbers that packages in `IoStore` containers know them by: hashes
//! of their paths, the same in every game. A game's own list of them is not always at hand.

/// The classes of objects that are sounds, or play some.
const CLASSES: [(u64, &str); 7] = [
    (0x44F2_6264_628E_498D, "SoundWave"),
    (0x48DE_456A_C7D9_8346, "SoundCue"),
    (0x45D7_F0FF_F13E_E9BE, "MetaSoundSource"),
    (0x6116_8B36_686F_9B05, "DialogueWave"),
    (0x668A_598D_ECB5_1D1A, "SoundWaveProcedural"),
    (0x619E_DB02_4DA5_00C8, "SoundSourceBus"),
    (0x7820_CE9A_0E4D_EEF2, "MidiFile"),
];

/// Returns the name of a class of sounds by its number; none if it is another.
#[must_use]
pub fn name(number: u64) -> Option<&'static str> {
    CLASSES.iter().find(|(known, _)| *known == number).map(|(_, name)| *name)
}

/// Returns every class of sounds that is known, with its number.
pub fn all() -> impl Iterator<Item = (u64, &'static str)> {
    CLASSES.into_iter()
}
