//! A level of a mesh as glTF 2.0, in one file (`.glb`).
//!
//! Axes become those of glTF: right-handed, Y up, in metres. The engine's are left-handed, Z up, in centimetres, so Y
//! and Z change places; triangles keep the order of their corners, which are then on the side that is seen.

use std::borrow::Cow;
use std::collections::BTreeMap;

use gltf::binary::{Glb, Header};
use gltf::json::accessor::{ComponentType, GenericComponentType, Type};
use gltf::json::buffer::{Target, View};
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::validation::{Checked, USize64};
use gltf::json::{Accessor, Buffer, Index, Material, Mesh as GltfMesh, Node, Root, Scene};
use unreal::ue4to6::class::mesh::{Geometry, Level};

/// Metres in a centimetre.
const METRES: f32 = 0.01;

/// The tables of a file and its bytes, as far as they are made.
#[derive(Default)]
struct Draft {
    root: Root,
    bytes: Vec<u8>,
}

/// Returns a level of a mesh as a file. `materials` are the names of its slots.
#[must_use]
pub(super) fn glb(name: &str, level: &Level, geometry: &Geometry, materials: &[String]) -> Vec<u8> {
    let mut draft = Draft::default();
    let position = |[x, y, z]: [f32; 3]| [x * METRES, z * METRES, y * METRES];
    let positions: Vec<[f32; 3]> = geometry.positions.iter().copied().map(position).collect();
    let mut attributes = BTreeMap::new();
    let index = draft.vectors(&positions, Type::Vec3, true);
    attributes.insert(Checked::Valid(Semantic::Positions), index);
    if !geometry.normals.is_empty() {
        let normals: Vec<[f32; 3]> = geometry.normals.iter().map(|[x, y, z]| unit([*x, *z, *y])).collect();
        attributes.insert(Checked::Valid(Semantic::Normals), draft.vectors(&normals, Type::Vec3, false));
    }
    for channel in 0..geometry.channels {
        let of_channel: Vec<[f32; 2]> =
            geometry.coordinates.iter().skip(channel).step_by(geometry.channels).copied().collect();
        let number = u32::try_from(channel).unwrap_or_default();
        let index = draft.vectors(&of_channel, Type::Vec2, false);
        attributes.insert(Checked::Valid(Semantic::TexCoords(number)), index);
    }
    let slots: Vec<Index<Material>> = materials
        .iter()
        .map(|slot| draft.root.push(Material { name: Some(slot.clone()), ..Material::default() }))
        .collect();
    let mut primitives = Vec::new();
    for section in &level.sections {
        let from = section.first_index as usize;
        let to = from.saturating_add((section.triangles as usize).saturating_mul(3));
        let Some(indices) = geometry.indices.get(from..to).filter(|indices| !indices.is_empty()) else {
            continue;
        };
        primitives.push(Primitive {
            attributes: attributes.clone(),
            extensions: None,
            extras: Default::default(),
            indices: Some(draft.indices(indices)),
            material: slots.get(section.material as usize).copied(),
            mode: Checked::Valid(Mode::Triangles),
            targets: None,
        });
    }
    let mesh = GltfMesh {
        extensions: None,
        extras: Default::default(),
        name: Some(name.to_owned()),
        primitives,
        weights: None,
    };
    let mesh = draft.root.push(mesh);
    let node = draft.root.push(Node { mesh: Some(mesh), name: Some(name.to_owned()), ..Node::default() });
    let scene = Scene { extensions: None, extras: Default::default(), name: None, nodes: vec![node] };
    draft.root.scene = Some(draft.root.push(scene));
    draft.root.asset.generator = Some("usampler".to_owned());
    draft.finish()
}

/// Returns a direction of length 1; one without a length points up.
fn unit([x, y, z]: [f32; 3]) -> [f32; 3] {
    let length = (x * x + y * y + z * z).sqrt();
    if length > 0.0 { [x / length, y / length, z / length] } else { [0.0, 1.0, 0.0] }
}

impl Draft {
    /// Adds vectors; those that are positions with their least and greatest.
    fn vectors<const N: usize>(
        &mut self,
        vectors: &[[f32; N]],
        kind: Type,
        has_bounds: bool,
    ) -> Index<Accessor> {
        let bytes: Vec<u8> = vectors.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
        let view = self.view(&bytes, Target::ArrayBuffer);
        let bound = |least: bool| {
            let of_axis = |axis: usize| {
                let numbers = vectors.iter().map(|vector| vector[axis]);
                if least { numbers.fold(f32::MAX, f32::min) } else { numbers.fold(f32::MIN, f32::max) }
            };
            has_bounds.then(|| (0..N).map(of_axis).collect::<Vec<_>>().into())
        };
        let (min, max) = (bound(true), bound(false));
        self.accessor(view, vectors.len(), ComponentType::F32, kind, (min, max))
    }

    fn indices(&mut self, indices: &[u32]) -> Index<Accessor> {
        let bytes: Vec<u8> = indices.iter().flat_map(|index| index.to_le_bytes()).collect();
        let view = self.view(&bytes, Target::ElementArrayBuffer);
        self.accessor(view, indices.len(), ComponentType::U32, Type::Scalar, (None, None))
    }

    fn view(&mut self, bytes: &[u8], target: Target) -> Index<View> {
        let at = self.bytes.len();
        self.bytes.extend(bytes);
        self.root.push(View {
            buffer: Index::new(0),
            byte_length: USize64::from(bytes.len()),
            byte_offset: Some(USize64::from(at)),
            byte_stride: None,
            name: None,
            target: Some(Checked::Valid(target)),
            extensions: None,
            extras: Default::default(),
        })
    }

    fn accessor(
        &mut self,
        view: Index<View>,
        count: usize,
        component: ComponentType,
        kind: Type,
        (min, max): (Option<serde_json::Value>, Option<serde_json::Value>),
    ) -> Index<Accessor> {
        self.root.push(Accessor {
            buffer_view: Some(view),
            byte_offset: None,
            count: USize64::from(count),
            component_type: Checked::Valid(GenericComponentType(component)),
            extensions: None,
            extras: Default::default(),
            type_: Checked::Valid(kind),
            min,
            max,
            name: None,
            normalized: false,
            sparse: None,
        })
    }

    /// Returns the file: its tables, and its bytes, each filled up to a multiple of four.
    fn finish(mut self) -> Vec<u8> {
        const HEADER: usize = 12;
        const CHUNK: usize = 8;
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let buffer = Buffer {
            byte_length: USize64::from(self.bytes.len()),
            name: None,
            uri: None,
            extensions: None,
            extras: Default::default(),
        };
        self.root.push(buffer);
        // Nothing in it fails: no keys but texts.
        let mut json = serde_json::to_vec(&self.root).unwrap_or_default();
        json.resize(json.len().next_multiple_of(4), b' ');
        let length = HEADER + CHUNK + json.len() + CHUNK + self.bytes.len();
        let file = Glb {
            header: Header { magic: *b"glTF", version: 2, length: u32::try_from(length).unwrap_or(u32::MAX) },
            json: Cow::Owned(json),
            bin: Some(Cow::Owned(self.bytes)),
        };
        file.to_vec().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use gltf::Gltf;
    use gltf::mesh::Mesh;
    use unreal::ue4to6::class::mesh::Section;

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

    fn level() -> Level {
        let section = |material, first_index, triangles| Section {
            material,
            first_index,
            triangles,
            ..Section::default()
        };
        // The second material first; one without triangles, and one beyond the indices.
        let mut level = Level::default();
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

    fn only_mesh(file: &Gltf) -> Mesh<'_> {
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
