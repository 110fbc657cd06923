//! How fast stored PCM becomes frames, beside plain copies of the same bytes in the same run.
//!
//! Both sides count the bytes of the payload. `decode` is everything from the stored bytes to a sample: the head of the
//! wave, the frames, new memory for them. `copy` copies the payloads into a buffer that was written to before, `fresh`
//! into one that is new each time. All take turns, so that a machine that slows down slows all. Short sounds fit into
//! the processor's cache one by one, a long one does not.
//!
//! With `CORPUS` set, the codecs of games follow, in times real time; beside them `ffmpeg`, if there is one, for those
//! that it knows. Its time to start is taken off, that of decoding once from that of decoding many times, and with it
//! that of reading the head of a stream, which here is read each time: of two seconds of Vorbis it is most.

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use benches::is_measuring;
use fixtures::corpus::corpus;
use fixtures::package::PackageWriter;
use fixtures::wave::{Values, Wave};
use importer::{Budget, SoundFile};
use song::Recording;
use unreal::Memory;

/// Bytes of PCM in a package.
const BYTES: usize = 12_000_000;

fn main() {
    let rounds = if is_measuring() { 25 } else { 1 };
    println!("GB of payload a second, most (median in parentheses); {rounds} rounds of {BYTES} bytes\n");
    let heading = ["decode", "copy", "fresh"];
    print!("{:<22}", "");
    heading.iter().for_each(|name| print!(" {name:>15}"));
    println!(" {:>16} {:>16}", "decode/copy", "decode/fresh");
    for sounds in [300, 1] {
        for bits in [8, 16, 24, 32, 0] {
            for channels in [1, 2] {
                measure(sounds, bits, channels, rounds);
            }
        }
    }
    if let Some(folder) = corpus("containers/sounds") {
        codecs(&folder, rounds);
    }
}

/// Prints how fast payloads of games are decoded.
fn codecs(folder: &Path, rounds: usize) {
    println!("\ntimes real time, most (median in parentheses); {rounds} rounds\n");
    println!("{:<22} {:>19} {:>10}", "", "usampler", "ffmpeg");
    for (name, file, is_known) in [
        ("Vorbis, mono", "UE5_8_Tagged/SW_Format_PlatformSpecific.ogg", true),
        ("Microsoft ADPCM, mono", "gen_adpcm_ms_mono.wav", true),
        ("Opus, mono", "UE5_8_Tagged/SW_Format_Opus.ueopus", false),
        ("Bink Audio, mono", "UE5_8_Tagged/SW_Format_BinkAudio.ueba", false),
    ] {
        let path = folder.join(file);
        let mut package = PackageWriter::new(69);
        package.sound("Sound", None, "WAV", &std::fs::read(&path).expect("a payload"));
        let source = Memory(package.finish());
        let package = SoundFile::open(source, "Sounds", Budget::default()).expect("a whole package");
        let seconds = package.sounds()[0].seconds().expect("a length");
        let mut rates: Vec<f64> = (0..rounds)
            .map(|_| {
                let begun = Instant::now();
                drop(black_box(package.sample(1).expect("a whole sound")));
                seconds / begun.elapsed().as_secs_f64()
            })
            .collect();
        rates.sort_by(f64::total_cmp);
        let ours = format!("{:.0} ({:.0})", rates[rates.len() - 1], rates[rates.len() / 2]);
        let theirs = if is_known && rounds > 1 { ffmpeg(&path, seconds) } else { None };
        let theirs = theirs.map_or_else(|| "-".to_owned(), |rate| format!("{rate:.0}"));
        println!("{name:<22} {ours:>19} {theirs:>10}");
    }
}

/// Returns how many times as fast as real time ffmpeg decodes a file; none if there is no ffmpeg.
fn ffmpeg(path: &Path, seconds: f64) -> Option<f64> {
    const MANY: u32 = 400;
    let time = |more: u32| {
        let begun = Instant::now();
        let mut command = Command::new("ffmpeg");
        command.args(["-loglevel", "quiet", "-threads", "1", "-stream_loop", &more.to_string(), "-i"]);
        command.arg(path).args(["-f", "null", "-"]).stdin(Stdio::null());
        let status = command.status().ok().filter(std::process::ExitStatus::success);
        status.map(|_| begun.elapsed().as_secs_f64())
    };
    let (once, many) = (time(0)?, time(MANY)?);
    Some(f64::from(MANY) * seconds / (many - once).max(1e-9))
}

/// Returns as many values as those bytes hold; 0 bits are 32-bit float.
fn values(bits: usize, bytes: usize) -> Values {
    let ramp = 0..(bytes / (if bits == 0 { 32 } else { bits } / 8)) as i32;
    match bits {
        8 => Values::U8(ramp.map(|value| value as u8).collect()),
        16 => Values::I16(ramp.map(|value| value as i16).collect()),
        24 => Values::I24(ramp.map(|value| value << 8 >> 8).collect()),
        32 => Values::I32(ramp.map(|value| value << 8).collect()),
        _ => Values::F32(ramp.map(|value| value as f32 / 16_777_216.0).collect()),
    }
}

/// Returns the left value of the last of so many frames, in the recording's own width.
fn is_right(recording: &Recording, bits: usize, channels: usize, frames: usize) -> bool {
    let value = ((frames - 1) * channels) as i32;
    match recording {
        Recording::I16(planes) => {
            let expected = if bits == 8 { (i16::from(value as u8) - 128) << 8 } else { value as i16 };
            planes.left().last() == Some(&expected) && planes.left().len() == frames
        }
        Recording::F32(planes) => {
            let expected = match bits {
                24 => ((value << 8 >> 8) as f32) / 8_388_608.0,
                32 => ((value << 8) as f32) / 2_147_483_648.0,
                _ => value as f32 / 16_777_216.0,
            };
            planes.left().last() == Some(&expected) && planes.left().len() == frames
        }
    }
}

fn measure(sounds: usize, bits: usize, channels: usize, rounds: usize) {
    let each = BYTES / sounds;
    let wave = Wave::new(44_100, channels as u16, values(bits, each)).finish();
    let mut package = PackageWriter::new(69);
    for index in 0..sounds {
        package.sound(&format!("Wave{index}"), None, "WAV", &wave);
    }
    let source = Memory(package.finish());
    let package = SoundFile::open(source, "Waves", Budget::default()).expect("a whole package");
    let frames = each / channels / (if bits == 0 { 32 } else { bits } / 8);
    for number in 1..=sounds {
        let sample = package.sample(number).expect("a whole wave");
        assert!(is_right(sample.recording(), bits, channels, frames), "{bits} bits, {channels} channels");
    }
    let payload = vec![1_u8; BYTES];
    let mut warm = vec![2_u8; BYTES];
    let mut works: [Box<dyn FnMut()>; 3] = [
        Box::new(|| (1..=sounds).for_each(|number| drop(black_box(package.sample(number))))),
        Box::new(|| black_box(&mut warm).copy_from_slice(black_box(&payload))),
        Box::new(|| drop(black_box(black_box(&payload).clone()))),
    ];
    let mut rates = [const { Vec::new() }; 3];
    for _ in 0..rounds {
        for (rates, work) in rates.iter_mut().zip(&mut works) {
            let begun = Instant::now();
            work();
            rates.push(BYTES as f64 / begun.elapsed().as_secs_f64() / 1e9);
        }
    }
    let kind = if bits == 0 { "float".to_owned() } else { format!("{bits}-bit") };
    let sides = ["mono", "stereo"][channels - 1];
    let length = if sounds == 1 { "long" } else { "short" };
    let rates = rates.map(|mut rates| {
        rates.sort_by(f64::total_cmp);
        [rates[rates.len() - 1], rates[rates.len() / 2]]
    });
    print!("{:<22}", format!("{kind} {sides}, {length}"));
    rates.iter().for_each(|[most, median]| print!(" {:>15}", format!("{most:.2} ({median:.2})")));
    let ratio =
        |other: usize| format!("{:.2} ({:.2})", rates[0][0] / rates[other][0], rates[0][1] / rates[other][1]);
    println!(" {:>16} {:>16}", ratio(1), ratio(2));
}
