//! `SoundCue` of Unreal Engine 4 to 6: the same graphs as before, whose nodes refer to recordings in packages of their
//! own.
//!
//! ```text
//! cue ── FirstNode ─► node ── ChildNodes ─► node … ─► SoundNodeWavePlayer ─► SoundWave
//! ```
//!
//! Source: *packages-ue4-ue6*, §10; *real-games*, §4 and §11: cues of 4.1 to 5.8 measured.

use std::collections::{HashMap, HashSet};

use crate::base::cue::{CueNode, MAX_NODES, SoundCue};
use crate::base::error::Error;
use crate::base::limits::Limits;
use crate::base::object_ref::{ExportIndex, ImportIndex, ObjectRef};
use crate::base::property::Value;
use crate::base::reader::Reader;
use crate::ue4to6::package::{AssetPackage, ClassPath};
use crate::ue4to6::property::{Mappings, ObjectProperties, read_object};

/// A cue with its nodes.
#[derive(Clone, Debug, Default)]
pub struct CueObjects {
    /// The cue itself.
    pub cue: SoundCue,
    /// Nodes, each once, with those properties that decide how recordings play.
    pub nodes: Vec<CueNode>,
    /// The recordings that nodes play.
    pub waves: HashMap<ObjectRef, PlayedWave>,
}

/// A recording that a node plays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayedWave {
    /// The path of the object: `/Game/Audio/SW_Steps.SW_Steps`; empty if that is not known.
    pub path: String,
    /// True if the wave loops.
    pub loops: bool,
}

/// Properties of nodes that say how recordings play.
const USED: [&str; 9] = [
    "InputVolume",
    "LoopCount",
    "PitchMax",
    "PitchMin",
    "VolumeMax",
    "VolumeMin",
    "Weights",
    "bLoopIndefinitely",
    "bRandomizeWithoutReplacement",
];

/// Reads a cue and its nodes, each once, the first one first.
///
/// # Errors
/// If an object does not lie in its package, its properties contradict themselves or cannot be read without mappings,
/// or take more than the limits allow.
pub fn read(
    package: &AssetPackage,
    export: usize,
    mappings: Option<&Mappings>,
    limits: &mut Limits,
) -> Result<CueObjects, Error> {
    let properties = read_object(package, export, mappings, limits)?;
    let first = match properties.get("FirstNode") {
        Some(Value::Object(node)) => *node,
        _ => ObjectRef::None,
    };
    let mut read =
        CueObjects { cue: SoundCue { properties: properties.properties, first }, ..CueObjects::default() };
    let mut known = HashSet::from([first, ObjectRef::None]);
    let mut waiting = vec![first];
    while let Some(object) = waiting.pop() {
        let ObjectRef::Export(index) = object else { continue };
        let Some(export) = package.export(index.get()) else { continue };
        if read.nodes.len() == MAX_NODES {
            break;
        }
        let class = export.class.map_or("?", ClassPath::name).to_owned();
        let properties = read_object(package, index.get(), mappings, limits)
            .map_err(|error| error.within(format!("node {}", export.name)))?;
        let children = children(&properties);
        for child in children.iter().rev() {
            if known.insert(*child) {
                waiting.push(*child);
            }
        }
        if class.eq_ignore_ascii_case("SoundNodeWavePlayer") {
            read.waves.insert(object, played_wave(package, index.get(), &properties)?);
        }
        let mut properties = properties.properties;
        // Games have tens of thousands of nodes, which are kept until all recordings are found.
        properties.retain(|property| USED.iter().any(|name| property.is(name)));
        properties.shrink_to_fit();
        read.nodes.push(CueNode { object, class, properties, children });
    }
    Ok(read)
}

/// Returns a cue without what its properties say: the recordings that its nodes load, one of which plays at random.
/// Properties without tags cannot be read without mappings, and of cooked cues nothing else is needed to know the
/// recordings.
///
/// Source: *real-games*, §4: 11 of 11 cues of 4.26 and 5.2.
///
/// # Errors
/// If an object does not lie in its package, or cannot be read.
pub fn of_loaded_waves(package: &AssetPackage, export: usize) -> Result<CueObjects, Error> {
    let mut waves = Vec::new();
    for number in 0..package.len().min(MAX_NODES) {
        let class = package.export(number).and_then(|export| export.class);
        if class.is_some_and(|class| class.name().eq_ignore_ascii_case("SoundNodeWavePlayer")) {
            waves.extend(loaded_wave(package, number, package.range(number)?.start)?);
        }
    }
    Ok(of_waves(package, export, "SoundNodeRandom", waves))
}

/// The node of a `MetaSound` that chooses one of its recordings at random.
pub const RANDOM_GET: &str = "Random Get";

/// The node of a `MetaSound` that gives its recordings one after another.
pub const SHUFFLE: &str = "Shuffle";

/// Returns what a `MetaSoundSource` plays, as if it were a cue: the recordings that it refers to, at random if a node
/// chooses so, else one after another.
///
/// Source: *real-games*, §11: 3 of 3 that play recordings refer to them by imports.
#[must_use]
pub fn of_metasound(package: &AssetPackage, export: usize) -> CueObjects {
    let waves =
        (0..package.imports().min(MAX_NODES)).map(|import| ObjectRef::Import(ImportIndex::new(import)));
    let waves = waves.filter(|import| package.is_import_of(*import, "SoundWave")).collect();
    let chooses = package.names().iter().any(|name| name.eq_ignore_ascii_case(RANDOM_GET));
    of_waves(package, export, if chooses { RANDOM_GET } else { SHUFFLE }, waves)
}

/// Returns a cue of one node of a class that plays recordings, each once.
fn of_waves(package: &AssetPackage, export: usize, class: &str, waves: Vec<ObjectRef>) -> CueObjects {
    let first = ObjectRef::Export(ExportIndex::new(export));
    let mut children: Vec<ObjectRef> = Vec::new();
    let mut cue = CueObjects { cue: SoundCue { properties: Vec::new(), first }, ..CueObjects::default() };
    for wave in waves {
        if let Some(path) = package.path(wave).filter(|_| !children.contains(&wave)) {
            let class = "SoundNodeWavePlayer".to_owned();
            cue.nodes.push(CueNode { object: wave, class, properties: Vec::new(), children: Vec::new() });
            cue.waves.insert(wave, PlayedWave { path, loops: false });
            children.push(wave);
        }
    }
    cue.nodes.push(CueNode { object: first, class: class.to_owned(), properties: Vec::new(), children });
    cue
}

/// Wave that a `DialogueWave` plays.
#[derive(Clone, Debug, Default)]
pub struct DialogueCue {
    /// A cue of its first recording.
    pub cue: CueObjects,
    /// Recordings that it has, one for each context.
    pub contexts: usize,
}

/// Returns the first recording of a `DialogueWave` as if it were a cue of one node.
#[must_use]
pub fn of_dialogue(package: &AssetPackage, dialogue: &ObjectProperties) -> DialogueCue {
    let Some(Value::Array(contexts)) = dialogue.get("ContextMappings") else { return DialogueCue::default() };
    let wave = |context: &Value| {
        let Value::Struct(fields) = context else { return None };
        let wave = fields.iter().find(|field| field.is("SoundWave"))?;
        if let Value::Object(wave) = wave.value { Some(wave) } else { None }
    };
    let waves: Vec<ObjectRef> =
        contexts.iter().filter_map(wave).filter(|wave| *wave != ObjectRef::None).collect();
    let contexts = waves.len();
    let Some(first) = waves.into_iter().next() else { return DialogueCue::default() };
    let class = "SoundNodeWavePlayer".to_owned();
    let node = CueNode { object: first, class, properties: Vec::new(), children: Vec::new() };
    let played = PlayedWave { path: package.path(first).unwrap_or_default(), loops: false };
    let cue = CueObjects {
        cue: SoundCue { properties: Vec::new(), first },
        nodes: vec![node],
        waves: HashMap::from([(first, played)]),
    };
    DialogueCue { cue, contexts }
}

fn children(node: &ObjectProperties) -> Vec<ObjectRef> {
    let Some(Value::Array(values)) = node.get("ChildNodes") else { return Vec::new() };
    let reference = |value: &Value| if let Value::Object(object) = value { *object } else { ObjectRef::None };
    values.iter().map(reference).collect()
}

/// Returns what a node plays: the path of a recording that it states, or the recording that it loads.
fn played_wave(package: &AssetPackage, export: usize, node: &ObjectProperties) -> Result<PlayedWave, Error> {
    let loops = node.get("bLooping") == Some(&Value::Bool(true));
    let stated = match (node.get("SoundWaveAssetPtr"), node.get("SoundWave")) {
        (Some(Value::SoftPath(path)), _) if !path.is_empty() => Some(path.clone()),
        (_, Some(Value::Object(object))) => package.path(*object),
        _ => None,
    };
    let path = match stated {
        Some(path) => path,
        None => {
            loaded_wave(package, export, node.end)?.and_then(|wave| package.path(wave)).unwrap_or_default()
        }
    };
    Ok(PlayedWave { path, loops })
}

/// Returns the recording that a node loads, which is written last; before 4.18 that is the node of the editor's graph.
///
/// Source: *real-games*, §4.
fn loaded_wave(package: &AssetPackage, export: usize, after: u64) -> Result<Option<ObjectRef>, Error> {
    let range = package.range(export)?;
    let at = range.end.saturating_sub(4);
    if at < after {
        return Ok(None);
    }
    let mut reader = Reader::new(package.source(), "SoundNodeWavePlayer", at, range.end);
    let object = ObjectRef::from_number(reader.i32()?);
    Ok(Some(object).filter(|object| package.may_be_import_of(*object, "SoundWave")))
}
