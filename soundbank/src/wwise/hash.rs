/// Returns the id that Wwise gives a name: FNV-1 of its lower-case bytes.
#[must_use]
pub fn fnv32(name: &str) -> u32 {
    const OFFSET: u32 = 2_166_136_261;
    const PRIME: u32 = 16_777_619;
    name.bytes().fold(OFFSET, |hash, byte| hash.wrapping_mul(PRIME) ^ u32::from(byte.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_the_id_that_wwise_gives_it_whatever_its_case() {
        // Ids that the tool wrote into its own SoundbanksInfo.
        assert_eq!(fnv32("Init"), 1_355_168_291);
        assert_eq!(fnv32("demo_event"), 1_040_102_313);
        assert_eq!(fnv32("SFX"), 393_239_870);
    }
}
