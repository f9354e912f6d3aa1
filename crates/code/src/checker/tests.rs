//! Reports in every form, and what counts as new.

use super::*;
use crate::repo::MemoryTree;

fn read(format: CheckerFormat, output: &str) -> Vec<String> {
    let found = read_findings(format, output.as_bytes(), "/w/", "");
    found.unwrap_or_default().iter().map(ToString::to_string).collect()
}

#[test]
fn every_form_is_read_to_the_same_fields() {
    use CheckerFormat::{Cargo, Eslint, Lines, Mypy, Pyright, Ruff, Tsc};
    let table: [(CheckerFormat, &str, &[&str]); 12] = [
        (Lines, "./a.go:3:2: undefined: x\n", &["a.go:3: undefined: x"]),
        (Lines, "# pkg\nvet: ./a.go:3:2: no x\n", &["a.go:3: no x"]),
        (Lines, "a.py:3: error: Bad  [arg-type]\na.py:4: note: see\n", &["a.py:3: error: Bad [arg-type]"]),
        (Lines, "Found 1 error in 1 file\n12:30: no path\n", &[]),
        (Tsc, "src/a.ts(1,2): error TS2307: No './b'.\n  more\n", &["src/a.ts:1: No './b'. [TS2307]"]),
        (
            Cargo,
            "{\"reason\":\"x\"}\n{\"message\":{\"level\":\"error\",\"message\":\"bad\",\"code\":{\"code\":\"clippy::x\"},\
             \"spans\":[{\"file_name\":\"src/a.rs\",\"line_start\":4,\"is_primary\":true}]}}\n\
             {\"message\":{\"level\":\"warning\",\"message\":\"w\",\"code\":null,\"spans\":[]}}\n",
            &["src/a.rs:4: bad [clippy::x]"],
        ),
        (
            Pyright,
            "{\"generalDiagnostics\":[{\"file\":\"/w/a.py\",\"severity\":\"error\",\"message\":\"m\",\"rule\":\"r\",\
             \"range\":{\"start\":{\"line\":0}}},{\"file\":\"/w/a.py\",\"severity\":\"warning\",\"message\":\"n\"}]}",
            &["a.py:1: m [r]"],
        ),
        (
            Mypy,
            "{\"file\":\"a.py\",\"line\":2,\"message\":\"m\",\"code\":\"c\",\"severity\":\"error\"}\nFound 1 error\n",
            &["a.py:2: m [c]"],
        ),
        (
            Ruff,
            "warning: old setting\n[{\"filename\":\"/w/a.py\",\"code\":\"F401\",\"message\":\"m\",\"location\":{\"row\":7}}]",
            &["a.py:7: m [F401]"],
        ),
        (
            Eslint,
            "[{\"filePath\":\"/w/a.js\",\"messages\":[{\"ruleId\":\"eqeqeq\",\"severity\":2,\"message\":\"m\",\"line\":1},\
             {\"ruleId\":\"x\",\"severity\":1,\"message\":\"w\",\"line\":2}]}]",
            &["a.js:1: m [eqeqeq]"],
        ),
        (Ruff, "ruff: command failed", &[]),
        (Eslint, "", &[]),
    ];
    for (format, output, expected) in table {
        assert_eq!(read(format, output), expected, "{format:?}: {output}");
    }
}

#[test]
fn a_report_tells_whether_the_tool_could_fix_something() {
    let file = |errors: u32, warnings: u32| {
        format!(
            r#"{{"filePath":"/w/a.js","messages":[],"fixableErrorCount":{errors},"fixableWarningCount":{warnings}}}"#
        )
    };
    let table = [
        (format!("[{}]", file(0, 0)), Some(false)),
        (format!("npx: installed 1\n[{},{}]", file(0, 0), file(0, 1)), Some(true)),
        (format!("[{}]", file(1, 0)), Some(true)),
        // Older than these counts, and no report at all.
        (r#"[{"filePath":"/w/a.js","messages":[]}]"#.to_owned(), None),
        ("/w/a.js\n  1:2  warning  No magic number".to_owned(), None),
        (String::new(), None),
    ];
    for (output, expected) in table {
        assert_eq!(has_fixes(CheckerFormat::Eslint, output.as_bytes()), expected, "{output}");
    }
    let ruff = |output: &str| has_fixes(CheckerFormat::Ruff, output.as_bytes());
    assert_eq!(ruff("[]"), Some(false));
    assert_eq!(ruff(r#"[{"code":"E501","fix":null}]"#), Some(false));
    assert_eq!(
        ruff(r#"[{"code":"E501","fix":null},{"code":"F401","fix":{"applicability":"safe"}}]"#),
        Some(true)
    );
    assert_eq!(ruff(r#"[{"code":"E501"}]"#), None);
    assert_eq!(has_fixes(CheckerFormat::Lines, b"[]"), None);
}

#[test]
fn paths_are_those_of_the_tree_wherever_the_tool_ran() {
    let read = |path: &str, dir: &str| {
        let output = format!("{path}:1:1: m\n");
        read_findings(CheckerFormat::Lines, output.as_bytes(), "/w", dir).unwrap()[0].path.clone()
    };
    assert_eq!(read("a.py", ""), "a.py");
    assert_eq!(read("a.py", "web"), "web/a.py");
    assert_eq!(read("/w/web/a.py", "web"), "web/a.py");
    assert_eq!(read("/other/a.py", "web"), "/other/a.py");
}

fn finding(path: &str, line: usize, message: &str) -> CheckerFinding {
    CheckerFinding { path: path.into(), line, rule: "r".into(), message: message.into() }
}

fn compared(
    before: &[CheckerFinding],
    after: &[CheckerFinding],
    planned: &PlannedWork,
) -> (Vec<usize>, usize, usize) {
    let old = MemoryTree::new([("a.py", "x = 1\ny = 2\n")]);
    let new = MemoryTree::new([("a.py", "new\n x =  1\ny = 3\n")]);
    let found = compare((before, &old), (after, &new), planned, UnseenOnBase::Counts);
    (found.new.iter().map(|f| f.line).collect(), found.expected.len(), found.old)
}

#[test]
fn a_finding_is_old_by_its_file_rule_message_and_line_text() {
    let none = PlannedWork::default();
    let before = [finding("a.py", 1, "bad, see line 7"), finding("a.py", 2, "bad")];
    // Moved, with another number in its message and other blanks: old.
    assert_eq!(compared(&before, &[finding("a.py", 2, "bad, see line 19")], &none), (vec![], 0, 1));
    // The same words on a line that changed, in another file, or once more: new.
    assert_eq!(compared(&before, &[finding("a.py", 3, "bad")], &none), (vec![3], 0, 0));
    assert_eq!(compared(&before, &[finding("b.py", 2, "bad, see line 7")], &none), (vec![2], 0, 0));
    let twice = [finding("a.py", 2, "bad, see line 7"), finding("a.py", 2, "bad, see line 7")];
    assert_eq!(compared(&before, &twice, &none), (vec![2], 0, 1));
}

#[test]
fn what_an_unfinished_task_is_going_to_make_may_be_missing() {
    let planned = PlannedWork {
        files: vec!["src/later.ts".into(), "pkg/deep/mod.py".into(), "web/ui/index.ts".into()],
        names: vec!["shop.checkout".into()],
    };
    let table = [
        ("Cannot find module './later' or its types", true),
        ("Cannot find module \"../src/later.js\"", true),
        ("No module named 'deep.mod'", true),
        ("Cannot find module './ui'", true),
        ("Module has no member `checkout`", true),
        // Cheats: something else is missing, or a name is only similar.
        ("Cannot find module './other'", false),
        ("Cannot find module './sooner-or-later'", false),
        ("later is not assignable", false),
        ("Type 'string' is not assignable to type 'number'", false),
    ];
    for (message, expected) in table {
        let (new, allowed, _) = compared(&[], &[finding("a.py", 1, message)], &planned);
        assert_eq!((new.is_empty(), allowed == 1), (expected, expected), "{message}");
    }
}

#[test]
fn a_linter_that_stopped_on_the_base_hid_what_it_says_of_untouched_files() {
    let files = [("p/a_test.go", "x{1}\n"), ("p/b.go", "y\n"), ("q/c.go", "z\n")];
    let old = MemoryTree::new([files[0], files[2]]);
    let new = MemoryTree::new(files);
    let before = [finding("p/a_test.go", 1, "undefined: f")];
    let after = [
        finding("p/a_test.go", 1, "unkeyed fields"),
        finding("p/b.go", 1, "unkeyed fields"),
        finding("q/c.go", 1, "unkeyed fields"),
    ];
    let new_in = |before: &[CheckerFinding], unseen| {
        let found = compare((before, &old), (&after, &new), &PlannedWork::default(), unseen);
        found.new.into_iter().map(|f| f.path).collect::<Vec<_>>()
    };
    // The new file counts, and so does a package in which nothing stopped the linter.
    assert_eq!(new_in(&before, UnseenOnBase::IsOld), ["p/b.go", "q/c.go"]);
    assert_eq!(new_in(&before, UnseenOnBase::Counts), ["p/a_test.go", "p/b.go", "q/c.go"]);
    assert_eq!(new_in(&[], UnseenOnBase::IsOld), ["p/a_test.go", "p/b.go", "q/c.go"]);
}
