//! References to objects, and where objects lie in their package.

use serde::{Deserialize, Serialize};

/// A reference to an object: an entry of the export table, of the import table, or none.
///
/// Stored as one number: positive for exports, negative for imports, counted from ±1.
///
/// Source: Unreal Wiki, *Package File Format/Data Details*, "Object References".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "i32", into = "i32")]
pub enum ObjectRef {
    /// No object.
    #[default]
    None,
    /// An object that lies in this package.
    Export(ExportIndex),
    /// An object of another package.
    Import(ImportIndex),
}

impl From<i32> for ObjectRef {
    fn from(number: i32) -> Self {
        Self::from_number(number)
    }
}

impl From<ObjectRef> for i32 {
    fn from(object: ObjectRef) -> Self {
        object.number()
    }
}

impl ObjectRef {
    /// Returns the reference that a number stands for.
    #[must_use]
    pub const fn from_number(number: i32) -> Self {
        let index = number.unsigned_abs().saturating_sub(1);
        match number {
            0 => Self::None,
            1.. => Self::Export(ExportIndex(index)),
            _ => Self::Import(ImportIndex(index)),
        }
    }

    /// Returns the number it is stored as.
    #[must_use]
    pub const fn number(self) -> i32 {
        match self {
            Self::None => 0,
            Self::Export(ExportIndex(index)) => 1_i32.saturating_add_unsigned(index),
            Self::Import(ImportIndex(index)) => (-1_i32).saturating_sub_unsigned(index),
        }
    }
}

/// Index of an entry of the export table, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExportIndex(u32);

/// Index of an entry of the import table, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ImportIndex(u32);

impl ExportIndex {
    /// Creates a reference to an entry; one that no table can have where the number does not fit.
    #[must_use]
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// Counted from 0.
    #[must_use]
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

impl ImportIndex {
    /// Creates a reference to an entry; one that no table can have where the number does not fit.
    #[must_use]
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// Counted from 0.
    #[must_use]
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

/// Path of an object within its package.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ObjectPath {
    /// The objects it lies in, outermost first, joined by dots; empty if it lies in none. From Unreal Engine 4 on the
    /// folder of its package: `/Game/Audio`.
    pub group: String,
    /// Name of the object.
    pub name: String,
}

/// `Group.Name`, `/Folder/Name`, or just the name.
impl std::fmt::Display for ObjectPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.group.is_empty() {
            f.write_str(&self.name)
        } else if self.group.starts_with('/') {
            write!(f, "{}/{}", self.group, self.name)
        } else {
            write!(f, "{}.{}", self.group, self.name)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exports_are_positive_and_imports_negative_counted_from_one() {
        assert_eq!(ObjectRef::from_number(1), ObjectRef::Export(ExportIndex(0)));
        assert_eq!(ObjectRef::from_number(-1), ObjectRef::Import(ImportIndex(0)));
        assert_eq!(ObjectRef::from_number(0), ObjectRef::None);
    }

    #[test]
    fn every_number_is_a_reference_and_comes_back() {
        for number in [0, 1, -1, 64, -64, i32::MAX, i32::MIN] {
            assert_eq!(ObjectRef::from_number(number).number(), number);
        }
    }
}
