//! The methods of Oodle: Kraken, Mermaid, Selkie, Leviathan.

use std::cell::RefCell;

use ::oodle::Decoder;

use crate::base::error::Malformed;

thread_local! {
    // Its work space is kept from block to block.
    static DECODER: RefCell<Decoder> = RefCell::new(Decoder::new());
}

/// Returns the `size` plain bytes of an Oodle block.
pub(super) fn inflate(stored: &[u8], size: usize) -> Result<Vec<u8>, Malformed> {
    let mut plain = vec![0; size];
    inflate_into(stored, &mut plain)?;
    Ok(plain)
}

/// Decodes an Oodle block that has exactly as many plain bytes as `plain`.
pub(super) fn inflate_into(stored: &[u8], plain: &mut [u8]) -> Result<(), Malformed> {
    DECODER.with_borrow_mut(|decoder| decoder.decode(stored, plain)).map_err(Malformed::Oodle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_of_one_value_is_filled_with_it() {
        assert_eq!(inflate(&[0x8C, 0x06, 0x07, 0xFF, 0xFF, b'A'], 5), Ok(b"AAAAA".to_vec()));
    }

    #[test]
    fn an_older_method_is_named() {
        let text = inflate(&[0x8C, 0x05, 0, 0, 0], 9).unwrap_err().to_string();
        assert_eq!(text, "Oodle method LZNA (older than Kraken) is not supported");
        let text = inflate(&[0x8C, 0x0B, 0, 0, 0], 9).unwrap_err().to_string();
        assert_eq!(text, "Oodle method BitKnit (older than Kraken) is not supported");
    }

    #[test]
    fn a_block_too_short_or_too_long_for_its_size_is_refused() {
        let stored = [&[0xCC, 0x06][..], b"ABCDE"].concat();
        assert_eq!(inflate(&stored, 5), Ok(b"ABCDE".to_vec()));
        for size in [0, 4, 6] {
            assert!(inflate(&stored, size).is_err(), "{size}");
        }
    }
}
