//! Streams of other encoders: the right bytes, and the same from the twin; damaged copies: what the twin says.

use oodle::{Decoder, Error};
use sha1::{Digest as _, Sha1};

use crate::mutate::{Noise, mutated, runs};
use crate::twin;
use crate::vectors::vectors;

/// Returns the plain bytes, with a byte behind them that the decoder must not know.
fn decode(decoder: &mut Decoder, stored: &[u8], size: usize) -> Result<Vec<u8>, Error> {
    let mut plain = vec![0xA5; size + 1];
    let result = decoder.decode(stored, &mut plain[..size]);
    assert_eq!(plain.pop(), Some(0xA5));
    result.map(|()| plain)
}

#[test]
fn every_vector_has_its_plain_bytes_or_is_refused() {
    let mut decoder = Decoder::new();
    for vector in vectors() {
        let plain = decode(&mut decoder, &vector.stored, vector.size);
        let hash = plain.map(|plain| Sha1::digest(&plain).iter().map(|byte| format!("{byte:02x}")).collect());
        match (&vector.sha1, hash) {
            (Some(sha1), hash) => assert_eq!(hash.as_ref(), Ok(sha1), "{}", vector.name),
            (None, Ok::<String, _>(_)) => panic!("{} is not refused", vector.name),
            (None, Err(error)) => {
                let text = error.to_string().to_lowercase();
                let is_named = vector.method == "kraken" || text.contains(&vector.method);
                assert!(is_named, "{}: {text}", vector.name);
            }
        }
    }
}

#[test]
fn the_twin_agrees_on_every_vector() {
    let mut decoder = Decoder::new();
    for vector in vectors() {
        let plain = decode(&mut decoder, &vector.stored, vector.size).ok();
        assert!(plain == twin::decode(&vector.stored, vector.size), "{}", vector.name);
    }
}

#[test]
fn every_prefix_of_a_small_vector_is_refused() {
    let mut decoder = Decoder::new();
    for vector in vectors().iter().filter(|vector| vector.sha1.is_some() && vector.stored.len() <= 4096) {
        for len in 0..vector.stored.len() {
            let plain = decode(&mut decoder, &vector.stored[..len], vector.size);
            assert!(plain.is_err(), "{}, {len} bytes", vector.name);
        }
    }
}

#[test]
fn the_twin_agrees_on_damaged_copies() {
    let vectors: Vec<_> = vectors().into_iter().filter(|vector| vector.size <= 0x2_0000).collect();
    let mut decoder = Decoder::new();
    let mut noise = Noise::new(0x00D1E);
    let mut accepted = 0;
    for run in 0..if vectors.is_empty() { 0 } else { runs(2000) } {
        let vector = &vectors[noise.below(vectors.len())];
        let (stored, size) = mutated(&vector.stored, vector.size, &mut noise);
        let plain = decode(&mut decoder, &stored, size).ok();
        accepted += u32::from(plain.is_some());
        assert!(plain == twin::decode(&stored, size), "run {run}: {}", vector.name);
    }
    assert!(vectors.is_empty() || accepted > 0, "some damage goes unseen");
}
