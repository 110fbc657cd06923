//! The program as people run it: typed commands, terminals, shells, folders of games.

#[path = "program/containers.rs"]
mod containers;
mod program;
#[cfg(target_os = "linux")]
mod pty;

#[cfg(target_os = "linux")]
mod adjusted;
mod arranged;
mod asset;
mod asset_actions;
mod asset_answers;
mod asset_edit;
mod asset_mods;
mod asset_packing;
mod banks_and_folders;
mod bench;
mod cli;
mod completions;
#[cfg(target_os = "linux")]
mod deaf;
#[cfg(unix)]
mod disk_space;
mod files;
mod first_commands;
#[cfg(target_os = "linux")]
mod first_screen;
mod help;
#[cfg(target_os = "linux")]
mod help_keys;
#[cfg(target_os = "linux")]
mod hostile;
mod kept_files;
#[cfg(target_os = "linux")]
mod keyboard;
#[cfg(unix)]
mod killed;
mod limiter;
#[cfg(unix)]
mod links;
mod midi;
mod modules;
#[cfg(target_os = "linux")]
mod mouse;
mod names;
mod natural_commands;
mod output;
#[cfg(target_os = "linux")]
mod physical_keyboard;
mod readme;
mod real_device;
mod real_games;
mod replace;
#[cfg(target_os = "linux")]
mod rivals;
mod screen;
#[cfg(target_os = "linux")]
mod settings;
#[cfg(target_os = "linux")]
mod shells;
mod song;
mod sound_modules;
mod streams;
#[cfg(target_os = "linux")]
mod terminal;
