use std::fs;

use crossbeam_channel::bounded;
use fixtures::songs::{looped, mono, of};
use importer::Report;
use song::{Decibels, Key, LoopMode};

use super::*;

/// Returns two recordings, of which the first has a loop and the second is too loud.
fn decoded() -> DecodedSong {
    let pad = looped(mono((0..400).map(|frame| frame * 10)), 100, 300, LoopMode::Forward);
    let song = of(vec![pad, mono([30_000, -30_000, 100])]);
    DecodedSong { song, report: Report::default(), held: HeldMemory::default() }
}

/// Saves sounds of packages: the places and numbers of each package's.
fn saved(
    packages: &[&[(usize, usize)]],
    format: SavedFormat,
    voicing: Voicing,
    folder: &Path,
) -> Result<SavedFile, Error> {
    let voicings = vec![voicing; packages.iter().map(|sounds| sounds.len()).sum()];
    let package = |sounds: &&[(usize, usize)]| {
        let (reply, song) = bounded(1);
        reply.send(Ok(decoded())).unwrap();
        DecodingPackage { sounds: sounds.to_vec(), song }
    };
    let packages = packages.iter().map(package).collect();
    SavedSounds { packages, voicings, format, name: "Pads/Warm".to_owned() }.write(folder)
}

fn louder() -> Voicing {
    Voicing { gain: Decibels::from_gain(2.0).unwrap(), root_shift: 2, ..Voicing::default() }
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn a_sound_is_saved_as_its_recording_with_gain_root_and_loop_and_nothing_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["Pads_Warm.wav", "Pads_Warm 2.wav"] {
        let file = saved(&[&[(0, 1)]], SavedFormat::Wav, louder(), folder.path()).unwrap();
        assert_eq!(file.notice(), format!("saved the sound as {name}"));
        let bytes = fs::read(folder.path().join(name)).unwrap();
        let mut reader = hound::WavReader::new(bytes.as_slice()).unwrap();
        let spec = reader.spec();
        assert_eq!((spec.channels, spec.bits_per_sample, spec.sample_rate), (1, 16, 48_000));
        let values: Vec<i16> = reader.samples().map(Result::unwrap).collect();
        assert_eq!((values.len(), values[..3].to_vec(), values[399]), (400, vec![0, 20, 40], 7980));
        let smpl = bytes.windows(4).position(|word| word == b"smpl").unwrap() + 8;
        let field = |at: usize| u32::from_le_bytes(bytes[smpl + 4 * at..][..4].try_into().unwrap());
        assert_eq!([field(3), field(4), field(7), field(11), field(12)], [62, 0, 1, 100, 299]);
    }
}

#[test]
fn values_that_are_clipped_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let file = saved(&[&[(0, 2)]], SavedFormat::Wav, louder(), folder.path()).unwrap();
    assert_eq!(file.notice(), "saved the sound as Pads_Warm.wav; 2 values were clipped: turn its gain down");
}

#[test]
fn sounds_of_several_packages_are_one_sfz_in_the_order_of_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let packages: [&[(usize, usize)]; 2] = [&[(0, 2), (2, 1)], &[(1, 1)]];
    let format = SavedFormat::Sfz { is_kit: true };
    for stem in ["Pads_Warm", "Pads_Warm 2"] {
        let file = saved(&packages, format, louder(), folder.path()).unwrap();
        assert_eq!(file.notice(), format!("saved 3 sounds as {stem}.sfz"));
        let text = fs::read_to_string(folder.path().join(format!("{stem}.sfz"))).unwrap();
        let regions: Vec<Vec<&str>> = text
            .split("<region>")
            .skip(1)
            .map(|region| region.lines().filter(|line| !line.is_empty() && !line.starts_with("//")).collect())
            .collect();
        let has = |region: usize, start: &str| regions[region].iter().any(|line| line.starts_with(start));
        assert!(has(0, "lokey=36 hikey=36") && has(0, "loop_mode=no_loop"), "{text}");
        assert!(has(1, "lokey=37 hikey=37") && has(1, "loop_mode=loop_continuous loop_start=100"), "{text}");
        assert!(has(2, "lokey=38 hikey=38") && has(2, "volume=6.021"), "{text}");
        assert_eq!(names(&folder.path().join(format!("{stem} samples"))).len(), 3);
        for line in text.lines().filter_map(|line| line.strip_prefix("sample=")) {
            assert!(folder.path().join(line).is_file(), "{line}");
        }
    }
}

#[test]
fn a_soundfont_has_the_root_key_that_was_set() {
    let folder = tempfile::tempdir().unwrap();
    let file = saved(&[&[(0, 1), (1, 2)]], SavedFormat::SoundFont, louder(), folder.path()).unwrap();
    assert_eq!(file.notice(), "saved 2 sounds as Pads_Warm.sf2");
    let bytes = fs::read(folder.path().join("Pads_Warm.sf2")).unwrap();
    let root = [58, 0, Key::C4.get() + 2, 0];
    assert!(bytes.windows(4).any(|generator| generator == root), "overridingRootKey is 62");
}

#[test]
fn packages_that_cannot_be_decoded_leave_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let (_, song) = bounded(1);
    let packages = vec![DecodingPackage { sounds: vec![(0, 1)], song }];
    let format = SavedFormat::SoundFont;
    let name = "Warm".to_owned();
    let saved = SavedSounds { packages, voicings: vec![Voicing::default()], format, name };
    assert_eq!(saved.write(folder.path()).unwrap_err().kind(), ErrorKind::Sound);
    assert_eq!(names(folder.path()), [] as [String; 0]);
}
