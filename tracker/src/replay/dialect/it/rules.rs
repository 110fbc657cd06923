use song::module::{CompatFlags, FrequencyMode, Module, ModuleWriter, Program, Version};

use crate::replay::PanLaw;
use crate::replay::filter::FilterModel;
use crate::replay::modplug::plays_as_modplug;

/// In what programs that write IT modules differ.
///
/// Source: what libopenmpt 0.6 plays of the same module, given the numbers of one program after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct ItRules {
    pub(super) is_linear: bool,
    pub(super) old_effects: bool,
    pub(super) compatible_slides: bool,
    pub(super) has_instruments: bool,
    /// Notes are those of Scream Tracker's table, which is not quite even.
    pub(super) has_uneven_notes: bool,
    /// Pitches are whole periods, and slides go from one to another.
    pub(super) has_whole_periods: bool,
    /// A tone portamento to the first note after a silence begins where the last one ended.
    pub(super) slides_from_silence: bool,
    /// The periods of notes are whole numbers too where slides are the Amiga's.
    pub(super) rounds_amiga_periods: bool,
    /// An arpeggio plays the notes of its table, wherever a slide has led; else it multiplies.
    pub(super) arpeggio_plays_notes: bool,
    /// Whose oscillators those of vibrato, tremolo and panbrello are.
    pub(super) lfo: LfoModel,
    /// How far volumes and pans of an instrument swing at random.
    pub(super) swing: SwingRule,
    /// Pans and their envelopes move surround sound too.
    pub(super) surround_keeps_pan: bool,
    /// An envelope that is turned off stands still; else it does nothing until it is turned on.
    pub(super) holds_envelopes: bool,
    /// An instrument without a note plays the last one again if it has ended, and begins all envelopes anew.
    pub(super) instrument_restarts_note: bool,
    /// A retrigger that begins in a row without a note waits before its first.
    pub(super) retrigger_waits: bool,
    /// A delay by no tick is none; else it is one by a tick.
    pub(super) has_empty_delay: bool,
    /// What is a depth of vibrato in the column is its speed: 0 leaves that.
    pub(super) column_sets_vibrato_speed: bool,
    /// No pattern loop begins while another channel has one, and none moves its start when it is over.
    pub(super) has_one_loop: bool,
    /// A global volume beyond the highest is void; else it is the highest.
    pub(super) ignores_excess_volume: bool,
    /// A jump to the right of the end of a loop keeps it from turning.
    pub(super) jump_cancels_loop: bool,
    /// A loop that a jump has cancelled has not turned.
    pub(super) restores_cancelled_loop: bool,
    pub(super) filter: FilterModel,
    pub(super) pan_law: PanLaw,
}

/// Whose oscillators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LfoModel {
    /// They move on before a tick; pitches go up first unless effects are old.
    ImpulseTracker,
    /// They move on after a tick, but not after the first where effects are old; pitches go down first. Vibrato begins
    /// a quarter of a cycle later unless effects are old. Tremolo and panbrello go twice as far, and the latter ends
    /// with its row.
    ModPlug,
}

/// How far random parts go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SwingRule {
    /// Volumes by percent of the note's, and pans by 64ths.
    ImpulseTracker,
    /// Volumes by 128ths of the whole, and pans by 256ths.
    ModPlug,
}

/// The first version of Schism Tracker with even notes, of May 2015.
const SCHISM_EVEN_NOTES: Version = Version::new([8, 0x30, 0, 0]);
/// The first version of `OpenMPT` with even notes.
const OPENMPT_EVEN_NOTES: Version = Version::new([1, 0x24, 0, 0]);
/// The last version that wrote the speed of a vibrato in the volume column as if it were the depth.
const VIBRATO_SPEED_IN_COLUMN: Version = Version::new([1, 0x17, 2, 0x54]);
/// The first version of Impulse Tracker that takes back the turn of a loop which a jump cancels.
const RESTORED_LOOPS: Version = Version::new([2, 0x10, 0, 0]);

impl ItRules {
    pub(super) fn of(module: &Module) -> Self {
        let ModuleWriter { program, version, .. } = &module.writer;
        let CompatFlags { old_effects, compatible_tone_slides, has_instruments, .. } = module.globals.compat;
        let is_modplug = plays_as_modplug(&module.writer);
        let has_uneven_notes = match program {
            Program::ModPlugTracker => true,
            Program::OpenMpt | Program::OpenMptExport => *version < OPENMPT_EVEN_NOTES,
            Program::SchismTracker => *version < SCHISM_EVEN_NOTES,
            _ => false,
        };
        Self {
            is_linear: module.globals.frequency_mode == FrequencyMode::Linear,
            old_effects,
            compatible_slides: compatible_tone_slides,
            has_instruments,
            has_uneven_notes,
            has_whole_periods: has_uneven_notes,
            slides_from_silence: has_uneven_notes,
            rounds_amiga_periods: is_modplug || matches!(program, Program::OpenMpt | Program::SchismTracker),
            arpeggio_plays_notes: is_modplug,
            lfo: if is_modplug { LfoModel::ModPlug } else { LfoModel::ImpulseTracker },
            swing: if is_modplug { SwingRule::ModPlug } else { SwingRule::ImpulseTracker },
            surround_keeps_pan: is_modplug,
            holds_envelopes: !is_modplug,
            instrument_restarts_note: is_modplug,
            retrigger_waits: is_modplug,
            has_empty_delay: is_modplug,
            column_sets_vibrato_speed: is_modplug && *version <= VIBRATO_SPEED_IN_COLUMN,
            has_one_loop: is_modplug,
            ignores_excess_volume: is_modplug || *program == Program::ImpulseTracker,
            jump_cancels_loop: !is_modplug,
            restores_cancelled_loop: *program != Program::ImpulseTracker || *version >= RESTORED_LOOPS,
            filter: FilterModel::of(&module.writer, &module.globals),
            pan_law: if module.globals.compat.soft_pans { PanLaw::Soft } else { PanLaw::Linear },
        }
    }

    /// Returns whether an instrument without a note begins envelopes anew.
    pub(super) const fn resets_envelopes(self, slides: bool) -> bool {
        if slides { self.compatible_slides } else { self.old_effects }
    }
}
