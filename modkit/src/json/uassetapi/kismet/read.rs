//! Instructions read from a package.

use serde_json::{Value as Json, json};

use super::{
    CASTS, EVENTS, INLINE_EVENT, NAME, Operand as O, POINTER, TABLE_ENTRY, TEXTS, TRANSFORM, instructions,
    real_size,
};
use crate::json::uassetapi::layout::{BytesReader, Kind};
use crate::json::uassetapi::object::NewObject;
use crate::json::uassetapi::scalar::{bytes, enumerator};

/// Reads a script into the keys of its object: instructions, or bytes if they are not all known.
pub(in crate::json::uassetapi) fn read_script(
    reader: &mut BytesReader<'_, '_>,
    object: &mut NewObject,
) -> Option<()> {
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
    operand: &O,
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

fn numbers(reader: &mut BytesReader<'_, '_>, class: &str, names: &[&str]) -> Option<Json> {
    let mut object = NewObject::new(class);
    for name in names {
        object.put(name, reader.value(&Kind::Real)?);
    }
    Some(object.into_json())
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
