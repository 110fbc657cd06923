//! Instructions of functions (Kismet bytecode), as trees of expressions or as bytes.
//!
//! ```text
//! size in memory │ size in the package │ token │ operands │ token │ operands │ …
//! ```
//!
//! In memory references to objects and properties take 8 bytes and names 12.

mod instructions;
mod read;
mod write;

use self::instructions::INSTRUCTIONS;
pub(super) use self::read::read_script;
pub(super) use self::write::write_script;
use super::layout::Kind;
use super::names::Flags;

/// Size in memory of a reference to an object or a property.
const POINTER: u32 = 8;
/// Size in memory of a name.
const NAME: u32 = 12;

/// The type of an operand.
#[derive(Clone, Copy, Debug)]
enum Operand {
    /// A number that takes as many bytes in memory as in the package.
    Plain(Kind, u32),
    Name,
    Object,
    /// A reference to a property: the path of one, or before 4.25 an object.
    Property,
    Expression,
    /// Expressions up to a token.
    Until(u8),
    /// Expressions up to a token after their number; of keys and values after the number of pairs.
    Counted(u8, usize),
    /// Characters of 8 or of 16 bits up to a zero.
    Characters(usize),
    Numbers(&'static str, &'static [&'static str]),
    Transform,
    Text,
    Cast,
    Event,
    Switch,
    /// A variable to fill; in old packages a property.
    ArrayVariable,
}

/// Epic: `ECastToken`.
const CASTS: Flags =
    &[(0x46, "ObjectToInterface"), (0x47, "ObjectToBool"), (0x49, "InterfaceToBool"), (0xFF, "Max")];

/// Epic: `EScriptInstrumentationType`; an inline event has a name.
const EVENTS: Flags = &[
    (0, "Class"),
    (1, "ClassScope"),
    (2, "Instance"),
    (3, "Event"),
    (4, "InlineEvent"),
    (5, "ResumeEvent"),
    (6, "PureNodeEntry"),
    (7, "NodeDebugSite"),
    (8, "NodeEntry"),
    (9, "NodeExit"),
    (10, "PushState"),
    (11, "RestoreState"),
    (12, "ResetState"),
    (13, "SuspendState"),
    (14, "PopState"),
    (15, "TunnelEndOfThread"),
    (16, "Stop"),
];
const INLINE_EVENT: u64 = 4;

/// Epic: `EBlueprintTextLiteralType`, and the keys of what each has.
const TEXTS: [(u8, &str, &[&str]); 5] = [
    (0, "Empty", &[]),
    (1, "LocalizedText", &["LocalizedSource", "LocalizedKey", "LocalizedNamespace"]),
    (2, "InvariantText", &["InvariantLiteralString"]),
    (3, "LiteralString", &["LiteralString"]),
    (4, "StringTableEntry", &["StringTableId", "StringTableKey"]),
];
const TABLE_ENTRY: u8 = 4;

type Instruction = (u8, &'static str, &'static [(&'static str, Operand)]);

fn instructions() -> impl Iterator<Item = &'static Instruction> {
    INSTRUCTIONS.iter()
}

/// Parts of a transform.
const TRANSFORM: [(&str, &str, &[&str]); 3] = [
    ("Rotation", "UnrealTypes.FQuat", &["X", "Y", "Z", "W"]),
    ("Translation", "UnrealTypes.FVector", &["X", "Y", "Z"]),
    ("Scale3D", "UnrealTypes.FVector", &["X", "Y", "Z"]),
];

/// Returns the size in memory of some numbers.
const fn real_size(is_large: bool, count: usize) -> u32 {
    // Their number is below eleven.
    #[expect(clippy::cast_possible_truncation, reason = "it is below eleven")]
    let count = count as u32;
    count.saturating_mul(if is_large { 8 } else { 4 })
}
