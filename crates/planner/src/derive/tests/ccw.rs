//! The profile of CCW: splitting, quantified cycles and sessions.

use super::{DeriveOptions, document, options, split_plans};
use crate::lint::Profile;
use windlass_core::plan::Method;

#[test]
fn ccw_splits_by_file_only() {
    insta::assert_snapshot!(split_plans(Profile::Ccw), @r"
    # many criteria of one file
    IMPL-1: Build the cart
      create: src/cart.py, tests/test_cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: create_service
      criteria: AC-1, AC-2, AC-3, AC-4, NFR-1
    IMPL-2: Write the guide
      after: IMPL-1
      create: docs/guide.md
      test: documentation_only
      type: add_config
    (unsure: `AC-1`: weak match (0.16), assigned to `T-1`)
    (unsure: `AC-2`: weak match (0.16), assigned to `T-1`)
    (unsure: `AC-3`: weak match (0.16), assigned to `T-1`)
    (unsure: `AC-4`: weak match (0.16), assigned to `T-1`)
    (unsure: `NFR-1`: weak match (0.11), assigned to `T-1`)

    # many files of one task
    IMPL-1: Create src/models/cart.py with 5 more files
      type: add_endpoint_complex
      criteria: AC-001, AC-002, AC-003, AC-004
    IMPL-1.1: AC-001: the model holds lines
      part of: IMPL-1
      create: src/models/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: add_field
      criteria: AC-001
      notes: Leave to later parts: AC-002 the service sums lines; AC-003 the route answers; AC-004 the guide names the route
    IMPL-1.2: AC-002: the service sums lines
      part of: IMPL-1
      after: IMPL-1.1
      create: src/services/cart.py, tests/test_cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: add_method
      criteria: AC-002
      notes: Leave to later parts: AC-003 the route answers; AC-004 the guide names the route
    IMPL-1.3: Create src/models/cart.py with 5 more files in docs/cart.md
      part of: IMPL-1
      after: IMPL-1.2
      create: docs/cart.md
      test: documentation_only
      type: add_endpoint
    IMPL-1.4: Create src/models/cart.py with 5 more files in settings.yml, part 1 of 1
      part of: IMPL-1
      after: IMPL-1.3
      create: settings.yml, deploy.yml
      test: config_static
      type: add_endpoint
    IMPL-1.5: AC-003: the route answers
      part of: IMPL-1
      after: IMPL-1.4
      create: src/routes/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: add_endpoint
      criteria: AC-003, AC-004
    IMPL-2: Create src/b.py
      create: src/b.py
      test: tests/test_b.py
      verify: python3 -m pytest tests/test_b.py
      type: create_service
    (unsure: `AC-001`: weak match (0.16), assigned to `T-1`)
    (unsure: `AC-002`: weak match (0.16), assigned to `T-1`)
    (unsure: `AC-004`: weak match (0.16), assigned to `T-1`)

    # a task without a test
    IMPL-1: Build the cart
      create: src/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: create_service
    IMPL-2: Write the guide
      after: IMPL-1
      create: docs/guide.md
      test: documentation_only
      type: add_config
      criteria: AC-1, AC-2, AC-3, AC-4
    (unsure: `AC-2`: weak match (0.19), assigned to `T-1`)
    (unsure: `AC-3`: weak match (0.19), assigned to `T-1`)
    (unsure: `AC-4`: weak match (0.19), assigned to `T-1`)

    # many lines of one file
    IMPL-1: Create src/cart.py
      create: src/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: create_service
    IMPL-2: Create src/b.py
      create: src/b.py
      test: tests/test_b.py
      verify: python3 -m pytest tests/test_b.py
      type: create_service
    ");
}

/// The fields that only CCW has, and how the session of a task starts.
#[test]
fn ccw_quantifies_cycles_and_sessions() {
    let mut out = String::new();
    for method in [None, Some(Method::Hybrid), Some(Method::Cli)] {
        let wish = DeriveOptions { method, session: Some("WFS-1".to_owned()), ..options(Profile::Ccw) };
        let case = &super::cases(document!("split"))[1];
        let made = case.derived(&wish);
        out.push_str(&format!("# {method:?}\n"));
        for task in &made.plan.tasks {
            let Some(session) = &task.session else { continue };
            let strategy = session.strategy.map(|s| format!("{s:?}")).unwrap_or_default();
            let cycles: Vec<String> =
                task.tdd_cycles.iter().map(|c| format!("{:?} {:?}", c.test_count, c.test_cases)).collect();
            out.push_str(&format!(
                "{}: {:?} agent {:?}, {strategy} from {:?}, resume {:?}, focus {:?}, rounds {:?}, {}\n",
                task.id,
                task.method,
                task.agent,
                session.from,
                session.enable_resume,
                task.focus_paths,
                task.max_iterations,
                cycles.join("; ")
            ));
        }
    }
    insta::assert_snapshot!(out, @r#"
    # None
    IMPL-1.1: Some(Agent) agent None, New from [], resume Some(false), focus ["src/models/cart.py", "tests/test_cart.py"], rounds Some(3), Some(1) ["the_model_holds_lines"]
    IMPL-1.2: Some(Agent) agent None, Resume from ["WFS-1-IMPL-1.1"], resume Some(false), focus ["src/services/cart.py", "tests/test_cart.py"], rounds Some(3), Some(1) ["the_service_sums_lines"]
    IMPL-1.3: Some(Agent) agent None, Resume from ["WFS-1-IMPL-1.2"], resume Some(false), focus ["docs/cart.md"], rounds Some(3), 
    IMPL-1.4: Some(Agent) agent None, Resume from ["WFS-1-IMPL-1.3"], resume Some(false), focus ["settings.yml", "deploy.yml"], rounds Some(3), 
    IMPL-1.5: Some(Agent) agent None, Resume from ["WFS-1-IMPL-1.4"], resume Some(false), focus ["src/routes/cart.py", "tests/test_cart.py"], rounds Some(3), Some(2) ["the_route_answers", "the_guide_names_the_route"]
    IMPL-2: Some(Agent) agent None, New from [], resume Some(false), focus ["src/b.py", "tests/test_b.py"], rounds Some(3), Some(1) ["create_src_b_py"]
    # Some(Hybrid)
    IMPL-1.1: Some(Agent) agent None, New from [], resume Some(false), focus ["src/models/cart.py", "tests/test_cart.py"], rounds Some(3), Some(1) ["the_model_holds_lines"]
    IMPL-1.2: Some(Agent) agent None, Resume from ["WFS-1-IMPL-1.1"], resume Some(false), focus ["src/services/cart.py", "tests/test_cart.py"], rounds Some(3), Some(1) ["the_service_sums_lines"]
    IMPL-1.3: Some(Agent) agent None, Resume from ["WFS-1-IMPL-1.2"], resume Some(false), focus ["docs/cart.md"], rounds Some(3), 
    IMPL-1.4: Some(Agent) agent None, Resume from ["WFS-1-IMPL-1.3"], resume Some(false), focus ["settings.yml", "deploy.yml"], rounds Some(3), 
    IMPL-1.5: Some(Agent) agent None, Resume from ["WFS-1-IMPL-1.4"], resume Some(false), focus ["src/routes/cart.py", "tests/test_cart.py"], rounds Some(3), Some(2) ["the_route_answers", "the_guide_names_the_route"]
    IMPL-2: Some(Agent) agent None, New from [], resume Some(false), focus ["src/b.py", "tests/test_b.py"], rounds Some(3), Some(1) ["create_src_b_py"]
    # Some(Cli)
    IMPL-1.1: Some(Cli) agent Some("auto"), New from [], resume Some(true), focus ["src/models/cart.py", "tests/test_cart.py"], rounds Some(3), Some(1) ["the_model_holds_lines"]
    IMPL-1.2: Some(Cli) agent Some("auto"), Resume from ["WFS-1-IMPL-1.1"], resume Some(true), focus ["src/services/cart.py", "tests/test_cart.py"], rounds Some(3), Some(1) ["the_service_sums_lines"]
    IMPL-1.3: Some(Cli) agent Some("auto"), Resume from ["WFS-1-IMPL-1.2"], resume Some(true), focus ["docs/cart.md"], rounds Some(3), 
    IMPL-1.4: Some(Cli) agent Some("auto"), Resume from ["WFS-1-IMPL-1.3"], resume Some(true), focus ["settings.yml", "deploy.yml"], rounds Some(3), 
    IMPL-1.5: Some(Cli) agent Some("auto"), Resume from ["WFS-1-IMPL-1.4"], resume Some(true), focus ["src/routes/cart.py", "tests/test_cart.py"], rounds Some(3), Some(2) ["the_route_answers", "the_guide_names_the_route"]
    IMPL-2: Some(Cli) agent Some("auto"), New from [], resume Some(true), focus ["src/b.py", "tests/test_b.py"], rounds Some(3), Some(1) ["create_src_b_py"]
    "#);
}

/// A story that no file belongs to is a feature of its own, beside those with files.
#[test]
fn stories_without_files_are_features_too() {
    let text = "# Shop\n\n## User Stories\n\n### US-1: Export\nAcceptance criteria:\n- export returns a list\n\n### US-2: Contacts\nAcceptance criteria:\n- contacts can be added\n\n## File Ownership\n\n| File | Operation |\n|---|---|\n| src/export/rows.py | create |\n| src/export/head.py | create |\n";
    let case = super::Case {
        name: String::new(),
        files: vec![("src/a.py".into(), "X = 1\n".into())],
        text: text.to_owned(),
    };
    let made = case.derived(&super::options(Profile::Ccw));
    let contacts = made.plan.tasks.iter().find(|t| t.traces_to.stories == ["US-2"]);
    let owned: Vec<&str> = contacts.unwrap().owned().collect();
    assert!(owned.iter().all(|path| !path.contains("export")), "{owned:?}");
}
