//! Tracker modules as songs: what their samples, instruments and patterns mean, alone and in a package.

use std::time::Duration;

use fixtures::module::it::{self, It};
use fixtures::module::protracker::{self, Mod};
use fixtures::module::s3m::{self, S3m};
use fixtures::module::various;
use fixtures::module::xm::{self, Xm};
use fixtures::package::PackageWriter;
use importer::{Budget, Error, SoundFile, Status};
use song::module::{
    CellNote, Dialect, DuplicateCheck, Effect, FrequencyMode, LfoWave, NewNoteAction, Order, SampleSource,
    SampleTuning, Span, VibratoSweep, VolumeCommand,
};
use song::{FadeStart, Key, PitchLfo, Recording, Song, TrackerArticulation};
use unreal::Memory;

fn open(bytes: &[u8]) -> SoundFile {
    SoundFile::open(Memory(bytes.to_vec()), "Song", Budget::default()).unwrap()
}

fn song(bytes: &[u8]) -> Song {
    let imported = open(bytes).import().unwrap();
    let [song] = imported.songs.as_slice() else { panic!("{} songs", imported.songs.len()) };
    song.clone()
}

fn plain(data: Vec<u8>) -> it::Sample {
    it::Sample { flags: 1, conversion: 1, length: data.len() as u32, data }
}

fn frames(song: &Song, sample: usize) -> Vec<i16> {
    match song.samples()[sample].recording() {
        Recording::I16(planes) => planes.left().to_vec(),
        Recording::F32(_) => panic!("modules have whole numbers"),
    }
}

#[test]
fn samples_come_first_and_instruments_play_them() {
    let file =
        It { instruments: 1, samples: vec![plain(vec![1, 0xFF]), plain(vec![])], ..It::new(0x214) }.finish();
    let file = file.with("instrument 1.pitch pan", [0, 60]);
    let sounds = open(&file.bytes);
    let listed: Vec<_> =
        sounds.sounds().iter().map(|s| (s.number, s.class.name(), s.status.name(), s.plays())).collect();
    assert_eq!(
        listed,
        [(1, "Sample", "ok", vec![]), (2, "Sample", "empty", vec![]), (3, "Instrument", "ok", vec![1]),]
    );
    assert!(sounds.sounds()[1].is_vacant() && !sounds.sounds()[0].is_vacant());
    let song = song(&file.bytes);
    assert_eq!(frames(&song, 0), [256, -256], "8 bits are widened");
    let zones = song.instruments()[2].zones();
    let gain = zones[0].gain().gain();
    assert!((gain - 0.75 * 100.0 / 128.0).abs() < 1e-4, "volume 48 of 64, global volume 100 of 128: {gain}");
    assert_eq!(zones[0].transposition(Key::C4).get(), 0.0);
    assert_eq!((zones[0].keys().start().get(), zones[0].keys().end().get()), (0, 119));
}

#[test]
fn a_key_map_transposes_and_leaves_keys_out() {
    let file = It { instruments: 1, samples: vec![plain(vec![1; 4]), plain(vec![2; 4])], ..It::new(0x214) };
    let mut bytes = file.finish().with("instrument 1.pitch pan", [0, 60]).bytes;
    let keys: Vec<u8> = (0..120).flat_map(|key| [key, 1]).collect();
    let at = bytes.windows(240).position(|window| window == keys).unwrap();
    // Key 60 plays the second sample an octave up, 61 nothing.
    bytes[at + 120..at + 124].copy_from_slice(&[72, 2, 61, 0]);
    let song = song(&bytes);
    let zones = song.instruments()[2].zones();
    let ranges: Vec<_> = zones
        .iter()
        .map(|zone| (zone.keys().start().get(), zone.keys().end().get(), zone.sample().get()))
        .collect();
    assert_eq!(ranges, [(0, 59, 0), (60, 60, 1), (62, 119, 0)]);
    assert_eq!(zones[1].transposition(Key::C4).get(), 1200.0);
    let mapped = song.module().instruments[0].keys.get(Key::C4);
    assert_eq!((mapped.transpose, mapped.sample), (12, Some(1)));
}

#[test]
fn instruments_of_both_ages_keep_what_they_say() {
    let of = |compatible| {
        let file = It { instruments: 1, samples: vec![plain(vec![1])], ..It::new(compatible) }.finish();
        song(&file.bytes).module().instruments[0].clone()
    };
    let new = of(0x214);
    assert_eq!(
        (new.new_note_action, new.duplicate_check),
        (NewNoteAction::Continue, DuplicateCheck::Sample(NewNoteAction::Cut))
    );
    assert_eq!((new.fadeout, new.global_volume.get(), new.default_pan), (0x123 * 32, 100, None));
    assert_eq!((new.pitch_pan.separation, new.pitch_pan.centre), (-16, Key::C4));
    assert_eq!((new.filter.cutoff, new.filter.resonance), (Some(0x40), Some(1)));
    assert_eq!((new.volume_swing, new.pan_swing), (10, 20));
    let pan = new.pan.unwrap();
    assert_eq!(
        (pan.is_on(), pan.points().len(), pan.points()[1].tick, pan.points()[1].value),
        (true, 2, 20, -32)
    );
    let old = of(0x100);
    assert_eq!(
        (old.new_note_action, old.duplicate_check, old.fadeout),
        (NewNoteAction::Off, DuplicateCheck::Note(NewNoteAction::Cut), 0x123 * 64)
    );
    let volume = old.volume.unwrap();
    assert_eq!(volume.points().len(), 25);
    assert_eq!(volume.loop_span(), Some(Span { first: 1, last: 2 }));
    assert_eq!(volume.sustain(), Some(Span { first: 3, last: 4 }));
}

/// Returns how notes of a sound move.
fn articulation(song: &Song, instrument: usize) -> TrackerArticulation {
    let index = song.instruments()[instrument].zones()[0].articulation().expect("it moves");
    song.articulations()[index.get()].tracker().expect("a module's").clone()
}

#[test]
fn notes_move_as_instrument_and_sample_say() {
    let file = It { instruments: 1, samples: vec![plain(vec![1; 9])], ..It::new(0x214) }.finish();
    // The envelopes of pan and pitch are off and on, and those of the volume are off.
    let file = file.with("instrument 1.volume head", [0, 2, 0, 0, 0, 0]);
    let song = song(&file.bytes);
    let moved = articulation(&song, 1);
    let pitch = moved.pitch.as_ref().unwrap();
    assert_eq!((moved.fade_start, moved.tick), (FadeStart::AtEnvelopeEnd, Duration::from_millis(20)));
    assert_eq!((moved.volume.is_some(), moved.pan.is_some(), moved.cutoff.is_some()), (false, true, false));
    assert_eq!((pitch.value(20), moved.fadeout), (-32.0, 0x123 * 32));
    assert_eq!((moved.filter.cutoff, moved.filter.resonance), (64.0, 1.0));
    let sweep = VibratoSweep::Rate(3);
    let vibrato =
        PitchLfo { wave: LfoWave::Sine, ramp_phase: 0.0, square_low: 0.0, speed: 1, depth: 2, sweep };
    assert_eq!(moved.vibrato, Some(vibrato));
    // The sample by itself has no more than what is its own.
    let own = articulation(&song, 0);
    let nothing = (own.pan.is_none(), own.pitch.is_none(), own.fadeout, own.filter.is_open());
    assert_eq!((own.vibrato, nothing), (Some(vibrato), (true, true, 0, true)));
}

#[test]
fn what_does_not_move_has_no_articulation() {
    let samples = vec![protracker::Sample::new("a", &[1, 2, 3, 4])];
    let song = song(&Mod { samples, ..Mod::new(b"M.K.", 4) }.finish().bytes);
    assert!(song.articulations().is_empty());
}

#[test]
fn pan_depends_on_the_note_where_the_instrument_says_so() {
    let file = It { instruments: 1, samples: vec![plain(vec![1; 9])], ..It::new(0x214) }.finish();
    let pans = |separation: u8| {
        let song = song(&file.clone().with("instrument 1.pitch pan", [separation, 60]).bytes);
        let zones = song.instruments()[1].zones().into_iter().cloned();
        let keys = zones.map(|zone| (zone.keys().clone(), zone.pan().get())).collect::<Vec<_>>();
        [48, 60, 68].map(|key| {
            let key = Key::new(key).unwrap();
            keys.iter().find(|(keys, _)| keys.contains(&key)).unwrap().1
        })
    };
    assert_eq!(pans(0), [0.0; 3]);
    // Half of the separation: eight semitones go half the way.
    assert_eq!(pans(16), [-0.75, 0.0, 0.5]);
}

#[test]
fn a_sustain_loop_is_left_at_the_release_and_comes_before_the_other() {
    let sample = it::Sample { flags: 1 | 16 | 32, ..plain(vec![1; 9]) };
    let song = song(&It { samples: vec![sample], ..It::new(0x214) }.finish().bytes);
    let loops: Vec<_> = song.samples()[0]
        .loops()
        .iter()
        .map(|range| (range.start().get(), range.end().get(), range.is_sustaining()))
        .collect();
    assert_eq!(loops, [(3, 4, true), (1, 2, false)]);
}

#[test]
fn a_mod_is_tuned_looped_and_panned_as_the_amiga_does() {
    let sample = protracker::Sample::new("a", &[1, 2, 3, 4]);
    let bytes = Mod { samples: vec![sample], ..Mod::new(b"M.K.", 4) }.finish().bytes;
    let mut bytes = bytes.clone();
    // Finetune −1, volume 32, loop from the second word, one word and two.
    bytes[44..50].copy_from_slice(&[0x0F, 32, 0, 0, 0, 2]);
    let song = song(&bytes);
    let module = song.module();
    assert_eq!((module.dialect, module.globals.frequency_mode), (Dialect::ProTracker, FrequencyMode::Amiga));
    assert_eq!(module.samples[0].tuning, SampleTuning::Finetune(-1));
    assert_eq!(module.samples[0].volume.get(), 64);
    let looping = module.samples[0].loop_range.unwrap();
    assert_eq!((looping.start().get(), looping.end().get()), (0, 4));
    assert_eq!(song.samples()[0].loops(), [looping]);
    assert_eq!((song.samples()[0].rate().get(), song.samples()[0].root()), (8228, Some(Key::C4)));
    assert!(matches!(module.samples[0].source, SampleSource::Recorded(index) if index.get() == 0));
    assert_eq!(module.samples.len(), 31, "empty slots keep their numbers");
}

#[test]
fn an_s3m_keeps_its_synthesiser_and_says_that_it_is_silent() {
    let synth = s3m::Instrument { kind: 2, ..s3m::Instrument::sample(0, 0, &[]) };
    let file = S3m { instruments: vec![synth], ..S3m::new() }.finish();
    let sounds = open(&file.bytes);
    assert!(
        matches!(&sounds.sounds()[0].status, Status::Unsupported(why) if why.to_string().contains("synthesiser"))
    );
    let song = song(&file.bytes);
    assert!(matches!(song.module().samples[0].source, SampleSource::Synthesised(_)));
}

#[test]
fn samples_of_an_xm_belong_to_their_instruments() {
    let instrument = |frame: u8| xm::Instrument { samples: vec![xm::Sample::new(0, vec![frame])] };
    let file =
        Xm { instruments: vec![instrument(1), xm::Instrument::default(), instrument(2)], ..Xm::new(0x0104) };
    let song = song(&file.finish().bytes);
    assert_eq!((song.samples().len(), song.instruments().len()), (2, 5));
    assert_eq!([frames(&song, 0), frames(&song, 1)], [[256], [512]]);
    let zones = song.instruments()[4].zones();
    assert_eq!(
        (zones[0].sample().get(), zones[0].keys().start().get(), zones[0].keys().end().get()),
        (1, 12, 107)
    );
    assert!(song.instruments()[3].is_silent(), "an instrument without samples");
}

#[test]
fn cells_say_what_they_do() {
    let cells = [[49, 1, 0x50, 0xE, 0x12], [97, 0, 0, 0, 0], [0; 5], [0, 0, 0, 16, 64]];
    let file = Xm { patterns: vec![(2, xm::pack(&cells))], orders: vec![0, 7], ..Xm::new(0x0104) }.finish();
    let song = song(&file.bytes);
    let module = song.module();
    assert_eq!(module.orders, [Order::Pattern(0), Order::Pattern(7)], "one that is not there is kept");
    let pattern = &module.patterns[0];
    let first = pattern.cell(0, 0);
    assert_eq!((first.note, first.instrument), (CellNote::Key(Key::C4), Some(1)));
    assert_eq!(first.volume, Some(VolumeCommand::Volume(64)));
    let command = song::module::EffectCommand::Extended;
    assert_eq!(first.effect, Some(Effect { command, parameter: 0x12 }));
    assert_eq!(pattern.cell(0, 1).note, CellNote::Off);
    let command = song::module::EffectCommand::GlobalVolume;
    assert_eq!(pattern.cell(1, 1).effect, Some(Effect { command, parameter: 64 }));
}

#[test]
fn a_package_gives_a_song_of_its_sounds_and_one_of_each_module() {
    for (name, file) in various() {
        let mut package = PackageWriter::new(69);
        // The name of the type may lie.
        package.music("Song", "s3m", &file.bytes);
        package.music("Again", "s3m", &file.bytes);
        package.music("Nothing", "it", b"no module");
        let package = package.finish();
        let sounds = open(&package);
        let imported = sounds.import().unwrap();
        assert_eq!(imported.songs.len(), 3, "{name}");
        assert_eq!(imported.songs[0].module().patterns.len(), 1, "{name}: the song of the sounds");
        assert_eq!(imported.songs[1], song(&file.bytes), "{name}: as the bare file gives it");
        assert_eq!(sounds.music(1).unwrap().bytes().unwrap(), file.bytes, "{name}");
        assert_eq!(sounds.sounds().len(), 3, "{name}: each export is one sound");
        let tune = &sounds.sounds()[0];
        let summary = open(&file.bytes).module().map(|module| module.raw.summary());
        assert_eq!(
            (&tune.status, tune.module()),
            (&Status::Ok, summary.as_ref()),
            "{name}: described without its frames"
        );
        assert!(sounds.is_music() && !tune.is_playable() && sounds.sample(1).is_err(), "{name}");
        assert!(matches!(sounds.sounds()[2].status, Status::Unsupported(_)), "{name}");
        let error = sounds.music(3).err().map(|error| error.to_string());
        assert!(error.is_some_and(|error| error.contains("no music data")), "{name}");
    }
}

#[test]
fn a_module_in_a_package_that_cannot_be_read_is_damaged_and_says_where() {
    let mut package = PackageWriter::new(69);
    package.music("Song", "it", b"IMPM but not more");
    package.music("Gone", "it", b"");
    let package = package.finish();
    let sounds = open(&package);
    let [song, gone] = sounds.sounds() else { panic!("{} sounds", sounds.sounds().len()) };
    assert!(
        matches!(&song.status, Status::Damaged(reason) if reason.to_string().contains(" at 0x")),
        "{:?}",
        song.status
    );
    assert!(matches!(&gone.status, Status::Empty(_)), "{:?}", gone.status);
    assert_eq!((sounds.modules().count(), sounds.is_music()), (0, false));
    let error = sounds.music(1).err().map(|error| error.to_string());
    assert_eq!(error, song.status.reason());
    let skipped = sounds.import().unwrap().report.skipped;
    assert_eq!(skipped.iter().map(|remark| remark.object.as_str()).collect::<Vec<_>>(), ["Gone", "Song"]);
}

#[test]
fn whatever_the_bytes_are_opening_and_importing_them_ends() {
    for (_, file) in various() {
        for at in 0..file.bytes.len() {
            for change in [0x40, 0xFF] {
                let mut bytes = file.bytes.clone();
                bytes[at] ^= change;
                let source = Memory(bytes);
                let budget = Budget { structures: 4 << 20, decoded: 4 << 20, ..Budget::default() };
                let Ok(sounds) = SoundFile::open(source, "Song", budget) else { continue };
                let _ = sounds.import();
            }
        }
    }
}

#[test]
fn many_large_instruments_are_stopped_by_the_budget() {
    let file = It { instruments: 400, samples: vec![plain(vec![1])], ..It::new(0x214) }.finish();
    let mut bytes = file.bytes.clone();
    // Every key of every instrument is a zone of its own.
    let keys: Vec<u8> = (0..120).flat_map(|key| [key, 1]).collect();
    let wild: Vec<u8> = (0..120).flat_map(|key| [119 - key, 1]).collect();
    let places: Vec<usize> = (0..bytes.len() - 240).filter(|at| bytes[*at..at + 240] == keys[..]).collect();
    assert_eq!(places.len(), 400);
    for at in places {
        bytes[at..at + 240].copy_from_slice(&wild);
    }
    let source = Memory(bytes);
    let budget = Budget { structures: 2 << 20, ..Budget::default() };
    let sounds = SoundFile::open(source, "Song", budget).unwrap();
    let refused =
        sounds.sounds().iter().filter(|sound| matches!(sound.status, Status::Unsupported(_))).count();
    assert!((1..400).contains(&refused), "{refused} of 400");
}

#[test]
fn file_list_and_song_of_a_module_share_one_budget() {
    let patterns = vec![(256, xm::pack(&[[49, 1, 0, 0, 0]; 256])); 20];
    let bytes = Xm { patterns, ..Xm::new(0x0104) }.finish().bytes;
    let fits = |structures| {
        let budget = tracker::ModuleBudget { structures, ..tracker::ModuleBudget::default() };
        tracker::read(&bytes, budget).is_ok_and(|module| module.raw.to_song(structures).is_ok())
    };
    let alone = (0..1 << 20).step_by(1 << 10).find(|structures| fits(*structures)).unwrap();
    let import = |structures| {
        let source = Memory(bytes.clone());
        let budget = Budget { structures, ..Budget::default() };
        SoundFile::open(source, "Song", budget).and_then(|sounds| sounds.import()).map(|_| ())
    };
    assert!(matches!(import(alone), Err(Error::OverLimit { .. })));
    assert!(import(3 * alone).is_ok());
}

#[test]
fn a_sample_that_takes_more_than_is_allowed_is_left_out_and_reported() {
    let file = It { samples: vec![plain(vec![1; 100])], ..It::new(0x214) }.finish();
    let source = Memory(file.bytes);
    let sounds = SoundFile::open(source, "Song", Budget { decoded: 150, ..Budget::default() }).unwrap();
    assert!(matches!(sounds.sample(1), Err(Error::OverLimit { .. })));
    let imported = sounds.import().unwrap();
    assert_eq!(imported.report.skipped.len(), 1);
    assert_eq!(imported.songs[0].module().samples[0].source, SampleSource::Silent);
}
