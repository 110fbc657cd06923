use crate::Error;
use crate::format::cursor::Cursor;
use crate::format::file::ModuleReader;

/// 554 bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instrument {
    /// Padded with zeros.
    pub file_name: [u8; 12],
    /// Padded with zeros.
    pub name: [u8; 26],
    /// What becomes of the old note when a new one comes: 0 cut, 1 goes on, 2 off, 3 fades.
    pub new_note_action: u8,
    /// Taken from 1024 in each tick, from 512 in old instruments.
    pub fadeout: u16,
    /// The version of the tracker that wrote it.
    pub tracker: u16,
    /// How many samples it uses; reported in files of instruments only.
    pub sample_count: u8,
    /// For each note the note and the sample that sound; sample 0 for none.
    pub keys: [(u8, u8); 120],
    /// What differs between versions.
    pub envelopes: ItInstrumentSettings,
}

/// What an instrument has beside its notes, by the version that the file is compatible with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItInstrumentSettings {
    /// Before 2.00.
    Old(Box<Old>),
    /// From 2.00 on.
    New(Box<New>),
}

/// What instruments before 2.00 have: an envelope of the volume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Old {
    /// Bits: 1 on, 2 loop, 4 sustain loop.
    pub flags: u8,
    /// First node of the loop.
    pub loop_start: u8,
    /// Last node of the loop.
    pub loop_end: u8,
    /// First node of the sustain loop.
    pub sustain_start: u8,
    /// Last node of the sustain loop.
    pub sustain_end: u8,
    /// Whether a note ends others of the same pitch.
    pub duplicate_check: u8,
    /// The volume of each tick, 0 to 64, 255 after the end.
    pub values: [u8; 200],
    /// Tick and volume, 255 after the last.
    pub nodes: [(u8, u8); 25],
}

/// What instruments from 2.00 on have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct New {
    /// What makes an old note a duplicate: 0 nothing, 1 the note, 2 the sample, 3 the instrument.
    pub duplicate_check: u8,
    /// What becomes of a duplicate: 0 cut, 1 off, 2 fades.
    pub duplicate_action: u8,
    /// Pan for each note away from the centre, −32 to 32.
    pub pitch_pan_separation: i8,
    /// The note that has the pan of the instrument.
    pub pitch_pan_center: u8,
    /// 0 to 128.
    pub global_volume: u8,
    /// 0 to 64, and 128 more if it is not used.
    pub pan: u8,
    /// Percent.
    pub volume_swing: u8,
    /// 0 to 64.
    pub pan_swing: u8,
    /// 0 to 127, and 128 more if it is used.
    pub cutoff: u8,
    /// 0 to 127, and 128 more if it is used.
    pub resonance: u8,
    /// Channel, program and bank.
    pub midi: [u8; 4],
    /// Of volume, pan, and pitch or cutoff.
    pub nodes: [EnvelopeNodes; 3],
}

/// Up to 25 nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EnvelopeNodes {
    /// Bits: 1 on, 2 loop, 4 sustain loop, 8 carried on, 128 for the cutoff.
    pub flags: u8,
    /// Nodes in use.
    pub count: u8,
    /// First node of the loop.
    pub loop_start: u8,
    /// Last node of the loop.
    pub loop_end: u8,
    /// First node of the sustain loop.
    pub sustain_start: u8,
    /// Last node of the sustain loop.
    pub sustain_end: u8,
    /// Value and tick.
    pub nodes: [(i8, u16); 25],
}

/// Bytes of an instrument of any version.
const SIZE: usize = 554;

pub(super) fn read(
    file: &mut ModuleReader<'_>,
    at: usize,
    number: usize,
    old: bool,
) -> Result<Instrument, Error> {
    let what = format_args!("instrument {number}");
    let mut cursor = file.part(at, if at == 0 { 0 } else { SIZE }, "instrument");
    if at == 0 {
        file.repair(at, what, "has no offset");
    } else if cursor.left() < SIZE {
        file.repair(at, what, format_args!("ends with the file: {} of {SIZE} bytes", cursor.left()));
    } else if cursor.clone().most(4) != b"IMPI" {
        file.repair(at, what, "does not begin with IMPI; taken for an empty one");
        cursor.most(SIZE);
    }
    let record = cursor.padded::<SIZE>();
    let mut cursor = Cursor::new(&record, at, "instrument");
    let _tag = cursor.u32()?;
    let file_name = cursor.array()?;
    let [_zero, head @ ..] = cursor.array::<12>()?;
    let tracker = cursor.u16()?;
    let [sample_count, _] = cursor.array()?;
    let name = cursor.array()?;
    let tail = cursor.array::<6>()?;
    let mut keys = [(0, 0); 120];
    for key in &mut keys {
        *key = (cursor.u8()?, cursor.u8()?);
    }
    let (new_note_action, fadeout, envelopes) = if old {
        let [.., low, high, action, _] = head;
        (action, [low, high], ItInstrumentSettings::Old(Box::new(Old::read(head, &mut cursor)?)))
    } else {
        let [action, _, _, low, high, ..] = head;
        (action, [low, high], ItInstrumentSettings::New(Box::new(New::read(head, tail, &mut cursor)?)))
    };
    let fadeout = u16::from_le_bytes(fadeout);
    file.pay::<New>(1)?;
    Ok(Instrument { file_name, name, new_note_action, fadeout, tracker, sample_count, keys, envelopes })
}

impl Old {
    fn read(head: [u8; 11], cursor: &mut Cursor<'_>) -> Result<Self, Error> {
        let [flags, loop_start, loop_end, sustain_start, sustain_end, .., duplicate_check] = head;
        let values = cursor.array()?;
        let mut nodes = [(0, 0); 25];
        for node in &mut nodes {
            *node = (cursor.u8()?, cursor.u8()?);
        }
        Ok(Self { flags, loop_start, loop_end, sustain_start, sustain_end, duplicate_check, values, nodes })
    }
}

impl New {
    fn read(head: [u8; 11], tail: [u8; 6], cursor: &mut Cursor<'_>) -> Result<Self, Error> {
        let [_, duplicate_check, duplicate_action, _, _, separation, center, volume, pan, swings @ ..] = head;
        let [volume_swing, pan_swing] = swings;
        let [cutoff, resonance, midi @ ..] = tail;
        Ok(Self {
            duplicate_check,
            duplicate_action,
            pitch_pan_separation: i8::from_le_bytes([separation]),
            pitch_pan_center: center,
            global_volume: volume,
            pan,
            volume_swing,
            pan_swing,
            cutoff,
            resonance,
            midi,
            nodes: [nodes(cursor)?, nodes(cursor)?, nodes(cursor)?],
        })
    }
}

fn nodes(cursor: &mut Cursor<'_>) -> Result<EnvelopeNodes, Error> {
    let [flags, count, loop_start, loop_end, sustain_start, sustain_end] = cursor.array()?;
    let mut nodes = [(0, 0); 25];
    for node in &mut nodes {
        *node = (cursor.i8()?, cursor.u16()?);
    }
    let _reserved = cursor.u8()?;
    Ok(EnvelopeNodes { flags, count, loop_start, loop_end, sustain_start, sustain_end, nodes })
}
