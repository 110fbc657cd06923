//! Games that deviate, what is inferred from the bytes, and what the caller knows better.

use fixtures::bytes::Written;
use fixtures::package::{NameForm, Object, PackageWriter, Sound};
use unreal::ue1to3::bulk::{Located, Proof};
use unreal::ue1to3::class::{sound, sound_group};
use unreal::ue1to3::version::{BodyStart, FileVersion, Licensee, Outers};
use unreal::{Game, Limits, Memory, ObjectRef, Package, PackageOptions};

use super::{data, only, open, sounds};

fn of_licensee(version: u16, licensee: u32) -> PackageWriter {
    let mut package = PackageWriter::new(version);
    package.version |= licensee << 16;
    package
}

const LIKELIHOOD: u32 = 0x3F80_0000;

#[test]
fn a_likelihood_is_passed_over_in_its_branch_and_wherever_it_proves_itself() {
    for (version, licensee, tag, words) in [
        (128, 29, 0xC2, 1),
        (128, 29, 0xC1, 1),
        (117, 25, 0xC1, 1),
        (110, 5, 0xC1, 1),
        (119, 6, 0xC1, 1),
        (126, 0, 0xC1, 0),
        (128, 0, 0xC1, 0),
        (129, 0, 0xC1, 0),
        // Against what is expected there.
        (126, 0, 0xC1, 1),
        (128, 29, 0xC1, 0),
    ] {
        let mut package = of_licensee(version, licensee);
        package.tag[0] = tag;
        let extra_words = vec![LIKELIHOOD; words];
        package.add(&Sound { extra_words, ..Sound::new("Kick", "WAV", b"12345") });
        let bytes = package.finish();
        let sound = only(&bytes).unwrap();
        assert_eq!(data(&bytes, &sound), b"12345", "{version}/{licensee}");
        let extra = u32::try_from(words).unwrap();
        let located = Located { extra, word_before_type: false, proof: Proof::SkipOffset };
        assert_eq!(sound.located, located, "{version}/{licensee}");
    }
}

#[test]
fn a_tail_of_lip_movements_is_left_alone() {
    for tail in [vec![0; 4], [vec![1, 0, 0, 0, 0x5F, 0x01], vec![7; 95]].concat()] {
        let mut package = PackageWriter::new(128);
        package.add(&Sound { tail: &tail, ..Sound::new("Kick", "WAV", b"12345") });
        package.sound("Snare", None, "WAV", b"678");
        let bytes = package.finish();
        let found = sounds(&bytes);
        assert_eq!(found[0].1.as_ref().unwrap().tail, tail.len() as u64);
        assert_eq!(data(&bytes, found[1].1.as_ref().unwrap()), b"678");
    }
}

#[test]
fn a_word_may_stand_before_the_file_type_up_to_version_119() {
    for (version, found) in [(99, false), (100, true), (119, true), (120, false)] {
        let mut package = PackageWriter::new(version);
        let word = Some(u32::MAX >> 2);
        package.add(&Sound { word_before_type: word, ..Sound::new("Kick", "WAV", b"12345") });
        let bytes = package.finish();
        let sound = only(&bytes);
        assert_eq!(sound.is_ok(), found, "version {version}: {sound:?}");
        if let Ok(sound) = sound {
            assert!(sound.located.word_before_type);
            assert_eq!(data(&bytes, &sound), b"12345");
        }
    }
}

#[test]
fn a_word_after_the_file_type_is_not_taken_for_one_before_it() {
    for version in [100, 119] {
        let mut package = PackageWriter::new(version);
        // So many names that the bytes of the word could be read as one.
        for index in 0..80 {
            package.name(&format!("N{index}"));
        }
        package.add(&Sound { extra_words: vec![LIKELIHOOD], ..Sound::new("Kick", "WAV", b"12345") });
        let sound = only(&package.finish()).unwrap();
        assert_eq!((sound.file_type.as_str(), sound.located.word_before_type), ("WAV", false));
    }
}

#[test]
fn a_group_of_sounds_is_a_list_of_objects() {
    for (version, licensee, text) in
        [(128, 29, None), (128, 27, None), (120, 26, Some("Text")), (110, 5, Some("")), (128, 0, None)]
    {
        let mut package = of_licensee(version, licensee);
        let kick = package.sound("Kick", None, "WAV", b"1");
        let far = package.import("Engine", "Sound", None, "Far");
        package.sound_group("Both", text, &[kick, far, Object(0)]);
        let bytes = package.finish();
        let package = open(&bytes).unwrap();
        let index = package.export_indices().last().unwrap();
        let group = sound_group::read(&mut unreal::Object {
            package: &package,
            source: &Memory(&bytes),
            export: index,
            limits: &mut Limits::default(),
        })
        .unwrap();
        assert_eq!(group.text, text.unwrap_or_default(), "{version}/{licensee}");
        let expected = [kick.0, far.0, 0].map(ObjectRef::from_number);
        assert_eq!(group.sounds, expected, "{version}/{licensee}");
        assert_eq!(sound::kind_of(&package, index), None);
    }
}

#[test]
fn a_group_that_lists_more_than_it_can_hold_is_refused() {
    let mut package = PackageWriter::new(128);
    package.sound_group("Both", None, &[Object(1); 3]);
    let bytes = package.written().with("body 0.count", [4]).bytes;
    let package = open(&bytes).unwrap();
    let index = package.export_indices().last().unwrap();
    let refused = sound_group::read(&mut unreal::Object {
        package: &package,
        source: &Memory(&bytes),
        export: index,
        limits: &mut Limits::default(),
    })
    .unwrap_err();
    assert!(refused.to_string().ends_with("claims 4 entries, 3 would fit"), "{refused}");
}

fn names_as(form: NameForm, version: u16, licensee: u32) -> Written {
    let mut package = of_licensee(version, licensee);
    package.names_as = form;
    let group = package.group("Drums", None);
    package.sound("Kick", Some(group), "WAV", b"12345");
    package.written()
}

#[test]
fn names_of_an_unstated_form_are_inferred_from_the_tables() {
    for (form, game, fact) in [
        (NameForm::ShortLength, Game::UnrealChampionship, "names have a length of two bytes"),
        (NameForm::ByteLength, Game::SplinterCell, "names have a length of one byte"),
    ] {
        let bytes = names_as(form, 119, 28).bytes;
        // The licensee is one of another game, which has ordinary names.
        assert!(open(&bytes).is_err());
        let bytes = names_as(form, 119, 0).bytes;
        let package = open(&bytes).unwrap();
        assert_eq!(package.inferred().unwrap().fact, fact);
        assert_eq!(package.layout().game, Some(game));
        assert_eq!(sounds(&bytes)[0].0, "Drums.Kick");
    }
    assert_eq!(open(&names_as(NameForm::ByVersion, 119, 0).bytes).unwrap().inferred(), None);
}

#[test]
fn a_game_can_be_named_where_nothing_tells_it() {
    let bytes = names_as(NameForm::ShortLength, 119, 28).bytes;
    let options = PackageOptions { game: Some(Game::UnrealChampionship), ..PackageOptions::default() };
    let package = Package::open_with(&Memory(&bytes), options, &mut Limits::default()).unwrap();
    assert_eq!(package.layout().game, Some(Game::UnrealChampionship));
    assert_eq!(package.inferred(), None);
    assert_eq!(package.path_of(package.export_indices().last().unwrap()).to_string(), "Drums.Kick");
}

#[test]
fn bioshock_has_wide_numbered_names_and_two_words_after_the_skip_offset() {
    let mut package = of_licensee(141, 56);
    package.names_as = NameForm::BioShock;
    let sound = Sound { words_after_skip: vec![7, 8], ..Sound::new("Kick", "WAV", b"12345") };
    package.add(&sound);
    let bytes = package.finish();
    let package = open(&bytes).unwrap();
    assert_eq!(package.layout().game, Some(Game::BioShock));
    assert_eq!(data(&bytes, &only(&bytes).unwrap()), b"12345");
}

#[test]
fn a_skip_offset_of_zero_is_followed_by_data_in_one_game() {
    let mut package = PackageWriter::new(175);
    package.add(&Sound { zero_skip: true, ..Sound::new("Kick", "WAV", b"12345") });
    let bytes = package.finish();
    assert!(only(&bytes).is_err());
    let options = PackageOptions { game: Some(Game::SplinterCellVersus), ..PackageOptions::default() };
    let mut limits = Limits::default();
    let package = Package::open_with(&Memory(&bytes), options, &mut limits).unwrap();
    let index = package.export_indices().last().unwrap();
    let sound = sound::read(&mut unreal::Object {
        package: &package,
        source: &Memory(&bytes),
        export: index,
        limits: &mut limits,
    })
    .unwrap();
    assert_eq!((sound.located.proof, data(&bytes, &sound)), (Proof::EndsWithObject, b"12345".to_vec()));
}

#[test]
fn a_version_can_be_named_that_the_file_does_not_state() {
    let bytes = {
        let mut package = PackageWriter::new(61);
        package.sound("Kick", None, "WAV", b"12345");
        package.written().with_u32("version", 69 | 5 << 16).bytes
    };
    let options = PackageOptions {
        version: Some(FileVersion::new(61)),
        licensee: Some(Licensee::new(0)),
        ..PackageOptions::default()
    };
    let package = Package::open_with(&Memory(&bytes), options, &mut Limits::default()).unwrap();
    assert_eq!(package.identity().to_string(), "61");
    assert_eq!(package.exports().len(), 1);
}

#[test]
fn betas_that_nobody_has_seen_are_recognised_by_their_tables() {
    for version in [45, 49, 53] {
        for (outers, fact) in [
            (true, "tables refer to outers as objects"),
            (false, "tables have no outers but names of packages"),
        ] {
            let mut package = PackageWriter::new(version);
            package.outers = outers;
            let group = package.group("Drums", None);
            package.sound("Kick", outers.then_some(group), "WAV", b"12345");
            let bytes = package.finish();
            let package = open(&bytes).unwrap();
            assert_eq!(package.inferred().unwrap().fact, fact, "version {version}");
            assert_eq!(package.layout().outers == Outers::Objects, outers);
            let found = sounds(&bytes);
            assert_eq!(found[0].0, if outers { "Drums.Kick" } else { "Kick" });
            assert_eq!(data(&bytes, found[0].1.as_ref().unwrap()), b"12345");
        }
    }
}

#[test]
fn tables_of_an_unseen_beta_that_make_no_sense_are_refused() {
    let mut package = PackageWriter::new(50);
    package.wide = true;
    package.sound("Kick", None, "WAV", b"12345");
    let refused = open(&package.written().with_compact("export 0.at", 99_999).bytes).unwrap_err().to_string();
    assert!(!refused.is_empty());
}

#[test]
fn the_frame_of_a_beta_is_as_long_as_it_was_measured() {
    // What stands before the file type when there are no properties; 37 alone has no node.
    for (version, length) in [
        (35, 25),
        (37, 21),
        (39, 25),
        (40, 17),
        (41, 17),
        (44, 17),
        (54, 3),
        (56, 3),
        (57, 2),
        (58, 1),
        (59, 1),
    ] {
        let mut package = PackageWriter::new(version);
        package.sound("Kick", None, "WAV", b"12345");
        let written = package.written();
        let start = written.fields().iter().find(|field| field.name.starts_with("body 0.")).unwrap().at;
        assert_eq!(written.field("body 0.file_type").at - start, length, "version {version}");
        let sound = only(&written.bytes).unwrap();
        assert_eq!(sound.located.proof, Proof::EndsWithObject, "version {version}");
        assert_eq!(data(&written.bytes, &sound), b"12345");
    }
}

#[test]
fn a_beta_whose_bodies_have_another_form_is_read_if_its_data_ends_with_the_object() {
    // Bytes of a version under the number of another that is read alike but for the frame.
    for (written, stated, start) in [
        (44, 41, BodyStart::Framed { zeros: 0, after: 2 }),
        (35, 41, BodyStart::Framed { zeros: 8, after: 2 }),
        (44, 35, BodyStart::Framed { zeros: 0, after: 2 }),
        (57, 56, BodyStart::Plain { after: 1 }),
        (56, 57, BodyStart::Plain { after: 2 }),
        (58, 57, BodyStart::Plain { after: 0 }),
    ] {
        let mut package = PackageWriter::new(written);
        package.sound("Kick", None, "WAV", b"12345");
        let bytes = package.written().with_u32("version", stated).bytes;
        let sound = only(&bytes).unwrap();
        assert_eq!(sound.start, start, "{written} as {stated}");
        assert_eq!(data(&bytes, &sound), b"12345");
    }
}
