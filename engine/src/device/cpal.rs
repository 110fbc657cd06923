//! Sound cards and sound servers, through the library cpal; nothing else in this workspace knows it.
//!
//! ```text
//! start ── lease ──► a thread that owns the stream ── one-slot ring ──► the stream's callback
//!   ▲                      │                                                   │
//!   └─── what it got ──────┘              Running::stop ◄── processor ── dropped with the stream
//! ```
//!
//! The thread is there because a stream may be bound to the one that opened it, and because ALSA's library prints its
//! errors wherever the thread at hand has not silenced it.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use cpal::{
    BufferSize, Device, ErrorKind, Host, SampleFormat, SizedSample, Stream, StreamConfig,
    SupportedBufferSize, SupportedStreamConfig, SupportedStreamConfigRange,
};
use dasp_sample::{I24, U24};
use ringbuf::traits::{Producer, Split};
use ringbuf::{HeapCons, HeapProd, HeapRb};
use song::{Frames, Hz};

use crate::device::callback_state::CallbackState;
use crate::device::convert::DeviceSample;
pub use crate::device::error::DeviceError;
pub use crate::device::info::{DeviceInfo, DeviceRequest};
use crate::device::{DEFAULT_BLOCK, DeviceStatus, PATIENCE, ProcessorGuard, Running, StartError, lend};
use crate::rt::processor::Processor;

/// Channels where the device has them.
const CHANNELS: u16 = 2;

/// How long a device may take to ask for its first block.
const FIRST_BLOCK: Duration = Duration::from_secs(2);

/// How long opening one may take altogether.
const OPENING: Duration = Duration::from_secs(10);

/// How often a playing device is looked at.
const GLANCE: Duration = Duration::from_millis(100);

/// After how many glances a device that only makes errors, and asks for no block, is taken for lost.
const GLANCES: u32 = 5;

/// Frames converted at a time for a device whose values are no `f32`.
const CONVERTED: usize = 256;

/// ALSA's device that takes everything at once and plays it to nobody. Our own keeps time.
const TIMELESS: &str = "alsa:null";

/// What is not even opened to be listed: JACK's library writes to the terminal, past ALSA, when no server runs.
const NOISY: &str = "alsa:jack";

/// The output devices of this system, the default first. Asking each what it offers may take a while.
///
/// Devices that are configured but cannot be opened are left out, unless they are merely in use or forbidden.
///
/// # Errors
/// [`DeviceError::System`] if the system has no sound at all.
///
/// # Real-time
/// Never.
pub fn list() -> Result<Vec<DeviceInfo>, DeviceError> {
    let ask = || {
        silence();
        let host = host()?;
        let default = default_device();
        let found = outputs(&host)?.into_iter().filter_map(|(id, device)| {
            let is_default = default.as_ref() == Some(&id);
            describe(id, &device, is_default)
        });
        Ok(found.collect())
    };
    thread::scope(|scope| {
        let asking = thread::Builder::new().name("audio devices".into()).spawn_scoped(scope, ask);
        match asking.map_err(DeviceError::Thread)?.join() {
            Ok(found) => found,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// The id of the system's default output device, if it has one; from here on ALSA's library prints nothing on this thread.
///
/// It is asked for again and again by whoever follows it: not every system moves a stream to the next default, or says
/// that it did.
///
/// # Real-time
/// Never.
#[must_use]
pub fn default_device() -> Option<String> {
    silence();
    host().ok()?.default_output_device().and_then(|device| id(&device))
}

/// Plays on a device. It has started once it has asked for its first block.
///
/// # Errors
/// [`StartError`] with a [`DeviceError`] as its reason, and the processor.
///
/// # Real-time
/// Never: waits for the device. On the device's own thread nothing is allocated, freed, locked or printed here.
pub fn start(processor: Processor, request: &DeviceRequest) -> Result<Running, StartError> {
    let (lease, home) = lend(processor);
    let status = Arc::clone(home.status());
    let request = request.clone();
    let asked = request.device.clone();
    let (answer, answers) = mpsc::channel();
    let (hold, closed) = mpsc::channel();
    let owner = thread::Builder::new().name("audio device".into());
    if let Err(error) = owner.spawn(move || own(lease, &status, &request, &answer, &closed)) {
        return Err(StartError::new(DeviceError::Thread(error), home));
    }
    // The thread sends nothing after its answer; its end is seen as the end of the channel.
    match answers.recv_timeout(OPENING) {
        Ok(Ok(Got { device, rate })) => Ok(Running::new(home, device, rate, move || {
            drop(hold);
            let _ = answers.recv_timeout(PATIENCE);
        })),
        Ok(Err(error)) => {
            let _ = answers.recv_timeout(PATIENCE);
            Err(StartError::new(error, home))
        }
        Err(RecvTimeoutError::Timeout) => Err(StartError::new(DeviceError::Silent { device: asked }, home)),
        Err(RecvTimeoutError::Disconnected) => {
            let problem = "the thread that opens it came to an end".to_owned();
            Err(StartError::new(DeviceError::Failed { device: asked, problem }, home))
        }
    }
}

/// What a device turned out to be.
struct Got {
    device: String,
    rate: Hz,
}

/// Opens a device, answers, and keeps it until nobody holds it any more.
fn own(
    lease: ProcessorGuard,
    status: &Arc<DeviceStatus>,
    request: &DeviceRequest,
    answer: &Sender<Result<Got, DeviceError>>,
    closed: &Receiver<Infallible>,
) {
    silence();
    let stream = match open(lease, status, request) {
        Ok((stream, got)) => {
            let heard = wait_for_block(status, &got.device).map(|()| got);
            let plays = heard.is_ok();
            if answer.send(heard).is_ok() && plays {
                watch(status, closed);
            }
            stream
        }
        Err(error) => {
            let _ = answer.send(Err(error));
            return;
        }
    };
    drop(stream);
}

/// Waits until nobody holds the device any more or it is lost. Not every lost device says so: of a sound server that has
/// died ALSA tells in hundreds of thousands of errors a second, none of which says that it will not come back.
fn watch(status: &DeviceStatus, closed: &Receiver<Infallible>) {
    let trouble = || status.errors() + status.xruns();
    let (mut blocks, mut troubles, mut glances) = (status.blocks(), trouble(), 0);
    while !status.is_lost() {
        match closed.recv_timeout(GLANCE) {
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        let is_stuck = status.blocks() == blocks && trouble() > troubles;
        (blocks, troubles) = (status.blocks(), trouble());
        glances = if is_stuck { glances + 1 } else { 0 };
        if glances >= GLANCES {
            status.set_lost();
        }
    }
}

/// Builds a stream, puts the lease into it and lets it run.
fn open(
    mut lease: ProcessorGuard,
    status: &Arc<DeviceStatus>,
    request: &DeviceRequest,
) -> Result<(Stream, Got), DeviceError> {
    let host = host()?;
    let (id, device) = find(&host, request.device.as_deref())?;
    let failed =
        |error: cpal::Error| DeviceError::Failed { device: Some(id.clone()), problem: problem(&error) };
    let plan = StreamFormat::of(&id, &device, request)?;
    let (stream, mut way_in) = plan.build(&device, status).map_err(failed)?;
    lease.set_rate(plan.rate);
    // There is room for one, and there is only one.
    let _ = way_in.try_push(lease);
    stream.play().map_err(failed)?;
    Ok((stream, Got { device: id.clone(), rate: plan.rate }))
}

/// That a stream was built and started does not mean that there is a device: only its asking does.
fn wait_for_block(status: &DeviceStatus, device: &str) -> Result<(), DeviceError> {
    let begun = Instant::now();
    while status.blocks() == 0 {
        if status.is_lost() {
            let problem = "it went away at once".to_owned();
            return Err(DeviceError::Failed { device: Some(device.to_owned()), problem });
        }
        if begun.elapsed() > FIRST_BLOCK {
            return Err(DeviceError::Silent { device: Some(device.to_owned()) });
        }
        thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}

/// From here on ALSA's library prints nothing on this thread: devices that fail to open are told as errors.
#[cfg(target_os = "linux")]
fn silence() {
    // There is no way to take it back but the thread's end. Where it fails, there is noise.
    let _ = alsa::Output::local_error_handler();
}

#[cfg(not(target_os = "linux"))]
const fn silence() {}

/// On Linux explicitly ALSA, through which sound servers are reached as well: what cpal takes for the best host depends
/// on how it was built.
fn host() -> Result<Host, DeviceError> {
    #[cfg(target_os = "linux")]
    let host = cpal::host_from_id(cpal::HostId::Alsa);
    #[cfg(not(target_os = "linux"))]
    let host = cpal::ALL_HOSTS
        .first()
        .map_or_else(|| Err(ErrorKind::HostUnavailable.into()), |first| cpal::host_from_id(*first));
    host.map_err(|error| DeviceError::System { problem: problem(&error) })
}

fn id(device: &Device) -> Option<String> {
    device.id().ok().map(|id| id.to_string())
}

/// Everything that may be an output and can be opened without harm, by its id, the default first.
fn outputs(host: &Host) -> Result<Vec<(String, Device)>, DeviceError> {
    let others = host.output_devices().map_err(|error| DeviceError::System { problem: problem(&error) })?;
    let mut found: Vec<(String, Device)> = Vec::new();
    for device in host.default_output_device().into_iter().chain(others) {
        let Some(id) = id(&device) else { continue };
        // Of one id there is only the first to be had.
        if ![TIMELESS, NOISY].contains(&&*id) && found.iter().all(|(other, _)| *other != id) {
            found.push((id, device));
        }
    }
    Ok(found)
}

/// The device of an id, with or without the name of the system in front; without a wish, the default.
fn find(host: &Host, wish: Option<&str>) -> Result<(String, Device), DeviceError> {
    let Some(wish) = wish else {
        let default = host.default_output_device().and_then(|device| Some((id(&device)?, device)));
        return default.ok_or(DeviceError::NoDefault);
    };
    let mut all = outputs(host)?;
    let is_wished = |id: &str| id == wish || id.split_once(':').is_some_and(|(_, bare)| bare == wish);
    if let Some(found) = all.iter().position(|(id, _)| is_wished(id)) {
        return Ok(all.swap_remove(found));
    }
    // Some systems know a device by more than one id: `hw:0,0` for `hw:CARD=0,DEV=0`.
    if let Some(device) = wish.parse().ok().and_then(|id| host.device_by_id(&id))
        && let Some(id) = id(&device)
        && id != TIMELESS
    {
        return Ok((id, device));
    }
    let known = all.into_iter().map(|(id, _)| id).collect();
    Err(DeviceError::Unknown { device: wish.to_owned(), known })
}

/// What can be asked of a device in values we can make.
fn offers(device: &Device) -> Result<Vec<SupportedStreamConfigRange>, cpal::Error> {
    Ok(device.supported_output_configs()?.filter(|offer| is_known(offer.sample_format())).collect())
}

const fn is_known(format: SampleFormat) -> bool {
    use SampleFormat::{F32, F64, I8, I16, I24, I32, U8, U16, U24, U32};
    matches!(format, F32 | F64 | I8 | I16 | I24 | I32 | U8 | U16 | U24 | U32)
}

fn describe(id: String, device: &Device, is_default: bool) -> Option<DeviceInfo> {
    let (offers, problem) = match offers(device) {
        Ok(offers) if offers.is_empty() => return None,
        Ok(offers) => (offers, None),
        Err(error) if matches!(error.kind(), ErrorKind::DeviceBusy | ErrorKind::PermissionDenied) => {
            (Vec::new(), Some(problem(&error)))
        }
        Err(_) => return None,
    };
    let blocks = offers.iter().filter_map(|offer| match *offer.buffer_size() {
        SupportedBufferSize::Range { min, max } => Some(Frames::new(min.into())..=Frames::new(max.into())),
        SupportedBufferSize::Unknown => None,
    });
    let channels: BTreeSet<_> = offers.iter().map(SupportedStreamConfigRange::channels).collect();
    let default_rate = (!offers.is_empty()).then(|| device.default_output_config().ok()).flatten();
    Some(DeviceInfo {
        name: device.description().map_or_else(|_| id.clone(), |about| about.name().to_owned()),
        is_default,
        default_rate: default_rate.and_then(|config| Hz::new(config.sample_rate()).ok()),
        rates: rates(&offers),
        channels: channels.into_iter().collect(),
        block: blocks.reduce(|one, other| *one.start().min(other.start())..=*one.end().max(other.end())),
        problem,
        id,
    })
}

/// The rates in some offers, ascending, each once.
fn rates(offers: &[SupportedStreamConfigRange]) -> Vec<RangeInclusive<Hz>> {
    let all: BTreeSet<_> =
        offers.iter().map(|offer| (offer.min_sample_rate(), offer.max_sample_rate())).collect();
    let range = |(min, max): (u32, u32)| Some(Hz::new(min.max(1)).ok()?..=Hz::new(max).ok()?);
    all.into_iter().filter_map(range).collect()
}

/// How a device is to be opened.
#[derive(Debug)]
struct StreamFormat {
    channels: u16,
    rate: Hz,
    format: SampleFormat,
    /// Frames to ask for.
    block: u32,
}

impl StreamFormat {
    fn of(id: &str, device: &Device, request: &DeviceRequest) -> Result<Self, DeviceError> {
        let failed = |error: cpal::Error| DeviceError::Failed {
            device: Some(id.to_owned()),
            problem: problem(&error),
        };
        let offers = offers(device).map_err(failed)?;
        let usual = device.default_output_config().ok();
        let usual_channels = usual.as_ref().map(SupportedStreamConfig::channels);
        let wishes = match request.rate {
            Some(rate) => vec![rate.get()],
            None => usual
                .iter()
                .map(SupportedStreamConfig::sample_rate)
                .chain([Processor::DEFAULT_RATE])
                .chain(offers.iter().map(SupportedStreamConfigRange::max_sample_rate))
                .collect(),
        };
        let best = wishes.into_iter().find_map(|rate| Some((rate, best(&offers, rate, usual_channels)?)));
        let Some((rate, offer)) = best.and_then(|(rate, offer)| Some((Hz::new(rate).ok()?, offer))) else {
            return Err(match request.rate {
                Some(asked) if !offers.is_empty() => {
                    DeviceError::Rate { device: id.to_owned(), asked, offered: rates(&offers) }
                }
                _ => DeviceError::Failed {
                    device: Some(id.to_owned()),
                    problem: "it offers nothing that can be played".to_owned(),
                },
            });
        };
        let block = u32::try_from(request.buffer.unwrap_or(DEFAULT_BLOCK).get()).unwrap_or(u32::MAX).max(1);
        let block = match *offer.buffer_size() {
            SupportedBufferSize::Range { min, max } => block.max(min).min(max),
            SupportedBufferSize::Unknown => block,
        };
        Ok(Self { channels: offer.channels(), rate, format: offer.sample_format(), block })
    }

    /// Builds a stream that plays silence until it gets a lease through the ring. A device that refuses the block length
    /// is asked once more without one.
    fn build(
        &self,
        device: &Device,
        status: &Arc<DeviceStatus>,
    ) -> Result<(Stream, HeapProd<ProcessorGuard>), cpal::Error> {
        let asked = self.build_with(device, status, BufferSize::Fixed(self.block));
        match asked {
            Err(error) if error.kind() == ErrorKind::UnsupportedConfig => {
                self.build_with(device, status, BufferSize::Default)
            }
            asked => asked,
        }
    }

    fn build_with(
        &self,
        device: &Device,
        status: &Arc<DeviceStatus>,
        buffer_size: BufferSize,
    ) -> Result<(Stream, HeapProd<ProcessorGuard>), cpal::Error> {
        let config = StreamConfig { channels: self.channels, sample_rate: self.rate.get(), buffer_size };
        let (way_in, leases) = HeapRb::new(1).split();
        let status = Arc::clone(status);
        let stream = match self.format {
            SampleFormat::F32 => {
                let channels = usize::from(config.channels);
                let mut callback_state = CallbackState::new(leases);
                device.build_output_stream(
                    config,
                    move |out: &mut [f32], _| match callback_state.lease() {
                        Some(lease) => lease.process(out, channels),
                        None => out.fill(0.0),
                    },
                    move |error| note(&status, error.kind()),
                    Some(PATIENCE),
                )
            }
            SampleFormat::F64 => build_as::<f64>(device, config, leases, status),
            SampleFormat::I32 => build_as::<i32>(device, config, leases, status),
            SampleFormat::I24 => build_as::<I24>(device, config, leases, status),
            SampleFormat::I16 => build_as::<i16>(device, config, leases, status),
            SampleFormat::I8 => build_as::<i8>(device, config, leases, status),
            SampleFormat::U32 => build_as::<u32>(device, config, leases, status),
            SampleFormat::U24 => build_as::<U24>(device, config, leases, status),
            SampleFormat::U16 => build_as::<u16>(device, config, leases, status),
            SampleFormat::U8 => build_as::<u8>(device, config, leases, status),
            _ => Err(ErrorKind::UnsupportedConfig.into()),
        }?;
        Ok((stream, way_in))
    }
}

/// The best offer at a rate: stereo, else the usual number of channels, else any; and of these the values that lose
/// least.
fn best(
    offers: &[SupportedStreamConfigRange],
    rate: u32,
    usual_channels: Option<u16>,
) -> Option<SupportedStreamConfigRange> {
    let at_rate = || offers.iter().filter(|offer| offer.contains_rate(rate)).copied();
    let with = |channels| {
        at_rate()
            .filter(|offer| offer.channels() == channels)
            .max_by(SupportedStreamConfigRange::cmp_default_heuristics)
    };
    with(CHANNELS)
        .or_else(|| with(usual_channels?))
        .or_else(|| at_rate().max_by(SupportedStreamConfigRange::cmp_default_heuristics))
}

/// Builds a stream of values that are no `f32`.
fn build_as<T: SizedSample + DeviceSample + Send + 'static>(
    device: &Device,
    config: StreamConfig,
    leases: HeapCons<ProcessorGuard>,
    status: Arc<DeviceStatus>,
) -> Result<Stream, cpal::Error> {
    let channels = usize::from(config.channels);
    let mut memory = vec![0.0; CONVERTED * channels];
    let mut callback_state = CallbackState::new(leases);
    device.build_output_stream(
        config,
        move |out: &mut [T], _| match callback_state.lease() {
            Some(lease) => lease.process_as(out, channels, &mut memory),
            None => out.fill(T::of(0.0)),
        },
        move |error| note(&status, error.kind()),
        Some(PATIENCE),
    )
}

/// Counts what went wrong; it may come thousands of times a second.
///
/// # Real-time
/// Safe.
fn note(status: &DeviceStatus, kind: ErrorKind) {
    match kind {
        ErrorKind::Xrun => status.count_xrun(),
        ErrorKind::RealtimeDenied => status.count_realtime_denial(),
        // It plays on, elsewhere.
        ErrorKind::DeviceChanged => {}
        ErrorKind::StreamInvalidated | ErrorKind::DeviceNotAvailable => {
            status.count_error();
            status.set_lost();
        }
        _ => status.count_error(),
    }
}

/// What went wrong, without a full stop.
fn problem(error: &cpal::Error) -> String {
    match (error.kind(), error.message()) {
        (ErrorKind::DeviceNotAvailable, None) => "device not available".to_owned(),
        (ErrorKind::DeviceBusy, None) => "device in use by another program".to_owned(),
        (ErrorKind::PermissionDenied, None) => "permission denied".to_owned(),
        _ => error.to_string().trim_end_matches('.').to_owned(),
    }
}

#[cfg(test)]
mod tests;
