//! Cooked textures of Unreal Engine 4 to 6: a picture in several sizes, its mips, in the package or beside it.
//!
//! ```text
//! properties │ guid │ flags │ cooked │ PF_DXT1 │ skip │ … │ width, height, slices │ "PF_DXT1" │ mips │ … │ None
//! mip          data, or where it is │ width │ height │ depth
//! ```
//!
//! What comes before cannot be read without mappings where properties have no tags, so the rest is found by proof:
//! it is where the name of a format stands that is repeated as text, mips follow whose sizes are those of the format,
//! and the skip leads to the end.
//!
//! Source: *seeds-to-the-letter*, §3.1: 81 textures of 5.1 to 5.8 measured, earlier ones described.

mod format;
mod write;

use std::ops::Range;

pub use format::PixelFormat;
pub use write::{NewMip, with_mips};

use super::bulk_ref::BulkRef;
use crate::base::error::{Error, Malformed};
use crate::base::limits::Limits;
use crate::base::property::Value;
use crate::base::reader::Reader;
use crate::base::source::Source;
use crate::ue4to6::bulk::BulkFile;
use crate::ue4to6::package::{AssetPackage, CLASS_DEFAULTS, PackageTables};
use crate::ue4to6::property::{Mappings, read_object};

const WHAT: &str = "texture";

/// Bytes of an object among which the name of the format is looked for.
const SEARCHED: u64 = 256 << 10;

/// Mips that a texture may have: one of 2^31 pixels on a side has 32.
const MAX_MIPS: u32 = 32;

/// Names of formats that are tried; by chance there are hardly any.
const MAX_TRIED: usize = 64;

/// Classes of textures with mips, and ends of the names of those that are derived: `LightMapTexture2D`.
const CLASSES: [&str; 6] = [
    "Texture2D",
    "TextureCube",
    "Texture2DArray",
    "TextureCubeArray",
    "VolumeTexture",
    "TextureLightProfile",
];

/// A texture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// Pixel format: `PF_DXT1`.
    pub format: String,
    /// Width of the largest mip in pixels.
    pub width: u32,
    /// Height of the largest mip in pixels.
    pub height: u32,
    /// Pictures of a mip: slices of an array, sides of a cube.
    pub slices: u32,
    /// True for a cube, whose six sides are in each mip.
    pub is_cube: bool,
    /// True for a virtual texture, which has tiles in place of mips.
    pub is_virtual: bool,
    /// Mips that are left out before the first (Epic: `FirstMipToSerialize`).
    pub first_mip: u32,
    /// Mips, the largest first.
    pub mips: Vec<Mip>,
    /// True if it has pictures in another format as well.
    pub has_other_formats: bool,
    pub(crate) offsets: TextureOffsets,
}

/// One size of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mip {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Depth in pixels; 1 unless the texture is a volume.
    pub depth: u32,
    /// File of its data.
    pub place: BulkFile,
    /// Offset in that file; of inline data in the package.
    pub offset: u64,
    /// Bytes of its data.
    pub size: u64,
    pub(crate) bulk: BulkRef,
}

/// Where the fields of a texture stand in its package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextureOffsets {
    pub(crate) form: TextureForm,
    /// Offset of the field that leads to the end.
    pub(crate) skip: u64,
    /// Offset of width and height.
    pub(crate) size: u64,
    /// Number of mips in the tail of a texture with such data, and where it stands.
    pub(crate) tail: Option<u64>,
    /// Offset of the first mip, the number of mips and the mips.
    pub(crate) mips: Range<u64>,
    /// Offset after all.
    pub(crate) end: u64,
}

/// How a release writes textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextureForm {
    /// From 5.0 on: the skip counts from itself.
    Relative,
    /// From 4.20 on: the skip is an offset of 64 bits, mips have a depth.
    Absolute,
    /// Before: the skip is an offset of 32 bits.
    Short,
}

const FORMS: [TextureForm; 3] = [TextureForm::Relative, TextureForm::Absolute, TextureForm::Short];

/// Returns whether an object has the class of a texture that is cooked with mips.
#[must_use]
pub fn may_be_texture(package: &AssetPackage, export: usize) -> bool {
    let Some(object) = package.export(export) else { return false };
    let is_of =
        |class: &str| CLASSES.iter().any(|suffix| class.ends_with(suffix)) && !class.starts_with("Niagara");
    object.flags & CLASS_DEFAULTS == 0 && object.class.is_some_and(|class| is_of(class.name()))
}

/// Returns whether the colours of a texture are coded as sRGB, which they are unless its properties say otherwise.
/// Without tags, mappings say what these are.
#[must_use]
pub fn is_srgb(
    package: &AssetPackage,
    export: usize,
    mappings: Option<&Mappings>,
    limits: &mut Limits,
) -> bool {
    let properties = read_object(package, export, mappings, limits);
    !properties.is_ok_and(|properties| properties.get("SRGB") == Some(&Value::Bool(false)))
}

/// Reads the data of a mip from its file, the package if it is inline.
///
/// # Errors
/// If the file is shorter, cannot be read, or there is more than the limits allow.
pub fn mip_data(source: &dyn Source, mip: &Mip, limits: &mut Limits) -> Result<Vec<u8>, Error> {
    let (end, length) = (mip.offset.saturating_add(mip.size), source.len());
    if end > length {
        return Err(Error::malformed(Malformed::OutsideFile { end, length }, mip.offset, WHAT));
    }
    limits.take(mip.size, mip.offset, WHAT)?;
    let mut data = vec![0; usize::try_from(mip.size).unwrap_or_default()];
    source.read_at(mip.offset, &mut data).map_err(|error| Error::from_io(error, mip.offset, WHAT))?;
    Ok(data)
}

/// Finds the texture of an object of a package, counted from 0; none if it has no cooked mips. Objects may share their
/// bytes, so all of them share the limits.
///
/// # Errors
/// `NoFormFits` if several could be meant, and if the object does not lie in its package, cannot be read, or the limits
/// do not allow looking through it.
pub fn read(package: &AssetPackage, export: usize, limits: &mut Limits) -> Result<Option<Texture>, Error> {
    let object = package.range(export)?;
    let length = SEARCHED.min(object.end.saturating_sub(object.start));
    limits.take(length, object.start, WHAT)?;
    let mut head = vec![0; usize::try_from(length).unwrap_or_default()];
    let source = package.source();
    source.read_at(object.start, &mut head).map_err(|error| Error::from_io(error, object.start, WHAT))?;
    let no_form = || Error::malformed(Malformed::NoFormFits, object.start, WHAT);
    let (mut found, mut left): (Option<Texture>, _) = (None, MAX_TRIED);
    let mut inside = object.start;
    for (at, window) in (object.start..).zip(head.windows(8)) {
        let &[a, b, c, d, 0, 0, 0, 0] = window else { continue };
        let name = package.names().get(u32::from_le_bytes([a, b, c, d]));
        // What the mips of one have inline is none.
        let Some(name) = name.filter(|name| name.starts_with("PF_") && at >= inside) else { continue };
        left = left.checked_sub(1).ok_or_else(no_form)?;
        let read = |form: &TextureForm| read_form(package, *form, name, at..object.end).ok();
        let Some(texture) = FORMS.iter().find_map(read) else { continue };
        if found.is_some() {
            return Err(no_form());
        }
        // Pictures in other formats follow.
        inside = if texture.has_other_formats { object.end } else { texture.offsets.end };
        found = Some(texture);
    }
    Ok(found)
}

/// Reads a texture from the name of its format on.
fn read_form(
    package: &AssetPackage,
    form: TextureForm,
    format: &str,
    range: Range<u64>,
) -> Result<Texture, Error> {
    const CUBE: u32 = 1 << 31;
    const TAIL: u32 = 1 << 30;
    const PROCESSOR_COPY: u32 = 1 << 29;
    let reader = &mut Reader::new(package.source(), WHAT, range.start, range.end);
    reader.skip(8)?;
    let skip = reader.at();
    let stated = match form {
        TextureForm::Short => u64::from(reader.u32()?),
        TextureForm::Absolute | TextureForm::Relative => reader.u64()?,
    };
    if form == TextureForm::Relative {
        // What would be of derived data.
        reader.skip(16)?;
    }
    let size = reader.at();
    let (width, height, packed) = (reader.u32()?, reader.u32()?, reader.u32()?);
    let text_at = reader.at();
    if read_text(reader, format.len())? != format.as_bytes() {
        return Err(reader.error(text_at, Malformed::NoFormFits));
    }
    let mut tail = None;
    if packed & TAIL != 0 {
        reader.skip(4)?;
        tail = Some(reader.at());
        reader.skip(4)?;
    }
    if form == TextureForm::Relative && packed & PROCESSOR_COPY != 0 {
        reader.skip(4 + 4 + 4 + 1 + 1)?;
        let length = reader.u64()?;
        reader.skip(length)?;
    }
    let is_cube = packed & CUBE != 0;
    let slices = packed & !(CUBE | TAIL | PROCESSOR_COPY);
    let mips_at = reader.at();
    let (first_mip, count) = (reader.u32()?, reader.u32()?);
    if count > MAX_MIPS {
        return Err(reader.error(mips_at, Malformed::TooMany { count: count.into(), fit: MAX_MIPS.into() }));
    }
    let pixels = PixelFormat::of(format);
    let mut mips: Vec<Mip> = Vec::new();
    for _ in 0..count {
        let mip = read_mip(package, form, reader)?;
        let pictures = if is_cube || slices > 1 { slices } else { mip.depth };
        if let Some(pixels) = pixels {
            let size = pixels.size(mip.width, mip.height).unwrap_or(u64::MAX);
            let size = size.saturating_mul(pictures.max(1).into());
            if size != mip.size {
                return Err(reader.error(mips_at, Malformed::StoredSize { stored: mip.size, size }));
            }
        }
        mips.push(mip);
    }
    let mips_end = reader.at();
    let stated_end = match form {
        TextureForm::Relative => Some(skip.saturating_add(stated)),
        // A package of a container has another header than the one that offsets were counted with.
        TextureForm::Absolute | TextureForm::Short => {
            matches!(package.tables(), PackageTables::Asset(_)).then_some(stated)
        }
    };
    let (is_virtual, end) = read_end(package, reader, stated_end, mips.is_empty())?;
    let mut after = Reader::new(package.source(), WHAT, end, range.end);
    let (next, number) = (after.u32()?, after.u32()?);
    let next = package.names().get(next).filter(|_| number == 0).unwrap_or_default();
    if next != "None" && !next.starts_with("PF_") {
        return Err(after.error(end, Malformed::NoFormFits));
    }
    Ok(Texture {
        format: format.to_owned(),
        width,
        height,
        slices,
        is_cube,
        is_virtual,
        first_mip,
        mips,
        has_other_formats: next != "None",
        offsets: TextureOffsets { form, skip, size, tail, mips: mips_at..mips_end, end },
    })
}

/// Reads a text of 8-bit characters of a known length.
fn read_text(reader: &mut Reader<'_>, length: usize) -> Result<Vec<u8>, Error> {
    let (at, stated) = (reader.at(), reader.u32()?);
    if usize::try_from(stated).ok() != length.checked_add(1) {
        return Err(reader.error(at, Malformed::NoFormFits));
    }
    let mut text = reader.vec(length)?;
    if reader.u8()? != 0 {
        text.clear();
    }
    Ok(text)
}

fn read_mip(package: &AssetPackage, form: TextureForm, reader: &mut Reader<'_>) -> Result<Mip, Error> {
    let at = reader.at();
    if form != TextureForm::Relative && reader.u32()? != 1 {
        return Err(reader.error(at, Malformed::NoFormFits));
    }
    let bulk = BulkRef::read(package, reader)?;
    let (width, height) = (reader.u32()?, reader.u32()?);
    let depth = if form == TextureForm::Short { 1 } else { reader.u32()? };
    let BulkRef { place, offset, size, .. } = bulk;
    Ok(Mip { width, height, depth, place, offset, size, bulk })
}

/// Reads what follows the mips: whether the texture is virtual, which is stated from 4.23 on, and where it ends. If
/// that is stated, both agree; else the name that follows says which it is.
fn read_end(
    package: &AssetPackage,
    reader: &mut Reader<'_>,
    stated_end: Option<u64>,
    is_without_mips: bool,
) -> Result<(bool, u64), Error> {
    let at = reader.at();
    let after = at.saturating_add(4);
    match stated_end {
        Some(end) if end == at => Ok((false, end)),
        Some(end) => {
            let is_virtual = reader.u32()? != 0;
            let has_tiles = is_virtual && is_without_mips && (after..=reader.end()).contains(&end);
            if end == after || has_tiles {
                Ok((is_virtual, end))
            } else {
                Err(reader.error(at, Malformed::NoSkipOffset))
            }
        }
        None => {
            let ends_at = |at: u64| ends(package, Reader::new(package.source(), WHAT, at, reader.end()));
            // Zeros may be the name "None" as well: what follows them says which they are.
            let end = [after, at].into_iter().find(|end| ends_at(*end));
            let end = end.ok_or_else(|| reader.error(at, Malformed::NoFormFits))?;
            Ok((end == after && reader.u32()? != 0, end))
        }
    }
}

/// Returns whether the name comes next that ends the formats of a texture, or that of another format.
fn ends(package: &AssetPackage, mut reader: Reader<'_>) -> bool {
    let (Ok(name), Ok(0)) = (reader.u32(), reader.u32()) else { return false };
    package.names().get(name).is_some_and(|name| name == "None" || name.starts_with("PF_"))
}
