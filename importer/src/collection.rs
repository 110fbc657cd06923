//! What lists sounds: an implementation for each kind of file that holds any.
//!
//! ```text
//! package   exports of a package of Unreal Engine 1 to 3
//! module    samples and instruments of a tracker module
//! game      the packages of mounted containers and folders
//! soundfont presets and samples of a SoundFont 2 or 3
//! sfz       instruments and files of an SFZ file
//! saved     an instrument of sounds of several files
//! audio     a file of audio, or those below a folder
//! banks     media and events of Wwise, FMOD or CRI
//! ```
//!
//! [`crate::SoundFile`] decodes, imports and pays for what a collection lists.

pub(crate) mod audio_files;
pub(crate) mod bank;
pub(crate) mod game;
pub(crate) mod joined_files;
pub(crate) mod module;
pub(crate) mod package;
pub(crate) mod saved_instrument;
pub(crate) mod sfz;
pub(crate) mod sound_bank;
pub(crate) mod soundfont;

use std::any::Any;

use song::{Articulation, Instrument, Sample, SampleIndex};
use unreal::Source;

use crate::budget::DecodeBudget;
use crate::{Error, Remark, Sound, UnreadPackages};
pub use bank::BankError;

/// Sounds, described, and the bytes that they are stored in.
///
/// # For implementors
/// Describe each sound once, when the collection is made: [`Sound::of_payload`] recognises the format of stored bytes
/// and reads their header. Sounds stored as whole files need only [`Collection::sounds`] and
/// [`Collection::source`]; they are decoded, played and extracted like those of packages.
pub trait Collection: Any + Send + Sync {
    /// Returns every sound; sound i has the number i + 1.
    fn sounds(&self) -> &[Sound];

    /// Returns the bytes that payloads of the sounds lie in.
    fn source(&self) -> &dyn Source;

    /// Decodes a sound that is not stored as a payload; none if its payload is to be decoded. `package` is the name of
    /// the file.
    fn decode(
        &self,
        _package: &str,
        _sound: &Sound,
        _budget: &mut DecodeBudget,
    ) -> Option<Result<Sample, Error>> {
        None
    }

    /// Returns how notes of its sounds move, by the articulations of their zones.
    fn articulations(&self) -> &[Articulation] {
        &[]
    }

    /// Returns the song that it is, if it is more than a list of sounds. `recorded` maps the index of a sound to its
    /// decoded sample.
    ///
    /// # Errors
    /// If the song takes more than may be spent on it.
    fn song(
        &self,
        _package: &str,
        _recorded: &dyn Fn(usize) -> Option<SampleIndex>,
    ) -> Result<Option<CollectionSong>, Error> {
        Ok(None)
    }

    /// Returns the instrument of a sound with what is of it as a whole, not of its zones: how notes follow each other,
    /// and what they send to effects.
    fn whole_instrument(&self, _sound: &Sound, instrument: Instrument) -> Instrument {
        instrument
    }

    /// Returns what it should play and cannot, by the names of sounds in other files.
    fn missing(&self) -> &[Remark] {
        &[]
    }

    /// Returns what was repaired of it, or is not played, and belongs to no sound. `package` is the name of the file.
    fn remarks(&self, _package: &str) -> Vec<Remark> {
        Vec::new()
    }

    /// Returns what kind of collection it is, as a noun.
    fn kind(&self) -> &'static str {
        "collection"
    }

    /// Returns whether its sounds are named by paths: those of a game.
    fn names_paths(&self) -> bool {
        false
    }

    /// Returns the parts that could not be read; none if it is always read as a whole.
    fn unread(&self) -> Option<&UnreadPackages> {
        None
    }
}

/// The song that a collection is.
#[derive(Clone, Debug)]
pub struct CollectionSong {
    /// Its patterns, instruments and samples.
    pub module: song::module::Module,
    /// Its title, if it has one.
    pub title: Option<String>,
    /// What was repaired of it and belongs to no sound.
    pub repaired: Vec<Remark>,
}
