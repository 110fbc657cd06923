//! Forms of packages in `IoStore` containers. Packages do not say which they have: tables prove it.

use crate::containers::iostore::ChunkTypes;
use serde::{Deserialize, Serialize};

use super::ZenTables;
use crate::ue4to6::version::{AssetVersion, CustomVersion};

/// Which engine a package is of, as far as the container says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ZenFamily {
    /// 4.26 and 4.27.
    Engine4,
    /// From 5.0 on.
    Engine5,
}

impl ZenFamily {
    /// Returns the engine of the packages of a container, by how it numbers types of chunks.
    pub(crate) const fn of(types: ChunkTypes) -> Self {
        match types {
            ChunkTypes::Engine4 => Self::Engine4,
            ChunkTypes::Engine5 => Self::Engine5,
        }
    }
}

/// The form of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ZenForm {
    /// 4.26 and 4.27: names and their hashes apart, bundles of objects.
    Engine4,
    /// 5.0 to 5.2: names together, bundles of objects.
    Bundles,
    /// From 5.3 on: one bundle, and what each object depends on.
    Dependencies,
}

impl ZenForm {
    /// Returns a version that packages of this form may have. Between 5.0 and 5.8 nothing changed that values in them
    /// depend on but the form of tags, which tells itself, and the length of paths.
    pub(crate) const fn version(self) -> AssetVersion {
        match self {
            Self::Engine4 => AssetVersion::ENGINE_4_26,
            Self::Bundles => AssetVersion::ENGINE_5_0,
            Self::Dependencies => AssetVersion::ENGINE_5_8,
        }
    }

    /// Returns whether objects lie in the order in which they are loaded, and not where they say.
    pub(super) const fn is_in_load_order(self) -> bool {
        matches!(self, Self::Engine4 | Self::Bundles)
    }
}

impl ZenTables {
    /// Returns the versions of parts of the engine that it states.
    pub(crate) fn custom_versions(&self) -> &[CustomVersion] {
        self.summary.versions.as_ref().map(|versions| &versions.custom[..]).unwrap_or_default()
    }

    /// Returns whether nothing in its tables contradicts that it is of a version.
    pub(crate) fn may_be_of(&self, version: AssetVersion) -> bool {
        match self.summary.stated {
            Some(stated) => stated == version,
            None => {
                self.summary.cells.is_some() == version.has_cells()
                    && (self.bulk.is_none() || version.has_data_resources())
            }
        }
    }
}
