//! Types of properties of Unreal Engine 4 to 6, with their parts.

/// The type of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PropertyType {
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

    /// Returns the name of a type, with those of its parts. Several names stand for some types; this is the one that
    /// classes mostly have.
    pub(super) fn type_name(&self) -> TypeName {
        let with = |name: &str, parts: Vec<TypeName>| TypeName { name: name.to_owned(), parts };
        match self {
            Self::Enum { name, number } => {
                with("EnumProperty", vec![TypeName::simple(name), number.type_name()])
            }
            Self::Struct(name) => with("StructProperty", vec![TypeName::simple(name)]),
            Self::Array(part) => with("ArrayProperty", vec![part.type_name()]),
            Self::Set(part) => with("SetProperty", vec![part.type_name()]),
            Self::Optional(part) => with("OptionalProperty", vec![part.type_name()]),
            Self::Map(parts) => with("MapProperty", vec![parts.0.type_name(), parts.1.type_name()]),
            Self::Other(name) => TypeName::simple(name),
            simple => {
                let found = SIMPLE.iter().find(|(_, kind)| kind == simple);
                TypeName::simple(found.map_or("", |(name, _)| name))
            }
        }
    }
}

/// The name of a type, and of its parts: `ArrayProperty` of `StructProperty` of `LinearColor`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypeName {
    /// Its own.
    pub name: String,
    /// Those of what it is made of, as far as its form states them.
    pub parts: Vec<TypeName>,
}

impl TypeName {
    /// Creates the name of a type without parts.
    #[must_use]
    pub fn simple(name: &str) -> Self {
        Self { name: name.to_owned(), parts: Vec::new() }
    }

    /// Returns the type that it stands for; parts that are missing are not known.
    pub(crate) fn kind(&self) -> PropertyType {
        let name_of = |part: Option<&Self>| part.map(|part| part.name.clone()).unwrap_or_default();
        let kind_of =
            |part: Option<&Self>| part.map_or_else(|| PropertyType::Other(String::new()), Self::kind);
        let (first, second) = (self.parts.first(), self.parts.get(1));
        match self.name.as_str() {
            "ArrayProperty" => PropertyType::Array(Box::new(kind_of(first))),
            "SetProperty" => PropertyType::Set(Box::new(kind_of(first))),
            "OptionalProperty" => PropertyType::Optional(Box::new(kind_of(first))),
            "MapProperty" => PropertyType::Map(Box::new((kind_of(first), kind_of(second)))),
            "StructProperty" => PropertyType::Struct(name_of(first)),
            // With tags of the earlier form its values have their names.
            "EnumProperty" => PropertyType::Enum {
                name: name_of(first),
                number: Box::new(second.map_or(PropertyType::UInt8, Self::kind)),
            },
            "ByteProperty" if first.is_some() => {
                PropertyType::Enum { name: name_of(first), number: Box::new(PropertyType::UInt8) }
            }
            name => PropertyType::simple(name),
        }
    }
}
