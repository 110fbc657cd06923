//! Telling a held key from a struck one where the terminal does not: by time.

use std::time::Duration;

use crate::model::{Model, SeenKey};

/// A key that comes again sooner is held: consoles repeat every 30 to 110 ms, and no finger strikes one key so fast.
const MIN_STRIKE_INTERVAL: Duration = Duration::from_millis(130);
/// How long terminals wait before a held key repeats, and how exactly they keep it.
const DELAYS: std::ops::RangeInclusive<Duration> = Duration::from_millis(180)..=Duration::from_millis(1100);
const EXACTLY: Duration = Duration::from_millis(25);

/// Returns whether a key that is seen now is held rather than struck. Soon after the last time it is a repeat, and so
/// it is after just the delay that this terminal was seen to make before the first repeat. That delay is learned from
/// the first key that is held.
pub(super) fn see(model: &mut Model, key: char, now: Duration) -> bool {
    let Some(seen) = model.seen.iter_mut().find(|seen| seen.key == key) else {
        model.seen.push(SeenKey { key, at: now, gap: None });
        return false;
    };
    let gap = now.saturating_sub(seen.at);
    let before = seen.gap.replace(gap);
    seen.at = now;
    if gap < MIN_STRIKE_INTERVAL {
        if let Some(delay) = before.filter(|before| DELAYS.contains(before)) {
            model.repeat_delay = Some(delay);
        }
        return true;
    }
    is_repeat_delay(model, gap)
}

/// Looks without taking notice.
pub(super) fn is_held(model: &Model, key: char, now: Duration) -> bool {
    let seen = model.seen.iter().find(|seen| seen.key == key);
    seen.map(|seen| now.saturating_sub(seen.at))
        .is_some_and(|gap| gap < MIN_STRIKE_INTERVAL || is_repeat_delay(model, gap))
}

fn is_repeat_delay(model: &Model, gap: Duration) -> bool {
    model.repeat_delay.is_some_and(|delay| gap.abs_diff(delay) <= EXACTLY)
}
