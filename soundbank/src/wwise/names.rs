//! Names: what Wwise writes beside its banks, and lists of words whose hashes are ids.

mod json;
mod text;
mod xml;

use std::collections::HashMap;
use std::mem::size_of;

use unreal::Limits;

use super::hash::fnv32;

/// Names by the ids of what they name.
#[derive(Clone, Debug, Default)]
pub(super) struct NameTable {
    events: HashMap<u32, Vec<String>>,
    media: HashMap<u32, Vec<String>>,
    others: HashMap<u32, String>,
}

/// What has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// An event.
    Event,
    /// A media.
    Media,
    /// A bank, a group, a value, a game parameter.
    Other,
}

/// Names beyond these of one thing are left out.
const MAX_NAMES: usize = 16;

impl NameTable {
    /// Adds a name unless it is known or empty.
    pub(super) fn add(&mut self, named: Named, id: u32, name: &str) {
        if name.is_empty() || name.len() > unreal::MAX_PATH {
            return;
        }
        let names = match named {
            Named::Event => self.events.entry(id).or_default(),
            Named::Media => self.media.entry(id).or_default(),
            Named::Other => {
                self.others.entry(id).or_insert_with(|| name.into());
                return;
            }
        };
        if names.len() < MAX_NAMES && !names.iter().any(|known| known == name) {
            names.push(name.into());
        }
    }

    /// Adds a word that names whatever its hash is the id of.
    pub(super) fn add_word(&mut self, word: &str) {
        let word = word.trim();
        self.add(Named::Other, fnv32(word), word);
    }

    fn names(&self, named: Named, id: u32) -> &[String] {
        match named {
            Named::Event => self.events.get(&id).map_or(&[], Vec::as_slice),
            Named::Media => self.media.get(&id).map_or(&[], Vec::as_slice),
            Named::Other => self.others.get(&id).map_or(&[], std::slice::from_ref),
        }
    }
}

/// Returns the names of something by its id in the first of the tables that know it; a table of words comes last.
pub(super) fn find_names(tables: &[&NameTable], named: Named, id: u32) -> Vec<String> {
    let of =
        |named: Named| tables.iter().map(move |table| table.names(named, id)).find(|names| !names.is_empty());
    of(named).or_else(|| of(Named::Other)).unwrap_or_default().to_vec()
}

/// What a file of names is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameFile {
    /// `SoundbanksInfo.xml`, or one of a bank.
    Xml,
    /// `SoundbanksInfo.json`, or one of a bank.
    Json,
    /// `<bank>.txt`.
    Table,
    /// `Wwise_IDs.h`.
    Header,
}

impl NameFile {
    /// Tells by a file's name whether it may hold names.
    pub(super) fn of(name: &str) -> Option<Self> {
        let (stem, extension) = name.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "xml" => Some(Self::Xml),
            "json" => Some(Self::Json),
            "txt" => Some(Self::Table),
            "h" if stem.eq_ignore_ascii_case("wwise_ids") => Some(Self::Header),
            _ => None,
        }
    }

    /// Adds the names of a file to a table; returns how many it had.
    pub(super) fn read(self, bytes: &[u8], table: &mut NameTable) -> usize {
        let mut count = 0_usize;
        let mut add = |named, id, name: &str| {
            count = count.saturating_add(1);
            table.add(named, id, name);
        };
        let text = decode(bytes);
        match self {
            Self::Xml => xml::read(&text, &mut add),
            Self::Json => json::read(&text, &mut add),
            Self::Table => text::read_table(&text, &mut add),
            Self::Header => text::read_header(&text, &mut add),
        }
        count
    }
}

/// Decodes UTF-8, or UTF-16 with its mark.
fn decode(bytes: &[u8]) -> String {
    let wide = |rest: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = rest.as_chunks::<2>().0.iter().map(|pair| unit(*pair)).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xFF, 0xFE, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => wide(rest, u16::from_be_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// Makes a table of words, as far as memory allows; false if some were left out.
pub(super) fn word_table(words: &[String], limits: &mut Limits) -> (NameTable, bool) {
    let mut table = NameTable::default();
    for word in words {
        let cost = (word.len() as u64).saturating_add(size_of::<(u32, String)>() as u64);
        if limits.take(cost, 0, "words").is_err() {
            return (table, false);
        }
        table.add_word(word);
    }
    (table, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(kind: NameFile, text: &str) -> NameTable {
        let mut table = NameTable::default();
        kind.read(text.as_bytes(), &mut table);
        table
    }

    #[test]
    fn xml_names_events_media_and_switches() {
        let table = read(
            NameFile::Xml,
            r#"<?xml version="1.0"?><SoundBanksInfo><SoundBank Id="7" Language="SFX"><ShortName>Bank</ShortName>
            <IncludedEvents><Event Id="1" Name="A&amp;B" ObjectPath="\Events\A&amp;B"/></IncludedEvents>
            <IncludedMemoryFiles><File Id="2" Language="SFX"><ShortName>Dir\x.wav</ShortName><Path>SFX\x_1.wem</Path></File>
            </IncludedMemoryFiles><SwitchGroup Id="3" Name="Floor"><Switch Id="4" Name="Wood"/></SwitchGroup></SoundBank>"#,
        );
        assert_eq!(table.names(Named::Event, 1), ["A&B", "\\Events\\A&B"]);
        assert_eq!(table.names(Named::Media, 2), ["Dir\\x.wav"]);
        assert_eq!(table.names(Named::Other, 3), ["Floor"]);
        assert_eq!(table.names(Named::Other, 4), ["Wood"]);
        assert_eq!(table.names(Named::Other, 7), ["Bank"]);
    }

    #[test]
    fn json_names_the_same() {
        let table = read(
            NameFile::Json,
            r#"{"SoundBanksInfo":{"SoundBanks":[{"Id":"7","ShortName":"Bank","Media":[{"Id":"2","ShortName":"x.wav"}],
            "Events":[{"Id":"1","Name":"A","ObjectPath":"\\Events\\A","MediaRefs":[{"Id":"2"}]}],
            "StateGroups":[{"Id":3,"Name":"Floor","States":[{"Id":"4","Name":"Wood"}]}]}]}}"#,
        );
        assert_eq!(table.names(Named::Event, 1), ["A", "\\Events\\A"]);
        assert_eq!(table.names(Named::Media, 2), ["x.wav"]);
        assert_eq!(table.names(Named::Other, 3), ["Floor"]);
        assert_eq!(table.names(Named::Other, 4), ["Wood"]);
    }

    #[test]
    fn text_tables_name_by_their_headings() {
        let table = read(
            NameFile::Table,
            "Event\tID\tName\t\t\tWwise Object Path\tNotes\n\t1\tA\t\t\t\\Work\\A\t\n\n\
             In Memory Audio\tID\tName\tAudio source file\tGenerated audio file\n\t2\tx\tC:\\o\\x.wav\tg\n",
        );
        assert_eq!(table.names(Named::Event, 1), ["A", "\\Work\\A"]);
        assert_eq!(table.names(Named::Media, 2), ["x", "C:\\o\\x.wav"]);
    }

    #[test]
    fn headers_name_by_their_constants() {
        let table = read(
            NameFile::Header,
            "namespace EVENTS\n{\n static const AkUniqueID PLAY_A = 1U;\n}\nnamespace X { static const AkUniqueID WOOD = 4U; }",
        );
        assert_eq!(table.names(Named::Other, 1), ["PLAY_A"]);
        assert_eq!(table.names(Named::Other, 4), ["WOOD"]);
    }

    #[test]
    fn words_name_what_they_hash_to_and_only_where_nothing_better_is_known() {
        let (words, is_whole) = word_table(&["Demo_Event".to_owned()], &mut Limits::default());
        assert!(is_whole);
        assert_eq!(find_names(&[&words], Named::Event, 1_040_102_313), ["Demo_Event"]);
        let mut table = NameTable::default();
        table.add(Named::Event, 1_040_102_313, "DEMO_event");
        assert_eq!(find_names(&[&table, &words], Named::Event, 1_040_102_313), ["DEMO_event"]);
        assert_eq!(find_names(&[&table], Named::Event, 5), Vec::<String>::new());
    }
}
