//! Each key of each help page, typed on that page: it does what the help says. A key in the help that nothing is known
//! of here fails.

use std::fs;
use std::time::Duration;

use fixtures::module::it::{self, It};
use portable_pty::CommandBuilder;
use tempfile::TempDir;

use crate::pty::{Speaks, Terminal, log};

const COLUMNS: u16 = 110;
const ROWS: u16 = 30;

/// A page, and how it is known from all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Page {
    /// The sounds of the demo.
    Sounds,
    /// Those of a song.
    SoundsOfSong,
    Pattern,
    /// The pattern, with the piano.
    Piano,
    About,
    Songs,
    /// The list, before any of its songs was played.
    SongsUnplayed,
}

impl Page {
    const fn mark(self) -> &'static str {
        match self {
            Self::Sounds | Self::SoundsOfSong => "┏ Sounds",
            Self::Pattern | Self::Piano => "┏ Pattern",
            Self::About => "┏ Message",
            Self::Songs | Self::SongsUnplayed => "┏ Songs",
        }
    }

    fn has_song(self) -> bool {
        !matches!(self, Self::Sounds | Self::SongsUnplayed)
    }
}

/// What is seen once keys have done what they are to do.
#[derive(Clone, Copy)]
enum Seen {
    /// A text that was not there.
    Shows(&'static str),
    /// A text that was there is gone.
    Hides(&'static str),
    /// A part of the screen is another.
    Differs(fn(&str) -> String),
    /// A line of the log of notes contains a text.
    Logs(&'static str),
    /// Something is saved, or why not is said.
    Saves,
    /// The song plays.
    Plays,
    /// The program is suspended.
    Stops,
    /// It ends.
    Ends,
}

use Seen::{Differs, Ends, Hides, Logs, Plays, Saves, Shows, Stops};

/// What a row of the help does.
struct Row {
    /// What is typed, in words or as [`bytes`] has it; the last does what is seen.
    keys: &'static [&'static str],
    seen: Seen,
    /// What takes it back.
    after: &'static [&'static str],
}

const fn row(keys: &'static [&'static str], seen: Seen, after: &'static [&'static str]) -> Row {
    Row { keys, seen, after }
}

/// A key of the row itself: each of them is typed.
const KEY: &str = "KEY";
const EACH: &[&str] = &[KEY];

/// Returns what a terminal sends for a key.
fn bytes(key: &str) -> String {
    let function = |number: u8, shift: bool| match (number, shift) {
        (1..=4, false) => format!("\x1bO{}", char::from(b'O' + number)),
        (6, true) => "\x1b[17;2~".to_owned(),
        _ => format!("\x1b[{}~", [15, 17, 18, 19, 20, 21][usize::from(number) - 5]),
    };
    match key {
        "Space" => " ".to_owned(),
        "Tab" => "\t".to_owned(),
        "Enter" => "\r".to_owned(),
        "Esc" => "\x1b".to_owned(),
        "Backspace" => "\x7f".to_owned(),
        "Shift-F6" => function(6, true),
        "Insert" => "\x1b[2~".to_owned(),
        "Ctrl-PgUp" => "\x1b[5;5~".to_owned(),
        "Ctrl-PgDn" => "\x1b[6;5~".to_owned(),
        "PgUp" => "\x1b[5~".to_owned(),
        "PgDn" => "\x1b[6~".to_owned(),
        _ => {
            let (modifiers, name) =
                key.rsplit_once('-').filter(|(_, name)| !name.is_empty()).unwrap_or(("", key));
            let arrow =
                ["Up", "Down", "Right", "Left", "End", "Home"].iter().position(|arrow| *arrow == name);
            let arrow = arrow.map(|index| ["A", "B", "C", "D", "F", "H"][index]);
            match (modifiers, arrow, name.strip_prefix('F').and_then(|number| number.parse().ok())) {
                (_, None, Some(number)) => function(number, false),
                ("", Some(arrow), _) => format!("\x1b[{arrow}"),
                (held, Some(arrow), _) => {
                    let code = match held {
                        "Shift" => 2,
                        "Alt" => 3,
                        "Ctrl" => 5,
                        _ => panic!("{key}"),
                    };
                    format!("\x1b[1;{code}{arrow}")
                }
                ("Ctrl", None, None) => char::from(name.as_bytes()[0] & 0x1F).to_string(),
                _ => key.to_owned(),
            }
        }
    }
}

struct Stage {
    terminal: Terminal,
    folder: TempDir,
    page: Page,
}

/// Writes a song of four channels and two samples, with a message that is longer than the screen.
fn write_song(folder: &TempDir, name: &str) {
    // It grows, so that each part of it looks otherwise.
    let data = (0..4000).map(|frame| if frame % 20 < 10 { (frame / 40) as u8 } else { 0 }).collect();
    let sample = it::Sample { flags: 1, conversion: 1, length: 4000, data };
    let cells = [1, 2, 3, 4].map(|channel| vec![0x80 | channel, 3, 60, 1 + channel % 2]).concat();
    let pattern = Some((64, [cells, vec![0; 64]].concat()));
    let message: Vec<String> = (1..=60).map(|line| format!("line {line:02}")).collect();
    let song = It {
        samples: vec![sample.clone(), sample],
        patterns: vec![pattern.clone(), pattern],
        orders: vec![0, 1, 0, 1, 0, 255, 1, 255],
        message: Some(message.join("\r").into_bytes()),
        ..It::new(0x214)
    };
    fs::write(folder.path().join("songs").join(name), song.finish().bytes).unwrap();
}

impl Stage {
    fn on(page: Page) -> Self {
        let folder = TempDir::new().unwrap();
        fs::create_dir(folder.path().join("songs")).unwrap();
        write_song(&folder, "a.it");
        write_song(&folder, "b.it");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_usampler"));
        command.cwd(folder.path());
        let what: &[&str] = if page == Page::Sounds { &["demo:", "Warm"] } else { &["songs"] };
        command.args(["jam", "--device", "null", "--log", &log(&folder)]);
        command.args(what);
        let mut terminal = Terminal::running(Speaks::Nothing, command);
        terminal.resize(COLUMNS, ROWS);
        terminal.shows(if page == Page::Sounds { "loop 3000-11091 ╯" } else { "b.it" });
        let mut stage = Self { terminal, folder, page };
        if page.has_song() {
            stage.press("Enter");
            stage.terminal.shows("┏ Pattern");
        }
        stage.returns();
        if page == Page::SoundsOfSong {
            // All groups are open.
            stage.press("Shift-Right");
        }
        stage
    }

    /// Presses a key, or does with the mouse what is said.
    fn press(&mut self, key: &str) {
        match key.strip_prefix("click ") {
            Some("#2") => {
                let row = self
                    .terminal
                    .contents()
                    .lines()
                    .position(|line| line.contains("┃02 ") || line.contains("┃2 "))
                    .unwrap();
                self.click((8, u16::try_from(row).unwrap()));
            }
            Some(text) => {
                let place = self.terminal.find(text);
                self.click(place);
            }
            None if key == "drag over the wave" => {
                for (button, column, kind) in [(0, 70, 'M'), (32, 80, 'M'), (0, 85, 'm')] {
                    self.terminal.mouse(button, column, 5, kind);
                }
            }
            None if key == "drag the start" => {
                for (button, column, kind) in [(0, 67, 'M'), (32, 70, 'M'), (0, 75, 'm')] {
                    self.terminal.mouse(button, column, 2, kind);
                }
            }
            None if key == "wheel over the wave" => self.terminal.mouse(64, 80, 5, 'M'),
            None => self.terminal.press(&bytes(key)),
        }
        self.terminal.read(Duration::from_millis(15));
        if key == "Esc" {
            // What follows it at once would be another key.
            std::thread::sleep(Duration::from_millis(80));
        }
    }

    /// Presses the left button and lets it go.
    fn click(&mut self, (column, row): (u16, u16)) {
        self.terminal.mouse(0, column, row, 'M');
        self.terminal.mouse(0, column, row, 'm');
    }

    fn has(&self, text: &str) -> bool {
        self.terminal.contents().contains(text)
    }

    /// Goes to the page, where the song is paused.
    fn returns(&mut self) {
        let mark = self.page.mark();
        loop {
            self.terminal.until(mark, |terminal| shown(&terminal.contents()).is_some());
            let before = shown(&self.terminal.contents());
            if before == Some(mark) {
                break;
            }
            let goes_back = before == Some("┏ Sounds") || self.page == Page::SoundsOfSong;
            self.terminal.press(&bytes(if goes_back { "Ctrl-G" } else { "Tab" }));
            self.terminal.until(mark, |terminal| {
                let now = shown(&terminal.contents());
                now.is_some() && now != before
            });
        }
        if self.page.has_song() && !self.is_paused() {
            self.terminal.press(&bytes("Ctrl-T"));
            self.terminal.until("pause", |terminal| is_paused(&terminal.contents()));
        }
        if self.page == Page::Piano && !self.has("╭ Keys") {
            self.terminal.press("z");
            self.terminal.shows("╭ Keys");
        }
    }

    fn is_paused(&self) -> bool {
        is_paused(&self.terminal.contents())
    }

    /// Waits until all that was typed is seen: until the help was shown and hidden again.
    fn settle(&mut self) {
        self.terminal.press(&bytes("F1"));
        self.terminal.shows(" Help: ");
        self.terminal.press("q");
        self.terminal.until("page", |terminal| !terminal.contents().contains(" Help: "));
        // The rest of the same picture.
        for _ in 0..20 {
            if !self.terminal.read(Duration::from_millis(15)) {
                break;
            }
        }
    }

    fn log(&self) -> String {
        fs::read_to_string(log(&self.folder)).unwrap_or_default()
    }

    /// Types the keys of a row, and takes back what they did.
    fn does(mut self, row: &Row, key: &str, about: &str) -> Self {
        let what = format!("{:?}: {} {key}: {about}", self.page, row.keys.join(" "));
        let keys: Vec<&str> = row.keys.iter().map(|typed| if *typed == KEY { key } else { *typed }).collect();
        let (last, first) = keys.split_last().unwrap();
        first.iter().for_each(|key| self.press(key));
        self.settle();
        let (before, logged) = (self.terminal.contents(), self.log().len());
        match row.seen {
            Shows(text) => assert!(!before.contains(text), "{what}: {text:?} is there already:\n{before}"),
            Hides(text) => assert!(before.contains(text), "{what}: {text:?} is not there:\n{before}"),
            _ => {}
        }
        self.press(last);
        let path = log(&self.folder);
        let is_saved =
            |screen: &str| [" saved ", "nothing to save", " Save: "].iter().any(|text| screen.contains(text));
        match row.seen {
            Stops => {
                self.terminal.stops();
                self.terminal.signal("CONT");
                self.terminal.until(&what, |terminal| shown(&terminal.contents()).is_some());
            }
            Ends => {
                assert_eq!(self.terminal.end(), 0, "{what}");
                return Self::on(self.page);
            }
            seen => self.terminal.until(&what, |terminal| {
                let now = terminal.contents();
                match seen {
                    Shows(text) => now.contains(text),
                    Hides(text) => !now.contains(text),
                    Differs(part) => part(&now) != part(&before),
                    Logs(text) => fs::read_to_string(&path).unwrap_or_default()[logged..].contains(text),
                    Saves => is_saved(&now),
                    Plays => {
                        !now.contains("paused")
                            && now.lines().next().is_some_and(|line| line.contains("a.it"))
                    }
                    Stops | Ends => true,
                }
            }),
        }
        if self.page == Page::SongsUnplayed && self.has(".it  1 of 2") | self.has(".it  2 of 2") {
            return Self::on(self.page);
        }
        row.after.iter().for_each(|key| self.press(key));
        self.settle();
        self.returns();
        self
    }

    /// Returns the keys of the help and what is said of them.
    fn help(&mut self) -> Vec<(String, String)> {
        self.terminal.resize(COLUMNS, 100);
        self.press("F1");
        self.terminal.until("the whole help", |terminal| {
            let now = terminal.contents();
            now.contains("quit; Ctrl-C always does") && !now.contains("more lines")
        });
        let contents = self.terminal.contents();
        let begin = usize::from(COLUMNS - 84) / 2;
        let lines = contents.lines().skip_while(|line| !line.contains(" Help: ")).skip(1);
        let lines = lines.map(|line| line.chars().skip(begin).take(83).collect::<String>());
        let inner = lines.map_while(|line| line.strip_prefix('┃').map(str::to_owned));
        let mut rows: Vec<(String, String)> = Vec::new();
        for line in inner.filter(|line| line.starts_with(' ') && !line.trim().is_empty()) {
            let keys: String = line.chars().skip(1).take(24).collect();
            let about: String = line.chars().skip(26).collect();
            match (keys.trim(), rows.last_mut()) {
                ("", Some((_, before))) => *before = format!("{before} {}", about.trim()),
                (keys, _) => rows.push((keys.to_owned(), about.trim().to_owned())),
            }
        }
        self.terminal.press("q");
        self.terminal.resize(COLUMNS, ROWS);
        self.returns();
        self.settle();
        rows
    }
}

/// Returns which sound is chosen: `#10 of 11`.
fn number(screen: &str) -> String {
    let before = screen.split_once(" of ").map_or("", |(before, _)| before);
    before.rsplit_once('#').map_or("", |(_, number)| number).to_owned()
}

/// Returns the mark of the page that is shown; none below a menu, or before all is drawn.
fn shown(screen: &str) -> Option<&'static str> {
    ["┏ Sounds", "┏ Pattern", "┏ Message", "┏ Songs"].into_iter().find(|mark| screen.contains(mark))
}

/// Returns whether no song plays: the page of sounds says in its first line that one does.
fn is_paused(screen: &str) -> bool {
    let is_package = |line: &str| line.starts_with(" songs ") || line.starts_with(" demo: ");
    screen.contains("paused")
        || (screen.contains("┏ Sounds") && screen.lines().next().is_some_and(is_package))
}

/// Returns the velocity of the keys.
fn velocity(screen: &str) -> String {
    screen.split_once(" vel ").map_or("", |(_, rest)| &rest[..3]).to_owned()
}

/// Returns the line of a song's position.
fn clock(screen: &str) -> String {
    screen.lines().nth(1).unwrap_or_default().to_owned()
}

/// Returns what of the screen shows the wave.
fn wave(screen: &str) -> String {
    screen.lines().skip(2).take(8).map(|line| line.chars().skip(66).collect::<String>()).collect()
}

/// Returns what a row of the help does on a page; none if nothing is known of it.
fn rows(page: Page, about: &str) -> Vec<Row> {
    let on_sounds = matches!(page, Page::Sounds | Page::SoundsOfSong);
    match about {
        "lower octave and a bit" => vec![row(&["z"], Logs("on "), &["Space"])],
        "upper octave and a bit" => vec![row(&["q"], Logs("on "), &["Space"])],
        "octave down, up" => {
            vec![row(&["]"], Shows("octave C4"), &["["]), row(&["["], Shows("octave C2"), &["]"])]
        }
        "velocity down, up" => {
            vec![row(&["-"], Differs(velocity), &["="]), row(&["="], Differs(velocity), &["-"])]
        }
        "what ends a note: its key, time, the next press, nothing" => {
            vec![row(&["Tab"], Shows("release=latch"), &["Tab", "Tab"])]
        }
        "release all notes; with a song, pause it" if page == Page::Sounds => {
            vec![row(&["Tab", "z", "Space"], Logs("off"), &["Tab", "Tab"])]
        }
        "release all notes; with a song, pause it" => vec![row(&["Space"], Plays, &["Space"])],
        "silence all notes at once; the song begins its row again" => {
            vec![row(&["Tab", "z", "Esc"], Logs("silence"), &["Tab", "Tab"])]
        }
        "layout of the notes: piano, rows, DAW" => vec![row(EACH, Shows("layout rows"), &["F2", "F2"])],
        "kit: each key plays its own sound, in the order of the list" => {
            vec![row(EACH, Shows("map kit"), &["F7"])]
        }
        "choose a sound; page up and down, Home and End as well" => vec![
            row(&["Home", "Down"], Differs(number), &[]),
            row(&["Up"], Differs(number), &[]),
            row(&["PgDn"], Differs(number), &[]),
            row(&["PgUp"], Differs(number), &[]),
            row(&["End"], Differs(number), &[]),
            row(&["Home"], Differs(number), &["End", "Up"]),
        ],
        "play it at its own pitch" => vec![row(&["Enter"], Logs("on "), &["Space"])],
        "fold and unfold groups, with Shift all of them" => vec![
            row(&["Left"], Shows("▸"), &["Right"]),
            row(&["Left", "Right"], Hides("▸"), &[]),
            row(&["Shift-Left"], Shows("▸"), &["Shift-Right"]),
        ],
        "click a sound to choose it, again to hear it; a group to fold it" => {
            vec![row(&["Home", "click #2", "click #2"], Logs("on "), &["Space"])]
        }
        "search by words or patterns; Esc shows all" => vec![row(EACH, Shows("Search: _"), &["Esc"])],
        "sort sounds by name, length, rate; songs by title, length, program" => {
            vec![row(EACH, Shows("(Ctrl-O) ━"), in_order(page))]
        }
        "to the next package or group" => vec![row(EACH, Differs(number), &["Home", "End", "Up"])],
        "pick it, or its group, for an instrument; again: no more" => {
            vec![row(EACH, Shows("1 sound is picked"), &["Up", "Ctrl-A", "Up"])]
        }
        "play each sound when it is chosen" => vec![row(EACH, Shows("preview on"), &["Ctrl-P"])],
        "drag over the wave to set the loop, or one of its ends; turn the wheel to zoom" => {
            vec![
                row(&["wheel over the wave"], Differs(wave), &["Alt-Down"]),
                row(&["drag over the wave"], Shows("*loop on"), &["Ctrl-U"]),
            ]
        }
        "drag [ or ] on the wave to set where the sound begins and ends" => {
            vec![row(&["drag the start"], Shows("*trim "), &["Ctrl-U"])]
        }
        "while the trim is adjusted, move its start, with Shift its end" => vec![row(
            &["F4", "Down", "Down", "Down", "Down", "Down", "Down", "Down", "Down", "Down", "Right"],
            Shows("*trim "),
            &["Backspace", "F4"],
        )],
        "while adjusting, to another page of knobs" => vec![
            row(&["F4", "PgDn"], Shows("envelope 2/6"), &["PgUp", "F4"]),
            row(&["F4", "PgDn", "PgUp"], Shows("sound 1/6"), &["F4"]),
        ],
        "while adjusting: a MIDI controller for the knob; again: no more" => {
            let after = &["Ctrl-N", "PgUp", "F4"];
            vec![row(&["F4", "PgDn", KEY], Shows("turn a MIDI controller for"), after)]
        }
        "adjust with the arrows: gain, pan, tune and more" => vec![row(EACH, Shows("┏ Adjust"), &["F4"])],
        "loop on or off; drag the mouse over the wave to set it" => {
            vec![row(EACH, Shows("*loop o"), &["Ctrl-U"])]
        }
        "save it as adjusted; picked ones, a kit or a group as one" => vec![row(EACH, Saves, &["Esc"])],
        "show less of the wave, larger, around its position or loop" if on_sounds => {
            vec![row(EACH, Differs(wave), &["Alt-Down"])]
        }
        "show less of the wave, larger, around its position or loop" => {
            vec![row(EACH, Shows("┏ Sounds"), &["Alt-Down"])]
        }
        "show more of the wave" if on_sounds => vec![row(&["Alt-Up", KEY], Differs(wave), &[])],
        "show more of the wave" => vec![row(EACH, Shows("┏ Sounds"), &[])],
        "switches and states that choose what an event plays" => {
            vec![row(EACH, Shows("nothing here depends on switches"), &[])]
        }
        "undo an adjustment" => vec![row(&["F5", KEY], Shows("undone: loop"), &[])],
        "redo it" => vec![row(&["F5", "Ctrl-U", KEY], Shows("done again: loop"), &["Ctrl-U"])],
        "help, as does ?" => {
            vec![row(EACH, Shows(" Help: "), &["Esc"]), row(&["?"], Shows(" Help: "), &["Esc"])]
        }
        "start and stop a take" => vec![row(EACH, Shows("REC 0:"), &["F6"])],
        "save the last minutes played" => vec![row(EACH, Saves, &[])],
        "audio device" => vec![row(EACH, Shows(" Devices: "), &["Esc"])],
        "suspend" => vec![row(EACH, Stops, &[])],
        "quit; Ctrl-C always does" => vec![row(EACH, Ends, &[]), row(&["Ctrl-C"], Ends, &[])],
        _ => rows_of_songs(page, about),
    }
}

/// Returns the keys after which a sorted list is in its own order again.
const fn in_order(page: Page) -> &'static [&'static str] {
    match page {
        Page::Songs | Page::SongsUnplayed => &["Ctrl-O"; 4],
        _ => &["Ctrl-O"; 3],
    }
}

fn rows_of_songs(page: Page, about: &str) -> Vec<Row> {
    let in_list = matches!(page, Page::Songs | Page::SongsUnplayed);
    match about {
        "in the list of songs, choose one; page up and down, Home and End as well" => vec![
            row(&["Home", "Down", "Enter"], Shows("b.it  2 of 2"), &["<"]),
            row(&["End", "Up", "PgDn", "Enter"], Shows("b.it  2 of 2"), &["<"]),
        ],
        "in the list of songs, play the chosen one" => {
            vec![row(&["End", "Enter"], Shows("b.it  2 of 2"), &["<"])]
        }
        "five seconds back or further" => {
            vec![row(&["Right"], Differs(clock), &["Left"]), row(&["Right", "Left"], Differs(clock), &[])]
        }
        "in the pattern, a row back or further; page up and down an order; Home, End the first, the last" => {
            vec![
                row(&["Down"], Shows("row 01"), &["Up"]),
                row(&["Down", "Up"], Shows("row 00"), &[]),
                row(&["PgDn"], Shows("order 1/"), &["PgUp"]),
                row(&["End"], Shows("order 6/"), &["Home"]),
            ]
        }
        "on the page of samples and message, scroll" => {
            vec![row(&["Down"], Hides("line 01"), &["Up"]), row(&["End"], Shows("line 60"), &["Home"])]
        }
        "mark a channel" => {
            vec![row(&["Shift-Right", "Ctrl-K"], Shows("mute 2 "), &["Ctrl-K", "Shift-Left"])]
        }
        "choose an instrument" => {
            vec![row(&["Shift-Down", "z"], Logs(" #2 "), &["Esc", "Shift-Up"])]
        }
        "play the chosen instrument at its own pitch" => vec![row(&["Enter"], Logs("on "), &["Esc"])],
        "mute the channels 1 to 10, or unmute them" => {
            vec![row(&["1"], Shows("mute 1 "), &["1"]), row(&["4", "4"], Hides("mute 4 "), &[])]
        }
        "the next page: pattern, samples and message, songs" => vec![row(&["Tab"], Hides(page.mark()), &[])],
        "play along: the piano is shown, and has all keys that play" => {
            vec![row(&["z"], Shows("╭ Keys"), &["Esc"])]
        }
        "hide the piano, release all notes but the song's; back to the pattern" if page == Page::Piano => {
            vec![row(&["Esc"], Hides("╭ Keys"), &[])]
        }
        "hide the piano, release all notes but the song's; back to the pattern" => {
            vec![row(&["z", "Esc"], Hides("╭ Keys"), &[])]
        }
        "click an order, a row or the bar to go there; a channel to mute it, right: solo" => vec![
            row(&["click   2   0│"], Shows("order 2/"), &["Home"]),
            row(&["click 05 ..."], Shows("row 05"), &["Home"]),
            row(&["click 3    "], Shows("mute 3 "), &["!"]),
        ],
        "click a song to choose it, again to play it; the bar to go there" => {
            vec![row(&["Home", "click b.it", "click b.it"], Shows("b.it  2 of 2"), &["<"])]
        }
        "play the song, pause it" if page == Page::SongsUnplayed => vec![row(EACH, Shows("┏ Pattern"), &[])],
        "play the song, pause it" => vec![row(EACH, Plays, &["Ctrl-T"])],
        "the list of sounds, and back to the song" if page == Page::SoundsOfSong => {
            vec![row(EACH, Shows("┏ Pattern"), &[])]
        }
        "the list of sounds, and back to the song" => vec![row(EACH, Shows("┏ Sounds"), &["Ctrl-G"])],
        "louder by a decibel" => vec![row(EACH, Shows(" +1 dB "), &["-"])],
        "softer by a decibel" => vec![row(EACH, Shows(" -1 dB "), &["+"])],
        "left and right closer together, down to mono" => vec![row(EACH, Shows("stereo 80 %"), &["*"])],
        "left and right further apart, up to what is stored" => {
            vec![row(&["_", KEY], Hides("stereo 80 %"), &[])]
        }
        "the next song" if page == Page::SongsUnplayed => vec![row(EACH, Shows(" of 2 "), &[])],
        "the next song" => vec![row(EACH, Shows("b.it  2 of 2"), &["Ctrl-PgUp"])],
        "the song before it" if page == Page::SongsUnplayed => vec![row(EACH, Shows(" of 2 "), &[])],
        "the song before it" => vec![row(&["Ctrl-PgDn", KEY], Shows("a.it  1 of 2"), &[])],
        "the next song of the same module" => vec![row(EACH, Shows("song 2 of 2"), &["{"])],
        "the one before it in the module" => vec![row(&["}", KEY], Hides("song 2 of 2"), &[])],
        "shuffle the songs, or put them in order" if in_list => {
            vec![row(EACH, Shows("shuffled"), &["Ctrl-X"])]
        }
        "shuffle the songs, or put them in order" => vec![row(EACH, Shows("shuffled"), &["Ctrl-X"])],
        "repeat this pattern, or continue" => vec![row(EACH, Shows("looped"), &["Ctrl-L"])],
        "mute the marked channel, or unmute it" => vec![row(EACH, Shows("mute 1"), &["Ctrl-K"])],
        "hear the marked channel alone, or all again" => vec![row(EACH, Shows("mute 2,3,4"), &["Ctrl-Y"])],
        "hear all channels" => vec![row(&["Ctrl-K", KEY], Hides("mute 1 "), &[])],
        "slower by a percent, at the same pitch" => vec![row(EACH, Shows("at 99 %"), &["Ctrl-Right"])],
        "faster by a percent, at the same pitch" => vec![row(EACH, Shows("at 101 %"), &["Ctrl-Left"])],
        _ => Vec::new(),
    }
}

fn does_what_its_help_says(page: Page) {
    let mut stage = Stage::on(page);
    let help = stage.help();
    assert!(help.len() > 20, "{help:#?}");
    for (keys, about) in help {
        let rows = rows(page, &about);
        assert!(!rows.is_empty(), "{page:?}: nothing is known of {keys}: {about}");
        for row in rows {
            let each: Vec<&str> = keys.split(", ").collect();
            let typed = if row.keys.contains(&KEY) { each } else { vec![""] };
            for key in typed {
                stage = stage.does(&row, key, &about);
            }
        }
    }
}

#[test]
fn each_key_in_the_help_of_the_sounds_does_what_it_says() {
    does_what_its_help_says(Page::Sounds);
}

#[test]
fn each_key_in_the_help_of_a_songs_sounds_does_what_it_says() {
    does_what_its_help_says(Page::SoundsOfSong);
}

#[test]
fn each_key_in_the_help_of_the_pattern_does_what_it_says() {
    does_what_its_help_says(Page::Pattern);
    does_what_its_help_says(Page::Piano);
}

#[test]
fn each_key_in_the_help_of_the_message_does_what_it_says() {
    does_what_its_help_says(Page::About);
}

#[test]
fn each_key_in_the_help_of_the_list_of_songs_does_what_it_says() {
    does_what_its_help_says(Page::Songs);
    does_what_its_help_says(Page::SongsUnplayed);
}
