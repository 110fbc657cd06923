//! Classes of sounds of Unreal Engine 4 to 6 by the numbers that packages in `IoStore` containers know them by: hashes
//! of their paths, the same in every game. A game's own list of them is not always at hand.

use super::Class;

/// The classes of objects that are sounds, or play some.
const CLASSES: [(u64, Class); 7] = [
    (0x44F2_6264_628E_498D, Class::SoundWave),
    (0x48DE_456A_C7D9_8346, Class::SoundCue),
    (0x45D7_F0FF_F13E_E9BE, Class::MetaSoundSource),
    (0x6116_8B36_686F_9B05, Class::DialogueWave),
    (0x668A_598D_ECB5_1D1A, Class::SoundWaveProcedural),
    (0x619E_DB02_4DA5_00C8, Class::SoundSourceBus),
    (0x7820_CE9A_0E4D_EEF2, Class::MidiFile),
];

/// Returns the class of sounds of a number; none if it is another.
#[must_use]
pub fn class(number: u64) -> Option<Class> {
    CLASSES.iter().find(|(known, _)| *known == number).map(|(_, class)| *class)
}

/// Returns every class of sounds that is known, with its number.
pub fn all() -> impl Iterator<Item = (u64, Class)> {
    CLASSES.into_iter()
}
