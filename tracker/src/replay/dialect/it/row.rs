//! What a cell does when it is played: note, instrument and volume.

use song::Key;
use song::module::{Cell, CellNote, DuplicateCheck, EffectCommand, NewNoteAction, VolumeCommand};

use super::mapping::Mapped;
use super::{ItProcessor, level};
use crate::replay::score::Score;

/// What a channel was before its cell is played.
#[derive(Clone, Copy, Debug)]
struct PriorState {
    instrument: Option<usize>,
    is_sounding: bool,
}

impl ItProcessor {
    /// Plays a cell. Returns whether its key plays nothing, which makes everything of it void.
    pub(super) fn play(&mut self, score: &Score, index: usize, cell: &Cell) -> bool {
        let number = cell.instrument.map(|number| usize::from(number).wrapping_sub(1));
        let is_named = number.is_some();
        let Some(host) = self.hosts.get(index) else { return false };
        let before = PriorState { instrument: host.instrument, is_sounding: host.note.voice.is_sounding() };
        self.name_instrument(score, index, number);
        let key = match cell.note {
            CellNote::Key(key) => Some(key.get()),
            CellNote::None if is_named => self.hosts.get(index).and_then(|host| host.last_key),
            CellNote::None
            | CellNote::Off
            | CellNote::Cut
            | CellNote::Fade(_)
            | CellNote::Period(_)
            | CellNote::Unknown(_) => None,
        };
        let mapped = key.and_then(|key| self.mapped(score, index, key));
        let is_void = key.is_some_and(|key| self.is_void(score, index, key));
        if let (CellNote::Key(key), Some(host)) = (cell.note, self.hosts.get_mut(index)) {
            host.last_key = Some(key.get());
        }
        if is_void {
            return true;
        }
        match cell.note {
            CellNote::Key(key) => self.play_key(score, index, cell, (key, mapped), before),
            CellNote::None if is_named => self.recall(score, index, mapped, before, slides_to_note(cell)),
            CellNote::None => {}
            CellNote::Off
            | CellNote::Cut
            | CellNote::Fade(_)
            | CellNote::Period(_)
            | CellNote::Unknown(_) => {
                self.end(score, index, cell, is_named);
            }
        }
        self.column(index, cell);
        false
    }

    /// Takes the instrument, or the sample where there are no instruments, that a cell names.
    fn name_instrument(&mut self, score: &Score, index: usize, number: Option<usize>) {
        let Some(host) = self.hosts.get_mut(index) else { return };
        // Nothing is played on one that is not there.
        host.instrument = number.or(host.instrument);
        if let Some(number) = number
            && !self.rules.has_instruments
            && score.recording(number).is_none()
        {
            host.note.voice.stop();
        }
    }

    /// Plays a key, as its instrument maps it.
    fn play_key(
        &mut self,
        score: &Score,
        index: usize,
        cell: &Cell,
        (key, mapped): (Key, Option<Mapped>),
        before: PriorState,
    ) {
        let Some(host) = self.hosts.get_mut(index) else { return };
        let Some(mapped) = mapped else {
            // A note without a recording ends or leaves the one before it like any.
            self.leave_note(score, index, key.get(), None);
            if let Some(host) = self.hosts.get_mut(index) {
                host.note.voice.stop();
            }
            return;
        };
        let has_instrument = cell.instrument.is_some();
        let slides = slides_to_note(cell);
        if slides && before.is_sounding {
            self.aim(score, index, mapped, has_instrument, before.instrument);
        } else {
            let hz = host.note.hz;
            let key_state = (host.note.is_released, host.note.is_fading);
            self.begin(score, index, mapped, has_instrument);
            if slides && !has_instrument {
                self.keep_key_state(index, key_state);
            }
            if slides && self.rules.slides_from_silence && hz > 0.0 {
                self.slide_from(index, hz);
            }
        }
    }

    /// Plays an instrument that is named without a note: what sounds takes its volume and envelopes, or the last key
    /// begins again.
    fn recall(
        &mut self,
        score: &Score,
        index: usize,
        mapped: Option<Mapped>,
        before: PriorState,
        slides: bool,
    ) {
        let Some(host) = self.hosts.get(index) else { return };
        let Some(mapped) = mapped else {
            if let Some(sample) = host.note.sample.filter(|_| before.is_sounding) {
                self.take_instrument(score, index, sample, slides);
            }
            return;
        };
        let is_same = if self.rules.has_instruments {
            before.instrument == host.instrument
        } else {
            host.note.sample == Some(mapped.sample)
        };
        if before.is_sounding && (is_same || slides || self.rules.instrument_restarts_note) {
            self.take_instrument(score, index, mapped.sample, slides);
        } else {
            self.begin(score, index, mapped, true);
        }
    }

    /// Remembers the instrument of a cell that waits longer than its row, with its volume if nothing was played yet.
    pub(super) fn remember_instrument(&mut self, score: &Score, index: usize, cell: &Cell) {
        let Some(host) = self.hosts.get_mut(index) else { return };
        let Some(number) = cell.instrument.map(|number| usize::from(number).wrapping_sub(1)) else { return };
        if self.rules.has_instruments && score.module().instruments.get(number).is_none() {
            return;
        }
        host.instrument = Some(number);
        let CellNote::Key(key) = cell.note else { return };
        let sample = self.mapped(score, index, key.get()).and_then(|mapped| score.sample(mapped.sample));
        if let (Some(sample), Some(host)) = (sample, self.hosts.get_mut(index))
            && host.note.sample.is_none()
        {
            host.note.set_volume(level(sample.volume));
        }
    }

    /// Begins a note.
    fn begin(&mut self, score: &Score, index: usize, mapped: Mapped, has_instrument: bool) {
        let was_sounding = self.hosts.get(index).is_some_and(|host| host.note.voice.is_sounding());
        self.leave_note(score, index, mapped.key, Some(mapped.sample));
        let Self { hosts, envelopes, random, rules, .. } = self;
        let Some(host) = hosts.get_mut(index) else { return };
        let instrument = host.instrument.filter(|_| rules.has_instruments);
        host.restart_oscillators(*rules);
        if rules.retrigger_waits {
            host.retrigger.restart();
        }
        let note = &mut host.note;
        let may_carry = was_sounding && note.instrument == instrument;
        note.set_instrument(score, instrument);
        note.sample = Some(mapped.sample);
        note.key = mapped.key;
        note.sounding = mapped.sounding;
        (note.c4_rate, note.hz, note.target) = (mapped.c4_rate, mapped.hz, 0.0);
        note.restart();
        note.restart_envelopes(envelopes, may_carry);
        (note.pan, note.is_surround) = (host.pan, host.is_surround);
        host.panbrello.offset = 0;
        let sample = score.sample(mapped.sample);
        if let (Some(sample), true) = (sample, has_instrument) {
            note.set_volume(level(sample.volume));
        }
        note.take_pan(score, mapped.sample);
        (note.volume_swing, note.pan_swing) = ((1.0, 0.0), 0);
        note.filter = None;
        note.new_note_action = NewNoteAction::Cut;
        if let Some(instrument) = instrument.and_then(|found| score.module().instruments.get(found)) {
            note.new_note_action = instrument.new_note_action;
            note.swing(instrument, rules.swing, random);
            if let Some(cutoff) = instrument.filter.cutoff {
                note.cutoff = cutoff;
            }
            if let Some(resonance) = instrument.filter.resonance {
                note.resonance = resonance;
            }
        }
        note.voice.start(score, mapped.sample, 0);
        host.was_played = true;
    }

    /// Does to the notes of a channel what the coming of another does.
    fn leave_note(&mut self, score: &Score, index: usize, key: u8, sample: Option<usize>) {
        let Some(host) = self.hosts.get_mut(index) else { return };
        if !self.rules.has_instruments {
            return;
        }
        let instrument = host.instrument;
        if host.note.voice.is_sounding() {
            let action = host.note.new_note_action;
            if action != NewNoteAction::Cut {
                let note = host.take_note();
                self.leave(score, note, action);
            }
        }
        let Some(found) = instrument.and_then(|found| score.module().instruments.get(found)) else { return };
        let Self { hosts, background, envelopes, .. } = self;
        let own = hosts.get_mut(index).map(|host| &mut host.note).filter(|note| note.voice.is_sounding());
        let left = background.iter_mut().flatten().filter(|note| note.channel == index);
        for note in own.into_iter().chain(left) {
            if note.instrument != instrument {
                continue;
            }
            let (is_duplicate, action) = match found.duplicate_check {
                DuplicateCheck::Never => continue,
                DuplicateCheck::Note(action) => (note.key == key, action),
                DuplicateCheck::Sample(action) => (note.sample == sample, action),
                DuplicateCheck::Instrument(action) => (true, action),
            };
            if !is_duplicate {
                continue;
            }
            match action {
                NewNoteAction::Cut => note.voice.stop(),
                NewNoteAction::Off => note.key_off(score, envelopes),
                NewNoteAction::Fade => note.is_fading = true,
                NewNoteAction::Continue => {}
            }
        }
    }

    /// Lets a note that has just begun be as released, and fade, as the one before it.
    fn keep_key_state(&mut self, index: usize, (is_released, is_fading): (bool, bool)) {
        if let Some(host) = self.hosts.get_mut(index) {
            (host.note.is_released, host.note.is_fading) = (is_released, is_fading);
        }
    }

    /// Lets a note that has just begun slide from the pitch of one that had ended.
    fn slide_from(&mut self, index: usize, hz: f64) {
        if let Some(host) = self.hosts.get_mut(index) {
            (host.note.target, host.note.hz) = (host.note.hz, hz);
        }
    }

    /// Lets the note that sounds slide to another.
    fn aim(
        &mut self,
        score: &Score,
        index: usize,
        mapped: Mapped,
        has_instrument: bool,
        before: Option<usize>,
    ) {
        let Self { hosts, envelopes, rules, .. } = self;
        let Some(host) = hosts.get_mut(index) else { return };
        host.was_aimed = true;
        let note = &mut host.note;
        (note.key, note.sounding) = (mapped.key, mapped.sounding);
        let is_kept = rules.compatible_slides && note.sample != Some(mapped.sample);
        let is_other = !is_kept && note.sample != Some(mapped.sample);
        note.target = mapped.hz;
        if is_kept {
            // The old sample goes on, at the pitch that the note has on it.
            note.target *= note.c4_rate / mapped.c4_rate;
        } else if is_other && (has_instrument || !rules.has_instruments) {
            // Without an instrument, the sample stays.
            (note.sample, note.c4_rate) = (Some(mapped.sample), mapped.c4_rate);
            note.voice.restart(score, mapped.sample, 0);
            if !rules.has_instruments && note.cutoff == 127 && note.resonance == 0 {
                note.filter = None;
            }
        }
        if rules.has_instruments && before != host.instrument {
            note.set_instrument(score, host.instrument);
            // On the same recording, what was off stays off.
            if is_other {
                note.switch_envelopes(envelopes);
            }
            note.is_fading = false;
            note.fade = 32_768;
        }
        if let Some(instrument) = note.instrument(score) {
            note.new_note_action = instrument.new_note_action;
        }
        (note.pan, note.is_surround) = (host.pan, host.is_surround);
        let kept = note.sample.filter(|_| is_kept);
        let sample = if rules.has_instruments { mapped.sample } else { kept.unwrap_or(mapped.sample) };
        note.take_pan(score, sample);
        if has_instrument {
            let own = if rules.has_instruments { None } else { host.instrument };
            let sample = kept.or(own).unwrap_or(mapped.sample);
            self.take_instrument(score, index, sample, true);
        }
    }

    /// Takes volume and envelopes of an instrument, while a note goes on.
    fn take_instrument(&mut self, score: &Score, index: usize, sample: usize, slides: bool) {
        let Self { hosts, envelopes, rules, .. } = self;
        let Some(host) = hosts.get_mut(index) else { return };
        let note = &mut host.note;
        if let Some(sample) = score.sample(sample) {
            note.set_volume(level(sample.volume));
        }
        let restarts = rules.instrument_restarts_note && !slides;
        if restarts {
            (note.is_released, note.is_fading) = (false, false);
        }
        if rules.has_instruments && (restarts || rules.resets_envelopes(slides)) {
            if slides {
                note.rewind_envelopes();
            } else {
                note.restart_envelopes(envelopes, false);
            }
            note.fade = 32_768;
        }
        if slides && rules.compatible_slides {
            note.is_released = false;
        }
    }

    /// Ends a note, by any of the notes that are none.
    fn end(&mut self, score: &Score, index: usize, cell: &Cell, has_instrument: bool) {
        let Self { hosts, envelopes, rules, .. } = self;
        let Some(host) = hosts.get_mut(index) else { return };
        if !rules.instrument_restarts_note {
            host.last_key = None;
        }
        let note = &mut host.note;
        match cell.note {
            CellNote::Cut => note.voice.stop(),
            CellNote::Off => note.key_off(score, envelopes),
            _ if rules.has_instruments => note.is_fading = true,
            _ => return,
        }
        if !has_instrument {
            return;
        }
        // The sample that another instrument has for the key gives its volume and its pan; the recording stays, and so
        // do the global volume and the pan of the instrument.
        let instrument = host.instrument.and_then(|index| score.module().instruments.get(index));
        let mapped =
            instrument.zip(Key::new(note.key).ok()).and_then(|(found, key)| found.keys.get(key).sample);
        let sample =
            if rules.has_instruments { mapped.map(usize::from).or(note.sample) } else { host.instrument };
        if let Some(index) = sample
            && let Some(sample) = score.sample(index)
        {
            note.set_volume(level(sample.volume));
            note.take_pan(score, index);
        }
        if rules.has_instruments && rules.resets_envelopes(slides_to_note(cell)) {
            note.instrument = host.instrument;
            note.restart_envelopes(envelopes, false);
            note.fade = 32_768;
            // All that the key does now is to leave the sustain loop of the sample.
            if !slides_to_note(cell) {
                (note.is_released, note.is_fading) = (false, false);
            }
        }
    }

    /// Sets volume and pan of the column.
    fn column(&mut self, index: usize, cell: &Cell) {
        let Some(host) = self.hosts.get_mut(index) else { return };
        match cell.volume {
            Some(VolumeCommand::Volume(volume)) => host.note.set_volume(volume.min(64).into()),
            Some(VolumeCommand::Pan(pan)) => host.set_pan(4 * i32::from(pan)),
            _ => {}
        }
    }
}

/// Returns whether a cell slides to its note.
pub(super) fn slides_to_note(cell: &Cell) -> bool {
    let command = cell.effect.map(|effect| effect.command);
    matches!(cell.volume, Some(VolumeCommand::TonePortamento(_)))
        || matches!(command, Some(EffectCommand::TonePortamento | EffectCommand::TonePortamentoVolumeSlide))
}
