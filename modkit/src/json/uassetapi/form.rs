//! The forms of documents and of the packages that they describe.

use unreal::{AssetVersion, Mappings, ObjectForm, PropertyType};

/// A version of `UAssetAPI` whose documents are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UassetApi {
    /// 1.0.2 of 2025, which older tools read.
    V1_0,
    /// 1.1 and 2.0.
    #[default]
    V1_1,
}

/// The form of the package that a document describes.
#[derive(Debug)]
pub(super) struct Form<'m> {
    pub(super) version: AssetVersion,
    /// Whether its properties have tags.
    pub(super) is_tagged: bool,
    /// Which version of `UAssetAPI` a document is written for.
    pub(super) api: UassetApi,
    /// What properties without tags need.
    pub(super) mappings: Option<&'m Mappings>,
    object: ObjectForm,
}

impl<'m> Form<'m> {
    pub(super) const fn new(
        version: AssetVersion,
        is_tagged: bool,
        api: UassetApi,
        mappings: Option<&'m Mappings>,
    ) -> Self {
        let object = ObjectForm::new(version, is_tagged, Vec::new());
        Self { version, is_tagged, api, mappings, object }
    }

    pub(super) const fn has_split_paths(&self) -> bool {
        self.version.has_split_paths()
    }

    /// Returns whether something comes before the tags of an object, from 5.4 on.
    pub(super) const fn has_control(&self) -> bool {
        self.is_tagged && self.version.has_complete_types()
    }

    /// Returns the form of properties with these bytes before them.
    pub(super) const fn with_control(&self, control: Vec<u8>) -> ObjectForm {
        ObjectForm::new(self.version, self.is_tagged, control)
    }

    /// Returns the fields of a struct that is written as in memory.
    pub(super) fn native_fields(&self, name: &str) -> Option<Vec<(&'static str, PropertyType)>> {
        self.object.native_fields(name)
    }
}
