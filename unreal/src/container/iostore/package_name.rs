//! What a package is called, by its own head: for containers that do not say where their chunks lie.
//!
//! ```text
//! head │ versions, if it has them │ … │ names │          which form it has, the names say
//! ```
//!
//! Source: *packages-ue4-ue6*, §6.1 and §6.2: Unreal Engine 5.8 measured, the others described.

use super::names::Names;
use super::version::ChunkTypes;
use crate::error::{Error, Malformed};
use crate::limits::Limits;
use crate::reader::Reader;
use crate::source::Source;

const WHAT: &str = "head of a package";

/// A package that is a level.
const FLAG_MAP: u32 = 0x2_0000;

/// What stands before the hashes of names in Unreal Engine 5: `CityHash64`.
const HASH_ALGORITHM: u64 = 0xC164_0000;

/// Reads the path of a package below the root, as far as its name says: `Game/Content/Audio/SW_Steps.uasset`. The
/// folder of the game is `Game` then, and plugins lie in `Plugins`.
///
/// # Errors
/// If its head ends early or contradicts itself, or takes more than the limits allow.
pub(super) fn read_path(
    source: &dyn Source,
    types: ChunkTypes,
    limits: &mut Limits,
) -> Result<String, Error> {
    let mut reader = Reader::new(source, WHAT, 0, source.len());
    let reader = &mut reader;
    let (at, flags_at) = match types {
        ChunkTypes::Engine4 => (0, 16),
        ChunkTypes::Engine5 => (8, 16),
    };
    let names = match types {
        ChunkTypes::Engine4 => {
            reader.seek(24);
            let (names, _, _, hashes) = (reader.u32()?, reader.u32()?, reader.u32()?, reader.u32()?);
            reader.seek(names.into());
            // A number that says which hash it is comes before them.
            let count = hashes.checked_div(8).and_then(|hashes| hashes.checked_sub(1));
            Names::read_buffer(reader, count.unwrap_or_default(), limits)?
        }
        ChunkTypes::Engine5 => {
            let names = batch_at(reader)?;
            reader.seek(names);
            Names::read_batch(reader, limits)?
        }
    };
    reader.seek(at);
    let name = names.read_mapped(reader)?;
    reader.seek(flags_at);
    let is_map = reader.u32()? & FLAG_MAP != 0;
    let mut parts = name.trim_start_matches('/').splitn(2, '/');
    let (root, rest) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let extension = if is_map { "umap" } else { "uasset" };
    Ok(match root {
        "Game" | "Engine" => format!("{root}/Content/{rest}.{extension}"),
        _ => format!("Plugins/{root}/Content/{rest}.{extension}"),
    })
}

/// Returns where the names of a package of Unreal Engine 5 begin.
fn batch_at(reader: &mut Reader<'_>) -> Result<u64, Error> {
    /// Heads have one number fewer for what packages depend on before 5.3.
    const HEADS: [u64; 2] = [52, 44];
    /// From 5.6 on two more numbers come after the versions.
    const MORE: [u64; 2] = [0, 8];
    reader.seek(0);
    let has_versions = reader.u32()? != 0;
    for head in HEADS {
        reader.seek(head);
        let versions = if has_versions {
            reader.skip(16)?;
            u64::from(reader.u32()?).saturating_mul(20).saturating_add(20)
        } else {
            0
        };
        for more in MORE {
            let names = head.saturating_add(versions).saturating_add(more);
            reader.seek(names);
            let is_there = reader.u32().is_ok_and(|count| count > 0) && reader.u32().is_ok();
            if is_there && reader.u64().is_ok_and(|algorithm| algorithm == HASH_ALGORITHM) {
                return Ok(names);
            }
        }
    }
    Err(reader.error(0, Malformed::NoFormFits))
}
