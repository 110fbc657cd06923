//! What several dialects have in common.

use song::module::{Effect, EffectCommand};

/// An empty effect of a MOD or an XM: 0 00, which would be an arpeggio without steps.
pub(crate) const NO_EFFECT: Effect = Effect { command: EffectCommand::Arpeggio, parameter: 0 };

/// Moves a value towards another by at most a step.
pub(crate) fn towards(value: i32, target: i32, step: i32) -> i32 {
    if value < target { (value + step).min(target) } else { (value - step).max(target) }
}
