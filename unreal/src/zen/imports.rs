//! What a package refers to: objects of the game's code by their numbers, and objects of other packages.
//!
//! ```text
//! import   script object │ package of the list, hash of the object in it │ none
//! ```
//!
//! Source: *packages-ue4-ue6*, §6.5 and §6.6: packages of 5.8 measured.

use super::exports::ZenObject;
use super::summary::ZenSummary;
use crate::error::Error;
use crate::hash;
use crate::limits::Limits;
use crate::names::{Names, numbered};
use crate::reader::Reader;

const WHAT: &str = "imports of a package";

/// What a package refers to.
#[derive(Debug, Default)]
pub(super) struct Imports {
    pub(super) objects: Vec<ZenObject>,
    /// Names of the packages that it needs; only from 5.3 on.
    packages: Vec<String>,
    /// What objects of other packages are known by there.
    hashes: Vec<u64>,
}

impl Imports {
    /// Reads them.
    ///
    /// # Errors
    /// If they end early, contradict themselves, or take more than the limits allow.
    pub(super) fn read(
        reader: &mut Reader<'_>,
        summary: &ZenSummary,
        limits: &mut Limits,
    ) -> Result<Self, Error> {
        reader.seek(summary.imports);
        let count = summary.rows(summary.imports, summary.exports, 8, reader)?;
        limits.take_table::<ZenObject>(count, summary.imports, WHAT)?;
        let objects = (0..count).map(|_| reader.u64().map(ZenObject::of)).collect::<Result<_, _>>()?;
        // A package that needs none may have nothing there.
        let Some(names) = summary.imported_names.filter(|at| *at < summary.header_size) else {
            return Ok(Self { objects, ..Self::default() });
        };
        reader.seek(summary.hashes);
        let count = summary.rows(summary.hashes, summary.imports, 8, reader)?;
        limits.take_table::<u64>(count, summary.hashes, WHAT)?;
        let hashes = (0..count).map(|_| reader.u64()).collect::<Result<_, _>>()?;
        reader.seek(names);
        let names = Names::read_batch(reader, limits)?;
        let mut packages = Vec::with_capacity(names.iter().len());
        for name in names.iter() {
            limits.take_growing(name.len().saturating_add(size_of::<String>()), reader.at(), WHAT)?;
            packages.push(numbered(name, reader.u32()?));
        }
        Ok(Self { objects, packages, hashes })
    }

    /// Returns the path of an object of another package: `/Game/Audio/SW_Steps.SW_Steps`. The object is known by a hash
    /// alone; one that is not called as its package has that for a name.
    pub(super) fn path(&self, number: u64) -> Option<String> {
        const LOWER: u64 = 0xFFFF_FFFF;
        /// Below the bits that say what it is.
        const PACKAGE: u64 = 0x3FFF_FFFF;
        let index = |number: u64| usize::try_from(number).ok();
        let package = self.packages.get(index(number >> 32 & PACKAGE)?)?;
        let hash = *self.hashes.get(index(number & LOWER)?)?;
        let own = package.rsplit('/').next().unwrap_or_default();
        Some(if hash::public_export(own) == hash {
            format!("{package}.{own}")
        } else {
            format!("{package}.{hash:016x}")
        })
    }

    /// Returns the names of the packages that it needs.
    pub(super) fn packages(&self) -> &[String] {
        &self.packages
    }
}
