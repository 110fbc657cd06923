use tracker::ModuleFormat;

use crate::Damage;
use crate::codec;
use crate::payload_reader::PayloadReader;

/// What a module is identified by is farther into it than any other signature.
const PROBE_LENGTH: u64 = tracker::PROBE_LENGTH as u64;

/// What a payload is, by its own bytes; the name that the package gives it may lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// RIFF/WAVE.
    Wav,
    /// RIFF/WAVE as Wwise writes it.
    Wem,
    /// A sound of FMOD's sample banks, which alone say what it is.
    Fsb,
    /// HCA of CRI.
    Hca,
    /// ADX of CRI.
    Adx,
    /// A wave of CRI whose cue sheet alone says what it is.
    Cri,
    /// Ogg, usually with Vorbis inside.
    Ogg,
    /// FLAC.
    Flac,
    /// Creative Voice File.
    Voc,
    /// AIFF or AIFF-C.
    Aiff,
    /// MPEG audio: MP2 or MP3.
    Mpeg,
    /// Impulse Tracker module.
    It,
    /// Scream Tracker 3 module.
    S3m,
    /// `FastTracker` 2 module.
    Xm,
    /// `ProTracker` module or a relative of it.
    Mod,
    /// A Windows library or program: some mods smuggle one in as music.
    WindowsLibrary,
    /// A Linux library or program.
    LinuxLibrary,
    /// Another Unreal package.
    Package,
    /// XMA2 as Unreal Engine 3 stores it for the Xbox 360.
    Xma2,
    /// Sony's MSF for the PlayStation 3.
    Msf,
    /// Maxis XA of Electronic Arts' games.
    Xa,
    /// Opus packets as Unreal Engine stores them.
    UnrealOpus,
    /// Bink Audio as Unreal Engine stores it.
    UnrealBink,
    /// RAD Audio.
    Rada,
    /// Standard MIDI File: notes, no recording.
    Midi,
}

/// Where a signature lies and what it is.
type FormatSignature = (usize, &'static [u8], Format);

/// Sources: the formats' own specifications.
const SIGNATURES: &[FormatSignature] = &[
    (0, b"OggS", Format::Ogg),
    (0, b"fLaC", Format::Flac),
    (0, b"Creative Voice File", Format::Voc),
    (0, b"ID3", Format::Mpeg),
    (0, b"MZ", Format::WindowsLibrary),
    (0, b"\x7fELF", Format::LinuxLibrary),
    (0, b"MSF", Format::Msf),
    (0, b"UE4OPUS\0", Format::UnrealOpus),
    (0, b"UEOPUS\0\0", Format::UnrealOpus),
    (0, b"ABEU", Format::UnrealBink),
    (0, b"ADAR", Format::Rada),
    (0, b"MThd", Format::Midi),
    // After four sizes.
    (16, b"MSF", Format::Msf),
];

/// Bytes within which all signatures lie.
const SIGNATURE_LENGTH: u64 = 40;

impl Format {
    /// Recognises a payload by its first bytes; none if it is nothing that is known.
    pub(crate) fn of(reader: &PayloadReader<'_>) -> Result<Option<Self>, Damage> {
        // Most say it in these; the others may lie in another file.
        if let Some(format) = Self::signed(&reader.head(SIGNATURE_LENGTH)?) {
            return Ok(Some(format));
        }
        let head = reader.head(PROBE_LENGTH)?;
        if unreal::is_tagged(&head) {
            return Ok(Some(Self::Package));
        }
        if let Some(module) = tracker::format::signed(&head) {
            return Ok(Some(module.into()));
        }
        if codec::adx::is_head(&head) {
            return Ok(Some(Self::Adx));
        }
        if is_xma2(&head) || is_old_xma2(&head, reader.length()) {
            return Ok(Some(Self::Xma2));
        }
        if is_xa(&head) {
            return Ok(Some(Self::Xa));
        }
        if tracker::format::is_tagged(&head) {
            return Ok(Some(Self::Mod));
        }
        if is_mpeg_frame(&head) {
            return Ok(Some(Self::Mpeg));
        }
        // Last what is identified by nothing but making sense.
        Ok(tracker::probe(&head, reader.length()).map(Into::into))
    }

    /// Recognises a file of audio or notes by its first bytes; none if it is of no format that files have.
    pub(crate) fn of_file(head: &[u8]) -> Option<Self> {
        match Self::signed(head) {
            None if codec::adx::is_head(head) => Some(Self::Adx),
            None => codec::is_mpeg_stream(head).then_some(Self::Mpeg),
            found => found.filter(|format| format.is_of_files()),
        }
    }

    /// Returns whether files have the format, and it is decoded or notes.
    const fn is_of_files(self) -> bool {
        matches!(
            self,
            Self::Wav
                | Self::Wem
                | Self::Hca
                | Self::Adx
                | Self::Aiff
                | Self::Flac
                | Self::Ogg
                | Self::Mpeg
                | Self::Voc
                | Self::UnrealOpus
                | Self::UnrealBink
                | Self::Midi
        )
    }

    /// Recognises a payload by a signature among its first bytes.
    fn signed(head: &[u8]) -> Option<Self> {
        let has = |at: usize, bytes: &[u8]| head.get(at..).is_some_and(|rest| rest.starts_with(bytes));
        if codec::wem::is_head(head) {
            return Some(Self::Wem);
        }
        if codec::hca::is_head(head) {
            return Some(Self::Hca);
        }
        if has(0, b"RIFF") && has(8, b"WAVE") {
            return Some(Self::Wav);
        }
        if has(0, b"FORM") && (has(8, b"AIFF") || has(8, b"AIFC")) {
            return Some(Self::Aiff);
        }
        SIGNATURES.iter().find(|(at, bytes, _)| has(*at, bytes)).map(|(_, _, format)| *format)
    }

    /// Returns the format's name as it is listed; also the extension of a file that holds it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wav => "wav",
            Self::Wem => "wem",
            Self::Fsb => "fsb",
            Self::Hca => "hca",
            Self::Adx => "adx",
            Self::Cri => "cri",
            Self::Ogg => "ogg",
            Self::Flac => "flac",
            Self::Voc => "voc",
            Self::Aiff => "aiff",
            Self::Mpeg => "mpeg",
            Self::It => "it",
            Self::S3m => "s3m",
            Self::Xm => "xm",
            Self::Mod => "mod",
            Self::WindowsLibrary => "dll",
            Self::LinuxLibrary => "so",
            Self::Package => "u",
            Self::Xma2 => "xma",
            Self::Msf => "msf",
            Self::Xa => "xa",
            Self::UnrealOpus => "ueopus",
            Self::UnrealBink => "ueba",
            Self::Rada => "rada",
            Self::Midi => "mid",
        }
    }

    /// Returns why a payload of a format that is not decoded cannot be played.
    pub(crate) fn not_decoded(self) -> String {
        let title = match self {
            Self::Wav => "RIFF/WAVE",
            Self::Wem => "Wwise media",
            Self::Fsb => "FMOD sound",
            Self::Hca => "HCA audio",
            Self::Adx => "ADX audio",
            Self::Cri => "CRI wave",
            Self::Ogg => "Ogg audio",
            Self::Flac => "FLAC audio",
            Self::Voc => "Creative Voice File",
            Self::Aiff => "AIFF audio",
            Self::Mpeg => "MPEG audio",
            Self::It => "Impulse Tracker module",
            Self::S3m => "Scream Tracker 3 module",
            Self::Xm => "FastTracker 2 module",
            Self::Mod => "ProTracker module",
            Self::WindowsLibrary => return "Windows program code, no audio".to_owned(),
            Self::LinuxLibrary => return "Linux program code, no audio".to_owned(),
            Self::Xma2 => "Xbox 360 XMA2 audio",
            Self::Msf => "PlayStation 3 MSF audio",
            Self::Xa => "Maxis XA audio",
            Self::UnrealOpus => "Opus audio of Unreal Engine",
            Self::UnrealBink => "Bink Audio",
            Self::Rada => "RAD Audio",
            Self::Midi => return "notes, no recording; `extract` writes them".to_owned(),
            Self::Package => return "a nested Unreal package, no audio of its own".to_owned(),
        };
        format!("{title} is not decoded")
    }
}

impl From<ModuleFormat> for Format {
    fn from(format: ModuleFormat) -> Self {
        match format {
            ModuleFormat::Protracker => Self::Mod,
            ModuleFormat::S3m => Self::S3m,
            ModuleFormat::Xm => Self::Xm,
            ModuleFormat::It => Self::It,
        }
    }
}

/// Returns three big-endian sizes, then a WAVE format of one of two sizes with the tag of XMA2.
///
/// Source: own measurements of packages of versions 813 and 820.
fn is_xma2(head: &[u8]) -> bool {
    matches!(head, [0, 0, 0, 0x34 | 0x2C, _, _, _, _, _, _, _, _, 0x01, 0x66, ..])
}

/// Returns three big-endian sizes that make up the whole, then a header that begins with its version and has at least a
/// stream.
///
/// Source: *vgmstream*; no file seen.
fn is_old_xma2(head: &[u8], length: u64) -> bool {
    let [a, b, c, d, e, f, g, h, i, j, k, l, 3 | 4, streams, ..] = *head else { return false };
    let [header, seek, data] =
        [[a, b, c, d], [e, f, g, h], [i, j, k, l]].map(|size| u64::from(u32::from_be_bytes(size)));
    let sizes = header.saturating_add(seek).saturating_add(data);
    streams > 0 && header >= 36 && sizes.checked_add(12) == Some(length)
}

/// Returns a tag, then after a size the WAVE format of 16-bit PCM.
///
/// Source: Valery V. Anisimovsky, *Maxis XA Audio File Format Description*.
fn is_xa(head: &[u8]) -> bool {
    let is_tagged = [b"XAI\0", b"XAJ\0"].iter().any(|tag| head.starts_with(*tag));
    is_tagged && head.get(8..10) == Some(&[1, 0]) && head.get(22..24) == Some(&[16, 0])
}

/// Returns an MPEG audio frame header: 11 bits of sync, then version, layer, bit rate and sampling rate that exist.
///
/// Source: ISO/IEC 11172-3 §2.4.1.3.
fn is_mpeg_frame(head: &[u8]) -> bool {
    let [0xff, second, third, ..] = head else { return false };
    let sync = second & 0xe0 == 0xe0;
    let version_exists = second & 0x18 != 0x08;
    let layer_exists = second & 0x06 != 0;
    let bit_rate_exists = third & 0xf0 != 0xf0;
    let sampling_rate_exists = third & 0x0c != 0x0c;
    sync && version_exists && layer_exists && bit_rate_exists && sampling_rate_exists
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::WorkBudget;
    use unreal::Memory;
    use unreal::ue1to3::bulk::Payload;

    fn format(bytes: &[u8]) -> Option<Format> {
        let source = Memory(bytes);
        let payload = Payload::plain(0, bytes.len() as u64);
        PayloadReader::open(&source, payload, &WorkBudget::of_file(0, None), Format::of).unwrap()
    }

    #[test]
    fn a_payload_is_what_its_first_bytes_say() {
        assert_eq!(format(b"RIFF\0\0\0\0WAVEfmt "), Some(Format::Wav));
        assert_eq!(format(b"RIFF\0\0\0\0AVI LIST"), None);
        assert_eq!(format(b"OggS\0"), Some(Format::Ogg));
        assert_eq!(format(b"IMPMtitle"), Some(Format::It));
        assert_eq!(format(b"Extended Module: title"), Some(Format::Xm));
        assert_eq!(format(b"MZ\x90\0"), Some(Format::WindowsLibrary));
        assert_eq!(format(b""), None);
    }

    #[test]
    fn a_signature_is_looked_for_at_its_own_place_only() {
        let mut bytes = vec![0; 44];
        bytes.extend(b"SCRM");
        assert_eq!(format(&bytes), Some(Format::S3m));
        bytes.insert(0, 0);
        assert_eq!(format(&bytes), None);
    }

    #[test]
    fn a_mod_is_known_by_its_tag_at_1080() {
        for tag in [b"M.K.", b"6CHN", b"16CH"] {
            let mut bytes = vec![0; 1080];
            bytes.extend(tag);
            assert_eq!(format(&bytes), Some(Format::Mod), "{tag:?}");
        }
        let mut bytes = vec![0; 1080];
        bytes.extend(b"xCHN");
        assert_eq!(format(&bytes), None);
    }

    #[test]
    fn an_mpeg_frame_must_have_rates_that_exist() {
        assert_eq!(format(&[0xff, 0xfb, 0x90, 0x64]), Some(Format::Mpeg));
        assert_eq!(format(&[0xff, 0xfd, 0xc0, 0x00]), Some(Format::Mpeg));
        assert_eq!(format(&[0xff, 0xfb, 0xf0, 0x64]), None);
        assert_eq!(format(&[0xff, 0xff, 0xff, 0xff]), None);
        assert_eq!(format(&[0xff, 0xf9, 0x90, 0x00]), None);
    }
}
