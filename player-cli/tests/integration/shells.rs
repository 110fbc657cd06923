//! Completion in real shells, of names that would be commands: none is run, and each arrives whole.
//!
//! In front of the program a script notes the arguments it is started with; a shell that is not installed is skipped.

use crate::program;
use crate::pty;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use fixtures::package::PackageWriter;
use fixtures::wave::{Values, Wave};
use portable_pty::CommandBuilder;
use program::usampler;
use pty::{PATIENCE, Speaks, Terminal};
use tempfile::TempDir;

/// Names after two letters that no other has. A shell that expands one of them makes a file, or loses letters.
const NAMES: [&str; 19] = [
    "Aa$(touch${IFS}OWNED)",
    "Ab`touch OWNED`",
    "Ac;touch OWNED;",
    "Ad&touch OWNED&",
    "Ae|touch OWNED",
    "Af>OWNED",
    "Ag'touch OWNED'",
    "Ah!!!1!$",
    "Ai*?[a-z]{b,c}",
    "Aj two  words",
    "Ak\u{e4}\u{df}\u{2603}",
    "Al%F{red}%n%(?.a.b)",
    "Am:desc:b",
    "An~x=y,@z#w^",
    "Ao(touch OWNED)",
    "Ap<(touch OWNED)",
    "Aq}x;touch OWNED",
    "Ar$HOME ${HOME} $x",
    "As end!",
];

/// Names that are offered as numbers.
const NUMBERED: [&str; 5] =
    ["Ba\"touch OWNED\"", "Bb\ntouch OWNED\n", "Bc\ttouch OWNED", "Bd\u{1b}[2J\r", "Be\\touch OWNED"];

/// The package in the folder; the names of files are the names of sounds, but for those that no file has.
const PACKAGE: &str = "p.uax";

/// A shell, and what is typed to make it itself.
struct Shell {
    name: &'static str,
    options: &'static [&'static str],
    setup: &'static str,
    /// Whether a candidate may be another word than the one that was typed.
    replaces: bool,
    /// What is typed to accept a candidate, and before the next word.
    accepts: (&'static str, &'static str),
}

const SHELLS: [Shell; 4] = [
    Shell {
        name: "bash",
        options: &["--norc", "--noprofile", "-i"],
        setup: ". ./completions",
        replaces: true,
        accepts: ("", ""),
    },
    Shell {
        name: "zsh",
        options: &["-f", "-i"],
        setup: "autoload -Uz compinit; compinit -D -u; . ./completions",
        replaces: false,
        accepts: ("", ""),
    },
    Shell {
        name: "fish",
        options: &["--no-config", "-i"],
        setup: "source ./completions",
        replaces: true,
        accepts: ("", ""),
    },
    Shell {
        name: "elvish",
        options: &["-norc"],
        setup: "eval (slurp < completions)",
        replaces: false,
        accepts: ("\r", " "),
    },
];

/// A shell in a terminal, in a folder of hostile names.
struct Session {
    shell: &'static Shell,
    terminal: Terminal,
    folder: TempDir,
    /// Where the script notes what it was started with, and each time that it was asked for completions.
    notes: TempDir,
    asked: usize,
}

impl Session {
    /// Returns a session; none where there is no such shell.
    fn of(shell: &'static Shell) -> Option<Self> {
        if Command::new(shell.name).arg("--version").output().is_err() {
            let note = format!("shells: skipped {}, which is not installed\n", shell.name);
            std::io::stderr().write_all(note.as_bytes()).unwrap();
            return None;
        }
        let (folder, notes) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let mut package = PackageWriter::new(69);
        let wave = Wave::new(48_000, 1, Values::I16(vec![100; 200])).finish();
        for name in NAMES.iter().chain(&NUMBERED) {
            package.sound(name, None, "WAV", &wave);
        }
        fs::write(folder.path().join(PACKAGE), package.finish()).unwrap();
        for name in NAMES.iter().chain(&NUMBERED) {
            fs::copy(folder.path().join(PACKAGE), folder.path().join(file(name))).unwrap();
        }
        let script = format!(
            "#!/bin/sh\ncd {notes}\nif [ -n \"$USAMPLER_COMPLETE\" ]; then cd \"$OLDPWD\"; '{program}' \"$@\"; cd {notes}; printf x >> asked; exit; fi\n\
             printf '%s\\0' \"$@\" > new; mv new args\n",
            notes = notes.path().display(),
            program = env!("CARGO_BIN_EXE_usampler"),
        );
        let wrapper = notes.path().join("bin/usampler");
        fs::create_dir(notes.path().join("bin")).unwrap();
        fs::write(&wrapper, script).unwrap();
        fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(folder.path().join("completions"), usampler(&["completions", shell.name]).bytes).unwrap();

        let mut command = CommandBuilder::new(shell.name);
        command.args(shell.options);
        command.cwd(folder.path());
        let path = format!("{}:{}", wrapper.parent().unwrap().display(), std::env::var("PATH").unwrap());
        for (name, value) in [("PATH", path.as_str()), ("HISTFILE", "/dev/null")] {
            command.env(name, value);
        }
        for name in ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"] {
            command.env(name, notes.path());
        }
        let mut session =
            Self { shell, terminal: Terminal::running(Speaks::Nothing, command), folder, notes, asked: 0 };
        session.terminal.press(&format!("{}\r", shell.setup));
        session.terminal.press("usampler ready\r");
        assert_eq!(session.arguments(), ["ready"], "{}", shell.name);
        Some(session)
    }

    fn note(&self, name: &str) -> PathBuf {
        self.notes.path().join(name)
    }

    /// Types something, asks for its completion, and waits for that.
    fn completes(&mut self, typed: &str) {
        self.terminal.press(&format!("{typed}\t"));
        let asked =
            |session: &Self| fs::metadata(session.note("asked")).map_or(0, |asked| asked.len() as usize);
        let begun = Instant::now();
        while asked(self) <= self.asked {
            assert!(begun.elapsed() < PATIENCE, "{typed} asks nothing:\n{}", self.terminal.contents());
            self.terminal.read(Duration::from_millis(10));
        }
        self.asked = asked(self);
        self.terminal.press(self.shell.accepts.0);
    }

    /// Returns what the program was started with.
    fn arguments(&mut self) -> Vec<String> {
        let begun = Instant::now();
        let args = loop {
            if let Ok(args) = fs::read(self.note("args")) {
                break args;
            }
            assert!(begun.elapsed() < PATIENCE, "nothing was started:\n{}", self.terminal.contents());
            self.terminal.read(Duration::from_millis(10));
        };
        fs::remove_file(self.note("args")).unwrap();
        let args = String::from_utf8(args).unwrap();
        args.strip_suffix('\0').unwrap().split('\0').map(str::to_owned).collect()
    }

    /// Returns what the program is started with when a line is completed after each of its pieces.
    fn runs(&mut self, pieces: &[&str]) -> Vec<String> {
        for (number, piece) in pieces.iter().enumerate() {
            let between = if number > 0 { self.shell.accepts.1 } else { "" };
            self.completes(&format!("{between}{piece}"));
        }
        self.terminal.press("\r");
        self.arguments()
    }
}

/// Returns the name of a file that is called after a sound.
fn file(name: &str) -> String {
    format!("{}.uax", name.replace('/', "_"))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn names_of_sounds_and_files_are_words_in_every_shell_and_no_commands() {
    for shell in &SHELLS {
        let Some(mut session) = Session::of(shell) else { continue };
        let before = names(session.folder.path());
        for name in NAMES {
            // Elvish inserts at once what it need not quote, and there is nothing to accept.
            if shell.name == "elvish"
                && !name.contains(|c: char| c != ':' && c.is_ascii_punctuation() || c == ' ')
            {
                continue;
            }
            let (typed, file) = (&name[..2], file(name));
            let args = session.runs(&[&format!("usampler play {PACKAGE} {typed}")]);
            assert_eq!(args, ["play", PACKAGE, name], "{}", shell.name);
            let args = session.runs(&[&format!("usampler play {typed}"), typed]);
            assert_eq!(args, ["play", &file, name], "{}: the sound of a file", shell.name);
        }
        for (name, number) in NUMBERED.iter().zip(NAMES.len() + 1..) {
            let typed = &name[..2];
            let args = session.runs(&[&format!("usampler play {PACKAGE} {typed}")]);
            let expected = if shell.replaces { format!("#{number}") } else { typed.to_owned() };
            assert_eq!(args, ["play", PACKAGE, &expected], "{}: {name:?}", shell.name);
        }
        assert_eq!(names(session.folder.path()), before, "{}: a command was run", shell.name);
    }
}

#[test]
fn bash_completes_within_quotes_and_after_what_splits_words() {
    let Some(mut session) = Session::of(&SHELLS[0]) else { return };
    for quote in ["\"", "'"] {
        for name in NAMES {
            let args = session.runs(&[&format!("usampler play {PACKAGE} {quote}{}", &name[..2])]);
            assert_eq!(args, ["play", PACKAGE, name], "{quote}");
        }
    }
    for (typed, expected) in [
        ("usampler play p.uax ak", NAMES[10]),
        ("usampler play p.uax Aj\\ tw", NAMES[9]),
        ("usampler play p.uax \"Aj tw", NAMES[9]),
        ("usampler play p.uax Am:d", NAMES[12]),
        ("usampler play \"p.\"'uax' Ad\\&", NAMES[3]),
        ("usampler play demo: War", "Warm"),
        ("usampler play ~/home.u", "home.uax"),
    ] {
        fs::write(session.note("home.uax"), "").unwrap();
        let args = session.runs(&[typed]);
        assert!(args.last().unwrap().ends_with(expected), "{typed}: {args:?}");
    }
    assert!(!session.folder.path().join("OWNED").exists());
}
