//! Meshes and string tables in the layout of Marvel Rivals and back: fixtures of three releases, and real packages.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fs, panic};

use fixtures::class_layout::{LayoutAge, LayoutPackage, without_hashes};
use fixtures::corpus::corpus;
use importer::open::GameMount;
use modkit::legacy::LegacyConverter;
use unreal::ue4to6::convert::{ClassLayout, ConvertedObjects, LayoutError, ObjectPart, to_layout};
use unreal::{AssetPackage, AssetVersion, KeyRing, Limits, Memory, Source};

const AGES: [LayoutAge; 3] = [LayoutAge::Five1, LayoutAge::Five3, LayoutAge::Five4];

fn open(header: &[u8], objects: &[u8]) -> AssetPackage {
    let (header, objects) = (Box::new(Memory(header.to_vec())), Box::new(Memory(objects.to_vec())));
    AssetPackage::of_files("SK.uasset", header, Some(objects), None, &mut Limits::default()).unwrap()
}

fn read(source: &dyn Source) -> Vec<u8> {
    let mut bytes = vec![0; usize::try_from(source.len()).unwrap()];
    source.read_at(0, &mut bytes).unwrap();
    bytes
}

fn converted(
    (header, objects): &(Vec<u8>, Vec<u8>),
    layout: ClassLayout,
) -> Result<Option<ConvertedObjects>, LayoutError> {
    to_layout(&open(header, objects), layout, AssetVersion::ENGINE_5_3, &mut Limits::default())
}

/// The files of a package in another layout.
fn files(files: &(Vec<u8>, Vec<u8>), layout: ClassLayout) -> (Vec<u8>, Vec<u8>) {
    let converted = converted(files, layout).unwrap().expect("a change");
    let objects = read(&converted.objects(Memory(&files.1[..])));
    let whole = [&files.0[..], &files.1].concat();
    assert_eq!(read(&converted.whole(Memory(&whole[..]))), [&converted.header[..], &objects].concat());
    (converted.header, objects)
}

fn assert_same(found: &(Vec<u8>, Vec<u8>), wanted: &(Vec<u8>, Vec<u8>), case: &str) {
    assert_eq!(found.1, wanted.1, "{case}: objects");
    assert_eq!(without_hashes(&found.0), without_hashes(&wanted.0), "{case}: header");
}

#[test]
fn a_stock_package_becomes_what_a_writer_of_the_game_writes_and_goes_back() {
    for age in AGES {
        // Alone, first, last and between others.
        for objects in ["BKMTA", "K", "M", "T", "KA", "MA", "TA", "BK", "AMK", "MTK"] {
            let package = LayoutPackage { objects, ..LayoutPackage::new(age, false) };
            let (stock, game) = (package.finish(), LayoutPackage { is_game: true, ..package }.finish());
            let case = format!("{age:?} {objects}");
            assert_same(&files(&stock, ClassLayout::Rivals), &game, &case);
            assert_same(&files(&game, ClassLayout::Stock), &stock, &case);
            // What is there already stays, to the byte.
            assert!(converted(&game, ClassLayout::Rivals).unwrap().is_none(), "{case}");
            assert!(converted(&stock, ClassLayout::Stock).unwrap().is_none(), "{case}");
        }
    }
}

#[test]
fn each_object_that_changes_is_counted() {
    let stock = LayoutPackage::new(LayoutAge::Five3, false).finish();
    let converted = converted(&stock, ClassLayout::Rivals).unwrap().unwrap();
    let counts: Vec<(&str, ObjectPart, usize, u64)> =
        converted.changed.iter().map(|one| (&*one.name, one.part, one.count, one.bytes)).collect();
    let expected = [
        ("SK_1014", ObjectPart::Slots, 2, 8),
        ("SM_Crate", ObjectPart::ScreenSizes, 8, 64),
        ("ST_Texts", ObjectPart::Entries, 3, 12),
    ];
    assert_eq!(counts, expected);
}

#[test]
fn tags_of_a_slot_go_with_it_and_an_overlay_material_stays() {
    for age in AGES {
        for has_overlay in [false, true] {
            let package = LayoutPackage { has_overlay, ..LayoutPackage::new(age, false) };
            let stock = package.finish();
            let tagged = LayoutPackage { is_game: true, tags: 3, ..package.clone() }.finish();
            assert!(converted(&tagged, ClassLayout::Rivals).unwrap().is_none());
            assert_same(&files(&tagged, ClassLayout::Stock), &stock, &format!("{age:?} {has_overlay}"));
            let game = LayoutPackage { is_game: true, ..package }.finish();
            assert_same(&files(&stock, ClassLayout::Rivals), &game, &format!("{age:?} {has_overlay}"));
        }
    }
}

#[test]
fn a_mesh_without_a_size_has_no_value_for_its_first_level() {
    let package = LayoutPackage { sizes: [0.0; 8], ..LayoutPackage::new(LayoutAge::Five3, false) };
    let game = LayoutPackage { is_game: true, ..package.clone() }.finish();
    assert_same(&files(&package.finish(), ClassLayout::Rivals), &game, "sizes of zero");
}

#[test]
fn a_table_without_entries_has_both_layouts() {
    let package =
        LayoutPackage { entries: Vec::new(), objects: "T", ..LayoutPackage::new(LayoutAge::Five3, false) };
    for layout in [ClassLayout::Stock, ClassLayout::Rivals] {
        assert!(converted(&package.finish(), layout).unwrap().is_none());
    }
}

/// Returns where bytes stand in others, only once.
fn find(within: &[u8], bytes: &[u8]) -> usize {
    let mut found = (0..within.len()).filter(|at| within[*at..].starts_with(bytes));
    let at = found.next().expect("it is there");
    assert_eq!(found.next(), None);
    at
}

#[test]
fn an_object_that_fits_neither_layout_leaves_its_package_as_it_is() {
    for age in AGES {
        let stock = LayoutPackage::new(age, false).finish();
        let refused = |change: &dyn Fn(&mut Vec<u8>), part: ObjectPart| {
            let mut objects = stock.1.clone();
            change(&mut objects);
            for layout in [ClassLayout::Stock, ClassLayout::Rivals] {
                let error = converted(&(stock.0.clone(), objects.clone()), layout).unwrap_err();
                assert!(
                    matches!(&error, LayoutError::Unknown(_, found) if *found == part),
                    "{age:?}: {error}"
                );
            }
        };
        // The parent of the second bone is itself; the wind of trees; a text without its last zero.
        let bone = [8_u64.to_le_bytes().to_vec(), 0_u32.to_le_bytes().to_vec()].concat();
        let bones = [&(-1_i32).to_le_bytes()[..], &bone].concat();
        let at = find(&stock.1, &bones);
        refused(&|objects| objects[at + 12] = 1, ObjectPart::Slots);
        let slots =
            [&0_u32.to_le_bytes()[..], &2_u32.to_le_bytes(), &(-3_i32).to_le_bytes(), &[6, 0, 0, 0, 0]];
        let slots = slots.concat();
        let at = (0..stock.1.len()).rfind(|at| stock.1[*at..].starts_with(&slots)).unwrap();
        refused(&|objects| objects[at] = 1, ObjectPart::ScreenSizes);
        let at = find(&stock.1, b"Hello\0");
        refused(&|objects| objects[at + 5] = b'!', ObjectPart::Entries);
    }
}

#[test]
fn four_zero_bytes_that_are_not_zero_are_no_layout() {
    let game = LayoutPackage { objects: "T", ..LayoutPackage::new(LayoutAge::Five3, true) }.finish();
    let at = find(&game.1, b"Hello\0") + 6;
    let mut objects = game.1.clone();
    objects[at] = 1;
    let error = converted(&(game.0, objects), ClassLayout::Stock).unwrap_err();
    assert_eq!(error.to_string(), "the entries of ST_Texts have no known form");
}

#[test]
fn damaged_packages_are_refused_or_converted_without_a_panic() {
    for age in AGES {
        for is_game in [false, true] {
            let (header, objects) = LayoutPackage::new(age, is_game).finish();
            let attempt = |header: &[u8], objects: &[u8], case: &str| {
                let (header, objects) =
                    (Box::new(Memory(header.to_vec())), Box::new(Memory(objects.to_vec())));
                let limits = &mut Limits::default();
                let opened = AssetPackage::of_files("SK.uasset", header, Some(objects), None, limits);
                let Ok(package) = opened else { return };
                for layout in [ClassLayout::Stock, ClassLayout::Rivals] {
                    let convert = panic::AssertUnwindSafe(|| {
                        let limits = &mut Limits::default();
                        if let Ok(Some(found)) = to_layout(&package, layout, AssetVersion::ENGINE_5_3, limits)
                        {
                            _ = found.whole(package.source()).len();
                        }
                    });
                    assert!(panic::catch_unwind(convert).is_ok(), "{case}");
                }
            };
            for cut in 0..objects.len() {
                attempt(&header, &objects[..cut], &format!("{age:?} cut at {cut}"));
            }
            for at in 0..objects.len() {
                for byte in [0, 0x7F, 0xFF] {
                    let mut changed = objects.clone();
                    changed[at] = byte;
                    attempt(&header, &changed, &format!("{age:?} {at} is {byte}"));
                }
            }
            for at in 0..header.len() {
                let mut changed = header.clone();
                changed[at] ^= 0xFF;
                attempt(&changed, &objects, &format!("{age:?} header {at}"));
            }
        }
    }
}

/// Objects that share their bytes with a mesh.
#[test]
fn objects_in_one_another_are_refused() {
    let (mut header, objects) =
        LayoutPackage { objects: "KA", ..LayoutPackage::new(LayoutAge::Five3, false) }.finish();
    let begin = header.len() as u64;
    // The second begins where the first does.
    let second = find(&header, &(begin + u64::try_from(find(&objects, &[0xA0; 7])).unwrap()).to_le_bytes());
    header[second..second + 8].copy_from_slice(&begin.to_le_bytes());
    let error = converted(&(header, objects), ClassLayout::Rivals).unwrap_err();
    assert_eq!(error.to_string(), "SK_1014 shares its bytes with another object");
}

/// A number in a header of a package of 5.0 or later.
struct Header<'h> {
    bytes: &'h [u8],
    at: usize,
}

impl Header<'_> {
    fn u32(&mut self) -> usize {
        self.at += 4;
        u32::from_le_bytes(self.bytes[self.at - 4..self.at].try_into().unwrap()) as usize
    }

    /// The header's length, and of each object where its size is stated.
    fn sizes(bytes: &[u8]) -> (usize, Vec<usize>) {
        let mut header = Header { bytes, at: 4 };
        assert!(bytes.starts_with(&[0xC1, 0x83, 0x2A, 0x9E]));
        let legacy = header.u32() as u32 as i32;
        header.at += 4;
        let (four, mut five) = (header.u32(), header.u32());
        if four == 0 {
            five = if legacy == -9 { 1018 } else { 1009 };
        }
        header.at += 4;
        let mut length = 0;
        if five >= 1016 {
            header.at += 20;
            length = header.u32();
        }
        header.at += header.u32() * 20;
        if five < 1016 {
            length = header.u32();
        }
        header.at += header.u32();
        let flags = header.u32();
        assert_ne!(flags & 0x8000_0000, 0);
        // Names, paths of soft objects, texts.
        header.at += if five >= 1008 { 24 } else { 16 };
        let (count, at) = (header.u32(), header.u32());
        let row = 96 + if five >= 1010 && flags & 0x2000 == 0 { 16 } else { 0 };
        (length, (0..count).map(|number| at + number * row + 28).collect())
    }
}

fn number(bytes: &[u8], at: usize) -> usize {
    usize::try_from(u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())).unwrap()
}

/// Bytes that screen sizes get, in order: a flag and a value for each, which is zero for the first level.
fn platform_values() -> Vec<u8> {
    let mut bytes = [[1, 0, 0, 0].repeat(8), vec![0; 4], [0, 0, 0, 0x55].repeat(7)].concat();
    bytes.sort_unstable();
    bytes
}

/// Checks with a second reader that an object got bytes and all after it moved; returns these bytes in order.
fn check_grown(old: &(Vec<u8>, Vec<u8>), new: &(Vec<u8>, Vec<u8>), case: &Path) -> Vec<u8> {
    let ((length, rows), (same, _)) = (Header::sizes(&old.0), Header::sizes(&new.0));
    assert_eq!((length, same), (old.0.len(), new.0.len()), "{}", case.display());
    let grown = new.1.len() - old.1.len();
    let range = |bytes: &[u8], row: usize| -> Range<usize> {
        let (size, at) = (number(bytes, row), number(bytes, row + 8) - length);
        at..at + size
    };
    let mut added = Vec::new();
    let mut end = 0;
    for row in &rows {
        let (before, now) = (range(&old.0, *row), range(&new.0, *row));
        if before.len() == now.len() {
            let moved = if added.is_empty() { 0 } else { grown };
            let is_after = end > 0 && before.start >= end;
            assert_eq!(now.start, before.start + if is_after { moved } else { 0 }, "{}", case.display());
            assert_eq!(old.1[before], new.1[now], "{}", case.display());
            continue;
        }
        assert_eq!((now.start, now.len()), (before.start, before.len() + grown), "{}", case.display());
        end = before.end;
        let mut old = old.1[before].iter().peekable();
        // Whatever is not the next old byte was added.
        added = new.1[now].iter().filter(|byte| old.next_if_eq(byte).is_none()).copied().collect();
        assert_eq!(old.next(), None, "{}", case.display());
    }
    assert_eq!(added.len(), grown);
    added.sort_unstable();
    added
}

/// Packages of files in a folder.
fn packages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(packages(&path));
        } else if path.extension().is_some_and(|extension| extension == "uasset")
            && path.with_extension("uexp").is_file()
        {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn real_meshes_of_5_1_grow_by_their_sizes_and_shrink_to_the_same_bytes() {
    let Some(folder) = corpus("uassetapi/assets/TestManyAssets/Clay") else { return };
    let mut seen = 0;
    for path in packages(&folder) {
        let stock = (fs::read(&path).unwrap(), fs::read(path.with_extension("uexp")).unwrap());
        let Ok(Some(_)) = converted(&stock, ClassLayout::Rivals) else { continue };
        let game = files(&stock, ClassLayout::Rivals);
        let added = check_grown(&stock, &game, &path);
        assert_eq!(added, platform_values(), "{}", path.display());
        assert_eq!(files(&game, ClassLayout::Stock), stock, "{}", path.display());
        assert!(converted(&game, ClassLayout::Rivals).unwrap().is_none());
        seen += 1;
    }
    assert_eq!(seen, 2);
}

#[test]
fn real_packages_of_5_8_change_in_containers_as_in_files() {
    let Some(folder) = corpus("containers/UE5_8") else { return };
    for container in ["IoStore/Tagged", "IoStore/Unversioned"] {
        let mount =
            GameMount::open(&folder.join(container), &KeyRing::default(), NonZeroUsize::MIN).unwrap().mount;
        let (version, limits) = ("5.8".parse().unwrap(), &mut Limits::with_structures(1 << 30));
        let converter = LegacyConverter::new(&mount, Some(version)).unwrap();
        let mut seen = Vec::new();
        for entry in mount.entries().filter(|entry| mount.is_package(*entry) && !mount.is_overridden(*entry))
        {
            let label = mount.label(entry);
            let (zen, file) = converter.convert(entry).unwrap();
            let Some(game) = to_layout(&zen, ClassLayout::Rivals, version, limits).unwrap() else { continue };
            let stock = (file.header.clone(), read(&file.objects(zen.source())));
            let files_of_game = files(&stock, ClassLayout::Rivals);
            let added = check_grown(&stock, &files_of_game, Path::new(&label));
            let expected = match game.changed[0].part {
                ObjectPart::ScreenSizes => platform_values(),
                _ => vec![0; game.changed[0].count * 4],
            };
            assert_eq!(added, expected, "{label}");
            assert_eq!(files(&files_of_game, ClassLayout::Stock), stock, "{label}");
            // The chunk has the same objects, and goes back to the same bytes.
            let whole = read(&game.whole(zen.source()));
            let chunk = AssetPackage::of_chunk(Box::new(Memory(whole.clone())), limits).unwrap();
            let in_files = open(&files_of_game.0, &files_of_game.1);
            for export in 0..chunk.len() {
                let object = |package: &AssetPackage| {
                    let range = package.range(export).unwrap();
                    read(package.source())[range.start as usize..range.end as usize].to_vec()
                };
                assert!(object(&chunk) == object(&in_files), "{label} {export}");
            }
            let back = to_layout(&chunk, ClassLayout::Stock, version, limits).unwrap().unwrap();
            assert!(read(&back.whole(chunk.source())) == read(&zen.source()), "{label}");
            seen.push((label.rsplit('/').next().unwrap().to_owned(), added.len()));
        }
        seen.sort();
        let expected = [("SK_Fixture", 8), ("SM_Fixture", 64), ("SM_Nanite", 64), ("ST_Fixed", 12)];
        assert_eq!(seen, expected.map(|(name, bytes)| (format!("{name}.uasset"), bytes)), "{container}");
    }
}

#[test]
fn slots_of_real_skeletal_meshes_are_found_without_knowing_their_properties() {
    let Some(folder) = corpus("games/cerebralpolicy+P3R.WeaponFramework") else { return };
    let mut found = 0;
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if name.starts_with("SK_") && name.ends_with(".uasset") {
                let (file, limits) = (Box::new(Memory(fs::read(&path).unwrap())), &mut Limits::default());
                let package = AssetPackage::of_files(&name, file, None, None, limits).unwrap();
                // Their slots are as the engine has them; headers of 4.27 are not written.
                let stock = to_layout(&package, ClassLayout::Stock, AssetVersion::ENGINE_5_3, limits);
                assert!(stock.unwrap().is_none(), "{name}");
                found += 1;
            }
        }
    }
    assert!(found >= 13, "{found}");
}
