use super::super::layout::{CountCoding, Layout};
use super::node::{Bundle, Ranges};
use crate::reader::Reader;
use crate::{Error, Varied};

/// What an event does to a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::wwise) struct Action {
    /// What it does: the high byte is the verb, the low one the scope.
    pub(in crate::wwise) verb: Verb,
    /// A node, or an event.
    pub(in crate::wwise) target: u32,
    /// Seconds before it happens.
    pub(in crate::wwise) delay: Varied,
    /// The chance that it happens, 0..=1.
    pub(in crate::wwise) chance: f32,
}

/// What an action does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::wwise) enum Verb {
    /// Plays a node, or goes on with it.
    Play,
    /// Plays an event.
    PlayEvent,
    /// Sets a state.
    SetState {
        /// The group.
        group: u32,
        /// The value.
        value: u32,
    },
    /// Sets a switch.
    SetSwitch {
        /// The group.
        group: u32,
        /// The value.
        value: u32,
    },
    /// Anything else: nothing of it sounds.
    Other,
}

impl Action {
    /// Reads an action.
    pub(super) fn read(reader: &mut Reader<'_>, layout: &Layout) -> Result<Self, Error> {
        let of = &layout.action;
        let kind = if of.is_old { reader.u32()? } else { reader.u16()?.into() };
        let target = reader.u32()?;
        reader.skip(usize::from(of.has_bus_flag))?;
        let mut action = Self { verb: Verb::Other, target, delay: Varied::default(), chance: 1.0 };
        if of.is_old {
            let times = [reader.i32()?, reader.i32()?, reader.i32()?];
            let [base, least, most] = times.map(seconds);
            action.delay = Varied { base, least: least.min(most), most: most.max(least) };
            let count = reader.count(1)?;
            let mut body = reader.part(count, "Wwise action")?;
            action.verb = match kind >> 12 {
                4 | 5 => Verb::Play,
                _ => match (kind >> 8) & 0xFF {
                    0x04 | 0x05 => Verb::Play,
                    0x12 => Verb::SetState { group: body.u32()?, value: body.u32()? },
                    0x19 => Verb::SetSwitch { group: body.u32()?, value: body.u32()? },
                    0x21 => Verb::PlayEvent,
                    _ => Verb::Other,
                },
            };
            return Ok(action);
        }
        let properties = Bundle::read(reader)?;
        let ranges = Ranges::read(reader)?;
        let id = layout.property.action_delay;
        let (least, most) = ranges.words(id).unwrap_or_default();
        // Times are integers; the word of one has no fraction.
        let base = properties.word(id).map_or(0.0, |word| seconds(word.cast_signed()));
        action.delay = Varied { base, least: seconds(least.min(most)), most: seconds(most.max(least)) };
        if let Some(percent) = properties.float(layout.property.action_chance) {
            action.chance = (percent / 100.0).clamp(0.0, 1.0);
        }
        action.verb = read_body(reader, kind, layout)?;
        Ok(action)
    }
}

fn read_body(reader: &mut Reader<'_>, kind: u32, layout: &Layout) -> Result<Verb, Error> {
    let of = &layout.action;
    let skip = match (kind >> 8) & 0xFF {
        0x04 | 0x05 => {
            reader.skip(if of.has_bank_type { 9 } else { 5 })?;
            return Ok(Verb::Play);
        }
        0x21 => return Ok(Verb::PlayEvent),
        0x12 => return Ok(Verb::SetState { group: reader.u32()?, value: reader.u32()? }),
        0x19 => return Ok(Verb::SetSwitch { group: reader.u32()?, value: reader.u32()? }),
        0x01 => 1_usize.saturating_add(usize::from(of.has_stop_flags)),
        0x02 | 0x03 => 2,
        0x06 | 0x07 | 0x22 => 1,
        0x08..=0x0F | 0x20 | 0x30 => 14,
        0x13 | 0x14 => 14_usize.saturating_add(usize::from(of.has_parameter_flag)),
        0x1E => 14,
        0x1B if of.has_triggers_1b && kind & 0xFE == 0 => return Ok(Verb::Other),
        0x1A | 0x1B => 2,
        0x31 | 0x32 => 7,
        0x1D | 0x40 => return Ok(Verb::Other),
        _ => {
            // Nothing of such an action sounds, whatever it has.
            let rest = reader.rest().len();
            reader.skip(rest)?;
            return Ok(Verb::Other);
        }
    };
    reader.skip(skip)?;
    let count = read_count(reader, layout.count, of.exception)?;
    reader.skip(count.saturating_mul(of.exception))?;
    Ok(Verb::Other)
}

/// Reads the ids of an event's actions.
pub(super) fn read_event(reader: &mut Reader<'_>, layout: &Layout) -> Result<Vec<u32>, Error> {
    reader.skip(if layout.has_event_limits { 7 } else { 0 })?;
    let count = read_count(reader, layout.count, 4)?;
    (0..count).map(|_| reader.u32()).collect()
}

fn read_count(reader: &mut Reader<'_>, coding: CountCoding, smallest: usize) -> Result<usize, Error> {
    match coding {
        CountCoding::Word => reader.count(smallest),
        CountCoding::Var => {
            let count = reader.var()?;
            reader.fitting(count.into(), smallest)
        }
    }
}

/// Milliseconds as seconds.
fn seconds(milliseconds: i32) -> f32 {
    milliseconds as f32 / 1000.0
}
