//! The ticks of a song as lines of JSON: what each voice plays, for comparison with other players.

use std::io::{self, Write};

use serde::Serialize;

use crate::song_player::{PlayedTick, SongEnd, TickPlace};

/// Frames by which rows of other players are read off.
const BLOCK: u64 = 32;

/// Writes ticks as lines of JSON; the first error is kept until [`SongTrace::finish`].
pub struct SongTrace<W> {
    out: W,
    failed: Option<io::Error>,
    /// When the last tick ends, in seconds.
    last: f64,
}

#[derive(Serialize)]
struct TraceLine {
    t: f64,
    order: usize,
    row: usize,
    tick: u32,
    speed: u32,
    tempo: u32,
    v: Vec<TraceVoice>,
}

#[derive(Serialize)]
struct TraceVoice {
    ch: usize,
    hz: f64,
    vol: f32,
    pan: f32,
    ins: usize,
    smp: usize,
    pos: u64,
    cut: f32,
    res: f32,
    bg: bool,
}

impl<W: Write> SongTrace<W> {
    /// Creates a trace of a song that begins.
    pub const fn new(out: W) -> Self {
        Self { out, failed: None, last: 0.0 }
    }

    /// Writes a tick with its voices.
    pub fn write(&mut self, played: &PlayedTick<'_>) {
        if self.failed.is_some() {
            return;
        }
        let mut voices = Vec::new();
        played.replay.voices(|voice| {
            let sound = voice.sound;
            let filter = sound.filter.map_or((127.0, 0.0), |filter| (filter.cutoff, filter.resonance));
            voices.push(TraceVoice {
                ch: voice.channel,
                hz: sound.hz,
                vol: sound.volume,
                pan: sound.pan,
                ins: voice.instrument,
                smp: voice.sample,
                pos: voice.position,
                cut: filter.0,
                res: filter.1,
                bg: voice.is_background,
            });
        });
        self.write_line(played.end, played.tick, voices);
    }

    fn write_line(&mut self, end: f64, tick: TickPlace, v: Vec<TraceVoice>) {
        let TickPlace { order, row, tick, speed, tempo } = tick;
        let line = TraceLine { t: end * 1000.0, order, row, tick, speed, tempo, v };
        self.last = end;
        let written = serde_json::to_writer(&mut self.out, &line).map_err(io::Error::from);
        self.failed = written.and_then(|()| self.out.write_all(b"\n")).err();
    }

    /// Writes the row that the song would go on with, if that begins within a block rendered with its end: rows of
    /// other players are read off block by block, and have it then.
    pub fn repeat(&mut self, end: &SongEnd) {
        if end.frames.get().is_multiple_of(BLOCK) || self.failed.is_some() {
            return;
        }
        let place = TickPlace { order: end.order, row: end.row, ..TickPlace::default() };
        self.write_line(self.last, place, Vec::new());
    }

    /// Returns the output; not flushed.
    ///
    /// # Errors
    /// The first error of the output.
    pub fn finish(self) -> io::Result<W> {
        match self.failed {
            Some(error) => Err(error),
            None => Ok(self.out),
        }
    }
}
