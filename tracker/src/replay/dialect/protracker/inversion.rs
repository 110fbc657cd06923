use crate::replay::VoiceCommand;
use crate::replay::score::Score;

/// How far a tick brings the counter to 128, by the speed of the effect.
///
/// Source: *`ProTracker` 2.1A*, its funk table.
const STEPS: [u8; 16] = [0, 5, 6, 7, 8, 10, 11, 13, 16, 19, 22, 26, 32, 43, 64, 128];

/// The loop of a sample that a channel inverts frame by frame (`EFx`).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LoopInversion {
    /// 1..=15; 0 for not at all.
    pub(super) speed: u8,
    counter: u8,
    /// The frame of the loop that was inverted last.
    pub(super) at: u64,
    /// What is inverted in this tick.
    pub(super) due: Option<VoiceCommand>,
}

impl LoopInversion {
    /// Goes on by a tick.
    pub(super) fn step(&mut self, score: &Score, sample: Option<usize>) {
        if self.speed > 0 {
            self.due = self.next(score, sample);
        }
    }

    fn next(&mut self, score: &Score, sample: Option<usize>) -> Option<VoiceCommand> {
        self.counter += STEPS.get(usize::from(self.speed)).copied().unwrap_or(0);
        if self.counter < 128 {
            return None;
        }
        self.counter = 0;
        let recording = score.recording(sample?)?;
        let range = recording.held?;
        self.at = if range.start + self.at + 1 >= range.end { 0 } else { self.at + 1 };
        Some(VoiceCommand::Invert { sample: recording.index, frame: range.start + self.at })
    }
}
