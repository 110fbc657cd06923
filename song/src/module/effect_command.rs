use super::Dialect;

/// What an effect does. Its parameter says how much; what 0 means, and which memory it has, is the dialect's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EffectCommand {
    /// Three notes in turn.
    Arpeggio,
    /// Pitch up.
    PortamentoUp,
    /// Pitch down.
    PortamentoDown,
    /// Pitch to that of the note.
    TonePortamento,
    /// The pitch oscillates.
    Vibrato,
    /// A tone portamento that goes on, with a slide of the volume.
    TonePortamentoVolumeSlide,
    /// A vibrato that goes on, with a slide of the volume.
    VibratoVolumeSlide,
    /// The volume oscillates.
    Tremolo,
    /// Pan of a channel.
    SetPanning,
    /// The sample starts at an offset.
    SampleOffset,
    /// Volume up or down.
    VolumeSlide,
    /// On to an order.
    PositionJump,
    /// Volume of a note.
    SetVolume,
    /// On to a row of the next order.
    PatternBreak,
    /// What its upper four bits say: E in a MOD and an XM, S in an S3M and an IT.
    Extended,
    /// Below 32 ticks of a row, else beats per minute.
    SpeedOrTempo,
    /// Ticks of a row.
    Speed,
    /// Beats per minute, or a slide of them.
    Tempo,
    /// Volume of all notes.
    GlobalVolume,
    /// A slide of it.
    GlobalVolumeSlide,
    /// The key is released at a tick.
    KeyOff,
    /// Envelopes go on from a tick of theirs.
    EnvelopePosition,
    /// Pan to the left or right.
    PanSlide,
    /// The note again and again, with another volume.
    Retrigger,
    /// Sound and silence in turn.
    Tremor,
    /// Pitch up or down by the smallest units.
    ExtraFinePortamento,
    /// Volume of a channel.
    ChannelVolume,
    /// A slide of it.
    ChannelVolumeSlide,
    /// A vibrato of a quarter of the depth.
    FineVibrato,
    /// The pan oscillates.
    Panbrello,
    /// A MIDI macro, most often of the filter.
    Macro,
    /// A number that stands for nothing in the dialect.
    Unknown(u8),
}

/// By number from 0 on.
const NUMBERED: &[EffectCommand] = &[
    EffectCommand::Arpeggio,
    EffectCommand::PortamentoUp,
    EffectCommand::PortamentoDown,
    EffectCommand::TonePortamento,
    EffectCommand::Vibrato,
    EffectCommand::TonePortamentoVolumeSlide,
    EffectCommand::VibratoVolumeSlide,
    EffectCommand::Tremolo,
    EffectCommand::SetPanning,
    EffectCommand::SampleOffset,
    EffectCommand::VolumeSlide,
    EffectCommand::PositionJump,
    EffectCommand::SetVolume,
    EffectCommand::PatternBreak,
    EffectCommand::Extended,
    EffectCommand::SpeedOrTempo,
    // From here on XM alone, by letters.
    EffectCommand::GlobalVolume,
    EffectCommand::GlobalVolumeSlide,
    EffectCommand::Unknown(18),
    EffectCommand::Unknown(19),
    EffectCommand::KeyOff,
    EffectCommand::EnvelopePosition,
    EffectCommand::Unknown(22),
    EffectCommand::Unknown(23),
    EffectCommand::Unknown(24),
    EffectCommand::PanSlide,
    EffectCommand::Unknown(26),
    EffectCommand::Retrigger,
    EffectCommand::Unknown(28),
    EffectCommand::Tremor,
    EffectCommand::Unknown(30),
    EffectCommand::Unknown(31),
    EffectCommand::Unknown(32),
    EffectCommand::ExtraFinePortamento,
    EffectCommand::Unknown(34),
    EffectCommand::Macro,
];

/// From A, which is 1, on.
const LETTERED: &[EffectCommand] = &[
    EffectCommand::Speed,
    EffectCommand::PositionJump,
    EffectCommand::PatternBreak,
    EffectCommand::VolumeSlide,
    EffectCommand::PortamentoDown,
    EffectCommand::PortamentoUp,
    EffectCommand::TonePortamento,
    EffectCommand::Vibrato,
    EffectCommand::Tremor,
    EffectCommand::Arpeggio,
    EffectCommand::VibratoVolumeSlide,
    EffectCommand::TonePortamentoVolumeSlide,
    EffectCommand::ChannelVolume,
    EffectCommand::ChannelVolumeSlide,
    EffectCommand::SampleOffset,
    EffectCommand::PanSlide,
    EffectCommand::Retrigger,
    EffectCommand::Tremolo,
    EffectCommand::Extended,
    EffectCommand::Tempo,
    EffectCommand::FineVibrato,
    EffectCommand::GlobalVolume,
    EffectCommand::GlobalVolumeSlide,
    EffectCommand::SetPanning,
    EffectCommand::Panbrello,
    EffectCommand::Macro,
];

/// Returns the number of the first command, and all in a row.
const fn commands(dialect: Dialect) -> (u8, &'static [EffectCommand]) {
    match dialect {
        Dialect::ProTracker => (0, NUMBERED.split_at(16).0),
        Dialect::FastTracker2 => (0, NUMBERED),
        Dialect::ScreamTracker3 | Dialect::ImpulseTracker => (1, LETTERED),
    }
}

impl EffectCommand {
    /// Returns what a stored number stands for.
    #[must_use]
    pub fn from_number(dialect: Dialect, number: u8) -> Self {
        let (first, commands) = commands(dialect);
        let meant = number.checked_sub(first).and_then(|index| commands.get(usize::from(index)));
        meant.copied().unwrap_or(Self::Unknown(number))
    }

    /// Returns the number that stands for it; none if the dialect has nothing like it.
    #[must_use]
    pub fn number(self, dialect: Dialect) -> Option<u8> {
        if let Self::Unknown(number) = self {
            return Some(number);
        }
        let (first, commands) = commands(dialect);
        let index = commands.iter().position(|command| *command == self)?;
        u8::try_from(index).ok().map(|index| index + first)
    }

    /// Returns the digit or letter by which trackers of the dialect show it; `?` if there is none.
    #[must_use]
    pub fn letter(self, dialect: Dialect) -> char {
        let Some(number) = self.number(dialect) else { return '?' };
        match dialect {
            Dialect::ProTracker | Dialect::FastTracker2 => {
                char::from_digit(number.into(), 36).map_or('?', |sign| sign.to_ascii_uppercase())
            }
            Dialect::ScreamTracker3 | Dialect::ImpulseTracker => match number {
                1..=26 => char::from(b'A' - 1 + number),
                _ => '?',
            },
        }
    }

    /// Returns its name, as trackers print it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Arpeggio => "arpeggio",
            Self::PortamentoUp => "portamento up",
            Self::PortamentoDown => "portamento down",
            Self::TonePortamento => "tone portamento",
            Self::Vibrato => "vibrato",
            Self::TonePortamentoVolumeSlide => "tone portamento and volume slide",
            Self::VibratoVolumeSlide => "vibrato and volume slide",
            Self::Tremolo => "tremolo",
            Self::SetPanning => "set panning",
            Self::SampleOffset => "sample offset",
            Self::VolumeSlide => "volume slide",
            Self::PositionJump => "position jump",
            Self::SetVolume => "set volume",
            Self::PatternBreak => "pattern break",
            Self::Extended => "extended effect",
            Self::SpeedOrTempo => "set speed or tempo",
            Self::Speed => "set speed",
            Self::Tempo => "set tempo",
            Self::GlobalVolume => "set global volume",
            Self::GlobalVolumeSlide => "global volume slide",
            Self::KeyOff => "key off",
            Self::EnvelopePosition => "set envelope position",
            Self::PanSlide => "panning slide",
            Self::Retrigger => "retrigger note",
            Self::Tremor => "tremor",
            Self::ExtraFinePortamento => "extra fine portamento",
            Self::ChannelVolume => "set channel volume",
            Self::ChannelVolumeSlide => "channel volume slide",
            Self::FineVibrato => "fine vibrato",
            Self::Panbrello => "panbrello",
            Self::Macro => "MIDI macro",
            Self::Unknown(_) => "unknown",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_means_what_its_dialect_says() {
        assert_eq!(EffectCommand::from_number(Dialect::ProTracker, 0xA), EffectCommand::VolumeSlide);
        assert_eq!(EffectCommand::from_number(Dialect::ImpulseTracker, 1), EffectCommand::Speed);
        assert_eq!(EffectCommand::from_number(Dialect::ProTracker, 16), EffectCommand::Unknown(16));
        assert_eq!(EffectCommand::GlobalVolume.letter(Dialect::FastTracker2), 'G');
        assert_eq!(EffectCommand::GlobalVolume.letter(Dialect::ScreamTracker3), 'V');
        assert_eq!(EffectCommand::Macro.letter(Dialect::FastTracker2), 'Z');
        assert_eq!(EffectCommand::Macro.number(Dialect::ProTracker), None);
    }

    #[test]
    fn every_effect_has_a_name_that_no_other_has() {
        let mut names: Vec<&str> = NUMBERED.iter().chain(LETTERED).map(|command| command.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 32, "{names:?}");
        let named =
            |letter: u8| EffectCommand::from_number(Dialect::ImpulseTracker, letter - b'A' + 1).name();
        assert_eq!(
            [b'B', b'C', b'F', b'G', b'I', b'Y'].map(named),
            ["position jump", "pattern break", "portamento up", "tone portamento", "tremor", "panbrello"]
        );
    }
}
