//! The list of songs: what is found, how it is sorted, which is chosen.

use player::filter::NameFilter;
use player::live::ListedSong;

use crate::layout::Scroll;

/// The list of songs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SongList {
    /// All songs, in the order in which they were found.
    pub songs: Vec<ListedSong>,
    /// Those that are seen, by index, from the top.
    pub rows: Vec<usize>,
    /// The chosen row.
    pub chosen: usize,
    /// The song that plays, by index.
    pub playing: Option<usize>,
    /// The song that was chosen to be played, until it is.
    pub asked: Option<usize>,
    /// What is searched for; nothing shows everything.
    pub filter: String,
    /// Whether what is typed is searched for.
    pub is_typing: bool,
    /// How the songs are sorted.
    pub order: SongOrder,
    /// Whether they are played in random order.
    pub is_shuffled: bool,
    /// Where it is scrolled to.
    pub scroll: Scroll,
}

/// The order of the songs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SongOrder {
    /// By file.
    #[default]
    File,
    /// By title.
    Title,
    /// The shortest first.
    Length,
    /// By the program that wrote them.
    Writer,
    /// By format.
    Format,
}

impl SongOrder {
    /// Returns the next order, round and round.
    #[must_use]
    pub const fn after(self) -> Self {
        match self {
            Self::File => Self::Title,
            Self::Title => Self::Length,
            Self::Length => Self::Writer,
            Self::Writer => Self::Format,
            Self::Format => Self::File,
        }
    }

    /// Returns what the songs are sorted by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Title => "title",
            Self::Length => "length",
            Self::Writer => "program",
            Self::Format => "format",
        }
    }
}

impl SongList {
    /// Adds a song.
    pub fn add(&mut self, song: ListedSong) {
        let chosen = self.chosen_song();
        self.songs.push(song);
        if self.order == SongOrder::File && self.filter.is_empty() {
            self.rows.push(self.songs.len() - 1);
        } else {
            self.arrange(chosen);
        }
    }

    /// Returns the first row that is seen of so many.
    #[must_use]
    pub fn first_row(&self, seen: usize) -> usize {
        self.scroll.first(self.rows.len(), Some(self.chosen), seen)
    }

    /// Returns all songs in the order in which they are listed; those that are not seen come last.
    #[must_use]
    pub fn play_order(&self) -> Vec<usize> {
        let mut is_seen = vec![false; self.songs.len()];
        self.rows.iter().for_each(|row| is_seen[*row] = true);
        let others = (0..self.songs.len()).filter(|song| !is_seen[*song]);
        self.rows.iter().copied().chain(others).collect()
    }

    /// Returns the chosen song, by its index.
    #[must_use]
    pub fn chosen_song(&self) -> Option<usize> {
        self.rows.get(self.chosen).copied()
    }

    /// Chooses the row so many further down, as far as there are rows.
    pub fn step(&mut self, by: isize) {
        self.chosen = self.chosen.saturating_add_signed(by).min(self.rows.len().saturating_sub(1));
    }

    /// Finds the rows again, after the filter or the order has changed; `chosen` stays chosen if it is among them.
    pub fn arrange(&mut self, chosen: Option<usize>) {
        let filter = NameFilter::typed(&self.filter);
        let matches = |song: &ListedSong| {
            self.filter.is_empty() || filter.matches(&format!("{} {} {}", song.title, song.file, song.writer))
        };
        let mut rows: Vec<usize> = (0..self.songs.len()).filter(|song| matches(&self.songs[*song])).collect();
        let song = |index: &usize| &self.songs[*index];
        match self.order {
            SongOrder::File => {}
            SongOrder::Title => rows.sort_by_cached_key(|index| song(index).name().to_lowercase()),
            SongOrder::Length => rows.sort_by(|one, other| {
                let seconds = |index| song(index).length.map_or(f64::MAX, |length| length.seconds);
                seconds(one).total_cmp(&seconds(other))
            }),
            SongOrder::Writer => rows.sort_by_cached_key(|index| song(index).writer.to_lowercase()),
            SongOrder::Format => rows.sort_by_key(|index| song(index).format),
        }
        self.rows = rows;
        let row = chosen.and_then(|chosen| self.rows.iter().position(|row| *row == chosen));
        self.chosen = row.unwrap_or_else(|| self.chosen.min(self.rows.len().saturating_sub(1)));
    }
}

#[cfg(test)]
mod tests {
    use player::Subsong;

    use super::*;

    fn song(title: &str, file: &str, seconds: f64) -> ListedSong {
        ListedSong {
            path: file.into(),
            file: file.to_owned(),
            title: title.to_owned(),
            writer: "OpenMPT 1.31".to_owned(),
            format: "it",
            length: Some(Subsong { order: 0, seconds, is_longer: false }),
        }
    }

    fn list() -> SongList {
        let mut list = SongList::default();
        for (title, file, seconds) in [("Zoo", "a.it", 3.0), ("", "night.it", 2.0), ("Ant", "c.it", 1.0)] {
            list.add(song(title, file, seconds));
        }
        list
    }

    #[test]
    fn songs_are_sorted_and_the_chosen_one_stays_chosen() {
        let mut list = list();
        list.step(2);
        for (order, expected) in [
            (SongOrder::Title, [2, 1, 0]),
            (SongOrder::Length, [2, 1, 0]),
            (SongOrder::Writer, [0, 1, 2]),
            (SongOrder::File, [0, 1, 2]),
        ] {
            let chosen = list.chosen_song();
            list.order = order;
            list.arrange(chosen);
            assert_eq!((list.rows.as_slice(), list.chosen_song()), (&expected[..], Some(2)), "{order:?}");
        }
    }

    #[test]
    fn a_search_finds_titles_files_and_programs() {
        let mut list = list();
        for (filter, expected) in
            [("zoo", &[0][..]), ("night", &[1]), ("openmpt it", &[0, 1, 2]), ("nothing", &[])]
        {
            filter.clone_into(&mut list.filter);
            list.arrange(None);
            assert_eq!(list.rows, expected, "{filter}");
        }
        assert_eq!(list.chosen_song(), None);
        list.step(1);
        assert_eq!(list.chosen, 0);
    }
}
