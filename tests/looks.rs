//! Meshes and Niagara systems: what is read of them, and what can be changed.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use fixtures::asset::AssetWriter;
use fixtures::corpus::corpus;
use fixtures::property::{Coding, NameList, Written, object};
use importer::open::GameMount;
use modkit::mesh::{MaterialError, meshes, set_materials, to_glb};
use modkit::niagara::{ColorEdit, ColorError, RecoloredPackage, details, set_colors};
use unreal::containers::mount::Mount;
use unreal::ue4to6::class::mesh::{Mesh, MeshKind};
use unreal::ue4to6::convert::{GameObjects, to_legacy, to_zen};
use unreal::ue4to6::zen::{ScriptNames, ZenForm};
use unreal::{AssetPackage, FileSource, KeyRing, Limits, Mappings, Memory, PackageBytes, Source};

fn game(path: &Path) -> Arc<Mount> {
    GameMount::open(path, &KeyRing::default(), NonZeroUsize::MIN).unwrap().mount
}

fn limits() -> Limits {
    Limits::with_structures(1 << 30)
}

fn bytes_of(source: &dyn Source) -> Vec<u8> {
    let mut bytes = vec![0; usize::try_from(source.len()).unwrap()];
    source.read_at(0, &mut bytes).unwrap();
    bytes
}

fn package_of(bytes: PackageBytes) -> AssetPackage {
    let source = |bytes: Vec<u8>| Box::new(Memory(bytes));
    let (header, objects) = (source(bytes.header), source(bytes.objects));
    AssetPackage::of_files(
        "Game/Content/P.uasset",
        header,
        Some(objects),
        Some("5.8".parse().unwrap()),
        &mut limits(),
    )
    .unwrap()
}

/// Finds buffers of positions among bytes: a stride of 12, a number, both once more, and as many positions.
fn positions(bytes: &[u8]) -> Vec<Vec<[f32; 3]>> {
    let number = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().unwrap()));
    let mut found = Vec::new();
    for at in 0..bytes.len() {
        let [Some(12), Some(count), Some(12), Some(same)] = [0, 4, 8, 12].map(|more| number(at + more))
        else {
            continue;
        };
        let Some(data) = bytes.get(at + 16..at + 16 + 12 * count as usize) else { continue };
        if count == same && count > 0 {
            let float = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().unwrap());
            let position = |p: &[u8]| [float(&p[..4]), float(&p[4..8]), float(&p[8..])];
            found.push(data.chunks_exact(12).map(position).collect());
        }
    }
    found
}

/// Compares a mesh with the positions that its object has.
fn check(mesh: &Mesh, object: &[u8]) {
    assert_eq!(mesh.problem, None);
    let found = positions(object);
    let counts: Vec<u32> = found.iter().map(|positions| positions.len() as u32).collect();
    let levels: Vec<u32> = mesh.levels.iter().map(|level| level.vertices).collect();
    assert_eq!(levels, counts);
    let bounds = mesh.bounds.unwrap();
    for axis in 0..3 {
        let values = || found[0].iter().map(|position| f64::from(position[axis]));
        let (least, most) = (values().fold(f64::MAX, f64::min), values().fold(f64::MIN, f64::max));
        // What Nanite is not drawn with is a little simpler.
        assert!((bounds.origin[axis] - (least + most) / 2.0).abs() < 0.1, "{bounds:?} {least} {most}");
        assert!((bounds.extent[axis] - (most - least) / 2.0).abs() < 0.1, "{bounds:?} {least} {most}");
    }
    for level in &mesh.levels {
        assert_eq!(level.sections.iter().map(|section| section.triangles).sum::<u32>(), level.triangles);
        assert!(level.sections.iter().all(|section| (section.material as usize) < mesh.materials.len()));
    }
}

#[test]
fn real_meshes_say_the_same_in_each_form() {
    let Some(folder) = corpus("containers/UE5_8") else { return };
    let source = FileSource::open(folder.join("Mappings/CUE4ParseFixtures-Zstandard.usmap")).unwrap();
    let mappings = Mappings::read(&source, &mut limits()).unwrap();
    let mut all: Vec<Vec<(String, Mesh)>> = Vec::new();
    for form in ["Tagged", "Unversioned"] {
        let mount = game(&folder.join("IoStore").join(form));
        let scripts = Arc::new(ScriptNames::read(&mount, &mut limits()).unwrap());
        let objects = GameObjects::new(&mount).unwrap();
        let (mut chunks, mut files) = (Vec::new(), Vec::new());
        for entry in mount.entries().filter(|entry| mount.is_package(*entry) && !mount.is_overridden(*entry))
        {
            let package = mount.open_package(entry, None, &mut limits()).unwrap().with_scripts(&scripts);
            if !package.name().contains("/Meshes/") {
                continue;
            }
            let file = to_legacy(&package, "5.8".parse().unwrap(), &objects, &mut limits()).unwrap();
            let objects = bytes_of(&file.objects(package.source()));
            let file = package_of(PackageBytes { header: file.header, objects });
            for (package, found) in [(&package, &mut chunks), (&file, &mut files)] {
                for mesh in meshes(package, Some(&mappings), &mut limits()) {
                    let range = package.range(mesh.export).unwrap();
                    let object = &bytes_of(package.source())[range.start as usize..range.end as usize];
                    let mesh = (mesh.name, mesh.mesh.unwrap());
                    check(&mesh.1, object);
                    found.push(mesh);
                }
            }
        }
        all.extend([chunks, files]);
    }
    for meshes in &mut all {
        meshes.sort_by(|(one, _), (other, _)| one.cmp(other));
        let names: Vec<&str> = meshes.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["SK_Fixture", "SM_Fixture", "SM_Nanite"]);
        let facts = |mesh: &Mesh| {
            let sections: Vec<usize> = mesh.levels.iter().map(|level| level.sections.len()).collect();
            let triangles: Vec<u32> = mesh.levels.iter().map(|level| level.triangles).collect();
            let slots: Vec<String> = mesh.materials.iter().map(|slot| slot.name.clone()).collect();
            let bones: Vec<(String, i32)> =
                mesh.bones.iter().map(|bone| (bone.name.clone(), bone.parent)).collect();
            (sections, triangles, slots, bones, mesh.has_nanite)
        };
        let slots = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let bones =
            [("Root", -1), ("Joint_1", 0), ("Joint_2", 1)].map(|(name, parent)| (name.to_owned(), parent));
        let [(_, skeletal), (_, plain), (_, nanite)] = &meshes[..] else { panic!() };
        let both = slots(&["Primary", "Secondary"]);
        assert_eq!(facts(skeletal), (vec![2, 1], vec![2, 1], both.clone(), bones.to_vec(), None));
        assert_eq!(facts(plain), (vec![2, 2], vec![2, 2], both, vec![], Some(false)));
        assert_eq!(facts(nanite), (vec![1], vec![2042], slots(&["NaniteSurface"]), vec![], Some(true)));
        assert_eq!((skeletal.kind, plain.kind), (MeshKind::Skeletal, MeshKind::Static));
        assert!(plain.is_cooked && plain.sockets == Some(1));
    }
}

#[test]
fn a_material_of_a_real_mesh_is_set_and_set_back() {
    let Some(folder) = corpus("containers/UE5_8") else { return };
    let mount = game(&folder.join("IoStore/Tagged"));
    for name in ["SM_Fixture", "SK_Fixture"] {
        let entry = mount.entries().find(|entry| {
            mount.is_package(*entry) && mount.label(*entry).contains(name) && !mount.is_overridden(*entry)
        });
        let package = mount.open_package(entry.unwrap(), None, &mut limits()).unwrap();
        let before = bytes_of(package.source());
        let material = |package: &AssetPackage, slot: usize| {
            meshes(package, None, &mut limits())[0].mesh.as_ref().unwrap().materials[slot].material
        };
        // Any object that it refers to can be one.
        let other = package.path(unreal::ObjectRef::Export(unreal::ExportIndex::new(0))).unwrap();
        let was = package.path(material(&package, 1)).unwrap();
        let set = |package: &AssetPackage, slot: &str, path: &str| {
            let materials = [(slot.to_owned(), path.to_owned())];
            set_materials(package, None, &materials, &|_, _| None, &mut limits())
                .map(|bytes| [bytes.header, bytes.objects].concat())
        };
        let chunk = |bytes: Vec<u8>| AssetPackage::of_chunk(Box::new(Memory(bytes)), &mut limits()).unwrap();
        let after = chunk(set(&package, "Secondary", &other).unwrap());
        assert_eq!(after.path(material(&after, 1)).unwrap(), other, "{name}");
        assert_ne!(material(&after, 0), material(&after, 1));
        let changed =
            bytes_of(after.source()).iter().zip(&before).filter(|(one, other)| one != other).count();
        assert!(changed <= 8 && bytes_of(after.source()).len() == before.len(), "{changed}");
        assert!(set(&after, "1", &was).unwrap() == before, "{name}");
        assert!(matches!(set(&package, "7", &other), Err(MaterialError::Slot(..))));
        assert!(matches!(set(&package, "1", "/Game/Nowhere"), Err(MaterialError::Material(_))));
    }
}

/// A package with data interfaces of several kinds.
fn effects(coding: Coding) -> AssetPackage {
    let mut names = NameList(
        ["None", "/Script/CoreUObject", "Package", "Class", "/Script/Engine", "SoundWave"]
            .map(str::to_owned)
            .to_vec(),
    );
    let lut =
        |from: u8, count: u8| Written::Floats((from..from + count).map(|n| f32::from(n) / 8.0).collect());
    let kinds = [
        ("NiagaraDataInterfaceColorCurve", "Glow", "ShaderLUT", lut(1, 16)),
        ("NiagaraDataInterfaceVectorCurve", "Tint", "ShaderLUT", lut(40, 9)),
        ("NiagaraDataInterfaceCurve", "Fade", "ShaderLUT", lut(80, 5)),
        ("NiagaraDataInterfaceVector2DCurve", "Pan", "ShaderLUT", lut(90, 4)),
        ("NiagaraDataInterfaceArrayFloat", "Speeds", "FloatData", lut(100, 3)),
    ];
    let mut exports = Vec::new();
    for (number, (class, name, property, value)) in (0_i32..).zip(&kinds) {
        let bytes = object(coding, &mut names, class, &[(*property, value.clone())]);
        exports.push(((*name).to_owned(), -3 - number, bytes));
    }
    let engine_5 = if coding == Coding::Complete { 1012 } else { 1008 };
    let writer = AssetWriter {
        names: names.0[6..].to_vec(),
        classes: kinds.map(|(class, ..)| class.to_owned()).to_vec(),
        exports,
        data: (engine_5 >= 1009).then(Vec::new),
        ..AssetWriter::new(-8, 522, engine_5)
    };
    let (header, objects) = writer.finish();
    let source = |bytes: Vec<u8>| Box::new(Memory(bytes));
    AssetPackage::of_files(
        "Game/Content/NS.uasset",
        source(header),
        Some(source(objects)),
        None,
        &mut limits(),
    )
    .unwrap()
}

/// Returns which floats of a package differ from those of another, and what they are now.
fn differences(before: &AssetPackage, after: &PackageBytes) -> Vec<f32> {
    // The header of the fixture states fewer names than its objects use, which is put right.
    let before = bytes_of(before.source()).split_off(after.header.len());
    let after = &after.objects;
    assert_eq!(before.len(), after.len());
    let mut found = Vec::new();
    let mut at = 0;
    while at < before.len() {
        if before[at] == after[at] {
            at += 1;
            continue;
        }
        // A float begins up to three bytes before what differs: find the one that was there.
        let is_float = |from: &usize| {
            let old = f32::from_le_bytes(before[*from..from + 4].try_into().unwrap());
            old.fract() * 8.0 % 1.0 == 0.0 && (0.1..20.0).contains(&old)
        };
        let from = (at.saturating_sub(3)..=at).find(is_float);
        let from = from.unwrap();
        found.push(f32::from_le_bytes(after[from..from + 4].try_into().unwrap()));
        at = from + 4;
    }
    found
}

#[test]
fn data_interfaces_are_counted_and_exactly_the_wanted_floats_are_set() {
    for coding in [Coding::Split, Coding::Complete] {
        let package = effects(coding);
        let found = details(&package, None, &mut limits());
        let counts: Vec<(&str, usize)> =
            found.interfaces.iter().map(|found| (found.kind.group, found.samples().len())).collect();
        assert_eq!(
            counts,
            [
                ("color_curves", 4),
                ("vector3_curves", 3),
                ("float_curves", 5),
                ("vector2d_curves", 2),
                ("array_floats", 3)
            ]
        );
        assert_eq!(found.interfaces[0].samples().nth(1).unwrap(), [0.625, 0.75, 0.875, 1.0]);
        assert_eq!((found.exports, found.unread.len()), (5, 0));
        let edit = ColorEdit { color: [9.5, 9.25, 9.75, 9.125], channels: [true; 4], ..ColorEdit::default() };
        let set = |edit: &ColorEdit| set_colors(&package, None, edit, &mut limits());
        let RecoloredPackage { bytes, numbers: count, .. } = set(&edit).unwrap();
        assert_eq!(count, 4 * 4 + 3 * 3);
        let expected = [[9.5, 9.25, 9.75, 9.125].repeat(4), [9.5, 9.25, 9.75].repeat(3)].concat();
        assert_eq!(differences(&package, &bytes), expected);
        let glow = ColorEdit {
            export: Some("glow".to_owned()),
            samples: Some(1..=2),
            channels: [true, false, true, false],
            ..edit.clone()
        };
        let RecoloredPackage { bytes, numbers: count, .. } = set(&glow).unwrap();
        assert_eq!((count, differences(&package, &bytes)), (4, vec![9.5, 9.75, 9.5, 9.75]));
        let RecoloredPackage { bytes, .. } =
            set(&ColorEdit { export: Some("2".to_owned()), samples: Some(4..=4), ..edit.clone() }).unwrap();
        assert_eq!(differences(&package, &bytes), [9.5]);
        let far = ColorEdit { samples: Some(0..=4), ..edit.clone() };
        assert!(matches!(set(&far), Err(ColorError::Samples(name, 4)) if name == "Glow"));
        assert!(matches!(
            set(&ColorEdit { export: Some("Nothing".to_owned()), ..edit }),
            Err(ColorError::None)
        ));
    }
}

#[test]
fn a_real_system_has_no_colours_and_says_so() {
    let Some(folder) = corpus("containers/UE5_8") else { return };
    for form in ["Tagged", "Unversioned"] {
        let mount = game(&folder.join("IoStore").join(form));
        let entry = mount.entries().find(|entry| {
            mount.is_package(*entry)
                && mount.label(*entry).contains("NS_Fixture")
                && !mount.is_overridden(*entry)
        });
        let scripts = Arc::new(ScriptNames::read(&mount, &mut limits()).unwrap());
        let package = mount.open_package(entry.unwrap(), None, &mut limits()).unwrap().with_scripts(&scripts);
        let found = details(&package, None, &mut limits());
        assert!(found.is_niagara && found.interfaces.is_empty());
        let [(0, _, class)] = &found.others[..] else { panic!("{:?}", found.others) };
        assert_eq!((found.exports, class.as_str()), (4, "NiagaraDataInterfaceTexture"));
    }
}

/// Returns the tables and the bytes of a `.glb` file, read by its specification.
fn read_glb(file: &[u8]) -> (serde_json::Value, &[u8]) {
    let number = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&file[..4], number(4), number(8)), (&b"glTF"[..], 2, file.len()));
    let json = number(12);
    assert_eq!((&file[16..20], json % 4, &file[24 + json..28 + json]), (&b"JSON"[..], 0, &b"BIN\0"[..]));
    assert_eq!(number(20 + json), file.len() - json - 28);
    (serde_json::from_slice(&file[20..20 + json]).unwrap(), &file[28 + json..])
}

#[test]
fn the_finest_level_of_a_real_mesh_is_gltf_whose_triangles_face_as_their_normals() {
    let Some(folder) = corpus("containers/UE5_8") else { return };
    let mount = game(&folder.join("IoStore/Tagged"));
    for (name, vertices, parts, triangles) in
        [("SM_Fixture", 6, 2, 2), ("SK_Fixture", 6, 2, 2), ("SM_Nanite", 1083, 1, 2042)]
    {
        let is_it = |entry: &unreal::containers::mount::MountedEntry| {
            mount.is_package(*entry) && mount.label(*entry).contains(name) && !mount.is_overridden(*entry)
        };
        let entry = mount.entries().find(is_it).unwrap();
        let package = mount.open_package(entry, None, &mut limits()).unwrap();
        let file = to_glb(&package, None, &mut limits()).unwrap();
        let (json, bytes) = read_glb(&file);
        let floats = |accessor: &serde_json::Value| -> Vec<f32> {
            let accessor = &json["accessors"][accessor.as_u64().unwrap() as usize];
            let view = &json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
            let at = view["byteOffset"].as_u64().unwrap_or_default() as usize;
            let bytes = &bytes[at..at + view["byteLength"].as_u64().unwrap() as usize];
            bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
        };
        let primitives = json["meshes"][0]["primitives"].as_array().unwrap();
        assert_eq!((primitives.len(), json["materials"].as_array().unwrap().len()), (parts, parts));
        let positions = floats(&primitives[0]["attributes"]["POSITION"]);
        let normals = floats(&primitives[0]["attributes"]["NORMAL"]);
        assert_eq!((positions.len(), normals.len()), (3 * vertices, 3 * vertices), "{name}");
        assert_eq!(floats(&primitives[0]["attributes"]["TEXCOORD_0"]).len(), 2 * vertices);
        // Half a metre to each side.
        if vertices == 6 {
            assert!(positions.iter().all(|number| number.abs() <= 0.5), "{positions:?}");
        }
        let mut drawn = 0;
        let mut facing = 0;
        for primitive in primitives {
            let indices = floats(&primitive["indices"]);
            for corners in indices.as_chunks::<3>().0 {
                let point = |values: &[f32], corner: f32| {
                    let at = 3 * corner.to_bits() as usize;
                    [values[at], values[at + 1], values[at + 2]]
                };
                let [a, b, c] = corners.map(|corner| point(&positions, corner));
                let side = |from: [f32; 3], to: [f32; 3]| [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
                let ([x, y, z], [u, v, w]) = (side(a, b), side(a, c));
                let face = [y * w - z * v, z * u - x * w, x * v - y * u];
                let normal = point(&normals, corners[0]);
                let dot: f32 = face.iter().zip(normal).map(|(one, other)| one * other).sum();
                facing += usize::from(dot > 0.0);
                drawn += 1;
            }
        }
        assert_eq!((drawn, facing), (triangles, triangles), "{name}");
    }
}

#[test]
fn a_material_comes_to_a_package_of_files_with_what_has_to_be_there_before() {
    let Some(folder) = corpus("containers/UE5_8") else { return };
    let mount = game(&folder.join("IoStore/Tagged"));
    let objects = GameObjects::new(&mount).unwrap();
    for name in ["SM_Fixture", "SK_Fixture"] {
        let is_it = |entry: &unreal::containers::mount::MountedEntry| {
            mount.is_package(*entry) && mount.label(*entry).contains(name) && !mount.is_overridden(*entry)
        };
        let package = mount.open_package(mount.entries().find(is_it).unwrap(), None, &mut limits()).unwrap();
        let materials = [("1".to_owned(), "/Game/New/M_Steel".to_owned())];
        let class_of = |of: &str, name: &str| {
            assert_eq!((of, name), ("/Game/New/M_Steel", "M_Steel"));
            Some(("/Script/Engine".to_owned(), "MaterialInstanceConstant".to_owned()))
        };
        // As one of a container it has no place for it.
        let refused = set_materials(&package, None, &materials, &class_of, &mut limits());
        assert!(matches!(refused, Err(MaterialError::Container(_))), "{name}");
        let file = to_legacy(&package, "5.8".parse().unwrap(), &objects, &mut limits()).unwrap();
        let parts = bytes_of(&file.objects(package.source()));
        let file = package_of(PackageBytes { header: file.header, objects: parts });
        let after = set_materials(&file, None, &materials, &class_of, &mut limits()).unwrap();
        let after = package_of(after);
        let mesh = meshes(&after, None, &mut limits()).pop().unwrap().mesh.unwrap();
        check(&mesh, &bytes_of(after.source()));
        let paths: Vec<_> = mesh.materials.iter().map(|slot| after.path(slot.material).unwrap()).collect();
        assert!(
            paths[0].ends_with("WorldGridMaterial") && paths[1] == "/Game/New/M_Steel.M_Steel",
            "{paths:?}"
        );
        // A container knows it as something that the mesh needs.
        let chunk = to_zen(&after, ZenForm::Dependencies, &mut limits()).unwrap();
        let chunk = bytes_of(&chunk.into_source(after.source()));
        let zen = AssetPackage::of_chunk(Box::new(Memory(chunk)), &mut limits()).unwrap();
        let unreal::PackageTables::Zen(tables) = zen.tables() else { panic!() };
        assert!(tables.imported_packages().iter().any(|name| name == "/Game/New/M_Steel"));
        let mesh = meshes(&zen, None, &mut limits()).pop().unwrap().mesh.unwrap();
        assert_eq!(zen.path(mesh.materials[1].material).unwrap(), "/Game/New/M_Steel.M_Steel");
        // Made once, needed once.
        let again = set_materials(&after, None, &materials, &class_of, &mut limits()).unwrap();
        assert!([again.header, again.objects].concat() == bytes_of(after.source()));
    }
}

#[test]
fn objects_that_share_their_bytes_share_what_reading_them_may_cost() {
    let package = effects(Coding::Complete);
    let all = details(&package, None, &mut limits());
    // Enough for some of them.
    let some = details(&package, None, &mut Limits::with_structures(8_000));
    assert!(all.unread.is_empty() && !some.unread.is_empty() && !some.interfaces.is_empty());
}
