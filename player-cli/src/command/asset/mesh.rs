//! `usampler asset mesh`: what meshes are made of.

use std::io::Write as _;
use std::num::NonZeroUsize;

use exporter::OutputFile;
use modkit::mesh::{MaterialError, set_materials, to_glb};
use modkit::packages::STRUCTURES;
use modkit::report::MeshRow;
use modkit::serve::rows;
use modkit::unpack::write_package;
use unreal::Limits;

use super::packages::ChosenPackages;
use crate::args::AssetMesh;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::view::{json, printable, text};

/// Shows meshes, or sets materials.
///
/// # Errors
/// If there is no such package, none has a mesh that can be read, or the output cannot be written.
pub(super) fn mesh(
    args: &AssetMesh,
    threads: NonZeroUsize,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let chosen = ChosenPackages::open(&args.packages, threads, console)?;
    let packages = &chosen.packages;
    if let (true, Some(output)) = (args.set_material.is_empty(), &args.output) {
        let entry = chosen.only("-o")?;
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
        let mut out = OutputFile::create_with_folders(output, &chosen.overwrite(args.force))?;
        out.write_all(&file).map_err(|error| Failure::of_output(&output.display().to_string(), &error))?;
        out.publish(console.out())?;
        console.say(format_args!("{} written, {}", output.display(), text::size(file.len() as u64)));
        return Ok(chosen.exit);
    }
    if let (false, Some(output)) = (args.set_material.is_empty(), &args.output) {
        let entry = chosen.only("--set-material")?;
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
        let overwrite = chosen.overwrite(args.force);
        write_package(output, &bytes, packages.is_split(entry), &overwrite)?.finish(console.out())?;
        console.say(format_args!("{} written", output.display()));
        return Ok(chosen.exit);
    }
    let mut report = chosen.report(&args.packages, console);
    rows::meshes(packages, &mut report, |report, entry, row| match args.json {
        true => Ok(json::print(report.console.out(), &row)?),
        false => print(&row, &packages.mount.label(entry), report.console),
    })?;
    Ok(report.exit)
}

fn print(mesh: &MeshRow, label: &str, console: &mut Console<'_>) -> Result<(), Failure> {
    let out = console.out();
    writeln!(out, "{}", printable(label))?;
    let nanite = match mesh.nanite {
        Some(true) => ", Nanite",
        _ => "",
    };
    let cooked = if mesh.cooked { "cooked" } else { "not cooked" };
    writeln!(out, "  mesh       {} ({}, {cooked}{nanite})", printable(&mesh.name), mesh.class)?;
    if let Some(bounds) = mesh.bounds {
        let vector = |[x, y, z]: [f64; 3]| format!("{x:.2}, {y:.2}, {z:.2}");
        let (origin, extent) = (vector(bounds.origin), vector(bounds.extent));
        writeln!(out, "  bounds     ±({extent}) around ({origin}), radius {:.2}", bounds.radius)?;
    }
    writeln!(out, "  materials  {}", mesh.materials.len())?;
    for (number, slot) in mesh.materials.iter().enumerate() {
        let material = slot.material.as_deref().unwrap_or("none");
        writeln!(out, "    {number}  {}  {}", printable(&slot.slot), printable(material))?;
    }
    if !mesh.bones.is_empty() {
        writeln!(out, "  bones      {}", mesh.bones.len())?;
        for (number, bone) in mesh.bones.iter().enumerate() {
            let parent = usize::try_from(bone.parent).ok().and_then(|parent| mesh.bones.get(parent));
            let parent = parent.map_or(String::new(), |parent| format!("  on {}", printable(&parent.name)));
            writeln!(out, "    {number}  {}{parent}", printable(&bone.name))?;
        }
    }
    writeln!(out, "  LODs       {}", mesh.lods.len())?;
    for (number, level) in mesh.lods.iter().enumerate() {
        let (sections, vertices, triangles) = (level.sections.len(), level.vertices, level.triangles);
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let place = if level.inline { "" } else { ", streamed" };
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
