//! Meshes of Unreal Engine 5, cooked: how large they are, what they are made of, and their levels of detail.
//!
//! ```text
//! StaticMesh    properties │ strip flags │ cooked │ body │ … │ levels │ Nanite │ … │ materials
//! SkeletalMesh  properties │ strip flags │ bounds │ materials │ skeleton │ cooked │ levels │ …
//! level         strip flags │ sections │ … │ vertices and indices, if they are there
//! ```
//!
//! Vertices themselves are passed over. Levels of a skeleton's mesh that follow another are found by proof: where the
//! sections, indices and positions of one agree.
//!
//! Source: *packages-ue4-ue6*, §12, and three meshes of 5.8, measured; other releases differ in places.

mod level;
mod screen_sizes;
mod skeletal;
mod skeletal_slots;
mod static_mesh;

use std::ops::Range;

use crate::base::error::{Error, Malformed};
use crate::base::limits::Limits;
use crate::base::names::Names;
use crate::base::object_ref::ObjectRef;
use crate::base::property::{Property, Value};
use crate::base::reader::Reader;
use crate::base::source::Source;
use crate::ue4to6::package::AssetPackage;
use crate::ue4to6::property::{Mappings, read_object};
use level::LevelPlaces;
pub(crate) use screen_sizes::screen_sizes;
pub(crate) use skeletal_slots::skeletal_slots;

const WHAT: &str = "mesh";

/// A mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Class of the mesh.
    pub kind: MeshKind,
    /// What was left out: for all classes (1 the editor's data, 2 what is seen and heard), and of this one.
    pub strip_flags: [u8; 2],
    /// Bounds; none if not stated.
    pub bounds: Option<Bounds>,
    /// Material slots.
    pub materials: Vec<MaterialSlot>,
    /// Bones of the reference skeleton; empty for a static mesh.
    pub bones: Vec<Bone>,
    /// True if the mesh is cooked.
    pub is_cooked: bool,
    /// Number of sockets, where known.
    pub sockets: Option<usize>,
    /// Levels of detail, the finest first.
    pub levels: Vec<DetailLevel>,
    /// True if there is data for Nanite; none if not known.
    pub has_nanite: Option<bool>,
    /// Why some of its levels are not known.
    pub problem: Option<String>,
}

/// The class of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshKind {
    /// One that does not move in itself.
    Static,
    /// One that a skeleton moves.
    Skeletal,
}

/// A box and a sphere around a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds {
    /// The middle of both.
    pub origin: [f64; 3],
    /// From the middle of the box to its sides.
    pub extent: [f64; 3],
    /// Of the sphere.
    pub radius: f64,
}

/// A material of a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaterialSlot {
    /// The material.
    pub material: ObjectRef,
    /// The name of the slot.
    pub name: String,
    /// The name that it was imported with, if that is kept.
    pub imported_name: Option<String>,
    /// Texel densities by UV channel; none if not stated.
    pub uv_densities: Option<[f32; 4]>,
    /// The material that is drawn over it.
    pub overlay: Option<ObjectRef>,
    /// Where its material stands in the package, if not among properties.
    pub(crate) at: Option<u64>,
    /// Gameplay tags after it, as some games have them; empty where they would be.
    pub(crate) tags: Range<u64>,
}

impl MaterialSlot {
    /// Returns where its material stands in the package, if the class writes it besides its properties.
    #[must_use]
    pub const fn place(&self) -> Option<u64> {
        self.at
    }
}

/// A bone of a skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// Name of the bone.
    pub name: String,
    /// The bone that it hangs on; below zero for the root.
    pub parent: i32,
    /// Rotation relative to the parent, as a quaternion.
    pub rotation: [f64; 4],
    /// In the mesh's unit, a centimetre as a rule.
    pub translation: [f64; 3],
    /// Along its axes.
    pub scale: [f64; 3],
}

/// A level of detail.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DetailLevel {
    /// Sections, each of one material.
    pub sections: Vec<MeshSection>,
    /// Number of vertices.
    pub vertices: u32,
    /// Number of triangles.
    pub triangles: u32,
    /// Number of UV channels; none if the vertex data is in another file.
    pub uv_channels: Option<u32>,
    /// True if the vertex data is in the package.
    pub is_inline: bool,
    /// Where that is.
    pub(crate) places: Option<LevelPlaces>,
}

/// The vertices and indices of a level. Axes are those of the engine: X forward, Y to the right, Z up, in centimetres
/// as a rule.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Geometry {
    /// Positions of the vertices.
    pub positions: Vec<[f32; 3]>,
    /// The normal of each; none if they were left out.
    pub normals: Vec<[f32; 3]>,
    /// The tangent of each, and a sign.
    pub tangents: Vec<[f32; 4]>,
    /// Coordinates of textures, those of a vertex together.
    pub coordinates: Vec<[f32; 2]>,
    /// Number of UV channels of a vertex.
    pub channels: usize,
    /// Three vertices for each triangle.
    pub indices: Vec<u32>,
}

/// A part of a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshSection {
    /// Index of the material slot.
    pub material: u32,
    /// First index of the section in the index buffer.
    pub first_index: u32,
    /// Number of triangles.
    pub triangles: u32,
    /// First vertex of the section.
    pub first_vertex: u32,
    /// Number of vertices.
    pub vertices: u32,
}

/// Reads a mesh; none if the object is none.
///
/// # Errors
/// If its properties cannot be read, which need mappings if they have no tags, or what follows them ends early or
/// contradicts itself.
pub fn read(
    package: &AssetPackage,
    export: usize,
    mappings: Option<&Mappings>,
    limits: &mut Limits,
) -> Result<Option<Mesh>, Error> {
    let class = package.export(export).and_then(|export| export.class).map(|class| class.to_string());
    let kind = match class.as_deref() {
        Some("/Script/Engine.StaticMesh") => MeshKind::Static,
        Some("/Script/Engine.SkeletalMesh") => MeshKind::Skeletal,
        _ => return Ok(None),
    };
    let range = package.range(export)?;
    let stated = read_object(package, export, mappings, limits)?;
    let mut reader = MeshReader {
        source: package.source(),
        bytes: Reader::new(package.source(), WHAT, stated.end, range.end),
        names: package.names(),
        limits,
        has_doubles: package.version().has_large_coordinates(),
    };
    match kind {
        MeshKind::Static => static_mesh::read(&mut reader, &stated.properties, package),
        MeshKind::Skeletal => skeletal::read(&mut reader, package),
    }
    .map(Some)
}

/// Reads the vertices and indices of a level of a mesh; none if they do not lie in the package.
///
/// # Errors
/// If there is no such object, they end early, an index has no vertex, or they take more than the limits allow.
pub fn geometry(
    package: &AssetPackage,
    export: usize,
    level: &DetailLevel,
    limits: &mut Limits,
) -> Result<Option<Geometry>, Error> {
    let Some(places) = &level.places else { return Ok(None) };
    let range = package.range(export)?;
    let mut reader = MeshReader {
        source: package.source(),
        bytes: Reader::new(package.source(), WHAT, range.start, range.end),
        names: package.names(),
        limits,
        has_doubles: package.version().has_large_coordinates(),
    };
    reader.geometry(places).map(Some)
}

/// Reads what the class of a mesh writes.
struct MeshReader<'m, 's> {
    source: &'s dyn Source,
    bytes: Reader<'s>,
    names: &'m Names,
    limits: &'m mut Limits,
    has_doubles: bool,
}

impl<'s> MeshReader<'_, 's> {
    fn strip_flags(&mut self) -> Result<[u8; 2], Error> {
        self.bytes.array()
    }

    fn fault(&self) -> Error {
        self.bytes.error(self.bytes.at(), Malformed::NoFormFits)
    }

    /// Reads a truth, which is 0 or 1.
    fn flag(&mut self) -> Result<bool, Error> {
        let at = self.bytes.at();
        match self.bytes.u32()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(self.bytes.error(at, Malformed::NoFormFits)),
        }
    }

    fn real(&mut self) -> Result<f64, Error> {
        if self.has_doubles { self.bytes.u64().map(f64::from_bits) } else { self.bytes.f32().map(f64::from) }
    }

    fn reals<const N: usize>(&mut self) -> Result<[f64; N], Error> {
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number = self.real()?;
        }
        Ok(numbers)
    }

    fn bounds(&mut self) -> Result<Bounds, Error> {
        Ok(Bounds { origin: self.reals()?, extent: self.reals()?, radius: self.real()? })
    }

    fn object(&mut self, package: &AssetPackage) -> Result<ObjectRef, Error> {
        let at = self.bytes.at();
        let object = ObjectRef::from_number(self.bytes.i32()?);
        match object == ObjectRef::None || package.has_object(object) {
            true => Ok(object),
            false => Err(self.bytes.error(at, Malformed::NoSuchObject(object.number()))),
        }
    }

    fn name(&mut self) -> Result<String, Error> {
        let name = self.names.read_ref(&mut self.bytes)?;
        self.limits.take_growing(name.len(), self.bytes.at(), WHAT)?;
        Ok(name)
    }

    /// Reads how densely textures lie: whether that is known, whether it was given, and four numbers.
    fn uv_densities(&mut self) -> Result<[f32; 4], Error> {
        let (_known, _given) = (self.flag()?, self.flag()?);
        let mut densities = [0.0; 4];
        for density in &mut densities {
            *density = self.bytes.f32()?;
        }
        Ok(densities)
    }

    /// Returns a reader of the same bytes from a place on.
    fn from(&mut self, at: u64) -> MeshReader<'_, 's> {
        let bytes = Reader::new(self.source, WHAT, at, self.bytes.end());
        let Self { source, names, has_doubles, .. } = *self;
        MeshReader { source, bytes, names, limits: self.limits, has_doubles }
    }
}

fn number(value: Option<&Value>) -> Option<f64> {
    match value? {
        Value::Float(number) => Some((*number).into()),
        Value::Double(number) => Some(*number),
        Value::Int(number) => Some((*number).into()),
        _ => None,
    }
}

fn field<'p>(fields: &'p [Property], name: &str) -> Option<&'p Value> {
    fields.iter().find(|field| field.is(name)).map(|field| &field.value)
}

/// Returns the bounds that a property states.
fn bounds_of(value: &Value) -> Option<Bounds> {
    let Value::Struct(fields) = value else { return None };
    let vector = |name: &str| {
        let Value::Struct(parts) = field(fields, name)? else { return None };
        let part = |name| number(field(parts, name));
        // A vector that is zero may have no parts.
        Some([part("X").unwrap_or_default(), part("Y").unwrap_or_default(), part("Z").unwrap_or_default()])
    };
    Some(Bounds {
        origin: vector("Origin").unwrap_or_default(),
        extent: vector("BoxExtent").unwrap_or_default(),
        radius: number(field(fields, "SphereRadius")).unwrap_or_default(),
    })
}
