//! `SoundGroup`: sounds of which one is chosen. It has no data of its own.
//!
//! ```text
//! properties │ [text] │ count │ objects
//! ```

use crate::error::Error;
use crate::limits::Limits;
use crate::object::{ExportIndex, ObjectRef};
use crate::package::body;
use crate::package::{Package, read_string};
use crate::property::Property;
use crate::source::Source;

/// A group of sounds.
#[derive(Clone, Debug, PartialEq)]
pub struct SoundGroup {
    /// Its properties.
    pub properties: Vec<Property>,
    /// Text in front of the list; empty where the format has none.
    pub text: String,
    /// Its sounds.
    pub sounds: Vec<ObjectRef>,
}

/// Reads a group.
///
/// Source: version 128/29 measured; text in front of the list in early packages from *UELib*.
///
/// # Errors
/// `Malformed` if the object lies outside the file or contradicts itself; `OverLimit`, `Io`.
pub fn read(
    package: &Package,
    source: &dyn Source,
    index: ExportIndex,
    limits: &mut Limits,
) -> Result<SoundGroup, Error> {
    read_body(package, source, index, limits)
        .map_err(|error| error.within(format!("sound group {}", package.path_of(index))))
}

fn read_body(
    package: &Package,
    source: &dyn Source,
    index: ExportIndex,
    limits: &mut Limits,
) -> Result<SoundGroup, Error> {
    let (export, mut reader) = body::open(package, source, index)?;
    let layout = package.layout();
    let properties = body::properties(&mut reader, package, export, layout.body, limits)?;
    let mut text = String::new();
    if layout.group_text {
        read_string(&mut reader, &mut text, limits)?;
    }
    let at = reader.at();
    let count = reader.index_unsigned()?;
    let count = reader.fitting(count, 1, at)?;
    limits.take_table::<ObjectRef>(count, at, "sound group")?;
    let mut sounds = Vec::with_capacity(count);
    for _ in 0..count {
        sounds.push(ObjectRef::from_number(reader.index()?));
    }
    Ok(SoundGroup { properties, text, sounds })
}
