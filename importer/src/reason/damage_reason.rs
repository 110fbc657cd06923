//! Reasons why a sound is damaged.

use std::fmt;

use crate::Damage;

/// What contradicts itself in a sound.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DamageReason {
    /// The object in the package.
    Object(String),
    /// The bytes of its payload.
    Payload(String),
    /// The tracker module that its bytes are.
    Module(String),
    /// The frames of a sample in a module.
    ModuleSample(String),
    /// The frames of a sample in a sampler's bank.
    BankSample(String),
    /// A file of a game that its bytes lie in, which is not there.
    MissingFile(String),
    /// The rest of a media, which no file at hand has.
    OnlyStart,
}

impl DamageReason {
    /// Returns a word that never changes.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Object(_) => "object",
            Self::Payload(_) => "payload",
            Self::Module(_) => "module",
            Self::ModuleSample(_) => "module_sample",
            Self::BankSample(_) => "bank_sample",
            Self::MissingFile(_) => "missing_file",
            Self::OnlyStart => "only_start",
        }
    }
}

impl fmt::Display for DamageReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Object(reason)
            | Self::Payload(reason)
            | Self::Module(reason)
            | Self::ModuleSample(reason)
            | Self::BankSample(reason) => f.write_str(reason),
            Self::MissingFile(file) => write!(f, "its bytes lie in {file}, which is not there"),
            Self::OnlyStart => f.write_str("only the start is in this bank"),
        }
    }
}

impl From<&Damage> for DamageReason {
    fn from(damage: &Damage) -> Self {
        Self::Payload(damage.to_string())
    }
}
