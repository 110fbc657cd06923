//! Looks at recordings on a thread of its own: a long one takes longer than a key may wait.

use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};
use engine::Bank;
use song::InstrumentIndex;

use crate::tui::model::Picture;

/// Columns of a picture: as many as the widest screen shows dots.
const PARTS: usize = 512;

/// The thread that looks. It ends when this is dropped.
pub struct Painter {
    requests: Sender<(Arc<Bank>, usize)>,
    pictures: Receiver<Picture>,
    /// What was asked for last.
    asked: Option<(Arc<Bank>, usize)>,
}

impl Painter {
    /// # Errors
    /// If no thread can be had.
    pub fn new() -> std::io::Result<Self> {
        let (requests, asked) = unbounded::<(Arc<Bank>, usize)>();
        let (send, pictures) = unbounded();
        thread::Builder::new().name("waveforms".into()).spawn(move || {
            while let Ok(first) = asked.recv() {
                // Nobody waits for those that were passed by.
                let (bank, sound) = asked.try_iter().last().unwrap_or(first);
                if send.send(picture(&bank, sound)).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { requests, pictures, asked: None })
    }

    /// Asks for the picture of a sound, unless it was asked for just before; one that is ready.
    pub(super) fn picture(&mut self, bank: Option<&Arc<Bank>>, sound: usize) -> Option<Picture> {
        if let Some(bank) = bank {
            let asked = self.asked.as_ref();
            if !asked.is_some_and(|(before, other)| *other == sound && Arc::ptr_eq(before, bank)) {
                self.asked = Some((Arc::clone(bank), sound));
                // The thread lives as long as this.
                let _ = self.requests.send((Arc::clone(bank), sound));
            }
        }
        self.pictures.try_iter().last()
    }
}

/// What a sound looks like.
pub(super) fn picture(bank: &Bank, sound: usize) -> Picture {
    let recordings = bank.instruments().get(sound).map_or(0, |instrument| instrument.zones().len());
    Picture { sound, recordings, waveform: bank.waveform(InstrumentIndex::new(sound), PARTS) }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use fixtures::songs::{mono, of};

    use super::*;

    #[test]
    fn the_picture_of_the_sound_asked_for_last_comes() {
        let song = of(vec![mono([0, 16_384]), mono([0, -16_384, 0])]);
        let bank = Arc::new(Bank::prepare(&song).unwrap());
        let mut painter = Painter::new().unwrap();
        let begun = Instant::now();
        let mut seen = painter.picture(Some(&bank), 0);
        while seen.as_ref().is_none_or(|picture| picture.sound != 1) {
            assert!(begun.elapsed() < Duration::from_secs(10), "it never comes");
            thread::sleep(Duration::from_millis(1));
            seen = painter.picture(Some(&bank), 1).or(seen);
        }
        let picture = seen.unwrap();
        assert_eq!(picture.recordings, 1);
        assert_eq!(picture.waveform.unwrap().parts, [[0.0; 2], [-0.5; 2], [0.0; 2]]);
        assert_eq!(painter.picture(Some(&bank), 1), None, "it is asked for once");
    }
}
