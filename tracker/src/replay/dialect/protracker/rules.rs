use song::module::{CompatFlags, Module, Program};

/// In what programs that write MOD modules differ.
#[derive(Clone, Copy, Debug)]
pub(super) struct ModRules {
    /// Speeds of all sizes count ticks.
    pub(super) is_timed_by_vblank: bool,
    /// Pans (`8xx`) mean nothing: each channel has its side.
    pub(super) ignores_pans: bool,
    /// Pans go to 0x80, the right; 0xA4 is surround. Else they go to 0xFF.
    pub(super) has_narrow_pans: bool,
    /// Periods stay between those of the first and the last note of three octaves.
    pub(super) limits_periods: bool,
    /// Every note is looked up in the tables of the finetunes; else those outside of them are computed.
    pub(super) looks_up_notes: bool,
    /// A sample without a note follows where the present one turns.
    pub(super) swaps_samples: bool,
    /// A sample without a note leaves the finetune; else one that a note slides to does.
    pub(super) keeps_finetune: bool,
    /// An offset beside a note counts twice for the next one.
    pub(super) doubles_offsets: bool,
    /// A jump or a break of a delayed row goes one row too far.
    pub(super) breaks_late: bool,
    /// A tempo counts from the next row on.
    pub(super) sets_tempo_late: bool,
    /// Vibrato and tremolo act in the first tick of a row too, with the position that they have.
    pub(super) has_early_lfos: bool,
    /// A break goes to the first row, whatever it says: the tracker before `ProTracker`.
    pub(super) is_noisetracker: bool,
}

impl ModRules {
    pub(super) fn of(module: &Module) -> Self {
        // Other programs write loops of no length, and play all else by their own rules. Source of which rule goes with
        // which fact: real songs played beside libopenmpt, one rule changed at a time.
        let CompatFlags { is_for_amiga, has_word_loops, has_sample_runs, narrow_pans, vblank_timing, .. } =
            module.globals.compat;
        let is_by_protracker = is_for_amiga && has_word_loops;
        Self {
            is_timed_by_vblank: vblank_timing,
            ignores_pans: is_by_protracker,
            has_narrow_pans: narrow_pans,
            limits_periods: is_by_protracker,
            looks_up_notes: is_by_protracker,
            swaps_samples: is_by_protracker || is_for_amiga && has_sample_runs,
            keeps_finetune: is_by_protracker,
            doubles_offsets: is_by_protracker,
            breaks_late: is_by_protracker,
            sets_tempo_late: is_by_protracker,
            has_early_lfos: !is_by_protracker,
            is_noisetracker: module.writer.program == Program::NoiseTracker,
        }
    }
}
