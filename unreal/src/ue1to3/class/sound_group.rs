//! `SoundGroup`: sounds of which one is chosen. It has no data of its own.
//!
//! ```text
//! properties │ [text] │ count │ objects
//! ```

use super::body;
use crate::base::error::Error;
use crate::base::limits::MAX_TEXT;
use crate::base::object_ref::ObjectRef;
use crate::base::property::Property;
use crate::ue1to3::object::Object;
use crate::ue1to3::package::read_string;

/// A group of sounds.
#[derive(Clone, Debug, PartialEq)]
pub struct SoundGroup {
    /// Properties of the group.
    pub properties: Vec<Property>,
    /// Text in front of the list; empty where the format has none.
    pub text: String,
    /// Sounds of the group.
    pub sounds: Vec<ObjectRef>,
}

/// Reads a group.
///
/// Source: version 128/29 measured; text in front of the list in early packages from *UELib*.
///
/// # Errors
/// `Malformed` if the object lies outside the file or contradicts itself; `OverLimit`, `Io`.
pub fn read(object: &mut Object<'_>) -> Result<SoundGroup, Error> {
    read_body(object)
        .map_err(|error| error.within(format!("sound group {}", object.package.path_of(object.export))))
}

fn read_body(object: &mut Object<'_>) -> Result<SoundGroup, Error> {
    let (export, mut reader) = body::open(object)?;
    let Object { package, limits, .. } = object;
    let layout = package.layout();
    let properties = body::properties(&mut reader, package, export, layout.body, limits)?;
    let mut text = String::new();
    if layout.group_text {
        read_string(&mut reader, &mut text, MAX_TEXT, limits)?;
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
