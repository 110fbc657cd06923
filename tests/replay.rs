//! Modules replayed tick by tick: which rows are played when, and what cells do to voices in each dialect.

#[path = "replay/fingerprints.rs"]
mod fingerprints;
#[path = "replay/impulse.rs"]
mod impulse;
#[path = "replay/modplug.rs"]
mod modplug;
#[path = "replay/programs.rs"]
mod programs;
#[path = "replay/protracker.rs"]
mod protracker;
#[path = "replay/scream.rs"]
mod scream;
#[path = "replay/seeking.rs"]
mod seeking;

use std::sync::Arc;

use fixtures::allocator::{self, Counting};
use fixtures::module::various;
use fixtures::signal::Noise;
use fixtures::songs::mono;
use importer::{Budget, SoundFile};
use song::module::{
    Cell, CellNote, Channel, Dialect, Effect, EffectCommand, FrequencyMode, Globals, Instrument, KeyMap,
    Module, ModuleWriter, NewNoteAction, NoteMapping, Order, Pattern, Program, SampleSource, Version,
    VolumeCommand,
};
use song::{Frames, Key, LoopCount, LoopMode, LoopRange, Pan, SampleIndex, Song, SongParts};
use tracker::replay::{Glide, Replay, ReplayOptions, Score, VoiceCommand, VoiceId, VoiceState, subsongs};
use unreal::Memory;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What sounds in each tick, with its row.
type Ticks = Vec<((usize, usize), Vec<VoiceState>)>;

fn effect(command: EffectCommand, parameter: u8) -> Cell {
    Cell { effect: Some(Effect { command, parameter }), ..Cell::default() }
}

fn note(key: u8) -> Cell {
    Cell { note: CellNote::Key(Key::new(key).unwrap()), instrument: Some(1), ..Cell::default() }
}

fn with(cell: Cell, command: EffectCommand, parameter: u8) -> Cell {
    Cell { effect: Some(Effect { command, parameter }), ..cell }
}

/// Returns a song of one channel, one looped sample, and a pattern of these cells with empty rows after them.
fn song(dialect: Dialect, cells: &[Cell]) -> Module {
    let mut rows = vec![Cell::default(); cells.len().max(4)];
    rows[..cells.len()].copy_from_slice(cells);
    let range = LoopRange::new(
        Frames::new(100),
        Frames::new(900),
        Frames::new(1000),
        LoopMode::Forward,
        LoopCount::Forever,
    );
    let sample = song::module::Sample {
        loop_range: Some(range.unwrap()),
        ..song::module::Sample::silent(SampleSource::Recorded(SampleIndex::new(0)))
    };
    Module {
        dialect,
        globals: Globals { frequency_mode: FrequencyMode::Linear, ..Globals::default() },
        writer: if dialect == IT { impulse_tracker(2, 0) } else { ModuleWriter::default() },
        channels: vec![Channel::at(Pan::CENTRE)],
        orders: vec![Order::Pattern(0)],
        patterns: vec![Pattern::new(rows.len(), 1, rows).unwrap()],
        samples: vec![sample],
        ..Module::default()
    }
}

fn impulse_tracker(major: u8, minor: u8) -> ModuleWriter {
    writer(Program::ImpulseTracker, [major, minor, 0, 0])
}

fn writer(program: Program, version: [u8; 4]) -> ModuleWriter {
    ModuleWriter { program, version: Version::new(version), ..ModuleWriter::default() }
}

/// Gives a song the four channels of an Amiga, and says that it is for one.
fn on_amiga(module: Module) -> Module {
    let mut module = Module { channels: vec![Channel::at(Pan::CENTRE); 4], ..module };
    module.globals.compat.is_for_amiga = true;
    module.globals.compat.has_word_loops = true;
    module.globals.compat.has_sample_runs = true;
    module
}

/// Lets cells name an instrument that plays the sample, in place of the sample.
fn instrumented(module: Module, instrument: Instrument) -> Module {
    let mut module = Module { instruments: vec![instrument], ..module };
    module.globals.compat.has_instruments = true;
    module
}

fn plain() -> Instrument {
    Instrument::plain(KeyMap::new([NoteMapping { transpose: 0, sample: Some(0) }; KeyMap::KEYS]))
}

fn score(module: Module) -> Arc<Score> {
    let samples = vec![Arc::new(mono(0..1000))];
    Arc::new(Score::new(&Song::new(SongParts { samples, module, ..SongParts::default() }).unwrap()))
}

fn played(module: Module) -> Ticks {
    let mut replay = Replay::new(score(module), ReplayOptions { loops: Some(0), ..ReplayOptions::default() });
    let mut ticks = Vec::new();
    while let Some(tick) = replay.tick() {
        let position = (tick.order, tick.row);
        let mut voices = Vec::new();
        replay.voices(|voice| voices.push(voice));
        ticks.push((position, voices));
        assert!(ticks.len() < 100_000, "the song has no end");
    }
    ticks
}

/// Returns the volume in 64ths at the last tick of each of the first rows.
fn volumes(module: Module) -> Vec<i32> {
    at_row_ends(&played(module), |voice| (voice.sound.volume * 64.0).round() as i32)
}

/// Returns the rate at the last tick of each row.
fn rates(module: Module) -> Vec<i32> {
    at_row_ends(&played(module), |voice| voice.sound.hz.round() as i32)
}

fn at_row_ends(ticks: &Ticks, of: impl Fn(&VoiceState) -> i32) -> Vec<i32> {
    let ends = ticks.chunk_by(|(one, _), (other, _)| one == other).filter_map(|row| row.last());
    ends.map(|(_, voices)| voices.first().map_or(-1, &of)).collect()
}

fn rows(module: Module) -> Vec<usize> {
    let mut rows: Vec<usize> = Vec::new();
    let mut replay = Replay::new(score(module), ReplayOptions { loops: Some(0), ..ReplayOptions::default() });
    while let Some(tick) = replay.tick() {
        if tick.tick == 0 {
            rows.push(tick.row);
        }
        assert!(rows.len() < 10_000, "the song has no end");
    }
    rows
}

const S3M: Dialect = Dialect::ScreamTracker3;
const XM: Dialect = Dialect::FastTracker2;
const IT: Dialect = Dialect::ImpulseTracker;
const MOD: Dialect = Dialect::ProTracker;

#[test]
fn a_song_ends_where_it_would_repeat_itself() {
    assert_eq!(rows(song(IT, &[])), [0, 1, 2, 3]);
    let back = [Cell::default(), effect(EffectCommand::PositionJump, 0)];
    assert_eq!(rows(song(IT, &back)), [0, 1]);
}

#[test]
fn it_repeats_itself_as_often_as_it_is_asked_to() {
    let options = ReplayOptions { loops: Some(2), ..ReplayOptions::default() };
    let mut replay = Replay::new(score(song(IT, &[])), options);
    let ticks = std::iter::from_fn(|| replay.tick().map(|_| ())).count();
    assert_eq!(ticks, 3 * 4 * 6);
}

#[test]
fn a_pattern_loop_plays_its_rows_as_often_more() {
    let start = effect(EffectCommand::Extended, 0xB0);
    let turn = effect(EffectCommand::Extended, 0xB2);
    assert_eq!(rows(song(IT, &[Cell::default(), start, turn])), [0, 1, 2, 1, 2, 1, 2, 3]);
    let [start, turn] = [0x60, 0x62].map(|parameter| effect(EffectCommand::Extended, parameter));
    assert_eq!(rows(song(XM, &[Cell::default(), start, turn])), [0, 1, 2, 1, 2, 1, 2, 3]);
}

#[test]
fn two_loops_that_keep_each_other_going_end_all_the_same() {
    let turn = effect(EffectCommand::Extended, 0x61);
    // The turn of row 2 is the first of two again whenever row 1 has had its second, and so on.
    assert_eq!(rows(song(MOD, &[Cell::default(), turn, turn, turn])), [0, 1, 0, 1, 2]);
}

#[test]
fn a_delayed_row_is_played_once_more_for_each_step() {
    let delayed = effect(EffectCommand::Extended, 0xE2);
    assert_eq!(played(song(IT, &[delayed])).iter().filter(|(position, _)| *position == (0, 0)).count(), 18);
}

#[test]
fn a_break_goes_to_a_row_of_the_next_order_in_decimals_or_not() {
    let to = |dialect| {
        let mut module = song(dialect, &[effect(EffectCommand::PatternBreak, 0x12)]);
        module.patterns.push(Pattern::new(64, 1, vec![Cell::default(); 64]).unwrap());
        module.orders = vec![Order::Pattern(0), Order::Pattern(1)];
        rows(module)[1]
    };
    assert_eq!([MOD, S3M, XM, IT].map(to), [12, 12, 12, 18]);
}

#[test]
fn orders_that_no_other_leads_to_begin_songs_of_their_own() {
    let mut module = song(IT, &[]);
    module.orders = vec![Order::Pattern(0), Order::End, Order::Pattern(0), Order::Skip, Order::Pattern(0)];
    let found = subsongs(&score(module));
    let found: Vec<_> =
        found.iter().map(|song| (song.order, (song.seconds * 100.0).round() as i32)).collect();
    assert_eq!(found, [(0, 48), (2, 96)]);
}

#[test]
fn a_song_beyond_the_ticks_that_are_followed_is_said_to_be_longer() {
    // Four rows of six ticks an order, and 720,000 ticks are followed.
    let followed = |orders: usize| {
        let mut module = song(IT, &[]);
        module.orders = vec![Order::Pattern(0); orders];
        let found = subsongs(&score(module));
        (found.len(), found[0].seconds.round() as i32, found[0].is_longer)
    };
    assert_eq!(followed(30_000), (1, 14_400, false));
    assert_eq!(followed(30_001), (1, 14_400, true));
}

#[test]
fn scream_tracker_has_one_memory_for_most_effects() {
    let cells = [
        with(note(60), EffectCommand::VolumeSlide, 0x02),
        // A slide of the pitch that recalls the slide of the volume.
        effect(EffectCommand::PortamentoDown, 0),
    ];
    let rates = rates(song(S3M, &cells));
    // A period of 1712, and four more of it for each unit in five ticks.
    assert_eq!(rates[..2], [8363, (14_317_056.0_f64 / (1712.0 + 40.0)).round() as i32]);
}

#[test]
fn a_note_of_scream_tracker_stops_at_no_period() {
    let slide = with(note(119), EffectCommand::PortamentoUp, 0xDF);
    let sounding = at_row_ends(&played(song(S3M, &[slide, slide])), |_| 1);
    assert_eq!(sounding[0], -1);
}

#[test]
fn fast_tracker_mutes_a_released_note_without_an_envelope_and_an_instrument_brings_it_back() {
    let off = Cell { note: CellNote::Off, ..Cell::default() };
    let again = Cell { instrument: Some(1), ..Cell::default() };
    let module = instrumented(song(XM, &[note(60), off, again]), plain());
    assert_eq!(volumes(module), [64, 0, 64, 64]);
}

#[test]
fn fast_tracker_remembers_fine_slides_apart() {
    let cells = [
        with(note(60), EffectCommand::Extended, 0x14),
        effect(EffectCommand::Extended, 0x20),
        effect(EffectCommand::Extended, 0x10),
    ];
    let mut module = instrumented(song(XM, &cells), plain());
    module.samples[0].tuning = song::module::SampleTuning::Relative { semitones: 0, finetune: 0 };
    let rates = rates(module);
    // A slide down has nothing to remember yet; one up has.
    assert!(rates[0] > 8363 && rates[1] == rates[0] && rates[2] > rates[1], "{rates:?}");
}

/// Returns a note of `ProTracker` by its period.
fn amiga_note(period: u16, instrument: u16) -> Cell {
    let note = std::num::NonZeroU16::new(period).map_or(CellNote::None, CellNote::Period);
    Cell { note, instrument: Some(instrument), ..Cell::default() }
}

#[test]
fn the_sample_of_a_delayed_note_follows_where_the_present_one_turns() {
    let cells = [amiga_note(214, 1), with(amiga_note(214, 2), EffectCommand::Extended, 0xD7)];
    let mut module = on_amiga(song(MOD, &cells));
    module.samples.push(module.samples[0].clone());
    assert_eq!(at_row_ends(&played(module), |voice| voice.sample as i32), [0, 1, 1, 1]);
}

#[test]
fn a_note_that_goes_on_is_left_behind_by_the_next() {
    let instrument = Instrument { new_note_action: NewNoteAction::Continue, ..plain() };
    let ticks = played(instrumented(song(IT, &[note(60), note(64)]), instrument));
    let (_, voices) = ticks.last().unwrap();
    let mut left: Vec<bool> = voices.iter().map(|voice| voice.is_background).collect();
    left.sort_unstable();
    assert_eq!(left, [false, true]);
}

#[test]
fn slides_of_the_volume_column_have_a_memory_of_their_own() {
    let column = |volume| Cell { volume: Some(volume), ..Cell::default() };
    let cells = [
        with(note(60), EffectCommand::VolumeSlide, 0x01),
        column(VolumeCommand::Down(3)),
        effect(EffectCommand::VolumeSlide, 0),
        column(VolumeCommand::Down(0)),
    ];
    assert_eq!(volumes(song(IT, &cells)), [59, 44, 39, 24]);
}

#[test]
fn a_tempo_changes_how_long_a_tick_is() {
    let mut replay = Replay::new(
        score(song(IT, &[Cell::default(), effect(EffectCommand::Tempo, 250)])),
        ReplayOptions::default(),
    );
    let seconds: Vec<f64> = (0..12).filter_map(|_| replay.tick().map(|tick| tick.seconds)).collect();
    assert_eq!((seconds[0], seconds[11]), (0.02, 0.01));
}

#[test]
fn protracker_lets_a_tick_end_before_its_tempo_changes_and_others_do_not() {
    let cells = [effect(EffectCommand::from_number(MOD, 0xF), 50)];
    let first_tick = |is_for_amiga| {
        let mut module = on_amiga(song(MOD, &cells));
        module.globals.compat.is_for_amiga = is_for_amiga;
        module.globals.compat.has_word_loops = is_for_amiga;
        Replay::new(score(module), ReplayOptions::default()).tick().unwrap().seconds
    };
    assert_eq!((first_tick(true), first_tick(false)), (0.02, 0.05));
}

#[test]
fn a_speed_of_nothing_is_left_out() {
    for dialect in [MOD, XM] {
        let number = EffectCommand::from_number(dialect, 0xF);
        let rows = |cells: &[Cell]| played(song(dialect, cells)).len();
        assert_eq!(rows(&[effect(number, 0), Cell::default()]), rows(&[Cell::default(); 2]), "{dialect:?}");
    }
}

#[test]
fn a_song_that_lasts_beyond_reason_by_tempo_is_timed_by_ticks() {
    let speed = |parameter| effect(EffectCommand::from_number(MOD, 0xF), parameter);
    let seconds = |rows: &[Cell], orders| {
        let mut module = on_amiga(song(MOD, rows));
        module.channels.truncate(1);
        module.orders = vec![Order::Pattern(0); orders];
        let score = Arc::new(Score::silent(module));
        subsongs(&score)[0].seconds
    };
    // A row of 32 ticks, then 63 of six: 8.2 s of 125 beats, or four times as long by a tempo of 32.
    let rows = [&[speed(0x20), speed(6)][..], &[Cell::default(); 62]].concat();
    assert!((seconds(&rows, 60) - 60.0 * (32.0 + 63.0 * 6.0) * 0.02).abs() < 1.0, "{}", seconds(&rows, 60));
    // Within reason it is a tempo.
    assert!((seconds(&rows, 2) - 2.0 * 64.0 * 6.0 * 2.5 / 32.0).abs() < 1.0, "{}", seconds(&rows, 2));
}

/// Returns how the volume gets to what it is in each tick in which it changes.
fn glides(module: Module) -> Vec<Glide> {
    let mut replay = Replay::new(score(module), ReplayOptions { loops: Some(0), ..ReplayOptions::default() });
    let mut glides = Vec::new();
    while let Some(tick) = replay.tick() {
        glides.extend(tick.commands.iter().filter_map(|command| match command {
            VoiceCommand::Change { glide, .. } => Some(*glide),
            _ => None,
        }));
    }
    glides
}

#[test]
fn a_volume_that_slides_glides_along_the_tick_and_one_that_is_set_does_not() {
    let slide = |dialect| {
        let fades = song(dialect, &[note(60), effect(EffectCommand::VolumeSlide, 0x04)]);
        glides(fades).first().copied()
    };
    assert_eq!([IT, S3M].map(slide), [Some(Glide::Tick); 2]);
    let set = Cell { volume: Some(VolumeCommand::Volume(20)), ..Cell::default() };
    for dialect in [IT, S3M] {
        assert_eq!(glides(song(dialect, &[note(60), set])), [Glide::Quick]);
    }
    let silenced = Cell { volume: Some(VolumeCommand::Volume(0)), ..Cell::default() };
    let rises = song(IT, &[note(60), silenced, effect(EffectCommand::VolumeSlide, 0x40)]);
    assert_eq!(
        glides(rises)[..3],
        [Glide::Quick, Glide::Quick, Glide::Tick],
        "from silence it is there at once"
    );
}

#[test]
fn a_slide_with_glissando_goes_by_semitones() {
    for dialect in [IT, S3M] {
        let cells = [
            with(note(60), EffectCommand::Extended, 0x11),
            with(Cell { instrument: None, ..note(67) }, EffectCommand::TonePortamento, 5),
            effect(EffectCommand::TonePortamento, 0),
        ];
        let semitones = played(song(dialect, &cells)).into_iter().filter_map(|(_, voices)| {
            let hz = voices.first()?.sound.hz;
            Some(12.0 * (hz / 8363.0).log2())
        });
        let semitones: Vec<f64> = semitones.skip(7).take(5).collect();
        // A period is a whole number, so a semitone is not quite one.
        assert!(semitones.iter().all(|semitone| (semitone - semitone.round()).abs() < 0.02), "{semitones:?}");
        assert!(semitones[4] > semitones[0], "{dialect:?}: {semitones:?}");
    }
}

#[test]
fn glissando_is_switched_off_again() {
    let cells = [
        with(note(60), EffectCommand::Extended, 0x11),
        effect(EffectCommand::Extended, 0x10),
        with(Cell { instrument: None, ..note(67) }, EffectCommand::TonePortamento, 5),
        effect(EffectCommand::TonePortamento, 0),
    ];
    for dialect in [IT, S3M] {
        let ticks = played(song(dialect, &cells)).into_iter().skip(13).take(5);
        let semitones =
            ticks.filter_map(|(_, voices)| Some(12.0 * (voices.first()?.sound.hz / 8363.0).log2()));
        let semitones: Vec<f64> = semitones.collect();
        let is_between = |semitone: &f64| (semitone - semitone.round()).abs() > 0.05;
        assert!(semitones.iter().any(is_between), "{dialect:?}: {semitones:?}");
    }
}

#[test]
fn a_slide_to_another_sample_ends_an_open_filter_where_cells_name_samples() {
    let slide = with(Cell { instrument: Some(2), ..note(64) }, EffectCommand::TonePortamento, 1);
    // The cutoff is set, and opened again: the filter stays until another sample begins.
    let cells = [with(note(60), EffectCommand::Macro, 0x40), effect(EffectCommand::Macro, 0x7F), slide];
    let filters = |module: Module| -> Vec<bool> {
        let ticks = played(module);
        let rows = ticks.chunk_by(|(one, _), (other, _)| one == other).filter_map(|row| row.last());
        rows.map(|(_, voices)| voices[0].sound.filter.is_some()).take(3).collect()
    };
    let mut of_samples = song(IT, &cells);
    of_samples.samples.push(of_samples.samples[0].clone());
    assert_eq!(filters(of_samples), [true, true, false]);
}

#[test]
fn a_recording_is_played_backwards_from_its_end_or_from_where_it_stands() {
    let frames = |cells: &[Cell], loops: bool| {
        let mut module = song(IT, cells);
        module.samples[0].tuning = song::module::SampleTuning::Rate(5000);
        if !loops {
            module.samples[0].loop_range = None;
        }
        let samples = vec![Arc::new(mono(0..1000))];
        let song = Song::new(SongParts { samples, module, ..SongParts::default() }).unwrap();
        let (score, song) = Score::prepare(song);
        let mut replay = Replay::new(Arc::new(score), ReplayOptions::default());
        let mut starts = Vec::new();
        let mut ticks = Vec::new();
        for _ in 0..18 {
            let tick = replay.tick().unwrap();
            starts.extend(tick.commands.iter().filter_map(|command| match *command {
                VoiceCommand::Start { sample, from, .. } => Some((sample.get(), from)),
                _ => None,
            }));
            replay.voices(|voice| ticks.push(voice.position));
        }
        (song.samples().len(), starts, ticks)
    };
    let turn = |parameter| effect(EffectCommand::Extended, parameter);
    // 100 frames a tick.
    let (samples, starts, ticks) =
        frames(&[with(note(60), EffectCommand::Extended, 0x9F), turn(0x9E)], false);
    assert_eq!((samples, &starts[..]), (2, &[(1, 0), (0, 399)][..]));
    assert_eq!(ticks[..9], [999, 899, 799, 699, 599, 499, 399, 499, 599]);
    // Its loop is gone round backwards: 100 to 899, and 100 comes before 899.
    let (_, starts, ticks) = frames(&[note(60), turn(0x9F)], true);
    assert_eq!(starts, [(0, 0), (1, 399)]);
    assert_eq!(ticks[5..12], [500, 600, 500, 400, 300, 200, 100]);
    assert_eq!(ticks[12], 800);
    assert_eq!(frames(&[note(60)], true).0, 1, "nothing is added where nothing is played backwards");
}

#[test]
fn a_note_after_an_instrument_that_is_not_there_fades_as_that_does() {
    let envelope = song::module::BreakpointEnvelope::new(
        vec![song::module::Point { tick: 0, value: 64 }, song::module::Point { tick: 4, value: 64 }],
        None,
        None,
    );
    let instrument = Instrument { volume: envelope.ok(), fadeout: 4095, ..plain() };
    let with_instrument = |number, cell: Cell| Cell { instrument: number, ..cell };
    let off = Cell { note: CellNote::Off, ..Cell::default() };
    let cells = [
        with_instrument(Some(25), note(60)),
        with_instrument(Some(1), Cell::default()),
        with_instrument(None, Cell { volume: VolumeCommand::from_byte(XM, 0x50).into(), ..note(60) }),
        off,
    ];
    let faded = volumes(instrumented(song(XM, &cells), instrument));
    // 6 ticks of 128 of 32768 are less than 2 of 64 parts; as many of 4095 would be 48.
    assert!((62..64).contains(&faded[3]), "{faded:?}");
}

#[test]
fn loops_are_inverted_frame_by_frame_at_the_pace_of_the_effect() {
    let period = amiga_note(428, 1);
    let inverts = |speed: u8| {
        let module = song(MOD, &[with(period, EffectCommand::Extended, 0xF0 | speed)]);
        let score = score(module);
        assert_eq!(score.inverts_loops(), speed > 0);
        let mut replay = Replay::new(score, ReplayOptions { loops: Some(0), ..ReplayOptions::default() });
        let mut frames = Vec::new();
        let mut number = 0;
        while let Some(tick) = replay.tick() {
            frames.extend(tick.commands.iter().filter_map(|command| match *command {
                VoiceCommand::Invert { frame, .. } => Some((number, frame)),
                _ => None,
            }));
            number += 1;
        }
        frames
    };
    // The loop begins at 100; its first frame is the last to be inverted.
    assert_eq!(inverts(15)[..3], [(0, 101), (1, 102), (2, 103)]);
    assert_eq!(inverts(15)[5..7], [(5, 106), (7, 107)], "not in the first tick of a row without the effect");
    assert_eq!(inverts(14)[..2], [(1, 101), (3, 102)], "every other tick");
    assert_eq!(inverts(0), []);
}

#[test]
fn a_tick_neither_allocates_nor_frees() {
    for (name, file) in various() {
        let source = Memory(file.bytes);
        let song =
            SoundFile::open(source, "Song", Budget::default()).unwrap().import().unwrap().songs.remove(0);
        let options = ReplayOptions { loops: Some(1), ..ReplayOptions::default() };
        let mut replay = Replay::new(Arc::new(Score::new(&song)), options);
        let before = allocator::here();
        let mut commands = 0;
        while let Some(tick) = replay.tick() {
            commands += tick.commands.len();
        }
        let since = allocator::here().since(before);
        assert_eq!((since.allocations, since.frees), (0, 0), "{name}: {commands} commands");
    }
}

#[test]
fn voices_begin_before_they_change_and_end_once() {
    let cells = [note(60), note(62), Cell { note: CellNote::Cut, ..Cell::default() }];
    let mut replay =
        Replay::new(score(song(IT, &cells)), ReplayOptions { loops: Some(0), ..ReplayOptions::default() });
    let mut sounding = Vec::new();
    while let Some(tick) = replay.tick() {
        for command in tick.commands {
            match *command {
                VoiceCommand::Start { voice, .. } | VoiceCommand::StartFm { voice, .. } => {
                    assert!(!sounding.contains(&voice));
                    sounding.push(voice);
                }
                VoiceCommand::Invert { .. } => {}
                VoiceCommand::Stop { voice } => {
                    assert!(sounding.contains(&voice));
                    sounding.retain(|other| *other != voice);
                }
                VoiceCommand::Change { voice, .. }
                | VoiceCommand::LeaveSustain { voice }
                | VoiceCommand::SwapAtLoopEnd { voice, .. } => assert!(sounding.contains(&voice)),
            }
        }
    }
    assert_eq!(sounding, []);
}

/// Returns a song of four channels whose cells say anything at all.
fn by_chance(dialect: Dialect, noise: &mut Noise) -> Module {
    let cell = |noise: &mut Noise| Cell {
        note: match noise.below(12) {
            0..4 => CellNote::None,
            4 => CellNote::Off,
            5 => CellNote::Cut,
            6 => CellNote::Fade(1),
            _ if dialect == MOD => {
                std::num::NonZeroU16::new(noise.below(0x1000) as u16).map_or(CellNote::None, CellNote::Period)
            }
            _ => CellNote::Key(Key::new(noise.below(120) as u8).unwrap()),
        },
        instrument: (noise.below(2) == 0).then(|| noise.below(4) as u16),
        volume: (noise.below(3) == 0).then(|| VolumeCommand::from_byte(dialect, noise.below(256) as u8)),
        effect: (noise.below(3) != 0).then(|| Effect {
            command: EffectCommand::from_number(dialect, noise.below(40) as u8),
            parameter: noise.below(256) as u8,
        }),
    };
    let mut module = song(dialect, &[]);
    module.channels = vec![Channel::at(Pan::CENTRE); 4];
    module.orders = vec![Order::Pattern(0), Order::Skip, Order::Pattern(1), Order::Pattern(7)];
    module.patterns =
        (0..2).map(|_| Pattern::new(32, 4, (0..128).map(|_| cell(noise)).collect()).unwrap()).collect();
    module.globals.frequency_mode =
        if noise.below(2) == 0 { FrequencyMode::Linear } else { FrequencyMode::Amiga };
    if dialect == MOD {
        module.samples[0].tuning = song::module::SampleTuning::Finetune(noise.below(16) as i8 - 8);
    }
    if dialect == XM || (dialect == IT && noise.below(2) == 0) {
        let action = [NewNoteAction::Continue, NewNoteAction::Cut][noise.below(2)];
        module = instrumented(module, Instrument { new_note_action: action, ..plain() });
    }
    module
}

#[test]
fn cells_of_chance_make_sounds_within_bounds() {
    for seed in 0..400 {
        let mut noise = Noise::new(seed);
        let dialect = [MOD, S3M, XM, IT][noise.below(4)];
        let mut replay = Replay::new(score(by_chance(dialect, &mut noise)), ReplayOptions::default());
        let mut sounding = [false; VoiceId::MAX];
        for _ in 0..2000 {
            let Some(tick) = replay.tick() else { break };
            assert!(tick.seconds > 0.001 && tick.seconds < 0.1, "{seed}: {} s", tick.seconds);
            for command in tick.commands {
                // A voice whose recording has ended is free without a word.
                match *command {
                    VoiceCommand::Invert { .. } => {}
                    VoiceCommand::Start { voice, .. } | VoiceCommand::StartFm { voice, .. } => {
                        sounding[voice.index()] = true;
                    }
                    VoiceCommand::Stop { voice } => {
                        assert!(std::mem::take(&mut sounding[voice.index()]), "{seed}: {command:?}");
                    }
                    VoiceCommand::Change { voice, .. }
                    | VoiceCommand::LeaveSustain { voice }
                    | VoiceCommand::SwapAtLoopEnd { voice, .. } => {
                        assert!(sounding[voice.index()], "{seed}: {command:?}");
                    }
                }
            }
            replay.voices(|VoiceState { sound, .. }| {
                assert!(sound.hz.is_finite() && sound.hz >= 0.0, "{seed}: {sound:?}");
                let is_within = (0.0..=1.0).contains(&sound.volume) && (-1.0..=1.0).contains(&sound.pan);
                assert!(is_within, "{seed}: {sound:?}");
            });
        }
    }
}
