//! Tracker modules in packages: their samples go to a folder each.

use std::mem;
use std::path::Path;

use importer::{Sound, SoundFile};

use super::plan::Destination;
use super::{ExtractPlan, chosen};
use crate::args::Extract;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Input;
use crate::select::SoundFilter;
use exporter::PackageNames;

/// Plans the samples that pass the filter; all of a module that passes itself.
fn plan<'m>(
    args: &Extract,
    music: &'m SoundFile,
    module: &Sound,
    to: &Destination,
    folder: &Path,
    filter: &SoundFilter<'_>,
) -> ExtractPlan<'m> {
    let sounds = chosen(args, music, |sound| filter.passes(module) || filter.passes(sound));
    ExtractPlan::new(
        args,
        music,
        to.clone(),
        &mut PackageNames::of_folder(folder.to_owned(), music.name()),
        &sounds,
    )
}

/// Checks that none of their files exists already, and returns about how many bytes they take. Modules that cannot be
/// opened are left out.
///
/// # Errors
/// As [`ExtractPlan::is_free`].
pub(super) fn check<'p>(
    args: &Extract,
    package: &'p SoundFile,
    whole: &mut ExtractPlan<'p>,
    filter: &SoundFilter<'_>,
) -> Result<u64, Failure> {
    let mut bytes: u64 = 0;
    for (module, folder) in mem::take(&mut whole.modules) {
        match package.music(module.number) {
            Ok(music) => {
                let mut inner = plan(args, &music, module, &whole.to, &folder, filter);
                inner.skip_existing(args);
                inner.is_free()?;
                bytes = bytes.saturating_add(inner.bytes(args));
                if !(inner.files.is_empty() && inner.left_out.is_empty() && inner.existing.is_empty()) {
                    whole.modules.push((module, folder));
                }
            }
            Err(error) => whole.left_out.push((module, error.to_string())),
        }
    }
    Ok(bytes)
}

/// Writes them, one module after another.
///
/// # Errors
/// If something cannot be written.
pub(super) fn write(
    args: &Extract,
    package: &SoundFile,
    input: &Input,
    whole: &ExtractPlan<'_>,
    filter: &SoundFilter<'_>,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    for (module, folder) in &whole.modules {
        let music = input.music(package, module.number)?;
        let mut plan = plan(args, &music, module, &whole.to, folder, filter);
        plan.label = format!("{} #{} {}", whole.label, module.number, module.path());
        plan.skip_existing(args);
        if super::write(args, &music, &plan, console)? != Exit::Done {
            exit = Exit::Partly;
        }
    }
    Ok(exit)
}
