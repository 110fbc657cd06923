//! A song for tests of the screen.

use std::sync::Arc;

use player::live::ListedSong;
use player::live_song::{HeardChannel, HeardTick};
use player::song_player::TickPlace;
use player::{Score, Subsong};
use song::module::{
    Cell, CellNote, Channel, Dialect, Effect, EffectCommand, Instrument, KeyMap, Module, NoteMapping, Order,
    Pattern, Sample, SampleSource, VolumeCommand,
};
use song::{Decibels, Key, Pan};

use super::{PlaylistPosition, SongView, StartedSong};

/// Returns a song of so many channels that plays the third row of its second order, which has four.
pub fn song(channels: usize) -> SongView {
    let note = |key| Cell {
        note: CellNote::Key(Key::new(key).unwrap()),
        instrument: Some(2),
        volume: Some(VolumeCommand::Volume(40)),
        effect: Some(Effect { command: EffectCommand::Vibrato, parameter: 0x84 }),
    };
    let mut cells = vec![Cell::default(); 4 * channels];
    (cells[0], cells[2 * channels]) = (note(60), note(67));
    let keys = KeyMap::new([NoteMapping { transpose: 0, sample: Some(0) }; KeyMap::KEYS]);
    let named = |name: &str| Instrument { name: name.to_owned(), ..Instrument::plain(keys.clone()) };
    let module = Module {
        dialect: Dialect::ImpulseTracker,
        title: "A title".to_owned(),
        channels: vec![Channel::at(Pan::CENTRE); channels],
        orders: vec![Order::Pattern(0), Order::Pattern(1), Order::Skip, Order::Pattern(0), Order::End],
        patterns: vec![Pattern::new(2, channels, vec![Cell::default(); 2 * channels]).unwrap(), {
            Pattern::new(4, channels, cells).unwrap()
        }],
        instruments: vec![named("Bass"), named("Strings, slow"), named("Hat")],
        samples: vec![Sample::silent(SampleSource::Silent)],
        ..Module::default()
    };
    let position = PlaylistPosition { index: 1, count: 3, is_shuffled: false };
    let score = Arc::new(Score::silent(module));
    let length = Subsong { order: 0, seconds: 83.0, is_longer: false };
    let mut view = SongView::new(StartedSong {
        score,
        index: 0,
        song: ListedSong {
            path: "title.it".into(),
            file: "title.it".to_owned(),
            title: "A title".to_owned(),
            writer: "OpenMPT 1.31".to_owned(),
            format: "it",
            length: Some(length),
        },
        subsongs: vec![length],
        first_sound: 0,
        position,
        tempo: 100,
        volume: Decibels::UNITY,
        separation: 100,
    });
    // Most of them are silent, and seen nevertheless.
    view.used = (0..channels).collect();
    let mut heard = vec![HeardChannel::default(); channels];
    heard[0] = HeardChannel { volume: 0.625, instrument: Some(1) };
    let place = TickPlace { order: 1, row: 2, tick: 3, speed: 6, tempo: 125 };
    view.hear(HeardTick { place, seconds: 12.4, channels: heard, ..HeardTick::default() }, true);
    view
}
