//! Sounds that become one instrument: where each is on keys and velocities, and the file that says so.
//!
//! ```text
//! sounds, as they are voiced ──► arranged ──► importer::SavedInstrument ──► NAME.toml
//!                                zones, kit, keys, velocities, turns, stack
//! ```

mod picked_zones;
mod zone_ranges;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::time::Duration;

use importer::{NameParts, SavedInstrument, SavedZone, StoredVoicing};
pub use picked_zones::{PickedZones, key_in_zone};
use song::keymap::{key_ranges, velocity_range};
use song::{Key, Sends, SoundDefaults, VoiceMode, Voicing};
pub use zone_ranges::{ZoneParameter, ZoneRanges};

/// How sounds are laid out on keys and velocities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// Each on the keys and velocities that were set by hand; those of a group take turns.
    Zones,
    /// Each on a key of its own, from C2 (36) on, in their order.
    Kit,
    /// As a kit, but sounds whose names differ in their last number take turns on one key.
    Variations,
    /// Each on the keys around its root; those of the same root take turns.
    Keys,
    /// Each on its part of the velocities, the softest first, on all keys.
    Velocities,
    /// In turn, on all keys.
    Turns,
    /// Together, on all keys.
    Stack,
}

impl Arrangement {
    /// All of them, what they are called, and what they do, in a few words.
    pub const ALL: [(&str, Self, &str); 7] = [
        ("zones", Self::Zones, "keys and velocities as set by hand"),
        ("kit", Self::Kit, "a key each from C2"),
        ("variations", Self::Variations, "a kit, numbered ones in turn"),
        ("keys", Self::Keys, "each around its root key"),
        ("velocities", Self::Velocities, "layers, the softest first"),
        ("turns", Self::Turns, "one after another on all keys"),
        ("stack", Self::Stack, "all together"),
    ];

    /// The first key of a kit.
    const FIRST: u8 = 36;
}

/// A sound of an instrument that is made.
#[derive(Clone, Debug)]
pub struct InstrumentSound {
    /// The file that has it.
    pub file: PathBuf,
    /// Its number there.
    pub number: usize,
    /// Its path there.
    pub name: String,
    /// What it says itself.
    pub defaults: SoundDefaults,
    /// How it is voiced.
    pub voicing: Voicing,
    /// Its zone, as set by hand.
    pub ranges: ZoneRanges,
}

impl InstrumentSound {
    /// Returns the key that plays it at its own pitch: as it was adjusted, as it says itself, or as its name says.
    fn root(&self) -> Key {
        known_root(&self.name, self.voicing.root(self.defaults.root))
    }

    /// Returns its zone on all keys, with the root at a key.
    fn zone(&self, root: Key) -> SavedZone {
        let shift = i16::from(root.get()) - i16::from(self.defaults.root.get());
        let voicing = Voicing { root_shift: i8::try_from(shift).unwrap_or_default(), ..self.voicing };
        let stored = StoredVoicing::of(&voicing, &self.name, &self.defaults);
        SavedZone::new(self.file.clone(), self.number, stored)
    }
}

/// Returns the root of a sound: that of its name if nothing else says another than C4.
fn known_root(name: &str, root: Key) -> Key {
    let name = name.rsplit(['/', '.']).next().unwrap_or(name);
    NameParts::of(name).key.filter(|_| root == Key::C4).unwrap_or(root)
}

/// Returns an instrument of sounds, in their order. Of a kit it has as many as there are keys.
#[must_use]
pub fn arranged(name: &str, mut sounds: Vec<InstrumentSound>, arrangement: Arrangement) -> SavedInstrument {
    let (voice_mode, glide, sends) = common(&mut sounds);
    let zones = match arrangement {
        Arrangement::Zones => {
            let zone = |sound: &InstrumentSound| SavedZone {
                keys: sound.ranges.keys(),
                velocities: sound.ranges.velocities(),
                round_robin: sound.ranges.turns().map(|group| group.to_string()),
                ..sound.zone(sound.root())
            };
            sounds.iter().map(zone).collect()
        }
        Arrangement::Kit => kit(sounds.iter().map(|sound| vec![sound]).collect()),
        Arrangement::Variations => kit(variations(&sounds)),
        Arrangement::Keys => keys(&sounds),
        Arrangement::Velocities => {
            let zone = |(number, sound): (usize, &InstrumentSound)| {
                let velocities = velocity_range(number, sounds.len())?;
                Some(SavedZone { velocities, ..sound.zone(sound.root()) })
            };
            sounds.iter().enumerate().filter_map(zone).collect()
        }
        Arrangement::Turns => {
            let round_robin = Some("all".to_owned());
            let zone = |sound: &InstrumentSound| SavedZone {
                round_robin: round_robin.clone(),
                ..sound.zone(sound.root())
            };
            sounds.iter().map(zone).collect()
        }
        Arrangement::Stack => sounds.iter().map(|sound| sound.zone(sound.root())).collect(),
    };
    SavedInstrument { name: name.to_owned(), voice_mode, glide, sends, zones }
}

/// Takes from sounds how notes follow each other and what they send, as far as they agree: both are of the whole
/// instrument, not of its zones.
fn common(sounds: &mut [InstrumentSound]) -> (VoiceMode, Duration, Sends) {
    let mode = |InstrumentSound { voicing, defaults, .. }: &InstrumentSound| {
        let mode = voicing.shape.voice_mode.unwrap_or(defaults.voice_mode);
        (mode, voicing.shape.glide.unwrap_or(defaults.glide))
    };
    let sends = |sound: &InstrumentSound| sound.voicing.sends(sound.defaults.sends);
    let (voice_mode, glide) = agreed(sounds.iter().map(mode));
    let reverb = agreed(sounds.iter().map(|sound| sends(sound).reverb));
    let delay = agreed(sounds.iter().map(|sound| sends(sound).delay));
    for InstrumentSound { voicing, .. } in sounds {
        (voicing.shape.voice_mode, voicing.shape.glide) = (None, None);
        (voicing.reverb, voicing.delay) = (None, None);
    }
    (voice_mode, glide, Sends { reverb, delay })
}

/// Returns the value of all, or the default if they differ.
fn agreed<T: Default + PartialEq>(mut values: impl Iterator<Item = T>) -> T {
    let first = values.next().unwrap_or_default();
    if values.all(|value| value == first) { first } else { T::default() }
}

/// Returns sounds by their names without the last number, in the order of the first of each.
fn variations(sounds: &[InstrumentSound]) -> Vec<Vec<&InstrumentSound>> {
    let mut groups: Vec<Vec<&InstrumentSound>> = Vec::new();
    let mut known: HashMap<(&Path, &str), usize> = HashMap::new();
    for sound in sounds {
        let stem = stem(&sound.name);
        let index = *known.entry((&sound.file, stem)).or_insert(groups.len());
        match groups.get_mut(index) {
            Some(group) => group.push(sound),
            None => groups.push(vec![sound]),
        }
    }
    groups
}

/// Returns a name without the number at its end: `Steps.Stone_03` is `Steps.Stone`.
#[must_use]
pub fn stem(name: &str) -> &str {
    let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    if stem.len() == name.len() { name } else { stem.trim_end_matches(['_', ' ', '-']) }
}

/// Returns a kit: a key for each of some sounds, or for several that take turns.
fn kit(groups: Vec<Vec<&InstrumentSound>>) -> Vec<SavedZone> {
    let keys = (Arrangement::FIRST..).map_while(|key| Key::new(key).ok());
    let zones = groups.into_iter().zip(keys).flat_map(|(group, key)| {
        let round_robin = (group.len() > 1).then(|| key.to_string());
        let zone = move |sound: &InstrumentSound| SavedZone {
            keys: key..=key,
            round_robin: round_robin.clone(),
            ..sound.zone(key)
        };
        group.into_iter().map(zone).collect::<Vec<_>>()
    });
    zones.collect()
}

/// Returns each sound on the keys around its root.
fn keys(sounds: &[InstrumentSound]) -> Vec<SavedZone> {
    let mut by_root: BTreeMap<Key, Vec<&InstrumentSound>> = BTreeMap::new();
    for sound in sounds {
        by_root.entry(sound.root()).or_default().push(sound);
    }
    let roots: Vec<Key> = by_root.keys().copied().collect();
    let zones = by_root.into_iter().zip(key_ranges(&roots)).flat_map(|((root, sounds), keys)| {
        let round_robin = (sounds.len() > 1).then(|| root.to_string());
        let zone = move |sound: &InstrumentSound| SavedZone {
            keys: keys.clone(),
            round_robin: round_robin.clone(),
            ..sound.zone(root)
        };
        sounds.into_iter().map(zone).collect::<Vec<_>>()
    });
    zones.collect()
}

/// Returns which arrangements make a difference for sounds of these names and roots: a single sound has none, numbered
/// variations and different roots must be there, and zones only if any `are_set` by hand.
pub fn arrangements<'s>(
    sounds: impl Iterator<Item = (&'s str, Key)> + Clone,
    are_set: bool,
) -> impl Iterator<Item = (&'static str, Arrangement, &'static str)> {
    let count = sounds.clone().count();
    let stems: BTreeSet<&str> = sounds.clone().map(|(name, _)| stem(name)).collect();
    let roots: BTreeSet<Key> = sounds.map(|(name, root)| known_root(name, root)).collect();
    let (is_varied, has_roots) = (stems.len() < count, roots.len() > 1);
    Arrangement::ALL.into_iter().filter(move |(_, arrangement, _)| match arrangement {
        Arrangement::Zones => are_set,
        Arrangement::Variations => is_varied,
        Arrangement::Keys => has_roots,
        Arrangement::Stack => count > 0,
        Arrangement::Kit | Arrangement::Velocities | Arrangement::Turns => count > 1,
    })
}

/// Returns the path of a file as an instrument in a folder names it: from the folder on if it is below it, else from
/// the root on, so that the instrument plays wherever it is moved.
#[must_use]
pub fn path_from(folder: &Path, file: &Path) -> PathBuf {
    let resolved = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (folder, file) = (resolved(folder), resolved(file));
    file.strip_prefix(&folder).map_or_else(|_| file.clone(), Path::to_owned)
}

#[cfg(test)]
mod tests;
