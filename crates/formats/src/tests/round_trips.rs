//! Properties every format of another tool must have: a plan that is written and read again says the same, and no
//! input makes a reader panic.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::tests::fixtures;
use crate::{Dialect, Input, TextFile, detect, read, write};
use windlass_core::plan::{
    Action, CodeBlock, Complexity, Criterion, Files, HeldOut, Interface, Method, Methodology, Mode, Plan,
    Section, Session, Step, Strategy as Begin, Task, TddCycle, TestPlan, Tier, Traces, Verification,
};

/// The formats of other tools that are read and written here.
const FOREIGN: [Dialect; 6] = [
    Dialect::Zerg,
    Dialect::Homerun,
    Dialect::Taskmaster,
    Dialect::Superplanner,
    Dialect::Speckit,
    Dialect::Ccw,
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), "[a-z]{1,8}( [a-zé€]{1,8}){0,3}", "\\PC{1,12}"]
}

fn words() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[a-z]{1,6}(/[a-z]{1,6}){0,2}", 0..3)
}

fn maybe(of: impl Strategy<Value = String>) -> impl Strategy<Value = Option<String>> {
    prop::option::of(of)
}

fn criteria() -> impl Strategy<Value = Vec<Criterion>> {
    let one = (maybe("AC-[0-9]{1,3}".boxed()), "[a-z]{1,9}", maybe(text()));
    let one = one.prop_map(|(id, text, assertion)| Criterion {
        id: id.unwrap_or_default(),
        text,
        assertion,
        tests: Vec::new(),
    });
    prop::collection::vec(one, 0..3)
}

fn files() -> impl Strategy<Value = Files> {
    (words(), words(), words(), words()).prop_map(|(create, modify, read, delete)| Files {
        create,
        modify,
        read,
        delete,
    })
}

fn test_plan() -> impl Strategy<Value = TestPlan> {
    let none = prop::option::of(prop::sample::select(vec!["documentation_only", "whatever"]));
    (maybe("[a-z/]{1,9}"), any::<bool>(), maybe(text()), none, prop::option::of(any::<bool>()), any::<bool>())
        .prop_map(|(file, inline, command, none, required, held)| TestPlan {
            inline: inline && file.is_some(),
            file,
            command,
            none: none.map(str::to_owned),
            required,
            held_out: held.then(|| HeldOut { path: "t".into(), blake3: "0".into() }).into_iter().collect(),
            coverage: held.then_some(85.5),
        })
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let action =
        prop::sample::select(vec![Action::WriteTest, Action::VerifyFail, Action::Refactor, Action::Commit]);
    let one = (action, maybe(text()), maybe(text()), maybe(text()), maybe(text()));
    let one =
        one.prop_map(|(action, file, code, run, title)| Step { file, code, run, title, ..Step::of(action) });
    prop::collection::vec(one, 0..3)
}

fn prose() -> impl Strategy<Value = Task> {
    let kind = prop::option::of(prop::sample::select(vec!["add_method", "feature"]));
    (text(), text(), text(), text(), kind, words(), words()).prop_map(
        |(title, objective, description, notes, kind, risks, done)| Task {
            title,
            objective,
            description,
            notes,
            task_type: kind.map(str::to_owned),
            risks,
            done_when: done.clone(),
            consumers: done.clone(),
            resources: done.clone(),
            needs: done.clone(),
            focus_paths: done,
            ..Task::default()
        },
    )
}

fn shape() -> impl Strategy<Value = Task> {
    let level = prop::option::of(0i64..12);
    (
        level,
        maybe("[a-z]{1,6}"),
        prop::option::of(0.0..100.0f64),
        any::<u8>(),
        criteria(),
        files(),
        test_plan(),
        steps(),
    )
        .prop_map(|(level, phase, minutes, bits, criteria, files, test, steps)| Task {
            level,
            layer: level,
            phase: phase.clone(),
            track: phase.clone(),
            priority: phase.clone(),
            estimate_minutes: minutes,
            methodology: (bits & 1 != 0).then_some(Methodology::Direct),
            mode: (bits & 2 != 0).then_some(Mode::Gate),
            complexity: (bits & 4 != 0).then_some(Complexity::Simple),
            tier: (bits & 8 != 0).then_some(Tier::Large),
            method: (bits & 16 != 0).then_some(Method::Cli),
            max_iterations: (bits & 32 != 0).then_some(3),
            agent: phase.clone(),
            sub_plan: phase,
            criteria,
            files,
            test,
            steps,
            ..Task::default()
        })
}

fn depth() -> impl Strategy<Value = Task> {
    (text(), any::<u8>(), words()).prop_map(|(code, bits, words)| Task {
        verification: (bits & 1 != 0)
            .then(|| Verification { script: code.clone(), timeout_seconds: (bits & 2 != 0).then_some(30) }),
        traces_to: Traces { stories: words.clone(), criteria: Vec::new(), decisions: words.clone() },
        contract: (bits & 4 != 0)
            .then(|| CodeBlock { code: code.clone(), ..CodeBlock::default() })
            .into_iter()
            .collect(),
        interfaces: (bits & 8 != 0)
            .then(|| Interface { code: code.clone(), ..Interface::default() })
            .into_iter()
            .collect(),
        session: (bits & 16 != 0).then(|| Session {
            id: Some(code.clone()),
            strategy: Some(Begin::Fork),
            from: words.clone(),
            enable_resume: Some(true),
        }),
        tdd_cycles: (bits & 32 != 0)
            .then(|| TddCycle { test_count: Some(2), test_cases: words.clone(), ..TddCycle::default() })
            .into_iter()
            .collect(),
        sections: (bits & 64 != 0)
            .then(|| Section { heading: "H".into(), body: code.clone() })
            .into_iter()
            .collect(),
        pre_analysis: (bits & 128 != 0).then(|| json!({ "step": "look" })).into_iter().collect(),
        lines: words.iter().map(|w| (w.clone(), 3)).collect(),
        changes: words.iter().map(|w| (w.clone(), code.clone())).collect(),
        extra: if bits & 1 == 0 {
            Map::new()
        } else {
            Map::from_iter([("skills".to_owned(), json!([1, null, "x"]))])
        },
        ..Task::default()
    })
}

fn task() -> impl Strategy<Value = Task> {
    (prose(), shape(), depth()).prop_map(|(p, s, d)| Task {
        title: p.title,
        objective: p.objective,
        description: p.description,
        notes: p.notes,
        task_type: p.task_type,
        risks: p.risks,
        done_when: p.done_when,
        consumers: p.consumers,
        resources: p.resources,
        needs: p.needs,
        focus_paths: p.focus_paths,
        verification: d.verification,
        traces_to: d.traces_to,
        contract: d.contract,
        interfaces: d.interfaces,
        session: d.session,
        tdd_cycles: d.tdd_cycles,
        sections: d.sections,
        pre_analysis: d.pre_analysis,
        lines: d.lines,
        changes: d.changes,
        extra: d.extra,
        ..s
    })
}

/// Parents and dependencies come from `links`: each task may take an earlier one as parent, and any as dependency.
fn plan() -> impl Strategy<Value = Plan> {
    let ids = prop_oneof![
        Just(vec!["001", "002", "002a", "003", "1"]),
        Just(vec!["1", "2", "2.1", "2.2", "5"]),
        Just(vec!["IMPL-1", "IMPL-2", "IMPL-2.1", "IMPL-3", "X"]),
        Just(vec!["A-L1-001", "b", "C.d", "e_f", "0"]),
    ];
    let tasks = prop::collection::vec((task(), any::<u8>(), any::<u8>()), 1..5);
    (ids, tasks, "[a-z][a-z0-9-]{0,8}[a-z0-9]", maybe(text()), text(), words(), criteria()).prop_map(
        |(ids, tasks, name, title, objective, specs, criteria)| {
            let made = tasks.into_iter().enumerate().map(|(i, (task, parent, deps))| Task {
                id: ids[i].to_owned(),
                parent: (parent < 100 && i > 0).then(|| ids[usize::from(parent) % i].to_owned()),
                depends_on: (0..5)
                    .filter(|d| *d != i && deps & (1 << d) != 0)
                    .map(|d| ids[d].to_owned())
                    .collect(),
                ..task
            });
            let tasks = made.collect();
            Plan {
                name,
                title: title.clone(),
                branch: title,
                objective,
                specs,
                criteria,
                tasks,
                ..Plan::default()
            }
        },
    )
}

/// The plan without what only a reader adds.
fn bare(mut plan: Plan, dialect: Dialect) -> Plan {
    plan.places.clear();
    plan.extra.shift_remove(dialect.as_str());
    for task in &mut plan.tasks {
        task.places.clear();
        task.claimed_state = None;
        task.extra.shift_remove(dialect.as_str());
    }
    plan.tasks.sort_by(|a, b| a.id.cmp(&b.id));
    plan
}

/// The plan without keys its file was given on the way.
fn only_ours(mut read: Plan, plan: &Plan) -> Plan {
    read.extra.retain(|key, _| plan.extra.contains_key(key));
    for task in &mut read.tasks {
        let ours = plan.task(&task.id);
        task.extra.retain(|key, _| ours.is_some_and(|t| t.extra.contains_key(key)));
    }
    read
}

fn again(dialect: Dialect, plan: &Plan) -> Plan {
    let files = write(dialect, plan, &|_| None);
    read(dialect, &Input { root: "library".into(), files }).plan
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_plan_comes_back_whole_from_every_format(plan in plan()) {
        for dialect in FOREIGN {
            let once = again(dialect, &plan);
            let read = only_ours(bare(once.clone(), dialect), &plan);
            let lost = differences(&json!(bare(plan.clone(), dialect)), &json!(read));
            prop_assert!(lost.is_empty(), "{dialect}: {lost}");
            // What was read from the format itself is written the same way again.
            let (first, second) = (write(dialect, &once, &|_| None), write(dialect, &again(dialect, &once), &|_| None));
            let drift = differences(&json!(shown(&first)), &json!(shown(&second)));
            prop_assert!(drift.is_empty(), "{dialect}: {drift}");
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes: Vec<u8>, soup in "[\\[\\]{}:,\"a-z0-9 \n#|`-]{0,80}") {
        for dialect in Dialect::ALL {
            for name in ["tasks.json", "task-graph.json", "state.json", "IMPL-1.json", "plan.json", "tasks.md", "001-x.md"] {
                for bytes in [bytes.clone(), soup.clone().into_bytes()] {
                    let files = vec![TextFile { path: name.to_owned(), bytes }];
                    let loaded = read(dialect, &Input { root: "x".into(), files });
                    write(dialect, &loaded.plan, &|_| None);
                }
            }
        }
    }
}

fn shown(files: &[TextFile]) -> Vec<(String, Value)> {
    let value = |f: &TextFile| {
        serde_json::from_slice(&f.bytes).unwrap_or_else(|_| String::from_utf8_lossy(&f.bytes).into())
    };
    files.iter().map(|f| (f.path.clone(), value(f))).collect()
}

/// Where two values differ, one path per line.
fn differences(a: &Value, b: &Value) -> String {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            let keys = a.keys().chain(b.keys().filter(|k| !a.contains_key(*k)));
            let inner = keys.map(|k| {
                (k, differences(a.get(k).unwrap_or(&Value::Null), b.get(k).unwrap_or(&Value::Null)))
            });
            inner
                .filter(|(_, d)| !d.is_empty())
                .map(|(k, d)| format!(".{k}{d}"))
                .collect::<Vec<_>>()
                .join("\n")
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let inner = a.iter().zip(b).enumerate().map(|(i, (a, b))| (i, differences(a, b)));
            inner
                .filter(|(_, d)| !d.is_empty())
                .map(|(i, d)| format!("[{i}]{d}"))
                .collect::<Vec<_>>()
                .join("\n")
        }
        _ if a == b => String::new(),
        _ => format!(": {a} became {b}"),
    }
}

#[test]
fn what_is_read_is_written_back_the_same() {
    for (dialect, input) in fixtures::all() {
        let loaded = read(dialect, &input);
        let written = write(dialect, &loaded.plan, &|_| None);
        for file in written {
            let Some(original) = input.files.iter().find(|f| f.path == file.path) else {
                panic!("{dialect}: `{}` was not there before", file.path);
            };
            let mut expected = json!(shown(std::slice::from_ref(original)));
            if file.path == "state.json" && expected[0][1]["phase"] == "planning" {
                // The one thing writing a plan changes: it is planned now.
                expected[0][1]["phase"] = "implementing".into();
            }
            let changed = differences(&expected, &json!(shown(std::slice::from_ref(&file))));
            assert_eq!(changed, "", "{dialect} {}", file.path);
        }
    }
}

#[test]
fn every_fixture_is_detected() {
    for (dialect, input) in fixtures::all() {
        assert_eq!(detect(&input), [dialect], "{:?}", input.files[0].path);
    }
}

#[test]
fn a_file_cut_off_anywhere_is_read_as_far_as_it_goes() {
    for (dialect, input) in fixtures::all() {
        let whole = read(dialect, &input).plan.tasks.len();
        for i in 0..input.files.len() {
            for cut in 0..input.files[i].bytes.len() {
                let mut broken = input.clone();
                broken.files[i].bytes.truncate(cut);
                let loaded = read(dialect, &broken);
                assert!(loaded.plan.tasks.len() <= whole + 1, "{dialect} {} at {cut}", input.files[i].path);
                if cut % 32 == 0 {
                    write(dialect, &loaded.plan, &|_| None);
                }
            }
        }
    }
}

#[test]
fn a_plan_can_go_through_every_format_in_turn() {
    for (dialect, input) in fixtures::all() {
        let start = read(dialect, &input).plan;
        let mut plan = start.clone();
        for next in FOREIGN {
            plan = again(next, &plan);
        }
        let (mut first, mut last) = (bare(start.clone(), dialect), bare(only_ours(plan, &start), dialect));
        for plan in [&mut first, &mut last] {
            // Spec Kit's documents are those that lie beside the list, and here none does on the way.
            plan.specs.clear();
            plan.extra.retain(|key, _| FOREIGN.iter().all(|d| d.as_str() != key));
            plan.tasks
                .iter_mut()
                .for_each(|t| t.extra.retain(|key, _| FOREIGN.iter().all(|d| d.as_str() != key)));
        }
        assert_eq!(differences(&json!(first), &json!(last)), "", "{dialect}");
    }
}
