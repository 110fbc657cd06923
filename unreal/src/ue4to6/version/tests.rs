use super::*;

#[test]
fn releases_are_named_by_their_versions() {
    for (text, shown) in
        [("4.0", "4.0"), ("4.27", "4.26 or 4.27"), ("5.8", "5.7 to 6.0"), ("6.0", "5.7 to 6.0")]
    {
        assert_eq!(text.parse::<AssetVersion>().unwrap().release(), shown);
    }
    assert_eq!("4.28".parse::<AssetVersion>(), Err(UnknownRelease));
    // One that no release has: something between them wrote it.
    assert_eq!(AssetVersion { engine_4: 500, engine_5: 0 }.release(), "4.11");
    assert_eq!(AssetVersion { engine_4: 522, engine_5: 1016 }.release(), "5.5");
    assert_eq!(AssetVersion { engine_4: 335, engine_5: 0 }.release(), "before 4.0");
}

#[test]
fn candidates_come_newest_first_and_once() {
    let versions = |head| AssetVersion::candidates(head).iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(versions(-9), ["522/1018", "522/1017"]);
    assert_eq!(versions(-8), ["522/1013", "522/1012", "522/1009", "522/1008", "522/1004"]);
    assert_eq!(versions(-7), ["522", "518", "517", "516", "514", "513", "510", "508"]);
    assert_eq!(versions(-6)[..2], ["505", "504"]);
}

/// A fact, and the version from which on it holds: by the number of Unreal Engine 4 or by that of 5.
type Fact = (u32, fn(AssetVersion) -> bool);

const FACTS_OF_4: [Fact; 24] = [
    (224, |v| AssetLayout::of(v).world_tile),
    (278, |v| AssetLayout::of(v).chunk_id),
    (326, |v| AssetLayout::of(v).chunk_ids),
    (336, |v| AssetLayout::of(v).engine_numbers),
    (365, |v| AssetLayout::of(v).export.editor_game),
    (384, |v| AssetLayout::of(v).soft_packages),
    (441, AssetVersion::has_struct_guids),
    (444, |v| AssetLayout::of(v).compatible_engine),
    (459, |v| AssetLayout::of(v).gatherable_text),
    (485, |v| AssetLayout::of(v).export.is_asset),
    (500, AssetVersion::has_inner_tags),
    (503, AssetVersion::has_property_guids),
    (504, |v| AssetLayout::of(v).name_hashes),
    (507, |v| AssetLayout::of(v).preload && AssetLayout::of(v).export.preload),
    (508, |v| AssetLayout::of(v).export.template),
    (510, |v| AssetLayout::of(v).searchable_names),
    (511, |v| AssetLayout::of(v).export.large),
    (514, |v| AssetLayout::of(v).soft_package_names),
    (516, |v| AssetLayout::of(v).localization),
    (518, |v| AssetLayout::of(v).persistent_guid),
    (518, |v| AssetLayout::of(v).owner_guid || AssetLayout::of(v).import_package),
    (520, |v| AssetLayout::of(v).import_package),
    (520, |v| AssetLayout::of(v).persistent_guid && !AssetLayout::of(v).owner_guid),
    (521, AssetVersion::has_dependency_offset),
];

const FACTS_OF_5: [Fact; 22] = [
    (1001, |v| AssetLayout::of(v).names_referenced),
    (1002, |v| AssetLayout::of(v).payloads),
    (1003, |v| AssetLayout::of(v).import_optional),
    (1003, |v| AssetLayout::of(v).export.public_hash),
    (1004, AssetVersion::has_large_coordinates),
    (1005, |v| !AssetLayout::of(v).export.guid),
    (1006, |v| AssetLayout::of(v).export.inherited),
    (1007, AssetVersion::has_split_paths),
    (1008, |v| AssetLayout::of(v).soft_objects),
    (1009, AssetVersion::has_data_resources),
    (1009, |v| AssetLayout::of(v).data_resources),
    (1010, |v| AssetLayout::of(v).export.script),
    (1010, AssetVersion::aligns_bulk_maps),
    (1012, AssetVersion::has_complete_types),
    (1014, |v| AssetLayout::of(v).metadata),
    (1015, AssetVersion::has_cells),
    (1015, |v| AssetLayout::of(v).cells),
    (1016, AssetVersion::has_saved_hash),
    (1016, |v| AssetLayout::of(v).identity == HeaderIdentity::SavedHash),
    (1016, |v| v.head_number() == -9),
    (1018, |v| AssetLayout::of(v).type_hierarchies),
    (1018, AssetVersion::keeps_import_packages),
];

#[test]
fn each_fact_holds_from_its_threshold_on() {
    for (number, fact) in FACTS_OF_4 {
        let version = |engine_4| AssetVersion { engine_4, engine_5: 0 };
        assert!(!fact(version(number - 1)), "before {number}");
        assert!(fact(version(number)), "from {number} on");
    }
    for (number, fact) in FACTS_OF_5 {
        let version = |engine_5| AssetVersion { engine_4: 522, engine_5 };
        assert!(!fact(version(number - 1)), "before {number}");
        assert!(fact(version(number)), "from {number} on");
    }
}

#[test]
fn each_threshold_has_a_fact_and_they_are_in_order() {
    let of_4: Vec<u32> = engine_4::THRESHOLDS.iter().map(|threshold| number(threshold.version)).collect();
    let of_5: Vec<u32> = engine_5::THRESHOLDS.iter().map(|threshold| number(threshold.version)).collect();
    assert!(of_4.is_sorted() && of_5.is_sorted());
    for number in of_4 {
        assert!(FACTS_OF_4.iter().any(|(other, _)| *other == number), "{number}");
    }
    // 1000 is that of the candidates below.
    for number in of_5.into_iter().filter(|number| *number != 1000) {
        assert!(FACTS_OF_5.iter().any(|(other, _)| *other == number), "{number}");
    }
}

fn number(since: Since) -> u32 {
    let (Since::Engine4(number) | Since::Engine5(number)) = since;
    number
}
