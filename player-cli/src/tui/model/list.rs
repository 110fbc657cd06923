//! The list of sounds as it is looked at: what is searched for, which groups are folded, which rows that leaves.

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
    /// What is searched for; nothing shows everything.
    pub filter: String,
    /// Whether the search box is open: what is typed goes there.
    pub is_typing: bool,
}

/// Sounds that are called `Group.Name`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// What comes before the last dot; nothing for sounds without a group, which have no row to be folded by.
    pub name: String,
    /// Its sounds, in the order of their numbers.
    pub sounds: Vec<usize>,
    /// Whether its sounds are hidden.
    pub is_folded: bool,
}

/// A row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListRow {
    /// The head of a group.
    Group(usize),
    /// A sound.
    Sound(usize),
}

impl SoundList {
    /// Returns all sounds, in their groups, nothing folded.
    #[must_use]
    pub fn of<'n>(names: impl Iterator<Item = &'n str> + Clone) -> Self {
        let mut places = std::collections::HashMap::new();
        let mut groups: Vec<Group> = Vec::new();
        for (sound, name) in names.clone().enumerate() {
            let group = split(name).0;
            let place = *places.entry(group).or_insert(groups.len());
            if place == groups.len() {
                groups.push(Group { name: group.to_owned(), ..Group::default() });
            }
            groups[place].sounds.push(sound);
        }
        let mut list = Self { groups, ..Self::default() };
        list.arrange(names);
        list
    }

    /// Finds the rows again, after the filter or a fold has changed. While something is searched for the rows are the
    /// sounds that are found, and nothing is folded.
    pub fn arrange<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        if self.is_filtered() {
            let filter = NameFilter::typed(&self.filter);
            let found = names.enumerate().filter(|(_, name)| filter.matches(name));
            self.rows = found.map(|(sound, _)| ListRow::Sound(sound)).collect();
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

    /// Returns whether something is searched for.
    #[must_use]
    pub const fn is_filtered(&self) -> bool {
        !self.filter.is_empty()
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

/// `Group` and `Name`.
#[must_use]
pub fn split(name: &str) -> (&str, &str) {
    name.rsplit_once('.').unwrap_or(("", name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 5] = ["Loose", "Drums.Kick", "Pads.Warm", "Drums.Snare", "Deep.Drums.Kick"];

    fn found(filter: &str) -> Vec<usize> {
        let mut list = SoundList::of(NAMES.into_iter());
        filter.clone_into(&mut list.filter);
        list.arrange(NAMES.into_iter());
        let sound = |row: &ListRow| match row {
            ListRow::Sound(sound) => *sound,
            ListRow::Group(_) => panic!("a head among what was found"),
        };
        list.rows.iter().map(sound).collect()
    }

    #[test]
    fn groups_stand_where_their_first_sound_is_and_hold_all_of_theirs() {
        let list = SoundList::of(NAMES.into_iter());
        use ListRow::{Group, Sound};
        let rows = [Sound(0), Group(1), Sound(1), Sound(3), Group(2), Sound(2), Group(3), Sound(4)];
        assert_eq!(list.rows, rows);
        assert_eq!([list.group_of(0), list.group_of(3), list.group_of(4)], [None, Some(1), Some(3)]);
    }

    #[test]
    fn a_search_finds_sounds_of_any_group_also_while_it_is_typed() {
        assert_eq!(found("KICK"), [1, 4]);
        assert_eq!(found("[k"), [] as [usize; 0]);
        assert_eq!(found("[k]*"), [1, 4]);
    }
}
