use std::fmt::Display;
use std::time::Duration;

/// How far some work is.
#[derive(Clone, Copy)]
pub struct WorkProgress<'a> {
    /// Units that are done.
    pub done: f64,
    /// Units in all, where that is known.
    pub total: Option<f64>,
    /// What the units are, such as `sounds`.
    pub unit: &'a str,
    /// What is worked on.
    pub detail: &'a dyn Display,
}

impl WorkProgress<'_> {
    /// Returns the part that is done, 0..=1, where that is known.
    #[must_use]
    pub fn part(&self) -> Option<f64> {
        self.total.filter(|total| *total > 0.0).map(|total| (self.done / total).clamp(0.0, 1.0))
    }

    /// Returns a line: what is done, the rate, and the time left, given how long the work took so far.
    #[must_use]
    pub fn line(&self, elapsed: Duration) -> String {
        let Self { done, total, unit, detail } = self;
        let seconds = elapsed.as_secs_f64();
        let mut line = match total {
            Some(total) => format!("{:.0}/{total:.0} {unit}", done.floor()),
            None => format!("{done:.0} {unit}"),
        };
        if seconds > 0.0 && *done > 0.0 {
            let rate = done / seconds;
            let digits = if rate < 9.95 { 1 } else { 0 };
            line.push_str(&format!("  {rate:.digits$}/s"));
        }
        // The first hundredth says nothing about the rest.
        if let Some(part) = self.part().filter(|part| *part >= 0.01) {
            let left = (seconds * (1.0 - part) / part).round() as u64;
            line.push_str(&format!("  {}:{:02} left", left / 60, left % 60));
        }
        let detail = detail.to_string();
        if !detail.is_empty() {
            line.push_str("  ");
            line.push_str(&detail);
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_rate_and_time_left_as_far_as_they_are_known() {
        let line = |done, total, seconds| {
            WorkProgress { done, total, unit: "sounds", detail: &"of x" }.line(Duration::from_secs(seconds))
        };
        assert_eq!(line(0.0, Some(2000.0), 2), "0/2000 sounds  of x");
        assert_eq!(line(500.0, Some(2000.0), 20), "500/2000 sounds  25/s  1:00 left  of x");
        assert_eq!(line(1.5, Some(3.0), 3), "1/3 sounds  0.5/s  0:03 left  of x");
        assert_eq!(line(12.0, None, 4), "12 sounds  3.0/s  of x");
        assert_eq!(line(5.0, Some(0.0), 0), "5/0 sounds  of x");
    }
}
