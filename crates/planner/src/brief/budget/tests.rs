//! What a brief leaves out, in which order, and what it says when nothing more can be left out.

use super::*;
use crate::brief::{Analysis, CodeContext, EarlierTask, FileInterface, Manner, Pattern, Sketch};
use windlass_code::survey::ReusableHelpers;
use windlass_core::plan::{CodeBlock, Criterion, Interface, Task, Tier};

/// A task with every part of a brief, each marked by a word of its own.
fn task() -> Task {
    let mut task = Task {
        id: "T-1".into(),
        title: "Add carts".into(),
        objective: "OBJECTIVE".into(),
        description: "DESCRIPTION ".repeat(20),
        criteria: vec![Criterion { id: "AC-1".into(), text: "CRITERION".into(), ..Criterion::default() }],
        risks: vec!["RISK".into(), "RISK".into()],
        notes: "NOTES".into(),
        done_when: vec!["DONE".into()],
        ..Task::default()
    };
    let block = |path: &str, code: &str| CodeBlock {
        path: Some(path.into()),
        code: code.into(),
        ..CodeBlock::default()
    };
    task.contract = vec![block("shop/cart.py", "CONTRACT")];
    task.test_code = vec![block("tests/test_cart.py", "TESTCODE")];
    task.interfaces = vec![Interface { code: "INTERFACE".into(), ..Interface::default() }];
    task
}

fn brief(task: &Task) -> Brief<'_> {
    let reusable = ReusableHelpers {
        path: "shop/text.py".into(),
        fence: "python",
        import: None,
        functions: vec!["HANDY".into()],
    };
    let context = CodeContext {
        offered: vec![FileInterface {
            path: "shop/money.py".into(),
            fence: "python",
            lines: vec!["OFFERED".into()],
        }],
        reusable: vec![reusable],
        under_test: Vec::new(),
        pattern: Some(Pattern {
            path: "shop/order.py".into(),
            fence: "python",
            text: "PATTERN".into(),
            lines_left: 0,
        }),
        conventions: vec!["CONVENTION".into()],
        analyses: vec![Analysis { title: "look".into(), text: "ANALYSIS".into() }],
        sketch: Some(Sketch { path: "shop/cart.py".into(), fence: "python", code: "SKETCH".into() }),
        opening: None,
    };
    Brief {
        purpose: Purpose::Implement,
        manner: Manner::Hands,
        task,
        traced: Vec::new(),
        untested: Vec::new(),
        survivors: Vec::new(),
        reopened: None,
        changed: None,
        answers: Vec::new(),
        may_change: vec!["shop/cart.py".into()],
        frozen: Vec::new(),
        command: Some("COMMAND".into()),
        failures: vec!["FIRST".into(), "SECOND".into(), "LAST".into()],
        before: vec![EarlierTask { task: "T-0".into(), summary: "EARLIER".into() }],
        house_rules: Vec::new(),
        context,
    }
}

/// Counts nothing but one word, so that a budget of zero leaves parts out until that word is gone.
fn until_gone(word: &'static str) -> impl Fn(&str) -> usize {
    move |text| text.matches(word).count()
}

/// Each part with its word, and the line that says that it was left out: the least important part first.
const LEFT_OUT: [(&str, &str); 12] = [
    ("HANDY", "existing code to reuse: see `shop/text.py`"),
    ("PATTERN", "a similar file: read `shop/order.py`"),
    ("SECOND", "failures of earlier attempts (2)"),
    ("EARLIER", "results of earlier tasks (1)"),
    ("RISK", "risks (2)"),
    ("ANALYSIS", "looked-up information (1)"),
    ("SKETCH", "a sketch of `shop/cart.py`"),
    ("CONVENTION", "conventions (1)"),
    ("NOTES", "notes"),
    ("OFFERED", "interfaces: read `shop/money.py`"),
    ("TESTCODE", "the tests: read `tests/test_cart.py`"),
    ("DESCRIPTION", "the description"),
];

#[test]
fn parts_are_left_out_in_the_order_of_their_importance() {
    let task = task();
    for (at, (word, _)) in LEFT_OUT.iter().enumerate() {
        let fitted = fit(&brief(&task), &TokenBudget { limit: 0, count: &until_gone(word) }).unwrap();
        let expected: Vec<&str> = LEFT_OUT[..=at].iter().map(|(_, line)| *line).collect();
        assert_eq!(fitted.left_out, expected, "{word}");
        for (other, _) in &LEFT_OUT[at + 1..] {
            assert!(fitted.text.contains(other), "{other} is still in the brief without {word}");
        }
    }
}

#[test]
fn required_parts_stay() {
    let task = task();
    for word in ["OBJECTIVE", "CRITERION", "CONTRACT", "INTERFACE", "DONE", "COMMAND", "LAST", "shop/cart.py"]
    {
        let error = fit(&brief(&task), &TokenBudget { limit: 0, count: &until_gone(word) }).unwrap_err();
        assert!(matches!(error, BriefError::TooLarge { limit: 0, tokens: 1.., .. }), "{word}: {error}");
    }
}

/// A test writer has no other place for the tests that the plan states.
#[test]
fn a_test_writer_keeps_the_tests_of_the_plan() {
    let task = task();
    let brief = Brief { purpose: Purpose::WriteTest, ..brief(&task) };
    let fitted = fit(&brief, &TokenBudget { limit: 0, count: &until_gone("DESCRIPTION") }).unwrap();
    assert!(!fitted.left_out.iter().any(|line| line.contains("tests")), "{:?}", fitted.left_out);
}

/// Without objective and criteria the description is all there is.
#[test]
fn the_only_description_stays() {
    let mut task = task();
    task.objective.clear();
    let gone =
        |task: &Task| fit(&brief(task), &TokenBudget { limit: 0, count: &until_gone("DESCRIPTION") }).is_ok();
    assert!(gone(&task));
    task.criteria.clear();
    assert!(!gone(&task));
}

#[test]
fn a_long_failure_loses_its_first_half_again_and_again() {
    let task = Task { id: "T-1".into(), objective: "x".into(), ..Task::default() };
    let failure: String = (1..=64).map(|n| format!("L{n:02}\n")).collect();
    let brief = Brief {
        failures: vec![failure],
        before: Vec::new(),
        house_rules: Vec::new(),
        context: CodeContext::default(),
        ..brief(&task)
    };
    let table = [
        ("L01", "(its last 32 lines are above)"),
        ("L40", "(its last 16 lines are above)"),
        ("L50", "(its last 8 lines are above)"),
    ];
    for (gone, expected) in table {
        let fitted = fit(&brief, &TokenBudget { limit: 0, count: &until_gone(gone) }).unwrap();
        let [line] = fitted.left_out.as_slice() else { panic!("{:?}", fitted.left_out) };
        assert!(line.ends_with(expected), "{gone}: {line}");
        assert!(fitted.text.contains("L64"), "the end of a failure says most");
    }
    // Fewer than 16 lines are not cut.
    assert!(fit(&brief, &TokenBudget { limit: 0, count: &until_gone("L60") }).is_err());
}

#[test]
fn the_largest_part_decides_what_is_advised() {
    type Enlarge = fn(&mut Task, String, Vec<CodeBlock>);
    let long = || "word ".repeat(300);
    let block = || vec![CodeBlock { code: "word ".repeat(300), ..CodeBlock::default() }];
    let large: [(&str, &str, Enlarge); 6] = [
        ("objective", "shorten it, or split the task", |t, long, _| t.objective = long),
        ("criteria", "split the task by criterion", |t, long, _| {
            t.criteria = vec![Criterion { text: long, ..Criterion::default() }];
        }),
        ("done-when list", "split the task by criterion", |t, long, _| t.done_when = vec![long]),
        ("contract", "split the task by the parts of its contract", |t, _, block| t.contract = block),
        ("interfaces", "split the task by the parts of its contract", |t, long, _| {
            t.interfaces = vec![Interface { code: long, ..Interface::default() }];
        }),
        ("files", "split the task by file", |t, long, _| t.files.read = vec![long]),
    ];
    let words = |text: &str| text.split_whitespace().count();
    for (part, advice, change) in large {
        let mut task = task();
        change(&mut task, long(), block());
        let error = fit(&brief(&task), &TokenBudget { limit: 10, count: &words }).unwrap_err();
        assert_eq!(error.hint(), Some(advice), "{part}");
        assert!(error.to_string().contains(&format!("the limit is 10: {part} 30")), "{error}");
    }
}

#[test]
fn the_answer_has_its_share_of_the_limit() {
    let limits = TokenLimits { small: 10, medium: 100, large: 1_000, answer: 20 };
    assert_eq!(limits.limit(Tier::Small), 0);
    assert_eq!(limits.limit(Tier::Medium), 80);
    assert_eq!(limits.limit(Tier::Large), 980);
}

/// A text never has more tokens than bytes, so the bytes are compared first, and exactly.
#[test]
fn a_brief_of_exactly_the_limit_fits() {
    let task = task();
    let bytes = render_parts(&brief(&task), &[]).unwrap().len();
    let fits =
        |limit| fit(&brief(&task), &TokenBudget { limit, count: &str::len }).unwrap().left_out.is_empty();
    assert!(fits(bytes));
    assert!(!fits(bytes - 1));
}
