//! A task with every field set.

use windlass_core::plan::*;

/// A task with every field set.
pub(crate) fn full_task() -> Task {
    let criterion = |a: Option<&str>| Criterion {
        id: "AC-1".into(),
        text: "adds".into(),
        assertion: a.map(Into::into),
        tests: vec!["adds two".into()],
    };
    let block = |path: &str, placement| CodeBlock {
        path: Some(path.into()),
        language: Some("ts".into()),
        code: format!("// {}{path}\ncode", if placement == Placement::Addition { "ADD to " } else { "" }),
        placement,
    };
    Task {
        id: "TASK-1".into(),
        title: "Add a thing".into(),
        objective: "Objective.".into(),
        description: "More.".into(),
        task_type: Some("add_method".into()),
        methodology: Some(Methodology::Tdd),
        mode: Some(Mode::TestsOnly),
        layer: Some(2),
        level: Some(1),
        phase: Some("one".into()),
        track: Some("backend".into()),
        complexity: Some(Complexity::Simple),
        estimate_minutes: Some(12.5),
        estimated_scope: Some("single_file".into()),
        priority: Some("high".into()),
        depends_on: vec!["TASK-0".into(), "007".into()],
        parent: Some("P".into()),
        sub_plan: Some("sub".into()),
        criteria: vec![criterion(None), criterion(Some("a || b"))],
        traces_to: Traces {
            stories: vec!["US-1".into()],
            criteria: vec!["AC-1".into()],
            decisions: vec!["1".into()],
        },
        test: TestPlan {
            file: Some("a.test.ts".into()),
            inline: true,
            command: Some("npm test -- a".into()),
            none: Some("config_static".into()),
            required: Some(true),
            held_out: vec![HeldOut { path: "h.ts".into(), blake3: "00".into() }],
            coverage: Some(85.0),
        },
        files: Files {
            create: vec!["a.ts".into()],
            modify: vec!["b.ts".into()],
            read: vec!["c.ts".into()],
            delete: vec!["d.ts".into()],
        },
        lines: [("a.ts".to_owned(), 40)].into(),
        changes: [("b.ts".to_owned(), "export it".to_owned())].into(),
        focus_paths: vec!["src/".into()],
        contract: vec![block("a.ts", Placement::Whole)],
        interfaces: vec![Interface {
            source: Some("TASK-0".into()),
            name: Some("repo".into()),
            code: "type R = {};".into(),
            language: Some("ts".into()),
        }],
        test_code: vec![block("a.test.ts", Placement::Addition)],
        verification: Some(Verification { script: "cd a\nnpm test".into(), timeout_seconds: Some(60) }),
        done_when: vec!["`a` exported".into()],
        steps: vec![Step {
            run: Some("x".into()),
            code: Some("y".into()),
            sketch: Some("z".into()),
            ..Step::of(Action::WriteTest)
        }],
        pre_analysis: vec![serde_json::json!({"step": "look", "n": 1, "none": null})],
        tdd_cycles: vec![TddCycle { test_count: Some(2), ..TddCycle::default() }],
        max_iterations: Some(3),
        requires_approval: Some(true),
        files_assumed: Some(true),
        tier: Some(Tier::Small),
        agent: Some("codex".into()),
        method: Some(Method::Agent),
        session: Some(Session {
            id: Some("s-1".into()),
            strategy: Some(Strategy::MergeFork),
            ..Session::default()
        }),
        consumers: vec!["TASK-9".into()],
        resources: vec!["db".into()],
        needs: vec!["gpu".into()],
        risks: vec!["none: really".into()],
        notes: "Notes.".into(),
        claimed_state: Some("done".into()),
        sections: vec![Section { heading: "Rollback".into(), body: "Revert.".into() }],
        extra: serde_json::from_str(r#"{"x": {"y": [1, "2", null]}, "status": "odd", "a b:": 1}"#).unwrap(),
        places: FieldSpans::default(),
    }
}
