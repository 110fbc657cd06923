//! The class of an object.

/// The path of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassPath<'p> {
    /// One of the engine that has to do with sounds.
    Known(&'static str),
    /// Its package, and its name.
    Named(&'p str, &'p str),
}

impl<'p> ClassPath<'p> {
    /// Returns the name of the class without its package.
    #[must_use]
    pub fn name(self) -> &'p str {
        match self {
            Self::Known(path) => path.rsplit('.').next().unwrap_or(path),
            Self::Named(_, name) => name,
        }
    }
}

/// `/Script/Engine.SoundWave`.
impl std::fmt::Display for ClassPath<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Known(path) => f.write_str(path),
            Self::Named("", name) => f.write_str(name),
            Self::Named(package, name) => write!(f, "{package}.{name}"),
        }
    }
}
