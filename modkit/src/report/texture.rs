//! Textures in reports.

use serde::Serialize;
use unreal::containers::mount::MountedEntry;
use unreal::ue4to6::bulk::BulkFile;
use unreal::ue4to6::class::texture::Mip;

use super::Unread;
use crate::packages::GamePackages;
use crate::texture::{FoundTexture, textures};

/// A texture as a line of JSON.
#[derive(Clone, Debug, Serialize)]
pub struct TextureRow {
    /// Name and version of this contract.
    pub schema: &'static str,
    /// Name of its package.
    pub path: String,
    /// Name of the container of that.
    pub container: String,
    /// Index in the export table.
    pub export: usize,
    /// Object name.
    pub name: String,
    /// Class name.
    pub class: String,
    /// Pixel format; none if no cooked mips were found, and then nothing that follows is known.
    pub format: Option<String>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Slices of an array, sides of a cube.
    pub slices: u32,
    /// Whether it is a cube.
    pub cube: bool,
    /// Whether it is a virtual texture.
    #[serde(rename = "virtual")]
    pub is_virtual: bool,
    /// Mips left out before the first.
    pub first_mip: u32,
    /// Mips, the largest first.
    pub mips: Vec<MipRow>,
}

/// A mip of a texture.
#[derive(Clone, Debug, Serialize)]
pub struct MipRow {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Depth in pixels.
    pub depth: u32,
    /// Bytes of its data.
    pub size: u64,
    /// Where that is: `inline`, `end`, `ubulk`, `uptnl`, `mapped`, or `missing`.
    #[serde(rename = "where")]
    pub place: &'static str,
    /// Offset of the data in that file.
    pub offset: u64,
}

impl TextureRow {
    fn new(
        packages: &GamePackages,
        entry: MountedEntry,
        path: &str,
        found: FoundTexture,
    ) -> Result<Self, Unread> {
        let FoundTexture { export, name, class, texture } = found;
        let unread = |error| Unread { object: Some(name.clone()), ..packages.unread(entry, error) };
        let texture = texture.map_err(unread)?;
        let mut row = Self {
            schema: "usampler.texture/1",
            path: path.to_owned(),
            container: packages.mount.container_name(entry).to_owned(),
            export,
            name,
            class,
            format: None,
            width: 0,
            height: 0,
            slices: 0,
            cube: false,
            is_virtual: false,
            first_mip: 0,
            mips: Vec::new(),
        };
        let Some(texture) = texture else { return Ok(row) };
        (row.width, row.height, row.slices) = (texture.width, texture.height, texture.slices);
        (row.cube, row.is_virtual, row.first_mip) = (texture.is_cube, texture.is_virtual, texture.first_mip);
        row.format = Some(texture.format);
        row.mips = texture.mips.iter().map(|mip| MipRow::new(packages, entry, mip)).collect();
        Ok(row)
    }

    /// Returns how many of its mips have their data outside of the package.
    #[must_use]
    pub fn mips_outside(&self) -> usize {
        self.mips.iter().filter(|mip| !matches!(mip.place, "inline" | "end")).count()
    }

    /// Returns the bytes of all its mips.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.mips.iter().fold(0, |sum, mip| sum.saturating_add(mip.size))
    }
}

impl MipRow {
    fn new(packages: &GamePackages, entry: MountedEntry, mip: &Mip) -> Self {
        let Mip { width, height, depth, size, offset, place, .. } = *mip;
        let place = match place {
            _ if !packages.has_bulk_data(entry, place) => "missing",
            BulkFile::Inline => "inline",
            BulkFile::EndOfPackage => "end",
            BulkFile::MemoryMapped => "mapped",
            place => place.extension(),
        };
        Self { width, height, depth, size, place, offset }
    }
}

impl GamePackages {
    /// Describes the textures of a package, each of which may be unreadable.
    ///
    /// # Errors
    /// If the package cannot be read.
    pub fn textures(&self, entry: MountedEntry) -> Result<Vec<Result<TextureRow, Unread>>, Unread> {
        let package = self.package(entry).map_err(|error| self.unread(entry, error))?;
        let row = |found| TextureRow::new(self, entry, package.name(), found);
        Ok(textures(&package).into_iter().map(row).collect())
    }
}
