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
