//! What the help of each command ends with. `tests/help.rs` types it all in.

use screen::keymap::{ROWS, help_lines};

pub(super) const ALL: &str = "\
Examples:
  What is in a package, and how it sounds:
    $ usampler list Ambient.uax
    $ usampler play Ambient.uax Wind
  All of it as an instrument on the keyboard; F1 shows the keys:
    $ usampler jam Ambient.uax
  The embedded demo, without a package:
    $ usampler jam demo:

`usampler COMMAND --help` describes each command, with examples.";

pub(super) const INFO: &str = "\
Examples:
  Version, flags and how many sounds:
    $ usampler info Ambient.uax
  A whole folder as JSON; what was skipped, and why:
    $ usampler info --json Sounds
    $ usampler info -v Ambient.uax";

pub(super) const ASSET: &str = "\
Examples:
  What is in the containers of a game; the configuration in it:
    $ usampler asset ls Paks --filter '*.ini'
    $ usampler asset cat Paks Game/Config/Game.ini
  The same as a file below out:
    $ usampler asset unpack Paks --filter '*.ini' -o out
  Whether a download is whole:
    $ usampler asset verify Paks/Game.pak
  A folder of changed files as a mod, which the engine mounts over the game:
    $ usampler asset pack out -o Paks/MyMod_P.pak --compress zlib
  A package as JSON, and the same package of it, or a changed one:
    $ usampler asset json Paks /Game/Audio/Steps -o steps.json
    $ usampler asset from-json steps.json -o Steps.uasset
  A changed package as a mod, at its path in the game:
    $ usampler asset from-json steps.json --base Paks -o Paks/Edited_P
  Which mods change the same files, and which of them wins:
    $ usampler asset ls Paks --conflicts

Names from other programs work too: list (ls), get (cat), info (show), extract (unpack), and also
without `asset` unpack, pack, verify, to-json or tojson, from-json or fromjson, to-zen (pack) and
to-legacy (unpack --legacy).";

pub(super) const REPLACE: &str = "\
Examples:
  A mod that puts a recording in the place of a sound, mounted over the game:
    $ usampler replace Paks Steps steps.wav -o Paks/Steps_P
  Several at once:
    $ usampler replace Paks --table sounds.tsv -o Paks/Sounds_P";

pub(super) const LIST: &str = "\
Examples:
  The sounds of a package; of all packages below a folder:
    $ usampler list Ambient.uax
    $ usampler list Sounds
  Only some, shortest first:
    $ usampler list Ambient.uax --filter 'Wind*' --sort length
  For other programs:
    $ usampler list Ambient.uax --json
    $ usampler list Ambient.uax --tsv";

pub(super) const EXTRACT: &str = "\
Examples:
  All sounds as WAV files in a new folder Ambient, with loop points; the first command only prints their names:
    $ usampler extract Ambient.uax --dry-run
    $ usampler extract Ambient.uax
  A whole folder, each package in a folder of its own below all; a game keeps its folders:
    $ usampler extract Sounds -o all
  The bytes exactly as they are stored:
    $ usampler extract Ambient.uax -o stored --format original
  For other samplers:
    $ usampler extract Ambient.uax -o bank --sf2 --sfz
  Only a tracker module of the sounds, in which each row plays one:
    $ usampler extract Ambient.uax -o bank --it --notes --no-wav";

pub(super) const PATTERN: &str = "\
Examples:
  All orders of a tracker module; only the second:
    $ usampler pattern Song.mod
    $ usampler pattern Song.mod 1
  Only its first two channels:
    $ usampler pattern Song.mod 1 --channels 1-2
  The pattern that refers to the sounds of a package:
    $ usampler pattern Ambient.uax
  For other programs:
    $ usampler pattern Song.mod --json";

pub(super) const PLAY: &str = "\
Examples:
  A sound by its name, or by its number in `list`:
    $ usampler play Ambient.uax Wind
    $ usampler play Ambient.uax 1
  Lower, softer, on the left, a looped sound held for two seconds:
    $ usampler play Ambient.uax Wind --note C3 --gain -6 --pan -0.5 --hold 2s
  A MIDI file with all the sounds:
    $ usampler play Ambient.uax --midi Song.mid
  The song of a tracker module; twice, and only its first channels:
    $ usampler play Song.mod
    $ usampler play Song.mod --loops 1 --solo 1-2
  On another device, as named by `usampler devices`:
    $ usampler play Ambient.uax Wind --device null --buffer 256";

pub(super) const RENDER: &str = "\
Examples:
  A sound as a new file Wind.wav, two seconds of its loop; as another one:
    $ usampler render Ambient.uax Wind --hold 2s
    $ usampler render Ambient.uax Wind --hold 2s -o gale.wav
  All of them, one after another, as 32-bit float:
    $ usampler render Ambient.uax --all --bits 32f -o all.wav
  A MIDI file, with the limiter of `play`:
    $ usampler render Ambient.uax --midi Song.mid --limiter -o song.wav
  The song of a tracker module, each channel as a file of its own besides:
    $ usampler render Song.mod --stems channels -o tune.wav
  Into another program:
    $ usampler render Ambient.uax Wind -o -";

/// Examples of `jam`; its keys follow.
const JAM: &str = "\
Examples:
  The first sound on the keyboard, or another; F1 shows the keys:
    $ usampler jam Ambient.uax
    $ usampler jam Ambient.uax Wind
  Each key its own sound, from a MIDI keyboard with \"Keystation\" in it:
    $ usampler jam Ambient.uax --map kit --midi Keystation
  Low latency, on a terminal that does not report key releases:
    $ usampler jam Ambient.uax --buffer 128 --release latch
  All packages below a folder; each is a group, and a search finds sounds of all:
    $ usampler jam Sounds
  A log for a bug report, when a note misbehaves:
    $ usampler jam Ambient.uax --log notes.log";

pub(super) const BENCH: &str = "\
Examples:
  How many voices this machine renders, for each quality:
    $ usampler bench
  256 voices, measured for half a second, as JSON:
    $ usampler bench --voices 256 --seconds 0.5 --json";

pub(super) const DEVICES: &str = "\
Examples:
  Audio outputs, the system's default marked with *:
    $ usampler devices
    $ usampler devices --json
  MIDI inputs:
    $ usampler devices --midi";

pub(super) const COMPLETIONS: &str = "\
Examples:
  For bash, from the next login on, and for fish and zsh:
    $ usampler completions bash > ~/.local/share/bash-completion/completions/usampler
    $ usampler completions fish > ~/.config/fish/completions/usampler.fish
    $ usampler completions zsh > ~/.zfunc/_usampler";

pub(super) const LICENSES: &str = "\
Examples:
  To read them:
    $ usampler licenses
  Into a file that goes with the program:
    $ usampler licenses > licenses.txt";

pub(super) const CONFIG: &str = "\
Settings are defaults of options, in a TOML file with a table for each command; [all] is for every
command. What is typed goes before.

Examples:
  Where the file is, and what it says:
    $ usampler config
  The path alone, for an editor:
    $ usampler config --path";

/// Keys of `jam` that are no commands, and what they do.
const FIXED_KEYS: [(&str, &str); 6] = [
    ("Z S X D C ..  Q 2 W 3 E ..", "play"),
    ("[ ]  - =", "octave, velocity"),
    ("up, down, Enter", "choose a sound, play it at its own pitch"),
    ("left, right", "fold and unfold groups"),
    ("Tab", "what ends a note: its key, time, the next press, nothing"),
    ("Space, Esc", "release all notes; silence at once"),
];

/// Returns the examples of `jam`, and its keys as the keymap has them.
pub(super) fn jam() -> String {
    let line = |(keys, about): (String, &str)| format!("  {keys:<26}  {}\n", about.replace('`', ""));
    let fixed = FIXED_KEYS.map(|(keys, about)| (keys.to_owned(), about));
    let lines: String = fixed.into_iter().chain(help_lines(false)).map(line).collect();
    let song: String = help_lines(true).into_iter().map(line).collect();
    format!(
        "{JAM}\n\nKeys, as on a US keyboard:\n{lines}\nKeys of the song:\n{song}\n\
         --keys moves commands to other keys: {}.",
        ROWS.map(|row| row.name).join(", ")
    )
}
