//! The rules of all families of formats, as a text for people.

use std::fmt::{Display, Write as _};

use crate::base::threshold::Threshold;
use crate::containers::{iostore, pak};
use crate::ue1to3::version::{Game, rules};
use crate::ue4to6::convert::IoStoreRelease;
use crate::ue4to6::property::mappings;
use crate::ue4to6::version::AssetVersion;
use crate::ue4to6::version::rules::{engine_4, engine_5};

/// Returns every threshold of every family, every release and every game in Markdown: what `docs/versions.md` holds.
#[must_use]
pub fn document() -> String {
    let mut text = String::from(
        "# Versions: what changes where\n\n\
         Generated from the rules in `unreal/src` by `cargo run -p tests --example write-versions`; a test compares. \
         In each table a file of the version in the first column, or a later one, has the new form.\n\n\
         ## Packages of Unreal Engine 1 to 3\n\n",
    );
    table(&mut text, rules::THRESHOLDS, "source", "Source:");
    text.push_str(
        "\n### Games\n\n\
         Identified by version and licensee, or by the name given to `--game`, which takes precedence.\n\n\
         | `--game` | game | identified by | differences | source |\n|---|---|---|---|---|\n",
    );
    for game in Game::ALL {
        let (about, source) = game.deviation();
        let signature = game.identified_by().map_or("its name alone", |(signature, _)| signature);
        row(&mut text, &[&format!("`{}`", game.name()), game.title(), signature, &capital(about), source]);
    }
    later_families(&mut text);
    text
}

/// Adds the families of Unreal Engine 4 to 6.
fn later_families(text: &mut String) {
    const NAME: &str = "Epic's name";
    text.push_str(
        "\n## Packages of Unreal Engine 4 to 6\n\n\
         A package has one version number of Unreal Engine 4 and one of Unreal Engine 5 and later. \
         Sources are in `unreal/src/ue4to6/version/rules.rs`.\n\n\
         ### By the number of Unreal Engine 4\n\n",
    );
    table(text, engine_4::THRESHOLDS, NAME, "Epic:");
    text.push_str("\n### By the number of Unreal Engine 5\n\n");
    table(text, engine_5::THRESHOLDS, NAME, "Epic:");
    text.push_str(
        "\n## Zen packages and IoStore containers\n\n\
         A Zen package does not state its form: its tables prove it. Releases of the engine write these:\n\n\
         | release | table of contents | container header | Zen packages | version of packages |\n\
         |---|---:|---|---|---|\n",
    );
    for (name, release) in IoStoreRelease::all() {
        let version =
            name.parse::<AssetVersion>().map_or_else(|_| String::new(), |version| version.to_string());
        let (header, form) = (format!("{:?}", release.header), format!("{:?}", release.package_form()));
        row(text, &[name, &release.toc.to_string(), &header, &form, &version]);
    }
    text.push_str("\n### Tables of contents\n\n");
    table(text, iostore::version::rules::THRESHOLDS, NAME, "Epic:");
    text.push_str("\n## Pak files\n\n");
    table(text, pak::version::rules::THRESHOLDS, NAME, "Epic:");
    text.push_str("\n## Mappings (.usmap)\n\n");
    table(text, mappings::version::rules::THRESHOLDS, NAME, "Epic:");
}

/// Adds a table of thresholds, whose last column is what follows `mark` in their descriptions.
fn table<V: Display>(text: &mut String, thresholds: &[Threshold<V>], column: &str, mark: &str) {
    let _ = writeln!(text, "| from | what changes | {column} |\n|---:|---|---|");
    for threshold in thresholds {
        let lines: Vec<&str> = threshold.about.iter().map(|line| line.trim()).collect();
        let about = lines.join(" ");
        let (what, last) = about.split_once(mark).unwrap_or((&about, ""));
        let what = what.split("Source:").next().unwrap_or_default();
        let what = what.trim().trim_end_matches('.').trim_start_matches("From here on ");
        row(text, &[&threshold.version.to_string(), &capital(what), last.trim().trim_end_matches('.')]);
    }
}

fn row(text: &mut String, cells: &[&str]) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}

fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}
