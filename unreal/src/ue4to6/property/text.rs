//! Texts that have translations, or are made of others.
//!
//! ```text
//! flags │ history −1 │ is there one │ text                     the same in every language
//! flags │ history 0 │ namespace │ key │ text
//! flags │ history 11 │ table │ key
//! flags │ other histories │ numbers, dates, other texts
//! ```
//!
//! Source: public descriptions of the engine's types; those of the fixtures of 5.8 measured.

use super::value_reader::ValueReader;
use super::value_writer::ValueWriter;
use super::write::PropertyError;
use crate::base::error::{Error, Malformed};
use crate::base::property::{LocalizedText, TextContent};
use crate::base::writer::StringCoding;

const INVARIANT: u8 = 0xFF;
const KEYED: u8 = 0;
const TABLE: u8 = 11;

impl LocalizedText {
    /// Writes it.
    pub(super) fn write(&self, writer: &mut ValueWriter<'_>) -> Result<(), PropertyError> {
        writer.bytes.u32(self.flags);
        match &self.content {
            TextContent::Invariant(text) => {
                writer.bytes.u8(INVARIANT);
                writer.bytes.u32(text.is_some().into());
                text.iter().try_for_each(|text| writer.text(text))
            }
            TextContent::Keyed { namespace, key, source } => {
                writer.bytes.u8(KEYED);
                // Of the first two the zero at the end is always there.
                writer.bytes.string(namespace, StringCoding::Utf16)?;
                writer.bytes.string(key, StringCoding::Utf16)?;
                writer.text(source)
            }
            TextContent::Table { table, key } => {
                writer.bytes.u8(TABLE);
                writer.name(table)?;
                writer.text(key)
            }
            TextContent::Made { bytes, .. } => {
                writer.bytes.bytes(bytes);
                Ok(())
            }
        }
    }
}

/// Reads a text.
pub(super) fn read(reader: &mut ValueReader<'_, '_>) -> Result<LocalizedText, Error> {
    let flags = reader.bytes.u32()?;
    let (at, history) = (reader.bytes.at(), reader.bytes.u8()?);
    let content = match history {
        INVARIANT => {
            let is_there = reader.bytes.u32()? != 0;
            TextContent::Invariant(if is_there { Some(reader.text()?) } else { None })
        }
        KEYED => {
            TextContent::Keyed { namespace: reader.text()?, key: reader.text()?, source: reader.text()? }
        }
        TABLE => TextContent::Table { table: reader.name()?, key: reader.text()? },
        _ => {
            let shown = made(reader, at, history)?;
            let end = reader.bytes.at();
            reader.bytes.seek(at);
            let length = usize::try_from(end.saturating_sub(at)).unwrap_or(usize::MAX);
            reader.limits.take_growing(length, at, "properties")?;
            TextContent::Made { bytes: reader.bytes.bytes(length)?.to_vec(), shown }
        }
    };
    Ok(LocalizedText { flags, content })
}

/// Reads what a text shows that is made of others; numbers and dates come without their format.
fn made(reader: &mut ValueReader<'_, '_>, at: u64, history: u8) -> Result<String, Error> {
    match history {
        1..=3 => reader.deeper(|reader| {
            let pattern = read(reader)?.shown();
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
            let text = read(reader)?.shown();
            // To lower or upper case.
            Ok(if reader.bytes.u8()? == 0 { text.to_lowercase() } else { text.to_uppercase() })
        }),
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
        4 => return reader.deeper(read).map(|text| text.shown()),
        // A grammatical gender.
        5 => reader.bytes.u8()?.to_string(),
        _ => return Err(reader.bytes.error(at, Malformed::NoFormFits)),
    })
}
