//! Packages that were edited, as a mod over their game.
//!
//! ```text
//! JSON ──► JsonPackage ──► at the path that the package has in the game ──► container of the kind that it is in
//! ```

use std::collections::HashSet;
use std::fmt;

use unreal::containers::mount::Mount;
use unreal::ue4to6::convert::{ConvertError, IoStoreRelease, to_zen};
use unreal::{AssetPackage, Error, Limits, Memory, Source as _};

use crate::PackageKind;
use crate::json::JsonPackage;
use crate::pack::PackedFile;
use crate::replace::{Mod, ModKind, kind_of};
use crate::resolve::{ResolveError, Wanted, resolve};
use crate::unpack::OBJECTS;

/// Errors of making a mod of edited packages.
#[derive(Debug)]
#[non_exhaustive]
pub enum EditedError {
    /// The package is of Unreal Engine 1 to 3, whose games have no containers.
    Classic,
    /// The game has no package of that name, or several.
    Resolve(ResolveError),
    /// An earlier one is the same package of the game: this path.
    Twice(String),
    /// The package is a chunk of an `IoStore` container, and the game has it in a pak.
    IsZen,
    /// The package is of these releases of the engine, its container of another one.
    Release(String),
    /// The edited package cannot be read again.
    Read(Error),
    /// The package cannot be converted for a container.
    Convert(ConvertError),
    /// It lies in a container of another kind than the one before.
    Kinds,
}

impl fmt::Display for EditedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Classic => f.write_str("is a package of Unreal Engine 1 to 3, which has no containers"),
            Self::Resolve(error) => error.fmt(f),
            Self::Twice(path) => write!(f, "is {path} once more"),
            Self::IsZen => f.write_str("is a package of a .utoc container, the game has it in a .pak"),
            Self::Release(releases) => {
                write!(f, "is of Unreal Engine {releases}, its container of another release")
            }
            Self::Read(error) => error.fmt(f),
            Self::Convert(error) => error.fmt(f),
            Self::Kinds => f.write_str("the game has it in a container of another kind than the others"),
        }
    }
}

impl std::error::Error for EditedError {}

/// Returns the files of a mod that replaces packages of a game by edited ones, at the paths that they have there.
///
/// # Errors
/// The index of the package in the list, and [`EditedError`].
pub fn mod_of(mount: &Mount, packages: &[JsonPackage]) -> Result<Mod, (usize, EditedError)> {
    let (mut files, mut met, mut kind) = (Vec::new(), HashSet::new(), None);
    for (number, package) in packages.iter().enumerate() {
        let (of_game, of_package) = files_of(mount, package, &mut met).map_err(|error| (number, error))?;
        if *kind.get_or_insert(of_game) != of_game {
            return Err((number, EditedError::Kinds));
        }
        files.extend(of_package);
    }
    let kind = kind.unwrap_or(ModKind::Pak(unreal::containers::pak::PakForm::default()));
    Ok(Mod { files, kind, has_editor_packages: false })
}

/// Returns in what the game has a package, and the files that replace it there.
fn files_of(
    mount: &Mount,
    package: &JsonPackage,
    met: &mut HashSet<String>,
) -> Result<(ModKind, Vec<PackedFile>), EditedError> {
    if package.kind == PackageKind::Classic {
        return Err(EditedError::Classic);
    }
    let entry = resolve(mount, &package.name, Wanted::Package).map_err(EditedError::Resolve)?;
    let label = mount.label(entry);
    if !met.insert(label.to_lowercase()) {
        return Err(EditedError::Twice(label));
    }
    let kind = kind_of(mount, entry);
    let (header, objects) = (&package.bytes.header, &package.bytes.objects);
    let whole = || [&header[..], objects].concat();
    let objects_path = || label.rsplit_once('.').map_or(&*label, |(stem, _)| stem).to_owned() + "." + OBJECTS;
    let files = match (kind, package.kind) {
        (ModKind::IoStore(_), PackageKind::Zen) => vec![PackedFile::of_bytes(label, whole())],
        (ModKind::IoStore(release), _) => {
            vec![PackedFile::of_bytes(label.clone(), converted(&label, header, objects, release)?)]
        }
        (ModKind::Pak(_), PackageKind::Zen) => return Err(EditedError::IsZen),
        (ModKind::Pak(_), _) if package.split => vec![
            PackedFile::of_bytes(objects_path(), objects.clone()),
            PackedFile::of_bytes(label, header.clone()),
        ],
        (ModKind::Pak(_), _) => vec![PackedFile::of_bytes(label, whole())],
    };
    Ok((kind, files))
}

/// Turns a package of files into one of a container.
fn converted(
    label: &str,
    header: &[u8],
    objects: &[u8],
    release: IoStoreRelease,
) -> Result<Vec<u8>, EditedError> {
    let limits = &mut Limits::default();
    let (header, objects) = (Box::new(Memory(header.to_vec())), Box::new(Memory(objects.to_vec())));
    let package =
        AssetPackage::of_files(label, header, Some(objects), None, limits).map_err(EditedError::Read)?;
    if !release.package_versions().any(|version| version == package.version()) {
        return Err(EditedError::Release(package.version().release()));
    }
    let chunk = to_zen(&package, release.package_form(), limits).map_err(EditedError::Convert)?;
    let source = chunk.into_source(package.source());
    let mut bytes = vec![0; usize::try_from(source.len()).unwrap_or_default()];
    source.read_at(0, &mut bytes).map_err(|error| EditedError::Read(Error::from_io(error, 0, "package")))?;
    Ok(bytes)
}
