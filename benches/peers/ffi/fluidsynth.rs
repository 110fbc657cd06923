//! `FluidSynth`, as its header `fluidsynth.h` declares it (2.x).

use std::ffi::{CStr, CString, c_char, c_double, c_int, c_void};
use std::path::Path;
use std::sync::OnceLock;

use super::super::scene::Absent;
use super::library::{functions, packaged};

functions! {
    /// What is used of it.
    Functions:
    fn fluid_set_log_function(c_int, *const c_void, *mut c_void) -> *const c_void;
    fn new_fluid_settings() -> *mut c_void;
    fn delete_fluid_settings(*mut c_void);
    fn fluid_settings_setint(*mut c_void, *const c_char, c_int) -> c_int;
    fn fluid_settings_setnum(*mut c_void, *const c_char, c_double) -> c_int;
    fn new_fluid_synth(*mut c_void) -> *mut c_void;
    fn delete_fluid_synth(*mut c_void);
    fn fluid_synth_sfload(*mut c_void, *const c_char, c_int) -> c_int;
    fn fluid_synth_set_interp_method(*mut c_void, c_int, c_int) -> c_int;
    fn fluid_synth_noteon(*mut c_void, c_int, c_int, c_int) -> c_int;
    fn fluid_synth_get_active_voice_count(*mut c_void) -> c_int;
    fn fluid_synth_write_float(*mut c_void, c_int, *mut c_void, c_int, c_int, *mut c_void, c_int, c_int) -> c_int;
}

/// The library's mark of success.
const OK: c_int = 0;

/// Its third level of log messages.
const WARNINGS: c_int = 2;

fn functions() -> Result<&'static Functions, Absent> {
    static FOUND: OnceLock<Result<Functions, Absent>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let library =
            packaged("fluidsynth", &["libfluidsynth.so.3", "libfluidsynth.so.2", "libfluidsynth.dylib"])?;
        // SAFETY: the types are those of the header; its callback is a pointer here, and always null.
        let functions = unsafe { Functions::find(library)? };
        // SAFETY: null silences its warnings, which are of drums that nobody plays.
        unsafe { (functions.fluid_set_log_function)(WARNINGS, std::ptr::null(), std::ptr::null_mut()) };
        Ok(functions)
    });
    found.as_ref().map_err(Clone::clone)
}

/// What a setting may be.
#[derive(Clone, Copy)]
pub(crate) enum Setting {
    Whole(c_int),
    Number(c_double),
}

/// A synthesizer.
pub(crate) struct Synth {
    functions: &'static Functions,
    /// Neither is null; both live until the value is dropped.
    settings: *mut c_void,
    synth: *mut c_void,
}

impl Synth {
    /// With some settings.
    pub(crate) fn new(chosen: &[(&CStr, Setting)]) -> Result<Self, Absent> {
        let functions = functions()?;
        // SAFETY: takes nothing; what it gives is freed once, when the value below is dropped.
        let settings = unsafe { (functions.new_fluid_settings)() };
        let mut synth = Self { functions, settings, synth: std::ptr::null_mut() };
        for (name, setting) in chosen {
            // SAFETY: the settings live, the name ends with a zero, and the type is looked after by the library.
            let status = unsafe {
                match *setting {
                    Setting::Whole(value) => {
                        (functions.fluid_settings_setint)(settings, name.as_ptr(), value)
                    }
                    Setting::Number(value) => {
                        (functions.fluid_settings_setnum)(settings, name.as_ptr(), value)
                    }
                }
            };
            synth.check(status == OK, &name.to_string_lossy())?;
        }
        // SAFETY: the settings outlive the synthesizer.
        synth.synth = unsafe { (functions.new_fluid_synth)(settings) };
        synth.check(!synth.synth.is_null(), "a synthesizer")?;
        Ok(synth)
    }

    /// Reads a `SoundFont`; all channels play its first preset.
    pub(crate) fn load(&mut self, path: &Path) -> Result<(), Absent> {
        let path = CString::new(path.as_os_str().as_encoded_bytes())?;
        // SAFETY: the synthesizer lives, and the path ends with a zero.
        let id = unsafe { (self.functions.fluid_synth_sfload)(self.synth, path.as_ptr(), 1) };
        self.check(id >= 0, "the sound font")
    }

    /// On all channels: 4 or 7 points.
    pub(crate) fn interpolate(&mut self, points: c_int) -> Result<(), Absent> {
        // SAFETY: the synthesizer lives; −1 means all channels.
        let status = unsafe { (self.functions.fluid_synth_set_interp_method)(self.synth, -1, points) };
        self.check(status == OK, "the interpolation")
    }

    /// Begins a note as loud as it can be.
    pub(crate) fn note_on(&mut self, channel: u8, key: u8) -> Result<(), Absent> {
        // SAFETY: the synthesizer lives; it checks the numbers.
        let status =
            unsafe { (self.functions.fluid_synth_noteon)(self.synth, channel.into(), key.into(), 127) };
        self.check(status == OK, "a note")
    }

    /// Returns the number of voices that sound.
    pub(crate) fn voices(&self) -> usize {
        // SAFETY: the synthesizer lives.
        let count = unsafe { (self.functions.fluid_synth_get_active_voice_count)(self.synth) };
        usize::try_from(count).unwrap_or(0)
    }

    /// Renders left and right values in turn.
    pub(crate) fn write(&mut self, out: &mut [f32]) {
        let frames = c_int::try_from(out.len() / 2).expect("a short block");
        let values: *mut c_void = out.as_mut_ptr().cast();
        // SAFETY: the synthesizer lives; it writes a left value at every even and a right one at every odd index below
        // twice the frames, all within the slice.
        let status = unsafe {
            (self.functions.fluid_synth_write_float)(self.synth, frames, values, 0, 2, values, 1, 2)
        };
        assert_eq!(status, OK, "FluidSynth renders");
    }

    #[allow(clippy::unused_self, reason = "reads as a sentence")]
    fn check(&self, is_fine: bool, what: &str) -> Result<(), Absent> {
        if is_fine { Ok(()) } else { Err(Absent(format!("FluidSynth refused {what}"))) }
    }
}

impl Drop for Synth {
    fn drop(&mut self) {
        // SAFETY: both are freed once and in this order, as the header asks; null is allowed.
        unsafe {
            (self.functions.delete_fluid_synth)(self.synth);
            (self.functions.delete_fluid_settings)(self.settings);
        }
    }
}
