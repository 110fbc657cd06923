//! The code books that setup headers of Wwise name by their numbers.
//!
//! ```text
//! │ book │ book │ … │ offset of each │ offset of the table │
//! ```
//!
//! Source: *ww2ogg* (Xiph.Org Foundation, Adam Gashlin), `packed_codebooks*.bin`, under the licence beside them.

/// A packed library.
#[derive(Clone, Copy)]
pub(super) struct Library(&'static [u8]);

/// The libraries, the one of nearly all media first.
pub(super) const ALL: [Library; 2] =
    [Library(include_bytes!("books_aotuv.bin")), Library(include_bytes!("books_standard.bin"))];

impl Library {
    /// Returns the packed book of a number.
    pub(super) fn book(self, number: u64) -> Option<&'static [u8]> {
        let word = |at: usize| -> Option<usize> {
            let bytes = self.0.get(at..)?.first_chunk()?;
            usize::try_from(u32::from_le_bytes(*bytes)).ok()
        };
        let last = self.0.len().checked_sub(4)?;
        let row = word(last)?.checked_add(usize::try_from(number).ok()?.checked_mul(4)?)?;
        // The last word is the end of the last book too.
        let end = row.checked_add(4).filter(|end| *end <= last)?;
        self.0.get(word(row)?..word(end)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_libraries_have_598_books() {
        for library in ALL {
            let books: Vec<_> = (0..).map_while(|number| library.book(number)).collect();
            assert_eq!(books.len(), 598);
            assert!(books.iter().all(|book| !book.is_empty()));
        }
    }
}
