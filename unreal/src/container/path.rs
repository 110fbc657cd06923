//! Where the entries of a container lie: below the root of all containers.

/// Returns a path below a mount point as it is from the root on, which is three folders above where the engine runs.
/// Whatever would lead out of the root stays at it.
///
/// Source: `packages-ue4-ue6`, measured: mount points are `../../../` or begin with it.
pub(super) fn resolved(mount: &str, path: &str) -> String {
    let parts = mount.split(['/', '\\']).chain(path.split(['/', '\\']));
    let mut resolved: Vec<&str> = Vec::new();
    for part in parts {
        match part {
            "" | "." => {}
            ".." => _ = resolved.pop(),
            part => resolved.push(part),
        }
    }
    resolved.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_begin_at_the_root_and_do_not_leave_it() {
        for (mount, path, expected) in [
            ("../../../", "Game/Content/A.uasset", "Game/Content/A.uasset"),
            ("../../../Game/", "Content/A.uasset", "Game/Content/A.uasset"),
            ("../../../Game", "/Content/A.uasset", "Game/Content/A.uasset"),
            ("", "test.txt", "test.txt"),
            ("../mount/point/", "directory/nested.txt", "mount/point/directory/nested.txt"),
            ("../../../", "../../../../etc/passwd", "etc/passwd"),
            ("../../../Game/", "Content/../../Engine/B", "Engine/B"),
            ("C:\\Game\\", "A", "C:/Game/A"),
        ] {
            assert_eq!(resolved(mount, path), expected, "{mount} {path}");
        }
    }
}
