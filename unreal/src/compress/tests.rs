use super::*;

#[test]
fn a_method_is_one_of_the_lower_three_bits() {
    assert_eq!(Method::of_package(1), Some(Method::Zlib));
    assert_eq!(Method::of_package(2), Some(Method::Lzo));
    assert_eq!(Method::of_package(4), Some(Method::Lzx));
    assert_eq!(Method::of_package(0), None);
    assert_eq!(Method::of_package(3), None);
}
