//! Lists in Studio banks: a count of two or four bytes, then entries that state their size.

use super::FmodGuid;
use crate::Error;
use crate::reader::Reader;

impl Reader<'_> {
    /// Reads a GUID.
    pub(super) fn guid(&mut self) -> Result<FmodGuid, Error> {
        let mut guid = [0; 16];
        guid.copy_from_slice(self.bytes(16)?);
        Ok(FmodGuid(guid))
    }

    /// Reads a number of 31 bits: two bytes, or four if the highest bit of the second is set.
    pub(super) fn x16(&mut self) -> Result<u32, Error> {
        const GOES_ON: u32 = 1 << 15;
        let low = u32::from(self.u16()?);
        if low & GOES_ON == 0 {
            return Ok(low);
        }
        // 15 bits of the first, 16 of the second, which is none to be shifted out.
        let high = u32::from(self.u16()?);
        Ok((low & !GOES_ON) | (high << 15))
    }

    /// Reads the three bytes of a number.
    pub(super) fn u24(&mut self) -> Result<u32, Error> {
        Ok(u32::from(self.u16()?) | (u32::from(self.u8()?) << 16))
    }
}

/// Reads a list whose entries are all of one size, and hands out a reader of each.
///
/// Entries are stepped over by the size that the list states, so that fields that a later version adds do no harm.
pub(super) fn each_fixed<'b>(
    reader: &mut Reader<'b>,
    what: &'static str,
    mut with: impl FnMut(&mut Reader<'b>) -> Result<(), Error>,
) -> Result<(), Error> {
    let count = reader.x16()? >> 1;
    if count == 0 {
        return Ok(());
    }
    let size = usize::from(reader.u16()?);
    // Entries of no size would let a few bytes claim any number of them.
    let count = reader.fitting(count.into(), size)?;
    for _ in 0..count {
        with(&mut reader.part(size, what)?)?;
    }
    Ok(())
}

/// Reads a list of GUIDs.
pub(super) fn guids(reader: &mut Reader<'_>, what: &'static str) -> Result<Vec<FmodGuid>, Error> {
    let mut guids = Vec::new();
    each_fixed(reader, what, |entry| {
        guids.push(entry.guid()?);
        Ok(())
    })?;
    Ok(guids)
}

/// Passes over a list whose entries are all of one size.
pub(super) fn skip_fixed(reader: &mut Reader<'_>) -> Result<(), Error> {
    each_fixed(reader, "FMOD list", |_| Ok(()))
}

/// Passes over a list whose entries each state their size.
pub(super) fn skip_varied(reader: &mut Reader<'_>) -> Result<(), Error> {
    let count = reader.x16()? >> 1;
    let count = reader.fitting(count.into(), 2)?;
    for _ in 0..count {
        let size = usize::from(reader.u16()?);
        reader.skip(size)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    fn reader(bytes: &[u8]) -> Reader<'_> {
        Reader::new(bytes, 0, "test")
    }

    #[test]
    fn a_number_of_two_bytes_goes_on_where_its_highest_bit_is_set() {
        assert_eq!(reader(&[0x34, 0x12]).x16().unwrap(), 0x1234);
        assert_eq!(reader(&[0x01, 0x80, 0x02, 0x00]).x16().unwrap(), 0x1_0001);
        assert!(reader(&[0x01, 0x80, 0x02]).x16().is_err());
    }

    #[test]
    fn entries_are_stepped_over_by_the_size_that_is_stated() {
        let mut firsts = Vec::new();
        let bytes = [5, 0, 3, 0, 1, 9, 9, 2, 9, 9, 7];
        let mut reader = reader(&bytes);
        each_fixed(&mut reader, "test", |entry| {
            firsts.push(entry.u8()?);
            Ok(())
        })
        .unwrap();
        assert_eq!((firsts, reader.rest()), (vec![1, 2], &[7][..]));
    }

    #[test]
    fn an_empty_list_states_no_size() {
        let mut reader = reader(&[1, 0, 7]);
        assert!(guids(&mut reader, "test").unwrap().is_empty());
        assert_eq!(reader.rest(), [7]);
    }

    #[test]
    fn a_list_longer_than_its_bytes_is_refused_even_if_its_entries_have_no_size() {
        for bytes in [&[0xFF, 0x7F, 16, 0, 1, 2][..], &[0xFF, 0x7F, 0, 0, 1, 2][..]] {
            let error = skip_fixed(&mut reader(bytes)).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::TooMany { .. }), "{error}");
        }
    }

    #[test]
    fn varied_entries_each_state_their_size() {
        let mut reader = reader(&[4, 0, 1, 0, 9, 0, 0, 7]);
        skip_varied(&mut reader).unwrap();
        assert_eq!(reader.rest(), [7]);
    }
}
