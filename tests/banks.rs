//! Media of sound banks against what another decoder made of them.

use fixtures::corpus::corpus;
use importer::{Budget, SoundFile};
use md5::{Digest, Md5};
use serde_json::Value;
use song::Recording;
use unreal::FileSource;

/// The most steps of 16 bits by which a sample of a lossy codec may differ.
const TOLERANCE: i64 = 3;

/// Returns interleaved values of 16 bits.
fn interleaved(recording: &Recording) -> Vec<i16> {
    let Recording::I16(planes) = recording else { panic!("16 bits") };
    let frames = 0..planes.left().len();
    if planes.channels() == 1 {
        return planes.left().to_vec();
    }
    frames.flat_map(|frame| [planes.left()[frame], planes.right()[frame]]).collect()
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
    if !matches!(row["codec"].as_str().unwrap(), "vorbis" | "opus") {
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

#[test]
fn loose_media_of_wwise_decode_as_another_decoder_has_them() {
    let Some(banks) = corpus("banks") else { return };
    let reference = std::fs::read_to_string(banks.join("reference.jsonl")).unwrap();
    let rows = reference.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut count = 0;
    for row in rows.filter(|row| row["class"] == "WwiseMedia") {
        let file = row["file"].as_str().unwrap();
        // Opus is decoded in whole numbers here and in floats there: four steps in one of 48 samples.
        if !file.ends_with(".wem") || matches!(row["codec"].as_str(), Some("ima" | "ptadpcm" | "opus")) {
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
