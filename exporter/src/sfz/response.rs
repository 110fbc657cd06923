//! How a region answers to the note: velocity and key tracking, crossfades, and what must be for it to sound.

use std::fmt::Write as _;

use song::{Crossfade, FadeCurve, Key, KeySwitch, Trigger, VelocityGain, ZoneConditions, ZoneResponse};

use super::motion::Number;

/// Writes the opcodes of a response, where they are not the usual ones.
pub(super) fn write_response(text: &mut String, response: &ZoneResponse) {
    let usual = ZoneResponse::default();
    let ZoneResponse {
        velocity_gain,
        gain_by_key,
        gain_centre,
        pitch_by_key,
        pitch_by_velocity,
        pan_by_key,
        pan_centre,
        pan_by_velocity,
        key_fades,
        velocity_fades,
    } = response;
    match velocity_gain {
        VelocityGain::Tracking(part) if *velocity_gain != usual.velocity_gain => {
            let _ = writeln!(text, "amp_veltrack={}", Number(100.0 * part));
        }
        VelocityGain::Tracking(_) => {}
        VelocityGain::Curve(gains) => {
            for (velocity, gain) in gains.iter().enumerate() {
                let _ = writeln!(text, "amp_velcurve_{velocity}={}", Number(*gain));
            }
        }
    }
    let mut write = |opcode: &str, value: f32| {
        if value != 0.0 {
            let _ = writeln!(text, "{opcode}={}", Number(value));
        }
    };
    write("amp_keytrack", *gain_by_key);
    write("pan_keytrack", 100.0 * pan_by_key);
    write("pan_veltrack", 100.0 * pan_by_velocity);
    // The cast rounds to what a file states.
    write("pitch_veltrack", *pitch_by_velocity as f32);
    if pitch_by_key != &usual.pitch_by_key {
        let _ = writeln!(text, "pitch_keytrack={}", Number(*pitch_by_key as f32));
    }
    let centre = |text: &mut String, opcode: &str, is_used: bool, key: &Key| {
        if is_used {
            let _ = writeln!(text, "{opcode}={}", key.get());
        }
    };
    centre(text, "amp_keycenter", *gain_by_key != 0.0, gain_centre);
    centre(text, "pan_keycenter", *pan_by_key != 0.0, pan_centre);
    write_fades(text, "key", key_fades);
    write_fades(text, "vel", velocity_fades);
}

/// Writes the first crossfade that rises and the first that falls.
fn write_fades(text: &mut String, what: &str, fades: &[Crossfade]) {
    for (way, is_rising) in [("in", true), ("out", false)] {
        let Some(fade) = fades.iter().find(|fade| fade.is_rising == is_rising) else { continue };
        let _ = writeln!(text, "xf{way}_lo{what}={} xf{way}_hi{what}={}", fade.from, fade.to);
    }
    if fades.first().is_some_and(|fade| fade.curve == FadeCurve::Gain) {
        let _ = writeln!(text, "xf_{what}curve=gain");
    }
}

/// Writes the opcodes of conditions.
pub(super) fn write_conditions(text: &mut String, conditions: &ZoneConditions) {
    let ZoneConditions { random, sequence, switch, previous, trigger } = conditions;
    if let Some(random) = random {
        let _ = writeln!(text, "lorand={} hirand={}", Number(random.start), Number(random.end));
    }
    if let Some(turn) = sequence {
        let _ = writeln!(text, "seq_length={} seq_position={}", turn.length(), turn.position());
    }
    if let Some(KeySwitch { keys, last, default }) = switch {
        let _ = writeln!(text, "sw_lokey={} sw_hikey={}", keys.start().get(), keys.end().get());
        if last.start() == last.end() {
            let _ = writeln!(text, "sw_last={}", last.start().get());
        } else {
            let _ = writeln!(text, "sw_lolast={} sw_hilast={}", last.start().get(), last.end().get());
        }
        if let Some(default) = default {
            let _ = writeln!(text, "sw_default={}", default.get());
        }
    }
    if let Some(previous) = previous {
        let _ = writeln!(text, "sw_previous={}", previous.get());
    }
    if *trigger == Trigger::Release {
        text.push_str("trigger=release\n");
    }
}

#[cfg(test)]
mod tests {
    use song::SequenceTurn;

    use super::*;

    #[test]
    fn the_usual_response_and_no_conditions_write_nothing() {
        let mut text = String::new();
        write_response(&mut text, &ZoneResponse::default());
        write_conditions(&mut text, &ZoneConditions::default());
        assert_eq!(text, "");
    }

    #[test]
    fn what_is_not_usual_is_written_in_the_units_of_the_format() {
        let fade = |from, to, is_rising| Crossfade { from, to, is_rising, curve: FadeCurve::Gain };
        let response = ZoneResponse {
            velocity_gain: VelocityGain::Tracking(0.5),
            gain_by_key: -0.25,
            pitch_by_key: 50.0,
            pan_by_velocity: 0.5,
            velocity_fades: vec![fade(10, 20, true), fade(100, 110, false)],
            ..ZoneResponse::default()
        };
        let mut text = String::new();
        write_response(&mut text, &response);
        assert_eq!(
            text,
            "amp_veltrack=50\namp_keytrack=-0.25\npan_veltrack=50\npitch_keytrack=50\namp_keycenter=60\n\
             xfin_lovel=10 xfin_hivel=20\nxfout_lovel=100 xfout_hivel=110\nxf_velcurve=gain\n"
        );
    }

    #[test]
    fn conditions_are_written_each_by_its_opcodes() {
        let key = |key| Key::new(key).unwrap();
        let switch = KeySwitch { keys: key(24)..=key(35), last: key(25)..=key(25), default: Some(key(24)) };
        let conditions = ZoneConditions {
            random: Some(0.25..0.5),
            sequence: Some(SequenceTurn::new(2, 3).unwrap()),
            switch: Some(switch),
            previous: None,
            trigger: Trigger::Release,
        };
        let mut text = String::new();
        write_conditions(&mut text, &conditions);
        assert_eq!(
            text,
            "lorand=0.25 hirand=0.5\nseq_length=3 seq_position=2\nsw_lokey=24 sw_hikey=35\nsw_last=25\n\
             sw_default=24\ntrigger=release\n"
        );
    }
}
