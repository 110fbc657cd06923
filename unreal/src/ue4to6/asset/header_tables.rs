//! The tables of a header, as its summary states them.

use serde::{Deserialize, Serialize};

/// A table that a head names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TableKind {
    Names,
    SoftPaths,
    GatherableText,
    Exports,
    Imports,
    CellExports,
    CellImports,
    Metadata,
    Depends,
    SoftPackages,
    SearchableNames,
    Thumbnails,
    TypeHierarchies,
    AssetRegistry,
    WorldTile,
    Preload,
    Payloads,
    DataResources,
}

impl TableKind {
    /// Returns whether the head says how many rows the table has.
    pub(crate) const fn is_counted(self) -> bool {
        match self {
            Self::Names
            | Self::SoftPaths
            | Self::GatherableText
            | Self::Exports
            | Self::Imports
            | Self::CellExports
            | Self::CellImports
            | Self::SoftPackages
            | Self::TypeHierarchies
            | Self::Preload => true,
            Self::Metadata
            | Self::Depends
            | Self::SearchableNames
            | Self::Thumbnails
            | Self::AssetRegistry
            | Self::WorldTile
            | Self::Payloads
            | Self::DataResources => false,
        }
    }
}

/// Number of rows and offset of a table of the header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HeaderTable {
    pub(crate) count: u32,
    /// 0, or all ones, where there is none.
    pub(crate) at: u64,
}

/// The tables of the header, in the order in which a head states them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HeaderTables(Vec<(TableKind, HeaderTable)>);

impl HeaderTables {
    /// Returns where a table lies; at 0 if the version has none of its kind.
    pub(crate) fn get(&self, kind: TableKind) -> HeaderTable {
        self.0.iter().find(|(other, _)| *other == kind).map(|(_, table)| *table).unwrap_or_default()
    }

    pub(crate) fn set(&mut self, kind: TableKind, table: HeaderTable) {
        match self.0.iter_mut().find(|(other, _)| *other == kind) {
            Some((_, place)) => *place = table,
            None => self.0.push((kind, table)),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (TableKind, HeaderTable)> + Clone {
        self.0.iter().copied()
    }
}
