//! Ogg files of Vorbis packets, which are stored unchanged.
//!
//! ```text
//! page 0            page 1 …          page n, about 4 KiB        last page
//! identification  │ comments, setup │ packet, packet, packet … │ … its position is the length
//! ```
//!
//! Source: RFC 3533; Xiph.Org, *Vorbis I specification*, §4.2 and appendix A.

use std::io::{self, Write};

use song::LoopRange;

/// Bytes after which a page is finished.
const PAGE: usize = 4096;

/// Segments that a page has at most, each of up to 255 bytes.
const MAX_SEGMENTS: usize = 255;

/// Position of a page on which no packet ends.
const NO_POSITION: u64 = u64::MAX;

const CONTINUED: u8 = 1;
const FIRST: u8 = 2;
const LAST: u8 = 4;

/// What the headers of a Vorbis stream state.
#[derive(Clone, Copy, Debug)]
pub struct VorbisHeaders<'h> {
    /// Number of channels.
    pub channels: u8,
    /// Sample rate in Hz.
    pub rate: u32,
    /// Frames of the short and the long blocks, as powers of two.
    pub exponents: [u8; 2],
    /// The setup header.
    pub setup: &'h [u8],
    /// A loop, which becomes `LOOPSTART` and `LOOPLENGTH`.
    pub looped: Option<LoopRange>,
}

/// Writes a file of Vorbis packets, each with the number of frames up to its end.
///
/// # Errors
/// Those of `out`.
pub fn write_ogg<'p>(
    out: &mut dyn Write,
    headers: &VorbisHeaders<'_>,
    packets: impl IntoIterator<Item = (&'p [u8], u64)>,
) -> io::Result<()> {
    // Streams of one file are told apart by it; here there is one.
    let serial = crc(headers.setup);
    let mut pages = PageWriter { out, serial, number: 0, page: Page::default() };
    pages.packet(&headers.identification(), 0)?;
    pages.finish(FIRST)?;
    pages.packet(&headers.comments(), 0)?;
    pages.packet(headers.setup, 0)?;
    pages.finish(0)?;
    let mut packets = packets.into_iter().peekable();
    while let Some((packet, end)) = packets.next() {
        pages.packet(packet, end)?;
        if pages.page.bytes.len() >= PAGE && packets.peek().is_some() {
            pages.finish(0)?;
        }
    }
    pages.finish(LAST)
}

impl VorbisHeaders<'_> {
    fn identification(&self) -> Vec<u8> {
        let [short, long] = self.exponents;
        let mut header = b"\x01vorbis\0\0\0\0".to_vec();
        header.push(self.channels);
        header.extend(self.rate.to_le_bytes());
        // Bit rates, which are not known.
        header.extend([0; 12]);
        header.push(short & 15 | (long & 15) << 4);
        header.push(1);
        header
    }

    fn comments(&self) -> Vec<u8> {
        let range = self.looped.map(|range| (range.start().get(), range.end().get()));
        let fields = range.map_or_else(Vec::new, |(start, end)| {
            vec![format!("LOOPSTART={start}"), format!("LOOPLENGTH={}", end.saturating_sub(start))]
        });
        let mut header = b"\x03vorbis".to_vec();
        let mut text = |text: &str| {
            header.extend(u32::try_from(text.len()).unwrap_or(u32::MAX).to_le_bytes());
            header.extend(text.bytes());
        };
        text("usampler");
        let count = u32::try_from(fields.len()).unwrap_or(u32::MAX);
        header.extend(count.to_le_bytes());
        for field in &fields {
            header.extend(u32::try_from(field.len()).unwrap_or(u32::MAX).to_le_bytes());
            header.extend(field.bytes());
        }
        header.push(1);
        header
    }
}

/// A page that is being filled.
#[derive(Default)]
struct Page {
    segments: Vec<u8>,
    bytes: Vec<u8>,
    /// Frames up to the end of the last packet that ends on it.
    position: Option<u64>,
    is_continued: bool,
}

struct PageWriter<'w> {
    out: &'w mut dyn Write,
    serial: u32,
    number: u32,
    page: Page,
}

impl PageWriter<'_> {
    /// Adds a packet; what a page has no room for goes on in the next.
    fn packet(&mut self, packet: &[u8], end: u64) -> io::Result<()> {
        let mut rest = packet;
        loop {
            if self.page.segments.len() == MAX_SEGMENTS {
                self.finish(0)?;
                self.page.is_continued = rest.len() < packet.len();
            }
            // One of less than 255 bytes, perhaps of none, ends the packet.
            let length = rest.len().min(255);
            let (segment, after) = rest.split_at(length);
            self.page.segments.push(u8::try_from(length).unwrap_or(u8::MAX));
            self.page.bytes.extend(segment);
            rest = after;
            if length < 255 {
                self.page.position = Some(end);
                return Ok(());
            }
        }
    }

    fn finish(&mut self, flags: u8) -> io::Result<()> {
        let Page { segments, bytes, position, is_continued } = std::mem::take(&mut self.page);
        let flags = if is_continued { flags | CONTINUED } else { flags };
        let mut page = b"OggS\0".to_vec();
        page.push(flags);
        page.extend(position.unwrap_or(NO_POSITION).to_le_bytes());
        page.extend(self.serial.to_le_bytes());
        page.extend(self.number.to_le_bytes());
        page.extend([0; 4]);
        page.push(u8::try_from(segments.len()).unwrap_or(u8::MAX));
        page.extend(segments);
        page.extend(bytes);
        let checksum = crc(&page).to_le_bytes();
        page.splice(CHECKSUM_AT..CHECKSUM_AT + checksum.len(), checksum);
        self.number = self.number.wrapping_add(1);
        self.out.write_all(&page)
    }
}

/// Offset of the checksum of a page, which counts as 0 in it.
const CHECKSUM_AT: usize = 22;

/// Returns the CRC-32 of Ogg: from the highest bit on, polynomial 0x04C11DB7, nothing inverted.
fn crc(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |crc, byte| {
        let mut crc = crc ^ u32::from(*byte) << 24;
        for _ in 0..8 {
            crc = if crc & 0x8000_0000 == 0 { crc << 1 } else { crc << 1 ^ 0x04C1_1DB7 };
        }
        crc
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the pages of a file: flags, position, packets' lengths by segments.
    fn pages(mut file: &[u8]) -> Vec<(u8, u64, Vec<u8>)> {
        let mut pages = Vec::new();
        while !file.is_empty() {
            assert_eq!(&file[..5], b"OggS\0");
            let count = usize::from(file[26]);
            let segments = file[27..27 + count].to_vec();
            let length: usize = segments.iter().map(|segment| usize::from(*segment)).sum();
            pages.push((file[5], u64::from_le_bytes(file[6..14].try_into().unwrap()), segments));
            file = &file[27 + count + length..];
        }
        pages
    }

    #[test]
    fn a_packet_of_many_segments_goes_on_in_the_next_page() {
        let headers = VorbisHeaders {
            channels: 2,
            rate: 44_100,
            exponents: [8, 11],
            setup: &[7; 300 * 255],
            looped: None,
        };
        let mut file = Vec::new();
        let packets = [(&[1_u8; 255][..], 0), (&[2; 10], 100)];
        write_ogg(&mut file, &headers, packets).unwrap();
        let pages = pages(&file);
        let facts: Vec<_> = pages.iter().map(|(flags, at, segments)| (*flags, *at, segments.len())).collect();
        // Comments have one segment; the setup ends with one of no bytes.
        assert_eq!(
            facts,
            [(FIRST, 0, 1), (0, 0, MAX_SEGMENTS), (CONTINUED, 0, 301 + 1 - MAX_SEGMENTS), (LAST, 100, 3)]
        );
        assert_eq!(pages[3].2, [255, 0, 10]);
    }

    #[test]
    fn the_checksum_is_that_of_ogg() {
        assert_eq!(crc(b"123456789"), 0x89A1_897F);
    }
}
