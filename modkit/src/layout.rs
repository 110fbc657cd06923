//! Packages whose objects are in the layout of a game that changed classes of the engine, or back in the engine's.

use std::fmt;

use unreal::AssetVersion;
use unreal::ue4to6::convert::{ChangedObject, ConvertedObjects, ObjectPart};

/// A package whose layout was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutChange {
    /// Name of the package without its folder.
    pub name: String,
    /// Objects that changed.
    pub objects: Vec<ChangedObject>,
}

impl LayoutChange {
    /// Describes the package of a path.
    #[must_use]
    pub fn new(path: &str, converted: &ConvertedObjects) -> Self {
        Self { name: package_name(path).to_owned(), objects: converted.changed.clone() }
    }
}

/// `SK_1014: 5 slots, 20 bytes`.
impl fmt::Display for LayoutChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.name)?;
        for (part, one, many) in [
            (ObjectPart::Slots, "slot", "slots"),
            (ObjectPart::ScreenSizes, "screen size", "screen sizes"),
            (ObjectPart::Entries, "entry", "entries"),
        ] {
            let count: usize =
                self.objects.iter().filter(|object| object.part == part).map(|object| object.count).sum();
            if count > 0 {
                write!(f, "{count} {}, ", if count == 1 { one } else { many })?;
            }
        }
        let bytes: u64 = self.objects.iter().map(|object| object.bytes).sum();
        write!(f, "{bytes} bytes")
    }
}

/// Returns the name of a package of a path, without folder and extension.
#[must_use]
pub fn package_name(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Version of packages of Marvel Rivals that state none.
pub const ENGINE: AssetVersion = AssetVersion::ENGINE_5_3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_counts_each_part_and_all_bytes() {
        let object = |part, count, bytes| ChangedObject { name: "A".to_owned(), part, count, bytes };
        let change = |objects| LayoutChange { name: "SK_1014".to_owned(), objects }.to_string();
        assert_eq!(change(vec![object(ObjectPart::Slots, 5, 20)]), "SK_1014: 5 slots, 20 bytes");
        let both = vec![object(ObjectPart::Entries, 1, 4), object(ObjectPart::ScreenSizes, 8, 64)];
        assert_eq!(change(both), "SK_1014: 8 screen sizes, 1 entry, 68 bytes");
        assert_eq!(package_name("Game/Content/SK_1.uasset"), "SK_1");
        assert_eq!(ENGINE.release(), "5.2 or 5.3");
    }
}
