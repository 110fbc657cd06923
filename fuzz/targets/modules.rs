//! What holds of every module that can be read.

use tracker::format::s3m;
use tracker::{ErrorKind, MAX_FRAMES_PER_BYTE, ModuleBudget, PROBE_LENGTH, Raw, StoredFrames, probe, read};

/// Reads bytes as a module.
pub fn check(bytes: &[u8]) {
    let length = bytes.len() as u64;
    let format = probe(&bytes[..bytes.len().min(PROBE_LENGTH)], length);
    let budget = ModuleBudget { structures: 8 << 20, decoded: 8 << 20 };
    let module = match read(bytes, budget) {
        Ok(module) => module,
        Err(error) if matches!(error.kind(), ErrorKind::OverLimit { .. } | ErrorKind::NotAModule) => return,
        Err(error) => return assert!(error.to_string().contains(" at 0x"), "{error}"),
    };
    assert!(format.is_some(), "what is read is recognised by its first bytes");
    let frames: Vec<&StoredFrames> = match &module.raw {
        Raw::Protracker(module) => {
            module.patterns.iter().for_each(|p| assert_eq!(p.cells.len(), 64 * usize::from(p.channels)));
            module.samples.iter().filter_map(|sample| sample.frames.as_ref()).collect()
        }
        Raw::S3m(module) => {
            let bodies = module.instruments.iter().map(|instrument| &instrument.body);
            let samples = bodies.filter_map(|body| match body {
                s3m::S3mBody::Sample(sample) => Some(sample),
                _ => None,
            });
            samples.filter_map(|sample| sample.frames.as_ref()).collect()
        }
        Raw::Xm(module) => {
            for pattern in &module.patterns {
                assert_eq!(pattern.cells.len(), usize::from(pattern.rows) * usize::from(pattern.channels));
            }
            let samples = module.instruments.iter().flat_map(|instrument| &instrument.samples);
            samples.filter_map(|sample| sample.frames.as_ref()).collect()
        }
        Raw::It(module) => {
            for pattern in &module.patterns {
                assert_eq!(pattern.cells.len(), usize::from(pattern.rows) * usize::from(pattern.channels));
            }
            module.samples.iter().filter_map(|sample| sample.frames.as_ref()).collect()
        }
    };
    let held = |frames: &&StoredFrames| {
        let width = if matches!(frames, StoredFrames::I8(_)) { 1 } else { 2 };
        frames.length() * frames.channels() as u64 * width
    };
    assert!(frames.iter().map(held).sum::<u64>() <= length * MAX_FRAMES_PER_BYTE);
}
