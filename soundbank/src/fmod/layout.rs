//! What differs between the versions of Studio banks.

use std::fmt;

/// Version that a bank states of its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BankVersion(u32);

impl BankVersion {
    pub(super) const fn new(version: u32) -> Self {
        Self(version)
    }

    const fn reaches(self, threshold: Self) -> bool {
        self.0 >= threshold.0
    }
}

/// `FMOD 142`.
impl fmt::Display for BankVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FMOD {}", self.0)
    }
}

// Source of all: docs of the format of sound banks, section 6.4, consumed to the last byte on 99 banks of versions
// 125 to 146. Thresholds below 125 are known from programs only.

/// From here on an event has a float after its user properties.
const EVENT_FLOAT: BankVersion = BankVersion(0x30);
/// From here on an event has an integer after that float.
const EVENT_INTEGER: BankVersion = BankVersion(0x34);
/// Before, an event has two bytes after its parameter sheets.
const EVENT_WITHOUT_WORD: BankVersion = BankVersion(0x3C);
/// From here on a wave resource says how it is loaded; before, a wave instrument has four bytes more.
const LOADING_MODE: BankVersion = BankVersion(0x46);
/// From here on an event has a cooldown.
const EVENT_COOLDOWN: BankVersion = BankVersion(0x4E);
/// From here on an event has flags.
const EVENT_FLAGS: BankVersion = BankVersion(0x61);
/// From here on a parameter sheet gives each instrument its range of values.
const SHEET_RANGES: BankVersion = BankVersion(0x6A);
/// From here on an event lists its tracks.
const EVENT_TRACKS: BankVersion = BankVersion(0x6B);
/// From here on timelines and parameter sheets do not name their owner.
const WITHOUT_OWNER: BankVersion = BankVersion(0x6D);
/// From here on an event lists its parameters.
const EVENT_PARAMETERS: BankVersion = BankVersion(0x76);
/// From here on an instrument states its condition itself, not its parameter sheet for it.
const CONDITIONS: BankVersion = BankVersion(0x82);
/// From here on an event lists the instruments that other events start.
const EVENT_TRIGGERED: BankVersion = BankVersion(0x83);

/// Flags of an instrument take three bytes more from a version between 126 and 135 on; taken to be the one that gives
/// it a condition. Seen: 125 has five bytes before the trigger chance; 135, 142 and 146 have eight.
const WIDE_FLAGS: BankVersion = CONDITIONS;

/// What stands between the parameter sheets of an event and the lists that matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EventLayout {
    /// Bytes after the parameter sheets.
    pub(super) after_sheets: usize,
    /// Bytes of plain numbers after the user properties.
    pub(super) numbers: usize,
    /// Whether it lists its tracks.
    pub(super) has_tracks: bool,
    /// Whether it lists its parameters.
    pub(super) has_parameters: bool,
    /// Whether it lists instruments that other events start.
    pub(super) has_triggered: bool,
}

/// How a parameter sheet lists its instruments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SheetEntries {
    /// GUIDs, with what is not read after them.
    Plain,
    /// GUIDs, each with the range of values in which it sounds.
    Ranged,
}

/// Every fact that depends on the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) event: EventLayout,
    /// Whether timelines and parameter sheets have a GUID after those that matter.
    pub(super) has_owner: bool,
    pub(super) sheet: SheetEntries,
    /// Whether a wave resource says how it is loaded.
    pub(super) has_loading_mode: bool,
    /// Bytes between the GUIDs of a wave instrument.
    pub(super) wave_gap: usize,
    /// Bytes of an instrument's flags, before its trigger chance.
    pub(super) flags: usize,
    /// Whether an instrument states its condition.
    pub(super) has_condition: bool,
}

impl Layout {
    pub(super) const fn of(version: BankVersion) -> Self {
        const fn bytes(is_there: bool) -> usize {
            if is_there { 4 } else { 0 }
        }
        let numbers = bytes(version.reaches(EVENT_FLOAT))
            .saturating_add(bytes(version.reaches(EVENT_INTEGER)))
            .saturating_add(bytes(version.reaches(EVENT_COOLDOWN)))
            .saturating_add(bytes(version.reaches(EVENT_FLAGS)));
        let has_ranges = version.reaches(SHEET_RANGES) && !version.reaches(CONDITIONS);
        Self {
            event: EventLayout {
                after_sheets: if version.reaches(EVENT_WITHOUT_WORD) { 0 } else { 2 },
                numbers,
                has_tracks: version.reaches(EVENT_TRACKS),
                has_parameters: version.reaches(EVENT_PARAMETERS),
                has_triggered: version.reaches(EVENT_TRIGGERED),
            },
            has_owner: !version.reaches(WITHOUT_OWNER),
            sheet: if has_ranges { SheetEntries::Ranged } else { SheetEntries::Plain },
            has_loading_mode: version.reaches(LOADING_MODE),
            wave_gap: bytes(!version.reaches(LOADING_MODE)),
            flags: if version.reaches(WIDE_FLAGS) { 8 } else { 5 },
            has_condition: version.reaches(CONDITIONS),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(version: u32) -> Layout {
        Layout::of(BankVersion::new(version))
    }

    #[test]
    fn an_event_grows_at_each_threshold_and_not_before() {
        assert_eq!([0x2F, 0x30, 0x34, 0x4E, 0x61].map(|v| of(v).event.numbers), [0, 4, 8, 12, 16]);
        assert_eq!([0x33, 0x4D, 0x60].map(|v| of(v).event.numbers), [4, 8, 12]);
        assert_eq!([0x3B, 0x3C].map(|v| of(v).event.after_sheets), [2, 0]);
        assert_eq!([0x6A, 0x6B].map(|v| of(v).event.has_tracks), [false, true]);
        assert_eq!([0x75, 0x76].map(|v| of(v).event.has_parameters), [false, true]);
        assert_eq!([0x82, 0x83].map(|v| of(v).event.has_triggered), [false, true]);
    }

    #[test]
    fn a_wave_resource_says_how_it_is_loaded_from_version_70_on() {
        assert_eq!([0x45, 0x46].map(|v| of(v).has_loading_mode), [false, true]);
        assert_eq!([0x45, 0x46].map(|v| of(v).wave_gap), [4, 0]);
    }

    #[test]
    fn timelines_name_their_owner_before_version_109() {
        assert_eq!([0x6C, 0x6D].map(|v| of(v).has_owner), [true, false]);
    }

    #[test]
    fn ranges_of_values_move_from_the_sheet_to_the_instrument_at_version_130() {
        let sheets = [0x69, 0x6A, 0x81, 0x82].map(|v| of(v).sheet);
        assert_eq!(
            sheets,
            [SheetEntries::Plain, SheetEntries::Ranged, SheetEntries::Ranged, SheetEntries::Plain]
        );
        assert_eq!([0x81, 0x82].map(|v| of(v).has_condition), [false, true]);
        assert_eq!([0x81, 0x82].map(|v| of(v).flags), [5, 8]);
    }
}
