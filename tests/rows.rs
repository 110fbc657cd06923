//! Rows of real modules beside those that libopenmpt plays.

use std::sync::Arc;

use fixtures::corpus::corpus;
use importer::{Budget, SoundFile};
use tracker::replay::{Replay, ReplayOptions, Score};
use unreal::Memory;

/// Modules whose rows `libopenmpt` plays otherwise, and why we do not.
const OTHER_ROWS: [&str; 3] = [
    // It ends after two rows.
    "libxmp-unit/pattern_loop_imf.s3m",
    // A start of a loop beyond the end of the pattern.
    "openmpt/it/LoopStartAfterPatternEnd.it",
    // A loop of ModPlug, whose start survives into the next pattern: not replayed yet.
    "libxmp-unit/pattern_loop_mpt.it",
];

#[test]
fn rows_are_played_in_the_order_of_the_reference() {
    let Some(folder) = corpus("modules") else { return };
    let reference = folder.join("reference");
    let mut compared = 0;
    let mut differing = Vec::new();
    for entry in std::fs::read_dir(&reference).unwrap() {
        let path = entry.unwrap().path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".tsv")) else {
            continue;
        };
        let name = name.replace("__", "/");
        let text = std::fs::read_to_string(&path).unwrap();
        let mut expected: Vec<(usize, usize)> = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| {
                let fields: Vec<&str> = line.split_whitespace().collect();
                (fields[1].parse().unwrap(), fields[3].parse().unwrap())
            })
            .collect();
        expected.dedup();
        let bytes = std::fs::read(folder.join(&name)).unwrap();
        let source = Memory(bytes);
        let song =
            SoundFile::open(source, "Song", Budget::default()).unwrap().import().unwrap().songs.remove(0);
        let mut replay = Replay::new(
            Arc::new(Score::new(&song)),
            ReplayOptions { loops: Some(0), ..ReplayOptions::default() },
        );
        let (mut rows, mut seconds) = (Vec::new(), 0.0);
        while let Some(tick) = replay.tick() {
            rows.push((tick.order, tick.row));
            seconds += tick.seconds;
            // As far as the reference goes.
            if seconds >= 45.0 {
                break;
            }
        }
        rows.dedup();
        // What the reference shows at its end is the row that it would go on with.
        let same = rows.iter().zip(&expected).take_while(|(one, other)| one == other).count();
        let is_whole = same + 1 >= expected.len() && same + 1 >= rows.len();
        if !is_whole && !OTHER_ROWS.contains(&name.as_str()) {
            differing.push(format!("{name}: {same} of {} rows", expected.len()));
        }
        compared += 1;
    }
    assert!(compared > 100, "{compared} references");
    assert_eq!(differing, [""; 0], "of {compared}");
}
