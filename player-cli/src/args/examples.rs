//! What the help of each command ends with. `tests/help.rs` types it all in.

pub(super) const ALL: &str = "\
Examples:
  What is in a package, and how it sounds:
    $ usampler list Ambient.uax
    $ usampler play Ambient.uax Wind
  All of it as an instrument on the keyboard; F1 tells the keys:
    $ usampler jam Ambient.uax
  The embedded demo, for want of a package:
    $ usampler jam demo:

`usampler COMMAND --help` tells more of each command, with examples.";

pub(super) const INFO: &str = "\
Examples:
  Version, flags and how many sounds:
    $ usampler info Ambient.uax
  The same of a whole folder, for other programs; and what was skipped, and why:
    $ usampler info --json Sounds
    $ usampler info -v Ambient.uax";

pub(super) const LIST: &str = "\
Examples:
  The sounds of a package; of all packages below a folder:
    $ usampler list Ambient.uax
    $ usampler list Sounds
  Only some of them, the shortest first:
    $ usampler list Ambient.uax --filter 'Wind*' --sort length
  For other programs:
    $ usampler list Ambient.uax --json
    $ usampler list Ambient.uax --tsv";

pub(super) const EXTRACT: &str = "\
Examples:
  All sounds as WAV files in out/Ambient, with their loop points; first only say which:
    $ usampler extract Ambient.uax -o out --dry-run
    $ usampler extract Ambient.uax -o out
  A whole folder, each package in a folder of its own:
    $ usampler extract Sounds -o all
  The bytes exactly as they are stored:
    $ usampler extract Ambient.uax -o stored --format original
  For other samplers:
    $ usampler extract Ambient.uax -o bank --sf2 --sfz";

pub(super) const PATTERN: &str = "\
Examples:
  All orders of a tracker module; only the second:
    $ usampler pattern Song.mod
    $ usampler pattern Song.mod 1
  Only its first two channels:
    $ usampler pattern Song.mod 1 --channels 1-2
  For other programs:
    $ usampler pattern Song.mod --json";

pub(super) const PLAY: &str = "\
Examples:
  A sound by its name, or by its number in `list`:
    $ usampler play Ambient.uax Wind
    $ usampler play Ambient.uax '#1'
  Lower, softer, on the left; a looped sound is held for two seconds:
    $ usampler play Ambient.uax Wind --note C3 --gain -6 --pan -0.5 --hold 2s
  A MIDI file with all the sounds:
    $ usampler play Ambient.uax --midi Song.mid
  On another device than the system's, which `usampler devices` names:
    $ usampler play Ambient.uax Wind --device null --buffer 256";

pub(super) const RENDER: &str = "\
Examples:
  A sound as a WAV file, two seconds of its loop:
    $ usampler render Ambient.uax Wind --hold 2s -o wind.wav
  All of them, one after another, as 32-bit float:
    $ usampler render Ambient.uax --all --bits 32f -o all.wav
  A MIDI file as `play` would sound, which has a limiter:
    $ usampler render Ambient.uax --midi Song.mid --limiter -o song.wav
  Into another program:
    $ usampler render Ambient.uax Wind -o -";

pub(super) const JAM: &str = "\
Examples:
  The first sound on the keyboard, or another; F1 tells the keys:
    $ usampler jam Ambient.uax
    $ usampler jam Ambient.uax Wind
  Each key another sound, played with a MIDI keyboard whose name has \"Keystation\" in it:
    $ usampler jam Ambient.uax --map kit --midi Keystation
  As quick as the device can be, on a terminal that does not tell when a key is released:
    $ usampler jam Ambient.uax --buffer 128 --release latch
  A note that does not do what its key did? This tells why:
    $ usampler jam Ambient.uax --log notes.log";

pub(super) const BENCH: &str = "\
Examples:
  How many voices this machine renders in time, for each quality:
    $ usampler bench
  One number of them, measured longer, for other programs:
    $ usampler bench --voices 256 --seconds 0.5 --json";

pub(super) const DEVICES: &str = "\
Examples:
  What can be played on, the system's own marked with *:
    $ usampler devices
    $ usampler devices --json
  What can play:
    $ usampler devices --midi";

pub(super) const COMPLETIONS: &str = "\
Examples:
  For bash, from the next login on, and for fish and zsh:
    $ usampler completions bash > ~/.local/share/bash-completion/completions/usampler
    $ usampler completions fish > ~/.config/fish/completions/usampler.fish
    $ usampler completions zsh > ~/.zfunc/_usampler";

pub(super) const MAN: &str = "\
Examples:
  To be read with `man usampler-play`, where ~/.local/share/man is searched:
    $ usampler man ~/.local/share/man/man1
  To be read at once:
    $ usampler man pages
    $ man pages/usampler.1";
