use super::probe::{PROBE_LENGTH, Probe, probe};
use crate::base::error::{Error, ErrorKind, Malformed};
use crate::base::source::Source;
use crate::base::unsupported::Unsupported;
use crate::ue1to3::version::{FileVersion, Game, Identity, Layout, Licensee};

/// Facts about a package that the caller knows better than the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PackageOptions {
    /// The version to read it as, whatever it declares.
    pub version: Option<FileVersion>,
    /// The licensee's version to read it as, whatever it declares.
    pub licensee: Option<Licensee>,
    /// The game it is from, where version and licensee do not say it or name another.
    pub game: Option<Game>,
}

impl PackageOptions {
    /// Returns what a file claims to be, unless the options say otherwise.
    pub(crate) fn identify(self, source: &dyn Source) -> Result<Identity, Error> {
        let refuse = |form| Error::new(ErrorKind::Unsupported(form), 0, "summary");
        match probe_source(source)? {
            Probe::Package(found) => Ok(Identity {
                version: self.version.unwrap_or(found.version),
                licensee: self.licensee.unwrap_or(found.licensee),
                game: self.game.or(found.game),
                ..found
            }),
            Probe::Wrapped(_) => Err(refuse(Unsupported::Chunked)),
            Probe::Unsupported(form) => Err(refuse(form)),
            Probe::No(other) => Err(Error::new(ErrorKind::NotThisFormat(other), 0, "summary")),
            Probe::NeedMore(wanted) => {
                let fault = Malformed::EndsEarly { wanted: wanted as u64, left: source.len() };
                Err(Error::malformed(fault, 0, "summary"))
            }
        }
    }

    /// Returns the facts about such a file.
    pub(crate) fn layout(self, identity: &Identity) -> Result<Layout, Error> {
        Layout::of(identity).map_err(|form| Error::new(ErrorKind::Unsupported(form), 4, "summary"))
    }
}

/// Returns what the first bytes of a source say.
pub(crate) fn probe_source(source: &dyn Source) -> Result<Probe, Error> {
    let mut head = [0; PROBE_LENGTH];
    let length = usize::try_from(source.len()).unwrap_or(usize::MAX).min(PROBE_LENGTH);
    let head = head.get_mut(..length).unwrap_or_default();
    source.read_at(0, head).map_err(|error| Error::from_io(error, 0, "summary"))?;
    Ok(probe(head))
}
