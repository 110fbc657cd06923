//! Modulators: values that depend on the note. Controllers count as they are when nobody has touched them.
//!
//! Source: *`SoundFont` Technical Specification* 2.04, §8.2, §8.4 and §9.5.

use super::generator::Generator;
use super::tables::ModulatorRow;

/// What a modulator does, as far as it is told from others.
pub(super) type Identity = (u16, u16, u16, u16);

impl ModulatorRow {
    /// Returns what makes it the same as another: all but its amount.
    pub(super) const fn identity(&self) -> Identity {
        (self.source, self.destination, self.amount_source, self.transform)
    }
}

/// From the velocity to attenuation: the law that velocities have anyway.
const VELOCITY_TO_ATTENUATION: ModulatorRow =
    ModulatorRow { source: 0x0502, destination: 48, amount: 960, amount_source: 0, transform: 0 };

/// Default modulators whose sources are moved by controllers, or which players do not follow: a bank that states them
/// anew changes nothing that is played.
///
/// Source: specification, §8.4; that the filter does not follow the velocity is what *fluidsynth* 2.3 does.
const UNHEARD: [Identity; 10] = [
    (0x0102, 8, 0, 0),
    (0x0102, 8, 0x0C02, 0),
    (0x000D, 6, 0, 0),
    (0x0081, 6, 0, 0),
    (0x0587, 48, 0, 0),
    (0x058B, 48, 0, 0),
    (0x028A, 17, 0, 0),
    (0x00DB, 16, 0, 0),
    (0x00DD, 15, 0, 0),
    (0x020E, 52, 0x0010, 0),
];

/// The modulators of a zone: those of an instrument replace default ones of the same identity, those of a preset are
/// added.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Modulators(Vec<ModulatorRow>);

/// A value by key and velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ByNote {
    /// At key 60 and velocity 0.
    pub(super) base: f32,
    /// Added at velocity 127.
    pub(super) by_velocity: f32,
    /// Added for each key above 60.
    pub(super) by_key: f32,
}

impl ByNote {
    /// Returns the value at key 60 and velocity 127.
    pub(super) fn loudest(&self) -> f32 {
        self.base + self.by_velocity
    }
}

/// Returns rows in which a later one replaces an earlier one of the same identity.
fn replaced(rows: impl Iterator<Item = ModulatorRow>) -> Vec<ModulatorRow> {
    let mut kept: Vec<ModulatorRow> = Vec::new();
    for row in rows {
        match kept.iter_mut().find(|known| known.identity() == row.identity()) {
            Some(known) => *known = row,
            None => kept.push(row),
        }
    }
    kept
}

/// The most modulators of a zone; more are left out.
const MOST: usize = 64;

impl Modulators {
    /// Joins the modulators of a zone of an instrument, those that are for all zones first, with those of a preset's.
    pub(super) fn of(instrument: [&[ModulatorRow]; 2], preset: [&[ModulatorRow]; 2]) -> Self {
        let part = |rows: [&[ModulatorRow]; 2]| {
            let rows = rows.map(|rows| rows.iter().copied().take(MOST).collect::<Vec<_>>());
            replaced(rows.into_iter().flatten())
        };
        let own = replaced([VELOCITY_TO_ATTENUATION].into_iter().chain(part(instrument)));
        let heard = |row: &ModulatorRow| row.amount != 0 && !UNHEARD.contains(&row.identity());
        Self(own.into_iter().chain(part(preset)).filter(heard).collect())
    }

    /// Returns whether the velocity acts on the gain as it usually does, and nothing else does.
    pub(super) fn has_usual_velocity(&self) -> bool {
        let mut of_gain = self.0.iter().filter(|row| row.destination == VELOCITY_TO_ATTENUATION.destination);
        let first = of_gain.next();
        let is_usual = first == Some(&VELOCITY_TO_ATTENUATION);
        is_usual && of_gain.all(|row| !row.depends_on_note())
    }

    /// Returns what is added to a generator by a note.
    pub(super) fn at(&self, kind: Generator, key: u8, velocity: u8) -> f32 {
        self.of_kind(kind).map(|row| row.value(key, velocity)).sum()
    }

    /// Returns what is added to a generator, as a straight line.
    pub(super) fn by_note(&self, kind: Generator) -> ByNote {
        if self.of_kind(kind).next().is_none() {
            return ByNote { base: 0.0, by_velocity: 0.0, by_key: 0.0 };
        }
        let base = self.at(kind, 60, 0);
        let by_key = (self.at(kind, 127, 127) - self.at(kind, 0, 127)) / 127.0;
        ByNote { base, by_velocity: self.at(kind, 60, 127) - base, by_key }
    }

    fn of_kind(&self, kind: Generator) -> impl Iterator<Item = &ModulatorRow> {
        self.0.iter().filter(move |row| Generator::new(row.destination) == Some(kind))
    }

    /// Returns what moves what, of those that are not played for each note anew: sources that are controllers, and
    /// destinations that have no value of their own.
    pub(super) fn not_played(&self, is_played: impl Fn(Generator) -> bool) -> impl Iterator<Item = String> {
        self.0.iter().filter_map(move |row| {
            let destination = Generator::new(row.destination);
            let to = destination.map_or("a modulator", Generator::name);
            let moved = [row.source, row.amount_source].into_iter().find_map(controller);
            match moved {
                Some(source) => Some(format!("modulator of {to} by {source}")),
                None if row.depends_on_note() && !destination.is_some_and(&is_played) => {
                    Some(format!("modulator of {to} by the note"))
                }
                None => None,
            }
        })
    }
}

/// Bits of a source.
const IS_CONTROLLER: u16 = 1 << 7;
const IS_NEGATIVE: u16 = 1 << 8;
const IS_BIPOLAR: u16 = 1 << 9;
const INDEX: u16 = 0x7F;

/// Sources that are no MIDI controllers.
const NONE: u16 = 0;
const VELOCITY: u16 = 2;
const KEY: u16 = 3;

/// Returns the name of a source that is moved while notes sound.
fn controller(source: u16) -> Option<String> {
    match (source & IS_CONTROLLER != 0, source & INDEX) {
        (true, number) => Some(format!("controller {number}")),
        (false, NONE | VELOCITY | KEY) => None,
        (false, 10) => Some("key pressure".to_owned()),
        (false, 13) => Some("channel pressure".to_owned()),
        (false, 14) => Some("pitch wheel".to_owned()),
        (false, 16) => Some("pitch wheel range".to_owned()),
        (false, number) => Some(format!("source {number}")),
    }
}

impl ModulatorRow {
    fn depends_on_note(&self) -> bool {
        let is_note = |source: u16| source & IS_CONTROLLER == 0 && matches!(source & INDEX, VELOCITY | KEY);
        is_note(self.source) || is_note(self.amount_source)
    }

    /// Returns what it adds to its destination.
    fn value(&self, key: u8, velocity: u8) -> f32 {
        let factor = if self.amount_source == NONE { 1.0 } else { source(self.amount_source, key, velocity) };
        let value = f32::from(self.amount) * source(self.source, key, velocity) * factor;
        if self.transform == 2 { value.abs() } else { value }
    }
}

/// Returns the value of a source, 0..=1 or −1..=1.
fn source(source: u16, key: u8, velocity: u8) -> f32 {
    let value = match (source & IS_CONTROLLER != 0, source & INDEX) {
        (false, NONE) => return if source == NONE { 0.0 } else { 1.0 },
        (false, VELOCITY) => f32::from(velocity),
        (false, KEY) => f32::from(key),
        (false, 14) => 64.0,
        (false, 16) => 2.0,
        // Controllers as they are when a channel is reset.
        (true, 7) => 100.0,
        (true, 8 | 10 | 70..=79) => 64.0,
        (true, 11) => 127.0,
        _ => 0.0,
    };
    let value = if source & IS_NEGATIVE != 0 { 127.0 - value } else { value };
    let shape = |part: f32| match source >> 10 {
        1 => concave(part),
        2 => 1.0 - concave(1.0 - part),
        3 => f32::from(u8::from(part >= 0.5)),
        _ => part,
    };
    if source & IS_BIPOLAR == 0 {
        return shape(value / 127.0);
    }
    // The middle is 64, both halves are alike.
    let part = (value - 64.0) / if value < 64.0 { 64.0 } else { 63.0 };
    if source >> 10 == 3 { if part >= 0.0 { 1.0 } else { -1.0 } } else { shape(part.abs()).copysign(part) }
}

/// Returns the curve that 96 dB make of a straight line.
fn concave(part: f32) -> f32 {
    if part >= 1.0 { 1.0 } else { (-40.0 / 96.0 * (1.0 - part).log10()).clamp(0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_modulator_of_attenuation_is_the_usual_law() {
        for velocity in [20, 64, 100, 127] {
            let decibels = VELOCITY_TO_ATTENUATION.value(60, velocity) / 10.0;
            let usual = -40.0 * (f32::from(velocity) / 127.0).log10();
            assert!((decibels - usual).abs() < 1e-3, "{velocity}: {decibels} for {usual}");
        }
        assert!(Modulators::of([&[], &[]], [&[], &[]]).has_usual_velocity());
    }

    #[test]
    fn a_modulator_of_an_instrument_replaces_one_of_a_preset_is_added() {
        let weaker = ModulatorRow { amount: 480, ..VELOCITY_TO_ATTENUATION };
        let replaced = Modulators::of([&[], &[weaker]], [&[], &[]]);
        let added = Modulators::of([&[], &[]], [&[weaker], &[]]);
        let at = |modulators: &Modulators| modulators.at(Generator::ATTENUATION, 60, 64);
        assert!((at(&added) - 3.0 * at(&replaced)).abs() < 1e-3);
        assert!(!replaced.has_usual_velocity() && !added.has_usual_velocity());
    }

    #[test]
    fn sources_have_direction_and_polarity() {
        assert_eq!(source(0x0002, 60, 127), 1.0);
        assert_eq!(source(0x0102, 60, 127), 0.0);
        assert_eq!(source(0x0202, 60, 64), 0.0);
        assert_eq!(source(0x0203, 127, 0), 1.0);
        assert_eq!(source(0x0203, 0, 0), -1.0);
        assert_eq!(source(0x0C02, 60, 63), 0.0);
        assert_eq!(source(0x0C02, 60, 64), 1.0);
    }
}
