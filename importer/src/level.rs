//! What a level of Unreal Engine 1 and 2 says of sounds: its song, and the actors that hum.

use unreal::ue1to3::class::properties_of;
use unreal::ue1to3::version::PropertyCoding;
use unreal::{Object, ObjectRef, Package, Property, Source, Value};

use crate::Remark;
use crate::budget::WorkBudget;

/// The most remarks that are made of one level.
const MAX_REMARKS: usize = 10_000;

/// Returns the song of a level and the ambient sounds of its actors, in the order of the export table. Objects that
/// cannot be read say nothing.
pub(crate) fn remarks(package: &Package, source: &dyn Source, budget: u64, work: &WorkBudget) -> Vec<Remark> {
    let mut remarks = Vec::new();
    if package.layout().properties != PropertyCoding::InfoByte {
        return remarks;
    }
    for (index, export) in package.export_indices().zip(package.exports()) {
        // Classes have no such properties, and only actors have a state.
        if export.class == ObjectRef::None || !export.flags.has_state_frame() || remarks.len() == MAX_REMARKS
        {
            continue;
        }
        let read = work
            .spend(budget, |limits| properties_of(&mut Object { package, source, export: index, limits }));
        let Ok(properties) = read else { continue };
        let text = song(package, &properties).or_else(|| ambient(package, &properties));
        if let Some(text) = text {
            remarks.push(Remark::new(package.path_of(index).to_string(), text));
        }
    }
    remarks
}

fn value<'p>(properties: &'p [Property], name: &str) -> Option<&'p Value> {
    properties.iter().find(|property| property.name.eq_ignore_ascii_case(name)).map(|p| &p.value)
}

fn object(package: &Package, properties: &[Property], name: &str) -> Option<String> {
    match value(properties, name)? {
        Value::Object(object) if *object != ObjectRef::None => Some(package.path(*object).to_string()),
        _ => None,
    }
}

fn song(package: &Package, properties: &[Property]) -> Option<String> {
    let song = object(package, properties, "Song")?;
    Some(match value(properties, "SongSection") {
        Some(Value::Byte(section)) => format!("its song is {song}, from section {section}"),
        _ => format!("its song is {song}"),
    })
}

fn ambient(package: &Package, properties: &[Property]) -> Option<String> {
    let sound = object(package, properties, "AmbientSound")?;
    let mut text = format!("sounds like {sound}");
    for (name, title) in [("SoundRadius", "radius"), ("SoundVolume", "volume"), ("SoundPitch", "pitch")] {
        if let Some(Value::Byte(byte)) = value(properties, name) {
            text.push_str(&format!(", {title} {byte}"));
        }
    }
    Some(text)
}
