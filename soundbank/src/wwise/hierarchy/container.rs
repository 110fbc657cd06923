use super::super::layout::{FlagCoding, Layout};
use super::node::skip_rtpc;
use super::{Point, read_ids, read_points, skip_entries};
use crate::reader::Reader;
use crate::{BranchKind, Error};

/// Plays its children at random or one after another.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::wwise) struct Playlist {
    /// How often it is played, 0 = for ever.
    pub(in crate::wwise) loops: u32,
    /// How many of the last that were drawn are not drawn again.
    pub(in crate::wwise) avoid_repeat: u16,
    /// Whether all are played before one is drawn again.
    pub(in crate::wwise) is_shuffle: bool,
    /// Whether children follow in order; else they are drawn.
    pub(in crate::wwise) is_sequence: bool,
    /// Whether each play goes on through all children; else it plays one.
    pub(in crate::wwise) is_continuous: bool,
    /// Children and their weights, in order.
    pub(in crate::wwise) entries: Vec<(u32, f32)>,
}

/// The weight that the tool writes unless another is set.
const DEFAULT_WEIGHT: f32 = 50_000.0;

impl Playlist {
    /// Reads what follows the base.
    pub(super) fn read(reader: &mut Reader<'_>, layout: &Layout) -> Result<Self, Error> {
        let loops = reader.u16()?;
        reader.skip(if layout.has_loop_range { 4 } else { 0 })?;
        reader.skip(12)?;
        let avoid_repeat = reader.u16()?;
        reader.skip(1)?;
        let is_shuffle = reader.u8()? == 1;
        let is_sequence = reader.u8()? == 1;
        let (uses_weights, is_continuous) = match layout.playlist_flags {
            FlagCoding::Bits => {
                let flags = reader.u8()?;
                (flags & 1 != 0, flags & 8 != 0)
            }
            FlagCoding::FiveBytes => {
                let uses_weights = reader.u8()? != 0;
                reader.skip(2)?;
                let is_continuous = reader.u8()? != 0;
                reader.skip(1)?;
                (uses_weights, is_continuous)
            }
        };
        let children = read_ids(reader)?;
        let count = usize::from(reader.u16()?);
        let count = reader.fitting(count as u64, if layout.has_narrow_weights { 5 } else { 8 })?;
        let mut entries = Vec::with_capacity(count);
        for _ in 0..count {
            let child = reader.u32()?;
            let weight = if layout.has_narrow_weights {
                f32::from(reader.u8()?)
            } else {
                reader.i32()?.max(0) as f32 / DEFAULT_WEIGHT
            };
            entries.push((child, if uses_weights { weight } else { 1.0 }));
        }
        if entries.is_empty() {
            entries = children.into_iter().map(|child| (child, 1.0)).collect();
        }
        Ok(Self { loops: loops.into(), avoid_repeat, is_shuffle, is_sequence, is_continuous, entries })
    }
}

/// Plays the children of the value that a switch or state has.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::wwise) struct Switch {
    /// What the value belongs to.
    pub(in crate::wwise) kind: BranchKind,
    /// The group.
    pub(in crate::wwise) group: u32,
    /// The value unless one is set.
    pub(in crate::wwise) default: u32,
    /// Values with their children.
    pub(in crate::wwise) branches: Vec<(u32, Vec<u32>)>,
}

/// Returns what a group is by its number.
pub(super) const fn group_kind(number: u32) -> BranchKind {
    if number == 1 { BranchKind::State } else { BranchKind::Switch }
}

impl Switch {
    /// Reads what follows the base.
    pub(super) fn read(reader: &mut Reader<'_>, layout: &Layout) -> Result<Self, Error> {
        let kind = group_kind(if layout.has_wide_group_type { reader.u32()? } else { reader.u8()?.into() });
        let (group, default) = (reader.u32()?, reader.u32()?);
        reader.skip(1)?;
        skip_entries(reader, 4)?;
        let count = reader.count(8)?;
        let mut branches = Vec::with_capacity(count);
        for _ in 0..count {
            branches.push((reader.u32()?, read_ids(reader)?));
        }
        skip_entries(reader, layout.switch_node_flags.saturating_add(12))?;
        Ok(Self { kind, group, default, branches })
    }
}

/// Plays all children, each as loud as curves say.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::wwise) struct Blend {
    /// The children.
    pub(in crate::wwise) children: Vec<u32>,
    /// Curves of children: the parameter, the child, the points.
    pub(in crate::wwise) curves: Vec<(u32, u32, Vec<Point>)>,
}

impl Blend {
    /// Reads what follows the base.
    pub(super) fn read(reader: &mut Reader<'_>, layout: &Layout) -> Result<Self, Error> {
        let children = read_ids(reader)?;
        let mut curves = Vec::new();
        for _ in 0..reader.count(14)? {
            reader.skip(4)?;
            skip_rtpc(reader, layout.node.rtpc)?;
            let parameter = reader.u32()?;
            reader.skip(usize::from(layout.has_parameter_types))?;
            for _ in 0..reader.count(8)? {
                let child = reader.u32()?;
                let points = reader.count(12)?;
                curves.push((parameter, child, read_points(reader, points)?));
            }
        }
        reader.skip(usize::from(layout.has_layer_flag))?;
        Ok(Self { children, curves })
    }
}
