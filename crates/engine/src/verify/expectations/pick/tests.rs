//! Tests: names of files in the text of a test.

use super::*;

#[test]
fn a_name_counts_as_a_whole() {
    let text = TextWords::of(
        b"from helpers import check_all\nrequire('./read-file'); x.y.z(); say(\"na\xc3\xafve\")",
    );
    for (name, has) in [
        ("helpers", true),
        ("helper", false),
        ("elpers", false),
        ("check_all", true),
        ("check", false),
        ("read-file", true),
        ("read", true),
        ("ead-file", false),
        ("file-read", false),
        ("y.z", true),
        ("x.z", false),
        ("na\u{ef}ve", true),
        ("", false),
        ("-", false),
        ("unknown-file", false),
    ] {
        assert_eq!(text.has(name.as_bytes()), has, "{name}");
    }
}
