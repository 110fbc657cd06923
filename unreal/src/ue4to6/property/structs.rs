//! Structs that are written as they lie in memory, without tags or a header, by their names.
//!
//! Source: *packages-ue4-ue6*, §9, and public descriptions of the engine's types; those of the fixtures of 5.8
//! measured.

use super::PropertyError;
use super::value_reader::ValueReader;
use super::value_writer::ValueWriter;
use crate::base::error::Error;
use crate::base::property::{Property, PropertyType, Value};

/// A field of a struct.
#[derive(Clone, Copy, Debug)]
enum Field {
    /// Of double precision from 5.0 on.
    Real,
    Float,
    Double,
    Int,
    Int64,
    Byte,
    /// In four bytes.
    Bool,
    /// The path of an object.
    Path,
    /// Names, after their number.
    Names,
    /// Numbers, after how many there are.
    Floats,
    Ints,
}

/// Structs: their names, and those of their fields.
const STRUCTS: [(&str, &[(&str, Field)]); 43] = {
    use Field::{Bool, Byte, Double, Float, Floats, Int, Int64, Ints, Names, Path, Real};
    [
        ("Vector", &[("X", Real), ("Y", Real), ("Z", Real)]),
        ("Vector2D", &[("X", Real), ("Y", Real)]),
        ("Vector4", &[("X", Real), ("Y", Real), ("Z", Real), ("W", Real)]),
        ("Quat", &[("X", Real), ("Y", Real), ("Z", Real), ("W", Real)]),
        ("Plane", &[("X", Real), ("Y", Real), ("Z", Real), ("W", Real)]),
        ("Rotator", &[("Pitch", Real), ("Yaw", Real), ("Roll", Real)]),
        ("Vector3f", &[("X", Float), ("Y", Float), ("Z", Float)]),
        ("Vector2f", &[("X", Float), ("Y", Float)]),
        ("Vector4f", &[("X", Float), ("Y", Float), ("Z", Float), ("W", Float)]),
        ("Quat4f", &[("X", Float), ("Y", Float), ("Z", Float), ("W", Float)]),
        ("Rotator3f", &[("Pitch", Float), ("Yaw", Float), ("Roll", Float)]),
        ("Vector3d", &[("X", Double), ("Y", Double), ("Z", Double)]),
        ("Vector4d", &[("X", Double), ("Y", Double), ("Z", Double), ("W", Double)]),
        ("Rotator3d", &[("Pitch", Double), ("Yaw", Double), ("Roll", Double)]),
        ("Vector_NetQuantize", &[("X", Real), ("Y", Real), ("Z", Real)]),
        ("Vector_NetQuantizeNormal", &[("X", Real), ("Y", Real), ("Z", Real)]),
        (
            "Box",
            &[
                ("MinX", Real),
                ("MinY", Real),
                ("MinZ", Real),
                ("MaxX", Real),
                ("MaxY", Real),
                ("MaxZ", Real),
                ("IsValid", Byte),
            ],
        ),
        ("Box2D", &[("MinX", Real), ("MinY", Real), ("MaxX", Real), ("MaxY", Real), ("IsValid", Byte)]),
        ("Box2f", &[("MinX", Float), ("MinY", Float), ("MaxX", Float), ("MaxY", Float), ("IsValid", Byte)]),
        ("Color", &[("B", Byte), ("G", Byte), ("R", Byte), ("A", Byte)]),
        ("LinearColor", &[("R", Float), ("G", Float), ("B", Float), ("A", Float)]),
        ("IntPoint", &[("X", Int), ("Y", Int)]),
        ("IntVector2", &[("X", Int), ("Y", Int)]),
        ("IntVector", &[("X", Int), ("Y", Int), ("Z", Int)]),
        ("IntVector4", &[("X", Int), ("Y", Int), ("Z", Int), ("W", Int)]),
        ("Guid", &[("A", Int), ("B", Int), ("C", Int), ("D", Int)]),
        ("DateTime", &[("Ticks", Int64)]),
        ("Timespan", &[("Ticks", Int64)]),
        ("FrameNumber", &[("Value", Int)]),
        ("SoftObjectPath", &[("Path", Path)]),
        ("SoftClassPath", &[("Path", Path)]),
        ("StringAssetReference", &[("Path", Path)]),
        ("GameplayTagContainer", &[("GameplayTags", Names)]),
        (
            "RichCurveKey",
            &[
                ("InterpMode", Byte),
                ("TangentMode", Byte),
                ("TangentWeightMode", Byte),
                ("Time", Float),
                ("Value", Float),
                ("ArriveTangent", Float),
                ("ArriveTangentWeight", Float),
                ("LeaveTangent", Float),
                ("LeaveTangentWeight", Float),
            ],
        ),
        // The tick, what it is, and three bytes.
        ("MidiEvent", &[("Tick", Int), ("Type", Byte), ("A", Byte), ("B", Byte), ("C", Byte)]),
        ("SimpleCurveKey", &[("Time", Float), ("Value", Float)]),
        ("PerPlatformFloat", &[("IsCooked", Bool), ("Default", Float)]),
        ("PerPlatformInt", &[("IsCooked", Bool), ("Default", Int)]),
        ("PerPlatformBool", &[("IsCooked", Bool), ("Default", Bool)]),
        ("DeprecateSlateVector2D", &[("X", Float), ("Y", Float)]),
        // What chooses places by chance: chances, what else is chosen, and their sum.
        (
            "SkeletalMeshSamplingLODBuiltData",
            &[("Chances", Floats), ("Others", Ints), ("TotalWeight", Float)],
        ),
        // How fast it goes; what is no number is passed over.
        ("MovieSceneTimeWarpVariant", &[("IsLiteral", Bool), ("PlayRate", Double)]),
        // Each end: 0 exclusive, 1 inclusive, 2 open.
        ("MovieSceneFrameRange", &[("LowerType", Byte), ("Lower", Int), ("UpperType", Byte), ("Upper", Int)]),
    ]
};

/// Returns the fields of a struct that is written as it lies in memory, and their types; none if it is not.
pub(super) fn fields(name: &str, has_large_coordinates: bool) -> Option<Vec<(&'static str, PropertyType)>> {
    let (_, fields) = STRUCTS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
    let kind = |field: Field| match field {
        Field::Real if has_large_coordinates => PropertyType::Double,
        Field::Real | Field::Float => PropertyType::Float,
        Field::Double => PropertyType::Double,
        Field::Int => PropertyType::Int32,
        Field::Int64 => PropertyType::Int64,
        Field::Byte => PropertyType::UInt8,
        Field::Bool => PropertyType::Bool,
        Field::Path => PropertyType::SoftObject,
        Field::Names => PropertyType::Array(Box::new(PropertyType::Name)),
        Field::Floats => PropertyType::Array(Box::new(PropertyType::Float)),
        Field::Ints => PropertyType::Array(Box::new(PropertyType::Int32)),
    };
    Some(fields.iter().map(|(name, field)| (*name, kind(*field))).collect())
}

/// Returns whether a struct is written as it lies in memory.
pub(super) fn is_native(name: &str) -> bool {
    STRUCTS.iter().any(|(known, _)| known.eq_ignore_ascii_case(name))
}

/// Reads a struct; none if it is one that is written property by property.
pub(super) fn read(reader: &mut ValueReader<'_, '_>, name: &str) -> Option<Result<Value, Error>> {
    let (_, fields) = STRUCTS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
    Some(
        fields
            .iter()
            .map(|(name, field)| read_field(reader, name, *field))
            .collect::<Result<_, _>>()
            .map(Value::Struct),
    )
}

/// Writes a struct; false if it is one that is written property by property.
///
/// # Errors
/// If a field is missing or another, or its value of another type.
pub(super) fn write(
    writer: &mut ValueWriter<'_>,
    name: &str,
    values: &[Property],
) -> Result<bool, PropertyError> {
    let Some(fields) = fields(name, writer.form.has_large_coordinates) else { return Ok(false) };
    if fields.len() != values.len() {
        return Err(PropertyError::Type(name.to_owned()));
    }
    for ((name, kind), property) in fields.iter().zip(values) {
        if property.name != *name {
            return Err(PropertyError::Unknown(property.name.clone()));
        }
        let written = match (kind, &property.value) {
            // They have four bytes here.
            (PropertyType::Bool, Value::Bool(flag)) => {
                writer.bytes.u32((*flag).into());
                Ok(())
            }
            (kind, value) => writer.value(kind, true, value),
        };
        written.map_err(|error| error.within(name))?;
    }
    Ok(true)
}

fn read_field(reader: &mut ValueReader<'_, '_>, name: &str, field: Field) -> Result<Property, Error> {
    let value = match field {
        Field::Real if reader.form.has_large_coordinates => Value::Double(reader.f64()?),
        Field::Real | Field::Float => Value::Float(reader.bytes.f32()?),
        Field::Double => Value::Double(reader.f64()?),
        Field::Int => Value::Int(reader.bytes.i32()?),
        Field::Int64 => Value::Int64(reader.bytes.u64()?.cast_signed()),
        Field::Byte => Value::Byte(reader.bytes.u8()?),
        Field::Bool => Value::Bool(reader.bytes.u32()? != 0),
        Field::Path => Value::SoftPath(reader.soft_path()?),
        Field::Names => reader.list(8, |reader| reader.name().map(Value::Name))?,
        Field::Floats => reader.list(4, |reader| reader.bytes.f32().map(Value::Float))?,
        Field::Ints => reader.list(4, |reader| reader.bytes.i32().map(Value::Int))?,
    };
    reader.pay(name.len())?;
    Ok(Property::plain(name.to_owned(), 0, value))
}
