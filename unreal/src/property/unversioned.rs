//! Properties without tags: a header says which of a class's properties there are, and a schema what these are.
//!
//! ```text
//! fragments: skip 0..6, has zeros 7, last 8, values 9..15 │ bits of zeros │ value │ value │ …
//! ```
//!
//! Source: *packages-ue4-ue6*, §9, measured.

use super::Property;
use super::object::ValuePlace;
use super::value_reader::ValueReader;
use crate::error::{Error, Malformed};

/// Some properties that follow each other.
struct Fragment {
    /// How many are left out before them.
    skip: u32,
    count: u32,
    has_zeros: bool,
}

/// Reads the properties of a class or struct; `place` is told where the value of each lies.
pub(super) fn read(
    reader: &mut ValueReader<'_, '_>,
    class: &str,
    place: &mut dyn FnMut(ValuePlace),
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
            place(ValuePlace { range: at..reader.bytes.at(), number, is_zero });
            properties.push(Property { name: property.name.clone(), index: property.element, value });
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
        if bits & 0x100 != 0 {
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
