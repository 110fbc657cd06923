//! The header of an editable package.

use serde::{Deserialize, Serialize};

use crate::base::document;
use crate::base::error::Error;
use crate::base::limits::Limits;
use crate::base::names::{EditableNames, Names};
use crate::base::object_ref::ObjectRef;
use crate::base::source::Memory;
use crate::base::writer::WriteError;
use crate::ue4to6::asset::{AssetHeader, ImportedObject};
use crate::ue4to6::package::{AssetPackage, PackageTables};
use crate::ue4to6::zen::ZenHeader;

/// The tables of a package.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EditableHeader {
    /// Of files.
    Legacy(Box<AssetHeader>),
    /// Of a chunk of an `IoStore` container.
    Zen(Box<ZenHeader>),
    /// Of a form that is not written: nothing can be changed that takes another place by it.
    Fixed(FixedHeader),
}

/// A header as bytes.
#[derive(Debug, Serialize, Deserialize)]
pub struct FixedHeader {
    #[serde(with = "document::base64")]
    bytes: Vec<u8>,
    names: Names,
    soft_paths: Vec<String>,
    exports: Vec<String>,
}

impl EditableHeader {
    pub(super) fn read(package: &AssetPackage, bytes: &[u8], limits: &mut Limits) -> Result<Self, Error> {
        let header = match package.tables() {
            PackageTables::Asset(tables) => {
                AssetHeader::read(package.source(), Some(tables.version()), limits)
                    .map(|header| Self::Legacy(Box::new(header)))
            }
            PackageTables::Zen(tables) => {
                ZenHeader::read(tables, package.source(), limits).map(|header| Self::Zen(Box::new(header)))
            }
        };
        if let Ok(header) = header
            // Tables that lie among the objects are not in it.
            && header.write().is_ok_and(|written| written == bytes && header.says(&written, limits))
        {
            return Ok(header);
        }
        let exports = (0..package.len()).filter_map(|number| package.export(number));
        Ok(Self::Fixed(FixedHeader {
            bytes: bytes.to_vec(),
            names: Names::new(package.names().iter().map(Box::from).collect()),
            soft_paths: package.soft_paths().to_vec(),
            exports: exports.map(|export| export.name.to_owned()).collect(),
        }))
    }

    pub(super) fn write(&self) -> Result<Vec<u8>, WriteError> {
        match self {
            Self::Legacy(header) => header.write(),
            Self::Zen(header) => header.write(),
            Self::Fixed(header) => Ok(header.bytes.clone()),
        }
    }

    /// Returns whether bytes say what the tables do; tables may have been kept as bytes, and be changed.
    pub(super) fn says(&self, bytes: &[u8], limits: &mut Limits) -> bool {
        let Self::Legacy(header) = self else { return true };
        let version = Some(header.package.version());
        let read = AssetHeader::read(&Memory(bytes), version, limits);
        read.is_ok_and(|read| {
            let (one, other) = (&read.package, &header.package);
            one.names().eq(other.names()) && one.imports == other.imports && one.exports == other.exports
        })
    }

    pub(super) fn names(&self) -> EditableNames {
        match self {
            Self::Legacy(header) => header.name_table(),
            Self::Zen(header) => EditableNames::new(&Names::new(header.names.clone()), usize::MAX),
            Self::Fixed(header) => EditableNames::new(&header.names, usize::MAX),
        }
    }

    pub(super) fn soft_paths(&self) -> &[String] {
        match self {
            Self::Legacy(header) => header.package.soft_paths(),
            Self::Fixed(header) => &header.soft_paths,
            Self::Zen(_) => &[],
        }
    }

    /// Refers to an object of another package, which an export needs when it is read. None if the package is not one
    /// of files.
    pub fn import(&mut self, export: usize, object: &ImportedObject<'_>) -> Option<ObjectRef> {
        match self {
            Self::Legacy(header) => Some(header.import(export, object)),
            Self::Zen(_) | Self::Fixed(_) => None,
        }
    }

    pub(super) fn exports(&self) -> usize {
        match self {
            Self::Legacy(header) => header.package.exports.len(),
            Self::Zen(header) => header.exports.len(),
            Self::Fixed(header) => header.exports.len(),
        }
    }

    /// Returns the name of an export; none if there is no such.
    #[must_use]
    pub fn object_name(&self, export: usize) -> Option<&str> {
        match self {
            Self::Legacy(header) => header.package.exports.get(export).map(|export| export.name.as_str()),
            Self::Zen(header) => header.exports.get(export).map(|export| export.name.as_str()),
            Self::Fixed(header) => header.exports.get(export).map(String::as_str),
        }
    }
}
