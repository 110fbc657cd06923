//! JSON lines, and tab-separated values. The rows are those of `modkit::report`.

use std::io::{self, Write};

use exporter::filename::steers_text;
use serde::Serialize;

/// Prints one object as a line.
///
/// # Errors
/// Those of the output.
pub fn print(out: &mut dyn Write, row: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, row)?;
    writeln!(out)
}

fn escaped(c: char) -> String {
    match c {
        '\\' => "\\\\".to_owned(),
        '\t' => "\\t".to_owned(),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        c if steers_text(c) => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    }
}

/// Prints one line of tab-separated values; tabs, line ends and what else steers a terminal are shown as `\t`, `\n`,
/// `\r` and `\u001b`.
///
/// # Errors
/// Those of the output.
pub fn print_values(out: &mut dyn Write, values: &[String]) -> io::Result<()> {
    let escaped = values.iter().map(|value| value.chars().map(escaped).collect::<String>());
    writeln!(out, "{}", escaped.collect::<Vec<_>>().join("\t"))
}
