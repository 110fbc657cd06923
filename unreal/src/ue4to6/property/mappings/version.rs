//! Versions of mappings, and what each changed.
//!
//! Source: *packages-ue4-ue6*, §9.

/// What depends on the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MappingsLayout {
    /// Versions of the engine that they are of.
    pub(super) engine: bool,
    /// Names have a length of two bytes.
    pub(super) long_names: bool,
    /// So many values of an enumeration need two bytes.
    pub(super) large_enums: bool,
    /// Each value of an enumeration has a number.
    pub(super) enum_numbers: bool,
}

impl MappingsLayout {
    /// Returns the layout of a version; none if it is not known.
    pub(super) const fn of(version: u8) -> Option<Self> {
        if version > 4 {
            return None;
        }
        Some(Self {
            engine: version >= 1,
            long_names: version >= 2,
            large_enums: version >= 3,
            enum_numbers: version >= 4,
        })
    }
}
