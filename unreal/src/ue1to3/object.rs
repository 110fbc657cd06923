//! An object while it is read.

use super::package::Package;
use crate::base::limits::Limits;
use crate::base::object_ref::ExportIndex;
use crate::base::source::Source;

/// An object that is to be read: where it is, and what reading it may cost.
pub struct Object<'a> {
    /// The package it is in.
    pub package: &'a Package,
    /// The bytes of that package.
    pub source: &'a dyn Source,
    /// Index of the export.
    pub export: ExportIndex,
    /// Spent on whatever is read of it.
    pub limits: &'a mut Limits,
}

impl Object<'_> {
    /// Returns another object of the same package, read at the same cost.
    #[must_use]
    pub fn sibling(&mut self, export: ExportIndex) -> Object<'_> {
        Object { package: self.package, source: self.source, export, limits: self.limits }
    }
}
