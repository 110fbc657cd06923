//! Meshes: their materials, bones and levels of detail.

use serde::Serialize;
use unreal::containers::mount::MountedEntry;
use unreal::ue4to6::class::mesh::{Bone, DetailLevel, MaterialSlot, Mesh, MeshKind, MeshSection};
use unreal::{AssetPackage, Limits, ObjectRef};

use super::Unread;
use crate::mesh::{FoundMesh, meshes};
use crate::packages::{GamePackages, STRUCTURES};

/// A mesh as a line of JSON.
#[derive(Clone, Debug, Serialize)]
pub struct MeshRow {
    /// Name and version of this contract.
    pub schema: &'static str,
    /// Name of its package.
    pub path: String,
    /// Name of the container of that.
    pub container: String,
    /// Index in the export table.
    pub export: usize,
    /// Object name.
    pub name: String,
    /// Class name.
    pub class: &'static str,
    /// Whether it is cooked.
    pub cooked: bool,
    /// Strip flags of the engine and of the class.
    pub strip_flags: [u8; 2],
    /// Bounds in centimetres.
    pub bounds: Option<BoundsRow>,
    /// Material slots.
    pub materials: Vec<MaterialRow>,
    /// Bones of its skeleton.
    pub bones: Vec<BoneRow>,
    /// Number of sockets.
    pub sockets: Option<usize>,
    /// Levels of detail, the finest first.
    pub lods: Vec<LodRow>,
    /// Whether it has data for Nanite.
    pub nanite: Option<bool>,
    /// Reason why parts of it are not known.
    pub problem: Option<String>,
}

/// Box and sphere around a mesh, in centimetres.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct BoundsRow {
    /// Centre.
    pub origin: [f64; 3],
    /// Half the size of the box.
    pub extent: [f64; 3],
    /// Radius of the sphere.
    pub radius: f64,
}

/// A material slot.
#[derive(Clone, Debug, Serialize)]
pub struct MaterialRow {
    /// Slot name.
    pub slot: String,
    /// Slot name in the imported file.
    pub imported_slot: Option<String>,
    /// Path of its material, or the number that the package knows it by.
    pub material: Option<String>,
    /// Path of its overlay material.
    pub overlay: Option<String>,
    /// Densities of the texture coordinates of each channel.
    pub uv_densities: Option<[f32; 4]>,
}

/// A bone.
#[derive(Clone, Debug, Serialize)]
pub struct BoneRow {
    /// Bone name.
    pub name: String,
    /// Index of its parent; negative for a root.
    pub parent: i32,
    /// Rotation from its parent as a quaternion, x, y, z, w.
    pub rotation: [f64; 4],
    /// Translation from its parent in centimetres.
    pub translation: [f64; 3],
    /// Scale.
    pub scale: [f64; 3],
}

/// A level of detail.
#[derive(Clone, Debug, Serialize)]
pub struct LodRow {
    /// Number of vertices.
    pub vertices: u32,
    /// Number of triangles.
    pub triangles: u32,
    /// Number of channels of texture coordinates.
    pub uv_channels: Option<u32>,
    /// Whether its buffers are in the package itself.
    pub inline: bool,
    /// Sections.
    pub sections: Vec<SectionRow>,
}

/// The triangles of a material.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SectionRow {
    /// Index of its material slot.
    pub material: u32,
    /// Position of its first index in the index buffer.
    pub first_index: u32,
    /// Number of triangles.
    pub triangles: u32,
    /// Index of its first vertex.
    pub first_vertex: u32,
    /// Number of vertices.
    pub vertices: u32,
}

impl MeshRow {
    /// Describes a mesh of a package.
    #[must_use]
    pub fn new(package: &AssetPackage, container: &str, export: usize, name: &str, mesh: &Mesh) -> Self {
        Self {
            schema: "usampler.mesh/1",
            path: package.name().to_owned(),
            container: container.to_owned(),
            export,
            name: name.to_owned(),
            class: match mesh.kind {
                MeshKind::Static => "StaticMesh",
                MeshKind::Skeletal => "SkeletalMesh",
            },
            cooked: mesh.is_cooked,
            strip_flags: mesh.strip_flags,
            bounds: mesh.bounds.map(|bounds| BoundsRow {
                origin: bounds.origin,
                extent: bounds.extent,
                radius: bounds.radius,
            }),
            materials: mesh.materials.iter().map(|slot| MaterialRow::new(package, slot)).collect(),
            bones: mesh.bones.iter().map(BoneRow::from).collect(),
            sockets: mesh.sockets,
            lods: mesh.levels.iter().map(LodRow::from).collect(),
            nanite: mesh.has_nanite,
            problem: mesh.problem.clone(),
        }
    }
}

impl MaterialRow {
    fn new(package: &AssetPackage, slot: &MaterialSlot) -> Self {
        let path = |object: ObjectRef| {
            (object != ObjectRef::None)
                .then(|| package.path(object).unwrap_or_else(|| format!("object {}", object.number())))
        };
        Self {
            slot: slot.name.clone(),
            imported_slot: slot.imported_name.clone(),
            material: path(slot.material),
            overlay: slot.overlay.and_then(path),
            uv_densities: slot.uv_densities,
        }
    }
}

impl From<&Bone> for BoneRow {
    fn from(bone: &Bone) -> Self {
        let Bone { name, parent, rotation, translation, scale, .. } = bone.clone();
        Self { name, parent, rotation, translation, scale }
    }
}

impl From<&DetailLevel> for LodRow {
    fn from(level: &DetailLevel) -> Self {
        Self {
            vertices: level.vertices,
            triangles: level.triangles,
            uv_channels: level.uv_channels,
            inline: level.is_inline,
            sections: level.sections.iter().map(SectionRow::from).collect(),
        }
    }
}

impl From<&MeshSection> for SectionRow {
    fn from(section: &MeshSection) -> Self {
        Self {
            material: section.material,
            first_index: section.first_index,
            triangles: section.triangles,
            first_vertex: section.first_vertex,
            vertices: section.vertices,
        }
    }
}

impl GamePackages {
    /// Describes the meshes of a package, each of which may be unreadable.
    ///
    /// # Errors
    /// If the package cannot be read.
    pub fn meshes(&self, entry: MountedEntry) -> Result<Vec<Result<MeshRow, Unread>>, Unread> {
        let package = self.package(entry).map_err(|error| self.unread(entry, error))?;
        let limits = &mut Limits::with_structures(STRUCTURES);
        let container = self.mount.container_name(entry);
        let row = |FoundMesh { export, name, mesh }| match mesh {
            Ok(mesh) => Ok(MeshRow::new(&package, container, export, &name, &mesh)),
            Err(error) => Err(Unread { object: Some(name), ..self.unread(entry, error) }),
        };
        Ok(meshes(&package, self.options.mappings.as_deref(), limits).into_iter().map(row).collect())
    }
}
