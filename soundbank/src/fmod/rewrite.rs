//! A sample bank in its file, written anew.
//!
//! ```text
//! RIFF ─ LIST PROJ ─ SNDH  offset and length of each sample bank: fixed
//!      └ SND   padding, sample bank, padding, sample bank …: one written anew, the others moved
//! ```

use std::collections::BTreeMap;

use unreal::{Limits, Source};

use super::bank::{Bank, is_bank};
use super::crypt::FsbCipher;
use super::fsb::{self, HEAD, Head, STEP, SampleBank, Sound};
use super::fsb_writer::{self, SoundChange};
use super::strings::Names;
use super::{FsbCodec, SampleHeader};
use crate::reader::{Reader, read_region};
use crate::{Error, ErrorKind};

const WHAT: &str = "FMOD bank";

/// Writes a file with changed sounds in one of its sample banks, by their numbers. All sounds of that have to be among
/// them unless it is PCM of 16 bits. Everything else stays byte for byte.
///
/// # Errors
/// If the file is damaged, the sample bank is encrypted with another key, or would have more than it can state.
pub fn rewrite(
    source: &dyn Source,
    fsb: u32,
    changes: &BTreeMap<u32, SoundChange>,
    key: Option<&str>,
    limits: &mut Limits,
) -> Result<Vec<u8>, Error> {
    let file = whole(source, 0, source.len())?;
    let Some(bank) = read_bank(source, limits)? else {
        return rewritten(source, 0, source.len(), changes, key);
    };
    let number = usize::try_from(fsb).unwrap_or(usize::MAX);
    let Some((at, length)) = bank.fsbs.get(number).copied() else {
        return Err(Error::new(ErrorKind::Malformed("has no sample bank of that number"), 0, WHAT));
    };
    let new = rewritten(source, at, length, changes, key)?;
    let mut moved =
        Moved { bank: &bank, file: &file, number, new: &new, out: Vec::new(), placed: Vec::new() };
    moved.chunks()?;
    moved.finish()
}

fn whole(source: &dyn Source, at: u64, length: u64) -> Result<Vec<u8>, Error> {
    // Bytes of the file itself, which are there: no structure is made of them.
    read_region(source, at, length, WHAT, &mut Limits::with_structures(length))
}

/// Reads the file as a Studio bank; none if it is a sample bank alone.
fn read_bank(source: &dyn Source, limits: &mut Limits) -> Result<Option<Bank>, Error> {
    let start = whole(source, 0, source.len().min(12))?;
    if !is_bank(&start) {
        return Ok(None);
    }
    let mut bank = Bank::read(source, &mut Names::default(), limits);
    match bank.error.take() {
        Some(error) => Err(error),
        None => Ok(Some(bank)),
    }
}

/// Reads the bytes of a sample bank, decrypted, and what its head says.
fn read_plain(
    source: &dyn Source,
    at: u64,
    length: u64,
    key: Option<&str>,
) -> Result<(Vec<u8>, Head, Option<FsbCipher>), Error> {
    let mut plain = whole(source, at, length)?;
    let head = plain.get(..usize::try_from(HEAD).unwrap_or_default()).unwrap_or(&plain);
    let (head, cipher) = fsb::open(head, at, length, key)?;
    if let Some(cipher) = &cipher {
        cipher.apply(at, &mut plain);
    }
    Ok((plain, head, cipher))
}

/// Returns the new bytes of a sample bank, encrypted as the old ones are, with what follows it in its region.
fn rewritten(
    source: &dyn Source,
    at: u64,
    length: u64,
    changes: &BTreeMap<u32, SoundChange>,
    key: Option<&str>,
) -> Result<Vec<u8>, Error> {
    let (plain, head, cipher) = read_plain(source, at, length, key)?;
    let mut new = fsb_writer::write(&plain, &head, changes)?;
    let end = [head.head, head.headers, head.names, head.data].into_iter().fold(0, u64::saturating_add);
    let rest = usize::try_from(end).ok().and_then(|end| plain.get(end..));
    new.extend(rest.unwrap_or_default());
    if let Some(cipher) = cipher {
        cipher.seal(&mut new);
    }
    Ok(new)
}

/// A file while it is written.
struct Moved<'b> {
    bank: &'b Bank,
    file: &'b [u8],
    /// The sample bank that is another one.
    number: usize,
    new: &'b [u8],
    out: Vec<u8>,
    /// New offset and length of each sample bank, by its number.
    placed: Vec<(usize, u64, u64)>,
}

impl Moved<'_> {
    fn chunks(&mut self) -> Result<(), Error> {
        let mut reader = Reader::new(self.file, 0, WHAT);
        self.out.extend(reader.bytes(12)?);
        while reader.rest().len() >= 8 {
            let head = reader.bytes(8)?;
            let at = reader.at();
            let mut size = Reader::new(head, at, WHAT);
            size.skip(4)?;
            let size = size.u32()?;
            let data = reader.bytes(usize::try_from(size).unwrap_or(usize::MAX))?;
            let padding = if size & 1 == 1 { reader.bytes(reader.rest().len().min(1))? } else { &[] };
            self.out.extend(head);
            if !head.starts_with(b"SND ") {
                self.out.extend(data);
                self.out.extend(padding);
                continue;
            }
            let start = self.out.len();
            self.sample_banks(data, at)?;
            let length = self.out.len().saturating_sub(start);
            let stated = u32::try_from(length).map_err(|_| too_large(at))?;
            self.put(start.saturating_sub(4) as u64, stated)?;
            if length & 1 == 1 {
                self.out.push(0);
            }
        }
        self.out.extend(reader.rest());
        Ok(())
    }

    /// Writes the data of a chunk of sample banks that lies at an offset of the old file.
    fn sample_banks(&mut self, data: &[u8], at: u64) -> Result<(), Error> {
        let end = at.saturating_add(data.len() as u64);
        let banks = self.bank.fsbs.iter().enumerate();
        let mut inside: Vec<(u64, u64, usize)> = banks
            .filter(|(_, (start, _))| (at..end).contains(start))
            .map(|(number, (start, length))| (*start, *length, number))
            .collect();
        inside.sort_unstable();
        let mut done = at;
        for (start, length, number) in inside {
            if start < done || start.saturating_add(length) > end {
                return Err(Error::new(ErrorKind::Malformed("has sample banks that overlap"), start, WHAT));
            }
            let gap = slice(data, done.saturating_sub(at), start.saturating_sub(done));
            self.gap(gap, start);
            let old = slice(data, start.saturating_sub(at), length);
            let bytes = if number == self.number { self.new } else { old };
            self.placed.push((number, self.out.len() as u64, bytes.len() as u64));
            self.out.extend(bytes);
            done = start.saturating_add(length);
        }
        self.out.extend(slice(data, done.saturating_sub(at), end.saturating_sub(done)));
        Ok(())
    }

    /// Writes what lies before a sample bank that was at an offset, with as much padding as lets it begin as it did.
    fn gap(&mut self, gap: &[u8], start: u64) {
        let phase = |at: u64| at.checked_rem(STEP).unwrap_or_default();
        let here = self.out.len() as u64;
        let is_padding = gap.iter().all(|byte| *byte == 0);
        let is_right = phase(here.saturating_add(gap.len() as u64)) == phase(start);
        if is_right || !is_padding {
            self.out.extend(gap);
        }
        while phase(self.out.len() as u64) != phase(start) {
            self.out.push(0);
        }
    }

    /// Puts a number over four bytes that are written already.
    fn put(&mut self, at: u64, value: u32) -> Result<(), Error> {
        let place = usize::try_from(at).ok().and_then(|at| self.out.get_mut(at..)?.first_chunk_mut::<4>());
        *place.ok_or_else(|| Error::new(ErrorKind::Malformed("ends early"), at, WHAT))? = value.to_le_bytes();
        Ok(())
    }

    /// Says where the sample banks are, and how long the file is.
    fn finish(mut self) -> Result<Vec<u8>, Error> {
        if self.placed.len() != self.bank.fsbs.len() {
            return Err(Error::new(ErrorKind::Malformed("has sample banks outside of its chunks"), 0, WHAT));
        }
        for (number, at, length) in std::mem::take(&mut self.placed) {
            // Items come before the sample banks, and did not move.
            let Some(entry) = self.bank.fsb_entries.get(number).copied() else { continue };
            self.put(entry, u32::try_from(at).map_err(|_| too_large(at))?)?;
            self.put(entry.saturating_add(4), u32::try_from(length).map_err(|_| too_large(at))?)?;
        }
        let mut stated = Reader::new(self.file, 0, WHAT);
        stated.skip(4)?;
        let grown = (self.out.len() as u64).saturating_add(stated.u32()?.into());
        let size = grown.checked_sub(self.file.len() as u64).and_then(|size| u32::try_from(size).ok());
        self.put(4, size.ok_or_else(|| too_large(4))?)?;
        Ok(self.out)
    }
}

fn slice(data: &[u8], at: u64, length: u64) -> &[u8] {
    let start = usize::try_from(at).unwrap_or(usize::MAX);
    let end = start.saturating_add(usize::try_from(length).unwrap_or(usize::MAX));
    data.get(start..end.min(data.len())).unwrap_or_default()
}

fn too_large(at: u64) -> Error {
    Error::new(ErrorKind::Malformed("would be larger than 4 GiB"), at, WHAT)
}

/// Checks that a file with changed sounds holds these, and all else of the old one: other sounds by their headers and
/// values, everything else byte for byte.
///
/// # Errors
/// With what differs first, or if one of them cannot be read.
pub fn verify(
    old: &dyn Source,
    new: &dyn Source,
    fsb: u32,
    changes: &BTreeMap<u32, SoundChange>,
    key: Option<&str>,
    limits: &mut Limits,
) -> Result<(), Error> {
    let number = usize::try_from(fsb).unwrap_or(usize::MAX);
    let (before, after) = (read_bank(old, limits)?, read_bank(new, limits)?);
    let alone = |source: &dyn Source| vec![(0, source.len())];
    let of_old = before.as_ref().map_or_else(|| alone(old), |bank| bank.fsbs.clone());
    let of_new = after.as_ref().map_or_else(|| alone(new), |bank| bank.fsbs.clone());
    let number = if before.is_some() { number } else { 0 };
    if of_old.len() != of_new.len() {
        return Err(differs("it has more or fewer sample banks", 0));
    }
    if let (Some(before), Some(after)) = (&before, &after) {
        compare_items((old, before), (new, after))?;
    }
    for (index, (one, other)) in of_old.iter().zip(&of_new).enumerate() {
        if index != number {
            if whole(old, one.0, one.1)? != whole(new, other.0, other.1)? {
                return Err(differs("another sample bank differs", other.0));
            }
            continue;
        }
        let one = SampleBank::read(old, one.0, one.1, key, limits)?;
        let other = SampleBank::read(new, other.0, other.1, key, limits)?;
        if one.sounds.len() != other.sounds.len() {
            return Err(differs("it has more or fewer sounds", 0));
        }
        for (number, (one, other)) in (0..).zip(one.sounds.iter().zip(&other.sounds)) {
            compare_sounds((old, one), (new, other), changes.get(&number))?;
        }
    }
    Ok(())
}

fn differs(text: &'static str, at: u64) -> Error {
    Error::new(ErrorKind::Malformed(text), at, "FMOD bank as written")
}

/// Compares what comes before the sample banks, but for the numbers that say where those are.
fn compare_items(old: (&dyn Source, &Bank), new: (&dyn Source, &Bank)) -> Result<(), Error> {
    let items = |(source, bank): (&dyn Source, &Bank)| -> Result<Vec<u8>, Error> {
        let end = bank.fsbs.iter().map(|(at, _)| *at).min().unwrap_or(source.len());
        let mut bytes = whole(source, 0, end)?;
        let entries = bank.fsb_entries.iter().flat_map(|at| [*at, at.saturating_add(4)]);
        for at in entries.chain([4]) {
            let place = usize::try_from(at).ok().and_then(|at| bytes.get_mut(at..)?.first_chunk_mut::<4>());
            if let Some(place) = place {
                *place = [0; 4];
            }
        }
        // The size of the chunk that the sample banks are in, before its padding.
        let head = bytes.windows(4).rposition(|tag| tag == b"SND ").unwrap_or(bytes.len());
        bytes.truncate(head);
        Ok(bytes)
    };
    if items(old)? == items(new)? { Ok(()) } else { Err(differs("an item differs", 0)) }
}

fn compare_sounds(
    (old, one): (&dyn Source, &Sound),
    (new, other): (&dyn Source, &Sound),
    change: Option<&SoundChange>,
) -> Result<(), Error> {
    let (before, after): (&SampleHeader, &SampleHeader) = (&one.header, &other.header);
    if one.name != other.name {
        return Err(differs("a sound has another name", other.at));
    }
    let read = |source: &dyn Source, sound: &Sound| {
        let mut bytes = whole(source, sound.at, sound.length)?;
        if let Some(cipher) = &sound.header.cipher {
            cipher.apply(sound.at, &mut bytes);
        }
        Ok::<_, Error>(bytes)
    };
    let Some(change) = change else {
        let is_same = read(old, one)? == read(new, other)?;
        let facts = |header: &SampleHeader| (header.rate, header.channels, header.frames, header.loop_range);
        return match is_same && facts(before) == facts(after) && before.codec == after.codec {
            true => Ok(()),
            false => Err(differs("another sound differs", other.at)),
        };
    };
    let range = |(start, end): (u32, u32)| (u64::from(start), u64::from(end));
    let (rate, loop_range) = match change {
        SoundChange::New(sound) => (sound.rate, sound.loop_range.map(range)),
        SoundChange::Decoded { .. } => {
            let frames = change.frames();
            let range = before.loop_range.map(|(start, end)| (start, end.min(frames)));
            (before.rate, range.filter(|(start, end)| start < end))
        }
    };
    let expected = (rate, u32::from(change.channels()), change.frames(), loop_range);
    if expected != (after.rate, after.channels, after.frames, after.loop_range)
        || after.codec != FsbCodec::Pcm16
    {
        return Err(differs("the header of a sound differs", other.at));
    }
    let mut values = read(new, other)?;
    if after.is_big_endian {
        values.chunks_exact_mut(2).for_each(<[u8]>::reverse);
    }
    match values.starts_with(change.data()) {
        true => Ok(()),
        false => Err(differs("the values of a sound differ", other.at)),
    }
}
