//! The keys of the piano: what they play, and which keys of the computer play them.

use player::keyboard::{KeyMapMode, Scheme};
use song::Key;

use super::{Model, PlayedNote, Trigger};

/// A key of the piano.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PianoKey {
    /// What it plays.
    pub key: Key,
    /// Keys of the computer that play it, those of higher rows first.
    pub typed: Vec<char>,
    /// Whether it is held.
    pub is_lit: bool,
}

impl PianoKey {
    /// Returns the key so many semitones above the first.
    #[must_use]
    pub fn of(model: &Model, semitone: u8) -> Option<Self> {
        let key = model.key_at(semitone)?;
        let notes = Scheme::of(model.layout).notes().filter(|(_, note)| *note == semitone);
        let typed: Vec<char> = notes.map(|(typed, _)| typed).collect();
        let is_held = |note: &PlayedNote| match note.trigger {
            Trigger::Key(pressed) => typed.contains(&pressed),
            Trigger::Mouse(clicked) => clicked == key,
            Trigger::Audition => false,
        };
        let is_lit =
            model.notes.iter().any(|note| !note.released && is_held(note)) || model.midi.contains(&key);
        Some(Self { key, typed, is_lit })
    }

    /// Returns the computer's key in capitals; of two also the other, where there is room.
    #[must_use]
    pub fn label(&self, model: &Model, room: usize) -> String {
        let mut typed = self.typed.iter().map(|typed| model.label(*typed));
        match (typed.next(), typed.next()) {
            (Some(one), Some(other)) if room >= 3 => format!("{one} {other}"),
            (Some(one), _) => format!("{one:^room$}"),
            (None, _) => " ".repeat(room),
        }
    }

    /// Returns what the key plays: of the chromatic map its note, of the kit its sound.
    #[must_use]
    pub fn name(&self, model: &Model) -> String {
        match model.map {
            KeyMapMode::Chromatic if self.key.get().is_multiple_of(12) => self.key.to_string(),
            KeyMapMode::Chromatic => String::new(),
            KeyMapMode::Kit => {
                model.kit_sound(self.key).map_or_else(String::new, |sound| format!("#{}", sound + 1))
            }
        }
    }
}
