//! Games that encrypt their paks in another way than the engine does, one row of facts each.
//!
//! ```text
//! entry     │ header │ cipher text │ plain text …          the first bytes only, as many as its path says
//! ```
//!
//! Source: `repak`, branch patch-marvel-rivals, and `CUE4Parse` agree; measured on paks of the former.

use super::Cipher;
use crate::base::compress::Method;
use crate::base::path::resolved;

/// A game that encrypts its paks in its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GameCipher {
    /// Marvel Rivals.
    Rivals,
}

/// How paks are encrypted.
#[derive(Debug)]
pub(crate) struct CipherRules {
    /// The game; none for the engine.
    pub(crate) game: Option<GameCipher>,
    /// The cipher of each 16 bytes.
    pub(crate) cipher: Cipher,
    /// Returns the number of bytes that are encrypted of the data of an entry, at most: a multiple of 16. It is given
    /// the path as a [`PathRule`] spells it. None if all bytes are encrypted.
    pub(crate) limit: Option<fn(&str) -> u64>,
    /// Whether an entry states the SHA-1 of its plain text, not that of its stored bytes.
    pub(crate) hashes_plain_text: bool,
    /// Whether the sizes that an entry states for its blocks, and for itself if all of it is encrypted, include the
    /// zeros that fill up 16 bytes.
    pub(crate) states_padded_sizes: bool,
    /// Methods of compression that its mods use.
    pub(crate) methods: &'static [Method],
    /// Bytes that writers put in front of the footer.
    pub(crate) before_footer: &'static [u8],
}

/// The engine's own way.
pub(crate) static STOCK: CipherRules = CipherRules {
    game: None,
    cipher: Cipher::Ecb,
    limit: None,
    hashes_plain_text: false,
    states_padded_sizes: false,
    methods: &[],
    before_footer: &[],
};

static RIVALS: CipherRules = CipherRules {
    game: Some(GameCipher::Rivals),
    cipher: Cipher::EcbReversed,
    limit: Some(rivals_limit),
    hashes_plain_text: true,
    states_padded_sizes: true,
    // The zeros that fill up a block are part of it: formats that state no end cannot be read.
    methods: &[Method::Zlib, Method::Zstd],
    // Their meaning is not known.
    before_footer: &[
        0x06, 0x12, 0x24, 0x20, 0x06, 0, 0, 0, 0x01, 0x02, 0, 0x10, 0, 0, 0, 0, 0, 0, 0x01, 0, 0x01, 0, 0, 0,
        0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0,
    ],
};

/// Returns how many bytes of an entry Marvel Rivals encrypts: 256 to 4,096.
fn rivals_limit(path: &str) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[0x11, 0x22, 0x33, 0x44]);
    hasher.update(path.as_bytes());
    let hash = hasher.finalize();
    let number = u64::from_le_bytes(hash.as_bytes().first_chunk().copied().unwrap_or_default());
    number.checked_rem(61).unwrap_or_default().saturating_mul(63).saturating_add(319) & !63
}

impl GameCipher {
    /// All games.
    pub const ALL: &[Self] = &[Self::Rivals];

    /// Returns how it is named on a command line and in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rivals => "rivals",
        }
    }

    /// Returns the title of the game.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Rivals => "Marvel Rivals",
        }
    }

    pub(crate) const fn rules(self) -> &'static CipherRules {
        match self {
            Self::Rivals => &RIVALS,
        }
    }
}

/// How a writer spells the path that says how many bytes of an entry are encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathRule {
    /// From the root on, ASCII letters in lower case.
    Ascii,
    /// From the root on, all letters in lower case, as `CUE4Parse` reads it.
    Unicode,
    /// `/` and the path below the mount point, `?` for what is not ASCII, as `UassetToolRivals` writes it.
    BelowMount,
}

impl PathRule {
    /// All rules, the likeliest first.
    pub(crate) const ALL: [Self; 3] = [Self::Ascii, Self::Unicode, Self::BelowMount];

    /// Spells the path of an entry below a mount point.
    pub(crate) fn spelled(self, mount: &str, below: &str) -> String {
        let lower = |letter: char| {
            let mut lower = letter.to_lowercase();
            lower.next().filter(|_| lower.next().is_none()).unwrap_or(letter)
        };
        match self {
            Self::Ascii => from_root(mount, below).to_ascii_lowercase(),
            Self::Unicode => from_root(mount, below).chars().map(lower).collect(),
            Self::BelowMount => {
                // One for each unit of UTF-16.
                let units = below.encode_utf16().map(|unit| u8::try_from(unit).ok().filter(u8::is_ascii));
                let spelled = units.map(|byte| char::from(byte.unwrap_or(b'?').to_ascii_lowercase()));
                ['/'].into_iter().chain(spelled).collect()
            }
        }
    }
}

/// Returns a path below a mount point as it is from the root on: single slashes, without `../../../` in front.
fn from_root(mount: &str, below: &str) -> String {
    let mut path = String::with_capacity(mount.len().saturating_add(below.len()));
    for letter in mount.chars().chain(['/']).chain(below.chars()) {
        if letter != '/' || !path.ends_with('/') {
            path.push(letter);
        }
    }
    path.strip_prefix("../../../").map_or_else(|| path.clone(), str::to_owned)
}

/// Returns the part of a path from the root on that lies below a mount point.
pub(crate) fn below_mount<'p>(mount: &str, path: &'p str) -> &'p str {
    path.strip_prefix(&resolved(mount, "")).unwrap_or(path).trim_start_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: the L of entries of paks that repak's branch wrote.
    #[test]
    fn the_path_of_an_entry_says_how_much_of_it_is_encrypted() {
        for (path, limit) in [
            ("Game/Content/Text.txt", 768),
            ("Game/Content/len00016.bin", 4096),
            ("Game/Content/len00256.bin", 640),
            ("Game/Content/Sub/MiXeD Case.uasset", 1344),
            ("Game/Content/Sub/big.ubulk", 1664),
            ("Game/Content/len05000.bin", 3392),
        ] {
            let spelled = PathRule::Ascii.spelled("../../../", path);
            assert_eq!(rivals_limit(&spelled), limit, "{spelled}");
        }
    }

    #[test]
    fn each_rule_spells_paths_in_its_own_way() {
        let spelled = PathRule::spelled;
        let (root, inner) = ("../../../", "../../../Game/Content/");
        assert_eq!(spelled(PathRule::Ascii, root, "Game/ÄÖ/Ü.TXT"), "game/ÄÖ/Ü.txt");
        assert_eq!(spelled(PathRule::Ascii, inner, "Sub/A.bin"), "game/content/sub/a.bin");
        assert_eq!(spelled(PathRule::Ascii, "../../..", "/Game//A.bin"), "game/a.bin");
        assert_eq!(spelled(PathRule::Ascii, "/Game/", "A.bin"), "/game/a.bin");
        assert_eq!(spelled(PathRule::Unicode, root, "Game/ÄÖ/Ü.TXT"), "game/äö/ü.txt");
        assert_eq!(spelled(PathRule::BelowMount, inner, "Sub/Ä𝄞.Bin"), "/sub/???.bin");
    }
}
