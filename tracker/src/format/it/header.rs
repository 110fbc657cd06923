use crate::Error;
use crate::format::cursor::Cursor;
use crate::format::file::ModuleReader;

/// What the file says before the offsets of everything else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Padded with zeros.
    pub title: [u8; 26],
    /// Rows of a beat and of a measure, for the eye.
    pub highlight: [u8; 2],
    /// Which tracker in the upper four bits, which version in the others.
    pub created_with: u16,
    /// The oldest version that can read it.
    pub compatible_with: u16,
    /// Bits: 1 stereo, 4 instruments, 8 linear slides, 16 old effects, 32 compatible tone slides, 128 MIDI macros.
    pub flags: u16,
    /// Bits: 1 message, 2 history, 8 MIDI macros.
    pub special: u16,
    /// 0 to 128.
    pub global_volume: u8,
    /// 0 to 128.
    pub mix_volume: u8,
    /// Ticks of a row.
    pub speed: u8,
    /// Beats per minute.
    pub tempo: u8,
    /// 0 to 128.
    pub separation: u8,
    /// Semitones that a MIDI wheel bends.
    pub wheel: u8,
    /// Bytes of the message.
    pub message_length: u16,
    /// Place of the message.
    pub message_at: u32,
    /// Some trackers write their name here.
    pub reserved: [u8; 4],
    /// Of each channel, 0 to 64; 100 for surround, and 128 more if it is silent.
    pub pans: [u8; 64],
    /// Of each channel, 0 to 64.
    pub volumes: [u8; 64],
    /// Numbers of patterns; 254 goes on to the next order, 255 ends the song.
    pub orders: Vec<u8>,
}

/// The offsets of what the header counts; 0 for none.
#[derive(Clone, Debug)]
pub(super) struct ItPointers {
    pub(super) instruments: Vec<usize>,
    pub(super) samples: Vec<usize>,
    pub(super) patterns: Vec<usize>,
    /// Where the table of them ends.
    end: usize,
}

/// Bytes of all macros: 9, 16 and 128 of 32.
pub const MACRO_BYTES: usize = 153 * 32;
/// From here on instruments have three envelopes. Source: *ITTECH.TXT*.
const NEW_INSTRUMENTS: u16 = 0x200;

const HAS_MESSAGE: u16 = 1;
const HAS_HISTORY: u16 = 2;
const HAS_MACROS: u16 = 8;
/// In the flags, not in the special ones.
const EMBEDS_MACROS: u16 = 128;

pub(super) fn read(file: &mut ModuleReader<'_>) -> Result<(Header, ItPointers), Error> {
    let mut cursor = file.cursor(4, "header");
    let title = cursor.array()?;
    let highlight = cursor.array()?;
    let [orders, instruments, samples, patterns] =
        [cursor.u16()?, cursor.u16()?, cursor.u16()?, cursor.u16()?];
    let [created_with, compatible_with, flags, special] =
        [cursor.u16()?, cursor.u16()?, cursor.u16()?, cursor.u16()?];
    let [global_volume, mix_volume, speed, tempo, separation, wheel] = cursor.array()?;
    let message_length = cursor.u16()?;
    let message_at = cursor.u32()?;
    let reserved = cursor.array()?;
    let (pans, volumes) = (cursor.array()?, cursor.array()?);
    let orders = cursor.bytes(orders.into())?.to_vec();
    let mut pointers = |count: u16| {
        let words = cursor.bytes(usize::from(count).saturating_mul(4))?;
        file.pay::<usize>(count.into())?;
        let (words, _) = words.as_chunks::<4>();
        let offsets =
            words.iter().map(|word| usize::try_from(u32::from_le_bytes(*word)).unwrap_or(usize::MAX));
        Ok::<_, Error>(offsets.collect::<Vec<_>>())
    };
    let (instruments, samples, patterns) = (pointers(instruments)?, pointers(samples)?, pointers(patterns)?);
    let pointers = ItPointers { instruments, samples, patterns, end: cursor.at() };
    let header = Header {
        title,
        highlight,
        created_with,
        compatible_with,
        flags,
        special,
        global_volume,
        mix_volume,
        speed,
        tempo,
        separation,
        wheel,
        message_length,
        message_at,
        reserved,
        pans,
        volumes,
        orders,
    };
    Ok((header, pointers))
}

impl Header {
    pub(super) const fn has_old_instruments(&self) -> bool {
        self.compatible_with < NEW_INSTRUMENTS
    }
}

impl ItPointers {
    fn all(&self) -> impl Iterator<Item = usize> {
        self.instruments.iter().chain(&self.samples).chain(&self.patterns).copied().filter(|at| *at > 0)
    }

    /// # Errors
    /// If they are offsets outside of the file, all of them.
    pub(super) fn check(&self, file: &ModuleReader<'_>) -> Result<(), Error> {
        match self.all().next() {
            Some(first) if self.all().all(|at| at >= file.len()) => {
                let text = "outside the file, like all else that the header points at";
                Err(file.cursor(first, "the first instrument, sample or pattern").error(text))
            }
            _ => Ok(()),
        }
    }
}

/// Returns the message, as much of it as the file has.
pub(super) fn message(file: &mut ModuleReader<'_>, header: &Header) -> Result<Option<Vec<u8>>, Error> {
    if header.special & HAS_MESSAGE == 0 || header.message_length == 0 || header.message_at == 0 {
        return Ok(None);
    }
    let at = usize::try_from(header.message_at).unwrap_or(usize::MAX);
    let length = usize::from(header.message_length);
    let bytes = file.cursor(at, "message").most(length);
    if bytes.len() < length {
        file.repair(at, "message", format_args!("ends with the file: {} of {length} bytes", bytes.len()));
    }
    file.pay::<u8>(bytes.len())?;
    Ok(Some(bytes.to_vec()))
}

/// What follows the table of offsets.
pub(super) struct Extras<'f> {
    pub(super) history: Vec<[u8; 8]>,
    pub(super) macros: Option<Box<[u8; MACRO_BYTES]>>,
    /// What is after them, up to the first thing that is pointed at.
    pub(super) remaining: Cursor<'f>,
}

/// Some trackers set the flags of history and macros and write none: they must end before the first thing that
/// is pointed at.
pub(super) fn extras<'f>(
    file: &mut ModuleReader<'f>,
    header: &Header,
    pointers: &ItPointers,
) -> Result<Extras<'f>, Error> {
    let has_message = header.special & HAS_MESSAGE != 0 && header.message_length > 0;
    let message = usize::try_from(header.message_at).ok().filter(|_| has_message);
    let first = pointers.all().chain(message).filter(|at| *at >= pointers.end).min();
    let room = first.unwrap_or(usize::MAX).saturating_sub(pointers.end);
    let mut cursor = file.part(pointers.end, room, "history");
    let mut history = Vec::new();
    if header.special & HAS_HISTORY != 0 {
        let mut ahead = cursor.clone();
        let entries = ahead.u16().and_then(|count| ahead.bytes(usize::from(count).saturating_mul(8)));
        if let Ok(entries) = entries {
            file.pay::<u8>(entries.len())?;
            history.extend_from_slice(entries.as_chunks::<8>().0);
            cursor = ahead;
        } else {
            file.repair(cursor.at(), "history", "is not there");
        }
    }
    let claimed = header.special & HAS_MACROS != 0 || header.flags & EMBEDS_MACROS != 0;
    let macros = claimed.then(|| cursor.array::<MACRO_BYTES>().ok()).flatten();
    if claimed && macros.is_none() {
        file.repair(cursor.at(), "MIDI macros", "are not there");
    }
    Ok(Extras { history, macros: macros.map(Box::new), remaining: cursor })
}
