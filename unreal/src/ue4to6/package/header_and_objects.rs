//! A header and the objects of another file, as one source.

use std::io;

use crate::base::source::Source;

/// A header, and the objects after it.
pub(super) struct HeaderAndObjects {
    pub(super) header: Box<dyn Source>,
    pub(super) objects: Box<dyn Source>,
}

impl Source for HeaderAndObjects {
    fn len(&self) -> u64 {
        self.header.len().saturating_add(self.objects.len())
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        let header = self.header.len();
        let Some(left) = header.checked_sub(at) else {
            return self.objects.read_at(at.saturating_sub(header), into);
        };
        let in_header = usize::try_from(left).unwrap_or(usize::MAX).min(into.len());
        let (first, rest) = into.split_at_mut_checked(in_header).unwrap_or_default();
        if !first.is_empty() {
            self.header.read_at(at, first)?;
        }
        if rest.is_empty() { Ok(()) } else { self.objects.read_at(0, rest) }
    }
}
