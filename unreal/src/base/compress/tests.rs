use fixtures::compressed::{self, block};
use proptest::prelude::*;

use super::*;

const METHODS: [(Method, compressed::Method); 3] = [
    (Method::Zlib, compressed::Method::Zlib),
    (Method::Lzo, compressed::Method::Lzo),
    (Method::Lzx, compressed::Method::Lzx),
];

#[test]
fn a_method_is_one_of_the_lower_three_bits() {
    assert_eq!(Method::of_package(1), Some(Method::Zlib));
    assert_eq!(Method::of_package(2), Some(Method::Lzo));
    assert_eq!(Method::of_package(4), Some(Method::Lzx));
    assert_eq!(Method::of_package(0), None);
    assert_eq!(Method::of_package(3), None);
}

#[test]
fn a_block_becomes_its_size_and_neither_less_nor_more() {
    let bytes = b"boom tschak boom boom tschak ".repeat(2000);
    for (method, writer) in METHODS {
        let stored = block(writer, &bytes);
        assert_eq!(method.inflate(&stored, bytes.len()).as_ref(), Ok(&bytes), "{method:?}");
        assert!(method.inflate(&stored, bytes.len() + 1).is_err(), "{method:?}");
        let shorter = method.inflate(&stored, bytes.len() - 1);
        assert!(shorter.is_err() || shorter.is_ok_and(|part| part == bytes[..bytes.len() - 1]), "{method:?}");
    }
}

#[test]
fn a_block_under_the_wrong_name_is_read_if_it_is_zlib_and_taken_as_it_is_if_it_has_its_size() {
    let stored = block(compressed::Method::Zlib, b"boom tschak");
    assert_eq!(Method::Lzo.inflate(&stored, 11).unwrap(), b"boom tschak");
    assert_eq!(Method::Lzx.inflate(&stored, 11).unwrap(), b"boom tschak");
    assert_eq!(Method::Lzo.inflate(b"boom tschak", 11).unwrap(), b"boom tschak");
    assert!(Method::Lzo.inflate(b"boom tschak", 12).is_err());
}

/// The end of every LZO stream.
const END: [u8; 3] = [0x11, 0, 0];

fn lzo(codes: &[u8], size: usize) -> Result<Vec<u8>, Malformed> {
    lzo::inflate(&[codes, &END].concat(), size)
}

#[test]
fn each_code_of_lzo_does_what_its_description_says() {
    // Four literals at the start, and as a run later.
    assert_eq!(lzo(b"\x15abcd", 4).unwrap(), b"abcd");
    assert_eq!(lzo(b"\x01abcd", 4).unwrap(), b"abcd");
    // A run of 18 + 3 by a byte that follows.
    assert_eq!(lzo(&[&[0, 3], [b'x'; 21].as_slice()].concat(), 21).unwrap(), [b'x'; 21]);
    // Three bytes from four back, then a literal.
    assert_eq!(lzo(b"\x15abcd\x4D\x00e", 8).unwrap(), b"abcdabce");
    // Five from one back: what is copied reaches into itself.
    assert_eq!(lzo(b"\x15abcd\x80\x00", 9).unwrap(), b"abcddddddd"[..9]);
    // The third kind: 34 from four back, its length in the code and beyond it.
    assert_eq!(lzo(b"\x15abcd\x3F\x0C\x00", 37).unwrap(), b"abcd".repeat(10)[..37]);
    assert_eq!(lzo(b"\x15abcd\x20\x01\x0C\x00", 38).unwrap(), b"abcd".repeat(10)[..38]);
    // Two bytes from one back, after one literal.
    assert_eq!(lzo(b"\x15abcd\x4D\x00e\x00\x00", 10).unwrap(), b"abcdabceee");
    // Three bytes from 2049 back, after a run.
    let far = [&[0x00; 8][..], &[246]].concat();
    let run: Vec<u8> = (0..2049_u32).map(|index| index.to_le_bytes()[0]).collect();
    let codes = [&far[..], &run, &[0x00, 0x00]].concat();
    assert_eq!(lzo(&codes, 2052).unwrap(), [&run[..], &run[..3]].concat());
    // The fourth kind: from 16,384 + 1 back.
    let run = [&[0x00; 65][..], &[47]].concat();
    let zeros = vec![7; 16_385];
    let codes = [&run[..], &zeros, &[0x11, 0x04, 0x00]].concat();
    assert_eq!(lzo(&codes, 16_388).map(|bytes| bytes.len()), Ok(16_388));
}

#[test]
fn lzo_that_refers_to_what_is_before_its_start_is_refused() {
    assert_eq!(lzo(b"\x15abcd\x51\x00e", 8), Err(Malformed::Compressed("refers to bytes before its start")));
    assert_eq!(lzo(b"\x15abcd", 3), Err(Malformed::Compressed("unpacks to more than its size")));
    assert_eq!(
        lzo::inflate(b"\x15abc", 4),
        Err(Malformed::Compressed("ends in the middle of an LZO stream"))
    );
}

proptest! {
    #[test]
    fn what_another_program_compressed_is_inflated(
        piece in prop::collection::vec(0_u8..8, 1..300),
        times in 1..200_usize,
        end in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        let bytes = [piece.repeat(times), end].concat();
        for (method, writer) in METHODS {
            let stored = block(writer, &bytes);
            prop_assert_eq!(method.inflate(&stored, bytes.len()), Ok(bytes.clone()), "{:?}", method);
        }
    }

    #[test]
    fn any_bytes_become_at_most_their_size(stored in prop::collection::vec(any::<u8>(), 0..400), size in 0..5000_usize) {
        for (method, _) in METHODS {
            let inflated = method.inflate(&stored, size);
            prop_assert!(inflated.is_err() || inflated.is_ok_and(|bytes| bytes.len() == size));
        }
    }
}
