//! Data interfaces of Niagara systems: what their numbers are, and colours in place of others.

use fixtures::asset::AssetWriter;
use fixtures::property::{Coding, NameList, Written, object};
use modkit::niagara::{ColorEdit, ColorError, details, set_colors};
use unreal::{AssetPackage, Limits, Memory, PackageBytes};

fn opened(header: Vec<u8>, objects: Vec<u8>) -> AssetPackage {
    let (source, limits) = (|bytes: Vec<u8>| Box::new(Memory(bytes)), &mut Limits::default());
    AssetPackage::of_files("Game/Content/NS.uasset", source(header), Some(source(objects)), None, limits)
        .unwrap()
}

/// A colour, with what is a number and what is none.
fn tint(red: f32, name: &str) -> Vec<(&'static str, Written)> {
    let numbers = [("R", red), ("G", 2.0), ("B", 3.0), ("A", 4.0)];
    let mut fields: Vec<(&'static str, Written)> =
        numbers.map(|(name, number)| (name, Written::Float(number))).to_vec();
    fields.insert(1, ("Note", Written::Text(name.to_owned())));
    fields
}

/// A system with a curve of two colours, an array of three, two other kinds, one that is not known, and one that states
/// nothing.
fn system() -> AssetPackage {
    const CLASSES: [&str; 5] = [
        "NiagaraDataInterfaceColorCurve",
        "NiagaraDataInterfaceArrayColor",
        "NiagaraDataInterfaceCurve",
        "NiagaraDataInterfaceArrayInt32",
        "NiagaraDataInterfaceMesh",
    ];
    let fixed = ["None", "/Script/CoreUObject", "Package", "Class", "/Script/Engine", "SoundWave"];
    let mut names = NameList(fixed.map(str::to_owned).to_vec());
    let floats = |numbers: &[f32]| Written::Floats(numbers.to_vec());
    let tints = ["one", "two", "three"].map(|name| tint(1.0, name)).to_vec();
    let values = [
        (0, "Curve", vec![("ShaderLUT", floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]))]),
        (1, "Colors", vec![("ColorData", Written::Structs("Tint".to_owned(), tints))]),
        (2, "Sizes", vec![("ShaderLUT", floats(&[0.5, 0.25, 0.125]))]),
        (3, "Counts", vec![("IntData", Written::Int(-8))]),
        (4, "Shape", vec![("Other", Written::Int(1))]),
        (0, "Empty", vec![("Number", Written::Int(1))]),
        (0, "Blank", vec![("ShaderLUT", floats(&[]))]),
    ];
    let exports = values.map(|(class, name, properties)| {
        let bytes = object(Coding::Complete, &mut names, CLASSES[class], &properties);
        (name.to_owned(), -3 - class as i32, bytes)
    });
    let writer = AssetWriter {
        names: names.0[6..].to_vec(),
        classes: CLASSES.map(str::to_owned).to_vec(),
        exports: exports.to_vec(),
        data: Some(Vec::new()),
        ..AssetWriter::new(-8, 522, 1012)
    };
    let (header, objects) = writer.finish();
    opened(header, objects)
}

fn values(package: &AssetPackage) -> Vec<(String, Vec<f64>)> {
    let found = details(package, None, &mut Limits::default());
    found.interfaces.into_iter().map(|interface| (interface.name, interface.values)).collect()
}

#[test]
fn interfaces_say_what_their_numbers_are_wherever_these_stand() {
    let package = system();
    let found = details(&package, None, &mut Limits::default());
    assert_eq!((found.exports, found.is_niagara, found.unread.len()), (7, true, 0));
    assert_eq!(found.others, [(4, "Shape".to_owned(), "NiagaraDataInterfaceMesh".to_owned())]);
    let groups: Vec<_> = found.interfaces.iter().map(|one| (one.export, one.kind.group)).collect();
    assert_eq!(
        groups,
        [
            (0, "color_curves"),
            (1, "array_colors"),
            (2, "float_curves"),
            (3, "array_ints"),
            (5, "color_curves"),
            (6, "color_curves")
        ]
    );
    let numbers: Vec<Vec<f64>> = found.interfaces.iter().map(|one| one.values.clone()).collect();
    assert_eq!(numbers[0], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    assert_eq!(numbers[1], [1.0, 2.0, 3.0, 4.0].repeat(3));
    assert_eq!(numbers[2], [0.5, 0.25, 0.125]);
    assert_eq!(numbers[3], [-8.0]);
    assert!(numbers[4].is_empty());
    assert_eq!(
        found.interfaces[0].samples().collect::<Vec<_>>(),
        [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]
    );
    assert_eq!(found.interfaces[2].samples().len(), 3);
}

fn edit() -> ColorEdit {
    ColorEdit { color: [9.0, 10.0, 11.0, 12.0], channels: [true; 4], ..ColorEdit::default() }
}

/// The numbers of the interfaces after an edit, and how many were set.
fn edited(edit: &ColorEdit) -> (Vec<(String, Vec<f64>)>, usize) {
    let recolored = set_colors(&system(), None, edit, &mut Limits::default()).unwrap();
    let PackageBytes { header, objects } = recolored.bytes;
    (values(&opened(header, objects)), recolored.numbers)
}

#[test]
fn colours_are_set_in_all_places_or_in_those_that_are_named() {
    let color = [9.0, 10.0, 11.0, 12.0];
    let (all, set) = edited(&edit());
    assert_eq!(set, 20);
    assert_eq!([&all[0].1, &all[1].1], [&color.repeat(2), &color.repeat(3)]);
    // Neither of the others is a colour.
    assert_eq!(all[2..], values(&system())[2..]);
    let one = |name: &str| {
        let export = Some(name.to_owned());
        edited(&ColorEdit { samples: Some(1..=1), channels: [false, true, false, true], export, ..edit() })
    };
    let ((curve, of_curve), (colors, of_colors)) = (one("Curve"), one("Colors"));
    assert_eq!((of_curve, of_colors), (2, 2));
    assert_eq!(curve[0].1, [1.0, 2.0, 3.0, 4.0, 5.0, 10.0, 7.0, 12.0]);
    assert_eq!(colors[1].1, [1.0, 2.0, 3.0, 4.0, 1.0, 10.0, 3.0, 12.0, 1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn an_interface_is_named_by_its_number_or_a_part_of_its_name() {
    let named = |name: &str| ColorEdit { export: Some(name.to_owned()), ..edit() };
    let before = values(&system());
    for name in ["1", "OLOR", "colors"] {
        let (after, set) = edited(&named(name));
        assert_eq!((set, &after[1].1), (12, &[9.0, 10.0, 11.0, 12.0].repeat(3)), "{name}");
        assert_eq!((&after[0], &after[2..]), (&before[0], &before[2..]), "{name}");
    }
    // What is named may be no colour: each place has one number, the first.
    let (after, set) = edited(&named("sizes"));
    assert_eq!((set, &after[2].1), (3, &vec![9.0; 3]));
    let nothing = set_colors(&system(), None, &named("Shape"), &mut Limits::default());
    assert!(matches!(nothing, Err(ColorError::None)));
    for name in ["Empty", "Blank"] {
        let empty = set_colors(&system(), None, &named(name), &mut Limits::default());
        assert!(matches!(empty, Err(ColorError::None)), "{name}");
    }
}

#[test]
fn a_place_that_is_not_there_is_named_with_how_many_there_are() {
    let refused = |places, name: &str| {
        let edit = ColorEdit { samples: Some(places), export: Some(name.to_owned()), ..edit() };
        set_colors(&system(), None, &edit, &mut Limits::default()).unwrap_err().to_string()
    };
    assert_eq!(refused(1..=2, "Curve"), "Curve has 2 colours");
    assert_eq!(refused(0..=3, "Colors"), "Colors has 3 colours");
    let last = ColorEdit { samples: Some(2..=2), export: Some("Colors".to_owned()), ..edit() };
    assert_eq!(edited(&last).1, 4);
    // Without a last one, each interface is changed to its end.
    let rest = ColorEdit { samples: Some(1..=usize::MAX), ..edit() };
    let recolored = set_colors(&system(), None, &rest, &mut Limits::default()).unwrap();
    assert_eq!(recolored.samples, 1 + 2);
    let none = ColorEdit { export: Some("Unheard".to_owned()), ..edit() };
    let error = set_colors(&system(), None, &none, &mut Limits::default()).unwrap_err();
    assert_eq!(error.to_string(), "no data interface has such colours");
}

#[test]
fn bytes_without_edited_numbers_stay() {
    let unchanged = ColorEdit { channels: [false; 4], ..edit() };
    let package = system();
    let recolored = set_colors(&package, None, &unchanged, &mut Limits::default()).unwrap();
    let PackageBytes { header, objects } = recolored.bytes;
    let mut bytes = vec![0; package.source().len() as usize];
    package.source().read_at(0, &mut bytes).unwrap();
    assert!([recolored.numbers, recolored.samples] == [0, 0] && [header, objects].concat() == bytes);
}

#[test]
fn a_package_without_a_mesh_says_so() {
    let (package, limits) = (system(), &mut Limits::default());
    let error = modkit::mesh::to_glb(&package, None, limits).unwrap_err().to_string();
    assert_eq!(error, "the package has no mesh");
    let nothing = modkit::mesh::set_materials(&package, None, &[], &|_, _| None, limits).unwrap_err();
    assert_eq!(nothing.to_string(), "the package has no mesh");
}
