//! Why a buffer is refused.

use std::fmt;

/// A buffer that is not decoded, and the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The method of a block is not one of Kraken, Mermaid, Selkie and Leviathan.
    Method {
        /// Method id in the block's header.
        id: u8,
        /// Offset of the block in the stored bytes.
        at: usize,
    },
    /// The plain size is 2 GiB or more.
    TooLarge,
    /// The stored bytes break a rule of the format.
    Malformed {
        /// Part of the format whose rule is broken.
        part: FormatPart,
        /// Offset in the stored bytes of the part, or of the byte in it that breaks the rule.
        at: usize,
        /// The rule, as a clause.
        why: &'static str,
    },
}

/// A part of the format, for errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatPart {
    /// Block header and stored blocks.
    Block,
    /// Quantum header.
    Quantum,
    /// Chunk header.
    Chunk,
    /// Header of an entropy array, and raw arrays.
    Array,
    /// Code lengths of a Huffman array.
    CodeLengths,
    /// Symbols of a Huffman array.
    Huffman,
    /// tANS array.
    Tans,
    /// Array of run lengths.
    RunLengths,
    /// Array of arrays.
    Nested,
    /// Multi-array.
    MultiArray,
    /// LZ chunk of Kraken.
    Kraken,
    /// LZ chunk of Mermaid or Selkie.
    Mermaid,
    /// LZ chunk of Leviathan.
    Leviathan,
    /// Bit region of a Kraken or Leviathan chunk: offsets and long lengths.
    BitRegion,
}

impl fmt::Display for FormatPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Block => "block",
            Self::Quantum => "quantum",
            Self::Chunk => "chunk",
            Self::Array => "entropy array",
            Self::CodeLengths => "code lengths",
            Self::Huffman => "Huffman array",
            Self::Tans => "tANS array",
            Self::RunLengths => "run-length array",
            Self::Nested => "nested array",
            Self::MultiArray => "multi-array",
            Self::Kraken => "Kraken chunk",
            Self::Mermaid => "Mermaid chunk",
            Self::Leviathan => "Leviathan chunk",
            Self::BitRegion => "offsets and lengths",
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Method { id, .. } => match older_method(id) {
                Some(name) => write!(f, "Oodle method {name} (older than Kraken) is not supported"),
                None => write!(f, "Oodle method {id} is not supported"),
            },
            Self::TooLarge => write!(f, "an Oodle buffer of 2 GiB or more is not supported"),
            Self::Malformed { part, at, why } => {
                write!(f, "{part} at byte {at} of the Oodle buffer: {why}")
            }
        }
    }
}

impl std::error::Error for Error {}

/// Returns the name of a method with this id that is recognised but not decoded.
fn older_method(id: u8) -> Option<&'static str> {
    match id {
        2 => Some("LZB16"),
        5 => Some("LZNA"),
        11 => Some("BitKnit"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_methods_are_named_and_unknown_ones_numbered() {
        let text = |id| Error::Method { id, at: 0 }.to_string();
        assert_eq!(text(5), "Oodle method LZNA (older than Kraken) is not supported");
        assert_eq!(text(11), "Oodle method BitKnit (older than Kraken) is not supported");
        assert_eq!(text(2), "Oodle method LZB16 (older than Kraken) is not supported");
        assert_eq!(text(7), "Oodle method 7 is not supported");
    }

    #[test]
    fn an_error_names_its_part_and_offset() {
        let error = Error::Malformed { part: FormatPart::Tans, at: 26, why: "weights do not add up" };
        assert_eq!(error.to_string(), "tANS array at byte 26 of the Oodle buffer: weights do not add up");
    }
}
