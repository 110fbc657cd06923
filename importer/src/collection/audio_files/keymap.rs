//! Instruments of recorded notes: each key plays the recording of the nearest root.

use std::collections::{BTreeMap, BTreeSet};

use song::keymap::{key_ranges, velocity_range};
use song::{Cents, Key, Node, SampleIndex, Zone, ZoneTree};
use unreal::{Limits, ObjectPath};

use super::NameParts;
use crate::Error;
use crate::budget::bytes;
use crate::codec::RootTuning;

/// Sounds by their folder and the stem of their names.
#[derive(Debug, Default)]
pub(super) struct KeyedSounds(BTreeMap<[String; 2], Vec<KeyedSound>>);

/// A recording of a note, as its file and its name say.
#[derive(Clone, Copy, Debug)]
struct KeyedSound {
    index: usize,
    stated: Option<Key>,
    named: Option<Key>,
    /// What the file states if the name counts more.
    overruled: Option<Key>,
    layer: u32,
    is_playable: bool,
}

/// The root key that the name of a sound gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Root {
    pub(super) key: Key,
    /// The root key that its file states.
    pub(super) overruled: Option<Key>,
}

impl KeyedSound {
    /// Returns the root key: that of the file, if it states one.
    fn root(&self) -> Option<Key> {
        self.stated.or(self.named)
    }
}

impl KeyedSounds {
    pub(super) fn add(
        &mut self,
        index: usize,
        object: &ObjectPath,
        name: NameParts,
        stated: Option<RootTuning>,
        is_playable: bool,
    ) {
        let NameParts { stem, key: named, layer } = name;
        let (stated, layer) = (stated.map(|tuning| tuning.root), layer.unwrap_or_default());
        let group = self.0.entry([object.group.clone(), stem]).or_default();
        group.push(KeyedSound { index, stated, named, overruled: None, layer, is_playable });
    }

    /// Lets names count more than files where all files of an instrument state the same root, though they are named by
    /// different notes: then it is what their program writes into every file.
    pub(super) fn settle_roots(&mut self) {
        for group in self.0.values_mut() {
            let both = || group.iter().filter_map(|sound| Some((sound.stated?, sound.named?)));
            let stated: BTreeSet<Key> = both().map(|(stated, _)| stated).collect();
            let named: BTreeSet<Key> = both().map(|(_, named)| named).collect();
            if stated.len() == 1 && named.len() > 1 {
                for sound in group.iter_mut().filter(|sound| sound.named.is_some()) {
                    sound.overruled = sound.stated.take();
                }
            }
        }
    }

    /// Returns the roots that names give, by the index of the sound.
    pub(super) fn roots(&self) -> impl Iterator<Item = (usize, Root)> {
        self.0.values().flatten().filter_map(|sound| {
            let key = sound.named.filter(|_| sound.stated.is_none())?;
            Some((sound.index, Root { key, overruled: sound.overruled }))
        })
    }

    /// Returns the instruments of recordings with several roots: their names, and what they play. One without a stem
    /// is called as its folder, or `name`.
    ///
    /// # Errors
    /// [`Error::Package`] if they take more than the limits.
    pub(super) fn instruments(
        &self,
        name: &str,
        limits: &mut Limits,
    ) -> Result<Vec<(ObjectPath, ZoneTree)>, Error> {
        let mut found = Vec::new();
        for ([group, stem], sounds) in &self.0 {
            let mut layers: BTreeMap<u32, BTreeMap<Key, Vec<usize>>> = BTreeMap::new();
            for sound in sounds.iter().filter(|sound| sound.is_playable) {
                let Some(root) = sound.root() else { continue };
                layers.entry(sound.layer).or_default().entry(root).or_default().push(sound.index);
            }
            let roots: BTreeSet<&Key> = layers.values().flat_map(BTreeMap::keys).collect();
            if roots.len() < 2 {
                continue;
            }
            let cost = sounds.len().saturating_mul(2).saturating_mul(size_of::<ZoneTree>());
            limits.take(bytes(cost), 0, "key map")?;
            let (above, folder) = group.rsplit_once('.').unwrap_or(("", group));
            let (group, name) = match () {
                () if !stem.is_empty() => (&**group, &**stem),
                () if !folder.is_empty() => (above, folder),
                () => ("", name),
            };
            let object = ObjectPath { group: group.to_owned(), name: name.to_owned() };
            found.push((object, ZoneTree::new(Node::Layer(zones(&layers)?))?));
        }
        Ok(found)
    }
}

/// Returns the zones of an instrument: each layer has its part of the velocities, and in it each root the keys that no
/// other root is nearer to. Recordings of the same note take turns.
fn zones(layers: &BTreeMap<u32, BTreeMap<Key, Vec<usize>>>) -> Result<Vec<ZoneTree>, Error> {
    let mut trees = Vec::new();
    for (number, layer) in layers.values().enumerate() {
        let Some(velocities) = velocity_range(number, layers.len()) else { continue };
        let roots: Vec<Key> = layer.keys().copied().collect();
        for ((root, sounds), keys) in layer.iter().zip(key_ranges(&roots)) {
            let zone = |index: &usize| -> Result<ZoneTree, Error> {
                let zone = Zone::whole_keyboard(SampleIndex::new(*index), *root, Cents::ZERO);
                Ok(zone.within(keys.clone(), velocities.clone())?.into())
            };
            let turns = sounds.iter().map(zone).collect::<Result<Vec<ZoneTree>, Error>>()?;
            trees.push(match <[ZoneTree; 1]>::try_from(turns) {
                Ok([only]) => only,
                Err(turns) => ZoneTree::new(Node::RoundRobin(turns))?,
            });
        }
    }
    Ok(trees)
}
