//! In what form a device is opened, and the stream that feeds it.

use std::sync::Arc;

use cpal::traits::DeviceTrait;
use cpal::{
    BufferSize, Device, ErrorKind, SampleFormat, SizedSample, Stream, StreamConfig, SupportedBufferSize,
    SupportedStreamConfig, SupportedStreamConfigRange,
};
use dasp_sample::{I24, U24};
use ringbuf::traits::Split;
use ringbuf::{HeapCons, HeapProd, HeapRb};
use song::Hz;

use super::hosts::{offers, rates};
use super::{count_error, problem};
use crate::device::callback_state::CallbackState;
use crate::device::convert::DeviceSample;
use crate::device::error::DeviceError;
use crate::device::info::DeviceRequest;
use crate::device::{CLOSE_TIMEOUT, DEFAULT_BLOCK, DeviceStatus, ProcessorGuard};
use crate::rt::processor::Processor;

/// Channels where the device has them.
const CHANNELS: u16 = 2;

/// Frames converted at a time for a device whose values are no `f32`.
const CONVERTED: usize = 256;

/// How a device is to be opened.
#[derive(Debug)]
pub(super) struct StreamFormat {
    channels: u16,
    pub(super) rate: Hz,
    format: SampleFormat,
    /// Frames to ask for.
    block: u32,
}

impl StreamFormat {
    pub(super) fn of(id: &str, device: &Device, request: &DeviceRequest) -> Result<Self, DeviceError> {
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
                .chain([Processor::DEFAULT_RATE.get()])
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
                    problem: "it offers no output format that can be played".to_owned(),
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

    /// Builds a stream that plays silence until it gets a guard through the ring. A device that refuses the block
    /// length is asked once more without one.
    pub(super) fn build(
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
        let (way_in, guards) = HeapRb::new(1).split();
        let status = Arc::clone(status);
        let stream = match self.format {
            SampleFormat::F32 => {
                let channels = usize::from(config.channels);
                let mut callback_state = CallbackState::new(guards);
                device.build_output_stream(
                    config,
                    move |out: &mut [f32], _| match callback_state.guard() {
                        Some(guard) => guard.process(out, channels),
                        None => out.fill(0.0),
                    },
                    move |error| count_error(&status, error.kind()),
                    Some(CLOSE_TIMEOUT),
                )
            }
            SampleFormat::F64 => build_as::<f64>(device, config, guards, status),
            SampleFormat::I32 => build_as::<i32>(device, config, guards, status),
            SampleFormat::I24 => build_as::<I24>(device, config, guards, status),
            SampleFormat::I16 => build_as::<i16>(device, config, guards, status),
            SampleFormat::I8 => build_as::<i8>(device, config, guards, status),
            SampleFormat::U32 => build_as::<u32>(device, config, guards, status),
            SampleFormat::U24 => build_as::<U24>(device, config, guards, status),
            SampleFormat::U16 => build_as::<u16>(device, config, guards, status),
            SampleFormat::U8 => build_as::<u8>(device, config, guards, status),
            _ => Err(ErrorKind::UnsupportedConfig.into()),
        }?;
        Ok((stream, way_in))
    }
}

/// Returns the best offer at a rate: stereo, else the usual number of channels, else any; and of these the values that
/// lose least.
pub(super) fn best(
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
    guards: HeapCons<ProcessorGuard>,
    status: Arc<DeviceStatus>,
) -> Result<Stream, cpal::Error> {
    let channels = usize::from(config.channels);
    let mut memory = vec![0.0; CONVERTED * channels];
    let mut callback_state = CallbackState::new(guards);
    device.build_output_stream(
        config,
        move |out: &mut [T], _| match callback_state.guard() {
            Some(guard) => guard.process_as(out, channels, &mut memory),
            None => out.fill(T::of(0.0)),
        },
        move |error| count_error(&status, error.kind()),
        Some(CLOSE_TIMEOUT),
    )
}
