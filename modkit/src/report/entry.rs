//! The entries of containers, and those that several containers hold.

use serde::Serialize;
use unreal::containers::mount::{Mount, MountedEntry, OrderReason};
use unreal::{Error, GameCipher};

use crate::conflicts::Conflict;

/// An entry as a line of JSON.
#[derive(Clone, Debug, Serialize)]
pub struct EntryRow {
    /// Name and version of this contract.
    pub schema: &'static str,
    /// Name of its container.
    pub container: String,
    /// Its path, or its chunk identifier.
    pub path: String,
    /// Uncompressed size in bytes.
    pub size: u64,
    /// Stored size in bytes.
    pub stored: u64,
    /// Name of the compression method; none if it is stored as is.
    pub compression: Option<String>,
    /// Whether it is encrypted.
    pub encrypted: bool,
    /// Name of the game whose own cipher it is encrypted with; none if that is the engine's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cipher: Option<&'static str>,
    /// The hash that its container states, in hexadecimal.
    pub hash: Option<String>,
    /// Whether a container that is mounted later holds the entry, too.
    pub overridden: bool,
}

impl EntryRow {
    /// Describes an entry; none if there is no such container.
    ///
    /// # Errors
    /// If the tables of its container are damaged there.
    pub fn read(mount: &Mount, entry: MountedEntry) -> Result<Option<Self>, Error> {
        let Some(container) = mount.container(entry) else { return Ok(None) };
        let info = container.info(entry.entry)?;
        Ok(Some(Self {
            schema: "usampler.entry/1",
            container: mount.container_name(entry).to_owned(),
            path: mount.label(entry),
            size: info.size,
            stored: info.stored,
            compression: info.compression.map(str::to_owned),
            encrypted: info.is_encrypted,
            cipher: info.cipher.map(GameCipher::name),
            hash: container.hash(entry.entry).ok().flatten().map(|hash| hash.to_string()),
            overridden: mount.is_overridden(entry),
        }))
    }
}

/// A conflict as a line of JSON.
#[derive(Clone, Debug, Serialize)]
pub struct ConflictRow {
    /// Name and version of this contract.
    pub schema: &'static str,
    /// Path of the entry.
    pub path: String,
    /// Name of the container that wins.
    pub winner: String,
    /// Reason why that one wins over the one before it.
    pub reason: &'static str,
    /// Names of the containers, in the order in which they are mounted.
    pub containers: Vec<String>,
    /// Whether all hold the same bytes; none if they cannot be read.
    pub identical: Option<bool>,
}

impl ConflictRow {
    /// Describes a conflict.
    #[must_use]
    pub fn new(mount: &Mount, conflict: &Conflict) -> Self {
        let name = |entry: MountedEntry| mount.container_name(entry).to_owned();
        Self {
            schema: "usampler.conflict/1",
            path: conflict.label.clone(),
            winner: conflict.winner().map_or_else(String::new, name),
            reason: match conflict.reason {
                OrderReason::Patch => "patch",
                OrderReason::PatchNumber => "patch_number",
                OrderReason::Name => "name",
                _ => "folder",
            },
            containers: conflict.entries.iter().copied().map(name).collect(),
            identical: conflict.is_identical,
        }
    }
}
