//! Facts that versions of parts of the engine decide, from what a package or a document states, or from its release.

use unreal::CustomVersion;

use super::form::Form;
use super::layout::Facts;

/// GUIDs of parts of the engine, in the order of a file.
const CORE: [u8; 16] = guid([0x375E_C13C, 0x06E4_48FB, 0xB500_84F0, 0x262A_717E]);
const EDITOR: [u8; 16] = guid([0xE4B0_68ED, 0xF494_42E9, 0xA231_DA0B, 0x2E46_BB41]);
const FRAMEWORK: [u8; 16] = guid([0xCFFC_743F, 0x43B0_4480, 0x9391_14DF, 0x171D_2073]);
const RELEASE: [u8; 16] = guid([0x9C54_D522, 0xA826_4FBE, 0x9421_0746, 0x61B4_82D0]);

/// A part of the engine, the first version of it that has something, and the version of Unreal Engine 4 that came with
/// it. Releases may share the latter.
struct Threshold {
    part: [u8; 16],
    version: u32,
    engine_4: u32,
}

const NO_LINKED_FIELDS: Threshold = Threshold { part: FRAMEWORK, version: 29, engine_4: 514 };
const WIDE_ENUMS: Threshold = Threshold { part: CORE, version: 2, engine_4: 511 };
const PROPERTIES: Threshold = Threshold { part: CORE, version: 4, engine_4: 518 };
const REP_CONDITIONS: Threshold = Threshold { part: RELEASE, version: 21, engine_4: 517 };
const NO_LEVEL_OWNERS: Threshold = Threshold { part: RELEASE, version: 3, engine_4: 508 };
/// Structs of a game store the values that are their defaults (Epic: `UserDefinedStructsStoreDefaultInstance`).
const STRUCT_DEFAULTS: Threshold = Threshold { part: FRAMEWORK, version: 30, engine_4: 516 };
const ROOT_METADATA: Threshold = Threshold { part: EDITOR, version: 3, engine_4: 505 };

const fn guid(words: [u32; 4]) -> [u8; 16] {
    let [a, b, c, d] = words;
    let [a, b, c, d] = [a.to_le_bytes(), b.to_le_bytes(), c.to_le_bytes(), d.to_le_bytes()];
    [a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], c[0], c[1], c[2], c[3], d[0], d[1], d[2], d[3]]
}

impl Threshold {
    fn is_reached(&self, versions: &[CustomVersion], engine_4: u32) -> bool {
        match versions.iter().find(|version| version.guid == self.part) {
            Some(stated) => stated.version >= self.version,
            None => engine_4 >= self.engine_4,
        }
    }
}

/// Returns the facts of a package with these flags, given the versions that are stated or that its document has.
pub(super) fn facts(form: &Form<'_>, versions: &[CustomVersion], flags: u32) -> Facts {
    const COOKED: u32 = 0x200;
    const FILTERED: u32 = 0x8000_0000;
    /// Epic: `VER_UE4_CHANGE_SETARRAY_BYTECODE`.
    const ARRAYS_BY_VARIABLE: u32 = 303;
    let [engine_4, _] = form.version.numbers();
    let reaches = |threshold: &Threshold| threshold.is_reached(versions, engine_4);
    Facts {
        has_linked_fields: !reaches(&NO_LINKED_FIELDS),
        has_properties: reaches(&PROPERTIES),
        has_wide_enums: reaches(&WIDE_ENUMS),
        has_rep_conditions: reaches(&REP_CONDITIONS),
        has_field_metadata: flags & (COOKED | FILTERED) == 0,
        has_root_metadata: reaches(&ROOT_METADATA),
        has_level_owners: !reaches(&NO_LEVEL_OWNERS),
        has_large_coordinates: form.version.has_large_coordinates(),
        sets_arrays_by_variable: engine_4 >= ARRAYS_BY_VARIABLE,
    }
}

/// Returns whether structs of a game store the values that are their defaults, after their properties.
pub(super) fn has_struct_defaults(form: &Form<'_>, versions: &[CustomVersion]) -> bool {
    let [engine_4, _] = form.version.numbers();
    STRUCT_DEFAULTS.is_reached(versions, engine_4)
}

/// Returns the facts that may hold where releases share a version and nothing states more: those given first, then with
/// one of them the other way around.
pub(super) fn alternatives(facts: Facts) -> [Facts; 5] {
    [
        facts,
        Facts { has_level_owners: !facts.has_level_owners, ..facts },
        Facts { has_properties: !facts.has_properties, ..facts },
        Facts { has_rep_conditions: !facts.has_rep_conditions, ..facts },
        Facts { has_wide_enums: !facts.has_wide_enums, ..facts },
    ]
}
