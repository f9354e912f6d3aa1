//! Tests of `awaited`.

use windlass_core::report::Runner;

use super::super::verdict::RunExit;
use super::*;

fn with<R>(
    runner: Runner,
    author: TestAuthor,
    (path, text): (&str, &str),
    look: impl FnOnce(&RedInput<'_>, &[String]) -> R,
) -> R {
    let owned = vec!["src/core.py".to_owned(), "src/core.ts".to_owned(), path.to_owned()];
    let files = [(path.to_owned(), text.as_bytes().to_vec())];
    let names: Vec<String> =
        tests(path, text.as_bytes()).iter().filter(|i| !i.skipped).map(|i| i.name_in(path)).collect();
    let input = RedInput {
        exit: RunExit::Code(1),
        report: None,
        runner: Some(runner),
        output: b"",
        test_files: &files,
        author,
        owned: &owned,
        provides: &[],
        declared: &[],
        present: &[],
    };
    look(&input, &names)
}

fn report(runner: Runner, tests: &[(&str, TestOutcome)]) -> TestReport {
    let mut report = TestReport::new(runner);
    for (name, outcome) in tests {
        report.record(*name, *outcome);
    }
    report
}

const PYTHON: &str = "import sys\nimport pytest\nfrom core import a, FAST\n\n\ndef test_plain():\n    assert a()\n\n\n\
    @pytest.mark.skipif(sys.platform == 'linux', reason='')\ndef test_elsewhere():\n    assert a()\n\n\n\
    @pytest.mark.skipif(not FAST, reason='')\ndef test_fast():\n    assert a()\n\n\n\
    if sys.platform == 'win32':\n    def test_windows():\n        assert a()\n";

/// What every run with stand-ins skips or does not have, whatever they answer, may be skipped at green.
#[test]
fn the_list_of_the_runner_counts() {
    use TestOutcome::{Failed, Passed, Skipped};
    let yes = [("t.py::test_plain", Passed), ("t.py::test_elsewhere", Skipped), ("t.py::test_fast", Passed)];
    let no = [
        ("t.py::test_plain", Failed),
        ("t.py::test_elsewhere", Skipped),
        ("t.py::test_fast", Skipped),
        ("t.py::TestMade::test_more[1]", Passed),
    ];
    let listed = |no: &[(&str, TestOutcome)]| vec![report(Runner::Pytest, &yes), report(Runner::Pytest, no)];
    let sorted = |author, listed: &[TestReport]| {
        with(Runner::Pytest, author, ("t.py", PYTHON), |input, names| awaited(input, names, listed))
    };
    let found = sorted(TestAuthor::Base, &listed(&no));
    assert_eq!(found.required, ["t.py::test_fast", "t.py::test_plain"], "`FAST` is the task's to say");
    assert_eq!(found.conditional, ["t.py::test_elsewhere", "t.py::test_windows"]);
    // An agent's own mark is not believed, and without both runs nothing is known.
    for found in [sorted(TestAuthor::Agent, &listed(&no)), sorted(TestAuthor::Base, &listed(&no)[..1])] {
        assert_eq!((found.required.len(), found.conditional.len()), (4, 0), "{found:?}");
    }
    // Where stand-ins gave no results, the condition itself decides.
    let unlisted = sorted(TestAuthor::Base, &[]);
    assert_eq!(unlisted.required, ["t.py::test_fast", "t.py::test_plain"]);
    assert_eq!(unlisted.conditional, ["t.py::test_elsewhere", "t.py::test_windows"]);
    // A run that did not load the file says nothing about what it does not have.
    let broken = sorted(TestAuthor::Base, &listed(&[("t.py", TestOutcome::Errored)]));
    assert_eq!(broken.required.len(), 4, "{broken:?}");
}

#[test]
fn tests_that_only_the_runner_knows_are_required() {
    let text = "from core import make\n\nmake(globals())\n";
    let listed = [TestOutcome::Passed, TestOutcome::Failed].map(|outcome| {
        report(
            Runner::Pytest,
            &[("t.py::TestMade::test_it[1]", outcome), ("t.py::test_sk", TestOutcome::Skipped)],
        )
    });
    with(Runner::Pytest, TestAuthor::Base, ("t.py", text), |input, names| {
        assert!(wants_stand_ins(input));
        assert_eq!(awaited(input, names, &listed).required, ["t.py::TestMade::test_it"]);
    });
}

#[test]
fn stand_ins_are_wanted_where_our_reading_is_not_enough() {
    let plain = "from core import a\n\n\ndef test_a():\n    assert a()\n";
    let table = [
        (Runner::Pytest, TestAuthor::Base, plain, false),
        (Runner::Pytest, TestAuthor::Base, PYTHON, true),
        (Runner::Pytest, TestAuthor::Base, "@pytest.mark.skip\ndef test_a():\n    assert 1\n", true),
        (Runner::Unittest, TestAuthor::Base, PYTHON, true),
        (Runner::Pytest, TestAuthor::Agent, PYTHON, false),
        (Runner::Tap, TestAuthor::Base, PYTHON, false),
    ];
    for (runner, author, text, expected) in table {
        let wanted = with(runner, author, ("t.py", text), |input, _| wants_stand_ins(input));
        assert_eq!(wanted, expected, "{runner:?} {author:?}");
    }
}

/// Other runners cannot have stand-ins: there the text of the condition must not mention the task's code.
#[test]
fn conditions_that_the_task_cannot_change() {
    let text = "import { test } from 'vitest';\nimport { fast, slow as off } from '../src/core.js';\n\
        const quick = fast && !process.env.SLOW;\nconst windows = process.platform === 'win32';\n\
        test('plain', () => {});\ntest.skipIf(windows)('elsewhere', () => {});\n\
        test.skipIf(!quick)('quick', () => {});\ntest.runIf(off)('off', () => {});\n\
        if (windows) {\n  test('only there', () => {});\n}\n";
    let sorted =
        |author| with(Runner::Vitest, author, ("t.test.ts", text), |input, names| awaited(input, names, &[]));
    let found = sorted(TestAuthor::Base);
    assert_eq!(found.conditional, ["t.test.ts > elsewhere", "t.test.ts > only there"]);
    assert_eq!(found.required, ["t.test.ts > off", "t.test.ts > plain", "t.test.ts > quick"]);
    assert!(sorted(TestAuthor::Agent).conditional.is_empty());
    // If every test has a condition, all of them are required: something has to be seen green.
    let only = "import { test } from 'vitest';\ntest.skipIf(process.env.CI)('a', () => {});\n";
    let all = with(Runner::Vitest, TestAuthor::Base, ("t.test.ts", only), |input, names| {
        awaited(input, names, &[])
    });
    assert_eq!((all.required.len(), all.conditional.len()), (1, 0));
}

#[test]
fn what_the_runner_leaves_out_is_told() {
    let text = "def test_a():\n    pass\n\n\ndef test_b():\n    pass\n";
    let seen = report(Runner::Pytest, &[("t.py::test_a", TestOutcome::Failed)]);
    with(Runner::Pytest, TestAuthor::Base, ("t.py", text), |input, _| {
        assert_eq!(not_run(&RedInput { report: Some(&seen), ..*input }), ["t.py::test_b"]);
    });
}

/// Cases that the task's own code lists, against cases that the frozen file lists.
#[test]
fn cases_that_the_code_lists() {
    let made = |path: &str, text: &str| {
        let owned = [format!("src/core.{}", path.rsplit_once('.').unwrap().1)];
        cases_of_the_code(&[(path.to_owned(), text.as_bytes().to_vec())], &owned).join(" ")
    };
    let python = "import core\nfrom core import NAMES, a\nOWN = [core.a]\n\n\
        @pytest.mark.parametrize('n', [i.name for i in core.items])\ndef test_code(n): ...\n\n\
        @pytest.mark.parametrize('n', argvalues=NAMES)\ndef test_names(n): ...\n\n\
        @pytest.mark.parametrize('a', ['core', core.a])\ndef test_written(a): ...\n\n\
        @pytest.mark.parametrize('n', OWN)\ndef test_own(n): ...\n\n\
        @pytest.mark.parametrize('n', sorted(sys.modules))\ndef test_system(n): ...\n";
    assert_eq!(made("t.py", python), "t.py::test_code t.py::test_names");
    let module = "from src import core\n\n@pytest.mark.parametrize('n', core.items)\ndef test_a(n): ...\n";
    assert_eq!(made("t.py", module), "t.py::test_a");
    let script = "import { names } from '../src/core';\ntest.each(names)('a %s', () => {});\n\
        test.each([names[0]])('b %s', () => {});\ndescribe.each(Object.keys(names))('c', () => { it('d', () => {}); });\n";
    assert_eq!(made("test/a.test.ts", script), "test/a.test.ts > a %s test/a.test.ts > c > d");
}
