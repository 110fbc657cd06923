//! The wrapper of the packages of Lineage 2, and the package in it.
//!
//! ```text
//! │ "Lineage2Ver111" in UTF-16, 28 bytes │ package, each byte XOR the key │
//! ```
//!
//! Offsets in the package count from its own first byte. Its key is the one that turns its first byte into that of the
//! tag; the rest of the tag proves it.
//!
//! Source: own measurement of 172 packages of versions 111 and 121. Version 111 had the key 0xAC in all of them.

use std::fmt;
use std::io;

use super::probe::{Probe, Wrapper};
use crate::base::package_tag::TAG;
use crate::base::source::Source;
use crate::base::unsupported::{Lineage2Version, UnreadLineage2, Unsupported};

/// What the wrapper begins with, before the three digits of its version.
const TEXT: &[u8; 11] = b"Lineage2Ver";

/// Bytes of the wrapper in front of the package.
const LENGTH: usize = 2 * (TEXT.len() + 3);

/// A file that ends within the wrapper is known as one from so many bytes on: `Lineage2`.
const LEAST: usize = 16;

/// The wrapper of a package, as it can be written again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lineage2 {
    version: Lineage2Version,
    key: u8,
}

/// How the bytes after the wrapper are encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lineage2Cipher {
    /// Each byte XOR the same key.
    Xor,
    Rsa,
    Unknown,
}

impl Lineage2Cipher {
    /// Returns that of a version.
    ///
    /// Source: own measurement (111, 121); 411 to 414 attested by tools for the game's files.
    const fn of(Lineage2Version(digits): Lineage2Version) -> Self {
        match &digits {
            b"111" | b"121" => Self::Xor,
            b"411" | b"412" | b"413" | b"414" => Self::Rsa,
            _ => Self::Unknown,
        }
    }
}

/// Recognises the wrapper by the first bytes of a file; none if it is something else.
pub(super) fn probe(head: &[u8]) -> Option<Probe> {
    let text: Vec<u8> = TEXT.iter().flat_map(|byte| [*byte, 0]).collect();
    const WANTED: usize = LENGTH + size_of_val(&TAG);
    let Some(rest) = head.strip_prefix(&text[..]) else {
        let is_cut = head.len() >= LEAST && text.starts_with(head);
        return is_cut.then_some(Probe::NeedMore(WANTED));
    };
    let Some(([a, 0, b, 0, c, 0], rest)) = rest.split_first_chunk::<6>() else {
        let is_cut = rest.len() < 6;
        return Some(if is_cut { Probe::NeedMore(WANTED) } else { refused(UnreadLineage2::Unnumbered) });
    };
    let version = Lineage2Version([*a, *b, *c]);
    if !version.0.iter().all(u8::is_ascii_digit) {
        return Some(refused(UnreadLineage2::Unnumbered));
    }
    Some(match Lineage2Cipher::of(version) {
        Lineage2Cipher::Rsa => refused(UnreadLineage2::Rsa(version)),
        Lineage2Cipher::Unknown => refused(UnreadLineage2::Unknown(version)),
        Lineage2Cipher::Xor => match rest.first_chunk::<4>() {
            None => Probe::NeedMore(WANTED),
            Some(first) => {
                let tag = TAG.to_le_bytes();
                let [key, others @ ..] =
                    [0, 1, 2, 3].map(|at: usize| first.get(at).zip(tag.get(at)).map(|(a, b)| a ^ b));
                match key {
                    Some(key) if others.iter().all(|other| *other == Some(key)) => {
                        Probe::Wrapped(Wrapper::Lineage2(Lineage2 { version, key }))
                    }
                    _ => refused(UnreadLineage2::OtherCipher(version)),
                }
            }
        },
    })
}

const fn refused(why: UnreadLineage2) -> Probe {
    Probe::Unsupported(Unsupported::Lineage2(why))
}

impl Lineage2 {
    /// Returns the package in a source that begins with this wrapper. Bytes are decrypted as they are read.
    pub(super) fn unwrap<'s>(self, under: Box<dyn Source + 's>) -> impl Source + 's {
        Unwrapped { under, key: self.key }
    }

    /// Returns a package in this wrapper: of the same version, encrypted with the same key.
    #[must_use]
    pub fn wrap(self, mut package: Vec<u8>) -> Vec<u8> {
        package.iter_mut().for_each(|byte| *byte ^= self.key);
        let head = TEXT.iter().chain(&self.version.0).flat_map(|byte| [*byte, 0]);
        package.splice(0..0, head);
        package
    }
}

/// As it begins a file: `Lineage2Ver111`.
impl fmt::Display for Lineage2 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lineage2Ver{}", self.version)
    }
}

/// A package in the wrapper.
struct Unwrapped<'s> {
    under: Box<dyn Source + 's>,
    key: u8,
}

impl Source for Unwrapped<'_> {
    fn len(&self) -> u64 {
        self.under.len().saturating_sub(LENGTH as u64)
    }

    fn is_unpacked(&self) -> bool {
        self.under.is_unpacked()
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        let at = at.checked_add(LENGTH as u64).ok_or(io::ErrorKind::UnexpectedEof)?;
        self.under.read_at(at, into)?;
        into.iter_mut().for_each(|byte| *byte ^= self.key);
        Ok(())
    }
}
