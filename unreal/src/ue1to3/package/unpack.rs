use super::lineage2::Lineage2;
use super::options::{PackageOptions, probe_source};
use super::probe::{Probe, Wrapper};
use super::read_summary;
use crate::base::error::Error;
use crate::base::limits::Limits;
use crate::base::source::Source;
use crate::ue1to3::inflated::Inflated;

/// How many wrappers may lie in one another.
const MAX_WRAPPERS: usize = 3;

/// A package out of its wrappers.
pub struct UnpackedPackage<'s> {
    /// The package, without compression.
    pub source: Box<dyn Source + 's>,
    /// The wrapper of Lineage 2 that it was in.
    pub lineage2: Option<Lineage2>,
}

/// Returns the package that a source holds, out of its wrappers and without compression; the source itself if there are
/// none. Only where blocks are is read here; each is inflated when it is asked for.
///
/// # Errors
/// `Malformed` if compressed data contradicts itself, `Unsupported` if it is compressed by an unknown method,
/// `OverLimit`, `Io`. What is wrong with the package itself is left to [`crate::Package::open`].
pub fn unpack<'s>(
    source: &'s dyn Source,
    options: PackageOptions,
    limits: &mut Limits,
) -> Result<Box<dyn Source + 's>, Error> {
    Ok(unpack_package(source, options, limits)?.source)
}

/// Returns the package that a source holds, and the wrapper that it is written in again.
///
/// # Errors
/// As [`unpack()`].
pub fn unpack_package<'s>(
    source: impl Source + 's,
    options: PackageOptions,
    limits: &mut Limits,
) -> Result<UnpackedPackage<'s>, Error> {
    let mut current: Box<dyn Source + 's> = Box::new(source);
    let mut lineage2 = None;
    for _ in 0..MAX_WRAPPERS {
        match probe_source(&*current)? {
            Probe::Wrapped(Wrapper::Chunk(_)) => current = Box::new(Inflated::of_whole(current, limits)?),
            Probe::Wrapped(Wrapper::Blocks) => current = Box::new(Inflated::of_download(current, limits)?),
            Probe::Wrapped(Wrapper::Lineage2(wrapper)) => {
                current = Box::new(wrapper.unwrap(current));
                lineage2 = Some(wrapper);
            }
            Probe::Package(_) => {
                let layout = options.identify(&*current).and_then(|identity| options.layout(&identity));
                let Ok(layout) = layout else { break };
                if !layout.summary.compression {
                    break;
                }
                let Ok(summary) = read_summary(&*current, &layout, &mut limits.clone()) else { break };
                if !summary.chunks.is_empty() {
                    let (method, chunks) = (summary.compression, &summary.chunks);
                    current = Box::new(Inflated::of_chunks(current, method, chunks, limits)?);
                }
                break;
            }
            _ => break,
        }
    }
    Ok(UnpackedPackage { source: current, lineage2 })
}
