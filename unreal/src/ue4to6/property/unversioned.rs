//! Properties without tags: a header says which of a class's properties there are, and a schema what these are.
//!
//! ```text
//! fragments: skip 0..6, has zeros 7, last 8, values 9..15 │ bits of zeros │ value │ value │ …
//! ```
//!
//! Source: *packages-ue4-ue6*, §9, measured.

use std::ops::Range;

use super::PropertyError;
use super::value_reader::ValueReader;
use super::value_writer::ValueWriter;
use crate::base::error::{Error, Malformed};
use crate::base::property::{Property, PropertyForm, Value};
use crate::base::writer::ByteWriter;

/// The most properties that a fragment leaves out, or has.
const MOST: u32 = 127;

/// The flag of the last fragment.
const LAST: u16 = 0x100;

/// Some properties that follow each other.
struct Fragment {
    /// How many are left out before them.
    skip: u32,
    count: u32,
    has_zeros: bool,
}

/// Reads the properties of a class or struct; `place` is called with where the value of each lies.
pub(super) fn read(
    reader: &mut ValueReader<'_, '_>,
    class: &str,
    place: &mut dyn FnMut(Range<u64>),
) -> Result<Vec<Property>, Error> {
    let at = reader.bytes.at();
    let missing = || Error::malformed(Malformed::NoSchema, at, "properties").within(class.to_owned());
    let mappings = reader.mappings.filter(|mappings| mappings.has(class)).ok_or_else(missing)?;
    let fragments = header(reader)?;
    let zeros =
        fragments.iter().filter(|fragment| fragment.has_zeros).map(|fragment| u64::from(fragment.count));
    let mut is_zero = zero_bits(reader, zeros.fold(0, u64::saturating_add))?.into_iter();
    let (mut properties, mut number) = (Vec::new(), 0_u32);
    for fragment in fragments {
        number = number.saturating_add(fragment.skip);
        for _ in 0..fragment.count {
            let at = reader.bytes.at();
            let unknown = || Error::malformed(Malformed::NoSuchEntry(number.into()), at, "properties");
            let property =
                mappings.property(class, number).ok_or_else(|| unknown().within(class.to_owned()))?;
            reader.pay(property.name.len())?;
            let is_zero = fragment.has_zeros && is_zero.next().unwrap_or_default();
            let value =
                if is_zero { Ok(reader.zero(&property.kind)) } else { reader.value(&property.kind, false) };
            let value = value.map_err(|error| error.within(format!("property {}", property.name)))?;
            place(at..reader.bytes.at());
            let form =
                PropertyForm { kind: property.kind.type_name(), number, is_zero, ..PropertyForm::default() };
            let (name, index) = (property.name.clone(), property.element);
            properties.push(Property { name, index, value, form: Some(Box::new(form)) });
            number = number.saturating_add(1);
        }
    }
    Ok(properties)
}

fn header(reader: &mut ValueReader<'_, '_>) -> Result<Vec<Fragment>, Error> {
    let mut fragments = Vec::new();
    loop {
        let bits = reader.bytes.u16()?;
        reader.pay(0)?;
        fragments.push(Fragment {
            skip: (bits & 0x7F).into(),
            count: (bits >> 9).into(),
            has_zeros: bits & 0x80 != 0,
        });
        if bits & LAST != 0 {
            return Ok(fragments);
        }
    }
}

/// Reads a bit for each value that may be zero: in one byte, in two, or in words of four.
fn zero_bits(reader: &mut ValueReader<'_, '_>, count: u64) -> Result<Vec<bool>, Error> {
    let bytes = match count {
        0 => return Ok(Vec::new()),
        1..=8 => 1,
        9..=16 => 2,
        count => usize::try_from(count.div_ceil(32).saturating_mul(4)).unwrap_or(usize::MAX),
    };
    reader.pay(bytes.saturating_mul(8))?;
    if bytes as u64 > reader.bytes.left() {
        let (wanted, left) = (bytes as u64, reader.bytes.left());
        return Err(reader.bytes.error(reader.bytes.at(), Malformed::EndsEarly { wanted, left }));
    }
    let bytes = reader.bytes.bytes(bytes)?;
    Ok(bytes.iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 != 0)).collect())
}

/// Writes the properties of a class or struct, in the order of their numbers.
///
/// # Errors
/// If a value is not of its type, or two have one number.
pub(super) fn write(
    writer: &mut ValueWriter<'_>,
    class: &str,
    properties: &[Property],
) -> Result<(), PropertyError> {
    if properties.is_empty() {
        // All that there could be is left out, as far as one fragment can say so.
        let count = writer.mappings.and_then(|mappings| mappings.count(class)).unwrap_or_default();
        writer.bytes.u16(u16::try_from(count.min(MOST)).unwrap_or_default() | LAST);
        return Ok(());
    }
    let mut fields: Vec<(u32, Option<Vec<u8>>)> = Vec::with_capacity(properties.len());
    for property in properties {
        let Property { name, value, form, .. } = property;
        let form = form.as_deref().ok_or_else(|| PropertyError::Type(value.kind().to_owned()))?;
        // Nothing of it is written, not even a name into the table.
        if form.is_zero && is_nothing(value) {
            fields.push((form.number, None));
            continue;
        }
        let bytes = writer.apart(|writer| write_value(writer, property));
        let bytes = bytes.map_err(|error| error.within(name))?;
        let is_zero = form.is_zero && bytes.iter().all(|byte| *byte == 0);
        fields.push((form.number, (!is_zero).then_some(bytes)));
    }
    fields.sort_by_key(|(number, _)| *number);
    let twice = fields.windows(2).find(|pair| matches!(pair, [(one, _), (other, _)] if one == other));
    if let Some([(number, _), _]) = twice {
        return Err(PropertyError::Unknown(format!("number {number}")));
    }
    writer.bytes.bytes(&fields_with_header(&fields));
    Ok(())
}

/// Writes the value of a property.
pub(super) fn write_value(writer: &mut ValueWriter<'_>, property: &Property) -> Result<(), PropertyError> {
    let Property { value, form, .. } = property;
    let form = form.as_deref().ok_or_else(|| PropertyError::Type(value.kind().to_owned()))?;
    writer.value(&form.kind.kind(), false, value)
}

/// Returns whether a value is what one is whose bits are all zero, though it may be written with others. Of a struct
/// that is zero nothing was read.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Struct(fields) => fields.is_empty(),
        Value::Name(name) => name == "None",
        Value::Localized(text) => **text == crate::base::property::LocalizedText::EMPTY,
        Value::SoftPath(path) => path.is_empty(),
        // A delegate.
        Value::Array(parts) if let [Value::Object(object), Value::Name(name)] = &parts[..] => {
            object.number() == 0 && name == "None"
        }
        _ => false,
    }
}

/// Writes values by their numbers, with the header that says which there are.
pub(super) fn fields_with_header(fields: &[(u32, Option<Vec<u8>>)]) -> Vec<u8> {
    const ZEROS: u16 = 0x80;
    #[derive(Default)]
    struct WrittenFragment {
        skip: u32,
        zeros: Vec<bool>,
    }
    let mut fragments = vec![WrittenFragment::default()];
    let mut next = 0_u32;
    for (number, value) in fields {
        let mut skip = number.saturating_sub(next);
        next = number.saturating_add(1);
        loop {
            let is_full = fragments.last().is_none_or(|last| {
                skip > 0 && (!last.zeros.is_empty() || last.skip >= MOST) || last.zeros.len() >= MOST as usize
            });
            if is_full {
                fragments.push(WrittenFragment::default());
            }
            let Some(last) = fragments.last_mut() else { break };
            let now = skip.min(MOST.saturating_sub(last.skip));
            last.skip = last.skip.saturating_add(now);
            skip = skip.saturating_sub(now);
            if skip == 0 {
                last.zeros.push(value.is_none());
                break;
            }
        }
    }
    let mut bytes = ByteWriter::default();
    let count = fragments.len();
    for (place, fragment) in (1..).zip(&fragments) {
        let has_zeros = if fragment.zeros.contains(&true) { ZEROS } else { 0 };
        let last = if place == count { LAST } else { 0 };
        let number = |number: usize| u16::try_from(number).unwrap_or_default();
        let (skip, values) = (number(fragment.skip as usize), number(fragment.zeros.len()));
        bytes.u16(skip | has_zeros | last | values << 9);
    }
    let masked = fragments.iter().filter(|fragment| fragment.zeros.contains(&true));
    let mask: Vec<bool> = masked.flat_map(|fragment| fragment.zeros.iter().copied()).collect();
    let size = match mask.len() {
        0 => 0,
        1..=8 => 1,
        9..=16 => 2,
        bits => bits.div_ceil(32).saturating_mul(4),
    };
    let byte =
        |bits: &[bool]| (0..).zip(bits).fold(0_u8, |byte, (bit, is_set)| byte | u8::from(*is_set) << bit);
    let mut mask: Vec<u8> = mask.chunks(8).map(byte).collect();
    mask.resize(size, 0);
    bytes.bytes(&mask);
    fields.iter().filter_map(|(_, value)| value.as_ref()).for_each(|value| bytes.bytes(value));
    bytes.into_bytes()
}
