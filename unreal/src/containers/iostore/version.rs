//! Versions of tables of contents and of container headers, and the only comparisons of them.
//!
//! Source: *packages-ue4-ue6*, §4.1 and §5: 8 and 10 measured.

use std::fmt;
use std::str::FromStr;

/// The version that a table of contents states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TocVersion(u8);

/// The first version in which something is different.
pub(crate) mod rules {
    use super::TocVersion;
    use crate::base::threshold::thresholds;

    thresholds! {
        pub(crate) TocVersion = TocVersion;
        /// Data may be in several files.
        ///
        /// Epic: `PartitionSize`.
        PARTITIONS = 3;
        /// Chunks are found by a perfect hash.
        ///
        /// Epic: `PerfectHash`.
        PERFECT_HASH = 4;
        /// Chunks may be outside of that hash; types of chunks have new numbers.
        ///
        /// Epic: `PerfectHashWithOverflow`.
        OVERFLOW = 5;
        /// Chunks that are fetched on demand have separate hashes; this version only.
        ///
        /// Epic: `OnDemandMetaData`.
        ON_DEMAND_HASHES = 6;
        /// Hashes of chunks have 20 bytes.
        ///
        /// Epic: `ReplaceIoChunkHashWithIoHash`.
        SHORT_HASHES = 8;
        /// The table states how it is encrypted; no later version is known.
        ///
        /// Epic: `ContainerEncryptionMethod`.
        CIPHERS = 10;
    }

    /// The last one that is known.
    pub(super) const LAST: TocVersion = CIPHERS;
}

/// What the version of a table of contents decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TocLayout {
    pub(super) has_partitions: bool,
    pub(super) has_seeds: bool,
    pub(super) has_overflow: bool,
    pub(super) on_demand: OnDemand,
    /// Bytes of what it says of a chunk: hash and flags.
    pub(super) meta_size: u64,
    pub(super) has_short_hashes: bool,
    pub(super) has_ciphers: bool,
    pub(super) types: ChunkTypes,
}

/// What it says of chunks that are fetched on demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OnDemand {
    Nothing,
    /// Hashes of chunks and blocks.
    Hashes,
}

/// How types of chunks are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChunkTypes {
    /// Unreal Engine 4.25 to 4.27.
    Engine4,
    /// From Unreal Engine 5 on.
    Engine5,
}

impl TocVersion {
    /// Returns the version that a header states, if it is known.
    pub(crate) fn of(number: u8) -> Option<Self> {
        (1..=rules::LAST.0).contains(&number).then_some(Self(number))
    }

    /// Returns the number of the version.
    pub(super) const fn number(self) -> u8 {
        self.0
    }

    fn reaches(self, other: Self) -> bool {
        self.0 >= other.0
    }

    pub(super) fn layout(self) -> TocLayout {
        TocLayout {
            has_partitions: self.reaches(rules::PARTITIONS),
            has_seeds: self.reaches(rules::PERFECT_HASH),
            has_overflow: self.reaches(rules::OVERFLOW),
            on_demand: if self == rules::ON_DEMAND_HASHES { OnDemand::Hashes } else { OnDemand::Nothing },
            has_short_hashes: self.reaches(rules::SHORT_HASHES),
            meta_size: if self.reaches(rules::SHORT_HASHES) { 24 } else { 33 },
            has_ciphers: self.reaches(rules::CIPHERS),
            types: if self.reaches(rules::OVERFLOW) { ChunkTypes::Engine5 } else { ChunkTypes::Engine4 },
        }
    }
}

impl Default for TocVersion {
    /// Version 8: that of Unreal Engine 5.5 to 5.8.
    fn default() -> Self {
        rules::SHORT_HASHES
    }
}

impl FromStr for TocVersion {
    type Err = UnknownTocVersion;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().ok().and_then(Self::of).ok_or(UnknownTocVersion)
    }
}

impl fmt::Display for TocVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The version of a container header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContainerHeaderVersion {
    /// Unreal Engine 4.25 to 4.27: none is stated.
    Unsigned,
    /// 5.0.
    LocalizedPackages,
    /// 5.1 and 5.2.
    OptionalSegments,
    /// 5.3 and 5.4.
    NoExportInfo,
    /// 5.5.
    SoftReferences,
    /// From 5.6 on.
    SoftReferencesOffset,
}

/// What the version of a container header decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ContainerHeaderLayout {
    /// Whether it says how many packages there are before it lists them.
    pub(super) has_package_count: bool,
    /// Whether names come first, and packages that stand in for others by culture; else by name.
    pub(super) has_cultures: bool,
    pub(super) has_optional: bool,
    /// How entries may be stored; the first form that makes sense.
    pub(super) entries: &'static [EntryForm],
    pub(super) soft: SoftReferences,
}

/// How what a container says of a package is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryForm {
    /// Sizes, counts, order, imports.
    Bundles,
    /// Counts, imports.
    Early,
    /// Counts, imports, shader maps.
    Counts,
    /// Imports, shader maps.
    Imports,
}

/// Where packages are that are referred to, but not needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SoftReferences {
    None,
    /// At the end.
    Here,
    /// Where it says.
    Elsewhere,
}

impl ContainerHeaderVersion {
    /// Returns the number that a header states; none before Unreal Engine 5.
    pub(super) const fn number(self) -> Option<u32> {
        match self {
            Self::Unsigned => None,
            Self::LocalizedPackages => Some(1),
            Self::OptionalSegments => Some(2),
            Self::NoExportInfo => Some(3),
            Self::SoftReferences => Some(4),
            Self::SoftReferencesOffset => Some(5),
        }
    }

    /// Returns the version that a header states, if it is known.
    pub(super) const fn of(number: u32) -> Option<Self> {
        match number {
            1 => Some(Self::LocalizedPackages),
            2 => Some(Self::OptionalSegments),
            3 => Some(Self::NoExportInfo),
            4 => Some(Self::SoftReferences),
            5 => Some(Self::SoftReferencesOffset),
            _ => None,
        }
    }

    pub(super) fn layout(self) -> ContainerHeaderLayout {
        ContainerHeaderLayout {
            has_package_count: matches!(self, Self::Unsigned | Self::LocalizedPackages),
            has_cultures: self == Self::Unsigned,
            has_optional: !matches!(self, Self::Unsigned | Self::LocalizedPackages),
            entries: match self {
                Self::Unsigned => &[EntryForm::Bundles, EntryForm::Early],
                Self::LocalizedPackages | Self::OptionalSegments => &[EntryForm::Counts],
                _ => &[EntryForm::Imports],
            },
            soft: match self {
                Self::SoftReferences => SoftReferences::Here,
                Self::SoftReferencesOffset => SoftReferences::Elsewhere,
                _ => SoftReferences::None,
            },
        }
    }
}

impl EntryForm {
    /// Returns the bytes of an entry.
    pub(super) const fn size(self) -> u64 {
        match self {
            Self::Bundles => 32,
            Self::Counts => 24,
            Self::Early | Self::Imports => 16,
        }
    }

    /// Returns whether it says how many objects a package exports, and in how many bundles.
    pub(super) const fn has_counts(self) -> bool {
        !matches!(self, Self::Imports)
    }

    /// Returns whether it has shader maps.
    pub(super) const fn has_shader_maps(self) -> bool {
        matches!(self, Self::Counts | Self::Imports)
    }
}

/// A text is no version of a table of contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownTocVersion;

impl fmt::Display for UnknownTocVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no version of a table of contents; these are 1 to {}", rules::LAST)
    }
}

impl std::error::Error for UnknownTocVersion {}

#[cfg(test)]
mod tests {
    use super::*;

    type Fact = (u8, fn(TocLayout) -> bool);

    const FACTS: [Fact; 9] = [
        (3, |l| l.has_partitions),
        (4, |l| l.has_seeds),
        (5, |l| l.has_overflow),
        (5, |l| l.types == ChunkTypes::Engine5),
        (6, |l| l.on_demand == OnDemand::Hashes),
        (7, |l| l.types == ChunkTypes::Engine5 && l.on_demand == OnDemand::Nothing && l.has_overflow),
        (8, |l| l.has_short_hashes),
        (8, |l| l.meta_size == 24),
        (10, |l| l.has_ciphers),
    ];

    #[test]
    fn each_fact_holds_from_its_threshold_on() {
        for (number, fact) in FACTS {
            assert!(!fact(TocVersion(number - 1).layout()), "before {number}");
            assert!(fact(TocVersion(number).layout()), "from {number} on");
        }
        for threshold in rules::THRESHOLDS {
            assert!(FACTS.iter().any(|(number, _)| *number == threshold.version.0), "{}", threshold.name);
        }
    }

    #[test]
    fn versions_from_1_to_10_are_known() {
        let known: Vec<u8> = (0..20).filter(|number| TocVersion::of(*number).is_some()).collect();
        assert_eq!(known, Vec::from_iter(1..=10));
    }

    #[test]
    fn each_version_of_a_container_header_has_its_facts() {
        use ContainerHeaderVersion as V;
        let facts = |version: V| {
            let layout = version.layout();
            (layout.has_package_count, layout.has_cultures, layout.has_optional, layout.soft)
        };
        assert_eq!(facts(V::Unsigned), (true, true, false, SoftReferences::None));
        assert_eq!(facts(V::LocalizedPackages), (true, false, false, SoftReferences::None));
        assert_eq!(facts(V::OptionalSegments), (false, false, true, SoftReferences::None));
        assert_eq!(facts(V::NoExportInfo), (false, false, true, SoftReferences::None));
        assert_eq!(facts(V::SoftReferences), (false, false, true, SoftReferences::Here));
        assert_eq!(facts(V::SoftReferencesOffset), (false, false, true, SoftReferences::Elsewhere));
        let entries = [V::LocalizedPackages, V::OptionalSegments, V::NoExportInfo, V::SoftReferences];
        let sizes =
            entries.map(|version| version.layout().entries.iter().map(|form| form.size()).sum::<u64>());
        assert_eq!(sizes, [24, 24, 16, 16]);
        assert_eq!([0, 1, 5, 6].map(|number| V::of(number).is_some()), [false, true, true, false]);
    }
}
