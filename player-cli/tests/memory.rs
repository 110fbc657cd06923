//! How much memory commands take.

use std::fs::{self, File};
use std::num::NonZeroUsize;

use clap::Parser as _;
use fixtures::allocator::{self, Counting};
use fixtures::package::PackageWriter;
use fixtures::wave::{Values, Wave};
use player_cli::args::{Cli, ProgramCommand};
use player_cli::command;
use player_cli::console::{Console, ConsoleScreen};
use player_cli::exit::Exit;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Arguments, tables, buffers of files.
const SLACK: usize = 1 << 20;

// One test, for the peak is one for the whole process.
#[test]
fn extracting_long_sounds_takes_little_more_memory_than_the_frames_of_one() {
    // Instrument files that are not modules have one sound: they are written when all are decoded.
    for (also, sounds) in [(&[][..], 1), (&["--sf2", "--sfz"], 1), (&["--it", "--xm"], 3)] {
        let folder = tempfile::tempdir().unwrap();
        let (file, out) = (folder.path().join("Long.uax"), folder.path().join("out"));
        let decoded = (32 << 20) / sounds / 4 * 4;
        let mut package = PackageWriter::new(69);
        for number in 0..sounds {
            let wave = Wave::new(44_100, 2, Values::I16(vec![1234 + number as i16; decoded / 2]));
            package.sound(&format!("Long{number}"), None, "WAV", &wave.finish());
        }
        fs::write(&file, package.finish()).unwrap();
        drop(package);
        let line = ["usampler", "extract", file.to_str().unwrap(), "-q", "-o", out.to_str().unwrap()];
        let cli = Cli::try_parse_from([&line[..], also].concat()).unwrap();
        let Some(ProgramCommand::Extract(args)) = cli.command else { panic!() };
        let mut screen = ConsoleScreen::new(&cli.output);
        let mut console = Console::new(&mut screen, cli.output);
        allocator::reset_peak();
        let before = allocator::held();
        assert_eq!(command::extract::run(&args, NonZeroUsize::MIN, &mut console).unwrap(), Exit::Done);
        let took = allocator::peak() - before;
        assert!(took >= decoded, "what is measured here is seen: {took}");
        assert!(took <= decoded / 5 * 6 + SLACK, "{took} bytes held for {decoded} decoded, {also:?}");
        let written = File::open(out.join("Long/Long0.wav")).unwrap().metadata().unwrap().len();
        assert_eq!(written, decoded as u64 + 44);
    }
}
