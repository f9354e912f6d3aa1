//! Where the test of a file is put.

use super::*;

fn learned(sources: &[&str], tests: &[&str], source: &str) -> String {
    let places = places(sources.iter().copied(), tests);
    test_file_for(source, &places, "").map_or_else(|| "none".into(), |file| file.path)
}

#[test]
fn tests_go_where_the_others_are() {
    let table: [(&[&str], &[&str], &str, &str); 14] = [
        (&["src/shop/cart.py"], &["tests/test_cart.py"], "src/shop/order.py", "tests/test_order.py"),
        (
            &["src/shop/a/cart.py", "src/shop/b/user.py"],
            &["tests/a/test_cart.py", "tests/b/test_user.py"],
            "src/shop/c/order.py",
            "tests/c/test_order.py",
        ),
        (&["src/cart.ts"], &["src/cart.spec.ts"], "src/deep/order.ts", "src/deep/order.spec.ts"),
        (&["src/cart.ts"], &["src/__tests__/cart.test.ts"], "lib/o.ts", "lib/__tests__/o.test.ts"),
        (&["lib/cart.rb"], &["test/cart_test.rb"], "lib/order.rb", "test/order_test.rb"),
        (
            &["src/main/java/a/Cart.java"],
            &["src/test/java/a/CartTest.java"],
            "src/main/java/b/Order.java",
            "src/test/java/b/OrderTest.java",
        ),
        (
            &["zerg/cart.py", "zerg/x/y.py"],
            &["tests/unit/test_cart.py", "tests/unit/test_y.py"],
            "zerg/order.py",
            "tests/unit/test_order.py",
        ),
        (&[], &["tests/test_nothing.py"], "pkg/order.py", "tests/test_order.py"),
        (&["src/a/cart.ts"], &["tests/cart.test.ts"], "src/b/order.ts", "tests/order.test.ts"),
        (&["src/a/cart.ts"], &["tests/cart.test.ts"], "lib/order.ts", "tests/order.test.ts"),
        (&["src/cart.js"], &["test/cart.test.js"], "bin/till.js", "test/till.test.js"),
        (&["src/cart.js"], &["test/cart.test.js"], "till.js", "test/till.test.js"),
        (
            &["src/cart.js", "lib/a.js"],
            &["test/cart.test.js", "lib/a.test.js"],
            "bin/till.js",
            "bin/till.test.js",
        ),
        (
            &["packages/a/src/cart.js"],
            &["packages/a/test/cart.test.js"],
            "packages/b/src/till.js",
            "packages/b/src/till.test.js",
        ),
    ];
    for (sources, tests, source, expected) in table {
        assert_eq!(learned(sources, tests, source), expected, "{source}");
    }
}

#[test]
fn without_any_test_the_language_decides() {
    let table = [
        ("api/shop/cart.py", "api", "api/tests/test_cart.py"),
        ("src/cart.rs", "", "src/cart.rs"),
        ("web/src/cart.tsx", "web", "web/src/cart.test.tsx"),
        ("calc/calc.go", "", "calc/calc_test.go"),
        ("src/main/java/a/Cart.java", "", "src/test/java/a/CartTest.java"),
        ("lib/shop/cart.rb", "", "spec/shop/cart_spec.rb"),
        ("src/Shop/Cart.php", "", "tests/Shop/CartTest.php"),
        ("src/cart.hpp", "", "tests/cart_test.cpp"),
        ("src/Cart.cs", "", "tests/CartTests.cs"),
    ];
    for (source, root, expected) in table {
        assert_eq!(test_file_for(source, &[], root).unwrap().path, expected, "{source}");
    }
    assert_eq!(test_file_for("README.md", &[], ""), None);
}

#[test]
fn what_a_test_is_about() {
    assert_eq!(subject_stem("tests/test_cart.py"), Some("cart"));
    assert_eq!(subject_stem("a/cart.test.ts"), Some("cart"));
    assert_eq!(subject_stem("CartTests.cs"), Some("Cart"));
    assert_eq!(subject_stem("test_.py"), None);
    assert_eq!(subject_stem("cart.py"), None);
    assert_eq!(subject_stem("spec/cart_spec.rb"), Some("cart"));
    assert_eq!(subject_stem("examples/cart_spec.rs"), None);
    assert_eq!(subject_stem("src/cartTest.rs"), None);
    assert_eq!(subject_stem("tests/cart_test.bats"), Some("cart"));
}

#[test]
fn a_place_gives_the_test_of_a_source() {
    let place = |at: TestLocation, prefix: &str, suffix: &str| TestPlace {
        at,
        prefix: prefix.to_owned(),
        suffix: suffix.to_owned(),
    };
    let mirror = |from: &str, to: &str| TestLocation::Mirror { from: from.to_owned(), to: to.to_owned() };
    let table = [
        (place(TestLocation::Inline, "", ""), "src/a.rs", Some("src/a.rs")),
        (place(TestLocation::Beside, "", ".test"), "src/a.ts", Some("src/a.test.ts")),
        (place(TestLocation::Beside, "", ".test"), "a.ts", Some("a.test.ts")),
        (place(TestLocation::Folder("__tests__".to_owned()), "", ""), "src/a.ts", Some("src/__tests__/a.ts")),
        (place(mirror("src", "tests"), "test_", ""), "src/x/a.py", Some("tests/x/test_a.py")),
        (place(mirror("src", "tests"), "test_", ""), "src/a.py", Some("tests/test_a.py")),
        (place(mirror("", "tests"), "test_", ""), "x/a.py", Some("tests/x/test_a.py")),
        // A mirror is about its own root only.
        (place(mirror("src", "tests"), "test_", ""), "lib/a.py", None),
        (place(mirror("src", "tests"), "test_", ""), "srcs/a.py", None),
        // A header is tested by a program.
        (place(TestLocation::Beside, "test_", ""), "src/a.h", Some("src/test_a.c")),
        (place(TestLocation::Beside, "", "_test"), "src/a.hpp", Some("src/a_test.cpp")),
        (place(TestLocation::Beside, "", "_test"), "Makefile", None),
    ];
    for (place, source, expected) in table {
        assert_eq!(place.of(source).as_deref(), expected, "{place:?} of {source}");
    }
}

#[test]
fn the_most_specific_place_comes_first() {
    let sources = ["src/a/one.py", "src/b/two.py", "src/b/three.py"];
    let tests = ["tests/a_unit/test_one.py", "tests/b_unit/test_two.py", "tests/b_unit/test_three.py"];
    assert_eq!(learned(&sources, &tests, "src/a/new.py"), "tests/a_unit/test_new.py");
    assert_eq!(learned(&sources, &tests, "src/b/new.py"), "tests/b_unit/test_new.py");
    // The most used place decides for a folder without tests.
    assert_eq!(learned(&sources, &tests, "src/c/new.py"), "tests/b_unit/test_new.py");
}

#[test]
fn of_two_files_of_one_name_the_nearer_is_tested() {
    let sources = ["src/api/cart.py", "src/web/cart.py"];
    let found = places(sources.into_iter(), &["tests/web/test_cart.py"]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].of("src/web/line.py").as_deref(), Some("tests/web/test_line.py"));
}

#[test]
fn paths_in_parts() {
    assert_eq!((split("a/b/c.py"), split("c.py"), split("")), (("a/b", "c.py"), ("", "c.py"), ("", "")));
    assert_eq!((join("a", "b"), join("", "b"), join("a", "")), ("a/b".into(), "b".into(), "a".into()));
    let table = [
        ("a", "a/b", Some("b")),
        ("a", "a", Some("")),
        ("", "a/b", Some("a/b")),
        ("a", "ab", None),
        ("a/b", "a", None),
    ];
    for (root, dir, expected) in table {
        assert_eq!(below(root, dir), expected, "{dir} below {root}");
    }
}
