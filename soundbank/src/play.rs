//! What an event plays, in one form for every middleware.

/// A part of what an event plays.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayNode {
    /// What it is.
    pub kind: PlayKind,
    /// How it and all below it sound.
    pub params: PlayParams,
}

/// The kinds of parts.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayKind {
    /// A media, by its index in [`crate::Project::media`].
    Media(usize),
    /// Nothing: a generator, a media that is not at hand, an empty container.
    Silence,
    /// All of them at once: actions of an event, layers, tracks.
    Layer(Vec<PlayNode>),
    /// All of them, one after another: the segments of a playlist.
    Chain(Vec<PlayNode>),
    /// One of them for each time that it is played, in their order.
    Sequence(Vec<PlayNode>),
    /// One of them, drawn anew each time.
    Random {
        /// Each with its weight, relative to the others'.
        children: Vec<(f32, PlayNode)>,
        /// Whether one that was drawn can be drawn again before all others were.
        with_replacement: bool,
        /// How many of the last that were drawn are not drawn again.
        avoid_repeat: u16,
    },
    /// One of them, by the value of a switch, a state or a parameter of the game.
    Branch {
        /// What the value belongs to.
        kind: BranchKind,
        /// Id of the group or parameter.
        group: u32,
        /// The value unless one is set.
        default: u32,
        /// Each with its value.
        branches: Vec<(u32, PlayNode)>,
    },
}

/// What chooses a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BranchKind {
    /// A switch, of an object in the game.
    Switch,
    /// A state, of the whole game.
    State,
}

/// A value, and by how much it may differ each time that it is used: every value between both ends is equally likely.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Varied {
    /// The value.
    pub base: f32,
    /// The least that is added to it.
    pub least: f32,
    /// The most that is added to it.
    pub most: f32,
}

/// How a part sounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayParams {
    /// Gain in dB.
    pub gain: Varied,
    /// Pitch in cents.
    pub pitch: Varied,
    /// Seconds before it begins.
    pub delay: Varied,
    /// The chance that it plays at all, 0..=1.
    pub chance: f32,
    /// How often it is played, 0 = for ever.
    pub loops: u32,
    /// Seconds that are left out of a media's start.
    pub skip: f32,
    /// Seconds after which it ends, if it does before its media.
    pub length: Option<f32>,
}

impl Default for PlayParams {
    fn default() -> Self {
        Self {
            gain: Varied::default(),
            pitch: Varied::default(),
            delay: Varied::default(),
            chance: 1.0,
            loops: 1,
            skip: 0.0,
            length: None,
        }
    }
}

impl PlayNode {
    /// The most parts one within the other.
    pub const MAX_DEPTH: usize = 48;

    /// Returns a part that sounds as it is.
    #[must_use]
    pub fn new(kind: PlayKind) -> Self {
        Self { kind, params: PlayParams::default() }
    }

    /// Moves the indices of all media up by a number.
    pub(crate) fn shift_media(&mut self, by: usize) {
        match &mut self.kind {
            PlayKind::Media(index) => *index = index.saturating_add(by),
            PlayKind::Silence => {}
            PlayKind::Layer(nodes) | PlayKind::Chain(nodes) | PlayKind::Sequence(nodes) => {
                nodes.iter_mut().for_each(|node| node.shift_media(by));
            }
            PlayKind::Random { children, .. } => {
                children.iter_mut().for_each(|(_, node)| node.shift_media(by));
            }
            PlayKind::Branch { branches, .. } => {
                branches.iter_mut().for_each(|(_, node)| node.shift_media(by));
            }
        }
    }

    /// Returns the parts right below it.
    pub fn children(&self) -> impl Iterator<Item = &Self> {
        let (plain, weighted, branches) = match &self.kind {
            PlayKind::Media(_) | PlayKind::Silence => (&[][..], &[][..], &[][..]),
            PlayKind::Layer(nodes) | PlayKind::Chain(nodes) | PlayKind::Sequence(nodes) => {
                (&nodes[..], &[][..], &[][..])
            }
            PlayKind::Random { children, .. } => (&[][..], &children[..], &[][..]),
            PlayKind::Branch { branches, .. } => (&[][..], &[][..], &branches[..]),
        };
        let weighted = weighted.iter().map(|(_, node)| node);
        plain.iter().chain(weighted).chain(branches.iter().map(|(_, node)| node))
    }
}
