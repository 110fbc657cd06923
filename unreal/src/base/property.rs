//! The properties of objects, as all generations of the engine have them. How they are written is in
//! [`crate::ue1to3`] and [`crate::ue4to6::property`].

mod property_type;
mod text;

use super::object_ref::ObjectRef;
pub use property_type::{PropertyType, TypeName};
pub use text::{LocalizedText, TextContent};

/// A property of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// Name of the property.
    pub name: String,
    /// Index of the element in a static array; else 0 (Epic: `ArrayIndex`).
    pub index: u32,
    /// Value of the property.
    pub value: Value,
    /// Details of its tag, if the property is of Unreal Engine 4 to 6 and has a type of its own.
    pub form: Option<Box<PropertyForm>>,
}

/// Details of a property tag of Unreal Engine 4 to 6 (Epic: `FPropertyTag`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PropertyForm {
    /// Type of the property.
    pub kind: TypeName,
    /// Index in the schema, if the property has no tag.
    pub number: u32,
    /// True if the header marks the value as zero, so that it takes no bytes.
    pub is_zero: bool,
    /// Flags of its tag that do not follow from the rest; from 5.4 on.
    pub flags: u8,
    /// The GUID of its tag.
    pub guid: Option<[u8; 16]>,
    /// The GUID of its struct, where the tag states it, or that of the structs of its array.
    pub struct_guid: [u8; 16],
    /// Extension of the tag; from 5.4 on.
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

impl Value {
    /// Returns the name of its type, for messages.
    pub(crate) fn kind(&self) -> &'static str {
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
}
