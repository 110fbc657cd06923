//! The TOML of a saved instrument, read and written.
//!
//! ```toml
//! [instrument]
//! name = "Three games"
//!
//! [[zone]]
//! file = "UT/Sounds/Ambient.uax"
//! number = 12
//! name = "Looping.wind"
//! lokey = "C2"
//! hikey = "B3"
//! root_key = 48
//! gain = -6.0
//! ```

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use song::{Decibels, Key, Sends, SoundDefaults, Velocity, VoiceMode, Voicing};
use toml::{Table, Value};

use crate::{BankError, Error, StoredVoicing};

/// A saved instrument: sounds of any files, and the notes that play them.
#[derive(Clone, Debug, Default)]
pub struct SavedInstrument {
    /// What it is called.
    pub name: String,
    /// How its notes follow each other.
    pub voice_mode: VoiceMode,
    /// How long a mono or legato note takes from the pitch of the one before to its own.
    pub glide: Duration,
    /// What its notes send to effects.
    pub sends: Sends,
    /// What its notes sound.
    pub zones: Vec<SavedZone>,
}

/// A sound of a [`SavedInstrument`], and the notes that play it.
#[derive(Clone, Debug)]
pub struct SavedZone {
    /// The file, folder or game that has the sound, from the folder of the instrument's file on.
    pub file: PathBuf,
    /// Its number there; a name counts more.
    pub number: Option<usize>,
    /// The keys that play it.
    pub keys: RangeInclusive<Key>,
    /// The velocities that play it.
    pub velocities: RangeInclusive<Velocity>,
    /// Zones of the same round robin that cover a note take turns.
    pub round_robin: Option<String>,
    /// How it is voiced, and what it is called in its file.
    pub voicing: StoredVoicing,
}

/// Comment at the head of a file.
const HEADING: &str =
    "# A saved instrument: `usampler jam FILE` plays it. Paths start at the folder of this file.\n";

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Document {
    instrument: Header,
    #[serde(default, rename = "zone")]
    zones: Vec<Table>,
}

#[derive(Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Header {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mode: Option<String>,
    /// Seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    glide: Option<f64>,
    /// Decibels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reverb_send: Option<f32>,
    /// Decibels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    delay_send: Option<f32>,
}

/// What of a zone is no voicing.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct ZoneFields {
    file: PathBuf,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lokey: Option<StoredKey>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hikey: Option<StoredKey>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lovel: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hivel: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    round_robin: Option<String>,
}

/// The fields of [`ZoneFields`]; all others of a zone are of its voicing.
const ZONE_KEYS: [&str; 7] = ["file", "number", "lokey", "hikey", "lovel", "hivel", "round_robin"];

/// A key by its name or its MIDI number.
#[derive(Deserialize, Serialize)]
#[serde(untagged)]
enum StoredKey {
    Number(u8),
    Name(String),
}

impl StoredKey {
    fn key(&self) -> Option<Key> {
        match self {
            Self::Number(number) => Key::new(*number).ok(),
            Self::Name(name) => Key::named(name),
        }
    }
}

impl SavedInstrument {
    /// Reads a file; `place` names it in errors.
    ///
    /// # Errors
    /// [`Error::Bank`] if it is no TOML, or says what no instrument has.
    pub fn parse(text: &str, place: &str) -> Result<Self, Error> {
        let failed = |what: String| Error::Bank(BankError { place: place.to_owned(), what });
        let document: Document = toml::from_str(text).map_err(|error| {
            let line = error.span().and_then(|span| text.get(..span.start));
            let line = line.map_or(1, |before| before.matches('\n').count().saturating_add(1));
            failed(format!("line {line}: {}", error.message()))
        })?;
        let Header { name, mode, glide, reverb_send, delay_send } = document.instrument;
        let modes = || VoiceMode::ALL.into_iter();
        let voice_mode = match &mode {
            None => VoiceMode::default(),
            Some(mode) => modes()
                .find_map(|(name, own)| (name == mode).then_some(own))
                .ok_or_else(|| failed(format!("unknown mode `{mode}`")))?,
        };
        let glide = Duration::try_from_secs_f64(glide.unwrap_or_default())
            .map_err(|_| failed("glide: no time in seconds".to_owned()))?;
        let send = |stored: Option<f32>, what: &str| match stored.map(Decibels::new) {
            None => Ok(None),
            Some(Ok(gain)) => Ok(Some(gain)),
            Some(Err(_)) => Err(failed(format!("{what}: no gain in decibels"))),
        };
        let (reverb, delay) = (send(reverb_send, "reverb_send")?, send(delay_send, "delay_send")?);
        let zones = document.zones.into_iter().enumerate().map(|(index, table)| {
            SavedZone::of(table).map_err(|what| failed(format!("zone {}: {what}", index.saturating_add(1))))
        });
        Ok(Self {
            name,
            voice_mode,
            glide,
            sends: Sends { reverb, delay },
            zones: zones.collect::<Result<_, _>>()?,
        })
    }

    /// Returns it as a file has it.
    ///
    /// # Errors
    /// [`Error::Bank`] if a path is no text.
    pub fn to_toml(&self) -> Result<String, Error> {
        let Self { name, voice_mode, glide, sends, zones } = self;
        let failed = |error: &toml::ser::Error| {
            Error::Bank(BankError { place: name.clone(), what: error.to_string() })
        };
        let header = Header {
            name: name.clone(),
            mode: (*voice_mode != VoiceMode::default()).then(|| voice_mode.name().to_owned()),
            glide: (*glide > Duration::ZERO).then_some(glide.as_secs_f64()),
            reverb_send: sends.reverb.map(Decibels::get),
            delay_send: sends.delay.map(Decibels::get),
        };
        let mut text = HEADING.to_owned();
        let head =
            Table::from_iter([("instrument".to_owned(), Value::try_from(header).map_err(|e| failed(&e))?)]);
        text.push_str(&toml::to_string(&head).map_err(|error| failed(&error))?);
        for zone in zones {
            let (voicing, shape) = zone.voicing.clone().without_shape();
            let fields = toml::to_string(&zone.fields()).map_err(|error| failed(&error))?;
            let voicing = toml::to_string(&voicing).map_err(|error| failed(&error))?;
            text.push_str(&format!("\n[[zone]]\n{fields}{voicing}"));
            if !shape.is_empty() {
                let shape = toml::to_string(&shape).map_err(|error| failed(&error))?;
                text.push_str(&format!("[zone.shape]\n{shape}"));
            }
        }
        Ok(text)
    }
}

impl SavedZone {
    /// Creates a zone of all keys and velocities.
    #[must_use]
    pub fn new(file: PathBuf, number: usize, voicing: StoredVoicing) -> Self {
        Self {
            file,
            number: Some(number),
            keys: Key::LOWEST..=Key::HIGHEST,
            velocities: Velocity::LOWEST..=Velocity::HIGHEST,
            round_robin: None,
            voicing,
        }
    }

    /// # Errors
    /// What is wrong with the table.
    fn of(mut table: Table) -> Result<Self, String> {
        let own: Table =
            ZONE_KEYS.iter().filter_map(|key| Some(((*key).to_owned(), table.remove(*key)?))).collect();
        let reason = |error: toml::de::Error| error.message().to_owned();
        let ZoneFields { file, number, lokey, hikey, lovel, hivel, round_robin } =
            own.try_into().map_err(reason)?;
        let voicing: StoredVoicing = table.try_into().map_err(reason)?;
        if let Some(problem) = voicing.problem() {
            return Err(problem);
        }
        let key = |stored: Option<StoredKey>, own: Key, what: &str| match stored {
            None => Ok(own),
            Some(stored) => stored.key().ok_or_else(|| format!("{what} is no key")),
        };
        let velocity = |stored: Option<u8>, own: Velocity, what: &str| match stored {
            None => Ok(own),
            Some(stored) => Velocity::new(stored).map_err(|_| format!("{what} is no velocity")),
        };
        let keys = key(lokey, Key::LOWEST, "lokey")?..=key(hikey, Key::HIGHEST, "hikey")?;
        let velocities =
            velocity(lovel, Velocity::LOWEST, "lovel")?..=velocity(hivel, Velocity::HIGHEST, "hivel")?;
        if keys.is_empty() || velocities.is_empty() {
            return Err("its keys or velocities end before they begin".to_owned());
        }
        let Voicing { reverb, delay, shape, .. } = voicing.voicing(&SoundDefaults::default());
        let follows = shape.voice_mode.is_some() || shape.glide.is_some();
        if follows || reverb.is_some() || delay.is_some() {
            return Err("mode, glide, reverb_send and delay_send are of a whole instrument".to_owned());
        }
        if number.is_none() && voicing.name.is_empty() {
            return Err("neither number nor name of a sound".to_owned());
        }
        Ok(Self { file, number, keys, velocities, round_robin, voicing })
    }

    fn fields(&self) -> ZoneFields {
        let Self { file, number, keys, velocities, round_robin, .. } = self;
        let key = |key: &Key, usual: Key| (*key != usual).then(|| StoredKey::Name(key.to_string()));
        let velocity = |velocity: &Velocity, usual: Velocity| (*velocity != usual).then(|| velocity.get());
        ZoneFields {
            file: file.clone(),
            number: *number,
            lokey: key(keys.start(), Key::LOWEST),
            hikey: key(keys.end(), Key::HIGHEST),
            lovel: velocity(velocities.start(), Velocity::LOWEST),
            hivel: velocity(velocities.end(), Velocity::HIGHEST),
            round_robin: round_robin.clone(),
        }
    }
}
