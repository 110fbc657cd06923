//! The state of the screen: what it shows and `update` decides by.

pub mod column;
pub mod history;
mod kit;
pub mod knob;
mod knob_text;
pub mod list;
pub mod meter;
mod note;
mod piano_key;
pub mod replay;
pub mod songs;
mod sound_entry;
pub mod still;
mod view;
mod wave_drag;
mod zone;
pub mod zoom;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use player::{Quality, Waveform};
use song::{Envelope, Frames, Hz, Key, SoundDefaults, Velocity, Voicing};

use crate::OptionNames;
use crate::keymap::Keymap;
use column::LOOP;
use history::ChangeHistory;
use knob::Knob;
use list::SoundList;
use meter::{LevelMeter, Limited};
pub use note::{Ends, Mode, PlayedNote, SeenKey, Trigger};
pub use piano_key::PianoKey;
use player::keyboard::{self, ComputerKeyboard, KeyMapMode, KeyboardLayout, Scheme};
use player::live::{DeviceEntry, NoteNumber, OutputStatus, Picture, SaveRequest, SoundSwitch};
use player::room::Room;
use player::saved_instrument::{PickedZones, ZoneRanges};
use replay::SongView;
use songs::SongList;
pub use sound_entry::{ColumnFacts, ListFacts, SoundEntry, SoundKind, first_playable};
pub use view::{HelpView, View};
pub use wave_drag::{WaveDrag, WaveMark};
pub(crate) use wave_drag::{snapped, with_end, with_start};
use zoom::WaveZoom;

/// The state of the screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The package as the user named it.
    pub package: String,
    /// Names of options that are recommended.
    pub option_names: OptionNames,
    /// The device.
    pub device: String,
    /// The rate of the device.
    pub rate: Hz,
    /// The sounds, in the order of their numbers.
    pub sounds: Vec<SoundEntry>,
    /// The list of sounds: filter, groups, cursor.
    pub list: SoundList,
    /// What the columns of the list need.
    pub facts: ListFacts,
    /// Whether a sound is heard when it is chosen.
    pub previews: bool,
    /// Index of the chosen sound.
    pub chosen: usize,
    /// The waveform of the chosen sound, or of one before it that came later.
    pub picture: Option<Picture>,
    /// Positions of the chosen sound's voices in the recording that is shown.
    pub positions: Vec<Frames>,
    /// What was changed, to be undone and done again.
    pub history: ChangeHistory,
    /// How sounds are changed, those that are.
    pub voicings: BTreeMap<usize, Voicing>,
    /// Zones of sounds that are set by hand.
    pub zones: BTreeMap<usize, ZoneRanges>,
    /// The zones that the kit map plays, and whose turn it is.
    pub kit_zones: PickedZones,
    /// The quality of sounds that are not changed.
    pub quality: Quality,
    /// The knob that is turned, or was last.
    pub knob: Knob,
    /// Whether the arrows turn knobs.
    pub is_adjusting: bool,
    /// The knob that waits for a MIDI controller, or that of a zone's key for a MIDI note.
    pub learning: Option<Knob>,
    /// The room that all sounds are played in.
    pub room: Room,
    /// What the keys play.
    pub map: KeyMapMode,
    /// Where the notes lie on the computer keyboard.
    pub layout: KeyboardLayout,
    /// What is printed on its keys.
    pub keyboard: ComputerKeyboard,
    /// What a US keyboard has at the places of keys, by what they type: as the terminal has reported it.
    pub key_places: BTreeMap<char, char>,
    /// Whether the user has said which keyboard it is; then what the terminal reports of it is ignored.
    pub knows_keyboard: bool,
    /// The keys of commands.
    pub keymap: Keymap,
    /// Octave of the lower row's first key; C4 is middle C.
    pub octave: i8,
    /// The octave that the other map will have.
    pub other_octave: i8,
    /// The velocity of the computer keyboard.
    pub velocity: Velocity,
    /// What ends the notes that are begun.
    pub mode: Mode,
    /// Whether the terminal reports when a key is released; then it also distinguishes repeats from strikes.
    pub tells_release: bool,
    /// Notes that sound, oldest first.
    pub notes: Vec<PlayedNote>,
    /// Note keys that are down, where the terminal reports releases.
    pub down: Vec<char>,
    /// When each key was last seen, to tell a held key's repeats from strikes where the terminal does not.
    pub seen: Vec<SeenKey>,
    /// How long this terminal waits before a held key repeats, once that was seen.
    pub repeat_delay: Option<Duration>,
    /// The number of the next note.
    pub next: NoteNumber,
    /// Keys that are held through MIDI.
    pub midi: Vec<Key>,
    /// Voices that sound, those of a song among them, and the most that hands may play.
    pub voices: (usize, usize),
    /// How many voices may sound unless the player changes it, and how many the engine was made for.
    pub polyphony: (usize, usize),
    /// The levels of left and right.
    pub meters: [LevelMeter; 2],
    /// The gain reduction of the limiter.
    pub limited: Limited,
    /// What the device reports.
    pub status: OutputStatus,
    /// The take that is recorded.
    pub take: Option<TakeClock>,
    /// The part of the recording that is seen.
    pub zoom: WaveZoom,
    /// The frames that are being marked with the mouse.
    pub wave_drag: Option<WaveDrag>,
    /// The help, while it is shown.
    pub help: Option<HelpView>,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// Whether any key was pressed so far.
    pub is_touched: bool,
    /// Whether packages are still being opened.
    pub is_listing: bool,
    /// The sound that a note waits for.
    pub loading: Option<usize>,
    /// The devices to choose from, while they are shown.
    pub devices: Option<DeviceMenu>,
    /// The files to choose from, while they are shown.
    pub saving: Option<SaveMenu>,
    /// Switches and states of all packages.
    pub switches: Vec<SoundSwitch>,
    /// The menu of switches, while it is shown.
    pub switching: Option<SwitchMenu>,
    /// What went wrong last.
    pub warning: Option<String>,
    /// What the player should know, and until when it is shown.
    pub notice: Option<(String, Duration)>,
    /// The song that plays beside the keys.
    pub song: Option<SongView>,
    /// The songs of all packages.
    pub songs: SongList,
    /// What the middle of the screen shows.
    pub view: View,
    /// Lines of the song's page above those that are seen.
    pub about_scroll: usize,
    /// Whether the screens of songs show the piano: then keys that type play.
    pub plays_along: bool,
}

/// How long a take has been recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakeClock {
    /// When it began.
    pub since: Duration,
    /// The time.
    pub now: Duration,
}

/// What can be chosen to play on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeviceMenu {
    /// The devices; none while they are looked for.
    pub entries: Option<Vec<DeviceEntry>>,
    /// Index of the chosen one.
    pub chosen: usize,
}

/// What can be saved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SaveMenu {
    /// The files that could be written, in words.
    pub choices: Vec<(String, SaveRequest)>,
    /// Index of the chosen one.
    pub chosen: usize,
}

/// Switches and states to choose values of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwitchMenu {
    /// Those that are shown, by index among [`Model::switches`].
    pub rows: Vec<usize>,
    /// Index of the chosen row.
    pub chosen: usize,
}

/// Returns the name of a package without its extension.
pub(crate) fn title(package: &str) -> &str {
    let stem = Path::new(package.trim_end_matches(':')).file_stem();
    stem.and_then(|stem| stem.to_str()).unwrap_or("usampler")
}

/// Returns the octave in which a map begins: of the kit the one whose first key plays the first sound.
#[must_use]
pub const fn first_octave(map: KeyMapMode) -> i8 {
    match map {
        KeyMapMode::Chromatic => 3,
        KeyMapMode::Kit => 2,
    }
}

impl Model {
    /// Returns the screen before anything happens, on a terminal that was not asked yet. `polyphony` is the number of
    /// voices at first and at most.
    #[must_use]
    pub fn new(
        package: String,
        device: String,
        rate: Hz,
        sounds: Vec<SoundEntry>,
        polyphony: (usize, usize),
    ) -> Self {
        Self {
            package,
            option_names: OptionNames::default(),
            device,
            rate,
            list: SoundList::of(sounds.iter().map(SoundEntry::listed)),
            facts: ListFacts::of(&sounds),
            previews: false,
            sounds,
            chosen: 0,
            picture: None,
            positions: Vec::new(),
            history: ChangeHistory::default(),
            voicings: BTreeMap::new(),
            zones: BTreeMap::new(),
            kit_zones: PickedZones::default(),
            quality: Quality::default(),
            knob: Knob::default(),
            is_adjusting: false,
            learning: None,
            room: Room::default(),
            map: KeyMapMode::Chromatic,
            layout: KeyboardLayout::Piano,
            keyboard: ComputerKeyboard::Qwerty,
            key_places: BTreeMap::new(),
            knows_keyboard: false,
            keymap: Keymap::default(),
            octave: first_octave(KeyMapMode::Chromatic),
            other_octave: first_octave(KeyMapMode::Kit),
            velocity: Velocity::new(100).unwrap_or(Velocity::HIGHEST),
            mode: Mode::Gate,
            tells_release: false,
            notes: Vec::new(),
            down: Vec::new(),
            seen: Vec::new(),
            repeat_delay: None,
            next: NoteNumber::default(),
            midi: Vec::new(),
            voices: (0, polyphony.0),
            polyphony,
            meters: [LevelMeter::default(); 2],
            limited: Limited::default(),
            status: OutputStatus::default(),
            take: None,
            zoom: WaveZoom::default(),
            wave_drag: None,
            help: None,
            size: (80, 24),
            is_touched: false,
            is_listing: false,
            loading: None,
            devices: None,
            saving: None,
            switches: Vec::new(),
            switching: None,
            warning: None,
            notice: None,
            song: None,
            songs: SongList::default(),
            view: View::default(),
            about_scroll: 0,
            plays_along: false,
        }
    }

    /// Returns the song that a screen of its own shows.
    #[must_use]
    pub fn shown_song(&self) -> Option<&SongView> {
        self.song.as_ref().filter(|_| matches!(self.view, View::Pattern | View::About))
    }

    /// Returns whether the piano is shown, where there is room for it.
    #[must_use]
    pub const fn has_piano(&self) -> bool {
        !self.view.is_of_songs() || self.plays_along
    }

    /// Returns the chosen sound.
    #[must_use]
    pub fn chosen_entry(&self) -> Option<&SoundEntry> {
        self.sounds.get(self.chosen)
    }

    /// Returns how a sound is changed.
    #[must_use]
    pub fn voicing(&self, sound: usize) -> Voicing {
        self.voicings.get(&sound).copied().unwrap_or_default()
    }

    /// Returns whether a sound sounds until it is released, as it is changed.
    #[must_use]
    pub fn loops(&self, sound: usize) -> bool {
        let own = self.sounds.get(sound).is_some_and(|entry| entry.loops);
        let voicing = self.voicing(sound);
        voicing.looping.unwrap_or(own || voicing.loop_range.is_some()) && !self.is_loop_cut(sound)
    }

    /// Returns whether the trim of a sound leaves out some of its loop, which does not repeat then.
    pub(crate) fn is_loop_cut(&self, sound: usize) -> bool {
        let (voicing, entry) = (self.voicing(sound), self.sounds.get(sound));
        let own = || entry.and_then(|entry| entry.loop_range);
        let length = entry.and_then(|entry| entry.length).unwrap_or(Frames::new(u64::MAX));
        match (voicing.trim_of(length), voicing.loop_range.or_else(own)) {
            (Some(trim), Some(looping)) => !trim.contains(&looping),
            _ => false,
        }
    }

    /// Returns the key that plays a sound at its own pitch, as it is changed.
    #[must_use]
    pub fn root(&self, sound: usize) -> Key {
        self.voicing(sound).root(self.sounds.get(sound).map_or(Key::C4, |entry| entry.defaults.root))
    }

    /// Returns the loop of a sound in words: its range, `all` of it, or none.
    #[must_use]
    pub fn loop_range(&self, sound: usize) -> Option<String> {
        let changed = self.voicing(sound).loop_range;
        let own = self.sounds.get(sound).map(|entry| entry.cell(LOOP)).filter(|own| *own != "-");
        let range = changed.map(|range| format!("{}-{}", range.start, range.end));
        let range = range.or_else(|| own.map(str::to_owned)).unwrap_or_else(|| "all".to_owned());
        self.loops(sound).then_some(range)
    }

    /// Returns the frames of the chosen sound's recording that are played, as it is changed.
    #[must_use]
    pub fn trim(&self, waveform: &Waveform) -> Range<u64> {
        let trim = self.voicing(self.chosen).trim_of(waveform.length);
        trim.map_or(0..waveform.length.get(), |trim| trim.start.get()..trim.end.get())
    }

    /// Returns how notes of a sound begin and end, as it is changed.
    #[must_use]
    pub fn envelope(&self, sound: usize) -> Envelope {
        self.voicing(sound).envelope.unwrap_or(self.defaults(sound).envelope)
    }

    /// Returns what a sound says itself, to which its adjustments are made.
    #[must_use]
    pub fn defaults(&self, sound: usize) -> SoundDefaults {
        self.sounds.get(sound).map(|entry| entry.defaults).unwrap_or_default()
    }

    /// Returns what the chosen sound looks like, once that is known.
    #[must_use]
    pub fn chosen_picture(&self) -> Option<&Picture> {
        self.picture.as_ref().filter(|picture| picture.sound == self.chosen)
    }

    /// Returns the sounds that are likely to be played next, the likeliest first: the chosen one, those of the kit, and
    /// those in the rows around it.
    #[must_use]
    pub fn near(&self) -> Vec<usize> {
        /// Rows above and below.
        const AROUND: usize = 32;
        let kit = self.kit_keys().into_keys();
        let mut near = vec![self.chosen];
        near.extend(kit);
        let rows = &self.list.rows;
        let at = self.list.marked_row(self.chosen).unwrap_or_default();
        for distance in 1..=AROUND {
            let below = rows.get(at + distance);
            let above = at.checked_sub(distance).and_then(|row| rows.get(row));
            near.extend(below.into_iter().chain(above).filter_map(|row| row.sound()));
        }
        near
    }

    /// Returns the key of a character by where it is: what a US keyboard has there.
    #[must_use]
    pub fn us_key(&self, typed: char) -> char {
        let typed = keyboard::base(typed);
        match self.key_places.get(&typed) {
            Some(us_key) => *us_key,
            // The terminal names the places of all keys that are elsewhere.
            None if !self.key_places.is_empty() => typed,
            None => self.keyboard.us_key(typed),
        }
    }

    /// Returns whether a key plays or turns the piano of this layout.
    #[must_use]
    pub fn is_of_piano(&self, key: char) -> bool {
        let (scheme, key) = (Scheme::of(self.layout), self.us_key(key));
        scheme.semitone(key).is_some() || scheme.turn(key).is_some()
    }

    /// Returns whether keys that type a character are commands here: on the pages of songs those that do not play.
    /// Where the piano is shown, a key of it is one only if it types that with Shift.
    #[must_use]
    pub fn is_typed_command(&self, key: char, has_shift: bool) -> bool {
        self.view.is_of_songs() && !(self.plays_along && !has_shift && self.is_of_piano(key))
    }

    /// Notes where a key is, as the terminal reports it: what is drawn becomes a keyboard that has it there.
    pub fn place_key(&mut self, typed: char, us_key: char) {
        if !self.knows_keyboard {
            self.key_places.insert(typed, us_key);
            self.keyboard = self.keyboard.having(typed, us_key);
        }
    }

    /// Returns what is printed on a key of the layout, in capitals.
    #[must_use]
    pub fn label(&self, us_key: char) -> char {
        let placed = self.key_places.iter().find(|(_, place)| **place == us_key);
        let label = placed.map_or_else(|| self.keyboard.label(us_key), |(typed, _)| *typed);
        // Some small letters have two capitals.
        let mut capitals = label.to_uppercase();
        match (capitals.next(), capitals.next()) {
            (Some(capital), None) => capital,
            _ => label,
        }
    }

    /// Moves the keys by octaves, as far as there are keys.
    pub fn turn_octave(&mut self, up: i8) {
        self.octave = self.octave.saturating_add(up).clamp(-1, 8);
    }

    /// Returns the key of the musical keyboard that stands so many semitones above the lower row's first.
    #[must_use]
    pub fn key_at(&self, semitones: u8) -> Option<Key> {
        Key::LOWEST.shifted((i32::from(self.octave) + 1) * 12 + i32::from(semitones))
    }
}
