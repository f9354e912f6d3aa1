//! What the tools print and how it is read.

use super::*;
use crate::red::with_owned;

fn shown(text: &str, files: &[&str]) -> String {
    let files: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
    let errors = read(text, OwnedFiles { files: &files, names: &[], present: &[] }, &[]);
    format!("missing {:?} wrong {:?}", errors.missing, errors.wrong)
}

const COLLECT: &str = "==================================== ERRORS ====================================
____________________ ERROR collecting tests/test_missmod.py ____________________
ImportError while importing test module '/w/tests/test_missmod.py'.
Hint: make sure your test modules/packages have valid Python names.
Traceback:
/usr/lib/python3.11/importlib/__init__.py:126: in import_module
    return _bootstrap._gcd_import(name[level:], package, level)
tests/test_missmod.py:1: in <module>
    from nosuch.thing import foo
E   ModuleNotFoundError: No module named 'nosuch'
=========================== short test summary info ============================
ERROR tests/test_missmod.py
!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!
";

#[test]
fn a_missing_module_is_missing_only_if_it_is_owned() {
    assert_eq!(shown(COLLECT, &["src/nosuch/thing.py"]), r#"missing ["nosuch"] wrong []"#);
    assert_eq!(
        shown(COLLECT, &["src/other.py"]),
        r#"missing [] wrong [Foreign("ModuleNotFoundError: No module named 'nosuch'")]"#
    );
}

#[test]
fn every_kind_of_error() {
    let table = [
        (
            "E   ImportError: cannot import name 'sub' from 'mathx' (/w/mathx.py)",
            r#"missing ["mathx.sub"] wrong []"#,
        ),
        (
            "E   ImportError: cannot import name 'x' from 'numpy' (/v/numpy/__init__.py)",
            r#"missing [] wrong [Foreign("ImportError: cannot import name 'x' from 'numpy' (/v/numpy/__init__.py)")]"#,
        ),
        ("E   AttributeError: module 'mathx' has no attribute 'nope'", r#"missing ["mathx.nope"] wrong []"#),
        ("E   AttributeError: type object 'Foo' has no attribute 'bar'", r#"missing ["bar"] wrong []"#),
        (
            "E   NameError: name 'undefined_thing' is not defined",
            r#"missing [] wrong [Other("NameError: name 'undefined_thing' is not defined")]"#,
        ),
        (
            "mathx.py:3: in <module>\nE   NameError: name 'helper' is not defined",
            r#"missing ["helper"] wrong []"#,
        ),
        ("E       fixture 'boom' not found", r#"missing [] wrong [Other("fixture 'boom' not found")]"#),
        ("E   SyntaxError: invalid syntax", r#"missing [] wrong [Syntax("SyntaxError: invalid syntax")]"#),
        ("E   RuntimeError: x", r#"missing [] wrong [Other("RuntimeError: x")]"#),
        // A stub raises while the test file is loaded.
        ("mathx.py:2: in sub\nE   NotImplementedError", r#"missing ["NotImplementedError"] wrong []"#),
        (
            "  File \"/w/mathx.py\", line 2, in <module>\n    raise NotImplementedError('later')\nNotImplementedError: later",
            r#"missing ["NotImplementedError"] wrong []"#,
        ),
        (
            "tests/test_a.py:2: in <module>\nE   NotImplementedError",
            r#"missing [] wrong [Other("NotImplementedError")]"#,
        ),
        (
            "  File \"/v/django/conf/__init__.py\", line 61, in _setup\n    raise X(\ndjango.core.exceptions.ImproperlyConfigured: no settings",
            r#"missing [] wrong [Other("django.core.exceptions.ImproperlyConfigured: no settings")]"#,
        ),
        ("collected 0 items\nshop.Cart: nothing was raised", "missing [] wrong []"),
        (
            "pytest: error: unrecognized arguments: --timeout=30",
            r#"missing [] wrong [Other("pytest: error: unrecognized arguments: --timeout=30")]"#,
        ),
    ];
    for (text, expected) in table {
        assert_eq!(shown(text, &["mathx.py"]), expected, "{text}");
    }
}

#[test]
fn the_last_of_a_chain_counts() {
    let text = "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    import tomllib\nModuleNotFoundError: No module named 'tomllib'\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"a.py\", line 3, in <module>\nModuleNotFoundError: No module named 'mathx'\n";
    assert_eq!(shown(text, &["mathx.py"]), r#"missing ["mathx"] wrong []"#);
}

#[test]
fn a_program_that_a_test_starts_is_missing_only_if_it_is_owned() {
    let said = "E  +  where 1 = CompletedProcess(args=['/v/bin/python3', '-m', 'shop'], returncode=1,...\"/v/bin/python3: \
                No module named shop.__main__; 'shop' is a package and cannot be directly executed\\n\").returncode";
    assert_eq!(shown(said, &["shop/__main__.py"]), r#"missing ["shop.__main__"] wrong []"#);
    assert!(shown(said, &["other.py"]).contains("Foreign"));
    let runner = "/usr/bin/python3: No module named pytest";
    assert_eq!(shown(runner, &["shop/__main__.py"]), format!("missing [] wrong [Foreign({runner:?})]"));
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
        assert_eq!(
            with_owned(files, &[], |owned| owned.python_module(module)),
            expected,
            "{files:?} {module}"
        );
    }
    let pkg = &["src/pkg/thing.py"];
    assert!(
        with_owned(pkg, &[], |owned| owned.python_name("pkg", "add") && !owned.python_name("numpy", "array"))
    );
    assert!(with_owned(&["x.py"], &["pkg.Parser"], |owned| owned.python_name("numpy", "Parser")));
    assert!(!with_owned(&["x.py"], &["pkg.Parser"], |owned| owned.python_name("numpy", "parser")));
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
