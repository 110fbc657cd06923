use super::super::layout::{Layout, TextCoding, TrackFlags};
use super::container::group_kind;
use super::tree::{Group, Tree};
use super::{ItemContext, NodeBase, SoundSource, read_ids, skip_entries, source};
use crate::Error;
use crate::reader::Reader;

/// A music track.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::wwise) struct Track {
    /// Its recordings.
    pub(in crate::wwise) sources: Vec<SoundSource>,
    /// What is played when.
    pub(in crate::wwise) clips: Vec<Clip>,
    /// Which of its sub-tracks sound.
    pub(in crate::wwise) kind: TrackKind,
}

/// Which sub-tracks of a track sound.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::wwise) enum TrackKind {
    /// All of them.
    Normal,
    /// One of them, drawn.
    Random,
    /// One after another, one each time.
    Sequence,
    /// The one of a value; the values are in the order of the sub-tracks.
    Switch {
        /// What the value belongs to.
        group: Group,
        /// The value unless one is set.
        default: u32,
        /// The values.
        values: Vec<u32>,
    },
}

/// A recording on a track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::wwise) struct Clip {
    /// The sub-track.
    pub(in crate::wwise) sub_track: u32,
    /// The media; 0 if the clip starts an event.
    pub(in crate::wwise) media: u32,
    /// Milliseconds from the start of the segment to where the recording would begin if nothing were trimmed.
    pub(in crate::wwise) play_at: f64,
    /// Milliseconds that are left out of the recording's start.
    pub(in crate::wwise) trim_begin: f64,
    /// Milliseconds that are added to the recording's end; less than 0 if some are left out.
    pub(in crate::wwise) trim_end: f64,
    /// Milliseconds that the recording takes.
    pub(in crate::wwise) duration: f64,
}

impl Track {
    /// Reads a track.
    pub(super) fn read(
        reader: &mut Reader<'_>,
        context: &ItemContext<'_>,
    ) -> Result<(Self, NodeBase), Error> {
        let layout = &context.layout.music;
        reader.skip(usize::from(layout.track_flags == TrackFlags::First))?;
        let count = reader.count(13)?;
        let mut sources = Vec::with_capacity(count);
        for _ in 0..count {
            sources.push(source::read(reader, context.layout)?);
        }
        reader.skip(usize::from(layout.track_flags == TrackFlags::AfterSources))?;
        let ids = 2_usize.saturating_add(usize::from(layout.has_clip_cache));
        let ids = ids.saturating_add(usize::from(layout.has_clip_event));
        let count = reader.count(ids.saturating_mul(4).saturating_add(32))?;
        let mut clips = Vec::with_capacity(count);
        for _ in 0..count {
            let (sub_track, media) = (reader.u32()?, reader.u32()?);
            reader.skip(ids.saturating_sub(2).saturating_mul(4))?;
            let times = [reader.f64()?, reader.f64()?, reader.f64()?, reader.f64()?];
            let finite = |time: f64| if time.is_finite() { time } else { 0.0 };
            let [play_at, trim_begin, trim_end, duration] = times.map(finite);
            clips.push(Clip { sub_track, media, play_at, trim_begin, trim_end, duration });
        }
        reader.skip(if count > 0 { 4 } else { 0 })?;
        if layout.has_automation {
            for _ in 0..reader.count(12)? {
                reader.skip(8)?;
                skip_entries(reader, 12)?;
            }
        }
        let base = NodeBase::read(reader, context)?;
        reader.skip(if layout.has_track_loops { 6 } else { 0 })?;
        let kind = if layout.has_wide_track_type { reader.u32()? } else { reader.u8()?.into() };
        let kind = match kind {
            1 => TrackKind::Random,
            2 => TrackKind::Sequence,
            3 => {
                let group = group_kind(reader.u8()?.into());
                let group = Group { kind: group, id: reader.u32()? };
                let default = reader.u32()?;
                let values = read_ids(reader)?;
                reader.skip(32)?;
                TrackKind::Switch { group, default, values }
            }
            _ => TrackKind::Normal,
        };
        reader.skip(4)?;
        Ok((Self { sources, clips, kind }, base))
    }
}

/// Reads what all music nodes have in common: their children.
fn read_node(reader: &mut Reader<'_>, context: &ItemContext<'_>) -> Result<(Vec<u32>, NodeBase), Error> {
    let layout = &context.layout.music;
    reader.skip(usize::from(layout.has_flags))?;
    let base = NodeBase::read(reader, context)?;
    let children = read_ids(reader)?;
    // Grid, offset, tempo, beats, beat value, override.
    reader.skip(23)?;
    skip_entries(reader, layout.stinger)?;
    Ok((children, base))
}

/// Reads a segment: the ids of its tracks.
pub(super) fn read_segment(
    reader: &mut Reader<'_>,
    context: &ItemContext<'_>,
) -> Result<(Vec<u32>, NodeBase), Error> {
    let node = read_node(reader, context)?;
    reader.skip(8)?;
    for _ in 0..reader.count(12)? {
        reader.skip(12)?;
        skip_text(reader, context.layout.text)?;
    }
    Ok(node)
}

fn skip_text(reader: &mut Reader<'_>, coding: TextCoding) -> Result<(), Error> {
    match coding {
        TextCoding::Absent => Ok(()),
        TextCoding::LengthFirst => {
            let length = reader.count(1)?;
            reader.skip(length)
        }
        TextCoding::UntilZero => {
            let length = reader.rest().iter().position(|byte| *byte == 0).unwrap_or(reader.rest().len());
            reader.skip(length.saturating_add(1))
        }
    }
}

/// Reads a music node with its rules of transition.
fn read_transitions(reader: &mut Reader<'_>, context: &ItemContext<'_>) -> Result<NodeBase, Error> {
    let (_, base) = read_node(reader, context)?;
    let layout = &context.layout.music;
    for _ in 0..reader.count(8)? {
        for _ in 0..2 {
            if layout.has_rule_lists { skip_entries(reader, 4)? } else { reader.skip(4)? }
        }
        reader.skip(layout.rule_source)?;
        reader.skip(layout.rule_destination)?;
        let has_object = reader.u8()? != 0;
        reader.skip(if has_object || layout.has_rule_object { 30 } else { 0 })?;
    }
    Ok(base)
}

/// A music switch container.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::wwise) struct MusicSwitch {
    /// What values lead to.
    pub(in crate::wwise) choice: MusicChoice,
}

/// How a music switch container chooses.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::wwise) enum MusicChoice {
    /// By a tree.
    Tree(Tree),
    /// By one group.
    List {
        /// The group.
        group: Group,
        /// The value unless one is set.
        default: u32,
        /// Values with their nodes.
        branches: Vec<(u32, u32)>,
    },
}

impl MusicSwitch {
    /// Reads a music switch container.
    pub(super) fn read(
        reader: &mut Reader<'_>,
        context: &ItemContext<'_>,
    ) -> Result<(Self, NodeBase), Error> {
        let base = read_transitions(reader, context)?;
        if context.layout.music.has_switch_tree {
            reader.skip(1)?;
            return Ok((Self { choice: MusicChoice::Tree(Tree::read(reader, context.layout)?) }, base));
        }
        let kind = group_kind(reader.u32()?);
        let group = Group { kind, id: reader.u32()? };
        let default = reader.u32()?;
        reader.skip(1)?;
        let count = reader.count(8)?;
        let branches =
            (0..count).map(|_| Ok((reader.u32()?, reader.u32()?))).collect::<Result<_, Error>>()?;
        Ok((Self { choice: MusicChoice::List { group, default, branches } }, base))
    }
}

/// A music playlist container: its items in depth-first order, the root first.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::wwise) struct MusicPlaylist {
    /// The items.
    pub(in crate::wwise) items: Vec<PlaylistItem>,
}

/// An item of a music playlist.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::wwise) struct PlaylistItem {
    /// The segment; 0 of a group.
    pub(in crate::wwise) segment: u32,
    /// How many of the items that follow are its children, not counting theirs.
    pub(in crate::wwise) children: u32,
    /// How a group plays its children.
    pub(in crate::wwise) kind: PlaylistKind,
    /// How often it is played, 0 = for ever.
    pub(in crate::wwise) loops: u32,
    /// Relative weight.
    pub(in crate::wwise) weight: f32,
    /// How many of the last that were drawn are not drawn again.
    pub(in crate::wwise) avoid_repeat: u16,
    /// Whether all are played before one is drawn again.
    pub(in crate::wwise) is_shuffle: bool,
}

/// How a group of a playlist plays its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::wwise) enum PlaylistKind {
    ContinuousSequence,
    StepSequence,
    ContinuousRandom,
    StepRandom,
}

/// The weight that the tool writes unless another is set.
const DEFAULT_WEIGHT: f32 = 50_000.0;

impl MusicPlaylist {
    /// Reads a music playlist container.
    pub(super) fn read(
        reader: &mut Reader<'_>,
        context: &ItemContext<'_>,
    ) -> Result<(Self, NodeBase), Error> {
        let base = read_transitions(reader, context)?;
        let count = reader.count(24)?;
        let items =
            (0..count).map(|_| PlaylistItem::read(reader, context.layout)).collect::<Result<_, _>>()?;
        Ok((Self { items }, base))
    }
}

impl PlaylistItem {
    fn read(reader: &mut Reader<'_>, layout: &Layout) -> Result<Self, Error> {
        let segment = reader.u32()?;
        reader.skip(4)?;
        let children = reader.u32()?;
        let kind = match reader.u32()? {
            1 => PlaylistKind::StepSequence,
            2 => PlaylistKind::ContinuousRandom,
            3 => PlaylistKind::StepRandom,
            _ => PlaylistKind::ContinuousSequence,
        };
        let loops = u32::try_from(reader.i16()?).unwrap_or_default();
        reader.skip(if layout.music.has_playlist_ranges { 4 } else { 0 })?;
        let weight = match layout.music.playlist_weight {
            2 => f32::from(reader.u16()?),
            _ => reader.u32()? as f32,
        };
        let avoid_repeat = reader.u16()?;
        let uses_weight = reader.u8()? != 0;
        let is_shuffle = reader.u8()? != 0;
        let weight = if uses_weight { weight / DEFAULT_WEIGHT } else { 1.0 };
        Ok(Self { segment, children, kind, loops, weight, avoid_repeat, is_shuffle })
    }
}
