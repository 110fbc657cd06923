//! Assembles the page: one file with its styles, its scripts and the program. `scripts/web` calls it:
//! `assemble PROGRAM.wasm PAGE.html`.

use std::{env, fs, io};

use web::page::packed;

const PARTS: [(&str, &str); 4] = [
    ("/*page.css*/", include_str!("../page/page.css")),
    ("/*page.js*/", include_str!("../page/page.js")),
    ("/*worker.js*/", concat!(include_str!("../page/zip.js"), include_str!("../page/worker.js"))),
    ("/*worklet.js*/", include_str!("../page/worklet.js")),
];

fn main() -> io::Result<()> {
    let [program, page] =
        env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| {
            io::Error::new(io::ErrorKind::InvalidInput, "usage: assemble PROGRAM.wasm PAGE.html")
        })?;
    let mut text = include_str!("../page/index.html").to_owned();
    for (mark, part) in PARTS {
        // Within a script element, nothing may look like its end.
        assert!(!part.contains("</script"), "{mark} would end its element");
        text = text.replace(mark, part);
    }
    let program = packed(&fs::read(program)?)?;
    text = text.replace("/*web.wasm*/", &program);
    fs::write(&page, &text)?;
    println!("{page}: {} bytes", text.len());
    Ok(())
}
