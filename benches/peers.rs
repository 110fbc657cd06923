//! Our engine beside others: what a frame of a voice costs, and how it sounds.
//!
//! ```text
//! chord of N voices ─┬─► ours ──► ns ─┐
//!                    ├─► peer ──► ns ─┼─► ratios, round by round ─► table, target/peers.json, target/peers.svg
//!                    └─► peer ──► ns ─┘
//! sines ───────────────► each ──► SNR, alias rejection ─────────────┘
//! ```
//!
//! Everyone plays the same: looping mono noise, N voices within seven semitones and never at a whole ratio, 48 kHz
//! stereo in blocks of 256 frames, no effects. With `shapes` its voices are enveloped and filtered, and compared
//! with plain ones and with `FluidSynth`. See `docs/peers.md` for how to repeat it.

mod peers {
    pub(crate) mod bars;
    pub(crate) mod cast;
    #[cfg(feature = "system-peers")]
    mod ffi;
    #[cfg(feature = "system-peers")]
    mod fluidsynth;
    mod font;
    mod kira;
    #[cfg(feature = "system-peers")]
    mod module;
    mod oddio;
    #[cfg(feature = "system-peers")]
    mod openal;
    #[cfg(feature = "system-peers")]
    mod openmpt;
    mod ours;
    mod oxisynth;
    pub(crate) mod plot;
    pub(crate) mod report;
    pub(crate) mod rounds;
    mod rubato;
    mod rustysynth;
    pub(crate) mod scene;
    pub(crate) mod shapes;
    pub(crate) mod songs;
    pub(crate) mod sound;
}

use std::path::Path;

use benches::is_measuring;
use peers::rounds::Rounds;
use peers::scene::Material;
use peers::sound::Sound;
use peers::{bars, cast, plot, report, shapes, songs};

fn main() {
    if std::env::args().any(|argument| argument == "shapes") {
        return shapes::run();
    }
    let mut arguments = std::env::args().skip_while(|argument| argument != "songs");
    if let Some(folder) = arguments.nth(1) {
        return songs::run(Path::new(&folder));
    }
    let chords: &[usize] = if is_measuring() { &[32, bars::VOICES, 4096] } else { &[32] };
    let materials = [Material::Sixteen, Material::Float];
    let mut all = Vec::new();
    let mut sounds = Vec::new();
    for material in materials {
        let cast = cast::all(material);
        if is_measuring() {
            sounds.extend(cast.iter().map(|&who| (who, material, Sound::of(who, material))));
        }
        all.extend(chords.iter().map(|&voices| Rounds::run(&cast, material, voices)));
    }
    println!(
        "ns for a frame of a voice, least (median); ratio of ours to the peer, least of all rounds (median)\n"
    );
    for material in materials {
        println!("{}\n", report::table(&cast::all(material), material, &all, &sounds));
    }
    println!("{}\n", report::absences(&all));
    if !is_measuring() {
        return;
    }
    println!("what ours may cost at most, in shares of the peer, at {} voices\n", bars::VOICES);
    println!("{}", bars::table(&all));
    let target =
        Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is a folder of the target folder");
    let json = report::json(&all, &sounds).expect("numbers can be written");
    for (name, text) in [("peers.json", json), ("peers.svg", plot::svg(&all, &sounds))] {
        let path = target.join(name);
        std::fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        println!("\nwritten: {}", path.display());
    }
}
