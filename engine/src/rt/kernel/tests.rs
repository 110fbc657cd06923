use std::sync::Arc;

use fixtures::signal::Noise;
use fixtures::songs::{at_rate, looped, mono, mono_float, of, stereo, stereo_float};
use proptest::prelude::*;
use song::{Hz, LoopMode, Sample};

use super::*;
use crate::bank::{Bank, PreparedSample};
use crate::rt::position::Position;

/// Of full scale: −120 dB.
const ROUNDING: f32 = 1e-6;

#[derive(Clone, Debug)]
struct Case {
    sample: Sample,
    interpolation: Interpolation,
    /// Frames of the recording for one of the output.
    ratio: f64,
    line: LinearRamp,
    /// Lengths of runs, repeated.
    cuts: Vec<usize>,
}

/// Fewer where an interpreter checks every instruction.
const FRAMES: usize = if cfg!(miri) { 13 } else { 700 };
const CASES: u32 = if cfg!(miri) { 5 } else { 400 };

fn case() -> impl Strategy<Value = Case> {
    let length = prop_oneof![1_usize..20, 1_usize..2000];
    let recording = (length, any::<u64>(), any::<bool>(), any::<bool>());
    let range = prop::option::of((0.0..1.0, 0.0..1.0, any::<bool>()));
    let sample = (recording, range).prop_map(|((length, seed, is_float, is_stereo), range)| {
        let mut noise = Noise::new(seed);
        let mut short = || -> Vec<i16> { (0..length).map(|_| noise.bits() as i16).collect() };
        let float = |values: Vec<i16>| -> Vec<f32> {
            values.into_iter().map(|value| f32::from(value) / 32_768.0).collect()
        };
        let (one, two) = (short(), short());
        let sample = match (is_float, is_stereo) {
            (false, false) => mono(one),
            (false, true) => stereo(one, two),
            (true, false) => mono_float(float(one)),
            (true, true) => stereo_float(float(one), float(two)),
        };
        let Some((from, to, is_ping_pong)) = range else { return sample };
        let start = (from * length as f64) as u64;
        let end = start + 1 + (to * (length as u64 - start - 1) as f64) as u64;
        looped(sample, start, end, if is_ping_pong { LoopMode::PingPong } else { LoopMode::Forward })
    });
    let exact = prop::sample::select(&[1.0 / 1_048_576.0, 1.0 / 64.0, 1.0, 2.0, 4.0, 64.0]);
    let ratio = prop_oneof![exact, (-6.0..6.0).prop_map(f64::exp2)];
    let constant = Just(LinearRamp { from: 0.7, slope: 0.0, at: 0 });
    let ramp = (0_u32..5000).prop_map(|at| LinearRamp { from: 0.9, slope: -1e-4, at });
    let cuts = prop::collection::vec(prop_oneof![Just(FRAMES), 1_usize..20, 1_usize..300], 1..10);
    (sample, prop::sample::select(&Interpolation::ALL), ratio, prop_oneof![constant, ramp], cuts).prop_map(
        |(sample, interpolation, ratio, line, cuts)| Case { sample, interpolation, ratio, line, cuts },
    )
}

/// Returns what is heard of a case, left and right, in runs of some lengths.
fn heard(case: &Case, level: SimdLevel, cuts: &[usize]) -> [Vec<f32>; 2] {
    heard_over(0.0, case, level, cuts)
}

/// Renders onto a bus that others were added to before.
fn heard_over(bus: f32, case: &Case, level: SimdLevel, cuts: &[usize]) -> [Vec<f32>; 2] {
    runs_of(bus, case, cuts, |choice, track, (run, step), line, [left, right]| {
        let gain = Gain::along(LinearRamp::level(0.8), LinearRamp::level(-0.3), line).unwrap();
        kernels(level, case.interpolation).mix(choice, &track.planes, run, step, gain, left, right);
    })
}

/// Visits the runs of a case in order, on a bus.
fn runs_of(
    bus: f32,
    case: &Case,
    cuts: &[usize],
    mut render: impl FnMut(KernelKind, &PreparedSample, (Run, PositionStep), LinearRamp, [&mut [f32]; 2]),
) -> [Vec<f32>; 2] {
    let song = of(vec![at_rate(&case.sample, 48_000)]);
    let bank = Arc::new(Bank::prepare(&song).unwrap());
    let track: &PreparedSample = bank.track(0).unwrap();
    let step = PositionStep::new(case.ratio, Hz::new(1).unwrap());
    let mut position = Position::default();
    let (mut left, mut right) = (vec![bus; FRAMES], vec![bus; FRAMES]);
    let (mut done, mut cuts) = (0, cuts.iter().cycle());
    while done < FRAMES {
        let most = (FRAMES - done).min(*cuts.next().unwrap());
        let run = position.run(track, step, most);
        let choice = KernelKind::of(case.interpolation, step, position.is_on_frame());
        let line = LinearRamp { at: case.line.at + done as u32, ..case.line };
        let part = done..done + run.frames;
        render(choice, track, (run, step), line, [&mut left[part.clone()], &mut right[part]]);
        position.advance(track, step, run.frames);
        done += run.frames;
    }
    [left, right]
}

fn kernels(level: SimdLevel, interpolation: Interpolation) -> Kernels {
    Kernels::prepare(interpolation);
    Kernels { level }
}

fn bits(sides: &[Vec<f32>; 2]) -> Vec<u32> {
    sides.iter().flatten().map(|value| value.to_bits()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(CASES) })]

    #[test]
    fn every_form_sounds_like_the_definition(case in case()) {
        let defined = heard(&case, SimdLevel::SCALAR, &[FRAMES]);
        for level in SimdLevel::all() {
            let heard = heard(&case, level, &[FRAMES]);
            let pairs = defined.iter().flatten().zip(heard.iter().flatten());
            let off = pairs.map(|(one, other)| (one - other).abs()).fold(0.0, f32::max);
            prop_assert!(off <= ROUNDING, "{:?} is off by {}", level, off);
            // What is only copied has nothing to round; and on an empty bus a sum that is rounded once is that which is
            // rounded twice.
            if case.interpolation == Interpolation::Nearest && case.line.slope == 0.0 {
                prop_assert_eq!(bits(&defined), bits(&heard));
            }
        }
    }

    #[test]
    fn what_is_written_alone_is_what_is_added_to_silence(case in case()) {
        let unity = Gain { left: LinearRamp::level(1.0), right: LinearRamp::level(1.0) };
        for level in SimdLevel::all() {
            let kernels = kernels(level, case.interpolation);
            let added = runs_of(0.0, &case, &case.cuts, |choice, track, (run, step), _, [left, right]| {
                kernels.mix(choice, &track.planes, run, step, unity, left, right);
            });
            let mut is_mono = true;
            let [left, right] = runs_of(0.3, &case, &case.cuts, |choice, track, (run, step), _, sides| {
                is_mono = track.planes.is_mono();
                kernels.write(choice, &track.planes, run, step, sides);
            });
            prop_assert_eq!(&added[0], &left, "{:?}", level);
            // The right side of a mono recording is left as it was.
            prop_assert_eq!(if is_mono { &[0.3; FRAMES][..] } else { &added[1][..] }, &right[..], "{:?}", level);
        }
    }

    #[test]
    fn no_form_changes_a_bit_where_runs_are_cut(case in case()) {
        for level in SimdLevel::all() {
            // Not on an empty bus: there, frames that are added in one step and in two would agree.
            let heard = |cuts: &[usize]| heard_over(0.3, &case, level, cuts);
            let (whole, cut) = (heard(&[FRAMES]), heard(&case.cuts));
            prop_assert_eq!(bits(&whole), bits(&cut), "{:?}", level);
        }
    }
}

/// Few enough for an interpreter, and each kernel in each way it gets at its frames.
#[test]
fn each_kernel_of_each_form_sounds_like_the_definition() {
    let mut noise = Noise::new(1);
    let short: Vec<i16> = (0..80).map(|_| noise.bits() as i16).collect();
    let float: Vec<f32> = short.iter().map(|&value| f32::from(value) / 32_768.0).collect();
    let samples = [
        mono(short.clone()),
        stereo(short.clone(), short),
        mono_float(float.clone()),
        stereo_float(float.clone(), float),
    ];
    for sample in samples {
        let sample = looped(sample, 3, 70, LoopMode::Forward);
        for interpolation in Interpolation::ALL {
            for ratio in [0.7, 1.6, 5.1] {
                let line = LinearRamp { from: 0.9, slope: -1e-4, at: 7 };
                let case = Case { sample: sample.clone(), interpolation, ratio, line, cuts: Vec::new() };
                let defined = heard(&case, SimdLevel::SCALAR, &[FRAMES]);
                for level in SimdLevel::all() {
                    let heard = heard(&case, level, &[FRAMES]);
                    let mut pairs = defined.iter().flatten().zip(heard.iter().flatten());
                    assert!(
                        pairs.all(|(one, other)| (one - other).abs() <= ROUNDING),
                        "{level:?} {interpolation} at {ratio}"
                    );
                }
            }
        }
    }
}

/// Returns how many frames a kernel hears before the frame at or before a position, and how many after it.
fn reach(choice: KernelKind, is_short: bool) -> (usize, usize) {
    match choice {
        KernelKind::Few(ShortKernel::Copy | ShortKernel::Nearest | ShortKernel::Linear) => (0, 1),
        KernelKind::Few(ShortKernel::Cubic) => (1, 2),
        KernelKind::Sinc(taps, number) => {
            let short = TABLES.short(taps, number).filter(|_| is_short).map(table::SincTable::before);
            let before = short.or_else(|| TABLES.fine(taps, number).map(table::SincTable::before)).unwrap();
            (before, before + 1)
        }
    }
}

/// Renders from planes that are cut closer and closer to what a kernel hears, at both ends: it sounds like the
/// definition or not at all, and an interpreter sees any frame that is read beyond them.
fn reads_no_farther<V: RecordedValue, const C: usize>(
    values: &[Vec<V>; C],
    mix: impl Fn(Kernels, KernelKind, Task<'_, V, C>),
) {
    const MOST: usize = 13;
    /// No kernel of a few neighbours asks for more frames after a position.
    const WIDEST: usize = 20;
    let cases =
        [(1.0, MOST, 0), (1.0, MOST, u32::MAX), (2.0, 11, 1), (4.0, MOST, 1 << 31), (64.0, 2, u32::MAX)];
    for (interpolation, case) in Interpolation::ALL.into_iter().flat_map(|how| cases.map(|case| (how, case)))
    {
        let (ratio, frames, fraction) = case;
        let step = PositionStep::new(ratio, Hz::new(1).unwrap());
        let choice = KernelKind::of(interpolation, step, fraction == 0);
        let (before, after) = reach(choice, size_of::<V>() == 2);
        let from = (before as u64) << 32 | u64::from(fraction);
        let last = ((from + step.get() * (frames as u64 - 1)) >> 32) as usize;
        let heard = |level, length: usize| {
            // Each in memory of its own: what lies around a part of a plane may be read as well.
            let planes: [Box<[V]>; C] = values.each_ref().map(|values| values[..length].into());
            let (mut left, mut right) = ([0.0; MOST], [0.0; MOST]);
            let side = |gain: f32| LinearRamp::level(gain * V::UNIT);
            let task = Task {
                planes: planes.each_ref().map(|plane| &**plane),
                from,
                step: step.get(),
                output: Output::Mixed(Gain { left: side(0.72), right: side(-0.27) }),
                left: &mut left[..frames],
                right: &mut right[..frames],
            };
            mix(kernels(level, interpolation), choice, task);
            [left, right]
        };
        let defined = heard(SimdLevel::SCALAR, last + after + 1);
        assert!(defined[0][..frames].iter().all(|value| *value != 0.0), "{interpolation} at {ratio}");
        for level in SimdLevel::all().skip(1) {
            let mut shortest = usize::MAX;
            for length in (last + after..=last + after.max(WIDEST) + 1).rev() {
                let heard = heard(level, length);
                if heard == [[0.0; MOST]; 2] {
                    break;
                }
                shortest = length;
                let mut pairs = defined.iter().flatten().zip(heard.iter().flatten());
                assert!(
                    pairs.all(|(one, other)| (one - other).abs() <= ROUNDING),
                    "{level:?} {interpolation} at {ratio}, {length} frames"
                );
            }
            // A few neighbours are read in whole vectors.
            let least = last + after + 1;
            let most = if matches!(choice, KernelKind::Sinc(..)) { least } else { last + WIDEST + 1 };
            assert!(
                (least..=most).contains(&shortest),
                "{level:?} {interpolation} at {ratio}: {shortest} frames"
            );
        }
    }
}

#[test]
fn each_kernel_of_each_form_reads_no_frame_beyond_its_planes() {
    const LENGTH: usize = 300;
    let mut noise = Noise::new(2);
    let mut short = || -> Vec<i16> { (0..LENGTH).map(|_| noise.bits() as i16 | 1).collect() };
    let short = [short(), short()];
    let float =
        short.each_ref().map(|values| values.iter().map(|&value| f32::from(value) / 32_768.0).collect());
    reads_no_farther(&short, Kernels::short::<2>);
    reads_no_farther(&float, Kernels::float::<2>);
    let ([short, _], [float, _]) = (short, float);
    reads_no_farther(&[short], Kernels::short::<1>);
    reads_no_farther(&[float], Kernels::float::<1>);
}

/// The definition reads widened frames as well, so it would not show a difference.
#[test]
fn frames_of_16_bits_that_are_widened_sound_as_the_same_floats_to_the_bit() {
    let mut noise = Noise::new(3);
    let short: Vec<i16> = (0..3000).map(|_| noise.bits() as i16).collect();
    let float: Vec<f32> = short.iter().map(|&value| f32::from(value) / 32_768.0).collect();
    let interpolation = Interpolation::Sinc32;
    let line = LinearRamp { from: 0.9, slope: -1e-4, at: 7 };
    for ratio in [1.0 / f64::from(1 << 20), 1.0 / 64.0, 0.7, 1.6, 4.0, 5.1, 64.0] {
        let case = |sample| Case { sample, interpolation, ratio, line, cuts: Vec::new() };
        let short = case(stereo(short.clone(), short.iter().rev().copied().collect()));
        let float = case(stereo_float(float.clone(), float.iter().rev().copied().collect()));
        for level in SimdLevel::all() {
            for cuts in [&[FRAMES][..], &[3, 64, 100]] {
                let (short, float) = (heard(&short, level, cuts), heard(&float, level, cuts));
                assert_eq!(bits(&short), bits(&float), "{level:?} at {ratio}");
            }
        }
    }
}

#[test]
fn a_task_beyond_its_planes_is_silent_at_every_level() {
    for level in SimdLevel::all() {
        for interpolation in Interpolation::ALL {
            for (from, plane) in
                [(3_u64 << 32, 100), (90 << 32, 100), (500 << 32, 100), (u64::MAX, 100), (0, 0)]
            {
                let plane = vec![0.5_f32; plane];
                let (mut left, mut right) = ([0.0; 50], [0.0; 50]);
                let step = PositionStep::new(2.5, Hz::new(1).unwrap());
                let task = Task {
                    planes: [&plane[..]],
                    from,
                    step: step.get(),
                    output: Output::Alone(1.0),
                    left: &mut left,
                    right: &mut right,
                };
                let kernels = kernels(level, interpolation);
                kernels.float(KernelKind::of(interpolation, step, true), task);
                if level != SimdLevel::SCALAR {
                    assert_eq!(left, [0.0; 50], "{level:?} {interpolation} from {}", from >> 32);
                }
            }
        }
    }
}
