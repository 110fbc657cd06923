//! Writes `docs/versions.md`, from the repository's root.

fn main() -> std::io::Result<()> {
    std::fs::write("docs/versions.md", unreal::versions::document())
}
