//! What each release of the engine writes into containers.

use std::fmt;
use std::str::FromStr;

use crate::base::crypt::GameCipher;
use crate::containers::iostore::{ContainerHeaderVersion, TocVersion};
use crate::ue4to6::version::{AssetVersion, ranges_of};
use crate::ue4to6::zen::{ZenForm, ZenTables};

/// Container versions of a release of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IoStoreRelease {
    /// The version of tables of contents.
    pub toc: TocVersion,
    /// The version of container headers.
    pub header: ContainerHeaderVersion,
}

/// Releases from Unreal Engine 5 on.
///
/// Source: *packages-ue4-ue6*, §4.1 and §5: 5.8 and 6.0 measured.
const RELEASES: [(&str, u8, ContainerHeaderVersion); 10] = [
    ("5.0", 5, ContainerHeaderVersion::LocalizedPackages),
    ("5.1", 5, ContainerHeaderVersion::OptionalSegments),
    ("5.2", 5, ContainerHeaderVersion::OptionalSegments),
    ("5.3", 5, ContainerHeaderVersion::NoExportInfo),
    ("5.4", 6, ContainerHeaderVersion::NoExportInfo),
    ("5.5", 8, ContainerHeaderVersion::SoftReferences),
    ("5.6", 8, ContainerHeaderVersion::SoftReferencesOffset),
    ("5.7", 8, ContainerHeaderVersion::SoftReferencesOffset),
    ("5.8", 8, ContainerHeaderVersion::SoftReferencesOffset),
    ("6.0", 10, ContainerHeaderVersion::SoftReferencesOffset),
];

impl IoStoreRelease {
    /// Returns the versions that packages have in such containers which state none, the newest first.
    pub fn package_versions(self) -> impl Iterator<Item = AssetVersion> {
        let is_it = move |(_, toc, header): &&(&str, u8, ContainerHeaderVersion)| {
            (TocVersion::of(*toc), *header) == (Some(self.toc), self.header)
        };
        RELEASES.iter().rev().filter(is_it).filter_map(|(name, ..)| name.parse().ok())
    }

    /// Returns the release that a game is made with; none if that is not known.
    #[must_use]
    pub fn of_game(game: GameCipher) -> Option<Self> {
        match game {
            GameCipher::Rivals => "5.3".parse().ok(),
        }
    }

    /// Returns all releases by their names, oldest first.
    pub(crate) fn all() -> impl Iterator<Item = (&'static str, Self)> {
        RELEASES.iter().filter_map(|(name, ..)| Some((*name, name.parse().ok()?)))
    }

    /// Returns the form that packages have in such containers.
    #[must_use]
    pub fn package_form(self) -> ZenForm {
        match self.header {
            ContainerHeaderVersion::Unsigned => ZenForm::Engine4,
            ContainerHeaderVersion::LocalizedPackages | ContainerHeaderVersion::OptionalSegments => {
                ZenForm::Bundles
            }
            ContainerHeaderVersion::NoExportInfo
            | ContainerHeaderVersion::SoftReferences
            | ContainerHeaderVersion::SoftReferencesOffset => ZenForm::Dependencies,
        }
    }
}

impl IoStoreRelease {
    /// Returns whether a package may stand in such containers: if its form and what its tables have are of one of their
    /// releases. The engine does not load others.
    #[must_use]
    pub fn holds(self, package: &ZenTables) -> bool {
        let mut versions = self.package_versions().peekable();
        let is_known = versions.peek().is_some();
        package.summary().form == self.package_form()
            && (!is_known || versions.any(|version| package.may_be_of(version)))
    }

    /// Returns the releases of the engine that a package may be of: `5.7 to 6.0` if it states its version, else `5.6 to
    /// 6.0` by its tables.
    #[must_use]
    pub fn of_package(package: &ZenTables) -> String {
        if let Some(version) = package.summary().stated {
            return version.release();
        }
        let is_it = |name: &&str| name.parse().is_ok_and(|release: Self| release.holds(package));
        let mut names = RELEASES.iter().map(|(name, ..)| *name).filter(is_it);
        match (names.next(), names.next_back()) {
            (Some(first), Some(last)) => format!("{first} to {last}"),
            (Some(only), None) => only.to_owned(),
            _ => package.summary().form.version().release(),
        }
    }
}

impl FromStr for IoStoreRelease {
    type Err = UnknownIoStoreRelease;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = RELEASES.iter().find(|(name, ..)| *name == text).ok_or(UnknownIoStoreRelease)?;
        let (_, toc, header) = *found;
        Ok(Self { toc: TocVersion::of(toc).ok_or(UnknownIoStoreRelease)?, header })
    }
}

/// A text is no release that containers are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownIoStoreRelease;

impl fmt::Display for UnknownIoStoreRelease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = ranges_of(RELEASES.iter().map(|(name, ..)| *name));
        write!(f, "no release that containers are written for; these are {known}")
    }
}

impl std::error::Error for UnknownIoStoreRelease {}
