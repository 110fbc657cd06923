//! Vorbis in Ogg.
//!
//! The granule position of a page is the number of frames up to the end of the last packet in it. The last page's
//! ends the sound, and a first one that is too small for its packets cuts the beginning: so encoders make a length
//! that is no number of whole packets.
//!
//! Source: Xiph.Org, *Vorbis I specification*, §4.2 and appendix A.

mod books;

use song::{Hz, Recording};
use symphonia::core::codecs::audio::AudioCodecParameters;
use symphonia::core::codecs::audio::well_known::CODEC_ID_VORBIS;

use super::growing::Allowance;
use super::library::{Decoder, Stream, sixteen};
use super::ogg::{self, Packets};
use super::{Coding, Described};
use crate::error::malformed;
use crate::window::Window;
use crate::{Audio, Codec, Damage, Error};

/// A stream as its headers describe it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    channels: u16,
    /// Where the sound ends, if a page says so.
    pub(super) frames: Option<u64>,
}

/// Frames beyond which the end of the first page is not waited for: they are held without being paid for.
const FIRST_PAGE: usize = 1 << 17;

/// Bytes of the first header.
const IDENTIFICATION: usize = 30;

/// Describes what the first stream of an Ogg payload holds.
pub(super) fn describe(window: &Window<'_>) -> Result<Described, Damage> {
    let Some(first) = Packets::new(window).next()? else {
        return Err(malformed(0, "an Ogg page without a packet"));
    };
    let audio =
        |codec, rate, channels| Audio { codec, rate, channels, bits: None, frames: None, loops: Vec::new() };
    let named = |codec: Codec, rate: Option<u32>, channels: u8| {
        let rate = rate.and_then(|rate| Hz::new(rate).ok());
        let mut described = Described::unknown(format!("{} in Ogg is not decoded", codec.name()));
        described.audio = rate.map(|rate| audio(codec, rate, channels.into()));
        described
    };
    match first.bytes.as_slice() {
        [1, b'v', b'o', b'r', b'b', b'i', b's', 0, 0, 0, 0, channels, r0, r1, r2, r3, ..] => {
            let rate = Hz::new(u32::from_le_bytes([*r0, *r1, *r2, *r3]));
            let rate = rate.map_err(|_| malformed(first.at, "a Vorbis stream of 0 Hz"))?;
            if *channels == 0 {
                return Err(malformed(first.at, "a Vorbis stream of 0 channels"));
            }
            let exponent = first.bytes.get(28).map_or(0, |sizes| u32::from(sizes >> 4));
            let long_block = 1_u64.checked_shl(exponent).unwrap_or(1);
            stream(window, audio(Codec::Vorbis, rate, (*channels).into()), long_block)
        }
        [b'O', b'p', b'u', b's', b'H', b'e', b'a', b'd', _, channels, ..] => {
            Ok(named(Codec::Opus, Some(48_000), *channels))
        }
        [0x7F, b'F', b'L', b'A', b'C', ..] => Ok(named(Codec::Flac, None, 0)),
        _ => Ok(Described::unknown("Ogg without Vorbis is not decoded".to_owned())),
    }
}

fn stream(window: &Window<'_>, mut audio: Audio, long_block: u64) -> Result<Described, Damage> {
    let mut repairs = Vec::new();
    let survey = ogg::survey(window)?;
    if survey.others > 0 {
        repairs.push(format!("{} Ogg pages of other streams ignored", survey.others));
    }
    if survey.rest > 0 {
        repairs.push(format!("{} bytes after the last Ogg page ignored", survey.rest));
    }
    // A packet gives half of a block at most.
    let possible = survey.packets.saturating_mul(long_block).checked_div(2).unwrap_or_default();
    let frames = survey.granule.filter(|frames| *frames <= possible);
    if let (None, Some(stated)) = (frames, survey.granule) {
        repairs.push(format!("the last Ogg page states {stated} frames, its packets cannot hold them"));
    }
    if audio.channels > 2 {
        repairs.push(format!("{} channels are mixed down to two", audio.channels));
    }
    audio.frames = frames;
    let layout = Layout { channels: audio.channels, frames };
    Ok(Described { audio: Some(audio), coding: Ok(Coding::Vorbis(layout)), tuning: None, repairs })
}

impl Layout {
    pub(super) fn decode(&self, window: &Window<'_>, allowance: &mut Allowance) -> Result<Recording, Error> {
        let mut packets = Packets::new(window);
        let mut header =
            || packets.next()?.ok_or_else(|| malformed(0, "a Vorbis stream without its three headers"));
        let (identification, _comments, setup) = (header()?, header()?, header()?);
        books::check(&setup.bytes).map_err(|what| malformed(setup.at, what))?;
        let mut headers = identification.bytes;
        headers.truncate(IDENTIFICATION);
        headers.extend(setup.bytes);
        let mut parameters = AudioCodecParameters::new();
        parameters.for_codec(CODEC_ID_VORBIS).with_extra_data(headers.into());
        let mut decoder = Decoder::new(&parameters, setup.at)?;

        let first_page = self.first_page(&mut packets, &mut decoder)?;
        let mut stream = Stream::new(self.channels, first_page.skip, self.frames, sixteen, allowance);
        for planes in &first_page.planes {
            stream.push(planes)?;
        }
        while !stream.is_full() {
            let Some(packet) = packets.next()? else { break };
            stream.push(decoder.decode(&packet.bytes, packet.at)?)?;
        }
        stream.finish(0).map(Recording::I16)
    }

    /// Decodes the packets of the first page that has a granule position. The first packet of all gives no frames: it
    /// is one half of an overlap.
    fn first_page(&self, packets: &mut Packets<'_>, decoder: &mut Decoder) -> Result<FirstPage, Damage> {
        let (mut page, mut frames, mut is_first) = (FirstPage::default(), 0_usize, true);
        while let Some(packet) = packets.next()? {
            let planes = decoder.decode(&packet.bytes, packet.at)?;
            if !is_first {
                frames = frames.saturating_add(planes.first().map_or(0, Vec::len));
                page.planes.push(planes.to_vec());
            }
            is_first = false;
            if let Some(granule) = packet.granule {
                let frames = u64::try_from(frames).unwrap_or(u64::MAX);
                // If it is the last page as well, its position is where the sound ends.
                if Some(granule) != self.frames {
                    page.skip = frames.saturating_sub(granule);
                }
                break;
            }
            if frames > FIRST_PAGE {
                break;
            }
        }
        Ok(page)
    }
}

/// The planes of the first packets, and how many frames lie before the beginning.
#[derive(Default)]
struct FirstPage {
    planes: Vec<Vec<Vec<f32>>>,
    skip: u64,
}
