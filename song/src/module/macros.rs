/// MIDI macros of a module: what its Z effects send.
///
/// Each is a text of hexadecimal digits and letters, which stand for numbers of the channel that sends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MidiMacros {
    /// Of parameters to 127: a channel sends one of these.
    pub parametric: Vec<Vec<u8>>,
    /// Of the parameters above, from 128 on.
    pub fixed: Vec<Vec<u8>>,
}

impl MidiMacros {
    /// As many as a channel chooses from.
    pub const PARAMETRIC: usize = 16;
    /// One for each parameter above 127.
    const FIXED: usize = 128;
    /// Bytes that a module stores one in.
    pub const STORED: usize = 32;
}

/// The macros of a module that has none of its own: the cutoff, and 16 resonances.
impl Default for MidiMacros {
    fn default() -> Self {
        let mut parametric = vec![Vec::new(); Self::PARAMETRIC];
        if let Some(first) = parametric.first_mut() {
            first.extend_from_slice(b"F0F000z");
        }
        let mut fixed = vec![Vec::new(); Self::FIXED];
        for (text, step) in fixed.iter_mut().take(16).zip(0_u8..) {
            text.extend_from_slice(format!("F0F001{:02X}", 8 * step).as_bytes());
        }
        Self { parametric, fixed }
    }
}
