//! A question to the terminal and its answer.

use std::fs::File;
use std::io::{self, IsTerminal as _, Write as _, stdin, stdout};
use std::os::fd::AsFd;

use rustix::io::Errno;
use rustix::termios::{self, OptionalActions, SpecialCodeIndex};

/// Which keyboard flags are in force, and what kind of terminal it is. Every terminal answers the second question,
/// after the first: so one that does not know the first need not be waited for.
const QUESTION: &[u8] = b"\x1b[?u\x1b[c";
/// How often a tenth of a second is waited. An answer that comes later is known to be none when the keyboard is read.
const PATIENCE: usize = 10;
/// No answer is longer.
const MAX_ANSWER: usize = 4096;

/// Returns the keyboard flags in force; none if the terminal knows no such thing, or does not answer in time.
///
/// # Errors
/// If the terminal was closed.
pub(super) fn flags() -> io::Result<Option<u8>> {
    let mut out = stdout().lock();
    out.write_all(QUESTION)?;
    out.flush()?;
    if stdin().is_terminal() { read(stdin()) } else { read(File::open("/dev/tty")?) }
}

fn read(terminal: impl AsFd) -> io::Result<Option<u8>> {
    let before = termios::tcgetattr(&terminal)?;
    let mut bounded = before.clone();
    bounded.special_codes[SpecialCodeIndex::VMIN] = 0;
    bounded.special_codes[SpecialCodeIndex::VTIME] = 1;
    termios::tcsetattr(&terminal, OptionalActions::Now, &bounded)?;
    let read = read_answer(&terminal);
    termios::tcsetattr(&terminal, OptionalActions::Now, &before)?;
    read
}

fn read_answer(terminal: impl AsFd) -> io::Result<Option<u8>> {
    let mut bytes = Vec::new();
    let mut waited = 0;
    while waited < PATIENCE && bytes.len() < MAX_ANSWER {
        let mut block = [0; 256];
        match rustix::io::read(&terminal, &mut block) {
            Ok(0) | Err(Errno::INTR) => waited += 1,
            Ok(length) => bytes.extend(&block[..length]),
            Err(error) => return Err(error.into()),
        }
        if is_complete(&bytes) {
            return Ok(stated(&bytes));
        }
    }
    Ok(None)
}

/// Returns the sequences `CSI ? … letter` in what was read: their parameters and letter.
fn sequences(bytes: &[u8]) -> impl Iterator<Item = (&[u8], u8)> {
    let starts = bytes.windows(3).enumerate().filter(|(_, three)| *three == b"\x1b[?");
    starts.filter_map(|(at, _)| {
        let rest = &bytes[at + 3..];
        let end = rest.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b';'))?;
        Some((&rest[..end], rest[end]))
    })
}

/// Returns whether the answer to the second question is there.
fn is_complete(bytes: &[u8]) -> bool {
    sequences(bytes).any(|(_, letter)| letter == b'c')
}

fn stated(bytes: &[u8]) -> Option<u8> {
    let (digits, _) = sequences(bytes).find(|(_, letter)| *letter == b'u')?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_two_digits_are_read_whole() {
        assert_eq!(stated(b"\x1b[?11u\x1b[?62;22c"), Some(11));
        assert_eq!(stated(b"\x1b[?0u\x1b[?62c"), Some(0));
    }

    #[test]
    fn a_terminal_that_only_says_what_it_is_has_no_flags() {
        assert!(is_complete(b"\x1b[?1;2c"));
        assert_eq!(stated(b"\x1b[?1;2c"), None);
    }

    #[test]
    fn what_is_typed_meanwhile_is_no_answer() {
        for typed in [&b"zzcu"[..], b"\x1b[A", b"\x1b", b"\x1b[?", b"\x1b[?1", b"\x1b[?1u"] {
            assert!(!is_complete(typed), "{typed:?}");
        }
        assert!(is_complete(b"z\x1b[?9u\x1b[Ax\x1b[?62cq"));
        assert_eq!(stated(b"z\x1b[?9u\x1b[Ax\x1b[?62cq"), Some(9));
        assert_eq!(stated(b"\x1b[?999u\x1b[?62c"), None);
    }
}
