//! What can be turned while playing.

use player::room::RoomParameter;
use player::saved_instrument::ZoneParameter;
use song::Parameter;

/// A value of the chosen sound, or of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knob {
    /// A parameter of the sound.
    Of(Parameter),
    /// Whether it repeats until it is released.
    Loop,
    /// How well it is interpolated.
    Quality,
    /// How many voices the engine sounds at once.
    Voices,
    /// Where it begins and ends.
    Trim,
    /// A parameter of the room that all sounds are played in.
    Room(RoomParameter),
    /// A number of the sound's zone in the instrument that picked sounds make.
    Zone(ZoneParameter),
}

/// Knobs that are shown together, two columns of five.
#[derive(Clone, Copy, Debug)]
pub struct KnobPage {
    /// What they are about.
    pub name: &'static str,
    /// The first column, then the second.
    pub knobs: &'static [Knob],
}

/// All knobs.
pub const PAGES: [KnobPage; 6] = [
    KnobPage {
        name: "sound",
        knobs: &[
            Knob::Of(Parameter::Gain),
            Knob::Of(Parameter::Pan),
            Knob::Of(Parameter::Tune),
            Knob::Of(Parameter::Root),
            Knob::Loop,
            Knob::Of(Parameter::Velocity),
            Knob::Of(Parameter::OneShot),
            Knob::Quality,
            Knob::Voices,
            Knob::Trim,
        ],
    },
    KnobPage {
        name: "envelope",
        knobs: &[
            Knob::Of(Parameter::Attack),
            Knob::Of(Parameter::Decay),
            Knob::Of(Parameter::Sustain),
            Knob::Of(Parameter::Release),
            Knob::Of(Parameter::Curve),
            Knob::Of(Parameter::Mode),
            Knob::Of(Parameter::Glide),
            Knob::Of(Parameter::Choke),
        ],
    },
    KnobPage {
        name: "filter",
        knobs: &[
            Knob::Of(Parameter::Filter),
            Knob::Of(Parameter::Cutoff),
            Knob::Of(Parameter::Resonance),
            Knob::Of(Parameter::FilterKey),
            Knob::Of(Parameter::FilterVelocity),
            Knob::Of(Parameter::FilterDepth),
            Knob::Of(Parameter::FilterAttack),
            Knob::Of(Parameter::FilterDecay),
            Knob::Of(Parameter::FilterSustain),
            Knob::Of(Parameter::FilterRelease),
        ],
    },
    KnobPage {
        name: "LFO",
        knobs: &[
            Knob::Of(Parameter::LfoWave),
            Knob::Of(Parameter::LfoRate),
            Knob::Of(Parameter::LfoDelay),
            Knob::Of(Parameter::LfoFade),
            Knob::Of(Parameter::LfoPitch),
            Knob::Of(Parameter::LfoCutoff),
            Knob::Of(Parameter::LfoGain),
        ],
    },
    KnobPage {
        name: "room",
        knobs: &[
            Knob::Of(Parameter::ReverbSend),
            Knob::Room(RoomParameter::Decay),
            Knob::Room(RoomParameter::Damping),
            Knob::Room(RoomParameter::Master),
            Knob::Room(RoomParameter::Tempo),
            Knob::Of(Parameter::DelaySend),
            Knob::Room(RoomParameter::Time),
            Knob::Room(RoomParameter::Feedback),
            Knob::Room(RoomParameter::Tone),
            Knob::Room(RoomParameter::PingPong),
        ],
    },
    KnobPage {
        name: "zone",
        knobs: &[
            Knob::Zone(ZoneParameter::LowKey),
            Knob::Zone(ZoneParameter::HighKey),
            Knob::Zone(ZoneParameter::LowVelocity),
            Knob::Zone(ZoneParameter::HighVelocity),
            Knob::Zone(ZoneParameter::Turns),
        ],
    },
];

/// Rows of a page.
pub const ROWS: usize = 5;

impl Default for Knob {
    fn default() -> Self {
        Self::Of(Parameter::Gain)
    }
}

impl Knob {
    /// Returns what it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Of(parameter) => parameter.names().0,
            Self::Loop => "loop",
            Self::Quality => "quality",
            Self::Voices => "voices",
            Self::Trim => "trim",
            Self::Room(parameter) => parameter.names().0,
            Self::Zone(parameter) => parameter.name(),
        }
    }

    /// Returns which page it is on.
    #[must_use]
    pub fn page(self) -> usize {
        PAGES.iter().position(|page| page.knobs.contains(&self)).unwrap_or_default()
    }

    /// Returns the one so many further, through all pages; the first or the last where there are not so many.
    #[must_use]
    pub fn further(self, by: isize) -> Self {
        let all: Vec<Self> = PAGES.iter().flat_map(|page| page.knobs).copied().collect();
        let place = all.iter().position(|knob| *knob == self).unwrap_or_default();
        all[place.saturating_add_signed(by).min(all.len() - 1)]
    }

    /// Returns the first one of a page some pages further, round and round.
    #[must_use]
    pub fn on_page(self, by: isize) -> Self {
        let pages = PAGES.len().cast_signed();
        let page = (self.page().cast_signed() + by).rem_euclid(pages).cast_unsigned();
        PAGES[page].knobs[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_parameter_is_on_one_page_and_each_page_has_room_for_its_knobs() {
        for parameter in Parameter::ALL {
            let pages = PAGES.iter().filter(|page| page.knobs.contains(&Knob::Of(parameter)));
            assert_eq!(pages.count(), 1, "{parameter:?}");
        }
        assert!(PAGES.iter().all(|page| page.knobs.len() <= 2 * ROWS));
    }

    #[test]
    fn pages_follow_each_other_round_and_round() {
        let last = PAGES[PAGES.len() - 1].knobs[0];
        assert_eq!(Knob::default().on_page(-1), last);
        assert_eq!(last.on_page(1), Knob::default());
        assert_eq!(Knob::Trim.further(1), Knob::Of(Parameter::Attack));
    }
}
