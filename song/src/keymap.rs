//! Where the keys and velocities of an instrument of several recordings are divided.

use std::ops::RangeInclusive;

use crate::{Key, Velocity};

/// Returns the keys of each of some roots, which ascend: those that no other root is nearer to. Of two that are equally
/// near the lower has the key.
#[must_use]
pub fn key_ranges(roots: &[Key]) -> Vec<RangeInclusive<Key>> {
    let middle = |root: Key, next: Key| {
        let sum = u16::from(root.get()) + u16::from(next.get());
        u8::try_from(sum / 2).ok().and_then(|key| Key::new(key).ok()).unwrap_or(root)
    };
    let mut first = Key::LOWEST;
    let mut ranges = Vec::with_capacity(roots.len());
    for (index, root) in roots.iter().enumerate() {
        let last = roots.get(index + 1).map_or(Key::HIGHEST, |next| middle(*root, *next));
        ranges.push(first..=last);
        first = last.shifted(1).unwrap_or(Key::HIGHEST);
    }
    ranges
}

/// Returns the velocities of a layer among `count`, from the softest on; none if there are more layers than velocities.
#[must_use]
pub fn velocity_range(number: usize, count: usize) -> Option<RangeInclusive<Velocity>> {
    let bound = |number: usize| number.checked_mul(128)?.checked_div(count);
    let (low, high) = (bound(number)?, bound(number.checked_add(1)?)?.checked_sub(1)?);
    let velocity = |value: usize| Velocity::new(u8::try_from(value).ok()?).ok();
    let range = velocity(low)?..=velocity(high)?;
    Some(range).filter(|range| !range.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_the_root_that_is_nearest() {
        let keys = |roots: &[u8]| -> Vec<(u8, u8)> {
            let roots: Vec<Key> = roots.iter().map(|root| Key::new(*root).unwrap()).collect();
            let ranges = key_ranges(&roots).into_iter();
            ranges.map(|range| (range.start().get(), range.end().get())).collect()
        };
        assert_eq!(keys(&[48, 60, 61]), [(0, 54), (55, 60), (61, 127)]);
        assert_eq!(keys(&[0]), [(0, 127)]);
        assert_eq!(keys(&[]), []);
    }

    #[test]
    fn layers_have_all_velocities_once() {
        let range = |number, count| {
            velocity_range(number, count).map(|range| (range.start().get(), range.end().get()))
        };
        assert_eq!([range(0, 3), range(1, 3), range(2, 3)], [Some((0, 41)), Some((42, 84)), Some((85, 127))]);
        assert_eq!([range(0, 1), range(127, 128), range(0, 129)], [Some((0, 127)), Some((127, 127)), None]);
    }
}
