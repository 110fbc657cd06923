use crate::Error;
use crate::format::file::ModuleReader;

/// What the file says before its instruments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Padded with zeros.
    pub title: [u8; 28],
    /// 16 for a module.
    pub kind: u8,
    /// Bits: 16 Amiga limits, 64 volume slides in the first tick too, and others.
    pub flags: u16,
    /// Which tracker in the upper four bits, which version in the others.
    pub creator: u16,
    /// 1 for signed samples, 2 for unsigned ones.
    pub sample_format: u16,
    /// 0 to 64.
    pub global_volume: u8,
    /// Ticks of a row.
    pub speed: u8,
    /// Beats per minute.
    pub tempo: u8,
    /// Bit 7 for stereo.
    pub master_volume: u8,
    /// Voices of a sound card; trackers since write what they like here.
    pub ultra_click: u8,
    /// 252 if there are pans.
    pub default_pan: u8,
    /// Some trackers write more of themselves here.
    pub reserved: [u8; 8],
    /// Place of what no tracker is known to write.
    pub special: u16,
    /// 0 to 7 left, 8 to 15 right, 16 to 31 a synthesiser's, from 128 on silent; 255 not in use.
    pub channels: [u8; 32],
    /// Numbers of patterns; 254 goes on to the next order, 255 ends the song.
    pub orders: Vec<u8>,
    /// For each channel the pan in the lower four bits, if bit 5 is set.
    pub pans: Option<[u8; 32]>,
}

/// The offsets of what the header counts; 0 for none.
#[derive(Clone, Debug)]
pub(super) struct S3mPointers {
    pub(super) instruments: Vec<usize>,
    pub(super) patterns: Vec<usize>,
}

/// The value of [`Header::default_pan`] that stands for pans.
const HAS_PANS: u8 = 252;

pub(super) fn read(file: &mut ModuleReader<'_>) -> Result<(Header, S3mPointers), Error> {
    let mut cursor = file.cursor(0, "header");
    let title = cursor.array()?;
    let [_eof, kind, _, _] = cursor.array()?;
    let [orders, instruments, patterns] = [cursor.u16()?, cursor.u16()?, cursor.u16()?];
    let [flags, creator, sample_format] = [cursor.u16()?, cursor.u16()?, cursor.u16()?];
    let _signature = cursor.u32()?;
    let [global_volume, speed, tempo, master_volume, ultra_click, default_pan] = cursor.array()?;
    let reserved = cursor.array()?;
    let special = cursor.u16()?;
    let channels = cursor.array()?;
    let orders = cursor.bytes(orders.into())?;
    let mut pointers = |count: u16| {
        let words = cursor.bytes(usize::from(count).saturating_mul(2))?;
        file.pay::<usize>(count.into())?;
        let (words, _) = words.as_chunks::<2>();
        let offsets = words.iter().map(|word| usize::from(u16::from_le_bytes(*word)).saturating_mul(16));
        Ok::<_, Error>(offsets.collect::<Vec<_>>())
    };
    let pointers = S3mPointers { instruments: pointers(instruments)?, patterns: pointers(patterns)? };
    let at = cursor.at();
    let pans = (default_pan == HAS_PANS).then(|| cursor.array().ok()).flatten();
    if default_pan == HAS_PANS && pans.is_none() {
        file.repair(at, "pans", "are not there");
    }
    if !matches!(sample_format, 1 | 2) {
        file.repair(42, "header", format_args!("sample format {sample_format}; taken for unsigned"));
    }
    let orders = orders.to_vec();
    let header = Header {
        title,
        kind,
        flags,
        creator,
        sample_format,
        global_volume,
        speed,
        tempo,
        master_volume,
        ultra_click,
        default_pan,
        reserved,
        special,
        channels,
        orders,
        pans,
    };
    Ok((header, pointers))
}

impl Header {
    pub(super) const fn has_unsigned_samples(&self) -> bool {
        self.sample_format != 1
    }
}

impl S3mPointers {
    /// # Errors
    /// If they are offsets outside of the file, all of them.
    pub(super) fn check(&self, file: &ModuleReader<'_>) -> Result<(), Error> {
        let mut offsets = self.instruments.iter().chain(&self.patterns).filter(|at| **at > 0);
        match offsets.clone().next() {
            Some(first) if offsets.all(|at| *at >= file.len()) => {
                let text = "outside the file, like all else that the header points at";
                Err(file.cursor(*first, "the first instrument or pattern").error(text))
            }
            _ => Ok(()),
        }
    }
}
