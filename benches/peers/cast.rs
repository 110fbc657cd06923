//! Who is measured: our five qualities, and for each the peers that do about the same.

use std::fmt;

use ::oxisynth::InterpolationMethod::{FourthOrder, SeventhOrder};
use benches::stage::BLOCK;
use engine::Quality;

use super::scene::{Absent, Block, Engine, Material, Playing, Scene};
#[cfg(feature = "system-peers")]
use super::{fluidsynth, openal, openmpt};
use super::{kira, oddio, ours, oxisynth, rubato, rustysynth};

/// One engine in one of its qualities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    Ours(Quality),
    Peer(Peer),
}

/// Another engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Peer {
    /// As tables and `peers.json` name it.
    pub(crate) name: &'static str,
    /// Our quality that does the same work.
    pub(crate) beside: Quality,
    /// Whether it plays floats as they are; the others want 16 bits.
    floats: bool,
}

const fn peer(name: &'static str, beside: Quality, floats: bool) -> Peer {
    Peer { name, beside, floats }
}

/// All of them.
pub(crate) const PEERS: [Peer; 16] = [
    peer("openal-linear", Quality::Draft, true),
    peer("libopenmpt-2", Quality::Draft, false),
    peer("rustysynth-linear", Quality::Draft, false),
    peer("oddio-linear", Quality::Draft, true),
    peer("openal-cubic", Quality::Normal, true),
    peer("libopenmpt-4", Quality::Normal, false),
    peer("oxisynth-4", Quality::Normal, false),
    peer("fluidsynth-4", Quality::Normal, false),
    peer("kira-cubic", Quality::Normal, true),
    peer("libopenmpt-8", Quality::Good, false),
    peer("openal-bsinc12-fast", Quality::Good, true),
    peer("oxisynth-7", Quality::Good, false),
    peer("fluidsynth-7", Quality::Good, false),
    peer("openal-bsinc24-fast", Quality::High, true),
    peer("openal-bsinc24", Quality::Max, true),
    peer("rubato-sinc32", Quality::Max, true),
];

/// Returns everyone that is measured on a material, each of our qualities beside its peers: neighbours are measured
/// under about the same conditions. Floats matter where they are read by sincs.
pub(crate) fn all(material: Material) -> Vec<Who> {
    let qualities = Quality::ALL.into_iter().filter(|quality| match material {
        Material::Sixteen => true,
        Material::Float => [Quality::High, Quality::Max].contains(quality),
    });
    let peers = |quality| {
        let beside = PEERS.into_iter().filter(move |peer| peer.beside == quality);
        beside.filter(|peer| material == Material::Sixteen || peer.floats).map(Who::Peer)
    };
    qualities.flat_map(|quality| std::iter::once(Who::Ours(quality)).chain(peers(quality))).collect()
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ours(quality) => f.pad(&format!("ours {quality}")),
            Self::Peer(peer) => f.pad(peer.name),
        }
    }
}

impl Who {
    /// Lets it play a scene.
    ///
    /// # Errors
    /// [`Absent`] says why it cannot.
    pub(crate) fn play(self, scene: &Scene) -> Playing {
        match self {
            Self::Ours(quality) => ours::play(quality, scene),
            Self::Peer(peer) => match peer.name {
                "rustysynth-linear" => rustysynth::play(scene),
                "oddio-linear" => oddio::play(scene),
                "oxisynth-4" => oxisynth::play(FourthOrder, scene),
                "oxisynth-7" => oxisynth::play(SeventhOrder, scene),
                "kira-cubic" => kira::play(scene),
                "rubato-sinc32" => rubato::play(scene),
                name => system(name, scene),
            },
        }
    }

    /// Lets it play a chord of some voices, and makes sure that it does: it says so if it can; it can be heard; and
    /// half of the voices have less energy, by 3 dB if their phases have nothing to do with each other and by 6 dB if
    /// they are the same.
    ///
    /// # Errors
    /// [`Absent`] says why it cannot.
    ///
    /// # Panics
    /// If it plays, but something else.
    pub(crate) fn perform(self, voices: usize, chord: impl Fn(usize) -> Scene) -> Playing {
        let mut energies = [0.0; 2];
        let mut whole = None;
        for (voices, energy) in [voices / 2, voices].into_iter().zip(&mut energies) {
            let mut engine = self.play(&chord(voices))?;
            // Gains are reciprocal to the voices, so the energy is counted as if all had the same.
            *energy = heard(engine.as_mut()) * (voices * voices) as f64;
            if let Some(sounding) = engine.sounding() {
                assert_eq!(sounding, voices, "{self}: voices that sound");
            }
            whole = Some(engine);
        }
        let [half, all] = energies;
        assert!(half > 1e-6, "{self}: nothing can be heard of half of {voices} voices");
        let louder = 10.0 * (all / half).log10();
        assert!((1.5..=7.5).contains(&louder), "{self}: {voices} voices are {louder:.1} dB louder than half");
        whole.ok_or_else(|| Absent("nothing to play".to_owned()))
    }
}

/// Lets the chord settle, then gives the mean energy of a value.
fn heard(engine: &mut dyn Engine) -> f64 {
    const SETTLING: usize = 8;
    const LISTENING: usize = 24;
    let mut block: Block = [0.0; 2 * BLOCK];
    (0..SETTLING).for_each(|_| engine.render(&mut block));
    let mut energy = 0.0;
    for _ in 0..LISTENING {
        engine.render(&mut block);
        energy += block.iter().map(|&value| f64::from(value).powi(2)).sum::<f64>();
        assert!(block.iter().all(|value| value.abs() < 1.0), "nothing is clipped");
    }
    energy / (LISTENING * block.len()) as f64
}

#[cfg(feature = "system-peers")]
fn system(name: &str, scene: &Scene) -> Playing {
    match name {
        "openal-linear" => openal::play("Linear", scene),
        "openal-cubic" => openal::play("Cubic", scene),
        "openal-bsinc12-fast" => openal::play("11th order Sinc (fast)", scene),
        "openal-bsinc24-fast" => openal::play("23rd order Sinc (fast)", scene),
        "openal-bsinc24" => openal::play("23rd order Sinc", scene),
        "libopenmpt-2" => openmpt::play(2, scene),
        "libopenmpt-4" => openmpt::play(4, scene),
        "libopenmpt-8" => openmpt::play(8, scene),
        "fluidsynth-4" => fluidsynth::play(4, scene),
        "fluidsynth-7" => fluidsynth::play(7, scene),
        _ => Err(Absent("nobody knows it".to_owned())),
    }
}

#[cfg(not(feature = "system-peers"))]
fn system(_: &str, _: &Scene) -> Playing {
    Err(Absent("needs --features system-peers".to_owned()))
}
