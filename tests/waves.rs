//! Recordings of Unreal Engine 3: which of their forms is taken, and those of more than two channels.

use fixtures::package::{Bulk, PackageWriter, Sound as Plain, Tag, Wave};
use fixtures::streams::Vorbis;
use fixtures::wave::{self, Values};
use importer::{Budget, Codec, DecodedSound, Error, ImportOptions, Platform, Sound, SoundFile, Status};
use song::{Recording, Sample};
use unreal::Memory;

fn mono(rate: u32, values: &[i16]) -> Vec<u8> {
    wave::Wave::new(rate, 1, Values::I16(values.to_vec())).finish()
}

/// Returns the first sound of a package, and what it decodes to.
fn open(package: &PackageWriter, stream: Option<Platform>) -> (Sound, Result<Sample, Error>) {
    open_bytes(package.finish(), stream)
}

fn open_bytes(bytes: Vec<u8>, stream: Option<Platform>) -> (Sound, Result<Sample, Error>) {
    let source = Memory(bytes);
    let options = ImportOptions { stream, ..ImportOptions::default() };
    let sounds = SoundFile::open_with(source, "Test", options, Budget::default()).unwrap();
    (sounds.sounds()[0].clone(), sounds.sample(1).map(DecodedSound::into_sample))
}

/// Returns a package with one wave of these forms: raw, PC, Xbox 360, PS3, Wii U, iPhone, Flash.
fn forms(forms: [&[u8]; 7]) -> PackageWriter {
    let mut package = PackageWriter::new(868);
    package.wave(&Wave { bulks: forms.map(Bulk::new), ..Wave::new("Kick", b"", b"") });
    package
}

/// Bytes of a known format that is not decoded.
const UNDECODED: &[u8] = b"ADAR and so on";

#[test]
fn the_first_form_that_can_be_decoded_is_taken() {
    let (vorbis, phone) = (Vorbis::new(8000, 1, 3, 256).finish(), mono(11_025, &[1, 2, 3]));
    for (stored, taken, rate) in [
        ([&phone[..], &vorbis, b"", b"", b"", b"", b""], Platform::Raw, 11_025),
        ([UNDECODED, &vorbis, b"", b"", b"", b"", b""], Platform::Pc, 8000),
        ([b"RIFF\0\0\0\0WAVEbroken", &vorbis, b"", b"", b"", b"", b""], Platform::Pc, 8000),
        ([UNDECODED, UNDECODED, b"", UNDECODED, b"", &phone, b""], Platform::IPhone, 11_025),
        ([b"", b"", b"unknown", &phone, b"", b"unknown", b""], Platform::Ps3, 11_025),
    ] {
        let (sound, sample) = open(&forms(stored), None);
        assert_eq!((&sound.status, sound.stream()), (&Status::Ok, Some(taken)));
        assert_eq!(sample.unwrap().rate().get(), rate);
    }
}

#[test]
fn of_forms_that_cannot_be_decoded_the_first_is_named_with_its_reason() {
    let (sound, _) = open(&forms([b"", UNDECODED, b"", b"unknown", b"", b"", b""]), None);
    assert_eq!(sound.stream(), Some(Platform::Pc));
    assert_eq!(sound.status.to_string(), "unsupported: RAD Audio is not decoded");
}

#[test]
fn a_wished_form_is_taken_whatever_it_holds() {
    let (raw, vorbis) = (mono(11_025, &[1, 2, 3]), Vorbis::new(8000, 1, 3, 256).finish());
    let package = forms([&raw, &vorbis, b"", UNDECODED, b"", b"", b""]);
    let (sound, sample) = open(&package, Some(Platform::Pc));
    assert_eq!((&sound.status, sound.stream()), (&Status::Ok, Some(Platform::Pc)));
    assert_eq!(sample.unwrap().rate().get(), 8000);
    let (sound, _) = open(&package, Some(Platform::Ps3));
    assert_eq!(sound.stream(), Some(Platform::Ps3));
    assert_eq!(sound.status.name(), "unsupported");
}

#[test]
fn a_wave_without_the_wished_form_is_empty_and_says_which_it_has() {
    let raw = mono(11_025, &[1, 2, 3]);
    let (sound, _) = open(&forms([&raw, b"", b"", UNDECODED, b"", b"", b""]), Some(Platform::Pc));
    assert_eq!(sound.status.to_string(), "empty: no stream pc in it, it has raw, ps3");
    assert_eq!((sound.stream(), sound.payload()), (None, None));
    let (sound, _) = open(&forms([b""; 7]), Some(Platform::Pc));
    assert_eq!(sound.status.to_string(), "empty: the package holds no data for it");
}

#[test]
fn a_wished_form_in_another_file_is_said_to_be_there() {
    let mut wave = Wave::new("Kick", b"", b"");
    let raw = mono(11_025, &[1, 2, 3]);
    wave.bulks[0] = Bulk::new(&raw);
    wave.bulks[1] = Bulk { flags: 1, elements: Some(99), data: b"" };
    let mut package = PackageWriter::new(868);
    package.wave(&wave);
    let (sound, _) = open(&package, Some(Platform::Pc));
    assert_eq!(sound.status.to_string(), "unsupported: its audio lies in another file");
    assert_eq!(open(&package, None).0.status, Status::Ok);
}

#[test]
fn a_sound_without_forms_for_platforms_is_not_touched_by_the_wish() {
    let mut package = PackageWriter::new(69);
    package.add(&Plain::new("Kick", "WAV", &mono(8000, &[1])));
    let (sound, _) = open(&package, Some(Platform::Ps3));
    assert_eq!((&sound.status, sound.stream()), (&Status::Ok, None));
}

#[test]
fn every_platform_is_found_by_its_word_in_any_case() {
    for platform in Platform::ALL {
        assert_eq!(Platform::from_key(&platform.key().to_uppercase()), Some(platform));
    }
    assert_eq!(Platform::from_key("ps"), None);
}

/// A wave whose raw form is these files, and offsets and sizes of those that are not empty.
struct Speakers {
    data: Vec<u8>,
    offsets: Vec<i32>,
    sizes: Vec<i32>,
}

impl Speakers {
    fn new(files: &[Vec<u8>]) -> Self {
        let mut speakers = Self { data: Vec::new(), offsets: Vec::new(), sizes: Vec::new() };
        for file in files {
            speakers.offsets.push(i32::try_from(speakers.data.len()).unwrap());
            speakers.sizes.push(i32::try_from(file.len()).unwrap());
            speakers.data.extend(file);
        }
        speakers
    }

    fn package(&self, version: u16) -> PackageWriter {
        let mut wave = Wave::new("Kick", &self.data, b"");
        wave.channels = [self.offsets.clone(), self.sizes.clone()];
        wave.tags.push(Tag::numbers("ChannelOffsets", &self.offsets));
        wave.tags.push(Tag::numbers("ChannelSizes", &self.sizes));
        let mut package = PackageWriter::new(version);
        package.wave(&wave);
        package
    }

    fn open(&self) -> (Sound, Result<Sample, Error>) {
        open(&self.package(868), None)
    }
}

fn planes(sample: &Sample) -> Vec<Vec<f32>> {
    match sample.recording() {
        Recording::F32(planes) => planes.iter().map(<[f32]>::to_vec).collect(),
        Recording::I16(_) => panic!("16 bits where a mix was expected"),
    }
}

/// Returns six channels of some frames, each different.
fn six(frames: i16) -> Vec<Vec<i16>> {
    (1..=6).map(|channel| (0..frames).map(|frame| channel * 1000 + frame).collect()).collect()
}

#[test]
fn files_one_after_another_sound_like_one_file_of_as_many_channels() {
    for version in [385, 419, 420, 868] {
        let channels = six(5);
        let files: Vec<_> = channels.iter().map(|channel| mono(22_050, channel)).collect();
        let (sound, sample) = open(&Speakers::new(&files).package(version), None);
        assert_eq!((&sound.status, sound.stream()), (&Status::Ok, Some(Platform::Raw)), "{version}");
        let audio = sound.audio().unwrap();
        assert_eq!((audio.codec, audio.rate.get(), audio.channels), (Codec::PcmS16, 22_050, 6));
        assert_eq!((audio.frames, audio.bits), (Some(5), Some(16)));
        assert_eq!(sound.repairs, ["6 channels are mixed down to two"]);

        let interleaved = (0..5).flat_map(|frame| channels.iter().map(move |channel| channel[frame]));
        let one = wave::Wave::new(22_050, 6, Values::I16(interleaved.collect())).finish();
        let mut package = PackageWriter::new(69);
        package.sound("Kick", None, "WAV", &one);
        let expected = planes(&open(&package, None).1.unwrap());
        assert_eq!(planes(&sample.unwrap()), expected, "{version}");
    }
}

#[test]
fn a_speaker_without_a_recording_is_left_out() {
    // Front left, front right and the two at the sides.
    let value = |value: i16| mono(8000, &[value]);
    let files = [value(16_384), value(0), vec![], vec![], value(0), value(16_384), vec![], vec![]];
    let (sound, sample) = Speakers::new(&files).open();
    assert_eq!(sound.audio().unwrap().channels, 4);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let found = planes(&sample.unwrap());
    assert!((found[0][0] - 0.5 / (1.0 + half)).abs() < 1e-6, "{found:?}");
    assert!((found[1][0] - 0.5 * half / (1.0 + half)).abs() < 1e-6, "{found:?}");
}

#[test]
fn the_longest_speaker_ends_the_sound_and_shorter_ones_end_in_silence() {
    let files: Vec<_> = [3, 5, 0, 4].iter().map(|frames| mono(8000, &vec![1000; *frames])).collect();
    let (sound, sample) = Speakers::new(&files).open();
    assert_eq!(sound.audio().unwrap().frames, Some(5));
    let repair = "the recordings of its speakers have 0 to 5 frames; the shorter end in silence";
    assert_eq!(sound.repairs[0], repair);
    let found = planes(&sample.unwrap());
    assert_eq!((found[0].len(), found[1].len(), found[0][4]), (5, 5, 0.0));
    assert!(found[1][4] > 0.0);
}

#[test]
fn speakers_without_any_frame_are_an_empty_sound() {
    let files = vec![mono(8000, &[]); 4];
    assert_eq!(Speakers::new(&files).open().0.status.name(), "empty");
}

#[test]
fn places_that_are_missing_are_where_the_file_before_ends() {
    let files: Vec<_> = six(4).iter().map(|channel| mono(8000, channel)).collect();
    let expected = planes(&Speakers::new(&files).open().1.unwrap());
    let mut speakers = Speakers::new(&files);
    speakers.offsets.truncate(2);
    assert_eq!(planes(&speakers.open().1.unwrap()), expected);
}

#[test]
fn lying_places_and_sizes_are_refused_with_their_place() {
    let files: Vec<_> = six(4).iter().map(|channel| mono(8000, channel)).collect();
    let whole = Speakers::new(&files);
    let end = i32::try_from(whole.data.len()).unwrap();
    let lie = |change: fn(&mut Speakers, i32)| {
        let mut speakers = Speakers::new(&files);
        change(&mut speakers, end);
        speakers.open().0.status.reason().unwrap().to_owned()
    };
    let beyond = lie(|speakers, _| speakers.sizes[5] += 1);
    assert!(
        beyond.starts_with("the recording for side right claims 53 bytes, the payload has 312"),
        "{beyond}"
    );
    let outside = lie(|speakers, end| speakers.offsets[2] = end);
    assert!(outside.starts_with("the recording for centre claims 52 bytes"), "{outside}");
    let overlapping = lie(|speakers, _| speakers.offsets[3] -= 1);
    assert_eq!(overlapping, "the recordings of two speakers overlap at 0x9b of the payload");
    let same = lie(|speakers, _| speakers.offsets = vec![0; 6]);
    assert_eq!(same, "the recordings of two speakers overlap at 0x0 of the payload");
    let huge = lie(|speakers, _| speakers.sizes[0] = i32::MAX);
    assert!(huge.starts_with("the recording"), "{huge}");
    let negative = lie(|speakers, _| speakers.sizes[0] = -1);
    assert!(negative.contains("-1"), "{negative}");
    let shifted = lie(|speakers, _| {
        speakers.offsets.iter_mut().skip(1).for_each(|place| *place += 1);
        speakers.sizes.iter_mut().skip(1).for_each(|size| *size -= 1);
    });
    assert_eq!(shifted, "the recording for front right: its bytes are of no known format");
}

#[test]
fn files_of_different_rates_or_of_two_channels_are_no_speakers() {
    let mut files: Vec<_> = six(4).iter().map(|channel| mono(8000, channel)).collect();
    files[2] = mono(11_025, &[1]);
    let (sound, sample) = Speakers::new(&files).open();
    let reason = "the recording for centre is of 11025 Hz, others of 8000 at 0x68 of the payload";
    assert_eq!(sound.status.to_string(), format!("damaged: {reason}"));
    assert!(sample.is_err());
    files[2] = wave::Wave::new(8000, 2, Values::I16(vec![1, 2])).finish();
    let reason = "the recording for centre has 2 channels, not one".to_owned();
    assert_eq!(Speakers::new(&files).open().0.status.to_string(), format!("unsupported: {reason}"));
    let nine = vec![mono(8000, &[1]); 9];
    let reason = "a recording for speaker 9, of more than 8 is not known whose they are".to_owned();
    assert_eq!(Speakers::new(&nine).open().0.status.to_string(), format!("unsupported: {reason}"));
}

#[test]
fn damage_in_the_file_of_a_speaker_is_reported_with_its_place_in_the_whole() {
    let mut files: Vec<_> = six(4).iter().map(|channel| mono(8000, channel)).collect();
    // No rate.
    files[1][24..28].fill(0);
    let reason =
        "the recording for front right: the \"fmt \" chunk declares a rate of 0 Hz at 0x48 of the payload";
    assert_eq!(Speakers::new(&files).open().0.status.to_string(), format!("damaged: {reason}"));
}

#[test]
fn channels_are_those_of_the_raw_form_alone() {
    let files: Vec<_> = six(4).iter().map(|channel| mono(8000, channel)).collect();
    let speakers = Speakers::new(&files);
    let vorbis = Vorbis::new(8000, 6, 3, 256).finish();
    let mut wave = Wave::new("Kick", &speakers.data, &vorbis);
    wave.tags.push(Tag::numbers("ChannelSizes", &speakers.sizes));
    let mut package = PackageWriter::new(868);
    package.wave(&wave);
    let (sound, sample) = open(&package, Some(Platform::Pc));
    assert_eq!((&sound.status, sound.audio().unwrap().codec), (&Status::Ok, Codec::Vorbis));
    assert_eq!(sample.unwrap().length().get(), 256);
}

#[test]
fn sizes_of_two_speakers_or_fewer_say_nothing_of_the_form() {
    for sizes in [vec![], vec![0; 8], vec![999, 0, 0], vec![999, 999]] {
        let speakers = Speakers { data: mono(8000, &[1, 2, 3]), offsets: vec![0; sizes.len()], sizes };
        let (sound, sample) = speakers.open();
        assert_eq!((&sound.status, sample.unwrap().length().get()), (&Status::Ok, 3));
    }
}

#[test]
fn what_is_stored_is_kept_as_it_is() {
    let files: Vec<_> = six(4).iter().map(|channel| mono(8000, channel)).collect();
    let speakers = Speakers::new(&files);
    let source = Memory(speakers.package(868).finish());
    let sounds = SoundFile::open(source, "Test", Budget::default()).unwrap();
    assert_eq!(sounds.payload(1).unwrap(), speakers.data);
}

#[test]
fn speakers_are_paid_for_one_at_a_time() {
    let files: Vec<_> = (0..6).map(|_| mono(8000, &vec![1000; 1000])).collect();
    let source = Memory(Speakers::new(&files).package(868).finish());
    // Two channels of float, and one speaker of 16 bits.
    for (decoded, enough) in [(10_000, true), (9999, false)] {
        let budget = Budget { decoded, ..Budget::default() };
        let sounds = SoundFile::open(source.clone(), "Test", budget).unwrap();
        assert_eq!(sounds.sample(1).is_ok(), enough, "{decoded}");
    }
}
