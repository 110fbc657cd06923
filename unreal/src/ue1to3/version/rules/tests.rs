use super::*;
use crate::base::byte_order::ByteOrder;
use crate::ue1to3::version::PackageTag;

fn layout(version: u16) -> Layout {
    Layout::of(&Identity::plain(version)).unwrap()
}

/// What a threshold changes: a fact, as it is before and from there on.
type LayoutChange = (FileVersion, fn(&Layout) -> String, &'static str, &'static str);

#[test]
fn every_threshold_changes_its_fact_exactly_there() {
    let changes: &[LayoutChange] = &[
        (
            NO_ZEROS_BEFORE_FRAME,
            |l| format!("{:?}", l.body),
            "Framed { zeros: 8, after: 2 }",
            "Framed { zeros: 0, after: 2 }",
        ),
        (UNSEEN_BETAS, |l| format!("{:?}", l.outers), "Names", "Unknown"),
        (UNSEEN_BETAS, |l| format!("{:?}", l.body), "Framed { zeros: 0, after: 2 }", "Plain { after: 2 }"),
        (OBJECT_OUTERS, |l| format!("{:?}", l.outers), "Unknown", "Objects"),
        (ONE_BYTE_AFTER_PROPERTIES, |l| format!("{:?}", l.body), "Plain { after: 2 }", "Plain { after: 1 }"),
        (NOTHING_AFTER_PROPERTIES, |l| format!("{:?}", l.body), "Plain { after: 1 }", "Plain { after: 0 }"),
        (SKIP_OFFSET, |l| format!("{:?}", l.audio_end), "Unstated", "SkipOffset"),
        (NAME_STATES_LENGTH, |l| format!("{:?}", l.name), "UntilZero", "LengthFirst"),
        (GENERATIONS, |l| format!("{:?}", l.lineage), "Heritage", "Generations"),
        (EXTRA_WORDS, |l| format!("{:?}", l.extra_words), "Expected(0)", "Unknown"),
        (ENGINE_2, |l| format!("{:?}", l.extra_words), "Unknown", "Expected(0)"),
        (ENGINE_2, |l| format!("{:?}", l.before_type), "Never", "Possible"),
        (NO_WORD_BEFORE_TYPE, |l| format!("{:?}", l.before_type), "Possible", "Never"),
        (ENGINE_3, |l| format!("{:?}", l.index), "Compact", "Int32"),
        (
            ENGINE_3,
            |l| format!("{:?}", l.properties),
            "InfoByte",
            "TypeName { enum_names: false, small_bools: false }",
        ),
        (ENGINE_3, |l| l.export.default_objects.to_string(), "false", "true"),
        (WIDE_FLAGS, |l| format!("{:?}", l.name_flags), "U32", "U64"),
        (WIDE_FLAGS, |l| format!("{:?}", l.export.flags), "U32", "U64"),
        (ARCHETYPES, |l| l.export.archetype.to_string(), "false", "true"),
        (ARCHETYPES, |l| l.export.component_map.to_string(), "false", "true"),
        (ENGINE_VERSION, |l| l.summary.engine_version.to_string(), "false", "true"),
        (EXPORT_FLAGS, |l| l.export.export_flags.to_string(), "false", "true"),
        (HEADER_SIZE, |l| l.summary.header_size.to_string(), "false", "true"),
        (HEADER_SIZE, |l| l.export.always_placed.to_string(), "false", "true"),
        (
            BULK_FLAGS,
            |l| format!("{:?}", l.bulk),
            "EndOffset { flags: false, stored: false, package: false }",
            "EndOffset { flags: true, stored: false, package: false }",
        ),
        (
            BULK_STORED_SIZE,
            |l| format!("{:?}", l.bulk),
            "EndOffset { flags: true, stored: false, package: false }",
            "EndOffset { flags: true, stored: true, package: false }",
        ),
        (
            BULK_PACKAGE,
            |l| format!("{:?}", l.bulk),
            "EndOffset { flags: true, stored: true, package: false }",
            "EndOffset { flags: true, stored: true, package: true }",
        ),
        (
            BULK_RECORD,
            |l| format!("{:?}", l.bulk),
            "EndOffset { flags: true, stored: true, package: true }",
            "Record",
        ),
        (FOLDER, |l| l.summary.folder.to_string(), "false", "true"),
        (COOKER_VERSION, |l| l.summary.cooker_version.to_string(), "false", "true"),
        (NET_OBJECTS, |l| l.summary.net_objects.to_string(), "false", "true"),
        (NET_OBJECTS, |l| l.export.net_objects.to_string(), "false", "true"),
        (NET_OBJECTS, |l| format!("{:?}", l.body), "Plain { after: 0 }", "NetIndex"),
        (XBOX_360, |l| l.wave.xbox_360.to_string(), "false", "true"),
        (COMPRESSION, |l| l.summary.compression.to_string(), "false", "true"),
        (NUMBERED_NAMES, |l| format!("{:?}", l.name_reference), "Index", "Numbered"),
        (PS3, |l| l.wave.ps3.to_string(), "false", "true"),
        (PC, |l| l.wave.pc.to_string(), "false", "true"),
        (PC, |l| l.wave.file_type.to_string(), "true", "false"),
        (CHANNEL_ARRAYS, |l| l.wave.channels.to_string(), "false", "true"),
        (CHANNEL_COUNT, |l| l.wave.channel_count.to_string(), "false", "true"),
        (DEPENDS, |l| l.summary.depends.to_string(), "false", "true"),
        (CHANNELS_ARE_PROPERTIES, |l| l.wave.channels.to_string(), "true", "false"),
        (CHANNELS_ARE_PROPERTIES, |l| l.wave.channel_count.to_string(), "true", "false"),
        (EXPORT_PACKAGE_FLAGS, |l| l.export.package_flags.to_string(), "false", "true"),
        (PACKAGE_SOURCE, |l| l.summary.package_source.to_string(), "false", "true"),
        (ADDITIONAL_PACKAGES, |l| l.summary.additional_packages.to_string(), "false", "true"),
        (NO_COMPONENT_MAP, |l| l.export.component_map.to_string(), "true", "false"),
        (THUMBNAILS, |l| l.summary.thumbnails.to_string(), "false", "true"),
        (GUID_TABLES, |l| l.summary.guid_tables.to_string(), "false", "true"),
        (
            ENUM_NAMES,
            |l| format!("{:?}", l.properties),
            "TypeName { enum_names: false, small_bools: false }",
            "TypeName { enum_names: true, small_bools: false }",
        ),
        (
            SMALL_BOOLS,
            |l| format!("{:?}", l.properties),
            "TypeName { enum_names: true, small_bools: false }",
            "TypeName { enum_names: true, small_bools: true }",
        ),
        (TEXTURE_ALLOCATIONS, |l| l.summary.texture_allocations.to_string(), "false", "true"),
        (WII_U, |l| l.wave.wii_u.to_string(), "false", "true"),
        (IPHONE, |l| l.wave.iphone.to_string(), "false", "true"),
        (FLASH, |l| l.wave.flash.to_string(), "false", "true"),
    ];
    for (threshold, fact, before, after) in changes {
        assert_eq!(fact(&layout(threshold.0 - 1)), *before, "before {threshold}");
        assert_eq!(fact(&layout(threshold.0)), *after, "from {threshold} on");
    }
    for threshold in THRESHOLDS.iter().filter(|threshold| threshold.version != OLDEST) {
        let known = changes.iter().any(|change| change.0 == threshold.version);
        assert!(known, "{} has no test", threshold.name);
    }
}

#[test]
fn facts_change_at_thresholds_only() {
    let is_threshold = |version| THRESHOLDS.iter().any(|threshold| threshold.version.0 == version);
    for version in 36..1000 {
        let changes = layout(version) != layout(version - 1);
        assert_eq!(changes, is_threshold(version), "version {version}");
    }
}

#[test]
fn thresholds_stand_in_their_order() {
    assert!(THRESHOLDS.is_sorted_by_key(|threshold| threshold.version.0));
}

#[test]
fn what_is_older_than_all_known_is_refused() {
    let refused = Layout::of(&Identity::plain(34)).unwrap_err().to_string();
    assert_eq!(refused, "a package older than all that are known (version 34), which is not supported");
    assert!(Layout::of(&Identity::plain(35)).is_ok());
}

#[test]
fn byte_order_and_tag_are_taken_from_the_file() {
    let identity = Identity { order: ByteOrder::Big, tag: PackageTag::Standard, ..Identity::plain(512) };
    assert_eq!(Layout::of(&identity).unwrap().order, ByteOrder::Big);
}

#[test]
fn the_generation_of_the_engine_follows_from_the_version() {
    let engines = [99, 100, 177, 178, 868].map(|version| FileVersion::new(version).engine());
    assert_eq!(engines, [1, 2, 2, 3, 3]);
}
