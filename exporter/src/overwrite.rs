//! What an output may take the place of: nothing, or with the user's leave a file that no input is and no rule keeps.

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::output_error::OutputError;

/// What a rule says of a file that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The rule is about other files.
    NotConcerned,
    /// It may be replaced, even if it was read.
    Replaceable,
    /// It stays, for this reason: what comes after its path in a sentence.
    Kept(String),
}

/// A rule about files that are there.
type Rule = dyn Fn(&Path) -> Verdict + Send + Sync;

/// Which files an output may replace. Whatever the user allows, an input is none of them.
#[derive(Clone, Default)]
pub struct Overwrite {
    force: bool,
    inputs: Vec<Arc<InputFiles>>,
    rule: Option<Arc<Rule>>,
}

impl fmt::Debug for Overwrite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { force, inputs, rule } = self;
        let has_rule = rule.is_some();
        f.debug_struct("Overwrite")
            .field("force", force)
            .field("inputs", inputs)
            .field("rule", &has_rule)
            .finish()
    }
}

impl Overwrite {
    /// Replaces nothing.
    #[must_use]
    pub fn never() -> Self {
        Self::default()
    }

    /// Replaces files if `force` is set.
    #[must_use]
    pub fn forced(force: bool) -> Self {
        Self { force, ..Self::default() }
    }

    /// Keeps further files: what was read. Files that are not there are ignored.
    #[must_use]
    pub fn keeping(mut self, inputs: Vec<PathBuf>) -> Self {
        if !inputs.is_empty() {
            self.inputs.push(Arc::new(InputFiles { paths: inputs, identities: OnceLock::new() }));
        }
        self
    }

    /// Asks a rule before all else.
    #[must_use]
    pub fn with_rule(mut self, rule: impl Fn(&Path) -> Verdict + Send + Sync + 'static) -> Self {
        self.rule = Some(Arc::new(rule));
        self
    }

    /// Returns whether files may be replaced at all.
    #[must_use]
    pub const fn is_forced(&self) -> bool {
        self.force
    }

    /// Checks that a file may be written to a path.
    ///
    /// # Errors
    /// [`OutputError`] if something is there that has to stay, be it a link that leads nowhere.
    pub fn check(&self, path: &Path) -> Result<(), OutputError> {
        // Most outputs are not there yet, and are not looked at closely.
        if path.as_os_str() == "-" || path.symlink_metadata().is_err() {
            return Ok(());
        }
        let is_file = path.metadata().is_ok_and(|metadata| metadata.is_file());
        let verdict = match &self.rule {
            Some(rule) if is_file => rule(path),
            _ => Verdict::NotConcerned,
        };
        match verdict {
            Verdict::Kept(reason) => return Err(OutputError::Kept { path: path.to_owned(), reason }),
            Verdict::NotConcerned if is_file => {
                // Pipes and devices are written to, not replaced.
                if let Some(input) = self.inputs.iter().find_map(|inputs| inputs.same_as(path)) {
                    return Err(OutputError::IsInput { path: path.to_owned(), input: input.to_owned() });
                }
            }
            Verdict::NotConcerned | Verdict::Replaceable => {}
        }
        if self.force { Ok(()) } else { Err(OutputError::Exists { path: path.to_owned() }) }
    }
}

/// Files that are read, looked at when the first output meets a file that is there.
#[derive(Debug)]
struct InputFiles {
    paths: Vec<PathBuf>,
    /// By what they are, the index of the path.
    identities: OnceLock<HashMap<FileIdentity, usize>>,
}

impl InputFiles {
    /// Returns the input that a file is, whatever it is called.
    fn same_as(&self, path: &Path) -> Option<&Path> {
        let identity = FileIdentity::of(path).ok()?;
        let identities = self.identities.get_or_init(|| {
            let known = self.paths.iter().enumerate();
            known.filter_map(|(index, path)| Some((FileIdentity::of(path).ok()?, index))).collect()
        });
        identities.get(&identity).and_then(|index| self.paths.get(*index)).map(PathBuf::as_path)
    }
}

/// What a file is, whatever it is called: on Unix its device and number, elsewhere its path without links. A second
/// hard link counts as another file there; outputs are renamed to their places, so the first one keeps its bytes.
#[derive(Debug, PartialEq, Eq, Hash)]
struct FileIdentity {
    #[cfg(unix)]
    number: (u64, u64),
    #[cfg(not(unix))]
    path: PathBuf,
}

impl FileIdentity {
    #[cfg(unix)]
    fn of(path: &Path) -> io::Result<Self> {
        use std::os::unix::fs::MetadataExt as _;
        let metadata = fs::metadata(path)?;
        Ok(Self { number: (metadata.dev(), metadata.ino()) })
    }

    #[cfg(not(unix))]
    fn of(path: &Path) -> io::Result<Self> {
        Ok(Self { path: fs::canonicalize(path)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_is_kept_whatever_it_is_called() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("in.wav"), "sound").unwrap();
        fs::write(path("other.wav"), "sound").unwrap();
        fs::create_dir(path("sub")).unwrap();
        let overwrite = Overwrite::forced(true).keeping(vec![path("gone.wav"), path("in.wav")]);
        let is_input = |name: &str| matches!(overwrite.check(&path(name)), Err(OutputError::IsInput { .. }));
        assert!(is_input("in.wav") && is_input("sub/../in.wav"));
        assert!(!is_input("other.wav") && !is_input("new.wav"));
        #[cfg(unix)]
        {
            fs::hard_link(path("in.wav"), path("hard.wav")).unwrap();
            std::os::unix::fs::symlink(path("in.wav"), path("soft.wav")).unwrap();
            assert!(is_input("hard.wav") && is_input("soft.wav"));
        }
        // Several lists count together.
        let both = overwrite.keeping(vec![path("other.wav")]);
        assert!(["in.wav", "other.wav"].iter().all(|name| both.check(&path(name)).is_err()));
    }

    #[test]
    fn a_rule_goes_before_inputs_and_before_force() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.pak");
        let with = |force, verdict: Verdict| {
            let inputs = vec![path.clone()];
            Overwrite::forced(force).keeping(inputs).with_rule(move |_| verdict.clone()).check(&path)
        };
        // What is not there has no owner.
        assert!(with(false, Verdict::Kept("stays".to_owned())).is_ok());
        fs::write(&path, "").unwrap();
        let kept = with(true, Verdict::Kept("stays".to_owned())).unwrap_err();
        assert_eq!(kept.to_string(), format!("{} stays", path.display()));
        assert!(with(true, Verdict::Replaceable).is_ok());
        assert!(matches!(with(false, Verdict::Replaceable), Err(OutputError::Exists { .. })));
        assert!(matches!(with(true, Verdict::NotConcerned), Err(OutputError::IsInput { .. })));
    }
}
