//! The classes whose objects are read. What their payloads hold is not looked at.

mod body;
pub mod game_cue;
pub mod mesh;
pub mod replace;
pub mod script;
pub mod sound;
pub mod sound_cue;
pub mod sound_group;
pub mod sound_node_wave;
pub mod sound_wave;
pub mod stated;

use crate::error::Error;
use crate::object::Object;
use crate::object_ref::{ExportIndex, ObjectRef};
use crate::package::{MAX_CHAIN, Package};
use crate::property::Property;

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

    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| known.eq_ignore_ascii_case(name)).map(|(class, _)| *class)
    }
}

/// Returns the class of an export if it is one of sounds: its own class by name, without regard to case, or one that
/// its class, defined in the same package, inherits from. A class itself is none, nor are its defaults.
#[must_use]
pub fn of(package: &Package, index: ExportIndex) -> Option<Class> {
    let export = package.export(index)?;
    let mut class = export.class;
    for _ in 0..MAX_CHAIN {
        if let Some(found) = Class::named(&package.object_name(class)?) {
            return (!holds_defaults(package, index)).then_some(found);
        }
        let ObjectRef::Export(index) = class else { return None };
        class = package.export(index)?.super_object;
    }
    None
}

fn holds_defaults(package: &Package, index: ExportIndex) -> bool {
    const PREFIX: &str = "Default__";
    package.export(index).is_some_and(|export| {
        let name = package.name(export.name.index).unwrap_or_default();
        export.flags.holds_defaults() || name.get(..PREFIX.len()).is_some_and(|start| start == PREFIX)
    })
}

/// Returns the properties of any object but a class: an actor's, say. What follows them is not looked at.
///
/// # Errors
/// `Malformed` if the object lies outside the file or contradicts itself; `OverLimit`, `Io`.
pub fn properties_of(object: &mut Object<'_>) -> Result<Vec<Property>, Error> {
    let package = object.package;
    let (export, mut reader) = body::open(object)?;
    body::properties(&mut reader, package, export, package.layout().body, object.limits)
}
