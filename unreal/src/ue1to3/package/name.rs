//! References to names of the name table.

use std::borrow::Cow;

use crate::base::error::Error;
use crate::base::reader::Reader;
use crate::ue1to3::version::{Layout, NameReference};

/// A name of the name table, referred to by its place there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NameIndex(i32);

impl NameIndex {
    pub(crate) const fn new(index: i32) -> Self {
        Self(index)
    }

    /// As it was stored; a damaged package may have numbers that are no index.
    #[must_use]
    pub const fn number(self) -> i32 {
        self.0
    }

    /// Returns the index, unless it is negative.
    #[must_use]
    pub fn get(self) -> Option<usize> {
        usize::try_from(self.0).ok()
    }
}

/// A name as objects have it: of the name table, and from Unreal Engine 3 on with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NameRef {
    /// Index in the name table.
    pub index: NameIndex,
    /// One more than the number that follows the name; 0 if none does.
    pub number: i32,
}

impl NameRef {
    pub(crate) fn read(reader: &mut Reader<'_>, layout: &Layout) -> Result<Self, Error> {
        let index = NameIndex::new(reader.index()?);
        let number = if layout.name_reference == NameReference::Index { 0 } else { reader.i32()? };
        Ok(Self { index, number })
    }

    /// Returns how many bytes the shortest one takes.
    pub(crate) fn min_size(layout: &Layout) -> u64 {
        let number = if layout.name_reference == NameReference::Index { 0_u64 } else { 4 };
        number.saturating_add(smallest_index(layout))
    }

    /// Returns the name with its number.
    pub(crate) fn text<'n>(self, name: &'n str, layout: &Layout) -> Cow<'n, str> {
        let dash = if layout.name_reference == NameReference::Numbered { "_" } else { "" };
        match self.number.checked_sub(1) {
            Some(number @ 0..) => Cow::Owned(format!("{name}{dash}{number}")),
            _ => Cow::Borrowed(name),
        }
    }
}

/// Returns how many bytes the shortest index takes.
pub(crate) fn smallest_index(layout: &Layout) -> u64 {
    match layout.index {
        crate::base::reader::IndexCoding::Compact => 1,
        crate::base::reader::IndexCoding::Int32 => 4,
    }
}
