//! Keys of encrypted containers, and what is decrypted with them.
//!
//! ```text
//! ECB   each 16 bytes alone; what is shorter is filled with zeros before
//! CTR   bytes ^ AES(vector of 12 bytes │ number of the 16 bytes, big-endian)      Unreal Engine 6
//! ECB with reversed words: key, input and output in 32-bit words of the other byte order      Marvel Rivals
//! ```

mod game;

use std::fmt;

use aes::Aes256;
use aes::cipher::{Array, BlockCipherDecrypt as _, BlockCipherEncrypt as _, KeyInit as _};
use data_encoding::{BASE64_NOPAD, HEXLOWER_PERMISSIVE};

use super::guid::Guid;
pub use game::GameCipher;
pub(crate) use game::{CipherRules, PathRule, STOCK, below_mount};

/// Bytes that are decrypted together.
pub(crate) const BLOCK: u64 = 16;

/// Such parts of the stream of CTR that are made at once: processors do some of them side by side.
const TOGETHER: usize = 32;

/// What CTR begins to count from.
pub(crate) type Vector = [u8; 12];

/// How something is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cipher {
    /// AES-256 in ECB mode.
    Ecb,
    /// AES-256 in ECB mode, with the bytes of each 32-bit word reversed in the key and before and after each block.
    EcbReversed,
    /// AES-256 in CTR mode.
    Ctr(Vector),
}

/// A key of AES-256.
#[derive(Clone)]
pub struct AesKey {
    bytes: [u8; 32],
    cipher: Aes256,
    /// For [`Cipher::EcbReversed`].
    reversed: Aes256,
}

/// Keys of containers: those that are for a container with a certain GUID, and those that are tried on any. With them
/// the game whose cipher is used, if the user named it.
#[derive(Clone, Debug, Default)]
pub struct KeyRing {
    keys: Vec<(Option<Guid>, AesKey)>,
    game: Option<GameCipher>,
}

/// The identifier of a key, as containers state it: all zeros stand for the main key of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyId(pub Guid);

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "key id {}", self.0)?;
        if self.0 == Guid::default() { f.write_str(", the game's main key") } else { Ok(()) }
    }
}

/// Why a text is no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidKey;

impl AesKey {
    /// Creates a key of its bytes.
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> Self {
        let mut reversed = bytes;
        reverse_words(&mut reversed);
        Self {
            bytes,
            cipher: Aes256::new(&Array::from(bytes)),
            reversed: Aes256::new(&Array::from(reversed)),
        }
    }

    /// Reads a key: 64 hexadecimal digits with or without `0x`, or 44 characters of base64.
    ///
    /// # Errors
    /// [`InvalidKey`] if it is neither.
    pub fn parse(text: &str) -> Result<Self, InvalidKey> {
        let text = text.trim();
        let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
        let bytes = match digits.len() {
            64 => HEXLOWER_PERMISSIVE.decode(digits.as_bytes()),
            _ => BASE64_NOPAD.decode(text.trim_end_matches('=').as_bytes()),
        };
        bytes.ok().and_then(|bytes| bytes.try_into().ok()).map(Self::new).ok_or(InvalidKey)
    }

    /// Encrypts bytes in place, as [`decrypt`](Self::decrypt) decrypts them: whole blocks of 16 in ECB mode.
    pub(crate) fn encrypt(&self, cipher: Cipher, first: u64, bytes: &mut [u8]) {
        match cipher {
            Cipher::Ecb => {
                let (blocks, _) = Array::slice_as_chunks_mut(bytes);
                self.cipher.encrypt_blocks(blocks);
            }
            Cipher::EcbReversed => {
                let (blocks, _) = Array::slice_as_chunks_mut(bytes);
                blocks.iter_mut().for_each(|block| reverse_words(block));
                self.reversed.encrypt_blocks(blocks);
                blocks.iter_mut().for_each(|block| reverse_words(block));
            }
            // What was hidden by a stream is shown by it.
            Cipher::Ctr(_) => self.decrypt(cipher, first, bytes),
        }
    }

    /// Decrypts bytes in place. `first` is where they lie in what is encrypted together, in blocks of 16 bytes; what is
    /// left over at the end of them stays as it is in ECB mode.
    pub(crate) fn decrypt(&self, cipher: Cipher, first: u64, bytes: &mut [u8]) {
        match cipher {
            Cipher::Ecb => {
                let (blocks, _) = Array::slice_as_chunks_mut(bytes);
                self.cipher.decrypt_blocks(blocks);
            }
            Cipher::EcbReversed => {
                let (blocks, _) = Array::slice_as_chunks_mut(bytes);
                blocks.iter_mut().for_each(|block| reverse_words(block));
                self.reversed.decrypt_blocks(blocks);
                blocks.iter_mut().for_each(|block| reverse_words(block));
            }
            Cipher::Ctr(vector) => {
                let mut stream = [Array::from([0; 16]); TOGETHER];
                for (numbers, part) in (first..).step_by(TOGETHER).zip(bytes.chunks_mut(TOGETHER * 16)) {
                    for (number, counter) in (numbers..).zip(&mut stream) {
                        let (head, tail) = counter.split_at_mut(vector.len());
                        head.copy_from_slice(&vector);
                        // It counts with 32 bits and goes round.
                        let [.., a, b, c, d] = number.to_be_bytes();
                        tail.copy_from_slice(&[a, b, c, d]);
                    }
                    self.cipher.encrypt_blocks(&mut stream);
                    for (block, masks) in part.chunks_mut(16).zip(&stream) {
                        block.iter_mut().zip(masks).for_each(|(byte, mask)| *byte ^= mask);
                    }
                }
            }
        }
    }
}

/// Reverses the bytes of each word of 32 bits.
fn reverse_words(bytes: &mut [u8]) {
    bytes.as_chunks_mut::<4>().0.iter_mut().for_each(|word| word.reverse());
}

/// Nobody wants to see a key in a log.
impl fmt::Debug for AesKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AesKey")
    }
}

impl PartialEq for AesKey {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl KeyRing {
    /// Adds a key for containers with a GUID, or for any.
    pub fn add(&mut self, guid: Option<Guid>, key: AesKey) {
        self.keys.push((guid, key));
    }

    /// Creates a ring without keys for a game whose cipher is used; without one the engine's and those of all games are
    /// tried.
    #[must_use]
    pub const fn for_game(game: Option<GameCipher>) -> Self {
        Self { keys: Vec::new(), game }
    }

    /// Returns the ciphers that are tried, the engine's first.
    pub(crate) fn rules(&self) -> Vec<&'static CipherRules> {
        match self.game {
            Some(game) => vec![game.rules()],
            None => [&STOCK].into_iter().chain(GameCipher::ALL.iter().map(|game| game.rules())).collect(),
        }
    }

    /// Returns the key that was added first, and the GUID it is for.
    #[must_use]
    pub fn first(&self) -> Option<(Option<Guid>, &AesKey)> {
        self.keys.first().map(|(guid, key)| (*guid, key))
    }

    /// Returns whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Returns whether a key is for the containers with a GUID.
    pub(crate) fn has(&self, guid: Guid) -> bool {
        self.keys.iter().any(|(of, _)| *of == Some(guid))
    }

    /// Returns the keys that may fit a container, the likeliest first.
    pub(crate) fn for_container(&self, guid: Guid) -> impl Iterator<Item = &AesKey> {
        let named = self.keys.iter().filter(move |(of, _)| *of == Some(guid));
        let others = self.keys.iter().filter(move |(of, _)| *of != Some(guid));
        named.chain(others).map(|(_, key)| key)
    }
}

impl fmt::Display for InvalidKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an AES-256 key: 64 hexadecimal digits, or 44 characters of base64")
    }
}

impl std::error::Error for InvalidKey {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_in_each_of_its_forms() {
        let bytes: [u8; 32] = std::array::from_fn(|n| n as u8 * 8 + 3);
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let base64 = "AwsTGyMrMztDS1NbY2tze4OLk5ujq7O7w8vT2+Pr8/s=";
        for text in [hex.clone(), format!("0x{}", hex.to_uppercase()), base64.to_owned(), format!(" {hex}\n")]
        {
            assert_eq!(AesKey::parse(&text), Ok(AesKey::new(bytes)), "{text}");
        }
        for text in ["", "0x", &hex[1..], &hex[2..], "zz", &base64[4..], &format!("{hex}00")] {
            assert_eq!(AesKey::parse(text), Err(InvalidKey), "{text}");
        }
    }

    /// The key of the vectors: FIPS 197, appendix C.3; NIST SP 800-38A, F.5.5.
    #[test]
    fn ecb_and_ctr_give_what_the_standards_say() {
        let key = AesKey::new(std::array::from_fn(|n| n as u8));
        let plain: [u8; 16] = std::array::from_fn(|n| n as u8 * 0x11);
        let mut block = plain;
        key.encrypt(Cipher::Ecb, 0, &mut block);
        key.decrypt(Cipher::Ecb, 0, &mut block);
        assert_eq!(block, plain);
        let mut block = *b"\x8e\xa2\xb7\xca\x51\x67\x45\xbf\xea\xfc\x49\x90\x4b\x49\x60\x89rest";
        key.decrypt(Cipher::Ecb, 0, &mut block);
        assert_eq!(block[..16], std::array::from_fn::<u8, 16, _>(|n| n as u8 * 0x11));
        assert_eq!(&block[16..], b"rest");

        let key = AesKey::parse("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4").unwrap();
        let vector = *b"\xf0\xf1\xf2\xf3\xf4\xf5\xf6\xf7\xf8\xf9\xfa\xfb";
        let stored = *b"\x60\x1e\xc3\x13\x77\x57\x89\xa5\xb7\xa7\xf5\x04\xbb\xf3\xd2\x28";
        let plain = *b"\x6b\xc1\xbe\xe2\x2e\x40\x9f\x96\xe9\x3d\x7e\x11\x73\x93\x17\x2a";
        let mut bytes = stored;
        key.decrypt(Cipher::Ctr(vector), 0xFCFD_FEFF, &mut bytes);
        assert_eq!(bytes, plain);
        // A part of them, and what is no whole block.
        let mut part = stored[..5].to_vec();
        key.decrypt(Cipher::Ctr(vector), 0xFCFD_FEFF, &mut part);
        assert_eq!(part, plain[..5]);
    }

    #[test]
    fn bytes_decrypted_together_are_those_decrypted_apart() {
        let key = AesKey::new(std::array::from_fn(|n| n as u8));
        let stored: Vec<u8> = (0..3007_u32).map(|n| ((n * 7) >> 2) as u8).collect();
        for cipher in [Cipher::Ecb, Cipher::EcbReversed, Cipher::Ctr([9; 12])] {
            let mut together = stored.clone();
            key.decrypt(cipher, 5, &mut together);
            let mut apart = stored.clone();
            for (number, block) in (5..).zip(apart.chunks_mut(16)) {
                key.decrypt(cipher, number, block);
            }
            assert!(together == apart, "{cipher:?}");
        }
    }
}
