//! Text for people.

use std::io::{self, Write};

use importer::{Budget, Platform, Sound, SoundFile};
use modkit::report::sound_file::flag_names;
use tracker::replay::{Subsong, subsongs_of};
use tracker::{ModuleFile, ModuleSummary};
use unreal::ue1to3::version::ByteOrder;
use unreal::{GameCipher, Method, Package};

use player::sound_table::status;
pub use player::sound_table::{sounds, sounds_of_files};
pub use player::text::{counted, seconds, size};
use player::text::{format_of, in_short};

use super::printable;
use player::text_table::{Flush, TextTable};

/// Writes what a package is and holds.
///
/// # Errors
/// Those of the output.
pub fn package(
    out: &mut dyn Write,
    label: &str,
    bytes: u64,
    file: &SoundFile,
    package: &Package,
    verbosity: u8,
) -> io::Result<()> {
    writeln!(out, "{}", printable(label))?;
    writeln!(out, "  kind         Unreal Engine {} package", package.identity().version.engine())?;
    writeln!(out, "  size         {}", size(bytes))?;
    file.lineage2().map_or(Ok(()), |wrapper| writeln!(out, "  wrapper      {wrapper}"))?;
    origin(out, package)?;
    writeln!(out, "  names        {}", package.names().len())?;
    writeln!(out, "  imports      {}", package.imports().len())?;
    writeln!(out, "  exports      {}", package.exports().len())?;
    let modules: Vec<(&Sound, &ModuleSummary)> = file.modules().collect();
    for (sound, summary) in &modules {
        let what = if modules.len() > 1 { in_short(summary) } else { format_of(summary).to_owned() };
        writeln!(out, "  music        #{} {}: {}", sound.number, printable(&sound.path()), printable(&what))?;
    }
    let only = modules.first().filter(|_| modules.len() == 1).map(|(_, summary)| *summary);
    if let Some(summary) = only {
        facts(out, summary)?;
    }
    sounds_of(out, file, verbosity)?;
    if let Some(summary) = only {
        message(out, summary)?;
    }
    if verbosity == 0 {
        return Ok(());
    }
    notes(out, file, verbosity)?;
    let level: Vec<(String, String)> =
        file.level().into_iter().map(|remark| (remark.object, printable(&remark.text))).collect();
    remarks(out, "level", &level, verbosity)?;
    if verbosity > 1 { payloads(out, file.sounds()) } else { Ok(()) }
}

/// Writes the notes on sounds if more than the usual is wanted.
fn notes(out: &mut dyn Write, file: &SoundFile, verbosity: u8) -> io::Result<()> {
    let of =
        |sound: &Sound| sound.notes.iter().map(|text| (sound.path(), printable(text))).collect::<Vec<_>>();
    let notes: Vec<(String, String)> = file.sounds().iter().filter(|_| verbosity > 0).flat_map(of).collect();
    remarks(out, "notes", &notes, verbosity)
}

/// Writes by which engine a package was made, and how it is stored.
fn origin(out: &mut dyn Write, package: &Package) -> io::Result<()> {
    let (identity, summary) = (package.identity(), package.summary());
    let game = package.layout().game.map_or_else(String::new, |game| in_parentheses(game.title()));
    writeln!(out, "  version      {}, licensee {}{game}", identity.version, identity.licensee)?;
    if identity.order == ByteOrder::Big {
        writeln!(out, "  byte order   big-endian, as on consoles")?;
    }
    if let Some(inferred) = package.inferred() {
        writeln!(out, "  inferred     {}: {}", inferred.fact, inferred.reason)?;
    }
    if let (Some(engine), Some(cooker)) = (summary.engine_version, summary.cooker_version) {
        writeln!(out, "  engine       {engine}, cooker {cooker}")?;
    }
    if !summary.chunks.is_empty() {
        let method = Method::of_package(summary.compression).map_or("?", Method::name);
        writeln!(out, "  compressed   {method}, {} chunks", summary.chunks.len())?;
    }
    if let Some(guid) = summary.guid {
        writeln!(out, "  guid         {guid}")?;
    }
    let flags = in_parentheses(&flag_names(summary.flags).join(", "));
    writeln!(out, "  flags        {:#010x}{flags}", summary.flags)?;
    if summary.heritage.is_empty() {
        let counts: Vec<String> =
            summary.generations.iter().map(|g| format!("{} exports, {} names", g.exports, g.names)).collect();
        writeln!(out, "  generations  {}{}", counts.len(), in_parentheses(&counts.join("; ")))?;
    } else {
        writeln!(out, "  heritage     {} packages", summary.heritage.len())?;
    }
    Ok(())
}

/// Writes what a tracker module is, a line for each fact.
fn facts(out: &mut dyn Write, summary: &ModuleSummary) -> io::Result<()> {
    let facts = player::text::facts(summary);
    facts.into_iter().try_for_each(|(title, fact)| writeln!(out, "  {title:<12} {}", printable(&fact)))
}

/// Writes the message of the author of a tracker module.
fn message(out: &mut dyn Write, summary: &ModuleSummary) -> io::Result<()> {
    if summary.message.is_empty() {
        return Ok(());
    }
    writeln!(out, "  message")?;
    summary
        .message
        .lines()
        .try_for_each(|line| writeln!(out, "{}", format!("    {}", printable(line)).trim_end()))
}

/// Prints how long the songs of a tracker module are.
fn songs(out: &mut dyn Write, songs: &[Subsong]) -> io::Result<()> {
    match songs {
        [] => Ok(()),
        [only] => writeln!(out, "  duration     {}", duration(only)),
        several => {
            writeln!(out, "  songs        {}", several.len())?;
            several.iter().zip(1..).try_for_each(|(song, number)| {
                writeln!(out, "    --subsong {number}  {} from order {}", duration(song), song.order)
            })
        }
    }
}

fn duration(song: &Subsong) -> String {
    let longer = if song.is_longer { "longer than " } else { "" };
    format!("{longer}{}", seconds(song.seconds))
}

/// Writes what a tracker module is and holds.
///
/// # Errors
/// Those of the output.
pub fn module(
    out: &mut dyn Write,
    label: &str,
    file: &SoundFile,
    module: &ModuleFile,
    verbosity: u8,
) -> io::Result<()> {
    let summary = module.raw.summary();
    writeln!(out, "{}", printable(label))?;
    writeln!(out, "  kind         tracker module ({})", format_of(&summary))?;
    writeln!(out, "  size         {}", size(file.size()))?;
    facts(out, &summary)?;
    songs(out, &subsongs_of(module, Budget::CELLS))?;
    sounds_of(out, file, verbosity)?;
    let others: Vec<(String, String)> = module
        .repairs
        .iter()
        .filter(|repair| !file.sounds().iter().any(|sound| sound.repairs.contains(&repair.text)))
        .map(|repair| (repair.what.clone(), repair.text.clone()))
        .collect();
    remarks(out, "mended", &others, verbosity)?;
    message(out, &summary)?;
    if verbosity > 1 { frames(out, file.sounds()) } else { Ok(()) }
}

/// Prints what is known of a game, or of one package of it.
///
/// # Errors
/// Those of the output.
pub fn game(
    out: &mut dyn Write,
    label: &str,
    kind: &str,
    cipher: Option<GameCipher>,
    bytes: u64,
    file: &SoundFile,
    verbosity: u8,
) -> io::Result<()> {
    writeln!(out, "{}", printable(label))?;
    writeln!(out, "  kind         {kind}")?;
    cipher.map_or(Ok(()), |game| writeln!(out, "  cipher       {}", game.title()))?;
    writeln!(out, "  size         {}", size(bytes))?;
    for (title, fact) in modkit::report::bank::facts(file) {
        writeln!(out, "  {title:<12} {}", printable(&fact))?;
    }
    sounds_of(out, file, verbosity)?;
    if !file.is_game() {
        notes(out, file, verbosity)?;
    }
    let unplayed = file.remarks().into_iter().map(|remark| (remark.object, printable(&remark.text)));
    remarks(out, "bank", &unplayed.collect::<Vec<_>>(), verbosity)?;
    if verbosity > 1 { frames(out, file.sounds()) } else { Ok(()) }
}

/// Writes how many sounds there are, and what became of them.
fn sounds_of(out: &mut dyn Write, file: &SoundFile, verbosity: u8) -> io::Result<()> {
    let is_skipped = |sound: &&Sound| sound.status.reason().is_some() && !sound.is_vacant();
    let skipped: Vec<&Sound> = file.sounds().iter().filter(is_skipped).collect();
    let playable = file.sounds().iter().filter(|sound| sound.is_playable()).count();
    let modules = match file.modules().count() {
        0 => String::new(),
        1 => ", 1 a tracker module".to_owned(),
        several => format!(", {several} tracker modules"),
    };
    writeln!(out, "  sounds       {} ({playable} playable{modules})", file.sounds().len())?;
    if file.is_music() {
        let samples: usize = file.modules().map(|(_, summary)| summary.samples).sum();
        writeln!(out, "  in jam       the {samples} samples of the module")?;
    }
    let length: f64 = file.sounds().iter().filter_map(Sound::seconds).sum();
    if length > 0.0 {
        writeln!(out, "  length       {} in all", seconds(length))?;
    }
    remarks(out, "skipped", &skipped.iter().map(|s| (s.path(), status(s))).collect::<Vec<_>>(), verbosity)?;
    let repaired: Vec<(String, String)> = file
        .sounds()
        .iter()
        .flat_map(|sound| sound.repairs.iter().map(|text| (sound.path(), text.clone())))
        .collect();
    remarks(out, "repaired", &repaired, verbosity)
}

/// Writes the frames of each sound of a tracker module, without empty slots.
fn frames(out: &mut dyn Write, sounds: &[Sound]) -> io::Result<()> {
    use Flush::{Left, Right};
    let mut table = TextTable::new([
        ("#", Right),
        ("name", Left),
        ("class", Left),
        ("frames", Right),
        ("bytes", Right),
        ("repaired", Right),
        ("plays", Left),
    ]);
    for sound in sounds.iter().filter(|sound| !sound.is_vacant()) {
        let shown = |value: Option<u64>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
        let audio = sound.audio();
        let frames = audio.and_then(|audio| audio.frames);
        let width = audio.and_then(|audio| Some(u64::from(audio.channels) * u64::from(audio.bits? / 8)));
        let plays: Vec<String> = sound.plays().iter().map(|number| format!("#{number}")).collect();
        let row = [
            sound.number.to_string(),
            sound.path(),
            sound.class.to_string(),
            shown(frames),
            shown(frames.zip(width).map(|(frames, width)| frames.saturating_mul(width))),
            sound.repairs.len().to_string(),
            plays.join(" "),
        ];
        table.push(row, false);
    }
    table.print(out, false)
}

/// Writes the offset of the bytes of each sound, and what the package calls them.
fn payloads(out: &mut dyn Write, sounds: &[Sound]) -> io::Result<()> {
    use Flush::{Left, Right};
    let mut table = TextTable::new([
        ("#", Right),
        ("name", Left),
        ("class", Left),
        ("type", Left),
        ("stream", Left),
        ("offset", Right),
        ("bytes", Right),
    ]);
    for sound in sounds {
        let payload = sound.payload();
        let row = [
            sound.number.to_string(),
            sound.path(),
            sound.class.to_string(),
            sound.file_type.clone(),
            sound.stream().map_or("-", Platform::key).to_owned(),
            payload.map_or_else(|| "-".to_owned(), |payload| format!("{:#x}", payload.offset)),
            payload.map_or_else(|| "-".to_owned(), |payload| payload.len.to_string()),
        ];
        table.push(row, payload.is_none());
    }
    if sounds.is_empty() { Ok(()) } else { table.print(out, false) }
}

/// Prints the first lines, or all of them with `-v`.
fn remarks(out: &mut dyn Write, title: &str, remarks: &[(String, String)], verbosity: u8) -> io::Result<()> {
    const SHOWN: usize = 10;
    if remarks.is_empty() {
        return Ok(());
    }
    let shown = if verbosity > 0 { remarks.len() } else { SHOWN.min(remarks.len()) };
    writeln!(out, "  {title:<12} {}", remarks.len())?;
    for (object, text) in &remarks[..shown] {
        writeln!(out, "    {}: {}", printable(object), printable(text))?;
    }
    if shown < remarks.len() {
        writeln!(out, "    and {} more; -v shows all", remarks.len() - shown)?;
    }
    Ok(())
}

fn in_parentheses(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(" ({text})") }
}
