use super::*;

fn of(version: u32) -> Layout {
    Layout::of(Version::new(version))
}

#[test]
fn properties_have_the_numbers_of_their_version() {
    // Version, volume, pitch, make-up gain, delay, action's delay, its probability, loops.
    let table: [(u32, [u8; 7]); 11] = [
        (88, [0, 2, 0x21, 0x19, 0x0E, 0x10, 0x07]),
        (89, [0, 2, 0x21, 0x19, 0x0E, 0x10, 0x07]),
        (112, [0, 2, 0x21, 0x3B, 0x0E, 0x10, 0x3A]),
        (113, [0, 2, 0x21, 0x3B, 0x0E, 0x10, 0x3A]),
        (118, [0, 2, 6, 0x3B, 0x0F, 0x11, 0x3A]),
        (145, [0, 2, 6, 0x3B, 0x0F, 0x11, 0x3A]),
        (150, [0, 1, 5, 0x22, 0x39, 0x3B, 0x54]),
        (152, [0, 1, 5, 0x22, 0x3A, 0x3C, 0x4A]),
        (154, [0, 1, 5, 0x22, 0x3A, 0x3C, 0x4A]),
        (160, [0, 1, 5, 0x24, 0x3A, 0x3C, 0x4A]),
        (172, [0, 1, 5, 0x24, 0x3A, 0x3C, 0x4A]),
    ];
    for (version, expected) in table {
        let ids = of(version).property;
        let found =
            [ids.volume, ids.pitch, ids.gain, ids.delay, ids.action_delay, ids.action_chance, ids.loops];
        assert_eq!(found, expected, "version {version}");
    }
}

#[test]
fn settings_grow_at_their_head() {
    let heads = [53, 54, 126, 127, 140, 141, 154, 155].map(|version| of(version).settings.head);
    assert_eq!(heads, [4, 6, 6, 8, 8, 10, 10, 14]);
    let textures = [118, 119, 122, 125].map(|version| of(version).settings.textures);
    let with = TextureCoding::WithReverberators;
    assert_eq!(textures, [TextureCoding::Absent, with, with, TextureCoding::Alone]);
}

#[test]
fn headers_state_the_alignment_of_media_from_version_135_on() {
    assert_eq!([134, 135].map(|version| of(version).has_alignment), [false, true]);
}
