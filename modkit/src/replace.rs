//! Sounds of a game replaced by recordings.
//!
//! ```text
//! WAV ──► EncodedRecording ──► package of the sound, with that one ──► container of a mod, as the game has them
//! WAV ──► WavFile ──► package of Unreal Engine 1 to 3, with that one
//! WAV ──► BankRecording ──► sound banks and media of middleware, with that one
//! ```

pub mod bank;
mod convert;
mod loose;
mod opus;
mod package;
mod recording;
mod recording_error;
mod riff;
mod table;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use unreal::containers::Container;
use unreal::containers::mount::{Mount, MountedEntry};
use unreal::containers::pak::PakForm;
use unreal::ue4to6::bulk::BulkFile;
use unreal::ue4to6::class::sound_wave::{self, Replaced};
use unreal::ue4to6::class::{BulkDataError, ChangedObject, NewData};
use unreal::ue4to6::convert::{ConvertError, IoStoreRelease, to_zen};
use unreal::ue4to6::zen::ZenForm;
use unreal::{AssetPackage, AssetVersion, Error, Limits, Mappings, Memory, Source};

use crate::legacy::{LegacyConverter, LegacyError, release_of};
use crate::pack::PackedFile;
use crate::unpack::OBJECTS;

pub use loose::{LooseError, LooseMod};
pub use package::{PackageError, PackageReplacement, WavFile, replace_in_package};
pub use recording::EncodedRecording;
pub use recording_error::RecordingError;
pub use table::{TableError, read_table};

/// A sound, and the recording that takes its place.
#[derive(Clone, Debug)]
pub struct Replacement {
    /// The path of the sound: `/Game/Audio/SW_Steps`.
    pub sound: String,
    /// The recording.
    pub recording: EncodedRecording,
}

/// Facts about a game.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReplaceOptions<'o> {
    /// The release of packages that state none.
    pub version: Option<AssetVersion>,
    /// Mappings for properties without tags.
    pub mappings: Option<&'o Mappings>,
}

/// The files of a mod.
#[derive(Debug)]
pub struct Mod {
    /// The files that are to be packed.
    pub files: Vec<PackedFile>,
    /// Into what.
    pub kind: ModKind,
    /// Whether some are packages of the editor, which no container holds: they take the place of files of a project.
    pub has_editor_packages: bool,
}

impl Mod {
    /// Returns what becomes of the loop points of a recording; none if it has none.
    #[must_use]
    pub fn loop_remark(&self, recording: &EncodedRecording) -> Option<String> {
        let range = recording.loops().first()?;
        let becomes = match self.has_editor_packages {
            true => "the package keeps these points, but the engine repeats a sound whole",
            false => "a cooked sound has no loop points and repeats whole",
        };
        Some(format!("loops from {} to {}; {becomes}", range.start(), range.end()))
    }
}

/// The container of a mod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModKind {
    /// A `.pak`, as the game has them.
    Pak(PakForm),
    /// A `.utoc` with its data, as the game has them.
    IoStore(IoStoreRelease),
}

impl ModKind {
    /// Returns the extensions of its files; the first is that of the container.
    #[must_use]
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Pak(_) => &["pak"],
            Self::IoStore(_) => &["utoc", "ucas", "pak"],
        }
    }

    /// Returns where a mod is written: with the extension of its container if it has none; none if it has that of
    /// another kind.
    #[must_use]
    pub fn output(self, output: &Path) -> Option<PathBuf> {
        // `v1.2_P` has no extension.
        let wanted = self.extensions().first()?;
        if has_extension(output, &[wanted]) {
            return Some(output.to_owned());
        }
        if has_extension(output, &["pak", "utoc", "ucas"]) {
            return None;
        }
        let mut output = output.as_os_str().to_owned();
        output.push(".");
        output.push(wanted);
        Some(output.into())
    }
}

/// Returns whether a path has one of some extensions, in any case.
#[must_use]
pub fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().is_some_and(|is| extensions.iter().any(|extension| is.eq_ignore_ascii_case(extension)))
}

/// Errors of replacing a sound.
#[derive(Debug)]
#[non_exhaustive]
pub enum SoundError {
    /// There is no such sound.
    Unknown(String),
    /// The package cannot be read.
    Read(Error),
    /// The package cannot be converted.
    Legacy(LegacyError),
    /// The package cannot be written.
    Convert(ConvertError),
    /// The sound cannot have another recording.
    Replace(sound_wave::ReplaceError),
    /// Data of the object cannot be written.
    Data(BulkDataError),
    /// The package that was made is not what it was to be.
    Differs,
    /// The object has no recording: the name of its class.
    PlaysOthers(&'static str),
    /// Sounds lie in containers of different kinds.
    Kinds,
}

impl fmt::Display for SoundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(sound) => write!(f, "there is no sound {sound}"),
            Self::Read(error) => error.fmt(f),
            Self::Legacy(error) => error.fmt(f),
            Self::Convert(error) => error.fmt(f),
            Self::Replace(error) => error.fmt(f),
            Self::Data(error) => error.fmt(f),
            Self::Differs => f.write_str("the changed package differs from what it was to be"),
            Self::PlaysOthers(class) => {
                write!(
                    f,
                    "is a {class}: it plays other sounds and has no recording of its own; replace those"
                )
            }
            Self::Kinds => f.write_str("these sounds lie in containers of different kinds"),
        }
    }
}

impl std::error::Error for SoundError {}

impl From<Error> for SoundError {
    fn from(error: Error) -> Self {
        Self::Read(error)
    }
}

/// The bytes that a package may have which is changed: it is held in memory.
const PACKAGE: u64 = 1 << 30;

/// Replaces sounds of a game; returns the files of a mod that does so. Of several recordings for a sound the last one
/// counts.
///
/// # Errors
/// The index of the sound in the list, and [`SoundError`].
pub fn replace(
    mount: &Mount,
    replacements: &[Replacement],
    options: ReplaceOptions<'_>,
) -> Result<Mod, (usize, SoundError)> {
    let mut by_package: BTreeMap<(usize, usize), Vec<(usize, usize)>> = BTreeMap::new();
    for (index, replacement) in replacements.iter().enumerate() {
        let (entry, export) = find(mount, &replacement.sound, options).map_err(|error| (index, error))?;
        by_package.entry((entry.container, entry.entry)).or_default().push((index, export));
    }
    let converter = LegacyConverter::new(mount, options.version);
    let converter = converter.map_err(|error| (0, SoundError::Read(error)))?;
    let (mut kind, mut has_editor_packages) = (None, false);
    let mut files = Vec::new();
    for ((container, entry), sounds) in by_package {
        let entry = MountedEntry { container, entry };
        let first = sounds.first().map_or(0, |(index, _)| *index);
        let of_package = kind_of(mount, entry);
        if *kind.get_or_insert(of_package) != of_package {
            return Err((first, SoundError::Kinds));
        }
        let mut changed = Changed::open(mount, entry, &converter, options).map_err(|error| (first, error))?;
        for (index, export) in sounds {
            let Some(replacement) = replacements.get(index) else { continue };
            changed.replace(export, &replacement.recording, options).map_err(|error| (index, error))?;
        }
        has_editor_packages |= changed.is_editor;
        files.extend(changed.finish(of_package).map_err(|error| (first, error))?);
    }
    Ok(Mod { files, kind: kind.unwrap_or(ModKind::Pak(PakForm::default())), has_editor_packages })
}

/// Returns the package of a sound, and its number there.
fn find(
    mount: &Mount,
    sound: &str,
    options: ReplaceOptions<'_>,
) -> Result<(MountedEntry, usize), SoundError> {
    let name_at = sound.rfind('/').map_or(0, |at| at + 1);
    // An object that is called as its package is has no name of its own in a path.
    let split = sound[name_at..]
        .rsplit_once('.')
        .map(|(package, object)| (sound[..name_at + package.len()].to_owned(), object.to_owned()));
    let whole = (sound.to_owned(), sound[name_at..].to_owned());
    for (package, object) in [Some(whole), split].into_iter().flatten() {
        let is_it = |entry: &MountedEntry| {
            let is_named = |name: &str| name.eq_ignore_ascii_case(&package);
            mount.is_package(*entry)
                && !mount.is_overridden(*entry)
                && mount
                    .package_name(*entry)
                    .or_else(|| mount.path(*entry).map(|path| stem(&path)))
                    .is_some_and(|name| is_named(&name))
        };
        for entry in mount.entries().filter(is_it) {
            let opened = mount.open_package(entry, options.version, &mut Limits::default())?;
            let is_sound = |number: &usize| {
                let name = opened.export(*number).map(|export| export.name);
                opened.sound_class(*number).is_some()
                    && name.is_some_and(|name| name.eq_ignore_ascii_case(&object))
            };
            if let Some(export) = (0..opened.len()).find(is_sound) {
                if let Some(class) = opened.sound_class(export).filter(|class| class.plays_others()) {
                    return Err(SoundError::PlaysOthers(class.name()));
                }
                return Ok((entry, export));
            }
        }
    }
    Err(SoundError::Unknown(sound.to_owned()))
}

fn stem(path: &str) -> String {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem).to_owned()
}

/// Returns in what a mod for a package has to stand.
pub(crate) fn kind_of(mount: &Mount, entry: MountedEntry) -> ModKind {
    match mount.container(entry) {
        Some(Container::IoStore(store)) => {
            release_of(store).map_or(ModKind::Pak(PakForm::default()), ModKind::IoStore)
        }
        Some(Container::Pak(pak)) => ModKind::Pak(pak.form()),
        _ => ModKind::Pak(PakForm::default()),
    }
}

/// A package that is being changed.
struct Changed<'m> {
    mount: &'m Mount,
    entry: MountedEntry,
    /// Path without extension, and the extension.
    path: (String, String),
    version: Option<AssetVersion>,
    header: Vec<u8>,
    objects: Vec<u8>,
    /// Files of data that are new, whole.
    data: Vec<(BulkFile, Vec<u8>)>,
    is_editor: bool,
}

impl<'m> Changed<'m> {
    /// Opens a package; one of a container is converted.
    fn open(
        mount: &'m Mount,
        entry: MountedEntry,
        converter: &LegacyConverter<'_>,
        options: ReplaceOptions<'_>,
    ) -> Result<Self, SoundError> {
        let label = mount.label(entry);
        let (path, extension) = label.rsplit_once('.').unwrap_or((&label, "uasset"));
        let path = (path.to_owned(), extension.to_owned());
        let (header, objects, version) = if converter.converts(entry) {
            let (package, file) = converter.convert(entry).map_err(SoundError::Legacy)?;
            let objects = whole(&file.objects(package.source()), 0)?;
            (file.header, objects, Some(converter.version(entry, &package)))
        } else {
            let package = mount.open_package(entry, options.version, &mut Limits::default())?;
            let (begin, version) = (package.objects_at(), package.version());
            let all = whole(package.source(), 0)?;
            let begin = usize::try_from(begin).unwrap_or(all.len()).min(all.len());
            let (header, objects) = all.split_at(begin);
            (header.to_vec(), objects.to_vec(), Some(version))
        };
        Ok(Self { mount, entry, path, version, header, objects, data: Vec::new(), is_editor: false })
    }

    /// Returns the package as it is now.
    fn package(&self) -> Result<AssetPackage, Error> {
        let (header, objects) =
            (Box::new(Memory(self.header.clone())), Box::new(Memory(self.objects.clone())));
        let path = format!("{}.{}", self.path.0, self.path.1);
        AssetPackage::of_files(&path, header, Some(objects), self.version, &mut Limits::default())
    }

    /// Returns a file of data as it is now; nothing if there is none.
    fn data(&self, place: BulkFile, bytes: u64) -> Result<Vec<u8>, Error> {
        if let Some((_, data)) = self.data.iter().find(|(other, _)| *other == place) {
            let bytes = usize::try_from(bytes).unwrap_or(usize::MAX).min(data.len());
            return Ok(data[..bytes].to_vec());
        }
        let Some(entry) = self.mount.data_of(self.entry, place) else { return Ok(Vec::new()) };
        let Some(container) = self.mount.container(entry) else { return Ok(Vec::new()) };
        whole(&*container.open(entry.entry)?, bytes)
    }

    fn data_length(&self, place: BulkFile) -> u64 {
        if let Some((_, data)) = self.data.iter().find(|(other, _)| *other == place) {
            return data.len() as u64;
        }
        let entry = self.mount.data_of(self.entry, place);
        let info = entry.and_then(|entry| self.mount.container(entry)?.info(entry.entry).ok());
        info.map_or(0, |info| info.size)
    }

    fn replace(
        &mut self,
        export: usize,
        recording: &EncodedRecording,
        options: ReplaceOptions<'_>,
    ) -> Result<(), SoundError> {
        let package = self.package()?;
        let length = |place| self.data_length(place);
        let limits = &mut Limits::with_structures(PACKAGE);
        let chunks = recording.chunks();
        let replaced = sound_wave::replace(
            &package,
            export,
            recording.as_new(&chunks),
            options.mappings,
            &length,
            limits,
        );
        let Replaced { files, data, is_editor } = replaced.map_err(SoundError::Replace)?;
        drop(package);
        self.is_editor |= is_editor;
        self.take(ChangedObject { files, data: data.into_iter().collect() })
    }

    /// Takes the package as it was written, with its files of data.
    fn take(&mut self, ChangedObject { files, data }: ChangedObject) -> Result<(), SoundError> {
        for NewData { place, kept, bytes } in data {
            let mut whole = if kept > 0 { self.data(place, kept)? } else { Vec::new() };
            whole.extend(bytes);
            self.data.retain(|(other, _)| *other != place);
            self.data.push((place, whole));
        }
        (self.header, self.objects) = (files.header, files.objects);
        Ok(())
    }

    /// Returns the files of the package that have changed.
    fn finish(self, kind: ModKind) -> Result<Vec<PackedFile>, SoundError> {
        let (stem, extension) = (self.path.0.clone(), self.path.1.clone());
        let path = |extension: &str| format!("{stem}.{extension}");
        let mut files = Vec::new();
        match kind {
            ModKind::IoStore(release) => {
                let form: ZenForm = release.package_form();
                let package = self.package()?;
                let chunk = to_zen(&package, form, &mut Limits::with_structures(PACKAGE));
                let chunk = chunk.map_err(SoundError::Convert)?.into_source(package.source());
                files.push(PackedFile::of_bytes(path(&extension), whole(&chunk, 0)?));
            }
            // Its objects were in the same file.
            ModKind::Pak(_) if self.mount.objects_of(self.entry).is_none() => {
                files.push(PackedFile::of_bytes(path(&extension), [self.header, self.objects].concat()));
            }
            ModKind::Pak(_) => {
                files.push(PackedFile::of_bytes(path(&extension), self.header));
                files.push(PackedFile::of_bytes(path(OBJECTS), self.objects));
            }
        }
        for (place, bytes) in self.data {
            files.push(PackedFile::of_bytes(path(place.extension()), bytes));
        }
        Ok(files)
    }
}

/// Reads all of a source, or so many bytes of it.
fn whole(source: &dyn Source, most: u64) -> Result<Vec<u8>, Error> {
    let length = if most == 0 { source.len() } else { source.len().min(most) };
    Limits::with_structures(PACKAGE).take(length, 0, "package")?;
    let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
    source.read_at(0, &mut bytes).map_err(|error| Error::from_io(error, 0, "package"))?;
    Ok(bytes)
}
