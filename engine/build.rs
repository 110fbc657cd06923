//! Sets the condition `vectors` for targets that have the kernels of several frames at a time: the one place that says
//! which these are.
#![expect(clippy::disallowed_macros, clippy::disallowed_methods, reason = "no audio thread")]

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(vectors)");
    let value = |name| env::var(name).unwrap_or_default();
    let has_vectors = match value("CARGO_CFG_TARGET_ARCH").as_str() {
        "x86_64" | "aarch64" => true,
        // Only where the whole module is built with them: it is refused by a browser that has none.
        "wasm32" => value("CARGO_CFG_TARGET_FEATURE").split(',').any(|feature| feature == "simd128"),
        _ => false,
    };
    if has_vectors {
        println!("cargo::rustc-cfg=vectors");
    }
}
