//! Payloads apart from their objects: where the audio is, found and proved, not believed.

use crate::error::{Error, ErrorKind, Malformed};
use crate::reader::Reader;
use crate::source::Source;
use crate::version::{AudioEnd, ExtraWords, Layout};

/// Bytes that lie in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Payload {
    /// Place of the first byte in the file.
    pub at: u64,
    /// Number of bytes; 0 in packages for servers, which have no audio.
    pub length: u64,
}

impl Payload {
    /// Place of the first byte after it.
    #[must_use]
    pub const fn end(&self) -> u64 {
        self.at.saturating_add(self.length)
    }

    /// Takes the bytes out, if they are no more than `most`. Exports may share bytes, so all payloads of a package
    /// together can be larger than its file.
    ///
    /// # Errors
    /// `OverLimit` for more; `Malformed` if the source is shorter than the one the payload was found in; `Io`.
    pub fn read(&self, source: &dyn Source, most: u64) -> Result<Vec<u8>, Error> {
        let error = |kind| Error::new(kind, self.at, "payload");
        if self.end() > source.len() {
            let fault = Malformed::OutsideFile { end: self.end(), length: source.len() };
            return Err(error(ErrorKind::Malformed(fault)));
        }
        let over = || error(ErrorKind::OverLimit { asked: self.length, left: most });
        if self.length > most {
            return Err(over());
        }
        let mut bytes = vec![0; usize::try_from(self.length).map_err(|_| over())?];
        source.read_at(self.at, &mut bytes).map_err(|io| error(ErrorKind::Io(io)))?;
        Ok(bytes)
    }
}

/// How a payload was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Located {
    /// Words of 32 bits that stand before the skip offset and belong to the game.
    pub extra: u32,
    /// Why the payload is believed to be there.
    pub proof: Proof,
}

/// Why a payload is believed to be where it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Proof {
    /// The skip offset is exactly where the data ends. It says so in two ways that agree.
    SkipOffset,
    /// The format has no skip offset, and the data ends exactly where its object does.
    EndsWithObject,
    /// The format has no skip offset, and the data fits into its object. The weakest.
    FitsObject,
}

/// The most extra words that are tried.
///
/// Source: own measurements (0 or 1 in 3,044 objects); sezero's *umr* has games with up to 7.
const MOST_EXTRA_WORDS: u32 = 8;

/// Finds the data of a lazy array (Epic: `TLazyArray`) from where the reader stands, up to the end of its region.
///
/// ```text
/// extra words │ skip offset: place of the byte after the data │ count │ data
/// ```
///
/// # Errors
/// `Malformed` if no number of extra words, or more than one and none of them expected, fits.
pub(crate) fn locate(reader: &mut Reader<'_>, layout: &Layout) -> Result<(Payload, Located), Error> {
    let at = reader.at();
    match layout.audio_end {
        AudioEnd::Unstated => {
            let length = reader.compact_unsigned()?;
            let count_at = reader.at();
            reader.fitting(length, 1, at)?;
            let payload = Payload { at: count_at, length: length.into() };
            let ends = payload.end() == reader.end();
            let proof = if ends { Proof::EndsWithObject } else { Proof::FitsObject };
            Ok((payload, Located { extra: 0, proof }))
        }
        AudioEnd::SkipOffset => {
            let mut found = None;
            let mut several = false;
            for extra in 0..=MOST_EXTRA_WORDS {
                let Some(payload) = try_skip_offset(reader, at, extra)? else { continue };
                let candidate = (payload, Located { extra, proof: Proof::SkipOffset });
                if layout.extra_words == ExtraWords::Expected(extra) {
                    return Ok(candidate);
                }
                several = found.replace(candidate).is_some();
            }
            match found {
                Some(found) if !several => Ok(found),
                Some(_) => Err(reader.error(at, Malformed::SeveralSkipOffsets)),
                None => Err(reader.error(at, Malformed::NoSkipOffset)),
            }
        }
    }
}

/// The payload if a skip offset after that many extra words agrees with where the data then ends.
fn try_skip_offset(reader: &mut Reader<'_>, at: u64, extra: u32) -> Result<Option<Payload>, Error> {
    reader.seek(at.saturating_add(u64::from(extra).saturating_mul(4)));
    let fields = reader.u32().and_then(|skip| Ok((skip, reader.compact()?)));
    let (skip, count) = match fields {
        Ok(fields) => fields,
        Err(error) => return if matches!(error.kind(), ErrorKind::Io(_)) { Err(error) } else { Ok(None) },
    };
    let Ok(length) = u64::try_from(count) else { return Ok(None) };
    let payload = Payload { at: reader.at(), length };
    Ok((u64::from(skip) == payload.end() && payload.end() <= reader.end()).then_some(payload))
}
