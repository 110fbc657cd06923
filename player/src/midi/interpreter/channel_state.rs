//! What a channel remembers between notes: its sound, its sliders, its wheels and its pedals.

use song::{Cents, Decibels, Pan};

use super::MidiSource;
use crate::midi::message::{ChannelMessage, Control};

/// How the notes of a channel sound.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mix {
    /// Volume and expression together.
    pub gain: Decibels,
    /// Left or right.
    pub pan: Pan,
    /// The bend wheel.
    pub bend: Cents,
    /// How deep the modulation wheel makes it swing.
    pub vibrato: Cents,
    /// Brightness: added to the cutoff of filters.
    pub cutoff: Cents,
    /// Added to the resonance of filters.
    pub resonance: Decibels,
}

/// How deep the vibrato of a modulation wheel is that is all the way up, in cents.
pub const MODULATION: f64 = 50.0;
/// How far brightness moves cutoffs at its end, in cents: from 20 kHz down to 312 Hz.
const BRIGHTNESS: f64 = 7200.0;
/// How far resonance is raised at its end, in decibels.
const RESONANCE: f64 = 24.0;
/// The gain of a slider that is all the way down, in decibels: no float is so small.
pub const SILENT: f32 = -1000.0;

/// The volume of a channel that nobody has touched. General MIDI says 100, so that is unity: a file that sends it
/// sounds like one that does not. A slider all the way up is 4.2 dB more.
const VOLUME: u8 = 100;
const EXPRESSION: u8 = 127;
const CENTRE: u8 = 64;
/// Semitones that the wheel bends by default.
const BEND_RANGE: u8 = 2;
/// No instrument needs to bend further.
const WIDEST_BEND: u8 = 96;
/// The number of no parameter, upper and lower half.
const NO_PARAMETER: [u8; 2] = [127, 127];
/// The number of the range of the bend wheel.
const RANGE_OF_BEND: [u8; 2] = [0, 0];

/// Returns how far a controller is from its centre, −1..=1; both 0 and 1 are the lower end.
fn from_centre(value: u8) -> f64 {
    ((f64::from(value) - f64::from(CENTRE)) / (f64::from(CENTRE) - 1.0)).max(-1.0)
}

/// The state of a channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ChannelState {
    /// Index of the sound that a program change chose.
    pub(super) sound: Option<usize>,
    /// Whose foot is on the sustain pedal.
    pub(super) sustain: Option<MidiSource>,
    /// Whose foot is on the sostenuto pedal.
    pub(super) sostenuto: Option<MidiSource>,
    /// Whose hand moved a wheel or the expression last.
    hand: Option<MidiSource>,
    /// Upper and lower half of the bank that the next program change is in.
    bank: [u8; 2],
    volume: u8,
    expression: u8,
    pan: u8,
    modulation: u8,
    /// Brightness and resonance; 64 changes nothing.
    brightness: u8,
    resonance: u8,
    bend: i16,
    /// How far the wheel bends, in semitones and cents.
    range: [u8; 2],
    /// Which registered parameter data are for.
    parameter: [u8; 2],
    /// Whether it was reported that its sound is missing.
    missing_reported: bool,
    /// The mix as it was reported last.
    reported: Mix,
}

impl Default for ChannelState {
    fn default() -> Self {
        Self {
            sound: None,
            sustain: None,
            sostenuto: None,
            hand: None,
            bank: [0; 2],
            volume: VOLUME,
            expression: EXPRESSION,
            pan: CENTRE,
            modulation: 0,
            brightness: CENTRE,
            resonance: CENTRE,
            bend: 0,
            range: [BEND_RANGE, 0],
            parameter: NO_PARAMETER,
            missing_reported: false,
            reported: Mix::default(),
        }
    }
}

/// Returns the program change to the sound of an index, with its bank.
pub(super) fn program_change(sound: usize) -> [ChannelMessage; 3] {
    // Of banks there are 2^14, which is more than there are sounds.
    let part = |shift: u32| u8::try_from((sound >> shift) & 0x7F).unwrap_or(0);
    [
        ChannelMessage::Control(Control::BankUpper, part(14)),
        ChannelMessage::Control(Control::BankLower, part(7)),
        ChannelMessage::Program(part(0)),
    ]
}

impl ChannelState {
    /// A program change.
    pub(super) fn choose(&mut self, program: u8) {
        let [upper, lower] = self.bank.map(usize::from);
        self.sound = Some((upper * 128 + lower) * 128 + usize::from(program));
        self.missing_reported = false;
    }

    /// Returns whether to report that its sound is missing: once for each program.
    pub(super) const fn report_missing(&mut self) -> bool {
        !std::mem::replace(&mut self.missing_reported, true)
    }

    /// The bend wheel.
    pub(super) const fn bend(&mut self, source: MidiSource, bend: i16) {
        self.bend = bend;
        self.hand = Some(source);
    }

    /// Any controller but pedals and those that end notes.
    pub(super) fn turn(&mut self, source: MidiSource, control: Control, value: u8) {
        match control {
            Control::BankUpper => self.bank[0] = value,
            Control::BankLower => self.bank[1] = value,
            Control::Volume => self.volume = value,
            Control::Pan => self.pan = value,
            Control::Expression => {
                self.expression = value;
                self.hand = Some(source);
            }
            Control::Modulation => {
                self.modulation = value;
                self.hand = Some(source);
            }
            Control::Brightness => self.brightness = value,
            Control::Resonance => self.resonance = value,
            Control::ParameterUpper => self.parameter[0] = value,
            Control::ParameterLower => self.parameter[1] = value,
            Control::ForeignParameter => self.parameter = NO_PARAMETER,
            Control::DataUpper if self.parameter == RANGE_OF_BEND => self.range[0] = value.min(WIDEST_BEND),
            Control::DataLower if self.parameter == RANGE_OF_BEND => self.range[1] = value,
            Control::DataUpper | Control::DataLower => {}
            Control::Sustain
            | Control::Sostenuto
            | Control::AllSoundOff
            | Control::ResetControllers
            | Control::AllNotesOff
            | Control::Other(_) => {}
        }
    }

    /// As RP-015 of the MIDI association wants it: wheels, expression, pedals and the choice of a parameter; volume,
    /// pan, program, bank, sound controllers and the range of the wheel stay.
    pub(super) const fn reset_controllers(&mut self) {
        self.sustain = None;
        self.sostenuto = None;
        self.parameter = NO_PARAMETER;
        self.spring_back();
    }

    const fn spring_back(&mut self) {
        self.hand = None;
        self.expression = EXPRESSION;
        self.modulation = 0;
        self.bend = 0;
    }

    /// As in the beginning.
    pub(super) fn reset(&mut self) {
        *self = Self { reported: self.reported, ..Self::default() };
    }

    /// Without the hands and feet of sources that are gone; whether one of them was on the sostenuto pedal.
    pub(super) fn release(&mut self, is_gone: impl Fn(MidiSource) -> bool) -> bool {
        self.sustain.take_if(|foot| is_gone(*foot));
        if self.hand.is_some_and(&is_gone) {
            self.spring_back();
        }
        self.sostenuto.take_if(|foot| is_gone(*foot)).is_some()
    }

    /// Returns what makes another channel sound as this one does.
    pub(super) fn setup(&self, other: &Self) -> Vec<ChannelMessage> {
        let sound = self.sound.filter(|sound| other.sound != Some(*sound));
        let mut actions: Vec<ChannelMessage> = sound.into_iter().flat_map(program_change).collect();
        let pedal = |channel: &Self| if channel.sustain.is_some() { 127 } else { 0 };
        let values = [
            (Control::Volume, self.volume, other.volume),
            (Control::Pan, self.pan, other.pan),
            (Control::Expression, self.expression, other.expression),
            (Control::Modulation, self.modulation, other.modulation),
            (Control::Brightness, self.brightness, other.brightness),
            (Control::Resonance, self.resonance, other.resonance),
            (Control::Sustain, pedal(self), pedal(other)),
        ];
        let changed = values.into_iter().filter(|(_, value, before)| value != before);
        actions.extend(changed.map(|(control, value, _)| ChannelMessage::Control(control, value)));
        let parameter = |[upper, lower]: [u8; 2]| {
            [
                ChannelMessage::Control(Control::ParameterUpper, upper),
                ChannelMessage::Control(Control::ParameterLower, lower),
            ]
        };
        if self.range != other.range {
            actions.extend(parameter(RANGE_OF_BEND));
            actions.push(ChannelMessage::Control(Control::DataUpper, self.range[0]));
            actions.push(ChannelMessage::Control(Control::DataLower, self.range[1]));
        }
        if self.range != other.range || self.parameter != other.parameter {
            actions.extend(parameter(self.parameter));
        }
        if self.bend != other.bend {
            actions.push(ChannelMessage::Bend(self.bend));
        }
        actions
    }

    /// Returns the mix, if it is not as it was reported last.
    pub(super) fn changed(&mut self) -> Option<Mix> {
        let mix = self.mix();
        (std::mem::replace(&mut self.reported, mix) != mix).then_some(mix)
    }

    fn mix(&self) -> Mix {
        // As velocity: the square of the part, here of what untouched sliders are.
        let part =
            f32::from(self.volume) / f32::from(VOLUME) * f32::from(self.expression) / f32::from(EXPRESSION);
        let silent = Decibels::new(SILENT).unwrap_or_default();
        let half = f32::from(CENTRE) - 1.0;
        // Both 0 and 1 are the far left, so that there are as many steps on both sides.
        let pan = ((f32::from(self.pan) - f32::from(CENTRE)) / half).max(-1.0);
        // One step fewer goes up than down.
        let bend = f64::from(self.bend) / if self.bend < 0 { 8192.0 } else { 8191.0 };
        let range = f64::from(self.range[0]) * 100.0 + f64::from(self.range[1]);
        let vibrato = f64::from(self.modulation) / 127.0 * MODULATION;
        Mix {
            gain: Decibels::from_gain(part * part).unwrap_or(silent),
            pan: Pan::new(pan).unwrap_or_default(),
            bend: Cents::new(bend * range).unwrap_or_default(),
            vibrato: Cents::new(vibrato).unwrap_or_default(),
            cutoff: Cents::new(BRIGHTNESS * from_centre(self.brightness)).unwrap_or_default(),
            resonance: Decibels::new((RESONANCE * from_centre(self.resonance)) as f32).unwrap_or_default(),
        }
    }
}
