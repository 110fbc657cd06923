//! Which regions are one instrument: those that sound together while nobody touches a controller.

use super::regions::{ControllerRange, Controllers, PROGRAM, Region};

/// The most instruments of a file.
const MOST: usize = 4096;

/// An instrument: its regions by their indices.
pub(super) struct SfzInstrument {
    pub(super) name: String,
    pub(super) regions: Vec<usize>,
}

/// Returns the instruments of all regions, the one of the file's own controllers first. `file` is the name of the
/// file.
pub(super) fn of(regions: &[Region], controllers: &Controllers, file: &str) -> Vec<SfzInstrument> {
    let ranges: Vec<Vec<ControllerRange>> = regions.iter().map(Region::controller_ranges).collect();
    let sounds = |ranges: &[ControllerRange], setting: &[ControllerRange]| {
        let value = |controller: u16| {
            let set = setting.iter().find(|range| range.controller == controller);
            let own = controllers.value(controller);
            set.filter(|range| !range.holds(own)).map_or(own, |range| range.low)
        };
        ranges.iter().all(|range| range.holds(value(range.controller)))
    };
    let mut settings: Vec<&[ControllerRange]> = Vec::new();
    for ranges in &ranges {
        let is_new = !sounds(ranges, &[]) && !settings.contains(&ranges.as_slice());
        // A range that holds nothing sounds nowhere.
        if is_new && settings.len() < MOST && sounds(ranges, ranges) {
            settings.push(ranges);
        }
    }
    let of_setting = |setting: &[ControllerRange]| -> Vec<usize> {
        ranges.iter().enumerate().filter(|(_, ranges)| sounds(ranges, setting)).map(|(i, _)| i).collect()
    };
    let is_alone = settings.is_empty();
    let mut instruments = Vec::new();
    for setting in [&[][..]].into_iter().chain(settings) {
        let all = of_setting(setting);
        let chosen = |index: &&usize| is_alone || ranges.get(**index).is_some_and(|of| !of.is_empty());
        let chosen = all.iter().filter(chosen).filter_map(|index| {
            let own = ranges.get(*index)?;
            (setting.is_empty() || own == setting).then(|| regions.get(*index))?
        });
        let name = label(&chosen).unwrap_or_else(|| match setting {
            [] => file.to_owned(),
            setting => format!("{file} ({})", setting.iter().map(text).collect::<Vec<_>>().join(" ")),
        });
        if !all.is_empty() {
            instruments.push(SfzInstrument { name, regions: all });
        }
    }
    instruments
}

/// Returns the label that all of some regions have.
fn label<'r>(regions: &(impl Iterator<Item = &'r Region> + Clone)) -> Option<String> {
    ["group_label", "master_label", "global_label"].into_iter().find_map(|name| {
        let mut labels = regions.clone().map(|region| region.text(name));
        let first = labels.next()??;
        labels.all(|label| label == Some(first)).then(|| first.trim().to_owned())
    })
}

fn text(ControllerRange { controller, low, high }: &ControllerRange) -> String {
    let what = if *controller == PROGRAM { "program".to_owned() } else { format!("cc{controller}") };
    if low == high { format!("{what}={low}") } else { format!("{what}={low}-{high}") }
}
