//! What a description says of a sound before it is decoded: the same as what is decoded.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use fixtures::package::{Object, PackageWriter, Tag, Wave as WaveObject};
use fixtures::wave::{Values, Wave};
use importer::{Budget, SoundFile};
use song::{Instrument, SampleIndex};
use unreal::Memory;

/// Checks that each instrument is described as it is imported, and each recording takes as many bytes as it said.
fn check(bytes: &[u8], what: &str) -> usize {
    let source = Memory(bytes.to_vec());
    let Ok(file) = SoundFile::open(source, "P", Budget::default()) else { return 0 };
    let imported = file.import_only(|sound| !sound.is_module()).unwrap();
    let song = &imported.songs[0];
    assert_eq!(song.articulations(), file.articulations(), "{what}");
    // The samples of the song are those that could be decoded, in the order of the sounds.
    let mut places = BTreeMap::new();
    for sound in file.sounds().iter().filter(|sound| sound.zones().is_none()) {
        if let Ok(decoded) = file.sample(sound.number) {
            places.insert(sound.number - 1, places.len());
            let recorded = decoded.recording().bytes();
            assert_eq!(sound.decoded_len().unwrap_or(recorded), recorded, "{what} #{}", sound.number);
        }
    }
    let mut audible = 0;
    for sound in file.sounds() {
        let imported = &song.instruments()[sound.number - 1];
        let described = file.instrument(sound.number).unwrap();
        let tree = described.tree.with_zones(&mut |zone| {
            let place = *places.get(&zone.sample().get())?;
            Some(zone.clone().of_sample(SampleIndex::new(place), zone.root(), song::Cents::ZERO))
        });
        let described = Instrument { tree: tree.unwrap_or_default(), ..described };
        assert_eq!(&described, imported, "{what} #{}", sound.number);
        audible += usize::from(!imported.is_silent());
    }
    audible
}

#[test]
fn packages_and_modules_are_described_as_they_are_decoded() {
    for (name, module) in fixtures::module::various() {
        assert!(check(&module.bytes, name) > 0, "{name}");
    }
    let recording = |value| Wave::new(22_050, 1, Values::I16(vec![value; 100]));
    let mut tuned = recording(2).looped(10, 19);
    if let Some(sampler) = &mut tuned.sampler {
        (sampler.unity_note, sampler.pitch_fraction) = (48, 1 << 31);
    }
    let wide = Wave::new(8000, 6, Values::I16(vec![3; 600]));
    let mut package = PackageWriter::new(868);
    let recordings = [("One", recording(1).finish()), ("Tuned", tuned.finish()), ("Wide", wide.finish())];
    let waves: Vec<Object> =
        recordings.iter().map(|(name, bytes)| package.wave(&WaveObject::new(name, bytes, b""))).collect();
    let text = package.wave(&WaveObject::new("Text", b"no recording", b""));
    let children = [&waves[..], &[text]].concat();
    let node = package.node("SoundNodeRandom", "Node", &[Tag::objects("ChildNodes", &children)]);
    let first = Tag::new("FirstNode", "ObjectProperty", &node.0.to_le_bytes());
    package.node("SoundCue", "Cue", &[first]);
    assert_eq!(check(&package.finish(), "a package of cues"), 4);
}

#[test]
fn real_packages_are_described_as_they_are_decoded() {
    let Some(folder) = fixtures::corpus::corpus("packages") else { return };
    let below = |folder: &Path| -> Vec<PathBuf> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
    };
    let folders = below(&folder).into_iter().filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| below(&folder));
    let audible: usize =
        files.map(|file| check(&fs::read(&file).unwrap(), &file.display().to_string())).sum();
    assert!(audible > 100, "{audible}");
}
