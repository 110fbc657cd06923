//! `usampler asset`

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use modkit::texture::PictureFormat;
use unreal::containers::iostore::TocVersion;
use unreal::containers::pak::PakForm;
use unreal::ue4to6::convert::IoStoreRelease;
use unreal::{AssetVersion, Method};

use super::{CipherArgs, values};

/// The files of games themselves.
#[derive(Debug, Args)]
pub struct AssetArgs {
    /// What to do with them.
    #[command(subcommand)]
    pub command: AssetCommand,
}

/// What is done with the files of a game.
#[derive(Debug, Subcommand)]
pub enum AssetCommand {
    /// List the entries of containers
    Ls(AssetLs),
    /// Write an entry to standard output
    Cat(AssetCat),
    /// Write entries to files, as they are stored or as packages that tools read
    Unpack(AssetUnpack),
    /// Write the files of a folder into a container
    Pack(AssetPack),
    /// Check every hash and size that containers state
    Verify(AssetVerify),
    /// List the classes and functions of a game's code, which its packages refer to by numbers
    Scripts(AssetScripts),
    /// Show what a package is: its engine, names, imports, exports, and the sounds among them
    Show(AssetShow),
    /// Write packages as JSON, from which the same packages can be made again
    Json(AssetJson),
    /// Make packages from JSON
    FromJson(AssetFromJson),
    /// Show the colours and curves of Niagara systems, or set colours
    Niagara(AssetNiagara),
    /// Show bounds, materials, bones and LODs of meshes, or set their materials
    Mesh(AssetMesh),
    /// List textures, write them as PNG or DDS, strip mips, or set a picture
    Texture(AssetTexture),
    /// Answer requests, one JSON object a line on standard input: {"id":1,"args":["show","X.uasset"]}
    Serve(AssetServe),
}

/// A container or a game.
#[derive(Debug, Args)]
pub struct GameArgs {
    /// A .pak, .utoc, .uasset or .umap file, or a folder: the containers below it are mounted together
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Keys and cipher of its containers.
    #[command(flatten)]
    pub cipher: CipherArgs,
}

/// `usampler asset ls`
#[derive(Debug, Args)]
pub struct AssetLs {
    /// The containers.
    #[command(flatten)]
    pub game: GameArgs,
    /// Only entries whose path contains all these words; a word with * ? [ or { is a pattern, e.g. '*.uasset'
    #[arg(long, value_name = "WORDS")]
    pub filter: Option<String>,
    /// Only entries that several containers hold, as mods that change the same: which of them wins, and why
    #[arg(long)]
    pub conflicts: bool,
    /// One JSON object per entry and line
    #[arg(long)]
    pub json: bool,
}

/// `usampler asset cat`
#[derive(Debug, Args)]
pub struct AssetCat {
    /// The containers.
    #[command(flatten)]
    pub game: GameArgs,
    /// Path of the entry as `asset ls` shows it, the end of it if no other ends so, or its chunk id
    #[arg(value_name = "PATH")]
    pub path: String,
    /// File to write [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Replace a file that is there
    #[arg(long)]
    pub force: bool,
    /// Write more than 4 GB even if that is over 100 times what is stored
    #[arg(long)]
    pub large: bool,
}

/// `usampler asset unpack`
#[derive(Debug, Args)]
pub struct AssetUnpack {
    /// The containers.
    #[command(flatten)]
    pub game: GameArgs,
    /// Folder to write to
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// Only entries whose path contains all these words; a word with * ? [ or { is a pattern, e.g. '*.uasset'
    #[arg(long, value_name = "WORDS")]
    pub filter: Option<String>,
    /// Containers of a mod, or a folder of them, mounted over the game: only what lies in these is written
    #[arg(long = "mod", value_name = "PATH")]
    pub mods: Vec<PathBuf>,
    /// Convert packages of .utoc containers to .uasset and .uexp files, as editors and other tools read them
    #[arg(long)]
    pub legacy: bool,
    /// Release of the engine, for packages that state none and containers of several: 5.6
    #[arg(long, value_name = "RELEASE", requires = "legacy")]
    pub engine: Option<AssetVersion>,
    /// Write meshes and string tables in the engine's form, in place of that of the game
    #[arg(long, requires_all = ["legacy", "game"])]
    pub stock: bool,
    /// Also write the packages that those which are written need, to the end
    #[arg(long)]
    pub with_deps: bool,
    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
    /// Write more than 4 GB even if that is over 100 times what is stored
    #[arg(long)]
    pub large: bool,
}

/// `usampler asset pack`
#[derive(Debug, Args)]
pub struct AssetPack {
    /// Folder of the files; their paths in it are those below the mount point
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Container to write: a .pak, or a .utoc of packages as `unpack` writes them, with its .ucas and .pak
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// The game that a .utoc is for: its containers say which form it has, and what packages need
    #[arg(long, value_name = "FILE")]
    pub base: Option<PathBuf>,
    /// Release of the engine that a .utoc is for: 5.0 to 5.8, or 6.0 [default: that of --base, with --game rivals 5.3]
    #[arg(long, value_name = "RELEASE")]
    pub engine: Option<IoStoreRelease>,
    /// Version of the table of contents, if not that of the release: 1 to 10
    #[arg(long, value_name = "N")]
    pub toc_version: Option<TocVersion>,
    /// Most bytes of each .ucas file, as 512M [default: one file]
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    pub partition: Option<u64>,
    /// Version of the pak: 1 to 15, 8a for that of 4.22
    #[arg(long, value_name = "N", default_value = "11")]
    pub pak_version: PakForm,
    /// Where its entries are mounted; ../../../ is the root of all containers
    #[arg(long, value_name = "PATH", default_value = "../../../")]
    pub mount: String,
    /// Method for what becomes smaller by it; Oodle is decoded only, not written
    #[arg(long, value_enum, default_value = "none", value_name = "METHOD")]
    pub compress: ContainerCompression,
    /// Encrypt data and index with the key that --aes gives
    #[arg(long)]
    pub encrypt: bool,
    /// How to encrypt: ecb, or ctr as Unreal Engine 6 can (version 15)
    #[arg(long = "cipher", value_enum, default_value = "ecb", value_name = "MODE", requires = "encrypt")]
    pub mode: CipherMode,
    /// Leave meshes and string tables in the engine's form, in place of that of the game
    #[arg(long, requires = "game")]
    pub no_fix: bool,
    /// Replace a file that is there
    #[arg(long)]
    pub force: bool,
    /// The key, and the game that the pak is for.
    #[command(flatten)]
    pub cipher: CipherArgs,
}

/// Methods that containers are compressed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ContainerCompression {
    /// Nothing is compressed.
    None,
    /// zlib; every version has it.
    Zlib,
    /// Zstandard.
    Zstd,
    /// LZ4.
    Lz4,
}

impl ContainerCompression {
    /// Returns the method; none for none.
    #[must_use]
    pub const fn method(self) -> Option<Method> {
        match self {
            Self::None => None,
            Self::Zlib => Some(Method::Zlib),
            Self::Zstd => Some(Method::Zstd),
            Self::Lz4 => Some(Method::Lz4),
        }
    }
}

/// How containers are encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CipherMode {
    /// Each 16 bytes alone.
    Ecb,
    /// By a stream for each entry.
    Ctr,
}

/// `usampler asset verify`
#[derive(Debug, Args)]
pub struct AssetVerify {
    /// The containers.
    #[command(flatten)]
    pub game: GameArgs,
}

/// `usampler asset scripts`
#[derive(Debug, Args)]
pub struct AssetScripts {
    /// The containers; global.utoc has them.
    #[command(flatten)]
    pub game: GameArgs,
    /// Only objects whose path contains all these words; a word with * ? [ or { is a pattern
    #[arg(long, value_name = "WORDS")]
    pub filter: Option<String>,
    /// One JSON object per line
    #[arg(long)]
    pub json: bool,
    /// Compute each number anew from its path; only those that differ are listed
    #[arg(long)]
    pub verify: bool,
}

/// Packages of a game.
#[derive(Debug, Args)]
pub struct PackageArgs {
    /// The containers or packages.
    #[command(flatten)]
    pub game: GameArgs,
    /// Path of the package as `asset ls` shows it, as the engine does (/Game/Audio/Steps), or the end of it if no
    /// other ends so (Steps) [default: every package]
    #[arg(value_name = "PATH")]
    pub path: Option<String>,
    /// Release of the engine, for packages that state none: 4.27
    #[arg(long, value_name = "RELEASE")]
    pub engine: Option<AssetVersion>,
    /// Mappings of the game (.usmap), for properties without tags
    #[arg(long, value_name = "FILE")]
    pub usmap: Option<PathBuf>,
}

/// `usampler asset show`
#[derive(Debug, Args)]
pub struct AssetShow {
    /// Which packages.
    #[command(flatten)]
    pub packages: PackageArgs,
    /// One JSON object per package and line
    #[arg(long)]
    pub json: bool,
}

/// `usampler asset json`
#[derive(Debug, Args)]
pub struct AssetJson {
    /// Which packages.
    #[command(flatten)]
    pub packages: PackageArgs,
    /// File for the JSON of one package, - for standard output; a folder for that of several
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// Form of the JSON: of this program, or of the tools `UAssetAPI` and `UAssetGUI`
    #[arg(long, value_name = "FORM", default_value = "usampler", value_parser = ["usampler", "uassetapi"])]
    pub format: String,
    /// Version of `UAssetAPI` that is to read it; 1.0 is for tools before 1.1
    #[arg(long, value_name = "VERSION", default_value = "1.1", value_parser = ["1.0", "1.1"])]
    pub uassetapi: String,
    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
    /// Write more than 4 GB even if that is over 100 times what is stored
    #[arg(long)]
    pub large: bool,
}

/// `usampler asset from-json`
#[derive(Debug, Args)]
pub struct AssetFromJson {
    /// Files that `asset json` wrote, or folders of them
    #[arg(value_name = "IN", required = true)]
    pub inputs: Vec<PathBuf>,
    /// Package to write, with its .uexp beside it if it has one; a folder for several; with --base a mod: `X_P`
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// The game: writes a mod for it, a container of the kind that it has, with the packages at their paths
    #[arg(long, value_name = "GAME")]
    pub base: Option<PathBuf>,
    /// Keys and cipher of the game.
    #[command(flatten)]
    pub cipher: CipherArgs,
    /// Mappings of the game (.usmap), for values of enumerations that the JSON does not have
    #[arg(long, value_name = "FILE")]
    pub usmap: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
}

/// `usampler asset niagara`
#[derive(Debug, Args)]
pub struct AssetNiagara {
    /// Which packages.
    #[command(flatten)]
    pub packages: PackageArgs,
    /// One JSON object per package and line
    #[arg(long, conflicts_with = "set")]
    pub json: bool,
    /// Colour to set: red, green, blue and alpha, where 1 is full and more glows
    #[arg(long, value_name = "R,G,B,A", requires = "output", value_parser = values::color)]
    pub set: Option<[f32; 4]>,
    /// Set it in this export alone: its number, or what its name contains [default: all colours]
    #[arg(long, value_name = "NAME", requires = "set")]
    pub export: Option<String>,
    /// Set it at this place alone, or from one to another, counted from 0
    #[arg(long, value_name = "N|A-B", requires = "set", value_parser = values::places)]
    pub index: Option<(usize, usize)>,
    /// Which of the four to set: some of rgba
    #[arg(long, value_name = "CHANNELS", requires = "set", default_value = "rgba", value_parser = values::color_channels)]
    pub channels: [bool; 4],
    /// Package to write, with its .uexp beside it if it has one
    #[arg(short, long, value_name = "OUT", requires = "set")]
    pub output: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
}

/// `usampler asset mesh`
#[derive(Debug, Args)]
pub struct AssetMesh {
    /// Which packages.
    #[command(flatten)]
    pub packages: PackageArgs,
    /// One JSON object per package and line
    #[arg(long, conflicts_with = "set_material")]
    pub json: bool,
    /// Give slot N the material of this path; a package of a container has to refer to it already
    #[arg(long, value_name = "N=/Game/…", requires = "output", value_parser = values::material)]
    pub set_material: Vec<(String, String)>,
    /// Name of the slot, in place of N
    #[arg(long, value_name = "NAME", requires = "set_material")]
    pub slot: Option<String>,
    /// With --set-material the package to write, with its .uexp beside it if it has one; else X.glb, the finest
    /// level of detail as glTF 2.0
    #[arg(short, long, value_name = "OUT", conflicts_with = "json")]
    pub output: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
}

/// `usampler asset texture`
#[derive(Debug, Args)]
pub struct AssetTexture {
    /// Which packages.
    #[command(flatten)]
    pub packages: PackageArgs,
    /// One JSON object per texture and line
    #[arg(long, conflicts_with = "output")]
    pub json: bool,
    /// X.png or X.dds for a picture, a folder for pictures of all textures; with --keep, --max, --strip or --set the
    /// package to write, with its .uexp and .ubulk beside it
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Format of pictures in a folder
    #[arg(long, value_name = "FORMAT", value_parser = values::picture_format(), default_value = "png", requires = "output")]
    pub format: PictureFormat,
    /// Mip of a PNG, counted from 0, the largest [default: the largest at hand]
    #[arg(long, value_name = "N", requires = "output")]
    pub mip: Option<usize>,
    /// Slice of a PNG, counted from 0: of an array, a cube or a volume
    #[arg(long, value_name = "N", default_value_t = 0, requires = "output")]
    pub slice: u32,
    /// Keep the N largest mips
    #[arg(long, value_name = "N", requires = "output", group = "change")]
    pub keep: Option<usize>,
    /// Drop mips that are wider or higher than this
    #[arg(long, value_name = "PIXELS", requires = "output", group = "change")]
    pub max: Option<u32>,
    /// Keep the largest mip only, in the package: --keep 1 --inline
    #[arg(long, requires = "output", group = "change")]
    pub strip: bool,
    /// Give the texture this picture, a .png or .dds of the same size and format
    #[arg(long, value_name = "IMAGE", requires = "output", group = "change")]
    pub set: Option<PathBuf>,
    /// Put all mips that are kept into the package, so that no .ubulk is needed
    #[arg(long, requires = "change")]
    pub inline: bool,
    /// Write more than 4 GB even if that is over 100 times what is stored
    #[arg(long, requires = "output")]
    pub large: bool,
    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
}

/// `usampler asset serve`
#[derive(Debug, Args)]
pub struct AssetServe {}
