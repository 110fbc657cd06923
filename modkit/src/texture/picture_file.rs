use std::path::{Path, PathBuf};

use exporter::filename;

use super::{ConvertTextureError, OpenTexture};

/// Format of picture files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// PNG, decoded.
    Png,
    /// DDS, with all mips as they are.
    Dds,
}

/// A picture as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureFile {
    /// Contents of the file.
    pub bytes: Vec<u8>,
    /// Mip that is its largest, counted from 0.
    pub mip: usize,
    /// True if values beyond 0..=1 were clamped.
    pub is_clamped: bool,
}

impl PictureFormat {
    /// All formats.
    pub const ALL: [Self; 2] = [Self::Png, Self::Dds];

    /// Returns the extension of its files.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Dds => "dds",
        }
    }

    /// Returns the format of files with the extension of a path.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        Self::ALL.into_iter().find(|format| extension.eq_ignore_ascii_case(format.extension()))
    }
}

impl OpenTexture<'_> {
    /// Returns a picture as a file: a DDS of all mips from the largest one at hand on, or a PNG of a slice of a mip.
    ///
    /// # Errors
    /// [`ConvertTextureError`] if there is no such mip, or its format cannot be written so.
    pub fn picture_file(
        &self,
        format: PictureFormat,
        mip: Option<usize>,
        slice: u32,
    ) -> Result<PictureFile, ConvertTextureError> {
        Ok(match format {
            PictureFormat::Dds => {
                let (mip, bytes) = self.dds()?;
                PictureFile { bytes, mip, is_clamped: false }
            }
            PictureFormat::Png => {
                let (mip, picture) = self.picture(mip, slice)?;
                PictureFile { bytes: picture.to_png()?, mip, is_clamped: picture.is_clamped }
            }
        })
    }

    /// Returns the path of its picture in place of its package: in a folder of that name unless it `is_only`.
    #[must_use]
    pub fn picture_path(&self, package: &Path, format: PictureFormat, is_only: bool) -> PathBuf {
        let package = package.with_extension("");
        let stem = if is_only { package } else { package.join(filename::safe(&self.name)) };
        let mut path = stem.into_os_string();
        path.push(".");
        path.push(format.extension());
        PathBuf::from(path)
    }
}
