//! The objects of a game's code, which its packages refer to by numbers.

use serde::Serialize;
use unreal::containers::Container;
use unreal::containers::mount::Mount;
use unreal::ue4to6::zen::ScriptObject;
use unreal::{Error, Limits};

/// An object of a game's code as a line of JSON.
#[derive(Clone, Debug, Serialize)]
pub struct ScriptRow {
    /// Name and version of this contract.
    pub schema: &'static str,
    /// Its path: `/Script/Engine.SoundWave`.
    pub path: String,
    /// The number by which packages refer to it, in hexadecimal.
    pub id: String,
    /// Number of the object that contains it.
    pub outer: Option<String>,
    /// Number of the class that it is the default object of.
    pub class: Option<String>,
}

impl From<&ScriptObject> for ScriptRow {
    fn from(object: &ScriptObject) -> Self {
        let number = |id: u64| format!("{id:016x}");
        Self {
            schema: "usampler.script/1",
            path: object.path.clone(),
            id: number(object.id),
            outer: object.outer.map(number),
            class: object.class.map(number),
        }
    }
}

/// Reads the objects of a game's code, out of the container that is mounted last; none if no container has them.
///
/// # Errors
/// The name of the container whose table cannot be read, and the reason.
pub fn script_objects(mount: &Mount) -> Result<Option<Vec<ScriptObject>>, (String, Error)> {
    for (name, container) in mount.containers().iter().rev() {
        let Container::IoStore(store) = &**container else { continue };
        let read = store.script_objects(&mut Limits::default());
        if let Some(objects) = read.map_err(|error| (name.clone(), error))? {
            return Ok(Some(objects));
        }
    }
    Ok(None)
}
