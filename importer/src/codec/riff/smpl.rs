//! The `smpl` chunk: root key, tuning and loops.

use std::num::NonZeroU32;

use song::{Cents, Frames, Key, LoopCount, LoopMode, LoopRange};

use super::{Chunk, ChunkFields, RootTuning};
use crate::Damage;
use crate::payload_reader::PayloadReader;

/// Bytes before the loops, and of each loop.
const HEADER: u64 = 36;
const LOOP: u64 = 24;
/// More loops than any sampler writes; further ones are reported, not kept.
const MAX_LOOPS: u64 = 64;

pub(super) fn read(
    reader: &PayloadReader<'_>,
    chunk: &Chunk,
    frames: u64,
    repairs: &mut Vec<String>,
) -> Result<(Option<RootTuning>, Vec<LoopRange>), Damage> {
    if chunk.length < HEADER {
        repairs.push(format!("\"smpl\" chunk of {} bytes ignored, it needs {HEADER}", chunk.length));
        return Ok((None, Vec::new()));
    }
    let longest = HEADER.saturating_add(LOOP.saturating_mul(MAX_LOOPS));
    let bytes = reader.bytes(chunk.at, chunk.length.min(longest))?;
    let mut fields = ChunkFields(&bytes);
    let mut take = || fields.u32().unwrap_or_default();
    let _manufacturer_product_period = (take(), take(), take());
    let (unity_note, fraction) = (take(), take());
    let _smpte_format_offset = (take(), take());
    let (count, _sampler_data) = (take(), take());

    let there = chunk.length.saturating_sub(HEADER).checked_div(LOOP).unwrap_or_default().min(MAX_LOOPS);
    if u64::from(count) > there {
        repairs.push(format!("\"smpl\" chunk declares {count} loops, {there} are read"));
    }
    let mut loops = Vec::new();
    for number in 1..=u64::from(count).min(there) {
        let _id = take();
        let (mode, start, last, _fraction, plays) = (take(), take(), take(), take(), take());
        if let Some(found) = looping(number, [mode, start, last, plays], frames, repairs) {
            loops.push(found);
        }
    }
    Ok((tuning(unity_note, fraction, repairs), loops))
}

/// Returns the root key and tuning. The fraction is of a semitone, in units of 2⁻³².
fn tuning(unity_note: u32, fraction: u32, repairs: &mut Vec<String>) -> Option<RootTuning> {
    let root = u8::try_from(unity_note).ok().and_then(|key| Key::new(key).ok());
    if root.is_none() {
        repairs.push(format!("root key {unity_note} ignored, keys end at 127"));
    }
    let above = Cents::new(f64::from(fraction) * 100.0 / 4_294_967_296.0).unwrap_or_default();
    root.map(|root| RootTuning { root, above })
}

/// Returns a loop of a file ends with its last frame, one of ours before the next.
fn looping(number: u64, fields: [u32; 4], frames: u64, repairs: &mut Vec<String>) -> Option<LoopRange> {
    let [mode, start, last, plays] = fields;
    let mode = match mode {
        0 => LoopMode::Forward,
        1 => LoopMode::PingPong,
        other => {
            repairs.push(format!("loop {number} is of type {other} and is played forward"));
            LoopMode::Forward
        }
    };
    let stated_end = u64::from(last).saturating_add(1);
    if stated_end > frames {
        repairs.push(format!("loop {number} ends at frame {last}, the sound has {frames} frames"));
    }
    let plays = NonZeroU32::new(plays).map_or(LoopCount::Forever, LoopCount::Times);
    let (start, end) = (Frames::new(u64::from(start)), Frames::new(stated_end.min(frames)));
    let found = LoopRange::new(start, end, Frames::new(frames), mode, plays);
    if found.is_err() {
        repairs.push(format!("loop {number} from frame {start} to {last} ignored"));
    }
    found.ok()
}
