//! Any bytes as a block of each method of compression, in a chunk that says it becomes a certain size.
#![no_main]

use fixtures::bytes::Bytes;
use libfuzzer_sys::fuzz_target;
use unreal::ue1to3::bulk::{Payload, PayloadCompression, PayloadFile};
use unreal::{Memory, Method};

fuzz_target!(|bytes: &[u8]| {
    let [choice, low, high, block @ ..] = bytes else { return };
    let method = [Method::Lzo, Method::Lzx, Method::Zlib][usize::from(*choice) % 3];
    let size = 1 + 4 * u32::from(u16::from_le_bytes([*low, *high]));
    let mut chunk = Bytes::new();
    chunk.u32("tag", 0x9E2A_83C1).u32("block size", 0x2_0000).u32("stored", 0).u32("size", size);
    chunk.length("block.stored", block.len()).u32("block.size", size).raw("block", block);
    let file = Memory(chunk.finish().bytes);
    let packing = PayloadCompression { method, uncompressed_len: size.into() };
    let payload = Payload {
        file: PayloadFile::Package,
        offset: 0,
        len: file.0.len() as u64,
        compression: Some(packing),
    };
    if let Ok(bytes) = payload.read(&file, size.into()) {
        assert_eq!(bytes.len(), size as usize);
    }
});
