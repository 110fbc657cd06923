//! Periods of the Amiga, and what trackers made of them.

/// Periods of the twelve notes of an octave, 16 times those of the Amiga's.
///
/// Source: *ST3 TECH document*.
const OCTAVE: [u32; 12] = [1712, 1616, 1524, 1440, 1356, 1280, 1208, 1140, 1076, 1016, 960, 907];

/// The period of C4 by Scream Tracker's table.
pub(crate) const C4_PERIOD: f64 = 1712.0;

/// Frames per second at C4 of a recording that says nothing.
pub(crate) const C4_RATE: f64 = 8363.0;

/// Frames per second times period, of Scream Tracker 3.
pub(crate) const S3M_CLOCK: f64 = 14_317_056.0;

/// Returns the period of a key as Scream Tracker's table has it, which is 1712 for C4 (60).
pub(crate) fn uneven_period(key: i32) -> f64 {
    let note = OCTAVE.get(key.rem_euclid(12) as usize).copied().unwrap_or(OCTAVE[0]);
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
    let base = u64::from(OCTAVE.get(note as usize).copied().unwrap_or(OCTAVE[0]));
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
    let entry = |step: i32| match usize::try_from(step / 8 - 1) {
        Ok(note) => amiga_period(note, (step % 8) as i8),
        Err(_) => (856.0 * (f64::from(8 - step) / 96.0).exp2()).round() as i32,
    };
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

/// Notes that `ProTracker` has periods for.
pub(crate) const AMIGA_NOTES: usize = 36;

/// Their periods without a finetune, from the lowest on.
///
/// Source: *`ProTracker` 2.1A* documentation.
const AMIGA_PERIODS: [i32; AMIGA_NOTES] = [
    856, 808, 762, 720, 678, 640, 604, 570, 538, 508, 480, 453, 428, 404, 381, 360, 339, 320, 302, 285, 269,
    254, 240, 226, 214, 202, 190, 180, 170, 160, 151, 143, 135, 127, 120, 113,
];

/// Returns the period of a note of `ProTracker` with a finetune of −8..=7; 0 for the one above the last.
pub(crate) fn amiga_period(note: usize, finetune: i8) -> i32 {
    match AMIGA_PERIODS.get(note) {
        Some(period) if finetune == 0 => *period,
        Some(_) => (856.0 * (-(note as f64) / 12.0 - f64::from(finetune) / 96.0).exp2()).round() as i32,
        None => 0,
    }
}

/// Returns the period of one transposed up by semitones, in MODs of more than three octaves: those of notes go on by
/// octaves, each half of the one below without its fraction.
pub(crate) fn transposed(period: i32, semitones: usize) -> i32 {
    const OCTAVE: usize = 12;
    let entry = |note: usize| {
        let octaves = (note / OCTAVE).saturating_sub(2);
        AMIGA_PERIODS.get(note - octaves * OCTAVE).map_or(0, |period| period >> octaves)
    };
    let known = (0..AMIGA_NOTES + 2 * OCTAVE).find(|note| entry(*note) == period);
    known.map_or_else(
        || (f64::from(period) * (-(semitones as f64) / 12.0).exp2()).round() as i32,
        |note| entry(note + semitones),
    )
}

/// Returns the first note whose period is not above one.
pub(crate) fn amiga_note(period: i32, finetune: i8) -> Option<usize> {
    (0..AMIGA_NOTES).find(|note| period >= amiga_period(*note, finetune))
}
