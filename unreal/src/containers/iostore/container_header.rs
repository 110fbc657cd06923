//! The header of a container: what the packages in it depend on, so that they can be loaded before those are read.
//!
//! ```text
//! ids      │ 0 │ 1 │ …
//! entries  │ counts, imports ─┐ │ …   │ package ids of 0 │ package ids of 1 │ …
//!                             └────────►
//! ```
//!
//! Source: *packages-ue4-ue6*, §5: version 5 measured, the others described.

use super::version::{ContainerHeaderVersion, EntryForm, SoftReferences};
use crate::base::error::{Error, ErrorKind, Malformed};
use crate::base::limits::{Limits, MAX_PATH};
use crate::base::names::{NameBatch, Names};
use crate::base::reader::Reader;
use crate::base::source::{Memory, Source};
use crate::base::unsupported::Unsupported;
use crate::base::writer::{ByteWriter, WriteError, narrow};

const WHAT: &str = "container header";

/// `nCoI`; headers before Unreal Engine 5 begin with their container.
const SIGNATURE: u32 = 0x496F_436E;

/// Header of a container (Epic: `FIoContainerHeader`).
///
/// Read and written by hand, not by one walk: its entries point into one table that all share, and of several forms
/// the first that makes sense is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContainerHeader {
    /// Version of the header.
    pub version: ContainerHeaderVersion,
    /// The number of the container.
    pub container: u64,
    /// The packages, in the order of their numbers.
    pub packages: Vec<PackageEntry>,
    /// Parts of packages that need not be there.
    pub optional: Vec<PackageEntry>,
    /// Packages with localized ones, and their names.
    pub localized: Vec<(u64, String)>,
    /// Packages that others stand in for.
    pub redirects: Vec<PackageRedirect>,
    /// Packages that are referred to, but not needed to load others.
    pub soft: Vec<u64>,
    /// Soft references of each package into these, as stored.
    pub soft_indices: Vec<u8>,
}

/// Entry of a package in the header (Epic: `FFilePackageStoreEntry`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackageEntry {
    /// Package id.
    pub id: u64,
    /// Number of exports; stated up to Unreal Engine 5.2.
    pub exports: Option<u32>,
    /// Number of export bundles; stated up to Unreal Engine 5.2.
    pub bundles: Option<u32>,
    /// Bytes of its bundles, if they are stated: in Unreal Engine 4.
    pub bundle_size: Option<u64>,
    /// When it is to be loaded, likewise.
    pub load_order: Option<u32>,
    /// Numbers of packages that it needs.
    pub imports: Vec<u64>,
    /// Hashes of shader maps that it needs.
    pub shader_maps: Vec<[u8; 20]>,
}

/// A package that another stands in for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageRedirect {
    /// The number of what is asked for.
    pub from: u64,
    /// The number of what is loaded.
    pub to: u64,
    /// The name of the first, from Unreal Engine 5 on; before that the culture, if it is for one.
    pub name: Option<String>,
}

impl ContainerHeader {
    /// Reads a header.
    ///
    /// # Errors
    /// If it ends early, is of a version that is not known, contradicts itself, or takes more than the limits allow.
    pub fn read(source: &dyn Source, limits: &mut Limits) -> Result<Self, Error> {
        let mut reader = Reader::new(source, WHAT, 0, source.len());
        let reader = &mut reader;
        let version = version(reader)?;
        let layout = version.layout();
        let container = reader.u64()?;
        let mut header = Self {
            version,
            container,
            packages: Vec::new(),
            optional: Vec::new(),
            localized: Vec::new(),
            redirects: Vec::new(),
            soft: Vec::new(),
            soft_indices: Vec::new(),
        };
        if layout.has_package_count {
            reader.skip(4)?;
        }
        if layout.has_cultures {
            // Names, and their hashes; nothing refers to them.
            for _ in 0..2 {
                let bytes = reader.count(1)?;
                reader.skip(bytes as u64)?;
            }
            header.packages = packages(reader, layout.entries, limits)?;
            header.read_cultures(reader, limits)?;
            return Ok(header);
        }
        header.packages = packages(reader, layout.entries, limits)?;
        if layout.has_optional {
            header.optional = packages(reader, layout.entries, limits)?;
        }
        header.read_redirects(reader, limits)?;
        if layout.soft == SoftReferences::Elsewhere {
            let (at, offset, _size) = (reader.at(), reader.u64()?, reader.u64()?);
            if offset < reader.at() {
                return Err(reader.error(at, Malformed::OutsideFile { end: offset, length: reader.at() }));
            }
            reader.seek(offset);
        }
        if layout.soft != SoftReferences::None && reader.u32()? != 0 {
            let at = reader.at();
            let count = reader.count(8)?;
            limits.take_table::<u64>(count, at, WHAT)?;
            header.soft = (0..count).map(|_| reader.u64()).collect::<Result<_, _>>()?;
            let bytes = reader.count(1)?;
            limits.take(bytes as u64, at, WHAT)?;
            header.soft_indices = reader.bytes(bytes)?.to_vec();
        }
        Ok(header)
    }

    /// Reads what stands in for packages in some cultures, and elsewhere: before Unreal Engine 5.
    fn read_cultures(&mut self, reader: &mut Reader<'_>, limits: &mut Limits) -> Result<(), Error> {
        let cultures = reader.count(8)?;
        for culture in 0..=cultures {
            // The last ones are for any.
            let name = (culture < cultures).then(|| reader.string(MAX_PATH, limits)).transpose()?;
            let at = reader.at();
            for _ in 0..reader.count(16)? {
                let named = name.as_ref().map_or(0, String::len);
                limits.take_growing(size_of::<PackageRedirect>().saturating_add(named), at, WHAT)?;
                let (from, to) = (reader.u64()?, reader.u64()?);
                self.redirects.push(PackageRedirect { from, to, name: name.clone() });
            }
        }
        Ok(())
    }

    /// Reads which packages have localized ones, and which are replaced, with their names.
    fn read_redirects(&mut self, reader: &mut Reader<'_>, limits: &mut Limits) -> Result<(), Error> {
        let names = Names::read_batch(reader, limits)?;
        let at = reader.at();
        let spend = |name: &str, limits: &mut Limits| {
            limits.take_growing(size_of::<PackageRedirect>().saturating_add(name.len()), at, WHAT)
        };
        for _ in 0..reader.count(16)? {
            let id = reader.u64()?;
            let name = names.read_ref(reader)?;
            spend(&name, limits)?;
            self.localized.push((id, name));
        }
        for _ in 0..reader.count(24)? {
            let (from, to) = (reader.u64()?, reader.u64()?);
            let name = names.read_ref(reader)?;
            spend(&name, limits)?;
            self.redirects.push(PackageRedirect { from, to, name: Some(name) });
        }
        Ok(())
    }
}

impl ContainerHeader {
    /// Returns the header as it is stored, as [`read`](Self::read) reads it.
    ///
    /// # Errors
    /// If it is of Unreal Engine 4, or something is more than can be stated.
    pub fn write(&self) -> Result<Vec<u8>, WriteError> {
        let layout = self.version.layout();
        let Some(number) = self.version.number() else {
            return Err(WriteError::Version {
                version: "of Unreal Engine 4".to_owned(),
                what: "a new header",
            });
        };
        let mut writer = ByteWriter::default();
        writer.u32(SIGNATURE);
        writer.u32(number);
        writer.u64(self.container);
        if layout.has_package_count {
            writer.count("packages", self.packages.len())?;
        }
        let form = layout.entries.first().copied().unwrap_or(EntryForm::Imports);
        write_packages(&mut writer, form, &self.packages)?;
        if layout.has_optional {
            write_packages(&mut writer, form, &self.optional)?;
        }
        self.write_redirects(&mut writer)?;
        if layout.soft == SoftReferences::None {
            return Ok(writer.into_bytes());
        }
        let mut soft = ByteWriter::default();
        let is_there = !self.soft.is_empty() || !self.soft_indices.is_empty();
        soft.u32(is_there.into());
        if is_there {
            soft.count("packages", self.soft.len())?;
            self.soft.iter().for_each(|id| soft.u64(*id));
            soft.count("references", self.soft_indices.len())?;
            soft.bytes(&self.soft_indices);
        }
        if layout.soft == SoftReferences::Elsewhere {
            // Right after what says where.
            writer.u64(writer.len().saturating_add(16));
            writer.u64(soft.len());
        }
        writer.bytes(&soft.into_bytes());
        Ok(writer.into_bytes())
    }

    fn write_redirects(&self, writer: &mut ByteWriter) -> Result<(), WriteError> {
        let mut names = NameBatch::default();
        let mut rest = ByteWriter::default();
        rest.count("packages", self.localized.len())?;
        for (id, name) in &self.localized {
            rest.u64(*id);
            names.reference(name)?.into_iter().for_each(|number| rest.u32(number));
        }
        rest.count("packages", self.redirects.len())?;
        for PackageRedirect { from, to, name } in &self.redirects {
            rest.u64(*from);
            rest.u64(*to);
            let name = name.as_deref().unwrap_or_default();
            names.reference(name)?.into_iter().for_each(|number| rest.u32(number));
        }
        names.write(writer)?;
        writer.bytes(&rest.into_bytes());
        Ok(())
    }
}

/// Writes packages: their numbers, their entries, and what those refer to.
fn write_packages(
    writer: &mut ByteWriter,
    form: EntryForm,
    packages: &[PackageEntry],
) -> Result<(), WriteError> {
    writer.count("packages", packages.len())?;
    packages.iter().for_each(|package| writer.u64(package.id));
    let (mut entries, mut arrays) = (ByteWriter::default(), ByteWriter::default());
    let first = (packages.len() as u64).saturating_mul(form.size());
    for package in packages {
        if form.has_counts() {
            entries.u32(package.exports.unwrap_or_default());
            entries.u32(package.bundles.unwrap_or_default());
        }
        let view = |entries: &mut ByteWriter, arrays: &ByteWriter, count: usize| {
            let from = first.saturating_add(arrays.len()).saturating_sub(entries.len());
            entries.count("packages", count)?;
            entries.u32(if count == 0 { 0 } else { narrow("bytes of entries", from)? });
            Ok::<(), WriteError>(())
        };
        view(&mut entries, &arrays, package.imports.len())?;
        package.imports.iter().for_each(|id| arrays.u64(*id));
        if form.has_shader_maps() {
            view(&mut entries, &arrays, package.shader_maps.len())?;
            package.shader_maps.iter().for_each(|hash| arrays.bytes(hash));
        }
    }
    entries.bytes(&arrays.into_bytes());
    writer.u32(narrow("bytes of entries", entries.len())?);
    writer.bytes(&entries.into_bytes());
    Ok(())
}

/// Reads the version, where one is stated.
fn version(reader: &mut Reader<'_>) -> Result<ContainerHeaderVersion, Error> {
    let at = reader.at();
    if reader.u32()? != SIGNATURE {
        reader.seek(at);
        return Ok(ContainerHeaderVersion::Unsigned);
    }
    let stated = reader.u32()?;
    let unsupported = ErrorKind::Unsupported(Unsupported::ContainerHeaderVersion(stated));
    ContainerHeaderVersion::of(stated).ok_or_else(|| Error::new(unsupported, at, WHAT))
}

/// Reads packages; of several forms the first one that makes sense.
fn packages(
    reader: &mut Reader<'_>,
    forms: &[EntryForm],
    limits: &mut Limits,
) -> Result<Vec<PackageEntry>, Error> {
    let at = reader.at();
    let count = reader.count(8)?;
    limits.take_table::<(u64, PackageEntry)>(count, at, WHAT)?;
    let ids = (0..count).map(|_| reader.u64()).collect::<Result<Vec<u64>, _>>()?;
    let table_at = reader.at();
    let bytes = reader.count(1)?;
    limits.take((bytes as u64).saturating_mul(2), table_at, WHAT)?;
    let table = EntryTable { bytes: Memory(reader.bytes(bytes)?.to_vec()), count };
    let mut read = Ok(Vec::new());
    for form in forms {
        // No two packages share what they refer to, so all together it is not more than there is.
        let mut left = bytes;
        read = (0..).zip(&ids).map(|(number, id)| table.entry(*form, number, *id, &mut left)).collect();
        if read.is_ok() {
            break;
        }
    }
    read
}

/// The entries of packages, and what they refer to after all of them.
struct EntryTable {
    bytes: Memory<Vec<u8>>,
    /// How many entries there are.
    count: usize,
}

impl EntryTable {
    /// Reads an entry, and what it refers to: at most as many bytes as are left.
    fn entry(&self, form: EntryForm, number: u64, id: u64, left: &mut usize) -> Result<PackageEntry, Error> {
        let at = number.saturating_mul(form.size());
        let mut reader = Reader::new(&self.bytes, WHAT, at, self.bytes.len());
        let mut entry = PackageEntry { id, ..PackageEntry::default() };
        if form == EntryForm::Bundles {
            entry.bundle_size = Some(reader.u64()?);
        }
        if form.has_counts() {
            (entry.exports, entry.bundles) = (Some(reader.u32()?), Some(reader.u32()?));
        }
        if form == EntryForm::Bundles {
            entry.load_order = Some(reader.u32()?);
            reader.skip(4)?;
        }
        let first = (self.count as u64).saturating_mul(form.size());
        entry.imports = self.view(&mut reader, first, left)?.into_iter().map(u64::from_le_bytes).collect();
        if form.has_shader_maps() {
            entry.shader_maps = self.view(&mut reader, first, left)?;
        }
        Ok(entry)
    }

    /// Reads rows that a place in the table leads to, from the end of all entries on.
    fn view<const N: usize>(
        &self,
        reader: &mut Reader<'_>,
        first: u64,
        left: &mut usize,
    ) -> Result<Vec<[u8; N]>, Error> {
        let at = reader.at();
        let (count, offset) = (reader.u32()?, reader.u32()?);
        if count == 0 {
            return Ok(Vec::new());
        }
        let start = at.saturating_add(offset.into());
        let rows = usize::try_from(start).ok().filter(|_| start >= first);
        let rows = rows.and_then(|start| self.bytes.0.get(start..)).unwrap_or_default();
        let (rows, _) = rows.as_chunks::<N>();
        let rows = usize::try_from(count).ok().and_then(|count| rows.get(..count));
        let end = start.saturating_add(u64::from(count).saturating_mul(N as u64));
        let outside = Malformed::OutsideFile { end, length: self.bytes.len() };
        let rows = rows.ok_or_else(|| Error::malformed(outside, at, WHAT))?;
        let shared = || Error::malformed(Malformed::Overlap, at, WHAT);
        *left = left.checked_sub(rows.as_flattened().len()).ok_or_else(shared)?;
        Ok(rows.to_vec())
    }
}
