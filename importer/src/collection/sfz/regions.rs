//! Regions with what the headers above them state.
//!
//! ```text
//! <control>
//! <global> ─► <master> ─► <group> ─► <region>     the nearest counts
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use unreal::Limits;

use super::lexer::Token;
use super::opcodes::{Fate, MovedBy, OpcodeName, fate, key, pattern};
use crate::Error;
use crate::budget::bytes;
use crate::collection::bank::NotPlayed;

/// The number that programs count as a controller by.
pub(super) const PROGRAM: u16 = 1000;

/// The number that the velocity of a note counts as a controller by.
///
/// Source: sfzformat.com, *Extended MIDI CCs*.
pub(super) const VELOCITY: u16 = 131;

/// Values of a controller for which a region sounds.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) struct ControllerRange {
    pub(super) controller: u16,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl ControllerRange {
    /// Returns whether a value lies in it.
    pub(super) fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// Headers that inherit, outermost first.
const LEVELS: [&str; 4] = ["global", "master", "group", "region"];

/// What a header states.
#[derive(Clone, Debug, Default)]
struct Scope {
    stated: BTreeMap<String, String>,
    /// How far controllers move opcodes, by name and number, and by which curve.
    moved: BTreeMap<(String, u16), Movement>,
}

#[derive(Clone, Debug, Default)]
struct Movement {
    depth: Option<f64>,
    curve: Option<u32>,
}

/// What `<control>` states.
#[derive(Clone, Debug, Default)]
pub(super) struct Control {
    default_path: String,
    offset: i32,
}

/// Values of controllers, 0..=127, where they are not the usual ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Controllers(BTreeMap<u16, f64>);

impl Controllers {
    /// Returns the value of a controller that nobody touches.
    pub(super) fn value(&self, controller: u16) -> f64 {
        self.0.get(&controller).copied().unwrap_or(match controller {
            7 => 100.0,
            8 | 10 => 64.0,
            11 => 127.0,
            _ => 0.0,
        })
    }
}

/// A region: what is stated for it, by itself and above.
#[derive(Clone, Debug)]
pub(super) struct Region {
    scopes: [Arc<Scope>; 4],
    control: Arc<Control>,
    controllers: Arc<Controllers>,
}

/// Reads regions of tokens.
pub(super) struct RegionReader<'r> {
    limits: &'r mut Limits,
    not_played: &'r mut NotPlayed,
    open: Option<usize>,
    is_control: bool,
    has_effects: bool,
    scopes: [Arc<Scope>; 4],
    control: Arc<Control>,
    controllers: Controllers,
    regions: Vec<Region>,
}

/// What an opcode takes in memory beside its text.
const OPCODE: usize = 160;

impl<'r> RegionReader<'r> {
    pub(super) fn new(limits: &'r mut Limits, not_played: &'r mut NotPlayed) -> Self {
        Self {
            limits,
            not_played,
            open: None,
            is_control: false,
            has_effects: false,
            scopes: Default::default(),
            control: Arc::default(),
            controllers: Controllers::default(),
            regions: Vec::new(),
        }
    }

    /// Returns whether the file has effects of its own.
    pub(super) const fn has_effects(&self) -> bool {
        self.has_effects
    }

    /// Returns all regions, and the controllers as the file leaves them.
    pub(super) fn finish(mut self) -> (Vec<Region>, Arc<Controllers>) {
        let controllers = Arc::new(self.controllers);
        for region in &mut self.regions {
            region.controllers = Arc::clone(&controllers);
        }
        (self.regions, controllers)
    }

    /// Takes the next token.
    ///
    /// # Errors
    /// If what is stated takes more than the limits.
    pub(super) fn take(&mut self, token: Token) -> Result<(), Error> {
        match token {
            Token::Header(name) => self.header(&name),
            Token::Opcode { name, value } => self.opcode(&name, value),
        }
    }

    fn header(&mut self, name: &str) -> Result<(), Error> {
        self.is_control = name == "control";
        self.has_effects |= name == "effect";
        self.open = LEVELS.iter().position(|level| *level == name);
        let Some(level) = self.open else {
            if !matches!(name, "control" | "curve" | "sample" | "midi") {
                self.not_played.count(&format!("<{name}>"));
            }
            return Ok(());
        };
        for scope in self.scopes.iter_mut().skip(level) {
            *scope = Arc::default();
        }
        if name == "region" {
            self.limits.take(bytes(size_of::<Region>().saturating_mul(3)), 0, "regions of an SFZ file")?;
            let (scopes, control) = (self.scopes.clone(), Arc::clone(&self.control));
            let controllers = Arc::default();
            self.regions.push(Region { scopes, control, controllers });
        }
        Ok(())
    }

    fn opcode(&mut self, name: &str, value: String) -> Result<(), Error> {
        if self.is_control {
            return self.control(name, value);
        }
        let Some(level) = self.open else { return Ok(()) };
        let cost = OPCODE.saturating_add(name.len()).saturating_add(value.len());
        self.limits.take(bytes(cost), 0, "opcodes of an SFZ file")?;
        let OpcodeName { name, moved_by } = OpcodeName::read(name);
        let scope = match self.regions.last_mut().filter(|_| level == 3) {
            Some(region) => region.scopes.get_mut(level),
            None => self.scopes.get_mut(level),
        };
        let Some(scope) = scope.map(Arc::make_mut) else { return Ok(()) };
        match moved_by {
            Some(MovedBy::Depth(number)) => {
                scope.moved.entry((name, number)).or_default().depth = value.trim().parse().ok();
            }
            Some(MovedBy::Curve(number)) => {
                scope.moved.entry((name, number)).or_default().curve = value.trim().parse().ok();
            }
            Some(MovedBy::Other) => {}
            None if name == "key" => {
                for name in ["lokey", "hikey", "pitch_keycenter"] {
                    scope.stated.insert(name.to_owned(), value.clone());
                }
            }
            None if name == "sample" => {
                // The path is that of the control header before it.
                let path = &self.control.default_path;
                let is_made = value.starts_with('*');
                scope.stated.insert(name, if is_made { value } else { format!("{path}{value}") });
            }
            None => {
                scope.stated.insert(name, value);
            }
        }
        Ok(())
    }

    fn control(&mut self, name: &str, value: String) -> Result<(), Error> {
        let cost = OPCODE.saturating_add(name.len()).saturating_add(value.len());
        self.limits.take(bytes(cost), 0, "opcodes of an SFZ file")?;
        let OpcodeName { name, .. } = OpcodeName::read(name);
        let control = Arc::make_mut(&mut self.control);
        let number: Option<f64> = value.trim().parse().ok().filter(|value: &f64| value.is_finite());
        if let Some((Ok(controller), number)) = name.strip_prefix("set_cc").map(str::parse).zip(number) {
            self.controllers.0.insert(controller, number.clamp(0.0, 127.0));
        } else if let Some((Ok(controller), number)) =
            name.strip_prefix("set_hdcc").map(str::parse).zip(number)
        {
            self.controllers.0.insert(controller, number.clamp(0.0, 1.0) * 127.0);
        } else if name == "default_path" {
            control.default_path = value;
        } else if let Some(number) = number.filter(|_| name == "note_offset" || name == "octave_offset") {
            let keys = if name == "note_offset" { number } else { 12.0 * number };
            control.offset = control.offset.saturating_add(whole(keys));
        } else if fate(&name) == Fate::NotPlayed {
            self.not_played.count(&format!("{} in <control>", pattern(&name)));
        }
        Ok(())
    }
}

/// Returns the nearest whole number, within the range of keys many times over.
fn whole(value: f64) -> i32 {
    let bounded = value.round().clamp(-100_000.0, 100_000.0);
    // Whole and far smaller than the type holds.
    #[allow(clippy::cast_possible_truncation, reason = "bounded right before")]
    let whole = bounded as i32;
    whole
}

impl Region {
    /// Returns an opcode's value by its usual name.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.scopes.iter().rev().find_map(|scope| scope.stated.get(name)).map(String::as_str)
    }

    /// Returns an opcode's value as number, with what controllers add that stand where they do; none if nothing states
    /// it.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        let stated = self.stated_number(name);
        let moved = self.movement(name);
        if stated.is_none() && moved.is_none() {
            return None;
        }
        Some(stated.unwrap_or_default() + moved.unwrap_or_default())
    }

    /// Returns an opcode's value as number, whatever controllers do.
    pub(super) fn stated_number(&self, name: &str) -> Option<f64> {
        let text = self.text(name)?;
        let word = text.split_whitespace().next().unwrap_or_default();
        let number = word.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
        number.parse().ok().filter(|value: &f64| value.is_finite() && value.abs() < 1e9)
    }

    /// Returns what controllers add to an opcode.
    pub(super) fn movement(&self, name: &str) -> Option<f64> {
        let mut added = None;
        for (controller, depth, curve) in self.movements(name).filter(|(number, ..)| *number != VELOCITY) {
            let value = curved(self.controllers.value(controller) / 127.0, curve);
            added = Some(added.unwrap_or_default() + depth * value);
        }
        added.filter(|value: &f64| value.is_finite())
    }

    /// Returns what velocity 127 adds to an opcode.
    pub(super) fn by_velocity(&self, name: &str) -> Option<f64> {
        self.movements(name).find(|(controller, ..)| *controller == VELOCITY).map(|(_, depth, _)| depth)
    }

    /// Returns the factor that controllers give, each of which is stated in percent.
    pub(super) fn movement_factor(&self, name: &str) -> f64 {
        let factor = |(controller, depth, curve): (u16, f64, u32)| {
            depth / 100.0 * curved(self.controllers.value(controller) / 127.0, curve)
        };
        self.movements(name).map(factor).product()
    }

    /// Returns the controllers that move an opcode: their number, how far, and by which curve.
    fn movements<'r>(&'r self, name: &'r str) -> impl Iterator<Item = (u16, f64, u32)> + 'r {
        let mut known = std::collections::BTreeSet::new();
        let all = self.scopes.iter().rev().flat_map(move |scope| {
            let range = (name.to_owned(), 0)..=(name.to_owned(), u16::MAX);
            scope.moved.range(range)
        });
        all.filter_map(move |((_, controller), movement)| {
            let depth = movement.depth.filter(|depth| depth.is_finite())?;
            known.insert(*controller).then(|| (*controller, depth, movement.curve.unwrap_or_default()))
        })
    }

    /// Returns a key, moved by the offsets of the control header.
    pub(super) fn key(&self, name: &str) -> Option<i32> {
        let key = key(self.text(name)?)?;
        Some(if key < 0 { key } else { key.saturating_add(self.control.offset) })
    }

    /// Returns a whole number, 0 or more.
    pub(super) fn count(&self, name: &str) -> Option<u64> {
        let number = self.stated_number(name)?;
        number_of_frames(number)
    }

    /// Returns the ranges of controllers that it sounds in: number, lowest and highest value. Programs count as
    /// controller [`PROGRAM`].
    pub(super) fn controller_ranges(&self) -> Vec<ControllerRange> {
        let mut ranges: BTreeMap<u16, [f64; 2]> = BTreeMap::new();
        let marks = [("locc", 0, 1.0), ("hicc", 1, 1.0), ("lohdcc", 0, 127.0), ("hihdcc", 1, 127.0)];
        for name in self.names() {
            let stated = marks
                .iter()
                .find_map(|(mark, end, unit)| Some((name.strip_prefix(mark)?.parse().ok()?, *end, *unit)));
            let stated = stated.or(match name {
                "loprog" => Some((PROGRAM, 0, 1.0)),
                "hiprog" => Some((PROGRAM, 1, 1.0)),
                _ => None,
            });
            let Some((controller, end, unit)) = stated else { continue };
            let Some(value) = self.stated_number(name) else { continue };
            let range = ranges.entry(controller).or_insert([0.0, 127.0]);
            if let Some(bound) = range.get_mut(end) {
                *bound = value * unit;
            }
        }
        ranges
            .into_iter()
            .map(|(controller, [low, high])| ControllerRange { controller, low, high })
            .collect()
    }

    /// Returns the names of all opcodes that are stated for it, each once or more often.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.scopes.iter().flat_map(|scope| scope.stated.keys().map(String::as_str))
    }

    /// Returns the names of opcodes that controllers move, each once or more often.
    pub(super) fn moved_names(&self) -> impl Iterator<Item = (&str, u16)> {
        self.scopes.iter().flat_map(|scope| scope.moved.keys().map(|(name, number)| (name.as_str(), *number)))
    }

    /// Returns the numbers that stand in the names of opcodes after a prefix: of `eg` those of all envelopes.
    pub(super) fn numbered(&self, prefix: &str) -> Vec<u32> {
        let number = |name: &str| {
            let rest = name.strip_prefix(prefix)?;
            let (digits, _) = rest.split_once('_')?;
            digits.parse().ok()
        };
        let all = self.names().chain(self.moved_names().map(|(name, _)| name));
        let mut numbers: Vec<u32> = all.filter_map(number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

/// Returns a number of frames, 0 or more.
fn number_of_frames(number: f64) -> Option<u64> {
    if !(0.0..4_294_967_296.0).contains(&number) {
        return None;
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded right before")]
    let frames = number as u64;
    Some(frames)
}

/// Returns the value of a controller, 0..=1, through a curve of the standard.
///
/// Source: sfzformat.com, `curve_index`.
fn curved(value: f64, curve: u32) -> f64 {
    match curve {
        1 => 2.0 * value - 1.0,
        2 => 1.0 - value,
        3 => 1.0 - 2.0 * value,
        4 => value * value,
        5 => value.sqrt(),
        6 => (1.0 - value).sqrt(),
        _ => value,
    }
}
