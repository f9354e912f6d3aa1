//! What runners print about tests that are wrong in themselves, and about code that is.

use windlass_core::report::Runner;

use super::*;

/// A test file, the code that is there, what the runner printed, and the finding about it.
type Row = (&'static str, &'static str, &'static [&'static str], &'static str, Option<&'static str>);

fn judged(
    path: &str,
    test: &str,
    present: &[&str],
    output: &str,
    contract: Option<&[String]>,
) -> Option<String> {
    let runner = match path.rsplit('.').next() {
        Some("py") => Runner::Pytest,
        Some("rs") => Runner::CargoTest,
        Some("go") => Runner::GoTest,
        _ => Runner::Vitest,
    };
    let files = [(path.to_owned(), test.as_bytes().to_vec())];
    let present: Vec<String> = present.iter().map(|path| (*path).to_owned()).collect();
    wrong_test(&WrongTestInput {
        report: None,
        runner: Some(runner),
        output: output.as_bytes(),
        test_files: &files,
        present: &present,
        kept_contract: contract,
    })
}

#[test]
fn only_what_lies_in_the_test_is_its_fault() {
    let table: &[Row] = &[
        (
            "tests/test_a.py",
            "from a import f\n\ndef test_f():\n    assert f(json.loads('1'))\n",
            &["a.py"],
            "    def test_f():\n>       assert f(json.loads('1'))\nE       NameError: name 'json' is not defined\n\ntests/test_a.py:4: NameError\n",
            Some("`tests/test_a.py` uses `json`, which it neither defines nor imports"),
        ),
        // The same error in the code is the code's.
        (
            "tests/test_a.py",
            "from a import f\n\ndef test_f():\n    assert f(1)\n",
            &["a.py"],
            "tests/test_a.py:4: in test_f\n    assert f(1)\na.py:2: in f\n    return json\nE   NameError: name 'json' is not defined\n",
            None,
        ),
        (
            "tests/test_a.py",
            "from a import f\n\ndef test_f():\n    assert f(1)\n",
            &["a.py"],
            "    def f(x):\n>       return json\nE       NameError: name 'json' is not defined\n\na.py:2: NameError\n",
            None,
        ),
        // An import that fails quietly, and one of everything.
        (
            "tests/test_a.py",
            "try:\n    from a import g\nexcept ImportError:\n    pass\n\ndef test_f():\n    g()\n",
            &["a.py"],
            "E       NameError: name 'g' is not defined\n\ntests/test_a.py:7: NameError\n",
            None,
        ),
        (
            "tests/test_a.py",
            "from a import *\n\ndef test_f():\n    g()\n",
            &["a.py"],
            "E       NameError: name 'g' is not defined\n\ntests/test_a.py:4: NameError\n",
            None,
        ),
        (
            "tests/test_a.py",
            "from todo.core import add\n",
            &["src/todo/core.py"],
            "____ ERROR collecting tests/test_a.py ____\ntests/test_a.py:1: in <module>\n    from todo.core import add\nE   ModuleNotFoundError: No module named 'todo'\n",
            Some("`tests/test_a.py` imports `todo`, which does not lead to the file of the task"),
        ),
        // The file is still to be written.
        (
            "tests/test_a.py",
            "from todo.core import add\n",
            &[],
            "tests/test_a.py:1: in <module>\nE   ModuleNotFoundError: No module named 'todo'\n",
            None,
        ),
        // The code imports itself by the wrong path.
        (
            "tests/test_a.py",
            "from todo.core import add\n",
            &["todo/core.py", "todo/store.py"],
            "tests/test_a.py:1: in <module>\n    from todo.core import add\ntodo/core.py:1: in <module>\n    import store\nE   ModuleNotFoundError: No module named 'store'\n",
            None,
        ),
        (
            "test/a.test.ts",
            "import { f } from '../src/a'\ntest('f', () => { expect(f(fs.constants)).toBe(1) })\n",
            &["src/a.ts"],
            "ReferenceError: fs is not defined\n ❯ test/a.test.ts:2:30\n",
            Some("`test/a.test.ts` uses `fs`, which it neither defines nor imports"),
        ),
        (
            "test/a.test.ts",
            "import { f } from '../src/a'\n",
            &["src/a.ts"],
            "ReferenceError: fs is not defined\n ❯ f src/a.ts:2:30\n ❯ test/a.test.ts:2:30\n",
            None,
        ),
        (
            "test/a.test.ts",
            "import { f } from '../a'\n",
            &["src/a.ts"],
            "Error: Failed to resolve import \"../a\" from \"test/a.test.ts\". Does the file exist?\n",
            Some("`test/a.test.ts` imports `../a`, which does not lead to the file of the task"),
        ),
        (
            "tests/a.rs",
            "use a::f;\n#[test]\nfn t() { let m: HashMap<u8, u8> = f(); }\n",
            &["src/lib.rs"],
            "error[E0412]: cannot find type `HashMap` in this scope\n --> tests/a.rs:3:17\n",
            Some("`tests/a.rs` uses `HashMap`, which it neither defines nor imports"),
        ),
        (
            "tests/a.rs",
            "use a::*;\n#[test]\nfn t() { g() }\n",
            &["src/lib.rs"],
            "error[E0425]: cannot find function `g` in this scope\n --> tests/a.rs:3:10\n",
            None,
        ),
        (
            "a/a_test.go",
            "package a\n\nfunc TestA(t *testing.T) { strings.ToUpper(A()) }\n",
            &["a/a.go"],
            "./a_test.go:3:28: undefined: strings\n",
            Some("`a/a_test.go` uses `strings`, which it neither defines nor imports"),
        ),
        ("a/a_test.go", "package a\n", &["a/a.go"], "./a_test.go:3:28: undefined: Helper\n", None),
    ];
    for (path, test, present, output, expected) in table {
        let found = judged(path, test, present, output, None);
        match expected {
            Some(words) => {
                assert!(found.as_deref().is_some_and(|f| f.starts_with(words)), "{output}: {found:?}");
            }
            None => assert_eq!(found, None, "{output}"),
        }
    }
}

#[test]
fn a_contract_that_the_code_keeps_decides_what_code_could_still_add() {
    let contract = ["f".to_owned()];
    let cases = [
        (
            "tests/test_a.py",
            "E   ImportError: cannot import name 'g' from 'a' (/w/a.py)",
            "uses `g`, which the contract does not have",
        ),
        (
            "tests/test_a.py",
            "E   TypeError: f() takes 1 positional argument but 2 were given",
            "contradicts the contract",
        ),
        (
            "tests/a.rs",
            "error[E0061]: this function takes 1 argument but 2 arguments were supplied `f`\n --> tests/a.rs:3:10",
            "contradicts the contract",
        ),
        ("a/a_test.go", "./a_test.go:3:2: undefined: G", "uses `G`, which the contract does not have"),
        ("a/a_test.go", "./a_test.go:3:2: too many arguments in call to f", "contradicts the contract"),
        (
            "test/a.test.ts",
            "test/a.test.ts(3,4): error TS2554: Expected 1 arguments, but got 2.",
            "contradicts the contract",
        ),
    ];
    for (path, said, words) in cases {
        let said =
            if said.starts_with('E') { format!("{path}:3: in test_a\n{said}\n") } else { said.to_owned() };
        let found = judged(path, "", &["a.py"], &said, Some(&contract));
        assert!(found.as_deref().is_some_and(|f| f.contains(words)), "{said}: {found:?}");
        assert_eq!(judged(path, "", &["a.py"], &said, None), None, "without a contract: {said}");
    }
    let promised =
        "tests/test_a.py:1: in <module>\nE   ImportError: cannot import name 'f' from 'a' (/w/a.py)\n";
    assert_eq!(judged("tests/test_a.py", "", &["a.py"], promised, Some(&contract)), None);
}

/// Where the report has messages, the output beside it is not read: it may speak of other tests.
#[test]
fn messages_of_the_report_come_before_the_output() {
    let test = "from a import f\n\ndef test_f():\n    assert f(json.loads('1'))\n";
    let said = "    def test_f():\n>       assert f(json.loads('1'))\nE       NameError: name 'json' is not defined\n\ntests/test_a.py:4: NameError\n";
    let files = [("tests/test_a.py".to_owned(), test.as_bytes().to_vec())];
    let present = ["a.py".to_owned()];
    let judged = |messages: &[(&str, &str)], output: &str| {
        let mut report = windlass_core::report::TestReport::new(Runner::Pytest);
        let own = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
        report.messages.extend(messages.iter().map(own));
        wrong_test(&WrongTestInput {
            report: Some(&report),
            runner: Some(Runner::Pytest),
            output: output.as_bytes(),
            test_files: &files,
            present: &present,
            kept_contract: None,
        })
    };
    let fault = Some("`tests/test_a.py` uses `json`, which it neither defines nor imports: NameError: name 'json' is not defined".to_owned());
    assert_eq!(judged(&[("tests/test_a.py::test_f", said)], ""), fault);
    assert_eq!(judged(&[], said), fault);
    assert_eq!(judged(&[("tests/test_a.py::test_f", "E       assert 1 == 2\n")], said), None);
}
