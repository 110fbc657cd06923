//! The `inst` chunk: root key, tuning, gain and ranges.

use song::{Cents, Key};

use super::{Chunk, ChunkFields, RootTuning};
use crate::Damage;
use crate::codec::instrument_note;
use crate::payload_reader::PayloadReader;

/// Bytes that the chunk needs.
const LENGTH: u64 = 7;

/// Returns the root key and tuning; gain and ranges go to the notes, as nothing plays by them. The fine tune raises the
/// sound, so it is the negative of how far the sound is above its root.
pub(super) fn read(
    reader: &PayloadReader<'_>,
    chunk: &Chunk,
    notes: &mut Vec<String>,
    repairs: &mut Vec<String>,
) -> Result<Option<RootTuning>, Damage> {
    if chunk.length < LENGTH {
        repairs.push(format!("\"inst\" chunk of {} bytes ignored, it needs {LENGTH}", chunk.length));
        return Ok(None);
    }
    let bytes = reader.bytes(chunk.at, LENGTH)?;
    let mut fields = ChunkFields(&bytes);
    let mut take = || fields.u8().unwrap_or_default();
    let (root, fine, gain) = (take(), take().cast_signed(), take().cast_signed());
    let (keys, velocities) = ([take(), take()], [take(), take()]);
    notes.extend(instrument_note("inst", gain.into(), keys, velocities));
    let Ok(root) = Key::new(root) else {
        repairs.push(format!("root key {root} ignored, keys end at 127"));
        return Ok(None);
    };
    let above = Cents::new(-f64::from(fine)).unwrap_or_default();
    Ok(Some(RootTuning { root, above }))
}
