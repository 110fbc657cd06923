//! What `OpenMPT` writes behind everything else of an IT and an XM: properties of the instruments, then of the song.
//!
//! ```text
//! "XTPM" properties of instruments: code size, size bytes of each instrument …
//! "STPM" properties of the song: code size bytes …       codes are read backwards
//! ```
//!
//! Source: files of public test suites, with these numbers changed; held against what openmpt123 reports of them.

use song::module::{ModuleWriter, Program, Version};

use super::cursor::Cursor;

const OF_INSTRUMENTS: &[u8; 4] = b"XTPM";
const OF_SONG: &[u8; 4] = b"STPM";
const CHANNELS: &[u8; 4] = b"...C";
const SAVED_WITH: &[u8; 4] = b"VWSL";
const MIX_MODE: &[u8; 4] = b".MMP";

/// The properties of a song that are of use here; none that it does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SongProperties {
    /// How many channels there are.
    pub channels: Option<u16>,
    /// The version that saved the song, a byte for each of its four numbers, the major one highest.
    pub saved_with: Option<u32>,
    /// How the mix is made: 3 for pans that turn one side down and leave the other.
    pub mix_mode: Option<u8>,
}

/// Reads the properties; none if they do not begin where the cursor stands. Those before the end of the file are kept.
pub(super) fn read(mut cursor: Cursor<'_>, instruments: usize) -> SongProperties {
    let mut properties = SongProperties::default();
    let _cut_short = properties.fill(&mut cursor, instruments);
    properties
}

impl SongProperties {
    /// Returns nothing once the file is over.
    fn fill(&mut self, cursor: &mut Cursor<'_>, instruments: usize) -> Option<()> {
        let mut code = cursor.array::<4>().ok()?;
        if code == *OF_INSTRUMENTS {
            code = cursor.array().ok()?;
            while code != *OF_SONG {
                let size = usize::from(cursor.u16().ok()?);
                cursor.bytes(size.saturating_mul(instruments)).ok()?;
                code = cursor.array().ok()?;
            }
        }
        if code != *OF_SONG {
            return None;
        }
        loop {
            code = cursor.array().ok()?;
            let size = usize::from(cursor.u16().ok()?);
            let bytes = cursor.bytes(size).ok()?;
            match &code {
                CHANNELS => self.channels = bytes.first_chunk().map(|count| u16::from_le_bytes(*count)),
                SAVED_WITH => {
                    self.saved_with = bytes.first_chunk().map(|version| u32::from_le_bytes(*version));
                }
                MIX_MODE => self.mix_mode = bytes.first().copied(),
                _ => {}
            }
        }
    }

    /// Returns whether pans turn one side down and leave the other.
    pub(super) fn pans_softly(&self) -> bool {
        self.mix_mode == Some(3)
    }

    /// Returns the version of `OpenMPT` that saved the song, if it says.
    pub(super) fn openmpt(&self) -> Option<ModuleWriter> {
        let version = Version::new(self.saved_with?.to_be_bytes());
        Some(ModuleWriter { name: format!("OpenMPT {version}"), program: Program::OpenMpt, version })
    }
}
