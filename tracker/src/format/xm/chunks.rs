use crate::Error;
use crate::format::file::ModuleReader;
use crate::format::properties::{self, SongProperties};

/// What `ModPlug` Tracker and its kin write after the last sample: message, MIDI settings, names, plug-ins.
///
/// Source: *OpenMPT*.
const KNOWN: [&[u8; 4]; 5] = [b"text", b"MIDI", b"PNAM", b"CNAM", b"CHFX"];
const MESSAGE: &[u8; 4] = b"text";

/// Goes through the chunks from an offset on, each a name, a length and so many bytes, up to the first that is not
/// known, where properties may follow; all but the message are skipped.
pub(super) fn read(
    file: &mut ModuleReader<'_>,
    at: usize,
    instruments: usize,
) -> Result<(Option<Vec<u8>>, SongProperties), Error> {
    let mut cursor = file.cursor(at, "chunk");
    let mut message = None;
    let mut end = cursor.clone();
    while let (Ok(name), Ok(length)) = (cursor.array::<4>(), cursor.u32()) {
        if !KNOWN.contains(&&name) && !is_plug_in(name) {
            break;
        }
        let at = cursor.at();
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let bytes = cursor.most(length);
        if bytes.len() < length {
            let name = String::from_utf8_lossy(&name);
            let text = format_args!("ends with the file: {} of {length} bytes", bytes.len());
            file.repair(at, format_args!("chunk {name}"), text);
        }
        if &name == MESSAGE && message.is_none() {
            file.pay::<u8>(bytes.len())?;
            message = Some(bytes.to_vec());
        }
        end = cursor.clone();
    }
    Ok((message, properties::read(end, instruments)))
}

/// `FX` and two digits.
const fn is_plug_in(name: [u8; 4]) -> bool {
    matches!(name, [b'F', b'X', b'0'..=b'9', b'0'..=b'9'])
}
