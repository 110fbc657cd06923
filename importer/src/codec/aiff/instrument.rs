//! The chunks `INST` and `MARK`: base note, detuning, loops between markers.

use std::collections::HashMap;

use song::{Cents, Frames, Key, LoopCount, LoopMode, LoopRange};

use super::Chunk;
use crate::Damage;
use crate::codec::{MAX_MARKS, RootTuning, instrument_note, mark_note};
use crate::payload_reader::PayloadReader;

/// Bytes of `INST`.
const LENGTH: u64 = 20;
/// More bytes of markers than are looked at.
const MAX_MARKERS: u64 = 1 << 16;

/// How a sound is played, as its chunks say.
#[derive(Debug, Default)]
pub(super) struct Instrument {
    pub(super) tuning: Option<RootTuning>,
    /// The sustain loop first, then that of the release.
    pub(super) loops: Vec<LoopRange>,
    pub(super) notes: Vec<String>,
}

impl Instrument {
    pub(super) fn read(
        reader: &PayloadReader<'_>,
        inst: Option<&Chunk>,
        mark: Option<&Chunk>,
        frames: u64,
        repairs: &mut Vec<String>,
    ) -> Result<Self, Damage> {
        let mut found = Self::default();
        let markers = match mark {
            Some(chunk) => markers(reader, chunk, &mut found.notes)?,
            None => HashMap::new(),
        };
        let Some(chunk) = inst else { return Ok(found) };
        let bytes = reader.bytes(chunk.at, chunk.length.min(LENGTH))?;
        let Some(fields) = bytes.first_chunk::<20>() else {
            repairs.push(format!("\"INST\" chunk of {} bytes ignored, it needs {LENGTH}", chunk.length));
            return Ok(found);
        };
        let [base, detune, low, high, soft, loud, g0, g1, loops @ ..] = fields;
        let gain = i16::from_be_bytes([*g0, *g1]);
        found.notes.extend(instrument_note("INST", gain, [*low, *high], [*soft, *loud]));
        // Detuning raises the sound, so it is the negative of how far the sound is above its root.
        let above = Cents::new(-f64::from(detune.cast_signed())).unwrap_or_default();
        match Key::new(*base) {
            Ok(root) => found.tuning = Some(RootTuning { root, above }),
            Err(_) => repairs.push(format!("root key {base} ignored, keys end at 127")),
        }
        let [sustain @ .., r0, r1, r2, r3, r4, r5] = loops;
        let sustain = looping("sustain", *sustain, &markers, frames, repairs);
        let release = looping("release", [*r0, *r1, *r2, *r3, *r4, *r5], &markers, frames, repairs);
        found.loops = match (sustain, release) {
            (Some(sustain), release) => [Some(sustain.sustaining()), release].into_iter().flatten().collect(),
            (None, release) => release.into_iter().collect(),
        };
        Ok(found)
    }
}

/// Returns the positions of markers by their numbers.
fn markers(
    reader: &PayloadReader<'_>,
    chunk: &Chunk,
    notes: &mut Vec<String>,
) -> Result<HashMap<u16, u64>, Damage> {
    let bytes = reader.bytes(chunk.at, chunk.length.min(MAX_MARKERS))?;
    let mut markers = HashMap::new();
    let Some((count, mut rest)) = bytes.split_first_chunk::<2>() else { return Ok(markers) };
    let mut listed = 0_usize;
    for _ in 0..u16::from_be_bytes(*count) {
        let Some((head, text)) = rest.split_first_chunk::<7>() else { break };
        let [n0, n1, p0, p1, p2, p3, length] = *head;
        let position = u64::from(u32::from_be_bytes([p0, p1, p2, p3]));
        let name = text.get(..length.into()).unwrap_or(text);
        markers.entry(u16::from_be_bytes([n0, n1])).or_insert(position);
        if (listed as u64) < MAX_MARKS {
            notes.push(mark_note("marker", listed, position, &String::from_utf8_lossy(name)));
        }
        listed = listed.saturating_add(1);
        // With its length a name takes an even number of bytes.
        let padded = usize::from(length).saturating_add(usize::from(length % 2 == 0));
        rest = text.get(padded..).unwrap_or_default();
    }
    let more = (listed as u64).saturating_sub(MAX_MARKS);
    if more > 0 {
        notes.push(format!("{more} more markers"));
    }
    Ok(markers)
}

/// Returns a loop from one marker to another.
fn looping(
    name: &str,
    fields: [u8; 6],
    markers: &HashMap<u16, u64>,
    frames: u64,
    repairs: &mut Vec<String>,
) -> Option<LoopRange> {
    let [m0, m1, b0, b1, e0, e1] = fields;
    let mode = match u16::from_be_bytes([m0, m1]) {
        0 => return None,
        1 => LoopMode::Forward,
        2 => LoopMode::PingPong,
        other => {
            repairs.push(format!("the {name} loop is of mode {other} and is played forward"));
            LoopMode::Forward
        }
    };
    let [begin, end] = [[b0, b1], [e0, e1]].map(u16::from_be_bytes);
    let (Some(start), Some(stop)) = (markers.get(&begin), markers.get(&end)) else {
        repairs
            .push(format!("the {name} loop from marker {begin} to {end} ignored, there are no such markers"));
        return None;
    };
    if *stop > frames {
        repairs.push(format!("the {name} loop ends at frame {stop}, the sound has {frames} frames"));
    }
    let (start, stop) = (Frames::new(*start), Frames::new((*stop).min(frames)));
    let found = LoopRange::new(start, stop, Frames::new(frames), mode, LoopCount::Forever);
    if found.is_err() {
        repairs.push(format!("the {name} loop from frame {start} to {stop} ignored"));
    }
    found.ok()
}
