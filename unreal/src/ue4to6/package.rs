//! A package of Unreal Engine 4 to 6, whichever form it has: its objects, what they are, and their bytes.

mod class_path;
mod header_and_objects;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;

pub use class_path::ClassPath;
use header_and_objects::HeaderAndObjects;

use super::asset::AssetTables;
use super::bulk::BulkEntry;
use super::script;
use super::version::{AssetVersion, CustomVersion};
use super::zen::{ScriptNames, ZenObject, ZenTables};
use crate::base::error::{Error, Malformed};
use crate::base::limits::Limits;
use crate::base::names::Names;
use crate::base::object_ref::ObjectRef;
use crate::base::package_tag::TAG;
use crate::base::path::package_name;
use crate::base::sound_class::Class;
use crate::base::source::Source;

const WHAT: &str = "package";

/// The flag of an object that has the defaults of a class, and no GUID (Epic: `RF_ClassDefaultObject`).
pub const CLASS_DEFAULTS: u32 = 0x10;

/// The tables of a package.
#[derive(Debug)]
pub enum PackageTables {
    /// Of a file.
    Asset(Box<AssetTables>),
    /// Of a chunk.
    Zen(Box<ZenTables>),
}

/// A package and its bytes.
pub struct AssetPackage {
    name: String,
    tables: PackageTables,
    source: Box<dyn Source>,
    /// What classes are called that it knows by numbers.
    scripts: Option<Arc<ScriptNames>>,
}

/// An object of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackageObject<'p> {
    /// Name of the object.
    pub name: &'p str,
    /// Class; none if only its number is known.
    pub class: Option<ClassPath<'p>>,
    /// Flags (Epic: `EObjectFlags`).
    pub flags: u32,
    /// Stated offset in the bytes of the package (Epic: `SerialOffset`).
    pub offset: u64,
    /// Bytes that it takes, as stated.
    pub size: u64,
}

impl AssetPackage {
    /// Creates a package. `source` is all of it: header and objects.
    pub(crate) fn new(name: String, tables: PackageTables, source: Box<dyn Source>) -> Self {
        Self { name, tables, source, scripts: None }
    }

    /// Reads a package of files: its header, and its objects if those are in a file of their own; or one that lies in
    /// a file as it lay in a container. It is called as it says itself, or by the path of its file. `version` is what
    /// the user knows of one that states none.
    ///
    /// # Errors
    /// As [`AssetTables::read`].
    pub fn of_files(
        path: &str,
        header: Box<dyn Source>,
        objects: Option<Box<dyn Source>>,
        version: Option<AssetVersion>,
        limits: &mut Limits,
    ) -> Result<Self, Error> {
        let mut head = [0; 4];
        let is_tagged = header.read_at(0, &mut head).is_ok() && u32::from_le_bytes(head) == TAG;
        if !is_tagged && let Some(package) = ZenTables::recognise(&*header, limits)? {
            return Ok(Self::new(package.name().to_owned(), PackageTables::Zen(Box::new(package)), header));
        }
        let package = AssetTables::read(&*header, version, limits)?;
        let source = match objects {
            Some(objects) => Box::new(HeaderAndObjects { header, objects }),
            None => header,
        };
        let name = asset_name(path, &package.summary().folder);
        Ok(Self::new(name, PackageTables::Asset(Box::new(package)), source))
    }

    /// Reads a package of Unreal Engine 5 as it stands in a container.
    ///
    /// # Errors
    /// As [`ZenTables::parse`].
    pub fn of_chunk(source: Box<dyn Source>, limits: &mut Limits) -> Result<Self, Error> {
        let package = ZenTables::parse(&*source, limits)?;
        Ok(Self::new(package.name().to_owned(), PackageTables::Zen(Box::new(package)), source))
    }

    /// Adds what the classes of a game are called.
    #[must_use]
    pub fn with_scripts(mut self, scripts: &Arc<ScriptNames>) -> Self {
        self.scripts = Some(Arc::clone(scripts));
        self
    }

    /// Returns its name: `/Game/Audio/SW_Steps`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns its tables.
    #[must_use]
    pub const fn tables(&self) -> &PackageTables {
        &self.tables
    }

    /// Returns its bytes: header and objects, without the files of data beside them.
    #[must_use]
    pub fn source(&self) -> &dyn Source {
        &*self.source
    }

    /// Returns its bytes, as [`AssetPackage::source`] does.
    #[must_use]
    pub fn into_source(self) -> Box<dyn Source> {
        self.source
    }

    /// Returns how many objects it has.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.tables {
            PackageTables::Asset(package) => package.exports().len(),
            PackageTables::Zen(package) => package.exports().len(),
        }
    }

    /// Returns whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether its properties have no tags, so that they cannot be read without mappings.
    #[must_use]
    pub const fn is_unversioned(&self) -> bool {
        match &self.tables {
            PackageTables::Asset(package) => package.summary().is_unversioned(),
            PackageTables::Zen(package) => package.summary().is_unversioned(),
        }
    }

    /// Returns an object, counted from 0.
    #[must_use]
    pub fn export(&self, number: usize) -> Option<PackageObject<'_>> {
        Some(match &self.tables {
            PackageTables::Asset(package) => {
                let export = package.exports().get(number)?;
                let class = class_of_asset(package, export.class);
                PackageObject {
                    name: &export.name,
                    class,
                    flags: export.flags,
                    offset: export.offset,
                    size: export.size,
                }
            }
            PackageTables::Zen(package) => {
                let export = package.exports().get(number)?;
                let class = match export.class {
                    ZenObject::Script(number) => {
                        let named = || self.scripts.as_ref()?.path(number);
                        let known = script::path(number).map(ClassPath::Known);
                        known
                            .or_else(|| named()?.split_once('.').map(|(of, name)| ClassPath::Named(of, name)))
                    }
                    _ => None,
                };
                PackageObject {
                    name: &export.name,
                    class,
                    flags: export.flags,
                    offset: export.offset,
                    size: export.size,
                }
            }
        })
    }

    /// Returns the path of an object, of this package or another: `/Game/Audio/SW_Steps.SW_Steps`. None if it is none,
    /// or known by a number alone, as objects of other packages are in containers.
    #[must_use]
    pub fn path(&self, object: ObjectRef) -> Option<String> {
        match (&self.tables, object) {
            (_, ObjectRef::None) => None,
            (PackageTables::Asset(package), ObjectRef::Export(_)) => {
                Some(format!("{}.{}", self.name, package.path(object)?))
            }
            (PackageTables::Asset(package), ObjectRef::Import(_)) => package.path(object),
            (PackageTables::Zen(package), ObjectRef::Export(index)) => {
                Some(format!("{}.{}", self.name, package.exports().get(index.get())?.name))
            }
            (PackageTables::Zen(package), ObjectRef::Import(index)) => {
                match package.imports().get(index.get())? {
                    ZenObject::Script(number) => {
                        let named = || self.scripts.as_ref()?.path(*number);
                        script::path(*number).or_else(named).map(str::to_owned)
                    }
                    ZenObject::Package(number) => package.import_path(*number),
                    _ => None,
                }
            }
        }
    }

    /// Returns whether an object is one of another package and of a class of that name.
    #[must_use]
    pub fn is_import_of(&self, object: ObjectRef, class: &str) -> bool {
        let (PackageTables::Asset(package), ObjectRef::Import(index)) = (&self.tables, object) else {
            return false;
        };
        package.imports().get(index.get()).is_some_and(|import| import.class.eq_ignore_ascii_case(class))
    }

    /// Returns whether an object is one of another package and may be of a class of that name: packages in containers
    /// do not say of which class it is.
    #[must_use]
    pub fn may_be_import_of(&self, object: ObjectRef, class: &str) -> bool {
        match (&self.tables, object) {
            (PackageTables::Zen(package), ObjectRef::Import(index)) => {
                matches!(package.imports().get(index.get()), Some(ZenObject::Package(_)))
            }
            _ => self.is_import_of(object, class),
        }
    }

    /// Returns how many objects it refers to.
    #[must_use]
    pub fn imports(&self) -> usize {
        match &self.tables {
            PackageTables::Asset(package) => package.imports().len(),
            PackageTables::Zen(package) => package.imports().len(),
        }
    }

    /// Returns whether there is such an object.
    #[must_use]
    pub fn has_object(&self, object: ObjectRef) -> bool {
        match object {
            ObjectRef::None => false,
            ObjectRef::Export(index) => index.get() < self.len(),
            ObjectRef::Import(index) => index.get() < self.imports(),
        }
    }

    /// Returns the class of sounds that an object has; none if it is another, or there is no such object. The defaults
    /// of a class are no sound.
    #[must_use]
    pub fn sound_class(&self, number: usize) -> Option<Class> {
        let export = self.export(number)?;
        let class = script::class(&export.class?.to_string());
        class.filter(|_| export.flags & CLASS_DEFAULTS == 0)
    }

    /// Returns where the data lies that objects have beside themselves, if one table says so for all.
    #[must_use]
    pub fn bulk(&self) -> Option<&[BulkEntry]> {
        match &self.tables {
            PackageTables::Asset(package) => package.bulk(),
            PackageTables::Zen(package) => package.bulk(),
        }
    }

    /// Returns where its first object begins.
    #[must_use]
    pub const fn objects_at(&self) -> u64 {
        match &self.tables {
            PackageTables::Asset(package) => package.summary().header_size,
            PackageTables::Zen(package) => package.summary().header_size,
        }
    }

    /// Returns where its trailer begins; none if it has none, as cooked packages.
    #[must_use]
    pub fn trailer_offset(&self) -> Option<u64> {
        match &self.tables {
            PackageTables::Asset(package) => package.trailer_offset(),
            PackageTables::Zen(_) => None,
        }
    }

    /// Returns what is added to the places of data that objects state themselves.
    #[must_use]
    pub const fn bulk_at(&self) -> u64 {
        match &self.tables {
            PackageTables::Asset(package) => package.summary().bulk_at,
            PackageTables::Zen(_) => 0,
        }
    }

    /// Returns the version that it states, or that its form implies.
    #[must_use]
    pub fn version(&self) -> AssetVersion {
        match &self.tables {
            PackageTables::Asset(package) => package.version(),
            PackageTables::Zen(package) => {
                package.summary().stated.unwrap_or_else(|| package.summary().form.version())
            }
        }
    }

    /// Returns the versions of parts of the engine that it states.
    pub(crate) fn custom_versions(&self) -> &[CustomVersion] {
        match &self.tables {
            PackageTables::Asset(package) => &package.summary().custom_versions,
            PackageTables::Zen(package) => package.custom_versions(),
        }
    }

    /// Returns the paths of objects that it has in a table.
    pub(crate) fn soft_paths(&self) -> &[String] {
        match &self.tables {
            PackageTables::Asset(package) => package.soft_paths(),
            PackageTables::Zen(_) => &[],
        }
    }

    pub(crate) const fn names(&self) -> &Names {
        match &self.tables {
            PackageTables::Asset(package) => package.name_table(),
            PackageTables::Zen(package) => package.name_table(),
        }
    }

    /// Returns where an object lies in the bytes of the package.
    ///
    /// # Errors
    /// If there is none of that number, or it does not lie in there.
    pub fn range(&self, number: usize) -> Result<Range<u64>, Error> {
        let missing = || Error::malformed(Malformed::NoSuchEntry(number as u64), 0, WHAT);
        let export = self.export(number).ok_or_else(missing)?;
        let (end, length) = (export.offset.saturating_add(export.size), self.source.len());
        if end > length {
            return Err(Error::malformed(Malformed::OutsideFile { end, length }, export.offset, WHAT));
        }
        Ok(export.offset..end)
    }
}

/// Returns the class that an object of a file has.
fn class_of_asset(package: &AssetTables, class: ObjectRef) -> Option<ClassPath<'_>> {
    match class {
        ObjectRef::Import(index) => {
            let import = package.imports().get(index.get())?;
            let ObjectRef::Import(outer) = import.outer else { return None };
            let outer = package.imports().get(outer.get())?;
            Some(ClassPath::Named(&outer.name, &import.name))
        }
        ObjectRef::Export(index) => Some(ClassPath::Named("", &package.exports().get(index.get())?.name)),
        ObjectRef::None => None,
    }
}

impl std::fmt::Debug for AssetPackage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "package {} of {} objects", self.name, self.len())
    }
}

/// Returns the name of a package: as it says itself, where it lies among contents, or its file's.
fn asset_name(path: &str, folder: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or_default();
    let stem = file.split('.').next().unwrap_or_default();
    let says_its_name =
        folder.strip_suffix(stem).is_some_and(|before| before.starts_with('/') && before.ends_with('/'));
    if says_its_name {
        return folder.to_owned();
    }
    package_name(path).unwrap_or_else(|| path.strip_suffix(file).unwrap_or_default().to_owned() + stem)
}
