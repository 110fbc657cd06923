//! A level of a mesh as glTF 2.0, in one file (`.glb`).
//!
//! ```text
//! │ "glTF", 2, length │ length, "JSON", tables, spaces │ length, "BIN\0", vertices and indices, zeros │
//!
//! scene ─► node ─► mesh ─► primitives: a part for each material ─► accessors ─► buffer views ─► bytes
//! ```
//!
//! Axes become those of glTF: right-handed, Y up, in metres. The engine's are left-handed, Z up, in centimetres, so Y
//! and Z change places; triangles keep the order of their corners, which are then on the side that is seen.
//!
//! Source: *glTF 2.0 Specification*, Khronos Group, "Properties Reference" and "GLB File Format Specification".

use serde::Serialize;
use serde_json::{Map, Value};
use unreal::ue4to6::class::mesh::{DetailLevel, Geometry};

/// Metres in a centimetre.
const METRES: f32 = 0.01;

/// Component types of accessors.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;

/// Targets of buffer views.
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// The tables of a file.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct GltfTables<'n> {
    accessors: Vec<Accessor>,
    asset: GltfAsset,
    buffers: Vec<Buffer>,
    buffer_views: Vec<BufferView>,
    /// Index of the scene that is shown.
    scene: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    materials: Vec<Material<'n>>,
    meshes: Vec<GltfMesh<'n>>,
    nodes: Vec<GltfNode<'n>>,
    scenes: Vec<Scene>,
}

#[derive(Serialize)]
struct GltfAsset {
    generator: &'static str,
    version: &'static str,
}

impl Default for GltfAsset {
    fn default() -> Self {
        Self { generator: "usampler", version: "2.0" }
    }
}

/// Typed numbers in a buffer view.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Accessor {
    buffer_view: usize,
    /// Number of vectors.
    count: usize,
    component_type: u32,
    /// Kind of vector.
    #[serde(rename = "type")]
    kind: &'static str,
    /// Least number of each axis.
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<Vec<f64>>,
    /// Greatest number of each axis.
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<Vec<f64>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Buffer {
    byte_length: usize,
}

/// A part of the buffer.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BufferView {
    buffer: usize,
    byte_length: usize,
    byte_offset: usize,
    target: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Material<'n> {
    alpha_mode: &'static str,
    double_sided: bool,
    name: &'n str,
    pbr_metallic_roughness: Surface,
    emissive_factor: [f32; 3],
}

/// Colour, metalness and roughness of a material, from 0 to 1.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Surface {
    base_color_factor: [f32; 4],
    metallic_factor: f32,
    roughness_factor: f32,
}

impl<'n> Material<'n> {
    /// Creates a material with the values that the specification takes for granted.
    const fn new(name: &'n str) -> Self {
        let surface = Surface { base_color_factor: [1.0; 4], metallic_factor: 1.0, roughness_factor: 1.0 };
        Self {
            alpha_mode: "OPAQUE",
            double_sided: false,
            name,
            pbr_metallic_roughness: surface,
            emissive_factor: [0.0; 3],
        }
    }
}

#[derive(Serialize)]
struct GltfMesh<'n> {
    name: &'n str,
    primitives: Vec<Primitive>,
}

/// The triangles of a material.
#[derive(Serialize)]
struct Primitive {
    /// Accessors by the name of what they hold.
    attributes: Map<String, Value>,
    /// Accessor of its indices.
    indices: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    material: Option<usize>,
}

#[derive(Serialize)]
struct GltfNode<'n> {
    mesh: usize,
    name: &'n str,
}

#[derive(Serialize)]
struct Scene {
    nodes: Vec<usize>,
}

/// The tables of a file and its bytes while they are made.
#[derive(Default)]
struct Draft<'n> {
    tables: GltfTables<'n>,
    bytes: Vec<u8>,
}

/// Returns a level of a mesh as a file. `materials` are the names of its slots.
#[must_use]
pub(super) fn glb(name: &str, level: &DetailLevel, geometry: &Geometry, materials: &[String]) -> Vec<u8> {
    let mut draft = Draft::default();
    let position = |[x, y, z]: [f32; 3]| [x * METRES, z * METRES, y * METRES];
    let positions: Vec<[f32; 3]> = geometry.positions.iter().copied().map(position).collect();
    let mut attributes = Map::new();
    attributes.insert("POSITION".to_owned(), draft.vectors(&positions, true).into());
    if !geometry.normals.is_empty() {
        let normals: Vec<[f32; 3]> = geometry.normals.iter().map(|[x, y, z]| unit([*x, *z, *y])).collect();
        attributes.insert("NORMAL".to_owned(), draft.vectors(&normals, false).into());
    }
    for channel in 0..geometry.channels {
        let of_channel: Vec<[f32; 2]> =
            geometry.coordinates.iter().skip(channel).step_by(geometry.channels).copied().collect();
        attributes.insert(format!("TEXCOORD_{channel}"), draft.vectors(&of_channel, false).into());
    }
    let mut primitives = Vec::new();
    for section in &level.sections {
        let from = section.first_index as usize;
        let to = from.saturating_add((section.triangles as usize).saturating_mul(3));
        let Some(indices) = geometry.indices.get(from..to).filter(|indices| !indices.is_empty()) else {
            continue;
        };
        let material = section.material as usize;
        primitives.push(Primitive {
            attributes: attributes.clone(),
            indices: draft.indices(indices),
            material: (material < materials.len()).then_some(material),
        });
    }
    draft.tables.materials = materials.iter().map(|slot| Material::new(slot)).collect();
    draft.tables.meshes = vec![GltfMesh { name, primitives }];
    draft.tables.nodes = vec![GltfNode { mesh: 0, name }];
    draft.tables.scenes = vec![Scene { nodes: vec![0] }];
    draft.finish()
}

/// Returns a direction of length 1; one without a length points up.
fn unit([x, y, z]: [f32; 3]) -> [f32; 3] {
    let length = (x * x + y * y + z * z).sqrt();
    if length > 0.0 { [x / length, y / length, z / length] } else { [0.0, 1.0, 0.0] }
}

impl Draft<'_> {
    /// Adds vectors, with the least and greatest of each axis if they have bounds; returns their accessor.
    fn vectors<const N: usize>(&mut self, vectors: &[[f32; N]], has_bounds: bool) -> usize {
        let bytes: Vec<u8> = vectors.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
        let bound = |from: f32, choose: fn(f32, f32) -> f32| {
            let of_axis = |axis: usize| vectors.iter().map(|vector| vector[axis]).fold(from, choose).into();
            has_bounds.then(|| (0..N).map(of_axis).collect())
        };
        let accessor = Accessor {
            buffer_view: self.view(&bytes, ARRAY_BUFFER),
            count: vectors.len(),
            component_type: FLOAT,
            kind: if N == 2 { "VEC2" } else { "VEC3" },
            min: bound(f32::MAX, f32::min),
            max: bound(f32::MIN, f32::max),
        };
        self.accessor(accessor)
    }

    fn indices(&mut self, indices: &[u32]) -> usize {
        let bytes: Vec<u8> = indices.iter().flat_map(|index| index.to_le_bytes()).collect();
        let accessor = Accessor {
            buffer_view: self.view(&bytes, ELEMENT_ARRAY_BUFFER),
            count: indices.len(),
            component_type: UNSIGNED_INT,
            kind: "SCALAR",
            min: None,
            max: None,
        };
        self.accessor(accessor)
    }

    fn view(&mut self, bytes: &[u8], target: u32) -> usize {
        let view = BufferView { buffer: 0, byte_length: bytes.len(), byte_offset: self.bytes.len(), target };
        self.bytes.extend(bytes);
        self.tables.buffer_views.push(view);
        self.tables.buffer_views.len() - 1
    }

    fn accessor(&mut self, accessor: Accessor) -> usize {
        self.tables.accessors.push(accessor);
        self.tables.accessors.len() - 1
    }

    /// Returns the file: its tables and its bytes, each filled up to a multiple of four.
    fn finish(mut self) -> Vec<u8> {
        const HEADER: usize = 12;
        const CHUNK: usize = 8;
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.tables.buffers = vec![Buffer { byte_length: self.bytes.len() }];
        // Nothing in it fails: no keys but texts.
        let mut json = serde_json::to_vec(&self.tables).unwrap_or_default();
        json.resize(json.len().next_multiple_of(4), b' ');
        let length = HEADER + CHUNK + json.len() + CHUNK + self.bytes.len();
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes();
        let mut file = Vec::with_capacity(length);
        file.extend([*b"glTF", number(2), number(length)].concat());
        for (kind, bytes) in [(*b"JSON", &json), (*b"BIN\0", &self.bytes)] {
            file.extend([number(bytes.len()), kind].concat());
            file.extend(bytes);
        }
        file
    }
}

#[cfg(test)]
mod tests {
    use gltf::{Gltf, Semantic};
    use unreal::ue4to6::class::mesh::MeshSection;

    use super::*;

    /// Two triangles that share an edge, with two coordinates of textures for each corner.
    fn geometry() -> Geometry {
        Geometry {
            positions: vec![[0.0, 0.0, 0.0], [100.0, 0.0, 0.0], [0.0, 200.0, 0.0], [0.0, 0.0, -300.0]],
            normals: vec![[0.0, 0.0, 2.0], [3.0, 4.0, 0.0], [0.0, 0.0, 0.0], [1.0, 2.0, -2.0]],
            coordinates: (0..8_u8).map(|n| [f32::from(n), 0.5]).collect(),
            channels: 2,
            indices: vec![0, 1, 2, 0, 2, 3],
            ..Geometry::default()
        }
    }

    fn level() -> DetailLevel {
        let section = |material, first_index, triangles| MeshSection {
            material,
            first_index,
            triangles,
            ..MeshSection::default()
        };
        // The second material first; one without triangles, and one beyond the indices.
        let mut level = DetailLevel::default();
        level.sections = vec![section(1, 3, 1), section(0, 0, 1), section(0, 0, 0), section(0, 4, 1)];
        level
    }

    fn parsed(bytes: &[u8]) -> (Gltf, Vec<u8>) {
        let mut file = Gltf::from_slice(bytes).unwrap();
        let binary = file.blob.take().unwrap();
        (file, binary)
    }

    /// The numbers of an accessor.
    fn floats(accessor: &gltf::Accessor<'_>, binary: &[u8]) -> Vec<f32> {
        let view = accessor.view().unwrap();
        let bytes = &binary[view.offset()..view.offset() + view.length()];
        assert_eq!(bytes.len(), accessor.count() * accessor.size());
        bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    }

    fn only_mesh(file: &Gltf) -> gltf::Mesh<'_> {
        let scene = file.default_scene().unwrap();
        let [node] = &scene.nodes().collect::<Vec<_>>()[..] else { panic!("one node") };
        assert_eq!(node.name(), Some("SM"));
        node.mesh().unwrap()
    }

    #[test]
    fn axes_lengths_and_parts_are_those_of_gltf() {
        let bytes = glb("SM", &level(), &geometry(), &["Wood".to_owned(), "Steel".to_owned()]);
        assert_eq!(bytes.len() % 4, 0);
        assert_eq!(bytes[8..12], u32::try_from(bytes.len()).unwrap().to_le_bytes());
        let (file, binary) = parsed(&bytes);
        assert_eq!(file.buffers().next().unwrap().length(), binary.len());
        let mesh = only_mesh(&file);
        assert_eq!(mesh.name(), Some("SM"));
        let parts: Vec<_> = mesh.primitives().collect();
        let materials: Vec<_> = parts.iter().map(|part| part.material().name().map(str::to_owned)).collect();
        assert_eq!(materials, [Some("Steel".to_owned()), Some("Wood".to_owned())]);
        for (part, expected) in parts.iter().zip([[0_u32, 2, 3], [0, 1, 2]]) {
            let indices = part.indices().unwrap();
            let view = indices.view().unwrap();
            let found = &binary[view.offset()..view.offset() + view.length()];
            assert_eq!(found, expected.map(u32::to_le_bytes).concat());
            assert_eq!(indices.count(), 3);
        }
        let positions = parts[0].get(&Semantic::Positions).unwrap();
        let expected = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, -3.0, 0.0];
        let found = floats(&positions, &binary);
        assert!(found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-6), "{found:?}");
        assert_eq!(found.len(), expected.len());
        let bounds = parts[0].bounding_box();
        assert_eq!((bounds.min, bounds.max[0]), ([0.0, found[10], 0.0], found[3]));
        let normals = floats(&parts[0].get(&Semantic::Normals).unwrap(), &binary);
        let third = 1.0 / 3.0;
        let expected = [0.0, 1.0, 0.0, 0.6, 0.0, 0.8, 0.0, 1.0, 0.0, third, -2.0 * third, 2.0 * third];
        assert!(normals.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-6), "{normals:?}");
        for channel in 0..2_u8 {
            let accessor = parts[0].get(&Semantic::TexCoords(channel.into())).unwrap();
            let expected: Vec<f32> =
                (0..4_u8).flat_map(|vertex| [f32::from(2 * vertex + channel), 0.5]).collect();
            assert_eq!(floats(&accessor, &binary), expected);
        }
    }

    #[test]
    fn normals_that_were_left_out_are_no_attribute() {
        let geometry = Geometry { normals: Vec::new(), ..geometry() };
        let (file, _) = parsed(&glb("SM", &level(), &geometry, &["Wood".to_owned(), "Steel".to_owned()]));
        let mesh = only_mesh(&file);
        assert!(mesh.primitives().all(|part| part.get(&Semantic::Normals).is_none()));
    }
}
