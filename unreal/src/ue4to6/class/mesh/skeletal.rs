//! `SkeletalMesh`.

use super::{Bone, DetailLevel, MaterialSlot, Mesh, MeshKind, MeshReader, MeshSection};
use crate::base::error::{Error, ErrorKind};
use crate::ue4to6::package::AssetPackage;

/// Levels that a mesh may have.
pub(super) const MAX_LEVELS: u32 = 64;

/// Sections that a level may have.
const MAX_SECTIONS: u32 = 4096;

/// Bytes among which the next level is looked for.
const SEARCHED: u64 = 64 << 10;

/// The form of a material.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlotForm {
    pub(super) has_overlay: bool,
    /// Whether gameplay tags follow, as some games have them.
    pub(super) has_tags: bool,
}

/// Forms of materials: those of 5.8, those before, and those of games that have tags.
pub(super) const FORMS: [SlotForm; 4] = [
    SlotForm { has_overlay: true, has_tags: false },
    SlotForm { has_overlay: false, has_tags: false },
    SlotForm { has_overlay: false, has_tags: true },
    SlotForm { has_overlay: true, has_tags: true },
];

pub(super) fn read(reader: &mut MeshReader<'_, '_>, package: &AssetPackage) -> Result<Mesh, Error> {
    let strip_flags = reader.strip_flags()?;
    let bounds = reader.bounds()?;
    let at = reader.bytes.at();
    let mut first = None;
    for form in FORMS {
        let mut part = reader.from(at);
        match materials_and_bones(&mut part, form, package) {
            Ok((materials, bones, is_cooked)) => {
                let mut mesh = Mesh {
                    kind: MeshKind::Skeletal,
                    strip_flags,
                    bounds: Some(bounds),
                    materials,
                    bones,
                    is_cooked,
                    sockets: None,
                    levels: Vec::new(),
                    has_nanite: None,
                    problem: None,
                };
                if let Err(error) = levels(&mut part, &mut mesh) {
                    mesh.problem = Some(error.to_string());
                }
                return Ok(mesh);
            }
            Err(error) => _ = first.get_or_insert(error),
        }
    }
    Err(first.unwrap_or_else(|| reader.fault()))
}

type MaterialsAndBones = (Vec<MaterialSlot>, Vec<Bone>, bool);

/// Reads the materials of a form, and the skeleton, which proves that form.
pub(super) fn materials_and_bones(
    reader: &mut MeshReader<'_, '_>,
    form: SlotForm,
    package: &AssetPackage,
) -> Result<MaterialsAndBones, Error> {
    let mut materials = Vec::new();
    for _ in 0..reader.bytes.count(36)? {
        reader.limits.take_growing(size_of::<MaterialSlot>(), reader.bytes.at(), super::WHAT)?;
        materials.push(material(reader, form, package)?);
    }
    let count = reader.bytes.count(12)?;
    let mut bones: Vec<Bone> = Vec::new();
    for number in 0..count {
        reader.limits.take_growing(size_of::<Bone>(), reader.bytes.at(), super::WHAT)?;
        let (name, parent) = (reader.name()?, reader.bytes.i32()?);
        // A bone hangs on one before it.
        if usize::try_from(parent).is_ok_and(|parent| parent >= number) {
            return Err(reader.fault());
        }
        bones.push(Bone { name, parent, rotation: [0.0; 4], translation: [0.0; 3], scale: [0.0; 3] });
    }
    if reader.bytes.count(40)? != count {
        return Err(reader.fault());
    }
    for bone in &mut bones {
        (bone.rotation, bone.translation, bone.scale) = (reader.reals()?, reader.reals()?, reader.reals()?);
    }
    if reader.bytes.count(12)? != count {
        return Err(reader.fault());
    }
    for _ in 0..count {
        let (name, number) = (reader.name()?, reader.bytes.u32()?);
        let bone = usize::try_from(number).ok().and_then(|number| bones.get(number));
        if bone.is_none_or(|bone| bone.name != name) {
            return Err(reader.fault());
        }
    }
    Ok((materials, bones, reader.flag()?))
}

fn material(
    reader: &mut MeshReader<'_, '_>,
    form: SlotForm,
    package: &AssetPackage,
) -> Result<MaterialSlot, Error> {
    let mut slot = MaterialSlot {
        at: Some(reader.bytes.at()),
        material: reader.object(package)?,
        name: reader.name()?,
        ..MaterialSlot::default()
    };
    if reader.flag()? {
        slot.imported_name = Some(reader.name()?);
    }
    slot.uv_densities = Some(reader.uv_densities()?);
    if form.has_overlay {
        slot.overlay = Some(reader.object(package)?);
    }
    let begin = reader.bytes.at();
    if form.has_tags {
        for _ in 0..reader.bytes.count(8)? {
            reader.name()?;
        }
    }
    slot.tags = begin..reader.bytes.at();
    Ok(slot)
}

/// Reads the levels. Where one ends is not known: the next begins where all that it says agrees.
fn levels(reader: &mut MeshReader<'_, '_>, mesh: &mut Mesh) -> Result<(), Error> {
    if !mesh.is_cooked {
        return Ok(());
    }
    let count = reader.bytes.u32()?;
    if count > MAX_LEVELS {
        return Err(reader.fault());
    }
    let bones = u32::try_from(mesh.bones.len()).unwrap_or(u32::MAX);
    let mut starts = vec![reader.bytes.at()];
    for number in 0..count {
        let searched = if number == 0 { 0 } else { SEARCHED };
        let (level, after, end) = find_level(reader, &starts, searched, bones)?;
        // Its vertices take about as many bytes as it says; what else there is takes some more.
        starts = vec![end, after];
        mesh.levels.push(level);
    }
    Ok(())
}

/// Finds a level that begins within so many bytes after one of some places; returns it, and where its counted part
/// ends, and where its vertices do as it says.
fn find_level(
    reader: &mut MeshReader<'_, '_>,
    starts: &[u64],
    searched: u64,
    bones: u32,
) -> Result<(DetailLevel, u64, u64), Error> {
    let mut first = None;
    for start in starts {
        for at in *start..=start.saturating_add(searched).min(reader.bytes.end()) {
            let mut part = reader.from(at);
            match level(&mut part, bones) {
                Ok((level, end)) => return Ok((level, part.bytes.at(), end)),
                Err(error) if matches!(error.kind(), ErrorKind::Io(_) | ErrorKind::OverLimit { .. }) => {
                    return Err(error);
                }
                Err(error) => _ = first.get_or_insert(error),
            }
        }
    }
    Err(first.unwrap_or_else(|| reader.fault()))
}

/// Reads a level; returns where its vertices end, as it says.
fn level(reader: &mut MeshReader<'_, '_>, bones: u32) -> Result<(DetailLevel, u64), Error> {
    let [global, class] = reader.strip_flags()?;
    // So far four flags of each kind are in use.
    if global > 15 || class > 15 {
        return Err(reader.fault());
    }
    let (is_left_out, is_inline) = (reader.flag()?, reader.flag()?);
    let required = reader.bytes.count(2)?;
    let mut before = None;
    for _ in 0..required {
        let bone = u32::from(reader.bytes.u16()?);
        if bone >= bones || before.is_some_and(|before| bone <= before) {
            return Err(reader.fault());
        }
        before = Some(bone);
    }
    let count = reader.bytes.u32()?;
    if required == 0 || count == 0 || count > MAX_SECTIONS {
        return Err(reader.fault());
    }
    let mut level = DetailLevel { is_inline, ..DetailLevel::default() };
    for _ in 0..count {
        let section = section(reader, bones)?;
        level.vertices = level.vertices.saturating_add(section.vertices);
        level.triangles = level.triangles.saturating_add(section.triangles);
        level.sections.push(section);
    }
    let active = reader.bytes.count(2)?;
    for _ in 0..active {
        if u32::from(reader.bytes.u16()?) >= bones {
            return Err(reader.fault());
        }
    }
    let bytes = reader.bytes.u32()?;
    let end = reader.bytes.at().saturating_add(bytes.into());
    if global & 2 != 0 || is_left_out || !is_inline {
        return Ok((level, reader.bytes.at()));
    }
    let _has_ray_tracing = reader.flag()?;
    let _flags = reader.strip_flags()?;
    let width = reader.bytes.u8()?;
    let indices_at = reader.bytes.at().saturating_add(8);
    let (size, indices) = reader.array()?;
    if !matches!(width, 2 | 4) || size != width.into() || indices != level.triangles.saturating_mul(3) {
        return Err(reader.fault());
    }
    let mut places = reader.vertices()?;
    if places.vertices != level.vertices {
        return Err(reader.fault());
    }
    (places.indices, places.index_width, places.index_count) = (indices_at, width, indices);
    level.uv_channels = Some(places.channels);
    level.places = Some(places);
    Ok((level, end))
}

fn section(reader: &mut MeshReader<'_, '_>, bones: u32) -> Result<MeshSection, Error> {
    let [_, class] = reader.strip_flags()?;
    let material = reader.bytes.u16()?.into();
    let (first_index, triangles) = (reader.bytes.u32()?, reader.bytes.u32()?);
    // Whether tangents are made anew, and by which channel.
    let (_anew, _channel) = (reader.flag()?, reader.bytes.u8()?);
    // Whether it throws shadows, and is seen by ray tracing.
    let (_shadow, _seen) = (reader.flag()?, reader.flag()?);
    let first_vertex = reader.bytes.u32()?;
    // Vertices of cloth that drive it are of no known length.
    if reader.bytes.u32()? != 0 {
        return Err(reader.fault());
    }
    for _ in 0..reader.bytes.count(2)? {
        if u32::from(reader.bytes.u16()?) >= bones {
            return Err(reader.fault());
        }
    }
    let (vertices, influences) = (reader.bytes.u32()?, reader.bytes.u32()?);
    if influences > 64 {
        return Err(reader.fault());
    }
    // Its cloth: which, its identifier, and its level.
    reader.bytes.skip(22)?;
    if class & 1 == 0 {
        reader.array()?;
        reader.array()?;
    }
    let _is_hidden = reader.flag()?;
    Ok(MeshSection { material, first_index, triangles, first_vertex, vertices })
}
