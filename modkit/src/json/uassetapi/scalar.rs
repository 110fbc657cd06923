//! Numbers, names, GUIDs, flags and bytes as `UAssetAPI` writes them.

use data_encoding::BASE64;
use serde_json::{Number, Value as Json, json};

use crate::json::fault::Fault;

/// Returns a name; the engine's name for nothing stays a text.
pub(super) fn name(name: &str) -> Json {
    json!(name)
}

/// Returns a float as the shortest text of its value in double precision; zeros have signs, and what JSON has no number
/// for is a text.
pub(super) fn float(value: f64) -> Json {
    if value == 0.0 {
        return json!(if value.is_sign_negative() { "-0" } else { "+0" });
    }
    Number::from_f64(value).map_or_else(
        || match value {
            f64::INFINITY => json!("Infinity"),
            f64::NEG_INFINITY => json!("-Infinity"),
            _ => json!("NaN"),
        },
        Json::Number,
    )
}

/// Reads a float.
pub(super) fn read_float(json: &Json) -> Result<f64, Fault> {
    match json {
        Json::Number(number) => number.as_f64(),
        Json::String(text) => match text.as_str() {
            "+0" | "0" => Some(0.0),
            "-0" => Some(-0.0),
            "NaN" => Some(f64::NAN),
            "Infinity" => Some(f64::INFINITY),
            "-Infinity" => Some(f64::NEG_INFINITY),
            text => text.parse().ok(),
        },
        _ => None,
    }
    .ok_or_else(|| Fault::new("a number is needed"))
}

/// Reads a float of single precision.
pub(super) fn read_single(json: &Json) -> Result<f32, Fault> {
    #[expect(clippy::cast_possible_truncation, reason = "the nearest is wanted; what has none is refused")]
    let nearest = read_float(json)? as f32;
    match json {
        Json::Number(_) if !nearest.is_finite() => Err(Fault::new("a number of single precision is needed")),
        _ => Ok(nearest),
    }
}

/// Returns whether a float survives: `NaN` has lost its bits.
pub(super) const fn survives(value: f64) -> bool {
    !value.is_nan()
}

/// Reads a text, or none for `null`.
pub(super) fn read_text(json: &Json) -> Result<Option<String>, Fault> {
    match json {
        Json::Null => Ok(None),
        Json::String(text) => Ok(Some(text.clone())),
        _ => Err(Fault::new("a text or null is needed")),
    }
}

/// Reads a name; `null` is the engine's name for nothing.
pub(super) fn read_name(json: &Json) -> Result<String, Fault> {
    Ok(read_text(json)?.unwrap_or_else(|| "None".to_owned()))
}

/// Reads a whole number of a type.
pub(super) fn read_number<T: TryFrom<i128>>(json: &Json) -> Result<T, Fault> {
    let number = json.as_i64().map(i128::from).or_else(|| json.as_u64().map(i128::from));
    let number = number.and_then(|number| T::try_from(number).ok());
    number.ok_or_else(|| {
        Fault::new(format!("a whole number that fits {} is needed", std::any::type_name::<T>()))
    })
}

/// Reads a boolean.
pub(super) fn read_bool(json: &Json) -> Result<bool, Fault> {
    json.as_bool().ok_or_else(|| Fault::new("true or false is needed"))
}

/// Returns bytes as base64.
pub(super) fn bytes(bytes: &[u8]) -> Json {
    json!(BASE64.encode(bytes))
}

/// Reads bytes: base64 text, or before 1.0.2 an object with it.
pub(super) fn read_bytes(json: &Json) -> Result<Vec<u8>, Fault> {
    let text = match json {
        Json::Null => return Ok(Vec::new()),
        Json::Object(object) => object.get("$value").and_then(Json::as_str),
        json => json.as_str(),
    };
    let text = text.ok_or_else(|| Fault::new("base64 is needed"))?;
    BASE64.decode(text.as_bytes()).map_err(|error| Fault::new(format!("not base64: {error}")))
}

/// Returns a GUID, `{375EC13C-06E4-48FB-B500-84F0262A717E}`, of four numbers in the order of the file.
pub(super) fn guid(bytes: &[u8; 16]) -> Json {
    let mut digits = String::with_capacity(38);
    for (number, word) in bytes.chunks_exact(4).enumerate() {
        let word = word.first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
        let (high, low) = (word >> 16, word & 0xFFFF);
        digits.push_str(&match number {
            0 => format!("{{{word:08X}-"),
            1 => format!("{high:04X}-{low:04X}-"),
            2 => format!("{high:04X}-{low:04X}"),
            _ => format!("{word:08X}}}"),
        });
    }
    json!(digits)
}

/// Reads a GUID with or without braces and hyphens.
pub(super) fn read_guid(json: &Json) -> Result<[u8; 16], Fault> {
    let text = json.as_str().unwrap_or_default();
    let digits: Vec<u8> = text.bytes().filter(|byte| !b"{}()-".contains(byte)).collect();
    let mut bytes: [u8; 16] = hexadecimal(&digits).ok_or_else(|| Fault::new("a GUID is needed"))?;
    bytes.chunks_exact_mut(4).for_each(<[u8]>::reverse);
    Ok(bytes)
}

/// Returns the bytes of hexadecimal digits; none if these are others, or of another number.
pub(super) fn hexadecimal<const N: usize>(digits: &[u8]) -> Option<[u8; N]> {
    data_encoding::HEXLOWER_PERMISSIVE.decode(digits).ok()?.try_into().ok()
}

/// Returns flags as the names of their bits, or the number if a bit has none.
pub(super) fn flags(value: u64, names: &[(u64, &str)]) -> Json {
    if value == 0 {
        let none = names.iter().find(|(bit, _)| *bit == 0);
        return none.map_or_else(|| json!(0), |(_, name)| json!(name));
    }
    let set: Vec<(u64, &str)> =
        names.iter().filter(|(bit, _)| *bit != 0 && value & bit == *bit).copied().collect();
    if set.iter().fold(0, |all, (bit, _)| all | bit) != value {
        return json!(value);
    }
    json!(set.iter().map(|(_, name)| *name).collect::<Vec<_>>().join(", "))
}

/// Reads flags: names, or a number.
pub(super) fn read_flags(json: &Json, names: &[(u64, &str)]) -> Result<u64, Fault> {
    let Some(text) = json.as_str() else {
        let number = json.as_u64().or_else(|| json.as_i64().map(i64::cast_unsigned));
        return number.ok_or_else(|| Fault::new("names of flags are needed"));
    };
    let mut value = 0;
    for part in text.split(',').map(str::trim) {
        let known = names.iter().find(|(_, name)| *name == part).map(|(bit, _)| *bit);
        let bit = known.or_else(|| part.parse().ok());
        value |= bit.ok_or_else(|| Fault::new(format!("no flag is called {part:?}")))?;
    }
    Ok(value)
}

/// Returns the name of a value of an enumeration, or the number if it has none.
pub(super) fn enumerator(value: u64, names: &[(u64, &str)]) -> Json {
    names.iter().find(|(number, _)| *number == value).map_or_else(|| json!(value), |(_, name)| json!(name))
}
