//! Arrays written by hand.

use super::*;

/// An array in the short form.
fn coded(kind: u32, payload: &[u8], plain: u32) -> Vec<u8> {
    let stored = payload.len() as u32;
    let header = 1 << 23 | kind << 20 | (plain - stored - 1) << 10 | stored;
    [&header.to_be_bytes()[1..], payload].concat()
}

/// The plain bytes of an array, which must be all of the input.
fn decoded(stored: &[u8]) -> Result<Vec<u8>, Error> {
    let mut input = StoredBytes::new(stored);
    let mut room = Vec::new();
    let plain = Coder::default().array(&mut input, 1000, &mut room)?.exact().to_vec();
    input.require(input.is_empty(), "goes on")?;
    Ok(plain)
}

fn reason(stored: &[u8]) -> String {
    decoded(stored).unwrap_err().to_string()
}

/// Ten bytes of a value, in four.
fn ten(value: u8) -> Vec<u8> {
    coded(3, &[value], 10)
}

#[test]
fn a_raw_array_has_a_short_and_a_long_header() {
    assert_eq!(decoded(&[0x80, 0]), Ok(vec![]));
    assert_eq!(decoded(b"\x80\x03abc"), Ok(b"abc".to_vec()));
    assert_eq!(decoded(b"\0\0\x03abc"), Ok(b"abc".to_vec()));
}

#[test]
fn a_header_is_held_against_the_input_and_the_limit() {
    assert_eq!(reason(&[0x80]), "entropy array at byte 0 of the Oodle buffer: has no header");
    assert_eq!(reason(&[0x80, 2, 0]), "entropy array at byte 2 of the Oodle buffer: ends too early");
    assert!(reason(&coded(3, b"a", 1001)).ends_with("has more plain bytes than can be used"));
    assert!(reason(&coded(6, b"abc", 9)).ends_with("has a reserved type"));
    assert!(reason(&[0x04, 0, 0, 0]).ends_with("states a reserved size"));
    // 2 bytes that become 2.
    assert!(reason(&[0x20, 0, 0x04, 0, 2, 1, 2]).ends_with("is not smaller than its plain bytes"));
}

#[test]
fn a_code_of_one_symbol_reads_no_symbols() {
    // 00 · 00000001 · symbol
    assert_eq!(decoded(&coded(2, &[0x00, 0x40 | b'x' >> 2, (b'x' << 6)], 20)), Ok(vec![b'x'; 20]));
}

#[test]
fn three_streams_give_their_symbols_in_turn() {
    // 00 · 2 symbols · width 0 · a · b, then the middle, A, C, and B backward: ten bits each.
    let mut payload = vec![0x00, 0x83, 0x0B, 0x10, 2, 0, 0x00, 0x00, 0x00, 0x00, 0x03, 0xFF];
    assert_eq!(decoded(&coded(2, &payload, 30)), Ok(b"aba".repeat(10)));
    payload[4] = 1;
    assert!(reason(&coded(2, &payload, 30)).ends_with("streams do not end where they must"));
}

#[test]
fn an_incomplete_code_is_refused() {
    // 00 · 2 symbols · width 1 · a, length 1 · b, length 2
    let payload = [0x00, 0x8B, 0x09, 0x8A, 1, 0, 0, 0, 0];
    assert!(reason(&coded(2, &payload, 30)).ends_with("do not make a complete code"));
}

#[test]
fn tans_states_end_as_the_last_five_bytes() {
    // 0 · K 8 · sparse · 1 symbol · width 8 · a, 128 · b, the rest
    let weights = [0x01, 0x0C, 0x30, 0x0C, 0x40];
    let payload = [&weights[..], &[0; 9]].concat();
    let plain = [&[b'a'; 20][..], &[0; 5]].concat();
    assert_eq!(decoded(&coded(1, &payload, 25)), Ok(plain));
    assert!(reason(&coded(1, &payload[..13], 25)).ends_with("streams do not meet"));
    assert!(reason(&coded(1, &[&[0xFF; 5][..], &[0; 9]].concat(), 25)).ends_with("weights out of range"));
}

#[test]
fn runs_take_literals_from_the_front_and_commands_from_the_back() {
    assert_eq!(decoded(&ten(b'x')), Ok(vec![b'x'; 10]));
    // The fill is X; no literals, then 5 of it.
    assert_eq!(decoded(&coded(3, &[0, b'X', 0x5F, 1], 5)), Ok(b"XXXXX".to_vec()));
    // 2 literals, then 4 bytes of the first fill.
    assert_eq!(decoded(&coded(3, &[0, b'a', b'b', 0x02, 0x11], 6)), Ok(b"ab\0\0\0\0".to_vec()));
    assert!(reason(&coded(3, &[0, b'a', b'b', 0x02, 0x11], 7)).ends_with("does not give all plain bytes"));
    assert!(reason(&coded(3, &[0, b'a', 0x02, 0x11], 6)).ends_with("runs over its bytes"));
}

#[test]
fn arrays_in_arrays_follow_one_another() {
    let payload = [&[2][..], &ten(b'a'), &ten(b'b')].concat();
    assert_eq!(decoded(&coded(5, &payload, 20)), Ok([[b'a'; 10], [b'b'; 10]].concat()));
    assert!(reason(&coded(5, &payload, 21)).ends_with("does not end with its parts"));
}

#[test]
fn nesting_has_a_limit() {
    let mut array = ten(b'a');
    for level in 2..=17 {
        // An empty array behind, as one part is too few.
        array = coded(5, &[&[2][..], &array, &[0x80, 0]].concat(), 100 + level);
        let is_deep = reason(&array).ends_with("is nested too deep");
        assert_eq!(is_deep, level == 17, "level {level}");
    }
}

#[test]
fn outputs_are_put_together_from_pieces() {
    // One piece, bits in one byte, indexes with the widths of their sizes: 1 bit, none, 2 bits, none.
    let stored = b"\x81\x80\x06abcdef\x01\x80\x80\x04\x11\x00\x21\x00\x00";
    let mut room = Vec::new();
    let mut input = StoredBytes::new(stored);
    let mut coder = Coder::default();
    let mut streams = coder.streams(&mut input, 100, 2, &mut room).unwrap();
    assert_eq!((streams.len(), input.len()), (6, 0));
    assert_eq!((streams.take(1), streams.take(0), streams.take(0)), (Some(b'c'), Some(b'a'), Some(b'b')));
    assert!(!streams.is_used());
    for _ in 0..3 {
        streams.take(1);
    }
    assert!(streams.is_used());
}

#[test]
fn a_multi_array_without_pieces_is_its_outputs() {
    let mut room = Vec::new();
    let stored = b"\x80\x80\x01a\x80\x02bc";
    let streams = Coder::default().streams(&mut StoredBytes::new(stored), 3, 2, &mut room).unwrap();
    assert_eq!((streams.len(), &streams.padded[..3], streams.next[1]), (3, &b"abc"[..], 1));
    let mut room = Vec::new();
    assert!(Coder::default().streams(&mut StoredBytes::new(stored), 2, 2, &mut room).is_err());
}
