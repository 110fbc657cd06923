//! Writes containers that are large, or crafted: `cargo run -p tests --example write-containers -- FOLDER [CHUNKS]`.
//! With a number of chunks only `large` is written, of so many.
//!
//! `large` is a table of contents of a million chunks, `game` a game of 100,000 packages with 10,000 sounds, `sparse` a
//! pak of 100 GB that is nearly all hole. The others are of a megabyte each: no command may take more than two seconds
//! or 200 MB for one of them but to write what is in it.

use std::fs::{self, File};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

use fixtures::pak::{PakEntry, PakWriter};
use fixtures::sound_wave::{Stored, object};
use fixtures::toc::{TocChunk, TocWriter, WrittenToc};
use fixtures::wave::{Values, Wave};
use fixtures::zen::{PackageForm, ZenWriter};

fn chunks(count: usize, data: &[u8], is_packed: bool) -> TocWriter {
    let chunk = |number: usize| {
        let mut id = [0; 12];
        id[..8].copy_from_slice(&(number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes());
        id[11] = 1;
        let path = format!("Game/Content/Folder{:03}/Package{number:06}.uasset", number / 1000);
        TocChunk { path, id, data: data.to_vec(), is_packed }
    };
    TocWriter { chunks: (0..count).map(chunk).collect(), has_seeds: false, ..TocWriter::new(8) }
}

/// A pak whose entries all lie where the first one does, which has as many blocks as an entry can have.
fn shared_entries() -> Vec<u8> {
    let zeros = vec![0; 2 * 65_000];
    let first = PakEntry { block_size: Some(2), ..PakEntry::new("first.bin", &zeros) };
    let name = |number: usize| format!("n{number:05}.bin");
    let mut entries = vec![first];
    entries.extend((0..10_000).map(|number| PakEntry::new(&name(number), b"")));
    let mut bytes = PakWriter { entries, ..PakWriter::new(11) }.finish();
    let text = |number| [name(number).into_bytes(), vec![0]].concat();
    let first = bytes.windows(11).rposition(|part| part == text(0)).expect("a directory");
    let mut at = first - 4;
    for number in 0..10_000 {
        // The length of its name, its name, and where its entry is encoded.
        assert!(bytes[at + 4..at + 15].starts_with(&text(number)[..10]));
        at += 4 + text(number).len();
        bytes[at..at + 4].fill(0);
        at += 4;
    }
    bytes
}

/// A table of contents whose chunks all have all blocks, and whose blocks all lie at one place.
fn shared_blocks() -> WrittenToc {
    const CHUNKS: usize = 9000;
    let mut written = TocWriter { block_size: 0x1_0000, ..chunks(CHUNKS, &[0; 0x1_0000], true) }.finish();
    let (ranges, blocks) = (144 + 12 * CHUNKS, 144 + 22 * CHUNKS);
    let all = (CHUNKS as u64 * 0x1_0000).to_be_bytes();
    for chunk in 0..CHUNKS {
        let range = ranges + 10 * chunk;
        written.table[range..range + 5].fill(0);
        written.table[range + 5..range + 10].copy_from_slice(&all[3..]);
        let first = written.table[blocks..blocks + 12].to_vec();
        written.table[blocks + 12 * chunk..][..12].copy_from_slice(&first);
    }
    written
}

/// A game: every tenth package has a recording of a second, streamed.
fn game() -> WrittenToc {
    const PACKAGES: usize = 100_000;
    const SOUND_WAVE: u64 = 0x44F2_6264_628E_498D;
    let values = (0..22_050).map(|n| ((f64::from(n) / 8.0).sin() * 9000.0) as i16).collect();
    let mut wave = Wave::new(22_050, 1, Values::I16(values)).finish();
    wave[16] = 18;
    wave.splice(36..36, [0, 0]);
    let mut chunks = Vec::new();
    for number in 0..PACKAGES {
        let name = format!("Package{number:06}");
        let folder = number / 1000;
        let mut add = |extension: &str, kind, data| {
            let mut id = [0; 12];
            id[..8].copy_from_slice(&(number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes());
            id[11] = kind;
            let path = format!("Game/Content/Folder{folder:03}/{name}.{extension}");
            chunks.push(TocChunk { path, id, data, is_packed: true });
        };
        let writer = ZenWriter::new(PackageForm::Engine5_3, &format!("/Game/Folder{folder:03}/{name}"));
        if number % 10 > 0 {
            let exports = vec![(name.clone(), 0x4ABC_0000_0000_0000, vec![7; 400])];
            add("uasset", 1, ZenWriter { exports, ..writer }.finish());
            continue;
        }
        let wave = object(Stored::Streamed, &wave, 2, true, 0);
        let exports = vec![(name.clone(), SOUND_WAVE, wave.bytes)];
        let names = vec!["ADPCM".to_owned()];
        add("uasset", 1, ZenWriter { names, exports, bulk: Some(wave.data), ..writer }.finish());
        add("ubulk", 2, wave.beside);
    }
    TocWriter { chunks, has_seeds: false, ..TocWriter::new(8) }.finish()
}

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().expect("a folder"));
    let count = arguments.next().map(|count| count.parse().expect("a number of chunks"));
    let write = |name: &str, toc: WrittenToc| {
        let folder = folder.join(name);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("Game.utoc"), toc.table)?;
        fs::write(folder.join("Game.ucas"), &toc.partitions[0])
    };
    write("large", chunks(count.unwrap_or(1_000_000), &[1], false).finish())?;
    if count.is_some() {
        return Ok(());
    }
    write("game", game())?;
    write("blocks", shared_blocks())?;
    fs::write(folder.join("entries.pak"), shared_entries())?;

    // The index of this version says nothing of where it lies; the footer does.
    let entries = (0..1000).map(|number| PakEntry::new(&format!("{number}.bin"), b"data")).collect();
    let pak = PakWriter { entries, ..PakWriter::new(7) }.finish();
    let footer = pak.len() - 44;
    let index = u64::from_le_bytes(pak[footer + 8..footer + 16].try_into().expect("eight bytes"));
    let (data, rest) = pak.split_at(usize::try_from(index).expect("a place in memory"));
    let mut rest = rest.to_vec();
    let footer = rest.len() - 44;
    let end = 100_000_000_000_u64;
    rest[footer + 8..footer + 16].copy_from_slice(&end.to_le_bytes());
    let mut file = File::create(folder.join("sparse.pak"))?;
    file.write_all(data)?;
    file.seek(SeekFrom::Start(end))?;
    file.write_all(&rest)
}
