//! `OpenAL` Soft, as its headers `al.h`, `alc.h` and `alext.h` declare it; a loopback device renders when it is asked
//! to.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;
use std::sync::OnceLock;

use super::super::scene::{Absent, Source};
use super::library::{functions, named_by};

functions! {
    /// What is used of it.
    Functions:
    fn alcLoopbackOpenDeviceSOFT(*const c_char) -> *mut c_void;
    fn alcCreateContext(*mut c_void, *const c_int) -> *mut c_void;
    fn alcMakeContextCurrent(*mut c_void) -> c_char;
    fn alcDestroyContext(*mut c_void);
    fn alcCloseDevice(*mut c_void) -> c_char;
    fn alcRenderSamplesSOFT(*mut c_void, *mut c_void, c_int);
    fn alGetError() -> c_int;
    fn alGetInteger(c_int) -> c_int;
    fn alGetStringiSOFT(c_int, c_int) -> *const c_char;
    fn alGenBuffers(c_int, *mut u32);
    fn alBufferData(u32, c_int, *const c_void, c_int, c_int);
    fn alGenSources(c_int, *mut u32);
    fn alSourcei(u32, c_int, c_int);
    fn alSourcef(u32, c_int, f32);
    fn alGetSourcei(u32, c_int, *mut c_int);
    fn alSourcePlayv(c_int, *const u32);
}

/// The headers' numbers.
mod number {
    use std::ffi::c_int;

    pub(super) const FREQUENCY: c_int = 0x1007;
    pub(super) const MONO_SOURCES: c_int = 0x1010;
    pub(super) const FORMAT_CHANNELS: c_int = 0x1990;
    pub(super) const STEREO: c_int = 0x1501;
    pub(super) const FORMAT_TYPE: c_int = 0x1991;
    pub(super) const FLOAT: c_int = 0x1406;
    pub(super) const HRTF: c_int = 0x1992;
    pub(super) const OUTPUT_LIMITER: c_int = 0x199A;
    pub(super) const FORMAT_MONO_16: c_int = 0x1101;
    pub(super) const FORMAT_MONO_FLOAT: c_int = 0x10010;
    pub(super) const SOURCE_RELATIVE: c_int = 0x202;
    pub(super) const PITCH: c_int = 0x1003;
    pub(super) const LOOPING: c_int = 0x1007;
    pub(super) const BUFFER: c_int = 0x1009;
    pub(super) const GAIN: c_int = 0x100A;
    pub(super) const SOURCE_STATE: c_int = 0x1010;
    pub(super) const PLAYING: c_int = 0x1012;
    pub(super) const NUM_RESAMPLERS: c_int = 0x1210;
    pub(super) const SOURCE_RESAMPLER: c_int = 0x1212;
    pub(super) const RESAMPLER_NAME: c_int = 0x1213;
}

fn functions() -> Result<&'static Functions, Absent> {
    static FOUND: OnceLock<Result<Functions, Absent>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        // SAFETY: the types are those of the headers.
        unsafe { Functions::find(named_by("OPENAL_LIB")?) }
    });
    found.as_ref().map_err(Clone::clone)
}

/// A device of two channels of floats, and its context.
pub(crate) struct Loopback {
    functions: &'static Functions,
    /// Not null once made; both live until the value is dropped.
    device: *mut c_void,
    context: *mut c_void,
    sources: Vec<u32>,
}

impl Loopback {
    /// For some voices.
    pub(crate) fn new(rate: u32, voices: usize) -> Result<Self, Absent> {
        let functions = functions()?;
        // SAFETY: null asks for the usual device.
        let device = unsafe { (functions.alcLoopbackOpenDeviceSOFT)(ptr::null()) };
        let mut loopback = Self { functions, device, context: ptr::null_mut(), sources: vec![0; voices] };
        loopback.check(!device.is_null(), "a device")?;
        let (voices, rate) = (c_int::try_from(voices)?, c_int::try_from(rate)?);
        let asked = [
            [number::FORMAT_CHANNELS, number::STEREO],
            [number::FORMAT_TYPE, number::FLOAT],
            [number::FREQUENCY, rate],
            [number::MONO_SOURCES, voices],
            [number::HRTF, 0],
            [number::OUTPUT_LIMITER, 0],
            [0, 0],
        ];
        // SAFETY: the device lives, and the list of pairs ends with a zero.
        loopback.context = unsafe { (functions.alcCreateContext)(device, asked.as_flattened().as_ptr()) };
        loopback.check(!loopback.context.is_null(), "a context")?;
        Ok(loopback)
    }

    /// Plays a source, repeated, once at each ratio of its pitch, close to the listener's head.
    pub(crate) fn play(
        &mut self,
        resampler: &str,
        (source, rate): (&Source, u32),
        ratios: impl Iterator<Item = f32>,
        gain: f32,
    ) -> Result<(), Absent> {
        let al = self.functions;
        let (format, data, bytes): (_, *const c_void, _) = match source {
            Source::Sixteen(values) => {
                (number::FORMAT_MONO_16, values.as_ptr().cast(), size_of_val(&values[..]))
            }
            Source::Float(values) => {
                (number::FORMAT_MONO_FLOAT, values.as_ptr().cast(), size_of_val(&values[..]))
            }
        };
        let (bytes, rate) = (c_int::try_from(bytes)?, c_int::try_from(rate)?);
        let voices = c_int::try_from(self.sources.len())?;
        let mut buffer = 0;
        // SAFETY: the context lives, and no other thread makes one current. The library writes one name for the buffer
        // and as many for sources as there is room for, and copies the bytes, which are all the source's, in the call.
        unsafe {
            (al.alcMakeContextCurrent)(self.context);
            (al.alGetError)();
            (al.alGenBuffers)(1, &raw mut buffer);
            (al.alBufferData)(buffer, format, data, bytes, rate);
            (al.alGenSources)(voices, self.sources.as_mut_ptr());
            self.check((al.alGetError)() == 0, "so many sources")?;
        }
        let resampler = self.resampler(resampler)?;
        let buffer = c_int::try_from(buffer)?;
        for (&source, ratio) in self.sources.iter().zip(ratios) {
            // SAFETY: the source is one of the current context; the library checks the values.
            unsafe {
                (al.alSourcei)(source, number::BUFFER, buffer);
                (al.alSourcei)(source, number::LOOPING, 1);
                (al.alSourcei)(source, number::SOURCE_RELATIVE, 1);
                (al.alSourcei)(source, number::SOURCE_RESAMPLER, resampler);
                (al.alSourcef)(source, number::PITCH, ratio);
                (al.alSourcef)(source, number::GAIN, gain);
            }
        }
        // SAFETY: as many sources as are named, all of the current context.
        let failed = unsafe {
            (al.alSourcePlayv)(voices, self.sources.as_ptr());
            (al.alGetError)()
        };
        self.check(failed == 0, "to play")
    }

    /// Returns the number of a resampler, by the name it has in this library. Needs the context to be current.
    fn resampler(&self, name: &str) -> Result<c_int, Absent> {
        // SAFETY: a context is current.
        let count = unsafe { (self.functions.alGetInteger)(number::NUM_RESAMPLERS) };
        let found = (0..count).find(|&index| {
            // SAFETY: a context is current, and there is a resampler of that index; its name is the library's own, ends
            // with a zero and is never freed.
            let found = unsafe { (self.functions.alGetStringiSOFT)(number::RESAMPLER_NAME, index) };
            // SAFETY: as above; null was ruled out.
            !found.is_null() && unsafe { CStr::from_ptr(found) }.to_bytes() == name.as_bytes()
        });
        found.ok_or_else(|| Absent(format!("this OpenAL has no resampler {name:?}")))
    }

    /// Sources that play.
    pub(crate) fn voices(&self) -> usize {
        // SAFETY: the context lives, and no other thread makes one current.
        unsafe { (self.functions.alcMakeContextCurrent)(self.context) };
        let plays = |source: &&u32| {
            let mut state = 0;
            // SAFETY: the source is one of the current context; one number is written.
            unsafe { (self.functions.alGetSourcei)(**source, number::SOURCE_STATE, &raw mut state) };
            state == number::PLAYING
        };
        self.sources.iter().filter(plays).count()
    }

    /// Renders left and right values in turn.
    pub(crate) fn render(&mut self, out: &mut [f32]) {
        let frames = c_int::try_from(out.len() / 2).expect("a short block");
        // SAFETY: the device lives and has two channels of floats: it writes two values for each frame, all within the
        // slice.
        unsafe { (self.functions.alcRenderSamplesSOFT)(self.device, out.as_mut_ptr().cast(), frames) };
    }

    #[allow(clippy::unused_self, reason = "reads as a sentence")]
    fn check(&self, is_fine: bool, what: &str) -> Result<(), Absent> {
        if is_fine { Ok(()) } else { Err(Absent(format!("OpenAL refused {what}"))) }
    }
}

impl Drop for Loopback {
    fn drop(&mut self) {
        // SAFETY: no context is current when its device goes, and each is freed once; sources go with the context, the
        // buffer with the device. Null is allowed.
        unsafe {
            (self.functions.alcMakeContextCurrent)(ptr::null_mut());
            (self.functions.alcDestroyContext)(self.context);
            (self.functions.alcCloseDevice)(self.device);
        }
    }
}
