//! The commands of the README, typed in: what it shows is what the program prints.

mod program;

use std::fs;
use std::io::Read as _;
use std::path::Path;

use tempfile::TempDir;

fn readme() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).unwrap()
}

/// Blocks that show a command and what it prints: the words of the command, and the lines below it.
fn shown(readme: &str) -> Vec<(Vec<String>, String)> {
    let blocks = readme.split("```console\n$ usampler ").skip(1);
    blocks
        .map(|block| {
            let block = block.split("```").next().unwrap();
            let (line, printed) = block.split_once('\n').unwrap();
            (words(line), printed.to_owned())
        })
        .collect()
}

/// Splits a line as a shell does: at blanks outside single quotes.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    parts
        .flat_map(|(index, part)| match index % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
            _ => vec![part.to_owned()],
        })
        .collect()
}

/// Everything a command prints, both outputs in the order in which they come.
fn printed(words: &[String], folder: &Path) -> String {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (mut reader, writer) = std::io::pipe().unwrap();
    let mut command = program::command(&words);
    command.current_dir(folder).stdout(writer.try_clone().unwrap()).stderr(writer);
    let mut child = command.spawn().unwrap();
    // The last writer besides the program.
    drop(command);
    let mut printed = String::new();
    reader.read_to_string(&mut printed).unwrap();
    child.wait().unwrap();
    printed
}

#[test]
fn every_command_prints_what_the_readme_shows() {
    let readme = readme();
    let shown = shown(&readme);
    assert!(shown.len() >= 6, "the examples are found");
    let folder = TempDir::new().unwrap();
    for (words, expected) in shown {
        assert_eq!(printed(&words, folder.path()), expected, "usampler {}", words.join(" "));
    }
}

#[test]
fn the_exit_codes_of_the_readme_are_those_of_the_program() {
    use player_cli::exit::Exit;
    let codes = [
        Exit::Done,
        Exit::Partly,
        Exit::Usage,
        Exit::Unreadable,
        Exit::NoDevice,
        Exit::NotWritable,
        Exit::Interrupted,
    ];
    let readme = readme();
    let table = readme.split("| code | meaning |").nth(1).unwrap();
    let stated: Vec<u32> = table
        .lines()
        .map_while(|line| {
            if line.is_empty() || line.starts_with("|---") {
                return Some(None);
            }
            let code = line.strip_prefix("| ")?.split(' ').next()?;
            Some(code.parse().ok())
        })
        .flatten()
        .collect();
    assert_eq!(stated, codes.map(|code| code as u32));
}
