//! Tests of `coming`.

use super::super::test_command;
use super::*;
use crate::repo::{MemoryTree, Overlaid};

/// A planned manifest decides like an existing one.
#[test]
fn tests_are_run_as_the_manifest_will_say() {
    let table = [
        ("package.json", "Tests with Vitest.", "src/a.test.ts", "npx --no-install vitest run src/a.test.ts"),
        ("jest.config.js", "", "src/a.test.ts", "npx --no-install jest src/a.test.ts"),
        ("Cargo.toml", "", "tests/cart.rs", "cargo test --test cart"),
        ("go.mod", "", "cart/cart_test.go", "go test ./cart"),
        ("src/a.ts", "vitest", "src/a.test.ts", "none"),
    ];
    let empty = MemoryTree::default();
    for (made, said, test, expected) in table {
        let tree = Overlaid::new(&empty, coming([made].into_iter(), said));
        let script = test_command(&tree, test).map_or("none".to_owned(), |found| found.script);
        assert_eq!(script, expected, "{made}");
    }
}
