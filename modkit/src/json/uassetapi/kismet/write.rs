//! Instructions written to a package.

use serde_json::Value as Json;

use super::{
    CASTS, EVENTS, INLINE_EVENT, NAME, Operand as O, POINTER, TABLE_ENTRY, TEXTS, TRANSFORM, instructions,
    real_size,
};
use crate::json::fault::Fault;
use crate::json::uassetapi::layout::{BytesWriter, Kind};
use crate::json::uassetapi::object::{class_of, field};
use crate::json::uassetapi::scalar::{read_bytes, read_flags, read_name, read_number};

/// Writes the script of an object: its instructions, or the bytes of them.
///
/// # Errors
/// [`Fault`] if an instruction is not known, or an operand is missing or of another type.
pub(in crate::json::uassetapi) fn write_script(
    writer: &mut BytesWriter<'_>,
    object: &Json,
) -> Result<(), Fault> {
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

fn write_operand(writer: &mut BytesWriter<'_>, key: &str, operand: &O, json: &Json) -> Result<u32, Fault> {
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
