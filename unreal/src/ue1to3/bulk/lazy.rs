use super::Payload;
use crate::base::error::{Error, ErrorKind, Malformed};
use crate::base::reader::Reader;
use crate::ue1to3::version::{AudioEnd, Layout};

/// Location of a payload, and the proof of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Located {
    /// Words of 32 bits that stand before the skip offset and belong to the game.
    pub extra: u32,
    /// True if the file type follows a word too.
    pub word_before_type: bool,
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
const MAX_EXTRA_WORDS: u32 = 8;

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
            let payload = counted(reader, at)?;
            Ok((payload, unstated(reader, payload)))
        }
        AudioEnd::SkipOffset | AudioEnd::SkipOffsetOrZero => {
            let mut found = None;
            let mut several = false;
            for extra in 0..=MAX_EXTRA_WORDS {
                let Some(payload) = try_skip_offset(reader, layout, at, extra)? else { continue };
                let candidate =
                    (payload, Located { extra, word_before_type: false, proof: Proof::SkipOffset });
                if layout.extra_words.expected() == Some(extra) {
                    return Ok(candidate);
                }
                several = found.replace(candidate).is_some();
            }
            match found {
                Some(found) if !several => Ok(found),
                Some(_) => Err(reader.error(at, Malformed::SeveralSkipOffsets)),
                None if layout.audio_end == AudioEnd::SkipOffsetOrZero => locate_after_zero(reader, at),
                None => Err(reader.error(at, Malformed::NoSkipOffset)),
            }
        }
    }
}

/// Returns the payload after a skip offset of 0, which says nothing.
fn locate_after_zero(reader: &mut Reader<'_>, at: u64) -> Result<(Payload, Located), Error> {
    reader.seek(at);
    if reader.u32()? != 0 {
        return Err(reader.error(at, Malformed::NoSkipOffset));
    }
    let payload = counted(reader, at)?;
    Ok((payload, unstated(reader, payload)))
}

/// Returns the payload from its count on.
fn counted(reader: &mut Reader<'_>, at: u64) -> Result<Payload, Error> {
    let length = reader.index_unsigned()?;
    reader.fitting(length, 1, at)?;
    Ok(Payload::plain(reader.at(), length.into()))
}

/// Returns what is known of a payload whose end nothing states.
fn unstated(reader: &Reader<'_>, payload: Payload) -> Located {
    let ends = payload.end() == reader.end();
    let proof = if ends { Proof::EndsWithObject } else { Proof::FitsObject };
    Located { extra: 0, word_before_type: false, proof }
}

/// Returns the payload if a skip offset after that many extra words agrees with where the data then ends.
fn try_skip_offset(
    reader: &mut Reader<'_>,
    layout: &Layout,
    at: u64,
    extra: u32,
) -> Result<Option<Payload>, Error> {
    reader.seek(at.saturating_add(u64::from(extra).saturating_mul(4)));
    let fields = reader.u32().and_then(|skip| {
        reader.skip(4_u64.saturating_mul(layout.words_after_end.into()))?;
        Ok((skip, reader.index()?))
    });
    let (skip, count) = match fields {
        Ok(fields) => fields,
        Err(error) => return if matches!(error.kind(), ErrorKind::Io(_)) { Err(error) } else { Ok(None) },
    };
    let Ok(length) = u64::try_from(count) else { return Ok(None) };
    let payload = Payload::plain(reader.at(), length);
    Ok((u64::from(skip) == payload.end() && payload.end() <= reader.end()).then_some(payload))
}
