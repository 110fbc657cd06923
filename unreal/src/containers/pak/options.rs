//! What a pak is written with.

use super::version::PakForm;
use crate::base::compress::Method;
use crate::base::crypt::{AesKey, GameCipher};
use crate::base::guid::Guid;
use crate::base::writer::WriteError;

/// Options of a pak writer.
#[derive(Clone, Debug)]
pub struct PakOptions {
    /// Version of the pak.
    pub form: PakForm,
    /// Mount point: `../../../` is the root.
    pub mount: String,
    /// The method that entries may be compressed with.
    pub method: Option<Method>,
    /// Encryption; none if the pak is plain.
    pub encryption: Option<PakEncryption>,
    /// The game that the pak is for, if that has its own form of paks.
    pub game: Option<GameCipher>,
}

impl PakOptions {
    /// Checks that mods of the game have paks of this form.
    ///
    /// # Errors
    /// [`WriteError::Game`] if they do not.
    pub(super) fn check_game(&self) -> Result<(), WriteError> {
        let Some(game) = self.game else { return Ok(()) };
        let refused = |what: String| Err(WriteError::Game { title: game.title(), what });
        if !self.form.is_of(game) {
            return refused(format!("a pak of version {}", self.form));
        }
        if let Some(method) = self.method.filter(|method| !game.rules().methods.contains(method)) {
            return refused(method.name().to_owned());
        }
        if self.encryption.as_ref().is_some_and(|encryption| encryption.counts) {
            return refused("encryption by a stream (CTR)".to_owned());
        }
        Ok(())
    }
}

/// Encryption of a pak.
#[derive(Clone, Debug)]
pub struct PakEncryption {
    /// The key.
    pub key: AesKey,
    /// The identifier of the key; zeros for the one that a game has.
    pub guid: Guid,
    /// True for CTR with a vector per entry, false for ECB.
    pub counts: bool,
    /// True to encrypt the entries.
    pub hides_data: bool,
    /// True to encrypt the index.
    pub hides_index: bool,
}
