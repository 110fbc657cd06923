//! `StaticMesh`.

use super::{DetailLevel, MaterialSlot, Mesh, MeshKind, MeshReader, MeshSection, bounds_of, field};
use crate::base::error::Error;
use crate::base::object_ref::ObjectRef;
use crate::base::property::{Property, Value};
use crate::ue4to6::package::AssetPackage;

/// Levels that a mesh may have.
const MAX_LEVELS: u32 = 64;

/// Sections that a level may have.
const MAX_SECTIONS: u32 = 4096;

/// Forms of stored materials: whether one may be drawn over it, and their bytes.
pub(super) const SLOTS: [(bool, u64); 2] = [(true, 40), (false, 36)];

/// Most stored materials that are looked for.
pub(super) const MAX_SLOTS: u64 = 256;

/// Flags of what was left out of a level.
const NO_REVERSED: u8 = 4;
const NO_RAY_TRACING: u8 = 8;

/// The form of a level.
#[derive(Clone, Copy, Debug)]
struct LevelForm {
    /// Whether it has bounds of its own.
    has_bounds: bool,
    /// Whether it says that it has data for ray tracing.
    says_ray_tracing: bool,
}

/// Forms of levels: that of 5.8, measured, and two with less, as releases before it are described. What follows the
/// levels proves which it is.
const FORMS: [LevelForm; 3] = [
    LevelForm { has_bounds: true, says_ray_tracing: true },
    LevelForm { has_bounds: false, says_ray_tracing: true },
    LevelForm { has_bounds: false, says_ray_tracing: false },
];

pub(super) fn read(
    reader: &mut MeshReader<'_, '_>,
    properties: &[Property],
    package: &AssetPackage,
) -> Result<Mesh, Error> {
    let mut mesh = Mesh {
        kind: MeshKind::Static,
        strip_flags: reader.strip_flags()?,
        bounds: field(properties, "ExtendedBounds").and_then(bounds_of),
        materials: materials(properties),
        bones: Vec::new(),
        is_cooked: reader.flag()?,
        sockets: None,
        levels: Vec::new(),
        has_nanite: None,
        problem: None,
    };
    if let Err(error) = rest(reader, &mut mesh, package) {
        mesh.problem = Some(error.to_string());
    }
    stored_materials(reader, &mut mesh, package)?;
    Ok(mesh)
}

/// Reads what follows the flags, as far as its form is known.
fn rest(reader: &mut MeshReader<'_, '_>, mesh: &mut Mesh, package: &AssetPackage) -> Result<(), Error> {
    let (_body, _navigation) = (reader.object(package)?, reader.object(package)?);
    // An identifier for its light.
    reader.bytes.skip(16)?;
    let sockets = reader.bytes.count(4)?;
    reader.bytes.skip((sockets as u64).saturating_mul(4))?;
    mesh.sockets = Some(sockets);
    if !mesh.is_cooked {
        return Ok(());
    }
    let at = reader.bytes.at();
    let mut first = None;
    for form in FORMS {
        match levels(&mut reader.from(at), form) {
            Ok((levels, has_nanite)) => {
                (mesh.levels, mesh.has_nanite) = (levels, has_nanite);
                return Ok(());
            }
            Err(error) => _ = first.get_or_insert(error),
        }
    }
    first.map_or(Ok(()), Err)
}

/// Reads the levels, and whether there is data for Nanite.
fn levels(
    reader: &mut MeshReader<'_, '_>,
    form: LevelForm,
) -> Result<(Vec<DetailLevel>, Option<bool>), Error> {
    let count = reader.bytes.u32()?;
    if count > MAX_LEVELS {
        return Err(reader.fault());
    }
    let mut levels = Vec::new();
    for _ in 0..count {
        let level = level(reader, form)?;
        let is_inline = level.is_inline;
        levels.push(level);
        // What says where its data lies is not known.
        if !is_inline {
            return Ok((levels, None));
        }
    }
    let inline = reader.bytes.u8()?;
    if u32::from(inline) != count {
        return Err(reader.fault());
    }
    let [global, _] = reader.strip_flags()?;
    if global & 2 != 0 {
        return Ok((levels, Some(false)));
    }
    let (_flags, _pages) = (reader.bytes.u32()?, reader.bytes.u32()?);
    let root = reader.bytes.count(1)?;
    Ok((levels, Some(root > 0)))
}

fn level(reader: &mut MeshReader<'_, '_>, form: LevelForm) -> Result<DetailLevel, Error> {
    let [global, class] = reader.strip_flags()?;
    let count = reader.bytes.u32()?;
    if count > MAX_SECTIONS {
        return Err(reader.fault());
    }
    let mut level = DetailLevel::default();
    for _ in 0..count {
        level.sections.push(section(reader)?);
    }
    if form.has_bounds {
        reader.bounds()?;
    }
    let _deviation = reader.bytes.f32()?;
    let (is_left_out, is_inline) = (reader.flag()?, reader.flag()?);
    level.triangles = level.sections.iter().map(|section| section.triangles).fold(0, u32::saturating_add);
    if form.says_ray_tracing {
        reader.flag()?;
    }
    if global & 2 != 0 || is_left_out {
        return Ok(level);
    }
    let last = level.sections.iter().map(|section| section.first_vertex.saturating_add(section.vertices));
    level.vertices = last.max().unwrap_or_default();
    level.is_inline = is_inline;
    if !is_inline {
        return Ok(level);
    }
    let [_, class_here] = reader.strip_flags()?;
    let class = class | class_here;
    let mut places = reader.vertices()?;
    reader.colors()?;
    (places.indices, places.index_width, places.index_count) = reader.indices()?;
    let drawn = level
        .sections
        .iter()
        .map(|section| section.first_index.saturating_add(section.triangles.saturating_mul(3)));
    if level.vertices > places.vertices || drawn.max().unwrap_or_default() > places.index_count {
        return Err(reader.fault());
    }
    let _reversed = if class & NO_REVERSED == 0 { reader.indices()?.2 } else { 0 };
    let _depth = reader.indices()?;
    let _reversed_depth = if class & NO_REVERSED == 0 { reader.indices()?.2 } else { 0 };
    if class & NO_RAY_TRACING == 0 {
        reader.array()?;
    }
    // For each section, and for all.
    for _ in 0..=level.sections.len() {
        reader.sampler()?;
    }
    // Bytes of its data in memory.
    reader.bytes.skip(12)?;
    (level.vertices, level.uv_channels) = (places.vertices, Some(places.channels));
    level.places = Some(places);
    Ok(level)
}

fn section(reader: &mut MeshReader<'_, '_>) -> Result<MeshSection, Error> {
    let bytes = &mut reader.bytes;
    let (material, first_index, triangles) = (bytes.u32()?, bytes.u32()?, bytes.u32()?);
    let (first_vertex, last_vertex) = (bytes.u32()?, bytes.u32()?);
    // Whether it collides, throws shadows, is opaque, is seen by ray tracing, and takes part in distance fields.
    for _ in 0..5 {
        reader.flag()?;
    }
    let vertices = last_vertex.checked_sub(first_vertex).map(|vertices| vertices.saturating_add(1));
    let vertices = vertices.ok_or_else(|| reader.fault())?;
    Ok(MeshSection { material, first_index, triangles, first_vertex, vertices })
}

/// Returns the materials that properties state.
fn materials(properties: &[Property]) -> Vec<MaterialSlot> {
    let Some(Value::Array(values)) = field(properties, "StaticMaterials") else { return Vec::new() };
    let slot = |value: &Value| {
        let Value::Struct(fields) = value else { return None };
        let name = |key| match field(fields, key) {
            Some(Value::Name(name)) => Some(name.clone()),
            _ => None,
        };
        let object = |key| match field(fields, key) {
            Some(Value::Object(object)) => Some(*object),
            _ => None,
        };
        Some(MaterialSlot {
            material: object("MaterialInterface").unwrap_or(ObjectRef::None),
            name: name("MaterialSlotName").unwrap_or_default(),
            imported_name: name("ImportedMaterialSlotName"),
            overlay: object("OverlayMaterialInterface"),
            ..MaterialSlot::default()
        })
    };
    values.iter().filter_map(slot).collect()
}

/// Finds the materials that stand at the end of the object once more: where they fill it up to its last byte.
fn stored_materials(
    reader: &mut MeshReader<'_, '_>,
    mesh: &mut Mesh,
    package: &AssetPackage,
) -> Result<(), Error> {
    let (from, end) = (reader.bytes.at(), reader.bytes.end());
    for (has_overlay, size) in SLOTS {
        let most = if mesh.materials.is_empty() { MAX_SLOTS } else { mesh.materials.len() as u64 };
        let least = if mesh.materials.is_empty() { 1 } else { most };
        for count in least..=most {
            let length = count.saturating_mul(size).saturating_add(4);
            let Some(at) = end.checked_sub(length).filter(|at| *at >= from) else { break };
            let mut reader = reader.from(at);
            if u64::from(reader.bytes.u32()?) != count {
                continue;
            }
            let slots: Result<Vec<MaterialSlot>, Error> =
                (0..count).map(|_| stored_material(&mut reader, has_overlay, package)).collect();
            let Ok(slots) = slots else { continue };
            if mesh.materials.is_empty() {
                mesh.materials = slots;
                return Ok(());
            }
            let is_same = slots.iter().zip(&mesh.materials).all(|(one, other)| one.name == other.name);
            if is_same {
                for (slot, stored) in mesh.materials.iter_mut().zip(slots) {
                    (slot.uv_densities, slot.at) = (stored.uv_densities, stored.at);
                    slot.overlay = slot.overlay.or(stored.overlay);
                }
                return Ok(());
            }
        }
    }
    Ok(())
}

pub(super) fn stored_material(
    reader: &mut MeshReader<'_, '_>,
    has_overlay: bool,
    package: &AssetPackage,
) -> Result<MaterialSlot, Error> {
    Ok(MaterialSlot {
        at: Some(reader.bytes.at()),
        material: reader.object(package)?,
        name: reader.name()?,
        uv_densities: Some(reader.uv_densities()?),
        overlay: if has_overlay { Some(reader.object(package)?) } else { None },
        ..MaterialSlot::default()
    })
}
