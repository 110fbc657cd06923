//! SFZ: text, a region per zone.
//!
//! What sounds in turn or at random stays so, but for what the format cannot say: layers at random depend on one
//! number, and what was drawn may come again at once.
//!
//! A song of one instrument is that instrument. In a song of several, controller 16 chooses the instrument, with two
//! values for each, and controller 17 counts on by 64: both are general purpose controllers, and each instrument keeps
//! its whole keyboard. The upper of the two values is the safe one: *sfizz* rounds some values down below the range
//! they begin.
//!
//! Source: sfzformat.com, opcodes of versions 1 and 2.

mod conditions;
mod motion;
mod response;

use std::fmt::Write as _;

use song::{Instrument, LoopRange, Sample, SampleIndex, SamplerArticulation, Song, Zone};

use crate::Losses;
use crate::articulation;
use crate::sends;
use crate::unrolled::UnrolledSample;
use conditions::Conditions;

/// Controllers that choose the instrument: its number modulo [`CHOICES`], and divided by it.
const CHOOSING: [u8; 2] = [16, 17];

/// How many instruments a controller can choose among: two of its values for each.
const CHOICES: usize = 64;

/// How a file holds a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SampleForm {
    /// As it is.
    AsIs,
    /// As [`unrolled`] gives it: not all players can loop it as it is.
    Unrolled,
}

/// In which form a zone wants its sample: unrolled if it turns round at an end, or repeats from near its first frame.
///
/// Source: own measurement; of the players tried, *sfizz* plays every loop forward, and reads silence before the first
/// frame.
#[must_use]
pub fn form(zone: &Zone, sample: &Sample) -> SampleForm {
    if UnrolledSample::of(sample, zone.loops_whole()).is_rewritten() {
        SampleForm::Unrolled
    } else {
        SampleForm::AsIs
    }
}

/// Returns whether all players can play a loop as it is: it is not to be played from a file of its own.
#[must_use]
pub fn is_plain(looping: &LoopRange) -> bool {
    !UnrolledSample::differs(looping.start().index(), looping.end().index(), looping.mode())
}

/// Returns a sample with a forward loop that has frames before and after it: that of its own loop, or of one over all
/// of it. None if it would not fit a sample.
#[must_use]
pub fn unrolled(sample: &Sample) -> Option<Sample> {
    UnrolledSample::of(sample, true).to_sample()
}

/// How the instruments of a song share the keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyAssignment {
    /// Each has all of it, and controllers choose one.
    Selected,
    /// Each has a key of its own, from 36 on, and sounds there at its own pitch.
    Kit,
}

/// The key of the first instrument of a kit, and how many there are from there on.
const FIRST_KEY: usize = 36;
const KIT_KEYS: usize = 128 - FIRST_KEY;

/// Returns the song as SFZ. `file` names a sample's WAV file as seen from the SFZ file, in one of its forms; zones of
/// samples without one are left out. Of a kit of more instruments than there are keys, controller 16 chooses the bank.
#[must_use]
pub fn text(
    song: &Song,
    assignment: KeyAssignment,
    file: impl Fn(SampleIndex, SampleForm) -> Option<String>,
) -> String {
    let file = |zone: &Zone| {
        let sample = song.samples().get(zone.sample().get())?;
        Some((sample, file(zone.sample(), form(zone, sample))?))
    };
    let sounding: Vec<&Instrument> =
        song.instruments().iter().filter(|i| i.zones().iter().any(|z| file(z).is_some())).collect();
    let mut text = format!("// {}\n", line(song.name()));
    let is_kit = assignment == KeyAssignment::Kit;
    if is_kit && sounding.len() > KIT_KEYS {
        let [low, _] = CHOOSING;
        let _ = writeln!(text, "// Controller {low} chooses the bank of {KIT_KEYS}, two values for each.");
        let _ = writeln!(text, "<control>\nlabel_cc{low}=Bank\nset_cc{low}=0");
    } else if !is_kit && sounding.len() > 1 {
        let [low, high] = CHOOSING;
        let _ = writeln!(
            text,
            "// Controller {low} chooses the instrument, two values for each; controller {high} counts on by {CHOICES}."
        );
        let _ = writeln!(text, "<control>\nlabel_cc{low}=Instrument\nlabel_cc{high}=Instrument +{CHOICES}");
        let _ = writeln!(text, "set_cc{low}=0\nset_cc{high}=0");
    }
    for (number, instrument) in sounding.iter().enumerate() {
        let _ = writeln!(text, "\n// {number}: {0}\n<group>\ngroup_label={0}", line(&instrument.name));
        if let Some(part) = sends::reverb(instrument) {
            let _ = writeln!(text, "effect1={}", (100_000.0 * part).round() / 1000.0);
        }
        if is_kit && sounding.len() > KIT_KEYS {
            let bank = number / KIT_KEYS;
            let _ = writeln!(text, "locc{0}={1} hicc{0}={2}", CHOOSING[0], 2 * bank, 2 * bank + 1);
        } else if !is_kit && sounding.len() > 1 {
            for (controller, value) in CHOOSING.into_iter().zip([number % CHOICES, number / CHOICES]) {
                let _ = writeln!(text, "locc{controller}={} hicc{controller}={}", 2 * value, 2 * value + 1);
            }
        }
        let moves = |zone| articulation::of_zone(song, zone, instrument.envelope, &mut Losses::default());
        let moving = instrument.zones().iter().filter(|zone| moves(zone).is_some()).count();
        // The shape of a release in the group would reach into regions that state a release only.
        let is_shared = moving == 0;
        if is_shared {
            write_envelope(&mut text, instrument);
        }
        for (zone, conditions) in conditions::regions(&instrument.tree) {
            if let Some((sample, file)) = file(zone) {
                let key = is_kit.then_some(FIRST_KEY + number % KIT_KEYS);
                let moves = moves(zone);
                let own = (!is_shared && moves.is_none()).then_some(*instrument);
                region(&mut text, key, zone, &conditions, (moves.as_ref(), own), sample, &file);
            }
        }
    }
    text
}

/// Writes the attack and release of an instrument, as straight lines.
fn write_envelope(text: &mut String, instrument: &Instrument) {
    let (attack, release) = (instrument.envelope.attack, instrument.envelope.release);
    let _ = writeln!(
        text,
        "ampeg_attack={} ampeg_release={} ampeg_release_shape=0",
        attack.as_secs_f32(),
        release.as_secs_f32()
    );
}

/// Returns what SFZ does not keep of how the notes of a song's instruments move.
#[must_use]
pub fn losses(song: &Song) -> Losses {
    let mut losses = Losses::default();
    for instrument in song.instruments() {
        for zone in instrument.zones() {
            if let Some(moves) = articulation::of_zone(song, zone, instrument.envelope, &mut losses) {
                motion::write(&mut String::new(), &moves, &mut losses);
            }
        }
        losses.end_instrument(instrument);
    }
    losses
}

/// Writes a zone: on its own keys, or on the one key that its instrument has.
fn region(
    text: &mut String,
    key: Option<usize>,
    zone: &Zone,
    conditions: &Conditions,
    (moves, plain): (Option<&SamplerArticulation>, Option<&Instrument>),
    sample: &Sample,
    file: &str,
) {
    let (keys, velocities) = (zone.keys(), zone.velocities());
    let own = [keys.start().get(), keys.end().get(), zone.root().get()].map(usize::from);
    let [low, high, center] = key.map_or(own, |key| [key; 3]);
    let _ = writeln!(text, "<region>");
    let _ = writeln!(text, "lokey={low} hikey={high}");
    let _ = writeln!(text, "lovel={} hivel={}", velocities.start().get(), velocities.end().get());
    let tuning = zone.transposition(zone.root()).get() + conditions.tune;
    // Without a sign before zero.
    let (semitones, cents) = ((tuning / 100.0).trunc() + 0.0, (tuning % 100.0).round() + 0.0);
    let _ = writeln!(text, "pitch_keycenter={center} transpose={semitones} tune={cents}");
    let volume = f64::from(zone.gain().get()) + conditions.gain.low;
    if volume != 0.0 || zone.pan().get() != 0.0 {
        let _ = writeln!(text, "volume={volume:.3} pan={}", zone.pan().get() * 100.0);
    }
    conditions.write(text);
    if let Some(conditions) = zone.conditions() {
        response::write_conditions(text, conditions);
    }
    if let Some(response) = zone.response() {
        response::write_response(text, response);
    }
    if let Some(moves) = moves {
        motion::write(text, moves, &mut Losses::default());
    }
    if let Some(instrument) = plain {
        write_envelope(text, instrument);
    }
    let unrolled = UnrolledSample::of(sample, zone.loops_whole());
    let own = sample.loops().first().map(|looping| (looping.start().index(), looping.end().index()));
    match if unrolled.is_rewritten() { unrolled.looping } else { own } {
        // What does not know of keys plays to its end.
        None if moves.is_some_and(|moves| moves.amplitude.release().is_none()) => {
            text.push_str("loop_mode=one_shot\n");
        }
        None => text.push_str("loop_mode=no_loop\n"),
        Some((start, end)) => {
            let mode = if unrolled.is_left { "loop_sustain" } else { "loop_continuous" };
            let _ = writeln!(text, "loop_mode={mode} loop_start={start} loop_end={}", end - 1);
        }
    }
    let _ = writeln!(text, "sample={file}");
}

/// Returns what stays within a line.
fn line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
