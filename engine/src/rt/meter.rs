/// Frames between two readings; at 48 kHz about 47 readings a second.
const EVERY: u64 = 1024;

/// How loud it has been since the last reading.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    left: f32,
    right: f32,
}

impl Meter {
    /// Takes in rendered frames that end before the frame `now`; a reading, left and right, when one is due.
    ///
    /// # Real-time
    /// Safe.
    pub(crate) fn take(&mut self, left: &[f32], right: &[f32], now: u64) -> Option<(f32, f32)> {
        self.left = peak(self.left, left);
        self.right = peak(self.right, right);
        let before = now.saturating_sub(left.len() as u64);
        if before / EVERY == now / EVERY {
            return None;
        }
        let reading = (self.left, self.right);
        *self = Self::default();
        Some(reading)
    }
}

/// In lanes, so that several are compared at a time.
fn peak(so_far: f32, frames: &[f32]) -> f32 {
    let (eights, rest) = frames.as_chunks::<8>();
    let mut peaks = [so_far; 8];
    for eight in eights {
        for (peak, value) in peaks.iter_mut().zip(eight) {
            *peak = if value.abs() > *peak { value.abs() } else { *peak };
        }
    }
    rest.iter().map(|value| value.abs()).chain(peaks).fold(so_far, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_tells_the_peak_since_the_last() {
        let mut meter = Meter::default();
        assert_eq!(meter.take(&[0.5, -0.75], &[0.0, 0.25], 1022), None);
        assert_eq!(meter.take(&[0.1, 0.1], &[-0.5, 0.0], 1024), Some((0.75, 0.5)));
        assert_eq!(meter.take(&[0.0; 1024], &[0.0; 1024], 2048), Some((0.0, 0.0)));
    }
}
