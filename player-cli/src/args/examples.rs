//! What the help of each command ends with. `tests/help.rs` types it all in.

use screen::keymap::{KeyGroup, Keymap, ROWS, help_lines};

pub(super) const ALL: &str = include_str!("examples/all.txt").trim_ascii_end();

pub(super) const INFO: &str = "\
Examples:
  Version, flags and how many sounds:
    $ usampler info Ambient.uax
  A whole folder as JSON; what was skipped, and why:
    $ usampler info --json Sounds
    $ usampler info -v Ambient.uax";

pub(super) const ASSET: &str = include_str!("examples/asset.txt").trim_ascii_end();

pub(super) const REPLACE: &str = "\
Examples:
  A mod that puts a recording in the place of a sound, mounted over the game:
    $ usampler replace Paks Steps steps.wav -o Paks/Steps_P
  Several at once:
    $ usampler replace Paks --table sounds.tsv -o Paks/Sounds_P";

pub(super) const LIST: &str = include_str!("examples/list.txt").trim_ascii_end();

pub(super) const EXTRACT: &str = include_str!("examples/extract.txt").trim_ascii_end();

pub(super) const PATTERN: &str = include_str!("examples/pattern.txt").trim_ascii_end();

pub(super) const PLAY: &str = include_str!("examples/play.txt").trim_ascii_end();

pub(super) const RENDER: &str = include_str!("examples/render.txt").trim_ascii_end();

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

pub(super) const PAGE: &str = "\
Examples:
  A page that opens from disk in any browser:
    $ usampler page
  One that plays a kit, to be sent to a friend:
    $ usampler page -o kit.html kit.uax";

pub(super) const CONFIG: &str = "\
Settings are defaults of options, in a TOML file with a table for each command; [all] is for every
command. What is typed goes before.

Examples:
  Where the file is, and what it says:
    $ usampler config
  The path alone, for an editor:
    $ usampler config --path";

/// Returns the examples of `jam`, and its keys as the keymap has them.
pub(super) fn jam() -> String {
    let line = |(keys, about): (String, &str)| format!("  {keys:<22}  {}\n", about.replace('`', ""));
    let keymap = Keymap::default();
    let group = |group: KeyGroup| {
        let lines: String = help_lines(&keymap, group, |_| true, |_, _| true).into_iter().map(line).collect();
        format!("{}:\n{lines}", group.name())
    };
    let groups = KeyGroup::ALL.map(group).join("\n");
    format!(
        "{JAM}\n\nKeys, as on a US keyboard; Z S X D C and Q 2 W 3 E play:\n\n{groups}\n\
         --keys moves commands to other keys: {}.",
        ROWS.map(|row| row.name).join(", ")
    )
}
