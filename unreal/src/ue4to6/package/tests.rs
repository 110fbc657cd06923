use super::*;
use crate::base::source::Memory;

#[test]
fn packages_say_their_names_or_are_named_by_their_place() {
    for (path, folder, expected) in [
        ("Shooter/Content/A/SW.uasset", "/Game/A/SW", "/Game/A/SW"),
        ("Shooter/Content/A/SW.uasset", "None", "/Game/A/SW"),
        ("Shooter/Content/A/SW.uasset", "/Game/A", "/Game/A/SW"),
        ("SW.uasset", "/Game/A/SW", "/Game/A/SW"),
        ("SW.uasset", "None", "SW"),
        ("Sounds/SW.uasset", "", "Sounds/SW"),
    ] {
        assert_eq!(asset_name(path, folder), expected, "{path} {folder}");
    }
}

#[test]
fn header_and_objects_are_read_as_one() {
    let joined = HeaderAndObjects { header: Box::new(Memory([1, 2])), objects: Box::new(Memory([3, 4, 5])) };
    for at in 0..5 {
        for length in 0..=5 - at {
            let mut read = vec![0; length];
            joined.read_at(at as u64, &mut read).unwrap();
            assert_eq!(read, [1, 2, 3, 4, 5][at..at + length]);
        }
    }
    assert!(joined.read_at(4, &mut [0; 2]).is_err());
}
