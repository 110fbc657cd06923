//! `usampler asset mesh`: what meshes are made of.

use std::io::Write as _;
use std::num::NonZeroUsize;

use exporter::OutputFile;
use modkit::mesh::{FoundMesh, MaterialError, meshes, set_materials, to_glb};
use serde::Serialize;
use unreal::ue4to6::class::mesh::{Bone, Level, MaterialSlot, Mesh, MeshKind, Section};
use unreal::{AssetPackage, Limits, ObjectRef};

use super::packages::{self, Packages, STRUCTURES};
use crate::args::AssetMesh;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt;
use crate::view::{json, printable, text};

/// A mesh as a line of JSON.
#[derive(Serialize)]
struct MeshRow<'a> {
    schema: &'static str,
    path: &'a str,
    container: &'a str,
    export: usize,
    name: &'a str,
    class: &'static str,
    cooked: bool,
    strip_flags: [u8; 2],
    bounds: Option<BoundsRow>,
    materials: Vec<MaterialRow<'a>>,
    bones: Vec<BoneRow<'a>>,
    sockets: Option<usize>,
    lods: Vec<LodRow>,
    nanite: Option<bool>,
    problem: Option<&'a str>,
}

#[derive(Serialize)]
struct BoundsRow {
    origin: [f64; 3],
    extent: [f64; 3],
    radius: f64,
}

#[derive(Serialize)]
struct MaterialRow<'a> {
    slot: &'a str,
    imported_slot: Option<&'a str>,
    material: Option<String>,
    overlay: Option<String>,
    uv_densities: Option<[f32; 4]>,
}

#[derive(Serialize)]
struct BoneRow<'a> {
    name: &'a str,
    parent: i32,
    rotation: [f64; 4],
    translation: [f64; 3],
    scale: [f64; 3],
}

#[derive(Serialize)]
struct LodRow {
    vertices: u32,
    triangles: u32,
    uv_channels: Option<u32>,
    inline: bool,
    sections: Vec<SectionRow>,
}

#[derive(Serialize)]
struct SectionRow {
    material: u32,
    first_index: u32,
    triangles: u32,
    first_vertex: u32,
    vertices: u32,
}

/// Shows meshes, or sets materials.
///
/// # Errors
/// If there is no such package, none has a mesh that can be read, or the output cannot be written.
pub(super) fn mesh(
    args: &AssetMesh,
    threads: NonZeroUsize,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let packages = Packages::open(&args.packages, threads, console)?;
    if let (true, Some(output)) = (args.set_material.is_empty(), &args.output) {
        let entry = packages.only("-o")?;
        let unreadable = |error: &dyn std::fmt::Display| {
            Failure::new(Exit::Unreadable, format!("{}: {error}", packages.mount.label(entry)))
        };
        if output.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("glb")) {
            let failure = Failure::new(Exit::Usage, format!("{} does not end in .glb", output.display()));
            return Err(failure.hint("--set-material writes a package"));
        }
        let package = packages.package(entry).map_err(|error| unreadable(&error))?;
        let limits = &mut Limits::with_structures(STRUCTURES);
        let file = to_glb(&package, packages.options.mappings.as_deref(), limits);
        let file = file.map_err(|error| unreadable(&error))?;
        let mut out = OutputFile::create_with_folders(output, &packages.overwrite(args.force))?;
        out.write_all(&file).map_err(|error| Failure::of_output(&output.display().to_string(), &error))?;
        out.publish(console.out())?;
        console.say(format_args!("{} written, {}", output.display(), text::size(file.len() as u64)));
        return Ok(packages.exit);
    }
    if let (false, Some(output)) = (args.set_material.is_empty(), &args.output) {
        let entry = packages.only("--set-material")?;
        let label = packages.mount.label(entry);
        let unreadable =
            |error: &dyn std::fmt::Display| Failure::new(Exit::Unreadable, format!("{label}: {error}"));
        let package = packages.package(entry).map_err(|error| unreadable(&error))?;
        let named = |(slot, path): &(String, String)| {
            (args.slot.clone().filter(|_| slot.is_empty()).unwrap_or_else(|| slot.clone()), path.clone())
        };
        let materials: Vec<(String, String)> = args.set_material.iter().map(named).collect();
        let limits = &mut Limits::with_structures(STRUCTURES);
        let class_of = |of: &str, name: &str| packages.class_of(of, name);
        let mappings = packages.options.mappings.as_deref();
        let bytes = set_materials(&package, mappings, &materials, &class_of, limits);
        let bytes = bytes.map_err(|error| match error {
            MaterialError::Slot(..) | MaterialError::Material(_) | MaterialError::Container(_) => {
                Failure::new(Exit::Usage, format!("--set-material: {error}"))
            }
            error => unreadable(&error),
        })?;
        let overwrite = packages.overwrite(args.force);
        packages::write(output, &bytes, packages.is_split(entry), &overwrite)?.finish(console.out())?;
        console.say(format_args!("{} written", output.display()));
        return Ok(packages.exit);
    }
    let (mut exit, mut found) = (packages.exit, 0);
    for entry in &packages.entries {
        interrupt::check()?;
        let label = packages.mount.label(*entry);
        let package = match packages.package(*entry) {
            Ok(package) => package,
            Err(error) => {
                console.warn(format_args!("{label}: {error}"));
                exit = Exit::Partly;
                continue;
            }
        };
        let limits = &mut Limits::with_structures(STRUCTURES);
        let found_here = meshes(&package, packages.options.mappings.as_deref(), limits);
        for FoundMesh { export, name, mesh } in found_here {
            match mesh {
                Ok(mesh) if args.json => {
                    let container = packages.mount.container_name(*entry);
                    json::print(console.out(), &row(&package, container, export, &name, &mesh))?;
                    found += 1;
                }
                Ok(mesh) => {
                    print(&package, &label, &name, &mesh, console)?;
                    found += 1;
                }
                Err(error) => {
                    console.warn(format_args!("{label}: {name}: {error}"));
                    exit = Exit::Partly;
                }
            }
        }
    }
    if found == 0 {
        let file = args.packages.game.file.display();
        return Err(Failure::new(Exit::Unreadable, format!("no mesh that can be read in {file}")));
    }
    Ok(exit)
}

const fn class(kind: MeshKind) -> &'static str {
    match kind {
        MeshKind::Static => "StaticMesh",
        MeshKind::Skeletal => "SkeletalMesh",
    }
}

/// Returns what an object is called; its number if its path is not known.
fn path(package: &AssetPackage, object: ObjectRef) -> Option<String> {
    (object != ObjectRef::None)
        .then(|| package.path(object).unwrap_or_else(|| format!("object {}", object.number())))
}

fn row<'a>(
    package: &'a AssetPackage,
    container: &'a str,
    export: usize,
    name: &'a str,
    mesh: &'a Mesh,
) -> MeshRow<'a> {
    let material = |slot: &'a MaterialSlot| MaterialRow {
        slot: &slot.name,
        imported_slot: slot.imported_name.as_deref(),
        material: path(package, slot.material),
        overlay: slot.overlay.and_then(|overlay| path(package, overlay)),
        uv_densities: slot.uv_densities,
    };
    let bone = |bone: &'a Bone| BoneRow {
        name: &bone.name,
        parent: bone.parent,
        rotation: bone.rotation,
        translation: bone.translation,
        scale: bone.scale,
    };
    let section = |section: &Section| SectionRow {
        material: section.material,
        first_index: section.first_index,
        triangles: section.triangles,
        first_vertex: section.first_vertex,
        vertices: section.vertices,
    };
    let lod = |level: &Level| LodRow {
        vertices: level.vertices,
        triangles: level.triangles,
        uv_channels: level.uv_channels,
        inline: level.is_inline,
        sections: level.sections.iter().map(section).collect(),
    };
    MeshRow {
        schema: "usampler.mesh/1",
        path: package.name(),
        container,
        export,
        name,
        class: class(mesh.kind),
        cooked: mesh.is_cooked,
        strip_flags: mesh.strip_flags,
        bounds: mesh.bounds.map(|bounds| BoundsRow {
            origin: bounds.origin,
            extent: bounds.extent,
            radius: bounds.radius,
        }),
        materials: mesh.materials.iter().map(material).collect(),
        bones: mesh.bones.iter().map(bone).collect(),
        sockets: mesh.sockets,
        lods: mesh.levels.iter().map(lod).collect(),
        nanite: mesh.has_nanite,
        problem: mesh.problem.as_deref(),
    }
}

fn print(
    package: &AssetPackage,
    label: &str,
    name: &str,
    mesh: &Mesh,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let out = console.out();
    writeln!(out, "{}", printable(label))?;
    let nanite = match mesh.has_nanite {
        Some(true) => ", Nanite",
        _ => "",
    };
    let cooked = if mesh.is_cooked { "cooked" } else { "not cooked" };
    writeln!(out, "  mesh       {} ({}, {cooked}{nanite})", printable(name), class(mesh.kind))?;
    if let Some(bounds) = mesh.bounds {
        let vector = |[x, y, z]: [f64; 3]| format!("{x:.2}, {y:.2}, {z:.2}");
        let (origin, extent) = (vector(bounds.origin), vector(bounds.extent));
        writeln!(out, "  bounds     ±({extent}) around ({origin}), radius {:.2}", bounds.radius)?;
    }
    writeln!(out, "  materials  {}", mesh.materials.len())?;
    for (number, slot) in mesh.materials.iter().enumerate() {
        let material = path(package, slot.material).unwrap_or_else(|| "none".to_owned());
        writeln!(out, "    {number}  {}  {}", printable(&slot.name), printable(&material))?;
    }
    if !mesh.bones.is_empty() {
        writeln!(out, "  bones      {}", mesh.bones.len())?;
        for (number, bone) in mesh.bones.iter().enumerate() {
            let parent = usize::try_from(bone.parent).ok().and_then(|parent| mesh.bones.get(parent));
            let parent = parent.map_or(String::new(), |parent| format!("  on {}", printable(&parent.name)));
            writeln!(out, "    {number}  {}{parent}", printable(&bone.name))?;
        }
    }
    writeln!(out, "  LODs       {}", mesh.levels.len())?;
    for (number, level) in mesh.levels.iter().enumerate() {
        let (sections, vertices, triangles) = (level.sections.len(), level.vertices, level.triangles);
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let place = if level.is_inline { "" } else { ", streamed" };
        let section = plural(sections);
        writeln!(
            out,
            "    {number}  {sections} section{section}, {vertices} vertices, {triangles} triangle{}{place}",
            plural(triangles as usize),
        )?;
    }
    if let Some(problem) = &mesh.problem {
        writeln!(out, "  not all of it is known: {}", printable(problem))?;
    }
    Ok(())
}
