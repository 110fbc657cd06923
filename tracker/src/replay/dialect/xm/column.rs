//! The volume column.

use song::module::VolumeCommand;

use super::channel::XmChannel;
use super::row_cell::OFF;
use super::rules::{ColumnMemory, XmRules};

/// Returns by how much the column slides, with what the slides of the effect column remember where they share it.
fn recalled(by: u8, memory: &mut u8, rules: XmRules) -> i32 {
    match (by, rules.column_memory) {
        (1.., ColumnMemory::Set | ColumnMemory::Shared) => *memory = by,
        (0, ColumnMemory::Shared) => return i32::from(*memory),
        _ => {}
    }
    i32::from(by)
}

impl XmChannel {
    /// Does what the volume column says in the first tick of a row.
    pub(super) fn column_first(&mut self, rules: XmRules) {
        let Some(command) = self.cell.volume else { return };
        match command {
            VolumeCommand::Volume(volume) => {
                self.set_volume(volume.into());
                self.voice.jump();
            }
            VolumeCommand::FineDown(by) => {
                let by = recalled(by, &mut self.memory.fine_volume_down, rules);
                self.set_volume(self.volume - by);
            }
            VolumeCommand::FineUp(by) => {
                let by = recalled(by, &mut self.memory.fine_volume_up, rules);
                self.set_volume(self.volume + by);
            }
            VolumeCommand::VibratoSpeed(speed) => {
                if speed > 0 {
                    self.vibrato.speed = speed;
                }
            }
            VolumeCommand::Pan(pan) => {
                self.pan = i32::from(pan) << 4;
                self.voice.jump();
            }
            VolumeCommand::Vibrato(depth) if rules.has_early_vibrato => {
                if depth > 0 {
                    self.vibrato.depth = depth;
                }
                self.hold_vibrato(rules);
            }
            // They act in the other ticks.
            VolumeCommand::Up(_)
            | VolumeCommand::Down(_)
            | VolumeCommand::Vibrato(_)
            | VolumeCommand::PanLeft(_)
            | VolumeCommand::PanRight(_)
            | VolumeCommand::TonePortamento(_) => {}
            // The format has no byte for them.
            VolumeCommand::PortamentoDown(_) | VolumeCommand::PortamentoUp(_) | VolumeCommand::Unknown(_) => {
            }
        }
    }

    /// Does what the volume column says in the other ticks.
    pub(super) fn column_between(&mut self, rules: XmRules) {
        let Some(command) = self.cell.volume else { return };
        match command {
            VolumeCommand::Down(by) => {
                let mut memory = self.memory.volume_slide & 15;
                let by = recalled(by, &mut memory, rules);
                self.remember_slide(memory);
                self.set_volume(self.volume - by);
            }
            VolumeCommand::Up(by) => {
                let mut memory = self.memory.volume_slide >> 4;
                let by = recalled(by, &mut memory, rules);
                self.remember_slide(memory << 4);
                self.set_volume(self.volume + by);
            }
            VolumeCommand::Vibrato(depth) => {
                if depth > 0 {
                    self.vibrato.depth = depth;
                }
                if !(rules.has_one_vibrato && self.cell.is_vibrato()) {
                    self.play_vibrato(rules);
                }
            }
            // A slide by nothing to the left goes all the way.
            VolumeCommand::PanLeft(0) => self.pan = 0,
            VolumeCommand::PanLeft(by) => self.pan = (self.pan - rules.pan_step(by)).max(0),
            VolumeCommand::PanRight(by) => self.pan = (self.pan + rules.pan_step(by)).min(255),
            VolumeCommand::TonePortamento(_) => self.slide_to_target(rules),
            // They act in the first tick.
            VolumeCommand::Volume(_)
            | VolumeCommand::FineUp(_)
            | VolumeCommand::FineDown(_)
            | VolumeCommand::VibratoSpeed(_)
            | VolumeCommand::Pan(_) => {}
            // The format has no byte for them.
            VolumeCommand::PortamentoDown(_) | VolumeCommand::PortamentoUp(_) | VolumeCommand::Unknown(_) => {
            }
        }
    }

    const fn remember_slide(&mut self, parameter: u8) {
        if parameter > 0 {
            self.memory.volume_slide = parameter;
        }
    }

    /// Sets volume or pan of the volume column once more.
    pub(super) fn repeat_column(&mut self) {
        match self.cell.volume {
            Some(VolumeCommand::Volume(volume)) => self.set_volume(volume.into()),
            // With a released key the tracker forgets it.
            Some(VolumeCommand::Pan(pan)) if self.cell.note() != OFF => self.pan = i32::from(pan) << 4,
            _ => {}
        }
    }
}
