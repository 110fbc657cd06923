use super::chunk_id::ChunkId;

/// A chunk as the table has it.
#[derive(Clone, Debug)]
pub(super) struct WrittenChunk {
    pub(super) id: ChunkId,
    pub(super) path: Option<String>,
    /// Where it begins in the address space of the container, and how many bytes it has.
    pub(super) range: (u64, u64),
    /// The first bytes of its BLAKE3.
    pub(super) hash: [u8; 20],
    pub(super) is_compressed: bool,
}
