//! Games that deviate from the format of their version, each a row: who it is, how it is identified, what is different.

use super::{
    AudioEnd, AudioLocation, ExtraWords, FileVersion, FlagWidth, Identity, Layout, Licensee, NameCoding,
    NameReference, PackageTag, WordBeforeType,
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
            /// All games.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Returns how it is named on a command line.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// Returns how it is called.
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
    /// Returns the game of that name, in any case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|game| game.name().eq_ignore_ascii_case(name))
    }

    /// Returns its signature, and who says what is different; none where nothing but its name tells
    /// it.
    #[must_use]
    pub fn identified_by(self) -> Option<(&'static str, &'static str)> {
        ROWS.iter()
            .find(|row| row.game == self)
            .and_then(|row| row.identified_by.map(|signature| (signature.shown, row.source)))
    }

    /// Returns what is different, and who says so.
    #[must_use]
    pub fn deviation(self) -> (&'static str, &'static str) {
        ROWS.iter().find(|row| row.game == self).map_or(("", ""), |row| (row.about, row.source))
    }
}

/// The first and the last number.
#[derive(Clone, Copy)]
struct NumberRange(u16, u16);

/// What tells a game: ranges of version and licensee, both inclusive, or a tag.
#[derive(Clone, Copy)]
struct GameSignature {
    versions: NumberRange,
    licensees: NumberRange,
    tag: PackageTag,
    shown: &'static str,
}

struct GameFormat {
    game: Game,
    identified_by: Option<GameSignature>,
    about: &'static str,
    source: &'static str,
    /// Applied in their order, each from where it begins.
    changes: &'static [LayoutChange],
}

/// A difference from the format of the version, from some version or licensee on.
struct LayoutChange {
    from: From,
    apply: fn(&mut Layout),
}

/// Where a change begins.
#[derive(Clone, Copy)]
enum From {
    /// In all versions.
    Start,
    Version(FileVersion),
    Licensee(Licensee),
}

const fn always(apply: fn(&mut Layout)) -> LayoutChange {
    LayoutChange { from: From::Start, apply }
}

const fn from_version(version: u16, apply: fn(&mut Layout)) -> LayoutChange {
    LayoutChange { from: From::Version(FileVersion::new(version)), apply }
}

const fn from_licensee(licensee: u16, apply: fn(&mut Layout)) -> LayoutChange {
    LayoutChange { from: From::Licensee(Licensee::new(licensee)), apply }
}

impl From {
    const fn is_reached_by(self, identity: &Identity) -> bool {
        match self {
            Self::Start => true,
            Self::Version(version) => identity.version.reaches(version),
            Self::Licensee(licensee) => identity.licensee.reaches(licensee),
        }
    }
}

const fn by_number(
    versions: (u16, u16),
    licensees: (u16, u16),
    shown: &'static str,
) -> Option<GameSignature> {
    let (versions, licensees) = (NumberRange(versions.0, versions.1), NumberRange(licensees.0, licensees.1));
    Some(GameSignature { versions, licensees, tag: PackageTag::Standard, shown })
}

/// The first that fits is taken.
const ROWS: &[GameFormat] = &[
    GameFormat {
        game: Game::KillingFloor,
        identified_by: Some(GameSignature {
            versions: NumberRange(0, u16::MAX),
            licensees: NumberRange(0, u16::MAX),
            tag: PackageTag::KillingFloor,
            shown: "tag C2",
        }),
        about: "a likelihood before the skip offset of a sound",
        source: "measured: 128/29",
        changes: &[always(likelihood)],
    },
    GameFormat {
        game: Game::Unreal2004,
        identified_by: by_number((117, 128), (25, 29), "117 to 128, licensee 25 to 29"),
        about: "a likelihood before the skip offset of a sound; below licensee 27 text before the list of a group",
        source: "measured: 128/29; the others UELib",
        changes: &[
            always(likelihood),
            always(|layout| layout.group_text = true),
            from_licensee(27, |layout| layout.group_text = false),
        ],
    },
    GameFormat {
        game: Game::Unreal2003,
        identified_by: by_number((99, 117), (5, 8), "99 to 117, licensee 5 to 8"),
        about: "a likelihood before the skip offset of a sound, text before the list of a group",
        source: "UELib; never measured",
        changes: &[always(likelihood), always(|layout| layout.group_text = true)],
    },
    GameFormat {
        game: Game::Devastation,
        identified_by: by_number((118, 120), (6, 7), "118 to 120, licensee 6 or 7"),
        about: "a likelihood before the skip offset of a sound",
        source: "UELib; never measured",
        changes: &[always(likelihood)],
    },
    GameFormat {
        game: Game::RavenShield,
        identified_by: by_number((118, 118), (11, 14), "118, licensee 11 to 14"),
        about: "no audio inside",
        source: "UELib; never measured",
        changes: &[always(outside)],
    },
    GameFormat {
        game: Game::Xiii,
        identified_by: by_number((100, 100), (58, 58), "100, licensee 58"),
        about: "no audio inside",
        source: "UELib; never measured",
        changes: &[always(outside)],
    },
    GameFormat {
        game: Game::SplinterCell,
        identified_by: by_number((100, 102), (9, 28), "100 to 102, licensee 9 to 28"),
        about: "no audio inside; from licensee 85 on the length of a name takes one byte",
        source: "UEViewer; never measured",
        changes: &[always(outside), from_licensee(85, |layout| layout.name = NameCoding::ByteLength)],
    },
    GameFormat {
        game: Game::Swat4,
        identified_by: by_number((129, 129), (27, 27), "129, licensee 27"),
        about: "none in the tables that are read",
        source: "measured: a package without sounds",
        changes: &[],
    },
    GameFormat {
        game: Game::KnowWonder,
        identified_by: None,
        about: "a tail after the data of a sound: a number and lip movements",
        source: "measured: 128/0 and 129/0",
        changes: &[],
    },
    GameFormat {
        game: Game::BioShock,
        identified_by: by_number((130, 143), (56, 59), "130 to 143, licensee 56 to 59"),
        about: "text in UTF-16 with positive lengths, eight bytes of name flags, numbered names, two words after the skip offset from 131 on",
        source: "UELib and UEViewer; never measured",
        changes: &[
            always(|layout| {
                layout.name = NameCoding::WideLengthFirst;
                layout.name_flags = FlagWidth::U64;
                layout.name_reference = NameReference::NumberedWithoutDash;
                layout.words_after_end = 0;
            }),
            from_version(131, |layout| layout.words_after_end = 2),
        ],
    },
    GameFormat {
        game: Game::Vegas2,
        identified_by: by_number((241, 241), (71, 71), "241, licensee 71"),
        about: "the length of a name takes one byte, and it has no flags",
        source: "UEViewer; never measured",
        changes: &[always(|layout| {
            layout.name = NameCoding::ByteLength;
            layout.name_flags = FlagWidth::None;
        })],
    },
    GameFormat {
        game: Game::Borderlands2,
        identified_by: by_number((832, 832), (46, 46), "832, licensee 46"),
        about: "waves have data for Xbox One and PlayStation 4",
        source: "UELib; never measured",
        changes: &[always(next_consoles)],
    },
    GameFormat {
        game: Game::DungeonDefenders2,
        identified_by: by_number((687, 687), (111, 111), "687, licensee 111"),
        about: "waves have data for Xbox One and PlayStation 4",
        source: "UELib; never measured",
        changes: &[always(next_consoles)],
    },
    GameFormat {
        game: Game::Undying,
        identified_by: None,
        about: "three to seven words before the skip offset of a sound, by version",
        source: "UELib and umr; never measured",
        changes: &[
            always(|layout| layout.extra_words = ExtraWords::Expected(0)),
            from_version(77, |layout| layout.extra_words = ExtraWords::Expected(3)),
            from_version(79, |layout| layout.extra_words = ExtraWords::Expected(5)),
            from_version(80, |layout| layout.extra_words = ExtraWords::Expected(6)),
            from_version(82, |layout| layout.extra_words = ExtraWords::Expected(7)),
        ],
    },
    GameFormat {
        game: Game::HarryPotter2,
        identified_by: None,
        about: "two to six words before the skip offset of a sound, by version",
        source: "UELib and umr; never measured",
        changes: &[
            always(|layout| layout.extra_words = ExtraWords::Expected(2)),
            from_version(77, |layout| layout.extra_words = ExtraWords::Expected(3)),
            from_version(78, |layout| layout.extra_words = ExtraWords::Expected(5)),
            from_version(79, |layout| layout.extra_words = ExtraWords::Expected(6)),
        ],
    },
    GameFormat {
        game: Game::HarryPotter,
        identified_by: None,
        about: "a tail after the data of a sound",
        source: "umr; never measured",
        changes: &[always(plain_sounds)],
    },
    GameFormat {
        game: Game::Rune,
        identified_by: None,
        about: "none in the tables that are read",
        source: "umr; never measured",
        changes: &[always(plain_sounds)],
    },
    GameFormat {
        game: Game::MobileForces,
        identified_by: None,
        about: "no words before the skip offset of a sound; other games of 80 to 83 have some",
        source: "umr; never measured",
        changes: &[always(plain_sounds)],
    },
    GameFormat {
        game: Game::UnrealChampionship,
        identified_by: None,
        about: "from licensee 28 on the length of a name takes two bytes",
        source: "UEViewer; never measured",
        changes: &[from_licensee(28, |layout| layout.name = NameCoding::ShortLength)],
    },
    GameFormat {
        game: Game::AmericasArmy,
        identified_by: None,
        about: "a word before the file type of a sound",
        source: "OpenMPT; never measured",
        changes: &[always(|layout| layout.before_type = WordBeforeType::Possible)],
    },
    GameFormat {
        game: Game::SplinterCellVersus,
        identified_by: None,
        about: "a skip offset of 0 where the data of a sound follows",
        source: "UELib; never measured",
        changes: &[always(|layout| layout.audio_end = AudioEnd::SkipOffsetOrZero)],
    },
    GameFormat {
        game: Game::MassEffect2,
        identified_by: None,
        about: "four bytes of name flags",
        source: "UEViewer; never measured",
        changes: &[always(|layout| layout.name_flags = FlagWidth::U32)],
    },
    GameFormat {
        game: Game::MassEffect3,
        identified_by: None,
        about: "no name flags",
        source: "UEViewer; never measured",
        changes: &[always(|layout| layout.name_flags = FlagWidth::None)],
    },
    GameFormat {
        game: Game::MortalKombat,
        identified_by: None,
        about: "no name flags",
        source: "UEViewer; never measured",
        changes: &[always(|layout| layout.name_flags = FlagWidth::None)],
    },
];

fn likelihood(layout: &mut Layout) {
    layout.extra_words = ExtraWords::Likelihood;
}

fn plain_sounds(layout: &mut Layout) {
    layout.extra_words = ExtraWords::Expected(0);
}

fn outside(layout: &mut Layout) {
    layout.audio = AudioLocation::Outside;
}

fn next_consoles(layout: &mut Layout) {
    layout.wave.xbox_one = true;
    layout.wave.ps4 = true;
}

impl GameSignature {
    fn fits(&self, identity: &Identity) -> bool {
        let (NumberRange(first, last), NumberRange(lowest, highest)) = (self.versions, self.licensees);
        self.tag == identity.tag
            && identity.version.is_within(FileVersion::new(first), FileVersion::new(last))
            && identity.licensee.is_within(Licensee::new(lowest), Licensee::new(highest))
    }
}

/// Applies the row of the game that was named, or else of the first that version, licensee and tag match.
pub(super) fn quirk(layout: &mut Layout, identity: &Identity) {
    let row = ROWS.iter().find(|row| match identity.game {
        Some(game) => row.game == game,
        None => row.identified_by.is_some_and(|signature| signature.fits(identity)),
    });
    if let Some(row) = row {
        layout.game = Some(row.game);
        for change in row.changes.iter().filter(|change| change.from.is_reached_by(identity)) {
            (change.apply)(layout);
        }
    }
}

#[cfg(test)]
mod tests;
