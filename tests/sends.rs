//! What instruments of sampler banks send to the reverb.

use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

use exporter::sfz::KeyAssignment;
use fixtures::soundfont::{Font, FontSample, FontZone, wave};
use importer::open::{Files, MemoryFiles, OpenOptions, OpenedFile};
use importer::{Budget, SoundFile};
use song::{Decibels, Instrument, Sends, Song, SongParts};
use unreal::Memory;

fn open_sfz(text: &str) -> SoundFile {
    let files = [("a.sfz", text.as_bytes().to_vec()), ("a.wav", wave(400))];
    let files: MemoryFiles = files.into_iter().map(|(path, bytes)| (path.to_owned(), bytes)).collect();
    let (files, options): (Arc<dyn Files>, _) = (Arc::new(files), OpenOptions::default());
    OpenedFile::open(&files, Path::new("a.sfz"), &options).unwrap().sounds(&options).unwrap()
}

fn open_font(bytes: Vec<u8>) -> SoundFile {
    SoundFile::open(Memory(bytes), "Bank", Budget::default()).unwrap()
}

/// Returns a font of one preset: generators 15 and 16 of its zones, and 16 of the preset itself.
fn font(zones: &[[i16; 2]], of_preset: i16) -> SoundFile {
    let zones = zones.iter().map(|[chorus, reverb]| FontZone::of(&[(15, *chorus), (16, *reverb), (53, 0)]));
    let sample = FontSample::new("Ramp", (0..400).collect(), (100, 300));
    let mut font = Font::single(zones.collect(), sample);
    font.presets[0].3[0].generators.insert(0, (16, of_preset));
    open_font(font.finish())
}

/// Returns what instruments send to the reverb in decibels; the described and the imported ones are alike.
fn reverb(file: &SoundFile) -> Vec<Option<f32>> {
    let song = file.import().unwrap().songs.remove(0);
    let sends = |instrument: &Instrument| {
        assert_eq!(instrument.sends.delay, None);
        instrument.sends.reverb.map(Decibels::get)
    };
    let described = file.sounds().iter().map(|sound| file.sends(sound).reverb.map(Decibels::get));
    let imported: Vec<Option<f32>> = song.instruments().iter().map(sends).collect();
    assert_eq!(imported, described.collect::<Vec<_>>());
    imported
}

fn remarks(file: &SoundFile) -> Vec<String> {
    file.remarks().into_iter().map(|remark| remark.text).collect()
}

#[test]
fn a_reverb_send_of_a_font_is_in_tenths_of_a_percent_and_presets_add_to_it() {
    for (zone, preset, sent) in [
        (1000, 0, Some(0.0)),
        (60, 40, Some(-20.0)),
        (100, 0, Some(-20.0)),
        (900, 900, Some(0.0)),
        (100, -100, None),
        (0, 0, None),
        // 1.5 % is below what counts as off.
        (15, 0, None),
    ] {
        let file = font(&[[0, zone]], preset);
        assert_eq!(reverb(&file), [sent, None], "{zone} and {preset}");
        assert!(remarks(&file).is_empty());
    }
}

#[test]
fn a_chorus_send_of_a_font_is_not_played() {
    let file = font(&[[100, 0]], 0);
    assert_eq!(reverb(&file), [None, None]);
    assert_eq!(remarks(&file), ["chorusEffectsSend: 1 zone, not played"]);
}

#[test]
fn the_send_of_most_zones_is_that_of_their_instrument_and_the_others_are_counted() {
    let file = font(&[[0, 500], [0, 100], [0, 100], [0, 0]], 0);
    assert_eq!(reverb(&file), [Some(-20.0), None]);
    assert_eq!(remarks(&file), ["reverbEffectsSend unlike most zones of the preset: 2 zones, not played"]);
    // Of equally many the first.
    assert_eq!(reverb(&font(&[[0, 1000], [0, 100]], 0))[0], Some(0.0));
    let file = open_sfz(
        "<region> sample=a.wav effect1=100 <group> effect1=10 <region> sample=a.wav
        <region> sample=a.wav key=3",
    );
    assert_eq!(reverb(&file)[0], Some(-20.0));
    assert_eq!(remarks(&file), ["effect1 unlike most regions of the instrument: 1 region, not played"]);
}

#[test]
fn effect1_of_an_sfz_is_in_percent_and_effect2_is_not_played() {
    let sent = |opcodes: &str| reverb(&open_sfz(&format!("<region> sample=a.wav {opcodes}")))[0];
    assert_eq!(sent("effect1=10"), Some(-20.0));
    assert_eq!([sent("effect1=200"), sent("effect1=100")], [Some(0.0); 2]);
    assert_eq!([sent("effect1=0"), sent("effect1=-5"), sent("effect1=1.5"), sent("")], [None; 4]);
    let file = open_sfz("<region> sample=a.wav effect2=10");
    assert_eq!(reverb(&file)[0], None);
    assert_eq!(remarks(&file), ["effect2: 1 region, not played"]);
}

#[test]
fn effect1_is_no_reverb_in_a_file_with_effects_of_its_own() {
    let file = open_sfz("<region> sample=a.wav effect1=10 <effect> bus=fx1 type=disto");
    assert_eq!(reverb(&file)[0], None);
    assert_eq!(remarks(&file), ["<effect>: 1 region, not played", "effect1: 1 region, not played"]);
}

#[test]
fn instruments_of_an_sfz_have_sends_of_their_own() {
    let file = open_sfz(
        "<group> locc16=0 hicc16=1 effect1=10 <region> sample=a.wav
        <group> locc16=2 hicc16=3 <region> sample=a.wav",
    );
    assert_eq!(reverb(&file)[..2], [Some(-20.0), None]);
    assert!(remarks(&file).is_empty());
}

#[test]
fn sends_that_are_written_are_read_again() {
    let plain = font(&[[0, 0]], 0).import().unwrap().songs.remove(0);
    for gain in [None, Some(-35.5), Some(-12.0), Some(-6.5), Some(0.0)] {
        let sends = Sends { reverb: gain.map(|gain| Decibels::new(gain).unwrap()), delay: None };
        let instruments = plain.instruments().iter().map(|own| Instrument { sends, ..own.clone() }).collect();
        let parts = SongParts {
            samples: plain.samples().to_vec(),
            instruments,
            articulations: plain.articulations().to_vec(),
            ..SongParts::default()
        };
        let song = Song::new(parts).unwrap();
        let text = exporter::sfz::text(&song, KeyAssignment::Selected, |_, _| Some("a.wav".to_owned()));
        let mut bytes = Cursor::new(Vec::new());
        exporter::sf2::write(&song, &mut bytes).unwrap();
        // A tenth of a percent is what SF2 tells apart: 0.27 dB at the lowest send.
        for (file, exact) in [(open_sfz(&text), 0.005), (open_font(bytes.into_inner()), 0.28)] {
            let read = reverb(&file)[0];
            assert_eq!(read.is_some(), gain.is_some());
            let off = read.unwrap_or_default() - gain.unwrap_or_default();
            assert!(off.abs() <= exact, "{gain:?} is read as {read:?}");
        }
    }
}
