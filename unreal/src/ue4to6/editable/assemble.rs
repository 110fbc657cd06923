//! A package assembled from parts whose offsets are not known yet.

use super::{EditableHeader, EditablePackage, PackageBytes};
use crate::base::limits::Limits;
use crate::base::writer::{WriteError, narrow};
use crate::ue4to6::property::{Mappings, PropertyError};

impl EditablePackage {
    /// Assembles a package of files whose objects have no offsets yet: the parts follow one another, offsets, sizes,
    /// counts and generations are computed, and rows of data resources stay as they are. `mappings` say which numbers
    /// the values of enumerations have where there are no tags.
    ///
    /// # Errors
    /// [`PropertyError`] if a value is not of its type, has no number, the header cannot state something, or it takes
    /// more than the limits allow.
    pub fn assemble(
        mut self,
        mappings: Option<&Mappings>,
        limits: &mut Limits,
    ) -> Result<PackageBytes, PropertyError> {
        let mut names = self.header.names();
        let parts = self.written_parts(&mut names, mappings)?;
        let EditableHeader::Legacy(mut header) = self.header else {
            let what = "an assembled package, for it is not one of files";
            return Err(WriteError::Version { version: "of the package".to_owned(), what }.into());
        };
        let (mut objects, mut objects_end) = (Vec::new(), 0);
        for (export, values, bytes) in parts {
            let (offset, size) = (objects.len() as u64, bytes.len() as u64);
            limits.take(size, offset, "objects of a package").map_err(PropertyError::Read)?;
            objects.extend(bytes);
            let Some(export) = export.and_then(|export| header.package.exports.get_mut(export)) else {
                continue;
            };
            if export.script != [0, 0] && export.size != size {
                export.script = [0, values];
            }
            (export.offset, export.size) = (offset, size);
            objects_end = objects.len() as u64;
        }
        header.package.needed_names().for_each(|name| names.need(name));
        let (names, referenced) = names.finish();
        let count = narrow("names", names.iter().len() as u64)?;
        let has_new = names.iter().len() != header.package.names.iter().len();
        header.package.names = names;
        let exports = narrow("exports", header.package.exports.len() as u64)?;
        let summary = &mut header.package.summary;
        if has_new && summary.names_referenced > 0 {
            summary.names_referenced = narrow("names", referenced as u64)?;
        }
        summary.generations.iter_mut().for_each(|generation| *generation = [exports, count]);
        header.settle(objects_end)?;
        Ok(PackageBytes { header: header.write()?, objects })
    }
}
