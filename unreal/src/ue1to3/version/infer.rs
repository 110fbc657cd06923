//! What neither version nor licensee says, and so is inferred from the bytes: which forms to try, and why one was
//! taken.

use super::{Game, Identity, Layout, NameCoding, Outers};

/// Something that the file does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inference {
    /// Fact that was inferred.
    pub fact: &'static str,
    /// Why.
    pub reason: &'static str,
}

/// A form that the tables may have.
pub(crate) struct LayoutCandidate {
    pub(crate) layout: Layout,
    /// What is inferred if they have it; then every entry must make sense, not only end inside the file.
    pub(crate) inferred: Option<Inference>,
}

/// Returns the forms that tables of a layout may have, the likeliest first.
pub(crate) fn candidates(layout: &Layout, identity: &Identity) -> Vec<LayoutCandidate> {
    let fitting = |fact, layout| LayoutCandidate {
        layout,
        inferred: Some(Inference {
            fact,
            reason: "the first form in which every entry of the tables makes sense",
        }),
    };
    if layout.outers == Outers::Unknown {
        return vec![
            fitting("tables refer to outers as objects", Layout { outers: Outers::Objects, ..*layout }),
            fitting(
                "tables have no outers but names of packages",
                Layout { outers: Outers::Names, ..*layout },
            ),
        ];
    }
    let mut candidates = vec![LayoutCandidate { layout: *layout, inferred: None }];
    // In Unreal Engine 2 alone, licensees changed how names are written without a number that says so.
    if identity.game.is_none() && layout.game.is_none() && layout.is_engine_2() {
        for (fact, name, game) in [
            ("names have a length of two bytes", NameCoding::ShortLength, Game::UnrealChampionship),
            ("names have a length of one byte", NameCoding::ByteLength, Game::SplinterCell),
        ] {
            candidates.push(fitting(fact, Layout { name, game: Some(game), ..*layout }));
        }
    }
    candidates
}
