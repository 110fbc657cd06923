//! `Sound` and `Music`: both are a file type and the bytes of a file.
//!
//! ```text
//! [state frame] │ properties │ file type: a name │ extra words │ skip offset │ count │ data │ tail
//! ```

use super::body;
use crate::base::error::{Error, Malformed};
use crate::base::limits::Limits;
use crate::base::object_ref::ExportIndex;
use crate::base::property::Property;
use crate::base::reader::Reader;
use crate::base::sound_class::Class;
use crate::ue1to3::bulk::{self, Located, Payload, Proof};
use crate::ue1to3::object::Object;
use crate::ue1to3::package::name::NameRef;
use crate::ue1to3::package::{Export, Package};
use crate::ue1to3::version::{BodyStart, ExtraWords, WordBeforeType};

/// A sound or piece of music.
#[derive(Clone, Debug, PartialEq)]
pub struct SoundObject {
    /// Class of the object.
    pub class: Class,
    /// Format of the payload as the package names it. A hint: it may be wrong, and in either case.
    pub file_type: String,
    /// Weight in a group, where the format has one.
    pub likelihood: Option<f32>,
    /// Properties; none in all sounds seen.
    pub properties: Vec<Property>,
    /// Payload of the sound.
    pub payload: Payload,
    /// Location of the payload, and its proof.
    pub located: Located,
    /// What stands around its properties; one of several forms that betas may have.
    pub start: BodyStart,
    /// Bytes after the payload that still belong to the object.
    pub tail: u64,
}

/// Returns the class of an export if it is `Sound` or `Music`, as [`super::of`] says.
#[must_use]
pub fn kind_of(package: &Package, index: ExportIndex) -> Option<Class> {
    super::of(package, index).filter(|class| matches!(class, Class::Sound | Class::Music))
}

/// Reads a sound, without its payload.
///
/// # Errors
/// `Malformed` if the object is none, lies outside the file, refers to what does not exist, or its data is not
/// where it says; `OverLimit`, `Io`.
pub fn read(object: &mut Object<'_>) -> Result<SoundObject, Error> {
    read_body(object)
        .map_err(|error| error.within(format!("sound {}", object.package.path_of(object.export))))
}

fn read_body(object: &mut Object<'_>) -> Result<SoundObject, Error> {
    let (package, index) = (object.package, object.export);
    let table_at = package.summary().exports.at.into();
    let other = || Error::malformed(Malformed::OtherClass, table_at, "export table");
    let (export, mut reader) = body::open(object)?;
    let class = kind_of(package, index).ok_or_else(other)?;
    let at = reader.at();
    let forms = package.layout().body_starts();
    let is_known = package.inferred().is_none();
    let mut weak = None;
    let mut first_error = None;
    for (rank, &start) in forms.iter().enumerate() {
        reader.seek(at);
        let mut spent = object.limits.clone();
        match read_as(&mut reader, package, Form { export, class, start }, &mut spent) {
            // What a wrong form takes for the file type is often the name `None`.
            Ok(sound) if forms.len() > 1 && sound.file_type.eq_ignore_ascii_case("None") => {}
            // Data that ends with its object is proved; data that fits into it is believed of what was measured.
            Ok(sound) if sound.located.proof != Proof::FitsObject || (rank == 0 && is_known) => {
                *object.limits = spent;
                return Ok(sound);
            }
            Ok(sound) => weak = weak.or(Some(sound)),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    let nothing_fits = || reader.error(at, Malformed::NoFormFits);
    weak.ok_or_else(|| first_error.unwrap_or_else(nothing_fits))
}

/// A form in which the body of an export may be written.
#[derive(Clone, Copy)]
struct Form<'p> {
    export: &'p Export,
    class: Class,
    start: BodyStart,
}

fn read_as(
    reader: &mut Reader<'_>,
    package: &Package,
    Form { export, class, start }: Form<'_>,
    limits: &mut Limits,
) -> Result<SoundObject, Error> {
    let properties = body::properties(reader, package, export, start, limits)?;
    let at = reader.at();
    let layout = package.layout();
    let mut found = read_data(reader, package, limits);
    // A word before the file type can look like one after it: the same data, but another file type.
    let is_known = found.as_ref().is_ok_and(|data| is_seen(&data.file_type));
    if !is_known && layout.before_type == WordBeforeType::Possible {
        reader.seek(at);
        let second = reader.u32().and_then(|_| read_data(reader, package, limits));
        if let Ok(data) = second
            && (found.is_err() || is_seen(&data.file_type))
        {
            found = Ok(Data { located: Located { word_before_type: true, ..data.located }, ..data });
        }
    }
    let Data { file_type, likelihood, payload, located } = found?;
    let tail = reader.end().saturating_sub(payload.end());
    Ok(SoundObject { class, file_type, likelihood, properties, payload, located, start, tail })
}

/// What stands after the properties.
struct Data {
    file_type: String,
    likelihood: Option<f32>,
    payload: Payload,
    located: Located,
}

/// Returns whether sounds with that file type were seen.
fn is_seen(file_type: &str) -> bool {
    const SEEN: [&str; 7] = ["wav", "it", "s3m", "xm", "mp2", "xa", "ogg"];
    SEEN.iter().any(|seen| seen.eq_ignore_ascii_case(file_type))
}

/// Reads the file type, and finds the data.
fn read_data(reader: &mut Reader<'_>, package: &Package, limits: &mut Limits) -> Result<Data, Error> {
    let at = reader.at();
    let name = NameRef::read(reader, package.layout())?;
    let file_type =
        package.text(name).ok_or_else(|| reader.error(at, Malformed::NoSuchName(name.index.number())))?;
    limits.take(file_type.len() as u64, at, "body")?;
    let words_at = reader.at();
    let (payload, located) = bulk::locate(reader, package.layout())?;
    let mut likelihood = None;
    if package.layout().extra_words == ExtraWords::Likelihood && located.extra == 1 {
        reader.seek(words_at);
        likelihood = Some(reader.f32()?);
    }
    Ok(Data { file_type: file_type.into_owned(), likelihood, payload, located })
}
