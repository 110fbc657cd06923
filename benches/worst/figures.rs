//! From times to figures: what of how many blocks stays below what.

use std::fmt::Write;

/// What a block of the engine had to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// All voices begin.
    Begin,
    /// All are held; now and then all wrap at once.
    Held,
    /// All are held, and an order comes for every frame.
    Split,
    /// All are stolen, and as many begin: twice as many sound for a while.
    Theft,
    /// All are held and sent to effects whose times have just been turned.
    Turn,
    /// All are released, and fade.
    Release,
    /// Nothing sounds.
    Silent,
}

impl Kind {
    pub(crate) const ALL: [Self; 7] =
        [Self::Begin, Self::Held, Self::Split, Self::Theft, Self::Turn, Self::Release, Self::Silent];

    const fn name(self) -> &'static str {
        match self {
            Self::Begin => "all begin",
            Self::Held => "held",
            Self::Split => "all split",
            Self::Theft => "all stolen",
            Self::Turn => "turned",
            Self::Release => "released",
            Self::Silent => "silent",
        }
    }
}

/// Thread time and clock time of each block, in nanoseconds.
#[derive(Default)]
pub(crate) struct Sheet {
    engine: [[Vec<f64>; 2]; Kind::ALL.len()],
    /// Only those beside held blocks: as many as these.
    control: [Vec<f64>; 2],
}

impl Sheet {
    pub(crate) fn engine(&mut self, kind: Kind, times: [f64; 2]) {
        for (all, time) in self.engine[kind as usize].iter_mut().zip(times) {
            all.push(time);
        }
    }

    pub(crate) fn control(&mut self, kind: Kind, times: [f64; 2]) {
        if kind == Kind::Held {
            for (all, time) in self.control.iter_mut().zip(times) {
                all.push(time);
            }
        }
    }
}

/// Of some times; all 0 of none.
#[derive(Clone, Copy, Debug, Default)]
struct Spread {
    count: usize,
    p50: f64,
    p99: f64,
    p999: f64,
    max: f64,
}

impl Spread {
    fn of(mut times: Vec<f64>) -> Self {
        if times.is_empty() {
            return Self::default();
        }
        times.sort_by(f64::total_cmp);
        let at = |tree: f64| times[((times.len() - 1) as f64 * tree).round() as usize];
        Self { count: times.len(), p50: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1.0) }
    }

    /// Returns how far the slowest block of a thousand lies after the one in the middle.
    fn unsteadiness(&self) -> f64 {
        self.p999 / self.p50
    }
}

/// The result: thread time, clock time.
pub(crate) struct Figures {
    engine: Vec<(Kind, [Spread; 2])>,
    control: [Spread; 2],
}

impl Figures {
    pub(crate) fn of(sheet: Sheet) -> Self {
        let engine = Kind::ALL.into_iter().zip(sheet.engine);
        let engine = engine.map(|(kind, times)| (kind, times.map(Spread::of))).collect();
        Self { engine, control: sheet.control.map(Spread::of) }
    }

    fn of_kind(&self, wanted: Kind) -> &[Spread; 2] {
        let (_, spreads) = &self.engine[wanted as usize];
        spreads
    }

    /// Returns the engine's unsteadiness in shares of the control's.
    fn steady(&self, which: usize) -> f64 {
        self.of_kind(Kind::Held)[which].unsteadiness() / self.control[which].unsteadiness()
    }

    /// Returns a burst block in shares of a held one, both in the middle: what lies beyond is the machine's doing as
    /// well.
    fn burst(&self, kind: Kind, which: usize) -> f64 {
        self.of_kind(kind)[which].p50 / self.of_kind(Kind::Held)[which].p50
    }

    pub(crate) fn table(&self) -> String {
        let mut text = String::new();
        for (which, clock) in ["thread time", "clock time"].into_iter().enumerate() {
            let _ = writeln!(
                text,
                "{clock:<12}{:>8} {:>9} {:>9} {:>9} {:>9}   p99.9/p50",
                "blocks", "p50 µs", "p99", "p99.9", "max"
            );
            let engine = self.engine.iter().map(|(kind, spreads)| (kind.name(), spreads[which]));
            let all = engine.chain([("control", self.control[which])]);
            for (name, spread) in all.filter(|(_, spread)| spread.count > 0) {
                let Spread { count, p50, p99, p999, max } = spread;
                let [p50, p99, p999, max] = [p50, p99, p999, max].map(|ns| ns / 1000.0);
                let ratio = spread.unsteadiness();
                let _ = writeln!(
                    text,
                    "{name:<12}{count:>8} {p50:>9.1} {p99:>9.1} {p999:>9.1} {max:>9.1} {ratio:>11.2}"
                );
            }
            let _ = writeln!(
                text,
                "steadiness beside the control {:.2} (1.15 at most in thread time); \
                 all begin {:.2}, all stolen {:.2} of a held block (3 at most); an order for each frame {:.1}\n",
                self.steady(which),
                self.burst(Kind::Begin, which),
                self.burst(Kind::Theft, which),
                self.burst(Kind::Split, which),
            );
        }
        text
    }

    pub(crate) fn json(&self, blocks: usize, paced: bool) -> String {
        let mut text = format!("{{\n  \"blocks\": {blocks},\n  \"paced\": {paced},\n  \"rows\": [\n");
        let engine = self.engine.iter().map(|(kind, spreads)| (kind.name(), spreads));
        let rows: Vec<String> = engine
            .chain([("control", &self.control)])
            .filter(|(_, spreads)| spreads.iter().all(|spread| spread.count > 0))
            .flat_map(|(name, spreads)| ["thread", "clock"].into_iter().zip(spreads).map(move |r| (name, r)))
            .map(|(name, (clock, spread))| {
                let Spread { count, p50, p99, p999, max } = spread;
                format!(
                    "    {{\"blocks\": \"{name}\", \"time\": \"{clock}\", \"count\": {count}, \"p50_ns\": {p50:.0}, \
                     \"p99_ns\": {p99:.0}, \"p999_ns\": {p999:.0}, \"max_ns\": {max:.0}}}"
                )
            })
            .collect();
        text += &rows.join(",\n");
        let _ = write!(
            text,
            "\n  ],\n  \"steady_ratio\": {:.3},\n  \"steady_ratio_most\": 1.15,\n  \"begin_ratio\": {:.3},\n  \
             \"theft_ratio\": {:.3},\n  \"burst_ratio_most\": 3,\n  \"split_ratio\": {:.3}\n}}\n",
            self.steady(0),
            self.burst(Kind::Begin, 0),
            self.burst(Kind::Theft, 0),
            self.burst(Kind::Split, 0),
        );
        text
    }
}
