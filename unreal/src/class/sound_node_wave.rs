//! `SoundNodeWave`: a recording, in a form for each platform.
//!
//! ```text
//! properties │ [file type] │ [channels] │ raw │ [channel count] │ PC │ Xbox 360 │ PS3 │ … as the version has them
//! ```

use crate::body;
use crate::bulk::{self, Bulk, Place};
use crate::error::{Error, Malformed};
use crate::limits::Limits;
use crate::name::NameRef;
use crate::object::ExportIndex;
use crate::package::Package;
use crate::property::Property;
use crate::reader::Reader;
use crate::source::Source;

/// Whom a form of a recording is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Platform {
    /// The editor: a wave as it was imported.
    Raw,
    /// PCs.
    Pc,
    /// The Xbox 360.
    Xbox360,
    /// The PlayStation 3.
    Ps3,
    /// The Xbox One.
    XboxOne,
    /// The PlayStation 4.
    Ps4,
    /// The Wii U.
    WiiU,
    /// The iPhone.
    IPhone,
    /// Flash.
    Flash,
}

impl Platform {
    /// The platform's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Pc => "PC",
            Self::Xbox360 => "Xbox 360",
            Self::Ps3 => "PlayStation 3",
            Self::XboxOne => "Xbox One",
            Self::Ps4 => "PlayStation 4",
            Self::WiiU => "Wii U",
            Self::IPhone => "iPhone",
            Self::Flash => "Flash",
        }
    }
}

/// A form of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// Whom it is for.
    pub platform: Platform,
    /// Where it is.
    pub bulk: Bulk,
}

/// A recording.
#[derive(Clone, Debug, PartialEq)]
pub struct SoundNodeWave {
    /// What the package calls its format; empty where it does not.
    pub file_type: String,
    /// Its properties.
    pub properties: Vec<Property>,
    /// Its forms, in the order of the file; most are empty.
    pub streams: Vec<Stream>,
    /// Bytes after them that still belong to the object.
    pub tail: u64,
}

/// In which order forms are preferred: those that lost least first, then those that are most often decodable.
const PREFERRED: [Platform; 9] = [
    Platform::Raw,
    Platform::Pc,
    Platform::IPhone,
    Platform::Ps3,
    Platform::Xbox360,
    Platform::WiiU,
    Platform::Ps4,
    Platform::XboxOne,
    Platform::Flash,
];

impl SoundNodeWave {
    /// The best form that has bytes in this file.
    #[must_use]
    pub fn best(&self) -> Option<&Stream> {
        PREFERRED.iter().find_map(|platform| {
            self.streams.iter().find(|stream| stream.platform == *platform && stream.bulk.payload().is_some())
        })
    }

    /// Whether a form lies in another file.
    #[must_use]
    pub fn is_elsewhere(&self) -> bool {
        self.streams.iter().any(|stream| stream.bulk.place == Place::OtherFile && stream.bulk.elements > 0)
    }

    /// A property of that name.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.name.eq_ignore_ascii_case(name))
    }
}

/// Reads a recording, without its payloads.
///
/// Source: *UELib*; versions 512 and 813 to 867 measured.
///
/// # Errors
/// `Malformed` if the object lies outside the file or contradicts itself; `OverLimit`, `Io`.
pub fn read(
    package: &Package,
    source: &dyn Source,
    index: ExportIndex,
    limits: &mut Limits,
) -> Result<SoundNodeWave, Error> {
    read_body(package, source, index, limits)
        .map_err(|error| error.within(format!("wave {}", package.path_of(index))))
}

fn read_body(
    package: &Package,
    source: &dyn Source,
    index: ExportIndex,
    limits: &mut Limits,
) -> Result<SoundNodeWave, Error> {
    let (export, mut reader) = body::open(package, source, index)?;
    let layout = package.layout();
    let fields = &layout.wave;
    let properties = body::properties(&mut reader, package, export, layout.body, limits)?;
    let mut file_type = String::new();
    if fields.file_type {
        let at = reader.at();
        let name = NameRef::read(&mut reader, layout)?;
        let text = package.text(name);
        let text = text.ok_or_else(|| reader.error(at, Malformed::NoSuchName(name.index.number())))?;
        limits.take(text.len() as u64, at, "body")?;
        file_type = text.into_owned();
    }
    if fields.channels {
        skip_numbers(&mut reader)?;
        skip_numbers(&mut reader)?;
    }
    let mut streams = vec![Stream { platform: Platform::Raw, bulk: bulk::read(&mut reader, layout)? }];
    if fields.channel_count {
        let _channels = reader.u32()?;
    }
    for (platform, there) in [
        (Platform::Pc, fields.pc),
        (Platform::Xbox360, fields.xbox_360),
        (Platform::Ps3, fields.ps3),
        (Platform::XboxOne, fields.xbox_one),
        (Platform::Ps4, fields.ps4),
        (Platform::WiiU, fields.wii_u),
        (Platform::IPhone, fields.iphone),
        (Platform::Flash, fields.flash),
    ] {
        if there {
            let bulk = bulk::read(&mut reader, layout);
            let bulk = bulk.map_err(|error| error.within(format!("data for {}", platform.name())))?;
            streams.push(Stream { platform, bulk });
        }
    }
    Ok(SoundNodeWave { file_type, properties, streams, tail: reader.left() })
}

fn skip_numbers(reader: &mut Reader<'_>) -> Result<(), Error> {
    let count = reader.count(4)?;
    reader.skip(4_u64.saturating_mul(count as u64))
}
