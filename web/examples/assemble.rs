//! Assembles the page: one file with its styles, its scripts and the program. `scripts/web` calls it:
//! `assemble PROGRAM.wasm PAGE.html`.

use std::io::Write as _;
use std::path::Path;
use std::{env, fs, io};

use data_encoding::BASE64;
use flate2::Compression;
use flate2::write::GzEncoder;

const PARTS: [(&str, &str); 4] = [
    ("/*page.css*/", include_str!("../page/page.css")),
    ("/*page.js*/", include_str!("../page/page.js")),
    ("/*worker.js*/", include_str!("../page/worker.js")),
    ("/*worklet.js*/", include_str!("../page/worklet.js")),
];

fn main() -> io::Result<()> {
    let [program, page] =
        env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| {
            io::Error::new(io::ErrorKind::InvalidInput, "usage: assemble PROGRAM.wasm PAGE.html")
        })?;
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&fs::read(program)?)?;
    let packed = packed.finish()?;
    let mut text = include_str!("../page/index.html").to_owned();
    for (mark, part) in PARTS {
        // Within a script element, nothing may look like its end.
        assert!(!part.contains("</script"), "{mark} would end its element");
        text = text.replace(mark, part);
    }
    text = text.replace("/*web.wasm*/", &BASE64.encode(&packed));
    fs::write(Path::new(&page), &text)?;
    println!("{page}: {} bytes, the program {} of them", text.len(), packed.len());
    Ok(())
}
