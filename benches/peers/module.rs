//! A scene as an Impulse Tracker module: 64 channels begin a note in each row, and what they played before goes on.
//!
//! ```text
//! header │ orders │ offsets │ instrument │ sample │ pattern │ values
//! ```
//!
//! Source: *ITTECH.TXT*, the description of the format that came with Impulse Tracker 2.14.

use super::scene::{Absent, RATE, Scene, Source};

/// Notes that sound at once: in the pattern's channels, and after them.
pub(crate) const MOST_VOICES: usize = 256;

const CHANNELS: usize = 64;
const HEADER: usize = 0xC0;
const INSTRUMENT: usize = 554;
const SAMPLE: usize = 0x50;

/// The key that sounds a sample at its own rate.
const ROOT: i32 = 60;

/// Slowest first ticks, 2.5 seconds by this, and as many ticks in a row as there can be: 20 seconds.
const TEMPO: u8 = 32;
const LONGEST: u8 = 255;

/// Rows of the pattern: more than an hour.
const ROWS: u16 = 200;

/// Of 128: quiet enough that the mixer's whole numbers have room for all voices.
fn volume(scene: &Scene) -> u8 {
    u8::try_from((128 * 16 / scene.voices()).clamp(1, 128)).unwrap_or(128)
}

/// Returns the gain a module gives to each voice; the rest of the scene's is up to its player.
pub(crate) fn gain(scene: &Scene) -> f32 {
    f32::from(volume(scene)) / 128.0
}

/// Returns the number of frames until all notes have begun.
pub(crate) fn beginning(scene: &Scene) -> usize {
    let rows = (scene.voices() - 1) / CHANNELS;
    rows * RATE as usize * 5 / (2 * usize::from(TEMPO))
}

/// Returns the bytes of a file.
///
/// # Errors
/// If the source is not of 16 bits: other players of the format know no more.
pub(crate) fn bytes(scene: &Scene) -> Result<Vec<u8>, Absent> {
    let Source::Sixteen(values) = &scene.source else {
        return Err(Absent("plays 16 bits only".to_owned()));
    };
    let pattern = pattern(scene);
    // Two orders, the second the end; an offset each of instrument, sample and pattern.
    let instrument_at = HEADER + 2 + 3 * 4;
    let sample_at = instrument_at + INSTRUMENT;
    let pattern_at = sample_at + SAMPLE;
    let values_at = pattern_at + pattern.len();
    let mut file = header(scene);
    file.extend([0, 255]);
    for offset in [instrument_at, sample_at, pattern_at] {
        file.extend(u32::try_from(offset)?.to_le_bytes());
    }
    file.extend(instrument());
    file.extend(sample(scene, values.len(), values_at)?);
    file.extend(pattern);
    file.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    Ok(file)
}

fn header(scene: &Scene) -> Vec<u8> {
    let mut head = b"IMPM".to_vec();
    head.extend([0; 26 + 2]);
    // Orders, instruments, samples, patterns; made with and compatible with 2.14; stereo, instruments, linear slides.
    for word in [2_u16, 1, 1, 1, 0x0214, 0x0214, 0b1101, 0] {
        head.extend(word.to_le_bytes());
    }
    // Global volume, mixing volume, ticks of a row, tempo, separation.
    head.extend([volume(scene), 48, 1, TEMPO, 128]);
    head.resize(HEADER - 2 * CHANNELS, 0);
    // All channels in the centre, as loud as can be.
    head.extend([32; CHANNELS]);
    head.extend([64; CHANNELS]);
    head
}

fn instrument() -> Vec<u8> {
    let mut instrument = b"IMPI".to_vec();
    instrument.extend([0; 13]);
    // A new note lets the last one go on; no check for the same note.
    instrument.extend([1, 0, 0]);
    // Fade-out; separation by pitch, around the root; volume; no pan of its own.
    instrument.extend([0, 0, 0, ROOT as u8, 128, 0x80 | 32]);
    instrument.resize(0x40, 0);
    // Every key sounds the one sample as that key.
    instrument.extend((0..120).flat_map(|key| [key, 1]));
    instrument.resize(INSTRUMENT, 0);
    instrument
}

fn sample(scene: &Scene, length: usize, values_at: usize) -> Result<Vec<u8>, Absent> {
    // What all pitches share beyond whole semitones is the sample's business.
    let beyond = scene.pitches.first().map_or(0.0, |pitch| pitch.rem_euclid(1.0));
    let rate = (f64::from(RATE) * Scene::ratio(beyond)).round() as u32;
    let length = u32::try_from(length)?;
    let mut sample = b"IMPS".to_vec();
    sample.extend([0; 13]);
    // Volume; present, 16 bits, looped; volume of a note.
    sample.extend([64, 0b1_0011, 64]);
    sample.extend([0; 26]);
    // Signed; no pan of its own.
    sample.extend([1, 0]);
    for number in [length, 0, length, rate, 0, 0, u32::try_from(values_at)?] {
        sample.extend(number.to_le_bytes());
    }
    sample.resize(SAMPLE, 0);
    Ok(sample)
}

/// Returns one pattern: the notes in its first rows, and then nothing for long.
fn pattern(scene: &Scene) -> Vec<u8> {
    const NOTE: u8 = 1;
    const INSTRUMENT: u8 = 2;
    const COMMAND: u8 = 8;
    const SET_TICKS: u8 = 1;
    let mut rows = Vec::new();
    let last = (scene.voices() - 1) / CHANNELS;
    for (row, pitches) in scene.pitches.chunks(CHANNELS).enumerate() {
        for (channel, pitch) in pitches.iter().enumerate() {
            let stays = row == last && channel == 0;
            let mask = NOTE | INSTRUMENT | if stays { COMMAND } else { 0 };
            let key = (ROOT + pitch.floor() as i32) as u8;
            rows.extend([0x80 | (channel + 1) as u8, mask, key, 1]);
            if stays {
                rows.extend([SET_TICKS, LONGEST]);
            }
        }
        rows.push(0);
    }
    rows.resize(rows.len() + usize::from(ROWS) - last - 1, 0);
    let mut pattern = (rows.len() as u16).to_le_bytes().to_vec();
    pattern.extend(ROWS.to_le_bytes());
    pattern.extend([0; 4]);
    pattern.extend(rows);
    pattern
}
