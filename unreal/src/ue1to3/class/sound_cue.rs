//! `SoundCue`: a graph of nodes that says how recordings play. Nodes are objects with properties alone.
//!
//! ```text
//! cue ── FirstNode ─► node ── ChildNodes ─► node … ─► SoundNodeWave
//! ```

use std::collections::HashSet;

use crate::base::cue::{CueNode, MAX_NODES, SoundCue};
use crate::base::error::Error;
use crate::base::object_ref::ObjectRef;
use crate::base::property::Value;
use crate::base::sound_class::Class;
use crate::ue1to3::class;
use crate::ue1to3::object::Object;

/// Reads a cue, without its nodes.
///
/// Source: version 512, 820 and 867 measured.
///
/// # Errors
/// `Malformed` if the object lies outside the file or contradicts itself; `OverLimit`, `Io`.
pub fn read(object: &mut Object<'_>) -> Result<SoundCue, Error> {
    let properties = class::properties_of(object)
        .map_err(|error| error.within(format!("cue {}", object.package.path_of(object.export))))?;
    let first = properties.iter().find_map(|property| match property.value {
        Value::Object(node) if property.name.eq_ignore_ascii_case("FirstNode") => Some(node),
        _ => None,
    });
    Ok(SoundCue { properties, first: first.unwrap_or_default() })
}

impl SoundCue {
    /// Returns its nodes, each once, the first one first; those below a node follow in their order.
    ///
    /// # Errors
    /// As [`read`], of any node.
    pub fn nodes(&self, object: &mut Object<'_>) -> Result<Vec<CueNode>, Error> {
        let mut nodes = Vec::new();
        let mut known = HashSet::from([self.first, ObjectRef::None]);
        let mut waiting = vec![self.first];
        while let Some(reference) = waiting.pop() {
            if reference == ObjectRef::None || nodes.len() == MAX_NODES {
                continue;
            }
            let node = read_node(object, reference)?;
            for child in node.children.iter().rev() {
                if known.insert(*child) {
                    waiting.push(*child);
                }
            }
            nodes.push(node);
        }
        Ok(nodes)
    }
}

fn read_node(object: &mut Object<'_>, reference: ObjectRef) -> Result<CueNode, Error> {
    let package = object.package;
    let at = package.summary().exports.at.into();
    object.limits.take_growing(size_of::<CueNode>(), at, "cue")?;
    let mut node =
        CueNode { object: reference, class: "?".to_owned(), properties: Vec::new(), children: Vec::new() };
    match reference {
        ObjectRef::None => return Ok(node),
        ObjectRef::Import(index) => {
            if let Some(class) = package.imports().get(index.get()).and_then(|i| package.text(i.class_name)) {
                node.class = class.into_owned();
            }
            return Ok(node);
        }
        ObjectRef::Export(index) => {
            if let Some(class) = package.export(index).and_then(|export| package.class_name(export)) {
                node.class = class.into_owned();
            }
            if matches!(class::of(package, index), Some(Class::SoundNodeWave | Class::SoundNodeWaveEx)) {
                return Ok(node);
            }
            let within = |error: Error| error.within(format!("node {}", package.path(reference)));
            let mut object = object.sibling(index);
            node.properties = class::properties_of(&mut object).map_err(within)?;
            node.children = children(&node, &mut object).map_err(within)?;
            numbers(&mut node, &mut object).map_err(within)?;
        }
    }
    Ok(node)
}

fn children(node: &CueNode, object: &mut Object<'_>) -> Result<Vec<ObjectRef>, Error> {
    let named = node.properties.iter().find(|property| property.name.eq_ignore_ascii_case("ChildNodes"));
    let numbers = named.map_or(Ok(Vec::new()), |children| children.numbers(object))?;
    Ok(numbers.into_iter().map(ObjectRef::from_number).collect())
}

/// Takes the arrays of numbers of a node apart.
fn numbers(node: &mut CueNode, object: &mut Object<'_>) -> Result<(), Error> {
    const ARRAYS: [&str; 2] = ["Weights", "InputVolume"];
    for property in &mut node.properties {
        if !ARRAYS.iter().any(|name| property.name.eq_ignore_ascii_case(name)) {
            continue;
        }
        let numbers = property.numbers(object)?.into_iter();
        property.value = Value::Array(
            numbers.map(|number| Value::Float(f32::from_bits(number.cast_unsigned()))).collect(),
        );
    }
    Ok(())
}
