//! Targets of Makefiles.

use super::super::tests::{assert_commands, assert_runs_no_tests, assert_untouched};
use super::*;

/// `make` itself is no runner: what stands behind a target is looked up elsewhere.
#[test]
fn it_is_judged_by_its_exit_code() {
    assert_runs_no_tests(&["make test", "make -C api check", "gmake test"]);
    assert_untouched(&["make test"]);
}

#[test]
fn lines_of_a_recipe() {
    let table: [(&str, &[&str]); 11] = [
        ("t:\n\ta\n", &["a"]),
        ("t: x y\n\ta\n\tb\nu:\n\tc\n", &["a", "b"]),
        ("s t u:\n\ta\n", &["a"]),
        ("t::\n\ta\n", &["a"]),
        ("t:\n\ta\n\n\tb\n", &["a", "", "b"]),
        ("t:\r\n\ta\r\n", &["a"]),
        ("t := x\n\ta\n", &[]),
        ("test:\n\ta\n", &[]),
        ("\tt:\n\ta\n", &[]),
        ("x: t\n\ta\n", &[]),
        ("", &[]),
    ];
    for (makefile, expected) in table {
        assert_eq!(recipe(makefile, "t"), expected, "{makefile:?}");
    }
}

/// The target of the file, in the order of the table; else the one for all tests.
#[test]
fn one_file_is_a_target() {
    let table = [
        ("test-cart:\n\tx\ntest:\n\ty\n", "make test-cart"),
        ("test_cart:\n\tx\ntest:\n\ty\n", "make test_cart"),
        ("check-cart:\n\tx\ntest:\n\ty\n", "make check-cart"),
        ("cart_test:\n\tx\ntest:\n\ty\n", "make cart_test"),
        ("test:\n\tx\n", "make test"),
        ("check:\n\tx\n", "make check"),
        ("all:\n\tx\n", "none"),
        ("", "none"),
    ];
    for (makefile, expected) in table {
        assert_commands(&[("Makefile", makefile)], &[("src/cart_test.c", expected)]);
    }
}

/// A file or directory of the target's name would be up to date, unless the target is phony.
#[test]
fn a_directory_of_the_same_name() {
    let plain = [("GNUmakefile", "test:\n\tx\n"), ("test/a.c", "")];
    assert_commands(&plain, &[("test/a.c", "make -B test")]);
    let phony = [("GNUmakefile", ".PHONY: all test\ntest:\n\tx\n"), ("test/a.c", "")];
    assert_commands(&phony, &[("test/a.c", "make test")]);
    let below = [("lib/makefile", "test:\n\tx\n"), ("lib/a.c", "")];
    assert_commands(&below, &[("lib/a.c", "cd lib && make test")]);
}
