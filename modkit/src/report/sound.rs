//! The properties of a sound, and the chunks of its recording.

use serde::Serialize;
use unreal::Class;
use unreal::ue4to6::class::sound_wave;
use unreal::{AssetPackage, Limits, Mappings, Property, Value, read_object};

/// The properties and the recording of a sound, and why parts of them are not known.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SoundDetails {
    /// Name of the format of its recording.
    pub format: Option<String>,
    /// Chunks of its recording.
    pub chunks: Vec<ChunkRow>,
    /// Names and values of its properties.
    pub properties: Vec<(String, String)>,
    /// Reasons why its properties or its recording cannot be read.
    pub problems: Vec<String>,
}

/// A part of a recording.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ChunkRow {
    /// Extension of the file that holds it.
    #[serde(rename = "place")]
    pub file: &'static str,
    /// Offset in that file; in the package, if it is inline.
    pub offset: u64,
    /// Size in bytes.
    pub size: u64,
}

impl SoundDetails {
    pub(super) fn read(
        package: &AssetPackage,
        number: usize,
        class: Class,
        mappings: Option<&Mappings>,
    ) -> Self {
        let mut row = Self::default();
        match read_object(package, number, mappings, &mut Limits::default()) {
            Ok(object) => {
                row.properties
                    .extend(object.properties.iter().map(|p| (property_name(p), value_text(&p.value))));
            }
            Err(error) => row.problems.push(error.to_string()),
        }
        match (class == Class::SoundWave).then(|| sound_wave::read(package, number)) {
            Some(Ok(wave)) => {
                row.chunks.extend(wave.chunks.iter().map(|chunk| ChunkRow {
                    file: chunk.place.extension(),
                    offset: chunk.offset,
                    size: chunk.size,
                }));
                row.format = Some(wave.format);
            }
            Some(Err(error)) => row.problems.push(error.to_string()),
            None => {}
        }
        row
    }
}

fn property_name(property: &Property) -> String {
    match property.index {
        0 => property.name.clone(),
        index => format!("{}[{index}]", property.name),
    }
}

/// Returns a value in words.
fn value_text(value: &Value) -> String {
    let all = |values: &[Value]| values.iter().map(value_text).collect::<Vec<_>>().join(", ");
    match value {
        Value::Byte(number) => number.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Int64(number) => number.to_string(),
        Value::UInt64(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Double(number) => number.to_string(),
        Value::Object(object) => format!("object {}", object.number()),
        Value::Name(text) | Value::Text(text) | Value::SoftPath(text) => text.clone(),
        Value::Localized(text) => text.shown(),
        Value::Array(values) | Value::Set { values, .. } => format!("[{}]", all(values)),
        Value::Map { pairs, .. } => {
            let pair = |(key, value): &(Value, Value)| format!("{}: {}", value_text(key), value_text(value));
            format!("{{{}}}", pairs.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
        Value::Struct(fields) => {
            let field = |field: &Property| format!("{}: {}", property_name(field), value_text(&field.value));
            format!("({})", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        Value::Opaque { kind, size, .. } => format!("{kind} of {size} bytes"),
        Value::Bytes(bytes) => format!("{} bytes", bytes.len()),
        _ => String::new(),
    }
}
