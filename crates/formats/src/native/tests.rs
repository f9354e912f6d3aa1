//! The native form as a whole: worked example, bad input, and the round trip as a property.

use proptest::prelude::*;
use serde_json::{Map, Value};

use crate::tests::full_task;
use crate::{Dialect, Input, TextFile, detect, read, write};
use windlass_core::diagnostic::Severity;
use windlass_core::plan::{
    Action, CodeBlock, Complexity, Criterion, Expect, Files, Interface, Loaded, Placement, Plan, Section,
    Step, Task, TestPlan, Tier, Verification,
};

fn input(files: &[(&str, &[u8])]) -> Input {
    let file = |(path, bytes): &(&str, &[u8])| TextFile { path: (*path).into(), bytes: bytes.to_vec() };
    Input { root: "plans/demo".into(), files: files.iter().map(file).collect() }
}

fn task(text: &str) -> Loaded {
    read(Dialect::Native, &input(&[("plan.toml", b"name = \"demo\"\n"), ("tasks/T-1.md", text.as_bytes())]))
}

/// Findings as a person would see them, one per line.
fn findings(loaded: &Loaded) -> String {
    let line = |d: &windlass_core::diagnostic::Diagnostic| {
        let place = d.span.map(|s| {
            let at = loaded.sources.position(s);
            format!("{}:{}:{}: ", loaded.sources.file(s.file).path, at.line, at.column)
        });
        let help = d.help.as_ref().map(|h| format!(" ({h})")).unwrap_or_default();
        format!("{}{:?} {}: {}{help}\n", place.unwrap_or_default(), d.severity, d.code, d.message)
    };
    loaded.diagnostics.iter().map(line).collect()
}

fn without_places(mut plan: Plan) -> Plan {
    plan.places.clear();
    plan.tasks.iter_mut().for_each(|t| t.places.clear());
    plan
}

fn round_trip(dialect: Dialect, plan: &Plan) -> Plan {
    let files = write(dialect, plan, &|_| None);
    let loaded = read(dialect, &Input { root: plan.name.clone(), files });
    without_places(loaded.plan)
}

const TASK: &str = r"---
id: TASK-042
title: Add findByState
layer: 2
depends_on: [TASK-031, 007]
estimated_complexity: simple
timeout_seconds: 90
test_file: src/repo.test.ts
traces_to: {stories: [US-1], criteria: [AC-1]}
owner: ada
---

# TASK-042: Add findByState

Finds items by state.

## Acceptance Criteria

- AC-1: items of the state are returned

## Contract

```typescript
// src/repo.ts
findByState(state: State): Promise<Item[]>;
```

## Dependencies (Interfaces Only)

```typescript
// From TASK-031: repo
type Repo = {};
```

## Test Specification

````typescript
// ADD to src/repo.test.ts
const doc = `
```
`;
````

## Output Files

```
MODIFY: src/repo.ts (~10 lines added)
WRITE: src/repo.test.ts (~20 lines)
```

## Verification (Deterministic)

```bash
cd backend
npx vitest run src/repo.test.ts
```

## Done When

- [ ] `findByState` is exported

## Rollback

Revert.
";

#[test]
fn a_task_file_is_read_whole_whatever_its_line_ends() {
    for text in [TASK.to_owned(), TASK.replace('\n', "\r\n"), format!("\u{feff}{TASK}")] {
        let loaded = task(&text);
        assert_eq!(findings(&loaded), "");
        let t = &loaded.plan.tasks[0];
        assert_eq!((t.id.as_str(), t.title.as_str(), t.layer), ("TASK-042", "Add findByState", Some(2)));
        assert_eq!(t.depends_on, ["TASK-031", "007"]);
        assert_eq!(t.objective, "Finds items by state.");
        assert_eq!(t.criteria[0].id, "AC-1");
        assert_eq!(t.contract[0].path.as_deref(), Some("src/repo.ts"));
        assert_eq!(t.interfaces[0].source.as_deref(), Some("TASK-031"));
        assert_eq!(t.test_code[0].placement, Placement::Addition);
        assert_eq!(t.test_code[0].code, "// ADD to src/repo.test.ts\nconst doc = `\n```\n`;");
        assert_eq!((t.files.modify.len(), t.files.create.len(), t.lines["src/repo.ts"]), (1, 1, 10));
        let verification = t.verification.as_ref().unwrap();
        assert_eq!(verification.script, "cd backend\nnpx vitest run src/repo.test.ts");
        assert_eq!(verification.timeout_seconds, Some(90));
        assert_eq!(t.sections, [Section { heading: "Rollback".into(), body: "Revert.".into() }]);
        assert_eq!(t.extra["owner"], "ada");
        let depends = t.span("depends_on[1]").unwrap();
        let file = loaded.sources.file(depends.file);
        assert_eq!(&file.text[depends.start as usize..depends.end as usize], "007");
    }
}

#[test]
fn defaults_hold_where_a_task_says_nothing() {
    let plan =
        b"name = \"demo\"\n[defaults]\ntier = \"small\"\ntimeout_seconds = 5\ncomplexity = \"medium\"\n";
    let loaded = read(
        Dialect::Native,
        &input(&[
            ("plan.toml", plan),
            ("tasks/a.md", b"---\nid: A\ntier: large\nestimated_complexity: simple\n---\n"),
            ("tasks/b.md", b"---\nid: B\n---\n"),
        ]),
    );
    let tasks = &loaded.plan.tasks;
    assert_eq!((tasks[0].tier, tasks[1].tier), (Some(Tier::Large), Some(Tier::Small)));
    assert_eq!(
        (tasks[0].complexity, tasks[1].complexity),
        (Some(Complexity::Simple), Some(Complexity::Medium))
    );
    assert_eq!(tasks[1].verification.as_ref().and_then(|v| v.timeout_seconds), Some(5));
}

#[test]
fn what_is_wrong_is_said_in_its_place_and_the_rest_is_read() {
    let broken = "---\nid: A\nlayer: two\ndepend_on: [X]\nstatus: done\nid: B\ntitle: [unclosed\n---\n# B: t\n## Steps\n1. dance\n## Test Specification\n```ts\nopen\n";
    let loaded = read(
        Dialect::Native,
        &input(&[
            ("plan.toml", b"name = 3\nphses = []\nbroken\n"),
            ("tasks/1.md", broken.as_bytes()),
            ("tasks/2.md", b"\xff\xfe"),
            ("tasks/3.md", b"a\0b"),
            ("tasks/4.md", b""),
            ("tasks/5.md", b"---\nid: E\n# E: five\n"),
            ("tasks/README.md", b"not a task"),
            ("notes.md", b"not a task"),
        ]),
    );
    let ids: Vec<&str> = loaded.plan.tasks.iter().map(|t| t.id.as_str()).collect();
    assert_eq!(ids, ["B", "4", "E"]);
    insta::assert_snapshot!(findings(&loaded), @"
    plans/demo/plan.toml:2:1: Warning WL0004: unknown key `phses` (did you mean `phases`? Unknown keys are kept, but have no meaning)
    plans/demo/plan.toml:3:7: Error WL0002: the TOML cannot be read: key with no value, expected `=`
    plans/demo/tasks/1.md:2:1: Error WL0005: `id` is given twice; the last one counts
    plans/demo/tasks/1.md:3:8: Error WL0003: `layer` cannot be read: a whole number is expected, found `two`
    plans/demo/tasks/1.md:4:1: Warning WL0004: unknown key `depend_on` (did you mean `depends_on`? Unknown keys are kept, but have no meaning)
    plans/demo/tasks/1.md:5:1: Warning WL0006: a plan holds no state; the journal records what is done (remove `status`)
    plans/demo/tasks/1.md:7:8: Error WL0002: the YAML cannot be read: unclosed bracket '['
    plans/demo/tasks/1.md:7:8: Error WL0003: `title` cannot be read: a text is expected, found a list
    plans/demo/tasks/1.md:11:1: Error WL0010: the step has no known action: write_test, verify_fail, implement, verify_pass, refactor, format or commit is expected
    plans/demo/tasks/1.md:13:1: Warning WL0009: the code fence is never closed
    plans/demo/tasks/2.md:1:1: Error WL0001: the file is not UTF-8 text: byte 1 is not valid
    plans/demo/tasks/3.md:1:1: Error WL0001: the file is binary, not text
    plans/demo/tasks/4.md:1:1: Note WL0007: the task has no id; `4` is taken from the file name
    plans/demo/tasks/5.md:2:1: Error WL0002: the front matter has no closing `---`
    ");
}

#[test]
fn a_folder_without_anything_is_an_error_and_not_a_panic() {
    let loaded = read(Dialect::Native, &Input::default());
    assert_eq!(loaded.plan.name, "plan");
    assert_eq!(loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error).count(), 2);
}

#[test]
fn formats_are_told_apart() {
    let contract = input(&[("TASK-042.md", TASK.as_bytes())]);
    let native = input(&[("plan.toml", b""), ("tasks/TASK-042.md", TASK.as_bytes())]);
    let loose = input(&[("a/some.md", TASK.as_bytes()), ("README.md", b"x")]);
    assert_eq!(detect(&contract), [Dialect::Contract]);
    assert_eq!(detect(&native), [Dialect::Native]);
    assert_eq!(detect(&loose), [Dialect::Contract]);
    assert_eq!(detect(&input(&[("x.json", b"{}")])), []);
}

/// The form in which people read it is in `tests/every_field`.
#[test]
fn a_full_task_reads_back_the_same() {
    let plan = Plan { name: "demo".into(), tasks: vec![full_task()], ..Plan::default() };
    for dialect in [Dialect::Native, Dialect::Contract] {
        let mut back = round_trip(dialect, &plan);
        back.extra.shift_remove(dialect.as_str());
        assert_eq!(back, plan);
    }
}

#[test]
fn deep_nesting_and_aliases_are_findings() {
    for text in [
        format!("---\nid: A\nx: {}\n---\n", "[".repeat(10_000)),
        format!("---\nid: A\nx: {}1{}\n---\n", "[".repeat(10_000), "]".repeat(10_000)),
        "---\nid: A\na: &a [*a, *a]\n---\n".to_owned(),
        "---\n? [a]\n: b\nid: A\n---\n".to_owned(),
    ] {
        let loaded = task(&text);
        assert!(!loaded.diagnostics.is_empty(), "{}", &text[..20]);
        assert_eq!(loaded.plan.tasks.len(), 1);
    }
    let deep = format!("x = {}1{}\n", "[".repeat(10_000), "]".repeat(10_000));
    let loaded = read(Dialect::Native, &input(&[("plan.toml", deep.as_bytes())]));
    assert!(loaded.diagnostics.iter().any(|d| d.code == "WL0002"));
}

/// Texts with everything that means something in Markdown, YAML or TOML.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => "[a-z]{1,6}",
        1 => prop::sample::select(vec![
            " ", "\n", "\r\n", "# ", "## Contract\n", "```", "~~~\n", "---\n", ": ", "- ", "|", "\\|", "`", "(", ")",
            "\"", "'", "null", "true", "1.10", "007", "\u{feff}", "é", "\u{85}", "\u{0}", "\t", "\\", "AC-1: ", "*",
            "[", "]", "{", "}", ",", "&a", "%", "@", "!", "~", "1. ", "From T-1: x", "// ", "src/a.ts", "ADD to ",
        ]).prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|p| p.concat())
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof!["[A-Z]{1,4}-[0-9]{1,3}", "[a-z/]{1,8}\\.(ts|py)", text()]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1.0e9..1.0e9).prop_map(Value::from),
        text().prop_map(Value::String),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::Array),
            prop::collection::vec((text(), inner), 0..3)
                .prop_map(|kv| Value::Object(kv.into_iter().collect())),
        ]
    })
}

fn extra() -> impl Strategy<Value = Map<String, Value>> {
    let key =
        prop_oneof![word(), Just("name".to_owned()), Just("status".to_owned()), Just("defaults".to_owned())];
    prop::collection::vec((key, value()), 0..3).prop_map(|kv| kv.into_iter().collect())
}

fn block() -> impl Strategy<Value = CodeBlock> {
    let placement = prop_oneof![Just(Placement::Whole), Just(Placement::Addition)];
    (prop::option::of(word()), prop::option::of(text()), text(), placement)
        .prop_map(|(path, language, code, placement)| CodeBlock { path, language, code, placement })
}

fn any_task() -> impl Strategy<Value = Task> {
    let texts = || prop::collection::vec(word(), 0..3);
    let interface = (prop::option::of(word()), prop::option::of(text()), text())
        .prop_map(|(source, name, code)| Interface { source, name, code, language: Some("ts".into()) });
    let criterion = (word(), text(), prop::option::of(text()), texts())
        .prop_map(|(id, text, assertion, tests)| Criterion { id, text, assertion, tests });
    let step = (
        prop::option::of(word()),
        prop::option::of(text()),
        prop::option::of(text()),
        prop::option::of(text()),
    )
        .prop_map(|(file, code, sketch, run)| Step {
            file,
            code,
            sketch,
            run,
            verify: Expect::None,
            ..Step::of(Action::VerifyPass)
        });
    let section = (text(), text()).prop_map(|(heading, body)| Section { heading, body });
    let first = (word(), text(), text(), text(), text(), texts(), extra());
    let second = (
        prop::collection::vec(criterion, 0..3),
        prop::collection::vec(block(), 0..2),
        prop::collection::vec(interface, 0..2),
        prop::collection::vec(block(), 0..2),
        prop::collection::vec(step, 0..2),
        prop::collection::vec(section, 0..2),
    );
    let third =
        (texts(), texts(), texts(), prop::option::of(text()), prop::option::of(text()), any::<Option<u64>>());
    (first, second, third).prop_map(|(a, b, c)| Task {
        id: a.0,
        title: a.1,
        objective: a.2,
        description: a.3,
        notes: a.4,
        depends_on: a.5,
        extra: a.6,
        criteria: b.0,
        contract: b.1,
        interfaces: b.2,
        test_code: b.3,
        steps: b.4,
        sections: b.5,
        lines: c.0.iter().map(|p| (p.clone(), 7)).collect(),
        files: Files { create: c.0, modify: c.1, ..Files::default() },
        done_when: c.2.clone(),
        risks: c.2,
        agent: c.3.clone(),
        test: TestPlan { file: c.3, ..TestPlan::default() },
        verification: c.4.map(|script| Verification { script, timeout_seconds: c.5 }),
        ..Task::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_written_reads_back_the_same(
        name in word(), title in prop::option::of(text()), objective in text(), extra in extra(),
        specs in prop::collection::vec(word(), 0..3), tasks in prop::collection::vec(any_task(), 0..3),
    ) {
        let criteria = tasks.iter().flat_map(|t| t.criteria.clone()).collect();
        let plan = Plan { name, title, objective, specs, criteria, tasks, extra, ..Plan::default() };
        prop_assert_eq!(round_trip(Dialect::Native, &plan), plan);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "(?s).{0,200}", glue in text()) {
        let front = format!("---\n{glue}{text}\n---\n## Steps\n{text}\n## Output Files\n{glue}{text}");
        for text in [text, front] {
            let loaded = task(&text);
            for d in &loaded.diagnostics {
                let Some(span) = d.span else { continue };
                let file = loaded.sources.file(span.file);
                prop_assert!(file.text.get(span.start as usize..span.end as usize).is_some(), "{:?}", d);
            }
            for span in loaded.plan.tasks.iter().flat_map(|t| t.places.values()) {
                let file = loaded.sources.file(span.file);
                prop_assert!(file.text.get(span.start as usize..span.end as usize).is_some());
            }
        }
    }
}
