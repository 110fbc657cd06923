//! Periods of the Amiga, and what trackers made of them.

/// Semitones of an octave.
const OCTAVE: usize = 12;

/// Periods of the twelve notes of an octave, 16 times those of the Amiga's.
///
/// Source: *ST3 TECH document*.
const OCTAVE_PERIODS: [u32; OCTAVE] = [1712, 1616, 1524, 1440, 1356, 1280, 1208, 1140, 1076, 1016, 960, 907];

/// The period of C4 by Scream Tracker's table.
pub(crate) const C4_PERIOD: f64 = 1712.0;

/// Frames per second at C4 of a recording that says nothing.
pub(crate) const C4_RATE: f64 = 8363.0;

/// Frames per second times period, of Scream Tracker 3.
pub(crate) const S3M_CLOCK: f64 = 14_317_056.0;

/// Returns the period of a key as Scream Tracker's table has it, which is 1712 for C4 (60).
pub(crate) fn uneven_period(key: i32) -> f64 {
    let note = OCTAVE_PERIODS.get(key.rem_euclid(12) as usize).copied().unwrap_or(OCTAVE_PERIODS[0]);
    f64::from(note) * f64::from(5 - key.div_euclid(12)).exp2()
}

/// Parts of a period that S3M modules are played in: those of Impulse Tracker have periods between whole ones.
pub(crate) const S3M_PARTS: i32 = 256;

/// Returns the period of a key of the even scale (C4 = 60) in parts of [`S3M_PARTS`], of a sample of that rate at C4.
pub(crate) fn even_s3m_period(key: i32, c4_rate: u32) -> i32 {
    let hz = f64::from(c4_rate.max(1)) * (f64::from(key - 60) / 12.0).exp2();
    (S3M_CLOCK / hz * f64::from(S3M_PARTS)).round() as i32
}

/// Returns the period of a key (C4 = 60) in quarters of the Amiga's, of a sample of that rate at C4.
pub(crate) fn s3m_period(key: i32, c4_rate: u32) -> i32 {
    let (octave, note) = ((key.div_euclid(12) - 1), key.rem_euclid(12));
    let base = u64::from(OCTAVE_PERIODS.get(note as usize).copied().unwrap_or(OCTAVE_PERIODS[0]));
    let scaled = 8363 * 16 * base;
    let shifted = if octave >= 0 { scaled >> octave.min(63) } else { scaled << (-octave).min(16) };
    (shifted / u64::from(c4_rate.max(1))).min(i32::MAX as u64) as i32
}

/// The highest index of a note that `FastTracker` 2 has a period for: ten octaves of 16 steps a semitone, and half a
/// semitone more on both sides.
pub(crate) const XM_NOTES: i32 = 10 * 12 * 16 + 16;

/// Returns the period of a note of `FastTracker` 2, by its index: 16 a semitone; 784 is the C that is middle.
pub(crate) fn xm_period(index: i32, is_linear: bool) -> i32 {
    if is_linear { 7744 - 4 * index } else { xm_amiga_period(8 * index) }
}

/// Returns the period of a note of `FastTracker` 2 with frequencies of the Amiga, by its index: 128 a semitone, 8 times
/// that of [`xm_period`].
///
/// Its table has the periods of `ProTracker`, eight a semitone, with straight lines in between, and each octave is half
/// of the one below, rounded down.
///
/// Source: sines of made modules, as libopenmpt 0.6 plays them.
pub(crate) fn xm_amiga_period(index: i32) -> i32 {
    let (octave, within) = (index.div_euclid(12 * 128), index.rem_euclid(12 * 128));
    // The tables of the lower finetunes, one step after the other; the first one of the next octave is half.
    let entry = |step: i32| lowest_octave(step / 8, step % 8).unwrap_or(453);
    let (step, part) = (within / 16, within % 16);
    let lowest = 2 * (entry(step) * (16 - part) + entry(step + 1) * part);
    if octave >= 0 { lowest >> octave.min(31) } else { lowest << (-octave).min(16) }
}

/// Returns frames per second of a period of `FastTracker` 2. Linear periods count down as 16 bits.
pub(crate) fn xm_hz(period: i32, is_linear: bool) -> f64 {
    let period = period as u16;
    if period == 0 {
        return 0.0;
    }
    if !is_linear {
        return 8363.0 * 1712.0 / f64::from(period);
    }
    let inverse = 9216_u16.wrapping_sub(period);
    let (octave, within) = (i32::from(inverse / 768), f64::from(inverse % 768));
    // What the processor makes of a shift by a negative number.
    let shift = (14 - octave) & 31;
    8363.0 * (within / 768.0).exp2() * f64::from(8 - shift).exp2()
}

/// Half the clock of a PAL Amiga: frames per second times period.
pub(crate) const AMIGA_CLOCK: f64 = 3_546_894.6;

/// Parts of a period that MODs are played with: notes with a finetune have fractions in their upper octaves.
pub(crate) const QUARTERS: i32 = 4;

/// Notes that `ProTracker` has periods for.
pub(crate) const AMIGA_NOTES: usize = 36;

/// Their periods without a finetune, from the lowest on.
///
/// Source: *`ProTracker` 2.1A* documentation.
const AMIGA_PERIODS: [i32; AMIGA_NOTES] = [
    856, 808, 762, 720, 678, 640, 604, 570, 538, 508, 480, 453, 428, 404, 381, 360, 339, 320, 302, 285, 269,
    254, 240, 226, 214, 202, 190, 180, 170, 160, 151, 143, 135, 127, 120, 113,
];

/// Periods of the lowest octave with a finetune of −8..=7.
///
/// Source: *`ProTracker` 2.1A*, its table of periods.
const FINETUNED_PERIODS: [[i32; OCTAVE]; 16] = [
    [907, 856, 808, 762, 720, 678, 640, 604, 570, 538, 508, 480],
    [900, 850, 802, 757, 715, 675, 636, 601, 567, 535, 505, 477],
    [894, 844, 796, 752, 709, 670, 632, 597, 563, 532, 502, 474],
    [887, 838, 791, 746, 704, 665, 628, 592, 559, 528, 498, 470],
    [881, 832, 785, 741, 699, 660, 623, 588, 555, 524, 494, 467],
    [875, 826, 779, 736, 694, 655, 619, 584, 551, 520, 491, 463],
    [868, 820, 774, 730, 689, 651, 614, 580, 547, 516, 487, 460],
    [862, 814, 768, 725, 684, 646, 610, 575, 543, 513, 484, 457],
    [856, 808, 762, 720, 678, 640, 604, 570, 538, 508, 480, 453],
    [850, 802, 757, 715, 674, 637, 601, 567, 535, 505, 477, 450],
    [844, 796, 752, 709, 670, 632, 597, 563, 532, 502, 474, 447],
    [838, 791, 746, 704, 665, 628, 592, 559, 528, 498, 470, 444],
    [832, 785, 741, 699, 660, 623, 588, 555, 524, 495, 467, 441],
    [826, 779, 736, 694, 655, 619, 584, 551, 520, 491, 463, 437],
    [820, 774, 730, 689, 651, 614, 580, 547, 516, 487, 460, 434],
    [814, 768, 725, 684, 646, 610, 575, 543, 513, 484, 457, 431],
];

/// Returns the period of a note of the lowest octave, by the row of [`FINETUNED_PERIODS`].
fn lowest_octave(note: i32, row: i32) -> Option<i32> {
    let row = FINETUNED_PERIODS.get(usize::try_from(row).ok()?)?;
    row.get(usize::try_from(note).ok()?).copied()
}

/// Returns the period of a note of `ProTracker` with a finetune of −8..=7, in [`QUARTERS`]; 0 for the one above the
/// last.
///
/// With a finetune it is that of the lowest octave, halved for each octave above it but not rounded, as in libopenmpt;
/// `ProTracker` rounds it.
pub(crate) fn amiga_period(note: usize, finetune: i8) -> i32 {
    match AMIGA_PERIODS.get(note) {
        Some(period) if finetune == 0 => *period * QUARTERS,
        Some(_) => {
            let lowest = lowest_octave((note % OCTAVE) as i32, i32::from(finetune) + 8);
            lowest.map_or(0, |period| (period * QUARTERS) >> (note / OCTAVE))
        }
        None => 0,
    }
}

/// Returns the shortest and the longest period that a sample with a finetune sounds with in `ProTracker`, in
/// [`QUARTERS`]: those of its last and its first note, but none is shorter than 113.
///
/// Source: sines of made modules, as libopenmpt 0.6 plays them.
pub(crate) fn amiga_limits(finetune: i8) -> std::ops::RangeInclusive<i32> {
    amiga_period(AMIGA_NOTES - 1, finetune).max(113 * QUARTERS)..=amiga_period(0, finetune)
}

/// Returns the period of one transposed up by semitones, in MODs of more than three octaves: those of notes go on by
/// octaves, each half of the one below without its fraction. Both are in [`QUARTERS`].
pub(crate) fn transposed(period: i32, semitones: usize) -> i32 {
    let entry = |note: usize| {
        let octaves = (note / OCTAVE).saturating_sub(2);
        AMIGA_PERIODS.get(note - octaves * OCTAVE).map_or(0, |period| (period >> octaves) * QUARTERS)
    };
    let known = (0..AMIGA_NOTES + 2 * OCTAVE).find(|note| entry(*note) == period);
    known.map_or_else(
        || (f64::from(period) * (-(semitones as f64) / 12.0).exp2()).round() as i32,
        |note| entry(note + semitones),
    )
}

/// Returns the first note whose period is not above one in [`QUARTERS`].
pub(crate) fn amiga_note(period: i32, finetune: i8) -> Option<usize> {
    (0..AMIGA_NOTES).find(|note| period >= amiga_period(*note, finetune))
}
