//! Thresholds: the first versions of a format in which something is written another way.

/// A threshold, as `docs/versions.md` lists it.
#[derive(Clone, Copy, Debug)]
pub struct Threshold<V: 'static> {
    /// Name of the constant.
    pub name: &'static str,
    /// The first version of the new form.
    pub version: V,
    /// Lines of the description: the change, and its source.
    pub about: &'static [&'static str],
}

/// Defines a constant for each threshold, and the list of all.
macro_rules! thresholds {
    ($vis:vis $type:ty = $new:expr; $($(#[doc = $doc:literal])+ $name:ident = $version:literal;)+) => {
        $($(#[doc = $doc])+ $vis const $name: $type = $new($version);)+

        /// All of them, oldest first.
        $vis const THRESHOLDS: &[$crate::base::threshold::Threshold<$type>] = &[
            $($crate::base::threshold::Threshold {
                name: stringify!($name),
                version: $name,
                about: &[$($doc),+],
            }),+
        ];
    };
}

pub(crate) use thresholds;
