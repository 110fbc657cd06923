//! Textures of a game: their mips, pictures of them, and packages with fewer mips or another picture.

mod change;
mod dds;
mod picture_file;
mod pixels;

use std::fmt;
use std::sync::Arc;

use unreal::containers::mount::MountedEntry;
use unreal::ue4to6::bulk::BulkFile;
use unreal::ue4to6::class::BulkDataError;
use unreal::ue4to6::class::texture::{self, Mip, PixelFormat, Texture};
use unreal::{AssetPackage, Error, Limits, Source};

use crate::legacy::LegacyError;
use crate::packages::{GamePackages, STRUCTURES};

pub use change::{ChangedPackage, NewPicture, TextureChange};
pub use dds::{DdsError, DdsHeader, dxgi_format};
pub use picture_file::{PictureFile, PictureFormat};
pub use pixels::{Picture, PictureError, Pixels, decode};

/// A texture of a package.
#[derive(Debug)]
pub struct FoundTexture {
    /// Index in the export table.
    pub export: usize,
    /// Object name.
    pub name: String,
    /// Name of its class.
    pub class: String,
    /// The texture, none if no cooked mips were found, or why it cannot be read.
    pub texture: Result<Option<Texture>, Error>,
}

/// Bytes of a package that are looked through for textures: a few seconds.
const SEARCHED: u64 = 8 << 30;

/// Finds the textures of a package.
#[must_use]
pub fn textures(package: &AssetPackage) -> Vec<FoundTexture> {
    let limits = &mut Limits::with_structures(SEARCHED);
    let exports = (0..package.len()).filter(|export| texture::may_be_texture(package, *export));
    exports
        .filter_map(|export| {
            let object = package.export(export)?;
            let class = object.class.map(|class| class.name().to_owned()).unwrap_or_default();
            let texture = texture::read(package, export, limits);
            Some(FoundTexture { export, name: object.name.to_owned(), class, texture })
        })
        .collect()
}

/// Errors of pictures and of changes.
#[derive(Debug)]
#[non_exhaustive]
pub enum ConvertTextureError {
    /// The package cannot be read.
    Read(Error),
    /// The package of a container cannot be written as a file.
    Legacy(LegacyError),
    /// The texture cannot be written.
    Texture(BulkDataError),
    /// The picture cannot be decoded.
    Picture(PictureError),
    /// The PNG file cannot be read or written.
    Png(String),
    /// The DDS file cannot be read.
    Dds(DdsError),
    /// The texture has no mips: none are cooked, or it is virtual.
    NoMips,
    /// No mip has that number; how many there are.
    NoSuchMip(usize, usize),
    /// No slice has that number; how many there are.
    NoSuchSlice(u32, u32),
    /// The file of the data of a mip is not at hand.
    Missing(usize, BulkFile),
    /// DDS files cannot hold the pixel format.
    Format(String),
    /// The picture has another size or format than the texture: what it has, and what is needed.
    Other(String, String),
    /// The name of a file ends otherwise than in .png or .dds.
    Extension,
}

impl fmt::Display for ConvertTextureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Legacy(error) => error.fmt(f),
            Self::Texture(error) => error.fmt(f),
            Self::Picture(error) => error.fmt(f),
            Self::Png(error) => f.write_str(error),
            Self::Dds(error) => error.fmt(f),
            Self::NoMips => f.write_str("the texture has no mips: none are cooked, or it is virtual"),
            Self::NoSuchMip(mip, mips) => write!(f, "no mip {mip}; the texture has {mips}, counted from 0"),
            Self::NoSuchSlice(slice, slices) => {
                write!(f, "no slice {slice}; the texture has {slices}, counted from 0")
            }
            Self::Missing(mip, place) => {
                write!(f, "mip {mip} is in a .{} that is missing", place.extension())
            }
            Self::Format(format) => write!(f, "DDS files cannot hold {format}"),
            Self::Other(found, wanted) => write!(f, "the picture is {found}, the texture {wanted}"),
            Self::Extension => f.write_str("the name ends neither in .png nor in .dds"),
        }
    }
}

impl std::error::Error for ConvertTextureError {}

impl From<Error> for ConvertTextureError {
    fn from(error: Error) -> Self {
        Self::Read(error)
    }
}

impl From<BulkDataError> for ConvertTextureError {
    fn from(error: BulkDataError) -> Self {
        Self::Texture(error)
    }
}

impl From<PictureError> for ConvertTextureError {
    fn from(error: PictureError) -> Self {
        Self::Picture(error)
    }
}

impl From<DdsError> for ConvertTextureError {
    fn from(error: DdsError) -> Self {
        Self::Dds(error)
    }
}

/// A texture, its package and the files of data beside it.
#[derive(Debug)]
pub struct OpenTexture<'g> {
    packages: &'g GamePackages,
    entry: MountedEntry,
    package: Arc<AssetPackage>,
    /// Index in the export table.
    pub export: usize,
    /// Object name.
    pub name: String,
    /// The texture.
    pub texture: Texture,
    is_srgb: bool,
}

impl GamePackages {
    /// Opens the textures of a package that have mips.
    ///
    /// # Errors
    /// If the package or a texture cannot be read.
    pub fn open_textures(&self, entry: MountedEntry) -> Result<Vec<OpenTexture<'_>>, Error> {
        let package = Arc::new(self.package(entry)?);
        let mut opened = Vec::new();
        for FoundTexture { export, name, texture, .. } in textures(&package) {
            let Some(texture) = texture? else { continue };
            let package = Arc::clone(&package);
            let limits = &mut Limits::with_structures(STRUCTURES);
            let is_srgb = texture::is_srgb(&package, export, self.options.mappings.as_deref(), limits);
            opened.push(OpenTexture { packages: self, entry, package, export, name, texture, is_srgb });
        }
        Ok(opened)
    }

    /// Opens a file of bulk data of a package; none if it is not at hand.
    fn bulk_data(&self, entry: MountedEntry, place: BulkFile) -> Result<Option<Box<dyn Source>>, Error> {
        let data = self.mount.data_of(entry, place);
        let container = data.and_then(|data| Some((self.mount.container(data)?, data.entry)));
        container.map(|(container, entry)| container.open(entry)).transpose()
    }

    /// Returns whether the file of a mip is at hand.
    pub(crate) fn has_bulk_data(&self, entry: MountedEntry, place: BulkFile) -> bool {
        matches!(place, BulkFile::Inline | BulkFile::EndOfPackage)
            || self.mount.data_of(entry, place).is_some()
    }
}

impl OpenTexture<'_> {
    /// Returns the number of the largest mip whose data is at hand.
    ///
    /// # Errors
    /// [`ConvertTextureError::NoMips`] if there are none, [`ConvertTextureError::Missing`] if all files are missing.
    pub fn largest_mip(&self) -> Result<usize, ConvertTextureError> {
        let mips = &self.texture.mips;
        let is_here = |mip: &Mip| self.packages.has_bulk_data(self.entry, mip.place);
        let first = mips.first().ok_or(ConvertTextureError::NoMips)?;
        mips.iter().position(is_here).ok_or(ConvertTextureError::Missing(0, first.place))
    }

    /// Returns the data of a mip.
    ///
    /// # Errors
    /// If there is no such mip, its file is missing, or it cannot be read.
    pub fn data(&self, number: usize) -> Result<Vec<u8>, ConvertTextureError> {
        let mips = self.texture.mips.len();
        let mip = self.texture.mips.get(number).ok_or(ConvertTextureError::NoSuchMip(number, mips))?;
        let outside;
        let source = match mip.place {
            BulkFile::Inline | BulkFile::EndOfPackage => self.package.source(),
            place => {
                let source = self.packages.bulk_data(self.entry, place)?;
                outside = source.ok_or(ConvertTextureError::Missing(number, place))?;
                &*outside
            }
        };
        Ok(texture::mip_data(source, mip, &mut Limits::with_structures(STRUCTURES))?)
    }

    fn format(&self) -> Result<&'static PixelFormat, ConvertTextureError> {
        let unknown = || PictureError::Format(self.texture.format.clone());
        Ok(PixelFormat::of(&self.texture.format).ok_or_else(unknown)?)
    }

    /// Returns the number of pictures of a mip.
    fn pictures(&self, mip: &Mip) -> u32 {
        let slices = self.texture.slices;
        (if self.texture.is_cube || slices > 1 { slices } else { mip.depth }).max(1)
    }

    /// Decodes a slice of a mip, of the largest one at hand if none is given.
    ///
    /// # Errors
    /// [`ConvertTextureError`] if there is none, or it cannot be decoded.
    pub fn picture(&self, mip: Option<usize>, slice: u32) -> Result<(usize, Picture), ConvertTextureError> {
        let number = mip.map_or_else(|| self.largest_mip(), Ok)?;
        let data = self.data(number)?;
        let mip = &self.texture.mips[number];
        let pictures = self.pictures(mip);
        if slice >= pictures {
            return Err(ConvertTextureError::NoSuchSlice(slice, pictures));
        }
        let size = data.len() / pictures as usize;
        let own = data.chunks_exact(size.max(1)).nth(slice as usize).unwrap_or_default();
        Ok((number, decode(self.format()?, mip.width, mip.height, own)?))
    }

    /// Returns a DDS file of all mips from the largest one at hand on, and the number of that.
    ///
    /// # Errors
    /// [`ConvertTextureError`] if DDS files cannot hold the format, or the data of a mip is missing.
    pub fn dds(&self) -> Result<(usize, Vec<u8>), ConvertTextureError> {
        let texture = &self.texture;
        let format = self.dxgi_format()?;
        let first = self.largest_mip()?;
        let data = (first..texture.mips.len()).map(|mip| self.data(mip)).collect::<Result<Vec<_>, _>>()?;
        let largest = &texture.mips[first];
        let is_volume = !texture.is_cube && texture.slices <= 1 && largest.depth > 1;
        let header = DdsHeader {
            format,
            width: largest.width,
            height: largest.height,
            depth: if is_volume { largest.depth } else { 1 },
            mips: u32::try_from(data.len()).unwrap_or(u32::MAX),
            slices: texture.slices.max(1),
            is_cube: texture.is_cube,
        };
        let mut file = header.to_bytes(data.first().map_or(0, Vec::len) as u64);
        // Files have all mips of a slice, then those of the next; textures all slices of a mip.
        let slices = if is_volume { 1 } else { texture.slices.max(1) as usize };
        for slice in 0..slices {
            for mip in &data {
                file.extend(mip.chunks_exact((mip.len() / slices).max(1)).nth(slice).unwrap_or_default());
            }
        }
        Ok((first, file))
    }

    fn dxgi_format(&self) -> Result<u32, ConvertTextureError> {
        let format = self.texture.format.strip_prefix("PF_").and_then(|name| dxgi_format(name, self.is_srgb));
        format.ok_or_else(|| ConvertTextureError::Format(self.texture.format.clone()))
    }
}

impl Picture {
    /// Returns the picture as a PNG file.
    ///
    /// # Errors
    /// [`ConvertTextureError::Png`] if it has no pixels.
    pub fn to_png(&self) -> Result<Vec<u8>, ConvertTextureError> {
        let failed = |error: png::EncodingError| ConvertTextureError::Png(error.to_string());
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width, self.height);
        let (color, depth, data) = match &self.pixels {
            Pixels::Grey8(values) => (png::ColorType::Grayscale, png::BitDepth::Eight, values.clone()),
            Pixels::Rgba8(values) => (png::ColorType::Rgba, png::BitDepth::Eight, values.clone()),
            Pixels::Grey16(values) => {
                let bytes = values.iter().flat_map(|value| value.to_be_bytes()).collect();
                (png::ColorType::Grayscale, png::BitDepth::Sixteen, bytes)
            }
        };
        encoder.set_color(color);
        encoder.set_depth(depth);
        let mut writer = encoder.write_header().map_err(failed)?;
        writer.write_image_data(&data).map_err(failed)?;
        writer.finish().map_err(failed)?;
        Ok(file)
    }
}
