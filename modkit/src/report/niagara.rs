//! The data interfaces of Niagara systems.

use std::collections::BTreeMap;

use serde::Serialize;
use unreal::Limits;
use unreal::containers::mount::MountedEntry;

use super::Unread;
use crate::niagara::{DataInterface, KINDS, NiagaraDetails, details};
use crate::packages::{GamePackages, STRUCTURES};

/// The data interfaces of a package as a line of JSON. The groups of interfaces, and how many there are of each, have
/// keys such as `color_curves`, `color_curve_count`, `total_color_count`.
#[derive(Clone, Debug, Serialize)]
pub struct NiagaraRow {
    /// Name and version of this contract.
    pub schema: &'static str,
    /// Name of the package.
    pub path: String,
    /// Name of its container.
    pub container: String,
    /// Number of exports of the package.
    pub total_exports: usize,
    /// Numbers of interfaces and of their samples, by key.
    #[serde(flatten)]
    pub counts: BTreeMap<String, usize>,
    /// Interfaces by the name of their group.
    #[serde(flatten)]
    pub groups: BTreeMap<&'static str, Vec<InterfaceRow>>,
    /// Interfaces of which only the class is known.
    pub other_interfaces: Vec<OtherInterfaceRow>,
    /// Interfaces that cannot be read, each with the reason.
    pub problems: Vec<String>,
}

/// A data interface.
#[derive(Clone, Debug, Serialize)]
pub struct InterfaceRow {
    /// Index in the export table.
    pub export: usize,
    /// Object name.
    pub name: String,
    /// Class name.
    pub class: &'static str,
    /// Number of samples.
    pub count: usize,
    /// Samples, each with the numbers of its channels.
    pub values: Vec<Vec<f64>>,
}

/// A data interface of which only the class is known.
#[derive(Clone, Debug, Serialize)]
pub struct OtherInterfaceRow {
    /// Index in the export table.
    pub export: usize,
    /// Object name.
    pub name: String,
    /// Class name.
    pub class: String,
}

impl NiagaraRow {
    /// Describes the data interfaces of a package in a container.
    #[must_use]
    pub fn new(container: &str, details: &NiagaraDetails) -> Self {
        let (mut counts, mut groups) = (BTreeMap::new(), BTreeMap::new());
        for kind in KINDS {
            let of_kind = details.interfaces.iter().filter(|interface| interface.kind == kind);
            let rows: Vec<InterfaceRow> = of_kind.map(InterfaceRow::new).collect();
            let one = kind.group.trim_end_matches('s');
            counts.insert(format!("{one}_count"), rows.len());
            counts.insert(kind.total.to_owned(), rows.iter().map(|row| row.count).sum());
            groups.insert(kind.group, rows);
        }
        let other = |(export, name, class): &(usize, String, String)| OtherInterfaceRow {
            export: *export,
            name: name.clone(),
            class: class.clone(),
        };
        let unread = details.unread.iter();
        Self {
            schema: "usampler.niagara/1",
            path: details.package.clone(),
            container: container.to_owned(),
            total_exports: details.exports,
            counts,
            groups,
            other_interfaces: details.others.iter().map(other).collect(),
            problems: unread.map(|(export, name, error)| format!("{export} {name}: {error}")).collect(),
        }
    }
}

impl InterfaceRow {
    fn new(interface: &DataInterface) -> Self {
        let values: Vec<Vec<f64>> = interface.samples().map(<[f64]>::to_vec).collect();
        let DataInterface { export, name, kind, .. } = interface;
        Self { export: *export, name: name.clone(), class: kind.class, count: values.len(), values }
    }
}

impl GamePackages {
    /// Reads the data interfaces of a package; none if it has nothing to do with Niagara, unless it is the only one
    /// that was asked for.
    ///
    /// # Errors
    /// If the package cannot be read.
    pub fn data_interfaces(&self, entry: MountedEntry) -> Result<Option<NiagaraDetails>, Unread> {
        let package = self.package(entry).map_err(|error| self.unread(entry, error))?;
        let limits = &mut Limits::with_structures(STRUCTURES);
        let details = details(&package, self.options.mappings.as_deref(), limits);
        Ok((details.is_niagara || self.entries.len() == 1).then_some(details))
    }
}
