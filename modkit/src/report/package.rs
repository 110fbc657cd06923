//! The tables of a package, and the chunks of its recordings.

use serde::Serialize;
use unreal::AssetVersion;
use unreal::containers::mount::MountedEntry;
use unreal::ue4to6::asset::AssetTables;
use unreal::ue4to6::zen::ScriptNames;
use unreal::ue4to6::zen::{ZenObject, ZenTables};
use unreal::{Error, ObjectRef, Package, PackageTables};

use super::sound::SoundDetails;
use crate::PackageKind;
use crate::packages::GamePackages;

/// Name and version of the contract.
const SCHEMA: &str = "usampler.package/2";

const STATED: &str = "stated by the package";

/// A package as a line of JSON.
#[derive(Clone, Debug, Serialize)]
pub struct PackageRow {
    /// Name and version of this contract.
    pub schema: &'static str,
    /// Name of the package: `/Game/Audio/SW_Steps`. Of a package of Unreal Engine 1 to 3, which does not state one,
    /// the name of its file.
    pub path: String,
    /// Name of its container. Of a package of Unreal Engine 1 to 3 the path of its file.
    pub container: String,
    /// Name of its kind: [`PackageKind::name`].
    pub kind: &'static str,
    /// Releases of the engine that write such packages.
    pub engine: String,
    /// Reason why it is taken for that.
    pub engine_reason: &'static str,
    /// Whether its properties have no tags.
    pub unversioned: bool,
    /// Package flags.
    pub flags: u32,
    /// Size of its header in bytes; none before Unreal Engine 3, where tables may be anywhere.
    pub header_size: Option<u64>,
    /// Name table.
    pub names: Vec<String>,
    /// Import table.
    pub imports: Vec<ImportRow>,
    /// Export table.
    pub exports: Vec<ExportRow>,
}

/// An object that a package refers to.
#[derive(Clone, Debug, Serialize)]
pub struct ImportRow {
    /// Its class; none if the package does not say.
    pub class: Option<String>,
    /// Its path, or the number that the package knows it by.
    pub path: String,
}

/// An object of a package.
#[derive(Clone, Debug, Serialize)]
pub struct ExportRow {
    /// Index in the export table.
    pub index: usize,
    /// Object name.
    pub name: String,
    /// Its class, or the number that the package knows that by.
    pub class: Option<String>,
    /// The object that contains it.
    pub outer: Option<String>,
    /// Offset of its data as stated.
    pub offset: u64,
    /// Size of its data in bytes.
    pub size: u64,
    /// Object flags.
    pub flags: u64,
    /// The hash by which other packages refer to it, in hexadecimal.
    pub public_hash: Option<String>,
    /// Its properties and recording, if it is a sound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sound: Option<SoundDetails>,
}

impl PackageRow {
    /// Describes a package of a game.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn read(packages: &GamePackages, entry: MountedEntry) -> Result<Self, Error> {
        let package = packages.package(entry)?;
        let mut row = match package.tables() {
            PackageTables::Zen(tables) => of_zen(tables, &packages.scripts),
            PackageTables::Asset(tables) => of_asset(tables, packages.options.version),
        };
        row.path = package.name().to_owned();
        row.container = packages.mount.container_name(entry).to_owned();
        row.engine = package.version().release();
        for export in &mut row.exports {
            if let Some(class) = package.sound_class(export.index) {
                export.sound = Some(SoundDetails::read(
                    &package,
                    export.index,
                    class,
                    packages.options.mappings.as_deref(),
                ));
            }
        }
        Ok(row)
    }

    /// Describes a package of Unreal Engine 1 to 3. `name` is that of its file and becomes [`PackageRow::path`];
    /// `container` is the path of that file.
    #[must_use]
    pub fn of_classic(package: &Package, name: &str, container: &str) -> Self {
        of_classic(package, name, container)
    }
}

fn of_zen(package: &ZenTables, scripts: &ScriptNames) -> PackageRow {
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
    let exports = package.exports().iter().enumerate().map(|(index, export)| ExportRow {
        index,
        name: export.name.clone(),
        class: path(export.class),
        outer: path(export.outer),
        offset: export.offset,
        size: export.size,
        flags: export.flags.into(),
        public_hash: Some(format!("{:016x}", export.public_hash)),
        sound: None,
    });
    let import = |object: &ZenObject| ImportRow {
        class: None,
        path: path(*object).unwrap_or_else(|| "none".to_owned()),
    };
    PackageRow {
        schema: SCHEMA,
        path: String::new(),
        container: String::new(),
        kind: PackageKind::Zen.name(),
        engine: String::new(),
        engine_reason: if summary.stated.is_some() { STATED } else { "the form of its tables" },
        unversioned: summary.is_unversioned(),
        flags: summary.flags,
        header_size: Some(summary.header_size),
        names: package.names().map(str::to_owned).collect(),
        imports: package.imports().iter().map(import).collect(),
        exports: exports.collect(),
    }
}

fn of_classic(package: &Package, name: &str, container: &str) -> PackageRow {
    let path = |object: ObjectRef| (object != ObjectRef::None).then(|| package.path(object).to_string());
    let summary = package.summary();
    let text = |name| package.text(name).unwrap_or_default();
    let imports = package.imports().iter().enumerate().map(|(number, import)| {
        let own = i32::try_from(number).map_or(0, |number| -1 - number);
        ImportRow {
            class: Some(format!("{}.{}", text(import.class_package), text(import.class_name))),
            path: path(ObjectRef::from_number(own)).unwrap_or_else(|| text(import.name).into_owned()),
        }
    });
    let exports = package.exports().iter().enumerate().map(|(index, export)| ExportRow {
        index,
        name: text(export.name).into_owned(),
        class: path(export.class).or_else(|| package.class_name(export).map(Into::into)),
        outer: path(export.outer),
        offset: export.body.map_or(0, |body| body.at.into()),
        size: export.body.map_or(0, |body| body.size.into()),
        flags: export.flags.bits,
        public_hash: None,
        sound: None,
    });
    PackageRow {
        schema: SCHEMA,
        path: name.to_owned(),
        container: container.to_owned(),
        kind: PackageKind::Classic.name(),
        engine: package.identity().version.engine().to_string(),
        engine_reason: STATED,
        unversioned: false,
        flags: summary.flags,
        header_size: summary.header_size.map(u64::from),
        names: package.names().iter().map(|name| name.text.to_string()).collect(),
        imports: imports.collect(),
        exports: exports.collect(),
    }
}

fn of_asset(package: &AssetTables, version: Option<AssetVersion>) -> PackageRow {
    let summary = package.summary();
    let path = |object: ObjectRef| package.path(object);
    let exports = package.exports().iter().enumerate().map(|(index, export)| ExportRow {
        index,
        name: export.name.clone(),
        class: path(export.class),
        outer: path(export.outer),
        offset: export.offset,
        size: export.size,
        flags: export.flags.into(),
        public_hash: None,
        sound: None,
    });
    let imports = package.imports().iter().enumerate().map(|(number, import)| {
        let own = i32::try_from(number).map_or(0, |number| -1 - number);
        ImportRow {
            class: Some(format!("{}.{}", import.class_package, import.class)),
            path: path(ObjectRef::from_number(own)).unwrap_or_else(|| import.name.clone()),
        }
    });
    PackageRow {
        schema: SCHEMA,
        path: String::new(),
        container: String::new(),
        kind: PackageKind::Legacy.name(),
        engine: String::new(),
        engine_reason: match (summary.stated, version) {
            (Some(_), _) => STATED,
            (None, Some(_)) => "named by the user",
            (None, None) => "the newest whose tables fit",
        },
        unversioned: summary.is_unversioned(),
        flags: summary.flags,
        header_size: Some(summary.header_size),
        names: package.names().map(str::to_owned).collect(),
        imports: imports.collect(),
        exports: exports.collect(),
    }
}
