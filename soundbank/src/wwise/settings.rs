use std::collections::HashMap;

use super::layout::Layout;
use crate::reader::Reader;
use crate::{BranchKind, Error};

/// The global settings of a project, as its Init bank has them.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    /// Groups of states and switches with the values that the settings name.
    pub(super) groups: Vec<(BranchKind, u32, Vec<u32>)>,
    /// Game parameters with their defaults.
    pub(super) parameters: HashMap<u32, f32>,
}

impl Settings {
    /// Reads the settings, which textures of rooms follow: these are passed over.
    pub(super) fn read(reader: &mut Reader<'_>, layout: &Layout) -> Result<Self, Error> {
        let mut settings = Self::default();
        let layout = layout.settings;
        reader.skip(layout.head)?;
        for _ in 0..reader.count(12)? {
            let group = reader.u32()?;
            reader.skip(4)?;
            let mut values = Vec::new();
            for _ in 0..reader.count(12)? {
                values.extend([reader.u32()?, reader.u32()?]);
                reader.skip(4)?;
            }
            values.sort_unstable();
            values.dedup();
            settings.groups.push((BranchKind::State, group, values));
        }
        for _ in 0..reader.count(12)? {
            let group = reader.u32()?;
            reader.skip(if layout.has_types { 5 } else { 4 })?;
            let mut values = Vec::new();
            for _ in 0..reader.count(12)? {
                // Where the parameter changes the switch, and the switch.
                reader.skip(4)?;
                values.push(reader.u32()?);
                reader.skip(4)?;
            }
            settings.groups.push((BranchKind::Switch, group, values));
        }
        for _ in 0..reader.count(8)? {
            let id = reader.u32()?;
            let default = reader.f32()?;
            reader.skip(if layout.has_types { 13 } else { 0 })?;
            if default.is_finite() {
                settings.parameters.insert(id, default);
            }
        }
        Ok(settings)
    }
}
