//! How fast a folder of packages is listed, extracted and imported: by one thread, and by as many as the machine has.
//!
//! Both take turns in the same run, so that a machine that slows down slows both. `compute` is a loop without memory,
//! files or locks: what more threads can give at best on this machine at this time. `list` and `extract` are the
//! commands of the program with their words thrown away; the files read are in the system's cache. `import` decodes
//! packages that are in memory.

use std::hint::black_box;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Instant;
use std::{fs, thread};

use benches::is_measuring;
use clap::Parser as _;
use exporter::ordered::{self, OutputStreams};
use fixtures::package::various;
use importer::{Budget, SoundFile};
use player_cli::args::{Cli, ProgramCommand};
use player_cli::command;
use player_cli::console::Console;
use player_cli::exit::Exit;
use unreal::Memory;

/// Frames of a sound, at least.
const FRAMES: usize = 4000;

fn main() {
    let (count, rounds) = if is_measuring() { (1000, 9) } else { (20, 1) };
    let all = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (game, out) = (folder.path().join("game"), folder.path().join("out"));
    let packages: Vec<Vec<u8>> = (0..count).map(|number| various(number, FRAMES)).collect();
    let bytes: usize = packages.iter().map(Vec::len).sum();
    fs::create_dir(&game).expect("a folder");
    for (number, package) in packages.iter().enumerate() {
        fs::write(game.join(format!("{number:04}.upk")), package).expect("room for a package");
    }
    let sounds = import(&packages, NonZeroUsize::MIN);
    println!("{count} packages, {sounds} sounds, {:.1} MB; {rounds} rounds", bytes as f64 / 1e6);
    println!("{}", machine(folder.path(), all));
    println!("least time (median in parentheses); MB of packages\n");
    println!("{:<10} {:>8} {:>18} {:>18} {:>14}", "", "threads", "packages/s", "MB/s", "times as fast");
    let [game, out] = [&game, &out].map(|path| path.to_str().expect("a plain path"));
    let clear = || drop(fs::remove_dir_all(out));
    let report = |name: &str, work: &mut dyn FnMut(NonZeroUsize), between: &dyn Fn()| {
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..rounds {
            for (times, threads) in times.iter_mut().zip([NonZeroUsize::MIN, all]) {
                let begun = Instant::now();
                work(threads);
                times.push(begun.elapsed().as_secs_f64());
                between();
            }
        }
        let times = times.map(|mut times| {
            times.sort_by(f64::total_cmp);
            [times[0], times[times.len() / 2]]
        });
        for (time, threads) in times.iter().zip([1, all.get()]) {
            let [packages, megabytes] = [count as f64, bytes as f64 / 1e6]
                .map(|units| format!("{:.0} ({:.0})", units / time[0], units / time[1]));
            let [least, median] = [0, 1].map(|which| times[0][which] / time[which]);
            println!("{name:<10} {threads:>8} {packages:>18} {megabytes:>18} {least:>7.2} ({median:.2})");
        }
    };
    report("compute", &mut |threads| compute(count, threads), &|| {});
    report("list", &mut |threads| run(&["list", "--json", game], threads), &|| {});
    report("extract", &mut |threads| run(&["extract", game, "-o", out], threads), &clear);
    report("import", &mut |threads| assert_eq!(import(&packages, threads), sounds), &|| {});
}

/// Returns what the figures depend on.
fn machine(folder: &Path, threads: NonZeroUsize) -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let load = read("/proc/loadavg");
    let load: Vec<&str> = load.split(' ').take(3).collect();
    // The file system is that of the longest mount point above the folder.
    let mounts = read("/proc/mounts");
    let mounts = mounts.lines().filter_map(|line| {
        let mut fields = line.split(' ').skip(1);
        Some((fields.next()?, fields.next()?))
    });
    let kind = mounts.filter(|(at, _)| folder.starts_with(at)).max_by_key(|(at, _)| at.len());
    let kind = kind.map_or("an unknown file system", |(_, kind)| kind);
    format!("{threads} threads, load {} before; files on {kind}", load.join(" "))
}

/// Counting and nothing else, as many times as there are packages.
fn compute(count: usize, threads: NonZeroUsize) {
    let things: Vec<usize> = (0..count).collect();
    ordered::for_each::<_, io::Error>(&things, threads, &mut Nowhere, |thing, _| {
        let sum = (0..300_000_u64).fold(*thing as u64, |sum, value| black_box(sum.rotate_left(5) ^ value));
        black_box(sum);
        Ok(())
    })
    .expect("nothing can fail");
}

/// Returns how many sounds were decoded.
fn import(packages: &[Vec<u8>], threads: NonZeroUsize) -> usize {
    let sounds = std::sync::atomic::AtomicUsize::new(0);
    ordered::for_each::<_, io::Error>(packages, threads, &mut Nowhere, |package, _| {
        let source = Memory(package.clone());
        let package = SoundFile::open(source, "Package", Budget::default()).map_err(io::Error::other)?;
        let imported = package.import().map_err(io::Error::other)?;
        assert!(imported.report.skipped.is_empty(), "{:?}", imported.report.skipped);
        sounds.fetch_add(imported.songs[0].samples().len(), std::sync::atomic::Ordering::Relaxed);
        Ok(())
    })
    .expect("the packages are whole");
    sounds.into_inner()
}

/// A command line of the program.
fn run(line: &[&str], threads: NonZeroUsize) {
    let cli = Cli::try_parse_from([&["usampler"], line].concat()).expect("a command line");
    let mut nowhere = Nowhere;
    let mut console = Console::new(&mut nowhere, cli.output);
    let ended = match cli.command {
        Some(ProgramCommand::List(args)) => command::list::run(&args, threads, &mut console),
        Some(ProgramCommand::Extract(args)) => command::extract::run(&args, threads, &mut console),
        _ => panic!("{line:?} is not measured"),
    };
    assert!(matches!(ended, Ok(Exit::Done)), "{ended:?}");
}

/// `OutputStreams` that nobody hears.
struct Nowhere;

impl Write for Nowhere {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(black_box(bytes).len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl OutputStreams for Nowhere {
    fn message(&mut self, lines: &str) {
        black_box(lines);
    }

    fn progress(&mut self, _: &ordered::WorkProgress<'_>) {}
}
