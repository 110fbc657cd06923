//! Properties: what an object states about itself. With tags, each has its name, type and size, up to the name `None`;
//! without, a schema says which there may be, and a header which there are.
//!
//! ```text
//! name │ info: type 0..3, size code 4..6, array 7 │ [struct name] │ [size] │ [array index] │ value
//! name │ type │ size │ array index │ [struct or enumeration name] │ value            from Unreal Engine 3 on
//! name │ type with its parts │ size │ flags │ value                                  from 5.4 on
//! which there are │ value │ value │ …                                                without tags, from 4.25 on
//! ```

mod built_in;
mod mappings;
mod object;
mod property_type;
mod structs;
mod tagged;
mod text;
mod typed;
mod unversioned;
mod value_reader;
mod value_writer;
mod write;

use std::borrow::Cow;

use crate::error::{Error, Malformed};
use crate::limits::{Limits, MAX_TEXT};
use crate::object::Object;
use crate::object_ref::ObjectRef;
use crate::package::name::NameRef;
use crate::package::{Package, read_string};
use crate::reader::Reader;
use crate::version::PropertyCoding;
pub(crate) use built_in::sound_wave_schema;
pub use mappings::{Mappings, MappingsError};
pub use object::{ObjectForm, ObjectProperties, TableRow, read_object};
pub(crate) use object::{PropertyWriter, read_rows, read_structs};
pub use property_type::{PropertyType, TypeName};
pub use text::{LocalizedText, TextContent};
use typed::TypedFlags;
pub use write::PropertyError;
pub(crate) use write::{NewValue, with_values};

/// A property of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Which element it is, where the property is an array; else 0.
    pub index: u32,
    /// What it says.
    pub value: Value,
    /// How it is written, if it is one of Unreal Engine 4 to 6 with a type of its own.
    pub form: Option<Box<PropertyForm>>,
}

/// How a property of Unreal Engine 4 to 6 is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PropertyForm {
    /// Its type.
    pub kind: TypeName,
    /// Its number in the schema, if it has no tag.
    pub number: u32,
    /// Whether the header says that it is zero, and it takes no bytes.
    pub is_zero: bool,
    /// Flags of its tag that do not follow from the rest; from 5.4 on.
    pub flags: u8,
    /// The GUID of its tag.
    pub guid: Option<[u8; 16]>,
    /// The GUID of its struct, where the tag states it, or that of the structs of its array.
    pub struct_guid: [u8; 16],
    /// What extends its tag; from 5.4 on.
    pub extension: Vec<u8>,
}

/// The value of a property.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A byte.
    Byte(u8),
    /// An integer.
    Int(i32),
    /// True or false.
    Bool(bool),
    /// A number.
    Float(f32),
    /// A reference to an object.
    Object(ObjectRef),
    /// A name.
    Name(String),
    /// Text.
    Text(String),
    /// An integer that may need more than 32 bits.
    Int64(i64),
    /// One without a sign.
    UInt64(u64),
    /// A number of double precision.
    Double(f64),
    /// The path of an object that need not be loaded.
    SoftPath(String),
    /// Text that has translations, or is made of others.
    Localized(Box<LocalizedText>),
    /// Values of one type.
    Array(Vec<Value>),
    /// Values of one type, each once.
    Set {
        /// What is taken out of those of the template.
        removed: Vec<Value>,
        /// What is added.
        values: Vec<Value>,
    },
    /// Values by keys.
    Map {
        /// The keys of what is taken out of that of the template.
        removed: Vec<Value>,
        /// What is added.
        pairs: Vec<(Value, Value)>,
    },
    /// Values with names.
    Struct(Vec<Property>),
    /// What is not taken apart here: structs, arrays, maps and the like.
    Opaque {
        /// Name of the type, or of the struct.
        kind: String,
        /// Place of the value in the file.
        at: u64,
        /// Its size in bytes.
        size: u32,
    },
    /// The bytes of such a value.
    Bytes(Vec<u8>),
}

/// The types a tag can state, by their code. Codes 0 and 16 on are not in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Byte,
    Int,
    Bool,
    Float,
    Object,
    Name,
    Text,
    Struct,
    Opaque(&'static str),
}

impl Type {
    /// Source: Unreal Wiki, *Package File Format*, "Properties"; the order of the codes as `UELib` has it.
    const fn of(code: u8) -> Option<Self> {
        Some(match code {
            1 => Self::Byte,
            2 => Self::Int,
            3 => Self::Bool,
            4 => Self::Float,
            5 => Self::Object,
            6 => Self::Name,
            7 => Self::Opaque("String"),
            8 => Self::Opaque("Class"),
            9 => Self::Opaque("Array"),
            10 => Self::Struct,
            11 => Self::Opaque("Vector"),
            12 => Self::Opaque("Rotator"),
            13 => Self::Text,
            14 => Self::Opaque("Map"),
            15 => Self::Opaque("FixedArray"),
            _ => return None,
        })
    }
}

/// Reads the properties up to `None`; `each` is called with each and where its value ends.
pub(crate) fn read(
    reader: &mut Reader<'_>,
    package: &Package,
    limits: &mut Limits,
    each: &mut dyn FnMut(&Property, u64),
) -> Result<Vec<Property>, Error> {
    let mut properties = Vec::new();
    loop {
        let at = reader.at();
        let name = read_name(reader, package)?;
        if name.eq_ignore_ascii_case("None") {
            return Ok(properties);
        }
        limits.take_growing(cost(&name), at, "property")?;
        let property = match package.layout().properties {
            PropertyCoding::InfoByte => read_property(reader, &name, package, limits),
            PropertyCoding::TypeName { enum_names, small_bools } => {
                let flags = TypedFlags { enum_names, small_bools };
                typed::read_property(reader, &name, package, flags, limits)
            }
        };
        let property = property.map_err(|error| error.within(format!("property {name}")))?;
        each(&property, reader.at());
        properties.push(property);
    }
}

fn read_property(
    reader: &mut Reader<'_>,
    name: &str,
    package: &Package,
    limits: &mut Limits,
) -> Result<Property, Error> {
    let at = reader.at();
    let info = reader.u8()?;
    let code = info & 0x0F;
    let kind = Type::of(code).ok_or_else(|| reader.error(at, Malformed::PropertyType(code)))?;
    let marked = info & 0x80 != 0;
    let struct_name = if kind == Type::Struct { read_name(reader, package)? } else { Cow::Borrowed("") };
    let size = read_size(reader, info >> 4 & 0x07)?;
    // The mark says array for all types but Bool, whose value it is.
    let index = if marked && kind != Type::Bool { read_array_index(reader)? } else { 0 };
    let value_at = reader.at();
    let end = value_at.saturating_add(size.into());
    let value = match kind {
        Type::Bool => Value::Bool(marked),
        Type::Byte => Value::Byte(reader.u8()?),
        Type::Int => Value::Int(reader.i32()?),
        Type::Float => Value::Float(reader.f32()?),
        Type::Object => Value::Object(ObjectRef::from_number(reader.compact()?)),
        Type::Name => {
            let text = read_name(reader, package)?;
            limits.take_growing(cost(&text), value_at, "property")?;
            Value::Name(text.into_owned())
        }
        Type::Text => {
            let mut text = String::new();
            read_string(reader, &mut text, MAX_TEXT, limits)?;
            Value::Text(text)
        }
        Type::Struct => opaque(&struct_name, value_at, size, limits)?,
        Type::Opaque(kind) => opaque(kind, value_at, size, limits)?,
    };
    match kind {
        Type::Bool | Type::Struct | Type::Opaque(_) => reader.skip(size.into())?,
        _ if reader.at() != end => {
            let kind = value.kind();
            return Err(reader.error(at, Malformed::PropertySize { kind, size }));
        }
        _ => {}
    }
    Ok(Property::plain(name.to_owned(), index, value))
}

impl Value {
    fn kind(&self) -> &'static str {
        match self {
            Self::Byte(_) => "Byte",
            Self::Int(_) => "Int",
            Self::Bool(_) => "Bool",
            Self::Float(_) => "Float",
            Self::Object(_) => "Object",
            Self::Name(_) => "Name",
            Self::Text(_) | Self::SoftPath(_) | Self::Localized(_) => "Str",
            Self::Int64(_) | Self::UInt64(_) => "Int64",
            Self::Double(_) => "Double",
            Self::Array(_) => "Array",
            Self::Set { .. } => "Set",
            Self::Map { .. } => "Map",
            Self::Struct(_) => "Struct",
            Self::Opaque { .. } | Self::Bytes(_) => "opaque",
        }
    }
}

fn opaque(kind: &str, at: u64, size: u32, limits: &mut Limits) -> Result<Value, Error> {
    limits.take_growing(cost(kind), at, "property")?;
    Ok(Value::Opaque { kind: kind.to_owned(), at, size })
}

/// Returns what a property with that text takes in memory.
fn cost(text: &str) -> usize {
    size_of::<Property>().saturating_add(text.len())
}

fn read_name<'p>(reader: &mut Reader<'_>, package: &'p Package) -> Result<Cow<'p, str>, Error> {
    let at = reader.at();
    let name = NameRef::read(reader, package.layout())?;
    package.text(name).ok_or_else(|| reader.error(at, Malformed::NoSuchName(name.index.number())))
}

impl Property {
    /// Creates a property whose type follows from its value, or from what it is part of.
    pub(crate) const fn plain(name: String, index: u32, value: Value) -> Self {
        Self { name, index, value, form: None }
    }

    /// Returns whether it has that name. Names of the engine have no case: packages write them as they were first met.
    #[must_use]
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Returns the elements of an array of structs of Unreal Engine 3 that are written property by property; none if it
    /// is no such array.
    ///
    /// # Errors
    /// `Malformed` if they do not end within the array's value, `OverLimit`, `Io`.
    pub fn structs(&self, object: &mut Object<'_>) -> Result<Vec<Vec<Self>>, Error> {
        let Value::Opaque { kind, at, size } = &self.value else { return Ok(Vec::new()) };
        if kind != "ArrayProperty" {
            return Ok(Vec::new());
        }
        let end = at.saturating_add((*size).into());
        let mut reader = Reader::new(object.source, "array", *at, end).with_layout(object.package.layout());
        let count = reader.count(8)?;
        let mut structs = Vec::new();
        for _ in 0..count {
            object.limits.take_growing(size_of::<Vec<Self>>(), *at, "array")?;
            structs.push(read(&mut reader, object.package, object.limits, &mut |_, _| {})?);
        }
        Ok(structs)
    }

    /// Returns the numbers of an array of integers or objects of Unreal Engine 3; none if it is no such array.
    ///
    /// # Errors
    /// `Malformed` if the array says it is longer than its value, `OverLimit`, `Io`.
    pub fn numbers(&self, object: &mut Object<'_>) -> Result<Vec<i32>, Error> {
        let Value::Opaque { kind, at, size } = &self.value else { return Ok(Vec::new()) };
        if kind != "ArrayProperty" {
            return Ok(Vec::new());
        }
        let end = at.saturating_add((*size).into());
        let mut reader = Reader::new(object.source, "array", *at, end).with_layout(object.package.layout());
        let count = reader.count(4)?;
        // With what becomes of them: references that are followed.
        object.limits.take_table::<[u64; 6]>(count, *at, "array")?;
        let mut numbers = Vec::with_capacity(count);
        for _ in 0..count {
            numbers.push(reader.i32()?);
        }
        Ok(numbers)
    }
}

/// Returns the size of a value: stated by the code alone, or by one, two or four bytes that follow.
fn read_size(reader: &mut Reader<'_>, code: u8) -> Result<u32, Error> {
    match code {
        0 => Ok(1),
        1 => Ok(2),
        2 => Ok(4),
        3 => Ok(12),
        4 => Ok(16),
        5 => reader.u8().map(u32::from),
        6 => reader.u16().map(u32::from),
        _ => reader.u32(),
    }
}

/// Returns an array index in one, two or four bytes, high end first; the upper bits of the first say which.
fn read_array_index(reader: &mut Reader<'_>) -> Result<u32, Error> {
    let first = reader.u8()?;
    Ok(match first >> 6 {
        0 | 1 => first.into(),
        2 => u16::from_be_bytes([first & 0x3F, reader.u8()?]).into(),
        _ => u32::from_be_bytes([first & 0x3F, reader.u8()?, reader.u8()?, reader.u8()?]),
    })
}
