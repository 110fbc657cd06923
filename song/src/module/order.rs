/// An entry of the order list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// The pattern of that number, which the module need not have.
    Pattern(u8),
    /// Nothing: the next order follows at once. Written `+++`.
    Skip,
    /// The song ends here. Written `---`.
    End,
}

impl Order {
    /// Returns the order of a dialect that has markers.
    #[must_use]
    pub const fn from_byte(byte: u8) -> Self {
        match byte {
            254 => Self::Skip,
            255 => Self::End,
            pattern => Self::Pattern(pattern),
        }
    }
}
