//! Which song of a folder comes next.

/// Songs by their index, one after another or in an order of chance, round and round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playlist {
    /// Indices in the order in which they are played.
    order: Vec<usize>,
    /// Where in it the present song is.
    at: usize,
    is_shuffled: bool,
    seed: u64,
}

/// The position of a song in a list of songs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaylistPosition {
    /// From 0.
    pub index: usize,
    /// Number of songs.
    pub count: usize,
    /// Whether they are played in random order.
    pub is_shuffled: bool,
}

impl Playlist {
    /// Returns the list of so many songs, the first of which plays.
    #[must_use]
    pub fn new(songs: usize, seed: u64) -> Self {
        Self { order: (0..songs).collect(), at: 0, is_shuffled: false, seed }
    }

    /// Returns the list of so many songs in an order of chance, which differs from seed to seed.
    #[must_use]
    pub fn shuffled(songs: usize, seed: u64) -> Self {
        let mut list = Self::new(songs, seed);
        list.shuffle();
        list.is_shuffled = true;
        list
    }

    /// Returns the present song; none if there are no songs.
    #[must_use]
    pub fn song(&self) -> Option<usize> {
        self.order.get(self.at).copied()
    }

    /// Returns the position of the present song.
    #[must_use]
    pub const fn position(&self) -> PlaylistPosition {
        PlaylistPosition { index: self.at, count: self.len(), is_shuffled: self.is_shuffled }
    }

    /// Returns how many songs there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.order.len()
    }

    /// Returns whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Returns whether the order is one of chance.
    #[must_use]
    pub const fn is_shuffled(&self) -> bool {
        self.is_shuffled
    }

    /// Adds a song after all others; in a shuffled list it comes before the list begins anew.
    pub fn push(&mut self) {
        self.order.push(self.order.len());
    }

    /// Goes to a song, by its index. In a shuffled list it comes next, so that none is passed over.
    pub fn choose(&mut self, song: usize) {
        let Some(found) = self.order.iter().position(|other| *other == song) else { return };
        match (self.is_shuffled, self.at) {
            (false, _) => self.at = found,
            (true, 0) => self.order.swap(0, found),
            (true, at) => {
                self.order.remove(found);
                self.at = if found <= at { at } else { at + 1 };
                self.order.insert(self.at, song);
            }
        }
    }

    /// Plays the songs in this order from now on, by their indices; those that it lacks come last. The present one
    /// stays.
    pub fn arrange(&mut self, order: &[usize]) {
        let present = self.song();
        let mut ranks = vec![usize::MAX; self.order.len()];
        for (rank, song) in order.iter().enumerate() {
            if let Some(own) = ranks.get_mut(*song) {
                *own = rank;
            }
        }
        self.order.sort_unstable_by_key(|song| (ranks.get(*song).copied(), *song));
        self.is_shuffled = false;
        if let Some(present) = present {
            self.choose(present);
        }
    }

    /// Goes on by so many songs, or back; beyond the last comes the first.
    pub fn step(&mut self, by: isize) {
        let count = self.order.len().cast_signed();
        if count > 0 {
            self.at = (self.at.cast_signed() + by).rem_euclid(count).cast_unsigned();
        }
    }

    /// Goes on by a song; returns whether the list begins anew.
    pub fn advance(&mut self) -> bool {
        self.step(1);
        self.at == 0
    }

    /// Shuffles the songs, or puts them back in order. The present one stays: in a shuffled list it is the first.
    pub fn set_shuffled(&mut self, is_shuffled: bool) {
        let present = self.song();
        self.order.sort_unstable();
        self.is_shuffled = is_shuffled;
        if is_shuffled {
            self.shuffle();
        }
        let place = self.order.iter().position(|song| Some(*song) == present).unwrap_or(0);
        self.at = if is_shuffled { 0 } else { place };
        if is_shuffled && !self.order.is_empty() {
            self.order.swap(0, place);
        }
    }

    /// Fisher and Yates, by an xorshift generator: each call gives another order.
    fn shuffle(&mut self) {
        let mut state = self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        for last in (1..self.order.len()).rev() {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            // The rest is below a length.
            self.order.swap(last, (state % (last as u64 + 1)) as usize);
        }
        self.seed = state;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(list: &mut Playlist, count: usize) -> Vec<usize> {
        let next = |_| {
            let song = list.song().unwrap();
            list.advance();
            song
        };
        (0..count).map(next).collect()
    }

    #[test]
    fn songs_come_one_after_another_and_the_first_after_the_last() {
        let mut list = Playlist::new(3, 0);
        assert_eq!(played(&mut list, 5), [0, 1, 2, 0, 1]);
        list.step(-3);
        assert_eq!(list.song(), Some(2));
        list.step(-1);
        assert_eq!((list.song(), list.advance(), list.advance()), (Some(1), false, true));
    }

    #[test]
    fn a_shuffled_list_has_each_song_once_and_begins_with_the_present_one() {
        let mut list = Playlist::new(50, 7);
        list.step(20);
        list.set_shuffled(true);
        assert!(list.is_shuffled());
        let mut songs = played(&mut list, 50);
        assert_eq!(songs[0], 20);
        assert!(songs.windows(2).filter(|two| two[1] == two[0] + 1).count() < 10, "{songs:?}");
        songs.sort_unstable();
        assert_eq!(songs, (0..50).collect::<Vec<_>>());
    }

    #[test]
    fn a_list_that_is_shuffled_from_the_start_begins_anywhere() {
        let firsts: std::collections::BTreeSet<_> =
            (0..40).map(|seed| Playlist::shuffled(4, seed).song()).collect();
        assert_eq!(firsts.len(), 4);
    }

    #[test]
    fn in_order_again_the_present_song_goes_on() {
        let mut list = Playlist::new(9, 3);
        list.set_shuffled(true);
        list.step(4);
        let present = list.song().unwrap();
        list.set_shuffled(false);
        assert_eq!(played(&mut list, 2), [present, (present + 1) % 9]);
    }

    #[test]
    fn a_list_is_arranged_around_the_present_song() {
        let mut list = Playlist::new(5, 0);
        list.choose(3);
        list.arrange(&[4, 3, 9, 0]);
        assert_eq!(list.position().index, 1);
        assert_eq!(played(&mut list, 5), [3, 0, 1, 2, 4]);
        list.choose(9);
        assert_eq!(list.song(), Some(3), "there is no such song");
    }

    #[test]
    fn a_song_that_is_chosen_in_a_shuffled_list_passes_none_over() {
        for chosen in 0..9 {
            let mut list = Playlist::shuffled(9, 5);
            let mut before = played(&mut list, 3);
            before.extend(list.song());
            list.choose(chosen);
            assert_eq!(list.song(), Some(chosen));
            let left = 9 - list.position().index;
            let mut rest = played(&mut list, left);
            rest.extend(&before);
            rest.sort_unstable();
            rest.dedup();
            assert_eq!(rest, (0..9).collect::<Vec<_>>(), "{chosen}");
        }
    }

    #[test]
    fn an_empty_list_has_no_song_and_grows() {
        let mut list = Playlist::new(0, 0);
        list.step(1);
        list.set_shuffled(true);
        assert_eq!((list.song(), list.is_empty()), (None, true));
        list.push();
        assert_eq!((list.song(), list.len()), (Some(0), 1));
    }
}
