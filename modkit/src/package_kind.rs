//! Kinds of packages.

use unreal::{AssetPackage, PackageTables};

/// Kinds of packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackageKind {
    /// Of Unreal Engine 1 to 3.
    Classic,
    /// Of files: `.uasset`, often with `.uexp`.
    Legacy,
    /// A chunk of an `IoStore` container.
    Zen,
}

impl PackageKind {
    /// Returns its name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Classic => "classic",
            Self::Legacy => "legacy",
            Self::Zen => "zen",
        }
    }

    /// Returns the kind of a package of a game.
    #[must_use]
    pub const fn of(package: &AssetPackage) -> Self {
        match package.tables() {
            PackageTables::Asset(_) => Self::Legacy,
            PackageTables::Zen(_) => Self::Zen,
        }
    }
}
