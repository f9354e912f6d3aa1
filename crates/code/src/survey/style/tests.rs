//! How names show their convention.

use super::*;

#[test]
fn naming_that_a_name_shows() {
    let table = [
        ("like_this", Some(Naming::Snake)),
        ("likeThis", Some(Naming::Camel)),
        ("LikeThis", Some(Naming::Pascal)),
        ("like-this", Some(Naming::Kebab)),
        ("Like-This", Some(Naming::Kebab)),
        // What fits several shows none.
        ("word", None),
        ("WORD", None),
        ("Mixed_Case", None),
        ("a-b_c", None),
        ("", None),
    ];
    for (name, expected) in table {
        assert_eq!(Naming::of(name), expected, "{name}");
    }
    for naming in [Naming::Snake, Naming::Camel, Naming::Pascal, Naming::Kebab] {
        assert_eq!(Naming::of(naming.example()), Some(naming), "an example shows its own naming");
    }
}

#[test]
fn runners_with_global_names() {
    assert_eq!(Framework::with_global_names(Runner::Jest), Some(Framework::Jest));
    assert_eq!(Framework::with_global_names(Runner::Tap), Some(Framework::Mocha));
    assert_eq!(Framework::with_global_names(Runner::Pytest), None);
    let names: std::collections::BTreeSet<&str> = Framework::ALL.iter().map(|one| one.as_str()).collect();
    assert_eq!(names.len(), Framework::ALL.len(), "no two frameworks share a name");
}
