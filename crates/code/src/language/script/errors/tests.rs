//! What the tools print and how it is read.

use super::*;
use crate::red::with_owned;

fn shown(text: &str) -> String {
    let files = ["src/nosuch.js".to_owned(), "src/math.ts".to_owned()];
    let errors = read(text, OwnedFiles { files: &files, names: &[], present: &[] }, &[]);
    format!("missing {:?} wrong {:?}", errors.missing, errors.wrong)
}

#[test]
fn every_tool_in_its_words() {
    let table = [
        (
            "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/w/src/nosuch.js' imported from /w/t/a.test.js",
            r#"missing ["src/nosuch.js"] wrong []"#,
        ),
        (
            "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'left-pad' imported from /w/t/a.test.js",
            r#"missing [] wrong [Foreign("Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'left-pad' imported from /w/t/a.test.js")]"#,
        ),
        (
            "Error: Cannot find module '../src/nosuch'\nRequire stack:\n- /w/t/a.cjs",
            r#"missing ["src/nosuch.js"] wrong []"#,
        ),
        (
            "    Cannot find module '../src/nosuch' from 't/a.test.js'",
            r#"missing ["src/nosuch.js"] wrong []"#,
        ),
        (
            "SyntaxError: The requested module '../src/math.js' does not provide an export named 'sub'",
            r#"missing ["sub"] wrong []"#,
        ),
        (
            "SyntaxError: The requested module 'fs' does not provide an export named 'sub'",
            r#"missing [] wrong [Foreign("SyntaxError: The requested module 'fs' does not provide an export named 'sub'")]"#,
        ),
        (
            "SyntaxError: Unexpected token '=>'",
            r#"missing [] wrong [Syntax("SyntaxError: Unexpected token '=>'")]"#,
        ),
        ("TypeError: m.sub is not a function", r#"missing ["m.sub"] wrong []"#),
        ("TypeError [Error]: (0 , sub) is not a function", r#"missing ["sub"] wrong []"#),
        (
            "ReferenceError: oops is not defined",
            r#"missing [] wrong [Other("ReferenceError: oops is not defined")]"#,
        ),
        (
            "Error: Failed to resolve import \"../src/nosuch\" from \"t/a.test.ts\". Does the file exist?",
            r#"missing ["src/nosuch.js"] wrong []"#,
        ),
        (
            "Error: Failed to load url ../src/nosuch (resolved id: ../src/nosuch) in /w/t/a.test.ts. Does the file exist?",
            r#"missing ["src/nosuch.js"] wrong []"#,
        ),
        (
            "t/a.test.ts(1,20): error TS2307: Cannot find module '../src/math' or its corresponding type declarations.",
            r#"missing ["src/math.ts"] wrong []"#,
        ),
        (
            "t/a.test.ts:1:9 - error TS2305: Module '\"../src/math\"' has no exported member 'sub'.",
            r#"missing ["sub"] wrong []"#,
        ),
        (
            "t/a.test.ts(2,5): error TS2322: Type 'string' is not assignable to type 'number'.",
            r#"missing [] wrong [Misfit { line: "t/a.test.ts(2,5): error TS2322: Type 'string' is not assignable to type 'number'.", about: "t/a.test.ts(2,5): error TS2322: Type 'string' is not assignable to type 'number'." }]"#,
        ),
        (
            "AssertionError [ERR_ASSERTION]: 3 == 4",
            r#"missing [] wrong [Other("AssertionError [ERR_ASSERTION]: 3 == 4")]"#,
        ),
        ("the TypeError: in a sentence", "missing [] wrong []"),
    ];
    for (text, expected) in table {
        assert_eq!(shown(text), expected, "{text}");
    }
}

/// What follows from a missing member is no reason of its own, and a stub that throws is code that is missing.
#[test]
fn consequences_and_stubs() {
    let lost = "t/a.test.ts:3:10 - error TS7006: Parameter 'x' implicitly has an 'any' type.";
    let member = "t/a.test.ts:1:10 - error TS2305: Module '\"../src/math\"' has no exported member 'sub'.";
    let table = [
        (format!("{member}\n{lost}"), r#"missing ["sub"] wrong []"#.to_owned()),
        (lost.to_owned(), format!("missing [] wrong [Other({lost:?})]")),
        (
            "error TS6053: File '/w/src/math.ts' not found.".to_owned(),
            r#"missing ["/w/src/math.ts"] wrong []"#.to_owned(),
        ),
        (
            "error TS6053: File '/w/lib/other.ts' not found.".to_owned(),
            r#"missing [] wrong [Foreign("error TS6053: File '/w/lib/other.ts' not found.")]"#.to_owned(),
        ),
        (
            "Error: not implemented\n    at sub (/w/src/math.ts:1:29)\n    at /w/t/a.test.ts:2:29".to_owned(),
            r#"missing ["src/math.ts"] wrong []"#.to_owned(),
        ),
        ("Error: later\n ❯ src/math.ts:1:7".to_owned(), r#"missing ["src/math.ts"] wrong []"#.to_owned()),
        (
            "Error: no\n    at /w/t/a.test.ts:2:29\n    at sub (/w/src/math.ts:1:29)".to_owned(),
            r#"missing [] wrong [Other("Error: no")]"#.to_owned(),
        ),
    ];
    for (text, expected) in table {
        assert_eq!(shown(&text), expected, "{text}");
    }
    // A test that throws by itself is wrong, also if the task owns it.
    let files = ["t/a.test.ts".to_owned()];
    let tests = [("t/a.test.ts".to_owned(), Vec::new())];
    let errors = read(
        "Error: no\n at /w/t/a.test.ts:2:29",
        OwnedFiles { files: &files, names: &[], present: &[] },
        &tests,
    );
    assert!(errors.missing.is_empty(), "{errors:?}");
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
        let found = with_owned(files, &[], |owned| owned.script_file(specifier).map(str::to_owned));
        assert_eq!(found.as_deref(), expected, "{files:?} {specifier}");
    }
    assert!(with_owned(&["package.json"], &[], |owned| owned.script_package("lodash")));
    assert!(with_owned(&["packages/core/src/a.ts"], &[], |owned| owned.script_package("@shop/core")));
    assert!(!with_owned(&["packages/core/src/a.ts"], &[], |owned| owned.script_package("core")));
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
