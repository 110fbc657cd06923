//! Computes waveforms on another thread: a long recording takes longer than a key may wait.

use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, unbounded};
use engine::Bank;
use song::{InstrumentIndex, SampleIndex};

use super::Picture;
use crate::background;
#[cfg(target_family = "wasm")]
use crate::background::Step;

/// Columns of a picture: as many as the widest screen shows dots, halved a few times when it is zoomed.
const PARTS: usize = 8192;

/// Index of a sound, and the sample of its recording; none for its first.
type Subject = (usize, Option<SampleIndex>);

/// Thread that computes waveforms. It ends when this is dropped.
pub struct WaveformWorker {
    requests: Sender<(Arc<Bank>, Subject)>,
    pictures: Receiver<Picture>,
    /// What was asked for last.
    asked: Option<(Arc<Bank>, Subject)>,
}

impl WaveformWorker {
    /// Starts the thread.
    ///
    /// # Errors
    /// If no thread can be had.
    pub fn new() -> std::io::Result<Self> {
        let (requests, asked) = unbounded::<(Arc<Bank>, Subject)>();
        let (send, pictures) = unbounded();
        // Nobody waits for those that were passed by.
        let compute = move |first, asked: &Receiver<(Arc<Bank>, Subject)>| {
            let (bank, subject) = asked.try_iter().last().unwrap_or(first);
            send.send(picture(&bank, subject)).is_ok()
        };
        #[cfg(not(target_family = "wasm"))]
        background::run("waveforms", move || {
            while let Ok(first) = asked.recv()
                && compute(first, &asked)
            {}
        })?;
        #[cfg(target_family = "wasm")]
        background::steps(move || match asked.try_recv().map(|first| compute(first, &asked)) {
            Ok(true) => Step::Worked,
            Err(crossbeam_channel::TryRecvError::Empty) => Step::Idle,
            _ => Step::Over,
        });
        Ok(Self { requests, pictures, asked: None })
    }

    /// Asks for a picture of the sound of a bank, unless it was asked for just before; returns one that is ready.
    /// Without a bank none is held any longer.
    pub(super) fn picture(&mut self, bank: Option<&Arc<Bank>>, subject: Subject) -> Option<Picture> {
        if bank.is_none() {
            self.asked = None;
        }
        if let Some(bank) = bank {
            let asked = self.asked.as_ref();
            if !asked.is_some_and(|(before, other)| *other == subject && Arc::ptr_eq(before, bank)) {
                self.asked = Some((Arc::clone(bank), subject));
                // The thread lives as long as this.
                let _ = self.requests.send((Arc::clone(bank), subject));
            }
        }
        self.pictures.try_iter().last()
    }
}

/// Returns what a sound looks like, which is the only one in its bank.
fn picture(bank: &Bank, (sound, recording): Subject) -> Picture {
    let instrument = InstrumentIndex::new(0);
    let recordings = bank.recordings(instrument);
    let index = recordings.iter().position(|other| Some(*other) == recording).unwrap_or(0);
    let waveform = recordings.get(index).and_then(|recording| bank.waveform(instrument, *recording, PARTS));
    Picture { sound, recording: index, recordings: recordings.len(), waveform }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::{Duration, Instant};

    use fixtures::songs::{mono, of};

    use super::*;

    #[test]
    fn the_picture_of_the_sound_asked_for_last_comes() {
        let bank = |sample| Arc::new(Bank::prepare(&of(vec![sample])).unwrap());
        let (first, second) = (bank(mono([0, 16_384])), bank(mono([0, -16_384, 0])));
        let mut waveform_worker = WaveformWorker::new().unwrap();
        let begun = Instant::now();
        let mut seen = waveform_worker.picture(Some(&first), (0, None));
        while seen.as_ref().is_none_or(|picture| picture.sound != 1) {
            assert!(begun.elapsed() < Duration::from_secs(10), "it never comes");
            thread::sleep(Duration::from_millis(1));
            seen = waveform_worker.picture(Some(&second), (1, None)).or(seen);
        }
        let picture = seen.unwrap();
        assert_eq!(picture.recordings, 1);
        assert_eq!(picture.waveform.unwrap().channels, [[[0.0; 2], [-0.5; 2], [0.0; 2]]]);
        assert_eq!(waveform_worker.picture(Some(&second), (1, None)), None, "it is asked for once");
    }
}
