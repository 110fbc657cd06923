//! Groups of Unreal Engine 2.

use song::{Node, Weight, ZoneTree};
use unreal::ue1to3::class::sound_group;
use unreal::{Limits, Object, ObjectRef};

use super::{Arrangement, Factors, MAX_ZONES, Missing, PART_BYTES, Recordings, zone};

/// Returns one of its sounds: each as likely as it says, or in turn where none says anything.
///
/// Source: a group of version 128/29 measured; that the game draws by likelihood, *Unreal Wiki*, `SoundGroup`.
pub(super) fn arrange(
    object: &mut Object<'_>,
    recordings: &Recordings,
    kept: &mut Limits,
) -> Result<Arrangement, unreal::Error> {
    let group = sound_group::read(object)?;
    let package = object.package;
    let (mut missing, mut found) = (Missing::default(), Vec::new());
    for &reference in &group.sounds {
        let path = || package.path(reference).to_string();
        match (reference, recordings.get(reference)) {
            (ObjectRef::None, _) => missing.unconnected = missing.unconnected.saturating_add(1),
            (_, Some(recording)) if recording.is_playable => found.push(recording),
            (ObjectRef::Export(_), _) => missing.unplayable.add(path),
            (ObjectRef::Import(_), _) => missing.elsewhere.add(path),
        }
    }
    let mut notes = Vec::new();
    if found.len() > MAX_ZONES {
        notes.push(format!("only the first {MAX_ZONES} of its {} sounds are played", found.len()));
        found.truncate(MAX_ZONES);
    }
    let trees = u64::try_from(found.len()).unwrap_or(u64::MAX).saturating_add(1);
    kept.take(trees.saturating_mul(PART_BYTES), package.summary().exports.at.into(), "parts of a group")?;
    let says = found.iter().any(|recording| recording.likelihood.is_some());
    let kind = if says {
        let weighted = found.iter().map(|recording| {
            let weight = recording.likelihood.and_then(|likelihood| Weight::new(likelihood).ok());
            (weight.unwrap_or(Weight::ONE), zone(recording, Factors::NONE))
        });
        Node::Random { children: weighted.collect(), with_replacement: true }
    } else {
        Node::RoundRobin(found.iter().map(|recording| zone(recording, Factors::NONE)).collect())
    };
    let tree = if found.is_empty() { None } else { ZoneTree::new(kind).ok() };
    Ok(Arrangement { tree, notes, missing })
}
