/// Returns the upper and the lower four bits.
pub(crate) const fn nibbles(parameter: u8) -> (u8, u8) {
    (parameter >> 4, parameter & 15)
}
