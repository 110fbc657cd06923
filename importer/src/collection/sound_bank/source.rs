//! The bytes of banks: all files one after another, and each by itself.

use std::io;
use std::sync::Arc;

use soundbank::Project;
use soundbank::fmod::FsbCipher;
use unreal::Source;
use unreal::ue1to3::bulk::Payload;

use crate::collection::joined_files::JoinedFiles;

/// The bytes of all files, those of encrypted sounds decrypted.
pub(super) struct BankSource {
    joined: Arc<JoinedFiles>,
    /// Encrypted sounds in the order of their places.
    encrypted: Vec<EncryptedSound>,
}

struct EncryptedSound {
    payload: Payload,
    /// Where it lies in its file.
    at: u64,
    cipher: FsbCipher,
}

impl BankSource {
    pub(super) fn new(joined: Arc<JoinedFiles>, project: &Project, files: &[Payload]) -> Self {
        let encrypted = project.media.iter().filter_map(|media| {
            let cipher = media.sample.as_ref()?.fmod()?.cipher.clone()?;
            let place = media.bytes.as_ref()?;
            let start = files.get(place.file)?.offset.saturating_add(place.at);
            Some(EncryptedSound { payload: Payload::plain(start, place.length), at: place.at, cipher })
        });
        let mut encrypted: Vec<EncryptedSound> = encrypted.collect();
        encrypted.sort_by_key(|sound| sound.payload.offset);
        Self { joined, encrypted }
    }
}

impl Source for BankSource {
    fn len(&self) -> u64 {
        self.joined.len()
    }

    fn read_ahead(&self, at: u64) -> u64 {
        self.joined.read_ahead(at)
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        self.joined.read_at(at, into)?;
        let after = self.encrypted.partition_point(|sound| sound.payload.offset <= at);
        if let Some(sound) = after.checked_sub(1).and_then(|index| self.encrypted.get(index)) {
            let within = at.saturating_sub(sound.payload.offset);
            let left = usize::try_from(sound.payload.len.saturating_sub(within)).unwrap_or(usize::MAX);
            if let Some(bytes) = into.get_mut(..left.min(into.len())) {
                sound.cipher.apply(sound.at.saturating_add(within), bytes);
            }
        }
        Ok(())
    }
}

/// A file among those that are joined.
pub(super) struct FilePart {
    pub(super) joined: Arc<JoinedFiles>,
    pub(super) payload: Payload,
}

impl Source for FilePart {
    fn len(&self) -> u64 {
        self.payload.len
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        if at.saturating_add(into.len() as u64) > self.payload.len {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.joined.read_at(self.payload.offset.saturating_add(at), into)
    }
}
