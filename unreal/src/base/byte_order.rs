//! The order of the bytes of a number.

/// Which end of a number comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// The low end, as on PCs.
    Little,
    /// The high end, as on some consoles.
    Big,
}
