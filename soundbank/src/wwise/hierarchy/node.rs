use super::super::layout::{
    AuxCoding, Layout, PositionCoding, PropertyIds, RtpcLayout, RtpcProperty, StateCoding,
};
use super::{ItemContext, skip_entries};
use crate::reader::Reader;
use crate::{Error, Varied};

/// What all nodes that sound have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::wwise) struct NodeBase {
    /// The node that it is in; 0 = none.
    pub(in crate::wwise) parent: u32,
    /// Gain in dB, added to its parent's.
    pub(in crate::wwise) gain: Varied,
    /// Pitch in cents, added to its parent's.
    pub(in crate::wwise) pitch: Varied,
    /// Seconds before it begins.
    pub(in crate::wwise) delay: Varied,
    /// How often it is played, 0 = for ever; none = not stated.
    pub(in crate::wwise) loops: Option<u32>,
}

impl NodeBase {
    /// Reads the base of a node.
    pub(super) fn read(reader: &mut Reader<'_>, context: &ItemContext<'_>) -> Result<Self, Error> {
        let layout = &context.layout.node;
        read_effects(reader, context.layout)?;
        reader.skip(usize::from(layout.has_attachment))?;
        reader.skip(4)?;
        let parent = reader.u32()?;
        reader.skip(layout.priority)?;
        let mut base = if layout.has_bundles {
            let properties = Bundle::read(reader)?;
            let ranges = Ranges::read(reader)?;
            Self::of(&properties, &ranges, &context.layout.property)
        } else {
            read_fixed(reader, layout.has_integer_pitch)?
        };
        base.parent = parent;
        reader.skip(if layout.has_state_group { 4 } else { 0 })?;
        read_position(reader, context.layout)?;
        match layout.aux {
            AuxCoding::Absent => {}
            AuxCoding::Bytes => {
                reader.skip(3)?;
                let has = reader.u8()? != 0;
                reader.skip(if has { 16 } else { 0 })?;
            }
            AuxCoding::Bits | AuxCoding::BitsReflections => {
                let has = reader.u8()? & 8 != 0;
                reader.skip(if has { 16 } else { 0 })?;
                reader.skip(if layout.aux == AuxCoding::BitsReflections { 4 } else { 0 })?;
            }
        }
        let limits = layout.limits.ok_or_else(|| {
            reader
                .error(crate::ErrorKind::Unsupported("voice limits of so old a version are not known".into()))
        })?;
        reader.skip(limits)?;
        read_states(reader, layout.states)?;
        skip_rtpc(reader, layout.rtpc)?;
        if layout.can_feed_back && context.has_feedback {
            let bus = reader.u32()?;
            reader.skip(if layout.has_feedback_volumes && bus != 0 { 24 } else { 0 })?;
        }
        Ok(base)
    }

    fn of(properties: &Bundle<'_>, ranges: &Ranges<'_>, ids: &PropertyIds) -> Self {
        let varied = |id| {
            let (least, most) = ranges.get(id).unwrap_or_default();
            Varied { base: properties.float(id).unwrap_or_default(), least, most }
        };
        let (volume, makeup) = (varied(ids.volume), varied(ids.gain));
        let gain = Varied {
            base: volume.base + makeup.base,
            least: volume.least + makeup.least,
            most: volume.most + makeup.most,
        };
        Self {
            parent: 0,
            gain,
            pitch: varied(ids.pitch),
            delay: varied(ids.delay),
            loops: properties.word(ids.loops),
        }
    }
}

/// Properties by their numbers. Damaged numbers count as absent.
pub(super) struct Bundle<'b> {
    ids: &'b [u8],
    values: Reader<'b>,
}

impl<'b> Bundle<'b> {
    pub(super) fn read(reader: &mut Reader<'b>) -> Result<Self, Error> {
        let count = usize::from(reader.u8()?);
        let ids = reader.bytes(count)?;
        let values = reader.part(count.saturating_mul(4), "properties")?;
        Ok(Self { ids, values })
    }

    fn value(&self, id: u8) -> Option<Reader<'b>> {
        let index = self.ids.iter().position(|of| *of == id)?;
        let mut values = self.values.clone();
        values.skip(index.checked_mul(4)?).ok()?;
        Some(values)
    }

    pub(super) fn word(&self, id: u8) -> Option<u32> {
        self.value(id)?.u32().ok()
    }

    pub(super) fn float(&self, id: u8) -> Option<f32> {
        self.value(id)?.f32().ok().filter(|value| value.is_finite())
    }
}

/// Ranges of properties by their numbers.
pub(super) struct Ranges<'b> {
    ids: &'b [u8],
    values: Reader<'b>,
}

impl<'b> Ranges<'b> {
    pub(super) fn read(reader: &mut Reader<'b>) -> Result<Self, Error> {
        let count = usize::from(reader.u8()?);
        let ids = reader.bytes(count)?;
        let values = reader.part(count.saturating_mul(8), "ranges of properties")?;
        Ok(Self { ids, values })
    }

    fn value(&self, id: u8) -> Option<Reader<'b>> {
        let index = self.ids.iter().position(|of| *of == id)?;
        let mut values = self.values.clone();
        values.skip(index.checked_mul(8)?).ok()?;
        Some(values)
    }

    pub(super) fn get(&self, id: u8) -> Option<(f32, f32)> {
        let mut value = self.value(id)?;
        let (least, most) = (value.f32().ok()?, value.f32().ok()?);
        (least.is_finite() && most.is_finite()).then_some((least.min(most), most.max(least)))
    }

    pub(super) fn words(&self, id: u8) -> Option<(i32, i32)> {
        let mut value = self.value(id)?;
        Some((value.i32().ok()?, value.i32().ok()?))
    }
}

fn read_effects(reader: &mut Reader<'_>, layout: &Layout) -> Result<(), Error> {
    reader.skip(1)?;
    let count = usize::from(reader.u8()?);
    if count > 0 {
        reader.skip(1)?;
        reader.skip(count.saturating_mul(layout.node.effect))?;
    }
    if layout.node.has_metadata {
        reader.skip(1)?;
        let count = usize::from(reader.u8()?);
        reader.skip(count.saturating_mul(6))?;
    }
    Ok(())
}

/// Reads volume, LFE, pitch and low-pass, each with its range.
fn read_fixed(reader: &mut Reader<'_>, has_integer_pitch: bool) -> Result<NodeBase, Error> {
    let read = |reader: &mut Reader<'_>, is_integer: bool| -> Result<Varied, Error> {
        let mut values = [0.0; 3];
        for value in &mut values {
            let stored = if is_integer {
                // Cents; far within what a float holds exactly.
                reader.i32()?.clamp(-1_000_000, 1_000_000) as f32
            } else {
                reader.f32()?
            };
            *value = if stored.is_finite() { stored } else { 0.0 };
        }
        let [base, least, most] = values;
        Ok(Varied { base, least: least.min(most), most: most.max(least) })
    };
    let gain = read(reader, false)?;
    read(reader, false)?;
    let pitch = read(reader, has_integer_pitch)?;
    read(reader, has_integer_pitch)?;
    Ok(NodeBase { gain, pitch, ..NodeBase::default() })
}

fn read_position(reader: &mut Reader<'_>, layout: &Layout) -> Result<(), Error> {
    let coding = layout.node.position;
    let bits = reader.u8()?;
    if bits & 1 == 0 {
        return Ok(());
    }
    let bit = |number: u32| bits.checked_shr(number).unwrap_or_default() & 1 != 0;
    let is_3d = match coding {
        PositionCoding::Panned | PositionCoding::ThreeOrTwo => {
            reader.skip(if coding == PositionCoding::Panned { 12 } else { 0 })?;
            let is_3d = reader.u8()? != 0;
            reader.skip(usize::from(!is_3d))?;
            is_3d
        }
        PositionCoding::ThreeAndTwo => {
            let is_2d = reader.u8()? != 0;
            let is_3d = reader.u8()? != 0;
            reader.skip(usize::from(is_2d))?;
            is_3d
        }
        PositionCoding::Bit3 => bit(3),
        PositionCoding::Bit4 | PositionCoding::Bit4Path6 => bit(4),
        PositionCoding::Bit1 => bit(1),
    };
    if !is_3d {
        return Ok(());
    }
    let has_path = match coding {
        PositionCoding::Panned | PositionCoding::ThreeOrTwo | PositionCoding::ThreeAndTwo => {
            let kind = reader.u32()?;
            reader.skip(5)?;
            if coding == PositionCoding::ThreeAndTwo {
                let has_path = kind & 3 != 1;
                reader.skip(usize::from(!has_path))?;
                has_path
            } else {
                reader.skip(usize::from(kind == 3))?;
                kind == 2
            }
        }
        PositionCoding::Bit3 | PositionCoding::Bit4 | PositionCoding::Bit4Path6 => {
            let kind = reader.u8()?;
            reader.skip(4)?;
            match coding {
                PositionCoding::Bit3 => kind & 3 != 1,
                PositionCoding::Bit4 => (kind >> 4) & 1 != 1,
                _ => (kind >> 6) & 1 != 1,
            }
        }
        PositionCoding::Bit1 => {
            reader.skip(1)?;
            (bits >> 5) & 3 != 0
        }
    };
    if !has_path {
        return Ok(());
    }
    let is_old =
        matches!(coding, PositionCoding::Panned | PositionCoding::ThreeOrTwo | PositionCoding::ThreeAndTwo);
    match (is_old, layout.node.has_path_ranges) {
        (true, true) => reader.skip(10)?,
        (true, false) => reader.skip(9)?,
        (false, _) => reader.skip(5)?,
    }
    skip_entries(reader, 16)?;
    let range = match (is_old, layout.node.has_path_ranges) {
        (true, true) => 8,
        (true, false) => 0,
        (false, _) => 12,
    };
    let count = reader.count(8)?;
    reader.skip(count.saturating_mul(8))?;
    reader.skip(count.saturating_mul(range))
}

fn read_states(reader: &mut Reader<'_>, coding: StateCoding) -> Result<(), Error> {
    match coding {
        StateCoding::OneGroup => {
            reader.skip(1)?;
            let count = usize::from(reader.u16()?);
            reader.skip(count.saturating_mul(9))
        }
        StateCoding::Groups => {
            for _ in 0..reader.count(7)? {
                reader.skip(5)?;
                let count = usize::from(reader.u16()?);
                reader.skip(count.saturating_mul(8))?;
            }
            Ok(())
        }
        StateCoding::Properties { has_decibels, has_group_word, is_inline } => {
            for _ in 0..reader.var()? {
                reader.var()?;
                reader.skip(if has_decibels { 2 } else { 1 })?;
            }
            for _ in 0..reader.var()? {
                reader.skip(if has_group_word { 9 } else { 5 })?;
                for _ in 0..reader.var()? {
                    reader.skip(4)?;
                    if is_inline {
                        let count = usize::from(reader.u16()?);
                        reader.skip(count.saturating_mul(6))?;
                    } else {
                        reader.skip(4)?;
                    }
                }
            }
            Ok(())
        }
    }
}

/// Passes over curves of game parameters.
pub(super) fn skip_rtpc(reader: &mut Reader<'_>, layout: RtpcLayout) -> Result<(), Error> {
    for _ in 0..reader.u16()? {
        reader.skip(4)?;
        reader.skip(if layout.has_type { 2 } else { 0 })?;
        match layout.property {
            RtpcProperty::Word => reader.skip(4)?,
            RtpcProperty::Byte => reader.skip(1)?,
            RtpcProperty::Var => reader.var().map(|_| ())?,
        }
        reader.skip(5)?;
        let points = usize::from(reader.u16()?);
        reader.skip(points.saturating_mul(12))?;
    }
    Ok(())
}
