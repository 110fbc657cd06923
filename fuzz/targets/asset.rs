//! Any bytes as a package of a game that is a file, and as what lies beside it: found, described, decoded; with and
//! without mappings.
#![no_main]

use std::sync::{Arc, LazyLock};

use fixtures::pak::{PakEntry, PakWriter};
use fixtures::property;
use importer::{Budget, GameOptions, SoundFile};
use libfuzzer_sys::fuzz_target;
use unreal::containers::Container;
use unreal::containers::mount::Mount;
use unreal::{KeyRing, Limits, Mappings, Memory};

static MAPPINGS: LazyLock<Arc<Mappings>> = LazyLock::new(|| {
    let mappings = Mappings::read(&Memory(property::mappings(4)), &mut Limits::default());
    Arc::new(mappings.expect("mappings"))
});

fuzz_target!(|bytes: &[u8]| {
    let [choice, low, high, rest @ ..] = bytes else { return };
    let (header, objects) = rest.split_at(usize::from(u16::from_le_bytes([*low, *high])).min(rest.len()));
    let entry = |extension: &str, data: &[u8]| PakEntry::new(&format!("Game/Content/A.{extension}"), data);
    let entries = vec![entry("uasset", header), entry("uexp", objects), entry("ubulk", objects)];
    let pak = PakWriter { entries, ..PakWriter::new(11) }.finish();
    let pak = Container::open_pak(Box::new(Memory(pak)), &KeyRing::default(), &mut Limits::default());
    let mount = Mount::new(vec![("Game".to_owned(), pak.expect("a pak"))]);
    let mappings = (choice & 1 == 1).then(|| Arc::clone(&MAPPINGS));
    let options = GameOptions { mappings, ..GameOptions::default() };
    let file =
        SoundFile::open_game(mount, "Game", &options, Budget { decoded: 1 << 22, ..Budget::default() });
    for sound in file.sounds().iter().take(3) {
        let _ = (file.sample(sound.number), sound.plays());
    }
});
