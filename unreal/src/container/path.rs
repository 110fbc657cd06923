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

/// Returns the name of the package at a path below the root: `/Game/Audio/SW` for `Shooter/Content/Audio/SW.uasset`,
/// and with the name of the plugin for what lies in one. None for what does not lie among contents.
///
/// Source: *packages-ue4-ue6*, §7.
pub(crate) fn package_name(path: &str) -> Option<String> {
    const CONTENT: &str = "Content/";
    let path = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let (before, rest) = match path.strip_prefix(CONTENT) {
        Some(rest) => ("", rest),
        None => path.split_once("/Content/")?,
    };
    let last = before.rsplit('/').next().unwrap_or_default();
    let is_plugin = before.split('/').any(|part| part == "Plugins");
    let root = if last == "Engine" || is_plugin { last } else { "Game" };
    Some(format!("/{root}/{rest}"))
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

    #[test]
    fn packages_are_named_by_where_they_lie() {
        for (path, expected) in [
            ("Shooter/Content/Audio/SW_Steps.uasset", Some("/Game/Audio/SW_Steps")),
            ("Content/Audio/SW.uasset", Some("/Game/Audio/SW")),
            ("Engine/Content/Sounds/A.uasset", Some("/Engine/Sounds/A")),
            ("Shooter/Plugins/Fx/Rain/Content/S.uasset", Some("/Rain/S")),
            ("Engine/Plugins/Fx/Rain/Content/S.uasset", Some("/Rain/S")),
            ("Shooter/Content/Content/A.umap", Some("/Game/Content/A")),
            ("Elsewhere/A.uasset", None),
        ] {
            assert_eq!(package_name(path).as_deref(), expected, "{path}");
        }
    }
}
