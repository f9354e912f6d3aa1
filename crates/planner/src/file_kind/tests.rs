//! Kinds, stacks and layers of files.

use super::*;

#[test]
fn files_are_told_by_their_paths() {
    let table = [
        ("src/a.py", FileKind::Code),
        ("tests/test_a.py", FileKind::Test),
        ("README.md", FileKind::Documentation),
        ("LICENSE", FileKind::Documentation),
        (".github/workflows/ci.yml", FileKind::Configuration),
        ("package.json", FileKind::Manifest),
        ("src/types.ts", FileKind::Types),
        ("scenes/door.gd", FileKind::Code),
        ("lib/door.ex", FileKind::Code),
        ("docs/index.html", FileKind::Asset),
    ];
    for (path, expected) in table {
        assert_eq!(FileKind::of(path), expected, "{path}");
    }
    assert!(layer("src/models/user.ts") < layer("src/services/user.ts"));
    assert_eq!(layer("src/thing.ts"), None);
}

#[test]
fn kinds_of_odd_names() {
    let table = [
        // Tests and what only tests use.
        ("tests/__init__.py", FileKind::Test),
        ("src/__init__.py", FileKind::Code),
        ("src/cart.spec.ts", FileKind::Test),
        // Code that configures.
        ("vitest.config.ts", FileKind::Configuration),
        ("jest.setup.js", FileKind::Configuration),
        (".eslintrc.cjs", FileKind::Configuration),
        ("src/config.ts", FileKind::Code),
        // Types are a matter of TypeScript.
        ("src/global.d.ts", FileKind::Types),
        ("src/cart.types.ts", FileKind::Types),
        ("src/interfaces.ts", FileKind::Types),
        ("src/types.py", FileKind::Code),
        // Code without a grammar.
        ("run.sh", FileKind::Code),
        ("App.VUE", FileKind::Code),
        ("Main.kt", FileKind::Code),
        // Text that is no documentation, and documentation without an ending.
        ("CMakeLists.txt", FileKind::Configuration),
        ("notes.txt", FileKind::Documentation),
        ("NOTICE", FileKind::Documentation),
        ("Makefile", FileKind::Configuration),
        ("docs/GUIDE.MD", FileKind::Documentation),
        ("logo.SVG", FileKind::Asset),
        ("data.csv", FileKind::Asset),
        ("Cargo.toml", FileKind::Manifest),
        ("crates/a/Cargo.toml", FileKind::Manifest),
        ("", FileKind::Configuration),
        (".env", FileKind::Configuration),
    ];
    for (path, expected) in table {
        assert_eq!(FileKind::of(path), expected, "{path}");
    }
}

#[test]
fn languages_of_one_family_share_a_stack() {
    let table = [
        ("a.ts", stack("b.jsx")),
        ("a.ts", stack("App.vue")),
        ("a.c", stack("b.hpp")),
        ("a.java", stack("b.kt")),
    ];
    for (path, other) in table {
        assert!(stack(path).is_some(), "{path}");
        assert_eq!(stack(path), other, "{path}");
    }
    assert_ne!(stack("a.py"), stack("a.rb"));
    // A script belongs to no stack, and neither does a file that is no source.
    for path in ["run.sh", "run.BASH", "README.md", "Makefile", ""] {
        assert_eq!(stack(path), None, "{path}");
    }
    assert!(is_source("run.sh") && !is_source("README.md") && !is_source("sh"));
}

#[test]
fn layers_go_by_the_nearest_word_of_the_path() {
    let table = [
        ("db/migrations/1.sql", Some(1)),
        ("src/models/user.ts", Some(2)),
        ("src/user_service.py", Some(3)),
        ("src/models/user-controller.ts", Some(ENDPOINTS)),
        ("src/api/models/user.ts", Some(2)),
        ("src/Components/Cart.tsx", Some(5)),
        ("tests/e2e/cart.ts", Some(6)),
        ("src/apis/cart.ts", None),
        // What is integrated is no test of the whole.
        ("src/pdf-integration.js", None),
        ("src/integration/ledger.py", None),
        ("", None),
    ];
    for (path, expected) in table {
        assert_eq!(layer(path), expected, "{path}");
    }
}
