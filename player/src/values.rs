//! Values of options and settings, from text. The errors are sentences that follow the option's name.

use std::ops::RangeInclusive;
use std::time::Duration;

use song::{Decibels, Hz, Key, Pan, Velocity};

/// Beyond these a gain is a slip of the fingers.
const GAINS: RangeInclusive<f32> = -120.0..=60.0;

/// Rates that devices and WAV readers accept.
const RATES: RangeInclusive<u32> = 1_000..=384_000;

/// An hour is the longest that makes sense for one note.
const MAX_TIME: Duration = Duration::from_secs(3600);

/// Parses a number from 1 on, as lists of sounds show it: `3` or `#3`.
///
/// # Errors
/// A sentence for the user.
pub fn number(text: &str) -> Result<usize, String> {
    match text.strip_prefix('#').unwrap_or(text).parse() {
        Ok(number @ 1..) => Ok(number),
        _ => Err("expected a number from 1 on, as `list` shows it".to_owned()),
    }
}

/// Parses channels from 1 on: `3` or `1-4`.
///
/// # Errors
/// A sentence for the user.
pub fn channels(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first @ 1..), Ok(last)) if first <= last => Ok(first..=last),
        _ => Err("channels are a number from 1 on, or two as in 1-4".to_owned()),
    }
}

/// Parses a number of bytes: `512M`, `2G` or a plain number.
///
/// # Errors
/// A sentence for the user.
pub fn size(text: &str) -> Result<u64, String> {
    let units = [('K', 10), ('M', 20), ('G', 30), ('T', 40)];
    let unit =
        text.chars().last().and_then(|last| units.iter().find(|(unit, _)| last.eq_ignore_ascii_case(unit)));
    let (number, shift) = unit.map_or((text, 0), |(_, shift)| (&text[..text.len() - 1], *shift));
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    bytes
        .filter(|bytes| *bytes > 0)
        .ok_or_else(|| "a size is a number with K, M, G or T, as in 512M".to_owned())
}

/// Parses rates in hertz: `22050` or `11025-22050`.
///
/// # Errors
/// A sentence for the user.
pub fn rates(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    match (least.trim().parse(), most.trim().parse()) {
        (Ok(least), Ok(most)) if least <= most => Ok(least..=most),
        _ => Err("a rate is a whole number of hertz, or two as in 11025-22050".to_owned()),
    }
}

/// Parses a key: a number from 0 to 127, or a name such as `C4`.
///
/// # Errors
/// A sentence for the user.
pub fn key(text: &str) -> Result<Key, String> {
    text.parse::<u8>().ok().map_or_else(|| Key::named(text), |number| Key::new(number).ok()).ok_or_else(
        || "a key is a number from 0 to 127 or a name from C-1 to G9, such as C4 or F#3".to_owned(),
    )
}

/// Parses a velocity from 1 to 127.
///
/// # Errors
/// A sentence for the user.
pub fn velocity(text: &str) -> Result<Velocity, String> {
    let velocity = text.parse().ok().filter(|velocity| *velocity > 0).and_then(|v| Velocity::new(v).ok());
    velocity.ok_or_else(|| "a velocity is a number from 1 to 127".to_owned())
}

/// Parses a gain in decibels.
///
/// # Errors
/// A sentence for the user.
pub fn decibels(text: &str) -> Result<Decibels, String> {
    let number = text.strip_suffix("dB").unwrap_or(text).trim();
    let gain = number.parse().ok().filter(|gain| GAINS.contains(gain));
    gain.and_then(|gain| Decibels::new(gain).ok())
        .ok_or_else(|| "a gain is a number of decibels from -120 to 60".to_owned())
}

/// Parses a pan from −1 (left) to 1 (right).
///
/// # Errors
/// A sentence for the user.
pub fn pan(text: &str) -> Result<Pan, String> {
    let pan = text.parse().ok().and_then(|pan| Pan::new(pan).ok());
    pan.ok_or_else(|| "a pan is a number from -1 (left) to 1 (right)".to_owned())
}

/// Parses a rate in hertz.
///
/// # Errors
/// A sentence for the user.
pub fn rate(text: &str) -> Result<Hz, String> {
    let rate = text.parse().ok().filter(|rate| RATES.contains(rate));
    rate.and_then(|rate| Hz::new(rate).ok())
        .ok_or_else(|| "a rate is a whole number of hertz from 1000 to 384000".to_owned())
}

/// Parses a time in seconds or milliseconds: `4s`, `0.5`, `250ms`.
///
/// # Errors
/// A sentence for the user.
pub fn duration(text: &str) -> Result<Duration, String> {
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

/// Reads a setting: `Surface=Grass`.
///
/// # Errors
/// What is wanted, as a sentence.
pub fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("a value is set as NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// Reads a setting whose value is a finite number: `Speed=80`.
///
/// # Errors
/// What is wanted, as a sentence.
pub fn number_setting(text: &str) -> Result<(String, f32), String> {
    let (name, value) = setting(text)?;
    let number = value.parse().ok().filter(|number: &f32| number.is_finite());
    Ok((name, number.ok_or("a game parameter is set as NAME=NUMBER")?))
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
