//! The classes of Unreal Engine 1 to 3 whose objects are read. What their payloads hold is not looked at.

mod body;
pub mod replace;
pub mod sound;
pub mod sound_cue;
pub mod sound_group;
pub mod sound_node_wave;
pub mod stated;

use super::object::Object;
use super::package::{MAX_CHAIN, Package};
use crate::base::error::Error;
use crate::base::object_ref::{ExportIndex, ObjectRef};
use crate::base::property::Property;
use crate::base::sound_class::Class;

/// Returns the class of an export if it is one of sounds: its own class by name, without regard to case, or one that
/// its class, defined in the same package, inherits from. A class itself is none, nor are its defaults.
#[must_use]
pub fn of(package: &Package, index: ExportIndex) -> Option<Class> {
    let export = package.export(index)?;
    let mut class = export.class;
    for _ in 0..MAX_CHAIN {
        if let Some(found) = Class::named(&package.object_name(class)?) {
            return (!holds_defaults(package, index)).then_some(found);
        }
        let ObjectRef::Export(index) = class else { return None };
        class = package.export(index)?.super_object;
    }
    None
}

fn holds_defaults(package: &Package, index: ExportIndex) -> bool {
    const PREFIX: &str = "Default__";
    package.export(index).is_some_and(|export| {
        let name = package.name(export.name.index).unwrap_or_default();
        export.flags.holds_defaults() || name.get(..PREFIX.len()).is_some_and(|start| start == PREFIX)
    })
}

/// Returns the properties of any object but a class: an actor's, say. What follows them is not looked at.
///
/// # Errors
/// `Malformed` if the object lies outside the file or contradicts itself; `OverLimit`, `Io`.
pub fn properties_of(object: &mut Object<'_>) -> Result<Vec<Property>, Error> {
    let package = object.package;
    let (export, mut reader) = body::open(object)?;
    body::properties(&mut reader, package, export, package.layout().body, object.limits)
}
