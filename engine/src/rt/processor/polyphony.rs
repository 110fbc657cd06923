use song::Frames;

use super::Processor;
use crate::message::{Event, FmStart};
use crate::rt::modulation::Modulation;
use crate::rt::voice::Voice;

impl Processor {
    pub(super) fn start(&mut self, voice: Voice, modulation: Option<Modulation>) {
        let (note, strip) = (voice.note(), voice.strip());
        let at = Frames::new(self.now);
        let has_room = self.steal_for_one();
        if has_room && self.pool.insert(voice, modulation) {
            self.started += 1;
            self.strips.enter(strip, self.now);
            self.events.send(Event::Started { note, at });
        } else {
            self.events.refuse(note, at);
        }
    }

    pub(super) fn start_fm(&mut self, start: &FmStart, sequence: u64) {
        let at = Frames::new(self.now);
        if self.fm.start(start, sequence, self.rate) {
            self.strips.enter(start.strip, self.now);
            self.events.send(Event::Started { note: start.note, at });
        } else {
            self.events.refuse(start.note, at);
        }
    }

    /// Steals voices until fewer than the polyphony play; returns whether that is possible without a click.
    fn steal_for_one(&mut self) -> bool {
        if self.pool.playing() < self.polyphony {
            return true;
        }
        let Some(victim) = self.pool.victim(self.now) else { return false };
        if self.pool.is_full() && self.pool.get(victim).is_some_and(Voice::has_sounded) {
            return false;
        }
        self.steal(victim);
        true
    }

    /// Sets the polyphony; voices that are too many are stolen.
    pub(super) fn limit_polyphony(&mut self, polyphony: usize) {
        self.polyphony = polyphony;
        while self.pool.playing() > polyphony {
            let Some(victim) = self.pool.victim(self.now) else { return };
            self.steal(victim);
        }
    }

    /// Steals a voice, which fades if it has been heard.
    fn steal(&mut self, victim: usize) {
        let Some(voice) = self.pool.get(victim) else { return };
        let (note, strip, has_sounded) = (voice.note(), voice.strip(), voice.has_sounded());
        self.events.send(Event::Stolen { note, at: Frames::new(self.now) });
        if has_sounded {
            self.pool.fade(victim, self.rate, self.now);
        } else {
            self.pool.remove(victim, self.now);
            self.strips.leave(strip, false);
            self.events.ended(note, self.now);
        }
    }
}
