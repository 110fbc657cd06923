//! Ogg: pages of one or more streams, cut into packets.
//!
//! ```text
//! page:  OggS │ 0 │ flags │ granule position i64 │ serial u32 │ number u32 │ CRC u32 │ n │ n segment sizes │ segments
//! ```
//!
//! A packet is the segments up to one that is shorter than 255 bytes, and may go on in the next page of its stream.
//! Checksums are not compared: damaged audio is better than none.
//!
//! Source: RFC 3533.

use crate::Damage;
use crate::payload_reader::PayloadReader;

/// A page's header, and where its segments lie.
#[derive(Clone, Debug)]
struct Page {
    /// Whether its first segment goes on with a packet of the page before.
    continues: bool,
    granule: Option<u64>,
    serial: u32,
    segments: Vec<u8>,
    at: u64,
}

const HEADER: u64 = 27;
const CONTINUES: u8 = 1;

impl Page {
    fn body(&self) -> u64 {
        self.segments.iter().map(|size| u64::from(*size)).sum()
    }
}

/// Returns the page at a place; none if there is none.
fn page(reader: &PayloadReader<'_>, at: u64) -> Result<Option<Page>, Damage> {
    let there = reader.length().saturating_sub(at);
    if there < HEADER {
        return Ok(None);
    }
    let head = reader.bytes(at, there.min(HEADER.saturating_add(255)))?;
    let Some((header, segments)) = head.split_first_chunk::<27>() else { return Ok(None) };
    let [b'O', b'g', b'g', b'S', 0, flags, rest @ ..] = header else { return Ok(None) };
    let [g0, g1, g2, g3, g4, g5, g6, g7, s0, s1, s2, s3, .., count] = rest;
    let granule = i64::from_le_bytes([*g0, *g1, *g2, *g3, *g4, *g5, *g6, *g7]);
    let Some(segments) = segments.get(..usize::from(*count)) else { return Ok(None) };
    Ok(Some(Page {
        continues: flags & CONTINUES != 0,
        granule: u64::try_from(granule).ok(),
        serial: u32::from_le_bytes([*s0, *s1, *s2, *s3]),
        segments: segments.to_vec(),
        at: at.saturating_add(HEADER).saturating_add(u64::from(*count)),
    }))
}

/// What the headers of the first stream's pages say of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Survey {
    /// The last granule position that a page has.
    pub(super) granule: Option<u64>,
    /// Packets that end in it.
    pub(super) packets: u64,
    /// Pages of other streams.
    pub(super) others: u64,
    /// Bytes in which no page was found.
    pub(super) remaining: u64,
}

/// Goes from page to page without reading what is in them.
pub(super) fn survey(reader: &PayloadReader<'_>) -> Result<Survey, Damage> {
    let (mut survey, mut at, mut serial) = (Survey::default(), 0, None);
    while let Some(page) = page(reader, at)? {
        at = page.at.saturating_add(page.body());
        if *serial.get_or_insert(page.serial) != page.serial {
            survey.others = survey.others.saturating_add(1);
            continue;
        }
        let ends = page.segments.iter().filter(|size| **size < 255).count();
        survey.packets = survey.packets.saturating_add(u64::try_from(ends).unwrap_or(u64::MAX));
        survey.granule = page.granule.or(survey.granule);
    }
    survey.remaining = reader.length().saturating_sub(at);
    Ok(survey)
}

/// A packet of the first stream.
#[derive(Clone, Debug, Default)]
pub(super) struct Packet {
    pub(super) bytes: Vec<u8>,
    /// Where its last page has its segments.
    pub(super) at: u64,
    /// The granule position of the page, if this is the last packet that ends in it.
    pub(super) granule: Option<u64>,
}

/// Takes the first stream's packets out, one after another.
pub(super) struct Packets<'w> {
    reader: &'w PayloadReader<'w>,
    next_page: u64,
    serial: Option<u32>,
    /// Packets of the page at hand, last one first.
    ready: Vec<Packet>,
    /// The packet that goes on in the next page.
    begun: Option<Vec<u8>>,
}

impl<'w> Packets<'w> {
    pub(super) const fn new(reader: &'w PayloadReader<'w>) -> Self {
        Self { reader, next_page: 0, serial: None, ready: Vec::new(), begun: None }
    }

    /// Returns the next packet; none after the last whole one.
    pub(super) fn next(&mut self) -> Result<Option<Packet>, Damage> {
        loop {
            if let Some(packet) = self.ready.pop() {
                return Ok(Some(packet));
            }
            let Some(page) = page(self.reader, self.next_page)? else { return Ok(None) };
            self.next_page = page.at.saturating_add(page.body());
            if *self.serial.get_or_insert(page.serial) == page.serial {
                self.take(&page)?;
            }
        }
    }

    /// Takes the segments of a page, as far as the payload has them.
    fn take(&mut self, page: &Page) -> Result<(), Damage> {
        let there = self.reader.length().saturating_sub(page.at);
        let bytes = self.reader.bytes(page.at, page.body().min(there))?;
        let mut rest = bytes.as_slice();
        let mut begun = if page.continues { self.begun.take() } else { Some(Vec::new()) };
        for &size in &page.segments {
            let Some((segment, after)) = rest.split_at_checked(size.into()) else { break };
            rest = after;
            // Without its beginning the end of a packet is worth nothing.
            if let Some(packet) = &mut begun {
                packet.extend(segment);
            }
            if size < 255 {
                let whole = begun.replace(Vec::new());
                self.ready.extend(whole.map(|bytes| Packet { bytes, at: page.at, granule: None }));
            }
        }
        self.begun = begun.filter(|_| page.segments.last() == Some(&255));
        if let Some(last) = self.ready.last_mut() {
            last.granule = page.granule;
        }
        self.ready.reverse();
        Ok(())
    }
}
