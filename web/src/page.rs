//! The page as a file: one that opens from a disk, with a package inside if that is wanted.

use std::io::{self, Write as _};

use data_encoding::BASE64;
use flate2::Compression;
use flate2::write::GzEncoder;

/// The page, if this program was built with it.
#[cfg(has_page)]
const PAGE: Option<&str> = Some(include_str!(concat!(env!("OUT_DIR"), "/page.html")));
#[cfg(not(has_page))]
const PAGE: Option<&str> = None;

/// The command that builds a program with the page in it.
pub const BUILD: &str = "scripts/web";

/// The element of a page that holds a file, without one.
const EMPTY: &str = r#"<script id="file" type="text/plain" data-name="">/*file*/</script>"#;

/// Returns the page; none if this program was built without it.
#[must_use]
pub const fn page() -> Option<&'static str> {
    PAGE
}

/// Returns a page that opens a file as soon as it is shown: its name, and its bytes.
///
/// # Errors
/// None that are known: packing goes to memory.
pub fn with_file(page: &str, name: &str, bytes: &[u8]) -> io::Result<String> {
    let name = name.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    let file = packed(bytes)?;
    let element = format!(r#"<script id="file" type="text/plain" data-name="{name}">{file}</script>"#);
    Ok(page.replacen(EMPTY, &element, 1))
}

/// Returns bytes as a page holds them: packed by gzip, in base 64.
///
/// # Errors
/// As [`with_file`].
pub fn packed(bytes: &[u8]) -> io::Result<String> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes)?;
    Ok(BASE64.encode(&packed.finish()?))
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn a_file_is_in_the_page_as_it_was() {
        let page = include_str!("../page/index.html");
        let bytes: Vec<u8> = (0..=255).cycle().take(5000).collect();
        let page = with_file(page, r#"a "b" <c>.uax"#, &bytes).unwrap();
        let (_, rest) = page.split_once(r#"data-name="a &quot;b&quot; &lt;c>.uax">"#).unwrap();
        let (file, _) = rest.split_once("</script>").unwrap();
        let mut unpacked = Vec::new();
        let packed = BASE64.decode(file.as_bytes()).unwrap();
        GzDecoder::new(&packed[..]).read_to_end(&mut unpacked).unwrap();
        assert_eq!(unpacked, bytes);
    }
}
