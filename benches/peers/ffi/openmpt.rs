//! Libopenmpt, as its header `libopenmpt.h` declares it (0.3 and later).

use std::ffi::{c_char, c_int, c_void};
use std::ptr;
use std::sync::OnceLock;

use super::super::scene::Absent;
use super::library::{functions, packaged};

functions! {
    /// What is used of it.
    Functions:
    fn openmpt_module_create_from_memory2(
        *const c_void, usize, *const c_void, *mut c_void, *const c_void, *mut c_void, *mut c_int, *mut *const c_char,
        *const c_void
    ) -> *mut c_void;
    fn openmpt_module_destroy(*mut c_void);
    fn openmpt_module_set_render_param(*mut c_void, c_int, i32) -> c_int;
    fn openmpt_module_get_current_playing_channels(*mut c_void) -> i32;
    fn openmpt_module_read_interleaved_float_stereo(*mut c_void, i32, usize, *mut f32) -> usize;
}

fn functions() -> Result<&'static Functions, Absent> {
    static FOUND: OnceLock<Result<Functions, Absent>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let library = packaged("libopenmpt", &["libopenmpt.so.0", "libopenmpt.dylib"])?;
        // SAFETY: the types are those of the header; its callbacks are pointers here, and always null.
        unsafe { Functions::find(library) }
    });
    found.as_ref().map_err(Clone::clone)
}

/// What can be chosen of how a module is rendered, by the header's numbers.
#[derive(Clone, Copy)]
pub(crate) enum Choice {
    /// Hundredths of a decibel.
    Gain = 1,
    /// 1, 2, 4 or 8.
    Taps = 3,
}

/// A module that is played.
pub(crate) struct Module {
    functions: &'static Functions,
    /// Not null; lives until the value is dropped.
    module: *mut c_void,
}

impl Module {
    /// Reads a module.
    pub(crate) fn new(bytes: &[u8]) -> Result<Self, Absent> {
        let functions = functions()?;
        let (data, length) = (bytes.as_ptr().cast(), bytes.len());
        let (none, nowhere) = (ptr::null(), ptr::null_mut());
        // SAFETY: it reads the bytes while the call lasts; the header allows all other pointers to be null.
        let module = unsafe {
            (functions.openmpt_module_create_from_memory2)(
                data,
                length,
                none,
                nowhere,
                none,
                nowhere,
                ptr::null_mut(),
                ptr::null_mut(),
                none,
            )
        };
        if module.is_null() {
            return Err(Absent("libopenmpt refused the module".to_owned()));
        }
        Ok(Self { functions, module })
    }

    /// Chooses how it is rendered.
    pub(crate) fn choose(&mut self, what: Choice, value: i32) -> Result<(), Absent> {
        // SAFETY: the module lives; the library checks the numbers.
        let accepted =
            unsafe { (self.functions.openmpt_module_set_render_param)(self.module, what as c_int, value) };
        if accepted == 1 { Ok(()) } else { Err(Absent(format!("libopenmpt refused to render with {value}"))) }
    }

    /// Returns the number of voices that sound.
    pub(crate) fn voices(&self) -> usize {
        // SAFETY: the module lives.
        let count = unsafe { (self.functions.openmpt_module_get_current_playing_channels)(self.module) };
        usize::try_from(count).unwrap_or(0)
    }

    /// Renders left and right values in turn of a module that goes on.
    pub(crate) fn read(&mut self, rate: u32, out: &mut [f32]) {
        let frames = out.len() / 2;
        assert_eq!(self.read_up_to(rate, out), frames, "the module goes on");
    }

    /// Renders left and right values in turn, up to the end of the song; returns how many frames.
    pub(crate) fn read_up_to(&mut self, rate: u32, out: &mut [f32]) -> usize {
        let rate = i32::try_from(rate).expect("a rate that is heard");
        let (values, frames) = (out.as_mut_ptr(), out.len() / 2);
        // SAFETY: the module lives; it writes at most two values for each frame, all within the slice.
        unsafe {
            (self.functions.openmpt_module_read_interleaved_float_stereo)(self.module, rate, frames, values)
        }
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: freed once.
        unsafe { (self.functions.openmpt_module_destroy)(self.module) };
    }
}
