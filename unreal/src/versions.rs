//! The rules as a text for people.

use std::fmt::Write as _;

use super::Game;
use super::rules::THRESHOLDS;

/// Returns every threshold and every game in Markdown: what `docs/versions.md` holds.
#[must_use]
pub fn document() -> String {
    let mut text = String::from(
        "# Versions: what changes where\n\n\
         Generated from `unreal/src/ue1to3/version/` by `cargo run -p tests --example write-versions`; a test compares.\n\n\
         ## Thresholds\n\n\
         A package of the version in the first column, or a later one, has the new form.\n\n\
         | from | what changes | source |\n|---:|---|---|\n",
    );
    for threshold in THRESHOLDS {
        let lines: Vec<&str> = threshold.about.iter().map(|line| line.trim()).collect();
        let about = lines.join(" ");
        let (what, source) = about.split_once("Source:").unwrap_or((&about, ""));
        let what = what.trim().trim_end_matches('.').trim_start_matches("From here on ");
        let source = source.trim().trim_end_matches('.');
        row(&mut text, &[&threshold.version.to_string(), &capital(what), source]);
    }
    text.push_str(
        "\n## Games\n\n\
         Identified by version and licensee, or by the name given to `--game`, which takes precedence.\n\n\
         | `--game` | game | identified by | differences | source |\n|---|---|---|---|---|\n",
    );
    for game in Game::ALL {
        let (about, source) = game.deviation();
        let signature = game.identified_by().map_or("its name alone", |(signature, _)| signature);
        row(&mut text, &[&format!("`{}`", game.name()), game.title(), signature, &capital(about), source]);
    }
    text
}

fn row(text: &mut String, cells: &[&str]) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}

fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}
