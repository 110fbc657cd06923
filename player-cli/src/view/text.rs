//! Text for people.

use std::io::{self, Write};

use importer::{Audio, Opened, Platform, Sound};
use song::{LoopMode, LoopRange, Plays};
use unreal::Method;
use unreal::version::ByteOrder;

use super::printable;
use super::table::{Flush, Table};

/// The sounds of one file as a table.
///
/// # Errors
/// Those of the output.
pub fn sounds(out: &mut dyn Write, sounds: &[&Sound], colored: bool) -> io::Result<()> {
    use Flush::{Left, Right};
    let mut table = Table::new([
        ("#", Right),
        ("name", Left),
        ("format", Left),
        ("codec", Left),
        ("rate", Right),
        ("ch", Right),
        ("bits", Right),
        ("length", Right),
        ("loop", Left),
        ("status", Left),
    ]);
    for sound in sounds {
        let audio = sound.audio.as_ref();
        let number = |value: Option<u64>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
        let row = [
            sound.number.to_string(),
            sound.path(),
            sound.format.map_or("-", importer::Format::name).to_owned(),
            audio.map_or_else(|| "-".to_owned(), |audio| audio.codec.name()),
            number(audio.map(|audio| audio.rate.get().into())),
            number(audio.map(|audio| audio.channels.into())),
            number(audio.and_then(|audio| audio.bits).map(u64::from)),
            audio.and_then(length).unwrap_or_else(|| "-".to_owned()),
            audio.and_then(|audio| audio.loops.first()).map_or_else(|| "-".to_owned(), looping),
            status(sound),
        ];
        table.push(row, sound.status.reason().is_some());
    }
    table.print(out, colored)
}

/// So many sounds, in words.
#[must_use]
pub fn counted(sounds: usize) -> String {
    match sounds {
        0 => "no sounds".to_owned(),
        1 => "1 sound".to_owned(),
        sounds => format!("{sounds} sounds"),
    }
}

fn status(sound: &Sound) -> String {
    match sound.status.reason() {
        Some(reason) => format!("{}: {reason}", sound.status.name()),
        None => match plays(sound) {
            Some(plays) => format!("{}, {plays}", sound.status.name()),
            None => sound.status.name().to_owned(),
        },
    }
}

/// How many sounds a group or a cue plays; none for a sound with audio of its own.
#[must_use]
pub fn plays(sound: &Sound) -> Option<String> {
    sound.part.as_ref().map(|_| match sound.plays().as_slice() {
        [number] => format!("plays #{number}"),
        numbers => format!("plays {} sounds", numbers.len()),
    })
}

/// Seconds with two digits, minutes where there are any.
#[must_use]
pub fn seconds(seconds: f64) -> String {
    if seconds < 59.995 {
        return format!("{seconds:.2} s");
    }
    let minutes = (seconds / 60.0).floor();
    format!("{minutes}:{:05.2}", seconds - 60.0 * minutes)
}

/// How long it lasts, where that is known.
#[must_use]
pub fn length(audio: &Audio) -> Option<String> {
    audio.frames.map(|frames| seconds(frames as f64 / f64::from(audio.rate.get())))
}

/// A loop as `start-end`, with a sign for ping-pong and the number of times it was meant to be played.
#[must_use]
pub fn looping(range: &LoopRange) -> String {
    let sign = match range.mode() {
        LoopMode::Forward => "",
        LoopMode::PingPong => " <>",
    };
    let plays = match range.plays() {
        Plays::Forever => String::new(),
        Plays::Times(times) => format!(" x{times}"),
    };
    format!("{}-{}{sign}{plays}", range.start(), range.end())
}

/// What a package is and holds.
///
/// # Errors
/// Those of the output.
pub fn package(out: &mut dyn Write, label: &str, opened: &Opened<'_>, verbosity: u8) -> io::Result<()> {
    let package = opened.package();
    let (identity, summary) = (package.identity(), package.summary());
    writeln!(out, "{}", printable(label))?;
    writeln!(out, "  kind         Unreal package")?;
    let game = package.layout().game.map_or_else(String::new, |game| in_parentheses(game.title()));
    writeln!(out, "  version      {}, licensee {}{game}", identity.version.get(), identity.licensee.get())?;
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
    writeln!(out, "  flags        {:#010x}{}", summary.flags, flag_names(summary.flags))?;
    if summary.heritage.is_empty() {
        let counts: Vec<String> =
            summary.generations.iter().map(|g| format!("{} exports, {} names", g.exports, g.names)).collect();
        writeln!(out, "  generations  {}{}", counts.len(), in_parentheses(&counts.join("; ")))?;
    } else {
        writeln!(out, "  heritage     {} packages", summary.heritage.len())?;
    }
    writeln!(out, "  names        {}", package.names().len())?;
    writeln!(out, "  imports      {}", package.imports().len())?;
    writeln!(out, "  exports      {}", package.exports().len())?;
    let skipped: Vec<&Sound> =
        opened.sounds().iter().filter(|sound| sound.status.reason().is_some()).collect();
    let playable = opened.sounds().len() - skipped.len();
    writeln!(
        out,
        "  sounds       {}{}",
        opened.sounds().len(),
        in_parentheses(&format!("{playable} playable"))
    )?;
    remarks(out, "skipped", &skipped.iter().map(|s| (s.path(), status(s))).collect::<Vec<_>>(), verbosity)?;
    let repaired: Vec<(String, String)> = opened
        .sounds()
        .iter()
        .flat_map(|sound| sound.repairs.iter().map(|text| (sound.path(), text.clone())))
        .collect();
    remarks(out, "repaired", &repaired, verbosity)?;
    if verbosity == 0 {
        return Ok(());
    }
    let notes: Vec<(String, String)> = opened
        .sounds()
        .iter()
        .flat_map(|sound| sound.notes.iter().map(|text| (sound.path(), printable(text))))
        .collect();
    remarks(out, "notes", &notes, verbosity)?;
    let level: Vec<(String, String)> =
        opened.level().into_iter().map(|remark| (remark.object, printable(&remark.text))).collect();
    remarks(out, "level", &level, verbosity)?;
    if verbosity > 1 { payloads(out, opened.sounds()) } else { Ok(()) }
}

/// Where the bytes of each sound lie, and what the package calls them.
fn payloads(out: &mut dyn Write, sounds: &[Sound]) -> io::Result<()> {
    use Flush::{Left, Right};
    let mut table = Table::new([
        ("#", Right),
        ("name", Left),
        ("class", Left),
        ("type", Left),
        ("stream", Left),
        ("offset", Right),
        ("bytes", Right),
    ]);
    for sound in sounds {
        let payload = sound.payload;
        let row = [
            sound.number.to_string(),
            sound.path(),
            sound.class.to_owned(),
            sound.file_type.clone(),
            sound.stream.map_or("-", Platform::key).to_owned(),
            payload.map_or_else(|| "-".to_owned(), |payload| format!("{:#x}", payload.at)),
            payload.map_or_else(|| "-".to_owned(), |payload| payload.length.to_string()),
        ];
        table.push(row, payload.is_none());
    }
    if sounds.is_empty() { Ok(()) } else { table.print(out, false) }
}

/// Some lines, or all of them with `-v`.
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

/// Source: Unreal Wiki, *Unreal package*, package flags.
const FLAGS: [(u32, &str); 6] = [
    (0x0001, "AllowDownload"),
    (0x0002, "ClientOptional"),
    (0x0004, "ServerSideOnly"),
    (0x0008, "BrokenLinks"),
    (0x8000, "Required"),
    (0x0200_0000, "StoreCompressed"),
];

fn flag_names(flags: u32) -> String {
    let names: Vec<&str> = FLAGS.iter().filter(|(bit, _)| flags & bit != 0).map(|(_, name)| *name).collect();
    in_parentheses(&names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_appear_from_sixty_seconds_on() {
        assert_eq!(seconds(59.99), "59.99 s");
        assert_eq!(seconds(60.0), "1:00.00");
        assert_eq!(seconds(125.5), "2:05.50");
    }
}
