use std::ops::RangeInclusive;

use ::cpal::{SampleFormat, SupportedBufferSize, SupportedStreamConfigRange};

use super::hosts::rates;
use super::stream_format::best;
use super::*;
use crate::device::BURST_BLOCKS;

fn offer(channels: u16, rates: RangeInclusive<u32>, format: SampleFormat) -> SupportedStreamConfigRange {
    SupportedStreamConfigRange::new(
        channels,
        *rates.start(),
        *rates.end(),
        SupportedBufferSize::Unknown,
        format,
    )
}

fn chosen(
    offers: &[SupportedStreamConfigRange],
    rate: u32,
    usual: Option<u16>,
) -> Option<(u16, SampleFormat)> {
    best(offers, rate, usual).map(|offer| (offer.channels(), offer.sample_format()))
}

#[test]
fn stereo_is_preferred_then_what_the_device_is_used_to() {
    let six = offer(6, 44_100..=48_000, SampleFormat::F32);
    let eight = offer(8, 44_100..=48_000, SampleFormat::F32);
    let two = offer(2, 44_100..=44_100, SampleFormat::I16);
    let offers = [six, eight, two];
    assert_eq!(chosen(&offers, 44_100, Some(6)), Some((2, SampleFormat::I16)));
    assert_eq!(chosen(&offers, 48_000, Some(6)), Some((6, SampleFormat::F32)));
    assert_eq!(chosen(&offers, 48_000, None), Some((8, SampleFormat::F32)));
    assert_eq!(chosen(&offers, 96_000, Some(6)), None);
}

#[test]
fn of_the_values_those_that_lose_least_are_preferred() {
    let formats = [SampleFormat::U8, SampleFormat::I16, SampleFormat::I32, SampleFormat::F32];
    for (index, &best) in formats.iter().enumerate() {
        let offers: Vec<_> = formats[..=index].iter().map(|format| offer(2, 1..=96_000, *format)).collect();
        assert_eq!(chosen(&offers, 48_000, None), Some((2, best)));
    }
}

#[test]
fn rates_are_listed_once_and_ascending() {
    let offers = [48_000, 44_100, 48_000]
        .map(|rate| offer(2, rate..=rate, SampleFormat::F32))
        .map(|offer| vec![offer]);
    let listed: Vec<_> = rates(&offers.concat()).iter().map(|range| range.start().get()).collect();
    assert_eq!(listed, [44_100, 48_000]);
}

#[test]
fn an_error_counts_as_what_it_is() {
    let status = DeviceStatus::default();
    count_error(&status, ErrorKind::Xrun);
    count_error(&status, ErrorKind::RealtimeDenied);
    count_error(&status, ErrorKind::DeviceChanged);
    assert_eq!((status.xruns(), status.realtime_denials(), status.errors()), (1, 1, 0));
    let status = DeviceStatus::default();
    count_error(&status, ErrorKind::BackendError);
    assert_eq!((status.errors(), status.is_lost()), (1, false));
    count_error(&status, ErrorKind::StreamInvalidated);
    assert_eq!((status.xruns(), status.errors(), status.is_lost()), (0, 1, true));
}

#[test]
fn a_burst_of_errors_counts_once_and_the_next_one_after_blocks_that_went_well() {
    let status = DeviceStatus::default();
    count_error(&status, ErrorKind::Xrun);
    for block in 0..100 {
        (0..20).for_each(|_| count_error(&status, ErrorKind::BackendError));
        if block % 10 == 9 {
            status.count_block(512, Hz::new(48_000).unwrap(), Duration::ZERO);
        }
    }
    assert_eq!((status.xruns(), status.errors(), status.problems()), (1, 0, 2001));
    for _ in 0..=BURST_BLOCKS {
        status.count_block(512, Hz::new(48_000).unwrap(), Duration::ZERO);
    }
    count_error(&status, ErrorKind::Xrun);
    assert_eq!((status.xruns(), status.errors()), (2, 0));
}

#[test]
fn a_device_that_only_makes_errors_is_lost() {
    let status = DeviceStatus::default();
    let (_hold, closed) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(|| {
            while !status.is_lost() {
                count_error(&status, ErrorKind::BackendError);
                thread::sleep(Duration::from_millis(1));
            }
        });
        watch(&status, &closed);
    });
    assert!(status.is_lost());
}

#[test]
fn a_device_that_waits_is_not_lost() {
    let status = DeviceStatus::default();
    count_error(&status, ErrorKind::BackendError);
    let (hold, closed) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(POLL_INTERVAL * (MAX_STUCK_POLLS + 2));
            drop(hold);
        });
        watch(&status, &closed);
    });
    assert!(!status.is_lost());
}
