//! The properties of an object of a package of Unreal Engine 4 to 6.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::mappings::Mappings;
use super::value_reader::{ValueForm, ValueReader};
use super::value_writer::ValueWriter;
use super::{PropertyError, structs, tagged, unversioned};
use crate::base::error::{Error, ErrorKind, Malformed};
use crate::base::limits::Limits;
use crate::base::names::EditableNames;
use crate::base::property::{Property, PropertyType, Value};
use crate::ue4to6::package::{AssetPackage, CLASS_DEFAULTS, ClassPath};
use crate::ue4to6::version::AssetVersion;

/// Properties of an object, and where they are stored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObjectProperties {
    /// Properties, in file order.
    pub properties: Vec<Property>,
    /// Where the value of each lies, from the beginning of the package on.
    pub(crate) places: Vec<Range<u64>>,
    /// What comes before the first tag, from 5.4 on.
    pub(crate) control: Vec<u8>,
    /// The form of its values.
    pub(super) form: ValueForm,
    /// Where their values end.
    pub(crate) values_end: u64,
    /// Offset of the first byte after the properties, where the class's own data begins.
    pub end: u64,
}

/// The form that the properties of an object have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectForm {
    /// Whether they have tags.
    is_tagged: bool,
    /// What comes before the first tag, from 5.4 on.
    control: Vec<u8>,
    values: ValueForm,
}

impl ObjectForm {
    /// Returns the form that properties have that were read.
    pub(crate) fn of(read: &ObjectProperties, is_unversioned: bool) -> Self {
        Self { is_tagged: !is_unversioned, control: read.control.clone(), values: read.form }
    }

    /// Returns the form of properties in packages of a version. `control` comes before the first tag; from 5.4 on.
    #[must_use]
    pub const fn new(version: AssetVersion, is_tagged: bool, control: Vec<u8>) -> Self {
        Self { is_tagged, control, values: ValueForm::of(version) }
    }

    /// Returns the bytes before the first tag; from 5.4 on.
    #[must_use]
    pub fn control(&self) -> &[u8] {
        &self.control
    }

    /// Returns the forms that the same properties may have besides.
    pub(crate) fn others(&self) -> impl Iterator<Item = Self> + use<> {
        let plain = ValueForm { has_plain_ends: !self.values.has_plain_ends, ..self.values };
        let other = Self { values: plain, ..self.clone() };
        std::iter::once(other)
    }

    /// Returns the fields of a struct that is written as it lies in memory, and their types; none if it is written
    /// property by property.
    #[must_use]
    pub fn native_fields(&self, name: &str) -> Option<Vec<(&'static str, PropertyType)>> {
        structs::fields(name, self.values.has_large_coordinates)
    }

    /// Returns whether properties have tags, which state their types.
    #[must_use]
    pub const fn is_tagged(&self) -> bool {
        self.is_tagged
    }
}

/// Writes properties of objects.
pub(crate) struct PropertyWriter<'w> {
    pub(crate) names: &'w mut EditableNames,
    /// What says which numbers the values of enumerations have, where there are no tags.
    pub(crate) mappings: Option<&'w Mappings>,
    /// Paths that the package has in a table.
    pub(crate) soft_paths: &'w [String],
}

impl PropertyWriter<'_> {
    /// Returns the bytes of properties of a class, with what comes before and after them.
    ///
    /// # Errors
    /// If a value is not of its type, or cannot be stated.
    pub(crate) fn write(
        &mut self,
        class: &str,
        form: &ObjectForm,
        properties: &[Property],
    ) -> Result<Vec<u8>, PropertyError> {
        let mut bytes = form.control.clone();
        let mut writer = ValueWriter::new(self.names, form.values, self.mappings, self.soft_paths);
        bytes.extend(writer.apart(|writer| writer.properties(class, properties, form.is_tagged))?);
        Ok(bytes)
    }

    /// Returns the bytes of the rows of a data table, whose struct has that name.
    ///
    /// # Errors
    /// As [`PropertyWriter::write`].
    pub(crate) fn rows(
        &mut self,
        name: &str,
        form: &ObjectForm,
        rows: &[DataTableRow],
    ) -> Result<Vec<u8>, PropertyError> {
        let mut writer = ValueWriter::new(self.names, form.values, self.mappings, self.soft_paths);
        writer.apart(|writer| {
            writer.bytes.count("rows", rows.len())?;
            rows.iter().try_for_each(|row| {
                writer.name(&row.name)?;
                let written = writer.properties(name, &row.properties, form.is_tagged);
                written.map_err(|error| error.within(&row.name))
            })
        })
    }

    /// Returns the bytes of the value of a property.
    ///
    /// # Errors
    /// As [`PropertyWriter::write`].
    pub(crate) fn value(&mut self, form: &ObjectForm, property: &Property) -> Result<Vec<u8>, PropertyError> {
        let mut writer = ValueWriter::new(self.names, form.values, self.mappings, self.soft_paths);
        writer.apart(|writer| match form.is_tagged {
            true => tagged::write_value(writer, property),
            false => unversioned::write_value(writer, property),
        })
    }
}

impl ObjectProperties {
    /// Returns the value of a property; none if it is not stated, and so is that of the class.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.properties.iter().find(|property| property.is(name)).map(|property| &property.value)
    }
}

/// Reads the properties of an object, counted from 0. Without tags, mappings say what they are.
///
/// # Errors
/// If the object does not lie in its package, its properties end early or contradict themselves, its class is not in
/// the mappings, there are none but they are needed, or they take more than the limits allow.
pub fn read_object(
    package: &AssetPackage,
    export: usize,
    mappings: Option<&Mappings>,
    limits: &mut Limits,
) -> Result<ObjectProperties, Error> {
    let range = package.range(export)?;
    let (at, is_unversioned) = (range.start, package.is_unversioned());
    if is_unversioned && mappings.is_none() {
        return Err(Error::malformed(Malformed::NoMappings, at, "properties"));
    }
    let class =
        package.export(export).and_then(|export| export.class).map(ClassPath::name).unwrap_or_default();
    let is_default = package.export(export).is_some_and(|export| export.flags & CLASS_DEFAULTS != 0);
    let stated = ValueForm::of(package.version());
    // Packages in containers may state no version: what is there shows which forms it has.
    let other = if is_unversioned {
        ValueForm { has_split_paths: !stated.has_split_paths, ..stated }
    } else {
        ValueForm { has_complete_types: !stated.has_complete_types, ..stated }
    };
    let mut first = None;
    for form in [stated, other] {
        let mut spent = limits.clone();
        let mut reader = ValueReader::new(package.source(), range.clone(), package.names(), form, &mut spent);
        (reader.mappings, reader.soft_paths) = (mappings, package.soft_paths());
        let mut read = || -> Result<ObjectProperties, Error> {
            let (mut places, mut control) = (Vec::new(), Vec::new());
            let mut place = |place| places.push(place);
            let properties = if is_unversioned {
                control = read_zeros(&mut reader)?;
                unversioned::read(&mut reader, class, &mut place)?
            } else {
                if form.has_complete_types {
                    control = read_control(&mut reader)?;
                }
                tagged::read(&mut reader, &mut place)?
            };
            let (values_end, end) =
                if is_default { (reader.bytes.at(), reader.bytes.at()) } else { finish(&mut reader)? };
            let control = std::mem::take(&mut control);
            Ok(ObjectProperties { properties, places, control, form, values_end, end })
        };
        let read = read();
        // Objects may share their bytes, and values that come to nothing take nothing: what was gone through is paid
        // for.
        let gone_through = reader.bytes.at().saturating_sub(at);
        match read {
            Ok(object) => {
                *limits = spent;
                limits.take(gone_through, at, "properties")?;
                return Ok(object);
            }
            Err(error) if matches!(error.kind(), ErrorKind::OverLimit { .. } | ErrorKind::Io(_)) => {
                return Err(error);
            }
            Err(error) => _ = first.get_or_insert(error),
        }
        limits.take(gone_through, at, "properties")?;
    }
    Err(first.unwrap_or_else(|| Error::malformed(Malformed::NoFormFits, at, "properties")))
}

/// Reads the zeros that come before the properties of all objects in packages of some games of 5.4: a header without
/// tags does not begin so, for its first part would leave nothing out and have nothing.
///
/// Source: packages of two games of 5.4, and `UAssetAPI` (`HasLeadingFourNullBytes`).
fn read_zeros(reader: &mut ValueReader<'_, '_>) -> Result<Vec<u8>, Error> {
    let at = reader.bytes.at();
    if reader.bytes.left() > 4 && reader.bytes.u32()? == 0 {
        return Ok(vec![0; 4]);
    }
    reader.bytes.seek(at);
    Ok(Vec::new())
}

/// Reads what comes before tags from 5.4 on: whether some values override those of the template.
fn read_control(reader: &mut ValueReader<'_, '_>) -> Result<Vec<u8>, Error> {
    const OVERRIDES: u8 = 2;
    let (at, control) = (reader.bytes.at(), reader.bytes.u8()?);
    match control {
        0 => Ok(vec![control]),
        OVERRIDES => Ok(vec![control, reader.bytes.u8()?]),
        _ => Err(reader.bytes.error(at, Malformed::NoFormFits)),
    }
}

/// Reads what comes after the properties of an object: whether it has a GUID, and that. Returns where it begins and
/// ends.
fn finish(reader: &mut ValueReader<'_, '_>) -> Result<(u64, u64), Error> {
    let at = reader.bytes.at();
    match reader.bytes.u32()? {
        0 => {}
        1 => reader.bytes.skip(16)?,
        _ => return Err(reader.bytes.error(at, Malformed::NoFormFits)),
    }
    Ok((at, reader.bytes.at()))
}

/// Reads properties of a class or struct in a region of a package, without anything before them or after. Returns where
/// they end.
///
/// # Errors
/// If they end early or contradict themselves, or take more than the limits allow; without tags, if the class is not in
/// the mappings or there are none.
pub fn read_properties(
    package: &AssetPackage,
    range: Range<u64>,
    (class, form): (&str, &ObjectForm),
    mappings: Option<&Mappings>,
    limits: &mut Limits,
) -> Result<(Vec<Property>, u64), Error> {
    let mut reader = ValueReader::new(package.source(), range, package.names(), form.values, limits);
    (reader.mappings, reader.soft_paths) = (mappings, package.soft_paths());
    Ok((reader.properties(class, form.is_tagged)?, reader.bytes.at()))
}

/// Returns the bytes of properties of a class or struct, with what their form has before them. Names are added that are
/// new; `soft_paths` are those that the package has in a table.
///
/// # Errors
/// If a value is not of its type, or cannot be stated.
pub fn write_properties(
    names: &mut EditableNames,
    soft_paths: &[String],
    (class, form): (&str, &ObjectForm),
    properties: &[Property],
    mappings: Option<&Mappings>,
) -> Result<Vec<u8>, PropertyError> {
    PropertyWriter { names, mappings, soft_paths }.write(class, form, properties)
}

/// Reads the rows of a data table: their number, and of each its name and a struct. Returns where they end.
///
/// # Errors
/// As [`read_structs`].
pub(crate) fn read_rows(
    package: &AssetPackage,
    range: Range<u64>,
    (name, form): (&str, &ObjectForm),
    mappings: Option<&Mappings>,
    limits: &mut Limits,
) -> Result<(Vec<DataTableRow>, u64), Error> {
    let mut reader = ValueReader::new(package.source(), range, package.names(), form.values, limits);
    (reader.mappings, reader.soft_paths) = (mappings, package.soft_paths());
    let mut rows = Vec::new();
    // A name, and what says that there is nothing more.
    for _ in 0..reader.bytes.count(10)? {
        let row = reader.name()?;
        reader.pay(row.len())?;
        let properties = reader.properties(name, form.is_tagged)?;
        rows.push(DataTableRow { name: row, properties });
    }
    Ok((rows, reader.bytes.at()))
}

/// A row of a data table.
#[derive(Clone, Debug, PartialEq)]
pub struct DataTableRow {
    /// Name of the row.
    pub name: String,
    /// Properties of the row.
    pub properties: Vec<Property>,
}

/// Reads structs after their number, which end where a region does.
///
/// # Errors
/// If they do not, contradict themselves, cannot be read without mappings, or take more than the limits allow.
pub(crate) fn read_structs(
    package: &AssetPackage,
    range: Range<u64>,
    name: &str,
    mappings: Option<&Mappings>,
    limits: &mut Limits,
) -> Result<Vec<Vec<Property>>, Error> {
    let (end, is_tagged) = (range.end, !package.is_unversioned());
    let form = ValueForm::of(package.version());
    let mut reader = ValueReader::new(package.source(), range, package.names(), form, limits);
    (reader.mappings, reader.soft_paths) = (mappings, package.soft_paths());
    let Value::Array(values) = reader.list(1, |reader| reader.read_struct(name, is_tagged))? else {
        return Ok(Vec::new());
    };
    let at = reader.bytes.at();
    if at != end {
        return Err(reader.bytes.error(at, Malformed::NoFormFits));
    }
    let fields = |value| if let Value::Struct(fields) = value { Some(fields) } else { None };
    Ok(values.into_iter().filter_map(fields).collect())
}
