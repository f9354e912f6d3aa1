//! Tests of `owned`.

use super::*;

#[test]
fn what_owned_files_can_provide() {
    let files: Vec<String> =
        ["src/pkg/thing.py", "src/lexer.rs", "web/src/add.ts", "lib/util/index.ts", "calc/calc.go"]
            .map(str::to_owned)
            .to_vec();
    let names = ["Parser.parse".to_owned()];
    let owned = OwnedFiles { files: &files, names: &names, present: &[] };
    assert!(owned.python_module("pkg") && owned.python_module("pkg.thing") && owned.python_module("thing"));
    assert!(!owned.python_module("numpy") && !owned.python_module("pkg.other"));
    assert!(owned.python_name("pkg", "add") && !owned.python_name("numpy", "array"));
    assert!(owned.rust_module("lexer") && !owned.rust_module("parser") && !owned.rust_crate("serde"));
    assert!(owned.promises("parse"));
    assert!(owned.script_module("../src/add") && owned.script_module("/tmp/x/web/src/add.js"));
    assert!(
        owned.script_module("@/util") && owned.script_module("./add.js") && !owned.script_module("./sub")
    );
    assert!(!owned.script_package("left-pad"));
    assert!(owned.go_package("example.com/lab/calc") && !owned.go_package("example.com/lab/other"));
    assert!(owned.has_path("/tmp/w/src/lexer.rs") && !owned.has_path("/tmp/w/xsrc/lexer.rs"));
}

fn with<T>(files: &[&str], names: &[&str], ask: impl Fn(OwnedFiles<'_>) -> T) -> T {
    let own = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let (files, names) = (own(files), own(names));
    ask(OwnedFiles { files: &files, names: &names, present: &[] })
}

/// Owned files, a module that a tool misses, and whether they could provide it: Python.
#[test]
fn python_modules() {
    let table: [(&[&str], &str, bool); 11] = [
        (&["a/b.py"], "a.b", true),
        (&["a/b.py"], "a", true),
        (&["src/a/b.py"], "a.b", true),
        (&["a/b/__init__.py"], "a.b", true),
        (&["a/b/c.py"], "a.b", true),
        (&["a/b.py"], "a.c", false),
        (&["a/b.py"], "b.a", false),
        (&["a/b.txt"], "a.b", false),
        (&["pyproject.toml"], "numpy", true),
        (&["a/b.py"], "", false),
        (&[], "a", false),
    ];
    for (files, module, expected) in table {
        assert_eq!(with(files, &[], |owned| owned.python_module(module)), expected, "{files:?} {module}");
    }
    assert!(with(&["x.py"], &["pkg.Parser"], |owned| owned.python_name("numpy", "Parser")));
    assert!(!with(&["x.py"], &["pkg.Parser"], |owned| owned.python_name("numpy", "parser")));
}

/// A package that is there and cannot be imported is not installed: no file of the task changes that.
#[test]
fn python_packages_that_are_there_already() {
    let present: Vec<String> =
        ["src/a/c.py", "tests/test_b.py", "docs/b.md"].into_iter().map(str::to_owned).collect();
    let table: [(&[&str], &str, bool); 7] = [
        (&["src/a/b.py"], "a.b", true),
        (&["src/a/b.py"], "a", false),
        (&["src/a/__init__.py"], "a", true),
        (&["src/new/b.py"], "new", true),
        (&["tests/test_b.py", "src/a/b.py"], "tests", false),
        (&["docs/b.py"], "docs", true),
        (&["lib/a/b.py"], "a", true),
    ];
    for (files, module, expected) in table {
        let files: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
        let owned = OwnedFiles { files: &files, names: &[], present: &present };
        assert_eq!(owned.python_module(module), expected, "{files:?} {module}");
    }
}

#[test]
fn rust_modules_and_crates() {
    let table: [(&[&str], &str, bool, bool); 7] = [
        (&["src/a.rs"], "a", true, true),
        (&["src/a/mod.rs"], "b", true, false),
        (&["src/a/b.rs"], "a", true, true),
        (&["src/lib.rs"], "b", true, true),
        (&["src/main.rs"], "b", true, false),
        (&["Cargo.toml"], "serde", false, true),
        (&["my-crate/src/x.rs"], "my_crate", false, true),
    ];
    for (files, name, module, krate) in table {
        assert_eq!(with(files, &[], |owned| owned.rust_module(name)), module, "{files:?} {name}");
        assert_eq!(with(files, &[], |owned| owned.rust_crate(name)), krate, "{files:?} {name}");
    }
}

#[test]
fn script_modules_and_packages() {
    let table: [(&[&str], &str, Option<&str>); 12] = [
        (&["src/index.ts"], "./index", Some("src/index.ts")),
        (&["lib/x.js", "index.js"], "..", Some("index.js")),
        (&["lib/x.js"], "..", None),
        (&["src/a.ts"], "./a", Some("src/a.ts")),
        (&["src/a.ts"], "../src/a.js", Some("src/a.ts")),
        (&["src/a/index.ts"], "./a", Some("src/a/index.ts")),
        (&["src/a.ts"], "@/a", Some("src/a.ts")),
        (&["src/a.ts"], "file:///w/src/a.ts?t=1", Some("src/a.ts")),
        (&["src/a.vue"], "./a.vue", Some("src/a.vue")),
        (&["src/ba.ts"], "./a", None),
        (&["src/a.ts"], "", None),
        (&[], "./a", None),
    ];
    for (files, specifier, expected) in table {
        let found = with(files, &[], |owned| owned.script_file(specifier).map(str::to_owned));
        assert_eq!(found.as_deref(), expected, "{files:?} {specifier}");
    }
    assert!(with(&["package.json"], &[], |owned| owned.script_package("lodash")));
    assert!(with(&["packages/core/src/a.ts"], &[], |owned| owned.script_package("@shop/core")));
    assert!(!with(&["packages/core/src/a.ts"], &[], |owned| owned.script_package("core")));
}

/// Owned files, a module of a directory that a build fills, and the file that it is made of.
#[test]
fn modules_that_a_build_makes() {
    let present: Vec<String> =
        ["src/index.ts", "src/old.ts", "lib/x.js", "test/index.js"].map(str::to_owned).to_vec();
    let table: [(&[&str], &str, Option<&str>); 9] = [
        (&["src/count.ts"], "/windlass/work/dist/esm/count.js", Some("src/count.ts")),
        (&["src/count.ts"], "../dist/count.js", Some("src/count.ts")),
        (&["packages/a/src/deep/count.ts"], "../build/deep/count.js", Some("packages/a/src/deep/count.ts")),
        (&["src/count/index.ts"], "../dist/count/index.js", Some("src/count/index.ts")),
        (&["src/deep/count.ts"], "../dist/count.js", None),
        (&["src/recount.ts"], "../dist/count.js", None),
        // What is there already and not built is no work of the task.
        (&["src/old.ts"], "../dist/old.js", None),
        // A directory with files of the repository is not where a build puts its results.
        (&["src/count.ts"], "../lib/count.js", None),
        (&["src/count.ts"], "/windlass/work/test/count.js", None),
    ];
    for (files, specifier, expected) in table {
        let files: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
        let owned = OwnedFiles { files: &files, names: &[], present: &present };
        assert_eq!(owned.script_file(specifier), expected, "{files:?} {specifier}");
    }
}

#[test]
fn packages_of_java_and_go() {
    let table: [(&[&str], &str, bool); 5] = [
        (&["src/main/java/shop/text/A.java"], "shop.text", true),
        (&["src/main/java/shop/A.java"], "shop.text", false),
        (&["pom.xml"], "org.mockito", true),
        (&["build.gradle.kts"], "org.mockito", true),
        (&["A.java"], "shop", false),
    ];
    for (files, package, expected) in table {
        assert_eq!(with(files, &[], |owned| owned.java_package(package)), expected, "{files:?}");
    }
    let table: [(&[&str], &str, bool); 5] = [
        (&["cart/a.go"], "example.com/shop/cart", true),
        (&["cart/a.go"], "example.com/shop/scart", false),
        (&["cart/a.txt"], "example.com/shop/cart", false),
        (&["a.go"], "example.com/shop", false),
        (&["go.mod"], "github.com/x/y", true),
    ];
    for (files, import, expected) in table {
        assert_eq!(with(files, &[], |owned| owned.go_package(import)), expected, "{files:?}");
    }
}
