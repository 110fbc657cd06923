//! The order of the bytes of a number.

/// Byte order of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// The low end, as on PCs.
    Little,
    /// The high end, as on some consoles.
    Big,
}
