//! Classes of exports in documents, and what each has after its properties.

use super::layout::{Field, Kind, Since, field, since};
use super::names::{CLASS_FLAGS, FUNCTION_FLAGS, Flags};

/// The class of an export in documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExportClass {
    Raw,
    Normal,
    DataTable,
    StringTable,
    Level,
    Enum,
    Struct,
    Class,
    Function,
    UserDefinedStruct,
    Property,
    MetaData,
    Field,
    ActorComponent,
    SceneComponent,
    AssetImportData,
}

const CLASSES: [(&str, ExportClass); 16] = [
    ("RawExport", ExportClass::Raw),
    ("NormalExport", ExportClass::Normal),
    ("DataTableExport", ExportClass::DataTable),
    ("StringTableExport", ExportClass::StringTable),
    ("LevelExport", ExportClass::Level),
    ("EnumExport", ExportClass::Enum),
    ("StructExport", ExportClass::Struct),
    ("ClassExport", ExportClass::Class),
    ("FunctionExport", ExportClass::Function),
    ("UserDefinedStructExport", ExportClass::UserDefinedStruct),
    ("PropertyExport", ExportClass::Property),
    ("MetaDataExport", ExportClass::MetaData),
    ("FieldExport", ExportClass::Field),
    ("ActorComponentExport", ExportClass::ActorComponent),
    ("SceneComponentExport", ExportClass::SceneComponent),
    ("AssetImportDataExport", ExportClass::AssetImportData),
];

const FIELD: &[Field] = &[field(
    "Field",
    Kind::Fields(
        "FieldTypes.UField",
        &[since(Since::LinkedFields, "Next", Kind::Object), since(Since::FieldArrays, "Next", Kind::Null)],
    ),
)];

const STRUCT: &[Field] = &[
    field("SuperStruct", Kind::Object),
    since(Since::LinkedFields, "Children", Kind::FirstOfList),
    since(Since::FieldArrays, "Children", Kind::List(&Kind::Object)),
    since(Since::Properties, "LoadedProperties", Kind::List(&Kind::Property)),
    since(Since::PropertyObjects, "LoadedProperties", Kind::NoElements),
    field("", Kind::Script),
];

const CLASS: &[Field] = &[
    field("FuncMap", Kind::List(&Kind::Tuple(&[Kind::Name, Kind::Object]))),
    field("ClassFlags", Kind::Flags(CLASS_FLAGS, 4)),
    field("ClassWithin", Kind::Object),
    field("ClassConfigName", Kind::Name),
    field("ClassGeneratedBy", Kind::Object),
    field(
        "Interfaces",
        Kind::List(&Kind::Fields(
            "ExportTypes.SerializedInterfaceReference",
            &[
                field("Class", Kind::I32),
                field("PointerOffset", Kind::I32),
                field("bImplementedByK2", Kind::WideBool),
            ],
        )),
    ),
    field("bDeprecatedForceScriptOrder", Kind::WideBool),
    field("", Kind::NoName),
    field("bCooked", Kind::WideBool),
    field("ClassDefaultObject", Kind::Object),
];

const FUNCTION: &[Field] = &[field("FunctionFlags", Kind::Flags(FUNCTION_FLAGS, 4))];

const FORMS: Flags = &[(0, "Regular"), (1, "Namespaced"), (2, "EnumClass")];

const ENUM: &[Field] = &[field(
    "Enum",
    Kind::Fields(
        "ExportTypes.UEnum",
        &[
            since(Since::WideEnums, "Names", Kind::List(&Kind::Items(&[Kind::Name, Kind::I64]))),
            since(Since::NarrowEnums, "Names", Kind::List(&Kind::Items(&[Kind::Name, Kind::U8]))),
            field("CppForm", Kind::Enumerator(FORMS, 1)),
        ],
    ),
)];

const TABLE: &[Field] = &[field(
    "Table",
    Kind::Fields(
        "",
        &[
            field("TableNamespace", Kind::Text),
            field("Value", Kind::List(&Kind::Tuple(&[Kind::Text, Kind::Text]))),
        ],
    ),
)];

/// Fields of levels in documents before 1.0.2, which took numbers for others.
pub(super) const EARLY_LEVEL: &[Field] = &[
    field("Actors", Kind::List(&Kind::I32)),
    field(
        "LevelType",
        Kind::Fields(
            "ExportTypes.NamespacedString",
            &[field("Namespace", Kind::Text), field("", Kind::Zeros(4)), field("Value", Kind::Text)],
        ),
    ),
    field("", Kind::Zeros(8)),
    field("FlagsProbably", Kind::U64),
    field("MiscCategoryData", Kind::Rest(&Kind::I32)),
    field("", Kind::Zeros(1)),
];

const LEVEL: &[Field] = &[
    since(Since::LevelOwners, "Owner", Kind::Object),
    since(Since::NoLevelOwners, "Owner", Kind::Null),
    field("Actors", Kind::List(&Kind::Object)),
    field(
        "URL",
        Kind::Fields(
            "ExportTypes.FURL",
            &[
                field("Protocol", Kind::Text),
                field("Host", Kind::Text),
                field("Map", Kind::Text),
                field("Portal", Kind::Text),
                field("Op", Kind::List(&Kind::Text)),
                field("Port", Kind::I32),
                field("Valid", Kind::I32),
            ],
        ),
    ),
    field("Model", Kind::Object),
    field("ModelComponents", Kind::List(&Kind::Object)),
    field("LevelScriptActor", Kind::Object),
    field("NavListStart", Kind::Object),
    field("NavListEnd", Kind::Object),
];

const METADATA: Kind = Kind::List(&Kind::Tuple(&[Kind::Name, Kind::Text]));

const META_DATA: &[Field] = &[
    field(
        "ObjectMetaData",
        Kind::List(&Kind::Fields(
            "ExportTypes.ObjectMetaDataEntry",
            &[field("Import", Kind::I32), field("MetaData", METADATA)],
        )),
    ),
    since(Since::RootMetadata, "RootMetaData", METADATA),
];

/// Fields of components; they are part of what is not taken apart where this program writes documents.
pub(super) const COMPONENT: &[Field] = &[field(
    "UCSModifiedProperties",
    Kind::List(&Kind::Fields(
        "ExportTypes.FSimpleMemberReference",
        &[
            field("MemberParent", Kind::Object),
            field("MemberName", Kind::Name),
            field("MemberGuid", Kind::Guid),
        ],
    )),
)];

/// Bounds of a component of a scene, after a flag.
pub(super) const BOUNDS: &[Field] = &[field(
    "Bounds",
    Kind::Fields(
        "ExportTypes.FBoxSphereBounds",
        &[field("Origin", VECTOR), field("BoxExtent", VECTOR), field("SphereRadius", Kind::Real)],
    ),
)];

const VECTOR: Kind = Kind::Fields(
    "UnrealTypes.FVector",
    &[field("X", Kind::Real), field("Y", Kind::Real), field("Z", Kind::Real)],
);

impl ExportClass {
    /// Returns the class of a name in a document.
    pub(super) fn named(name: &str) -> Option<Self> {
        CLASSES.iter().find(|(known, _)| *known == name).map(|(_, class)| *class)
    }

    /// Returns its name in documents.
    pub(super) fn name(self) -> &'static str {
        CLASSES.iter().find(|(_, class)| *class == self).map_or("RawExport", |(name, _)| name)
    }

    /// Returns the class that `UAssetAPI` has for objects of a class of the engine.
    pub(super) fn of_objects(class: &str) -> Self {
        match class {
            "Level" => Self::Level,
            "Enum" | "UserDefinedEnum" => Self::Enum,
            "Function" => Self::Function,
            "UserDefinedStruct" => Self::UserDefinedStruct,
            "MetaData" => Self::MetaData,
            "ScriptStruct" => Self::Struct,
            class if class.ends_with("DataTable") => Self::DataTable,
            class if class.ends_with("StringTable") => Self::StringTable,
            class if class.ends_with("BlueprintGeneratedClass") => Self::Class,
            class if super::field_type::is_property_class(class) => Self::Property,
            _ => Self::Normal,
        }
    }

    /// Returns the fields after the properties, a list for each class that it inherits from.
    pub(super) const fn fields(self) -> &'static [&'static [Field]] {
        match self {
            Self::StringTable => &[TABLE],
            Self::Level => &[LEVEL],
            Self::Enum => &[ENUM],
            Self::Struct | Self::UserDefinedStruct => &[FIELD, STRUCT],
            Self::Class => &[FIELD, STRUCT, CLASS],
            Self::Function => &[FIELD, STRUCT, FUNCTION],
            Self::MetaData => &[META_DATA],
            Self::Field => &[FIELD],
            Self::Raw
            | Self::Normal
            | Self::DataTable
            | Self::Property
            | Self::ActorComponent
            | Self::SceneComponent
            | Self::AssetImportData => &[],
        }
    }
}
