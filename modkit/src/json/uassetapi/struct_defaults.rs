//! The values that structs of a game have by default, which follow what all structs have.
//!
//! ```text
//! flags · [from 5.4 on, with tags: control] · properties of the struct itself
//! ```
//!
//! Source: *`UAssetAPI`*, `UserDefinedStructExport`; two structs of 5.7 measured.

use serde_json::{Value as Json, json};
use unreal::ue4to6::asset::AssetExport;
use unreal::{CLASS_DEFAULTS, EditableNames, Limits, Mappings, read_properties, write_properties};

use super::export::{Exports, Written};
use super::facts::has_struct_defaults;
use super::names::{CONTROL_EXTENSIONS, OPERATIONS};
use super::object::{NewObject, field, optional};
use super::scalar::{flags, read_number};
use super::{read, schema, write};
use crate::json::fault::Fault;

/// Memory in bytes that the values of a struct may take.
const VALUES: u64 = 1 << 26;

/// Keys of what comes before the values.
const CONTROL: [&str; 2] = ["SerializationControl2", "Operation2"];

impl Exports<'_> {
    /// Returns whether a struct has values, given its properties in a document: it has none that is not compiled.
    fn has_defaults(&self, object_flags: u32, data: &Json) -> bool {
        let is_status = |property: &&Json| property["Name"] == "Status";
        let status = data.as_array().and_then(|properties| properties.iter().find(is_status));
        let compiled = status.and_then(|status| status.get("EnumValue")).filter(|value| !value.is_null());
        has_struct_defaults(self.form, self.versions)
            && compiled.is_none_or(|status| status == "UDSS_UpToDate")
            && object_flags & CLASS_DEFAULTS == 0
    }

    /// Reads the values of a struct, which has these fields; returns them and what is left.
    pub(super) fn struct_defaults<'w>(
        &self,
        written: &Written<'w>,
        data: &Json,
        rest: &'w [u8],
        names: &EditableNames,
        fields: &NewObject,
    ) -> Option<(NewObject, &'w [u8])> {
        let mut own = NewObject::plain();
        let (mut number, mut control, mut values, mut left) = (0, Vec::new(), json!([]), rest);
        if self.has_defaults(written.export.flags, data) {
            let (first, after) = rest.split_first_chunk()?;
            number = u32::from_le_bytes(*first);
            if self.form.has_control() {
                let size = if *after.first()? & 2 != 0 { 2 } else { 1 };
                control = after.get(..size)?.to_vec();
            }
            let after = after.get(control.len()..)?;
            let end = written.export.offset.checked_add(written.export.size)?;
            let start = end.checked_sub(after.len() as u64)?;
            let name = &written.export.name[..];
            let extended = self.with_own_schema(written, fields);
            let mappings = extended.as_ref().or(self.form.mappings);
            let form = self.form.with_control(control.clone());
            let limits = &mut Limits::with_structures(VALUES);
            let read = read_properties(self.package?, start..end, (name, &form), mappings, limits);
            let (properties, at) = read.ok()?;
            let (mut again, class) = (names.clone(), (name, &form));
            let bytes = write_properties(&mut again, self.soft_paths, class, &properties, mappings).ok()?;
            let taken = usize::try_from(at.checked_sub(start)?).ok()?;
            if bytes.get(control.len()..)? != after.get(..taken)? {
                return None;
            }
            values = write::properties(self.form, &properties)?;
            left = after.get(taken..)?;
        }
        own.put("StructFlags", number).put("StructData", values);
        let byte = |place: usize| control.get(place).copied().unwrap_or_default().into();
        own.put("SerializationControl2", flags(byte(0), CONTROL_EXTENSIONS));
        own.put("Operation2", flags(byte(1), OPERATIONS));
        Some((own, left))
    }

    /// Returns mappings with the properties that the struct itself declares; none with tags.
    fn with_own_schema(&self, written: &Written<'_>, fields: &NewObject) -> Option<Mappings> {
        let mut extended = self.form.mappings.filter(|_| !self.form.is_tagged)?.clone();
        let mut row = NewObject::new("ExportTypes.UserDefinedStructExport");
        row.extend(fields.clone());
        row.put("ObjectName", written.export.name.clone());
        schema::add_classes(&mut extended, &[row.into_json()], self.classes);
        Some(extended)
    }

    /// Returns the bytes of the values of a struct.
    pub(super) fn written_struct_defaults(
        &self,
        export: &AssetExport,
        json: &Json,
        names: &mut EditableNames,
    ) -> Result<Vec<u8>, Fault> {
        if !self.has_defaults(export.flags, json.get("Data").unwrap_or(&Json::Null)) {
            return Ok(Vec::new());
        }
        let number: u32 = optional(json, "StructFlags", read_number)?;
        let form = self.form.with_control(self.read_control(json, CONTROL)?);
        let properties = field(json, "StructData", |data| read::properties(self.form, &export.name, data))?;
        let class = (&export.name[..], &form);
        let bytes = write_properties(names, self.soft_paths, class, &properties, self.form.mappings)
            .map_err(|error| Fault::new(error.to_string()).within(".StructData"))?;
        Ok([&number.to_le_bytes()[..], &bytes].concat())
    }
}
