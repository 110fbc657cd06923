//! Payloads that many objects share: small files must not take long.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use fixtures::bytes::Written;
use fixtures::module::protracker;
use fixtures::package::{PackageWriter, Tag, Wave};
use fixtures::wave::{self, Values};
use importer::{Budget, Error, SharedBudget, SoundFile, Status};
use unreal::{Memory, Source};

/// Bytes that remembers how many of them were asked for.
struct Counted<'b>(Memory<&'b [u8]>, AtomicU64);

impl<'b> Counted<'b> {
    fn new(bytes: &'b [u8]) -> Self {
        Self(Memory(bytes), AtomicU64::new(0))
    }

    fn asked(&self) -> u64 {
        self.1.load(Ordering::Relaxed)
    }
}

impl Source for Counted<'_> {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        self.1.fetch_add(into.len() as u64, Ordering::Relaxed);
        self.0.read_at(at, into)
    }
}

/// The head of a Creative Voice File.
fn voice_head() -> Vec<u8> {
    let mut head = b"Creative Voice File\x1A".to_vec();
    for number in [26_u16, 0x010A, 0x1129] {
        head.extend(number.to_le_bytes());
    }
    head
}

/// So many blocks of text without a letter, then a few values and the end.
fn voice_blocks(count: usize) -> Vec<u8> {
    let mut blocks = [5, 0, 0, 0].repeat(count);
    blocks.extend([1, 6, 0, 0, 166, 0, 128, 200, 128, 50, 0]);
    blocks
}

/// A number in the five bytes that any number fits into.
fn wide(value: usize) -> [u8; 5] {
    let part = |shift: u32| (value >> shift) as u8 & 0x7F | 0x80;
    [(value & 0x3F) as u8 | 0x40, part(6), part(13), part(20), (value >> 27) as u8]
}

/// A package whose last sound has these bytes; the objects of the others begin where it is said, counted from these
/// bytes, and end with them.
fn package(data: &[u8], objects: &[usize]) -> Written {
    let mut writer = PackageWriter::new(61);
    writer.wide = true;
    for number in 0..objects.len() {
        writer.sound(&format!("S{number}"), None, "WAV", b"1234");
    }
    writer.sound("Last", None, "WAV", data);
    let mut written = writer.written();
    let start = written.field(&format!("body {}.data", objects.len())).range().start;
    for (number, at) in objects.iter().enumerate() {
        let size = data.len() - at;
        written = written.with(&format!("export {number}.at"), wide(start + at));
        written = written.with(&format!("export {number}.size"), wide(size));
    }
    written
}

/// A package so many objects of which are where the first is.
fn shared(mut written: Written, objects: usize) -> Written {
    let [at, size] = ["at", "size"]
        .map(|field| written.bytes[written.field(&format!("export 0.{field}")).range()].to_vec());
    for number in 1..objects {
        written =
            written.with(&format!("export {number}.at"), &at).with(&format!("export {number}.size"), &size);
    }
    written
}

fn statuses(file: &SoundFile<'_>) -> (usize, usize) {
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
    let source = Counted::new(&written.bytes);
    let file = SoundFile::open(&source, "Shared", Budget::default()).unwrap();
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
    let source = Counted::new(&written.bytes);
    let file = SoundFile::open(&source, "Shared", Budget::default()).unwrap();
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
    let source = Counted::new(&bytes);
    let file = SoundFile::open(&source, "Sound", Budget::default()).unwrap();
    let _ = file.sample(1);
    assert!(source.asked() < 20 * source.len(), "{} of {} bytes", source.asked(), source.len());
}

/// Sounds each of which lies in the one before, and goes on to the end of it, over blocks that all of them have.
fn nested(sounds: usize, blocks: usize) -> Written {
    // What a body has before its bytes: no properties, the file type, the length.
    const BODY: usize = 2 + 5;
    let head = voice_head();
    let inner = BODY + head.len();
    let unit = inner + 4;
    let mut data = head.clone();
    let tail = voice_blocks(blocks);
    let length = head.len() + 4 + sounds * unit + tail.len();
    let mut objects = Vec::new();
    data.extend([5, inner as u8, 0, 0]);
    for _ in 0..sounds {
        objects.push(data.len());
        // The file type is the seventh name.
        data.extend([0, 6]);
        data.extend(wide(length - data.len() - 5));
        data.extend(&head);
        data.extend([5, if objects.len() == sounds { 0 } else { inner as u8 }, 0, 0]);
    }
    data.extend(tail);
    assert_eq!(data.len(), length);
    package(&data, &objects)
}

#[test]
fn payloads_that_lie_in_one_another_are_looked_at_up_to_a_bound() {
    let few = nested(20, 100).bytes;
    let file = SoundFile::open(&Memory(&few[..]), "Nested", Budget::default()).map(|file| statuses(&file));
    assert_eq!(file.unwrap(), (21, 0), "they are sounds");
    let many = nested(1000, 60_000).bytes;
    let source = Counted::new(&many);
    let file = SoundFile::open(&source, "Nested", Budget::default()).unwrap();
    let (ok, over) = statuses(&file);
    assert!(ok > 5 && over > 500 && ok + over == 1001, "{ok} and {over}");
    assert!(source.asked() < (64 << 20) + 10 * source.len(), "{} bytes", source.asked());
    assert!(matches!(file.sample(1001), Err(Error::Sound(Status::Unsupported(_)))), "nothing is left for it");
}

#[test]
fn files_share_what_is_left_over_for_looking() {
    static SHARED: SharedBudget = SharedBudget::new(1 << 30);
    let hostile = nested(300, 20_000).bytes;
    let budget = Budget { shared: Some(&SHARED), ..Budget::default() };
    let described: Vec<usize> = (0..20)
        .map(|_| {
            let source = Counted::new(&hostile);
            let file = SoundFile::open(&source, "Nested", budget).unwrap();
            assert!(source.asked() < (64 << 20) + (64 << 10) + 42 * source.len());
            statuses(&file).0
        })
        .collect();
    assert!(described[0] > 90 && described[1] < 10, "the first took what is shared: {described:?}");
    assert!(described[19] >= 5, "what a file is worth is its own: {described:?}");
    let honest = package(&[voice_head(), voice_blocks(3)].concat(), &[]).bytes;
    let source = Memory(&honest[..]);
    let file = SoundFile::open(&source, "Honest", budget).unwrap();
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
    let source = Counted::new(&written.bytes);
    let file = SoundFile::open(&source, "Shared", Budget::default()).unwrap();
    let imported = file.import().unwrap();
    let opened = imported.songs.len() - 1;
    let left_out =
        imported.report.skipped.iter().filter(|remark| remark.text.contains("so many others")).count();
    assert!(opened > 100 && left_out > 1000 && opened + left_out == MODULES, "{opened} and {left_out}");
    assert!(source.asked() < (64 << 20) + 60 * source.len(), "{} bytes", source.asked());
}

#[test]
fn what_is_decoded_pays_for_being_looked_at() {
    let one =
        package(&[voice_head(), [1, 0x42, 0x42, 0x0F, 166, 0].to_vec(), vec![7; 1_000_000]].concat(), &[]);
    let source = Memory(&one.bytes[..]);
    let file = SoundFile::open(&source, "One", Budget::default()).unwrap();
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
        let source = Memory(bytes);
        let file = SoundFile::open(&source, "Silence", Budget::default()).unwrap();
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
    static SHARED: SharedBudget = SharedBudget::new(1_999_999);
    let bytes =
        package(&[voice_head(), [1, 0x42, 0x42, 0x0F, 166, 0].to_vec(), vec![7; 1_000_000]].concat(), &[])
            .bytes;
    let source = Counted::new(&bytes);
    let budget = Budget { shared: Some(&SHARED), ..Budget::default() };
    let file = SoundFile::open(&source, "One", budget).unwrap();
    let before = source.asked();
    assert!(matches!(file.sample(1), Err(Error::OverLimit { needed: 2_000_000, left: 1_999_999 })));
    assert!(source.asked() - before < 10_000, "it was not even read");
}

#[test]
fn files_that_are_open_at_once_share_one_memory() {
    static SHARED: SharedBudget = SharedBudget::new(3_000_000);
    let bytes =
        package(&[voice_head(), [1, 0x42, 0x42, 0x0F, 166, 0].to_vec(), vec![7; 1_000_000]].concat(), &[])
            .bytes;
    let source = Memory(&bytes[..]);
    let budget = Budget { shared: Some(&SHARED), ..Budget::default() };
    let [one, other] = [(); 2].map(|()| SoundFile::open(&source, "One", budget).unwrap());
    let held = one.sample(1).unwrap();
    assert!(matches!(other.sample(1), Err(Error::OverLimit { needed: 2_000_000, left: 1_000_000 })));
    drop(held);
    let imported = one.import().unwrap();
    assert!(other.sample(1).is_err());
    drop(imported);
    assert!(other.sample(1).is_ok());
    assert_eq!(SHARED.memory_left(), 3_000_000);
}

#[test]
fn sounds_too_long_to_be_played_are_not_decoded_for_that() {
    let bytes = package(&[voice_head(), voice_blocks(0)].concat(), &[]).bytes;
    let source = Memory(&bytes[..]);
    let file = SoundFile::open(&source, "Long", Budget { playable_frames: 3, ..Budget::default() }).unwrap();
    let imported = file.import().unwrap();
    assert_eq!(imported.report.skipped[0].text, "it has 4 frames, 3 can be played");
    assert!(file.sample(1).is_ok(), "what is not played may be longer");
}
