//! What knobs say of the chosen sound and of the engine.

use player::room::Room;
use player::saved_instrument::ZoneRanges;
use song::Parameter;

use super::Model;
use super::knob::Knob;

impl Model {
    /// Returns the value of a knob in words.
    #[must_use]
    pub fn knob_text(&self, knob: Knob) -> String {
        let voicing = self.voicing(self.chosen);
        let own = self.defaults(self.chosen);
        match knob {
            Knob::Of(Parameter::Release) if self.plays_out() => "own".to_owned(),
            Knob::Of(Parameter::Cutoff) if voicing.shape.filter.kind.is_none() => "-".to_owned(),
            Knob::Of(parameter) => parameter.text(parameter.get(&voicing, &own), &own),
            Knob::Loop => if self.loops(self.chosen) { "on" } else { "off" }.to_owned(),
            Knob::Quality => voicing.quality.unwrap_or(self.quality).to_string(),
            Knob::Voices => self.voices.1.to_string(),
            Knob::Trim => self.trim_text(),
            Knob::Room(parameter) => parameter.text(parameter.get(&self.room)),
            Knob::Zone(parameter) => parameter.text(&self.zone(self.chosen)),
        }
    }

    /// Returns whether a knob was turned.
    #[must_use]
    pub fn is_knob_changed(&self, knob: Knob) -> bool {
        let voicing = self.voicing(self.chosen);
        match knob {
            Knob::Of(parameter) => {
                let own = self.defaults(self.chosen);
                parameter.get(&voicing, &own) != parameter.default_value(&own)
            }
            Knob::Loop => voicing.loop_override().is_some(),
            Knob::Quality => voicing.quality.is_some(),
            Knob::Voices => self.voices.1 != self.polyphony.0,
            Knob::Trim => voicing.trim.is_some(),
            Knob::Room(parameter) => parameter.get(&self.room) != parameter.get(&Room::default()),
            Knob::Zone(parameter) => {
                parameter.get(&self.zone(self.chosen)) != parameter.get(&ZoneRanges::default())
            }
        }
    }

    /// Returns whether notes of the chosen sound end as they were made to.
    fn plays_out(&self) -> bool {
        self.chosen_entry().is_some_and(|entry| {
            entry.plays_out && self.envelope(self.chosen).release == entry.defaults.envelope.release
        })
    }

    /// Returns how much is played of the chosen sound if not all of it; from where to where is seen on the wave.
    fn trim_text(&self) -> String {
        let rate = self.chosen_entry().and_then(|entry| entry.rate).filter(|rate| *rate > 0);
        match (self.voicing(self.chosen).trim, rate) {
            (None, _) => "off".to_owned(),
            (Some(trim), Some(rate)) => player::text::seconds(trim.length().get() as f64 / f64::from(rate)),
            (Some(trim), None) => trim.length().to_string(),
        }
    }
}
