//! What a package says of itself: its tables, and where the recordings in it lie.

use std::sync::Arc;

use unreal::containers::mount::{Mount, MountedEntry};
use unreal::ue4to6::asset::AssetTables;
use unreal::ue4to6::class::sound_wave::{self, SoundWave};
use unreal::ue4to6::zen::{ScriptNames, ZenObject, ZenTables};
use unreal::{
    AssetPackage, AssetVersion, Class, Error, Limits, Mappings, ObjectRef, Package, PackageTables, Property,
    read_object,
};

/// Kinds of packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackageKind {
    /// Of Unreal Engine 1 to 3.
    Classic,
    /// Of files: `.uasset`, often with `.uexp`.
    Legacy,
    /// A chunk of an `IoStore` container.
    Zen,
}

impl PackageKind {
    /// Returns what JSON calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Classic => "classic",
            Self::Legacy => "legacy",
            Self::Zen => "zen",
        }
    }

    /// Returns the kind of a package of a game.
    #[must_use]
    pub const fn of(package: &AssetPackage) -> Self {
        match package.tables() {
            PackageTables::Asset(_) => Self::Legacy,
            PackageTables::Zen(_) => Self::Zen,
        }
    }
}

/// A package.
#[derive(Debug)]
pub struct PackageDescription {
    /// Its name: `/Game/Audio/SW_Steps`.
    pub name: String,
    /// Which kind it is.
    pub kind: PackageKind,
    /// The releases of the engine that write such packages.
    pub engine: String,
    /// Why it is taken for that.
    pub engine_reason: &'static str,
    /// Whether its properties have no tags.
    pub is_unversioned: bool,
    /// Its flags.
    pub flags: u32,
    /// Bytes of its header; none before Unreal Engine 3, where tables lie anywhere.
    pub header_size: Option<u64>,
    /// Its names.
    pub names: Vec<String>,
    /// What it refers to.
    pub imports: Vec<ImportDescription>,
    /// Its objects.
    pub exports: Vec<ExportDescription>,
}

/// An object that a package refers to.
#[derive(Debug)]
pub struct ImportDescription {
    /// Its class; none if the package does not say.
    pub class: Option<String>,
    /// Its path, or the number that the package knows it by.
    pub path: String,
}

/// An object of a package.
#[derive(Debug)]
pub struct ExportDescription {
    /// Its name.
    pub name: String,
    /// Its class, or the number that the package knows that by.
    pub class: Option<String>,
    /// The object that it lies in.
    pub outer: Option<String>,
    /// Where it begins, as stated.
    pub offset: u64,
    /// Bytes that it takes.
    pub size: u64,
    /// Its flags.
    pub flags: u64,
    /// The hash by which other packages refer to it.
    pub public_hash: Option<u64>,
    /// If it is a sound: what it states, or why that is not known.
    pub properties: Option<Result<Vec<Property>, Error>>,
    /// If it is a recording: where that lies, or why that is not known.
    pub recording: Option<Result<SoundWave, Error>>,
}

/// Describes a package. `version` is what the user knows of one that states none.
///
/// # Errors
/// If it cannot be read.
pub fn describe(
    mount: &Mount,
    entry: MountedEntry,
    scripts: &Arc<ScriptNames>,
    version: Option<AssetVersion>,
    mappings: Option<&Mappings>,
) -> Result<PackageDescription, Error> {
    let package = mount.open_package(entry, version, &mut Limits::default())?.with_scripts(scripts);
    let mut described = match package.tables() {
        PackageTables::Zen(tables) => of_zen(tables, scripts),
        PackageTables::Asset(tables) => of_asset(tables, version),
    };
    described.name = package.name().to_owned();
    described.engine = package.version().release();
    for (number, export) in described.exports.iter_mut().enumerate() {
        let Some(class) = package.sound_class(number) else { continue };
        describe_sound(&package, number, class, mappings, export);
    }
    Ok(described)
}

fn describe_sound(
    package: &AssetPackage,
    number: usize,
    class: Class,
    mappings: Option<&Mappings>,
    export: &mut ExportDescription,
) {
    let stated = read_object(package, number, mappings, &mut Limits::default());
    export.properties = Some(stated.map(|stated| stated.properties));
    export.recording = (class == Class::SoundWave).then(|| sound_wave::read(package, number));
}

fn of_zen(package: &ZenTables, scripts: &ScriptNames) -> PackageDescription {
    let summary = package.summary();
    let path = |object: ZenObject| match object {
        ZenObject::Script(number) => Some(scripts.name(number)),
        ZenObject::Package(number) => {
            Some(package.import_path(number).unwrap_or_else(|| format!("{number:016x}")))
        }
        ZenObject::Export(number) => {
            let export = usize::try_from(number).ok().and_then(|number| package.exports().get(number));
            export.map(|export| export.name.clone())
        }
        _ => None,
    };
    let exports = package.exports().iter().map(|export| ExportDescription {
        name: export.name.clone(),
        class: path(export.class),
        outer: path(export.outer),
        offset: export.offset,
        size: export.size,
        flags: export.flags.into(),
        public_hash: Some(export.public_hash),
        properties: None,
        recording: None,
    });
    let import = |object: &ZenObject| ImportDescription {
        class: None,
        path: path(*object).unwrap_or_else(|| "none".to_owned()),
    };
    PackageDescription {
        name: String::new(),
        kind: PackageKind::Zen,
        engine: String::new(),
        engine_reason: if summary.stated.is_some() { STATED } else { "the form of its tables" },
        is_unversioned: summary.is_unversioned(),
        flags: summary.flags,
        header_size: Some(summary.header_size),
        names: package.names().map(str::to_owned).collect(),
        imports: package.imports().iter().map(import).collect(),
        exports: exports.collect(),
    }
}

/// Describes a package of Unreal Engine 1 to 3. Such a package does not say what it is called: `name` is that of its
/// file.
#[must_use]
pub fn describe_classic(package: &Package, name: &str) -> PackageDescription {
    let path = |object: ObjectRef| (object != ObjectRef::None).then(|| package.path(object).to_string());
    let summary = package.summary();
    let text = |name| package.text(name).unwrap_or_default();
    let imports = package.imports().iter().enumerate().map(|(number, import)| {
        let own = i32::try_from(number).map_or(0, |number| -1 - number);
        ImportDescription {
            class: Some(format!("{}.{}", text(import.class_package), text(import.class_name))),
            path: path(ObjectRef::from_number(own)).unwrap_or_else(|| text(import.name).into_owned()),
        }
    });
    let exports = package.exports().iter().map(|export| ExportDescription {
        name: text(export.name).into_owned(),
        class: path(export.class).or_else(|| package.class_name(export).map(Into::into)),
        outer: path(export.outer),
        offset: export.body.map_or(0, |body| body.at.into()),
        size: export.body.map_or(0, |body| body.size.into()),
        flags: export.flags.bits,
        public_hash: None,
        properties: None,
        recording: None,
    });
    PackageDescription {
        name: name.to_owned(),
        kind: PackageKind::Classic,
        engine: package.identity().version.engine().to_string(),
        engine_reason: STATED,
        is_unversioned: false,
        flags: summary.flags,
        header_size: summary.header_size.map(u64::from),
        names: package.names().iter().map(|name| name.text.to_string()).collect(),
        imports: imports.collect(),
        exports: exports.collect(),
    }
}

const STATED: &str = "stated by the package";

fn of_asset(package: &AssetTables, version: Option<AssetVersion>) -> PackageDescription {
    let summary = package.summary();
    let path = |object: ObjectRef| package.path(object);
    let exports = package.exports().iter().map(|export| ExportDescription {
        name: export.name.clone(),
        class: path(export.class),
        outer: path(export.outer),
        offset: export.offset,
        size: export.size,
        flags: export.flags.into(),
        public_hash: None,
        properties: None,
        recording: None,
    });
    let imports = package.imports().iter().enumerate().map(|(number, import)| {
        let own = i32::try_from(number).map_or(0, |number| -1 - number);
        ImportDescription {
            class: Some(format!("{}.{}", import.class_package, import.class)),
            path: path(ObjectRef::from_number(own)).unwrap_or_else(|| import.name.clone()),
        }
    });
    PackageDescription {
        name: String::new(),
        kind: PackageKind::Legacy,
        engine: String::new(),
        engine_reason: match (summary.stated, version) {
            (Some(_), _) => STATED,
            (None, Some(_)) => "named by the user",
            (None, None) => "the newest whose tables fit",
        },
        is_unversioned: summary.is_unversioned(),
        flags: summary.flags,
        header_size: Some(summary.header_size),
        names: package.names().map(str::to_owned).collect(),
        imports: imports.collect(),
        exports: exports.collect(),
    }
}
