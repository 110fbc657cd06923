//! Why a sound cannot be played: each reason a value with a stable code, and a sentence for a person.

mod damage_reason;

use std::fmt;

pub use damage_reason::DamageReason;
use unreal::Class;
use unreal::ue1to3::class::sound_node_wave::Platform;

use crate::{Codec, Format};

/// Whether there is something to be had of a sound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// It can be played, or is a tracker module that can be opened.
    Ok,
    /// There is no data for it.
    Empty(EmptyReason),
    /// Its bytes are whole as far as can be seen, but are not of a kind that is decoded, or would take more memory than
    /// is allowed.
    Unsupported(UnsupportedReason),
    /// The object or its bytes contradict themselves.
    Damaged(DamageReason),
}

impl Status {
    /// Returns the status as it is listed.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Empty(_) => "empty",
            Self::Unsupported(_) => "unsupported",
            Self::Damaged(_) => "damaged",
        }
    }

    /// Returns why it cannot be played, for a person.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        match self {
            Self::Ok => None,
            Self::Empty(reason) => Some(reason.to_string()),
            Self::Unsupported(reason) => Some(reason.to_string()),
            Self::Damaged(reason) => Some(reason.to_string()),
        }
    }

    /// Returns why it cannot be played, for a program: a word that never changes.
    #[must_use]
    pub const fn reason_code(&self) -> Option<&'static str> {
        match self {
            Self::Ok => None,
            Self::Empty(reason) => Some(reason.code()),
            Self::Unsupported(reason) => Some(reason.code()),
            Self::Damaged(reason) => Some(reason.code()),
        }
    }
}

/// The status and its reason, such as `empty: it holds no frames`.
impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason() {
            Some(reason) => write!(f, "{}: {reason}", self.name()),
            None => f.write_str(self.name()),
        }
    }
}

/// Why there is no data for a sound.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EmptyReason {
    /// The package holds none, as those made for servers.
    NoData,
    /// The stream that was asked for is not there.
    NoStream {
        /// What was asked for.
        wanted: Platform,
        /// What is there.
        there: Vec<Platform>,
    },
    /// Its bytes hold no frames.
    NoFrames,
    /// The slot of a module for it holds nothing.
    EmptySlot,
    /// No key of an instrument plays a sample that is there.
    NoKeys,
    /// The media that it is, or all that it plays, are in no file at hand; their ids.
    MissingMedia(Vec<String>),
    /// It plays nothing: an event that stops or sets something.
    PlaysNothing,
}

impl EmptyReason {
    /// Returns a word that never changes.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoData => "no_data",
            Self::NoStream { .. } => "no_stream",
            Self::NoFrames => "no_frames",
            Self::EmptySlot => "empty_slot",
            Self::NoKeys => "no_keys",
            Self::MissingMedia(_) => "missing_media",
            Self::PlaysNothing => "plays_nothing",
        }
    }
}

impl fmt::Display for EmptyReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoData => f.write_str("the package holds no data for it"),
            Self::NoStream { wanted, there } => {
                let there: Vec<&str> = there.iter().map(|platform| platform.key()).collect();
                write!(f, "no stream {} in it, it has {}", wanted.key(), there.join(", "))
            }
            Self::NoFrames => f.write_str("it holds no frames"),
            Self::EmptySlot => f.write_str("the slot is empty"),
            Self::NoKeys => f.write_str("no key of it plays an existing sample"),
            Self::MissingMedia(ids) => write!(f, "media {} is in no file at hand", ids.join(", ")),
            Self::PlaysNothing => f.write_str("it plays nothing"),
        }
    }
}

/// Why the bytes of a sound are not decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnsupportedReason {
    /// They are of a format that is recognised and not decoded.
    Format(Format),
    /// They are of no known format.
    UnknownFormat,
    /// Objects of its class are named, not read.
    Class(Class),
    /// They say nothing of any audio.
    NoAudio,
    /// They are coded in a way that is not decoded.
    Codec(Codec),
    /// A codec within a format that is not decoded there.
    CodecIn(Format, Codec),
    /// A codec within a format that has no name here, only a number.
    CodecNumber(Format, u32),
    /// Ogg with another codec than Vorbis, or with none that is known.
    Ogg(Option<Codec>),
    /// Values of a width that is not decoded.
    Width {
        /// How they are coded.
        coding: String,
        /// Bits of a value.
        bits: u16,
    },
    /// More channels than are decoded.
    Channels(ChannelLimit),
    /// Blocks too small to hold a frame.
    SmallBlocks {
        /// How they are coded.
        codec: Codec,
        /// Bytes of a block.
        bytes: u64,
    },
    /// A stream that the decoder of its codec does not take.
    Stream(String),
    /// A Creative Voice File whose blocks make no recording.
    VoiceFile(VoiceFileReason),
    /// The recording of a speaker.
    Speaker {
        /// Which speaker.
        speaker: &'static str,
        /// What is the matter with it.
        reason: Box<UnsupportedReason>,
    },
    /// More recordings than there are speakers.
    Speakers {
        /// The first that belongs to none, from 1.
        number: usize,
        /// How many speakers are known.
        known: usize,
    },
    /// Its MPEG frames say what it is, and not its header.
    DescribedByFrames,
    /// A sample of a module in a form that is not decoded.
    ModuleSample(&'static str),
    /// It is a tracker module, which is opened instead.
    IsModule,
    /// It holds no tracker module.
    NotAModule,
    /// It is made of other sounds when a game runs.
    Procedural,
    /// A group or a cue that plays nothing that can be played.
    PlaysNothing(String),
    /// A `MetaSound` that refers to no wave.
    Synthesised,
    /// Its audio is in another file.
    OtherFile,
    /// Its audio is not in packages of this game.
    OutsidePackage,
    /// The object is written in a form that is not read.
    Form(unreal::Unsupported),
    /// Its properties have no tags, and nothing says what they are.
    NoMappings,
    /// It would take more memory than is allowed.
    OverLimit(String),
    /// It is encrypted with a key that is not known.
    Encrypted {
        /// How it is coded.
        codec: Codec,
        /// Whether a key was given that does not open it.
        has_key: bool,
    },
}

/// Which number of channels is too large.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChannelLimit {
    /// Above what is decoded of the codec.
    AtMost {
        /// How it is coded.
        codec: &'static str,
        /// Its channels.
        channels: u16,
        /// The most that are decoded.
        most: u16,
    },
    /// More than two in one ADPCM block.
    InOneBlock {
        /// How it is coded.
        codec: Codec,
        /// Its channels.
        channels: u16,
    },
    /// More than two in a format of mono and stereo.
    MonoAndStereo(u16),
    /// More than one where each speaker has a recording of its own.
    OfOneSpeaker(u16),
    /// More than two of PCM in an MSF.
    OfPcmInMsf(u16),
}

/// What is the matter with the blocks of a Creative Voice File.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VoiceFileReason {
    /// They differ in rate or channels.
    Mixed,
    /// There are none with sound.
    Silent,
    /// The first goes on with a sound that never began.
    NoSound,
    /// One has a rate of 0 Hz.
    NoRate,
    /// They are coded in a way that is not decoded, such as "Creative ADPCM of 4 bits".
    Coding(String),
    /// They say that silence lasts for more than so many frames, which a few bytes can.
    LongSilence(u64),
}

impl UnsupportedReason {
    /// Returns a word that never changes.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Format(_) => "format",
            Self::UnknownFormat => "unknown_format",
            Self::Class(_) => "class",
            Self::NoAudio => "no_audio",
            Self::Codec(_) | Self::CodecIn(..) | Self::CodecNumber(..) | Self::Ogg(_) => "codec",
            Self::Width { .. } => "width",
            Self::Channels(_) => "channels",
            Self::SmallBlocks { .. } => "small_blocks",
            Self::Stream(_) => "stream",
            Self::VoiceFile(_) => "voice_file",
            Self::Speaker { .. } => "speaker",
            Self::Speakers { .. } => "speakers",
            Self::DescribedByFrames => "described_by_frames",
            Self::ModuleSample(_) => "module_sample",
            Self::IsModule => "is_module",
            Self::NotAModule => "not_a_module",
            Self::Procedural => "procedural",
            Self::PlaysNothing(_) => "plays_nothing",
            Self::Synthesised => "synthesised",
            Self::OtherFile => "other_file",
            Self::OutsidePackage => "outside_package",
            Self::Form(_) => "form",
            Self::NoMappings => "no_mappings",
            Self::OverLimit(_) => "over_limit",
            Self::Encrypted { .. } => "encrypted",
        }
    }
}

impl fmt::Display for UnsupportedReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Format(format) => f.write_str(&format.not_decoded()),
            Self::UnknownFormat => f.write_str("its bytes are of no known format"),
            Self::Class(class) => write!(f, "{} of Unreal Engine 4 and later is not read", class.name()),
            Self::NoAudio => f.write_str("its bytes describe no audio"),
            Self::Codec(codec) => write!(f, "{} is not decoded", codec.name()),
            Self::CodecIn(format, codec) => {
                write!(f, "{}: {} is not decoded", format.not_decoded(), codec.name())
            }
            Self::CodecNumber(format, number) => {
                write!(f, "{} with codec {number} is not decoded", format.name().to_uppercase())
            }
            Self::Ogg(Some(codec)) => write!(f, "{} in Ogg is not decoded", codec.name()),
            Self::Ogg(None) => f.write_str("Ogg without Vorbis is not decoded"),
            Self::Width { coding, bits } => write!(f, "{coding} of {bits} bits"),
            Self::Channels(limit) => limit.fmt(f),
            Self::SmallBlocks { codec, bytes } => {
                write!(f, "{} in blocks of {bytes} bytes, which are too small", codec.name())
            }
            Self::Stream(reason) | Self::PlaysNothing(reason) | Self::OverLimit(reason) => {
                f.write_str(reason)
            }
            Self::Encrypted { codec, has_key: true } => {
                write!(f, "{} is encrypted, and the given CRI key does not open it", codec.name())
            }
            Self::Encrypted { codec, has_key: false } => {
                write!(f, "{} is encrypted, and no CRI key is given", codec.name())
            }
            Self::VoiceFile(reason) => reason.fmt(f),
            Self::Speaker { speaker, reason } => match **reason {
                Self::NoAudio => write!(f, "the recording for {speaker} has an unknown format"),
                Self::Channels(ChannelLimit::OfOneSpeaker(channels)) => {
                    write!(f, "the recording for {speaker} has {channels} channels, not one")
                }
                _ => write!(f, "the recording for {speaker}: {reason}"),
            },
            Self::Speakers { number, known } => {
                write!(
                    f,
                    "a recording for speaker {number}, of more than {known} is not known whose they are"
                )
            }
            Self::DescribedByFrames => f.write_str("it is described by its frames"),
            Self::ModuleSample(reason) => f.write_str(reason),
            Self::IsModule => f.write_str("it is a tracker module, which is not played as a whole"),
            Self::NotAModule => f.write_str("no music data: it is not a tracker module"),
            Self::Procedural => f.write_str("made of other sounds when it is played"),
            Self::Synthesised => {
                f.write_str("synthesised: it refers to no wave, and MetaSounds are not simulated")
            }
            Self::OtherFile => f.write_str("its audio lies in another file"),
            Self::OutsidePackage => f.write_str("its audio lies outside of the package"),
            Self::NoMappings => f.write_str("needs the game's mappings (.usmap)"),
            Self::Form(form) => form.fmt(f),
        }
    }
}

impl fmt::Display for ChannelLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMost { codec, channels, most } => {
                write!(f, "{codec} of {channels} channels, {most} at most are decoded")
            }
            Self::InOneBlock { codec, channels } => {
                write!(f, "{} of {channels} channels in one block; mono and stereo are decoded", codec.name())
            }
            Self::MonoAndStereo(channels) => write!(f, "{channels} channels; mono and stereo are decoded"),
            Self::OfOneSpeaker(channels) => write!(f, "{channels} channels, not one"),
            Self::OfPcmInMsf(channels) => write!(f, "PCM of {channels} channels in MSF is not decoded"),
        }
    }
}

impl fmt::Display for VoiceFileReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Silent => f.write_str("a Creative Voice File without sound"),
            Self::Mixed => f.write_str("its blocks differ in rate or channels"),
            Self::NoSound => f.write_str("a block that goes on with no sound"),
            Self::NoRate => f.write_str("a block of 0 Hz"),
            Self::Coding(coding) => write!(f, "{coding} is not decoded"),
            Self::LongSilence(most) => write!(f, "its blocks of silence last longer than {most} frames"),
        }
    }
}
