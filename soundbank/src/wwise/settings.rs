use std::collections::HashMap;

use super::layout::{Layout, SettingsLayout, TextureCoding};
use crate::reader::Reader;
use crate::{BranchKind, Error, ErrorKind};

/// The global settings of a project, as its Init bank has them.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    /// Groups of states and switches with the values that the settings name.
    pub(super) groups: Vec<(BranchKind, u32, Vec<u32>)>,
    /// Game parameters with their defaults.
    pub(super) parameters: HashMap<u32, f32>,
}

impl Settings {
    /// Reads the settings as far as they can be read; the error says what came after.
    pub(super) fn read(reader: &mut Reader<'_>, layout: &Layout) -> (Self, Option<Error>) {
        let mut settings = Self::default();
        let error = settings.read_all(reader, layout.settings).err();
        (settings, error)
    }

    fn read_all(&mut self, reader: &mut Reader<'_>, layout: SettingsLayout) -> Result<(), Error> {
        let length = reader.rest().len();
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
            self.groups.push((BranchKind::State, group, values));
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
            self.groups.push((BranchKind::Switch, group, values));
        }
        for _ in 0..reader.count(8)? {
            let id = reader.u32()?;
            let default = reader.f32()?;
            reader.skip(if layout.has_types { 13 } else { 0 })?;
            if default.is_finite() {
                self.parameters.insert(id, default);
            }
        }
        let textures: &[usize] = match layout.textures {
            TextureCoding::Absent => &[],
            TextureCoding::WithReverberators => &[56, 40],
            TextureCoding::Alone => &[28],
        };
        for size in textures {
            let count = reader.count(*size)?;
            reader.skip(count.saturating_mul(*size))?;
        }
        let left = reader.rest().len();
        if left > 0 {
            let read = length.saturating_sub(left) as u64;
            return Err(reader.error(ErrorKind::Size { stated: length as u64, read }));
        }
        Ok(())
    }
}
