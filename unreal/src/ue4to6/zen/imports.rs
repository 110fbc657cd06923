//! What a package refers to: objects of the game's code by their numbers, and objects of other packages.
//!
//! ```text
//! import   script object │ package of the list, hash of the object in it │ none
//! ```
//!
//! Source: *packages-ue4-ue6*, §6.5 and §6.6: packages of 5.8 measured.

use super::exports::ZenObject;
use super::summary::ZenSummary;
use crate::base::error::Error;
use crate::base::hash;
use crate::base::limits::Limits;
use crate::base::names::{Names, numbered};
use crate::base::reader::Reader;

const WHAT: &str = "imports of a package";

/// What a package refers to.
#[derive(Debug, Default)]
pub(super) struct ZenImports {
    pub(super) objects: Vec<ZenObject>,
    /// Names of the packages that it needs; only from 5.3 on.
    packages: Vec<String>,
    /// What objects of other packages are known by there.
    hashes: Vec<u64>,
}

impl ZenImports {
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
    /// alone; one that is not called as its package, as the class of that or as the default object of this class, has
    /// the hash for a name.
    pub(super) fn path(&self, number: u64) -> Option<String> {
        let (package, hash) = self.parts(number)?;
        let own = package.rsplit('/').next().unwrap_or_default();
        let names = [own.to_owned(), format!("{own}_C"), format!("Default__{own}_C")];
        let name = names.into_iter().find(|name| hash::public_export(name) == hash);
        Some(format!("{package}.{}", name.unwrap_or_else(|| name_of_number(hash))))
    }

    /// Returns the package that an object lies in, and the hash of its path there.
    fn parts(&self, number: u64) -> Option<(&str, u64)> {
        let index = |number: u64| usize::try_from(number).ok();
        let [package, object] = parts(number);
        Some((self.packages.get(index(package)?)?, *self.hashes.get(index(object)?)?))
    }

    /// Returns the names of the packages that it needs.
    pub(super) fn packages(&self) -> &[String] {
        &self.packages
    }
}

/// Returns the number of an object of another package, given which of the packages and of the hashes it stands for.
pub(crate) const fn import_number([package, object]: [u64; 2]) -> u64 {
    const PACKAGE: u64 = 2 << 62;
    PACKAGE | package << 32 | object
}

/// Returns what something is called that is known by a number alone.
pub(crate) fn name_of_number(number: u64) -> String {
    format!("{number:016x}")
}

/// Returns the number that something is called after, as [`name_of_number`] does.
pub(crate) fn number_of_name(name: &str) -> Option<u64> {
    let number = u64::from_str_radix(name, 16).ok()?;
    (name_of_number(number) == name).then_some(number)
}

/// Returns which of the packages, and which of the hashes, a number of an object of another package stands for.
pub(crate) fn parts(number: u64) -> [u64; 2] {
    const LOWER: u64 = 0xFFFF_FFFF;
    /// Below the bits that say what it is.
    const PACKAGE: u64 = 0x3FFF_FFFF;
    [number >> 32 & PACKAGE, number & LOWER]
}
