//! `usampler asset pack`: a folder of files as a container.

use std::ffi::OsStr;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use exporter::{DiskSpace, OutputFile, Overwrite};
use modkit::installing::Installation;
use modkit::pack::{
    ContainerFiles, DataFiles, FolderFiles, IoStorePlan, PackError, PackedFile, data_file, files,
    pack_io_store, pack_pak, plan_io_store, release_of, to_game_layout,
};
use modkit::replace::{Mod, ModKind};
use unreal::containers::iostore::{IoStoreEncryption, IoStoreOptions};
use unreal::containers::mount::Mount;
use unreal::containers::pak::{PakEncryption, PakForm, PakOptions};
use unreal::ue4to6::convert::IoStoreRelease;
use unreal::{AesKey, Guid, WriteError};

use super::MountedGame;
use crate::args::{AssetPack, CipherArgs, CipherMode, ContainerCompression, GameArgs};
use crate::command::counted;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::game;
use crate::view::text;

/// Writes the container.
///
/// # Errors
/// If the files cannot be read, the container cannot hold them, or it cannot be written.
pub(super) fn pack(
    args: &AssetPack,
    threads: NonZeroUsize,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let ending = args.output.extension().map(OsStr::to_ascii_lowercase);
    let is_table = match ending.as_ref().and_then(|ending| ending.to_str()) {
        Some("pak") => false,
        Some("utoc") => true,
        _ => return Err(Failure::new(Exit::Usage, "-o takes a .pak or a .utoc file")),
    };
    let key = key(args)?;
    let FolderFiles { mut files, remarks } =
        files(&args.folder).map_err(|error| failure(&error, &args.output))?;
    for remark in remarks {
        console.warn(remark);
    }
    if files.is_empty() {
        let message = format!("no files in {}", args.folder.display());
        return Err(Failure::new(Exit::Unreadable, message));
    }
    let mut exit = Exit::Done;
    if args.cipher.game.is_some() && !args.no_fix {
        let report =
            to_game_layout(&mut files, args.engine).map_err(|error| failure(&error, &args.output))?;
        report.changed.iter().for_each(|change| console.say(change));
        for (path, error) in report.failed {
            console.warn(format_args!("{}: packed unchanged: {error}", path.display()));
            exit = Exit::Partly;
        }
    }
    let total = files.iter().map(|file| file.size).fold(0, u64::saturating_add);
    let count = counted(files.len(), "file");
    let game = args.base.as_ref().map(|base| base_game(base, args, threads, console)).transpose()?;
    // What is packed is read as well, wherever links lead.
    let packed = files.iter().map(|file| file.file.clone()).collect();
    let opened = game.iter().flat_map(|game| game.files.clone()).chain(args.cipher.keys.files()).collect();
    let overwrite = game::kept(Overwrite::forced(args.force).keeping(packed), opened);
    let is_whole = if is_table {
        let game = game.as_ref().map(|game| &*game.mount);
        table(args, files, key, game, &overwrite, threads, console)?
    } else {
        pak(args, &files, key, &overwrite, threads, console)?
    };
    if is_whole {
        let base = args.base.as_deref();
        say_packed(&format!("{count}, {}", text::size(total)), &args.output, base, console);
    }
    Ok(exit)
}

/// Says what a written container holds, and what is to be done with it. Every container of a mod is announced here.
pub(in crate::command) fn say_packed(
    what: &str,
    output: &Path,
    game: Option<&Path>,
    console: &mut Console<'_>,
) {
    console.say(format_args!("{what} in {}", output.display()));
    let Installation { files, folder, patch_name } = Installation::of(output, game);
    if let Some(name) = patch_name {
        let file = output.file_name().unwrap_or_default().to_string_lossy();
        console.warn(format_args!(
            "{file} may override nothing of the game: its name does not end in _P; try {name}"
        ));
    }
    if let Some(folder) = folder {
        console.say(format_args!("copy {} to {folder}", files.join(", ")));
    }
}

/// Returns where a mod is written: with the extension of its kind of container if it has none.
///
/// # Errors
/// [`Exit::Usage`] if it has that of another kind.
pub(in crate::command) fn mod_output(output: &Path, kind: ModKind) -> Result<PathBuf, Failure> {
    kind.output(output).ok_or_else(|| {
        let wanted = kind.extensions().first().copied().unwrap_or_default();
        Failure::new(Exit::Usage, format!("this game takes a .{wanted}, not {}", output.display()))
    })
}

/// Writes the container of a mod over a game; returns whether it is whole.
///
/// # Errors
/// As [`pack`].
pub(in crate::command) fn pack_mod(
    made: Mod,
    output: &Path,
    game: &Mount,
    overwrite: &Overwrite,
    threads: NonZeroUsize,
    console: &mut Console<'_>,
) -> Result<bool, Failure> {
    let mut args = AssetPack {
        folder: PathBuf::new(),
        output: output.to_owned(),
        base: None,
        engine: None,
        toc_version: None,
        partition: None,
        pak_version: PakForm::default(),
        mount: ROOT.to_owned(),
        compress: ContainerCompression::None,
        encrypt: false,
        mode: CipherMode::Ecb,
        no_fix: true,
        force: overwrite.is_forced(),
        cipher: CipherArgs::default(),
    };
    match made.kind {
        ModKind::Pak(form) => {
            args.pak_version = form;
            pak(&args, &made.files, None, overwrite, threads, console)
        }
        ModKind::IoStore(release) => {
            args.engine = Some(release);
            table(&args, made.files, None, Some(game), overwrite, threads, console)
        }
    }
}

/// Where the root of all containers is, as paks say it.
const ROOT: &str = "../../../";

/// Writes a pak; returns whether it is whole.
fn pak(
    args: &AssetPack,
    files: &[PackedFile],
    key: Option<(Guid, AesKey)>,
    overwrite: &Overwrite,
    threads: NonZeroUsize,
    console: &mut Console<'_>,
) -> Result<bool, Failure> {
    let total = files.iter().map(|file| file.size).fold(0, u64::saturating_add);
    let options = pak_options(args, args.pak_version, key);
    let output = OutputFile::create_with_folders(&args.output, overwrite)?;
    check_space(args, total)?;
    let packed =
        super::with_progress(total, console, |report| pack_pak(files, output, options, threads, report))?;
    match packed.map_err(|error| failure(&error, &args.output))? {
        Some(output) => publish(ContainerFiles::Pak(Box::new(output)), args, console).map(|()| true),
        None => Ok(false),
    }
}

/// Writes a table of contents, its data, and the pak beside it that the engine looks for; returns whether it is whole.
fn table(
    args: &AssetPack,
    files: Vec<PackedFile>,
    key: Option<(Guid, AesKey)>,
    game: Option<&Mount>,
    overwrite: &Overwrite,
    threads: NonZeroUsize,
    console: &mut Console<'_>,
) -> Result<bool, Failure> {
    // Before all the work.
    let targets = [args.output.clone(), data_file(&args.output, 0), args.output.with_extension("pak")];
    targets.iter().try_for_each(|target| overwrite.check(target))?;
    let of_game = || args.cipher.game.and_then(IoStoreRelease::of_game);
    let release = args.engine.or_else(|| game.and_then(release_of)).or_else(of_game).ok_or_else(|| {
        let failure = Failure::new(Exit::Usage, "a .utoc is for a release of the engine");
        failure.hint("--base GAME takes that of the game, --engine 5.4 names it")
    })?;
    let name = args.output.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let failed = |error: PackError| failure(&error, &args.output);
    let mut plan = plan_io_store(files, &name, release, game).map_err(failed)?;
    if plan.bytes() == 0 {
        let failure = Failure::new(Exit::Unreadable, format!("no packages in {}", args.folder.display()));
        return Err(failure.hint("-o X.pak takes files of any kind"));
    }
    if args.cipher.game.is_some() {
        plan.list_chunks(&args.mount);
    }
    let options = IoStoreOptions {
        version: args.toc_version.unwrap_or(release.toc),
        name,
        mount: args.mount.clone(),
        method: args.compress.method(),
        encryption: key.clone().map(|(guid, key)| IoStoreEncryption {
            key,
            guid,
            counts: args.mode == CipherMode::Ctr,
        }),
        partition_size: args.partition,
    };
    let mut table = OutputFile::create_with_folders(&args.output, overwrite)?;
    let pak = OutputFile::create(&args.output.with_extension("pak"), overwrite)?;
    let IoStorePlan { others, .. } = &plan;
    let total = others.iter().map(|file| file.size).fold(plan.bytes(), u64::saturating_add);
    check_space(args, total)?;
    let data = DataFiles::new(args.output.clone(), overwrite.clone());
    let packed = super::with_progress(total, console, |report| {
        let Some(rows) = pack_io_store(&plan, options, threads, |number| data.open(number), report)? else {
            return Ok(None);
        };
        let key = key.filter(|_| args.mode == CipherMode::Ecb);
        let mut options = pak_options(args, PakForm::default(), key);
        // The list of the game is not compressed.
        options.method = options.method.filter(|_| args.cipher.game.is_none());
        Ok(pack_pak(others, pak, options, threads, report)?.map(|pak| (rows, pak)))
    })?;
    let Some((rows, pak)) = packed.map_err(failed)? else { return Ok(false) };
    table.write_all(&rows).map_err(|error| Failure::of_output(&args.output.display().to_string(), &error))?;
    publish(ContainerFiles::IoStore { table: Box::new(table), data, pak: Box::new(pak) }, args, console)
        .map(|()| true)
}

/// Checks that a container fits on its disk, if it becomes as large as its files.
fn check_space(args: &AssetPack, total: u64) -> Result<(), Failure> {
    if args.compress != ContainerCompression::None {
        return Ok(());
    }
    let space = DiskSpace { stored: total, allows_flood: false };
    let checked = space.check(args.output.parent().unwrap_or(Path::new("")), total);
    checked.map_err(|error| Failure::of_space(&args.output.display().to_string(), &error))
}

/// Puts the files of a container to their places.
fn publish(files: ContainerFiles, args: &AssetPack, console: &mut Console<'_>) -> Result<(), Failure> {
    if let Some(error) = files.publish(&game::written_mods(), console.out())? {
        let output = args.output.display();
        console
            .detail(format_args!("{output}: --force will not overwrite it in the folder of a game: {error}"));
    }
    Ok(())
}

/// Opens the game that a container is for.
fn base_game(
    base: &Path,
    args: &AssetPack,
    threads: NonZeroUsize,
    console: &mut Console<'_>,
) -> Result<MountedGame, Failure> {
    let game = GameArgs { file: base.to_owned(), cipher: args.cipher.clone() };
    super::open(&game, threads, console)
}

/// Returns the options of a pak.
fn pak_options(args: &AssetPack, form: PakForm, key: Option<(Guid, AesKey)>) -> PakOptions {
    let encryption = key.map(|(guid, key)| PakEncryption {
        key,
        guid,
        counts: args.mode == CipherMode::Ctr,
        hides_data: true,
        hides_index: true,
    });
    let (mount, method, game) = (args.mount.clone(), args.compress.method(), args.cipher.game);
    PakOptions { form, mount, method, encryption, game }
}

/// Returns the first key that was given, if the container is to be encrypted: for a game it always is.
fn key(args: &AssetPack) -> Result<Option<(Guid, AesKey)>, Failure> {
    let keys = game::keys(&args.cipher)?;
    let key = keys.first().filter(|_| args.encrypt || args.cipher.game.is_some());
    if args.encrypt && key.is_none() {
        return Err(Failure::new(Exit::Usage, "--encrypt needs a key").hint("--aes KEY gives it"));
    }
    Ok(key.map(|(guid, key)| (guid.unwrap_or_default(), key.clone())))
}

pub(super) fn failure(error: &PackError, output: &Path) -> Failure {
    match error {
        PackError::Read(path, error) => game::cannot_read(path, error),
        PackError::Write(WriteError::Io(error)) => Failure::of_output(&output.display().to_string(), error),
        PackError::Write(error) => Failure::new(Exit::Usage, error.to_string()),
        PackError::NeedsGame(_) => {
            Failure::new(Exit::Usage, error.to_string()).hint("--base GAME is where it is looked up")
        }
        error => Failure::new(Exit::Unreadable, error.to_string()),
    }
}
