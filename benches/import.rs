//! How fast packages are read and their sounds imported, each beside a plain copy of as many bytes.
//!
//! `package` is the reader alone: tables, every path, every sound's head, payloads as they are stored. `describe` is
//! what a list needs, counted in sounds: which they are, and what each one's wave says of itself. `decode` is counted
//! in bytes of PCM, `module` in bytes of the file. A million items a second are one microsecond each. What comes out is
//! checked before it is measured.

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use fixtures::package::PackageWriter;
use fixtures::wave::{Values, Wave};
use importer::{Budget, SoundFile, Status};
use song::Recording;
use unreal::{Memory, Object};

fn main() {
    divan::main();
}

/// Bytes of a package, or of the audio in it.
const BYTES: usize = 100_000_000;

/// A plain copy, the measure of all others.
fn copy(bencher: Bencher<'_, '_>, length: usize) {
    let bytes = vec![1_u8; length];
    let mut into = vec![0_u8; length];
    bencher
        .counter(BytesCount::of_slice(&bytes))
        .bench_local(|| divan::black_box(&mut into).copy_from_slice(&bytes));
}

#[divan::bench_group(max_time = 2)]
mod package {
    use divan::black_box;
    use fixtures::package::large;
    use unreal::ue1to3::class::sound;
    use unreal::{Limits, Package};

    use super::*;

    /// Opens a package and looks at everything but the payloads. Gives the number of sounds and all their bytes.
    fn list(source: &Memory<Vec<u8>>) -> (usize, u64) {
        let mut limits = Limits::default();
        let package = Package::open(source, &mut limits).unwrap();
        let (mut sounds, mut bytes) = (0, 0);
        for index in package.export_indices() {
            black_box(package.path_of(index));
            if sound::kind_of(&package, index).is_some() {
                bytes += sound::read(&mut Object {
                    package: &package,
                    source,
                    export: index,
                    limits: &mut limits,
                })
                .unwrap()
                .payload
                .len;
                sounds += 1;
            }
        }
        (sounds, bytes)
    }

    #[divan::bench(args = [5_000, 50_000])]
    fn tables(bencher: Bencher<'_, '_>, exports: usize) {
        let source = Memory(large(exports, BYTES));
        bencher.counter(ItemsCount::new(exports)).bench_local(|| {
            let package = Package::open(&source, &mut Limits::default()).unwrap();
            assert_eq!(package.exports().len(), exports);
        });
    }

    #[divan::bench(name = "list", args = [5_000, 50_000])]
    fn list_all(bencher: Bencher<'_, '_>, exports: usize) {
        let source = Memory(large(exports, BYTES));
        bencher.counter(ItemsCount::new(exports)).bench_local(|| {
            let (sounds, bytes) = list(&source);
            assert_eq!(sounds, exports - exports / 100);
            assert_eq!(bytes, (sounds * (BYTES / exports)) as u64);
        });
    }

    #[divan::bench(args = [5_000, 50_000])]
    fn payloads(bencher: Bencher<'_, '_>, exports: usize) {
        let source = Memory(large(exports, BYTES));
        let (_, bytes) = list(&source);
        bencher.counter(BytesCount::new(bytes)).bench_local(|| {
            let mut limits = Limits::default();
            let package = Package::open(&source, &mut limits).unwrap();
            let mut taken = 0;
            for index in package.export_indices() {
                if sound::kind_of(&package, index).is_some() {
                    let sound = sound::read(&mut Object {
                        package: &package,
                        source: &source,
                        export: index,
                        limits: &mut limits,
                    })
                    .unwrap();
                    taken += black_box(sound.payload.read(&source, u64::MAX).unwrap()).len();
                }
            }
            assert_eq!(taken as u64, bytes);
        });
    }

    #[divan::bench]
    fn plain_copy(bencher: Bencher<'_, '_>) {
        copy(bencher, BYTES);
    }
}

/// Returns a package of that many sounds, all with the same wave.
fn package_of(sounds: usize, wave: &Wave) -> Memory<Vec<u8>> {
    let wave = wave.finish();
    let mut package = PackageWriter::new(69);
    let group = package.group("Waves", None);
    for index in 0..sounds {
        package.sound(&format!("Wave{index}"), Some(group), "WAV", &wave);
    }
    Memory(package.finish())
}

fn open(source: &Memory<Vec<u8>>) -> SoundFile {
    SoundFile::open(source.clone(), "Waves", Budget::default()).unwrap()
}

#[divan::bench_group(max_time = 2)]
mod describe {
    use super::*;

    #[divan::bench(args = [500, 5_000])]
    fn waves(bencher: Bencher<'_, '_>, sounds: usize) {
        let frames = i16::try_from(BYTES / 2 / 5_000).unwrap();
        let source =
            package_of(sounds, &Wave::new(22_050, 1, Values::I16((0..frames).collect())).looped(0, 99));
        let described = |package: &SoundFile| {
            let sounds = package.sounds().iter();
            sounds.filter(|sound| sound.status == Status::Ok && sound.audio().is_some()).count()
        };
        assert_eq!(described(&open(&source)), sounds);
        bencher.counter(ItemsCount::new(sounds)).bench_local(|| open(&source));
    }
}

#[divan::bench_group(max_time = 2)]
mod decode {
    use super::*;

    /// Frames of one sound, which is stereo, and how many sounds are decoded.
    const FRAMES: i32 = 10_000;
    const SOUNDS: usize = 250;

    /// Returns the widths that waves come in, by their bits.
    fn values(bits: u32) -> Values {
        let ramp = 0..2 * FRAMES;
        match bits {
            8 => Values::U8(ramp.map(|value| value as u8).collect()),
            16 => Values::I16(ramp.map(|value| value as i16).collect()),
            24 => Values::I24(ramp.map(|value| value << 8).collect()),
            _ => Values::F32(ramp.map(|value| value as f32 / 32_768.0).collect()),
        }
    }

    /// Returns the left channel of what is to come out: every second step of the ramp, in the recording's own width.
    fn is_right(recording: &Recording, bits: u32) -> bool {
        let ramp = (0..2 * FRAMES).step_by(2);
        match recording {
            Recording::I16(planes) if bits == 8 => {
                let expected = ramp.map(|value| (i16::from(value as u8) - 128) << 8);
                planes.left().iter().copied().eq(expected)
            }
            Recording::I16(planes) => planes.left().iter().copied().eq(ramp.map(|value| value as i16)),
            Recording::F32(planes) => {
                planes.left().iter().copied().eq(ramp.map(|value| value as f32 / 32_768.0))
            }
        }
    }

    #[divan::bench(args = [8, 16, 24, 32])]
    fn bits(bencher: Bencher<'_, '_>, bits: u32) {
        let source = package_of(SOUNDS, &Wave::new(44_100, 2, values(bits)));
        let package = open(&source);
        assert!((1..=SOUNDS).all(|number| is_right(package.sample(number).unwrap().recording(), bits)));
        let stored = SOUNDS as u64 * 2 * FRAMES as u64 * u64::from(bits / 8);
        bencher.counter(BytesCount::new(stored)).bench_local(|| {
            for number in 1..=SOUNDS {
                divan::black_box(package.sample(number).unwrap());
            }
        });
    }

    #[divan::bench]
    fn plain_copy(bencher: Bencher<'_, '_>) {
        copy(bencher, SOUNDS * 2 * FRAMES as usize * 2);
    }
}

/// Bytes of the file become a song: cells typed, frames decoded, widened to 16 bits and held apart.
#[divan::bench_group(max_time = 2)]
mod module {
    use fixtures::module::it::{self, It};
    use fixtures::module::packed::Packer;
    use fixtures::module::protracker::{self, Mod};
    use fixtures::module::s3m::{self, S3m};
    use fixtures::module::xm::{self, Xm};
    use fixtures::module::{differences, wide_differences};

    use super::*;

    const SAMPLES: usize = 16;
    const FRAMES: usize = 50_000;
    const PATTERNS: usize = 40;
    const ROWS: usize = 64;
    const CHANNELS: usize = 8;

    /// Returns a tone that decays, of 16 bits.
    fn tone() -> Vec<i16> {
        let value = |frame: usize| {
            let wave = (frame * 311 % 40_000) as i32 - 20_000;
            (wave * (FRAMES - frame) as i32 / FRAMES as i32) as i16
        };
        (0..FRAMES).map(value).collect()
    }

    /// Returns the note, instrument, volume, effect, parameter; every third cell is empty.
    fn cells() -> Vec<Option<[u8; 5]>> {
        let cell = |n: usize| [48 + (n % 24) as u8, 1 + (n % SAMPLES) as u8, 16 + (n % 60) as u8, 1, n as u8];
        (0..ROWS * CHANNELS).map(|n| (n % 3 < 2).then(|| cell(n))).collect()
    }

    /// Returns the rows of cells, each after the byte of its channel, which says what there is of it; a zero ends them.
    fn rows(channel: impl Fn(usize) -> Vec<u8>) -> Vec<u8> {
        let mut bytes = Vec::new();
        for row in cells().chunks(CHANNELS) {
            for (number, cell) in row.iter().enumerate() {
                if let Some(cell) = cell {
                    bytes.extend(channel(number));
                    bytes.extend(cell);
                }
            }
            bytes.push(0);
        }
        bytes
    }

    fn file(format: &str) -> Vec<u8> {
        let narrow: Vec<i8> = tone().iter().map(|value| (value >> 8) as i8).collect();
        let bytes: Vec<u8> = narrow.iter().map(|value| value.cast_unsigned()).collect();
        let it = |flags, conversion, data: Vec<u8>| {
            let sample = it::Sample { flags, conversion, length: FRAMES as u32, data };
            let pattern = (ROWS as u16, rows(|number| vec![0x81 + number as u8, 15]));
            let orders = (0..PATTERNS as u8).chain([255]).collect();
            let (samples, patterns) = (vec![sample; SAMPLES], vec![Some(pattern); PATTERNS]);
            It { orders, samples, patterns, instruments: SAMPLES, ..It::new(0x214) }.finish().bytes
        };
        let wide: Vec<u8> = tone().iter().flat_map(|value| value.to_le_bytes()).collect();
        match format {
            "mod" => {
                let cell = |cell: Option<[u8; 5]>| {
                    cell.map_or([0; 4], |[note, number, _, effect, parameter]| {
                        [1, 0xAC, number << 4 | effect, parameter ^ note]
                    })
                };
                let pattern: Vec<u8> = cells().into_iter().flat_map(cell).collect();
                let orders = (0..PATTERNS as u8).collect();
                let (samples, patterns) =
                    (vec![protracker::Sample::new("tone", &bytes); SAMPLES], vec![pattern; PATTERNS]);
                Mod { orders, samples, patterns, ..Mod::new(b"8CHN", CHANNELS) }.finish().bytes
            }
            "s3m" => {
                let unsigned: Vec<u8> = bytes.iter().map(|byte| byte ^ 0x80).collect();
                let pattern = rows(|number| vec![0xE0 | number as u8]);
                let instrument = s3m::Instrument::sample(FRAMES as u32, 0, &unsigned);
                let orders = (0..PATTERNS as u8).chain([255]).collect();
                let (instruments, patterns) = (vec![instrument; SAMPLES], vec![Some(pattern); PATTERNS]);
                S3m { orders, instruments, patterns, ..S3m::new() }.finish().bytes
            }
            "xm, 8 bits" | "xm, 16 bits" => {
                let sample = if format == "xm, 8 bits" {
                    xm::Sample::new(0, differences(&narrow))
                } else {
                    xm::Sample::new(16, wide_differences(&tone()))
                };
                let cells: Vec<[u8; 5]> = cells().into_iter().map(Option::unwrap_or_default).collect();
                let instrument = xm::Instrument { samples: vec![sample] };
                let orders = (0..PATTERNS as u8).collect();
                let patterns = vec![(ROWS as u16, xm::pack(&cells)); PATTERNS];
                let instruments = vec![instrument; SAMPLES];
                Xm { channels: CHANNELS as u16, orders, patterns, instruments, ..Xm::new(0x0104) }
                    .finish()
                    .bytes
            }
            "it, 16 bits" => it(3, 1, wide),
            _ => it(11, 1, Packer { wide: true, twice: false }.pack(&tone(), &[12])),
        }
    }

    #[divan::bench(args = ["mod", "s3m", "xm, 8 bits", "xm, 16 bits", "it, 16 bits", "it, packed"])]
    fn song(bencher: Bencher<'_, '_>, format: &str) {
        let source = Memory(file(format));
        let import = || open(&source).import().unwrap().songs.remove(0);
        let song = import();
        let expected =
            |value: i16| if matches!(format, "mod" | "s3m" | "xm, 8 bits") { value & !255 } else { value };
        assert_eq!(song.samples().len(), SAMPLES);
        for sample in song.samples() {
            let Recording::I16(planes) = sample.recording() else { panic!("modules have whole numbers") };
            assert!(planes.left().iter().copied().eq(tone().into_iter().map(expected)), "{format}");
        }
        assert_eq!(song.module().patterns.len(), PATTERNS);
        bencher.counter(BytesCount::of_slice(&source.0)).bench_local(import);
    }

    #[divan::bench]
    fn plain_copy(bencher: Bencher<'_, '_>) {
        copy(bencher, SAMPLES * FRAMES);
    }
}
