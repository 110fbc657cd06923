use serde::{Deserialize, Serialize};

use crate::base::fields::Fields;
use crate::ue4to6::version::{AssetVersion, CustomVersion};

/// Versions that a package states.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ZenVersions {
    /// Of packages in containers.
    pub(crate) zen: u32,
    pub(crate) engine_4: u32,
    pub(crate) engine_5: u32,
    pub(crate) licensee: u32,
    pub(crate) custom: Vec<CustomVersion>,
}

impl ZenVersions {
    /// The version of packages in containers from 5.3 on.
    pub(crate) const NEWEST: u32 = 3;

    pub(super) fn fields<F: Fields>(&mut self, fields: &mut F) -> Result<(), F::Error> {
        fields.u32(&mut self.zen)?;
        fields.u32(&mut self.engine_4)?;
        fields.u32(&mut self.engine_5)?;
        fields.u32(&mut self.licensee)?;
        fields.list(20, &mut self.custom, |fields, part: &mut CustomVersion| {
            fields.bytes(&mut part.guid)?;
            fields.u32(&mut part.version)
        })
    }

    /// Returns the version of the package.
    pub(crate) const fn version(&self) -> Option<AssetVersion> {
        AssetVersion::new(self.engine_4, self.engine_5)
    }
}
