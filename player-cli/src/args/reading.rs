//! Which files are read, and how.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use importer::{BankOptions, Budget, ImportOptions, Platform, open, open::NamedGame, read_regular_text};
use unreal::ue1to3::version::{FileVersion, Licensee};
use unreal::{AssetVersion, GameCipher, PackageOptions};

use super::values;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::is_special;
use crate::memory;

/// A package to read.
#[derive(Clone, Debug, Args)]
pub struct InputArgs {
    /// A package, tracker module, sound bank or audio file, a container or folder of a game, a folder of sound banks or
    /// audio files, `demo:` for the embedded bank, `-` for standard input
    #[arg(value_name = "FILE", index = 1, help_heading = None::<&str>)]
    pub file: PathBuf,
    /// How to read it.
    #[command(flatten, next_help_heading = "Reading files")]
    pub reading: ReadingArgs,
}

impl InputArgs {
    /// Returns all files, and the sound that is meant of the only one: what follows FILE is more files if there is such
    /// a file, else a sound.
    ///
    /// # Errors
    /// [`Exit::Usage`] if there are several words and the first is no file.
    pub fn with(&self, more: &[OsString]) -> Result<(Vec<PathBuf>, Option<String>), Failure> {
        let is_file = |word: &OsString| is_special(&word.to_string_lossy()) || Path::new(word).exists();
        let file = [self.file.clone()].into_iter();
        match more {
            [] => Ok((file.collect(), None)),
            [first, ..] if is_file(first) => Ok((file.chain(more.iter().map(PathBuf::from)).collect(), None)),
            [sound] => Ok((file.collect(), Some(sound.to_string_lossy().into_owned()))),
            [first, ..] => {
                let message = format!("no file {}", first.display());
                Err(Failure::new(Exit::Usage, message).hint("FILE FILE ..., or FILE and one SOUND of it"))
            }
        }
    }
}

/// Packages to read.
#[derive(Clone, Debug, Args)]
pub struct Inputs {
    /// Packages, tracker modules, sound banks or audio files, folders of them, containers or folders of games, `demo:`
    /// for the embedded bank, `-` for standard input
    #[arg(value_name = "FILE", required = true, help_heading = None::<&str>)]
    pub files: Vec<PathBuf>,
    /// How to read them.
    #[command(flatten, next_help_heading = "Reading files")]
    pub reading: ReadingArgs,
}

/// What the user knows better than the file.
#[derive(Clone, Debug, Default, Args)]
pub struct ReadingArgs {
    /// Game of the package, if its version is ambiguous; rivals is for containers, if their cipher is not found;
    /// `--game help` lists them
    #[arg(long, value_name = "GAME", value_parser = values::game(Some), hide_possible_values = true)]
    pub game: Option<NamedGame>,
    /// Read a package as this version, whatever it declares: 69, or 128/29 with the licensee
    #[arg(long, value_name = "N[/M]", value_parser = values::version)]
    pub package_version: Option<(FileVersion, Option<Licensee>)>,
    /// Platform whose stream to use: raw, pc, xbox360, ps3, xboxone, ps4, wiiu, iphone or flash [default: the first
    /// that can be decoded]
    #[arg(long, value_name = "NAME", value_parser = values::stream)]
    pub stream: Option<Platform>,
    /// Open the tracker module in sound N, as numbered by `list`
    #[arg(long, value_name = "N", value_parser = values::number)]
    pub music: Option<usize>,
    /// Most memory for decoded audio, and for the tables of containers, as 512M or 2G [default: half of the machine's,
    /// at most 4G, and of audio 64M and 64 times what is stored]
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    pub memory: Option<u64>,
    /// Release of the engine, for packages of Unreal Engine 4 and later that state none: 4.27
    #[arg(long, value_name = "RELEASE")]
    pub engine: Option<AssetVersion>,
    /// Mappings of the game (.usmap), for cues, loops and the like of packages without tags
    #[arg(long, value_name = "FILE")]
    pub usmap: Option<PathBuf>,
    /// Keys of encrypted containers.
    #[command(flatten)]
    pub keys: KeyArgs,
    /// What is wanted of sound banks.
    #[command(flatten)]
    pub banks: BankArgs,
}

/// What the user knows or wants of sound banks.
#[derive(Clone, Debug, Default, Args)]
pub struct BankArgs {
    /// File of names, one per line: those whose hash is an id in a sound bank name it
    #[arg(long, value_name = "FILE")]
    pub names: Option<PathBuf>,
    /// Value of a switch or state, which chooses what events of a sound bank play: Surface=Grass
    #[arg(long = "switch", value_name = "GROUP=VALUE", value_parser = player::values::setting)]
    pub switches: Vec<(String, String)>,
    /// Value of a game parameter, which sets how loud layers of a sound bank's events are: Speed=80
    #[arg(long = "rtpc", value_name = "NAME=VALUE", value_parser = player::values::number_setting)]
    pub parameters: Vec<(String, f32)>,
    /// Only the sound banks of this platform: Windows
    #[arg(long, value_name = "NAME")]
    pub platform: Option<String>,
    /// Only this language of a sound bank, and what has none
    #[arg(long, value_name = "NAME")]
    pub language: Option<String>,
    /// Key of encrypted FMOD banks, or @FILE with it; also `USAMPLER_FMOD_KEY`
    #[arg(long, value_name = "TEXT")]
    pub fmod_key: Option<String>,
    /// Key of encrypted CRI waves, decimal or 0xHEX, or @FILE with it; also `USAMPLER_CRI_KEY`
    #[arg(long, value_name = "NUMBER")]
    pub cri_key: Option<String>,
}

/// Bytes of the longest file of names.
const MAX_NAMES_LENGTH: u64 = 256 << 20;

impl BankArgs {
    /// Returns the options of the importer.
    ///
    /// # Errors
    /// If a file of names or a key cannot be read.
    pub fn options(&self) -> Result<BankOptions, (PathBuf, io::Error)> {
        let read =
            |path: &Path| read_regular_text(path, MAX_NAMES_LENGTH).map_err(|error| (path.to_owned(), error));
        let names = self.names.as_deref().map_or(Ok(String::new()), read)?;
        let given = |given: &Option<String>, variable| given.clone().or_else(|| std::env::var(variable).ok());
        Ok(BankOptions {
            names: names.lines().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect(),
            switches: self.switches.clone(),
            parameters: self.parameters.clone(),
            platform: self.platform.clone(),
            language: self.language.clone(),
            fmod_key: open::bank_key(given(&self.fmod_key, "USAMPLER_FMOD_KEY"))?,
            cri_key: open::cri_key(given(&self.cri_key, "USAMPLER_CRI_KEY"))?,
        })
    }
}

/// Keys and cipher of containers.
#[derive(Clone, Debug, Default, Args)]
pub struct CipherArgs {
    /// The keys.
    #[command(flatten)]
    pub keys: KeyArgs,
    /// Game whose own cipher paks have; it is found without this option if a key fits
    #[arg(long, value_name = "GAME", value_parser = values::game(NamedGame::containers))]
    pub game: Option<GameCipher>,
}

/// Keys of encrypted containers.
#[derive(Clone, Debug, Default, Args)]
pub struct KeyArgs {
    /// AES-256 key, hexadecimal or base64; GUID=KEY for one container; @FILE with one per line; also `USAMPLER_AES`
    #[arg(long, value_name = "KEY")]
    pub aes: Vec<String>,
}

impl KeyArgs {
    /// Returns the files that keys are read from.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.aes.iter().filter_map(|key| key.strip_prefix('@')).map(PathBuf::from)
    }
}

impl ReadingArgs {
    /// Returns the files that say how others are read.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.usmap.iter().chain(&self.banks.names).cloned().chain(self.keys.files())
    }

    /// Returns the keys and the cipher of containers.
    #[must_use]
    pub fn cipher(&self) -> CipherArgs {
        CipherArgs { keys: self.keys.clone(), game: self.game.and_then(NamedGame::containers) }
    }

    /// Returns what may be held in memory on a file's word.
    #[must_use]
    pub fn budget(&self) -> Budget {
        memory::budget(self.memory)
    }

    /// Returns the options of the importer.
    #[must_use]
    pub fn options(&self) -> ImportOptions {
        let (version, licensee) = self.package_version.unzip();
        let game = self.game.and_then(NamedGame::packages);
        let reading = PackageOptions { version, licensee: licensee.flatten(), game };
        ImportOptions { reading, stream: self.stream }
    }
}
