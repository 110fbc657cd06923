use super::sample::{self, Sample};
use super::{ROWS, pattern};
use crate::Error;
use crate::format::file::ModuleReader;

/// What a file says before its patterns, apart from samples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Padded with zeros or blanks.
    pub title: [u8; 20],
    /// How many of the orders are played.
    pub length: u8,
    /// Where to go on after the end; 127 in most files, which means nothing. The first trackers have a tempo there.
    pub restart: u8,
    /// Which pattern comes when, also beyond the length. With [`FormatTag::is_doubled`] twice the number of the
    /// pattern.
    pub orders: [u8; 128],
    /// None of a file with 15 samples.
    pub tag: Option<FormatTag>,
    /// What the tag says; 8 with a tag of 4 if the file is exactly as long as that makes it.
    pub channels: u8,
}

/// The four bytes that give the number of channels, and often the tracker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatTag(pub [u8; 4]);

const TAG_AT: usize = 1080;
/// Digital Tracker has four more bytes after its tag.
const DIGITAL_TRACKER: &[u8] = b"FA0";

impl FormatTag {
    /// Returns the tag of a file that begins with these bytes, if it is one.
    ///
    /// Sources: lists of *OpenMPT* and *libxmp*; what each tracker writes is identified by its own documents.
    #[must_use]
    pub fn of(head: &[u8]) -> Option<Self> {
        let tag = Self(*head.get(TAG_AT..)?.first_chunk()?);
        tag.channels().map(|_| tag)
    }

    /// Returns how many channels it stands for; none if it is no tag.
    #[must_use]
    pub const fn channels(self) -> Option<u8> {
        const fn digit(byte: u8) -> u8 {
            byte.saturating_sub(b'0')
        }
        match &self.0 {
            b"M.K." | b"M!K!" | b"M&K!" | b"N.T." | b"FLT4" | b"EXO4" | b"NSMS" | b"LARD" | b"PATT"
            | b"FEST" => Some(4),
            b"FLT8" | b"EXO8" | b"OCTA" | b"OKTA" | b"CD81" => Some(8),
            b"CD61" => Some(6),
            [b'T', b'D', b'Z', n @ b'1'..=b'9']
            | [n @ b'1'..=b'9', b'C', b'H', b'N']
            | [b'F', b'A', b'0', n @ (b'4' | b'6' | b'8')] => Some(digit(*n)),
            [tens @ b'1'..=b'9', ones @ b'0'..=b'9', b'C', b'H' | b'N'] => {
                Some(digit(*tens).saturating_mul(10).saturating_add(digit(*ones)))
            }
            _ => None,
        }
    }

    /// Returns whether a pattern of eight channels is stored as two of four, the second with the right half.
    #[must_use]
    pub const fn is_doubled(self) -> bool {
        matches!(&self.0, b"FLT8" | b"EXO8")
    }
}

/// Reads the header and the headers of the samples.
pub(super) fn read(file: &ModuleReader<'_>) -> Result<(Header, Vec<Sample>), Error> {
    let mut cursor = file.cursor(0, "header");
    let tag = FormatTag::of(file.from(0));
    let title = cursor.array()?;
    let count = if tag.is_some() { 31 } else { 15 };
    let samples = (0..count).map(|_| sample::read(&mut cursor)).collect::<Result<_, _>>()?;
    let [length, restart] = cursor.array()?;
    let orders = cursor.array()?;
    let channels = tag.and_then(FormatTag::channels).unwrap_or(4);
    Ok((Header { title, length, restart, orders, tag, channels }, samples))
}

impl Header {
    /// Returns the number of bytes before the patterns.
    pub(super) fn bytes(&self) -> usize {
        match self.tag {
            None => super::untagged::HEADER,
            Some(FormatTag(tag)) if tag.starts_with(DIGITAL_TRACKER) => 1088,
            Some(_) => 1084,
        }
    }

    /// Returns the number of bytes of a stored pattern; of one with the right half in the next, both.
    pub(super) fn pattern_bytes(&self) -> usize {
        usize::from(self.channels).saturating_mul(ROWS).saturating_mul(pattern::CELL)
    }

    /// Returns which pattern an order stands for.
    #[must_use]
    pub fn pattern_of(&self, order: u8) -> u8 {
        if self.tag.is_some_and(FormatTag::is_doubled) { order >> 1 } else { order }
    }

    /// Mod's Grave writes eight channels under the tag of four. Such a file is identified by its length, which is
    /// exactly that of eight.
    ///
    /// Source: *OpenMPT* and *libxmp*, which read it so.
    pub(super) fn widen(&mut self, file: &ModuleReader<'_>, recorded: usize) {
        let exact = |header: &Self| {
            let patterns = header.most_patterns(&header.orders).saturating_mul(header.pattern_bytes());
            header.bytes().saturating_add(patterns).saturating_add(recorded)
        };
        if self.tag == Some(FormatTag(*b"M.K.")) && self.restart == 0 {
            let wide = Self { channels: 8, ..self.clone() };
            if exact(&wide) == file.len() & !1 && exact(self) != file.len() {
                self.channels = 8;
            }
        }
    }

    /// Returns how many patterns the file has: as many as the highest of all orders needs, also of those beyond the
    /// length. If the file is as long as with those of the orders that are played alone, the others are leavings.
    pub(super) fn patterns(&self, length: usize, recorded: usize) -> usize {
        let all = self.most_patterns(&self.orders);
        let played = self.most_patterns(self.orders.get(..usize::from(self.length)).unwrap_or(&self.orders));
        let exact =
            played.saturating_mul(self.pattern_bytes()).saturating_add(self.bytes()).saturating_add(recorded);
        if exact == length { played } else { all }
    }

    /// Orders from 128 on are markers of other trackers.
    fn most_patterns(&self, orders: &[u8]) -> usize {
        let highest = orders.iter().filter(|order| **order < 128).max();
        highest.map_or(0, |order| usize::from(self.pattern_of(*order)).saturating_add(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_tells_the_number_of_channels() {
        let channels = |tag: &[u8; 4]| FormatTag(*tag).channels();
        for (tag, expected) in [
            (b"M.K.", 4),
            (b"M!K!", 4),
            (b"N.T.", 4),
            (b"FLT4", 4),
            (b"FLT8", 8),
            (b"NSMS", 4),
            (b"LARD", 4),
            (b"OCTA", 8),
            (b"CD81", 8),
            (b"TDZ3", 3),
            (b"1CHN", 1),
            (b"6CHN", 6),
            (b"10CH", 10),
            (b"32CH", 32),
            (b"15CN", 15),
            (b"99CH", 99),
            (b"FA08", 8),
        ] {
            assert_eq!(channels(tag), Some(expected), "{tag:?}");
        }
        for tag in [b"0CHN", b"xCHN", b"05CH", b"TDZ0", b"FLT5", b"m.k.", b"\0\0\0\0"] {
            assert_eq!(channels(tag), None, "{tag:?}");
        }
    }
}
