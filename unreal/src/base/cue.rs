//! Sound cues, as all generations of the engine have them: graphs of nodes that say how recordings play.

use super::object_ref::ObjectRef;
use super::property::Property;

/// A cue.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SoundCue {
    /// Properties of the cue.
    pub properties: Vec<Property>,
    /// The node it begins with; none if it is empty.
    pub first: ObjectRef,
}

/// A node of a cue.
#[derive(Clone, Debug, PartialEq)]
pub struct CueNode {
    /// The object.
    pub object: ObjectRef,
    /// The name of its class, such as `SoundNodeRandom`; `?` where the package does not say.
    pub class: String,
    /// Properties of the node; empty for waves, which have readers, and for objects of other packages.
    pub properties: Vec<Property>,
    /// The nodes below it, with an entry for each input, unconnected ones included.
    pub children: Vec<ObjectRef>,
}

/// The most nodes of a cue that are followed.
pub(crate) const MAX_NODES: usize = 4096;
