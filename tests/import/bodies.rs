//! Bodies of sounds: where the data is, and how that is proved.

use fixtures::package::{PackageWriter, Part, Sound};
use unreal::Memory;
use unreal::ue1to3::bulk::{Located, Payload, Proof};

use super::{data, only, sounds, with_sound};

#[test]
fn a_sound_states_where_its_data_ends_from_version_62_on() {
    for (version, proof) in [(61, Proof::EndsWithObject), (62, Proof::SkipOffset)] {
        let bytes = with_sound(version, &Sound::new("Kick", "WAV", b"12345")).bytes;
        let sound = only(&bytes).unwrap();
        assert_eq!(sound.located, Located { extra: 0, word_before_type: false, proof }, "version {version}");
        assert_eq!(data(&bytes, &sound), b"12345");
    }
}

#[test]
fn a_wrong_skip_offset_is_refused() {
    let written = with_sound(69, &Sound::new("Kick", "WAV", b"12345"));
    let skip = written.field("body 0.skip").at;
    let stated = u32::from_le_bytes(written.bytes[skip..skip + 4].try_into().unwrap());
    for wrong in [stated - 1, stated + 1, 0, u32::MAX] {
        let refused = only(&written.clone().with_u32("body 0.skip", wrong).bytes).unwrap_err();
        let expected =
            format!("sound Kick: body at {skip:#x}: no skip offset agrees with the end of the data");
        assert_eq!(refused, expected);
    }
}

#[test]
fn data_that_would_reach_past_its_object_is_refused_without_a_skip_offset() {
    let written = with_sound(61, &Sound::new("Kick", "WAV", b"12345"));
    for (count, fits) in [(5, true), (6, false), (63, false), (-1, false)] {
        let read = only(&written.clone().with_compact("body 0.count", count).bytes);
        assert_eq!(read.is_ok(), fits, "{count} of 5 bytes: {read:?}");
    }
}

#[test]
fn data_that_would_reach_past_its_object_is_refused_even_if_the_skip_offset_agrees() {
    let mut writer = PackageWriter::new(69);
    writer.sound("Greedy", None, "WAV", b"12345");
    writer.sound("Kick", None, "WAV", b"12345");
    let written = writer.written();
    let end = u32::try_from(written.field("body 1.none").at).unwrap();
    for (count, fits) in [(5, true), (6, false)] {
        let skip = end + count - 5;
        let bytes = written
            .clone()
            .with_u32("body 0.skip", skip)
            .with("body 0.count", [u8::try_from(count).unwrap()]);
        assert_eq!(sounds(&bytes.bytes)[0].1.is_ok(), fits, "{count} of 5 bytes");
    }
}

#[test]
fn what_follows_the_data_is_reported_and_not_read() {
    for (version, proof) in [(61, Proof::FitsObject), (69, Proof::SkipOffset)] {
        let bytes =
            with_sound(version, &Sound { tail: &[9; 300], ..Sound::new("Kick", "WAV", b"12345") }).bytes;
        let sound = only(&bytes).unwrap();
        assert_eq!((sound.tail, sound.located.proof), (300, proof), "version {version}");
        assert_eq!(data(&bytes, &sound), b"12345");
    }
}

#[test]
fn up_to_eight_extra_words_are_found_by_the_skip_offset() {
    for version in [69, 79, 85] {
        for extra in 0..=9_u32 {
            // Words as games have them: floats, counts, nothing.
            let extra_words = (0..extra).map(|word| [0x3F80_0000, 3, 0][word as usize % 3]).collect();
            let bytes =
                with_sound(version, &Sound { extra_words, ..Sound::new("Kick", "WAV", b"12345") }).bytes;
            match only(&bytes) {
                Ok(sound) => {
                    assert_eq!(
                        sound.located,
                        Located { extra, word_before_type: false, proof: Proof::SkipOffset }
                    );
                    assert_eq!(data(&bytes, &sound), b"12345");
                }
                Err(_) => assert_eq!(extra, 9, "version {version}"),
            }
        }
    }
}

/// Returns a sound whose skip offset fits both without extra words and with one.
fn ambiguous(version: u16) -> Vec<u8> {
    let build = |gap| {
        let mut writer = PackageWriter::new(version);
        writer.order.insert(1, Part::Gap(gap));
        writer.add(&Sound { extra_words: vec![0], ..Sound::new("Kick", "WAV", &[0; 60]) });
        writer.written()
    };
    // The first byte of the true skip offset is to read as a count of 16.
    let written =
        (0..256).map(build).find(|written| written.bytes[written.field("body 0.skip").at] == 16).unwrap();
    let false_data = written.field("body 0.skip").at + 1;
    written.with_u32("body 0.extra 0", u32::try_from(false_data + 16).unwrap()).bytes
}

#[test]
fn of_several_fitting_skip_offsets_the_expected_one_is_taken() {
    let sound = only(&ambiguous(76)).unwrap();
    assert_eq!((sound.located.extra, sound.payload.len), (0, 16));
}

#[test]
fn of_several_fitting_skip_offsets_none_is_taken_where_none_is_expected() {
    let refused = only(&ambiguous(77)).unwrap_err();
    assert!(refused.ends_with("several skip offsets agree with the end of the data"), "{refused}");
}

#[test]
fn an_empty_sound_is_a_sound_without_data() {
    for version in [61, 62, 69] {
        let sound = only(&with_sound(version, &Sound::new("Kick", "WAV", b"")).bytes).unwrap();
        assert_eq!((sound.payload.len, sound.tail), (0, 0), "version {version}");
    }
}

#[test]
fn a_body_outside_the_file_spoils_its_sound_only() {
    let mut writer = PackageWriter::new(69);
    writer.wide = true;
    writer.sound("Gone", None, "WAV", b"12345");
    writer.sound("Kick", None, "WAV", b"12345");
    let bytes = writer.written().with_compact("export 0.at", i32::MAX).bytes;
    let found = sounds(&bytes);
    let refused = found[0].1.clone().unwrap_err();
    assert!(
        refused.starts_with("sound Gone: body at 0x7fffffff: ends at 0x8000000b, the file at"),
        "{refused}"
    );
    assert!(found[1].1.is_ok());
}

#[test]
fn exports_may_share_their_bytes() {
    let mut writer = PackageWriter::new(69);
    writer.wide = true;
    writer.sound("One", None, "WAV", b"12345");
    writer.sound("Two", None, "WAV", b"67890");
    let written = writer.written();
    let at = written.bytes[written.field("export 0.at").range()].to_vec();
    let bytes = written.with("export 1.at", at).bytes;
    let found = sounds(&bytes);
    assert_eq!(found[0].1.as_ref().unwrap().payload, found[1].1.as_ref().unwrap().payload);
}

#[test]
fn a_state_frame_in_front_of_the_properties_is_passed_over() {
    for node in [0, 1, 100] {
        let sound = Sound { state_frame: Some(node), ..Sound::new("Kick", "WAV", b"12345") };
        let bytes = with_sound(69, &sound).bytes;
        assert_eq!(data(&bytes, &only(&bytes).unwrap()), b"12345", "node {node}");
    }
}

#[test]
fn a_payload_larger_than_asked_for_is_refused() {
    let bytes = with_sound(69, &Sound::new("Kick", "WAV", b"12345")).bytes;
    let payload = only(&bytes).unwrap().payload;
    assert!(payload.read(&Memory(&bytes), 5).is_ok());
    let refused = payload.read(&Memory(&bytes), 4).unwrap_err().to_string();
    assert!(refused.ends_with("needs 5 bytes, the limit leaves 4"), "{refused}");
    // Of a longer file than this one; nothing of that length is to be allocated.
    let elsewhere = Payload::plain(16, 1 << 60);
    let refused = elsewhere.read(&Memory(&bytes), u64::MAX).unwrap_err().to_string();
    assert!(refused.starts_with("payload at 0x10: ends at 0x1000000000000010, the file at"), "{refused}");
}
