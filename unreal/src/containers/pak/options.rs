//! What a pak is written with.

use super::version::PakForm;
use crate::base::compress::Method;
use crate::base::crypt::AesKey;
use crate::base::guid::Guid;

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
