//! Libxmp, as its header `xmp.h` declares it (4.2 and later).

use std::ffi::{c_int, c_long, c_void};
use std::sync::OnceLock;

use super::super::scene::Absent;
use super::library::{functions, packaged};

functions! {
    /// What is used of it.
    Functions:
    fn xmp_create_context() -> *mut c_void;
    fn xmp_free_context(*mut c_void);
    fn xmp_load_module_from_memory(*mut c_void, *const c_void, c_long) -> c_int;
    fn xmp_release_module(*mut c_void);
    fn xmp_start_player(*mut c_void, c_int, c_int) -> c_int;
    fn xmp_end_player(*mut c_void);
    fn xmp_set_player(*mut c_void, c_int, c_int) -> c_int;
    fn xmp_play_buffer(*mut c_void, *mut c_void, c_int, c_int) -> c_int;
}

/// By the header's numbers: the parameter of the interpolation, and the one by splines.
const INTERPOLATION: c_int = 2;
const SPLINE: c_int = 2;

fn functions() -> Result<&'static Functions, Absent> {
    static FOUND: OnceLock<Result<Functions, Absent>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let library = packaged("libxmp", &["libxmp.so.4", "libxmp.dylib"])?;
        // SAFETY: the types are those of the header; a context is a pointer to `char` there.
        unsafe { Functions::find(library) }
    });
    found.as_ref().map_err(Clone::clone)
}

/// A module that is played from its beginning, interpolated by splines.
pub(crate) struct Module {
    functions: &'static Functions,
    /// Not null, with a player that was started; lives until the value is dropped.
    context: *mut c_void,
}

impl Module {
    /// Reads a module.
    pub(crate) fn new(bytes: &[u8], rate: u32) -> Result<Self, Absent> {
        let functions = functions()?;
        let length =
            c_long::try_from(bytes.len()).map_err(|_| Absent("a module that is too long".to_owned()))?;
        let rate = c_int::try_from(rate).expect("a rate that is heard");
        // SAFETY: it takes nothing.
        let context = unsafe { (functions.xmp_create_context)() };
        if context.is_null() {
            return Err(Absent("libxmp has no memory".to_owned()));
        }
        // SAFETY: the context lives; the bytes are read while the call lasts.
        let loaded =
            unsafe { (functions.xmp_load_module_from_memory)(context, bytes.as_ptr().cast(), length) };
        if loaded != 0 {
            // SAFETY: freed once.
            unsafe { (functions.xmp_free_context)(context) };
            return Err(Absent("libxmp refused the module".to_owned()));
        }
        // SAFETY: the context lives and has a module.
        let started = unsafe { (functions.xmp_start_player)(context, rate, 0) };
        if started != 0 {
            // SAFETY: released and freed once; no player was started.
            unsafe {
                (functions.xmp_release_module)(context);
                (functions.xmp_free_context)(context);
            }
            return Err(Absent("libxmp does not play the module".to_owned()));
        }
        let module = Self { functions, context };
        // SAFETY: the context lives and plays.
        let chosen = unsafe { (functions.xmp_set_player)(context, INTERPOLATION, SPLINE) };
        if chosen == 0 { Ok(module) } else { Err(Absent("libxmp has no splines".to_owned())) }
    }

    /// Renders left and right values in turn, up to the end of the song; returns whether there were any.
    pub(crate) fn read(&mut self, out: &mut [i16]) -> bool {
        let bytes = c_int::try_from(size_of_val(out)).expect("a short buffer");
        // SAFETY: the context plays; it writes at most so many bytes, all within the slice. 1: once through.
        unsafe { (self.functions.xmp_play_buffer)(self.context, out.as_mut_ptr().cast(), bytes, 1) == 0 }
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: ended, released and freed once.
        unsafe {
            (self.functions.xmp_end_player)(self.context);
            (self.functions.xmp_release_module)(self.context);
            (self.functions.xmp_free_context)(self.context);
        }
    }
}
