//! What a package of a container refers to, by its names: as rows of a file.
//!
//! ```text
//! number ──► object of the code        path, and its class by what it is
//!        ──► object of another package what this says of it; none at hand: its number
//!        ──► none                      another package
//! ```

use std::collections::HashMap;

use super::game_objects::{ANY_CLASS, GameObjects};
use super::name_order::compare;
use super::{NOT_FOR_CLIENT, NOT_FOR_SERVER, PUBLIC};
use crate::base::hash;
use crate::base::object_ref::{ExportIndex, ImportIndex, ObjectRef};
use crate::ue4to6::asset::{AssetExport, AssetImport};
use crate::ue4to6::package::CLASS_DEFAULTS;
use crate::ue4to6::zen::{ZenForm, ZenHeader, ZenObject, ZenRow, ZenTables, import_parts, name_of_number};

/// The package of classes of the language itself.
const CORE: &str = "/Script/CoreUObject";

/// What a row is that is being put together.
#[derive(Clone, Debug)]
struct NewImport {
    /// The package and the name of its class; the first one that fits where it stands, of several.
    classes: Vec<[String; 2]>,
    outer: Outer,
    name: String,
}

/// What a row lies in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Outer {
    None,
    Script(u64),
    /// A package.
    Package(String),
    /// An object of a package.
    Object(String, Vec<String>),
}

/// The rows of a package.
pub(super) struct LegacyImports<'p> {
    header: &'p ZenHeader,
    tables: &'p ZenTables,
    game: &'p GameObjects<'p>,
    rows: Vec<NewImport>,
    /// What a row is, and its place.
    places: HashMap<Outer, usize>,
    /// By the number that exports have for it.
    by_number: HashMap<u64, usize>,
    /// Rows that nobody here knows: they have numbers for names.
    pub(super) unknown: usize,
}

fn class(package: &str, name: &str) -> [String; 2] {
    [package.to_owned(), name.to_owned()]
}

impl<'p> LegacyImports<'p> {
    /// Finds what all imports are.
    pub(super) fn new(header: &'p ZenHeader, tables: &'p ZenTables, game: &'p GameObjects<'p>) -> Self {
        let mut imports = Self {
            header,
            tables,
            game,
            rows: Vec::new(),
            places: HashMap::new(),
            by_number: HashMap::new(),
            unknown: 0,
        };
        // Packages have nothing but their place; the cooker sorts them by their names.
        let mut packages = imports.package_names();
        packages.sort_by(|one, other| compare(one, other));
        let mut packages = packages.into_iter();
        for (place, number) in header.imports.iter().enumerate() {
            let (key, row) = match ZenObject::of(*number) {
                ZenObject::Script(id) => (Outer::Script(id), imports.script(id)),
                ZenObject::Package(number) => imports.object(number),
                ZenObject::None | ZenObject::Export(_) => {
                    let name = packages.next().unwrap_or_else(|| "None".to_owned());
                    (Outer::Package(name.clone()), package_row(name))
                }
            };
            imports.rows.push(row);
            imports.places.entry(key).or_insert(place);
            imports.by_number.entry(*number).or_insert(place);
        }
        imports
    }

    /// Returns the names of the packages that the package needs.
    fn package_names(&self) -> Vec<String> {
        if self.header.form == ZenForm::Dependencies {
            return self.header.packages.clone();
        }
        let ids = self.game.imports_of(hash::package_id(&self.header.name));
        ids.iter().map(|id| self.package_name(*id)).collect()
    }

    /// Returns the name of a package of a number.
    fn package_name(&self, id: u64) -> String {
        self.game
            .package(id)
            .map_or_else(|| format!("/{}", name_of_number(id)), |package| package.name.clone())
    }

    /// Returns the row of an object of the code.
    fn script(&mut self, id: u64) -> NewImport {
        let Some(path) = self.game.script_path(id).map(str::to_owned) else {
            self.unknown = self.unknown.saturating_add(1);
            let classes = vec![ANY_CLASS.map(str::to_owned)];
            return NewImport { classes, outer: Outer::None, name: name_of_number(id) };
        };
        let Some(place) = path.rfind(['.', ':']) else { return package_row(path) };
        let (outer, name) = path.split_at_checked(place).unwrap_or_default();
        let name = name.get(1..).unwrap_or_default();
        let outer_id = hash::script_object(outer);
        NewImport {
            classes: self.classes_of(id, outer_id, name),
            outer: Outer::Script(outer_id),
            name: name.to_owned(),
        }
    }

    /// Returns what the class of an object of the code may be, the likeliest first.
    fn classes_of(&self, id: u64, outer: u64, name: &str) -> Vec<[String; 2]> {
        let known = self.game.script(id);
        if let Some(of) = known.and_then(|object| object.class).or_else(|| default_of(name, outer, self.game))
        {
            return self.game.script_path(of).and_then(|path| path.split_once('.')).map_or_else(
                || vec![ANY_CLASS.map(str::to_owned)],
                |(package, name)| vec![class(package, name)],
            );
        }
        if self.game.is_class(id) || known.is_none() {
            return vec![class(CORE, "Class")];
        }
        // The default object of a class may have others in it: one that is the template of an export has its class.
        let template = self.header.exports.iter().find(|row| row.template == id);
        let templates = template.and_then(|row| self.game.class(self.tables, ZenObject::of(row.class)));
        if let Some(class) = templates {
            return vec![class];
        }
        let kinds = if name.ends_with("__DelegateSignature") {
            &["DelegateFunction", "SparseDelegateFunction"][..]
        } else if self.game.is_class(outer) {
            &["Function", "Object"][..]
        } else if self.game.script(outer).is_some_and(|outer| outer.outer.is_some()) {
            &["Object"][..]
        } else if name.strip_prefix('E').is_some_and(|rest| rest.starts_with(char::is_uppercase)) {
            &["Enum", "ScriptStruct", "Function"][..]
        } else {
            &["ScriptStruct", "Enum", "Function"][..]
        };
        kinds.iter().map(|name| class(CORE, name)).collect()
    }

    /// Returns the row of an object of another package.
    fn object(&mut self, number: u64) -> (Outer, NewImport) {
        let [package, known, hash] = if self.header.form == ZenForm::Engine4 {
            // The hash of its whole path, in one of the packages that are needed.
            let ids = self.game.imports_of(hash::package_id(&self.header.name));
            let has_it =
                |id: &&u64| self.game.package(**id).is_some_and(|known| known.objects.contains_key(&number));
            let id = ids.iter().find(has_it).copied();
            [id, id, Some(number)]
        } else {
            let [package, object] =
                import_parts(number).map(|place| usize::try_from(place).unwrap_or(usize::MAX));
            let id = match self.header.form {
                ZenForm::Dependencies => self.header.packages.get(package).map(|name| hash::package_id(name)),
                _ => self.game.imports_of(hash::package_id(&self.header.name)).get(package).copied(),
            };
            [id, id, self.header.hashes.get(object).copied()]
        };
        let hash = hash.unwrap_or(number);
        let name = match (self.header.form, package) {
            (ZenForm::Dependencies, _) => {
                let [place, _] = import_parts(number);
                usize::try_from(place).ok().and_then(|place| self.header.packages.get(place)).cloned()
            }
            (_, id) => id.map(|id| self.package_name(id)),
        };
        let package = name.unwrap_or_else(|| "None".to_owned());
        let object =
            known.and_then(|id| self.game.package(id)).and_then(|known| known.objects.get(&hash).cloned());
        let (names, class) = match object {
            Some(object) => (object.names, object.class),
            None => {
                self.unknown = self.unknown.saturating_add(1);
                let path = self.tables.import_path(number);
                let name =
                    path.as_deref().and_then(|path| path.rsplit_once('.')).map(|(_, name)| name.to_owned());
                let class = name.as_deref().and_then(|name| self.game.class_by_name(name));
                let name = name.unwrap_or_else(|| name_of_number(hash));
                (vec![name], class.unwrap_or_else(|| ANY_CLASS.map(str::to_owned)))
            }
        };
        let key = Outer::Object(package.clone(), names.clone());
        let (name, outer) = match names.split_last() {
            Some((name, [])) => (name.clone(), Outer::Package(package)),
            Some((name, outer)) => (name.clone(), Outer::Object(package, outer.to_vec())),
            None => (String::new(), Outer::Package(package)),
        };
        (key, NewImport { classes: vec![class], outer, name })
    }

    /// Returns the place of what a row lies in; it is added if it is not there.
    fn outer(&mut self, outer: &Outer) -> ObjectRef {
        if *outer == Outer::None {
            return ObjectRef::None;
        }
        if let Some(place) = self.places.get(outer) {
            return ObjectRef::Import(ImportIndex::new(*place));
        }
        let row = match outer {
            Outer::Script(id) => self.script(*id),
            Outer::Package(name) => package_row(name.clone()),
            Outer::Object(package, names) => {
                let (name, above) =
                    names.split_last().map(|(name, above)| (name.clone(), above)).unwrap_or_default();
                let outer = match above {
                    [] => Outer::Package(package.clone()),
                    above => Outer::Object(package.clone(), above.to_vec()),
                };
                NewImport { classes: vec![ANY_CLASS.map(str::to_owned)], outer, name }
            }
            Outer::None => return ObjectRef::None,
        };
        let place = self.rows.len();
        self.rows.push(row);
        self.places.insert(outer.clone(), place);
        ObjectRef::Import(ImportIndex::new(place))
    }

    /// Returns what a number of an export stands for.
    fn reference(&mut self, number: u64) -> ObjectRef {
        // Packages have no number, as nothing has.
        let known = self.by_number.get(&number).filter(|_| number != u64::MAX);
        if let Some(place) = known {
            return ObjectRef::Import(ImportIndex::new(*place));
        }
        let (key, row) = match ZenObject::of(number) {
            ZenObject::None => return ObjectRef::None,
            ZenObject::Export(number) => {
                return ObjectRef::Export(ExportIndex::new(usize::try_from(number).unwrap_or(usize::MAX)));
            }
            ZenObject::Script(id) => (Outer::Script(id), self.script(id)),
            ZenObject::Package(number) => self.object(number),
        };
        let place = *self.places.entry(key).or_insert(self.rows.len());
        if place == self.rows.len() {
            self.rows.push(row);
        }
        self.by_number.insert(number, place);
        ObjectRef::Import(ImportIndex::new(place))
    }

    /// Returns an export, with what it refers to; where it lies is still open.
    pub(super) fn export(&mut self, row: &ZenRow) -> AssetExport {
        let outer = self.reference(row.outer);
        let is_public = row.flags & PUBLIC != 0;
        AssetExport {
            class: self.reference(row.class),
            super_object: self.reference(row.super_object),
            template: self.reference(row.template),
            outer,
            name: row.name.clone(),
            flags: row.flags,
            size: row.size,
            not_for_client: u32::from(row.filter == NOT_FOR_CLIENT),
            not_for_server: u32::from(row.filter == NOT_FOR_SERVER),
            not_for_editor_game: 1,
            is_asset: u32::from(outer == ObjectRef::None && is_public && row.flags & CLASS_DEFAULTS == 0),
            public_hash: u32::from(row.public_hash != 0 && !is_public),
            ..AssetExport::default()
        }
    }

    /// Returns the rows.
    pub(super) fn finish(&mut self) -> Vec<AssetImport> {
        let mut outers = Vec::new();
        // Rows may be added on the way.
        while let Some(row) = self.rows.get(outers.len()).cloned() {
            outers.push(self.outer(&row.outer));
        }
        let names: Vec<Vec<String>> = (0..self.rows.len()).map(|place| self.full_names(place)).collect();
        let mut imports = Vec::with_capacity(self.rows.len());
        let mut before = String::new();
        for (place, (row, outer)) in self.rows.iter().zip(outers).enumerate() {
            // Rows are sorted by class and path, so the neighbours show which class it can be.
            let full = names.get(place).map_or(&[][..], |names| names);
            let after = names
                .iter()
                .skip(place)
                .skip(1)
                .find(|names| names.len() == 1)
                .and_then(|names| names.first());
            let fits = |name: &&String| {
                compare(&before, name).is_le() && after.is_none_or(|after| compare(name, after).is_le())
            };
            let choice = full.iter().position(|name| fits(&name)).unwrap_or_default();
            before = full.get(choice).cloned().unwrap_or_default();
            let [class_package, class] = row.classes.get(choice).cloned().unwrap_or_default();
            imports.push(AssetImport {
                class_package,
                class,
                outer,
                name: row.name.clone(),
                ..AssetImport::default()
            });
        }
        imports
    }

    /// Returns what a row is sorted by, for each class that it may have.
    fn full_names(&self, place: usize) -> Vec<String> {
        let Some(row) = self.rows.get(place) else { return Vec::new() };
        let path = match &row.outer {
            Outer::None => row.name.clone(),
            Outer::Script(id) => {
                let outer = self.game.script_path(*id).unwrap_or_default();
                let separator = if outer.contains('.') && !outer.contains(':') { ':' } else { '.' };
                format!("{outer}{separator}{}", row.name)
            }
            Outer::Package(package) => format!("{package}.{}", row.name),
            Outer::Object(package, names) => format!("{package}.{}.{}", names.join("."), row.name),
        };
        row.classes.iter().map(|[_, class]| format!("{class} {path}")).collect()
    }
}

/// Returns the row of a package.
fn package_row(name: String) -> NewImport {
    NewImport { classes: vec![class(CORE, "Package")], outer: Outer::None, name }
}

/// Returns the class whose default object a name is, where the game does not say it.
fn default_of(name: &str, package: u64, game: &GameObjects<'_>) -> Option<u64> {
    let class = name.strip_prefix("Default__")?;
    Some(hash::script_object(&format!("{}.{class}", game.script_path(package)?)))
}
