//! Types of properties of Unreal Engine 4 to 6, with their parts.

/// The type of a property, which decides how its value is written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PropertyType {
    /// True or false.
    Bool,
    /// 8 bits with a sign.
    Int8,
    /// 16 bits with a sign.
    Int16,
    /// 32 bits with a sign.
    Int32,
    /// 64 bits with a sign.
    Int64,
    /// 8 bits.
    UInt8,
    /// 16 bits.
    UInt16,
    /// 32 bits.
    UInt32,
    /// 64 bits.
    UInt64,
    /// Of single precision.
    Float,
    /// Of double precision.
    Double,
    /// A name of the table of names.
    Name,
    /// Text.
    Str,
    /// Text in UTF-8.
    Utf8Str,
    /// Text that has translations.
    Text,
    /// A reference to an object, of several kinds.
    Object,
    /// The path of one.
    SoftObject,
    /// The number of one that need not be loaded.
    LazyObject,
    /// A function of an object.
    Delegate,
    /// Several of them.
    MulticastDelegate,
    /// The path of a property of a class.
    FieldPath,
    /// A value of an enumeration, by its name or as a number of a type.
    Enum {
        /// Of the enumeration.
        name: String,
        /// The type of its numbers.
        number: Box<PropertyType>,
    },
    /// A struct of a name.
    Struct(String),
    /// Values of a type.
    Array(Box<PropertyType>),
    /// Values of a type, each once.
    Set(Box<PropertyType>),
    /// Values of a type by keys of another.
    Map(Box<(PropertyType, PropertyType)>),
    /// A value, or none.
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
    ("SoftObjectProperty", PropertyType::SoftObject),
    ("AssetObjectProperty", PropertyType::SoftObject),
    ("SoftClassProperty", PropertyType::SoftObject),
    ("LazyObjectProperty", PropertyType::LazyObject),
    ("DelegateProperty", PropertyType::Delegate),
    ("MulticastDelegateProperty", PropertyType::MulticastDelegate),
    ("MulticastInlineDelegateProperty", PropertyType::MulticastDelegate),
    ("FieldPathProperty", PropertyType::FieldPath),
];

impl PropertyType {
    /// Returns the type without parts that a name stands for.
    pub(crate) fn simple(name: &str) -> Self {
        let found = SIMPLE.iter().find(|(known, _)| *known == name);
        found.map_or_else(|| Self::Other(name.to_owned()), |(_, kind)| kind.clone())
    }

    /// Returns the name of a type, with those of its parts. Several names stand for some types; this is the one that
    /// classes mostly have.
    #[must_use]
    pub fn type_name(&self) -> TypeName {
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
    #[must_use]
    pub fn kind(&self) -> PropertyType {
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
