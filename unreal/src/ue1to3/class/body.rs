//! What every object has before what is its class's own.
//!
//! ```text
//! Unreal Engine 3:  net index │ properties │ what the class has
//! before:           [frame] │ properties │ [padding] │ what the class has
//! ```

use crate::base::error::{Error, Malformed};
use crate::base::limits::Limits;
use crate::base::object_ref::ObjectRef;
use crate::base::property::Property;
use crate::base::reader::Reader;
use crate::ue1to3::object::Object;
use crate::ue1to3::package::{Export, Package};
use crate::ue1to3::property;
use crate::ue1to3::version::BodyStart;

const WHAT: &str = "body";

/// Returns an export and a reader that sees its body; refused if its path is not whole.
pub(crate) fn open<'a>(object: &Object<'a>) -> Result<(&'a Export, Reader<'a>), Error> {
    let (package, index) = (object.package, object.export);
    let refuse = |fault| Error::malformed(fault, package.summary().exports.at.into(), "export table");
    let export = package
        .export(index)
        .ok_or_else(|| refuse(Malformed::NoSuchObject(ObjectRef::Export(index).number())))?;
    package.check_path(ObjectRef::Export(index))?;
    let body = export.body.ok_or_else(|| refuse(Malformed::NoBody))?;
    Ok((export, body.reader(object.source, package.layout(), WHAT)?))
}

/// Reads the properties, with all that stands around them.
pub(crate) fn properties(
    reader: &mut Reader<'_>,
    package: &Package,
    export: &Export,
    start: BodyStart,
    limits: &mut Limits,
) -> Result<Vec<Property>, Error> {
    properties_with(reader, package, export, start, limits, &mut |_, _| {})
}

/// Reads the properties, as [`properties`] does; `each` is called with each and where its value ends.
pub(crate) fn properties_with(
    reader: &mut Reader<'_>,
    package: &Package,
    export: &Export,
    start: BodyStart,
    limits: &mut Limits,
    each: &mut dyn FnMut(&Property, u64),
) -> Result<Vec<Property>, Error> {
    let after = match start {
        BodyStart::Framed { zeros, after } => {
            reader.skip(zeros.into())?;
            skip_beta_frame(reader)?;
            after
        }
        BodyStart::Fixed { before } => {
            reader.skip(before.into())?;
            0
        }
        BodyStart::Plain { after } => {
            if export.flags.has_state_frame() {
                skip_state_frame(reader)?;
            }
            after
        }
        BodyStart::NetIndex => {
            let _net_index = reader.i32()?;
            0
        }
    };
    let properties = property::read(reader, package, limits, each)?;
    reader.skip(after.into())?;
    Ok(properties)
}

/// Passes over the frame that stands in front of every object of the first betas.
///
/// Source: own measurements of versions 35 to 44.
fn skip_beta_frame(reader: &mut Reader<'_>) -> Result<(), Error> {
    let node = reader.compact()?;
    let _state_node = reader.compact()?;
    if node != 0 {
        let _offset = reader.u32()?;
    }
    let _probe_mask = reader.u64()?;
    Ok(())
}

/// Passes over the state frame that stands in front of some objects' properties.
///
/// Source: Unreal Wiki, *Package File Format*, "Object"; no sound with one was seen.
fn skip_state_frame(reader: &mut Reader<'_>) -> Result<(), Error> {
    let node = reader.index()?;
    let _state_node = reader.index()?;
    let _probe_mask = reader.u64()?;
    let _latent_action = reader.u32()?;
    if node != 0 {
        let _offset = reader.index()?;
    }
    Ok(())
}
