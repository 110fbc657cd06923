//! The devices that can be chosen while playing: looked for on a thread of its own, since asking them takes a while.

use std::thread;

use crossbeam_channel::{Receiver, TryRecvError, bounded};
use song::Hz;

use crate::command::devices::{self, DeviceRow};
use crate::failure::Failure;
use crate::tui::model::DeviceEntry;
use crate::tui::update::Msg;
use player::playback::Playback;
use player::session::{self, DeviceOptions};

/// What the list calls the device that is whichever the system's own is.
const SYSTEM: &str = "system default";

/// The devices, and the one that was last reported to play.
pub struct OutputDevices {
    /// What was asked for besides the device: rate and block go for each.
    selector: DeviceOptions,
    search: Option<Receiver<Result<Vec<DeviceRow>, Failure>>>,
    /// The ids of those that were reported last; none is the system's own.
    listed: Vec<Option<String>>,
    playing: (String, Hz),
}

impl OutputDevices {
    /// Creates the list beside what plays; rate and block of the command line go for all of them.
    #[must_use]
    pub fn new(selector: &DeviceOptions, playback: &Playback) -> Self {
        let playing = (playback.name().to_owned(), playback.rate());
        Self { selector: selector.clone(), search: None, listed: Vec::new(), playing }
    }

    /// Looks for devices, unless that is under way.
    pub(super) fn find(&mut self) -> Result<(), Msg> {
        if self.search.is_some() {
            return Ok(());
        }
        let (sender, receiver) = bounded(1);
        // Who asked may be gone.
        let search = move || drop(sender.send(devices::all()));
        let thread = thread::Builder::new().name("find devices".into()).spawn(search);
        thread.map_err(|error| Msg::Warning(format!("cannot start a thread to find devices: {error}")))?;
        self.search = Some(receiver);
        Ok(())
    }

    /// Plays on one of those that were reported.
    pub(super) fn choose(&self, index: usize, playback: &mut Playback) {
        if let Some(device) = self.listed.get(index) {
            playback
                .change(session::route(&DeviceOptions { device: device.clone(), ..self.selector.clone() }));
        }
    }

    /// What has been found, what plays if that is new, and why it is not what was chosen.
    pub(super) fn tell(&mut self, playback: &mut Playback, messages: &mut Vec<Msg>) {
        messages.extend(playback.take_warning().map(Msg::Warning));
        if (playback.name(), playback.rate()) != (&self.playing.0, self.playing.1) {
            self.playing = (playback.name().to_owned(), playback.rate());
            let (device, rate) = self.playing.clone();
            messages.push(Msg::Playing { device, rate });
        }
        let Some(search) = &self.search else { return };
        let found = match search.try_recv() {
            Ok(Ok(found)) => found,
            Ok(Err(failure)) => {
                messages.push(Msg::Warning(failure.message));
                Vec::new()
            }
            Err(TryRecvError::Empty) => return,
            Err(TryRecvError::Disconnected) => Vec::new(),
        };
        self.search = None;
        let entries;
        (self.listed, entries) = listed(found, playback.name(), playback.follows_default());
        messages.push(Msg::Devices(entries));
    }
}

/// Returns the ids of devices and how they are shown, the system's own first.
fn listed(found: Vec<DeviceRow>, playing: &str, follows: bool) -> (Vec<Option<String>>, Vec<DeviceEntry>) {
    let own = found.iter().find(|row| row.default);
    let about = own
        .map_or_else(|| "no device is connected".to_owned(), |row| format!("now {}, {}", row.id, row.name));
    let system = DeviceEntry { name: SYSTEM.to_owned(), about, plays: follows };
    let others = found.into_iter().map(|row| {
        let plays = !follows && row.id == playing;
        (Some(row.id.clone()), DeviceEntry { name: row.id, about: row.problem.unwrap_or(row.name), plays })
    });
    std::iter::once((None, system)).chain(others).unzip()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str, default: bool, problem: Option<&str>) -> DeviceRow {
        let mut row = DeviceRow::default();
        (row.id, row.name) = (id.to_owned(), format!("the {id}"));
        (row.default, row.problem) = (default, problem.map(str::to_owned));
        row
    }

    #[test]
    fn the_systems_own_device_is_an_entry_apart_from_the_device_that_it_is() {
        let rows =
            || vec![row("card", true, None), row("other", false, Some("in use")), row("null", false, None)];
        let (ids, entries) = listed(rows(), "card", true);
        let id = |id: &str| Some(id.to_owned());
        assert_eq!(ids, [None, id("card"), id("other"), id("null")]);
        let shown: Vec<_> = entries.iter().map(|entry| (&*entry.name, &*entry.about, entry.plays)).collect();
        let expected = [
            ("system default", "now card, the card", true),
            ("card", "the card", false),
            ("other", "in use", false),
            ("null", "the null", false),
        ];
        assert_eq!(shown, expected);
        let (_, entries) = listed(rows(), "card", false);
        assert_eq!(entries.iter().position(|entry| entry.plays), Some(1));
        let (_, entries) = listed(vec![row("null", false, None)], "null", false);
        assert_eq!(entries[0].about, "no device is connected");
    }
}
