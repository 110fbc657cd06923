//! The sounds of a package of Unreal Engine 1 to 3.

use unreal::{Lineage2, Package, Source};

use super::Collection;
use crate::Sound;

/// A package out of its wrappers, and its sounds.
pub(crate) struct UnpackedSounds {
    pub(crate) source: Box<dyn Source>,
    pub(crate) package: Package,
    /// The wrapper that it was in.
    pub(crate) lineage2: Option<Lineage2>,
    pub(crate) sounds: Vec<Sound>,
}

impl Collection for UnpackedSounds {
    fn sounds(&self) -> &[Sound] {
        &self.sounds
    }

    fn source(&self) -> &dyn Source {
        &*self.source
    }
}
