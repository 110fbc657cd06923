//! Names of opcodes: which are one, which are played, and which say nothing about sound.
//!
//! Source: sfzformat.com, *Opcodes*; `N` stands for a number.

use song::Key;

/// Older and shorter names.
const ALIASES: &[(&str, &str)] = &[
    ("loopmode", "loop_mode"),
    ("loopstart", "loop_start"),
    ("loopend", "loop_end"),
    ("looptype", "loop_type"),
    ("offby", "off_by"),
    ("offmode", "off_mode"),
    ("filtype", "fil_type"),
    ("polyphony_group", "group"),
    ("pitch", "tune"),
    ("gain", "volume"),
    ("velcurve", "amp_velcurve"),
];

/// The part that goes to the first effect, in percent: a reverb, unless a file has effects of its own.
///
/// Source: sfzformat.com, `effect1`.
pub(super) const REVERB_SEND: &str = "effect1";

/// Opcodes that are played as the documents say.
const PLAYED: &[&str] = &[
    "sample",
    "end",
    "offset",
    "loop_mode",
    "loop_start",
    "loop_end",
    "loop_type",
    "group",
    "off_by",
    "off_mode",
    "key",
    "lokey",
    "hikey",
    "lovel",
    "hivel",
    "loccN",
    "hiccN",
    "loprog",
    "hiprog",
    "lobend",
    "hibend",
    "lochanaft",
    "hichanaft",
    "lopolyaft",
    "hipolyaft",
    "lorand",
    "hirand",
    "seq_length",
    "seq_position",
    "sw_lokey",
    "sw_hikey",
    "sw_last",
    "sw_lolast",
    "sw_hilast",
    "sw_default",
    "sw_previous",
    "trigger",
    "volume",
    "global_volume",
    "master_volume",
    "group_volume",
    "amplitude",
    "global_amplitude",
    "master_amplitude",
    "group_amplitude",
    "pan",
    "pan_keytrack",
    "pan_keycenter",
    "pan_veltrack",
    "amp_keytrack",
    "amp_keycenter",
    "amp_veltrack",
    "amp_velcurve_N",
    "amp_random",
    "xfin_lokey",
    "xfin_hikey",
    "xfout_lokey",
    "xfout_hikey",
    "xf_keycurve",
    "xfin_lovel",
    "xfin_hivel",
    "xfout_lovel",
    "xfout_hivel",
    "xf_velcurve",
    "pitch_keycenter",
    "pitch_keytrack",
    "pitch_veltrack",
    "pitch_random",
    "transpose",
    "tune",
    "fil_type",
    "cutoff",
    "resonance",
    "fil_keytrack",
    "fil_keycenter",
    "fil_veltrack",
    REVERB_SEND,
    "egN_points",
    "egN_timeN",
    "egN_levelN",
    "egN_shapeN",
    "egN_sustain",
    "egN_loop",
    "egN_ampeg",
    "egN_amplitude",
    "egN_volume",
    "egN_pitch",
    "egN_cutoff",
    "egN_pan",
    "lfoN_freq",
    "lfoN_delay",
    "lfoN_fade",
    "lfoN_phase",
    "lfoN_wave",
    "lfoN_amplitude",
    "lfoN_volume",
    "lfoN_pitch",
    "lfoN_cutoff",
    "lfoN_pan",
];

/// Parts of the envelopes of version 1 that are played, after `ampeg_`, `fileg_` and `pitcheg_`.
const ENVELOPE: &[&str] = &[
    "delay",
    "start",
    "attack",
    "hold",
    "decay",
    "sustain",
    "release",
    "depth",
    "vel2delay",
    "vel2attack",
    "vel2hold",
    "vel2decay",
    "vel2release",
    "vel2depth",
    "attack_shape",
    "decay_shape",
    "release_shape",
];

/// Parts of the LFOs of version 1 that are played, after `amplfo_`, `fillfo_` and `pitchlfo_`.
const LFO: &[&str] = &["delay", "fade", "freq", "depth"];

/// Opcodes that change nothing that is heard, here or anywhere.
const SILENT: &[&str] = &[
    "label_ccN",
    "label_keyN",
    "label_outputN",
    "global_label",
    "master_label",
    "group_label",
    "region_label",
    "sw_label",
    "image",
    "md5",
    "default_path",
    "note_offset",
    "octave_offset",
    "set_ccN",
    "set_hdccN",
    "load_mode",
    "load_start",
    "load_end",
    "sample_quality",
    "lochan",
    "hichan",
    "lobpm",
    "hibpm",
    // They matter only while the wheel is moved.
    "bend_up",
    "bend_down",
    "bend_step",
    "bend_stepup",
    "bend_stepdown",
    "bend_smooth",
    "curve_index",
    "vN",
    "param_offset",
    "output",
];

/// An opcode's name, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OpcodeName {
    /// Its usual name, with numbers without leading zeros.
    pub(super) name: String,
    /// The controller that moves it, if that is what it states.
    pub(super) moved_by: Option<MovedBy>,
}

/// What an opcode says of a controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MovedBy {
    /// How far it moves.
    Depth(u16),
    /// By which curve.
    Curve(u16),
    /// How smoothly, or in which steps: nothing for one that stands still.
    Other,
}

/// A mark before the number of a controller, and what it says.
type Movement = (&'static str, fn(u16) -> MovedBy);

const MOVEMENTS: [Movement; 7] = [
    ("_oncc", MovedBy::Depth),
    ("_curvecc", MovedBy::Curve),
    ("_smoothcc", |_| MovedBy::Other),
    ("_stepcc", |_| MovedBy::Other),
    ("curvecc", MovedBy::Curve),
    ("_cc", MovedBy::Depth),
    ("cc", MovedBy::Depth),
];

impl OpcodeName {
    /// Reads a name.
    pub(super) fn read(name: &str) -> Self {
        let name = without_zeros(name);
        for (mark, moved_by) in MOVEMENTS {
            let Some((base, number)) = name.rsplit_once(mark) else { continue };
            let is_state = ["set", "label", "lo", "hi", "start_lo", "start_hi", "set_hd", "lohd", "hihd"]
                .contains(&base)
                || base.starts_with("xf")
                || base.starts_with("on_")
                || base.starts_with("st");
            if is_state {
                break;
            }
            if let Ok(number) = number.parse()
                && !base.is_empty()
            {
                return Self { name: usual(base), moved_by: Some(moved_by(number)) };
            }
        }
        Self { name: usual(&name), moved_by: None }
    }
}

fn usual(name: &str) -> String {
    let known = ALIASES.iter().find(|(alias, _)| *alias == name);
    known.map_or(name, |(_, usual)| usual).to_owned()
}

/// Returns a name with its numbers without leading zeros.
fn without_zeros(name: &str) -> String {
    let mut kept = String::with_capacity(name.len());
    let mut rest = name.chars().peekable();
    let mut is_in_number = false;
    while let Some(c) = rest.next() {
        let is_leading = c == '0' && !is_in_number && rest.peek().is_some_and(char::is_ascii_digit);
        if !is_leading {
            kept.push(c);
            is_in_number = c.is_ascii_digit();
        }
    }
    kept
}

/// Returns a name with `N` for each number.
pub(super) fn pattern(name: &str) -> String {
    let mut pattern = String::with_capacity(name.len());
    for c in name.chars() {
        if !c.is_ascii_digit() {
            pattern.push(c);
        } else if !pattern.ends_with('N') {
            pattern.push('N');
        }
    }
    pattern
}

/// What becomes of an opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Played,
    Silent,
    NotPlayed,
}

/// Returns what becomes of an opcode of this name.
pub(super) fn fate(name: &str) -> Fate {
    let part = |prefixes: &[&str], parts: &[&str]| {
        prefixes.iter().any(|prefix| name.strip_prefix(prefix).is_some_and(|part| parts.contains(&part)))
    };
    // Numbers of version 1 names are part of these.
    if PLAYED.contains(&name)
        || part(&["ampeg_", "fileg_", "pitcheg_"], ENVELOPE)
        || part(&["amplfo_", "fillfo_", "pitchlfo_"], LFO)
    {
        return Fate::Played;
    }
    let pattern = pattern(name);
    let pattern = pattern.as_str();
    match () {
        () if PLAYED.contains(&pattern) => Fate::Played,
        () if SILENT.contains(&pattern) || pattern.starts_with("hint_") => Fate::Silent,
        () => Fate::NotPlayed,
    }
}

/// Returns the key of a note name or number: `c4` is 60, `f#3` is 54.
pub(super) fn key(text: &str) -> Option<i32> {
    let text = text.trim();
    text.parse().ok().or_else(|| Key::number_of(&text.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_numbers_and_names() {
        assert_eq!(
            ["60", "c4", "C4", "f#3", "Gb3", "c-1", "-1"].map(key),
            [60, 60, 60, 54, 54, 0, -1].map(Some)
        );
        assert_eq!(["", "h4", "c", "c99"].map(key), [None; 4]);
    }

    #[test]
    fn names_of_one_opcode_are_one() {
        let name = |text| OpcodeName::read(text).name;
        assert_eq!(name("loopmode"), "loop_mode");
        assert_eq!(name("eg01_time02"), "eg1_time2");
        assert_eq!(name("lfo0_freq"), "lfo0_freq");
        let moved = |text| OpcodeName::read(text);
        let depth =
            |name: &str, number| OpcodeName { name: name.to_owned(), moved_by: Some(MovedBy::Depth(number)) };
        assert_eq!(moved("cutoff_cc74"), depth("cutoff", 74));
        assert_eq!(moved("ampeg_attackcc73"), depth("ampeg_attack", 73));
        assert_eq!(moved("gain_oncc7"), depth("volume", 7));
        assert_eq!(moved("set_cc7").moved_by, None);
        assert_eq!(moved("hicc16"), OpcodeName { name: "hicc16".to_owned(), moved_by: None });
        assert_eq!(moved("xfin_locc1").moved_by, None);
    }

    #[test]
    fn every_opcode_has_one_fate() {
        assert_eq!(fate("ampeg_attack"), Fate::Played);
        assert_eq!(fate("eg1_time2"), Fate::Played);
        assert_eq!(fate("amp_velcurve_64"), Fate::Played);
        assert_eq!(fate("hint_ram_based"), Fate::Silent);
        assert_eq!(fate("eq1_gain"), Fate::NotPlayed);
    }
}
