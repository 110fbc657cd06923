//! Who makes room when every voice is taken: the quietest of those in their release, and if there is none, the oldest.

use crate::rt::envelope::Phase;
use crate::rt::voice::Voice;

/// What is known of a voice that might make room.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Claim {
    releasing: bool,
    /// At the present frame, linear.
    loudness: f32,
    /// The order in which voices began.
    born: u64,
}

impl Claim {
    fn of(voice: &Voice) -> Self {
        let releasing = voice.phase() == Phase::Releasing;
        Self { releasing, loudness: voice.loudness(), born: voice.born() }
    }

    fn yields_before(&self, other: &Self) -> bool {
        if self.releasing != other.releasing {
            return self.releasing;
        }
        if self.releasing && self.loudness != other.loudness {
            return self.loudness < other.loudness;
        }
        self.born < other.born
    }
}

/// What the pool looks like to one who asks for a voice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Census {
    /// Voices that count as playing; those that are fading to make room do not.
    pub(crate) playing: usize,
    /// The slot that yields first.
    pub(crate) victim: Option<usize>,
}

/// Looks at all voices, given with their slots.
///
/// # Real-time
/// Safe: looks at each voice once.
pub(crate) fn census<'a>(voices: impl Iterator<Item = (usize, &'a Voice)>) -> Census {
    let claims = voices.filter(|(_, voice)| voice.phase() != Phase::Fading);
    first_to_yield(claims.map(|(slot, voice)| (slot, Claim::of(voice))))
}

fn first_to_yield(claims: impl Iterator<Item = (usize, Claim)>) -> Census {
    let mut playing = 0;
    let mut first: Option<(usize, Claim)> = None;
    for (slot, claim) in claims {
        playing += 1;
        if first.is_none_or(|(_, other)| claim.yields_before(&other)) {
            first = Some((slot, claim));
        }
    }
    Census { playing, victim: first.map(|(slot, _)| slot) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn held(loudness: f32, born: u64) -> Claim {
        Claim { releasing: false, loudness, born }
    }

    const fn released(loudness: f32, born: u64) -> Claim {
        Claim { releasing: true, loudness, born }
    }

    fn victim(claims: &[Claim]) -> Option<usize> {
        first_to_yield(claims.iter().copied().enumerate()).victim
    }

    #[test]
    fn the_quietest_releasing_voice_yields_before_any_held_one() {
        assert_eq!(victim(&[held(0.0, 0), released(0.5, 3), released(0.2, 2), held(0.1, 1)]), Some(2));
    }

    #[test]
    fn without_a_releasing_voice_the_oldest_yields_however_loud() {
        assert_eq!(victim(&[held(0.1, 5), held(0.9, 2), held(0.0, 7)]), Some(1));
    }

    #[test]
    fn of_equally_quiet_ones_the_older_yields() {
        assert_eq!(victim(&[released(0.5, 9), released(0.5, 4)]), Some(1));
    }

    #[test]
    fn nobody_yields_where_nobody_plays() {
        assert_eq!(first_to_yield([].into_iter()), Census { playing: 0, victim: None });
    }
}
