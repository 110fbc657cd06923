//! Songs of chance with everything that a dialect has, and what they were when real modules last sounded as other
//! programs play them (see `corpus_modules.rs`): without these modules at hand, whatever changes a tick is seen here.

use song::module::{
    BreakpointEnvelope, DuplicateCheck, FrequencyMode, InitialFilter, Level, LfoWave, MidiMacros, Panning,
    PitchPan, Point, SampleTuning, Span, Vibrato, VibratoSweep,
};

use crate::*;

/// Returns an envelope of four points, which holds, turns, carries, or does nothing of that.
fn envelope(noise: &mut Noise, least: i8) -> Option<BreakpointEnvelope> {
    let mut tick = 0;
    let points = (0..4).map(|_| {
        let value = least + noise.below(usize::from((64 - i16::from(least)) as u16) + 1) as i8;
        let point = Point { tick, value };
        tick += 1 + noise.below(12) as u16;
        point
    });
    let points = points.collect();
    let span = |noise: &mut Noise| {
        let (one, other) = (noise.below(4) as u8, noise.below(4) as u8);
        (noise.below(2) == 0).then_some(Span { first: one.min(other), last: one.max(other) })
    };
    let (sustain, loops) = (span(noise), span(noise));
    let made = BreakpointEnvelope::new(points, sustain, loops).unwrap();
    (noise.below(2) == 0).then_some(made.switched(noise.below(4) != 0, noise.below(3) == 0))
}

fn instrument(noise: &mut Noise, number: u16) -> Instrument {
    let actions = [NewNoteAction::Cut, NewNoteAction::Continue, NewNoteAction::Off, NewNoteAction::Fade];
    let action = actions[noise.below(4)];
    let checks = [
        DuplicateCheck::Never,
        DuplicateCheck::Note(action),
        DuplicateCheck::Sample(action),
        DuplicateCheck::Instrument(action),
    ];
    let other = NoteMapping { transpose: 3, sample: Some(1 - number) };
    let mut keys = [NoteMapping { transpose: 0, sample: Some(number) }; KeyMap::KEYS];
    keys[70..].fill(other);
    Instrument {
        volume: envelope(noise, 0),
        pan: envelope(noise, -32),
        pitch: envelope(noise, -32),
        cutoff: if noise.below(3) == 0 { envelope(noise, 0) } else { None },
        fadeout: noise.below(3000) as u32,
        new_note_action: actions[noise.below(4)],
        duplicate_check: checks[noise.below(4)],
        global_volume: Level::from_128(100 + noise.below(28) as u8),
        default_pan: (noise.below(3) == 0).then(|| Pan::new(0.5).unwrap()),
        volume_swing: if noise.below(3) == 0 { 20 } else { 0 },
        pan_swing: if noise.below(3) == 0 { 10 } else { 0 },
        pitch_pan: PitchPan { separation: noise.below(17) as i8 - 8, centre: Key::C4 },
        filter: InitialFilter {
            cutoff: (noise.below(4) == 0).then_some(90),
            resonance: (noise.below(4) == 0).then_some(40),
        },
        ..Instrument::plain(KeyMap::new(keys))
    }
}

/// Returns a sample that ends, turns, goes there and back, or does so as long as its key is held.
fn sample(noise: &mut Noise, dialect: Dialect, number: usize) -> song::module::Sample {
    let range = |noise: &mut Noise| {
        let mode = if noise.below(2) == 0 { LoopMode::Forward } else { LoopMode::PingPong };
        let [start, end] = [100 + noise.below(300) as u64, 500 + noise.below(500) as u64].map(Frames::new);
        LoopRange::new(start, end, Frames::new(1000), mode, LoopCount::Forever).unwrap()
    };
    let waves = [LfoWave::Sine, LfoWave::RampUp, LfoWave::RampDown, LfoWave::Square, LfoWave::Random];
    let vibrato = Vibrato {
        wave: waves[noise.below(5)],
        speed: noise.below(64) as u8,
        depth: noise.below(16) as u8,
        sweep: if dialect == XM { VibratoSweep::Ticks(20) } else { VibratoSweep::Rate(30) },
    };
    let finetune = noise.below(16) as i8 - 8;
    song::module::Sample {
        volume: Level::from_64(30 + noise.below(35) as u8),
        global_volume: Level::from_64(64 - noise.below(20) as u8),
        pan: (dialect != MOD && noise.below(3) == 0).then(|| Pan::new(-0.25).unwrap()),
        tuning: match dialect {
            MOD => SampleTuning::Finetune(finetune),
            XM => SampleTuning::Relative { semitones: noise.below(25) as i8 - 12, finetune: finetune * 15 },
            _ => SampleTuning::Rate(8363 + 100 * noise.below(60) as u32),
        },
        loop_range: (noise.below(4) != 0).then(|| range(noise)),
        sustain_loop: (dialect == IT && noise.below(3) == 0).then(|| range(noise)),
        vibrato: (matches!(dialect, XM | IT) && noise.below(2) == 0).then_some(vibrato),
        ..song::module::Sample::silent(SampleSource::Recorded(SampleIndex::new(number)))
    }
}

/// Puts what has many forms in place of most effects that leave a pattern, so that more of it is played.
fn stay(cell: &mut Cell, dialect: Dialect, noise: &mut Noise) {
    let Some(effect) = &mut cell.effect else { return };
    // A MOD has no number for macros.
    let second = if dialect == MOD { EffectCommand::Arpeggio } else { EffectCommand::Macro };
    let often = [EffectCommand::Extended, second, EffectCommand::Vibrato, EffectCommand::Tremolo];
    let leaves = matches!(effect.command, EffectCommand::PositionJump | EffectCommand::PatternBreak);
    if leaves && noise.below(8) != 0 || matches!(effect.command, EffectCommand::Unknown(_)) {
        effect.command = often[noise.below(4)];
    }
    if noise.below(8) == 0 {
        // Which many effects take for the parameter before.
        effect.parameter = 0;
    }
}

/// Returns macros of the filter, one for each letter.
fn macros(noise: &mut Noise) -> MidiMacros {
    let mut macros = MidiMacros::default();
    for (number, (text, letter)) in macros.parametric.iter_mut().zip(b"zvunxyhompcabs9A").enumerate() {
        let head = if number % 2 == 0 { "F0F000" } else { "F0F001" };
        *text = [head.as_bytes(), &[*letter], if number > 9 { b"0" } else { b"" }].concat();
    }
    // Channels begin with the first of them.
    macros.parametric.rotate_left(noise.below(16));
    macros
}

/// Returns a song whose cells say anything at all, of instruments that have everything.
fn rich(dialect: Dialect, noise: &mut Noise) -> Module {
    let mut module = by_chance(dialect, noise);
    module.samples = vec![sample(noise, dialect, 0), sample(noise, dialect, 1)];
    let compat = &mut module.globals.compat;
    compat.old_effects = noise.below(3) == 0;
    compat.compatible_tone_slides = noise.below(3) == 0;
    compat.fast_volume_slides = noise.below(3) == 0;
    compat.amiga_limits = noise.below(3) == 0;
    let has_amiga_loops = dialect == MOD && noise.below(2) == 0;
    if dialect == MOD {
        module.globals.frequency_mode = FrequencyMode::Amiga;
        module.instruments = Vec::new();
        compat.has_instruments = false;
    }
    if !module.instruments.is_empty() {
        module.instruments = vec![instrument(noise, 0), instrument(noise, 1)];
    }
    for pattern in &mut module.patterns {
        let mut cells = pattern.cells().to_vec();
        cells.iter_mut().for_each(|cell| stay(cell, dialect, noise));
        *pattern = Pattern::new(pattern.rows(), pattern.channels(), cells).unwrap();
    }
    if dialect == IT {
        module.macros = Some(macros(noise));
    }
    if dialect == MOD && noise.below(2) == 0 {
        // Notes that the Amiga has, by which songs of the program itself are known.
        for pattern in &mut module.patterns {
            let mut cells = pattern.cells().to_vec();
            for Cell { note, .. } in &mut cells {
                if let CellNote::Period(period) = note {
                    *note = CellNote::Period((113 + period.get() % 744).try_into().unwrap());
                }
            }
            *pattern = Pattern::new(pattern.rows(), pattern.channels(), cells).unwrap();
        }
    }
    module.channels[1].panning = Panning::At(Pan::new(-0.5).unwrap());
    module.channels[2].volume = Level::from_64(40);
    if dialect == IT {
        module.channels[3].panning = Panning::Surround;
    }
    let of_xm = [
        ModuleWriter::default(),
        writer(Program::OpenMpt, [1, 0x17, 2, 0x12]),
        writer(Program::OpenMpt, [1, 0x30, 0, 0]),
        writer(Program::FastTracker2, [0; 4]),
    ];
    let of_xm = of_xm[noise.below(4)].clone();
    let created_with = [0x0200, 0x0214, 0x0217, 0x1050, 0x1320, 0x2100, 0x4100][noise.below(7)];
    let compatible_with = [0x0200, 0x0214][noise.below(2)];
    let tag = [None, Some(b"M.K."), Some(b"M!K!"), Some(b"8CHN")][noise.below(4)];
    module.globals.compat.is_for_amiga = tag != Some(b"8CHN") && has_amiga_notes(&module);
    module.globals.compat.has_word_loops = has_amiga_loops;
    module.globals.compat.has_sample_runs = true;
    let of_s3m = match created_with >> 12 {
        1 => Program::ScreamTracker3,
        2 => Program::ImagoOrpheus,
        _ => Program::Other,
    };
    module.writer = match dialect {
        XM => of_xm,
        S3M => writer(of_s3m, [0; 4]),
        IT => of_it(created_with, compatible_with),
        MOD if tag == Some(b"M.K.") && module.patterns.iter().all(is_of_noisetracker) => {
            writer(Program::NoiseTracker, [0; 4])
        }
        MOD => ModuleWriter::default(),
    };
    module
}

/// Returns the writer of an IT that states these versions.
fn of_it(created_with: u16, compatible_with: u16) -> ModuleWriter {
    let program = match (created_with >> 12, created_with, compatible_with) {
        (0, 0x217, 0x200) => Program::ModPlugTracker,
        (0, ..) => Program::ImpulseTracker,
        (1, ..) => Program::SchismTracker,
        _ => Program::Other,
    };
    let [major, minor] = created_with.to_be_bytes();
    writer(program, [major & 15, minor, 0, 0])
}

fn has_amiga_notes(module: &Module) -> bool {
    let mut notes = module.patterns.iter().flat_map(Pattern::cells).map(|cell| cell.note);
    notes.all(|note| !matches!(note, CellNote::Period(period) if !(113..=856).contains(&period.get())))
}

/// Returns whether all effects of a pattern are of `NoiseTracker`, and no two of them break it.
fn is_of_noisetracker(pattern: &Pattern) -> bool {
    let effects = || pattern.cells().iter().filter_map(|cell| cell.effect);
    let breaks = effects().filter(|effect| effect.command == EffectCommand::PatternBreak).count();
    let is_known = |effect: Effect| match effect.command.number(MOD) {
        Some(0..=6 | 0xA..=0xD) => true,
        Some(0xE) => effect.parameter < 0x10,
        Some(0xF) => effect.parameter < 0x20,
        _ => false,
    };
    breaks < 2 && effects().all(is_known)
}

/// A number of all that songs do, each rounded, so that mathematics of other systems gives the same.
fn fingerprint(dialect: Dialect, seeds: std::ops::Range<u64>) -> u32 {
    let mut sum = 0x811C_9DC5_u32;
    let mut add = |number: f64| {
        for byte in (number.round() as i64).to_le_bytes() {
            sum = (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    };
    for seed in seeds {
        let mut noise = Noise::new(seed);
        let samples = (0..2).map(|_| Arc::new(mono(0..1000))).collect();
        let parts = SongParts { samples, module: rich(dialect, &mut noise), ..SongParts::default() };
        let score = Arc::new(Score::new(&Song::new(parts).unwrap()));
        let options = ReplayOptions { loops: Some(0), seed, ..ReplayOptions::default() };
        let mut replay = Replay::new(score, options);
        for _ in 0..1500 {
            let Some(tick) = replay.tick() else { break };
            for number in [tick.order, tick.row, tick.tick as usize, tick.commands.len()] {
                add(number as f64);
            }
            add(tick.seconds * 1e6);
            for command in tick.commands {
                add(match command {
                    VoiceCommand::Start { from, is_released, .. } => {
                        1000.0 + *from as f64 + if *is_released { 0.0 } else { 1e6 }
                    }
                    VoiceCommand::Change { glide, .. } => {
                        if *glide == Glide::Tick {
                            1.0
                        } else {
                            2.0
                        }
                    }
                    VoiceCommand::LeaveSustain { .. } => 3.0,
                    VoiceCommand::SwapAtLoopEnd { from, .. } => 4e6 + *from as f64,
                    VoiceCommand::Stop { .. } => 5.0,
                    VoiceCommand::StartFm { patch, .. } => 7e6 + f64::from(patch.routing()),
                    VoiceCommand::Invert { frame, .. } => 6e6 + *frame as f64,
                });
            }
            replay.voices(|VoiceState { channel, sample, position, sound, is_background, .. }| {
                add((channel * 4 + sample * 2 + usize::from(is_background)) as f64);
                add(sound.hz * 16.0);
                add(f64::from(sound.volume) * 4096.0);
                add(f64::from(sound.pan) * 4096.0);
                add(f64::from(u8::from(sound.is_surround)));
                add(sound.filter.map_or(-1.0, |filter| {
                    f64::from(filter.cutoff) * 64.0 + f64::from(filter.resonance) * 1e5
                }));
                // Frames that lie just at the end of one may lie in the next.
                add(position as f64 / 16.0);
            });
        }
    }
    sum
}

/// Fingerprints of eight groups of songs for each dialect: one that differs in all groups is a common rule, one in few
/// a rare one.
#[test]
fn songs_of_chance_are_what_they_were_when_real_ones_were_compared() {
    let found = [MOD, S3M, XM, IT].map(|dialect| {
        std::array::from_fn(|group| fingerprint(dialect, group as u64 * 50..group as u64 * 50 + 50))
    });
    assert_eq!(found, EXPECTED, "{found:#010X?}");
}

const EXPECTED: [[u32; 8]; 4] = [
    [0x2313_06AC, 0xDF3D_51EF, 0x1280_358C, 0x5667_E1AF, 0x4901_5B9B, 0x8BB0_FA4A, 0x5A8C_2615, 0x3ACF_D239],
    [0xA2CE_E6D7, 0x3684_A8C1, 0xA0D7_7C92, 0x6DA1_FC12, 0x34F5_F618, 0xDD4D_9F58, 0xB86C_2AD4, 0x6843_DB11],
    [0x3567_8AAC, 0xE4C5_8087, 0x2588_0966, 0x5C62_1C5E, 0xE910_5028, 0x8EBF_F310, 0x8E35_F456, 0xCE79_A935],
    [0xECFA_E496, 0x7E06_6D34, 0x0EE7_BAFC, 0x15A5_E8FA, 0xED9B_3452, 0x58BB_AF85, 0x06E9_76C8, 0xEDA0_F9A1],
];
