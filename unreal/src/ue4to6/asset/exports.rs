//! The objects of a package.

use serde::{Deserialize, Serialize};

use super::summary::AssetSummary;
use crate::base::document;
use crate::base::error::{Error, Malformed};
use crate::base::fields::{FieldReader, FieldWriter, Fields};
use crate::base::limits::Limits;
use crate::base::names::Names;
use crate::base::object_ref::ObjectRef;
use crate::base::reader::Reader;
use crate::base::writer::WriteError;
use crate::ue4to6::version::{AssetLayout, ExportForm};

const WHAT: &str = "exports of a package";

/// An object of a package.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssetExport {
    /// Name of the object.
    pub name: String,
    /// Class (Epic: `ClassIndex`).
    pub class: ObjectRef,
    /// Super object of a class or struct (Epic: `SuperIndex`).
    pub super_object: ObjectRef,
    /// Outer object (Epic: `OuterIndex`).
    pub outer: ObjectRef,
    /// The object that its values come from where it has none of its own; none before 4.14.
    pub template: ObjectRef,
    /// Flags (Epic: `EObjectFlags`).
    pub flags: u32,
    /// Offset from the beginning of the header (Epic: `SerialOffset`).
    pub offset: u64,
    /// Bytes that it takes.
    pub size: u64,
    /// Whether it was exported though nothing asked for it (Epic: `bForcedExport`).
    pub forced: u32,
    /// Whether clients do not load it (Epic: `bNotForClient`).
    pub not_for_client: u32,
    /// Whether servers do not load it (Epic: `bNotForServer`).
    pub not_for_server: u32,
    /// GUID of the package that it comes from; to 4.27.
    #[serde(with = "document::hex")]
    pub guid: [u8; 16],
    /// Whether it is an inherited instance (Epic: `bIsInheritedInstance`); from 5.0 on.
    pub inherited: u32,
    /// Flags of the package that it comes from.
    pub package_flags: u32,
    /// Whether the game in the editor need not load it (Epic: `bNotAlwaysLoadedForEditorGame`).
    pub not_for_editor_game: u32,
    /// Whether it is an asset (Epic: `bIsAsset`).
    pub is_asset: u32,
    /// Whether others may refer to it though it is not public (Epic: `bGeneratePublicHash`).
    pub public_hash: u32,
    /// Its entries in the table of preload dependencies.
    pub preload: PreloadCounts,
    /// Offsets of the first and the last byte of its properties with tags, from its first byte on; from 5.4 on.
    pub script: [u64; 2],
}

/// Entries of an export in the table of preload dependencies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreloadCounts {
    /// Index of the first one; −1 if there are none.
    pub first: i32,
    /// Objects to be serialized before it is serialized, created before it is serialized, serialized before it is
    /// created, and created before it is created.
    pub counts: [u32; 4],
}

impl AssetExport {
    fn fields<F: Fields>(
        &mut self,
        fields: &mut F,
        form: ExportForm,
        has_script: bool,
    ) -> Result<(), F::Error> {
        fields.object(&mut self.class)?;
        fields.object(&mut self.super_object)?;
        if form.template {
            fields.object(&mut self.template)?;
        }
        fields.object(&mut self.outer)?;
        fields.name(&mut self.name)?;
        fields.u32(&mut self.flags)?;
        fields.long(form.large, &mut self.size)?;
        fields.long(form.large, &mut self.offset)?;
        fields.u32(&mut self.forced)?;
        fields.u32(&mut self.not_for_client)?;
        fields.u32(&mut self.not_for_server)?;
        if form.guid {
            fields.bytes(&mut self.guid)?;
        }
        fields.u32_if(form.inherited, &mut self.inherited)?;
        fields.u32(&mut self.package_flags)?;
        fields.u32_if(form.editor_game, &mut self.not_for_editor_game)?;
        fields.u32_if(form.is_asset, &mut self.is_asset)?;
        fields.u32_if(form.public_hash, &mut self.public_hash)?;
        if form.preload {
            fields.i32(&mut self.preload.first)?;
            self.preload.counts.iter_mut().try_for_each(|count| fields.u32(count))?;
        }
        if has_script {
            self.script.iter_mut().try_for_each(|place| fields.u64(place))?;
        }
        Ok(())
    }
}

/// Returns how many bytes a row takes.
fn row_size(form: ExportForm, has_script: bool) -> u64 {
    let optional = [
        (form.template, 4),
        (form.large, 8),
        (form.guid, 16),
        (form.inherited, 4),
        (form.editor_game, 4),
        (form.is_asset, 4),
        (form.public_hash, 4),
        (form.preload, 20),
        (has_script, 16),
    ];
    // Class, super, outer, name, flags, size, offset, three switches, flags of the package.
    let sizes = optional.iter().filter(|(is_there, _)| *is_there).map(|(_, size)| size);
    sizes.sum::<u64>().saturating_add(48)
}

/// Reads the objects.
///
/// # Errors
/// If they end early, contradict themselves, or take more than the limits allow.
pub(super) fn read(
    reader: &mut Reader<'_>,
    summary: &AssetSummary,
    layout: &AssetLayout,
    names: &Names,
    limits: &mut Limits,
) -> Result<Vec<AssetExport>, Error> {
    let (table, form) = (summary.exports(), layout.export);
    let has_script = form.script && !summary.is_unversioned();
    let row = row_size(form, has_script);
    reader.seek(table.at);
    let fit = summary.room_of(table.at).checked_div(row).unwrap_or_default();
    if u64::from(table.count) > fit {
        return Err(reader.error(table.at, Malformed::TooMany { count: table.count.into(), fit }));
    }
    let mut exports = Vec::new();
    let mut fields = FieldReader { reader, limits, names, what: WHAT };
    fields.rows(table.count, row, &mut exports, |fields, export: &mut AssetExport| {
        export.fields(fields, form, has_script)
    })?;
    Ok(exports)
}

/// Writes the objects.
///
/// # Errors
/// If a name is not in the table of names, or a number is larger than the version can state.
pub(super) fn write(
    exports: &[AssetExport],
    layout: &AssetLayout,
    is_unversioned: bool,
    fields: &mut FieldWriter<'_>,
) -> Result<(), WriteError> {
    let has_script = layout.export.script && !is_unversioned;
    exports.iter().try_for_each(|export| export.clone().fields(fields, layout.export, has_script))
}
