//! Textures: found, listed, decoded, stripped and given other pictures, in fixtures of three ages and in real packages.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use fixtures::corpus::corpus;
use fixtures::pak::{PakEntry, PakWriter};
use fixtures::signal::Noise;
use fixtures::texture::{Age, TextureFiles, WrittenMip, package, virtual_package};
use importer::GameOptions;
use modkit::GamePackages;
use modkit::texture::{ConvertTextureError, NewPicture, PictureError, Pixels, TextureChange, textures};
use unreal::containers::Container;
use unreal::containers::mount::Mount;
use unreal::ue4to6::bulk::BulkFile;
use unreal::{AssetPackage, KeyRing, Limits, Memory};

const AGES: [Age; 3] = [Age::Four15, Age::Four27, Age::Five4];

/// Four mips of grey: 8, 4, 2 and 1 pixels wide, the first two in a file of their own.
fn grey() -> Vec<WrittenMip> {
    [(8, true), (4, true), (2, false), (1, false)]
        .map(|(side, is_outside)| {
            let pixels = (0..side * side).map(|pixel| (pixel * 3 + side) as u8).collect();
            (side, side, pixels, is_outside)
        })
        .to_vec()
}

fn game(files: &TextureFiles) -> GamePackages {
    let entry = |extension: &str, data: &[u8]| PakEntry::new(&format!("Game/Content/T.{extension}"), data);
    let mut entries = vec![entry("uasset", &files.header), entry("uexp", &files.objects)];
    if !files.bulk.is_empty() {
        entries.push(entry("ubulk", &files.bulk));
    }
    let pak = PakWriter { entries, ..PakWriter::new(11) }.finish();
    let pak =
        Container::open_pak(Box::new(Memory(pak)), &KeyRing::default(), &mut Limits::default()).unwrap();
    packages(Mount::new(vec![("Game".to_owned(), pak)]))
}

fn packages(mount: Mount) -> GamePackages {
    GamePackages::find(Arc::new(mount), None, GameOptions::default(), &mut |_| ()).unwrap()
}

fn open(header: &[u8], objects: &[u8]) -> AssetPackage {
    let objects = Box::new(Memory(objects.to_vec()));
    let header = Box::new(Memory(header.to_vec()));
    AssetPackage::of_files("T.uasset", header, Some(objects), None, &mut Limits::default()).unwrap()
}

/// The files of a changed package, by their extensions.
fn changed(
    packages: &GamePackages,
    change: &TextureChange,
    is_inline: bool,
) -> BTreeMap<&'static str, Vec<u8>> {
    let opened = packages.open_textures(packages.entries[0]).unwrap();
    opened[0].changed(change, is_inline).unwrap().files.into_iter().collect()
}

#[test]
fn textures_of_three_ages_have_the_mips_that_were_written() {
    for age in AGES {
        let files = package(age, "PF_G8", [8, 8], &grey());
        let packages = game(&files);
        let opened = packages.open_textures(packages.entries[0]).unwrap();
        let [texture] = &opened[..] else { panic!("{age:?}: {} textures", opened.len()) };
        assert_eq!(
            (texture.texture.format.as_str(), texture.texture.width, texture.texture.height),
            ("PF_G8", 8, 8)
        );
        for (number, (width, height, pixels, is_outside)) in grey().into_iter().enumerate() {
            let mip = texture.texture.mips[number];
            assert_eq!((mip.width, mip.height), (width, height), "{age:?}");
            assert_eq!(mip.place == BulkFile::Bulk, is_outside, "{age:?}");
            assert_eq!(texture.data(number).unwrap(), pixels, "{age:?}");
        }
    }
}

#[test]
fn a_texture_that_keeps_all_mips_is_written_as_it_was() {
    for age in AGES {
        let files = package(age, "PF_G8", [8, 8], &grey());
        // Names with the hashes that a writer computes.
        let once = changed(&game(&files), &TextureChange::Keep(9), false);
        assert_eq!((&once["uexp"], &once["ubulk"]), (&files.objects, &files.bulk), "{age:?}");
        let again = TextureFiles { header: once["uasset"].clone(), ..files };
        assert_eq!(changed(&game(&again), &TextureChange::Keep(9), false), once, "{age:?}");
    }
}

#[test]
fn a_stripped_texture_has_its_largest_mip_in_the_package_and_no_file_beside_it() {
    for age in AGES {
        let files = package(age, "PF_G8", [8, 8], &grey());
        let stripped = changed(&game(&files), &TextureChange::Keep(1), true);
        assert_eq!(stripped.keys().copied().collect::<Vec<_>>(), ["uasset", "uexp"], "{age:?}");
        // As if it had been written so.
        let mut one = grey()[..1].to_vec();
        one[0].3 = false;
        let wanted = package(age, "PF_G8", [8, 8], &one);
        if age == Age::Five4 {
            assert_eq!(stripped["uexp"], wanted.objects, "{age:?}");
        }
        let again =
            TextureFiles { header: stripped["uasset"].clone(), objects: stripped["uexp"].clone(), ..wanted };
        let packages = game(&TextureFiles { bulk: Vec::new(), ..again });
        let texture = &packages.open_textures(packages.entries[0]).unwrap()[0];
        assert_eq!(texture.texture.mips.len(), 1, "{age:?}");
        assert_eq!(texture.data(0).unwrap(), grey()[0].2, "{age:?}");
    }
}

#[test]
fn smaller_mips_alone_make_a_smaller_texture() {
    for age in AGES {
        let packages = game(&package(age, "PF_G8", [8, 8], &grey()));
        let small = changed(&packages, &TextureChange::Max(4), false);
        let files = TextureFiles {
            header: small["uasset"].clone(),
            objects: small["uexp"].clone(),
            bulk: small["ubulk"].clone(),
            count_at: 0,
        };
        // What is left of the file lies together.
        assert_eq!(files.bulk, grey()[1].2, "{age:?}");
        let packages = game(&files);
        let texture = &packages.open_textures(packages.entries[0]).unwrap()[0];
        assert_eq!((texture.texture.width, texture.texture.mips.len()), (4, 3), "{age:?}");
        for mip in 0..3 {
            assert_eq!(texture.data(mip).unwrap(), grey()[mip + 1].2, "{age:?}");
        }
    }
    let packages = game(&package(Age::Five4, "PF_G8", [8, 8], &grey()));
    let texture = &packages.open_textures(packages.entries[0]).unwrap()[0];
    assert!(texture.changed(&TextureChange::Max(0), false).is_err(), "nothing would be left");
}

#[test]
fn a_picture_takes_the_place_of_all_mips_if_its_size_and_format_are_the_same() {
    let packages = game(&package(Age::Five4, "PF_G8", [8, 8], &grey()));
    let texture = &packages.open_textures(packages.entries[0]).unwrap()[0];
    let picture = |width: u32| NewPicture::Png(width, 8, 1, vec![200; width as usize * 8]);
    let files: BTreeMap<_, _> =
        texture.changed(&TextureChange::Set(picture(8)), false).unwrap().files.into_iter().collect();
    let bulk = files["ubulk"].clone();
    let new =
        TextureFiles { header: files["uasset"].clone(), objects: files["uexp"].clone(), bulk, count_at: 0 };
    let packages = game(&new);
    let new = &packages.open_textures(packages.entries[0]).unwrap()[0];
    assert!((0..4).all(|mip| new.data(mip).unwrap().iter().all(|value| *value == 200)));
    let error = texture.changed(&TextureChange::Set(picture(4)), false).unwrap_err();
    assert!(matches!(error, ConvertTextureError::Other(..)), "{error}");
    // A DDS file of the texture itself changes nothing.
    let (first, dds) = texture.dds().unwrap();
    assert_eq!(first, 0);
    let same = texture.changed(&TextureChange::Set(NewPicture::read("dds", dds).unwrap()), false).unwrap();
    let kept = texture.changed(&TextureChange::Keep(4), false).unwrap();
    assert_eq!(same.files, kept.files);
}

#[test]
fn mips_whose_file_is_missing_are_said_and_the_next_one_is_taken() {
    let files = package(Age::Five4, "PF_G8", [8, 8], &grey());
    let packages = game(&TextureFiles { bulk: Vec::new(), ..files });
    let texture = &packages.open_textures(packages.entries[0]).unwrap()[0];
    let (mip, picture) = texture.picture(None, 0).unwrap();
    assert_eq!((mip, picture.width), (2, 2));
    assert_eq!(picture.pixels, Pixels::Grey8(grey()[2].2.clone()));
    assert!(matches!(texture.picture(Some(0), 0), Err(ConvertTextureError::Missing(0, BulkFile::Bulk))));
    assert!(matches!(texture.picture(Some(4), 0), Err(ConvertTextureError::NoSuchMip(4, 4))));
    assert!(matches!(texture.picture(None, 1), Err(ConvertTextureError::NoSuchSlice(1, 1))));
}

#[test]
fn mips_of_another_size_than_their_format_has_are_no_texture() {
    for age in AGES {
        let mut mips = grey();
        mips[2].2.push(0);
        let files = package(age, "PF_G8", [8, 8], &mips);
        let found = textures(&open(&files.header, &files.objects));
        assert!(found[0].texture.as_ref().unwrap().is_none(), "{age:?}");
    }
}

#[test]
fn objects_that_are_looked_through_count_against_the_limits_together() {
    let files = package(Age::Five4, "PF_G8", [8, 8], &grey());
    let package = open(&files.header, &files.objects);
    let size = package.export(0).unwrap().size;
    let limits = &mut Limits::with_structures(size);
    assert!(unreal::ue4to6::class::texture::read(&package, 0, limits).unwrap().is_some());
    assert!(unreal::ue4to6::class::texture::read(&package, 0, limits).is_err());
}

#[test]
fn a_virtual_texture_is_one_and_is_not_changed() {
    for age in [Age::Four27, Age::Five4] {
        let packages = game(&virtual_package(age, "PF_DXT1", [256, 256], &[7; 100]));
        let opened = packages.open_textures(packages.entries[0]).unwrap();
        let [texture] = &opened[..] else { panic!("{age:?}: {} textures", opened.len()) };
        assert!(texture.texture.is_virtual && texture.texture.mips.is_empty(), "{age:?}");
        let error = texture.changed(&TextureChange::Keep(1), true).unwrap_err();
        assert!(matches!(error, ConvertTextureError::NoMips), "{error}");
    }
}

#[test]
fn sizes_beyond_those_that_can_be_counted_are_no_texture() {
    for age in AGES {
        let files = package(age, "PF_A32B32G32R32F", [8, 8], &[(u32::MAX, u32::MAX, vec![0; 16], false)]);
        let found = textures(&open(&files.header, &files.objects));
        assert!(found[0].texture.as_ref().unwrap().is_none(), "{age:?}");
    }
}

#[test]
fn a_small_file_is_not_decoded_to_more_pixels_than_pictures_have() {
    let format = unreal::ue4to6::class::texture::PixelFormat::of("PF_ASTC_12x12").unwrap();
    let side = 32_768;
    let data = vec![0; usize::try_from(format.size(side, side).unwrap()).unwrap()];
    assert_eq!(modkit::texture::decode(format, side, side, &data), Err(PictureError::TooLarge));
}

#[test]
fn blocks_of_noise_are_pixels_or_an_error_in_every_format() {
    let formats = ["DXT1", "DXT3", "DXT5", "BC4", "BC5", "BC6H", "BC7", "ETC1", "ETC2_RGB", "ETC2_RGBA"];
    let later =
        ["ETC2_R11_EAC", "ETC2_RG11_EAC", "ASTC_4x4", "ASTC_6x6", "ASTC_8x8", "ASTC_10x10", "ASTC_12x12"];
    let mut noise = Noise::new(7);
    for name in formats.iter().chain(&later) {
        let format = unreal::ue4to6::class::texture::PixelFormat::of(&format!("PF_{name}")).unwrap();
        for _ in 0..4000 {
            let block: Vec<u8> = (0..format.bytes).map(|_| noise.below(256) as u8).collect();
            let [width, height] = format.block;
            match modkit::texture::decode(format, width, height, &block) {
                Ok(picture) => assert_eq!((picture.width, picture.height), (width, height)),
                Err(error) => assert!(matches!(error, PictureError::Decoder(_)), "{name}: {error}"),
            }
        }
    }
}

#[test]
fn damaged_textures_are_errors_or_none_and_never_a_panic() {
    for age in AGES {
        let files = package(age, "PF_DXT1", [8, 8], &[(8, 8, vec![7; 32], false), (4, 4, vec![9; 8], false)]);
        for at in 0..files.objects.len() {
            for value in [0, 0xFF, 0x80] {
                let mut objects = files.objects.clone();
                objects[at] = value;
                let packages = game(&TextureFiles { objects, ..files.clone() });
                for texture in packages.open_textures(packages.entries[0]).unwrap_or_default() {
                    let _ = (texture.picture(None, 0), texture.dds());
                    let _ = texture.changed(&TextureChange::Keep(1), true);
                }
            }
        }
        let mut many = files.clone();
        many.objects[files.count_at..files.count_at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        let found = textures(&open(&many.header, &many.objects));
        assert!(found[0].texture.as_ref().unwrap().is_none(), "{age:?}");
    }
}

/// Returns the pixels of a PNG file as red, green, blue and alpha.
fn png_pixels(path: &Path) -> Vec<u8> {
    let NewPicture::Png(_, _, samples, values) =
        NewPicture::read("png", std::fs::read(path).unwrap()).unwrap()
    else {
        panic!("a PNG");
    };
    let rgba = |pixel: &[u8]| match *pixel {
        [grey] => [grey, grey, grey, 255],
        [red, green, blue] => [red, green, blue, 255],
        [red, green, blue, alpha] => [red, green, blue, alpha],
        _ => panic!("{samples} samples"),
    };
    values.chunks_exact(samples).flat_map(rgba).collect()
}

#[test]
fn textures_of_a_cooked_game_are_the_pictures_that_they_were_made_of() {
    let Some(containers) = corpus("containers/UE5_8") else { return };
    let folder = containers.join("IoStore/Tagged/Uncompressed");
    let game =
        importer::open::GameMount::open(&folder, &KeyRing::default(), std::num::NonZeroUsize::MIN).unwrap();
    let packages = GamePackages::find(game.mount, None, GameOptions::default(), &mut |_| ()).unwrap();
    let sources = containers.join("SourceTextures");
    let mut seen = 0;
    for entry in &packages.entries {
        for texture in packages.open_textures(*entry).unwrap_or_default() {
            let (source, most) = match texture.name.as_str() {
                "T_BGRA8" => ("rgba.png", 0),
                "T_G8" => ("grayscale.png", 0),
                "T_BC1" | "T_Mips" => ("rgb.png", 8),
                "T_BC3" | "T_BC7" => ("rgba.png", 8),
                "T_BC5" => ("normal.png", 16),
                _ => continue,
            };
            let (_, picture) = texture.picture(None, 0).unwrap();
            let found: Vec<u8> = match picture.pixels {
                Pixels::Rgba8(values) => values,
                Pixels::Grey8(values) => values.iter().flat_map(|grey| [*grey, *grey, *grey, 255]).collect(),
                Pixels::Grey16(_) => panic!("16 bits"),
            };
            let wanted = png_pixels(&sources.join(source));
            let worst = found.iter().zip(&wanted).map(|(one, other)| one.abs_diff(*other)).max();
            assert!(found.len() == wanted.len() && worst <= Some(most), "{}: {worst:?}", texture.name);
            seen += 1;
        }
    }
    assert_eq!(seen, 7);
}

#[test]
fn real_packages_that_keep_all_mips_are_written_as_they_were() {
    let Some(games) = corpus("games") else { return };
    let folders = [
        "pingenter+MurmelGame-Alpha/Saved/Cooked/WindowsNoEditor",
        "eric268+UE4_AirHockey/Saved/Cooked/WindowsNoEditor",
    ];
    let mut seen = 0;
    for folder in folders {
        let folder = games.join(folder);
        let game = importer::open::GameMount::open(&folder, &KeyRing::default(), std::num::NonZeroUsize::MIN)
            .unwrap();
        let packages = GamePackages::find(game.mount, None, GameOptions::default(), &mut |_| ()).unwrap();
        for entry in &packages.entries {
            for texture in packages.open_textures(*entry).unwrap_or_default() {
                let path = folder.join(packages.mount.label(*entry));
                let read = |extension: &str| std::fs::read(path.with_extension(extension));
                for (extension, bytes) in texture.changed(&TextureChange::Keep(32), false).unwrap().files {
                    assert_eq!(read(extension).unwrap(), bytes, "{} {extension}", path.display());
                }
                let files = texture.changed(&TextureChange::Keep(1), true).unwrap().files;
                assert!(files.iter().all(|(extension, _)| matches!(*extension, "uasset" | "uexp")));
                let stripped = open(&files[0].1, &files[1].1);
                let again = textures(&stripped)[0].texture.as_ref().unwrap().clone().unwrap();
                let mip = &again.mips[0];
                let data =
                    unreal::ue4to6::class::texture::mip_data(stripped.source(), mip, &mut Limits::default());
                assert_eq!((again.mips.len(), data.unwrap()), (1, texture.data(0).unwrap()));
                seen += 1;
            }
        }
    }
    assert!(seen >= 3, "{seen} textures");
}

/// A mip as a second reader of 5.8 finds it: width, height, and its bytes.
type ReadMip = (u32, u32, Vec<u8>);

/// Reads the only mip of a texture whose package has one row of data, by the layout as it is specified.
fn read_again(header: &[u8], objects: &[u8], format: &str) -> ReadMip {
    let u32_at = |bytes: &[u8], at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let u64_at = |bytes: &[u8], at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let name = [&(format.len() as u32 + 1).to_le_bytes()[..], format.as_bytes(), b"\0"].concat();
    let at = objects.windows(name.len()).position(|bytes| bytes == name).expect("the format as text");
    // The distance to the end, 16 bytes, width, height and a number of slices come before it.
    let skip = at - 36;
    let end = skip + usize::try_from(u64_at(objects, skip)).unwrap();
    let [first, count, row] = [0, 4, 8].map(|more| u32_at(objects, at + name.len() + more));
    assert_eq!((first, count, row), (0, 1, 0));
    // The table of data is the last of the header: its version, the number of rows, and the only one.
    let (version, size) = [(1, 44), (2, 45)]
        .into_iter()
        .find(|(version, size)| {
            let table = header.len() - size - 8;
            (u32_at(header, table), u32_at(header, table + 4)) == (*version, 1)
        })
        .expect("one row");
    let fields = header.len() - size + 4 + usize::from(version == 2);
    let [offset, _, stored, _] = [0, 8, 16, 24].map(|more| u64_at(header, fields + more) as usize);
    assert_eq!(u32_at(header, header.len() - 4) & 0x40, 0x40, "in the package");
    assert_eq!(offset, at + name.len() + 12, "behind its number");
    let after = offset + stored;
    let [width, height, depth, is_virtual] = [0, 4, 8, 12].map(|more| u32_at(objects, after + more));
    assert_eq!((depth, is_virtual, after + 16), (1, 0, end));
    assert_eq!([width, height], [at - 12, at - 8].map(|side| u32_at(objects, side)));
    (width, height, objects[offset..after].to_vec())
}

#[test]
fn a_second_reader_finds_the_largest_mip_of_stripped_textures_of_a_game() {
    let Some(containers) = corpus("containers/UE5_8") else { return };
    let mut seen = 0;
    for form in ["Tagged", "Unversioned"] {
        let folder = containers.join("IoStore").join(form).join("Uncompressed");
        let game = importer::open::GameMount::open(&folder, &KeyRing::default(), std::num::NonZeroUsize::MIN);
        let packages =
            GamePackages::find(game.unwrap().mount, None, GameOptions::default(), &mut |_| ()).unwrap();
        for entry in &packages.entries {
            for texture in packages.open_textures(*entry).unwrap_or_default() {
                let is_plain = ["T_BC1", "T_BC3", "T_BC4", "T_BC5", "T_BC6H", "T_BC7", "T_BGRA8", "T_G8"];
                let has_mips = ["T_Mips", "T_Streaming"];
                if ![&is_plain[..], &has_mips].concat().contains(&texture.name.as_str()) {
                    continue;
                }
                let mip = texture.texture.mips[0];
                let wanted = (mip.width, mip.height, texture.data(0).unwrap());
                let files = texture.changed(&TextureChange::Keep(1), true).unwrap().files;
                let [(_, header), (_, objects)] = &files[..] else { panic!("{} files", files.len()) };
                let found = read_again(header, objects, &texture.texture.format);
                assert!(found == wanted, "{form} {}", texture.name);
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 20);
}
