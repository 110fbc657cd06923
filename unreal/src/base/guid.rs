//! Identifiers of packages, keys and versions.

use std::fmt;

/// A globally unique identifier, as four numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Guid([u32; 4]);

impl Guid {
    /// Creates an identifier.
    #[must_use]
    pub const fn new(words: [u32; 4]) -> Self {
        Self(words)
    }

    /// Returns its four numbers.
    #[must_use]
    pub const fn words(self) -> [u32; 4] {
        self.0
    }

    /// Returns the identifier of 16 bytes: four numbers, the low byte of each first.
    pub(crate) fn of_bytes(bytes: [u8; 16]) -> Self {
        let (words, _) = bytes.as_chunks::<4>();
        let mut guid = Self::default();
        guid.0.iter_mut().zip(words).for_each(|(to, word)| *to = u32::from_le_bytes(*word));
        guid
    }

    /// Returns its bytes, as [`Guid::of_bytes`] takes them.
    pub(crate) fn bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        let words = self.0.iter().flat_map(|word| word.to_le_bytes());
        bytes.iter_mut().zip(words).for_each(|(to, byte)| *to = byte);
        bytes
    }

    /// Reads an identifier as it is shown: 32 hexadecimal digits, whatever stands between them.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits: String = text.chars().filter(|c| !matches!(c, '-' | '{' | '}')).collect();
        let is_whole = digits.len() == 32 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let word = |number: usize| {
            let start = number.checked_mul(8)?;
            u32::from_str_radix(digits.get(start..start.checked_add(8)?)?, 16).ok()
        };
        is_whole.then(|| Some(Self([word(0)?, word(1)?, word(2)?, word(3)?]))).flatten()
    }
}

/// 32 hexadecimal digits with dashes: `00112233-4455-6677-8899-AABBCCDDEEFF`.
impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.0;
        let (high, low) = (|word: u32| word >> 16, |word: u32| word & 0xFFFF);
        write!(f, "{a:08X}-{:04X}-{:04X}-{:04X}-{:04X}{d:08X}", high(b), low(b), high(c), low(c))
    }
}
