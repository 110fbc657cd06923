use unreal::ue4to6::bulk::BulkFile;
use unreal::ue4to6::class::texture::{self, NewMip, Texture};
use unreal::{AssetPackage, Error, Limits, Memory, Source};

use super::pixels::halved;
use super::{ConvertTextureError, DdsHeader, OpenTexture};
use crate::legacy::LegacyConverter;
use crate::packages::STRUCTURES;
use crate::unpack::OBJECTS;

/// What a texture is changed to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextureChange {
    /// The largest mips stay, so many of them.
    Keep(usize),
    /// Mips stay that are no wider or higher than so many pixels.
    Max(u32),
    /// All mips get another picture.
    Set(NewPicture),
}

/// A picture of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewPicture {
    /// Of a PNG file: width, height, channels, and values of 8 bits.
    Png(u32, u32, usize, Vec<u8>),
    /// A DDS file.
    Dds(Vec<u8>),
}

/// The files of a package with a changed texture.
#[derive(Debug)]
pub struct ChangedPackage {
    /// Contents of each file, with its extension: `uasset` first, then `uexp` and files of data.
    pub files: Vec<(&'static str, Vec<u8>)>,
    /// Mips of the texture before and now.
    pub mips: [usize; 2],
}

impl NewPicture {
    /// Reads a picture of a file by its extension.
    ///
    /// # Errors
    /// [`ConvertTextureError`] if it is neither a PNG nor a DDS file, or damaged.
    pub fn read(extension: &str, file: Vec<u8>) -> Result<Self, ConvertTextureError> {
        if extension.eq_ignore_ascii_case("dds") {
            DdsHeader::read(&file)?;
            return Ok(Self::Dds(file));
        }
        if !extension.eq_ignore_ascii_case("png") {
            return Err(ConvertTextureError::Extension);
        }
        let failed = |error: png::DecodingError| ConvertTextureError::Png(error.to_string());
        let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().map_err(failed)?;
        let length = reader.output_buffer_size().filter(|size| *size as u64 <= STRUCTURES);
        let too_large = || ConvertTextureError::Png("the picture is too large".to_owned());
        let mut values = vec![0; length.ok_or_else(too_large)?];
        let frame = reader.next_frame(&mut values).map_err(failed)?;
        values.truncate(frame.buffer_size());
        Ok(Self::Png(frame.width, frame.height, frame.color_type.samples(), values))
    }

    /// Returns the data of each mip of a texture.
    fn mips(&self, texture: &Texture, format: u32) -> Result<Vec<Vec<u8>>, ConvertTextureError> {
        let wanted = || format!("{}×{} {}", texture.width, texture.height, texture.format);
        match self {
            Self::Dds(file) => {
                let (header, data) = DdsHeader::read(file)?;
                let found = || format!("{}×{} DXGI format {}", header.width, header.height, header.format);
                let size = texture.mips.iter().fold(0_u64, |sum, mip| sum.saturating_add(mip.size));
                let is_same = (header.width, header.height) == (texture.width, texture.height)
                    && is_same_format(header.format, format)
                    && header.slices == texture.slices.max(1)
                    && header.mips as usize == texture.mips.len()
                    && data.len() as u64 == size;
                if !is_same || header.slices > 1 {
                    let mips = header.mips;
                    let found = format!("{}, {mips} mips", found());
                    return Err(ConvertTextureError::Other(
                        found,
                        format!("{}, {} mips", wanted(), texture.mips.len()),
                    ));
                }
                let mut rest = data;
                let cut = |size: u64| {
                    let (own, after) = rest.split_at_checked(usize::try_from(size).ok()?)?;
                    rest = after;
                    Some(own.to_vec())
                };
                Ok(texture.mips.iter().map(|mip| mip.size).map_while(cut).collect())
            }
            Self::Png(width, height, samples, values) => {
                let channels = match texture.format.as_str() {
                    "PF_G8" => 1,
                    "PF_B8G8R8A8" => 4,
                    _ => {
                        let why = "PF_G8 or PF_B8G8R8A8, for other formats it takes a DDS file";
                        return Err(ConvertTextureError::Other("a PNG file".to_owned(), why.to_owned()));
                    }
                };
                if (*width, *height) != (texture.width, texture.height) || texture.slices > 1 {
                    return Err(ConvertTextureError::Other(format!("{width}×{height}"), wanted()));
                }
                let pixels = values.chunks_exact((*samples).max(1));
                let mut level: Vec<u8> = match channels {
                    1 => pixels.map(|pixel| pixel.first().copied().unwrap_or_default()).collect(),
                    _ => pixels.flat_map(bgra).collect(),
                };
                let (mut wide, mut high) = (*width, *height);
                let mut mips = Vec::new();
                for _ in &texture.mips {
                    let next = halved(wide, high, channels, &level);
                    mips.push(std::mem::replace(&mut level, next));
                    (wide, high) = ((wide / 2).max(1), (high / 2).max(1));
                }
                Ok(mips)
            }
        }
    }
}

/// Returns a pixel of 1 to 4 values as blue, green, red, alpha.
fn bgra(pixel: &[u8]) -> [u8; 4] {
    match *pixel {
        [grey] => [grey, grey, grey, 255],
        [grey, alpha] => [grey, grey, grey, alpha],
        [red, green, blue] => [blue, green, red, 255],
        [red, green, blue, alpha, ..] => [blue, green, red, alpha],
        [] => [0; 4],
    }
}

/// Returns whether two DXGI formats are the same but for how colours are coded (sRGB).
fn is_same_format(one: u32, other: u32) -> bool {
    const SRGB: [(u32, u32); 6] = [(72, 71), (75, 74), (78, 77), (99, 98), (91, 87), (29, 28)];
    let linear =
        |format: u32| SRGB.iter().find(|(srgb, _)| *srgb == format).map_or(format, |(_, linear)| *linear);
    linear(one) == linear(other)
}

impl OpenTexture<'_> {
    /// Returns the files of the package with the texture changed; a package of a container is converted to files first.
    /// With `is_inline` all data comes into the package.
    ///
    /// # Errors
    /// [`ConvertTextureError`] if nothing would be left, the texture cannot be changed, or its data is missing.
    pub fn changed(
        &self,
        change: &TextureChange,
        is_inline: bool,
    ) -> Result<ChangedPackage, ConvertTextureError> {
        let mips = &self.texture.mips;
        let chosen: Vec<usize> = match change {
            TextureChange::Keep(count) => (0..mips.len().min(*count)).collect(),
            TextureChange::Max(pixels) => {
                let fits = |mip: &usize| mips[*mip].width.max(mips[*mip].height) <= *pixels;
                (0..mips.len()).filter(fits).collect()
            }
            TextureChange::Set(_) => (0..mips.len()).collect(),
        };
        if mips.is_empty() {
            return Err(ConvertTextureError::NoMips);
        }
        let data = match change {
            TextureChange::Set(picture) => picture.mips(&self.texture, self.dxgi_format()?)?,
            _ => chosen.iter().map(|mip| self.data(*mip)).collect::<Result<Vec<_>, _>>()?,
        };
        let new: Vec<NewMip<'_>> =
            chosen.iter().zip(&data).map(|(mip, data)| NewMip { mip: *mip, data }).collect();
        let limits = &mut Limits::with_structures(STRUCTURES);
        let length = |place: BulkFile| {
            let source = self.packages.bulk_data(self.entry, place).ok().flatten();
            source.map_or(0, |source| source.len())
        };
        let converter = LegacyConverter::new(&self.packages.mount, self.packages.options.version)?;
        let is_converted = converter.converts(self.entry);
        let changed = if is_converted {
            let (zen, file) = converter.convert(self.entry).map_err(ConvertTextureError::Legacy)?;
            let objects = read_all(&file.objects(zen.source()))?;
            let (header, objects) = (Box::new(Memory(file.header)), Box::new(Memory(objects)));
            let package = AssetPackage::of_files("", header, Some(objects), None, limits)?;
            let texture = texture::read(&package, self.export, limits)?.ok_or(ConvertTextureError::NoMips)?;
            texture::with_mips(&package, self.export, &texture, &new, is_inline, &length, limits)?
        } else {
            texture::with_mips(&self.package, self.export, &self.texture, &new, is_inline, &length, limits)?
        };
        let mut files = vec![("uasset", changed.files.header)];
        if is_converted || self.packages.is_split(self.entry) {
            files.push((OBJECTS, changed.files.objects));
        } else {
            files[0].1.extend(changed.files.objects);
        }
        for data in changed.data {
            let mut file = match data.kept {
                0 => Vec::new(),
                kept => {
                    let missing = || ConvertTextureError::Missing(0, data.place);
                    let source = self.packages.bulk_data(self.entry, data.place)?.ok_or_else(missing)?;
                    let mut file = read_all(&*source)?;
                    file.truncate(usize::try_from(kept).unwrap_or(usize::MAX));
                    file
                }
            };
            file.extend(data.bytes);
            if !file.is_empty() {
                files.push((data.place.extension(), file));
            }
        }
        Ok(ChangedPackage { files, mips: [mips.len(), chosen.len()] })
    }
}

fn read_all(source: &dyn Source) -> Result<Vec<u8>, ConvertTextureError> {
    let mut bytes = vec![0; usize::try_from(source.len()).unwrap_or_default()];
    source.read_at(0, &mut bytes).map_err(Error::from)?;
    Ok(bytes)
}
