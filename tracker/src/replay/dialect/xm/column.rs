//! The volume column.

use song::module::VolumeCommand;

use super::channel::XmChannel;
use super::row_cell::OFF;
use super::rules::XmRules;

impl XmChannel {
    /// Does what the volume column says in the first tick of a row.
    pub(super) fn column_first(&mut self, rules: XmRules) {
        let Some(command) = self.cell.volume else { return };
        match command {
            VolumeCommand::Volume(volume) => {
                self.set_volume(volume.into());
                self.voice.jump();
            }
            VolumeCommand::FineDown(by) => self.set_volume(self.volume - i32::from(by)),
            VolumeCommand::FineUp(by) => self.set_volume(self.volume + i32::from(by)),
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
            VolumeCommand::Down(by) => self.set_volume(self.volume - i32::from(by)),
            VolumeCommand::Up(by) => self.set_volume(self.volume + i32::from(by)),
            VolumeCommand::Vibrato(depth) => {
                if depth > 0 {
                    self.vibrato.depth = depth;
                }
                if !(rules.has_early_vibrato && self.cell.is_vibrato()) {
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
