use super::super::hierarchy::{Clip, NodeBase, Point};
use crate::{BranchKind, PlayKind, PlayNode, PlayParams, Varied};

/// Milliseconds as seconds, not before the start.
#[expect(clippy::cast_possible_truncation, reason = "a day in seconds is within what a float holds")]
fn seconds(milliseconds: f64) -> f32 {
    (milliseconds / 1000.0).clamp(0.0, MAX_DELAY.into()) as f32
}

/// Returns when a clip sounds, and which part of its recording.
pub(super) fn clip_params(clip: &Clip) -> PlayParams {
    let mut params = PlayParams::default();
    let trim = clip.trim_begin.max(0.0);
    params.delay.base = seconds(clip.play_at + trim);
    // What would be before the start of the segment is not heard.
    params.skip = seconds(trim - (clip.play_at + trim).min(0.0));
    if clip.trim_end != 0.0 {
        params.length =
            Some(seconds(clip.duration + clip.trim_end) - params.skip).map(|length| length.max(0.0));
        // A clip that is longer than its recording repeats it.
        params.loops = u32::from(clip.trim_end < 0.0);
    }
    params
}

/// All of some parts at once; one alone is itself.
pub(super) fn layer(mut nodes: Vec<PlayNode>) -> PlayNode {
    match (nodes.len(), nodes.pop()) {
        (_, None) => PlayNode::new(PlayKind::Silence),
        (1, Some(node)) => node,
        (_, Some(node)) => {
            nodes.push(node);
            PlayNode::new(PlayKind::Layer(nodes))
        }
    }
}

pub(super) fn branch(kind: BranchKind, group: u32, default: u32, branches: Vec<(u32, PlayNode)>) -> PlayNode {
    if branches.is_empty() {
        return PlayNode::new(PlayKind::Silence);
    }
    PlayNode::new(PlayKind::Branch { kind, group, default, branches })
}

/// Adds what a node says of itself to a part that has none or only its own.
pub(super) fn with_base(mut node: PlayNode, base: &NodeBase) -> PlayNode {
    if node.kind == PlayKind::Silence {
        return node;
    }
    node.params.gain = clamp(add(node.params.gain, base.gain), MAX_GAIN);
    node.params.pitch = clamp(add(node.params.pitch, base.pitch), MAX_PITCH);
    node.params.delay = delay(add(node.params.delay, base.delay));
    node
}

pub(super) fn add(first: Varied, second: Varied) -> Varied {
    Varied {
        base: first.base + second.base,
        least: first.least + second.least,
        most: first.most + second.most,
    }
}

/// The most gain in dB, the most pitch in cents and the longest delay in seconds that are believed.
pub(super) const MAX_GAIN: f32 = 200.0;
pub(super) const MAX_PITCH: f32 = 24_000.0;
pub(super) const MAX_DELAY: f32 = 86_400.0;

pub(super) fn clamp(value: Varied, most: f32) -> Varied {
    let clamp = |value: f32| if value.is_nan() { 0.0 } else { value.clamp(-most, most) };
    Varied { base: clamp(value.base), least: clamp(value.least), most: clamp(value.most) }
}

pub(super) fn delay(value: Varied) -> Varied {
    let value = clamp(value, MAX_DELAY);
    Varied { base: value.base.max(0.0), ..value }
}

/// Returns the value of a curve, with lines between its points.
pub(super) fn value_at(points: &[Point], x: f32) -> Option<f32> {
    let first = points.first()?;
    if x <= first.x {
        return Some(first.y);
    }
    for (from, to) in points.iter().zip(points.iter().skip(1)) {
        if x <= to.x {
            let width = to.x - from.x;
            let part = if width > 0.0 { (x - from.x) / width } else { 1.0 };
            return Some(from.y + (to.y - from.y) * part);
        }
    }
    points.last().map(|last| last.y)
}

/// Returns a linear gain in dB; silence is the least that is told apart.
pub(super) fn decibels(gain: f32) -> f32 {
    const SILENCE: f32 = -96.0;
    if gain.is_nan() { 0.0 } else { (20.0 * gain.max(0.0).log10()).clamp(SILENCE, MAX_GAIN) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(play_at: f64, trim_begin: f64, trim_end: f64) -> (f32, f32, Option<f32>, u32) {
        let clip = Clip { sub_track: 0, media: 1, play_at, trim_begin, trim_end, duration: 8000.0 };
        let params = clip_params(&clip);
        (params.delay.base, params.skip, params.length, params.loops)
    }

    #[test]
    fn clips_sound_from_where_they_are_trimmed() {
        assert_eq!(params(1000.0, 0.0, 0.0), (1.0, 0.0, None, 1));
        assert_eq!(params(1000.0, 500.0, 0.0), (1.5, 0.5, None, 1));
        assert_eq!(params(1000.0, 500.0, -500.0), (1.5, 0.5, Some(7.0), 1));
        assert_eq!(params(1000.0, 0.0, 4000.0), (1.0, 0.0, Some(12.0), 0));
        // Two seconds are before the segment.
        assert_eq!(params(-2000.0, 0.0, 0.0), (0.0, 2.0, None, 1));
        assert_eq!(params(-2000.0, 2000.0, 0.0), (0.0, 2.0, None, 1));
    }

    #[test]
    fn curves_have_lines_between_their_points() {
        let points = [(0.0, 1.0), (10.0, 0.0), (20.0, 0.5)].map(|(x, y)| Point { x, y });
        assert_eq!(
            [-5.0, 0.0, 5.0, 15.0, 30.0].map(|x| value_at(&points, x).unwrap()),
            [1.0, 1.0, 0.5, 0.25, 0.5]
        );
        assert_eq!(value_at(&[], 1.0), None);
        assert_eq!((decibels(1.0), decibels(0.0), decibels(0.1)), (0.0, -96.0, -20.0));
    }
}
