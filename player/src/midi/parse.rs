//! Bytes as they come down a wire → messages.
//!
//! Any bytes may come: a cable is plugged in amid a message, a device speaks what nobody understands. A status byte
//! always begins anew, and data without one are nobody's. Nothing is kept but one message at most, so system exclusive
//! dumps of any length are passed over without being held.

use super::message::Message;

/// System reset, the one system message that this program listens to.
const SYSTEM_RESET: u8 = 0xFF;
/// From here on status bytes are of real-time messages, which may stand amid others.
const REAL_TIME: u8 = 0xF8;
/// From here on status bytes are of the system, not of a channel.
const SYSTEM: u8 = 0xF0;
/// From here on bytes are status bytes.
const STATUS: u8 = 0x80;

/// The bytes of one port.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parser {
    /// The channel's status that data belong to: it runs on, so that a status byte need not be repeated. None in what
    /// is passed over: system messages, and data before the first status byte.
    running: Option<u8>,
    /// The first of two data bytes, once it has come.
    first: Option<u8>,
}

impl Parser {
    /// Takes one byte; the message that it completes.
    pub fn feed(&mut self, byte: u8) -> Option<Message> {
        match byte {
            SYSTEM_RESET => {
                *self = Self::default();
                return Some(Message::Reset);
            }
            REAL_TIME.. => {}
            STATUS.. => {
                self.running = (byte < SYSTEM).then_some(byte);
                self.first = None;
            }
            _ => return self.data(byte),
        }
        None
    }

    fn data(&mut self, byte: u8) -> Option<Message> {
        let status = self.running?;
        match self.first.take() {
            None if Message::data_bytes(status) == 2 => {
                self.first = Some(byte);
                None
            }
            None => Message::of(status, [byte, 0]),
            Some(first) => Message::of(status, [first, byte]),
        }
    }

    /// Returns the messages that some bytes complete.
    pub fn messages(&mut self, bytes: &[u8]) -> impl Iterator<Item = Message> {
        bytes.iter().filter_map(|byte| self.feed(*byte))
    }
}

#[cfg(test)]
mod tests {
    use song::{Key, Velocity};

    use super::*;
    use crate::midi::message::{ChannelMessage, Control, MidiChannel};

    fn heard(bytes: &[u8]) -> Vec<Message> {
        Parser::default().messages(bytes).collect()
    }

    fn one(action: ChannelMessage) -> Message {
        Message::To(MidiChannel::of_status(0), action)
    }

    fn on(key: u8, velocity: u8) -> Message {
        one(ChannelMessage::NoteOn(Key::new(key).unwrap(), Velocity::new(velocity).unwrap()))
    }

    fn off(key: u8) -> Message {
        one(ChannelMessage::NoteOff(Key::new(key).unwrap()))
    }

    #[test]
    fn a_status_byte_runs_on() {
        assert_eq!(heard(&[0x90, 60, 100, 64, 101, 60, 0]), [on(60, 100), on(64, 101), off(60)]);
        assert_eq!(heard(&[0xC0, 5, 6]), [one(ChannelMessage::Program(5)), one(ChannelMessage::Program(6))]);
    }

    #[test]
    fn real_time_bytes_may_stand_anywhere() {
        let mut bytes = vec![0xFE];
        for byte in [0x90, 60, 100, 64, 101] {
            bytes.extend([byte, 0xF8, 0xFE, 0xFD]);
        }
        assert_eq!(heard(&bytes), [on(60, 100), on(64, 101)]);
    }

    #[test]
    fn a_system_exclusive_dump_is_passed_over_however_long_it_is() {
        let mut parser = Parser::default();
        assert_eq!(parser.feed(0xF0), None);
        assert!((0..1_000_000).all(|byte| parser.feed((byte % 128) as u8).is_none()));
        assert_eq!(parser.messages(&[0xF7, 60, 100, 0x90, 60, 100]).collect::<Vec<_>>(), [on(60, 100)]);
    }

    #[test]
    fn a_dump_that_is_cut_off_swallows_nothing_after_it() {
        assert_eq!(heard(&[0xF0, 1, 2, 3, 0x90, 60, 100]), [on(60, 100)]);
    }

    #[test]
    fn a_message_that_is_cut_off_is_forgotten() {
        assert_eq!(heard(&[0x90, 60, 0x90, 64, 100]), [on(64, 100)]);
        assert_eq!(heard(&[0xB0, 64, 0xC0, 3]), [one(ChannelMessage::Program(3))]);
    }

    #[test]
    fn data_before_any_status_byte_are_nobody_s() {
        assert_eq!(heard(&[60, 100, 60, 0x90, 60, 100]), [on(60, 100)]);
    }

    #[test]
    fn a_system_message_ends_what_ran_on() {
        // Song position and song select have data; tune request and the undefined ones have none.
        for system in [&[0xF2, 1, 2][..], &[0xF3, 1], &[0xF1, 1], &[0xF6], &[0xF4], &[0xF5], &[0xF7]] {
            let bytes = [&[0x90, 60, 100], system, &[62, 100, 0x90, 64, 100]].concat();
            assert_eq!(heard(&bytes), [on(60, 100), on(64, 100)], "{system:x?}");
        }
    }

    #[test]
    fn a_controller_nobody_listens_to_is_read_over() {
        let pedal = one(ChannelMessage::Control(Control::Sustain, 127));
        assert_eq!(heard(&[0xB0, 122, 9, 64, 127, 0xD0, 5, 6, 0xA0, 60, 1]), [pedal]);
    }

    #[test]
    fn a_system_reset_is_heard_amid_a_message() {
        assert_eq!(heard(&[0x90, 60, 0xFF, 100, 0x90, 60, 100]), [Message::Reset, on(60, 100)]);
    }
}
