use std::fmt;

/// The version of a bank, as its header states it.
///
/// It has no order: only [`super::layout::Layout`] compares it, once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Version(u32);

impl Version {
    pub(super) const fn new(number: u32) -> Self {
        Self(number)
    }

    /// Returns whether it is this version or a later one.
    pub(super) const fn reaches(self, other: u32) -> bool {
        self.0 >= other
    }

    /// Returns the release of Wwise that writes it, as far as known.
    const fn release(self) -> Option<&'static str> {
        Some(match self.0 {
            88 | 89 => "2013",
            112 => "2014.1",
            113 => "2015.1",
            118 => "2016.1",
            120 => "2016.2",
            125 => "2017.1",
            128 => "2017.2",
            132 => "2018.1",
            134 => "2019.1",
            135 => "2019.2",
            140 => "2021.1",
            145 => "2022.1",
            150 => "2023.1",
            154 => "2024.1",
            168..=172 => "2025.1",
            _ => return None,
        })
    }
}

/// `Wwise 132 (2018.1)`.
impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Wwise {}", self.0)?;
        match self.release() {
            Some(release) => write!(f, " ({release})"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_shown_with_its_release_where_that_is_known() {
        assert_eq!(Version::new(132).to_string(), "Wwise 132 (2018.1)");
        assert_eq!(Version::new(172).to_string(), "Wwise 172 (2025.1)");
        assert_eq!(Version::new(133).to_string(), "Wwise 133");
    }
}
