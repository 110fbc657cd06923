//! Options that narrow sounds down.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use clap::Args;

use super::values;

/// Which sounds are wanted; all where nothing is asked for.
#[derive(Clone, Debug, Args)]
pub struct FilterArgs {
    /// Only sounds whose name contains all these words; a word with * ? [ or { is a pattern, e.g. 'Weapons.*'
    #[arg(long, value_name = "WORDS")]
    pub filter: Option<String>,
    /// Only sounds at least this long, e.g. 2s or 500ms
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub longer: Option<Duration>,
    /// Only sounds at most this long
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub shorter: Option<Duration>,
    /// Only sounds with a loop
    #[arg(long = "loop")]
    pub looped: bool,
    /// Only sounds of this sample rate in Hz, or of one between two: 22050 or 11025-22050
    #[arg(long, value_name = "HZ", value_parser = values::rates)]
    pub rate: Option<RangeInclusive<u32>>,
}

impl FilterArgs {
    /// Returns whether anything is asked for.
    #[must_use]
    pub const fn is_active(&self) -> bool {
        self.filter.is_some()
            || self.longer.is_some()
            || self.shorter.is_some()
            || self.looped
            || self.rate.is_some()
    }
}

/// The options as they are typed.
impl fmt::Display for FilterArgs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { filter, longer, shorter, looped, rate } = self;
        let time =
            |time: &Option<Duration>, name| time.map(|time| format!("--{name} {}s", time.as_secs_f64()));
        let options = [
            filter.as_ref().map(|words| format!("--filter {words:?}")),
            time(longer, "longer"),
            time(shorter, "shorter"),
            looped.then(|| "--loop".to_owned()),
            rate.as_ref().map(|rates| match (rates.start(), rates.end()) {
                (least, most) if least == most => format!("--rate {least}"),
                (least, most) => format!("--rate {least}-{most}"),
            }),
        ];
        f.write_str(&options.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}
