//! Events of sound banks as instruments: what a note plays, of banks that are written here.

use std::path::Path;
use std::sync::Arc;

use fixtures::wave::{Values, Wave};
use fixtures::wwise_bank::WwiseBank;
use importer::open::{Files, MemoryFiles, OpenOptions, OpenedFile};
use importer::{BankOptions, Budget, SoundFile, SwitchValue};
use modkit::select::select;
use song::{Node, ZoneTree};

/// A bank of four media of 1 to 4 frames, each with a sound of its own: 11 to 14.
fn bank() -> WwiseBank {
    (1..=4).fold(WwiseBank::default(), |bank, id| {
        let values = vec![1000; id as usize];
        bank.media(id, &Wave::new(48_000, 1, Values::I16(values)).finish()).sound(10 + id, id)
    })
}

fn opened(files: &[(&str, Vec<u8>)], switches: &[(&str, &str)]) -> SoundFile {
    let files: MemoryFiles = files.iter().map(|(path, bytes)| (*path, bytes.clone())).collect();
    let files: Arc<dyn Files> = Arc::new(files);
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let banks = BankOptions {
        names: words(&["Play_Step", "Surface", "Grass", "Stone", "Wood"]),
        switches: switches.iter().map(|(group, value)| ((*group).to_owned(), (*value).to_owned())).collect(),
        ..BankOptions::default()
    };
    let options = OpenOptions { banks, budget: Budget::default(), ..OpenOptions::default() };
    OpenedFile::open(&files, Path::new("Banks"), &options).unwrap().sounds(&options).unwrap()
}

/// Returns what the event plays: lengths of samples, which tell the media apart, in the order of its tree.
fn played(file: &SoundFile) -> (ZoneTree, Vec<u64>) {
    let song = file.import().unwrap().songs.into_iter().next().unwrap();
    let instrument = song.instruments().iter().find(|instrument| instrument.name == "Play_Step").unwrap();
    let length = |zone: &&song::Zone| song.samples()[zone.sample().get()].length().get();
    (instrument.tree.clone(), instrument.zones().iter().map(length).collect())
}

#[test]
fn a_random_container_draws_by_its_weights() {
    let bank = bank().container(50, false, &[(11, 50_000), (12, 150_000), (13, 0)]).event("Play_Step", &[50]);
    let (tree, lengths) = played(&opened(&[("Banks/A.bnk", bank.finish())], &[]));
    assert_eq!(lengths, [1, 2, 3]);
    let Node::Random { children, .. } = tree.node() else { panic!("{tree:?}") };
    let weights: Vec<f32> = children.iter().map(|(weight, _)| weight.get()).collect();
    assert!(
        weights[0] > 0.0 && (weights[1] / weights[0] - 3.0).abs() < 1e-6 && weights[2] == 0.0,
        "{weights:?}"
    );
}

#[test]
fn a_sequence_plays_its_list_in_turn_whatever_the_order_of_its_children() {
    let bank =
        bank().container(50, true, &[(13, 50_000), (11, 50_000), (14, 50_000)]).event("Play_Step", &[50]);
    let (tree, lengths) = played(&opened(&[("Banks/A.bnk", bank.finish())], &[]));
    assert!(matches!(tree.node(), Node::RoundRobin(children) if children.len() == 3), "{tree:?}");
    assert_eq!(lengths, [3, 1, 4]);
}

#[test]
fn a_switch_has_its_default_value_or_the_one_that_is_set() {
    let values = [("Grass", 11), ("Stone", 12), ("Wood", 13)];
    let bank = bank().switch(60, "Surface", "Stone", &values).event("Play_Step", &[60]).finish();
    let files = [("Banks/A.bnk", bank)];
    let lengths = |switches: &[(&str, &str)]| played(&opened(&files, switches)).1;
    assert_eq!(lengths(&[]), [2]);
    assert_eq!(lengths(&[("Surface", "Wood")]), [3]);
    assert_eq!(lengths(&[("surface", "GRASS")]), [1]);
    let file = opened(&files, &[("Surface", "Lava")]);
    let remarks: Vec<String> = file.remarks().into_iter().map(|remark| remark.text).collect();
    assert!(remarks.iter().any(|text| text.contains("Lava")), "{remarks:?}");
    let groups = &file.banks().unwrap().project().switches;
    let named: Vec<_> = groups[0].values.iter().filter_map(|(_, name)| name.as_deref()).collect();
    assert_eq!((groups[0].name.as_deref(), named.len()), (Some("Surface"), 3));
}

#[test]
fn other_values_of_switches_play_other_sounds_without_reading_the_banks_again() {
    let values = [("Grass", 11), ("Stone", 12)];
    let bank = bank().switch(60, "Surface", "Stone", &values).event("Play_Step", &[60]);
    let file = opened(&[("Banks/A.bnk", bank.event("Play_Other", &[13]).finish())], &[]);
    let [choice] = &file.switches()[..] else { panic!("{:?}", file.switches()) };
    let event = file.sounds().iter().find(|sound| sound.object.name == "Play_Step").unwrap().number;
    assert_eq!((choice.name.as_str(), &choice.events[..]), ("Surface", &[event][..]));
    let mut named: Vec<&str> = choice.values.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(named[choice.chosen.unwrap()], "Stone");
    named.sort_unstable();
    assert_eq!(named, ["Grass", "Stone"]);
    let lengths = |value: &str| {
        let (value, _) = choice.values.iter().find(|(_, name)| name == value).unwrap();
        let value = SwitchValue { kind: choice.kind, group: choice.group, value: *value };
        let (instruments, _) = file.switched(&[value]);
        assert_eq!(instruments.len(), 2, "all events");
        let (_, instrument) = instruments.iter().find(|(number, _)| *number == event).unwrap();
        instrument.zones().iter().map(|zone| zone.sample().get() + 1).collect::<Vec<_>>()
    };
    let media = |id: &str| file.sounds().iter().find(|sound| sound.object.name == id).unwrap().number;
    assert_eq!((lengths("Grass"), lengths("Stone")), (vec![media("1")], vec![media("2")]));
}

#[test]
fn layers_are_as_loud_as_their_curves_say_for_a_parameter_that_is_set() {
    let curves: [(u32, &[[f32; 2]]); 2] =
        [(11, &[[0.0, 1.0], [100.0, 0.0]]), (12, &[[0.0, 0.0], [100.0, 1.0]])];
    let bank = bank().blend(60, "Speed", &curves).event("Play_Step", &[60]).finish();
    let gains = |parameters: &[(&str, f32)]| {
        let files: MemoryFiles = [("Banks/A.bnk", bank.clone())].into_iter().collect();
        let files: Arc<dyn Files> = Arc::new(files);
        let parameters = parameters.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        let banks = BankOptions { names: vec!["Play_Step".to_owned()], parameters, ..BankOptions::default() };
        let options = OpenOptions { banks, ..OpenOptions::default() };
        let file = OpenedFile::open(&files, Path::new("Banks"), &options).unwrap().sounds(&options).unwrap();
        let (tree, lengths) = played(&file);
        assert_eq!(lengths, [1, 2]);
        let gains: Vec<f32> = tree.zones().iter().map(|zone| zone.gain().get()).collect();
        (gains, file.remarks().len())
    };
    assert_eq!(gains(&[]), (vec![0.0, 0.0], 0));
    let (half, _) = gains(&[("speed", 50.0)]);
    assert!(half.iter().all(|gain| (gain + 6.0206).abs() < 1e-3), "{half:?}");
    let (quarter, _) = gains(&[("Speed", 25.0)]);
    assert!((quarter[0] + 2.4988).abs() < 1e-3 && (quarter[1] + 12.0412).abs() < 1e-3, "{quarter:?}");
    assert_eq!(gains(&[("Height", 1.0)]), (vec![0.0, 0.0], 1), "nothing depends on it, which is said");
}

#[test]
fn a_media_that_repeats_a_number_of_times_is_one_voice_that_ends() {
    let media = Wave::new(48_000, 1, Values::I16(vec![1000; 4800])).finish();
    let bank = WwiseBank::default().media(1, &media).repeated_sound(11, 1, 3).event("Play_Step", &[11]);
    let file = opened(&[("Banks/A.bnk", bank.finish())], &[]);
    let song = file.import().unwrap().songs.into_iter().next().unwrap();
    let instrument = song.instruments().iter().find(|instrument| instrument.name == "Play_Step").unwrap();
    let [zone] = instrument.zones()[..] else { panic!("{instrument:?}") };
    assert!(zone.loops_whole());
    let articulation = &song.articulations()[zone.articulation().unwrap().get()];
    let song::Articulation::Sampler(sampler) = articulation else { panic!("{articulation:?}") };
    let segments = sampler.amplitude.segments();
    let times: Vec<f32> = segments.iter().map(|segment| segment.time.base).collect();
    assert_eq!(times[..3], [0.0, 0.0, 0.3], "it begins at once and ends after 0.3 s");
    assert_eq!(segments[3].level, 0.0);
    assert!(file.remarks().is_empty());
}

#[test]
fn a_container_within_itself_ends() {
    let bank = bank().container(50, false, &[(11, 1), (51, 1)]).container(51, true, &[(50, 1), (12, 1)]);
    let (_, lengths) = played(&opened(&[("Banks/A.bnk", bank.event("Play_Step", &[50]).finish())], &[]));
    assert!(lengths.contains(&1) && lengths.contains(&2) && lengths.len() < 50, "{lengths:?}");
}

#[test]
fn several_actions_sound_together() {
    let (tree, lengths) =
        played(&opened(&[("Banks/A.bnk", bank().event("Play_Step", &[11, 13]).finish())], &[]));
    assert!(matches!(tree.node(), Node::Layer(parts) if parts.len() == 2), "{tree:?}");
    assert_eq!(lengths, [1, 3]);
}

#[test]
fn a_name_or_id_means_the_usual_platform_and_the_first_of_equal_banks() {
    let bank = bank().event("Play_Step", &[11]).finish();
    let files = ["Banks/Android/A.bnk", "Banks/Windows/A.bnk", "Banks/Windows/B.bnk"]
        .map(|path| (path, bank.clone()));
    let file = opened(&files, &[]);
    let container = |selector| select(&file, Some(selector)).unwrap().container.clone().unwrap();
    assert!(container("Play_Step").ends_with("Windows/A.bnk"), "{}", container("Play_Step"));
    assert!(container("4").ends_with("Windows/A.bnk"));
    assert!(container("#1").ends_with("Android/A.bnk"));
}
