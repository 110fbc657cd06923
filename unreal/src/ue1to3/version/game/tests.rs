use super::*;
use crate::ue1to3::version::Licensee;

fn identity(version: u16, licensee: u16) -> Identity {
    Identity { licensee: Licensee::new(licensee), ..Identity::plain(version) }
}

fn layout(version: u16, licensee: u16) -> Layout {
    Layout::of(&identity(version, licensee)).unwrap()
}

fn named(game: Game, version: u16, licensee: u16) -> Layout {
    Layout::of(&Identity { game: Some(game), ..identity(version, licensee) }).unwrap()
}

#[test]
fn every_game_has_a_row_and_a_name_of_its_own() {
    for game in Game::ALL {
        assert_eq!(ROWS.iter().filter(|row| row.game == *game).count(), 1, "{game:?}");
        assert_eq!(Game::named(&game.name().to_uppercase()), Some(*game));
        assert!(!game.deviation().0.is_empty() && !game.title().is_empty());
    }
    assert_eq!(Game::named("quake"), None);
}

#[test]
fn games_known_by_numbers_are_recognised_within_their_ranges_alone() {
    for (game, inside, outside) in [
        (Game::Unreal2004, [(117, 25), (128, 29)], [(116, 25), (129, 29), (128, 24), (128, 30)]),
        (Game::Unreal2003, [(99, 5), (117, 8)], [(98, 5), (118, 8), (99, 4), (117, 9)]),
        (Game::Devastation, [(118, 6), (120, 7)], [(117, 9), (121, 6), (118, 5), (120, 8)]),
        (Game::RavenShield, [(118, 11), (118, 14)], [(117, 11), (119, 11), (118, 10), (118, 15)]),
        (Game::Xiii, [(100, 58), (100, 58)], [(99, 58), (101, 58), (100, 57), (100, 59)]),
        (Game::SplinterCell, [(100, 9), (102, 28)], [(99, 9), (103, 9), (100, 4), (102, 29)]),
        (Game::Swat4, [(129, 27), (129, 27)], [(128, 30), (130, 27), (129, 26), (129, 28)]),
        (Game::BioShock, [(130, 56), (143, 59)], [(129, 56), (144, 56), (141, 55), (141, 60)]),
        (Game::Vegas2, [(241, 71), (241, 71)], [(240, 71), (242, 71), (241, 70), (241, 72)]),
        (Game::Borderlands2, [(832, 46), (832, 46)], [(831, 46), (833, 46), (832, 45), (832, 47)]),
        (Game::DungeonDefenders2, [(687, 111), (687, 111)], [(686, 111), (688, 111), (687, 110), (687, 112)]),
    ] {
        for (version, licensee) in inside {
            assert_eq!(layout(version, licensee).game, Some(game), "{version}/{licensee}");
        }
        for (version, licensee) in outside {
            assert_ne!(layout(version, licensee).game, Some(game), "{version}/{licensee}");
        }
    }
}

#[test]
fn a_likelihood_is_expected_in_its_branch_and_nothing_elsewhere() {
    let killing_floor = Identity { tag: PackageTag::KillingFloor, ..identity(128, 29) };
    assert_eq!(Layout::of(&killing_floor).unwrap().game, Some(Game::KillingFloor));
    assert_eq!(Layout::of(&killing_floor).unwrap().extra_words, ExtraWords::Likelihood);
    for (version, licensee, words) in [
        (128, 29, 1),
        (117, 25, 1),
        (117, 8, 1),
        (119, 6, 1),
        (126, 0, 0),
        (128, 0, 0),
        (129, 0, 0),
        (129, 27, 0),
    ] {
        let expected = if words == 1 { ExtraWords::Likelihood } else { ExtraWords::Expected(0) };
        assert_eq!(layout(version, licensee).extra_words, expected, "{version}/{licensee}");
    }
}

#[test]
fn a_group_has_text_before_its_list_below_licensee_27() {
    assert!(layout(120, 26).group_text);
    assert!(!layout(120, 27).group_text);
    assert!(layout(110, 5).group_text);
    assert!(!layout(128, 0).group_text);
}

#[test]
fn undying_and_harry_potter_2_expect_more_words_with_each_version() {
    for (version, undying, potter) in
        [(76, 0, 2), (77, 3, 3), (78, 3, 5), (79, 5, 6), (80, 6, 6), (81, 6, 6), (82, 7, 6), (85, 7, 6)]
    {
        assert_eq!(named(Game::Undying, version, 0).extra_words, ExtraWords::Expected(undying), "{version}");
        assert_eq!(
            named(Game::HarryPotter2, version, 0).extra_words,
            ExtraWords::Expected(potter),
            "{version}"
        );
    }
    for game in [Game::MobileForces, Game::HarryPotter, Game::Rune] {
        assert_eq!(named(game, 80, 0).extra_words, ExtraWords::Expected(0));
    }
    assert_eq!(layout(80, 0).extra_words, ExtraWords::Unknown);
}

#[test]
fn games_without_audio_inside_say_so() {
    for (version, licensee) in [(100, 58), (118, 11), (100, 17), (102, 20)] {
        assert_eq!(layout(version, licensee).audio, AudioLocation::Outside, "{version}/{licensee}");
    }
    assert_eq!(layout(118, 0).audio, AudioLocation::Inside);
}

#[test]
fn names_of_some_games_are_written_differently() {
    assert_eq!(named(Game::UnrealChampionship, 119, 27).name, NameCoding::LengthFirst);
    assert_eq!(named(Game::UnrealChampionship, 119, 28).name, NameCoding::ShortLength);
    assert_eq!(named(Game::SplinterCell, 100, 84).name, NameCoding::LengthFirst);
    assert_eq!(named(Game::SplinterCell, 100, 85).name, NameCoding::ByteLength);
    assert_eq!(layout(141, 56).name, NameCoding::WideLengthFirst);
    assert_eq!(layout(141, 56).name_flags, FlagWidth::U64);
    assert_eq!(layout(141, 56).name_reference, NameReference::NumberedWithoutDash);
    assert_eq!(layout(241, 71).name_flags, FlagWidth::None);
    assert_eq!(named(Game::MassEffect2, 512, 130).name_flags, FlagWidth::U32);
    assert_eq!(named(Game::MassEffect3, 684, 194).name_flags, FlagWidth::None);
    assert_eq!(named(Game::MortalKombat, 677, 157).name_flags, FlagWidth::None);
}

#[test]
fn two_words_follow_the_skip_offset_of_bioshock_from_131_on() {
    assert_eq!(layout(130, 56).words_after_end, 0);
    assert_eq!(layout(131, 56).words_after_end, 2);
    assert_eq!(layout(131, 0).words_after_end, 0);
}

#[test]
fn a_game_that_is_named_counts_more_than_the_numbers() {
    assert_eq!(named(Game::KnowWonder, 128, 29).extra_words, ExtraWords::Expected(0));
    assert_eq!(named(Game::AmericasArmy, 121, 0).before_type, WordBeforeType::Possible);
    assert_eq!(named(Game::SplinterCellVersus, 175, 0).audio_end, AudioEnd::SkipOffsetOrZero);
    let waves = [layout(832, 46).wave, layout(687, 111).wave, layout(832, 0).wave];
    assert_eq!(waves.map(|wave| wave.xbox_one && wave.ps4), [true, true, false]);
}

#[test]
fn named_games_say_by_what() {
    assert_eq!(Game::Swat4.identified_by().unwrap().0, "129, licensee 27");
    assert_eq!(Game::Undying.identified_by(), None);
}

#[test]
fn every_change_of_a_game_begins_exactly_where_its_row_says() {
    let mut seen = 0;
    for row in ROWS {
        for change in row.changes {
            let [before, after] = match change.from {
                From::Start => continue,
                From::Version(version) => {
                    [version.0 - 1, version.0].map(|version| named(row.game, version, 0))
                }
                From::Licensee(licensee) => {
                    [licensee.0 - 1, licensee.0].map(|licensee| named(row.game, 128, licensee))
                }
            };
            assert_ne!(before, after, "{:?}", row.game);
            let mut changed = before;
            (change.apply)(&mut changed);
            assert_eq!(changed, after, "{:?}", row.game);
            seen += 1;
        }
    }
    assert_eq!(seen, 11, "the rows are looked at");
}
