//! Packages of a game that could not be read, and why.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use unreal::containers::mount::Mount;

use crate::Remark;

/// Packages that could not be read. Their names are looked up when they are asked for: there may be millions.
pub struct UnreadPackages {
    mount: Arc<Mount>,
    /// The number of each, and that of its reason.
    packages: Vec<(u32, u32)>,
    /// Many have the same.
    reasons: Vec<String>,
    known: HashMap<String, u32>,
}

impl UnreadPackages {
    /// Creates a list without any.
    pub(crate) fn new(mount: Arc<Mount>) -> Self {
        Self { mount, packages: Vec::new(), reasons: Vec::new(), known: HashMap::new() }
    }

    pub(super) fn add(&mut self, package: u32, reason: String) {
        let number = match self.known.get(&reason) {
            Some(number) => *number,
            None => {
                let number = u32::try_from(self.reasons.len()).unwrap_or(u32::MAX);
                self.reasons.push(reason.clone());
                self.known.insert(reason, number);
                number
            }
        };
        self.packages.push((package, number));
    }

    /// Returns how many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.packages.len()
    }

    /// Returns whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.packages.is_empty()
    }

    /// Returns each with why it could not be read, in the order in which they lie.
    pub fn iter(&self) -> impl Iterator<Item = Remark> {
        let mount = &self.mount;
        let mut packages = self.packages.clone();
        // As a rule they lie almost in the order of their numbers.
        packages.sort_unstable();
        packages.sort_by(|(one, _), (other, _)| mount.compare_paths(mount.entry(*one), mount.entry(*other)));
        packages.into_iter().map(move |(package, reason)| {
            let reason = usize::try_from(reason).ok().and_then(|reason| self.reasons.get(reason));
            let object = mount.label(mount.entry(package));
            Remark::new(object, reason.cloned().unwrap_or_default())
        })
    }
}

impl fmt::Debug for UnreadPackages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
