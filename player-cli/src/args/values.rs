//! Values of options, from text. The errors are sentences that clap shows after the option's name.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use engine::Quality;
use importer::Platform;
use importer::open::NamedGame;
pub(super) use modkit::niagara::{color, color_channels};
use modkit::texture::PictureFormat;
use player::extract::ExtractFormat;
use player::keyboard::{ComputerKeyboard, KeyMapMode, KeyboardLayout};
use player::recorder::TakeFiles;
use player::sound_order::SoundOrder;
pub(super) use player::values::{
    channels, decibels, duration, key, number, pan, rate, rates, size, velocity,
};
use unreal::ue1to3::version::{FileVersion, Licensee};

/// A game, of those for which `taken` gives a value.
pub(super) fn game<T: Clone + Send + Sync + 'static>(
    taken: fn(NamedGame) -> Option<T>,
) -> impl TypedValueParser<Value = T> {
    named(NamedGame::all().filter_map(move |game| Some((game.name(), taken(game)?, game.title()))))
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
        ("ogg", ExtractFormat::Ogg, "Vorbis without encoding it again, all else as WAV"),
    ])
}

pub(super) fn picture_format() -> impl TypedValueParser<Value = PictureFormat> {
    named([("png", PictureFormat::Png, "Decoded"), ("dds", PictureFormat::Dds, "All mips as they are")])
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

/// Reads one place, or the first and the last of several.
pub(super) fn places(text: &str) -> Result<(usize, usize), String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if first <= last => Ok((first, last)),
        _ => Err("a place is needed, or two: 3 or 0-7".to_owned()),
    }
}

/// Reads a slot and a material.
pub(super) fn material(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((slot, path)) if path.starts_with('/') => Ok((slot.to_owned(), path.to_owned())),
        None if text.starts_with('/') => Ok((String::new(), text.to_owned())),
        _ => Err("a slot and the path of a material are needed: 0=/Game/Materials/M_Steel".to_owned()),
    }
}
