//! `usampler info`: what a package is and what is in it.

use std::num::NonZeroUsize;

use modkit::report::bank::SoundBankRow;
use modkit::report::sound_file::{GameRow, ModuleFileRow, SoundPackageRow, UnreadableRow};
use unreal::containers::mount::Mount;

use crate::args::Info;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::InputFile;
use crate::view::{json, text};

/// Prints facts of each file, working on several at once.
///
/// # Errors
/// If the output cannot be written.
pub fn run(args: &Info, threads: NonZeroUsize, console: &mut Console<'_>) -> Result<Exit, Failure> {
    super::for_each(&args.inputs.files, threads, console, |file, console| {
        let input = InputFile::open(file, &args.inputs.reading)?;
        let package = match input.package() {
            Err(failure) if args.json => {
                json::print(console.out(), &UnreadableRow::new(&input.label, &failure.message))?;
                return Err(failure);
            }
            package => package?,
        };
        let exit = input.report(&package, console);
        let (verbosity, cipher) = (console.verbosity(), input.mount().and_then(Mount::cipher));
        match (package.package(), package.module()) {
            (Some(inner), _) if args.json => {
                let detailed = verbosity > 0;
                let row = SoundPackageRow::new(&input.label, input.len(), &package, inner, detailed);
                json::print(console.out(), &row)?;
            }
            (Some(inner), _) => {
                text::package(console.out(), &input.label, input.len(), &package, inner, verbosity)?;
            }
            (None, Some(module)) if args.json => {
                let row = ModuleFileRow::new(&input.label, &package, module);
                json::print(console.out(), &row)?;
            }
            (None, Some(module)) => {
                text::module(console.out(), &input.label, &package, module, verbosity)?;
            }
            (None, None) if args.json => match SoundBankRow::of(&input.label, input.stored_len(), &package) {
                Some(row) => json::print(console.out(), &row)?,
                None => {
                    let row = GameRow::new(&input.label, input.stored_len(), cipher, &package);
                    json::print(console.out(), &row)?;
                }
            },
            (None, None) => {
                let (label, kind) = (&input.label, input.kind(&package));
                text::game(console.out(), label, &kind, cipher, input.stored_len(), &package, verbosity)?;
            }
        }
        Ok(exit)
    })
}
