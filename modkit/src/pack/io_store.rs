//! Packages as they stand in `IoStore` containers, and their data, written into such a container; what is no package
//! goes into the pak that stands beside it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use unreal::containers::iostore::{ChunkId, IoStoreOptions, IoStoreWriter};
use unreal::containers::mount::Mount;
use unreal::containers::{Container, ContainerHeader, PackageEntry};
use unreal::ue4to6::convert::IoStoreRelease;
use unreal::ue4to6::zen::{ZenForm, ZenTables};
use unreal::{Limits, Source as _, hash, is_tagged};

use super::pipeline::{FilePiece, Pipeline};
use super::write_behind::WriteBehind;
use super::{PackError, PackedFile, convert};
use crate::legacy;
use crate::unpack::{CHUNKS, OBJECTS};

/// Files of a container, and files of the pak that accompanies it.
#[derive(Debug)]
pub struct IoStorePlan {
    /// The files that become chunks.
    chunks: Vec<PlannedChunk>,
    /// Objects of packages that become chunks with them.
    objects: Vec<PackedFile>,
    /// Files that are no packages, for the pak that accompanies the container.
    pub others: Vec<PackedFile>,
    /// Packages that the packages depend on.
    pub header: ContainerHeader,
}

/// A file that becomes a chunk.
#[derive(Debug)]
struct PlannedChunk {
    file: PackedFile,
    id: ChunkId,
    /// Whether the container says where it lies.
    has_path: bool,
}

impl IoStorePlan {
    /// Returns the bytes of the files that become chunks.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.chunks.iter().map(|chunk| chunk.file.size).fold(0, u64::saturating_add)
    }

    /// Adds the entry of the accompanying pak by which mods of Marvel Rivals list the files of a container: paths below
    /// the root, one a line. `mount` is where the container is mounted.
    ///
    /// Source: `UassetToolRivals` (`ChunkNamesPakWriter`).
    pub fn list_chunks(&mut self, mount: &str) {
        const LIST: &str = "chunknames";
        const ROOT: &str = "../../../";
        let folder = mount.strip_prefix(ROOT).unwrap_or(mount).trim_matches('/');
        let chunks = self.chunks.iter().filter(|chunk| chunk.has_path);
        let paths = chunks.map(|chunk| match folder {
            "" => chunk.file.entry.clone(),
            _ => format!("{folder}/{}", chunk.file.entry),
        });
        let list = paths.collect::<Vec<_>>().join("\n").into_bytes();
        // A list that was unpacked is of another container.
        self.others.retain(|file| file.entry != LIST);
        self.others.push(PackedFile::of_bytes(LIST.to_owned(), list));
    }
}

/// Plans a container of a name: which files become which chunks; packages of files are converted. What a package says
/// nothing of itself, as the shader maps that it needs, is taken from the game it is for.
///
/// # Errors
/// [`PackError`] if a package cannot be read or converted, or data has no package.
pub fn plan_io_store(
    mut files: Vec<PackedFile>,
    name: &str,
    release: IoStoreRelease,
    game: Option<&Mount>,
) -> Result<IoStorePlan, PackError> {
    let known = game.map(known_packages).unwrap_or_default();
    let mut packages: HashMap<String, u64> = HashMap::new();
    let mut legacy: HashSet<String> = HashSet::new();
    let mut entries: BTreeMap<u64, PackageEntry> = BTreeMap::new();
    for file in &mut files {
        let Some((stem, "uasset" | "umap")) = file.entry.rsplit_once('.') else { continue };
        let stem = stem.to_owned();
        let (name, entry) = match is_legacy(file)? {
            true => {
                legacy.insert(stem.clone());
                converted(file, release)?
            }
            false => stored(file, release, &known)?,
        };
        let id = entry.id;
        let shader_maps = known.get(&id).map(|known| known.shader_maps.clone()).unwrap_or_default();
        if entries.insert(id, PackageEntry { shader_maps, ..entry }).is_some() {
            return Err(PackError::SamePackage(name));
        }
        packages.insert(stem, id);
    }
    let header = ContainerHeader {
        version: release.header,
        container: hash::package_id(name),
        packages: entries.into_values().collect(),
        optional: Vec::new(),
        localized: Vec::new(),
        redirects: Vec::new(),
        soft: Vec::new(),
        soft_indices: Vec::new(),
    };
    plan_chunks(files, &packages, &legacy, header)
}

/// Decides which file becomes which chunk. `packages` are the ids of packages by their paths, `legacy` those that are
/// converted.
fn plan_chunks(
    files: Vec<PackedFile>,
    packages: &HashMap<String, u64>,
    legacy: &HashSet<String>,
    header: ContainerHeader,
) -> Result<IoStorePlan, PackError> {
    let (mut chunks, mut objects, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for file in files {
        if let Some(stem) = file.entry.strip_suffix(OBJECTS).and_then(|entry| entry.strip_suffix('.')) {
            // They are part of their package.
            if legacy.contains(stem) {
                objects.push(file);
                continue;
            }
            return Err(PackError::NoPackage(file.file));
        }
        let kinds = [("uasset", 1), ("umap", 1), ("m.ubulk", 4), ("ubulk", 2), ("uptnl", 3)];
        let ending =
            |(ending, kind): (&str, u8)| Some((file.entry.strip_suffix(ending)?.strip_suffix('.')?, kind));
        if let Some(id) = named_chunk(&file.entry) {
            // The header is written anew.
            if id.bytes().last() != Some(&CONTAINER_HEADER) {
                chunks.push(PlannedChunk { file, id, has_path: false });
            }
            continue;
        }
        match kinds.into_iter().find_map(ending) {
            Some((stem, kind)) => {
                let id = packages.get(stem).ok_or_else(|| PackError::NoPackage(file.file.clone()))?;
                let id = ChunkId::of(*id, kind);
                chunks.push(PlannedChunk { file, id, has_path: true });
            }
            None => others.push(file),
        }
    }
    Ok(IoStorePlan { chunks, objects, others, header })
}

/// Returns the chunk that a file is named after, as one without a path is when it is unpacked.
fn named_chunk(entry: &str) -> Option<ChunkId> {
    let (id, _) = entry.strip_prefix(CHUNKS)?.split_once('.')?;
    id.parse().ok()
}

/// Returns whether a file is a package with a header of its own.
fn is_legacy(file: &PackedFile) -> Result<bool, PackError> {
    let failed = |error| PackError::Read(file.file.clone(), error);
    let source = file.open().map_err(failed)?;
    let mut tag = [0; 4];
    if source.len() >= 4 {
        source.read_at(0, &mut tag).map_err(failed)?;
    }
    Ok(is_tagged(&tag))
}

/// Returns the name of a package that stands as it is, and what its container says of it.
fn stored(
    file: &PackedFile,
    release: IoStoreRelease,
    known: &HashMap<u64, PackageEntry>,
) -> Result<(String, PackageEntry), PackError> {
    let source = file.open().map_err(|error| PackError::Read(file.file.clone(), error))?;
    let package = ZenTables::parse(&*source, &mut Limits::default())
        .map_err(|error| PackError::Package(file.file.clone(), error))?;
    if !release.holds(&package) {
        return Err(PackError::Release(file.file.clone(), IoStoreRelease::of_package(&package)));
    }
    let id = hash::package_id(package.name());
    let before = known.get(&id);
    let mut entry = PackageEntry {
        id,
        imports: package.imported_packages().iter().map(|name| hash::package_id(name)).collect(),
        ..before.cloned().unwrap_or_default()
    };
    if package.summary().form != ZenForm::Dependencies {
        // It does not say which packages it needs.
        let before = before.ok_or_else(|| PackError::NeedsGame(file.file.clone()))?;
        entry.imports.clone_from(&before.imports);
    }
    Ok((package.name().to_owned(), entry))
}

/// Converts a package, to know that it can be; returns its name, and what its container says of it.
fn converted(file: &mut PackedFile, release: IoStoreRelease) -> Result<(String, PackageEntry), PackError> {
    let package = convert::open(file, release.package_versions().next())?;
    let (name, version) = (package.name().to_owned(), package.version());
    if !release.package_versions().any(|other| other == version) {
        return Err(PackError::Release(file.file.clone(), version.release()));
    }
    let form = release.package_form();
    let chunk = convert::chunk(&package, form, &file.file)?;
    let is_counted = form == ZenForm::Bundles;
    let entry = PackageEntry {
        id: hash::package_id(&name),
        exports: is_counted.then_some(chunk.exports),
        bundles: is_counted.then_some(1),
        imports: chunk.imports.clone(),
        ..PackageEntry::default()
    };
    file.becomes = Some((form, version));
    file.size = chunk.into_source(package.source()).len();
    Ok((name, entry))
}

/// Returns what the containers of a game say of packages; what is mounted last counts.
pub(crate) fn known_packages(game: &Mount) -> HashMap<u64, PackageEntry> {
    let mut known = HashMap::new();
    for (_, container) in game.containers() {
        let Container::IoStore(store) = &**container else { continue };
        if let Ok(Some(header)) = store.header(&mut Limits::default()) {
            known.extend(header.packages.into_iter().map(|package| (package.id, package)));
        }
    }
    known
}

/// Returns the versions that the containers of a game have; none if it has no such container.
#[must_use]
pub fn release_of(game: &Mount) -> Option<IoStoreRelease> {
    let mut stores = game.containers().iter().rev().filter_map(|(_, container)| match &**container {
        Container::IoStore(store) => Some(store),
        _ => None,
    });
    stores.find_map(legacy::release_of)
}

/// Writes a planned container: its data by `open`, for the file of each number; returns its table of contents, or
/// nothing if `report` ended it. Blocks are compressed that become smaller.
///
/// # Errors
/// [`PackError`] of the first file that cannot be read or has changed since it was found, or why the container cannot
/// be written.
pub fn pack_io_store<W: Write + Send>(
    plan: &IoStorePlan,
    options: IoStoreOptions,
    threads: NonZeroUsize,
    mut open: impl FnMut(u64) -> io::Result<W>,
    report: &dyn Fn(u64) -> bool,
) -> Result<Option<Vec<u8>>, PackError> {
    thread::scope(|scope| {
        let open = |number| Ok(WriteBehind::new(scope, open(number)?));
        write(plan, options, open, threads, report)
    })
}

/// Writes a planned container, one piece after another.
fn write<W: Write>(
    plan: &IoStorePlan,
    options: IoStoreOptions,
    open: impl FnMut(u64) -> io::Result<W>,
    threads: NonZeroUsize,
    report: &dyn Fn(u64) -> bool,
) -> Result<Option<Vec<u8>>, PackError> {
    let method = options.method;
    let mut writer = IoStoreWriter::new(options, open)?;
    let files: Vec<PackedFile> = plan.chunks.iter().map(|chunk| chunk.file.clone()).collect();
    let mut chunks = plan.chunks.iter();
    let pipeline = Pipeline { files: &files, method, threads, report };
    let block = u64::from(unreal::containers::iostore::BLOCK_SIZE);
    let is_whole = pipeline.run(
        |_| block,
        |file, FilePiece { plain, compressed, is_first, is_last }| {
            if is_first && let Some(PlannedChunk { id, has_path, .. }) = chunks.next() {
                writer.begin(*id, has_path.then_some(file.entry.as_str()))?;
            }
            if !plain.is_empty() {
                writer.block(plain, compressed)?;
            }
            if is_last {
                writer.end();
            }
            // Each block decides for itself.
            Ok(true)
        },
    )?;
    if !is_whole {
        return Ok(None);
    }
    files.iter().chain(&plan.objects).try_for_each(PackedFile::check_unchanged)?;
    writer.begin(ChunkId::of(plan.header.container, CONTAINER_HEADER), None)?;
    let mut header = plan.header.write()?;
    header.resize(header.len().next_multiple_of(16), 0);
    for part in header.chunks(usize::try_from(block).unwrap_or(usize::MAX)) {
        writer.block(&mut part.to_vec(), None)?;
    }
    writer.end();
    Ok(Some(writer.finish()?))
}

/// The number of that kind of chunk.
const CONTAINER_HEADER: u8 = 6;

/// Returns where the file of data of a number lies, for a table of contents: `Mod.ucas`, `Mod_s1.ucas`.
#[must_use]
pub fn data_file(table: &std::path::Path, number: u64) -> PathBuf {
    if number == 0 {
        return table.with_extension("ucas");
    }
    let stem = table.file_stem().unwrap_or_default().to_string_lossy();
    table.with_file_name(format!("{stem}_s{number}.ucas"))
}
