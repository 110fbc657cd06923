//! Strings as files of Unreal Engine 4 to 6 have them.

use super::Reader;
use crate::base::error::{Error, Malformed};
use crate::base::limits::Limits;
use crate::base::text::{push_utf_16, push_windows_1252};

impl Reader<'_> {
    /// Returns a string (Epic: `FString`): its length in four bytes, the zero at its end included; below 0 for
    /// UTF-16, else UTF-8, or Windows-1252 where it is none. It has at most `most` characters before that zero.
    pub(crate) fn string(&mut self, most: usize, limits: &mut Limits) -> Result<String, Error> {
        let at = self.at();
        let length = self.i32()?;
        let count = self.fitting(length.unsigned_abs(), if length < 0 { 2 } else { 1 }, at)?;
        if count > most.saturating_add(1) {
            return Err(self.error(at, Malformed::TooLong { characters: most }));
        }
        limits.take_growing(count, at, "string")?;
        let mut text = String::new();
        if length < 0 {
            let order = self.order();
            let bytes = self.bytes(count.saturating_mul(2))?;
            push_utf_16(&mut text, bytes.strip_suffix(&[0, 0]).unwrap_or(bytes), order);
        } else {
            let bytes = self.bytes(count)?;
            let bytes = bytes.strip_suffix(&[0]).unwrap_or(bytes);
            match std::str::from_utf8(bytes) {
                Ok(utf_8) => text.push_str(utf_8),
                Err(_) => push_windows_1252(&mut text, bytes),
            }
        }
        Ok(text)
    }
}
