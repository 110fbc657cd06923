//! Vorbis comments, as Ogg Vorbis, Opus and FLAC have them, as far as they state a loop.
//!
//! No document defines these names. Games and their tools write `LOOPSTART` with `LOOPLENGTH` or `LOOPEND`, in frames;
//! the end is the first frame that is not in the loop. Without either the loop ends with the sound.
//!
//! Source: Xiph.Org, *Ogg Vorbis I format specification: comment field and header specification*.

use song::{Frames, LoopCount, LoopMode, LoopRange};

/// More comments than are looked at.
const MAX_COMMENTS: usize = 1024;

/// Returns the loop that comments state of a sound of `frames` frames.
pub(super) fn loops(comments: &[u8], frames: Option<u64>) -> Vec<LoopRange> {
    let number = |names: [&str; 2]| {
        let mut found = Fields(comments).filter_map(|(name, value)| {
            names.iter().any(|wanted| name.eq_ignore_ascii_case(wanted)).then(|| value.trim().parse().ok())
        });
        found.next().flatten()
    };
    let start: Option<u64> = number(["LOOPSTART", "LOOP_START"]);
    let (Some(start), Some(frames)) = (start, frames) else { return Vec::new() };
    let length = number(["LOOPLENGTH", "LOOP_LENGTH"]).map(|length: u64| start.saturating_add(length));
    let end = length.or_else(|| number(["LOOPEND", "LOOP_END"])).unwrap_or(frames).min(frames);
    let (start, end, all) = (Frames::new(start), Frames::new(end), Frames::new(frames));
    LoopRange::new(start, end, all, LoopMode::Forward, LoopCount::Forever).into_iter().collect()
}

/// Comments that are left: first the vendor and the number of comments.
struct Fields<'b>(&'b [u8]);

impl<'b> Fields<'b> {
    fn text(&mut self) -> Option<&'b [u8]> {
        let (length, rest) = self.0.split_first_chunk::<4>()?;
        let (text, rest) = rest.split_at_checked(usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
        self.0 = rest;
        Some(text)
    }

    fn filter_map<T>(mut self, keep: impl FnMut((&'b str, &'b str)) -> Option<T>) -> impl Iterator<Item = T> {
        let count = self.text().and_then(|_vendor| {
            let (count, rest) = self.0.split_first_chunk::<4>()?;
            self.0 = rest;
            usize::try_from(u32::from_le_bytes(*count)).ok()
        });
        let texts = std::iter::from_fn(move || self.text()).take(count.unwrap_or(0).min(MAX_COMMENTS));
        texts.filter_map(|text| std::str::from_utf8(text).ok()?.split_once('=')).filter_map(keep)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comments(fields: &[&str]) -> Vec<u8> {
        let mut bytes = b"\x02\0\0\0me".to_vec();
        bytes.extend(u32::try_from(fields.len()).unwrap().to_le_bytes());
        for field in fields {
            bytes.extend(u32::try_from(field.len()).unwrap().to_le_bytes());
            bytes.extend(field.as_bytes());
        }
        bytes
    }

    fn ranges(fields: &[&str]) -> Vec<(u64, u64)> {
        let found = loops(&comments(fields), Some(100));
        found.iter().map(|range| (range.start().get(), range.end().get())).collect()
    }

    #[test]
    fn a_loop_is_stated_by_its_start_and_its_length_or_end() {
        assert_eq!(ranges(&["TITLE=x", "loopstart=10", "LOOPLENGTH=20"]), [(10, 30)]);
        assert_eq!(ranges(&["LOOP_START=10", "LOOP_END=40"]), [(10, 40)]);
        assert_eq!(ranges(&["LOOPSTART=10"]), [(10, 100)]);
        assert_eq!(ranges(&["LOOPSTART=10", "LOOPEND=1000"]), [(10, 100)]);
        for nothing in [&["LOOPEND=40"][..], &["LOOPSTART=100"], &["LOOPSTART=0:01"], &["LOOPSTART"], &[]] {
            assert_eq!(ranges(nothing), [], "{nothing:?}");
        }
    }

    #[test]
    fn comments_that_are_cut_short_state_nothing_more() {
        let whole = comments(&["LOOPSTART=10", "LOOPLENGTH=20"]);
        for length in 0..whole.len() {
            let _ = loops(&whole[..length], Some(100));
        }
        assert_eq!(loops(&whole[..whole.len() - 1], Some(100)).len(), 1);
    }
}
