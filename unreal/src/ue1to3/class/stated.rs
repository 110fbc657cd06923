//! What an object of Unreal Engine 1 to 3 states about itself, whatever its class.

use super::body;
use crate::base::error::Error;
use crate::base::property::Property;
use crate::base::reader::Reader;
use crate::ue1to3::object::Object;

const WHAT: &str = "body";

/// Returns the properties of an object, each with where its value ends in the file.
///
/// # Errors
/// `Malformed` if there is no such object, it has no body, or its properties end early or contradict themselves;
/// `OverLimit`, `Io`.
pub fn read(object: &mut Object<'_>) -> Result<Vec<(Property, u64)>, Error> {
    let (export, reader) = body::open(object)?;
    let (from, end) = (reader.at(), reader.end());
    let Object { package, limits, source, .. } = object;
    let layout = package.layout();
    let mut first = None;
    for start in layout.body_starts() {
        let mut reader = Reader::new(*source, WHAT, from, end).with_layout(layout);
        let mut ends = Vec::new();
        let mut spent = limits.clone();
        let read = body::properties_with(&mut reader, package, export, *start, &mut spent, &mut |_, end| {
            ends.push(end);
        });
        match read {
            Ok(properties) => {
                **limits = spent;
                limits.take(reader.at().saturating_sub(from), from, WHAT)?;
                return Ok(properties.into_iter().zip(ends).collect());
            }
            // Objects may share their bytes: what was gone through is paid for.
            Err(error) => {
                limits.take(reader.at().saturating_sub(from), from, WHAT)?;
                first.get_or_insert(error);
            }
        }
    }
    match first {
        Some(error) => Err(error),
        None => Ok(Vec::new()),
    }
}
