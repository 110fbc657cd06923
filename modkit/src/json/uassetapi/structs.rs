//! Structs that are written as in memory, each a class of its own in `UAssetAPI`.

use serde_json::{Value as Json, json};
use unreal::{Property, PropertyType, Value};

use super::form::Form;
use super::names::{Flags, INTERPOLATIONS, TANGENT_WEIGHTS, TANGENTS};
use super::object::{NewObject, list};
use super::paths;
use super::scalar::{
    enumerator, float, guid, read_bool, read_flags, read_float, read_guid, read_name, read_number,
    read_single, survives,
};
use crate::json::fault::Fault;

/// How a document has the value of such a struct.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// An object of a class with numbers.
    Numbers(&'static str),
    /// Corners of a class, and whether they are valid.
    Box(&'static str),
    /// `R, G, B` or `A, R, G, B`.
    Color,
    Guid,
    /// A list of numbers.
    List,
    /// One number.
    Number,
    /// An object with one number.
    Frame,
    CurveKey,
    /// A list of names.
    Names,
    /// A list of one value.
    PerPlatform,
    Path,
}

/// Structs: name, class without its ending, and shape.
const STRUCTS: [(&str, &str, Shape); 34] = [
    ("Vector", "Vector", Shape::Numbers("FVector")),
    ("Vector2D", "Vector2D", Shape::Numbers("FVector2D")),
    ("Vector4", "Vector4", Shape::Numbers("FVector4")),
    ("Vector3f", "Vector3f", Shape::Numbers("FVector3f")),
    ("Vector2f", "Vector2f", Shape::Numbers("FVector2f")),
    ("Vector4f", "Vector4f", Shape::Numbers("FVector4f")),
    ("Vector_NetQuantize", "VectorNetQuantize", Shape::Numbers("FVector")),
    ("Vector_NetQuantizeNormal", "VectorNetQuantizeNormal", Shape::Numbers("FVector")),
    ("DeprecateSlateVector2D", "DeprecateSlateVector2D", Shape::Numbers("FVector2f")),
    ("Quat", "Quat", Shape::Numbers("FQuat")),
    ("Plane", "Plane", Shape::Numbers("FPlane")),
    ("Rotator", "Rotator", Shape::Numbers("FRotator")),
    ("LinearColor", "LinearColor", Shape::Numbers("FLinearColor")),
    ("IntVector", "IntVector", Shape::Numbers("FIntVector")),
    ("IntVector2", "IntVector2", Shape::Numbers("FIntVector2")),
    ("Box", "Box", Shape::Box("FVector")),
    ("Box2D", "Box2D", Shape::Box("FVector2D")),
    ("Box2f", "Box2f", Shape::Box("FVector2f")),
    ("Color", "Color", Shape::Color),
    ("Guid", "Guid", Shape::Guid),
    ("IntPoint", "IntPoint", Shape::List),
    ("DateTime", "DateTime", Shape::Number),
    ("Timespan", "Timespan", Shape::Number),
    ("FrameNumber", "FrameNumber", Shape::Frame),
    ("RichCurveKey", "RichCurveKey", Shape::CurveKey),
    ("GameplayTagContainer", "GameplayTagContainer", Shape::Names),
    ("PerPlatformFloat", "PerPlatformFloat", Shape::PerPlatform),
    ("PerPlatformInt", "PerPlatformInt", Shape::PerPlatform),
    ("PerPlatformBool", "PerPlatformBool", Shape::PerPlatform),
    ("SoftObjectPath", "SoftObjectPath", Shape::Path),
    ("SoftClassPath", "SoftClassPath", Shape::Path),
    ("StringAssetReference", "StringAssetReference", Shape::Path),
    ("StringClassReference", "StringClassReference", Shape::Path),
    ("SoftAssetPath", "SoftAssetPath", Shape::Path),
];

/// Enumerations of the first fields of a key of a curve.
const CURVE_KEY: [(&str, Flags); 3] =
    [("InterpMode", INTERPOLATIONS), ("TangentMode", TANGENTS), ("TangentWeightMode", TANGENT_WEIGHTS)];

fn shape_of(name: &str) -> Option<(&'static str, Shape)> {
    let found = STRUCTS.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name));
    found.map(|(_, class, shape)| (*class, *shape))
}

/// Returns a number of a struct; none if a document would lose its bits.
fn number(value: &Value) -> Option<Json> {
    Some(match value {
        Value::Float(number) => survives(f64::from(*number)).then(|| float(f64::from(*number)))?,
        Value::Double(number) => survives(*number).then(|| float(*number))?,
        Value::Int(number) => json!(number),
        Value::Int64(number) => json!(number),
        Value::Byte(number) => json!(number),
        Value::Bool(flag) => json!(flag),
        _ => return None,
    })
}

fn numbers(class: &str, fields: &[Property], names: impl Fn(&str) -> String) -> Option<Json> {
    let mut object = NewObject::new(class);
    for field in fields {
        object.put(&names(&field.name), number(&field.value)?);
    }
    Some(object.into_json())
}

/// Returns the value of a struct as an object of its class; `tail` adds the keys that all properties have. None if the
/// class is not known, or a document would lose something.
pub(super) fn to_json(
    name: &str,
    fields: &[Property],
    form: &Form<'_>,
    tail: impl FnOnce(&mut NewObject),
) -> Option<Json> {
    let (class, shape) = shape_of(name)?;
    let mut object = NewObject::new(&format!("PropertyTypes.Structs.{class}PropertyData"));
    let first = fields.first().map(|field| &field.value);
    let same = str::to_owned;
    let value = match shape {
        Shape::Numbers(of) => numbers(&format!("UnrealTypes.{of}"), fields, same)?,
        Shape::Box(of) => {
            let (corners, valid) = fields.split_at(fields.len().checked_sub(1)?);
            let (low, high) = corners.split_at(corners.len() / 2);
            let of = format!("UnrealTypes.{of}");
            let mut value = NewObject::generic("UnrealTypes.TBox", &of);
            value.put("Min", numbers(&of, low, |name| name.trim_start_matches("Min").to_owned())?);
            value.put("Max", numbers(&of, high, |name| name.trim_start_matches("Max").to_owned())?);
            value.put("IsValid", number(&valid.first()?.value)?);
            value.into_json()
        }
        Shape::Color => {
            let [blue, green, red, alpha] = fields else { return None };
            let byte = |field: &Property| if let Value::Byte(byte) = field.value { Some(byte) } else { None };
            let (red, green, blue, alpha) = (byte(red)?, byte(green)?, byte(blue)?, byte(alpha)?);
            json!(match alpha {
                u8::MAX => format!("{red}, {green}, {blue}"),
                alpha => format!("{alpha}, {red}, {green}, {blue}"),
            })
        }
        Shape::Guid => {
            let mut bytes = [0; 16];
            for (to, field) in bytes.chunks_exact_mut(4).zip(fields) {
                let Value::Int(word) = field.value else { return None };
                to.copy_from_slice(&word.to_le_bytes());
            }
            guid(&bytes)
        }
        Shape::List => fields.iter().map(|field| number(&field.value)).collect::<Option<Json>>()?,
        Shape::Number => number(first?)?,
        Shape::Frame => numbers("UnrealTypes.FFrameNumber", fields, same)?,
        Shape::CurveKey => {
            let mut value = NewObject::new("UnrealTypes.FRichCurveKey");
            for (number, field) in fields.iter().enumerate() {
                let json = match (CURVE_KEY.get(number), &field.value) {
                    (Some((_, names)), Value::Byte(byte)) => enumerator((*byte).into(), names),
                    _ => self::number(&field.value)?,
                };
                value.put(&field.name, json);
            }
            value.into_json()
        }
        Shape::Names => match first? {
            Value::Array(names) => names
                .iter()
                .map(|name| if let Value::Name(name) = name { Some(json!(name)) } else { None })
                .collect::<Option<Json>>()?,
            _ => return None,
        },
        Shape::PerPlatform => match fields {
            // Their number is 1 because what is there says that it is cooked.
            [Property { value: Value::Bool(true), .. }, default] => json!([number(&default.value)?]),
            _ => return None,
        },
        Shape::Path => match first? {
            Value::SoftPath(path) => {
                object.put("Path", Json::Null);
                paths::to_json(path, form.has_split_paths())
            }
            _ => return None,
        },
    };
    tail(&mut object);
    object.put("Value", value);
    Some(object.into_json())
}

/// Reads a struct as in memory, given its fields and their kinds of numbers.
///
/// # Errors
/// [`Fault`] if the object is not of the class of that struct, or a value is not of its type.
pub(super) fn from_json(name: &str, object: &Json, form: &Form<'_>) -> Result<Value, Fault> {
    let unknown = || Fault::new(format!("structs of the class {name} are not read"));
    let (_, shape) = shape_of(name).ok_or_else(unknown)?;
    let fields = form.native_fields(name).ok_or_else(unknown)?;
    let value = object.get("Value").unwrap_or(object);
    let within = |fault: Fault| if object.get("Value").is_some() { fault.within(".Value") } else { fault };
    let read = || -> Result<Vec<Value>, Fault> {
        let component = |object: &Json, key: &str, kind: &PropertyType| {
            let json = object.get(key).ok_or_else(|| Fault::new("is missing").within(format!(".{key}")))?;
            of_kind(json, kind).map_err(|fault| fault.within(format!(".{key}")))
        };
        match shape {
            Shape::Numbers(_) => fields.iter().map(|(key, kind)| component(value, key, kind)).collect(),
            Shape::Frame if value.is_object() => {
                fields.iter().map(|(key, kind)| component(value, key, kind)).collect()
            }
            Shape::Box(_) => fields
                .iter()
                .map(|(key, kind)| match (key.strip_prefix("Min"), key.strip_prefix("Max")) {
                    (Some(key), _) => component(value.get("Min").unwrap_or(&Json::Null), key, kind),
                    (_, Some(key)) => component(value.get("Max").unwrap_or(&Json::Null), key, kind),
                    _ => component(value, key, kind),
                })
                .collect(),
            Shape::Color => color(value),
            Shape::Guid => {
                let bytes = read_guid(value)?;
                let words = bytes.chunks_exact(4).filter_map(|word| word.first_chunk());
                Ok(words.map(|word| Value::Int(i32::from_le_bytes(*word))).collect())
            }
            Shape::List => {
                let values = value.as_array().filter(|values| values.len() == fields.len());
                let values =
                    values.ok_or_else(|| Fault::new(format!("{} numbers are needed", fields.len())))?;
                values.iter().zip(&fields).map(|(value, (_, kind))| of_kind(value, kind)).collect()
            }
            Shape::Number | Shape::Frame => fields.iter().map(|(_, kind)| of_kind(value, kind)).collect(),
            Shape::CurveKey => {
                let key = |(number, (key, kind)): (usize, &(&str, PropertyType))| {
                    let json = value.get(*key).or_else(|| object.get(*key)).unwrap_or(&Json::Null);
                    let read = match CURVE_KEY.get(number) {
                        Some((_, names)) => read_flags(json, names).and_then(|number| {
                            u8::try_from(number).map(Value::Byte).map_err(|_| Fault::new("a byte is needed"))
                        }),
                        None => of_kind(json, kind),
                    };
                    read.map_err(|fault| fault.within(format!(".{key}")))
                };
                fields.iter().enumerate().map(key).collect()
            }
            Shape::Names => Ok(vec![Value::Array(list(value, |name| read_name(name).map(Value::Name))?)]),
            Shape::PerPlatform => {
                let values = value.as_array().ok_or_else(|| Fault::new("a list is needed"))?;
                let [only] = &values[..] else { return Err(Fault::new("several platforms are not read")) };
                let (_, kind) = fields.last().ok_or_else(unknown)?;
                Ok(vec![Value::Bool(true), of_kind(only, kind)?])
            }
            Shape::Path => Ok(vec![Value::SoftPath(paths::from_json(value)?)]),
        }
    };
    let values = read().map_err(within)?;
    let fields = fields.into_iter().zip(values);
    let field = |((name, _), value): ((&str, PropertyType), Value)| Property {
        name: name.to_owned(),
        index: 0,
        value,
        form: None,
    };
    Ok(Value::Struct(fields.map(field).collect()))
}

/// Reads a number of a type.
fn of_kind(json: &Json, kind: &PropertyType) -> Result<Value, Fault> {
    Ok(match kind {
        PropertyType::Float => Value::Float(read_single(json)?),
        PropertyType::Double => Value::Double(read_float(json)?),
        PropertyType::Int32 => Value::Int(read_number(json)?),
        PropertyType::Int64 => Value::Int64(read_number(json)?),
        PropertyType::Bool => Value::Bool(read_bool(json)?),
        PropertyType::UInt8 => match json.as_bool() {
            Some(flag) => Value::Byte(flag.into()),
            None => Value::Byte(read_number(json)?),
        },
        _ => return Err(Fault::new("its type is not read")),
    })
}

/// Reads a colour, whose fields are blue, green, red, alpha.
fn color(json: &Json) -> Result<Vec<Value>, Fault> {
    let needed = || Fault::new("a colour is needed: \"R, G, B\" or \"A, R, G, B\"");
    let text = json.as_str().ok_or_else(needed)?;
    let numbers: Option<Vec<u8>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    let numbers = numbers.or_else(|| known_color(text));
    let (alpha, red, green, blue) = match numbers.as_deref() {
        Some([red, green, blue]) => (u8::MAX, *red, *green, *blue),
        Some([alpha, red, green, blue]) => (*alpha, *red, *green, *blue),
        _ => return Err(needed()),
    };
    Ok([blue, green, red, alpha].map(Value::Byte).to_vec())
}

/// Returns a colour that .NET has a name for; the common ones.
fn known_color(name: &str) -> Option<Vec<u8>> {
    const COLORS: [(&str, [u8; 4]); 10] = [
        ("Transparent", [0, 255, 255, 255]),
        ("Black", [255, 0, 0, 0]),
        ("White", [255, 255, 255, 255]),
        ("Red", [255, 255, 0, 0]),
        ("Lime", [255, 0, 255, 0]),
        ("Blue", [255, 0, 0, 255]),
        ("Yellow", [255, 255, 255, 0]),
        ("Cyan", [255, 0, 255, 255]),
        ("Magenta", [255, 255, 0, 255]),
        ("Gray", [255, 128, 128, 128]),
    ];
    COLORS.iter().find(|(known, _)| *known == name).map(|(_, color)| color.to_vec())
}
