use song::{FmPatch, LowPass, SampleIndex};

/// Which voice of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VoiceId(pub(crate) u16);

impl VoiceId {
    /// The most voices that sound at once.
    pub const MAX: usize = 256;

    /// Returns the voice of a number below [`VoiceId::MAX`].
    #[must_use]
    pub fn new(index: usize) -> Option<Self> {
        u16::try_from(index).ok().filter(|_| index < Self::MAX).map(Self)
    }

    /// Returns the number, below [`VoiceId::MAX`].
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a voice sounds for a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VoiceSound {
    /// Frames of the recording per second; cycles of a voice of the FM synthesiser.
    pub hz: f64,
    /// 0..=1; the volume of the mix is not in it.
    pub volume: f32,
    /// −1..=1.
    pub pan: f32,
    /// Heard all around: the right side is inverted.
    pub is_surround: bool,
    /// Its filter; none lets all pass.
    pub filter: Option<LowPass>,
}

/// How long a voice takes to another volume or pan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glide {
    /// As short a time as makes no click: it was set.
    Quick,
    /// The whole tick: it slides, or follows a tremolo, a panbrello or an envelope.
    Tick,
}

/// What becomes of voices at the first frame of a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VoiceCommand {
    /// It begins.
    Start {
        /// Which voice; it did not sound.
        voice: VoiceId,
        /// What it plays.
        sample: SampleIndex,
        /// The first frame that sounds.
        from: u64,
        /// Whether it has left its sustain loop.
        is_released: bool,
        /// How it sounds.
        sound: VoiceSound,
        /// The channel that it belongs to, from 0.
        channel: usize,
    },
    /// One of an FM synthesiser begins; its rate is in cycles per second, and leaving its sustain loop is its key-off.
    StartFm {
        /// Which voice; it did not sound.
        voice: VoiceId,
        /// What it sounds like.
        patch: FmPatch,
        /// How it sounds.
        sound: VoiceSound,
        /// The channel that it belongs to, from 0.
        channel: usize,
    },
    /// It sounds otherwise.
    Change {
        /// Which voice.
        voice: VoiceId,
        /// How it sounds.
        sound: VoiceSound,
        /// How its volume and pan get there.
        glide: Glide,
    },
    /// It leaves its sustain loop.
    LeaveSustain {
        /// Which voice.
        voice: VoiceId,
    },
    /// It goes on with another recording where its loop turns or its recording ends.
    SwapAtLoopEnd {
        /// Which voice.
        voice: VoiceId,
        /// What it goes on with; it ends there if there is nothing.
        sample: Option<SampleIndex>,
        /// The frame that follows.
        from: u64,
    },
    /// It ends.
    Stop {
        /// Which voice.
        voice: VoiceId,
    },
    /// A frame of a recording is inverted, −1 − its 8 bits, in whatever sounds of it now and later.
    Invert {
        /// Which recording.
        sample: SampleIndex,
        /// Which frame.
        frame: u64,
    },
}
