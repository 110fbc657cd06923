//! Sound banks of real projects against what other programs read and decoded of them.

use std::collections::BTreeMap;
use std::path::Path;

use exporter::ogg::{VorbisHeaders, write_ogg};
use fixtures::corpus::corpus;
use importer::open::{OpenOptions, open};
use importer::{BankId, Budget, Sound, SoundFile, Status};
use md5::{Digest, Md5};
use serde_json::Value;
use sha1::Sha1;
use song::Recording;
use unreal::{FileSource, Memory};

/// The most steps of 16 bits by which a sample of a lossy codec may differ.
const TOLERANCE: i64 = 3;

/// Returns interleaved values of 16 bits.
fn interleaved(recording: &Recording) -> Vec<i16> {
    let interleave = |planes: [Vec<i16>; 2]| {
        let frames = planes[0].iter().zip(&planes[1]);
        frames.flat_map(|(left, right)| [*left, *right]).collect::<Vec<_>>()
    };
    let (left, right) = match recording {
        Recording::I16(planes) => (planes.left().to_vec(), planes.right().to_vec()),
        Recording::F32(planes) => {
            let sixteen =
                |plane: &[f32]| plane.iter().map(|value| (value * 32_767.0).round() as i16).collect();
            (sixteen(planes.left()), sixteen(planes.right()))
        }
    };
    if recording.channels() == 1 { left } else { interleave([left, right]) }
}

/// Checks frames against a row of the reference: all of them, or those that it samples of a lossy codec.
fn check(row: &Value, recording: &Recording) -> Result<(), String> {
    let values = interleaved(recording);
    let channels = recording.channels();
    let frames = values.len() / channels;
    if frames as u64 != row["decoded"].as_u64().unwrap() {
        return Err(format!("{frames} frames for {}", row["decoded"]));
    }
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let digest: String = Md5::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    if row["md5"] == digest.as_str() {
        return Ok(());
    }
    if !matches!(row["codec"].as_str().unwrap(), "vorbis" | "pcm_f32" | "hca") {
        return Err("another MD5".to_owned());
    }
    let tolerance = row["tolerance"].as_i64().unwrap_or(TOLERANCE);
    for probe in row["probe"].as_array().unwrap() {
        let frame = probe[0].as_u64().unwrap() as usize;
        for (channel, expected) in probe[1].as_array().unwrap().iter().enumerate() {
            let found = i64::from(values[frame * channels + channel]);
            let distance = (found - expected.as_i64().unwrap()).abs();
            if distance > tolerance {
                return Err(format!("{found} for {expected} at frame {frame}"));
            }
        }
    }
    Ok(())
}

/// Checks the stored bytes of a media.
fn check_stored(row: &Value, bytes: &[u8]) -> Result<(), String> {
    let digest: String = Sha1::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    match row["size"] == bytes.len() && row["sha1"] == digest.as_str() {
        true => Ok(()),
        false => Err(format!("other bytes: {} for {}", bytes.len(), row["size"])),
    }
}

#[test]
fn loose_media_of_wwise_decode_as_another_decoder_has_them() {
    let Some(banks) = corpus("banks") else { return };
    let reference = std::fs::read_to_string(banks.join("reference.jsonl")).unwrap();
    let rows = reference.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut count = 0;
    for row in rows.filter(|row| row["class"] == "WwiseMedia") {
        let file = row["file"].as_str().unwrap();
        // Opus is decoded in whole numbers here and in floats there: four steps in one of 48 samples.
        if !file.ends_with(".wem") || row["codec"] == "opus" {
            continue;
        }
        let source = FileSource::open(banks.join(file)).unwrap();
        let sounds = SoundFile::open(source, file, Budget::default()).unwrap();
        let audio = sounds.sounds()[0].audio().unwrap().clone();
        assert_eq!(u64::from(audio.rate.get()), row["rate"].as_u64().unwrap(), "{file}");
        assert_eq!(u64::from(audio.channels), row["channels"].as_u64().unwrap(), "{file}");
        assert_eq!(audio.frames, row["frames"].as_u64(), "{file}");
        let loops: Vec<[u64; 2]> = audio.loops.iter().map(|l| [l.start().get(), l.end().get()]).collect();
        let expected: Option<[u64; 2]> = serde_json::from_value(row["loop"].clone()).unwrap();
        assert_eq!(loops, Vec::from_iter(expected), "{file}");
        let sample = sounds.sample(1).unwrap();
        check(&row, sample.recording()).unwrap_or_else(|what| panic!("{file}: {what}"));
        count += 1;
    }
    assert!(count > 200, "{count} media");
}

/// Returns the rows of the reference by the folder of their project.
fn by_project(banks: &Path) -> BTreeMap<String, Vec<Value>> {
    let reference = std::fs::read_to_string(banks.join("reference.jsonl")).unwrap();
    let mut projects: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in reference.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let class = row["class"].as_str().unwrap();
        if ["Wwise", "Fmod", "Cri"].iter().any(|middleware| class.starts_with(middleware)) {
            let project = row["file"].as_str().unwrap().split('/').next().unwrap();
            projects.entry(project.to_owned()).or_default().push(row);
        }
    }
    projects
}

fn id_of(id: &BankId) -> Value {
    match id {
        BankId::Number(number) => (*number).into(),
        BankId::Text(text) => text.clone().into(),
    }
}

/// What a row is found by: its class, the file that lists it, its id.
fn key(class: &str, file: &str, id: &Value) -> (String, String, String) {
    (class.to_owned(), file.to_owned(), id.to_string())
}

/// Returns what differs between a row of the reference and the sound, in words.
fn differences(row: &Value, sound: &Sound) -> Vec<String> {
    let bank = sound.bank.as_ref().unwrap();
    let mut found = Vec::new();
    let mut compare = |what: &str, is_equal: bool| {
        if !is_equal {
            found.push(what.to_owned());
        }
    };
    if let Some(media) = &bank.media {
        let own: Vec<Value> = media.iter().map(id_of).collect();
        compare("media", &own == row["media"].as_array().unwrap());
        compare("name", row["name"].is_null() || row["name"] == sound.object.name.as_str());
        return found;
    }
    let names: Vec<Value> = bank.names.iter().map(|name| name.as_str().into()).collect();
    compare("names", &names == row["names"].as_array().unwrap());
    let audio = sound.audio().unwrap();
    compare("rate", row["rate"] == audio.rate.get());
    compare("channels", row["channels"] == audio.channels);
    compare("frames", row["frames"].as_u64() == audio.frames);
    compare("codec", row["codec"] == audio.codec.name().trim_start_matches("adpcm_"));
    let loops: Vec<[u64; 2]> = audio.loops.iter().map(|l| [l.start().get(), l.end().get()]).collect();
    let expected: Option<[u64; 2]> = serde_json::from_value(row["loop"].clone()).unwrap();
    compare("loop", loops == Vec::from_iter(expected));
    found
}

#[test]
fn media_and_events_of_all_projects_are_those_of_other_programs() {
    let Some(banks) = corpus("banks") else { return };
    let (mut media, mut events, mut wrong) = (0, 0, Vec::new());
    for (project, rows) in by_project(&banks) {
        let file = open(banks.join(&project), &OpenOptions::default()).unwrap();
        let prefix = format!("{}/", banks.display());
        let found: BTreeMap<_, _> = file
            .sounds()
            .iter()
            .map(|sound| {
                let container = sound.container.as_deref().unwrap().trim_start_matches(&prefix);
                let id = sound.bank.as_ref().unwrap().id.as_ref().map_or(Value::Null, id_of);
                (key(sound.class.name(), container, &id), sound)
            })
            .collect();
        for row in &rows {
            let of_row = key(row["class"].as_str().unwrap(), row["file"].as_str().unwrap(), &row["id"]);
            let Some(sound) = found.get(&of_row) else {
                wrong.push(format!("{of_row:?} is not listed"));
                continue;
            };
            let what = differences(row, sound);
            if !what.is_empty() {
                wrong.push(format!("{of_row:?}: {}", what.join(", ")));
            }
            let is_event = row.get("media").is_some();
            *if is_event { &mut events } else { &mut media } += 1;
            if sound.class.name() == "CriWave"
                && let Err(what) = check_stored(row, &file.payload(sound.number).unwrap())
            {
                wrong.push(format!("{of_row:?}: {what}"));
            }
            if !is_event && sound.status == Status::Ok && row["whole"] == true && row["codec"] != "opus" {
                let sample = file.sample(sound.number).unwrap();
                if let Err(what) = check(row, sample.recording()) {
                    wrong.push(format!("{of_row:?}: {what}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), media + events, wrong.join("\n"));
    assert!(media >= 561 && events >= 335, "{media} media, {events} events");
}

#[test]
fn vorbis_of_banks_has_the_same_frames_in_an_ogg_file() {
    let Some(banks) = corpus("banks") else { return };
    let options = OpenOptions::default();
    let mut compared = BTreeMap::new();
    for project in by_project(&banks).keys() {
        let Ok(file) = open(banks.join(project), &options) else { continue };
        let is_wanted = |sound: &&Sound| SoundFile::is_bare_vorbis(sound) && sound.status == Status::Ok;
        for sound in file.sounds().iter().filter(is_wanted).take(5) {
            let stream = file.vorbis(sound.number).unwrap().unwrap();
            let audio = sound.audio().unwrap();
            let headers = VorbisHeaders {
                channels: u8::try_from(stream.channels).unwrap(),
                rate: stream.rate,
                exponents: stream.exponents,
                setup: &stream.setup,
                looped: audio.loops.first().copied(),
            };
            let mut ogg = Vec::new();
            let packets = stream.packets.iter().map(|(packet, end)| (&packet[..], *end));
            write_ogg(&mut ogg, &headers, packets).unwrap();
            let read = SoundFile::open(Memory(ogg), "x", Budget::default()).unwrap();
            let name = &sound.object.name;
            let (before, after) = (file.sample(sound.number).unwrap(), read.sample(1).unwrap());
            assert!(before.recording() == after.recording(), "{name}");
            assert_eq!((before.rate(), before.loops()), (after.rate(), after.loops()), "{name}");
            *compared.entry(sound.format().unwrap().name()).or_insert(0) += 1;
        }
    }
    assert!(compared.len() >= 2 && compared.values().sum::<usize>() >= 30, "{compared:?}");
}
