//! Sample banks that are encrypted with a text that the game knows.
//!
//! ```text
//! plain[i] = reversed(stored[i]) ^ key[i]      the usual form
//! plain[i] = reversed(stored[i] ^ key[i])      in other titles
//! ```
//!
//! `reversed` turns the bits of a byte around, the key repeats, and `i` counts from the first byte of the sample bank.

use std::fmt;
use std::io;
use std::sync::Arc;

use unreal::Source;

/// How a sample bank is encrypted.
#[derive(Clone, PartialEq, Eq)]
pub struct FsbCipher {
    key: Arc<[u8]>,
    form: CipherForm,
    /// Offset of the sample bank in its file.
    start: u64,
}

/// Which of both comes first, the key or the bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CipherForm {
    BitsThenKey,
    KeyThenBits,
}

/// Says nothing of the key.
impl fmt::Debug for FsbCipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FsbCipher")
            .field("form", &self.form)
            .field("start", &self.start)
            .finish_non_exhaustive()
    }
}

impl FsbCipher {
    /// Returns the ciphers to try on a sample bank at an offset of its file; none if the key is empty.
    pub(super) fn candidates(key: &str, start: u64) -> Vec<Self> {
        if key.is_empty() {
            return Vec::new();
        }
        let key: Arc<[u8]> = key.as_bytes().into();
        let forms = [CipherForm::BitsThenKey, CipherForm::KeyThenBits];
        forms.into_iter().map(|form| Self { key: Arc::clone(&key), form, start }).collect()
    }

    /// Decrypts bytes of the sample bank in place, which lie at an offset of its file.
    pub fn apply(&self, at: u64, bytes: &mut [u8]) {
        let length = u64::try_from(self.key.len()).unwrap_or(u64::MAX);
        let phase = at.saturating_sub(self.start).checked_rem(length).unwrap_or_default();
        let keys = self.key.iter().cycle().skip(usize::try_from(phase).unwrap_or_default());
        for (byte, key) in bytes.iter_mut().zip(keys) {
            *byte = match self.form {
                CipherForm::BitsThenKey => byte.reverse_bits() ^ key,
                CipherForm::KeyThenBits => (*byte ^ key).reverse_bits(),
            };
        }
    }

    /// Returns the key.
    #[must_use]
    pub fn key(&self) -> String {
        String::from_utf8_lossy(&self.key).into_owned()
    }

    /// Encrypts a whole sample bank in place.
    pub(super) fn seal(&self, bytes: &mut [u8]) {
        for (byte, key) in bytes.iter_mut().zip(self.key.iter().cycle()) {
            *byte = match self.form {
                CipherForm::BitsThenKey => (*byte ^ key).reverse_bits(),
                CipherForm::KeyThenBits => byte.reverse_bits() ^ key,
            };
        }
    }

    /// Returns the file as if the sample bank in it were not encrypted. Bytes outside of that are of no use.
    #[must_use]
    pub fn over(&self, file: Arc<dyn Source>) -> Arc<dyn Source> {
        Arc::new(Decrypted { file, cipher: self.clone() })
    }
}

/// A file that is decrypted as it is read.
struct Decrypted {
    file: Arc<dyn Source>,
    cipher: FsbCipher,
}

impl Source for Decrypted {
    fn len(&self) -> u64 {
        self.file.len()
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        self.file.read_at(at, into)?;
        self.cipher.apply(at, into);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Encrypts as the format says, byte by byte.
    fn encrypted(plain: &[u8], key: &str, is_key_outside: bool) -> Vec<u8> {
        let key = key.as_bytes();
        let byte = |(i, byte): (usize, &u8)| {
            let key = key[i % key.len()];
            if is_key_outside { byte.reverse_bits() ^ key } else { (byte ^ key).reverse_bits() }
        };
        plain.iter().enumerate().map(byte).collect()
    }

    #[test]
    fn each_form_is_undone_by_its_cipher_wherever_reading_starts() {
        let plain = b"FSB5 and so on, longer than its key";
        for (cipher, is_key_outside) in FsbCipher::candidates("Key", 2).into_iter().zip([false, true]) {
            let mut file = vec![0; 2];
            file.extend(encrypted(plain, "Key", is_key_outside));
            let source = cipher.over(Arc::new(unreal::Memory(file)));
            let mut read = [0; 9];
            source.read_at(2 + 7, &mut read).unwrap();
            assert_eq!(&read, &plain[7..16], "{cipher:?}");
            let mut sealed = plain.to_vec();
            cipher.seal(&mut sealed);
            assert_eq!(sealed, encrypted(plain, "Key", is_key_outside), "{cipher:?}");
        }
    }

    #[test]
    fn an_empty_key_gives_nothing_to_try() {
        assert!(FsbCipher::candidates("", 0).is_empty());
    }
}
