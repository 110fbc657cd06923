//! Streams by chance of every method and mode: the plain bytes that were written, and the same as the twin, also of
//! damaged copies.

use oodle::Decoder;

use crate::mutate::{Noise, mutated, runs};
use crate::{twin, writer};

const MODES: [(u8, u8); 10] =
    [(6, 0), (6, 1), (10, 0), (10, 1), (12, 0), (12, 1), (12, 2), (12, 3), (12, 4), (12, 5)];

#[test]
fn every_method_and_mode_gives_the_plain_bytes_that_were_written() {
    let mut decoder = Decoder::new();
    let mut noise = Noise::new(1);
    let mut written = [0; MODES.len()];
    for run in 0..runs(40) {
        for ((method, mode), written) in MODES.into_iter().zip(&mut written) {
            let stream = writer::stream(method, mode, &mut noise);
            let name = format!("run {run}, method {method}, mode {mode}");
            let expected = (stream.stored.len() < stream.plain.len() && stream.plain.len() <= 0x2_0000)
                .then_some(&stream.plain);
            let mut plain = vec![0; stream.plain.len()];
            let decoded = decoder.decode(&stream.stored, &mut plain);
            assert!(decoded.as_ref().ok().map(|()| &plain) == expected, "{name}: {decoded:?}");
            assert!(twin::decode(&stream.stored, plain.len()).as_ref() == expected, "{name}");
            *written += usize::from(expected.is_some());
        }
    }
    // The others are not smaller than their plain bytes, or are more than a chunk.
    assert!(written.iter().all(|written| 2 * written > runs(40)), "{written:?}");
}

#[test]
fn the_twin_agrees_on_damaged_streams() {
    let mut decoder = Decoder::new();
    let mut noise = Noise::new(2);
    for run in 0..runs(400) {
        let (method, mode) = MODES[noise.below(MODES.len())];
        let stream = writer::stream(method, mode, &mut noise);
        let (stored, size) = mutated(&stream.stored, stream.plain.len(), &mut noise);
        let mut plain = vec![0; size];
        let decoded = decoder.decode(&stored, &mut plain);
        let agree = decoded.ok().map(|()| plain) == twin::decode(&stored, size);
        assert!(agree, "run {run}, method {method}, mode {mode}");
    }
}
