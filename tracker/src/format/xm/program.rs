use song::module::{ModuleWriter, Program, Version};

/// Returns the program that a name in the header stands for.
///
/// Source: names in modules of these programs.
pub(super) fn writer(name: String) -> ModuleWriter {
    let stated = name.trim();
    let version = stated.strip_prefix("OpenMPT ").and_then(Version::parse);
    let program = match stated {
        "FastTracker v2.00" => Program::FastTracker2,
        "Fasttracker II clone" => Program::FastTracker2Clone,
        "FastTracker v 2.00" => Program::ModPlugTracker,
        _ if stated.starts_with("MOD Plugin") => Program::ModPlugTracker,
        _ if version.is_some() => Program::OpenMpt,
        _ => Program::Other,
    };
    ModuleWriter { program, version: version.unwrap_or_default(), name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_known_by_name_and_openmpt_with_its_version() {
        let of = |name: &str| {
            let ModuleWriter { program, version, .. } = writer(name.to_owned());
            (program, version)
        };
        let old = Version::default();
        assert_eq!(of("FastTracker v2.00"), (Program::FastTracker2, old));
        assert_eq!(of("FastTracker v 2.00"), (Program::ModPlugTracker, old));
        assert_eq!(of(" Fasttracker II clone "), (Program::FastTracker2Clone, old));
        assert_eq!(of("MOD Plugin packed"), (Program::ModPlugTracker, old));
        assert_eq!(of("OpenMPT 1.20.03.02"), (Program::OpenMpt, Version::new([1, 0x20, 3, 2])));
        assert_eq!([of("OpenMPT x"), of("MilkyTracker 1.0")], [(Program::Other, old); 2]);
    }
}
