//! Embeds the page that `USAMPLER_PAGE` names, if one is named: `scripts/web` makes it.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rustc-check-cfg=cfg(has_page)");
    println!("cargo::rerun-if-env-changed=USAMPLER_PAGE");
    let (Some(page), Some(out)) = (env::var_os("USAMPLER_PAGE"), env::var_os("OUT_DIR")) else {
        return Ok(());
    };
    println!("cargo::rerun-if-changed={}", Path::new(&page).display());
    println!("cargo::rustc-cfg=has_page");
    fs::copy(page, Path::new(&out).join("page.html")).map(drop)
}
