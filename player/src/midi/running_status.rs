//! Status bytes that a MIDI file leaves out though it should not.
//!
//! Running status ends with a meta event or system exclusive message, the specification says; many programs that write
//! files go on with it, and as many that read them. The library is strict: so what is left out is put in.
//!
//! Source: *Standard MIDI Files 1.0* (RP-001), on events of tracks.

use super::message::Message;

/// Returns a file in which every event after a meta event or system exclusive message has its status, and which has
/// one header. What is damaged stays as it is.
pub(super) fn restored(file: &[u8]) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::with_capacity(file.len()), file);
    while let Some((head, after)) = rest.split_first_chunk::<8>() {
        let [kind @ .., a, b, c, d] = head;
        let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
        let body = &after[..length.min(after.len())];
        rest = &after[body.len()..];
        // Chunks that are no tracks are skipped, but the library would read this one, whatever is in it.
        if kind == b"MThd" && !bytes.is_empty() {
            continue;
        }
        let track = if kind == b"MTrk" && body.len() == length { track(body) } else { None };
        match track.and_then(|track| Some((u32::try_from(track.len()).ok()?, track))) {
            Some((length, track)) => {
                bytes.extend(kind);
                bytes.extend(length.to_be_bytes());
                bytes.extend(track);
            }
            None => {
                bytes.extend(head);
                bytes.extend(body);
            }
        }
    }
    bytes.extend(rest);
    bytes
}

/// Returns a track with the statuses that are missing; none if it breaks off.
fn track(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(rest.len());
    let mut running = None;
    let mut is_interrupted = false;
    while !rest.is_empty() {
        let (_, after) = number(rest)?;
        bytes.extend(&rest[..rest.len() - after.len()]);
        let (&first, after) = after.split_first()?;
        rest = match first {
            0xFF | 0xF0 | 0xF7 => {
                is_interrupted = true;
                let kind = usize::from(first == 0xFF);
                let (length, data) = number(after.get(kind..)?)?;
                let end = data.get(usize::try_from(length).ok()?..)?;
                bytes.push(first);
                bytes.extend(&after[..after.len() - end.len()]);
                end
            }
            0x80..0xF0 => {
                (running, is_interrupted) = (Some(first), false);
                let (data, after) = after.split_at_checked(Message::data_bytes(first))?;
                bytes.push(first);
                bytes.extend(data);
                after
            }
            0..0x80 => {
                let status = running?;
                if std::mem::take(&mut is_interrupted) {
                    bytes.push(status);
                }
                let (data, after) = after.split_at_checked(Message::data_bytes(status) - 1)?;
                bytes.push(first);
                bytes.extend(data);
                after
            }
            _ => return None,
        };
    }
    Some(bytes)
}

/// Returns a number of up to four groups of seven bits, and what follows it.
fn number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let mut number = 0;
    for (place, byte) in bytes.iter().take(4).enumerate() {
        number = number << 7 | u32::from(byte & 0x7F);
        if byte & 0x80 == 0 {
            return Some((number, &bytes[place + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(track: &[u8]) -> Vec<u8> {
        let head = b"MThd\0\0\0\x06\0\0\0\x01\0\x60";
        [&head[..], b"MTrk", &(track.len() as u32).to_be_bytes(), track].concat()
    }

    /// A note on, a marker, a note on and off without status, a message of the maker, another without status.
    const WRITTEN: &[u8] = &[
        0, 0x90, 60, 100, 0, 0xFF, 6, 1, b'A', 10, 62, 100, 5, 62, 0, 0, 0xF0, 2, 1, 0xF7, 1, 60, 0, 0, 0xFF,
        0x2F, 0,
    ];

    #[test]
    fn what_is_left_out_after_other_events_is_put_in() {
        let expected = [
            &[0, 0x90, 60, 100, 0, 0xFF, 6, 1, b'A', 10, 0x90, 62, 100, 5, 62, 0][..],
            &[0, 0xF0, 2, 1, 0xF7, 1, 0x90, 60, 0, 0, 0xFF, 0x2F, 0],
        ]
        .concat();
        assert_eq!(restored(&file(WRITTEN)), file(&expected));
        assert_eq!(restored(&file(&expected)), file(&expected), "what is right stays");
    }

    #[test]
    fn what_is_damaged_stays() {
        let whole = file(WRITTEN);
        for length in 0..whole.len() {
            assert_eq!(restored(&whole[..length]), &whole[..length], "{length}");
        }
        for track in [&[0, 60, 100][..], &[0x80, 0x80, 0x80, 0x80, 0, 0x90, 60, 1], &[0, 0xF1, 0]] {
            assert_eq!(restored(&file(track)), file(track));
        }
    }
}
