//! A texture with fewer mips, or with other data.

use std::fmt;
use std::ops::Range;

use super::{Mip, Texture, TextureForm, WHAT};
use crate::base::error::Error;
use crate::base::limits::Limits;
use crate::base::writer::{WriteError, narrow};
use crate::ue4to6::bulk::BulkFile;
use crate::ue4to6::class::bulk_ref::BulkRef;
use crate::ue4to6::class::bulk_writer::{BulkWriteError, BulkWriter, NewData};
use crate::ue4to6::editable::{AssetEdit, AssetFiles};
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

/// A package with a changed texture.
#[derive(Debug)]
pub struct ChangedTexture {
    /// Header and objects of the package.
    pub files: AssetFiles,
    /// New bytes of the files beside it; one without bytes is needed no more.
    pub data: Vec<NewData>,
}

/// Errors of changing a texture.
#[derive(Debug)]
#[non_exhaustive]
pub enum TextureError {
    /// The package cannot be read.
    Read(Error),
    /// The package cannot be written.
    Write(WriteError),
    /// The texture has something that cannot be changed.
    Unsupported(&'static str),
}

impl fmt::Display for TextureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Write(error) => error.fmt(f),
            Self::Unsupported(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for TextureError {}

impl From<Error> for TextureError {
    fn from(error: Error) -> Self {
        Self::Read(error)
    }
}

impl From<WriteError> for TextureError {
    fn from(error: WriteError) -> Self {
        Self::Write(error)
    }
}

impl From<BulkWriteError> for TextureError {
    fn from(error: BulkWriteError) -> Self {
        match error {
            BulkWriteError::Write(error) => Self::Write(error),
            BulkWriteError::Unsupported(why) => Self::Unsupported(why),
        }
    }
}

/// Writes a texture of a package of files with some of its mips, the largest first. With `is_inline` their data comes
/// into the package. `data_length` returns the length of a file beside the package.
///
/// # Errors
/// [`TextureError`] if the texture is virtual, has pictures in several formats, or cannot be written.
pub fn with_mips(
    package: &AssetPackage,
    export: usize,
    texture: &Texture,
    mips: &[NewMip<'_>],
    is_inline: bool,
    data_length: &dyn Fn(BulkFile) -> u64,
    limits: &mut Limits,
) -> Result<ChangedTexture, TextureError> {
    if texture.is_virtual {
        return Err(TextureError::Unsupported("it is a virtual texture, which has tiles in place of mips"));
    }
    if texture.has_other_formats {
        return Err(TextureError::Unsupported("it has pictures in several formats"));
    }
    let known: Vec<(&Mip, &[u8])> =
        mips.iter().filter_map(|new| Some((texture.mips.get(new.mip)?, new.data))).collect();
    let (Some((largest, _)), Some(first)) = (known.first(), mips.first()) else {
        return Err(TextureError::Unsupported("no mip is left"));
    };
    let object = package.range(export)?;
    let offsets = &texture.offsets;
    let old: Vec<BulkRef> = texture.mips.iter().map(|mip| mip.bulk).collect();
    let edit = AssetEdit::new(package, limits)?;
    let mut writer = BulkWriter::new(package, export, edit, &old, ALIGNMENT, data_length)?;
    writer.object.bytes(&bytes(package, object.start..offsets.size, limits)?);
    // A texture whose first mips are not cooked states the size of those.
    let [width, height] = match first.mip {
        0 => [texture.width, texture.height],
        _ => [largest.width, largest.height],
    };
    writer.object.u32(width);
    writer.object.u32(height);
    let rest = offsets.size.saturating_add(8)..offsets.mips.start;
    let mut head = bytes(package, rest.clone(), limits)?;
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
    writer.object.bytes(&bytes(package, offsets.mips.end..offsets.end, limits)?);
    let moved = writer.object.len().wrapping_sub(offsets.end.saturating_sub(object.start));
    writer.object.bytes(&bytes(package, offsets.end..object.end, limits)?);
    let skip = offsets.skip.saturating_sub(object.start);
    move_skip(&mut writer, offsets.form, skip, moved);
    let (files, data) = writer.finish(None)?;
    Ok(ChangedTexture { files, data })
}

/// Moves the offset that leads to the end of the texture. One that counts from the beginning of the file may be wrong
/// all the same in a package that was converted, and nothing reads it there.
fn move_skip(writer: &mut BulkWriter<'_>, form: TextureForm, at: u64, moved: u64) {
    let width = if form == TextureForm::Short { 4 } else { 8 };
    writer.object.change(at, width, |stated| stated.wrapping_add(moved));
}

fn bytes(package: &AssetPackage, range: Range<u64>, limits: &mut Limits) -> Result<Vec<u8>, Error> {
    let length = range.end.saturating_sub(range.start);
    limits.take(length, range.start, WHAT)?;
    let mut bytes = vec![0; usize::try_from(length).unwrap_or_default()];
    let read = package.source().read_at(range.start, &mut bytes);
    read.map_err(|error| Error::from_io(error, range.start, WHAT))?;
    Ok(bytes)
}
