//! Meshes of a package, other materials for them, and their finest level for 3D programs.

mod gltf;

use unreal::ue4to6::asset::ImportedObject;
use unreal::ue4to6::class::mesh::{self, Mesh};
use unreal::{
    AssetPackage, EditablePackage, EditablePart, Error, ExportIndex, ImportIndex, Limits, Mappings,
    ObjectRef, PackageBytes, Property, PropertyError, Value,
};

/// A mesh of a package.
#[derive(Debug)]
pub struct FoundMesh {
    /// Index in the export table.
    pub export: usize,
    /// Object name.
    pub name: String,
    /// The mesh, or why it cannot be read.
    pub mesh: Result<Mesh, Error>,
}

/// Finds the meshes of a package. Without tags, mappings say what their properties are. Objects may share their bytes,
/// so all of them share the limits.
#[must_use]
pub fn meshes(package: &AssetPackage, mappings: Option<&Mappings>, limits: &mut Limits) -> Vec<FoundMesh> {
    let mut found = Vec::new();
    for export in 0..package.len() {
        let mesh = mesh::read(package, export, mappings, limits).transpose();
        let Some(mesh) = mesh else { continue };
        let name = package.export(export).map(|export| export.name.to_owned()).unwrap_or_default();
        found.push(FoundMesh { export, name, mesh });
    }
    found
}

/// Errors of exporting a mesh.
#[derive(Debug)]
#[non_exhaustive]
pub enum ExportError {
    /// The package cannot be read.
    Read(Error),
    /// The package has no mesh, or several.
    Meshes(usize),
    /// The vertices are of no known form, or not in the package.
    Vertices(Option<String>),
}

impl std::fmt::Display for ExportError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Meshes(count) => MaterialError::Meshes(*count).fmt(f),
            Self::Vertices(Some(why)) => write!(f, "the form of its vertices is not known: {why}"),
            Self::Vertices(None) => f.write_str("its vertices do not lie in the package"),
        }
    }
}

impl std::error::Error for ExportError {}

/// Returns the finest level of the mesh of a package as glTF 2.0 (`.glb`): positions, normals, coordinates of textures,
/// and a part for each material. Its skeleton is not part of that.
///
/// # Errors
/// [`ExportError`] if there is no mesh, it cannot be read, or the form of its vertices is not known.
pub fn to_glb(
    package: &AssetPackage,
    mappings: Option<&Mappings>,
    limits: &mut Limits,
) -> Result<Vec<u8>, ExportError> {
    let mut found = meshes(package, mappings, limits);
    let count = found.len();
    let (Some(FoundMesh { export, name, mesh }), 1) = (found.pop(), count) else {
        return Err(ExportError::Meshes(count));
    };
    let mesh = mesh.map_err(ExportError::Read)?;
    let level = mesh.levels.first().ok_or_else(|| ExportError::Vertices(mesh.problem.clone()))?;
    let geometry = mesh::geometry(package, export, level, limits).map_err(ExportError::Read)?;
    let geometry = geometry.ok_or(ExportError::Vertices(None))?;
    let slots: Vec<String> = mesh.materials.iter().map(|slot| slot.name.clone()).collect();
    Ok(gltf::glb(&name, level, &geometry, &slots))
}

/// Errors of setting a material.
#[derive(Debug)]
#[non_exhaustive]
pub enum MaterialError {
    /// The package cannot be read.
    Read(Error),
    /// The package has no mesh, or several.
    Meshes(usize),
    /// The mesh has no slot of that number or name; the slots that it has.
    Slot(String, Vec<String>),
    /// The package does not refer to the material, and it is not in the game.
    Material(String),
    /// The package does not refer to the material, and as one of a container it cannot come to.
    Container(String),
    /// The position of the slot's material in the package is not known.
    Place(String),
    /// The package cannot be written.
    Write(PropertyError),
}

impl std::fmt::Display for MaterialError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Meshes(0) => f.write_str("the package has no mesh"),
            Self::Meshes(count) => write!(f, "the package has {count} meshes"),
            Self::Slot(slot, slots) => write!(f, "no slot {slot}; there are {}", slots.join(", ")),
            Self::Material(path) => {
                write!(f, "the package does not refer to {path}, and it is not at hand to say what it is")
            }
            Self::Container(path) => {
                write!(
                    f,
                    "the package does not refer to {path}; one that `unpack --legacy` has written can come to"
                )
            }
            Self::Place(slot) => write!(f, "where the material of slot {slot} stands is not known"),
            Self::Write(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MaterialError {}

/// Returns the package of the class of an object, and that, by the object's package and its name; none if it is not
/// at hand.
pub type ClassOf<'c> = dyn Fn(&str, &str) -> Option<(String, String)> + 'c;

/// Gives slots of the mesh of a package other materials: each by its number or name, and the path of the material,
/// `/Game/Materials/M_Steel`. `class_of` returns the package of the class and the class of one that the package does
/// not refer to yet, by its package and its name.
///
/// # Errors
/// [`MaterialError`] if there is no such slot, what the material is is not known, or the package cannot be written.
pub fn set_materials(
    package: &AssetPackage,
    mappings: Option<&Mappings>,
    materials: &[(String, String)],
    class_of: &ClassOf<'_>,
    limits: &mut Limits,
) -> Result<PackageBytes, MaterialError> {
    let mut found = meshes(package, mappings, limits);
    let count = found.len();
    let (Some(FoundMesh { export, mesh, .. }), 1) = (found.pop(), count) else {
        return Err(MaterialError::Meshes(count));
    };
    let mesh = mesh.map_err(MaterialError::Read)?;
    let end = package.range(export).map_err(MaterialError::Read)?.end;
    let mut editable = EditablePackage::read(package, mappings, limits).map_err(MaterialError::Read)?;
    let EditablePackage { header, parts, .. } = &mut editable;
    let object = parts.iter_mut().find_map(|part| match part {
        EditablePart::Object(object) if object.export == export => Some(object),
        _ => None,
    });
    let object = object.ok_or(MaterialError::Meshes(0))?;
    for (slot, path) in materials {
        let number = slot.parse().ok().filter(|number| *number < mesh.materials.len());
        let number = number.or_else(|| mesh.materials.iter().position(|known| known.name == *slot));
        let number = number.ok_or_else(|| {
            let named = |(number, slot): (usize, &mesh::MaterialSlot)| format!("{number} {}", slot.name);
            MaterialError::Slot(slot.clone(), mesh.materials.iter().enumerate().map(named).collect())
        })?;
        let material = match object_of(package, path) {
            Some(material) => material,
            None => {
                let (of, name) = split(path);
                let class = class_of(of, name).ok_or_else(|| MaterialError::Material(path.clone()))?;
                let imported = ImportedObject { package: of, name, class: (&class.0, &class.1) };
                let import = header.import(export, &imported);
                import.ok_or_else(|| MaterialError::Container(path.clone()))?
            }
        };
        let mut is_set = set_property(&mut object.properties, number, material);
        // The class may write it as well, or alone.
        if let Some(at) = mesh.materials[number].place() {
            let begin = end.saturating_sub(object.bytes.len() as u64);
            let at = at.checked_sub(begin).and_then(|at| usize::try_from(at).ok());
            let field = at.and_then(|at| object.bytes.get_mut(at..at + size_of::<i32>()));
            if let Some(field) = field {
                field.copy_from_slice(&material.number().to_le_bytes());
                is_set = true;
            }
        }
        if !is_set {
            return Err(MaterialError::Place(slot.clone()));
        }
    }
    editable.write(mappings, limits).map_err(MaterialError::Write)
}

/// Returns the package and the name of an object by its path, whose name may be left out.
fn split(path: &str) -> (&str, &str) {
    let file = path.rsplit('/').next().unwrap_or(path);
    match file.split_once('.') {
        Some((_, name)) => (path.strip_suffix(name).map_or(path, |path| path.trim_end_matches('.')), name),
        None => (path, file),
    }
}

/// Returns the object of a path that a package has or refers to.
fn object_of(package: &AssetPackage, path: &str) -> Option<ObjectRef> {
    let (of, name) = split(path);
    let whole = format!("{of}.{name}");
    let imports = (0..package.imports()).map(|number| ObjectRef::Import(ImportIndex::new(number)));
    let exports = (0..package.len()).map(|number| ObjectRef::Export(ExportIndex::new(number)));
    let mut objects = imports.chain(exports);
    objects.find(|object| package.path(*object).is_some_and(|known| known.eq_ignore_ascii_case(&whole)))
}

/// Sets the material of a slot where properties have it; returns whether they do.
fn set_property(properties: &mut [Property], slot: usize, material: ObjectRef) -> bool {
    let list = properties.iter_mut().find(|property| property.is("StaticMaterials"));
    if let Some(Value::Array(values)) = list.map(|property| &mut property.value)
        && let Some(Value::Struct(fields)) = values.get_mut(slot)
        && let Some(field) = fields.iter_mut().find(|field| field.is("MaterialInterface"))
    {
        field.value = Value::Object(material);
        return true;
    }
    false
}
