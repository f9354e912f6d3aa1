//! Hostile texts: nesting without end and arbitrary bytes.

use proptest::prelude::*;

use crate::syntax::{contract_report, exports, frozen_items, imports, test_region, tests};

const PATHS: [&str; 12] =
    ["a.py", "a.rs", "a.js", "a.ts", "a.tsx", "a.go", "a.java", "a.c", "a.cpp", "a.rb", "a.cs", "a.php"];

fn ask_everything(path: &str, bytes: &[u8]) {
    let found = tests(path, bytes);
    assert!(found.iter().all(|test| !test.name.is_empty()), "{path}: {found:?}");
    let _ = (exports(path, bytes), imports(path, bytes), frozen_items(path, bytes));
    for range in test_region(path, bytes) {
        assert!(bytes.get(range).is_some());
    }
    let files = [(path.to_owned(), bytes.to_vec())];
    let _ = contract_report(&String::from_utf8_lossy(bytes), None, &files);
}

#[test]
fn nesting_without_end_is_survived() {
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(1000), close.repeat(1000));
    for (path, text) in [
        ("a.py", deep("(", ")")),
        ("a.rs", deep("mod a {", "}")),
        ("a.ts", deep("describe('x', () => {", "})")),
        ("a.py", deep("class TestA:\n ", "")),
        ("a.rs", deep("use a::{", "}")),
        ("a.go", deep("[{", "}]")),
        ("a.java", deep("class A {", "}")),
        ("a.cpp", deep("namespace a {", "}")),
        ("a.rb", deep("module A\n", "end\n")),
        ("a.cs", deep("namespace A {", "}")),
        ("a.php", format!("<?php {}", deep("if (1) {", "}"))),
    ] {
        ask_everything(path, text.as_bytes());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn any_bytes_are_read(bytes in prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..200),
        "(fn|mod|def|class|export|import|use|func|test|pub|it|#\\[test\\]|[(){}:;,.'\"=>< \n])([ a-z(){}:;,.'\"=><\n]){0,120}"
            .prop_map(String::into_bytes),
    ]) {
        for path in PATHS {
            ask_everything(path, &bytes);
        }
    }
}
