//! Values of options, from text. The errors are sentences that clap shows after the option's name.

use std::ops::RangeInclusive;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use engine::Quality;
use importer::Platform;
use player::extract::ExtractFormat;
use player::keyboard::{ComputerKeyboard, KeyMapMode, KeyboardLayout};
use player::recorder::TakeFiles;
use player::sound_order::SoundOrder;
use song::{Decibels, Hz, Key, Pan, Velocity};
use unreal::Game;
use unreal::ue1to3::version::{FileVersion, Licensee};

/// Returns a number from 1 on, as `list` shows it: 3 or #3.
pub(super) fn number(text: &str) -> Result<usize, String> {
    match text.strip_prefix('#').unwrap_or(text).parse() {
        Ok(number @ 1..) => Ok(number),
        _ => Err("expected a number from 1 on, as `list` shows it".to_owned()),
    }
}

/// Channels from 1 on: 3 or 1-4.
pub(super) fn channels(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first @ 1..), Ok(last)) if first <= last => Ok(first..=last),
        _ => Err("channels are a number from 1 on, or two as in 1-4".to_owned()),
    }
}

/// Bytes: 512M, 2G or a plain number.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let units = [('K', 10), ('M', 20), ('G', 30), ('T', 40)];
    let unit =
        text.chars().last().and_then(|last| units.iter().find(|(unit, _)| last.eq_ignore_ascii_case(unit)));
    let (number, shift) = unit.map_or((text, 0), |(_, shift)| (&text[..text.len() - 1], *shift));
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    bytes
        .filter(|bytes| *bytes > 0)
        .ok_or_else(|| "a size is a number with K, M, G or T, as in 512M".to_owned())
}

/// Rates in hertz: 22050 or 11025-22050.
pub(super) fn rates(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    match (least.trim().parse(), most.trim().parse()) {
        (Ok(least), Ok(most)) if least <= most => Ok(least..=most),
        _ => Err("a rate is a whole number of hertz, or two as in 11025-22050".to_owned()),
    }
}

pub(super) fn key(text: &str) -> Result<Key, String> {
    text.parse::<u8>().ok().map_or_else(|| named_key(text), |number| Key::new(number).ok()).ok_or_else(|| {
        "a key is a number from 0 to 127 or a name from C-1 to G9, such as C4 or F#3".to_owned()
    })
}

/// `C4`, `F#3`, `Bb-1`: a letter, sharps or flats, an octave.
fn named_key(text: &str) -> Option<Key> {
    let mut rest = text.chars();
    let semitone = match rest.next()?.to_ascii_uppercase() {
        'C' => 0,
        'D' => 2,
        'E' => 4,
        'F' => 5,
        'G' => 7,
        'A' => 9,
        'B' => 11,
        _ => return None,
    };
    let rest = rest.as_str();
    let octave = rest.trim_start_matches(['#', 'b']);
    let accidentals: i32 =
        rest[..rest.len() - octave.len()].chars().map(|c| if c == '#' { 1 } else { -1 }).sum();
    let octave: i32 = octave.parse::<i8>().ok()?.into();
    Key::LOWEST.shifted((octave + 1) * 12 + semitone + accidentals)
}

pub(super) fn game() -> impl TypedValueParser<Value = Game> {
    let values = Game::ALL.iter().map(|game| PossibleValue::new(game.name()).help(game.title()));
    PossibleValuesParser::new(values).try_map(|name| Game::named(&name).ok_or("no such game"))
}

pub(super) fn quality() -> impl TypedValueParser<Value = Quality> {
    PossibleValuesParser::new(Quality::ALL.map(Quality::name)).map(|name| {
        let named = Quality::ALL.into_iter().find(|quality| quality.name() == name);
        named.unwrap_or_default()
    })
}

pub(super) fn stream(text: &str) -> Result<Platform, String> {
    Platform::from_key(text)
        .ok_or_else(|| format!("a stream is one of {}", Platform::ALL.map(Platform::key).join(", ")))
}

pub(super) fn version(text: &str) -> Result<(FileVersion, Option<Licensee>), String> {
    let (version, licensee) = text.split_once('/').map_or((text, None), |(v, l)| (v, Some(l)));
    let version = version.parse().ok().map(FileVersion::new);
    let licensee = licensee.map(|licensee| licensee.parse().ok().map(Licensee::new));
    match (version, licensee) {
        (Some(version), None) => Ok((version, None)),
        (Some(version), Some(Some(licensee))) => Ok((version, Some(licensee))),
        _ => Err("a version is a number, or two as in 128/29".to_owned()),
    }
}

pub(super) fn velocity(text: &str) -> Result<Velocity, String> {
    let velocity = text.parse().ok().filter(|velocity| *velocity > 0).and_then(|v| Velocity::new(v).ok());
    velocity.ok_or_else(|| "a velocity is a number from 1 to 127".to_owned())
}

/// Beyond these a gain is a slip of the fingers.
const GAINS: RangeInclusive<f32> = -120.0..=60.0;

pub(super) fn decibels(text: &str) -> Result<Decibels, String> {
    let number = text.strip_suffix("dB").unwrap_or(text).trim();
    let gain = number.parse().ok().filter(|gain| GAINS.contains(gain));
    gain.and_then(|gain| Decibels::new(gain).ok())
        .ok_or_else(|| "a gain is a number of decibels from -120 to 60".to_owned())
}

pub(super) fn pan(text: &str) -> Result<Pan, String> {
    let pan = text.parse().ok().and_then(|pan| Pan::new(pan).ok());
    pan.ok_or_else(|| "a pan is a number from -1 (left) to 1 (right)".to_owned())
}

/// Rates that devices and WAV readers accept.
const RATES: RangeInclusive<u32> = 1_000..=384_000;

pub(super) fn rate(text: &str) -> Result<Hz, String> {
    let rate = text.parse().ok().filter(|rate| RATES.contains(rate));
    rate.and_then(|rate| Hz::new(rate).ok())
        .ok_or_else(|| "a rate is a whole number of hertz from 1000 to 384000".to_owned())
}

/// Parses one of several values by its name; their help is shown as that of an enum is.
fn named<T: Clone + Send + Sync + 'static>(
    values: impl IntoIterator<Item = (&'static str, T, &'static str)>,
) -> impl TypedValueParser<Value = T> {
    let values: Vec<_> = values.into_iter().collect();
    let possible = values.iter().map(|(name, _, help)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(possible.collect::<Vec<_>>()).try_map(move |text| {
        let found = values.iter().find(|(name, ..)| *name == text).map(|(_, value, _)| value.clone());
        found.ok_or_else(|| format!("no such value: {text}"))
    })
}

pub(super) fn sound_order() -> impl TypedValueParser<Value = SoundOrder> {
    named([
        ("index", SoundOrder::Index, "As in the package"),
        ("name", SoundOrder::Name, "By path"),
        ("length", SoundOrder::Length, "Shortest first"),
        ("rate", SoundOrder::Rate, "Lowest first"),
    ])
}

pub(super) fn extract_format() -> impl TypedValueParser<Value = ExtractFormat> {
    named([
        ("wav", ExtractFormat::Wav, "Width, rate, loop points and root key kept"),
        ("original", ExtractFormat::Original, "The stored bytes"),
    ])
}

pub(super) fn on_or_off() -> impl TypedValueParser<Value = bool> {
    PossibleValuesParser::new(["on", "off"]).map(|text| text == "on")
}

/// What a take is written to.
pub(super) fn take_files() -> impl TypedValueParser<Value = TakeFiles> {
    let both = PossibleValue::new("wav,mid").alias("mid,wav");
    PossibleValuesParser::new([PossibleValue::new("wav"), both])
        .map(|text| if text == "wav" { TakeFiles::Wav } else { TakeFiles::WavAndMidi })
}

pub(super) fn key_map_mode() -> impl TypedValueParser<Value = KeyMapMode> {
    named(KeyMapMode::ALL.map(|(name, mode)| {
        let help = match mode {
            KeyMapMode::Chromatic => "The chosen sound at different pitches",
            KeyMapMode::Kit => "Each key its own sound: key 36 plays #1, 64 sounds a bank",
        };
        (name, mode, help)
    }))
}

pub(super) fn computer_keyboard() -> impl TypedValueParser<Value = ComputerKeyboard> {
    named(ComputerKeyboard::ALL.map(|(name, keyboard)| {
        let help = match keyboard {
            ComputerKeyboard::Qwerty => "US and most others",
            ComputerKeyboard::Qwertz => "German, Swiss, Czech, Hungarian",
            ComputerKeyboard::Azerty => "French, Belgian",
            ComputerKeyboard::Dvorak => "Dvorak",
        };
        (name, keyboard, help)
    }))
}

pub(super) fn keyboard_layout() -> impl TypedValueParser<Value = KeyboardLayout> {
    named(KeyboardLayout::ALL.map(|(name, layout)| {
        let help = match layout {
            KeyboardLayout::Piano => {
                "Two rows of white keys, Z to / and Q to P, with the black ones above each"
            }
            KeyboardLayout::Rows => {
                "Four rows, Z to 1: each key a semitone above its left neighbour, each row a fourth above the one below"
            }
            KeyboardLayout::Daw => {
                "One row of white keys, A to ', with the black ones above; Z X octave, C V velocity"
            }
        };
        (name, layout, help)
    }))
}

/// An hour is the longest that makes sense for one note.
const MAX_TIME: Duration = Duration::from_secs(3600);

pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 0.001),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let seconds = number.trim().parse::<f64>().ok().map(|number| number * unit);
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|duration| *duration <= MAX_TIME)
        .ok_or_else(|| "a time is a number of seconds up to 3600, such as 4s, 0.5s or 250ms".to_owned())
}

/// Reads a colour: three or four numbers.
pub(super) fn color(text: &str) -> Result<[f32; 4], String> {
    let numbers: Option<Vec<f32>> = text
        .split(',')
        .map(|number| number.trim().parse().ok().filter(|number: &f32| number.is_finite()))
        .collect();
    match numbers.as_deref() {
        Some(&[red, green, blue]) => Ok([red, green, blue, 1.0]),
        Some(&[red, green, blue, alpha]) => Ok([red, green, blue, alpha]),
        _ => Err("four numbers are needed: 1,0.5,0,1".to_owned()),
    }
}

/// Reads one place, or the first and the last of several.
pub(super) fn places(text: &str) -> Result<(usize, usize), String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if first <= last => Ok((first, last)),
        _ => Err("a place is needed, or two: 3 or 0-7".to_owned()),
    }
}

/// Reads which channels of a colour are meant.
pub(super) fn color_channels(text: &str) -> Result<[bool; 4], String> {
    let mut channels = [false; 4];
    for letter in text.chars() {
        let place = "rgba".find(letter.to_ascii_lowercase()).ok_or("some of rgba are needed")?;
        channels[place] = true;
    }
    if text.is_empty() { Err("some of rgba are needed".to_owned()) } else { Ok(channels) }
}

/// Reads a slot and a material.
pub(super) fn material(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((slot, path)) if path.starts_with('/') => Ok((slot.to_owned(), path.to_owned())),
        None if text.starts_with('/') => Ok((String::new(), text.to_owned())),
        _ => Err("a slot and the path of a material are needed: 0=/Game/Materials/M_Steel".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_a_number_or_a_name() {
        let number = |text| key(text).map(Key::get).ok();
        assert_eq!([number("60"), number("C4"), number("c4")], [Some(60); 3]);
        assert_eq!(
            [number("F#3"), number("Gb3"), number("C-1"), number("G9")],
            [Some(54), Some(54), Some(0), Some(127)]
        );
        assert_eq!(
            [number("128"), number("G#9"), number("Cb-1"), number("H4"), number("C"), number("")],
            [None; 6]
        );
    }

    #[test]
    fn channels_are_one_or_from_one_to_another() {
        assert_eq!([channels("3"), channels("1-4")], [Ok(3..=3), Ok(1..=4)]);
        assert!(["0", "0-2", "4-1", "", "1-", "-2", "a"].into_iter().all(|text| channels(text).is_err()));
    }

    #[test]
    fn a_time_has_a_unit_or_is_in_seconds() {
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(duration("4s"), duration("4"));
        assert!(duration("3601s").is_err());
        assert!(duration("-1s").is_err());
        assert!(duration("soon").is_err());
    }

    #[test]
    fn a_gain_that_is_no_number_is_refused() {
        assert!(decibels("-6").is_ok() && decibels("-6dB").is_ok());
        assert!(decibels("nan").is_err() && decibels("inf").is_err() && decibels("61").is_err());
    }

    #[test]
    fn a_velocity_of_zero_would_be_no_note() {
        assert!(velocity("1").is_ok() && velocity("127").is_ok());
        assert!(velocity("0").is_err() && velocity("128").is_err());
    }
}
