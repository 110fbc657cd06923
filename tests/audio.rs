//! Every codec against an encoder of our own: what comes out is what the encoder says must come out.

mod adpcm;
mod many;
mod streams;
mod voc;

use fixtures::package::PackageWriter;
use importer::{Budget, DecodedSound, Error, Sound, SoundFile};
use song::{Recording, Sample};
use unreal::Memory;

/// Returns a payload as the only sound of a package: what is reported of it, and what it decodes to.
fn open(data: &[u8]) -> (Sound, Result<Sample, Error>) {
    let mut package = PackageWriter::new(69);
    package.sound("Sound", None, "WAV", data);
    let source = Memory(package.finish());
    let file = SoundFile::open(source, "Test", Budget::default()).unwrap();
    (file.sounds()[0].clone(), file.sample(1).map(DecodedSound::into_sample))
}

fn planes(sample: &Sample) -> Vec<Vec<i16>> {
    match sample.recording() {
        Recording::I16(planes) => planes.iter().map(<[i16]>::to_vec).collect(),
        Recording::F32(_) => panic!("float where 16 bits were expected"),
    }
}

/// Returns values that go everywhere a coder has to follow: slow, fast, loud, and from one end to the other.
fn wild(frames: usize, seed: u32) -> Vec<i16> {
    let mut state = seed.wrapping_mul(2_654_435_761) | 1;
    let mut value = 0_i32;
    let mut values = Vec::new();
    for frame in 0..frames {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let noise = i32::from((state >> 16) as u16) - 32_768;
        let reach = [64, 8, 4, 1][frame / 50 % 4];
        value = if frame % 400 == 399 { 32_767 * (noise.signum()) } else { value / 2 + noise / reach };
        values.push(value.clamp(-32_768, 32_767) as i16);
    }
    values
}
