//! The system's hosts and devices: what there is, and what it offers.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use cpal::traits::{DeviceTrait, HostTrait};
use cpal::{Device, ErrorKind, Host, SampleFormat, SupportedBufferSize, SupportedStreamConfigRange};
use song::{Frames, Hz};

use super::problem;
use crate::device::error::DeviceError;
use crate::device::info::DeviceInfo;

/// ALSA's device that takes everything at once and plays it to nobody. Our own keeps time.
const TIMELESS: &str = "alsa:null";

/// What is not even opened to be listed: JACK's library writes to the terminal, past ALSA, when no server runs.
const NOISY: &str = "alsa:jack";

/// On Linux explicitly ALSA, through which sound servers are reached as well: what cpal takes for the best host depends
/// on how it was built.
pub(super) fn host() -> Result<Host, DeviceError> {
    #[cfg(target_os = "linux")]
    let host = cpal::host_from_id(cpal::HostId::Alsa);
    #[cfg(not(target_os = "linux"))]
    let host = cpal::ALL_HOSTS
        .first()
        .map_or_else(|| Err(ErrorKind::HostUnavailable.into()), |first| cpal::host_from_id(*first));
    host.map_err(|error| DeviceError::System { problem: problem(&error) })
}

pub(super) fn id(device: &Device) -> Option<String> {
    device.id().ok().map(|id| id.to_string())
}

/// Returns everything that may be an output and can be opened without harm, by its id, the default first.
pub(super) fn outputs(host: &Host) -> Result<Vec<(String, Device)>, DeviceError> {
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

/// Returns the device of an id, with or without the name of the system in front; without a choice, the default.
pub(super) fn find(host: &Host, wish: Option<&str>) -> Result<(String, Device), DeviceError> {
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

/// Returns what can be asked of a device in values we can make.
pub(super) fn offers(device: &Device) -> Result<Vec<SupportedStreamConfigRange>, cpal::Error> {
    Ok(device.supported_output_configs()?.filter(|offer| is_known(offer.sample_format())).collect())
}

const fn is_known(format: SampleFormat) -> bool {
    use SampleFormat::{F32, F64, I8, I16, I24, I32, U8, U16, U24, U32};
    matches!(format, F32 | F64 | I8 | I16 | I24 | I32 | U8 | U16 | U24 | U32)
}

pub(super) fn describe(id: String, device: &Device, is_default: bool) -> Option<DeviceInfo> {
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

/// Returns the rates in some offers, ascending, each once.
pub(super) fn rates(offers: &[SupportedStreamConfigRange]) -> Vec<RangeInclusive<Hz>> {
    let all: BTreeSet<_> =
        offers.iter().map(|offer| (offer.min_sample_rate(), offer.max_sample_rate())).collect();
    let range = |(min, max): (u32, u32)| Some(Hz::new(min.max(1)).ok()?..=Hz::new(max).ok()?);
    all.into_iter().filter_map(range).collect()
}
