use song::module::{ModuleWriter, Program};

use super::{Cell, FormatTag, ModModule, Pattern};
use crate::format::view::{TextEncoding, text};

impl ModModule {
    /// Returns the program that the tag and the cells stand for.
    pub(super) fn writer(&self) -> ModuleWriter {
        let tag = self.header.tag;
        let is_noisetracker = match tag.as_ref().map(|tag| &tag.0) {
            Some(b"N.T." | b"M&K!" | b"FEST") => true,
            Some(b"M.K.") => self.patterns.iter().all(is_of_noisetracker),
            _ => false,
        };
        let program = if is_noisetracker { Program::NoiseTracker } else { Program::Other };
        ModuleWriter { name: name(tag), program, ..ModuleWriter::default() }
    }

    /// Returns whether its pans go to 0x80, as in programs that followed DMP: no pan is higher but that of surround.
    ///
    /// Source: `replay` of real songs beside libopenmpt; those with higher ones have pans to 0xFF.
    pub(super) fn has_narrow_pans(&self) -> bool {
        let cells = self.patterns.iter().flat_map(|pattern| &pattern.cells);
        let mut pans = cells.filter(|cell| cell.effect == 8).map(|cell| cell.parameter).peekable();
        pans.peek().is_some() && pans.all(|pan| pan <= 0x80 || pan == 0xA4)
    }

    /// Returns whether it has a loop of a word at least for each sample that is there, as programs of the Amiga write
    /// it. Of slots that nothing is in, they disagree.
    pub(super) fn has_word_loops(&self) -> bool {
        self.samples.iter().all(|sample| sample.loop_length > 0 || sample.length <= 1)
    }

    /// Returns whether a program of the Amiga may have written it: four channels, and notes that these programs have.
    pub(super) fn is_for_amiga(&self) -> bool {
        let mut cells = self.patterns.iter().flat_map(|pattern| &pattern.cells);
        self.header.channels == 4
            && matches!(
                self.header.tag.as_ref().map(|tag| &tag.0),
                None | Some(b"M.K." | b"M!K!" | b"N.T." | b"M&K!" | b"FLT4")
            )
            && cells.all(|cell| matches!(cell.period, 0 | 113..=856))
    }
}

/// Returns whether samples follow one another in a channel of a pattern: four others without a note between.
///
/// Source: made modules, as libopenmpt 0.6 plays them.
pub(super) fn has_sample_run(pattern: &Pattern) -> bool {
    const RUN: usize = 4;
    let channels = usize::from(pattern.channels).max(1);
    (0..channels).any(|channel| {
        let (mut last, mut run) = (0, 0_usize);
        pattern.cells.iter().skip(channel).step_by(channels).any(|cell| {
            if cell.period > 0 {
                run = 0;
            } else if cell.sample > 0 && last > 0 && cell.sample != last {
                run = run.saturating_add(1);
            }
            last = if cell.sample > 0 { cell.sample } else { last };
            run >= RUN
        })
    })
}

/// Returns whether a pattern may be of `NoiseTracker`. Who breaks it more than once knows where to.
fn is_of_noisetracker(pattern: &Pattern) -> bool {
    let breaks = pattern.cells.iter().filter(|cell| cell.effect == 0xD);
    pattern.cells.iter().all(knows_noisetracker) && breaks.count() < 2
}

/// Returns whether `NoiseTracker` has the effect of a cell. A module with no other may be its own.
///
/// Source: what libopenmpt 0.6 plays of made modules, with one effect or break more.
const fn knows_noisetracker(cell: &Cell) -> bool {
    match cell.effect {
        0..=6 | 0xA..=0xD => true,
        0xE => cell.parameter < 0x10,
        0xF => cell.parameter < 0x20,
        _ => false,
    }
}

fn name(tag: Option<FormatTag>) -> String {
    match tag {
        None => "a tracker of 15 samples".to_owned(),
        Some(FormatTag(tag)) => {
            let program = match &tag {
                b"M.K." | b"M!K!" => "ProTracker or like it",
                b"N.T." | b"M&K!" | b"FEST" => "NoiseTracker",
                b"FLT4" | b"FLT8" | b"EXO4" | b"EXO8" => "StarTrekker",
                b"OCTA" | b"OKTA" | b"CD81" | b"CD61" => "Oktalyzer or Octalyser",
                [b'T', b'D', b'Z', _] => "TakeTracker",
                [b'F', b'A', b'0', _] => "Digital Tracker",
                _ => "FastTracker or like it",
            };
            format!("{program} ({})", text(&tag, TextEncoding::Amiga))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FrameCoding, Header, ROWS, Sample};
    use super::*;

    /// Returns a module of one pattern with these cells at its beginning.
    fn module(tag: [u8; 4], cells: &[Cell]) -> ModModule {
        let mut all = vec![Cell::default(); 4 * ROWS];
        all[..cells.len()].copy_from_slice(cells);
        let header = Header {
            title: [0; 20],
            length: 1,
            restart: 127,
            orders: [0; 128],
            tag: Some(FormatTag(tag)),
            channels: 4,
        };
        ModModule { header, samples: Vec::new(), patterns: vec![Pattern { channels: 4, cells: all }] }
    }

    fn effect(effect: u8, parameter: u8) -> Cell {
        Cell { effect, parameter, ..Cell::default() }
    }

    #[test]
    fn noisetracker_is_known_by_its_tag_or_by_the_effects_that_it_has() {
        let is_known =
            |tag: &[u8; 4], cells: &[Cell]| module(*tag, cells).writer().program == Program::NoiseTracker;
        let breaks = effect(0xD, 2);
        assert!(is_known(b"N.T.", &[breaks, effect(7, 0x22)]));
        assert!(is_known(b"M.K.", &[breaks, effect(0xF, 0x1F)]));
        assert!(!is_known(b"M!K!", &[breaks]));
        // It knows none of these, and nobody breaks twice by chance.
        for later in [effect(7, 0x22), effect(0xF, 0x20), effect(0xE, 0x10), breaks] {
            assert!(!is_known(b"M.K.", &[breaks, later]), "{later:?}");
        }
    }

    #[test]
    fn four_other_samples_without_a_note_between_are_a_run() {
        let has_run = |cells: &[(u16, u8)]| {
            let first = |&(period, sample): &(u16, u8)| Cell { period, sample, ..Cell::default() };
            let row = |cell| [first(cell), Cell::default(), Cell::default(), Cell::default()];
            has_sample_run(&Pattern { channels: 4, cells: cells.iter().flat_map(row).collect() })
        };
        let note = (428, 1);
        let run = [note, (0, 2), (0, 0), (0, 1), (0, 2), (0, 1)];
        assert!(has_run(&run) && !has_run(&run[..5]));
        // A note begins anew, and the same sample is no other; the first of all has none before it.
        assert!(!has_run(&[note, (0, 2), (0, 1), (428, 1), (0, 2), (0, 1)]));
        assert!(!has_run(&[note, (0, 1), (0, 1), (0, 1), (0, 1)]));
        assert!(!has_run(&[(0, 1), (0, 2), (0, 1), (0, 2)]));
    }

    #[test]
    fn a_note_or_a_loop_or_a_tag_beyond_the_amiga_is_of_another_program() {
        let note = |period| [Cell { period, ..Cell::default() }];
        assert!([113, 856].iter().all(|period| module(*b"M.K.", &note(*period)).is_for_amiga()));
        assert!(![112, 857].iter().any(|period| module(*b"M.K.", &note(*period)).is_for_amiga()));
        assert!(!module(*b"4CHN", &[]).is_for_amiga());
        let sample = Sample {
            name: [0; 22],
            length: 2,
            finetune: 0,
            volume: 0,
            loop_start: 0,
            loop_length: 0,
            coding: FrameCoding::Pcm,
            frames: None,
        };
        let with = |sample| ModModule { samples: vec![sample], ..module(*b"M.K.", &[]) }.has_word_loops();
        assert!(with(Sample { length: 1, ..sample.clone() }) && !with(sample));
    }

    #[test]
    fn pans_are_narrow_where_none_is_higher_than_the_right() {
        let pans = |all: &[u8]| {
            let cells: Vec<Cell> = all.iter().map(|pan| effect(8, *pan)).collect();
            module(*b"8CHN", &cells).has_narrow_pans()
        };
        assert!(pans(&[0, 0x80]) && pans(&[0x40, 0xA4]));
        assert!(!pans(&[0x40, 0x81]) && !pans(&[]));
    }
}
