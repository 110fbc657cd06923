//! The first module of the page, a small one: it unpacks the program, which LZMA makes a quarter smaller than what
//! browsers unpack by themselves.
#![cfg(target_family = "wasm")]
#![allow(unsafe_code, reason = "scripts have no references: what they pass are addresses")]
#![allow(unreachable_pub, reason = "scripts reach it by its name")]

use std::cell::RefCell;

use lzma_rust2::{LzmaReader, Read as _};

thread_local! {
    static BYTES: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Gets memory for so many bytes of an LZMA file.
#[unsafe(no_mangle)]
pub extern "C" fn packed(length: usize) -> *mut u8 {
    BYTES.with_borrow_mut(|bytes| {
        *bytes = vec![0; length];
        bytes.as_mut_ptr()
    })
}

/// Unpacks them, `length` bytes when unpacked; returns where these are, or nowhere if they are damaged.
#[unsafe(no_mangle)]
pub extern "C" fn unpacked(length: usize) -> *const u8 {
    BYTES.with_borrow_mut(|bytes| {
        let mut out = vec![0; length];
        let read = LzmaReader::new_mem_limit(bytes.as_slice(), u32::MAX, None)
            .and_then(|mut reader| reader.read_exact(&mut out));
        *bytes = out;
        if read.is_ok() { bytes.as_ptr() } else { std::ptr::null() }
    })
}
