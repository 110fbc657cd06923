//! Payloads that many objects share: small files must not take long.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fixtures::hostile::{nested, package, shared, voice_blocks, voice_head};
use fixtures::module::protracker;
use fixtures::module::xm::Xm;
use fixtures::package::{PackageWriter, Tag, Wave};
use fixtures::streams::silent_flac;
use fixtures::wave::{self, Values};
use importer::{Budget, Error, SharedBudget, SoundFile, Status};
use unreal::{Memory, Source};

/// Bytes that remembers how many of them were asked for.
struct Counted(Memory<Vec<u8>>, AtomicU64);

impl Counted {
    fn new(bytes: Vec<u8>) -> Self {
        Self(Memory(bytes), AtomicU64::new(0))
    }

    fn asked(&self) -> u64 {
        self.1.load(Ordering::Relaxed)
    }
}

impl Source for Counted {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        self.1.fetch_add(into.len() as u64, Ordering::Relaxed);
        self.0.read_at(at, into)
    }
}

fn statuses(file: &SoundFile) -> (usize, usize) {
    let is_over = |status: &Status| matches!(status, Status::Unsupported(why) if why.code() == "over_limit");
    let ok = file.sounds().iter().filter(|sound| sound.status == Status::Ok).count();
    (ok, file.sounds().iter().filter(|sound| is_over(&sound.status)).count())
}

#[test]
fn a_payload_that_all_objects_share_is_looked_at_once() {
    const SOUNDS: usize = 500;
    let data = [voice_head(), voice_blocks(20_000)].concat();
    let mut writer = PackageWriter::new(61);
    writer.wide = true;
    for number in 0..SOUNDS {
        writer.sound(&format!("S{number}"), None, "WAV", if number == 0 { &data } else { b"1234" });
    }
    let written = shared(writer.written(), SOUNDS);
    let source = Arc::new(Counted::new(written.bytes.clone()));
    let file = SoundFile::open(Arc::clone(&source), "Shared", Budget::default()).unwrap();
    assert_eq!(statuses(&file), (SOUNDS, 0));
    assert!(source.asked() < 4 * source.len(), "{} of {} bytes", source.asked(), source.len());
    for number in 1..=SOUNDS {
        assert_eq!(file.sample(number).unwrap().length().get(), 4);
    }
    assert!(source.asked() < 50 * source.len(), "a window for each: {} bytes", source.asked());
}

#[test]
fn a_large_object_that_all_exports_share_is_read_up_to_a_bound() {
    let recording = wave::Wave::new(22_050, 1, Values::U8(vec![9; 300])).finish();
    let tags: Vec<Tag> = (0..20_000).map(|_| Tag::new("A", "IntProperty", &[0; 4])).collect();
    let mut writer = PackageWriter::new(868);
    writer.wave(&Wave { tags, ..Wave::new("Kick", &recording, b"") });
    for _ in 0..2_000 {
        writer.wave(&Wave::new("Kick", b"", b""));
    }
    let written = shared(writer.written(), 2001);
    let source = Arc::new(Counted::new(written.bytes.clone()));
    let file = SoundFile::open(Arc::clone(&source), "Shared", Budget::default()).unwrap();
    let sounds = file.sounds();
    assert_eq!((sounds.len(), &sounds[0].status), (2001, &Status::Ok));
    let reason = sounds[2000].status.reason().unwrap();
    assert!(reason.contains("the limit leaves"), "{reason}");
    assert!(source.asked() < (64 << 20) + 42 * source.len(), "{} bytes", source.asked());
}

#[test]
fn what_looks_like_mpeg_everywhere_is_looked_at_a_few_times() {
    let headers = [0xFF, 0xFB, 0x90, 0x00].repeat(500_000);
    let bytes = package(&headers, &[]).bytes;
    let source = Arc::new(Counted::new(bytes.clone()));
    let file = SoundFile::open(Arc::clone(&source), "Sound", Budget::default()).unwrap();
    let _ = file.sample(1);
    assert!(source.asked() < 20 * source.len(), "{} of {} bytes", source.asked(), source.len());
}

#[test]
fn payloads_that_lie_in_one_another_are_looked_at_up_to_a_bound() {
    let few = nested(20, 100).bytes;
    let file = SoundFile::open(Memory(few.clone()), "Nested", Budget::default()).map(|file| statuses(&file));
    assert_eq!(file.unwrap(), (21, 0), "they are sounds");
    let many = nested(1000, 60_000).bytes;
    let source = Arc::new(Counted::new(many.clone()));
    let file = SoundFile::open(Arc::clone(&source), "Nested", Budget::default()).unwrap();
    let (ok, over) = statuses(&file);
    assert!(ok > 5 && over > 500 && ok + over == 1001, "{ok} and {over}");
    assert!(source.asked() < (64 << 20) + 10 * source.len(), "{} bytes", source.asked());
    assert!(matches!(file.sample(1001), Err(Error::Sound(Status::Unsupported(_)))), "nothing is left for it");
}

#[test]
fn files_share_what_is_left_over_for_looking() {
    let shared = SharedBudget::new(1 << 30);
    let hostile = nested(300, 20_000).bytes;
    let budget = Budget { shared: Some(shared.clone()), ..Budget::default() };
    let described: Vec<usize> = (0..20)
        .map(|_| {
            let source = Arc::new(Counted::new(hostile.clone()));
            let file = SoundFile::open(Arc::clone(&source), "Nested", budget.clone()).unwrap();
            assert!(source.asked() < (64 << 20) + (64 << 10) + 42 * source.len());
            statuses(&file).0
        })
        .collect();
    assert!(described[0] > 90 && described[1] < 10, "the first took what is shared: {described:?}");
    assert!(described[19] >= 5, "what a file is worth is its own: {described:?}");
    let honest = package(&[voice_head(), voice_blocks(3)].concat(), &[]).bytes;
    let source = Memory(honest.clone());
    let file = SoundFile::open(source, "Honest", budget).unwrap();
    assert_eq!(statuses(&file), (1, 0));
}

#[test]
fn modules_that_share_their_bytes_are_opened_up_to_a_bound() {
    const MODULES: usize = 2000;
    let module = [protracker::Mod::new(b"M.K.", 4).finish().bytes, vec![0; 200_000]].concat();
    let mut writer = PackageWriter::new(61);
    writer.wide = true;
    for number in 0..MODULES {
        writer.music(&format!("M{number}"), "MOD", if number == 0 { &module } else { b"1234" });
    }
    let written = shared(writer.written(), MODULES);
    let source = Arc::new(Counted::new(written.bytes.clone()));
    let file = SoundFile::open(Arc::clone(&source), "Shared", Budget::default()).unwrap();
    let imported = file.import().unwrap();
    let opened = imported.songs.len() - 1;
    let left_out =
        imported.report.skipped.iter().filter(|remark| remark.text.contains("so many others")).count();
    assert!(opened > 100 && left_out > 1000 && opened + left_out == MODULES, "{opened} and {left_out}");
    assert!(source.asked() < (64 << 20) + 60 * source.len(), "{} bytes", source.asked());
}

#[test]
fn modules_whose_tables_grow_are_opened_up_to_a_bound() {
    // Two kilobytes that claim twenty megabytes of cells.
    let module =
        Xm { channels: 128, patterns: vec![(256, Vec::new()); 128], ..Xm::new(0x0104) }.finish().bytes;
    let mut writer = PackageWriter::new(61);
    writer.wide = true;
    for number in 0..200 {
        writer.music(&format!("M{number}"), "XM", if number == 0 { &module } else { b"1234" });
    }
    let written = shared(writer.written(), 200);
    let source = Memory(written.bytes.clone());
    let file = SoundFile::open(source, "Shared", Budget::default()).unwrap();
    let opened = (1..=200).filter(|number| file.music(*number).is_ok()).count();
    assert!((1..10).contains(&opened), "{opened}");
}

#[test]
fn silence_that_is_stored_in_next_to_nothing_needs_leave() {
    let bytes = package(&silent_flac(48_000, 400), &[]).bytes;
    let source = Memory(bytes.clone());
    let file = SoundFile::open(source.clone(), "Silence", Budget::default()).unwrap();
    assert!(matches!(file.sample(1), Err(Error::OverLimit { .. })));
    let file = SoundFile::open(source, "Silence", Budget { expansion: None, ..Budget::default() }).unwrap();
    assert_eq!(file.sample(1).unwrap().length().get(), 400 * 65_535);
}

#[test]
fn sounds_that_fail_with_the_same_bytes_fail_a_few_times() {
    let mut writer = PackageWriter::new(61);
    writer.wide = true;
    let silence = silent_flac(48_000, 300);
    for number in 0..50 {
        writer.sound(&format!("S{number}"), None, "WAV", if number == 0 { &silence } else { b"1234" });
    }
    let written = shared(writer.written(), 50);
    let source = Memory(written.bytes.clone());
    let file = SoundFile::open(source.clone(), "Shared", Budget::default()).unwrap();
    let over = |number: &usize| matches!(file.sample(*number), Err(Error::OverLimit { .. }));
    assert!((1..5).contains(&(1..=50).filter(over).count()));
    // What one took is there for others.
    let budget = Budget { decoded: 80 << 20, ..Budget::default() };
    let file = SoundFile::open(source, "Shared", budget).unwrap();
    let skipped = file.import().unwrap().report.skipped;
    let lefts =
        skipped.iter().filter(|remark| remark.text.starts_with("over the limit")).map(|remark| &remark.text);
    assert_eq!(lefts.collect::<std::collections::HashSet<_>>().len(), 1, "{skipped:?}");
}

#[test]
fn sounds_that_share_their_bytes_are_imported_up_to_a_bound() {
    const SOUNDS: usize = 1000;
    let recording = wave::Wave::new(22_050, 1, Values::U8(vec![9; 200_000])).finish();
    let mut writer = PackageWriter::new(61);
    writer.wide = true;
    for number in 0..SOUNDS {
        writer.sound(&format!("S{number}"), None, "WAV", if number == 0 { &recording } else { b"1234" });
    }
    let written = shared(writer.written(), SOUNDS);
    let source = Memory(written.bytes.clone());
    let file = SoundFile::open(source.clone(), "Shared", Budget::default()).unwrap();
    let bytes = |budget| {
        let file = SoundFile::open(source.clone(), "Shared", budget).unwrap();
        let imported = file.import().unwrap();
        let samples = imported.songs[0].samples();
        (samples.iter().map(|sample| sample.recording().bytes()).sum::<u64>(), imported.report.skipped.len())
    };
    let (held, skipped) = bytes(Budget::default());
    assert!(held < (64 << 20) + 64 * source.len() && skipped > 500, "{held} and {skipped}");
    let budget = Budget { expansion: None, ..Budget::default() };
    assert_eq!(bytes(budget), (2 * 200_000 * SOUNDS as u64, 0), "unless it is wanted");
    assert!(
        (1..=SOUNDS).step_by(50).all(|number| file.sample(number).is_ok()),
        "one at a time is no trouble"
    );
}

#[test]
fn what_is_decoded_pays_for_being_looked_at() {
    let one =
        package(&[voice_head(), [1, 0x42, 0x42, 0x0F, 166, 0].to_vec(), vec![7; 1_000_000]].concat(), &[]);
    let source = Memory(one.bytes.clone());
    let file = SoundFile::open(source, "One", Budget::default()).unwrap();
    for _ in 0..200 {
        assert_eq!(file.sample(1).unwrap().length().get(), 1_000_000);
    }
}

#[test]
fn silence_that_takes_no_bytes_takes_no_memory() {
    let silence = |blocks: usize| {
        let sound = [1, 6, 0, 0, 166, 0, 128, 200, 128, 50];
        let silence = [3, 3, 0, 0, 0xFF, 0xFF, 166].repeat(blocks);
        package(&[&voice_head()[..], &sound[..], &silence[..], &[0][..]].concat(), &[])
    };
    let opened = |bytes: &[u8]| {
        let source = Memory(bytes.to_vec());
        let file = SoundFile::open(source, "Silence", Budget::default()).unwrap();
        let sound = &file.sounds()[0];
        (sound.status.reason(), sound.audio().and_then(|audio| audio.frames))
    };
    assert_eq!(opened(&silence(255).bytes), (None, Some(255 * 65_536 + 4)));
    let (reason, frames) = opened(&silence(257).bytes);
    assert_eq!(
        (reason.as_deref(), frames),
        (Some("its blocks of silence last longer than 16777216 frames"), None)
    );
}

#[test]
fn what_would_not_fit_is_not_begun() {
    let shared = SharedBudget::new(1_999_999);
    let bytes =
        package(&[voice_head(), [1, 0x42, 0x42, 0x0F, 166, 0].to_vec(), vec![7; 1_000_000]].concat(), &[])
            .bytes;
    let source = Arc::new(Counted::new(bytes.clone()));
    let budget = Budget { shared: Some(shared.clone()), ..Budget::default() };
    let file = SoundFile::open(Arc::clone(&source), "One", budget).unwrap();
    let before = source.asked();
    assert!(matches!(file.sample(1), Err(Error::OverLimit { needed: 2_000_000, left: 1_999_999 })));
    assert!(source.asked() - before < 10_000, "it was not even read");
}

#[test]
fn files_that_are_open_at_once_share_one_memory() {
    let shared = SharedBudget::new(3_000_000);
    let bytes =
        package(&[voice_head(), [1, 0x42, 0x42, 0x0F, 166, 0].to_vec(), vec![7; 1_000_000]].concat(), &[])
            .bytes;
    let source = Memory(bytes.clone());
    let budget = Budget { shared: Some(shared.clone()), ..Budget::default() };
    let [one, other] = [(); 2].map(|()| SoundFile::open(source.clone(), "One", budget.clone()).unwrap());
    let held = one.sample(1).unwrap();
    assert!(matches!(other.sample(1), Err(Error::OverLimit { needed: 2_000_000, left: 1_000_000 })));
    drop(held);
    let imported = one.import().unwrap();
    assert!(other.sample(1).is_err());
    drop(imported);
    assert!(other.sample(1).is_ok());
    assert_eq!(shared.memory_left(), 3_000_000);
}

#[test]
fn sounds_too_long_to_be_played_are_not_decoded_for_that() {
    let bytes = package(&[voice_head(), voice_blocks(0)].concat(), &[]).bytes;
    let source = Memory(bytes.clone());
    let file = SoundFile::open(source, "Long", Budget { playable_frames: 3, ..Budget::default() }).unwrap();
    let imported = file.import().unwrap();
    assert_eq!(imported.report.skipped[0].text, "it has 4 frames, 3 can be played");
    assert!(file.sample(1).is_ok(), "what is not played may be longer");
}
