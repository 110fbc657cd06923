//! `usampler asset niagara`: the colours and curves of Niagara systems.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use modkit::niagara::{ColorEdit, ColorError, DataInterface, KINDS, NiagaraDetails, details, set_colors};
use serde::Serialize;
use unreal::Limits;

use super::packages::{self, Packages, STRUCTURES};
use crate::args::AssetNiagara;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt;
use crate::view::{json, printable};

/// What is known of a package, as a line of JSON. The groups of interfaces, and how many there are of each, have keys
/// of their own: `color_curves`, `color_curve_count`, `total_color_count`.
#[derive(Serialize)]
struct PackageRow<'a> {
    schema: &'static str,
    path: &'a str,
    container: &'a str,
    total_exports: usize,
    #[serde(flatten)]
    counts: BTreeMap<String, usize>,
    #[serde(flatten)]
    groups: BTreeMap<&'static str, Vec<InterfaceRow<'a>>>,
    other_interfaces: Vec<OtherRow<'a>>,
    problems: Vec<String>,
}

/// A data interface of which nothing is known but its class.
#[derive(Serialize)]
struct OtherRow<'a> {
    export: usize,
    name: &'a str,
    class: &'a str,
}

#[derive(Serialize)]
struct InterfaceRow<'a> {
    export: usize,
    name: &'a str,
    class: &'static str,
    count: usize,
    /// The numbers of each place.
    values: Vec<&'a [f64]>,
}

/// Shows data interfaces, or sets colours.
///
/// # Errors
/// If there is no such package, none can be read, or the output cannot be written.
pub(super) fn niagara(
    args: &AssetNiagara,
    threads: NonZeroUsize,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let packages = Packages::open(&args.packages, threads, console)?;
    if let (Some(color), Some(output)) = (args.set, &args.output) {
        let entry = packages.only("--set")?;
        let unreadable = |error: &dyn std::fmt::Display| {
            Failure::new(Exit::Unreadable, format!("{}: {error}", packages.mount.label(entry)))
        };
        let package = packages.package(entry).map_err(|error| unreadable(&error))?;
        let places = args.index.map(|(first, last)| first..=last);
        let edit = ColorEdit { color, export: args.export.clone(), places, channels: args.channels };
        let limits = &mut Limits::with_structures(STRUCTURES);
        let (bytes, set) = set_colors(&package, packages.options.mappings.as_deref(), &edit, limits)
            .map_err(|error| match error {
                ColorError::Places(..) => Failure::new(Exit::Usage, format!("--index: {error}")),
                error => unreadable(&error),
            })?;
        let overwrite = packages.overwrite(args.force);
        packages::write(output, &bytes, packages.is_split(entry), &overwrite)?.finish(console.out())?;
        console.say(format_args!("{set} numbers set in {}", output.display()));
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
        let details = details(&package, packages.options.mappings.as_deref(), limits);
        if !details.is_niagara && packages.entries.len() > 1 {
            continue;
        }
        found += 1;
        if args.json {
            json::print(
                console.out(),
                &row(package.name(), packages.mount.container_name(*entry), &details),
            )?;
        } else {
            print(&label, &details, console)?;
        }
    }
    if found == 0 {
        let file = args.packages.game.file.display();
        return Err(Failure::new(Exit::Unreadable, format!("no data interfaces of Niagara in {file}")));
    }
    Ok(exit)
}

fn row<'a>(path: &'a str, container: &'a str, details: &'a NiagaraDetails) -> PackageRow<'a> {
    let (mut counts, mut groups) = (BTreeMap::new(), BTreeMap::new());
    for kind in KINDS {
        let of_kind = || details.interfaces.iter().filter(move |interface| interface.kind == kind);
        let rows: Vec<InterfaceRow<'_>> = of_kind()
            .map(|interface| InterfaceRow {
                export: interface.export,
                name: &interface.name,
                class: kind.class,
                count: interface.places().len(),
                values: interface.places().collect(),
            })
            .collect();
        let one = kind.group.trim_end_matches('s');
        counts.insert(format!("{one}_count"), rows.len());
        counts.insert(kind.total.to_owned(), rows.iter().map(|row| row.count).sum());
        groups.insert(kind.group, rows);
    }
    let unread = details.unread.iter();
    let other =
        |(export, name, class): &'a (usize, String, String)| OtherRow { export: *export, name, class };
    PackageRow {
        schema: "usampler.niagara/1",
        path,
        container,
        total_exports: details.exports,
        counts,
        groups,
        other_interfaces: details.others.iter().map(other).collect(),
        problems: unread.map(|(export, name, error)| format!("{export} {name}: {error}")).collect(),
    }
}

/// Places of an interface that are shown.
const SHOWN: usize = 8;

fn print(label: &str, details: &NiagaraDetails, console: &mut Console<'_>) -> Result<(), Failure> {
    let is_colored = console.is_colored();
    let out = console.out();
    writeln!(out, "{}", printable(label))?;
    for interface in &details.interfaces {
        let DataInterface { export, name, kind, .. } = interface;
        let count = interface.places().len();
        let what = if kind.is_color { "colour" } else { "value" };
        let plural = if count == 1 { "" } else { "s" };
        writeln!(out, "  {export}  {}  {}  {count} {what}{plural}", printable(name), kind.class)?;
        if count > 0 && kind.is_color && is_colored {
            writeln!(out, "     {}", interface.places().map(swatch).collect::<String>())?;
        }
        // Some of them, the first and the last always.
        let step = count.div_ceil(SHOWN).max(1);
        for (place, numbers) in interface.places().enumerate() {
            if place % step == 0 || place + 1 == count {
                let numbers: Vec<String> = numbers.iter().map(|number| format!("{number:.4}")).collect();
                writeln!(out, "     {place:>4}  {}", numbers.join(", "))?;
            }
        }
    }
    for (export, name, class) in &details.others {
        writeln!(out, "  {export}  {}  {}", printable(name), printable(class))?;
    }
    for (export, name, error) in &details.unread {
        writeln!(out, "  {export}  {}", printable(&format!("{name}: {error}")))?;
    }
    Ok(())
}

/// Returns a cell of a terminal in a colour; what glows is shown as bright as it can be, with a mark.
fn swatch(color: &[f64]) -> String {
    let [red, green, blue] = [0, 1, 2].map(|channel| color.get(channel).copied().unwrap_or_default());
    let brightest = red.max(green).max(blue).max(1.0);
    // Light is linear, terminals are not.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 255")]
    let byte = |light: f64| ((light / brightest).clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0).round() as u8;
    let mark = if brightest > 1.0 { '*' } else { ' ' };
    format!("\x1b[48;2;{};{};{}m{mark}\x1b[0m", byte(red), byte(green), byte(blue))
}
