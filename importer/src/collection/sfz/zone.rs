//! From the opcodes of a region to its zone: when it sounds, how loud, how high and where.
//!
//! Source: sfzformat.com, *Instrument Settings*, *Region Logic*, *Performance Parameters*.

use std::ops::RangeInclusive;
use std::sync::Arc;

use song::{
    Cents, Crossfade, Decibels, FadeCurve, Key, KeySwitch, Node, Pan, RandomizedParams, SampleIndex,
    SequenceTurn, Trigger, Velocity, VelocityGain, Zone, ZoneConditions, ZoneResponse, ZoneTree,
};

use super::opcodes::REVERB_SEND;
use super::regions::Region;
use crate::Error;
use crate::collection::bank::NotPlayed;

/// Returns the keys and velocities of a region; none if it never sounds by a key.
pub(super) fn ranges(region: &Region) -> Option<(RangeInclusive<Key>, RangeInclusive<Velocity>)> {
    let key = |name: &str, default: i32| region.key(name).unwrap_or(default);
    let (low, high) = (key("lokey", 0), key("hikey", 127));
    // A key below 0 means none.
    if high < 0 || (low < 0 && region.key("hikey").is_none()) {
        return None;
    }
    let key = |key: i32| Key::new(u8::try_from(key.clamp(0, 127)).ok()?).ok();
    let velocity = |name: &str, default: u64| {
        let stated = region.count(name).unwrap_or(default).min(127);
        Velocity::new(u8::try_from(stated).ok()?).ok()
    };
    let keys = key(low)?..=key(high)?;
    let velocities = velocity("lovel", 0)?..=velocity("hivel", 127)?;
    (low <= 127 && !keys.is_empty() && !velocities.is_empty()).then_some((keys, velocities))
}

/// Returns why a region does not sound by itself, whatever keys are pressed; none if it does.
pub(super) fn unplayed(region: &Region) -> Option<&'static str> {
    let is_beyond = |low: &str, high: &str, usual: f64| {
        let low = region.stated_number(low).is_some_and(|low| low > usual);
        low || region.stated_number(high).is_some_and(|high| high < usual)
    };
    let begins_by_controller = region.names().any(|name| {
        ["on_locc", "on_hicc", "start_locc", "start_hicc"].iter().any(|one| name.starts_with(one))
    });
    match () {
        () if begins_by_controller => Some("region that a controller begins"),
        () if region.text("sw_down").is_some() => Some("sw_down"),
        () if region.text("trigger").map(str::trim) == Some("legato") => Some("trigger=legato"),
        () if is_beyond("lobend", "hibend", 0.0) => Some("region for a moved pitch wheel"),
        () if is_beyond("lochanaft", "hichanaft", 0.0) => Some("region for channel pressure"),
        () if is_beyond("lopolyaft", "hipolyaft", 0.0) => Some("region for key pressure"),
        () if region.stated_number("end").is_some_and(|end| end < 0.0) => Some("region with end=-1"),
        () => None,
    }
}

/// Returns the zone of a region that sounds a sample, with what varies from note to note.
///
/// # Errors
/// If a number is none that a zone can have.
pub(super) fn tree(
    region: &Region,
    sample: SampleIndex,
    file_root: Option<(Key, Cents)>,
    switches: Option<&RangeInclusive<Key>>,
    not_played: &mut NotPlayed,
) -> Result<Option<(Zone, Option<RandomizedParams>)>, Error> {
    let Some((keys, velocities)) = ranges(region) else { return Ok(None) };
    let number = |name: &str| region.number(name).unwrap_or_default();
    let is_of_sample = region.text("pitch_keycenter").map(str::trim) == Some("sample");
    let (root, above) = match file_root.filter(|_| is_of_sample) {
        Some(root) => root,
        None => (centre(region, "pitch_keycenter"), Cents::ZERO),
    };
    let tuning = 100.0 * number("transpose") + number("tune") - above.get();
    let gain = ["volume", "global_volume", "master_volume", "group_volume"].map(number).iter().sum::<f64>();
    let amplitude = ["amplitude", "global_amplitude", "master_amplitude", "group_amplitude"]
        .map(|name| region.stated_number(name).unwrap_or(100.0) / 100.0 * region.movement_factor(name));
    let amplitude: f64 = amplitude.iter().product();
    if amplitude <= 0.0 {
        return Ok(None);
    }
    let gain = (gain + 20.0 * amplitude.log10()).clamp(-200.0, 96.0);
    let pan = number("pan") / 100.0;
    let response = response(region).checked()?;
    let response = Some(response).filter(|response| *response != ZoneResponse::default()).map(Arc::new);
    let conditions = conditions(region, switches, not_played)?;
    let conditions = Some(conditions).filter(|conditions| !conditions.is_always()).map(Arc::new);
    let zone = Zone::whole_keyboard(sample, root, Cents::new(tuning.clamp(-24_000.0, 24_000.0))?)
        .at(decibels(gain), Pan::new(single(pan).clamp(-1.0, 1.0))?)
        .with_response(response)
        .with_conditions(conditions)
        .within(keys, velocities)?;
    let (pitch, gain) = (number("pitch_random").abs().min(9600.0), number("amp_random").clamp(0.0, 48.0));
    if pitch == 0.0 && gain == 0.0 {
        return Ok(Some((zone, None)));
    }
    let pitch = Cents::new(-pitch)?..=Cents::new(pitch)?;
    let varied = RandomizedParams::new(pitch, Decibels::UNITY..=decibels(gain))?;
    Ok(Some((zone, Some(varied))))
}

/// Returns the part of a region's sound that goes to the reverb, 0 to 1.
pub(super) fn reverb_send(region: &Region) -> f32 {
    single(region.number(REVERB_SEND).unwrap_or_default() / 100.0)
}

/// Returns a zone as a part of an instrument.
pub(super) fn part(zone: Zone, varied: Option<RandomizedParams>) -> ZoneTree {
    match varied {
        None => zone.into(),
        Some(varied) => {
            let plain = ZoneTree::from(zone);
            ZoneTree::new(Node::Randomized(varied, Box::new(plain.clone()))).unwrap_or(plain)
        }
    }
}

fn single(value: f64) -> f32 {
    #[allow(clippy::cast_possible_truncation, reason = "bounded, and rounded as single precision is")]
    let single = value.clamp(-1e9, 1e9) as f32;
    single
}

fn decibels(value: f64) -> Decibels {
    Decibels::new(single(value)).unwrap_or_default()
}

/// Returns a key that something is stated for, 60 at first.
fn centre(region: &Region, name: &str) -> Key {
    let key = region.key(name).and_then(|key| u8::try_from(key.clamp(0, 127)).ok());
    key.and_then(|key| Key::new(key).ok()).unwrap_or(Key::C4)
}

fn response(region: &Region) -> ZoneResponse {
    let number = |name: &str| single(region.number(name).unwrap_or_default());
    let tracking = single(region.number("amp_veltrack").unwrap_or(100.0)).clamp(-100.0, 100.0) / 100.0;
    ZoneResponse {
        velocity_gain: velocity_curve(region, tracking).unwrap_or(VelocityGain::Tracking(tracking)),
        gain_by_key: number("amp_keytrack").clamp(-96.0, 96.0),
        gain_centre: centre(region, "amp_keycenter"),
        pitch_by_key: region.number("pitch_keytrack").unwrap_or(100.0).clamp(-1200.0, 1200.0),
        pitch_by_velocity: region.number("pitch_veltrack").unwrap_or_default().clamp(-9600.0, 9600.0),
        pan_by_key: number("pan_keytrack") / 100.0,
        pan_centre: centre(region, "pan_keycenter"),
        pan_by_velocity: number("pan_veltrack") / 100.0,
        key_fades: fades(region, "key", |name| region.key(name)),
        velocity_fades: fades(region, "vel", |name| i32::try_from(region.count(name)?).ok()),
    }
}

/// Returns the curve of `amp_velcurve_N`: straight lines between the points that are stated, from 0 at 0 to 1 at 127.
fn velocity_curve(region: &Region, tracking: f32) -> Option<VelocityGain> {
    let point = |velocity: u16| Some(single(region.stated_number(&format!("amp_velcurve_{velocity}"))?));
    let stated: Vec<(u16, f32)> = (0..128).filter_map(|v| Some((v, point(v)?.clamp(0.0, 1.0)))).collect();
    if stated.is_empty() {
        return None;
    }
    let mut points = Vec::with_capacity(130);
    if stated.first().is_some_and(|first| first.0 > 0) {
        points.push((0, 0.0));
    }
    points.extend(stated);
    if points.last().is_some_and(|last| last.0 < 127) {
        points.push((127, 1.0));
    }
    let mut gains = Vec::with_capacity(128);
    for (from, to) in points.iter().zip(points.iter().skip(1)) {
        let width = f32::from(to.0.saturating_sub(from.0).max(1));
        for velocity in from.0..to.0 {
            let passed = f32::from(velocity.saturating_sub(from.0)) / width;
            gains.push(from.1 + (to.1 - from.1) * passed);
        }
    }
    gains.extend(points.last().map(|last| last.1));
    let tracked =
        |gain: f32| if tracking < 0.0 { 1.0 + tracking * gain } else { 1.0 - tracking * (1.0 - gain) };
    Some(VelocityGain::Curve(gains.into_iter().map(tracked).collect()))
}

/// Returns crossfades by key or velocity.
fn fades(region: &Region, of: &str, value: impl Fn(&str) -> Option<i32>) -> Vec<Crossfade> {
    let curve = match region.text(&format!("xf_{of}curve")).map(str::trim) {
        Some("gain") => FadeCurve::Gain,
        _ => FadeCurve::Power,
    };
    let value = |name: String| u8::try_from(value(&name)?.clamp(0, 127)).ok();
    let fade = |(kind, is_rising)| {
        let (low, high) = (value(format!("{kind}_lo{of}")), value(format!("{kind}_hi{of}")));
        // The end that is not stated is where nothing fades.
        let (from, to) = match (low, high) {
            (None, None) => return None,
            _ if is_rising => (low.unwrap_or(0), high.unwrap_or(0)),
            _ => (low.unwrap_or(127), high.unwrap_or(127)),
        };
        Some(Crossfade { from, to, is_rising, curve })
    };
    [("xfin", true), ("xfout", false)].into_iter().filter_map(fade).collect()
}

fn conditions(
    region: &Region,
    switches: Option<&RangeInclusive<Key>>,
    not_played: &mut NotPlayed,
) -> Result<ZoneConditions, Error> {
    let (low, high) = (region.stated_number("lorand"), region.stated_number("hirand"));
    let random = (low.is_some() || high.is_some())
        .then(|| single(low.unwrap_or(0.0)).max(0.0)..single(high.unwrap_or(1.0)).min(1.0));
    let number = |name: &str| u32::try_from(region.count(name)?.clamp(1, 100)).ok();
    let sequence = match (number("seq_length"), number("seq_position")) {
        (None | Some(1), None | Some(1)) => None,
        (length, position) => {
            let (length, position) = (length.unwrap_or(1), position.unwrap_or(1));
            // A turn that never comes.
            Some(SequenceTurn::new(position, length.max(position))?)
        }
    };
    let trigger = match region.text("trigger").map(str::trim) {
        Some("release" | "release_key") => Trigger::Release,
        Some("first") => {
            not_played.count("trigger=first, played as attack");
            Trigger::Attack
        }
        _ => Trigger::Attack,
    };
    let previous = region.key("sw_previous").and_then(|key| Key::new(u8::try_from(key).ok()?).ok());
    Ok(ZoneConditions { random, sequence, switch: switch(region, switches), previous, trigger })
}

/// Returns the keys of `sw_last` and its kin.
pub(super) fn switch_keys(region: &Region) -> Option<RangeInclusive<Key>> {
    let key = |name: &str| Key::new(u8::try_from(region.key(name)?).ok()?).ok();
    let one = key("sw_last");
    match (key("sw_lolast").or(one), key("sw_hilast").or(one)) {
        (Some(low), Some(high)) if low <= high => Some(low..=high),
        _ => None,
    }
}

/// Returns the key switch of a region. Where it does not say which keys switch, all those do that any region waits
/// for.
fn switch(region: &Region, all: Option<&RangeInclusive<Key>>) -> Option<KeySwitch> {
    let key = |name: &str| Key::new(u8::try_from(region.key(name)?).ok()?).ok();
    let last = switch_keys(region)?;
    let all = all.cloned().unwrap_or_else(|| last.clone());
    let keys = key("sw_lokey").unwrap_or(*all.start())..=key("sw_hikey").unwrap_or(*all.end());
    Some(KeySwitch { keys, last, default: key("sw_default") })
}
