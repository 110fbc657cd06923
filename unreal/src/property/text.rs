//! Texts that have translations, or are made of others: what the game was made with.
//!
//! Source: public descriptions of the engine's types; those of the fixtures of 5.8 measured.

use super::value_reader::ValueReader;
use crate::error::{Error, Malformed};

/// Reads a text. What is made of numbers and dates comes without their format.
pub(super) fn read(reader: &mut ValueReader<'_, '_>) -> Result<String, Error> {
    let (at, _flags, history) = (reader.bytes.at(), reader.bytes.u32()?, reader.bytes.u8()?.cast_signed());
    match history {
        // Without any, or one that is the same in every language.
        -1 if reader.bytes.u32()? == 0 => Ok(String::new()),
        -1 => reader.text(),
        // Namespace, key, and what it says.
        0 => {
            reader.text()?;
            reader.text()?;
            reader.text()
        }
        1..=3 => reader.deeper(|reader| {
            let pattern = read(reader)?;
            // A name and a kind at least.
            for _ in 0..reader.bytes.count(1)? {
                reader.pay(0)?;
                if history != 2 {
                    reader.text()?;
                }
                argument(reader)?;
            }
            Ok(pattern)
        }),
        4..=6 => reader.deeper(|reader| {
            let currency = if history == 6 { reader.text()? } else { String::new() };
            let number = argument(reader)?;
            if reader.bytes.u32()? != 0 {
                // Signs, groups, how it is rounded, and how many digits it has.
                reader.bytes.skip(25)?;
            }
            reader.text()?;
            Ok(if currency.is_empty() { number } else { format!("{number} {currency}") })
        }),
        7..=9 => {
            // Its styles.
            let ticks = reader.bytes.u64()?;
            reader.bytes.skip(if history == 9 { 2 } else { 1 })?;
            // Its time zone, and its language.
            reader.text()?;
            reader.text()?;
            Ok(ticks.to_string())
        }
        10 => reader.deeper(|reader| {
            let text = read(reader)?;
            // To lower or upper case.
            Ok(if reader.bytes.u8()? == 0 { text.to_lowercase() } else { text.to_uppercase() })
        }),
        // Of a table.
        11 => {
            let table = reader.name()?;
            Ok(format!("{table}: {}", reader.text()?))
        }
        _ => Err(reader.bytes.error(at, Malformed::NoFormFits)),
    }
}

/// Reads what stands for a part of a text.
fn argument(reader: &mut ValueReader<'_, '_>) -> Result<String, Error> {
    let at = reader.bytes.at();
    Ok(match reader.bytes.u8()? {
        0 => reader.bytes.u64()?.cast_signed().to_string(),
        1 => reader.bytes.u64()?.to_string(),
        2 => reader.bytes.f32()?.to_string(),
        3 => reader.f64()?.to_string(),
        4 => return reader.deeper(read),
        // A grammatical gender.
        5 => reader.bytes.u8()?.to_string(),
        _ => return Err(reader.bytes.error(at, Malformed::NoFormFits)),
    })
}
