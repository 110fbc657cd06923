//! `usampler asset niagara`: the colours and curves of Niagara systems.

use std::num::NonZeroUsize;

use modkit::niagara::{ColorEdit, ColorError, DataInterface, NiagaraDetails, set_colors};
use modkit::packages::STRUCTURES;
use modkit::report::NiagaraRow;
use modkit::serve::rows;
use modkit::unpack::write_package;
use unreal::Limits;

use super::packages::ChosenPackages;
use crate::args::AssetNiagara;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::view::{json, printable};

/// Shows data interfaces, or sets colours.
///
/// # Errors
/// If there is no such package, none can be read, or the output cannot be written.
pub(super) fn niagara(
    args: &AssetNiagara,
    threads: NonZeroUsize,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let chosen = ChosenPackages::open(&args.packages, threads, console)?;
    let packages = &chosen.packages;
    if let (Some(color), Some(output)) = (args.set, &args.output) {
        let entry = chosen.only("--set")?;
        let unreadable = |error: &dyn std::fmt::Display| {
            Failure::new(Exit::Unreadable, format!("{}: {error}", packages.mount.label(entry)))
        };
        let package = packages.package(entry).map_err(|error| unreadable(&error))?;
        let samples = args.index.map(|(first, last)| first..=last);
        let (export, channels) = (args.export.clone(), args.channels);
        let edit = ColorEdit { color, export, export_index: None, samples, channels };
        let limits = &mut Limits::with_structures(STRUCTURES);
        let recolored =
            set_colors(&package, packages.options.mappings.as_deref(), &edit, limits).map_err(|error| {
                match error {
                    ColorError::Samples(..) => Failure::new(Exit::Usage, format!("--index: {error}")),
                    error => unreadable(&error),
                }
            })?;
        let overwrite = chosen.overwrite(args.force);
        write_package(output, &recolored.bytes, packages.is_split(entry), &overwrite)?
            .finish(console.out())?;
        console.say(format_args!("{} numbers set in {}", recolored.numbers, output.display()));
        return Ok(chosen.exit);
    }
    let mut report = chosen.report(&args.packages, console);
    rows::data_interfaces(packages, &mut report, |report, entry, details| {
        if args.json {
            let row = NiagaraRow::new(packages.mount.container_name(entry), &details);
            return Ok(json::print(report.console.out(), &row)?);
        }
        print(&packages.mount.label(entry), &details, report.console)
    })?;
    Ok(report.exit)
}

/// Number of samples of an interface that are shown, about.
const SHOWN: usize = 8;

fn print(label: &str, details: &NiagaraDetails, console: &mut Console<'_>) -> Result<(), Failure> {
    let is_colored = console.is_colored();
    let out = console.out();
    writeln!(out, "{}", printable(label))?;
    for interface in &details.interfaces {
        let DataInterface { export, name, kind, .. } = interface;
        let count = interface.samples().len();
        let what = if kind.is_color { "colour" } else { "value" };
        let plural = if count == 1 { "" } else { "s" };
        writeln!(out, "  {export}  {}  {}  {count} {what}{plural}", printable(name), kind.class)?;
        if count > 0 && kind.is_color && is_colored {
            writeln!(out, "     {}", interface.samples().map(swatch).collect::<String>())?;
        }
        // Some of them, the first and the last always.
        let step = count.div_ceil(SHOWN).max(1);
        for (index, numbers) in interface.samples().enumerate() {
            if index % step == 0 || index + 1 == count {
                let numbers: Vec<String> = numbers.iter().map(|number| format!("{number:.4}")).collect();
                writeln!(out, "     {index:>4}  {}", numbers.join(", "))?;
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
