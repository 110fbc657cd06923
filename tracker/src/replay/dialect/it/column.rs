//! Slides of the volume column.

use song::module::VolumeCommand;

use super::ItRules;
use super::host::Host;
use crate::replay::random::Random;

/// How far a tone portamento goes in each tick.
const TONE_SPEEDS: [u8; 10] = [0, 1, 4, 8, 16, 32, 64, 96, 128, 255];

impl Host {
    pub(super) fn set_pan(&mut self, pan: i32) {
        (self.pan, self.is_surround) = (pan.clamp(0, 256), false);
        (self.note.pan, self.note.is_surround) = (self.pan, false);
        self.panbrello.offset = 0;
        self.note.pan_swing = 0;
        self.note.voice.jump();
    }

    /// Remembers what the column says, in the first tick.
    pub(super) fn remember_column(&mut self, command: VolumeCommand, rules: ItRules) {
        match command {
            VolumeCommand::FineUp(by)
            | VolumeCommand::FineDown(by)
            | VolumeCommand::Up(by)
            | VolumeCommand::Down(by) => {
                if by > 0 {
                    self.memory.column = by;
                }
            }
            VolumeCommand::PortamentoDown(by) | VolumeCommand::PortamentoUp(by) => {
                if by > 0 {
                    self.memory.slide = by << 2;
                    if !rules.compatible_slides {
                        self.memory.tone = by << 2;
                    }
                }
            }
            VolumeCommand::TonePortamento(step) => {
                let speed = TONE_SPEEDS.get(usize::from(step)).copied().unwrap_or(0);
                self.remember_tone(speed, rules);
            }
            VolumeCommand::Vibrato(depth) => {
                if depth > 0 && rules.column_sets_vibrato_speed {
                    self.vibrato.speed = depth;
                } else if depth > 0 {
                    self.vibrato.depth = depth << 2;
                }
            }
            // They have no memory.
            VolumeCommand::Volume(_) | VolumeCommand::Pan(_) => {}
            // The format has no byte for them.
            VolumeCommand::VibratoSpeed(_)
            | VolumeCommand::PanLeft(_)
            | VolumeCommand::PanRight(_)
            | VolumeCommand::Unknown(_) => {}
        }
    }

    pub(super) const fn remember_tone(&mut self, speed: u8, rules: ItRules) {
        if speed == 0 {
            return;
        }
        self.memory.tone = speed;
        if !rules.compatible_slides {
            self.memory.slide = speed;
        }
    }

    /// Does what the column says in a tick. `first` is the first tick that it acts in, `once` that it was not repeated.
    pub(super) fn slide_column(
        &mut self,
        command: VolumeCommand,
        first: bool,
        once: bool,
        rules: ItRules,
        random: &mut Random,
    ) {
        let by = i32::from(self.memory.column);
        match command {
            VolumeCommand::FineUp(_) if first && once => self.add_volume(by),
            VolumeCommand::FineDown(_) if first && once => self.add_volume(-by),
            VolumeCommand::Up(_) if !first => self.add_volume(by),
            VolumeCommand::Down(_) if !first => self.add_volume(-by),
            VolumeCommand::PortamentoDown(_) if !first => {
                self.note.slide(-4 * i32::from(self.memory.slide), rules);
            }
            VolumeCommand::PortamentoUp(_) if !first => {
                self.note.slide(4 * i32::from(self.memory.slide), rules);
            }
            VolumeCommand::TonePortamento(_) if !first => {
                self.note.slide_to_target(4 * i32::from(self.memory.tone), rules);
            }
            VolumeCommand::Vibrato(_) => self.play_vibrato(first, rules, random),
            // They act in other ticks.
            VolumeCommand::FineUp(_)
            | VolumeCommand::FineDown(_)
            | VolumeCommand::Up(_)
            | VolumeCommand::Down(_)
            | VolumeCommand::PortamentoDown(_)
            | VolumeCommand::PortamentoUp(_)
            | VolumeCommand::TonePortamento(_) => {}
            // They are played with the note.
            VolumeCommand::Volume(_) | VolumeCommand::Pan(_) => {}
            // The format has no byte for them.
            VolumeCommand::VibratoSpeed(_)
            | VolumeCommand::PanLeft(_)
            | VolumeCommand::PanRight(_)
            | VolumeCommand::Unknown(_) => {}
        }
    }

    pub(super) fn add_volume(&mut self, by: i32) {
        self.note.volume = (self.note.volume + by).clamp(0, 64);
    }
}
