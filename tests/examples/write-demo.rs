//! Writes the demo bank to `player/demo/demo.uax`; a test holds the file equal to what this writes.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../player/demo/demo.uax");
    let bytes = fixtures::demo::package();
    std::fs::write(&path, &bytes)?;
    println!("{}: {} bytes", path.display(), bytes.len());
    Ok(())
}
