//! What kind of file it is, reported by its first bytes, never by its name.

use crate::base::error::NotPackage;
use crate::base::package_tag::TAG;

use super::lineage2::{self, Lineage2};
use crate::base::byte_order::ByteOrder;
use crate::base::unsupported::Unsupported;
use crate::ue1to3::version::{FileVersion, Identity, Licensee, PackageTag};

/// Result of probing the first bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// It is a package that claims this; [`crate::Layout::of`] says whether it is read.
    Package(Identity),
    /// It may be a package in a wrapper; [`crate::unpack()`] looks inside.
    Wrapped(Wrapper),
    /// It is a package in a form that is known but not read.
    Unsupported(Unsupported),
    /// It is something else.
    No(NotPackage),
    /// So many bytes from the start are needed to tell.
    NeedMore(usize),
}

/// Wrapper of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrapper {
    /// One compressed chunk that is the whole file, its numbers with that end first.
    Chunk(ByteOrder),
    /// Blocks of zlib, as servers of Unreal Engine 2 send them (`.uz2`).
    Blocks,
    /// That of Lineage 2, encrypted with a key that its first bytes prove.
    Lineage2(Lineage2),
}

/// With so many bytes from the start of a file, or all it has, [`probe`] says all it can.
pub const PROBE_LENGTH: usize = 64;

/// What a package is identified by.
const HEAD_LENGTH: usize = 8;

const KILLING_FLOOR_TAG: u32 = 0x9E2A_83C2;

/// Returns whether bytes start with the tag of a package in its common, little-endian form.
#[must_use]
pub fn is_tagged(head: &[u8]) -> bool {
    head.starts_with(&TAG.to_le_bytes())
}

/// Recognises a file by its first bytes. If they are the whole file, `NeedMore` means a damaged package.
///
/// Source: Unreal Wiki, *Unreal package*, "Package header"; the refused forms from own measurements and the
/// public programs *UEViewer* (big-endian, fully compressed) and *UELib*.
#[must_use]
pub fn probe(head: &[u8]) -> Probe {
    let Some((start, rest)) = head.split_first_chunk::<4>() else {
        return if head.is_empty() { Probe::No(NotPackage::Empty) } else { short(head) };
    };
    let first = u32::from_le_bytes(*start);
    let (tag, order) = match (first, first.swap_bytes()) {
        (TAG, _) => (PackageTag::Standard, ByteOrder::Little),
        (KILLING_FLOOR_TAG, _) => (PackageTag::KillingFloor, ByteOrder::Little),
        (_, TAG) => (PackageTag::Standard, ByteOrder::Big),
        // The wrapper of packages that servers send; two forms of it are in use.
        (1234 | 5678, _) => return Probe::Unsupported(Unsupported::CompressedDownload(first)),
        _ if is_block(head) => return Probe::Wrapped(Wrapper::Blocks),
        _ => return foreign(first, head),
    };
    let Some(second) = rest.first_chunk::<4>() else { return Probe::NeedMore(HEAD_LENGTH) };
    let word = match order {
        ByteOrder::Little => u32::from_le_bytes(*second),
        ByteOrder::Big => u32::from_be_bytes(*second),
    };
    // In place of the version: the tag again or a block size.
    if matches!(word, TAG | 0x1_0000 | 0x2_0000) {
        return Probe::Wrapped(Wrapper::Chunk(order));
    }
    let signed = word.cast_signed();
    if (-0xFF..0).contains(&signed) {
        return Probe::Unsupported(Unsupported::Engine4(signed));
    }
    let [a, b, c, d] = word.to_le_bytes();
    let version = FileVersion::new(u16::from_le_bytes([a, b]));
    let licensee = Licensee::new(u16::from_le_bytes([c, d]));
    Probe::Package(Identity { version, licensee, tag, order, game: None })
}

/// Probes fewer bytes than a tag has: a package perhaps, if they are how a tag starts.
fn short(head: &[u8]) -> Probe {
    let tags = [TAG.to_le_bytes(), TAG.to_be_bytes(), KILLING_FLOOR_TAG.to_le_bytes()];
    if tags.iter().any(|tag| tag.starts_with(head)) {
        Probe::NeedMore(HEAD_LENGTH)
    } else {
        Probe::No(other(head))
    }
}

/// Returns whether it starts with a block of a `.uz2`: its two sizes, then zlib's own head.
///
/// Source: *UELib*; the sizes that the engine writes are at most 33,096 and 32,768.
fn is_block(head: &[u8]) -> bool {
    let [a, b, c, d, e, f, g, h, 0x78, flags, ..] = *head else { return false };
    let (stored, size) = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]));
    let is_zlib = (0x7800_u32 | u32::from(flags)).is_multiple_of(31);
    is_zlib && (1..=MAX_STORED).contains(&stored) && (1..=MAX_IN_BLOCK).contains(&size)
}

const MAX_STORED: u32 = 33_096;
const MAX_IN_BLOCK: u32 = 32_768;

/// Tags that games have in place of the engine's.
///
/// Source: *UEViewer*; no such file was seen.
const FOREIGN: [(u32, &str); 11] = [
    (0x7E4A_8BCA, "iStorm"),
    (0xA94E_6C81, "Nurien"),
    (0xA1B2_C93F, "Battle Territory Online"),
    (0xD58C_3147, "Land of Chaos Online"),
    (0xF2BA_C156, "Berkanix"),
    (0xEA31_928C, "Hawken"),
    (0x1234_5678, "Tao Yuan"),
    (0xEC20_1133, "Storm War"),
    (0x879A_4B41, "Gun Legend"),
    (0x4D4D_4837, "Might & Magic Heroes VII"),
    (0x7BC3_42F0, "Devil's Third"),
];

fn foreign(first: u32, head: &[u8]) -> Probe {
    if let Some((_, game)) = FOREIGN.iter().find(|(tag, _)| *tag == first) {
        return Probe::Unsupported(Unsupported::ForeignTag(game));
    }
    lineage2::probe(head).unwrap_or_else(|| Probe::No(other(head)))
}

fn other(head: &[u8]) -> NotPackage {
    const ARCHIVE: NotPackage = NotPackage::Foreign("an archive, to be unpacked first");
    const PICTURE: NotPackage = NotPackage::Foreign("a picture");
    const VIDEO: NotPackage = NotPackage::Foreign("a video or audio file of a kind that is not read");
    const KNOWN: [(&[u8], NotPackage); 21] = [
        (b"MZ", NotPackage::WindowsProgram),
        (b"\x7FELF", NotPackage::LinuxProgram),
        (b"RIFF", NotPackage::Riff),
        (b"OggS", NotPackage::Ogg),
        (b"PK\x03\x04", NotPackage::Zip),
        (b"\x1F\x8B", NotPackage::Gzip),
        (b"7z\xBC\xAF\x27\x1C", ARCHIVE),
        (b"Rar!\x1A\x07", ARCHIVE),
        (b"\xFD7zXZ\0", ARCHIVE),
        (b"BZh", ARCHIVE),
        (b"\x28\xB5\x2F\xFD", ARCHIVE),
        (b"\x89PNG\r\n\x1A\n", PICTURE),
        (b"\xFF\xD8\xFF", PICTURE),
        (b"GIF8", PICTURE),
        (b"DDS ", PICTURE),
        (b"8BPS", PICTURE),
        (b"%PDF-", NotPackage::Foreign("a PDF document")),
        (b"\x1A\x45\xDF\xA3", VIDEO),
        (b"\xC4\x30", NotPackage::Foreign("mappings of a game (.usmap)")),
        // Byte order marks: the texts of later games are UTF-16 and UTF-8.
        (b"\xFF\xFE", NotPackage::Text),
        (b"\xEF\xBB\xBF", NotPackage::Text),
    ];
    match KNOWN.iter().find(|(start, _)| head.starts_with(start)) {
        Some((_, kind)) => *kind,
        None if head.get(4..8) == Some(b"ftyp") => VIDEO,
        None if head.iter().all(|&byte| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~')) => {
            NotPackage::Text
        }
        None => NotPackage::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_recognised_by_eight_bytes() {
        let head = [0xC1, 0x83, 0x2A, 0x9E, 69, 0, 0, 0];
        assert_eq!(probe(&head), Probe::Package(Identity::plain(69)));
        for short in 1..8 {
            assert_eq!(probe(&head[..short]), Probe::NeedMore(8), "{short} bytes");
        }
    }

    #[test]
    fn a_licensee_stands_in_the_upper_half() {
        let Probe::Package(identity) = probe(&[0xC1, 0x83, 0x2A, 0x9E, 0x80, 0, 0x1D, 0]) else { panic!() };
        assert_eq!(identity.to_string(), "128/29");
    }

    #[test]
    fn the_numbers_of_a_big_endian_package_are_turned() {
        let Probe::Package(identity) = probe(&[0x9E, 0x2A, 0x83, 0xC1, 0, 0, 2, 0x2D]) else { panic!() };
        assert_eq!((identity.order, identity.version), (ByteOrder::Big, FileVersion::new(0x22D)));
    }

    #[test]
    fn known_forms_are_named_and_not_taken_for_versions() {
        let with = |second: u32| {
            let bytes = [TAG.to_le_bytes(), second.to_le_bytes()].concat();
            probe(&bytes)
        };
        assert_eq!(with(TAG), Probe::Wrapped(Wrapper::Chunk(ByteOrder::Little)));
        assert_eq!(with(0x2_0000), Probe::Wrapped(Wrapper::Chunk(ByteOrder::Little)));
        assert_eq!(with(0xFFFF_FFF8), Probe::Unsupported(Unsupported::Engine4(-8)));
        let download = probe(&1234_u32.to_le_bytes());
        assert_eq!(download, Probe::Unsupported(Unsupported::CompressedDownload(1234)));
    }

    #[test]
    fn what_is_no_package_is_named() {
        let names = [
            b"[Engine]\r\n".as_slice(),
            b"Extended Module: My song\0",
            b"MZ\x90\0",
            b"\x7FELF",
            b"RIFF\0",
            b"\x1F\x8B\x08",
            b"\x89PNG\r\n\x1A\n",
            b"\0\0\0\x20ftypisom",
            b"",
            b"\0\0\0\0",
        ]
        .map(|head| match probe(head) {
            Probe::No(other) => other,
            found => panic!("{found:?}"),
        });
        use NotPackage::{Empty, Foreign, Gzip, LinuxProgram, Riff, Text, Unknown, WindowsProgram};
        let foreign = [Foreign("a picture"), Foreign("a video or audio file of a kind that is not read")];
        let [picture, video] = foreign;
        let known = [Text, Unknown, WindowsProgram, LinuxProgram, Riff, Gzip, picture, video, Empty, Unknown];
        assert_eq!(names, known);
    }
}
