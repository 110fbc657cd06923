//! From what a file says to what it means: the raw module made into the song's.

use song::module::{
    BreakpointEnvelope, Channel, Dialect, Globals, Instrument, KeyMap, MidiMacros, Module, ModuleWriter,
    NoteMapping, Order, Pattern, Point, Sample, Span, code_page,
};
use song::{Frames as Length, Invalid, LoopCount, LoopMode, LoopRange, Pan};

use super::{Raw, StoredFrames};
use crate::Error;

/// What a module says of itself as a whole.
pub struct ModuleHead {
    /// Title; may be empty.
    pub title: String,
    /// By whose rules it is played.
    pub dialect: Dialect,
    /// Which program wrote it.
    pub writer: ModuleWriter,
    /// How it begins.
    pub globals: Globals,
    /// The channels in use.
    pub channels: Vec<Channel>,
    /// The order list, markers included.
    pub orders: Vec<Order>,
    /// The order to go on with after the last, if the file says so.
    pub restart: Option<u16>,
    /// What its author wrote; may be empty.
    pub message: String,
    /// What its Z effects send, if it says so.
    pub macros: Option<MidiMacros>,
}

/// What is in a slot for a sample.
#[derive(Clone)]
pub enum SampleSlot<'m> {
    /// Nothing, or a line of text.
    Empty,
    /// A recording.
    Recorded(&'m StoredFrames),
    /// It claims frames that could not be read.
    Missing,
    /// It is of a kind that is not decoded, and this one.
    Foreign(&'static str),
}

impl<'m> SampleSlot<'m> {
    /// Of frames, if there are any, and how many are claimed.
    pub(super) const fn of(frames: Option<&'m StoredFrames>, claimed: u64) -> Self {
        match frames {
            Some(frames) => Self::Recorded(frames),
            None if claimed > 0 => Self::Missing,
            None => Self::Empty,
        }
    }

    /// Returns the number of frames that are there.
    pub(super) fn length(&self) -> u64 {
        match self {
            Self::Recorded(frames) => frames.length(),
            _ => 0,
        }
    }
}

/// A raw module, seen as parts of a song; all formats in the same way.
pub trait ModuleView {
    /// Returns what it says of itself as a whole.
    fn head(&self) -> ModuleHead;
    /// Returns what its samples sound by: as many, and in the same order, as [`ModuleView::samples`].
    fn slots(&self) -> Vec<SampleSlot<'_>>;
    /// Returns its samples, still silent.
    fn samples(&self) -> Vec<Sample>;
    /// Returns how many instruments it has; none where cells name samples.
    fn instrument_count(&self) -> usize {
        0
    }
    /// Returns the instruments.
    fn instruments(&self) -> Vec<Instrument> {
        Vec::new()
    }
    /// Returns how many rows each of its patterns has.
    fn rows(&self) -> Vec<usize>;
    /// Returns a pattern of it.
    fn pattern(&self, number: usize) -> Option<Result<Pattern, Invalid>>;
    /// Returns the number of cells of all its patterns.
    fn cells(&self) -> usize;
    /// Returns one of those; an empty one if there are fewer.
    fn slot(&self, index: usize) -> SampleSlot<'_> {
        self.slots().into_iter().nth(index).unwrap_or(SampleSlot::Empty)
    }
    /// Returns what repairs call each of its samples.
    fn labels(&self) -> Vec<String> {
        (1..=self.slots().len()).map(|number| format!("sample {number}")).collect()
    }
}

/// What an instrument takes with its key map and three envelopes.
pub const INSTRUMENT: usize = size_of::<Instrument>()
    + KeyMap::KEYS * size_of::<NoteMapping>()
    + 3 * BreakpointEnvelope::MAX_POINTS * size_of::<Point>();

impl Raw {
    /// Seen as parts of a song.
    pub fn view(&self) -> &dyn ModuleView {
        match self {
            Self::Protracker(module) => module,
            Self::S3m(module) => module,
            Self::Xm(module) => module,
            Self::It(module) => module,
        }
    }

    /// Returns the module of a song, whose samples are silent until they are given recordings. It
    /// takes at most `budget` bytes, but for texts.
    ///
    /// # Errors
    /// [`ErrorKind::OverLimit`](crate::ErrorKind::OverLimit) if it takes more.
    pub fn to_song(&self, budget: u64) -> Result<Module, Error> {
        let parts = self.view();
        let cells = parts.cells().saturating_mul(size_of::<song::module::Cell>());
        let instruments = parts.instrument_count().saturating_mul(INSTRUMENT);
        let samples = parts.slots().len().saturating_mul(size_of::<Sample>());
        let needed = cells.saturating_add(instruments).saturating_add(samples);
        let needed = u64::try_from(needed).unwrap_or(u64::MAX);
        if needed > budget {
            return Err(Error::over_limit(needed, budget));
        }
        let patterns = (0..parts.rows().len()).filter_map(|number| parts.pattern(number));
        let patterns = patterns.collect::<Result<_, _>>()?;
        let ModuleHead { title, dialect, writer, globals, channels, orders, restart, message, macros } =
            parts.head();
        let (instruments, samples) = (parts.instruments(), parts.samples());
        Ok(Module {
            title,
            dialect,
            writer,
            globals,
            channels,
            orders,
            restart,
            patterns,
            instruments,
            samples,
            message,
            macros,
        })
    }
}

/// Returns the cells of a pattern. Most of them are empty, and those are only copied.
pub(super) fn cells<C>(stored: &[C]) -> Vec<song::module::Cell>
where
    C: Copy + Default + PartialEq + Into<song::module::Cell>,
{
    let mut cells = vec![C::default().into(); stored.len()];
    for (to, from) in cells.iter_mut().zip(stored) {
        if *from != C::default() {
            *to = (*from).into();
        }
    }
    cells
}

/// Returns a loop that ends with the frames that are there; none if it then has none.
pub(super) fn looping(start: u64, end: u64, length: u64, mode: LoopMode) -> Option<LoopRange> {
    let [start, end, length] = [start, end.min(length), length].map(Length::new);
    LoopRange::new(start, end, length, mode, LoopCount::Forever).ok()
}

/// Returns a pan by how far it is from the left, of so many steps.
pub(super) fn pan(steps: u8, of: u8) -> Pan {
    let from_left = f32::from(steps) / f32::from(of.max(1));
    Pan::new(2.0f32.mul_add(from_left, -1.0).clamp(-1.0, 1.0)).unwrap_or_default()
}

/// Returns an envelope of which points that lie before others come when those do, and loops between points that are not
/// there are none. None without points.
pub(super) fn envelope(
    points: impl Iterator<Item = Point>,
    sustain: Option<Span>,
    looping: Option<Span>,
) -> Option<BreakpointEnvelope> {
    let mut latest = 0;
    let points: Vec<Point> = points
        .take(BreakpointEnvelope::MAX_POINTS)
        .map(|point| {
            latest = point.tick.max(latest);
            Point { tick: latest, ..point }
        })
        .collect();
    let count = points.len();
    let fits = |span: &Span| span.first <= span.last && usize::from(span.last) < count;
    BreakpointEnvelope::new(points, sustain.filter(fits), looping.filter(fits)).ok()
}

/// In which letters a program writes.
#[derive(Clone, Copy)]
pub(super) enum TextEncoding {
    /// Those of the Amiga: ISO 8859-1.
    Amiga,
    /// Those of DOS: code page 437.
    Dos,
}

/// Returns the text up to the first zero, without blanks at its end; what is no letter is a blank.
pub(super) fn text(bytes: &[u8], letters: TextEncoding) -> String {
    let text: String =
        bytes.iter().take_while(|byte| **byte != 0).map(|byte| letter(*byte, letters)).collect();
    text.trim_end().to_owned()
}

/// Returns the lines, however they end.
pub(super) fn lines(bytes: &[u8]) -> String {
    let mut lines = String::new();
    let mut stored = bytes.iter().copied().take_while(|byte| *byte != 0).peekable();
    while let Some(byte) = stored.next() {
        match byte {
            b'\r' => {
                stored.next_if_eq(&b'\n');
                lines.push('\n');
            }
            b'\n' => lines.push('\n'),
            byte => lines.push(letter(byte, TextEncoding::Dos)),
        }
    }
    lines.trim_end().to_owned()
}

fn letter(byte: u8, letters: TextEncoding) -> char {
    match (byte, letters) {
        (_, TextEncoding::Dos) => code_page::decode(byte),
        (0x20..=0x7E | 0xA0..=0xFF, TextEncoding::Amiga) => char::from(byte),
        _ => ' ',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_ends_at_the_first_zero_and_has_the_letters_of_its_system() {
        assert_eq!(text(b"a b  \0junk", TextEncoding::Dos), "a b");
        assert_eq!(text(b"\x84\x01\xE1", TextEncoding::Dos), "ä ß");
        assert_eq!(text(b"\xE4\x84", TextEncoding::Amiga), "ä");
    }

    #[test]
    fn lines_end_however_they_do() {
        assert_eq!(lines(b"a\rb\r\nc\nd\r\r"), "a\nb\nc\nd");
    }

    #[test]
    fn a_loop_ends_with_the_frames() {
        let range = looping(2, 10, 5, LoopMode::Forward).unwrap();
        assert_eq!((range.start().get(), range.end().get()), (2, 5));
        assert_eq!(looping(5, 10, 5, LoopMode::Forward), None);
        assert_eq!(looping(3, 2, 5, LoopMode::Forward), None);
    }

    #[test]
    fn points_of_an_envelope_that_go_back_in_time_wait_for_those_before_them() {
        let points = [(0, 1), (9, 2), (4, 3)].map(|(tick, value)| Point { tick, value });
        let found = envelope(points.into_iter(), Some(Span { first: 1, last: 9 }), None).unwrap();
        assert_eq!(found.points().iter().map(|point| point.tick).collect::<Vec<_>>(), [0, 9, 9]);
        assert_eq!(found.sustain(), None);
        assert!(envelope(std::iter::empty(), None, None).is_none());
    }

    #[test]
    fn pans_reach_from_left_to_right() {
        assert_eq!([pan(0, 64), pan(32, 64), pan(64, 64), pan(255, 64)].map(Pan::get), [-1.0, 0.0, 1.0, 1.0]);
    }
}
