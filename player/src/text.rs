//! Facts of sounds in few words: the same in lists, on screens and in messages.

use importer::{Format, Sound};
use song::{LoopCount, LoopMode, LoopRange};
use tracker::ModuleSummary;
use unicode_width::UnicodeWidthStr as _;

/// Returns the first characters of a text, in at most `width` columns of a terminal, with a sign where it was cut.
#[must_use]
pub fn shortened(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    if width == 0 {
        return String::new();
    }
    let mut short: String = text.chars().take(width.saturating_sub(1)).collect();
    while short.width() >= width {
        short.pop();
    }
    short.push('~');
    short
}

/// Returns a number of sounds in words.
#[must_use]
pub fn counted(sounds: usize) -> String {
    match sounds {
        0 => "no sounds".to_owned(),
        1 => "1 sound".to_owned(),
        sounds => format!("{sounds} sounds"),
    }
}

/// Returns how many of some sounds are meant: `3 of 8 sounds`, or `8 sounds` if all are.
#[must_use]
pub fn counted_of(some: usize, all: usize) -> String {
    if some == all { counted(all) } else { format!("{some} of {}", counted(all)) }
}

/// Formats a time in seconds with two decimals, with minutes from 60 seconds on.
#[must_use]
pub fn seconds(seconds: f64) -> String {
    if seconds < 59.995 {
        return format!("{seconds:.2} s");
    }
    let minutes = (seconds / 60.0).floor();
    format!("{minutes}:{:05.2}", seconds - 60.0 * minutes)
}

/// Returns a number of bytes as people read it.
#[must_use]
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    let mut size = bytes as f64 / 1000.0;
    let mut unit = 0;
    while size >= 999.5 && unit + 1 < UNITS.len() {
        size /= 1000.0;
        unit += 1;
    }
    let digits = if size < 9.95 { 1 } else { 0 };
    match bytes {
        ..1000 => format!("{bytes} bytes"),
        _ => format!("{size:.digits$} {} ({bytes} bytes)", UNITS[unit]),
    }
}

/// Returns a loop as `start-end`, with a sign for ping-pong, the number of times it was meant to be played, and whether
/// the release ends it.
#[must_use]
pub fn looping(range: &LoopRange) -> String {
    let sign = match range.mode() {
        LoopMode::Forward => "",
        LoopMode::PingPong | LoopMode::ShortPingPong => " <>",
    };
    let plays = match range.plays() {
        LoopCount::Forever => String::new(),
        LoopCount::Times(times) => format!(" x{times}"),
    };
    let held = if range.is_sustaining() { " held" } else { "" };
    format!("{}-{}{sign}{plays}{held}", range.start(), range.end())
}

/// Returns how many sounds a group or a cue plays; none for a sound with audio of its own.
#[must_use]
pub fn plays(sound: &Sound) -> Option<String> {
    sound.zones().map(|_| match sound.plays().as_slice() {
        [number] => format!("plays #{number}"),
        numbers => format!("plays {} sounds", numbers.len()),
    })
}

/// Returns the name of the format of a tracker module.
#[must_use]
pub fn format_of(summary: &ModuleSummary) -> &'static str {
    Format::from(summary.format).name()
}

/// Returns what a tracker module is, in a line.
#[must_use]
pub fn in_short(summary: &ModuleSummary) -> String {
    let ModuleSummary { title, channels, patterns, instruments, samples, .. } = summary;
    let counts =
        [(*channels, "channel"), (*patterns, "pattern"), (*instruments, "instrument"), (*samples, "sample")];
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let counts = counts.map(|(count, of)| format!("{count} {of}{}", if *count == 1 { "" } else { "s" }));
    let title = (!title.is_empty()).then(|| format!("\"{title}\""));
    title.into_iter().chain(counts).collect::<Vec<_>>().join(", ")
}

/// Returns what a tracker module is, a title and a value for each fact.
#[must_use]
pub fn facts(summary: &ModuleSummary) -> Vec<(&'static str, String)> {
    let rows = match summary.rows {
        None => String::new(),
        Some((1, 1)) => " (1 row)".to_owned(),
        Some((least, most)) if least == most => format!(" ({least} rows)"),
        Some((least, most)) => format!(" ({least} to {most} rows)"),
    };
    let mut facts = Vec::new();
    if !summary.title.is_empty() {
        facts.push(("title", summary.title.clone()));
    }
    facts.extend([
        ("writer", summary.writer.clone()),
        ("channels", summary.channels.to_string()),
        ("orders", summary.orders.to_string()),
        ("patterns", format!("{}{rows}", summary.patterns)),
        ("instruments", summary.instruments.to_string()),
        ("samples", summary.samples.to_string()),
        ("speed", format!("{} ticks a row, tempo {}", summary.speed, summary.tempo)),
    ]);
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_two_or_three_digits() {
        let shown = |bytes| size(bytes).split(" (").next().unwrap().to_owned();
        let expected = ["999 bytes", "1.0 kB", "9.9 kB", "10 kB", "999 kB", "1.0 MB", "12 GB"];
        assert_eq!([999, 1000, 9_949, 9_950, 999_499, 999_500, 12_345_678_901].map(shown), expected);
    }
    #[test]
    fn minutes_appear_from_sixty_seconds_on() {
        assert_eq!(seconds(59.99), "59.99 s");
        assert_eq!(seconds(60.0), "1:00.00");
        assert_eq!(seconds(125.5), "2:05.50");
    }
}
