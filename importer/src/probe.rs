//! What kind of file it is: the one place that decides, by content alone.

use std::fmt;
use std::io;
use std::path::Path;

use tracker::ModuleFormat;
use unreal::containers::{Container, IoStore};
use unreal::ue1to3::version::{Identity, Unsupported};
use unreal::ue4to6::zen::ZenTables;
use unreal::{Limits, NotPackage, Probe, Source, Wrapper};

use crate::Format;
use crate::collection::{saved_instrument, sfz, soundfont};

/// What kind of file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileKind {
    /// A package that is read.
    Package(Identity),
    /// A package in a wrapper.
    WrappedPackage(Wrapper),
    /// A package in a form that is known and not read.
    UnreadPackage(Unsupported),
    /// The beginning of a package, cut short.
    CutPackage,
    /// A tracker module.
    Module(ModuleFormat),
    /// A `SoundFont` 2 or 3.
    SoundFont,
    /// An SFZ file: a text that names files of audio.
    Sfz,
    /// A saved instrument: a TOML file that names sounds of other files.
    SavedInstrument,
    /// A sound bank of middleware, which is opened with those beside it.
    SoundBank,
    /// A file of Unreal Engine 4 or later.
    GameFile(GameFileKind),
    /// A file of audio.
    Audio(Format),
    /// A Standard MIDI File: notes without sounds.
    Midi,
    /// Something else.
    Other(NotPackage),
}

/// Files of Unreal Engine 4 and later, which are opened with those that belong to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameFileKind {
    /// A pak file.
    Pak,
    /// The table of contents of an `IoStore` container.
    IoStore,
    /// The data of an `IoStore` container; nothing in it says so.
    IoStoreData,
    /// A package, as a rule without its objects.
    Package,
    /// What lies beside a package: its objects, its data; nothing in it says so.
    PackageData,
    /// A package as it lay in an `IoStore` container; its tables prove it.
    ZenPackage,
}

impl GameFileKind {
    /// Returns whether a game can be opened by it.
    #[must_use]
    pub const fn is_opened_with_others(self) -> bool {
        matches!(self, Self::Pak | Self::IoStore | Self::Package | Self::ZenPackage)
    }

    /// Returns the kind that the extension of a file stands for, of the kinds that have no signature.
    #[must_use]
    pub fn of_extension(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "ucas" => Some(Self::IoStoreData),
            "uexp" | "ubulk" | "uptnl" => Some(Self::PackageData),
            "uzenasset" => Some(Self::ZenPackage),
            _ => None,
        }
    }
}

impl fmt::Display for GameFileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pak => "a pak container of Unreal Engine 4 or later",
            Self::IoStore => "an IoStore container of Unreal Engine 4.25 or later",
            Self::IoStoreData => "the data of an IoStore container of Unreal Engine 4.25 or later",
            Self::Package => "a package of Unreal Engine 4 or later",
            Self::PackageData => "the data of a package of Unreal Engine 4 or later",
            Self::ZenPackage => "a package from an IoStore container of Unreal Engine 4.26 or later",
        })
    }
}

/// Bytes from the start of a file that [`probe`] needs.
pub const PROBE_LENGTH: usize =
    if tracker::PROBE_LENGTH > unreal::PROBE_LENGTH { tracker::PROBE_LENGTH } else { unreal::PROBE_LENGTH };

impl FileKind {
    /// Returns whether it is opened where it lies in a folder: a package or container, even one that is refused by
    /// name, or a module. Files of audio are opened together, with the folder.
    #[must_use]
    pub const fn is_opened(self) -> bool {
        matches!(
            self,
            Self::Package(_)
                | Self::WrappedPackage(_)
                | Self::UnreadPackage(_)
                | Self::Module(_)
                | Self::SoundFont
                | Self::Sfz
                | Self::SavedInstrument
                | Self::GameFile(_)
        )
    }
}

/// Recognises the kind of a file by its first [`PROBE_LENGTH`] bytes, or all if it has fewer, and its length in
/// bytes. A pak is identified by its end: see [`probe_source`].
#[must_use]
pub fn probe(head: &[u8], length: u64) -> FileKind {
    let module = || tracker::probe(head, length).map(FileKind::Module);
    match unreal::probe(head) {
        Probe::Package(identity) => FileKind::Package(identity),
        Probe::Unsupported(Unsupported::Engine4(_)) => FileKind::GameFile(GameFileKind::Package),
        Probe::Unsupported(form) => FileKind::UnreadPackage(form),
        Probe::Wrapped(wrapper) => module().unwrap_or(FileKind::WrappedPackage(wrapper)),
        Probe::NeedMore(_) => module().unwrap_or(FileKind::CutPackage),
        Probe::No(_) if IoStore::is_head(head) => FileKind::GameFile(GameFileKind::IoStore),
        Probe::No(_) if soundfont::is_head(head) => FileKind::SoundFont,
        Probe::No(_) if is_sound_bank(head) => FileKind::SoundBank,
        Probe::No(_) if saved_instrument::is_head(head) => FileKind::SavedInstrument,
        Probe::No(_) if sfz::is_head(head) => FileKind::Sfz,
        Probe::No(other) => module().unwrap_or(match Format::of_file(head) {
            Some(Format::Midi) => FileKind::Midi,
            Some(format) => FileKind::Audio(format),
            None => FileKind::Other(other),
        }),
    }
}

/// Returns whether a file is a sound bank, by its first bytes.
fn is_sound_bank(head: &[u8]) -> bool {
    soundbank::wwise::is_wwise(head) || soundbank::fmod::is_fmod(head) || soundbank::cri::is_cri(head)
}

/// Recognises the kind of a source by its beginning and, where that says nothing, by its end.
///
/// # Errors
/// If its bytes cannot be read.
pub fn probe_source(source: &dyn Source) -> io::Result<FileKind> {
    let length = usize::try_from(source.len()).unwrap_or(usize::MAX).min(PROBE_LENGTH);
    let mut head = vec![0; length];
    source.read_at(0, &mut head)?;
    let kind = probe(&head, source.len());
    if !matches!(kind, FileKind::Other(_) | FileKind::Audio(_)) {
        return Ok(kind);
    }
    if Container::is_pak(source).map_err(io::Error::other)? {
        return Ok(FileKind::GameFile(GameFileKind::Pak));
    }
    if matches!(kind, FileKind::Audio(_)) {
        return Ok(kind);
    }
    // What takes more than the limits is none.
    let zen = ZenTables::recognise(source, &mut Limits::default());
    Ok(if matches!(zen, Ok(Some(_))) { FileKind::GameFile(GameFileKind::ZenPackage) } else { kind })
}
