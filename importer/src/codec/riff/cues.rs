//! The `cue ` chunk and the labels of its points in `LIST adtl`. They are listed, not played.

use std::collections::HashMap;

use super::{Chunk, ChunkFields};
use crate::Damage;
use crate::codec::{MAX_MARKS, mark_note};
use crate::payload_reader::PayloadReader;

/// Bytes of a point.
const POINT: u64 = 24;
/// More bytes of labels than are read of any file.
const MAX_LABELS: u64 = 1 << 16;

/// Returns a note for each point, in the order of the file.
pub(super) fn read(
    reader: &PayloadReader<'_>,
    chunk: &Chunk,
    lists: &[&Chunk],
) -> Result<Vec<String>, Damage> {
    let most = POINT.saturating_mul(MAX_MARKS).saturating_add(4);
    let bytes = reader.bytes(chunk.at, chunk.length.min(most))?;
    let mut fields = ChunkFields(&bytes);
    let stated = u64::from(fields.u32().unwrap_or_default());
    let labels = labels(reader, lists)?;
    let mut notes = Vec::new();
    for _ in 0..stated.min(MAX_MARKS) {
        let [Some(id), _, _, _, _, Some(frame)] = [(); 6].map(|()| fields.u32()) else { break };
        let label = labels.get(&id).map_or("", String::as_str);
        notes.push(mark_note("cue point", notes.len(), frame.into(), label));
    }
    let there = chunk.length.saturating_sub(4).checked_div(POINT).unwrap_or_default();
    let more = stated.min(there).saturating_sub(MAX_MARKS);
    if more > 0 {
        notes.push(format!("{more} more cue points"));
    }
    Ok(notes)
}

/// Returns the labels by the points that they are of.
fn labels(reader: &PayloadReader<'_>, lists: &[&Chunk]) -> Result<HashMap<u32, String>, Damage> {
    let mut labels = HashMap::new();
    for list in lists {
        let bytes = reader.bytes(list.at, list.length.min(MAX_LABELS))?;
        let Some(mut rest) = bytes.strip_prefix(b"adtl") else { continue };
        while let Some((header, body)) = rest.split_first_chunk::<8>() {
            let [kind @ .., a, b, c, d] = *header;
            let size = usize::try_from(u32::from_le_bytes([a, b, c, d])).unwrap_or(usize::MAX);
            let (label, after) = body.split_at(size.min(body.len()));
            let mut fields = ChunkFields(label);
            if let (b"labl", Some(id)) = (&kind, fields.u32()) {
                let text = fields.0.split(|byte| *byte == 0).next().unwrap_or_default();
                labels.insert(id, String::from_utf8_lossy(text).into_owned());
            }
            rest = after.get(size % 2..).unwrap_or_default();
        }
    }
    Ok(labels)
}
