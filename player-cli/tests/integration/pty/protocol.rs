//! The terminal's side of the kitty keyboard protocol, as its public description has it.

/// How much a terminal speaks of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speaks {
    /// It does not even say what kind of terminal it is.
    Never,
    /// It says what kind of terminal it is.
    Nothing,
    /// It grants these flags and no others.
    Only(u16),
    /// All of it.
    Kitty,
}

pub(crate) const SHIFT: u16 = 1;
pub(crate) const CONTROL: u16 = 4;
pub(crate) const SUPER: u16 = 8;

/// What the program has asked for.
pub(crate) struct Protocol {
    speaks: Speaks,
    /// Flags of the main screen and of the other one, the last in force.
    stacks: [Vec<u16>; 2],
    pub(super) is_other: bool,
    tells_focus: bool,
    answers: String,
    /// What is on its way when the program wants to hear no more.
    pub(crate) belated: String,
}

impl Protocol {
    pub(crate) fn new(speaks: Speaks) -> Self {
        Self {
            speaks,
            stacks: Default::default(),
            is_other: false,
            tells_focus: false,
            answers: String::new(),
            belated: String::new(),
        }
    }

    fn stack(&mut self) -> &mut Vec<u16> {
        &mut self.stacks[usize::from(self.is_other)]
    }

    fn flags(&self) -> u16 {
        self.stacks[usize::from(self.is_other)].last().copied().unwrap_or(0)
    }

    pub(crate) fn asked(&self) -> (u16, bool) {
        (self.flags(), self.tells_focus)
    }

    pub(crate) fn answers(&mut self) -> String {
        std::mem::take(&mut self.answers)
    }

    /// Returns what is sent for a key: 1 it goes down, 2 it repeats, 3 it goes up. The modifiers are a mask.
    pub(crate) fn encoded(&self, key: char, modifiers: u16, kind: u8) -> String {
        let (flags, code, held) = (self.flags(), u32::from(key), modifiers + 1);
        match kind {
            3 if flags & 2 == 0 => String::new(),
            _ if flags & 8 == 0 && modifiers == CONTROL => char::from(key as u8 & 0x1f).to_string(),
            _ if flags & 8 == 0 => key.to_string(),
            _ if flags & 2 == 0 => format!("\x1b[{code};{held}u"),
            _ => format!("\x1b[{code};{held}:{kind}u"),
        }
    }

    /// As [`encoded`](Self::encoded), of a key with another character than a US keyboard has there.
    pub(crate) fn encoded_at(&self, key: char, us_key: char, kind: u8) -> String {
        assert_eq!(self.flags(), 1 | 2 | 4 | 8, "places are not asked for");
        let (code, place) = (u32::from(key), u32::from(us_key));
        if key == us_key {
            format!("\x1b[{code};1:{kind}u")
        } else {
            format!("\x1b[{code}::{place};1:{kind}u")
        }
    }

    #[track_caller]
    pub(crate) fn is_put_back(&self) {
        assert!(
            self.stacks.iter().all(Vec::is_empty),
            "flags of the keyboard are in force: {:?}",
            self.stacks
        );
        assert!(!self.tells_focus, "the focus is reported");
    }
}

impl vt100::Callbacks for Protocol {
    fn unhandled_csi(
        &mut self,
        screen: &mut vt100::Screen,
        first: Option<u8>,
        _: Option<u8>,
        parameters: &[&[u16]],
        letter: char,
    ) {
        self.is_other = screen.alternate_screen();
        let parameter = parameters.first().and_then(|values| values.first()).copied();
        match (first, letter, self.speaks) {
            (_, _, Speaks::Never) => {}
            (None, 'c', _) => self.answers.push_str("\x1b[?62;22c"),
            (Some(b'?'), 'h' | 'l', _) if parameter == Some(1004) => self.tells_focus = letter == 'h',
            (_, _, Speaks::Nothing) => {}
            (Some(b'?'), 'u', _) => {
                let flags = self.flags();
                self.answers.push_str(&format!("\x1b[?{flags}u"));
            }
            (Some(b'>'), 'u', speaks) => {
                let granted = if let Speaks::Only(flags) = speaks { flags } else { u16::MAX };
                self.stack().push(parameter.unwrap_or(0) & granted);
            }
            (Some(b'<'), 'u', _) => {
                self.answers.push_str(&self.belated);
                for _ in 0..parameter.unwrap_or(1).max(1) {
                    self.stack().pop();
                }
            }
            _ => {}
        }
    }
}
