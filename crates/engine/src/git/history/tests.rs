//! Tests: reading commits that git prints.

use super::*;

const A: &str = "1111111111111111111111111111111111111111";
const B: &str = "2222222222222222222222222222222222222222";

#[test]
fn the_fields_of_a_commit_are_read_in_order() {
    let parents = format!("{B} {A}");
    let trailers = "Windlass-Task\u{1}T1\u{2}Signed-off-by\u{1} A <a@b> \u{2}broken";
    let mut fields = [B, parents.as_str(), "subject\n\nbody\n", trailers].into_iter();
    let commit = parse_commit(A, &mut fields).unwrap();
    assert_eq!((commit.oid.as_str(), commit.tree.as_str()), (A, B));
    assert_eq!(commit.parents.len(), 2);
    assert_eq!(commit.message, "subject\n\nbody\n");
    let wanted = [("Windlass-Task", "T1"), ("Signed-off-by", "A <a@b>")];
    assert_eq!(commit.trailers, wanted.map(|(key, value)| (key.to_owned(), value.to_owned())));
}

#[test]
fn a_commit_that_breaks_off_is_an_error() {
    for fields in
        [vec![], vec![B], vec![B, ""], vec![B, "", "m"], vec!["odd", "", "m", ""], vec![B, "odd", "m", ""]]
    {
        assert!(parse_commit(A, &mut fields.clone().into_iter()).is_err(), "{fields:?}");
    }
    let root = parse_commit(A, &mut [B, "", "m", ""].into_iter()).unwrap();
    assert!(root.parents.is_empty() && root.trailers.is_empty());
}
