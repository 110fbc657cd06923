//! The hashes that packages of Unreal Engine 4.25 and later know names and objects by.
//!
//! Source: *packages-ue4-ue6*, §2 and §7, measured.

/// Returns the number by which packages know an object of the game's code: `/Script/Engine.SoundWave`.
#[must_use]
pub fn script_object(path: &str) -> u64 {
    /// The upper two bits say that it is one.
    const SCRIPT: u64 = 1 << 62;
    city_hash(&path.replace(['.', ':'], "/")) & (SCRIPT - 1) | SCRIPT
}

/// Returns the number of a package: `/Game/Audio/SW_Steps`.
#[must_use]
pub fn package_id(name: &str) -> u64 {
    city_hash(name)
}

/// Returns the hash by which other packages refer to an object, by its path within its package.
#[must_use]
pub fn public_export(path: &str) -> u64 {
    city_hash(path)
}

/// Returns the hash of a name in a batch: of its bytes in lower case, or of its UTF-16 if it is more than ASCII.
pub(crate) fn name(name: &str) -> u64 {
    if name.is_ascii() { cityhasher::hash(name.to_ascii_lowercase()) } else { city_hash(name) }
}

/// Returns the `CityHash64` of a text in lower case as UTF-16.
fn city_hash(text: &str) -> u64 {
    let units = text.chars().flat_map(char::to_lowercase).flat_map(|character| {
        let mut units = [0; 2];
        character.encode_utf16(&mut units).to_vec()
    });
    let bytes: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
    cityhasher::hash(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_numbers_that_were_measured() {
        assert_eq!(script_object("/Script/Engine.StaticMesh"), 0x407C_DE1A_593E_47CF);
        assert_eq!(script_object("/Script/Engine.SkeletalMesh"), 0x42D9_3E6A_CFCE_1861);
        assert_eq!(script_object("/Script/Engine.BodySetup"), 0x6623_523D_EF01_A2F7);
        assert_eq!(script_object("/Script/Engine.SoundWave"), 0x44F2_6264_628E_498D);
        assert_eq!(name("SW_Inline"), 0x62C2_752F_9455_4C17);
        // A name relative to its package.
        assert_eq!(public_export("SW_Inline"), 0xC055_C828_6791_0BA2);
    }
}
