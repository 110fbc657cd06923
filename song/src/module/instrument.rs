use super::{BreakpointEnvelope, Level};
use crate::{Cents, FmPatch, Hz, Key, LoopRange, Pan, SampleIndex};

/// What a sample sounds by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SampleSource {
    /// Nothing: a slot whose name is a line of the message, or one that was not decoded.
    Silent,
    /// A recording, which is a sample of the song.
    Recorded(SampleIndex),
    /// A two-operator FM synthesiser.
    Synthesised(FmPatch),
}

/// How high a sample sounds, in the units of its dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SampleTuning {
    /// Frames per second at the middle C (S3M, IT); never 0.
    Rate(u32),
    /// Eighths of a semitone, −8..=7, above 8,287 Hz at the middle C (MOD).
    Finetune(i8),
    /// Semitones, and 128ths of one, above 8,363 Hz at the middle C (XM).
    Relative {
        /// Semitones.
        semitones: i8,
        /// 128ths of a semitone.
        finetune: i8,
    },
}

impl SampleTuning {
    /// Paula's clock of a PAL Amiga, by the period of the middle C.
    const AMIGA_C4_RATE: f64 = 7_093_789.2 / 2.0 / 428.0;
    /// What everyone else took for that.
    const C4_RATE: f64 = 8363.0;

    /// Returns the nearest whole rate, which a recording has that sounds at its own rate about at the middle C, and how
    /// far above it that is: 0 if nobody could hear it.
    #[must_use]
    pub fn nearest_rate(self) -> (Hz, Cents) {
        /// Less than half of this is not heard.
        const CENT: f64 = 1.0;
        let middle = self.c4_rate();
        // The cast saturates.
        let rate = Hz::new((middle.round() as u32).max(1)).unwrap_or(Hz::ONE);
        let above = 1200.0 * (f64::from(rate.get()) / middle).log2();
        let above = if above.abs() < CENT / 2.0 { 0.0 } else { above };
        (rate, Cents::new(above).unwrap_or_default())
    }

    /// Returns the rate at middle C, in hertz.
    #[must_use]
    pub fn c4_rate(self) -> f64 {
        match self {
            Self::Rate(rate) => f64::from(rate),
            Self::Finetune(eighths) => Self::AMIGA_C4_RATE * (f64::from(eighths) / 96.0).exp2(),
            Self::Relative { semitones, finetune } => {
                let semitones = f64::from(semitones) + f64::from(finetune) / 128.0;
                Self::C4_RATE * (semitones / 12.0).exp2()
            }
        }
    }
}

/// The shape of a vibrato.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LfoWave {
    /// Round.
    Sine,
    /// Up, then down at once.
    RampUp,
    /// Down, then up at once.
    RampDown,
    /// Two levels.
    Square,
    /// By chance.
    Random,
}

/// How a vibrato of a sample begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum VibratoSweep {
    /// It takes so many ticks to its full depth (XM).
    Ticks(u8),
    /// Its depth grows by so many 256ths of a unit in each tick (IT).
    Rate(u8),
}

/// A vibrato that a sample has of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Vibrato {
    /// Its shape.
    pub wave: LfoWave,
    /// Units that it goes on in each tick, of 256 of a whole turn.
    pub speed: u8,
    /// How far it goes: 64ths of a semitone.
    pub depth: u8,
    /// How it begins.
    pub sweep: VibratoSweep,
}

/// A sample, apart from its frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Its name, or a line of the message.
    pub name: String,
    /// The file it was loaded from.
    pub file_name: String,
    /// What it sounds by.
    pub source: SampleSource,
    /// How loud a note is whose cell says nothing.
    pub volume: Level,
    /// How loud it is in any case.
    pub global_volume: Level,
    /// Where a note is heard, if it does not stay where its channel is.
    pub pan: Option<Pan>,
    /// How high it sounds.
    pub tuning: SampleTuning,
    /// What repeats.
    pub loop_range: Option<LoopRange>,
    /// What repeats until the key is released; after that the loop does.
    pub sustain_loop: Option<LoopRange>,
    /// Its vibrato, if it has any.
    pub vibrato: Option<Vibrato>,
}

impl Sample {
    /// Creates a sample without name, loops or vibrato, at full volume and 8,363 Hz.
    #[must_use]
    pub const fn silent(voice: SampleSource) -> Self {
        Self {
            name: String::new(),
            file_name: String::new(),
            source: voice,
            volume: Level::FULL,
            global_volume: Level::FULL,
            pan: None,
            tuning: SampleTuning::Rate(8363),
            loop_range: None,
            sustain_loop: None,
            vibrato: None,
        }
    }
}

/// What a key of an instrument plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NoteMapping {
    /// Semitones from the key to the note that sounds.
    pub transpose: i8,
    /// Index of the module's sample, which it need not have; none for silence.
    pub sample: Option<u16>,
}

/// What the keys of an instrument play, from the lowest of 120 on; C4 is 60.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyMap(Box<[NoteMapping; Self::KEYS]>);

impl KeyMap {
    /// Ten octaves.
    pub const KEYS: usize = 120;

    /// Returns all keys.
    #[must_use]
    pub fn new(keys: [NoteMapping; Self::KEYS]) -> Self {
        Self(Box::new(keys))
    }

    /// Returns what a key plays; silence for those above the last.
    #[must_use]
    pub fn get(&self, key: Key) -> NoteMapping {
        self.0.get(usize::from(key.get())).copied().unwrap_or_default()
    }

    /// Returns all keys, from 0 on.
    #[must_use]
    pub fn keys(&self) -> &[NoteMapping; Self::KEYS] {
        &self.0
    }
}

/// What becomes of a note that still sounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NewNoteAction {
    /// It ends at once.
    Cut,
    /// It goes on.
    Continue,
    /// Its key is released.
    Off,
    /// It fades.
    Fade,
}

/// When an old note is the same as a new one, and what then becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DuplicateCheck {
    /// Never.
    Never,
    /// With the same note.
    Note(NewNoteAction),
    /// With the same sample.
    Sample(NewNoteAction),
    /// With the same instrument.
    Instrument(NewNoteAction),
}

/// Pan that depends on the note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PitchPan {
    /// How far a semitone goes to the right, −32..=32; 0 for not at all.
    pub separation: i8,
    /// The note that stays where it is.
    pub centre: Key,
}

/// The filter a note begins with, if any; both 0..=127.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct InitialFilter {
    /// Where it begins to take away.
    pub cutoff: Option<u8>,
    /// How much it rings there.
    pub resonance: Option<u8>,
}

impl InitialFilter {
    /// The cutoff that takes nothing away.
    pub const OPEN: u8 = 127;
}

/// What notes of a module are played on, apart from samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Instrument {
    /// Its name.
    pub name: String,
    /// The file it was loaded from.
    pub file_name: String,
    /// What its keys play.
    pub keys: KeyMap,
    /// Of the volume, 0..=64.
    pub volume: Option<BreakpointEnvelope>,
    /// Of the pan, −32..=32.
    pub pan: Option<BreakpointEnvelope>,
    /// Of the pitch in half semitones, −32..=32.
    pub pitch: Option<BreakpointEnvelope>,
    /// Of the filter's cutoff, −32..=32; one that has it has none of the pitch.
    pub cutoff: Option<BreakpointEnvelope>,
    /// How much of a fading note goes in each tick, in 32,768ths of full.
    pub fadeout: u32,
    /// What becomes of the old note of a channel when a new one comes.
    pub new_note_action: NewNoteAction,
    /// What becomes of duplicates.
    pub duplicate_check: DuplicateCheck,
    /// How loud it is.
    pub global_volume: Level,
    /// Where its notes are heard, if they do not stay where their channel is.
    pub default_pan: Option<Pan>,
    /// Largest random change of the volume of a note, in percent.
    pub volume_swing: u8,
    /// Largest random change of the pan of a note, 0..=64.
    pub pan_swing: u8,
    /// Pan that depends on the note.
    pub pitch_pan: PitchPan,
    /// The filter that notes begin with.
    pub filter: InitialFilter,
}

impl Instrument {
    /// Creates one without a name that plays what its keys say, and nothing moves or varies what they do.
    #[must_use]
    pub fn plain(keys: KeyMap) -> Self {
        Self {
            name: String::new(),
            file_name: String::new(),
            keys,
            volume: None,
            pan: None,
            pitch: None,
            cutoff: None,
            fadeout: 0,
            new_note_action: NewNoteAction::Cut,
            duplicate_check: DuplicateCheck::Never,
            global_volume: Level::FULL,
            default_pan: None,
            volume_swing: 0,
            pan_swing: 0,
            pitch_pan: PitchPan { separation: 0, centre: Key::C4 },
            filter: InitialFilter::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tunings_of_all_dialects_are_rates_at_the_middle_c() {
        assert_eq!(SampleTuning::Rate(44_100).c4_rate(), 44_100.0);
        assert!((SampleTuning::Finetune(0).c4_rate() - 8287.14).abs() < 0.01);
        assert!(
            (SampleTuning::Finetune(-8).c4_rate() / SampleTuning::Finetune(0).c4_rate() - 0.943_874).abs()
                < 1e-6
        );
        assert_eq!(SampleTuning::Relative { semitones: 12, finetune: 0 }.c4_rate(), 16_726.0);
        let up = SampleTuning::Relative { semitones: 0, finetune: -128 };
        assert!(
            (up.c4_rate() - SampleTuning::Relative { semitones: -1, finetune: 0 }.c4_rate()).abs() < 1e-9
        );
    }

    #[test]
    fn a_rate_is_whole_and_what_that_changes_is_reported_if_it_is_heard() {
        let played = |tuning: SampleTuning| (tuning.nearest_rate().0.get(), tuning.nearest_rate().1.get());
        assert_eq!(played(SampleTuning::Finetune(0)), (8287, 0.0));
        assert_eq!(played(SampleTuning::Rate(44_100)), (44_100, 0.0));
        // 10.13 Hz.
        let (rate, above) = played(SampleTuning::Relative { semitones: -116, finetune: -32 });
        assert_eq!(rate, 10);
        assert!((above + 23.6).abs() < 1.0, "{above}");
    }

    #[test]
    fn keys_above_the_map_are_silent() {
        let all = [NoteMapping { transpose: 0, sample: Some(0) }; KeyMap::KEYS];
        let map = KeyMap::new(all);
        assert_eq!(map.get(Key::new(119).unwrap()).sample, Some(0));
        assert_eq!(map.get(Key::new(120).unwrap()), NoteMapping::default());
    }
}
