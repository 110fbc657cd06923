//! Assembles the page: one file with its styles, its scripts, the program and what unpacks it. `scripts/web` calls it:
//! `assemble UNPACK.wasm PROGRAM.wasm PAGE.html`.

use std::io::Write as _;
use std::{env, fs, io};

use data_encoding::BASE64;
use lzma_rust2::{LzmaOptions, LzmaWriter};

const PARTS: [(&str, &str); 4] = [
    ("/*page.css*/", include_str!("../page/page.css")),
    (
        "/*page.js*/",
        concat!(
            include_str!("../page/page.js"),
            include_str!("../page/files.js"),
            include_str!("../page/shown.js"),
            include_str!("../page/input.js")
        ),
    ),
    (
        "/*worker.js*/",
        concat!(
            include_str!("../page/zip.js"),
            include_str!("../page/ring.js"),
            include_str!("../page/worker.js")
        ),
    ),
    ("/*worklet.js*/", concat!(include_str!("../page/ring.js"), include_str!("../page/worklet.js"))),
];

fn main() -> io::Result<()> {
    let [unpack, program, page] = env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| {
        io::Error::new(io::ErrorKind::InvalidInput, "usage: assemble UNPACK.wasm PROGRAM.wasm PAGE.html")
    })?;
    let mut text = include_str!("../page/index.html").to_owned();
    for (mark, part) in PARTS {
        // Within a script element, nothing may look like its end.
        assert!(!part.contains("</script"), "{mark} would end its element");
        text = text.replace(mark, part);
    }
    let program = fs::read(program)?;
    text = text.replace("/*unpack.wasm*/", &web::page::packed(&fs::read(unpack)?)?);
    text = text.replace("/*length*/", &program.len().to_string());
    text = text.replace("/*web.wasm*/", &BASE64.encode(&packed(&program)?));
    fs::write(&page, &text)?;
    println!("{page}: {} bytes", text.len());
    Ok(())
}

/// Returns an LZMA file of some bytes.
fn packed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    // Code of WebAssembly is aligned to nothing.
    let options = LzmaOptions {
        lc: 4,
        pb: 0,
        nice_len: LzmaOptions::NICE_LEN_MAX,
        depth_limit: 1000,
        ..LzmaOptions::with_preset(9)
    };
    let mut writer = LzmaWriter::new_use_header(Vec::new(), &options, Some(bytes.len() as u64))?;
    writer.write_all(bytes)?;
    writer.finish()
}
