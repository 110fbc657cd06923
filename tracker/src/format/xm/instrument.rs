use super::Header;
use super::header::XmLayout;
use super::sample::{self, Sample};
use crate::Error;
use crate::format::cursor::Cursor;
use crate::format::file::ModuleReader;

/// An instrument and its samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Instrument {
    /// Bytes it says its header has.
    pub size: u32,
    /// Padded with zeros or blanks.
    pub name: [u8; 22],
    /// 0, or by chance anything.
    pub kind: u8,
    /// None if it has no samples.
    pub settings: Option<XmInstrumentSettings>,
    /// The samples that the file has.
    pub samples: Vec<Sample>,
}

/// What an instrument with samples says beside its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XmInstrumentSettings {
    /// Bytes it says a header of a sample has; 40, whatever it says.
    pub sample_header: u32,
    /// Which sample each of 96 notes plays, counted from 0.
    pub keys: [u8; 96],
    /// Of the volume, 0 to 64.
    pub volume: XmEnvelope,
    /// Of the pan, 0 to 64.
    pub pan: XmEnvelope,
    /// 0 sine, 1 square, 2 ramp down, 3 ramp up.
    pub vibrato_wave: u8,
    /// Ticks until it is there.
    pub vibrato_sweep: u8,
    /// How far it goes.
    pub vibrato_depth: u8,
    /// How fast it is.
    pub vibrato_rate: u8,
    /// Taken from 32,768 in each tick.
    pub fadeout: u16,
    /// Nothing, or for MIDI.
    pub reserved: [u8; 22],
}

/// Up to twelve points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct XmEnvelope {
    /// Tick and value.
    pub points: [(u16, u16); 12],
    /// Points in use.
    pub count: u8,
    /// The point to wait at.
    pub sustain: u8,
    /// The point to go back to.
    pub loop_start: u8,
    /// The point to go back from.
    pub loop_end: u8,
    /// Bits: 1 on, 2 sustain, 4 loop.
    pub flags: u8,
}

/// Bytes of the header that all instruments have, and of the longest.
const LEAST: usize = 29;
const MAX_SAMPLES: usize = 263;

/// Reads the instruments from an offset on, with their frames if these are among them; also returns the offset of their
/// end.
pub(super) fn read_all(
    file: &mut ModuleReader<'_>,
    header: &Header,
    layout: XmLayout,
    mut at: usize,
) -> Result<(Vec<Instrument>, usize), Error> {
    let count = usize::from(header.instruments);
    let mut instruments = Vec::new();
    for number in 1..=count {
        if file.from(at).len() < 4 {
            let missing = count.saturating_sub(number).saturating_add(1);
            let text = format_args!("is not there; {missing} are missing");
            file.repair(at, format_args!("instrument {number}"), text);
            break;
        }
        let mut instrument;
        (instrument, at) = read(file, at, number)?;
        if !layout.instruments_first {
            at = instrument.read_frames(file, at, number)?;
        }
        file.pay::<Instrument>(1)?;
        instruments.push(instrument);
    }
    Ok((instruments, at))
}

fn read(file: &mut ModuleReader<'_>, at: usize, number: usize) -> Result<(Instrument, usize), Error> {
    let size = file.cursor(at, "instrument").u32()?;
    let mut length = usize::try_from(size).unwrap_or(usize::MAX);
    if length < LEAST || length > file.from(at).len() {
        let text = format_args!("claims {size} bytes; taken for {MAX_SAMPLES}");
        file.repair(at, format_args!("instrument {number}"), text);
        length = MAX_SAMPLES;
    }
    // What it does not have is zero.
    let record: [u8; MAX_SAMPLES] = file.part(at, length.min(MAX_SAMPLES), "instrument").padded();
    let mut cursor = Cursor::new(&record, at, "instrument");
    let _size = cursor.u32()?;
    let name = cursor.array()?;
    let kind = cursor.u8()?;
    let count = usize::from(cursor.u16()?);
    let mut end = at.saturating_add(length);
    let settings = if count > 0 { Some(settings(&mut cursor)?) } else { None };
    let mut samples = Vec::new();
    for index in 0..count {
        if file.from(end).len() < sample::HEADER {
            let missing = count.saturating_sub(index);
            let what = format_args!("instrument {number}");
            file.repair(end, what, format_args!("has not all of its samples: {missing} are missing"));
            end = file.len();
            break;
        }
        file.pay::<Sample>(1)?;
        samples.push(sample::read(&mut file.cursor(end, "sample"))?);
        end = end.saturating_add(sample::HEADER);
    }
    Ok((Instrument { size, name, kind, settings, samples }, end))
}

fn settings(cursor: &mut Cursor<'_>) -> Result<XmInstrumentSettings, Error> {
    let sample_header = cursor.u32()?;
    let keys = cursor.array()?;
    let mut points = || -> Result<[(u16, u16); 12], Error> {
        let mut points = [(0, 0); 12];
        for point in &mut points {
            *point = (cursor.u16()?, cursor.u16()?);
        }
        Ok(points)
    };
    let (volume_points, pan_points) = (points()?, points()?);
    let [volume_count, pan_count] = cursor.array()?;
    let [volume_sustain, volume_start, volume_end] = cursor.array()?;
    let [pan_sustain, pan_start, pan_end] = cursor.array()?;
    let [volume_flags, pan_flags] = cursor.array()?;
    let [vibrato_wave, vibrato_sweep, vibrato_depth, vibrato_rate] = cursor.array()?;
    let fadeout = cursor.u16()?;
    let reserved = cursor.array()?;
    Ok(XmInstrumentSettings {
        sample_header,
        keys,
        volume: XmEnvelope {
            points: volume_points,
            count: volume_count,
            sustain: volume_sustain,
            loop_start: volume_start,
            loop_end: volume_end,
            flags: volume_flags,
        },
        pan: XmEnvelope {
            points: pan_points,
            count: pan_count,
            sustain: pan_sustain,
            loop_start: pan_start,
            loop_end: pan_end,
            flags: pan_flags,
        },
        vibrato_wave,
        vibrato_sweep,
        vibrato_depth,
        vibrato_rate,
        fadeout,
        reserved,
    })
}

impl Instrument {
    /// Reads the frames of all its samples, which lie one after another; gives where they end.
    pub(super) fn read_frames(
        &mut self,
        file: &mut ModuleReader<'_>,
        mut at: usize,
        number: usize,
    ) -> Result<usize, Error> {
        for (sample, of) in self.samples.iter_mut().zip(1_usize..) {
            at = sample.read_frames(file, at, format_args!("sample {of} of instrument {number}"))?;
        }
        Ok(at)
    }
}
