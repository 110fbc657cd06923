//! The demo bank: a package with a drum kit, keys, a bass and a pad, for whoever has no file yet. It is synthesised
//! when it is asked for, and holds nothing of a game.

mod package;
mod sounds;
mod synth;

use std::sync::LazyLock;

use package::{Group, Sound};
use sounds::{BASS_PERIOD, RATE, WARM_ATTACK, WARM_LOOP};

static PACKAGE: LazyLock<Vec<u8>> = LazyLock::new(|| package::write(&groups()));

/// Returns the bytes of the package, which are the same on every platform. The first call takes some milliseconds.
#[must_use]
pub fn package() -> &'static [u8] {
    &PACKAGE
}

fn groups() -> [Group; 4] {
    let bass = Sound::mono8("Bass", 11_025, &sounds::bass()).looped(48, 0, 8 * BASS_PERIOD);
    let warm = Sound::stereo16("Warm", RATE, &sounds::warm());
    let drums = vec![
        Sound::mono16("Kick", RATE, &sounds::kick()),
        Sound::mono8("Snare", RATE, &sounds::snare()),
        Sound::mono8("HatClosed", RATE, &sounds::hat(1100, 420.0)),
        Sound::mono8("HatOpen", RATE, &sounds::hat(8000, 2600.0)),
        Sound::mono8("Clap", RATE, &sounds::clap()),
        Sound::mono16("Tom", 16_000, &sounds::tom()),
    ];
    let keys = vec![
        Sound::mono16("Tines", RATE, &sounds::tines()),
        Sound::mono16("Pluck", RATE, &sounds::pluck()),
        bass,
    ];
    let pads = vec![warm.looped(60, WARM_ATTACK, WARM_ATTACK + WARM_LOOP)];
    let effects = vec![Sound::mono8("Laser", 11_025, &sounds::laser())];
    [("Drums", drums), ("Keys", keys), ("Pads", pads), ("Effects", effects)]
        .map(|(name, sounds)| Group { name, sounds })
}

#[cfg(test)]
mod tests {
    use sha1::{Digest as _, Sha1};

    #[test]
    fn the_package_is_the_same_everywhere() {
        // What an independent writer of packages once made of the same sounds.
        let digest: String =
            Sha1::digest(super::package()).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digest, "550c5f8673e3a6ebeda8d8f2ac6dd5e4b24e8c11");
    }
}
