//! Files of audio as sounds: one alone, or all below a folder with instruments for those that are keys of one.
//!
//! ```text
//! Drums/kick2.wav       #1  Drums.kick2
//! Piano C3.wav          #2  Piano C3          root C3 by its name, unless the file states one
//! Piano C4.wav          #3  Piano C4
//!                       #4  Piano             an instrument of #2 and #3
//! ```

mod keymap;
mod names;

use std::collections::HashSet;

use song::Cents;
use unreal::ue1to3::bulk::Payload;
use unreal::{Limits, ObjectPath, Source};

use super::Collection;
use crate::budget::{WorkBudget, bytes};
use crate::codec::RootTuning;
use crate::find::payload::PayloadInfo;
use crate::find::{text_bytes, without_texts};
use crate::sound::Description;
use crate::{Contents, Error, Sound, SoundClass, Status, UnsupportedReason};
use keymap::{KeyedSounds, Root};
pub use names::NameParts;
pub(crate) use names::natural_order;

/// Files of audio, described.
pub(crate) struct AudioFiles {
    source: Box<dyn Source>,
    sounds: Vec<Sound>,
    is_folder: bool,
}

/// A file of audio among the bytes of all.
pub(crate) struct NamedPayload {
    /// Its folder, and its name without extension.
    pub(crate) object: ObjectPath,
    pub(crate) payload: Payload,
}

impl AudioFiles {
    /// Describes one file.
    ///
    /// # Errors
    /// [`Error::Package`] if its description takes more than the limits.
    pub(crate) fn of_file(
        source: Box<dyn Source>,
        name: &str,
        work: &WorkBudget,
        limits: &mut Limits,
    ) -> Result<Self, Error> {
        let object = ObjectPath { group: String::new(), name: name.to_owned() };
        let file = NamedPayload { object, payload: Payload::plain(0, source.len()) };
        Ok(Self { is_folder: false, ..Self::of_files(source, vec![file], name, work, limits)? })
    }

    /// Describes files; an instrument whose files are named by nothing but notes is called as its folder is, or
    /// `name`. A damaged file is no error; its status says so.
    ///
    /// # Errors
    /// [`Error::Package`] if the list takes more than the limits.
    pub(crate) fn of_files(
        source: Box<dyn Source>,
        files: Vec<NamedPayload>,
        name: &str,
        work: &WorkBudget,
        limits: &mut Limits,
    ) -> Result<Self, Error> {
        limits.take(bytes(files.len().saturating_mul(size_of::<Sound>())), 0, "list of sounds")?;
        let mut sounds = Vec::with_capacity(files.len());
        let mut keyed = KeyedSounds::default();
        for (index, NamedPayload { object, payload }) in files.into_iter().enumerate() {
            let ObjectPath { group, name } = &object;
            limits.take(bytes(group.len().saturating_add(name.len())), 0, "list of sounds")?;
            let info = PayloadInfo::of(payload, Vec::new(), &*source, work);
            let description = within(Description::of_payload(info), limits);
            let sound = description.named(index.saturating_add(1), object, SoundClass::File);
            let stated = sound.recording().and_then(|recording| recording.tuning);
            let is_playable = sound.status == Status::Ok;
            keyed.add(index, &sound.object, NameParts::of(&sound.object.name), stated, is_playable);
            sounds.push(sound);
        }
        keyed.settle_roots();
        for (index, root) in keyed.roots() {
            if let Some(sound) = sounds.get_mut(index) {
                apply(root, sound);
            }
        }
        let mut taken: HashSet<String> = sounds.iter().map(Sound::path).collect();
        for (mut object, tree) in keyed.instruments(name, limits)? {
            while !taken.insert(object.to_string()) {
                object.name.push_str(" keys");
            }
            let number = sounds.len().saturating_add(1);
            limits.take(bytes(size_of::<Sound>()), 0, "list of sounds")?;
            let description =
                Description { contents: Contents::Zones(tree), ..Description::unread(Status::Ok) };
            sounds.push(description.named(number, object, SoundClass::Instrument));
        }
        Ok(Self { source, sounds, is_folder: true })
    }
}

/// Returns a description, without its texts if these take more than the limits.
fn within(description: Description, limits: &mut Limits) -> Description {
    match limits.take(bytes(text_bytes(&description)), 0, "notes on sounds") {
        Ok(()) => description,
        Err(error) => without_texts(description, UnsupportedReason::OverLimit(error.to_string())),
    }
}

/// Gives a sound the root key of its name, and says so.
fn apply(root: Root, sound: &mut Sound) {
    let Root { key, overruled } = root;
    if let Contents::Recording(recording) = &mut sound.contents {
        let above = recording.tuning.map_or(Cents::ZERO, |tuning| tuning.above);
        recording.tuning = Some(RootTuning { root: key, above });
    }
    sound.notes.push(match overruled {
        Some(stated) => {
            format!(
                "root key {key} by the file's name; the file states {stated}, as all of its instrument do"
            )
        }
        None => format!("root key {key} by the file's name"),
    });
}

impl Collection for AudioFiles {
    fn sounds(&self) -> &[Sound] {
        &self.sounds
    }

    fn source(&self) -> &dyn Source {
        &*self.source
    }

    fn kind(&self) -> &'static str {
        if self.is_folder { "folder of audio files" } else { "audio file" }
    }
}
