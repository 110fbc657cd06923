//! The list of sounds as it is looked at: what is searched for, which groups are folded, which rows that leaves.

use crate::layout::Scroll;
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use player::filter::NameFilter;

/// The rows of the list. Sounds are known by their index, so numbers stay what they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SoundList {
    /// In the order of their first sounds.
    pub groups: Vec<Group>,
    /// What is seen, from the top.
    pub rows: Vec<ListRow>,
    /// The folded group that is marked instead of the chosen sound.
    pub marked: Option<usize>,
    /// Sounds that were picked to be one instrument, in that order.
    pub picked: Vec<usize>,
    /// What is searched for; nothing shows everything.
    pub filter: String,
    /// Whether the search box is open: what is typed goes there.
    pub is_typing: bool,
    /// How the sounds are sorted.
    pub order: ListOrder,
    /// Where it is scrolled to.
    pub scroll: Scroll,
}

/// The order of the sounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListOrder {
    /// As in the package, in their groups.
    #[default]
    Number,
    /// By name.
    Name,
    /// The shortest first.
    Length,
    /// The lowest rate first.
    Rate,
}

impl ListOrder {
    /// Returns the next order, round and round.
    #[must_use]
    pub const fn after(self) -> Self {
        match self {
            Self::Number => Self::Name,
            Self::Name => Self::Length,
            Self::Length => Self::Rate,
            Self::Rate => Self::Number,
        }
    }

    /// Returns what the sounds are sorted by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Name => "name",
            Self::Length => "length",
            Self::Rate => "rate",
        }
    }
}

/// What the list has to know of a sound.
#[derive(Clone, Copy, Debug)]
pub struct ListedSound<'n> {
    /// `Group.Name`, or a name alone.
    pub name: &'n str,
    /// Its group; empty if it is in none.
    pub group: &'n str,
    /// How long it lasts; zero if that is not known.
    pub lasts: Duration,
    /// Its rate in hertz; none if it has none.
    pub rate: Option<u32>,
}

impl<'n> ListedSound<'n> {
    /// Returns what it is called below the head of its group.
    #[must_use]
    pub fn own_name(self) -> &'n str {
        let own = self.name.strip_prefix(self.group).and_then(|rest| rest.strip_prefix(['.', '/']));
        own.unwrap_or(self.name)
    }
}

/// Sounds that belong together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// What it is called; nothing for sounds without a group, which have no row to be folded by.
    pub name: String,
    /// Its sounds, in the order of their numbers.
    pub sounds: Vec<usize>,
    /// Whether its sounds are hidden.
    pub is_folded: bool,
    /// Bytes that the names of all its sounds begin with alike; 0 if that is little.
    pub prefix: usize,
}

/// A row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListRow {
    /// The head of a group.
    Group(usize),
    /// A sound.
    Sound(usize),
}

impl ListRow {
    /// Returns the sound of the row.
    #[must_use]
    pub const fn sound(self) -> Option<usize> {
        match self {
            Self::Sound(sound) => Some(sound),
            Self::Group(_) => None,
        }
    }
}

impl SoundList {
    /// Returns all sounds, in their groups, nothing folded.
    #[must_use]
    pub fn of<'n>(sounds: impl Iterator<Item = ListedSound<'n>> + Clone) -> Self {
        let mut list = Self::default();
        list.add(sounds.clone(), 0);
        list.arrange(sounds);
        list
    }

    /// Adds the sounds from an index on, of all of them, to their groups; [`arrange`](Self::arrange) makes their rows.
    pub fn add<'n>(&mut self, all: impl Iterator<Item = ListedSound<'n>> + Clone, from: usize) {
        let places = self.groups.iter().enumerate().map(|(place, group)| (group.name.clone(), place));
        let mut places: HashMap<String, usize> = places.collect();
        let mut touched = BTreeSet::new();
        for (sound, listed) in all.clone().enumerate().skip(from) {
            let place = match places.get(listed.group) {
                Some(place) => *place,
                None => {
                    let place = self.groups.len();
                    places.insert(listed.group.to_owned(), place);
                    self.groups.push(Group { name: listed.group.to_owned(), ..Group::default() });
                    place
                }
            };
            self.groups[place].sounds.push(sound);
            touched.insert(place);
        }
        let names: Vec<&str> = all.map(ListedSound::own_name).collect();
        for place in touched {
            let group = &mut self.groups[place];
            group.prefix = common_prefix(&names, &group.sounds);
        }
    }

    /// Finds the rows again, after the filter, the order or a fold has changed. While something is searched for or
    /// sorted the rows are sounds only, and nothing is folded.
    pub fn arrange<'n>(&mut self, sounds: impl Iterator<Item = ListedSound<'n>>) {
        if self.is_flat() {
            let filter = NameFilter::typed(&self.filter);
            let mut found: Vec<(usize, ListedSound<'_>)> =
                sounds.enumerate().filter(|(_, sound)| filter.matches(sound.name)).collect();
            match self.order {
                ListOrder::Number => {}
                ListOrder::Name => found.sort_by_cached_key(|(_, sound)| sound.name.to_lowercase()),
                // What is not known comes last.
                ListOrder::Length => found.sort_by_key(|(_, sound)| (sound.lasts.is_zero(), sound.lasts)),
                ListOrder::Rate => found.sort_by_key(|(_, sound)| sound.rate.unwrap_or(u32::MAX)),
            }
            self.rows = found.into_iter().map(|(sound, _)| ListRow::Sound(sound)).collect();
            self.marked = None;
            return;
        }
        self.rows.clear();
        for (place, group) in self.groups.iter().enumerate() {
            if !group.name.is_empty() {
                self.rows.push(ListRow::Group(place));
            }
            if !group.is_folded {
                self.rows.extend(group.sounds.iter().copied().map(ListRow::Sound));
            }
        }
    }

    /// Returns whether the rows are sounds without their groups.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        self.is_filtered() || self.order != ListOrder::Number
    }

    /// Returns the sounds of the rows, from the top; those of folded groups are not among them.
    pub fn sounds(&self) -> impl Iterator<Item = usize> {
        self.rows.iter().filter_map(|row| row.sound())
    }

    /// Returns how many bytes of a sound's own name all names of its group begin with; 0 where the whole name is shown.
    #[must_use]
    pub fn prefix_of(&self, sound: usize) -> usize {
        if self.is_flat() {
            return 0;
        }
        let group = self.groups.iter().find(|group| group.sounds.binary_search(&sound).is_ok());
        group.map_or(0, |group| group.prefix)
    }

    /// Returns whether something is searched for.
    #[must_use]
    pub const fn is_filtered(&self) -> bool {
        !self.filter.is_empty()
    }

    /// Returns the first row that is seen of so many, where a sound is chosen.
    #[must_use]
    pub fn first_row(&self, chosen: usize, seen: usize) -> usize {
        self.scroll.first(self.rows.len(), self.marked_row(chosen), seen)
    }

    /// Returns the row that is marked, where a sound is chosen.
    #[must_use]
    pub fn marked_row(&self, chosen: usize) -> Option<usize> {
        let marked = self.marked.map_or(ListRow::Sound(chosen), ListRow::Group);
        self.rows.iter().position(|row| *row == marked)
    }

    /// Returns the group of a sound, if it has one with a row of its own.
    #[must_use]
    pub fn group_of(&self, sound: usize) -> Option<usize> {
        let is_its = |group: &Group| !group.name.is_empty() && group.sounds.binary_search(&sound).is_ok();
        self.groups.iter().position(is_its)
    }

    /// Returns whether a row can be marked: sounds, and groups that stand for their hidden ones.
    #[must_use]
    pub fn is_stop(&self, row: ListRow) -> bool {
        match row {
            ListRow::Group(group) => self.groups.get(group).is_some_and(|group| group.is_folded),
            ListRow::Sound(_) => true,
        }
    }
}

/// Returns how many bytes the names of some sounds begin with alike, up to the end of a word; 0 if these are few.
fn common_prefix(names: &[&str], sounds: &[usize]) -> usize {
    const LEAST: usize = 4;
    let mut names = sounds.iter().filter_map(|sound| names.get(*sound).copied());
    let Some(first) = names.next() else { return 0 };
    let mut alike = first.len();
    let mut is_alone = true;
    for name in names {
        is_alone = false;
        alike = first.bytes().zip(name.bytes()).take(alike).take_while(|(a, b)| a == b).count();
    }
    let words = first.get(..alike).map_or(0, |alike| alike.rfind(['_', ' ', '-']).map_or(0, |at| at + 1));
    if is_alone || words < LEAST { 0 } else { words }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 5] = ["Loose", "Drums.Kick", "Pads.Warm", "Drums.Snare", "Deep.Drums.Kick"];

    fn listed() -> impl Iterator<Item = ListedSound<'static>> + Clone {
        let sound = |(length, name)| ListedSound {
            name,
            group: name.rsplit_once('.').map_or("", |(group, _)| group),
            lasts: Duration::from_secs(length),
            rate: Some(8000 - length as u32),
        };
        [3, 1, 4, 0, 2].into_iter().zip(NAMES).map(sound)
    }

    fn found(filter: &str) -> Vec<usize> {
        let mut list = SoundList::of(listed());
        filter.clone_into(&mut list.filter);
        list.arrange(listed());
        let sound = |row: &ListRow| match row {
            ListRow::Sound(sound) => *sound,
            ListRow::Group(_) => panic!("a head among what was found"),
        };
        list.rows.iter().map(sound).collect()
    }

    #[test]
    fn groups_stand_where_their_first_sound_is_and_hold_all_of_theirs() {
        let list = SoundList::of(listed());
        use ListRow::{Group, Sound};
        let rows = [Sound(0), Group(1), Sound(1), Sound(3), Group(2), Sound(2), Group(3), Sound(4)];
        assert_eq!(list.rows, rows);
        assert_eq!([list.group_of(0), list.group_of(3), list.group_of(4)], [None, Some(1), Some(3)]);
    }

    #[test]
    fn a_dot_in_a_name_makes_no_group() {
        let own_name =
            |name, group| ListedSound { name, group, lasts: Duration::ZERO, rate: None }.own_name();
        assert_eq!(own_name("Pads.Warm", "Pads"), "Warm");
        assert_eq!(own_name("kick.wav", ""), "kick.wav");
        assert_eq!(own_name("kick.wav", "Samples"), "kick.wav");
        assert_eq!(own_name("A.B.kick", "A.B"), "kick");
    }

    #[test]
    fn a_search_finds_sounds_of_any_group_also_while_it_is_typed() {
        assert_eq!(found("KICK"), [1, 4]);
        assert_eq!(found("[k"), [] as [usize; 0]);
        assert_eq!(found("[k]*"), [1, 4]);
    }

    #[test]
    fn sounds_are_sorted_without_their_groups_and_what_is_not_known_comes_last() {
        for (order, expected) in [
            (ListOrder::Number, [0, 1, 3, 2, 4]),
            (ListOrder::Name, [4, 1, 3, 0, 2]),
            (ListOrder::Length, [1, 4, 0, 2, 3]),
            (ListOrder::Rate, [2, 0, 4, 1, 3]),
        ] {
            let mut list = SoundList::of(listed());
            list.order = order;
            list.arrange(listed());
            assert_eq!(list.sounds().collect::<Vec<_>>(), expected, "{order:?}");
            assert_eq!(list.rows.len() == NAMES.len(), order != ListOrder::Number, "{order:?}");
        }
    }

    #[test]
    fn the_words_that_all_names_of_a_group_begin_with_are_known() {
        for (names, expected) in [
            (&["A_Weapon_Fire", "A_Weapon_Fizz"][..], 9),
            (&["A_Weapon", "A_Weapons"], 0),
            (&["Wind", "Window"], 0),
            (&["Alone_in_group"], 0),
        ] {
            let sounds: Vec<usize> = (0..names.len()).collect();
            assert_eq!(common_prefix(names, &sounds), expected, "{names:?}");
        }
    }
}
