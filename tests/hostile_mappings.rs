//! Mappings of a few bytes or a megabyte that become far more are refused, in little memory.

use fixtures::allocator::{self, Counting};
use fixtures::hostile_mappings::{hostile_mappings, nameless_mappings};
use unreal::{Limits, Mappings, Memory};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes that are held beside the file: no more than a small block becomes.
const MOST: usize = 4 << 20;

// One test, for the peak is one for the whole process.
#[test]
fn mappings_that_become_too_much_are_refused_before_they_do() {
    let read = Mappings::read(&Memory(nameless_mappings()), &mut Limits::with_structures(1 << 30));
    assert!(read.unwrap().is_empty(), "the streams of the fixtures are read");
    for (name, bytes, reason) in hostile_mappings() {
        allocator::reset_peak();
        let before = allocator::held();
        let read = Mappings::read(&Memory(&bytes[..]), &mut Limits::with_structures(1 << 30));
        let took = allocator::peak() - before;
        let error = read.unwrap_err().to_string();
        assert!(error.contains(reason), "{name}: {error}");
        assert!(took < MOST, "{name}: {took} bytes");
    }
}
