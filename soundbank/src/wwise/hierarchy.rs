//! The items of a bank: sounds, containers, music, actions and events, with the ids that connect them.

mod action;
mod container;
mod music;
mod node;
mod scan;
mod source;
mod tree;

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::mem::{size_of, size_of_val};

use unreal::Limits;

use super::layout::Layout;
use crate::reader::Reader;
use crate::{Error, ErrorKind};

pub(super) use action::{Action, Verb};
pub(super) use container::{Blend, Playlist, Switch};
pub(super) use music::{
    Clip, MusicChoice, MusicPlaylist, MusicSwitch, PlaylistItem, PlaylistKind, Track, TrackKind,
};
pub(super) use node::NodeBase;
pub(super) use source::SoundSource;
pub(super) use tree::{Tree, TreeLeaf};

/// An item of a bank.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// Its id; ids of events are hashes of their names.
    pub(super) id: u32,
    /// Bytes that it takes: of two items with one id the fuller one counts.
    pub(super) size: u32,
    /// What it is.
    pub(super) body: Body,
}

/// What an item is.
#[derive(Clone, Debug)]
pub(super) enum Body {
    /// A sound.
    Sound(SoundSource, NodeBase),
    /// What an event does.
    Action(Action),
    /// An event, by the ids of its actions.
    Event(Vec<u32>),
    /// A random or sequence container.
    Playlist(Playlist, NodeBase),
    /// A switch container.
    Switch(Switch, NodeBase),
    /// An actor-mixer.
    Mixer(Vec<u32>, NodeBase),
    /// A blend container.
    Blend(Blend, NodeBase),
    /// A segment, by the ids of its tracks.
    Segment(Vec<u32>, NodeBase),
    /// A music track.
    Track(Track, NodeBase),
    /// A music switch container.
    MusicSwitch(MusicSwitch, NodeBase),
    /// A music playlist container.
    MusicPlaylist(MusicPlaylist, NodeBase),
    /// A dialogue event.
    Dialogue(Tree),
    /// An item that could not be read, by the ids of media that were found in it.
    Unread(Vec<SoundSource>),
}

impl Body {
    /// Returns what it sounds like by itself; none of what is no node.
    pub(super) const fn base(&self) -> Option<&NodeBase> {
        match self {
            Self::Sound(_, base)
            | Self::Playlist(_, base)
            | Self::Switch(_, base)
            | Self::Mixer(_, base)
            | Self::Blend(_, base)
            | Self::Segment(_, base)
            | Self::Track(_, base)
            | Self::MusicSwitch(_, base)
            | Self::MusicPlaylist(_, base) => Some(base),
            Self::Action(_) | Self::Event(_) | Self::Dialogue(_) | Self::Unread(_) => None,
        }
    }

    /// Returns the bytes of memory that it takes beside itself.
    fn heap(&self) -> u64 {
        const fn of<T>(list: &[T]) -> u64 {
            size_of_val(list) as u64
        }
        match self {
            Self::Sound(..) | Self::Action(_) => 0,
            Self::Event(ids) | Self::Mixer(ids, _) | Self::Segment(ids, _) => of(ids),
            Self::Playlist(playlist, _) => of(&playlist.entries),
            Self::Switch(switch, _) => {
                let lists = switch.branches.iter().map(|(_, ids)| of(ids));
                lists.fold(of(&switch.branches), u64::saturating_add)
            }
            Self::Blend(blend, _) => {
                let lists = blend.curves.iter().map(|(_, _, points)| of(points));
                lists.fold(of(&blend.children).saturating_add(of(&blend.curves)), u64::saturating_add)
            }
            Self::Track(track, _) => of(&track.sources).saturating_add(of(&track.clips)),
            Self::MusicSwitch(switch, _) => match &switch.choice {
                MusicChoice::Tree(tree) => of(&tree.nodes).saturating_add(of(&tree.groups)),
                MusicChoice::List { branches, .. } => of(branches),
            },
            Self::MusicPlaylist(playlist, _) => of(&playlist.items),
            Self::Dialogue(tree) => of(&tree.nodes).saturating_add(of(&tree.groups)),
            Self::Unread(sources) => of(sources),
        }
    }

    /// Returns its sources.
    pub(super) fn sources(&self) -> &[SoundSource] {
        match self {
            Self::Sound(source, _) => std::slice::from_ref(source),
            Self::Track(track, _) => &track.sources,
            Self::Unread(sources) => sources,
            _ => &[],
        }
    }
}

/// The kinds of items that are read; all others are passed over by their size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemKind {
    Sound,
    Action,
    Event,
    Playlist,
    Switch,
    Mixer,
    Blend,
    Segment,
    Track,
    MusicSwitch,
    MusicPlaylist,
    Dialogue,
    /// The global settings, which have a chunk of their own.
    Settings,
    Other(u32),
}

impl ItemKind {
    const fn of(number: u32) -> Self {
        match number {
            2 => Self::Sound,
            3 => Self::Action,
            4 => Self::Event,
            5 => Self::Playlist,
            6 => Self::Switch,
            7 => Self::Mixer,
            9 => Self::Blend,
            10 => Self::Segment,
            11 => Self::Track,
            12 => Self::MusicSwitch,
            13 => Self::MusicPlaylist,
            15 => Self::Dialogue,
            other => Self::Other(other),
        }
    }

    /// Returns its name.
    pub(super) fn name(self) -> String {
        match self {
            Self::Sound => "sound",
            Self::Action => "action",
            Self::Event => "event",
            Self::Playlist => "random or sequence container",
            Self::Switch => "switch container",
            Self::Mixer => "actor-mixer",
            Self::Blend => "blend container",
            Self::Segment => "music segment",
            Self::Track => "music track",
            Self::MusicSwitch => "music switch container",
            Self::MusicPlaylist => "music playlist container",
            Self::Dialogue => "dialogue event",
            Self::Settings => "settings",
            Self::Other(1) => "state",
            Self::Other(8) => "bus",
            Self::Other(14) => "attenuation",
            Self::Other(number) => return format!("type {number}"),
        }
        .into()
    }
}

/// What a bank's list of items holds.
#[derive(Debug, Default)]
pub(super) struct Hierarchy {
    /// The items of the kinds that are read, as stored.
    pub(super) items: Vec<Item>,
    /// Every kind with how many there are, in the order in which they appear.
    pub(super) counts: Vec<(ItemKind, usize)>,
    /// Kinds of items that could not be read, with the first error of each.
    pub(super) unread: Vec<(ItemKind, String)>,
    /// How many items could not be read.
    pub(super) unread_items: usize,
    /// Why the list ended early.
    pub(super) error: Option<Error>,
}

impl Hierarchy {
    /// Counts something that could not be read.
    pub(super) fn add_unread(&mut self, kind: ItemKind, error: &Error) {
        self.unread_items = self.unread_items.saturating_add(1);
        if !self.unread.iter().any(|(of, _)| *of == kind) {
            self.unread.push((kind, error.to_string()));
        }
    }
}

/// The highest type that is believed; there are 23.
const HIGHEST_TYPE: u32 = 0xFF;

/// What the readers of items need to know of their bank.
pub(super) struct ItemContext<'c> {
    /// How items are laid out.
    pub(super) layout: &'c Layout,
    /// Whether nodes end with a feedback bus.
    pub(super) has_feedback: bool,
}

/// Reads all items. One that cannot be read is scanned for the ids of `known` media; the list ends at the first item
/// that goes past its end.
pub(super) fn read(
    mut reader: Reader<'_>,
    context: &ItemContext<'_>,
    known: &HashSet<u32>,
    limits: &mut Limits,
) -> Hierarchy {
    let mut hierarchy = Hierarchy::default();
    if let Err(error) = read_items(&mut reader, context, known, limits, &mut hierarchy) {
        hierarchy.error = Some(error);
    }
    hierarchy
}

fn read_items(
    reader: &mut Reader<'_>,
    context: &ItemContext<'_>,
    known: &HashSet<u32>,
    limits: &mut Limits,
    hierarchy: &mut Hierarchy,
) -> Result<(), Error> {
    let count = reader.u32()?;
    // A cut file has fewer: they are read as far as they go.
    for _ in 0..count {
        let number = if context.layout.has_wide_types { reader.u32()? } else { reader.u8()?.into() };
        if number > HIGHEST_TYPE {
            return Err(reader.error(ErrorKind::Malformed("an item of a type that there is not")));
        }
        let kind = ItemKind::of(number);
        let size = reader.u32()?;
        let mut part = reader.part(usize::try_from(size).unwrap_or(usize::MAX), "Wwise item")?;
        let id = part.u32()?;
        match hierarchy.counts.iter_mut().find(|(of, _)| *of == kind) {
            Some((_, count)) => *count = count.saturating_add(1),
            None => hierarchy.counts.push((kind, 1)),
        }
        if matches!(kind, ItemKind::Other(_)) {
            continue;
        }
        let scanned = part.clone();
        let body = read_body(kind, &mut part, context).unwrap_or_else(|error| {
            hierarchy.add_unread(kind, &error);
            Body::Unread(scan::find_sources(&scanned, known))
        });
        let cost = (size_of::<Item>() as u64).saturating_add(body.heap());
        limits
            .take(cost, scanned.at(), "Wwise item")
            .map_err(|error| scanned.error(ErrorKind::OverLimit(error)))?;
        hierarchy.items.push(Item { id, size, body });
    }
    Ok(())
}

fn read_body(kind: ItemKind, reader: &mut Reader<'_>, context: &ItemContext<'_>) -> Result<Body, Error> {
    let length = reader.rest().len();
    let layout = context.layout;
    let body = match kind {
        ItemKind::Sound => {
            let source = source::read(reader, layout)?;
            let base = NodeBase::read(reader, context)?;
            if layout.node.has_sound_loops {
                // Loops of such sounds: the count, and by how much it varies.
                let loops = u32::from(reader.u16()?);
                reader.skip(4)?;
                Body::Sound(source, NodeBase { loops: Some(loops), ..base })
            } else {
                Body::Sound(source, base)
            }
        }
        ItemKind::Action => Body::Action(Action::read(reader, layout)?),
        ItemKind::Event => Body::Event(action::read_event(reader, layout)?),
        ItemKind::Playlist => {
            let base = NodeBase::read(reader, context)?;
            Body::Playlist(Playlist::read(reader, layout)?, base)
        }
        ItemKind::Switch => {
            let base = NodeBase::read(reader, context)?;
            Body::Switch(Switch::read(reader, layout)?, base)
        }
        ItemKind::Mixer => {
            let base = NodeBase::read(reader, context)?;
            Body::Mixer(read_ids(reader)?, base)
        }
        ItemKind::Blend => {
            let base = NodeBase::read(reader, context)?;
            Body::Blend(Blend::read(reader, layout)?, base)
        }
        ItemKind::Segment => {
            let (children, base) = music::read_segment(reader, context)?;
            Body::Segment(children, base)
        }
        ItemKind::Track => {
            let (track, base) = Track::read(reader, context)?;
            Body::Track(track, base)
        }
        ItemKind::MusicSwitch => {
            let (switch, base) = MusicSwitch::read(reader, context)?;
            Body::MusicSwitch(switch, base)
        }
        ItemKind::MusicPlaylist => {
            let (playlist, base) = MusicPlaylist::read(reader, context)?;
            Body::MusicPlaylist(playlist, base)
        }
        ItemKind::Dialogue => Body::Dialogue(tree::read_dialogue(reader, layout)?),
        ItemKind::Settings | ItemKind::Other(_) => {
            return Err(reader.error(ErrorKind::Malformed("a kind that is not read")));
        }
    };
    let left = reader.rest().len();
    if left > 0 {
        let read = length.saturating_sub(left) as u64;
        return Err(reader.error(ErrorKind::Size { stated: length as u64, read }));
    }
    Ok(body)
}

/// Reads ids with their count before them.
fn read_ids(reader: &mut Reader<'_>) -> Result<Vec<u32>, Error> {
    let count = reader.count(4)?;
    (0..count).map(|_| reader.u32()).collect()
}

/// Passes over entries with their count before them.
fn skip_entries(reader: &mut Reader<'_>, size: usize) -> Result<(), Error> {
    let count = reader.count(size)?;
    reader.skip(count.saturating_mul(size))
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub(super) x: f32,
    pub(super) y: f32,
}

/// Reads points: x, y and the shape of the line to the next.
fn read_points(reader: &mut Reader<'_>, count: usize) -> Result<Vec<Point>, Error> {
    (0..count)
        .map(|_| {
            let point = Point { x: reader.f32()?, y: reader.f32()? };
            reader.skip(4)?;
            Ok(point)
        })
        .collect()
}
