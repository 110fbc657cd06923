//! `usampler bench`: what it says; never how fast.

use crate::program;
use program::usampler;
use serde_json::Value;

#[test]
fn every_quality_is_measured_with_every_number_of_voices() {
    let run = usampler(&["bench", "--voices", "1,3", "--seconds", "0.01s", "--json"]);
    run.ends_with(0);
    let rows: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let combinations: Vec<(&str, u64)> =
        rows.iter().map(|row| (row["quality"].as_str().unwrap(), row["voices"].as_u64().unwrap())).collect();
    let qualities = ["draft", "normal", "good", "high", "max"];
    let expected: Vec<(&str, u64)> =
        qualities.iter().flat_map(|quality| [(*quality, 1), (*quality, 3)]).collect();
    assert_eq!(combinations, expected);
    for row in rows {
        assert!(row["ns"].as_f64().unwrap() > 0.0 && row["blocks"].as_u64().unwrap() > 0, "{row}");
    }
}

#[test]
fn no_voices_are_too_few_and_a_million_too_many() {
    usampler(&["bench", "--voices", "0"]).ends_with(2);
    usampler(&["bench", "--voices", "1000000"]).ends_with(2);
}

#[test]
fn the_table_names_the_instructions_voices_are_rendered_with() {
    let run = usampler(&["bench", "--voices", "2", "--seconds", "0.01s"]);
    run.ends_with(0);
    assert_eq!(run.out.lines().count(), 6, "{}", run.out);
    assert!(run.err.contains(engine::instructions()), "{}", run.err);
}
