//! Games that deviate from the format of their version, each a row: who it is, how it is told, what is different.

use super::{
    AudioEnd, AudioLocation, ExtraWords, FlagWidth, Identity, Layout, NameCoding, NameReference, PackageTag,
    WordBeforeType,
};

macro_rules! games {
    ($($variant:ident, $name:literal, $title:literal;)+) => {
        /// A game, or several that share a format.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Game {
            $(#[doc = $title] $variant,)+
        }

        impl Game {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// How it is named on a command line.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// How it is called.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)+ }
            }
        }
    };
}

games! {
    HarryPotter, "harry-potter", "Harry Potter and the Philosopher's Stone";
    HarryPotter2, "harry-potter-2", "Harry Potter and the Chamber of Secrets";
    Undying, "undying", "Clive Barker's Undying";
    Rune, "rune", "Rune";
    MobileForces, "mobile-forces", "Mobile Forces";
    Unreal2003, "ut2003", "Unreal Tournament 2003";
    Unreal2004, "ut2004", "Unreal Tournament 2004";
    KillingFloor, "killing-floor", "Killing Floor";
    Devastation, "devastation", "Devastation";
    UnrealChampionship, "unreal-championship", "Unreal Championship";
    AmericasArmy, "americas-army", "America's Army";
    KnowWonder, "shrek-2", "Shrek 2 and others by KnowWonder";
    Swat4, "swat-4", "SWAT 4";
    SplinterCell, "splinter-cell", "Splinter Cell";
    SplinterCellVersus, "splinter-cell-versus", "Splinter Cell: Chaos Theory, Versus";
    RavenShield, "raven-shield", "Raven Shield";
    Xiii, "xiii", "XIII";
    BioShock, "bioshock", "BioShock";
    Vegas2, "vegas-2", "Rainbow Six: Vegas 2";
    MassEffect2, "mass-effect-2", "Mass Effect 2";
    MassEffect3, "mass-effect-3", "Mass Effect 3";
    MortalKombat, "mortal-kombat-x", "Mortal Kombat X";
    Borderlands2, "borderlands-2", "Borderlands 2";
    DungeonDefenders2, "dungeon-defenders-2", "Dungeon Defenders II";
}

impl Game {
    /// The game of that name, in any case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|game| game.name().eq_ignore_ascii_case(name))
    }

    /// How it is told from others, and who says what is different; none where nothing but its name tells it.
    #[must_use]
    pub fn identified_by(self) -> Option<(&'static str, &'static str)> {
        ROWS.iter()
            .find(|row| row.game == self)
            .and_then(|row| row.identified_by.map(|told| (told.shown, row.source)))
    }

    /// What is different, and who says so.
    #[must_use]
    pub fn deviation(self) -> (&'static str, &'static str) {
        ROWS.iter().find(|row| row.game == self).map_or(("", ""), |row| (row.about, row.source))
    }
}

/// What tells a game: ranges of version and licensee, both inclusive, or a tag.
#[derive(Clone, Copy)]
struct Signature {
    versions: (u16, u16),
    licensees: (u16, u16),
    tag: PackageTag,
    shown: &'static str,
}

struct GameRow {
    game: Game,
    identified_by: Option<Signature>,
    about: &'static str,
    source: &'static str,
    deviate: fn(&mut Layout, &Identity),
}

const fn by_number(versions: (u16, u16), licensees: (u16, u16), shown: &'static str) -> Option<Signature> {
    Some(Signature { versions, licensees, tag: PackageTag::Standard, shown })
}

/// The first that fits is taken.
const ROWS: &[GameRow] = &[
    GameRow {
        game: Game::KillingFloor,
        identified_by: Some(Signature {
            versions: (0, u16::MAX),
            licensees: (0, u16::MAX),
            tag: PackageTag::KillingFloor,
            shown: "tag C2",
        }),
        about: "a likelihood before the skip offset of a sound",
        source: "measured: 128/29",
        deviate: likelihood,
    },
    GameRow {
        game: Game::Unreal2004,
        identified_by: by_number((117, 128), (25, 29), "117 to 128, licensee 25 to 29"),
        about: "a likelihood before the skip offset of a sound; below licensee 27 text before the list of a group",
        source: "measured: 128/29; the others UELib",
        deviate: |layout, identity| {
            likelihood(layout, identity);
            layout.group_text = identity.licensee.get() < 27;
        },
    },
    GameRow {
        game: Game::Unreal2003,
        identified_by: by_number((99, 117), (5, 8), "99 to 117, licensee 5 to 8"),
        about: "a likelihood before the skip offset of a sound, text before the list of a group",
        source: "UELib; never measured",
        deviate: |layout, identity| {
            likelihood(layout, identity);
            layout.group_text = true;
        },
    },
    GameRow {
        game: Game::Devastation,
        identified_by: by_number((118, 120), (6, 7), "118 to 120, licensee 6 or 7"),
        about: "a likelihood before the skip offset of a sound",
        source: "UELib; never measured",
        deviate: likelihood,
    },
    GameRow {
        game: Game::RavenShield,
        identified_by: by_number((118, 118), (11, 14), "118, licensee 11 to 14"),
        about: "no audio inside",
        source: "UELib; never measured",
        deviate: outside,
    },
    GameRow {
        game: Game::Xiii,
        identified_by: by_number((100, 100), (58, 58), "100, licensee 58"),
        about: "no audio inside",
        source: "UELib; never measured",
        deviate: outside,
    },
    GameRow {
        game: Game::SplinterCell,
        identified_by: by_number((100, 102), (9, 28), "100 to 102, licensee 9 to 28"),
        about: "no audio inside; from licensee 85 on the length of a name takes one byte",
        source: "UEViewer; never measured",
        deviate: |layout, identity| {
            outside(layout, identity);
            if identity.licensee.get() >= 85 {
                layout.name = NameCoding::ByteLength;
            }
        },
    },
    GameRow {
        game: Game::Swat4,
        identified_by: by_number((129, 129), (27, 27), "129, licensee 27"),
        about: "nothing in what is read here",
        source: "measured: a package without sounds",
        deviate: |_, _| {},
    },
    GameRow {
        game: Game::KnowWonder,
        identified_by: None,
        about: "a tail after the data of a sound: a number and lip movements",
        source: "measured: 128/0 and 129/0",
        deviate: |_, _| {},
    },
    GameRow {
        game: Game::BioShock,
        identified_by: by_number((130, 143), (56, 59), "130 to 143, licensee 56 to 59"),
        about: "text in UTF-16 with positive lengths, eight bytes of name flags, numbered names, two words after the skip offset from 131 on",
        source: "UELib and UEViewer; never measured",
        deviate: |layout, identity| {
            layout.name = NameCoding::WideLengthFirst;
            layout.name_flags = FlagWidth::U64;
            layout.name_reference = NameReference::NumberedWithoutDash;
            layout.words_after_end = if identity.version.get() >= 131 { 2 } else { 0 };
        },
    },
    GameRow {
        game: Game::Vegas2,
        identified_by: by_number((241, 241), (71, 71), "241, licensee 71"),
        about: "the length of a name takes one byte, and it has no flags",
        source: "UEViewer; never measured",
        deviate: |layout, _| {
            layout.name = NameCoding::ByteLength;
            layout.name_flags = FlagWidth::None;
        },
    },
    GameRow {
        game: Game::Borderlands2,
        identified_by: by_number((832, 832), (46, 46), "832, licensee 46"),
        about: "waves have data for Xbox One and PlayStation 4",
        source: "UELib; never measured",
        deviate: next_consoles,
    },
    GameRow {
        game: Game::DungeonDefenders2,
        identified_by: by_number((687, 687), (111, 111), "687, licensee 111"),
        about: "waves have data for Xbox One and PlayStation 4",
        source: "UELib; never measured",
        deviate: next_consoles,
    },
    GameRow {
        game: Game::Undying,
        identified_by: None,
        about: "three to seven words before the skip offset of a sound, by version",
        source: "UELib and umr; never measured",
        deviate: |layout, identity| {
            layout.extra_words = ExtraWords::Expected(match identity.version.get() {
                ..77 => 0,
                77..79 => 3,
                79 => 5,
                80..82 => 6,
                82.. => 7,
            });
        },
    },
    GameRow {
        game: Game::HarryPotter2,
        identified_by: None,
        about: "two to six words before the skip offset of a sound, by version",
        source: "UELib and umr; never measured",
        deviate: |layout, identity| {
            layout.extra_words = ExtraWords::Expected(match identity.version.get() {
                ..77 => 2,
                77 => 3,
                78 => 5,
                79.. => 6,
            });
        },
    },
    GameRow {
        game: Game::HarryPotter,
        identified_by: None,
        about: "a tail after the data of a sound",
        source: "umr; never measured",
        deviate: plain_sounds,
    },
    GameRow {
        game: Game::Rune,
        identified_by: None,
        about: "nothing in what is read here",
        source: "umr; never measured",
        deviate: plain_sounds,
    },
    GameRow {
        game: Game::MobileForces,
        identified_by: None,
        about: "no words before the skip offset of a sound, though others of 80 to 83 have some",
        source: "umr; never measured",
        deviate: plain_sounds,
    },
    GameRow {
        game: Game::UnrealChampionship,
        identified_by: None,
        about: "from licensee 28 on the length of a name takes two bytes",
        source: "UEViewer; never measured",
        deviate: |layout, identity| {
            if identity.licensee.get() >= 28 {
                layout.name = NameCoding::ShortLength;
            }
        },
    },
    GameRow {
        game: Game::AmericasArmy,
        identified_by: None,
        about: "a word before the file type of a sound",
        source: "OpenMPT; never measured",
        deviate: |layout, _| layout.before_type = WordBeforeType::Possible,
    },
    GameRow {
        game: Game::SplinterCellVersus,
        identified_by: None,
        about: "a skip offset of 0 where the data of a sound follows",
        source: "UELib; never measured",
        deviate: |layout, _| layout.audio_end = AudioEnd::SkipOffsetOrZero,
    },
    GameRow {
        game: Game::MassEffect2,
        identified_by: None,
        about: "four bytes of name flags",
        source: "UEViewer; never measured",
        deviate: |layout, _| layout.name_flags = FlagWidth::U32,
    },
    GameRow {
        game: Game::MassEffect3,
        identified_by: None,
        about: "no name flags",
        source: "UEViewer; never measured",
        deviate: |layout, _| layout.name_flags = FlagWidth::None,
    },
    GameRow {
        game: Game::MortalKombat,
        identified_by: None,
        about: "no name flags",
        source: "UEViewer; never measured",
        deviate: |layout, _| layout.name_flags = FlagWidth::None,
    },
];

fn likelihood(layout: &mut Layout, _: &Identity) {
    layout.extra_words = ExtraWords::Likelihood;
}

fn plain_sounds(layout: &mut Layout, _: &Identity) {
    layout.extra_words = ExtraWords::Expected(0);
}

fn outside(layout: &mut Layout, _: &Identity) {
    layout.audio = AudioLocation::Outside;
}

fn next_consoles(layout: &mut Layout, _: &Identity) {
    layout.wave.xbox_one = true;
    layout.wave.ps4 = true;
}

impl Signature {
    fn fits(&self, identity: &Identity) -> bool {
        let within = |(low, high): (u16, u16), value: u16| (low..=high).contains(&value);
        self.tag == identity.tag
            && within(self.versions, identity.version.get())
            && within(self.licensees, identity.licensee.get())
    }
}

/// Applies the row of the game that was named, or else of the first that version, licensee and tag tell.
pub(super) fn quirk(layout: &mut Layout, identity: &Identity) {
    let row = ROWS.iter().find(|row| match identity.game {
        Some(game) => row.game == game,
        None => row.identified_by.is_some_and(|told| told.fits(identity)),
    });
    if let Some(row) = row {
        layout.game = Some(row.game);
        (row.deviate)(layout, identity);
    }
}

#[cfg(test)]
mod tests;
