//! `MidiFile` assets of Unreal Engine 5: notes, which become a Standard MIDI File.
//!
//! ```text
//! TheMidiData ── Tracks ── Events: tick, kind, three bytes
//!                       └─ Strings, which texts refer to
//! ```
//!
//! Source: events of Unreal Engine 5.8 measured; the file as *Standard MIDI Files 1.0* has it.

use unreal::{ObjectProperties, Property, Value};

/// Ticks of a quarter note, in every asset.
const TICKS: u16 = 960;

/// Returns the Standard MIDI File that an asset is; none if it is none.
pub(super) fn standard_midi_file(object: &ObjectProperties) -> Option<Vec<u8>> {
    let Value::Struct(data) = object.get("TheMidiData")? else { return None };
    let tracks: Vec<&[Property]> = structs(data, "Tracks")?.collect();
    let mut bytes = b"MThd".to_vec();
    bytes.extend(6_u32.to_be_bytes());
    let count = u16::try_from(tracks.len()).ok()?;
    // Tracks that sound together.
    [1, count, TICKS].into_iter().for_each(|number| bytes.extend(number.to_be_bytes()));
    for track in tracks {
        let track = track_bytes(track)?;
        bytes.extend(b"MTrk");
        bytes.extend(u32::try_from(track.len()).ok()?.to_be_bytes());
        bytes.extend(track);
    }
    Some(bytes)
}

fn track_bytes(track: &[Property]) -> Option<Vec<u8>> {
    /// What an event is.
    const CHANNEL: u8 = 1;
    const TEMPO: u8 = 2;
    const TIME_SIGNATURE: u8 = 4;
    const TEXT: u8 = 8;
    let strings = match value(track, "Strings") {
        Some(Value::Array(strings)) => strings.as_slice(),
        _ => &[],
    };
    let (mut bytes, mut before) = (Vec::new(), 0_i32);
    for event in structs(track, "Events")? {
        let numbers = ["Type", "A", "B", "C"].map(|name| byte(event, name));
        let Some(Value::Int(tick)) = value(event, "Tick") else { return None };
        let [Some(kind), Some(a), Some(b), Some(c)] = numbers else { return None };
        let meta = |kind: u8, data: &[u8]| {
            let mut event = vec![0xFF, kind];
            push_number(&mut event, u32::try_from(data.len()).unwrap_or(u32::MAX));
            event.extend(data);
            event
        };
        let event = match kind {
            // Program changes and pressure of a channel have one byte.
            CHANNEL if matches!(a >> 4, 0xC | 0xD) => vec![a, b & 0x7F],
            CHANNEL if a & 0x80 != 0 => vec![a, b & 0x7F, c & 0x7F],
            // Microseconds of a quarter note: the high byte first, and then the lower two the other way round.
            TEMPO => meta(0x51, &[a, c, b]),
            TIME_SIGNATURE if b > 0 => meta(0x58, &[a, u8::try_from(b.ilog2()).ok()?, 24, 8]),
            TEXT => {
                let number = usize::from(u16::from_le_bytes([b, c]));
                let Some(Value::Text(text)) = strings.get(number) else { continue };
                meta(a & 0x7F, text.as_bytes())
            }
            _ => continue,
        };
        push_number(&mut bytes, u32::try_from(tick.saturating_sub(before)).unwrap_or_default());
        before = *tick.max(&before);
        bytes.extend(event);
    }
    bytes.extend([0, 0xFF, 0x2F, 0]);
    Some(bytes)
}

/// Appends a number in as many bytes of seven bits as it needs, the highest first.
fn push_number(bytes: &mut Vec<u8>, number: u32) {
    let groups = [28_u32, 21, 14, 7, 0].map(|shift| u8::try_from(number >> shift & 0x7F).unwrap_or_default());
    let first = groups.iter().position(|group| *group != 0).unwrap_or(groups.len().saturating_sub(1));
    let needed = groups.get(first..).unwrap_or_default();
    let (last, others) = needed.split_last().unwrap_or((&0, &[]));
    bytes.extend(others.iter().map(|group| group | 0x80));
    bytes.push(*last);
}

fn value<'p>(properties: &'p [Property], name: &str) -> Option<&'p Value> {
    properties.iter().find(|property| property.is(name)).map(|property| &property.value)
}

fn byte(properties: &[Property], name: &str) -> Option<u8> {
    if let Some(Value::Byte(byte)) = value(properties, name) { Some(*byte) } else { None }
}

/// Returns the structs of an array; none if it is none.
fn structs<'p>(properties: &'p [Property], name: &str) -> Option<impl Iterator<Item = &'p [Property]>> {
    let Some(Value::Array(values)) = value(properties, name) else { return None };
    Some(
        values.iter().filter_map(|value| {
            if let Value::Struct(fields) = value { Some(fields.as_slice()) } else { None }
        }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_as_many_bytes_as_they_need() {
        for (number, expected) in [
            (0, &[0_u8][..]),
            (0x7F, &[0x7F]),
            (0x80, &[0x81, 0]),
            (0x3FFF, &[0xFF, 0x7F]),
            (0x4000, &[0x81, 0x80, 0]),
            (0xFFF_FFFF, &[0xFF, 0xFF, 0xFF, 0x7F]),
        ] {
            let mut bytes = Vec::new();
            push_number(&mut bytes, number);
            assert_eq!(bytes, expected);
        }
    }
}
