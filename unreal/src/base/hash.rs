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

/// Returns the hash of a name in a package without its case: a CRC that takes each unit of 16 bits low byte first, of
/// one byte alone where all are.
pub(crate) fn crc_of_upper_case(name: &str) -> u32 {
    let mut hash = 0_u32;
    let is_wide = !name.is_ascii();
    for unit in upper_case(name) {
        let [low, high] = unit.to_le_bytes();
        hash = (hash >> 8) ^ table_of(hash ^ u32::from(low));
        if is_wide {
            hash = (hash >> 8) ^ table_of(hash ^ u32::from(high));
        }
    }
    hash
}

/// Returns the hash of a name in a package with its case: a CRC-32 of its units, each in four bytes.
pub(crate) fn crc_of_units(name: &str) -> u32 {
    crc32(name.encode_utf16().flat_map(|unit| u32::from(unit).to_le_bytes()))
}

/// Returns the CRC-32 of bytes (IEEE 802.3, reflected).
pub(crate) fn crc32(bytes: impl Iterator<Item = u8>) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ if crc & 1 == 0 { 0 } else { 0xEDB8_8320 };
        }
    }
    !crc
}

/// Returns the hash of the name of a file that its package says that it comes from: a CRC of its units in upper case,
/// the highest bit first.
pub(crate) fn package_source(file: &str) -> u32 {
    let mut crc = u32::MAX;
    for byte in upper_case(file).flat_map(u16::to_le_bytes) {
        crc = (crc << 8) ^ table_of((crc >> 24) ^ u32::from(byte));
    }
    !crc
}

fn upper_case(text: &str) -> impl Iterator<Item = u16> {
    text.chars().flat_map(char::to_uppercase).flat_map(|character| {
        let mut units = [0; 2];
        character.encode_utf16(&mut units).to_vec()
    })
}

/// Returns the row of the table of a CRC that takes the highest bit first, for the lowest byte of a number.
fn table_of(byte: u32) -> u32 {
    let mut crc = byte << 24;
    for _ in 0..8 {
        crc = (crc << 1) ^ if crc & 0x8000_0000 == 0 { 0 } else { 0x04C1_1DB7 };
    }
    crc
}

/// Returns the units of a text in lower case as the engine hashes them: each unit of UTF-16 becomes one unit, by
/// Unicode's simple mapping, and halves of characters beyond 16 bits stay.
///
/// Source: *packages-ue4-ue6*: the engine calls `towlower` for each unit.
pub(crate) fn lower_case(text: &str) -> impl Iterator<Item = u16> {
    /// The only one whose lower case is one character by the simple mapping and two by the full one.
    const DOTTED_I: char = 'İ';
    text.encode_utf16().map(|unit| {
        let mut lower = match char::from_u32(unit.into()) {
            Some(DOTTED_I) => return u16::from(b'i'),
            Some(character) => character.to_lowercase(),
            None => return unit,
        };
        lower.next().and_then(|lower| u16::try_from(u32::from(lower)).ok()).unwrap_or(unit)
    })
}

/// Returns the `CityHash64` of a text in lower case as UTF-16.
fn city_hash(text: &str) -> u64 {
    let bytes: Vec<u8> = lower_case(text).flat_map(u16::to_le_bytes).collect();
    cityhasher::hash(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_unit_has_one_in_lower_case() {
        let lower = |text: &str| String::from_utf16(&lower_case(text).collect::<Vec<u16>>()).unwrap();
        // A sigma at the end of a word is no other one, and the halves of a capital of Deseret stay.
        assert_eq!(lower("GÄß.ΑΣ/Σ.İI\u{212A}Ж𐐀ǅẞ"), "gäß.ασ/σ.iikж𐐀ǆß");
        for character in (0..=0xFFFF).filter_map(char::from_u32) {
            let text = character.to_string();
            assert!(character == 'İ' || lower(&text).chars().eq(character.to_lowercase()), "{character:?}");
        }
    }

    #[test]
    fn names_have_the_numbers_that_were_measured() {
        assert_eq!(script_object("/Script/Engine.StaticMesh"), 0x407C_DE1A_593E_47CF);
        assert_eq!(script_object("/Script/Engine.SkeletalMesh"), 0x42D9_3E6A_CFCE_1861);
        assert_eq!(script_object("/Script/Engine.BodySetup"), 0x6623_523D_EF01_A2F7);
        assert_eq!(script_object("/Script/Engine.SoundWave"), 0x44F2_6264_628E_498D);
        assert_eq!(name("SW_Inline"), 0x62C2_752F_9455_4C17);
        // Those of packages in files, whose lower halves are kept; and of the file of one.
        let halves = |name: &str| (crc_of_upper_case(name) & 0xFFFF, crc_of_units(name) & 0xFFFF);
        assert_eq!(halves("Texture2D"), (65_022, 53_568));
        assert_eq!(halves("Set_日本語"), (3_126, 17_895));
        assert_eq!(package_source("T_Streaming"), 824_523_700);
        // A name relative to its package.
        assert_eq!(public_export("SW_Inline"), 0xC055_C828_6791_0BA2);
    }
}
