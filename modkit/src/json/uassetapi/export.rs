//! Exports in documents.

use serde_json::{Value as Json, json};
use unreal::ue4to6::asset::{AssetExport, ExportDependencies};
use unreal::{
    AssetPackage, CLASS_DEFAULTS, CustomVersion, DataTable, EditableNames, EditableObject, ObjectForm,
    ObjectRef, Value,
};

use super::class::{BOUNDS, COMPONENT, EARLY_LEVEL, ExportClass};
use super::facts::{alternatives, facts};
use super::form::{Form, UassetApi};
use super::layout::{BytesReader, BytesWriter, Facts, Kind};
use super::names::{CONTROL_EXTENSIONS, OBJECT_FLAGS, OPERATIONS, PACKAGE_FLAGS};
use super::object::{NewObject, class_of, field, list, optional};
use super::scalar::{
    bytes, flags, guid, name, read_bool, read_bytes, read_flags, read_guid, read_name, read_number, read_text,
};
use super::{field_type, read, write};
use crate::json::fault::Fault;

/// Names of the lists of dependencies, in the order of the file.
const DEPENDENCIES: [&str; 4] = [
    "SerializationBeforeSerializationDependencies",
    "CreateBeforeSerializationDependencies",
    "SerializationBeforeCreateDependencies",
    "CreateBeforeCreateDependencies",
];

/// What exports of a package have in common.
#[derive(Debug)]
pub(super) struct Exports<'e> {
    pub(super) form: &'e Form<'e>,
    /// Versions of parts of the engine, stated or not.
    pub(super) versions: &'e [CustomVersion],
    /// Flags of the package.
    pub(super) flags: u32,
    /// Paths that the package has in a table.
    pub(super) soft_paths: &'e [String],
    /// Names of imports and exports.
    pub(super) classes: &'e Classes<'e>,
    /// The package, if it is written as a document.
    pub(super) package: Option<&'e AssetPackage>,
}

/// An export that is written: its table row and what it is.
pub(super) struct Written<'w> {
    pub(super) export: &'w AssetExport,
    pub(super) dependencies: &'w ExportDependencies,
    pub(super) object: &'w EditableObject,
    /// The bytes of the object.
    pub(super) data: &'w [u8],
    /// Bytes after it that belong to no object.
    pub(super) gap: &'w [u8],
}

impl Exports<'_> {
    fn facts(&self) -> Facts {
        facts(self.form, self.versions, self.flags)
    }

    /// Returns an export, and whether it is written as raw bytes though its properties are known.
    pub(super) fn to_json(&self, written: &Written<'_>, names: &EditableNames) -> (Json, bool) {
        let taken_apart = self.taken_apart(written, names).map(NewObject::into_json);
        let is_raw = taken_apart.is_none();
        (
            taken_apart.unwrap_or_else(|| self.raw(written).into_json()),
            is_raw && written.object.form.is_some(),
        )
    }

    fn raw(&self, written: &Written<'_>) -> NewObject {
        let mut object = NewObject::new("ExportTypes.RawExport");
        object.put("Data", bytes(written.data));
        self.tail(&mut object, written, &[]);
        object
    }

    /// Returns an export with its properties; none if they are not known, or reading them back would give something
    /// else.
    fn taken_apart(&self, written: &Written<'_>, names: &EditableNames) -> Option<NewObject> {
        let EditableObject { form, class, properties, table, bytes: rest, .. } = written.object;
        let form = form.as_ref()?;
        let data = write::properties(self.form, properties)?;
        let class = ExportClass::of_objects(class);
        let mut object = NewObject::new(&format!("ExportTypes.{}", class.name()));
        let table_before = table.as_ref().map(|table| &table.before[..]);
        let mut rest = table_before.unwrap_or(rest);
        let identifier =
            if written.export.flags & CLASS_DEFAULTS == 0 { Some(take_guid(&mut rest)?) } else { None };
        match (class, table) {
            (ExportClass::DataTable, Some(table)) => {
                let rows = table.rows.iter();
                let rows =
                    rows.map(|row| write::row(self.form, &table.row_struct, &row.name, &row.properties));
                let mut rows_of = NewObject::new("ExportTypes.UDataTable");
                rows_of.put("Data", rows.collect::<Option<Json>>()?);
                object.put("Table", rows_of.into_json());
                rest = &written.object.bytes;
            }
            (ExportClass::DataTable, None) => return None,
            _ => {
                let mut fields = NewObject::plain();
                rest = self.class_fields(class, written, rest, names, &mut fields)?;
                if class == ExportClass::UserDefinedStruct {
                    let (defaults, left) = self.struct_defaults(written, &data, rest, names, &fields)?;
                    object.extend(defaults);
                    rest = left;
                }
                object.extend(fields);
            }
        }
        object.put("Data", data);
        object.put("ObjectGuid", identifier.flatten().as_ref().map_or(Json::Null, guid));
        let has_zeros = !self.form.is_tagged && !form.control().is_empty();
        let (extension, operation) = match form.control() {
            _ if has_zeros => (0, 0),
            [] => (0, 0),
            [extension] => (*extension, 0),
            [extension, operation, ..] => (*extension, *operation),
        };
        object.put("SerializationControl", flags(extension.into(), CONTROL_EXTENSIONS));
        object.put("Operation", flags(operation.into(), OPERATIONS));
        if self.form.api == UassetApi::V1_1 {
            object.put("HasLeadingFourNullBytes", has_zeros);
        }
        let rest = [rest, written.gap].concat();
        self.tail(&mut object, written, &rest);
        Some(object)
    }

    /// Reads what a class writes after its properties into an object; returns what is left.
    fn class_fields<'w>(
        &self,
        class: ExportClass,
        written: &Written<'w>,
        rest: &'w [u8],
        names: &EditableNames,
        object: &mut NewObject,
    ) -> Option<&'w [u8]> {
        let object_class = &written.object.class;
        for facts in alternatives(self.facts()) {
            let mut reader = BytesReader { bytes: rest, names, facts, depth: 0 };
            let mut own = NewObject::plain();
            let read = match class {
                ExportClass::Property => field_type::read_object(&mut reader, object_class)
                    .map(|property| _ = own.put("Property", property)),
                class => (|| {
                    let mut lists = Vec::new();
                    for fields in class.fields() {
                        let mut part = NewObject::plain();
                        reader.fields(fields, &mut part)?;
                        lists.push(part);
                    }
                    // Those of the class itself come first in a document.
                    lists.into_iter().rev().for_each(|part| _ = own.extend(part));
                    Some(())
                })(),
            };
            if read.is_none() {
                continue;
            }
            let left = reader.bytes;
            let json = own.clone().into_json();
            let mut again = names.clone();
            let mut writer = BytesWriter { bytes: Vec::new(), names: &mut again, facts: self.facts() };
            let is_same = self.write_class(class, object_class, &json, &mut writer).is_ok()
                && rest.strip_suffix(left).is_some_and(|taken| taken == writer.bytes);
            if is_same {
                object.extend(own);
                return Some(left);
            }
        }
        None
    }

    /// Writes what a class has after its properties.
    fn write_class(
        &self,
        class: ExportClass,
        object_class: &str,
        json: &Json,
        writer: &mut BytesWriter<'_>,
    ) -> Result<(), Fault> {
        match class {
            ExportClass::Property => {
                field(json, "Property", |property| field_type::write_object(writer, object_class, property))
            }
            ExportClass::ActorComponent | ExportClass::SceneComponent => {
                if json.get("UCSModifiedProperties").is_some_and(Json::is_array) {
                    writer.fields(COMPONENT, json)?;
                }
                if class == ExportClass::SceneComponent && computes_bounds(json) {
                    let is_cooked = optional(json, "bIsCooked", read_bool)?;
                    writer.value(&Kind::WideBool, &json!(is_cooked))?;
                    if is_cooked {
                        writer.fields(BOUNDS, json)?;
                    }
                }
                Ok(())
            }
            ExportClass::Level if json.get("LevelType").is_some() => writer.fields(EARLY_LEVEL, json),
            class => class.fields().iter().try_for_each(|fields| writer.fields(fields, json)),
        }
    }

    /// Adds the keys that all exports have.
    fn tail(&self, object: &mut NewObject, written: &Written<'_>, rest: &[u8]) {
        let export = written.export;
        object.put("ObjectName", name(&export.name));
        object.put("OuterIndex", export.outer.number()).put("ClassIndex", export.class.number());
        object.put("SuperIndex", export.super_object.number()).put("TemplateIndex", export.template.number());
        object.put("ObjectFlags", flags(export.flags.into(), OBJECT_FLAGS));
        object.put("SerialSize", export.size).put("SerialOffset", export.offset);
        let [start, end] = export.script;
        object.put("ScriptSerializationStartOffset", start).put("ScriptSerializationEndOffset", end);
        object.put("bForcedExport", export.forced != 0).put("bNotForClient", export.not_for_client != 0);
        object.put("bNotForServer", export.not_for_server != 0).put("PackageGuid", guid(&export.guid));
        object.put("IsInheritedInstance", export.inherited != 0);
        object.put("PackageFlags", flags(export.package_flags.into(), PACKAGE_FLAGS));
        object.put("bNotAlwaysLoadedForEditorGame", export.not_for_editor_game != 0);
        object.put("bIsAsset", export.is_asset != 0).put("GeneratePublicHash", export.public_hash != 0);
        for (key, list) in DEPENDENCIES.iter().zip(&written.dependencies.lists) {
            object.put(key, list.clone());
        }
        object.put("Extras", bytes(rest));
    }

    /// Reads an export.
    ///
    /// # Errors
    /// [`Fault`] if it is of a class that is not read, or a value is missing or not of its type.
    pub(super) fn read(
        &self,
        number: usize,
        json: &Json,
        names: &mut EditableNames,
    ) -> Result<(AssetExport, ExportDependencies, EditableObject), Fault> {
        let export = self.row(json)?;
        let mut dependencies = ExportDependencies::default();
        for (list_of, key) in dependencies.lists.iter_mut().zip(DEPENDENCIES) {
            *list_of = optional(json, key, |numbers| list(numbers, read_number))?;
        }
        let stated = class_of(json).unwrap_or_default();
        let class = ExportClass::named(stated).ok_or_else(|| {
            Fault::new(format!("exports of the class {stated:?} are not read")).within(".$type")
        })?;
        let object_class = self.classes.name(export.class);
        let mut object = EditableObject {
            export: number,
            class: object_class.clone(),
            form: None,
            properties: Vec::new(),
            table: None,
            bytes: Vec::new(),
        };
        if class == ExportClass::Raw {
            object.bytes = field(json, "Data", read_bytes)?;
            return Ok((export, dependencies, object));
        }
        object.form =
            Some(ObjectForm::new(self.form.version, self.form.is_tagged, self.control(class, json)?));
        object.properties = field(json, "Data", |data| read::properties(self.form, &object_class, data))?;
        let mut after = Vec::new();
        match json.get("ObjectGuid") {
            // Later versions of `UAssetAPI` know what is after the properties.
            Some(identifier) if export.flags & CLASS_DEFAULTS == 0 => match identifier {
                Json::Null => after.extend([0; 4]),
                identifier => {
                    after.extend(1_u32.to_le_bytes());
                    after.extend(read_guid(identifier).map_err(|fault| fault.within(".ObjectGuid"))?);
                }
            },
            Some(_) => {}
            None if class != ExportClass::Normal => after.extend([0; 4]),
            None => {}
        }
        let extras = optional(json, "Extras", read_bytes)?;
        if class == ExportClass::DataTable {
            let row_struct = self.classes.row_struct(&object);
            let rows = field(json, "Table", |table| {
                field(table, "Data", |rows| read::rows(self.form, &row_struct, rows))
            })?;
            object.table = Some(DataTable { before: after, row_struct, rows });
            object.bytes = extras;
            return Ok((export, dependencies, object));
        }
        let mut writer = BytesWriter { bytes: after, names, facts: self.facts() };
        self.write_class(class, &object_class, json, &mut writer)?;
        object.bytes = writer.bytes;
        if class == ExportClass::UserDefinedStruct {
            object.bytes.extend(self.written_struct_defaults(&export, json, names)?);
        }
        object.bytes.extend(extras);
        Ok((export, dependencies, object))
    }

    /// Returns the bytes before the properties of an object.
    fn control(&self, class: ExportClass, json: &Json) -> Result<Vec<u8>, Fault> {
        let mut control = Vec::new();
        if optional(json, "HasLeadingFourNullBytes", read_bool)? {
            control.extend([0; 4]);
        }
        if class == ExportClass::AssetImportData {
            read::put_string(&mut control, optional(json, "Json", read_text)?.as_deref());
        }
        control.extend(self.read_control(json, ["SerializationControl", "Operation"])?);
        Ok(control)
    }

    /// Reads what comes before tags from 5.4 on, which has these keys.
    pub(super) fn read_control(
        &self,
        json: &Json,
        [extension, operation]: [&str; 2],
    ) -> Result<Vec<u8>, Fault> {
        let mut control = Vec::new();
        if self.form.has_control() {
            let byte = |key, names| -> Result<u8, Fault> {
                let number = optional(json, key, |value| read_flags(value, names))?;
                u8::try_from(number).map_err(|_| Fault::new("a byte is needed").within(format!(".{key}")))
            };
            let extension = byte(extension, CONTROL_EXTENSIONS)?;
            control.push(extension);
            if extension & 2 != 0 {
                control.push(byte(operation, OPERATIONS)?);
            }
        }
        Ok(control)
    }

    /// Reads the row of the table of exports.
    fn row(&self, json: &Json) -> Result<AssetExport, Fault> {
        let object = |key| optional(json, key, read_number).map(ObjectRef::from_number);
        let flag = |key| optional(json, key, read_bool).map(u32::from);
        let bits = |key, names| -> Result<u32, Fault> {
            let value = optional(json, key, |value| read_flags(value, names))?;
            u32::try_from(value).map_err(|_| Fault::new("flags have 32 bits").within(format!(".{key}")))
        };
        let mut export = AssetExport {
            name: field(json, "ObjectName", read_name)?,
            class: object("ClassIndex")?,
            super_object: object("SuperIndex")?,
            outer: object("OuterIndex")?,
            template: object("TemplateIndex")?,
            flags: bits("ObjectFlags", OBJECT_FLAGS)?,
            size: optional(json, "SerialSize", read_number)?,
            forced: flag("bForcedExport")?,
            not_for_client: flag("bNotForClient")?,
            not_for_server: flag("bNotForServer")?,
            guid: optional(json, "PackageGuid", read_guid)?,
            inherited: flag("IsInheritedInstance")?,
            package_flags: bits("PackageFlags", PACKAGE_FLAGS)?,
            not_for_editor_game: flag("bNotAlwaysLoadedForEditorGame")?,
            is_asset: flag("bIsAsset")?,
            public_hash: flag("GeneratePublicHash")?,
            ..AssetExport::default()
        };
        let keys = ["ScriptSerializationStartOffset", "ScriptSerializationEndOffset"];
        for (at, key) in export.script.iter_mut().zip(keys) {
            *at = optional(json, key, read_number)?;
        }
        Ok(export)
    }
}

/// Classes of objects, by their references.
#[derive(Debug)]
pub(super) struct Classes<'c> {
    /// Names of imports.
    pub(super) imports: &'c [String],
    /// Names of exports.
    pub(super) exports: &'c [String],
}

impl Classes<'_> {
    fn name(&self, class: ObjectRef) -> String {
        match class {
            ObjectRef::Import(index) => self.imports.get(index.get()),
            ObjectRef::Export(index) => self.exports.get(index.get()),
            ObjectRef::None => None,
        }
        .cloned()
        .unwrap_or_default()
    }

    /// Returns the name that a reference in a document refers to.
    pub(super) fn of(&self, index: &Json) -> Option<String> {
        read_number(index).ok().map(|index| self.name(ObjectRef::from_number(index)))
    }

    /// Returns the struct of the rows of a data table.
    fn row_struct(&self, object: &EditableObject) -> String {
        let row_struct = object.properties.iter().find(|property| property.is("RowStruct"));
        match row_struct.map(|property| &property.value) {
            Some(Value::Object(object)) => self.name(*object),
            _ => String::new(),
        }
    }
}

/// Takes the GUID of an object, if it has one, from the front of bytes.
fn take_guid(rest: &mut &[u8]) -> Option<Option<[u8; 16]>> {
    let (flag, after) = rest.split_first_chunk()?;
    match u32::from_le_bytes(*flag) {
        0 => {
            *rest = after;
            Some(None)
        }
        1 => {
            let (guid, after) = after.split_first_chunk()?;
            *rest = after;
            Some(Some(*guid))
        }
        _ => None,
    }
}

/// Returns whether a component of a scene has bounds of its own after its properties.
fn computes_bounds(json: &Json) -> bool {
    let data = json.get("Data").and_then(Json::as_array);
    data.into_iter().flatten().any(|property| {
        let name = property.get("Name").and_then(Json::as_str).unwrap_or_default();
        ["bComputeBoundsOnceForGame", "bComputedBoundsOnceForGame"].contains(&name)
            && property.get("Value") == Some(&Json::Bool(true))
    }) && !matches!(json.get("Bounds"), None | Some(Json::Null))
}
