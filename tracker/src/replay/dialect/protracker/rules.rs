use song::module::{Cell, EffectCommand, Module, Note, Pattern};

/// In what programs that write MOD modules differ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// Made for four channels of an Amiga, and not for those who followed.
    pub(super) is_original: bool,
    /// A break goes to the first row, whatever it says: the tracker before `ProTracker`.
    pub(super) is_noisetracker: bool,
}

impl Rules {
    pub(super) fn of(module: &Module) -> Self {
        let mut cells = module.patterns.iter().flat_map(Pattern::cells);
        let is_original = module.channels.len() == 4
            && module.globals.compat.has_protracker_loops
            && matches!(
                module.tracker.tag.as_ref(),
                None | Some(b"M.K." | b"M!K!" | b"N.T." | b"M&K!" | b"FLT4")
            )
            && cells.all(has_amiga_note);
        let is_noisetracker = match module.tracker.tag.as_ref() {
            Some(b"N.T." | b"M&K!" | b"FEST") => true,
            Some(b"M.K.") => module.patterns.iter().all(is_of_noisetracker),
            _ => false,
        };
        Self { is_original, is_noisetracker }
    }
}

fn has_amiga_note(cell: &Cell) -> bool {
    match cell.note {
        Note::Period(period) => (113..=856).contains(&period.get()),
        _ => true,
    }
}

/// Returns whether a pattern may be of `NoiseTracker`. Who breaks it more than once knows where to.
fn is_of_noisetracker(pattern: &Pattern) -> bool {
    let breaks = pattern.cells().iter().filter_map(|cell| cell.effect);
    pattern.cells().iter().all(knows_noisetracker)
        && breaks.filter(|effect| effect.command == EffectCommand::PatternBreak).count() < 2
}

/// Returns whether `NoiseTracker` has the effect of a cell. A module with no other may be its own.
///
/// Source: what libopenmpt 0.6 plays of made modules, with one effect or break more.
fn knows_noisetracker(cell: &Cell) -> bool {
    let Some(effect) = cell.effect else { return true };
    match effect.command {
        EffectCommand::Arpeggio
        | EffectCommand::PortamentoUp
        | EffectCommand::PortamentoDown
        | EffectCommand::TonePortamento
        | EffectCommand::Vibrato
        | EffectCommand::TonePortamentoVolumeSlide
        | EffectCommand::VibratoVolumeSlide
        | EffectCommand::VolumeSlide
        | EffectCommand::PositionJump
        | EffectCommand::SetVolume
        | EffectCommand::PatternBreak => true,
        EffectCommand::Extended => effect.parameter < 0x10,
        EffectCommand::SpeedOrTempo => effect.parameter < 0x20,
        _ => false,
    }
}
