//! Finds the sounds of a package and describes them.

use unreal::class::sound::{self, SoundObject};
use unreal::{Limits, ObjectRef, Package, Source};

use crate::codec;
use crate::window::Window;
use crate::{Error, Format, Sound, Status};

/// All sounds in the order of the export table, numbered from 1. One that cannot be read is in the list all the same.
///
/// # Errors
/// [`Error::OverLimit`] if their paths together take more than `budget` bytes: exports are small, but each may lie in
/// a long chain of groups with long names.
pub(crate) fn sounds(
    package: &Package,
    source: &dyn Source,
    limits: &mut Limits,
    budget: u64,
) -> Result<Vec<Sound>, Error> {
    let mut left = budget;
    let mut sounds = Vec::new();
    for index in package.export_indices() {
        let Some(class) = sound::kind_of(package, index) else { continue };
        let path = package.path(ObjectRef::Export(index));
        let needed = size_of::<Sound>().saturating_add(path.group.len()).saturating_add(path.name.len());
        let needed = u64::try_from(needed).unwrap_or(u64::MAX);
        left = left.checked_sub(needed).ok_or(Error::OverLimit { needed, left })?;
        let mut sound = Sound {
            number: sounds.len().saturating_add(1),
            group: path.group,
            name: path.name,
            class: class.name(),
            file_type: String::new(),
            payload: None,
            format: None,
            audio: None,
            status: Status::Ok,
            repairs: Vec::new(),
        };
        match sound::read(package, source, index, limits) {
            Ok(object) => describe(&mut sound, object, source),
            Err(error) => sound.status = Status::Damaged(error.to_string()),
        }
        sounds.push(sound);
    }
    Ok(sounds)
}

fn describe(sound: &mut Sound, object: SoundObject, source: &dyn Source) {
    sound.file_type = object.file_type;
    if object.payload.length == 0 {
        sound.status = Status::Empty("the package holds no data for it".to_owned());
        return;
    }
    sound.payload = Some(object.payload);
    let window = Window::new(source, object.payload);
    let described = Format::of(&window).and_then(|format| {
        sound.format = format;
        codec::describe(&window, format)
    });
    match described {
        Ok(described) => {
            sound.status = described.status();
            sound.audio = described.audio;
            sound.repairs.extend(described.repairs);
        }
        Err(damage) => sound.status = Status::Damaged(damage.to_string()),
    }
}
