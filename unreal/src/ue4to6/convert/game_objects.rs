//! What a game has that packages refer to by numbers: objects of its code, and public objects of its packages.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use crate::base::error::Error;
use crate::base::limits::Limits;
use crate::containers::mount::Mount;
use crate::containers::{Container, PackageEntry};
use crate::ue4to6::package::PackageTables;
use crate::ue4to6::script;
use crate::ue4to6::version::AssetVersion;
use crate::ue4to6::zen::{ScriptObject, ZenObject, ZenTables};

/// Objects of a game by their numbers.
#[derive(Debug, Default)]
pub struct GameObjects<'m> {
    mount: Option<&'m Mount>,
    scripts: HashMap<u64, ScriptObject>,
    /// Objects that have a default object: classes.
    classes: HashSet<u64>,
    /// Those by their names.
    classes_by_name: HashMap<String, u64>,
    entries: HashMap<u64, PackageEntry>,
    /// Packages that were looked into.
    known: Mutex<HashMap<u64, Option<Arc<KnownPackage>>>>,
}

/// What is known of a package.
#[derive(Debug)]
pub(super) struct KnownPackage {
    pub(super) name: String,
    /// Its public objects by their hashes; in Unreal Engine 4 by those of their whole paths.
    pub(super) objects: HashMap<u64, KnownObject>,
}

/// A public object of a package.
#[derive(Clone, Debug)]
pub(super) struct KnownObject {
    /// Its names, the outermost first.
    pub(super) names: Vec<String>,
    /// The package of its class, and the name of that.
    pub(super) class: [String; 2],
}

/// Packages that are kept in memory at a time.
const MAX_KNOWN: usize = 4096;

/// What the class of an object is said to be that nobody knows: of any.
pub(super) const ANY_CLASS: [&str; 2] = ["/Script/CoreUObject", "Object"];

impl<'m> GameObjects<'m> {
    /// Returns the objects of a mounted game.
    ///
    /// # Errors
    /// If the objects of its code, or the headers of its containers, cannot be read.
    pub fn new(mount: &'m Mount) -> Result<Self, Error> {
        let mut objects = Self { mount: Some(mount), ..Self::default() };
        for (name, container) in mount.containers() {
            let Container::IoStore(store) = &**container else { continue };
            let within = |error: Error| error.within(name.clone());
            if let Some(header) = store.header(&mut Limits::default()).map_err(within)? {
                objects.entries.extend(header.packages.into_iter().map(|package| (package.id, package)));
            }
            // Those of the container that is mounted last.
            if let Some(scripts) = store.script_objects(&mut Limits::default()).map_err(within)? {
                objects.scripts = scripts.into_iter().map(|object| (object.id, object)).collect();
            }
        }
        objects.classes = objects.scripts.values().filter_map(|object| object.class).collect();
        for id in &objects.classes {
            let name = objects.scripts.get(id).and_then(|object| object.path.rsplit_once('.'));
            let name = name.map(|(_, name)| name.to_owned()).unwrap_or_default();
            let other = objects.classes_by_name.entry(name).or_insert(*id);
            // Whatever the order in which they come.
            *other = (*other).min(*id);
        }
        Ok(objects)
    }

    /// Returns the path of an object of the code: `/Script/Engine.SoundWave`.
    pub(super) fn script_path(&self, id: u64) -> Option<&str> {
        self.scripts.get(&id).map(|object| &*object.path).or_else(|| script::path(id))
    }

    /// Returns what the game says of an object of its code.
    pub(super) fn script(&self, id: u64) -> Option<&ScriptObject> {
        self.scripts.get(&id)
    }

    /// Returns whether an object of the code is a class.
    pub(super) fn is_class(&self, id: u64) -> bool {
        self.classes.contains(&id)
    }

    /// Returns the class that an object of a package has that is not there, as far as its name says it: assets are
    /// called after their classes, as `WorldGridMaterial`.
    pub(super) fn class_by_name(&self, name: &str) -> Option<[String; 2]> {
        let starts = name.char_indices().filter(|(_, letter)| letter.is_uppercase());
        let suffixes = starts.filter_map(|(start, _)| name.get(start..));
        let id = suffixes.filter_map(|suffix| self.classes_by_name.get(suffix)).next()?;
        let (package, name) = self.script_path(*id)?.split_once('.')?;
        Some([package, name].map(str::to_owned))
    }

    /// Returns the numbers of the packages that one needs, as its container says.
    pub(super) fn imports_of(&self, package: u64) -> &[u64] {
        self.entries.get(&package).map_or(&[], |entry| &entry.imports)
    }

    /// Returns what is known of a package of a number; none if it is not there, or cannot be read.
    pub(super) fn package(&self, id: u64) -> Option<Arc<KnownPackage>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(package) = known.get(&id) {
            return package.clone();
        }
        drop(known);
        let package = self.look_into(id).map(Arc::new);
        known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_KNOWN {
            known.clear();
        }
        known.insert(id, package.clone());
        package
    }

    fn look_into(&self, id: u64) -> Option<KnownPackage> {
        let mount = self.mount?;
        let entry = mount.package(id)?;
        let package = mount.open_package(entry, None::<AssetVersion>, &mut Limits::default()).ok()?;
        let PackageTables::Zen(tables) = package.tables() else { return None };
        let objects = tables.exports().iter().enumerate().filter(|(_, export)| export.public_hash != 0);
        let objects = objects.map(|(number, export)| {
            let class = self.class(tables, export.class).unwrap_or_else(|| ANY_CLASS.map(str::to_owned));
            (export.public_hash, KnownObject { names: names_of(tables, number), class })
        });
        Some(KnownPackage { name: tables.name().to_owned(), objects: objects.collect() })
    }

    /// Returns the package and the name of a class that a package refers to; none if that is known by a number alone.
    pub(super) fn class(&self, tables: &ZenTables, class: ZenObject) -> Option<[String; 2]> {
        let split = |path: &str| {
            let (package, name) = path.split_once('.')?;
            Some([package, name].map(str::to_owned))
        };
        match class {
            ZenObject::None => None,
            ZenObject::Script(id) => split(self.script_path(id)?),
            ZenObject::Export(number) => {
                let export = tables.exports().get(usize::try_from(number).ok()?)?;
                Some([tables.name().to_owned(), export.name.clone()])
            }
            ZenObject::Package(number) => split(&tables.import_path(number)?),
        }
    }
}

/// Returns the names of an object, the outermost first.
pub(super) fn names_of(tables: &ZenTables, number: usize) -> Vec<String> {
    /// Objects that may lie in one another.
    const DEPTH: usize = 64;
    let (mut names, mut next) = (Vec::new(), Some(number));
    while let Some(export) = next.and_then(|number| tables.exports().get(number)) {
        names.push(export.name.clone());
        next = match export.outer {
            ZenObject::Export(outer) if names.len() < DEPTH => usize::try_from(outer).ok(),
            _ => None,
        };
    }
    names.reverse();
    names
}
