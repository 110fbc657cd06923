use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use unreal::Limits;

use super::bank::Bank;
use super::folders::{FileRole, Folders, folder_of, language_of, name_of};
use super::media::LooseMedia;
use super::names::{NameFile, Named};
use super::namespace::Namespace;
use super::objects::NamespaceBank;
use super::package::FilePackage;
use crate::reader::read_region;
use crate::{BankFile, BankItems, Error, ErrorKind, Project};

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileKind {
    Bank,
    Package,
    Media,
    Names(NameFile),
    Other,
}

/// Bytes that are looked at to tell what a file is.
const HEAD: u64 = 24;

/// Returns whether a file is a bank or package of Wwise, by its first bytes.
#[must_use]
pub fn is_wwise(head: &[u8]) -> bool {
    matches!(head.first_chunk::<4>(), Some(b"BKHD" | b"AKBK" | b"AKPK"))
}

/// Returns the extension that files with these first bytes have; none if they are not of Wwise.
pub(crate) fn extension_of_head(head: &[u8]) -> Option<&'static str> {
    match head.first_chunk::<4>() {
        Some(b"BKHD" | b"AKBK") => Some("bnk"),
        Some(b"AKPK") => Some("pck"),
        _ => is_media(head).then_some("wem"),
    }
}

/// Returns whether a file begins as a media does.
fn is_media(head: &[u8]) -> bool {
    matches!(head.first_chunk::<4>(), Some(b"RIFF" | b"RIFX"))
        && matches!(head.get(8..12), Some(b"WAVE" | b"XWMA"))
}

fn extension_of(path: &str) -> String {
    name_of(path).rsplit_once('.').map_or(String::new(), |(_, extension)| extension.to_ascii_lowercase())
}

/// Returns the id that the name of a media is: `993985859.wem`.
fn id_of(path: &str) -> Option<u32> {
    let name = name_of(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).parse().ok()
}

impl FileKind {
    fn of(file: &BankFile) -> Self {
        let extension = extension_of(&file.path);
        if let Some(names) = NameFile::of(name_of(&file.path)) {
            return Self::Names(names);
        }
        let mut head = [0; 24];
        let length = usize::try_from(file.source.len().min(HEAD)).unwrap_or_default();
        let head = head.get_mut(..length).unwrap_or_default();
        if file.source.read_at(0, head).is_err() {
            return if extension == "wem" { Self::Media } else { Self::Bank };
        }
        match head.first_chunk::<4>() {
            Some(b"BKHD" | b"AKBK") => Self::Bank,
            Some(b"AKPK") => Self::Package,
            // The extension decides nothing where the bytes do.
            _ if extension == "wem" || (is_media(head) && id_of(&file.path).is_some()) => Self::Media,
            _ if extension == "bnk" => Self::Bank,
            _ if extension == "pck" => Self::Package,
            _ => Self::Other,
        }
    }

    fn role(self, path: &str) -> FileRole {
        let name = name_of(path);
        let is_marker = [
            "init.bnk",
            "soundbanksinfo.xml",
            "soundbanksinfo.json",
            "platforminfo.xml",
            "platforminfo.json",
        ]
        .iter()
        .any(|marker| name.eq_ignore_ascii_case(marker));
        match self {
            _ if is_marker => FileRole::Marker,
            Self::Bank | Self::Package | Self::Media => FileRole::Sound,
            Self::Names(_) | Self::Other => FileRole::Names,
        }
    }
}

/// Reads all files into namespaces, and says of each what was read.
pub(super) fn read(files: &[BankFile], project: &mut Project, limits: &mut Limits) -> Vec<Namespace> {
    let kinds: Vec<FileKind> = files.iter().map(FileKind::of).collect();
    let has_packaged = files.iter().any(|file| file.is_packaged);
    let known =
        files.iter().zip(&kinds).filter(|(file, kind)| **kind != FileKind::Other && !file.is_packaged);
    let known: Vec<_> = known.map(|(file, kind)| (file.path.as_str(), kind.role(&file.path))).collect();
    let folders = Folders::of(known.iter().copied(), has_packaged);
    project.files = vec![BankItems::default(); files.len()];
    let mut namespaces: Vec<Namespace> = Vec::new();
    namespaces.resize_with(folders.roots.len(), Namespace::default);
    let mut order: Vec<(usize, &BankFile, FileKind)> =
        files.iter().zip(kinds).enumerate().map(|(index, (file, kind))| (index, file, kind)).collect();
    order.sort_by_key(|(_, file, _)| file.path.as_str());
    let mut reading =
        Reading { folders: &folders, project, limits, banks: Vec::new(), unread: BTreeSet::new() };
    for (index, file, _) in order.iter().filter(|(_, _, kind)| *kind == FileKind::Bank) {
        reading.bank(*index, file);
    }
    // A plain bank stands for the one of that name in a package, which games replace by it.
    let mut streams = Vec::new();
    for (index, file, _) in order.iter().filter(|(_, _, kind)| *kind == FileKind::Package) {
        reading.package(*index, file, &mut streams);
    }
    reading.place_banks(files, &mut namespaces);
    for (namespace, language, media) in streams {
        if let Some(namespace) = namespaces.get_mut(namespace) {
            let language = namespace.language(language.as_deref());
            namespace.loose.push(LooseMedia { language, ..media });
        }
    }
    let sounding: HashSet<&str> =
        known.iter().filter(|(_, role)| *role != FileRole::Names).map(|(path, _)| folder_of(path)).collect();
    for (index, file, kind) in order {
        match kind {
            FileKind::Media => reading.media(index, file, &mut namespaces),
            // A game has many documents: names are beside sounds, or in files that Wwise always calls the same.
            FileKind::Names(names)
                if !sounding.contains(folder_of(&file.path)) && names != NameFile::Header => {}
            FileKind::Names(names) => reading.names(index, file, names, &mut namespaces),
            FileKind::Bank | FileKind::Package | FileKind::Other => {}
        }
    }
    let unread = reading.unread;
    for namespace in &namespaces {
        for bank in &namespace.banks {
            if let Some(items) = project.files.get_mut(bank.file) {
                items.names.clone_from(&namespace.name_files);
            }
        }
    }
    project.remarks.extend(unread);
    namespaces
}

/// A bank, before it is known in which language it is.
struct PlacedBank {
    file: usize,
    namespace: usize,
    /// Language that its package says.
    language: Option<String>,
    bank: Bank,
}

struct Reading<'r> {
    folders: &'r Folders,
    project: &'r mut Project,
    limits: &'r mut Limits,
    banks: Vec<PlacedBank>,
    /// What is said of items that could not be read, once per type and version.
    unread: BTreeSet<String>,
}

impl Reading<'_> {
    /// Returns the index of the namespace of a file.
    fn root_of(&self, file: &BankFile) -> usize {
        if file.is_packaged { self.folders.packaged } else { self.folders.root_of(&file.path) }
    }

    fn fail(&mut self, file: usize, error: Error) {
        if let Some(items) = self.project.files.get_mut(file) {
            items.error.get_or_insert(Arc::new(error));
        }
    }

    fn bank(&mut self, index: usize, file: &BankFile) {
        match Bank::read(&file.source, (0, file.source.len()), &[], self.limits) {
            Ok(bank) => self.add_bank(index, file, bank, None, false),
            Err(error) => self.fail(index, error),
        }
    }

    fn package(
        &mut self,
        index: usize,
        file: &BankFile,
        streams: &mut Vec<(usize, Option<String>, LooseMedia)>,
    ) {
        let package = match FilePackage::read(&file.source, self.limits) {
            Ok(package) => package,
            Err(error) => return self.fail(index, error),
        };
        if let Some(items) = self.project.files.get_mut(index) {
            items.version = "Wwise package".into();
            items.items.push(("bank".into(), package.banks.len()));
            items.items.push(("stream".into(), package.streams.len()));
        }
        for packed in &package.banks {
            let language = package.language(packed.language).map(str::to_owned);
            match Bank::read(&file.source, (packed.at, packed.length), &[], self.limits) {
                Ok(bank) => self.add_bank(index, file, bank, language, true),
                Err(error) => self.fail(index, error),
            }
        }
        let namespace = self.root_of(file);
        if let Some(items) = self.project.files.get_mut(index) {
            items.namespace = Some(namespace);
        }
        streams.extend(package.streams.iter().map(|packed| {
            let media = LooseMedia {
                file: index,
                id: Some(packed.id),
                language: 0,
                at: packed.at,
                length: packed.length,
            };
            (namespace, package.language(packed.language).map(str::to_owned), media)
        }));
    }

    fn add_bank(
        &mut self,
        index: usize,
        file: &BankFile,
        mut bank: Bank,
        language: Option<String>,
        is_packed: bool,
    ) {
        let namespace = self.root_of(file);
        let version = bank.header.version.to_string();
        for (kind, error) in &bank.hierarchy.unread {
            self.unread.insert(format!("{version}: {} could not be read: {error}", kind.name()));
        }
        let error = bank.error.take().or_else(|| bank.hierarchy.error.take());
        if let Some(items) = self.project.files.get_mut(index) {
            match (items.version.is_empty(), is_packed) {
                (true, _) => items.version = version,
                (false, true) if !items.version.contains(',') => {
                    items.version = format!("Wwise package, {version}");
                }
                (false, _) => {}
            }
            let platform = self.folders.roots.get(namespace).and_then(|root| root.platform.clone());
            items.platform = items.platform.take().or_else(|| bank.platform.clone()).or(platform);
            for (kind, count) in &bank.hierarchy.counts {
                let name = kind.name();
                match items.items.iter_mut().find(|(of, _)| *of == name) {
                    Some((_, known)) => *known = known.saturating_add(*count),
                    None => items.items.push((name, *count)),
                }
            }
            items.unread = items.unread.saturating_add(bank.hierarchy.unread_items);
        }
        if let Some(error) = error {
            self.fail(index, error);
        }
        self.banks.push(PlacedBank { file: index, namespace, language, bank });
    }

    /// Puts all banks into their namespaces. A folder is a language's if the name hashes to what a bank says.
    fn place_banks(&mut self, files: &[BankFile], namespaces: &mut [Namespace]) {
        for placed in &self.banks {
            if let Some(namespace) = namespaces.get_mut(placed.namespace) {
                namespace.bank_languages.insert(placed.bank.header.language);
                for (id, name) in &placed.bank.names {
                    namespace.names.add(Named::Other, *id, name);
                }
            }
        }
        for placed in std::mem::take(&mut self.banks) {
            let PlacedBank { file, namespace, language, bank } = placed;
            let Some(of) = files.get(file) else { continue };
            let language = language.or_else(|| self.language_of(of, namespace, namespaces));
            let number = namespace;
            let Some(namespace) = namespaces.get_mut(number) else { continue };
            if let Some(items) = self.project.files.get_mut(file) {
                items.language.clone_from(&language);
                items.namespace = Some(number);
            }
            let language = namespace.language(language.as_deref());
            namespace.banks.push(NamespaceBank { file, language, bank });
        }
    }

    fn language_of(&self, file: &BankFile, namespace: usize, namespaces: &[Namespace]) -> Option<String> {
        let root = if file.is_packaged { "" } else { &self.folders.roots.get(namespace)?.path };
        language_of(&file.path, root, &namespaces.get(namespace)?.bank_languages).map(str::to_owned)
    }

    fn media(&mut self, index: usize, file: &BankFile, namespaces: &mut [Namespace]) {
        let mut head = [0; 24];
        let length = usize::try_from(file.source.len().min(HEAD)).unwrap_or_default();
        let read = file.source.read_at(0, head.get_mut(..length).unwrap_or_default());
        let what = "Wwise media";
        if let Err(error) = read {
            return self.fail(index, Error::new(ErrorKind::Io(error), 0, what));
        }
        if head.starts_with(LFS_POINTER) {
            return self.fail(index, Error::new(ErrorKind::NotThisFormat("a Git LFS pointer"), 0, what));
        }
        let number = self.root_of(file);
        let language = self.language_of(file, number, namespaces);
        let Some(namespace) = namespaces.get_mut(number) else { return };
        if let Some(items) = self.project.files.get_mut(index) {
            items.version = "Wwise media".into();
            items.namespace = Some(number);
            items.platform = self.folders.roots.get(number).and_then(|root| root.platform.clone());
            items.language.clone_from(&language);
        }
        let language = namespace.language(language.as_deref());
        let length = file.source.len();
        namespace.loose.push(LooseMedia { file: index, id: id_of(&file.path), language, at: 0, length });
    }

    fn names(&mut self, index: usize, file: &BankFile, kind: NameFile, namespaces: &mut [Namespace]) {
        let Some(namespace) = namespaces.get_mut(self.root_of(file)) else { return };
        let bytes = match read_region(&file.source, 0, file.source.len(), "names", self.limits) {
            Ok(bytes) => bytes,
            Err(error) => return self.fail(index, error),
        };
        if kind.read(&bytes, &mut namespace.names) > 0 {
            namespace.name_files.push(name_of(&file.path).into());
        }
    }
}

/// How a pointer begins that stands for a large file in a repository.
const LFS_POINTER: &[u8] = b"version https://git-lfs";
