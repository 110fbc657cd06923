//! The `cue ` RIFF chunk: places that a user has marked.
//!
//! Source: Microsoft and IBM, *Multimedia Programming Interface and Data Specifications 1.0*.

use song::Frames;

use super::WavError;

/// Returns the chunk with its first word and size, numbering the places from 1, or nothing if there are none.
pub(super) fn chunk(cues: &[Frames]) -> Result<Vec<u8>, WavError> {
    if cues.is_empty() {
        return Ok(Vec::new());
    }
    let number = |number: u64| u32::try_from(number).map_err(|_| WavError::TooLarge);
    let (data, of_the_only_chunk) = (u32::from_le_bytes(*b"data"), 0);
    let mut fields = vec![number(cues.len() as u64)?];
    for (name, cue) in (1..).zip(cues) {
        let frame = number(cue.get())?;
        fields.extend([name, frame, data, of_the_only_chunk, of_the_only_chunk, frame]);
    }
    let size = number(4 * fields.len() as u64)?;
    let words = [u32::from_le_bytes(*b"cue "), size].into_iter().chain(fields);
    Ok(words.flat_map(u32::to_le_bytes).collect())
}
