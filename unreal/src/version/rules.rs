//! Every threshold, and the only comparisons of versions.

use std::fmt;

use super::{ByteOrder, FileVersion, Identity, Tag};

/// From here on the tables have the form that is read; before, in the betas of 1997 and 1998, objects had other
/// outers and bodies had a frame in front.
///
/// Source: own measurements of packages of versions 35 to 69; none of 60 was seen, 59 and 61 were.
pub const STANDARD_TABLES: FileVersion = FileVersion::new(60);

/// From here on a sound states where its data ends.
///
/// Source: order of fields in the games listed by sezero's *umr* (61 without, 62 with); 61, 68 and 69 measured.
pub const SKIP_OFFSET: FileVersion = FileVersion::new(62);

/// From here on a name states its length; before, it ends at the first zero byte.
///
/// Source: Unreal Wiki, *Package File Format/Data Details*, "Name values".
pub const NAME_STATES_LENGTH: FileVersion = FileVersion::new(64);

/// From here on the summary has a GUID and generations; before, it points to a heritage table.
///
/// Source: Unreal Wiki, *Unreal package*, "Package header".
pub const GENERATIONS: FileVersion = FileVersion::new(68);

/// From here on some games write words of their own before the skip offset, others of the same version none.
///
/// Source: sezero's *umr* (Undying 79 to 85, Harry Potter 2 79; Mobile Forces 80 to 83 none).
pub const EXTRA_WORDS: FileVersion = FileVersion::new(77);

/// From here on it is Unreal Engine 2.
///
/// Source: Unreal Wiki; versions 60 to 99 are read here as one format.
pub const ENGINE_2: FileVersion = FileVersion::new(100);

/// From here on it is Unreal Engine 3: numbers are no longer compact.
///
/// Source: Unreal Wiki, *Unreal package*, "Data types".
pub const ENGINE_3: FileVersion = FileVersion::new(178);

/// How the text of a name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameCoding {
    /// Up to the first zero byte.
    UntilZero,
    /// Its length first.
    LengthFirst,
}

/// How a package says what it descends from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lineage {
    /// A table of GUIDs; the last is the package's own.
    Heritage,
    /// A GUID, and the table sizes of earlier generations.
    Generations,
}

/// Whether the end of a sound's data is stated in front of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AudioEnd {
    /// Only its length is.
    Unstated,
    /// A skip offset is.
    SkipOffset,
}

/// How many words stand between the file type of a sound and its skip offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtraWords {
    /// That many in all games known; others where only others fit.
    Expected(u32),
    /// It differs between games of one version.
    Unknown,
}

/// All facts about a format that readers need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// How the text of a name is written.
    pub name: NameCoding,
    /// How the summary ends.
    pub lineage: Lineage,
    /// Whether the end of audio data is stated.
    pub audio_end: AudioEnd,
    /// What stands before that statement.
    pub extra_words: ExtraWords,
}

impl Layout {
    /// The facts about a format.
    ///
    /// # Errors
    /// [`Unsupported`] for a format that is not read.
    pub fn of(identity: &Identity) -> Result<Self, Unsupported> {
        let version = identity.version;
        if identity.order == ByteOrder::Big {
            return Err(Unsupported::BigEndian(*identity));
        }
        if identity.tag == Tag::KillingFloor {
            return Err(Unsupported::KillingFloor(*identity));
        }
        if version.reaches(ENGINE_3) {
            return Err(Unsupported::Engine3(*identity));
        }
        if version.reaches(ENGINE_2) {
            return Err(Unsupported::Engine2(*identity));
        }
        if !version.reaches(STANDARD_TABLES) {
            return Err(Unsupported::Beta(*identity));
        }
        Ok(Self {
            name: if version.reaches(NAME_STATES_LENGTH) {
                NameCoding::LengthFirst
            } else {
                NameCoding::UntilZero
            },
            lineage: if version.reaches(GENERATIONS) { Lineage::Generations } else { Lineage::Heritage },
            audio_end: if version.reaches(SKIP_OFFSET) { AudioEnd::SkipOffset } else { AudioEnd::Unstated },
            extra_words: if version.reaches(EXTRA_WORDS) {
                ExtraWords::Unknown
            } else {
                ExtraWords::Expected(0)
            },
        })
    }
}

/// What a file is that is known but not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unsupported {
    /// A package from before the first release of Unreal.
    Beta(Identity),
    /// A package of Unreal Engine 2.
    Engine2(Identity),
    /// A package of Unreal Engine 3.
    Engine3(Identity),
    /// A package of Unreal Engine 4 or later, with the number that it has in place of a version.
    Engine4(i32),
    /// A package with Killing Floor's own tag.
    KillingFloor(Identity),
    /// A package for a console.
    BigEndian(Identity),
    /// A package of Unreal Engine 3 that was compressed as a whole.
    FullyCompressed,
    /// A package as game servers send it, with the number it starts with.
    CompressedDownload(u32),
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Beta(identity) => write!(f, "a package of an Unreal beta (version {identity})")?,
            Self::Engine2(identity) => write!(f, "an Unreal Engine 2 package (version {identity})")?,
            Self::Engine3(identity) => write!(f, "an Unreal Engine 3 package (version {identity})")?,
            Self::Engine4(version) => write!(f, "an Unreal Engine 4 or 5 package (version {version})")?,
            Self::KillingFloor(identity) => write!(f, "a Killing Floor package (version {identity})")?,
            Self::BigEndian(identity) => write!(f, "a big-endian console package (version {identity})")?,
            Self::FullyCompressed => write!(f, "a fully compressed Unreal Engine 3 package")?,
            Self::CompressedDownload(_) => write!(f, "a compressed download (.uz)")?,
        }
        write!(f, ", which is not supported")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(version: u16) -> Layout {
        Layout::of(&Identity::plain(version)).unwrap()
    }

    fn refusal(version: u16) -> String {
        Layout::of(&Identity::plain(version)).unwrap_err().to_string()
    }

    #[test]
    fn versions_60_to_99_are_read_and_others_named() {
        assert_eq!(refusal(59), "a package of an Unreal beta (version 59), which is not supported");
        assert!(Layout::of(&Identity::plain(60)).is_ok());
        assert!(Layout::of(&Identity::plain(99)).is_ok());
        assert_eq!(refusal(100), "an Unreal Engine 2 package (version 100), which is not supported");
    }

    #[test]
    fn engine_3_begins_with_version_178() {
        assert_eq!(refusal(177), "an Unreal Engine 2 package (version 177), which is not supported");
        assert_eq!(refusal(178), "an Unreal Engine 3 package (version 178), which is not supported");
    }

    #[test]
    fn a_sound_states_where_its_data_ends_from_version_62_on() {
        assert_eq!(layout(61).audio_end, AudioEnd::Unstated);
        assert_eq!(layout(62).audio_end, AudioEnd::SkipOffset);
    }

    #[test]
    fn a_name_states_its_length_from_version_64_on() {
        assert_eq!(layout(63).name, NameCoding::UntilZero);
        assert_eq!(layout(64).name, NameCoding::LengthFirst);
    }

    #[test]
    fn generations_replace_the_heritage_from_version_68_on() {
        assert_eq!(layout(67).lineage, Lineage::Heritage);
        assert_eq!(layout(68).lineage, Lineage::Generations);
    }

    #[test]
    fn no_number_of_extra_words_is_expected_from_version_77_on() {
        assert_eq!(layout(76).extra_words, ExtraWords::Expected(0));
        assert_eq!(layout(77).extra_words, ExtraWords::Unknown);
    }

    #[test]
    fn a_licensee_is_named_with_the_version() {
        let identity = Identity { licensee: crate::version::Licensee::new(29), ..Identity::plain(128) };
        let refusal = Layout::of(&identity).unwrap_err().to_string();
        assert_eq!(refusal, "an Unreal Engine 2 package (version 128/29), which is not supported");
    }
}
