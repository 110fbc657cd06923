//! A texture with fewer mips, or with other data.

use super::{Mip, Texture, TextureForm, WHAT};
use crate::base::limits::Limits;
use crate::base::writer::narrow;
use crate::ue4to6::bulk::BulkFile;
use crate::ue4to6::class::bulk_ref::BulkRef;
use crate::ue4to6::class::bulk_writer::{BulkDataError, BulkWriter, ChangedObject, bytes};
use crate::ue4to6::editable::AssetEdit;
use crate::ue4to6::package::AssetPackage;

/// Flags of data that is inline and used once (Epic: `BULKDATA_ForceInlinePayload`, `BULKDATA_SingleUse`).
const INLINE: u32 = 0x48;

/// Multiple at which mips begin in their file.
const ALIGNMENT: u64 = 16;

/// A mip to write.
#[derive(Clone, Copy, Debug)]
pub struct NewMip<'m> {
    /// The mip of the texture whose size and file it has, the largest 0.
    pub mip: usize,
    /// Bytes of its data.
    pub data: &'m [u8],
}

/// Writes a texture of a package of files with some of its mips, the largest first. With `is_inline` their data comes
/// into the package. `data_length` returns the length of a file beside the package.
///
/// # Errors
/// [`BulkDataError`] if the texture is virtual, has pictures in several formats, or cannot be written.
pub fn with_mips(
    package: &AssetPackage,
    export: usize,
    texture: &Texture,
    mips: &[NewMip<'_>],
    is_inline: bool,
    data_length: &dyn Fn(BulkFile) -> u64,
    limits: &mut Limits,
) -> Result<ChangedObject, BulkDataError> {
    if texture.is_virtual {
        return Err(BulkDataError::Unsupported("it is a virtual texture, which has tiles in place of mips"));
    }
    if texture.has_other_formats {
        return Err(BulkDataError::Unsupported("it has pictures in several formats"));
    }
    let known: Vec<(&Mip, &[u8])> =
        mips.iter().filter_map(|new| Some((texture.mips.get(new.mip)?, new.data))).collect();
    let (Some((largest, _)), Some(first)) = (known.first(), mips.first()) else {
        return Err(BulkDataError::Unsupported("no mip is left"));
    };
    let object = package.range(export)?;
    let offsets = &texture.offsets;
    let old: Vec<BulkRef> = texture.mips.iter().map(|mip| mip.bulk).collect();
    let edit = AssetEdit::new(package, limits)?;
    let mut writer = BulkWriter::new(package, export, edit, &old, ALIGNMENT, data_length)?;
    writer.object.bytes(&bytes(package, object.start..offsets.size, WHAT, limits)?);
    // A texture whose first mips are not cooked states the size of those.
    let [width, height] = match first.mip {
        0 => [texture.width, texture.height],
        _ => [largest.width, largest.height],
    };
    writer.object.u32(width);
    writer.object.u32(height);
    let rest = offsets.size.saturating_add(8)..offsets.mips.start;
    let mut head = bytes(package, rest.clone(), WHAT, limits)?;
    if let Some(field) = offsets.tail.and_then(|tail| {
        let at = usize::try_from(tail.checked_sub(rest.start)?).ok()?;
        head.get_mut(at..)?.first_chunk_mut()
    }) {
        let in_tail = u32::from_le_bytes(*field).min(narrow("mips", known.len() as u64)?);
        *field = in_tail.to_le_bytes();
    }
    writer.object.bytes(&head);
    let dropped = narrow("mips", first.mip as u64)?;
    writer.object.u32(texture.first_mip.saturating_sub(dropped));
    writer.object.u32(narrow("mips", known.len() as u64)?);
    for (mip, data) in known {
        if offsets.form != TextureForm::Relative {
            writer.object.u32(1);
        }
        let like = match is_inline && mip.place != BulkFile::Inline {
            true => BulkRef { place: BulkFile::Inline, flags: INLINE, stated: 0, ..mip.bulk },
            false => mip.bulk,
        };
        writer.write(&like, data)?;
        writer.object.u32(mip.width);
        writer.object.u32(mip.height);
        if offsets.form != TextureForm::Short {
            writer.object.u32(mip.depth);
        }
    }
    writer.object.bytes(&bytes(package, offsets.mips.end..offsets.end, WHAT, limits)?);
    let moved = writer.object.len().wrapping_sub(offsets.end.saturating_sub(object.start));
    writer.object.bytes(&bytes(package, offsets.end..object.end, WHAT, limits)?);
    let skip = offsets.skip.saturating_sub(object.start);
    move_skip(&mut writer, offsets.form, skip, moved);
    Ok(writer.finish(None)?)
}

/// Moves the offset that leads to the end of the texture. One that counts from the beginning of the file may be wrong
/// all the same in a package that was converted, and nothing reads it there.
fn move_skip(writer: &mut BulkWriter<'_>, form: TextureForm, at: u64, moved: u64) {
    let width = if form == TextureForm::Short { 4 } else { 8 };
    writer.object.change(at, width, |stated| stated.wrapping_add(moved));
}
