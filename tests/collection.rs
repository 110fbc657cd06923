//! A kind of collection that the importer does not know: recordings in memory, one after another.

use fixtures::wave::{Values, Wave};
use importer::collection::Collection;
use importer::{Budget, Sound, SoundClass, SoundFile, Status};
use unreal::ue1to3::bulk::Payload;
use unreal::{Memory, ObjectPath, Source};

/// Recordings by their names.
struct Recordings {
    bytes: Memory<Vec<u8>>,
    sounds: Vec<Sound>,
}

impl Recordings {
    fn new(files: &[(&str, Vec<u8>)]) -> Self {
        let bytes = Memory(files.iter().flat_map(|(_, file)| file.clone()).collect::<Vec<u8>>());
        let mut start = 0;
        let describe = |(number, (name, file)): (usize, &(&str, Vec<u8>))| {
            let payload = Payload::plain(start, file.len() as u64);
            start += file.len() as u64;
            let object = ObjectPath { group: "Kit".to_owned(), name: (*name).to_owned() };
            Sound::of_payload(number, object, &bytes, payload)
        };
        let sounds = (1..).zip(files).map(describe).collect();
        Self { bytes, sounds }
    }
}

impl Collection for Recordings {
    fn sounds(&self) -> &[Sound] {
        &self.sounds
    }

    fn source(&self) -> &dyn Source {
        &self.bytes
    }
}

#[test]
fn a_collection_of_another_kind_is_listed_extracted_decoded_and_imported() {
    let kick = Wave::new(22_050, 1, Values::I16(vec![100, -200, 300])).finish();
    let snare = Wave::new(44_100, 2, Values::I16(vec![1, 2, 3, 4])).finish();
    let files = [("Kick", kick), ("Noise", b"no sound".to_vec()), ("Snare", snare.clone())];
    let recordings = Recordings::new(&files);
    let stored = recordings.source().len();
    let file = SoundFile::of(recordings, "Drums", stored, Budget::default());
    let listed: Vec<_> =
        file.sounds().iter().map(|sound| (sound.path(), sound.class, sound.audio())).collect();
    assert_eq!(listed.len(), 3);
    assert_eq!((&*listed[0].0, listed[0].1), ("Kit.Kick", SoundClass::File));
    assert_eq!(
        listed[2].2.map(|audio| (audio.rate.get(), audio.channels, audio.frames)),
        Some((44_100, 2, Some(2)))
    );
    assert!(matches!(file.sounds()[1].status, Status::Unsupported(_)));
    assert!(file.payload(3).unwrap() == snare);
    assert_eq!(file.sample(1).unwrap().length().get(), 3);
    assert!(file.package().is_none() && file.module().is_none() && !file.is_game());
    let imported = file.import().unwrap();
    let [song] = &imported.songs[..] else { panic!("{:?}", imported.report) };
    assert_eq!((song.name(), song.instruments().len(), song.samples().len()), ("Drums", 3, 2));
    assert_eq!(imported.report.skipped.len(), 1);
    assert!(file.collection::<Recordings>().is_some());
}
