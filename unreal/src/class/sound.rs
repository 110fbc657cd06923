//! `Sound` and `Music`: both are a file type and the bytes of a file.
//!
//! ```text
//! [state frame] │ properties │ file type: a name │ extra words │ skip offset │ count │ data │ tail
//! ```

use crate::bulk::{self, Located, Payload};
use crate::error::{Error, Malformed};
use crate::limits::Limits;
use crate::name::NameIndex;
use crate::object::{ExportIndex, ObjectRef};
use crate::package::{LONGEST_CHAIN, Package};
use crate::property::{self, Property};
use crate::source::Source;

/// Which of the two classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SoundClass {
    /// A sound, a wave as a rule.
    Sound,
    /// Music, a tracker module as a rule.
    Music,
}

impl SoundClass {
    /// The name of the class.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sound => "Sound",
            Self::Music => "Music",
        }
    }

    fn named(name: &str) -> Option<Self> {
        [Self::Sound, Self::Music].into_iter().find(|class| class.name().eq_ignore_ascii_case(name))
    }
}

/// A sound or piece of music.
#[derive(Clone, Debug, PartialEq)]
pub struct SoundObject {
    /// Which of the two.
    pub class: SoundClass,
    /// What the package calls the payload's format. A hint: it may be wrong, and in both cases of letters.
    pub file_type: String,
    /// Its properties; none in all sounds seen.
    pub properties: Vec<Property>,
    /// Where its bytes are.
    pub payload: Payload,
    /// How they were found.
    pub located: Located,
    /// Bytes after the payload that still belong to the object.
    pub tail: u64,
}

/// The class of an export if it is a sound: its own class by name, without regard to case, or one that its class,
/// defined in the same package, inherits from. A class itself is none.
#[must_use]
pub fn kind_of(package: &Package, index: ExportIndex) -> Option<SoundClass> {
    let mut class = package.export(index)?.class;
    for _ in 0..LONGEST_CHAIN {
        if let Some(found) = SoundClass::named(package.object_name(class)?) {
            return Some(found);
        }
        let ObjectRef::Export(index) = class else { return None };
        class = package.export(index)?.super_object;
    }
    None
}

/// Reads a sound, without its payload.
///
/// # Errors
/// `Malformed` if the object is none, lies outside the file, refers to what does not exist, or its data is not
/// where it says; `OverLimit`, `Io`.
pub fn read(
    package: &Package,
    source: &dyn Source,
    index: ExportIndex,
    limits: &mut Limits,
) -> Result<SoundObject, Error> {
    const WHAT: &str = "sound";
    let object = ObjectRef::Export(index);
    read_body(package, source, index, limits)
        .map_err(|error| error.within(format!("{WHAT} {}", package.path(object))))
}

fn read_body(
    package: &Package,
    source: &dyn Source,
    index: ExportIndex,
    limits: &mut Limits,
) -> Result<SoundObject, Error> {
    const WHAT: &str = "body";
    let table_at = package.summary().exports.at.into();
    let refuse = |fault| Error::malformed(fault, table_at, "export table");
    let export = package
        .export(index)
        .ok_or_else(|| refuse(Malformed::NoSuchObject(ObjectRef::Export(index).number())))?;
    let class = kind_of(package, index).ok_or_else(|| refuse(Malformed::OtherClass))?;
    package.check_path(ObjectRef::Export(index))?;
    let mut reader = export.body.ok_or_else(|| refuse(Malformed::NoBody))?.reader(source, WHAT)?;
    if export.flags.has_state_frame() {
        property::skip_state_frame(&mut reader)?;
    }
    let properties = property::read(&mut reader, package, limits)?;
    let type_at = reader.at();
    let type_name = reader.compact()?;
    let file_type = package
        .name(NameIndex::new(type_name))
        .ok_or_else(|| reader.error(type_at, Malformed::NoSuchName(type_name)))?;
    limits.take(file_type.len() as u64, type_at, WHAT)?;
    let (payload, located) = bulk::locate(&mut reader, package.layout())?;
    let tail = reader.end().saturating_sub(payload.end());
    Ok(SoundObject { class, file_type: file_type.to_owned(), properties, payload, located, tail })
}
