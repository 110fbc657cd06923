//! `SoundNodeWave`: a recording, as a stream for each platform.
//!
//! ```text
//! properties │ [file type] │ [channels] │ raw │ [channel count] │ PC │ Xbox 360 │ PS3 │ … as the version has them
//! ```

use super::body;
use crate::base::error::{Error, Malformed};
use crate::base::limits::Limits;
use crate::base::property::{Property, Value};
use crate::base::reader::Reader;
use crate::ue1to3::bulk::{self, Bulk};
use crate::ue1to3::object::Object;
use crate::ue1to3::package::name::NameRef;

/// The platform that a stream of a recording is for.
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
    /// All, in the order of a body.
    pub const ALL: [Self; 9] = [
        Self::Raw,
        Self::Pc,
        Self::Xbox360,
        Self::Ps3,
        Self::XboxOne,
        Self::Ps4,
        Self::WiiU,
        Self::IPhone,
        Self::Flash,
    ];

    /// Returns the platform's key, in lower case, as options and JSON have it.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Pc => "pc",
            Self::Xbox360 => "xbox360",
            Self::Ps3 => "ps3",
            Self::XboxOne => "xboxone",
            Self::Ps4 => "ps4",
            Self::WiiU => "wiiu",
            Self::IPhone => "iphone",
            Self::Flash => "flash",
        }
    }

    /// Returns the platform of a key, in any case.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|platform| platform.key().eq_ignore_ascii_case(key))
    }

    /// Returns the platform's name.
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

/// The stream of a recording for one platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlatformStream {
    /// The platform.
    pub platform: Platform,
    /// Bytes of the stream.
    pub bulk: Bulk,
}

impl PlatformStream {
    /// Returns whether it lies in another file.
    #[must_use]
    pub fn is_elsewhere(&self) -> bool {
        self.bulk.is_elsewhere() && self.bulk.elements > 0
    }
}

/// Where in the raw stream the recording of one speaker lies: recordings of more than two channels are stored as a file
/// for each speaker, one after another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SpeakerChannel {
    /// Offset of its first byte in the stream.
    pub offset: u64,
    /// Size in bytes; 0 for a speaker without a recording.
    pub size: u64,
}

/// Offsets and sizes of channels as a body has them, and where these tables begin.
#[derive(Clone, Debug, PartialEq)]
struct ChannelTable {
    offset: u64,
    offsets: Vec<i32>,
    sizes: Vec<i32>,
}

/// A recording.
#[derive(Clone, Debug, PartialEq)]
pub struct SoundNodeWave {
    /// Format as the package names it; empty if it does not.
    pub file_type: String,
    /// Properties of the wave.
    pub properties: Vec<Property>,
    /// Streams, in the order of the file; most are empty.
    pub streams: Vec<PlatformStream>,
    /// Offsets and sizes of channels, in versions whose bodies have them; later ones have properties for that.
    body_channels: Option<ChannelTable>,
    /// Bytes after them that still belong to the object.
    pub tail: u64,
    /// Where the streams begin.
    pub(crate) streams_at: u64,
    /// Where the values of properties end.
    pub(crate) ends: Vec<u64>,
}

/// The properties that say where channels lie.
const OFFSETS: &str = "ChannelOffsets";
const SIZES: &str = "ChannelSizes";

/// In which order streams are preferred: those that lost least first, then those that are most often decodable.
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
    /// Returns the streams that have bytes in this file, the one that lost least first.
    pub fn preferred(&self) -> impl Iterator<Item = &PlatformStream> {
        PREFERRED.iter().filter_map(|platform| {
            self.streams.iter().find(|stream| stream.platform == *platform && stream.bulk.payload().is_some())
        })
    }

    /// Returns where the recordings of the speakers lie in the raw stream: front left and right, centre, low
    /// frequencies, side left and right, back left and right. Offsets that are missing are where the recording before
    /// ends; nothing is checked against the stream. Empty where the stream is a file of its own.
    ///
    /// Source: *UELib*; no file with any was seen.
    ///
    /// # Errors
    /// `Malformed` for a negative number or an array longer than its value, `OverLimit`, `Io`.
    pub fn channels(&self, object: &mut Object<'_>) -> Result<Vec<SpeakerChannel>, Error> {
        let mut of_property = |name: &str| match self.property(name) {
            Some(property) => property.numbers(object),
            None => Ok(Vec::new()),
        };
        let ChannelTable { offset: at, offsets, sizes } = match &self.body_channels {
            Some(numbers) => numbers.clone(),
            None => {
                let at = match self.property(SIZES).map(|property| &property.value) {
                    Some(Value::Opaque { at, .. }) => *at,
                    _ => 0,
                };
                ChannelTable { offset: at, offsets: of_property(OFFSETS)?, sizes: of_property(SIZES)? }
            }
        };
        let number = |number: i32| {
            u64::try_from(number).map_err(|_| Error::malformed(Malformed::Negative(number), at, "channels"))
        };
        let mut end = 0;
        let mut channels = Vec::new();
        for (index, size) in sizes.into_iter().enumerate() {
            let size = number(size)?;
            let at = offsets.get(index).map_or(Ok(end), |at| number(*at))?;
            end = at.saturating_add(size);
            channels.push(SpeakerChannel { offset: at, size });
        }
        Ok(channels)
    }

    /// Returns whether a stream lies in another file.
    #[must_use]
    pub fn is_elsewhere(&self) -> bool {
        self.streams.iter().any(PlatformStream::is_elsewhere)
    }

    /// Returns a property of that name.
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
pub fn read(object: &mut Object<'_>) -> Result<SoundNodeWave, Error> {
    read_body(object).map_err(|error| error.within(format!("wave {}", object.package.path_of(object.export))))
}

fn read_body(object: &mut Object<'_>) -> Result<SoundNodeWave, Error> {
    let (export, mut reader) = body::open(object)?;
    let Object { package, limits, .. } = object;
    let layout = package.layout();
    let fields = &layout.wave;
    let mut ends = Vec::new();
    let mut end = |_: &Property, at| ends.push(at);
    let properties = body::properties_with(&mut reader, package, export, layout.body, limits, &mut end)?;
    let mut file_type = String::new();
    if fields.file_type {
        let at = reader.at();
        let name = NameRef::read(&mut reader, layout)?;
        let text = package.text(name);
        let text = text.ok_or_else(|| reader.error(at, Malformed::NoSuchName(name.index.number())))?;
        limits.take(text.len() as u64, at, "body")?;
        file_type = text.into_owned();
    }
    let mut body_channels = None;
    if fields.channels {
        let at = reader.at();
        let (offsets, sizes) = (numbers(&mut reader, limits)?, numbers(&mut reader, limits)?);
        body_channels = Some(ChannelTable { offset: at, offsets, sizes });
    }
    let streams_at = reader.at();
    let mut streams =
        vec![PlatformStream { platform: Platform::Raw, bulk: bulk::read(&mut reader, layout)? }];
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
            streams.push(PlatformStream { platform, bulk });
        }
    }
    let tail = reader.left();
    Ok(SoundNodeWave { file_type, properties, streams, body_channels, tail, streams_at, ends })
}

fn numbers(reader: &mut Reader<'_>, limits: &mut Limits) -> Result<Vec<i32>, Error> {
    let at = reader.at();
    let count = reader.count(4)?;
    limits.take_table::<i32>(count, at, "channels")?;
    (0..count).map(|_| reader.i32()).collect()
}
