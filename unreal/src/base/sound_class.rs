//! The classes of sounds of all generations.

macro_rules! classes {
    ($($(#[doc = $doc:literal])+ $class:ident,)+) => {
        /// A class of sounds.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Class {
            $($(#[doc = $doc])+ $class,)+
        }

        impl Class {
            const ALL: &[(Self, &str)] = &[$((Self::$class, stringify!($class)),)+];

            /// Returns the name of the class.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$class => stringify!($class),)+ }
            }
        }
    };
}

classes! {
    /// A sound of Unreal Engine 1 and 2, a wave as a rule.
    Sound,
    /// Music of Unreal Engine 1, a tracker module as a rule.
    Music,
    /// Sounds of Unreal Engine 2 of which one is chosen.
    SoundGroup,
    /// A sound of Unreal Engine 2 that is made of another at run time.
    ProceduralSound,
    /// Sounds of Unreal Engine 2 that play together.
    SoundMultiple,
    /// A recording of Unreal Engine 3.
    SoundNodeWave,
    /// A recording of Unreal Engine 3 with additions of a game.
    SoundNodeWaveEx,
    /// A graph that says how recordings play, from Unreal Engine 3 on.
    SoundCue,
    /// A recording, from Unreal Engine 4 on.
    SoundWave,
    /// A program of Unreal Engine 5 that makes sound.
    MetaSoundSource,
    /// A recording of what somebody says, in several languages.
    DialogueWave,
    /// A sound that code makes while it plays.
    SoundWaveProcedural,
    /// A sound that is what a bus carries.
    SoundSourceBus,
    /// Notes of Unreal Engine 5.
    MidiFile,
    /// An event of Wwise.
    AkAudioEvent,
    /// A recording of Wwise.
    AkMediaAsset,
    /// The bytes of a recording of Wwise for a platform.
    AkMediaAssetData,
    /// A cue of CRIWARE.
    SoundAtomCue,
    /// Cues of CRIWARE, with their recordings.
    SoundAtomCueSheet,
}

impl Class {
    /// Returns whether it has no audio of its own and plays other sounds.
    #[must_use]
    pub const fn plays_others(self) -> bool {
        matches!(self, Self::SoundGroup | Self::SoundCue | Self::DialogueWave | Self::MetaSoundSource)
    }

    /// Returns the class of a name, without regard to case.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| known.eq_ignore_ascii_case(name)).map(|(class, _)| *class)
    }
}
