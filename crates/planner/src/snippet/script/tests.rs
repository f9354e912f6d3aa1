//! Paths in imports.

use super::relative;

#[test]
fn paths_as_seen_from_a_directory() {
    let table = [
        ("src", "src/cart", "./cart"),
        ("", "src/cart", "./src/cart"),
        ("tests", "src/cart", "../src/cart"),
        ("src/a/b", "src/c", "../../c"),
        ("src/a", "src/ab/c", "../ab/c"),
        ("src/", "src/cart", "./cart"),
    ];
    for (dir, path, expected) in table {
        assert_eq!(relative(dir, path), expected, "{path} from {dir}");
    }
}
