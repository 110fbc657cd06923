//! The MIDI messages that this program acts on.
//!
//! Source: *MIDI 1.0 Detailed Specification*, tables I to III.

use song::{Key, Velocity};

/// A MIDI channel as musicians count, 1..=16.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MidiChannel(u8);

impl MidiChannel {
    /// How many there are.
    pub const COUNT: usize = 16;
    /// The channel of percussion, as General MIDI has it.
    pub const KIT: Self = Self(10);

    /// Returns the channel of a status byte.
    #[must_use]
    pub const fn of_status(status: u8) -> Self {
        Self((status & 0x0F) + 1)
    }

    /// Returns all of them, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=16).map(Self)
    }

    /// Returns its number, 1..=16.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Returns its place in a list of all, 0..16.
    #[must_use]
    pub const fn index(self) -> usize {
        (self.0 - 1) as usize
    }
}

/// A message that this program listens to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    /// For one channel.
    To(MidiChannel, ChannelMessage),
    /// System reset: everything as it was in the beginning.
    Reset,
}

/// What a message asks of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelMessage {
    /// A key goes down, with a velocity of at least 1.
    NoteOn(Key, Velocity),
    /// A key goes up. How fast is of no interest.
    NoteOff(Key),
    /// Another sound, 0..=127.
    Program(u8),
    /// The bend wheel, -8192..=8191; 0 is its centre.
    Bend(i16),
    /// A wheel, pedal, slider or switch; its value is 0..=127.
    Control(Control, u8),
}

/// The controllers that this program listens to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// 0: the upper half of a bank's number.
    BankUpper,
    /// 1: the modulation wheel.
    Modulation,
    /// 6: the upper half of the value of a parameter.
    DataUpper,
    /// 7: volume.
    Volume,
    /// 10: pan.
    Pan,
    /// 11: expression, a second volume.
    Expression,
    /// 32: the lower half of a bank's number.
    BankLower,
    /// 38: the lower half of the value of a parameter.
    DataLower,
    /// 64: the sustain pedal, down from 64 on.
    Sustain,
    /// 66: the sostenuto pedal, down from 64 on.
    Sostenuto,
    /// 71: the resonance of filters; 64 changes nothing.
    Resonance,
    /// 74: brightness, the cutoff of filters; 64 changes nothing.
    Brightness,
    /// 98 and 99: a parameter of the maker's own; data that follows is not for us.
    ForeignParameter,
    /// 100: the lower half of a parameter's number.
    ParameterLower,
    /// 101: the upper half of a parameter's number.
    ParameterUpper,
    /// 120: every note of the channel ends, whatever holds it.
    AllSoundOff,
    /// 121: wheels and pedals as if nobody had touched them.
    ResetControllers,
    /// 123: every key of the channel goes up. So it does with 124 to 127, which change modes that this program has not.
    AllNotesOff,
    /// One without a meaning here, by its number, 0..=119: a parameter of a sound may be set by it.
    Other(u8),
}

impl Control {
    /// Returns the controller of a number; none of 122, local control, which is for keyboards that sound themselves.
    #[must_use]
    pub const fn numbered(number: u8) -> Option<Self> {
        Some(match number {
            0 => Self::BankUpper,
            1 => Self::Modulation,
            6 => Self::DataUpper,
            7 => Self::Volume,
            10 => Self::Pan,
            11 => Self::Expression,
            32 => Self::BankLower,
            38 => Self::DataLower,
            64 => Self::Sustain,
            66 => Self::Sostenuto,
            71 => Self::Resonance,
            74 => Self::Brightness,
            98 | 99 => Self::ForeignParameter,
            100 => Self::ParameterLower,
            101 => Self::ParameterUpper,
            120 => Self::AllSoundOff,
            121 => Self::ResetControllers,
            123..=127 => Self::AllNotesOff,
            number @ 0..=119 => Self::Other(number),
            _ => return None,
        })
    }

    /// Returns its number; of those that mean the same, the first.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::BankUpper => 0,
            Self::Modulation => 1,
            Self::DataUpper => 6,
            Self::Volume => 7,
            Self::Pan => 10,
            Self::Expression => 11,
            Self::BankLower => 32,
            Self::DataLower => 38,
            Self::Sustain => 64,
            Self::Sostenuto => 66,
            Self::Resonance => 71,
            Self::Brightness => 74,
            Self::ForeignParameter => 98,
            Self::ParameterLower => 100,
            Self::ParameterUpper => 101,
            Self::AllSoundOff => 120,
            Self::ResetControllers => 121,
            Self::AllNotesOff => 123,
            Self::Other(number) => number,
        }
    }
}

impl Message {
    /// Returns the message of a status byte and its data; of data that are fewer, the second is not looked at. None for
    /// one that this program ignores, such as aftertouch, and for what is no channel message or no data.
    #[must_use]
    pub fn of(status: u8, data: [u8; 2]) -> Option<Self> {
        let [first, second] = data;
        if first > 127 || second > 127 {
            return None;
        }
        let key = || Key::new(first).ok();
        let action = match status >> 4 {
            0x8 => ChannelMessage::NoteOff(key()?),
            // A note-on of velocity 0 is a note-off: so running status can be kept.
            0x9 if second == 0 => ChannelMessage::NoteOff(key()?),
            0x9 => ChannelMessage::NoteOn(key()?, Velocity::new(second).ok()?),
            0xB => ChannelMessage::Control(Control::numbered(first)?, second),
            0xC => ChannelMessage::Program(first),
            0xE => ChannelMessage::Bend((i16::from(second) << 7 | i16::from(first)) - 8192),
            // Pressure of a key (A) and of a channel (D): aftertouch changes nothing here.
            _ => return None,
        };
        Some(Self::To(MidiChannel::of_status(status), action))
    }

    /// Returns how many data bytes follow a status byte of a channel.
    #[must_use]
    pub const fn data_bytes(status: u8) -> usize {
        match status >> 4 {
            0xC | 0xD => 1,
            _ => 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn action(status: u8, data: [u8; 2]) -> Option<ChannelMessage> {
        Message::of(status, data).map(|message| match message {
            Message::To(_, action) => action,
            Message::Reset => panic!("no channel message"),
        })
    }

    #[test]
    fn channels_count_from_one() {
        let one = Message::of(0x90, [60, 1]);
        assert!(matches!(one, Some(Message::To(channel, _)) if channel.get() == 1 && channel.index() == 0));
        assert_eq!(MidiChannel::of_status(0x99), MidiChannel::KIT);
        assert_eq!(MidiChannel::all().count(), MidiChannel::COUNT);
    }

    #[test]
    fn a_note_on_of_velocity_zero_is_a_note_off() {
        let off = Some(ChannelMessage::NoteOff(Key::C4));
        assert_eq!([action(0x90, [60, 0]), action(0x80, [60, 64])], [off, off]);
        assert_eq!(action(0x90, [60, 1]), Some(ChannelMessage::NoteOn(Key::C4, Velocity::new(1).unwrap())));
    }

    #[test]
    fn a_bend_has_14_bits_around_its_centre() {
        let bend = |data| action(0xE0, data);
        assert_eq!(bend([0, 64]), Some(ChannelMessage::Bend(0)));
        assert_eq!(bend([0, 0]), Some(ChannelMessage::Bend(-8192)));
        assert_eq!(bend([127, 127]), Some(ChannelMessage::Bend(8191)));
        assert_eq!(bend([1, 64]), Some(ChannelMessage::Bend(1)));
    }

    #[test]
    fn aftertouch_and_local_control_are_no_messages() {
        assert_eq!([action(0xA0, [60, 1]), action(0xD0, [1, 0]), action(0xB0, [122, 1])], [None; 3]);
    }

    #[test]
    fn controllers_keep_their_numbers() {
        for number in 0..=127 {
            let Some(control) = Control::numbered(number) else { continue };
            let expected = match number {
                99 => 98,
                124..=127 => 123,
                number => number,
            };
            assert_eq!(control.number(), expected);
        }
    }

    #[test]
    fn what_is_no_data_makes_no_message() {
        assert_eq!([Message::of(0x90, [128, 1]), Message::of(0x90, [60, 128])], [None; 2]);
        assert_eq!([Message::of(0x70, [60, 1]), Message::of(0xF0, [60, 1])], [None; 2]);
    }
}
