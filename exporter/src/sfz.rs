//! SFZ: text, a region per zone.
//!
//! What sounds in turn or at random stays so, but for what the format cannot say: layers at random depend on one
//! number, and what was drawn may come again at once.
//!
//! A song of one instrument is that instrument. In a song of several, controller 16 chooses the instrument and
//! controller 17 counts on by 128: both are general purpose controllers, and each instrument keeps its whole keyboard.
//!
//! Source: sfzformat.com, opcodes of versions 1 and 2.

mod conditions;

use std::fmt::Write as _;

use song::{Instrument, LoopMode, Sample, SampleIndex, Song, Zone};

use conditions::Conditions;

/// Controllers that choose the instrument: its number modulo 128, and divided by 128.
const CHOOSING: [u8; 2] = [16, 17];

/// The song as SFZ. `file` names a sample's WAV file as seen from the SFZ file; zones of samples without one are left
/// out.
#[must_use]
pub fn text(song: &Song, file: impl Fn(SampleIndex) -> Option<String>) -> String {
    let sounding: Vec<&Instrument> =
        song.instruments().iter().filter(|i| i.zones().iter().any(|z| file(z.sample()).is_some())).collect();
    let mut text = format!("// {}\n", line(song.name()));
    if sounding.len() > 1 {
        let [low, high] = CHOOSING;
        let _ =
            writeln!(text, "// Controller {low} chooses the instrument; controller {high} counts on by 128.");
        let _ = writeln!(text, "<control>\nlabel_cc{low}=Instrument\nlabel_cc{high}=Instrument +128");
        let _ = writeln!(text, "set_cc{low}=0\nset_cc{high}=0");
    }
    for (number, instrument) in sounding.iter().enumerate() {
        let _ = writeln!(text, "\n// {number}: {}\n<group>", line(&instrument.name));
        if sounding.len() > 1 {
            for (controller, value) in CHOOSING.into_iter().zip([number % 128, number / 128]) {
                let _ = writeln!(text, "locc{controller}={value} hicc{controller}={value}");
            }
        }
        let (attack, release) = (instrument.envelope.attack, instrument.envelope.release);
        let _ =
            writeln!(text, "ampeg_attack={} ampeg_release={}", attack.as_secs_f32(), release.as_secs_f32());
        for (zone, conditions) in conditions::regions(&instrument.part) {
            if let (Some(file), Some(sample)) = (file(zone.sample()), song.samples().get(zone.sample().get()))
            {
                region(&mut text, zone, &conditions, sample, &file);
            }
        }
    }
    text
}

fn region(text: &mut String, zone: &Zone, conditions: &Conditions, sample: &Sample, file: &str) {
    let (keys, velocities) = (zone.keys(), zone.velocities());
    let _ = writeln!(text, "<region>");
    let _ = writeln!(text, "lokey={} hikey={}", keys.start().get(), keys.end().get());
    let _ = writeln!(text, "lovel={} hivel={}", velocities.start().get(), velocities.end().get());
    let tuning = zone.transposition(zone.root()).get() + conditions.pitch.middle();
    // Without a sign before zero.
    let (semitones, cents) = ((tuning / 100.0).trunc() + 0.0, (tuning % 100.0).round() + 0.0);
    let _ = writeln!(text, "pitch_keycenter={} transpose={semitones} tune={cents}", zone.root().get());
    let volume = f64::from(zone.gain().get()) + conditions.gain.low;
    if volume != 0.0 || zone.pan().get() != 0.0 {
        let _ = writeln!(text, "volume={volume:.3} pan={}", zone.pan().get() * 100.0);
    }
    conditions.write(text);
    let whole = zone.is_endless().then(|| (0, sample.length().get() - 1, LoopMode::Forward));
    let own = sample.loops().first().map(|l| (l.start().get(), l.end().get() - 1, l.mode()));
    match own.or(whole) {
        None => text.push_str("loop_mode=no_loop\n"),
        Some((start, last, mode)) => {
            let _ = writeln!(text, "loop_mode=loop_continuous loop_start={start} loop_end={last}");
            if mode == LoopMode::PingPong {
                text.push_str("loop_type=alternate\n");
            }
        }
    }
    let _ = writeln!(text, "sample={file}");
}

/// What stays within a line.
fn line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
