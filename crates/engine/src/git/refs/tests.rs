//! Tests: the names of refs.

use super::*;

#[test]
fn only_full_and_valid_names_are_written() {
    for bad in [
        "HEAD",
        "main",
        "refs/heads",
        "refs/heads/",
        "refs/heads/a..b",
        "refs/heads/a b",
        "refs/heads/a.lock",
        "refs/heads/-\n",
        "refs/heads/.a",
        "refs/heads/a~1",
        "refs//heads/a",
        "refs/heads/a@{1}",
        "/refs/heads/a",
    ] {
        assert!(check_ref_name(bad).is_err(), "{bad}");
    }
    for good in ["refs/heads/windlass/plan", "refs/windlass/p/001/1/red", "refs/heads/é"] {
        assert!(check_ref_name(good).is_ok(), "{good}");
    }
}
