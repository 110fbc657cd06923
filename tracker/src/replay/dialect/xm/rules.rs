use song::module::{FrequencyMode, Module, ModuleWriter, Program, Version};

use crate::replay::PanLaw;

/// What the slides of the volume column do with the memory of those of the effect column.
///
/// Source: made modules, as libopenmpt 0.6 plays them; it sets the memory in those of `FastTracker` 2 too, which has
/// two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnMemory {
    None,
    /// They set it.
    Set,
    /// They set it, and slide by it where they say 0.
    Shared,
}

/// In what programs that write XM modules differ.
///
/// Source: what libopenmpt 0.6 plays of the same module, given the name of one version of `OpenMPT` after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct XmRules {
    pub(super) is_linear: bool,
    pub(super) pan_law: PanLaw,
    /// What volume slides of the volume column have in common with those of the effect column.
    pub(super) column_memory: ColumnMemory,
    /// `OpenMPT`, or `ModPlug` Tracker before it.
    pub(super) is_modplug: bool,
    /// All bits of a finetune tell, not only the upper five.
    pub(super) has_fine_finetune: bool,
    /// What an arpeggio plays.
    pub(super) arpeggio: ArpeggioRule,
    /// A delay without a note plays no note again.
    pub(super) delay_needs_note: bool,
    /// Where there is no envelope, a released key is silent even beside an instrument, and what the cell sets instead
    /// does not fade.
    pub(super) key_off_silences: bool,
    /// A key that an effect releases begins to fade in the first tick, whatever the parameter; it is never silenced.
    pub(super) releases_at_once: bool,
    /// An instrument without a note leaves the pan.
    pub(super) instrument_keeps_pan: bool,
    /// Envelopes pass points that are no later than those before; else they wait there.
    pub(super) passes_points: bool,
    /// Slides of the pan go four times as far.
    pub(super) has_wide_pan_slides: bool,
    /// Vibrato acts in the first tick of a row too, with the position it has.
    pub(super) has_early_vibrato: bool,
    /// The vibrato of the volume column gives way to that of the effect.
    pub(super) has_one_vibrato: bool,
    /// An instrument without a note leaves vibrato and tremolo where they are.
    pub(super) recall_keeps_lfos: bool,
    /// A pattern loop that turns goes before jumps and breaks of its row, and says nothing of the next pattern.
    pub(super) loop_beats_jump: bool,
    /// No pattern loop begins while another channel has one.
    pub(super) has_one_loop: bool,
    /// Notes beyond what the tracker has are left out.
    pub(super) limits_notes: bool,
    /// There is a period for every note.
    pub(super) extends_periods: bool,
    /// A note without an envelope fades when its key is released, which an instrument undoes.
    pub(super) fades_without_envelope: bool,
    /// A tremolo and a vibrato of the volume column end with their row.
    pub(super) ends_lfos: bool,
    pub(super) tremor: TremorRule,
    /// Portamentos up and down remember one parameter.
    pub(super) shares_portamento: bool,
    /// The ramp of a tremolo looks at the position of the vibrato.
    pub(super) mixes_ramps: bool,
}

/// What an arpeggio plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArpeggioRule {
    /// By the ticks that are left, notes of the table that are nearest to the pitch.
    Nearest,
    /// By the ticks that are over, the note of the cell and those above it, wherever a slide has led.
    Notes,
}

/// What a tremor does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TremorRule {
    /// Sets the volume that is heard, until another is set.
    Volume,
    /// Silences the note until the next instrument.
    Held,
    /// Silences the note in the ticks of the effect, which are counted from one row that has it to the next.
    Counted,
}

impl XmRules {
    /// Returns how far a slide of the pan goes in a tick.
    pub(super) const fn pan_step(self, by: u8) -> i32 {
        by as i32 * if self.has_wide_pan_slides { 4 } else { 1 }
    }

    pub(super) fn of(module: &Module) -> Self {
        let ModuleWriter { program, version, .. } = &module.writer;
        let is_openmpt = *program == Program::OpenMpt;
        let is_modplug = is_openmpt || *program == Program::ModPlugTracker;
        // What `OpenMPT` learnt to do as `FastTracker`.
        let since = |minor, patch, build| is_openmpt && *version >= Version::new([1, minor, patch, build]);
        let learnt = |minor, patch, build| !is_modplug || since(minor, patch, build);
        let is_fast_tracker = matches!(program, Program::FastTracker2 | Program::FastTracker2Clone);
        let is_old = is_modplug && !since(0x18, 0, 0);
        Self {
            arpeggio: if is_old { ArpeggioRule::Notes } else { ArpeggioRule::Nearest },
            delay_needs_note: is_old,
            key_off_silences: is_old,
            releases_at_once: is_old,
            instrument_keeps_pan: is_old,
            passes_points: is_modplug,
            has_wide_pan_slides: is_old,
            loop_beats_jump: is_old,
            has_early_vibrato: !is_fast_tracker,
            has_one_vibrato: is_modplug && !since(0x27, 0, 0),
            recall_keeps_lfos: !is_fast_tracker,
            has_one_loop: is_old,
            is_linear: module.globals.frequency_mode == FrequencyMode::Linear,
            pan_law: match program {
                _ if module.globals.compat.soft_pans => PanLaw::Soft,
                Program::FastTracker2 | Program::FastTracker2Clone => PanLaw::SquareRoot,
                Program::OpenMpt if since(0x22, 0x07, 0x19) => PanLaw::SquareRoot,
                _ => PanLaw::Linear,
            },
            column_memory: match program {
                Program::FastTracker2 | Program::FastTracker2Clone => ColumnMemory::None,
                Program::ModPlugTracker => ColumnMemory::Shared,
                Program::OpenMpt if !since(0x20, 0, 0) => ColumnMemory::Shared,
                _ => ColumnMemory::Set,
            },
            is_modplug,
            has_fine_finetune: !learnt(0x22, 0x07, 0x19),
            limits_notes: learnt(0x20, 0x00, 0x62),
            extends_periods: is_modplug,
            fades_without_envelope: learnt(0x27, 0x00, 0x49),
            ends_lfos: is_modplug,
            tremor: match program {
                Program::OpenMpt if since(0x20, 0x01, 0x11) => TremorRule::Held,
                Program::OpenMpt | Program::ModPlugTracker => TremorRule::Counted,
                _ => TremorRule::Volume,
            },
            shares_portamento: !learnt(0x27, 0x00, 0x49),
            mixes_ramps: learnt(0x27, 0x00, 0x49),
        }
    }
}
