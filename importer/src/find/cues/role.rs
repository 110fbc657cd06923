//! What nodes of a cue do.

use unreal::ue4to6::class::sound_cue::{RANDOM_GET, SHUFFLE};

/// What a node does.
#[derive(Clone, Copy)]
pub(super) enum Role {
    Wave,
    Random,
    RoundRobin,
    Mixer,
    Modulator,
    Looping,
    /// What only a game has: distance, delays, sequences.
    Other,
}

impl Role {
    pub(super) fn of(is_recording: bool, class: &str) -> Self {
        const ROLES: [(&str, Role); 9] = [
            ("SoundNodeWave", Role::Wave),
            ("SoundNodeWaveEx", Role::Wave),
            ("SoundNodeWavePlayer", Role::Wave),
            ("SoundNodeRandom", Role::Random),
            ("SoundNodeMixer", Role::Mixer),
            ("SoundNodeModulator", Role::Modulator),
            ("SoundNodeLooping", Role::Looping),
            (RANDOM_GET, Role::Random),
            (SHUFFLE, Role::RoundRobin),
        ];
        if is_recording {
            return Self::Wave;
        }
        ROLES.iter().find(|(name, _)| name.eq_ignore_ascii_case(class)).map_or(Self::Other, |(_, role)| *role)
    }
}
