//! The devices that can be chosen while playing. They are searched for on another thread, since that takes a while.

use crossbeam_channel::{Receiver, TryRecvError, bounded};
use engine::device::DeviceInfo;
use song::Hz;

use super::{DeviceEntry, LiveEvent};
use crate::Error;
use crate::background;
use crate::playback::Playback;
use crate::session::{self, DeviceOptions};

/// What the list calls the device that is whichever the system's own is.
const SYSTEM: &str = "system default";

/// The devices, and the one that was last reported to play.
pub struct OutputDevices {
    /// What was asked for besides the device: rate and block go for each.
    selector: DeviceOptions,
    search: Option<Receiver<Result<Vec<DeviceInfo>, Error>>>,
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
    pub(super) fn find(&mut self) -> Result<(), String> {
        if self.search.is_some() {
            return Ok(());
        }
        let (sender, receiver) = bounded(1);
        // Who asked may be gone.
        let search = move || drop(sender.send(session::devices()));
        let thread = background::run("find devices", search);
        thread.map_err(|error| format!("cannot start a thread to find devices: {error}"))?;
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

    /// Collects what has been found, what plays if that is new, and why it is not what was chosen.
    pub(super) fn poll<S>(&mut self, playback: &mut Playback, events: &mut Vec<LiveEvent<S>>) {
        events.extend(playback.take_warning().map(LiveEvent::Warning));
        if (playback.name(), playback.rate()) != (&self.playing.0, self.playing.1) {
            self.playing = (playback.name().to_owned(), playback.rate());
            let (device, rate) = self.playing.clone();
            events.push(LiveEvent::Playing { device, rate });
        }
        let Some(search) = &self.search else { return };
        let found = match search.try_recv() {
            Ok(Ok(found)) => found,
            Ok(Err(error)) => {
                events.push(LiveEvent::Warning(error.message().to_owned()));
                Vec::new()
            }
            Err(TryRecvError::Empty) => return,
            Err(TryRecvError::Disconnected) => Vec::new(),
        };
        self.search = None;
        let entries;
        (self.listed, entries) = listed(found, playback.name(), playback.follows_default());
        events.push(LiveEvent::Devices(entries));
    }
}

/// Returns the ids of devices and how they are shown, the system's own first.
fn listed(found: Vec<DeviceInfo>, playing: &str, follows: bool) -> (Vec<Option<String>>, Vec<DeviceEntry>) {
    let own = found.iter().find(|row| row.is_default);
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

    fn row(id: &str, default: bool, problem: Option<&str>) -> DeviceInfo {
        let mut row = engine::device::null::info();
        (row.id, row.name) = (id.to_owned(), format!("the {id}"));
        (row.is_default, row.problem) = (default, problem.map(str::to_owned));
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
