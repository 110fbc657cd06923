//! Instructions of functions (Kismet bytecode), as trees of expressions or as bytes.
//!
//! ```text
//! size in memory │ size in the package │ token │ operands │ token │ operands │ …
//! ```
//!
//! In memory references to objects and properties take 8 bytes and names 12.

use serde_json::{Value as Json, json};

use super::layout::{BytesReader, BytesWriter, Kind};
use super::names::Flags;
use super::object::{NewObject, class_of, field};
use super::scalar::{bytes, enumerator, read_bytes, read_flags, read_name, read_number};
use crate::json::fault::Fault;
use Operand as O;

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

const OFFSET: Operand = O::Plain(Kind::U32, 4);

const VARIABLE: &[(&str, Operand)] = &[("Variable", O::Property)];
const LET: &[(&str, Operand)] =
    &[("VariableExpression", O::Expression), ("AssignmentExpression", O::Expression)];
const CAST: &[(&str, Operand)] = &[("ClassPtr", O::Object), ("Target", O::Expression)];
const CONTEXT: &[(&str, Operand)] = &[
    ("ObjectExpression", O::Expression),
    ("Offset", OFFSET),
    ("RValuePointer", O::Property),
    ("ContextExpression", O::Expression),
];
const VIRTUAL: &[(&str, Operand)] = &[("VirtualFunctionName", O::Name), ("Parameters", O::Until(0x16))];
const FINAL: &[(&str, Operand)] = &[("StackNode", O::Object), ("Parameters", O::Until(0x16))];
const DELEGATES: &[(&str, Operand)] = &[("Delegate", O::Expression), ("DelegateToAdd", O::Expression)];
const EXPRESSION: &[(&str, Operand)] = &[("Value", O::Expression)];

/// Instructions: token, name without `EX_`, and operands in the order of the package.
const INSTRUCTIONS: [(u8, &str, &[(&str, Operand)]); 92] = [
    (0x00, "LocalVariable", VARIABLE),
    (0x01, "InstanceVariable", VARIABLE),
    (0x02, "DefaultVariable", VARIABLE),
    (0x04, "Return", &[("ReturnExpression", O::Expression)]),
    (0x06, "Jump", &[("CodeOffset", OFFSET)]),
    (0x07, "JumpIfNot", &[("CodeOffset", OFFSET), ("BooleanExpression", O::Expression)]),
    (
        0x09,
        "Assert",
        &[
            ("LineNumber", O::Plain(Kind::U16, 2)),
            ("DebugMode", O::Plain(Kind::Bool, 1)),
            ("AssertExpression", O::Expression),
        ],
    ),
    (0x0B, "Nothing", &[]),
    (0x0C, "NothingInt32", &[("Value", O::Plain(Kind::I32, 4))]),
    (0x0F, "Let", &[("Value", O::Property), ("Variable", O::Expression), ("Expression", O::Expression)]),
    (0x11, "BitFieldConst", &[("InnerProperty", O::Property), ("Value", O::Plain(Kind::U8, 1))]),
    (0x12, "ClassContext", CONTEXT),
    (0x13, "MetaCast", CAST),
    (0x14, "LetBool", LET),
    (0x15, "EndParmValue", &[]),
    (0x16, "EndFunctionParms", &[]),
    (0x17, "Self", &[]),
    (0x18, "Skip", &[("CodeOffset", OFFSET), ("SkipExpression", O::Expression)]),
    (0x19, "Context", CONTEXT),
    (0x1A, "Context_FailSilent", CONTEXT),
    (0x1B, "VirtualFunction", VIRTUAL),
    (0x1C, "FinalFunction", FINAL),
    (0x1D, "IntConst", &[("Value", O::Plain(Kind::I32, 4))]),
    (0x1E, "FloatConst", &[("Value", O::Plain(Kind::F32, 4))]),
    (0x1F, "StringConst", &[("Value", O::Characters(1))]),
    (0x20, "ObjectConst", &[("Value", O::Object)]),
    (0x21, "NameConst", &[("Value", O::Name)]),
    (0x22, "RotationConst", &[("Value", O::Numbers("UnrealTypes.FRotator", &["Pitch", "Yaw", "Roll"]))]),
    (0x23, "VectorConst", &[("Value", O::Numbers("UnrealTypes.FVector", &["X", "Y", "Z"]))]),
    (0x24, "ByteConst", &[("Value", O::Plain(Kind::U8, 1))]),
    (0x25, "IntZero", &[]),
    (0x26, "IntOne", &[]),
    (0x27, "True", &[]),
    (0x28, "False", &[]),
    (0x29, "TextConst", &[("Value", O::Text)]),
    (0x2A, "NoObject", &[]),
    (0x2B, "TransformConst", &[("Value", O::Transform)]),
    (0x2C, "IntConstByte", &[("Value", O::Plain(Kind::U8, 1))]),
    (0x2D, "NoInterface", &[]),
    (0x2E, "DynamicCast", CAST),
    (
        0x2F,
        "StructConst",
        &[("Struct", O::Object), ("StructSize", O::Plain(Kind::I32, 4)), ("Value", O::Until(0x30))],
    ),
    (0x30, "EndStructConst", &[]),
    (0x31, "SetArray", &[("AssigningProperty", O::ArrayVariable), ("Elements", O::Until(0x32))]),
    (0x32, "EndArray", &[]),
    (0x33, "PropertyConst", &[("Property", O::Property)]),
    (0x34, "UnicodeStringConst", &[("Value", O::Characters(2))]),
    (0x35, "Int64Const", &[("Value", O::Plain(Kind::I64, 8))]),
    (0x36, "UInt64Const", &[("Value", O::Plain(Kind::U64, 8))]),
    (0x37, "DoubleConst", &[("Value", O::Plain(Kind::Double, 8))]),
    (0x38, "PrimitiveCast", &[("ConversionType", O::Cast), ("Target", O::Expression)]),
    (0x39, "SetSet", &[("SetProperty", O::Expression), ("Elements", O::Counted(0x3A, 1))]),
    (0x3A, "EndSet", &[]),
    (0x3B, "SetMap", &[("MapProperty", O::Expression), ("Elements", O::Counted(0x3C, 2))]),
    (0x3C, "EndMap", &[]),
    (0x3D, "SetConst", &[("InnerProperty", O::Property), ("Elements", O::Counted(0x3E, 1))]),
    (0x3E, "EndSetConst", &[]),
    (
        0x3F,
        "MapConst",
        &[("KeyProperty", O::Property), ("ValueProperty", O::Property), ("Elements", O::Counted(0x40, 2))],
    ),
    (0x40, "EndMapConst", &[]),
    (
        0x41,
        "Vector3fConst",
        &[("X", O::Plain(Kind::F32, 4)), ("Y", O::Plain(Kind::F32, 4)), ("Z", O::Plain(Kind::F32, 4))],
    ),
    (
        0x42,
        "StructMemberContext",
        &[("StructMemberExpression", O::Property), ("StructExpression", O::Expression)],
    ),
    (0x43, "LetMulticastDelegate", LET),
    (0x44, "LetDelegate", LET),
    (0x45, "LocalVirtualFunction", VIRTUAL),
    (0x46, "LocalFinalFunction", FINAL),
    (0x48, "LocalOutVariable", VARIABLE),
    (0x4A, "DeprecatedOp4A", &[]),
    (0x4B, "InstanceDelegate", &[("FunctionName", O::Name)]),
    (0x4C, "PushExecutionFlow", &[("PushingAddress", OFFSET)]),
    (0x4D, "PopExecutionFlow", &[]),
    (0x4E, "ComputedJump", &[("CodeOffsetExpression", O::Expression)]),
    (0x4F, "PopExecutionFlowIfNot", &[("BooleanExpression", O::Expression)]),
    (0x50, "Breakpoint", &[]),
    (0x51, "InterfaceContext", &[("InterfaceValue", O::Expression)]),
    (0x52, "ObjToInterfaceCast", CAST),
    (0x53, "EndOfScript", &[]),
    (0x54, "CrossInterfaceCast", CAST),
    (0x55, "InterfaceToObjCast", CAST),
    (0x5A, "WireTracepoint", &[]),
    (0x5B, "SkipOffsetConst", &[("Value", OFFSET)]),
    (0x5C, "AddMulticastDelegate", DELEGATES),
    (0x5D, "ClearMulticastDelegate", &[("DelegateToClear", O::Expression)]),
    (0x5E, "Tracepoint", &[]),
    (0x5F, "LetObj", LET),
    (0x60, "LetWeakObjPtr", LET),
    (
        0x61,
        "BindDelegate",
        &[("FunctionName", O::Name), ("Delegate", O::Expression), ("ObjectTerm", O::Expression)],
    ),
    (0x62, "RemoveMulticastDelegate", DELEGATES),
    (
        0x63,
        "CallMulticastDelegate",
        &[("StackNode", O::Object), ("Delegate", O::Expression), ("Parameters", O::Until(0x16))],
    ),
    (
        0x64,
        "LetValueOnPersistentFrame",
        &[("DestinationProperty", O::Property), ("AssignmentExpression", O::Expression)],
    ),
    (0x65, "ArrayConst", &[("InnerProperty", O::Property), ("Elements", O::Counted(0x66, 1))]),
    (0x66, "EndArrayConst", &[]),
    (0x67, "SoftObjectConst", EXPRESSION),
    (0x68, "CallMath", FINAL),
];

/// The others.
const MORE: [(u8, &str, &[(&str, Operand)]); 5] = [
    (0x69, "SwitchValue", &[("", O::Switch)]),
    (0x6A, "InstrumentationEvent", &[("", O::Event)]),
    (0x6B, "ArrayGetByRef", &[("ArrayVariable", O::Expression), ("ArrayIndex", O::Expression)]),
    (0x6C, "ClassSparseDataVariable", VARIABLE),
    (0x6D, "FieldPathConst", EXPRESSION),
];

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
    INSTRUCTIONS.iter().chain(&MORE)
}

/// Reads a script into the keys of its object: instructions, or bytes if they are not all known.
pub(super) fn read_script(reader: &mut BytesReader<'_, '_>, object: &mut NewObject) -> Option<()> {
    let memory = reader.u32()?;
    let size = reader.count()?;
    let code = reader.take(size)?;
    let mut part = BytesReader { bytes: code, names: reader.names, facts: reader.facts, depth: reader.depth };
    let mut taken = 0_u32;
    let mut read = || -> Option<Vec<Json>> {
        let mut expressions = Vec::new();
        while !part.bytes.is_empty() {
            let (expression, size) = read_expression(&mut part)?;
            taken = taken.checked_add(size)?;
            expressions.push(expression);
        }
        (taken == memory).then_some(expressions)
    };
    let expressions = read();
    let raw = if expressions.is_some() { Json::Null } else { bytes(code) };
    object.put("ScriptBytecode", expressions.map_or(Json::Null, Json::Array));
    object.put("ScriptBytecodeSize", memory).put("ScriptBytecodeRaw", raw);
    Some(())
}

/// Reads an expression, and its size in memory.
fn read_expression(reader: &mut BytesReader<'_, '_>) -> Option<(Json, u32)> {
    const MAX_DEPTH: u32 = 90;
    reader.depth = reader.depth.checked_add(1).filter(|depth| *depth < MAX_DEPTH)?;
    let [token] = reader.array()?;
    let (_, name, operands) = instructions().find(|(known, ..)| *known == token)?;
    let mut object = NewObject::new(&format!("Kismet.Bytecode.Expressions.EX_{name}"));
    let mut size = 1_u32;
    for (key, operand) in *operands {
        size = size.checked_add(read_operand(reader, key, operand, &mut object)?)?;
    }
    reader.depth = reader.depth.saturating_sub(1);
    Some((object.into_json(), size))
}

/// Reads expressions up to a token, and their size in memory with it.
fn read_until(reader: &mut BytesReader<'_, '_>, end: u8) -> Option<(Vec<Json>, u32)> {
    let (mut expressions, mut size) = (Vec::new(), 1_u32);
    loop {
        if reader.bytes.first() == Some(&end) {
            reader.take(1)?;
            return Some((expressions, size));
        }
        let (expression, more) = read_expression(reader)?;
        expressions.push(expression);
        size = size.checked_add(more)?;
    }
}

fn read_operand(
    reader: &mut BytesReader<'_, '_>,
    key: &str,
    operand: &Operand,
    object: &mut NewObject,
) -> Option<u32> {
    Some(match operand {
        O::Plain(kind, size) => {
            object.put(key, reader.value(kind)?);
            *size
        }
        O::Name => {
            object.put(key, reader.name()?);
            NAME
        }
        O::Object => {
            object.put(key, reader.i32()?);
            POINTER
        }
        O::ArrayVariable if !reader.facts.sets_arrays_by_variable => {
            object.put("ArrayInnerProp", reader.i32()?);
            POINTER
        }
        O::Property => {
            let mut pointer = NewObject::new("Kismet.Bytecode.KismetPropertyPointer");
            if reader.facts.has_properties {
                let names = reader.value(&Kind::List(&Kind::Name))?;
                let mut path = NewObject::new("UnrealTypes.FFieldPath");
                path.put("Path", names).put("ResolvedOwner", reader.i32()?);
                pointer.put("New", path.into_json());
            } else {
                pointer.put("Old", reader.i32()?);
            }
            object.put(key, pointer.into_json());
            POINTER
        }
        O::Expression | O::ArrayVariable => {
            let (expression, size) = read_expression(reader)?;
            object.put(key, expression);
            size
        }
        O::Until(end) => {
            let (expressions, size) = read_until(reader, *end)?;
            object.put(key, expressions);
            size
        }
        O::Counted(end, each) => {
            let count = usize::try_from(reader.i32()?).ok()?;
            let (expressions, size) = read_until(reader, *end)?;
            (count.checked_mul(*each) == Some(expressions.len())).then_some(())?;
            object.put(key, expressions);
            size.checked_add(4)?
        }
        O::Characters(width) => {
            let (text, size) = read_characters(reader, *width)?;
            object.put(key, text);
            size
        }
        O::Numbers(class, names) => {
            object.put(key, numbers(reader, class, names)?);
            real_size(reader.facts.has_large_coordinates, names.len())
        }
        O::Transform => {
            let mut transform = NewObject::new("UnrealTypes.FTransform");
            for (key, class, names) in TRANSFORM {
                transform.put(key, numbers(reader, class, names)?);
            }
            object.put(key, transform.into_json());
            real_size(reader.facts.has_large_coordinates, 10)
        }
        O::Cast => {
            let [cast] = reader.array()?;
            object.put(key, enumerator(cast.into(), CASTS));
            1
        }
        O::Event => {
            let [event] = reader.array()?;
            object.put("EventType", enumerator(event.into(), EVENTS));
            let is_inline = u64::from(event) == INLINE_EVENT;
            object.put("EventName", if is_inline { reader.name()? } else { Json::Null });
            if is_inline { 1 + NAME } else { 1 }
        }
        O::Text => {
            let [kind] = reader.array()?;
            let (_, name, keys) = TEXTS.iter().find(|(known, ..)| *known == kind)?;
            let mut text = NewObject::new("Kismet.Bytecode.FScriptText");
            text.put("TextLiteralType", *name);
            let mut size = 1_u32;
            if kind == TABLE_ENTRY {
                text.put("StringTableAsset", reader.i32()?);
                size = size.checked_add(POINTER)?;
            }
            for key in *keys {
                let (expression, more) = read_expression(reader)?;
                text.put(key, expression);
                size = size.checked_add(more)?;
            }
            object.put(key, text.into_json());
            size
        }
        O::Switch => read_switch(reader, object)?,
    })
}

const TRANSFORM: [(&str, &str, &[&str]); 3] = [
    ("Rotation", "UnrealTypes.FQuat", &["X", "Y", "Z", "W"]),
    ("Translation", "UnrealTypes.FVector", &["X", "Y", "Z"]),
    ("Scale3D", "UnrealTypes.FVector", &["X", "Y", "Z"]),
];

fn numbers(reader: &mut BytesReader<'_, '_>, class: &str, names: &[&str]) -> Option<Json> {
    let mut object = NewObject::new(class);
    for name in names {
        object.put(name, reader.value(&Kind::Real)?);
    }
    Some(object.into_json())
}

const fn real_size(is_large: bool, count: usize) -> u32 {
    // Their number is below eleven.
    #[expect(clippy::cast_possible_truncation, reason = "it is below eleven")]
    let count = count as u32;
    count.saturating_mul(if is_large { 8 } else { 4 })
}

fn read_characters(reader: &mut BytesReader<'_, '_>, width: usize) -> Option<(Json, u32)> {
    let mut units = Vec::new();
    loop {
        let mut unit = [0; 2];
        unit.get_mut(..width)?.copy_from_slice(reader.take(width)?);
        match u16::from_le_bytes(unit) {
            0 => break,
            unit => units.push(unit),
        }
    }
    let text = String::from_utf16(&units).ok()?;
    let size = u32::try_from(units.len().checked_add(1)?.checked_mul(width)?).ok()?;
    (width == 2 || text.is_ascii()).then(|| (json!(text), size))
}

fn read_switch(reader: &mut BytesReader<'_, '_>, object: &mut NewObject) -> Option<u32> {
    let count = u16::from_le_bytes(reader.array()?);
    let end = reader.u32()?;
    let (index, mut size) = read_expression(reader)?;
    let mut cases = Vec::new();
    for _ in 0..count {
        let (value, more) = read_expression(reader)?;
        let next = reader.u32()?;
        let (term, and_more) = read_expression(reader)?;
        size = size.checked_add(more)?.checked_add(and_more)?.checked_add(4)?;
        let mut case = NewObject::new("Kismet.Bytecode.Expressions.FKismetSwitchCase");
        case.put("CaseIndexValueTerm", value).put("NextOffset", next).put("CaseTerm", term);
        cases.push(case.into_json());
    }
    let (default, more) = read_expression(reader)?;
    object.put("EndGotoOffset", end).put("IndexTerm", index).put("DefaultTerm", default).put("Cases", cases);
    size.checked_add(more)?.checked_add(6)
}

/// Writes the script of an object: its instructions, or the bytes of them.
///
/// # Errors
/// [`Fault`] if an instruction is not known, or an operand is missing or of another type.
pub(super) fn write_script(writer: &mut BytesWriter<'_>, object: &Json) -> Result<(), Fault> {
    let Some(expressions) = object.get("ScriptBytecode").and_then(Json::as_array) else {
        let memory: i32 = field(object, "ScriptBytecodeSize", read_number)?;
        let code = field(object, "ScriptBytecodeRaw", read_bytes)?;
        writer.bytes.extend(memory.to_le_bytes());
        writer.count(code.len())?;
        writer.bytes.extend(code);
        return Ok(());
    };
    let before = std::mem::take(&mut writer.bytes);
    let mut memory = 0_u32;
    let mut written = Ok(());
    for (number, expression) in expressions.iter().enumerate() {
        match write_expression(writer, expression) {
            Ok(size) => memory = memory.saturating_add(size),
            Err(fault) => {
                written = Err(fault.within(format!(".ScriptBytecode[{number}]")));
                break;
            }
        }
    }
    let code = std::mem::replace(&mut writer.bytes, before);
    written?;
    writer.bytes.extend(memory.to_le_bytes());
    writer.count(code.len())?;
    writer.bytes.extend(code);
    Ok(())
}

/// Writes an expression; returns its size in memory.
fn write_expression(writer: &mut BytesWriter<'_>, json: &Json) -> Result<u32, Fault> {
    let class = class_of(json).unwrap_or_default();
    let name = class.strip_prefix("EX_").unwrap_or_default();
    let instruction = instructions().find(|(_, known, _)| *known == name);
    let (token, _, operands) = instruction
        .ok_or_else(|| Fault::new(format!("the instruction {class:?} is not read")).within(".$type"))?;
    writer.bytes.push(*token);
    let mut size = 1_u32;
    for (key, operand) in *operands {
        size = size.saturating_add(write_operand(writer, key, operand, json)?);
    }
    Ok(size)
}

fn write_all(writer: &mut BytesWriter<'_>, list: &Json, end: u8) -> Result<u32, Fault> {
    let expressions = list.as_array().ok_or_else(|| Fault::new("a list of instructions is needed"))?;
    let mut size = 1_u32;
    for (number, expression) in expressions.iter().enumerate() {
        let more = write_expression(writer, expression);
        size = size.saturating_add(more.map_err(|fault| fault.within(format!("[{number}]")))?);
    }
    writer.bytes.push(end);
    Ok(size)
}

fn write_operand(
    writer: &mut BytesWriter<'_>,
    key: &str,
    operand: &Operand,
    json: &Json,
) -> Result<u32, Fault> {
    match operand {
        O::Plain(kind, size) => {
            field(json, key, |value| writer.value(kind, value))?;
            Ok(*size)
        }
        O::Name => {
            writer.name(&field(json, key, read_name)?)?;
            Ok(NAME)
        }
        O::Object => {
            field(json, key, |value| writer.value(&Kind::Object, value))?;
            Ok(POINTER)
        }
        O::ArrayVariable if !writer.facts.sets_arrays_by_variable => {
            field(json, "ArrayInnerProp", |value| writer.value(&Kind::Object, value))?;
            Ok(POINTER)
        }
        O::Property => field(json, key, |pointer| {
            if writer.facts.has_properties {
                field(pointer, "New", |path| {
                    field(path, "Path", |names| writer.value(&Kind::List(&Kind::Name), names))?;
                    field(path, "ResolvedOwner", |owner| writer.value(&Kind::Object, owner))
                })?;
            } else {
                field(pointer, "Old", |owner| writer.value(&Kind::Object, owner))?;
            }
            Ok(POINTER)
        }),
        O::Expression | O::ArrayVariable => field(json, key, |value| write_expression(writer, value)),
        O::Until(end) => field(json, key, |list| write_all(writer, list, *end)),
        O::Counted(end, each) => field(json, key, |list| {
            let count = list.as_array().map(Vec::len).unwrap_or_default();
            writer.count(count.checked_div(*each).unwrap_or_default())?;
            Ok(write_all(writer, list, *end)?.saturating_add(4))
        }),
        O::Characters(width) => field(json, key, |value| write_characters(writer, value, *width)),
        O::Numbers(_, names) => {
            field(json, key, |value| write_numbers(writer, names, value))?;
            Ok(real_size(writer.facts.has_large_coordinates, names.len()))
        }
        O::Transform => {
            field(json, key, |value| {
                TRANSFORM.iter().try_for_each(|(key, _, names)| {
                    field(value, key, |value| write_numbers(writer, names, value))
                })
            })?;
            Ok(real_size(writer.facts.has_large_coordinates, 10))
        }
        O::Cast => {
            field(json, key, |value| writer.value(&Kind::Enumerator(CASTS, 1), value))?;
            Ok(1)
        }
        O::Event => {
            let event = field(json, "EventType", |value| read_flags(value, EVENTS))?;
            field(json, "EventType", |value| writer.value(&Kind::Enumerator(EVENTS, 1), value))?;
            if event != INLINE_EVENT {
                return Ok(1);
            }
            writer.name(&field(json, "EventName", read_name)?)?;
            Ok(1 + NAME)
        }
        O::Text => field(json, key, |text| write_text(writer, text)),
        O::Switch => write_switch(writer, json),
    }
}

fn write_numbers(writer: &mut BytesWriter<'_>, names: &[&str], json: &Json) -> Result<(), Fault> {
    names.iter().try_for_each(|name| field(json, name, |value| writer.value(&Kind::Real, value)))
}

fn write_characters(writer: &mut BytesWriter<'_>, json: &Json, width: usize) -> Result<u32, Fault> {
    let text = json.as_str().ok_or_else(|| Fault::new("a text is needed"))?;
    if text.contains('\0') || (width == 1 && !text.is_ascii()) {
        return Err(Fault::new("a text of characters of 8 bits is needed, without zeros"));
    }
    let units: Vec<u16> = text.encode_utf16().chain([0]).collect();
    for unit in &units {
        writer.bytes.extend(unit.to_le_bytes().iter().take(width));
    }
    Ok(u32::try_from(units.len().saturating_mul(width)).unwrap_or(u32::MAX))
}

fn write_text(writer: &mut BytesWriter<'_>, text: &Json) -> Result<u32, Fault> {
    let named = text.get("TextLiteralType").and_then(Json::as_str).unwrap_or_default();
    let found = TEXTS.iter().find(|(_, name, _)| *name == named);
    let (kind, _, keys) = found.ok_or_else(|| {
        Fault::new(format!("texts of the type {named:?} are not read")).within(".TextLiteralType")
    })?;
    writer.bytes.push(*kind);
    let mut size = 1_u32;
    if *kind == TABLE_ENTRY {
        field(text, "StringTableAsset", |value| writer.value(&Kind::Object, value))?;
        size = size.saturating_add(POINTER);
    }
    for key in *keys {
        size = size.saturating_add(field(text, key, |value| write_expression(writer, value))?);
    }
    Ok(size)
}

fn write_switch(writer: &mut BytesWriter<'_>, json: &Json) -> Result<u32, Fault> {
    let cases = json.get("Cases").and_then(Json::as_array);
    let cases = cases.ok_or_else(|| Fault::new("a list of cases is needed").within(".Cases"))?;
    let count =
        u16::try_from(cases.len()).map_err(|_| Fault::new("there are too many cases").within(".Cases"))?;
    writer.bytes.extend(count.to_le_bytes());
    field(json, "EndGotoOffset", |value| writer.value(&Kind::U32, value))?;
    let mut size = field(json, "IndexTerm", |value| write_expression(writer, value))?;
    for (number, case) in cases.iter().enumerate() {
        let mut write = || {
            let value = field(case, "CaseIndexValueTerm", |value| write_expression(writer, value))?;
            field(case, "NextOffset", |value| writer.value(&Kind::U32, value))?;
            let term = field(case, "CaseTerm", |value| write_expression(writer, value))?;
            Ok::<_, Fault>(value.saturating_add(term).saturating_add(4))
        };
        let more = write().map_err(|fault| fault.within(format!(".Cases[{number}]")))?;
        size = size.saturating_add(more);
    }
    let default = field(json, "DefaultTerm", |value| write_expression(writer, value))?;
    Ok(size.saturating_add(default).saturating_add(6))
}
