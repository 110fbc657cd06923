//! Types of properties of Unreal Engine 4 to 6, with their parts.

/// The type of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PropertyType {
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float,
    Double,
    Name,
    Str,
    Utf8Str,
    Text,
    /// A reference to an object, of several kinds.
    Object,
    /// The path of one.
    SoftObject,
    /// The number of one that need not be loaded.
    LazyObject,
    Delegate,
    MulticastDelegate,
    /// The path of a property of a class.
    FieldPath,
    /// A value of an enumeration, by its name or as a number of a type.
    Enum {
        name: String,
        number: Box<PropertyType>,
    },
    Struct(String),
    Array(Box<PropertyType>),
    Set(Box<PropertyType>),
    Map(Box<(PropertyType, PropertyType)>),
    Optional(Box<PropertyType>),
    /// One that is not known.
    Other(String),
}

/// Types without parts, by their names.
const SIMPLE: [(&str, PropertyType); 31] = [
    ("BoolProperty", PropertyType::Bool),
    ("Int8Property", PropertyType::Int8),
    ("Int16Property", PropertyType::Int16),
    ("IntProperty", PropertyType::Int32),
    ("Int64Property", PropertyType::Int64),
    ("ByteProperty", PropertyType::UInt8),
    ("UInt16Property", PropertyType::UInt16),
    ("UInt32Property", PropertyType::UInt32),
    ("UInt64Property", PropertyType::UInt64),
    ("FloatProperty", PropertyType::Float),
    ("DoubleProperty", PropertyType::Double),
    ("NameProperty", PropertyType::Name),
    ("StrProperty", PropertyType::Str),
    ("Utf8StrProperty", PropertyType::Utf8Str),
    ("AnsiStrProperty", PropertyType::Utf8Str),
    ("VerseStringProperty", PropertyType::Utf8Str),
    ("TextProperty", PropertyType::Text),
    ("ObjectProperty", PropertyType::Object),
    ("ClassProperty", PropertyType::Object),
    ("ObjectPtrProperty", PropertyType::Object),
    ("ClassPtrProperty", PropertyType::Object),
    ("WeakObjectProperty", PropertyType::Object),
    ("InterfaceProperty", PropertyType::Object),
    ("AssetObjectProperty", PropertyType::SoftObject),
    ("SoftObjectProperty", PropertyType::SoftObject),
    ("SoftClassProperty", PropertyType::SoftObject),
    ("LazyObjectProperty", PropertyType::LazyObject),
    ("DelegateProperty", PropertyType::Delegate),
    ("MulticastDelegateProperty", PropertyType::MulticastDelegate),
    ("MulticastInlineDelegateProperty", PropertyType::MulticastDelegate),
    ("FieldPathProperty", PropertyType::FieldPath),
];

impl PropertyType {
    /// Returns the type without parts that a name stands for.
    pub(super) fn simple(name: &str) -> Self {
        let found = SIMPLE.iter().find(|(known, _)| *known == name);
        found.map_or_else(|| Self::Other(name.to_owned()), |(_, kind)| kind.clone())
    }

    /// Returns the type with parts that a name stands for; missing ones are not known.
    pub(super) fn with_parts(name: &str, parts: Vec<Self>, names: Vec<String>) -> Self {
        let (mut parts, mut names) = (parts.into_iter(), names.into_iter());
        let mut part = || Box::new(parts.next().unwrap_or_else(|| Self::Other(String::new())));
        match name {
            "ArrayProperty" => Self::Array(part()),
            "SetProperty" => Self::Set(part()),
            "OptionalProperty" => Self::Optional(part()),
            "MapProperty" => Self::Map(Box::new((*part(), *part()))),
            "StructProperty" => Self::Struct(names.next().unwrap_or_default()),
            "EnumProperty" => Self::Enum { name: names.next().unwrap_or_default(), number: part() },
            "ByteProperty" => match names.next() {
                Some(name) => Self::Enum { name, number: Box::new(Self::UInt8) },
                None => Self::UInt8,
            },
            name => Self::simple(name),
        }
    }
}
