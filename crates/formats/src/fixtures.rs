//! Small plans of a lending library, one in each format, as its tool would leave them. Written for the tests.

use std::fmt::Write as _;

use super::{Dialect, Input, TextFile};
use windlass_core::plan::{Criterion, Loaded, Plan, Task, Verification};

/// An input of these files.
pub(crate) fn input(files: &[(&str, &str)]) -> Input {
    let file =
        |(path, text): &(&str, &str)| TextFile { path: (*path).to_owned(), bytes: text.as_bytes().to_vec() };
    Input { root: "library".into(), files: files.iter().map(file).collect() }
}

/// What was read, for a snapshot: a line per task with what it says, then the findings in their places.
pub(crate) fn summary(loaded: &Loaded) -> String {
    let plan = &loaded.plan;
    let mut text = format!("{} {:?}\n", plan.name, plan.phases);
    for t in &plan.tasks {
        let mut parts = vec![format!("{} `{}`", t.id, t.title)];
        let mut add = |name: &str, value: String| {
            if !matches!(value.as_str(), "" | "[]" | "None" | "{}") {
                parts.push(format!("{name} {value}"));
            }
        };
        add("in", t.parent.clone().unwrap_or_default());
        add("after", t.depends_on.join(" "));
        add("creates", t.files.create.join(" "));
        add("modifies", t.files.modify.join(" "));
        add("reads", t.files.read.join(" "));
        add("deletes", t.files.delete.join(" "));
        add("is", t.claimed_state.clone().unwrap_or_default());
        add("test", serde_json::to_string(&t.test).unwrap_or_default());
        add("verified by", t.verification.as_ref().map_or_else(String::new, |v| v.script.clone()));
        add("criteria", t.criteria.iter().map(|c| c.text.as_str()).collect::<Vec<_>>().join("; "));
        add("steps", t.steps.iter().map(|s| s.action.as_str()).collect::<Vec<_>>().join(" "));
        add("keeps", t.extra.keys().cloned().collect::<Vec<_>>().join(" "));
        text.push_str(&parts.join(" | "));
        text.push('\n');
    }
    for d in &loaded.diagnostics {
        let at = d.span.map_or_else(String::new, |s| {
            let p = loaded.sources.position(s);
            format!(" {}:{}:{}", loaded.sources.file(s.file).path, p.line, p.column)
        });
        let _ = writeln!(text, "{:?} {}{at}: {}", d.severity, d.code, d.message);
    }
    text
}

/// The text of one of the files written.
pub(crate) fn text_of(files: &[TextFile], path: &str) -> String {
    let file = files.iter().find(|f| f.path.ends_with(path));
    file.map_or_else(|| format!("no {path}"), |f| String::from_utf8_lossy(&f.bytes).into_owned())
}

/// A plan that knows nothing of any format: a parent with two children, and a task that waits for the parent.
pub(crate) fn plain() -> Plan {
    let task = |id: &str, title: &str, parent: Option<&str>, after: &[&str]| Task {
        id: id.to_owned(),
        title: title.to_owned(),
        parent: parent.map(str::to_owned),
        depends_on: after.iter().map(|d| (*d).to_owned()).collect(),
        ..Task::default()
    };
    let mut tasks = vec![
        task("model", "Create the loan model", None, &[]),
        task("lend", "Lend books", None, &["model"]),
        task("reserve", "Reserve a book", Some("lend"), &[]),
        task("hand-over", "Hand the book over", Some("lend"), &["reserve"]),
        task("report", "Report loans", None, &["lend", "model"]),
    ];
    tasks[0].files.create.push("library/loan.py".to_owned());
    tasks[0].test.file = Some("tests/test_loan.py".to_owned());
    tasks[0].criteria.push(Criterion {
        id: "AC-1".into(),
        text: "a loan has a due date".into(),
        assertion: None,
    });
    tasks[0].traces_to.stories.push("US1".to_owned());
    tasks[0].verification = Some(Verification { script: "pytest -q".into(), timeout_seconds: Some(30) });
    Plan { name: "library".into(), title: Some("Lending library".into()), tasks, ..Plan::default() }
}

/// Every fixture with its format.
pub(crate) fn all() -> Vec<(Dialect, Input)> {
    vec![
        (Dialect::Zerg, input(&[("task-graph.json", ZERG)])),
        (Dialect::Taskmaster, input(&[("tasks.json", TASKMASTER)])),
        (Dialect::Homerun, input(&[("docs/tasks.json", HOMERUN), ("state.json", HOMERUN_STATE)])),
        (Dialect::Homerun, input(&[("state.json", HOMERUN_DICT)])),
        (Dialect::Homerun, input(&[("docs/tasks/001-loan-model.md", HOMERUN_MD)])),
        (Dialect::Superplanner, input(&[("library.json", SUPERPLANNER), ("loans.json", SUPERPLANNER_SUB)])),
        (Dialect::Speckit, input(&[("tasks.md", SPECKIT), ("spec.md", SPECKIT_SPEC)])),
        (
            Dialect::Ccw,
            input(&[
                ("plan.json", CCW_PLAN),
                (".task/IMPL-1.json", CCW_TASK),
                (".task/IMPL-1.1.json", CCW_PART),
            ]),
        ),
        (Dialect::Ccw, input(&[("QUE-1.json", CCW_QUEUE)])),
    ]
}

pub(crate) const ZERG: &str = r#"{
  "feature": "library-loans",
  "version": "2.0",
  "total_tasks": 3,
  "levels": {"1": {"name": "base", "tasks": ["LIB-L1-001"]}},
  "conflict_matrix": {"description": "none"},
  "tasks": [
    {
      "id": "LIB-L1-001",
      "title": "Create the loan record",
      "description": "A loan knows its book and its due date.",
      "phase": "base",
      "level": 1,
      "dependencies": [],
      "files": {"create": ["library/loan.py"], "modify": [], "read": []},
      "acceptance_criteria": ["a loan without a due date is refused"],
      "verification": {"command": "pytest tests/test_loan.py -q", "timeout_seconds": 60},
      "estimate_minutes": 15,
      "critical_path": true,
      "consumers": ["LIB-L2-001"],
      "steps": [
        {"step": 1, "action": "write_test", "file": "tests/test_loan.py", "run": "", "verify": "none"},
        {"step": 2, "action": "verify_fail", "run": "pytest tests/test_loan.py", "verify": "exit_code_nonzero"},
        {"step": 3, "action": "implement", "file": "library/loan.py", "code_snippet": "class Loan: ...", "run": "", "verify": "none"}
      ]
    },
    {
      "id": "LIB-L2-001",
      "title": "Remove the old ledger",
      "level": 2,
      "dependencies": ["LIB-L1-001"],
      "files": {"create": [], "modify": ["library/__init__.py"], "read": ["library/loan.py"], "delete": ["library/ledger.py"]},
      "verification": {"command": "pytest -q", "expected": "all green"},
      "status": "in_progress",
      "skills_required": ["python"]
    },
    {
      "id": "LIB-L2-002",
      "title": "Document loans",
      "level": 2,
      "dependencies": ["LIB-L1-001"],
      "files_owned": ["README.md"],
      "files_read": [],
      "integration_test": null
    }
  ]
}
"#;

pub(crate) const TASKMASTER: &str = r#"{
  "master": {
    "tasks": [
      {
        "id": 1,
        "title": "Set up the catalogue",
        "description": "Books can be listed.",
        "details": "Start from the CSV export.",
        "testStrategy": "List ten books and compare.",
        "priority": "high",
        "dependencies": [],
        "status": "done",
        "subtasks": []
      },
      {
        "id": 2,
        "title": "Lend a book",
        "description": "A reader can borrow.",
        "priority": "medium",
        "dependencies": [1],
        "status": "pending",
        "subtasks": [
          {"id": 1, "title": "Reserve", "description": "", "dependencies": [], "status": "in-progress"},
          {"id": 2, "title": "Hand over", "description": "", "dependencies": [1, "1"], "status": "pending", "updatedAt": "today"}
        ]
      }
    ],
    "metadata": {"description": "the library"}
  },
  "later": {"tasks": [{"id": 9, "title": "Fines", "dependencies": [], "status": "deferred"}]}
}
"#;

pub(crate) const HOMERUN: &str = r#"{
  "tasks": [
    {
      "id": "001",
      "title": "Create the loan model",
      "objective": "A loan with a due date.",
      "task_type": "create_model",
      "methodology": "tdd",
      "acceptance_criteria": [
        {"id": "AC-001", "criterion": "A loan must have a due date", "test_assertion": "assert!(Loan::new(None).is_err())"}
      ],
      "test_file": "src/loan.rs (inline tests)",
      "status": "completed",
      "depends_on": [],
      "traces_to": {"user_stories": ["US-001"], "acceptance_criteria": ["AC-001"], "adr_decisions": []},
      "technical_notes": "Dates are days.",
      "model": "haiku",
      "commit_hash": "abc123"
    },
    {
      "id": "002",
      "title": "Lend books",
      "objective": "Readers borrow.",
      "task_type": "create_service",
      "acceptance_criteria": [],
      "test_file": null,
      "no_test_reason": "documentation only",
      "status": "pending",
      "depends_on": ["001"],
      "model": "sonnet",
      "subtasks": [
        {
          "id": "002a",
          "parent_id": "002",
          "title": "Reserve a book",
          "task_type": "add_method",
          "acceptance_criteria": [{"id": "002a-AC1", "text": "a reserved book cannot be lent"}],
          "test_file": "tests/reserve.rs",
          "blocked_by": ["001"],
          "estimated_scope": "single_file"
        }
      ]
    }
  ]
}
"#;

pub(crate) const HOMERUN_STATE: &str = r#"{
  "session_id": "library-1a2b",
  "branch": "create/library-1a2b",
  "worktree": "../library-1a2b",
  "feature": "library",
  "phase": "planning",
  "spec_paths": {"prd": "docs/specs/PRD.md", "adr": null},
  "tasks_file": "docs/tasks.json",
  "traceability": {"acceptance_criteria": {"AC-001": {"description": "A loan must have a due date", "tasks": []}}},
  "current_task": null,
  "config": {"auto_mode": true},
  "skill_log": [{"skill": "homerun:discovery"}]
}
"#;

pub(crate) const HOMERUN_DICT: &str = r#"{
  "session_id": "library-1a2b",
  "branch": "main",
  "worktree": null,
  "feature": "library",
  "phase": "implementing",
  "tasks": {
    "001": {"status": "completed", "file": "docs/tasks/001-loan-model.md", "commits": ["abc"]},
    "002": {"status": "pending", "file": "docs/tasks/002-lend-books.md"}
  },
  "config": {"auto_mode": false}
}
"#;

pub(crate) const HOMERUN_MD: &str = "---\nid: \"001\"\ntitle: \"Create the loan model\"\nstatus: pending\ndepends_on: [\"003\"]\ntest_file: src/loan.rs (inline tests)\n---\n\n# 001: Create the loan model\n\n## Objective\n\nA loan with a due date.\n\n## Acceptance Criteria\n\n- [ ] a loan without a due date is refused\n- [ ] AC-002: a loan names its book\n\n## Technical Notes\n\nDates are days.\n\n## Files to Create\n\n- `src/loan.rs` - the model\n";

pub(crate) const SUPERPLANNER: &str = r#"{
  "id": "library",
  "name": "Lending library",
  "created_at": "2025-01-01T00:00:00",
  "tasks": {
    "catalogue": {
      "id": "catalogue",
      "title": "Catalogue",
      "description": "List the books",
      "state": "completed",
      "parent_id": null,
      "depends_on": [],
      "assigned_to": "zen-architect",
      "test_command": "make test-catalogue"
    },
    "loans": {
      "id": "loans",
      "title": "Loans",
      "description": "",
      "state": "pending",
      "parent_id": null,
      "depends_on": ["catalogue"],
      "assigned_to": null,
      "is_parent": true,
      "subproject": "loans"
    },
    "guide": {
      "id": "guide",
      "title": "Write the guide",
      "description": "",
      "state": "test_failed",
      "parent_id": "catalogue",
      "depends_on": [],
      "assigned_to": null,
      "requires_testing": false
    }
  }
}
"#;

pub(crate) const SUPERPLANNER_SUB: &str = r#"{
  "id": "loans",
  "name": "Loans",
  "tasks": {
    "reserve": {"id": "reserve", "title": "Reserve", "state": "pending", "parent_id": null, "depends_on": [], "test_file": "tests/test_reserve.py"},
    "guide": {"id": "guide", "title": "Explain loans", "state": "pending", "parent_id": "reserve", "depends_on": ["reserve"]}
  }
}
"#;

pub(crate) const SPECKIT: &str = "# Tasks: Lending library\n\n## Phase 1: Setup\n\n- [X] T001 Create pyproject.toml\n- [ ] T002 [P] Create the package in library/__init__.py\n\n```text\n- [ ] T099 an example, not a task\n```\n\n## Phase 2: User Story 1 - Lend (Priority: P1)\n\n- [ ] T003 [US1] Create the loan model in library/loan.py\n  - due dates are days\n- [ ] T004 [P] [US1] Add a view to library/views.py\n- [ ] T005 [US1] Rename `library/old.py` to `library/new.py` (depends on T004)\n\n## Notes\n\nDone.\n";

pub(crate) const SPECKIT_SPEC: &str =
    "# Feature Specification: Lending library\n\n### User Story 1 - Lend a book (Priority: P1)\n\nText.\n";

pub(crate) const CCW_PLAN: &str = r#"{
  "summary": "Loans for the library",
  "approach": "Model first",
  "task_ids": ["IMPL-1", "IMPL-1.1"],
  "task_count": 2,
  "_metadata": {"plan_type": "tdd", "source": "tdd-planning-agent"}
}
"#;

pub(crate) const CCW_TASK: &str = r#"{
  "id": "IMPL-1",
  "title": "Lend books",
  "description": "Readers borrow books.",
  "type": "feature",
  "priority": "high",
  "effort": "large",
  "depends_on": [],
  "convergence": {"criteria": ["a lent book is not available"], "verification": "pytest tests -q", "definition_of_done": "a reader can borrow"},
  "files": [{"path": "library/loan.py", "action": "create", "change": "the model"}, {"path": "library/shelf.py", "action": "modify"}],
  "status": "pending"
}
"#;

pub(crate) const CCW_PART: &str = r#"{
  "id": "IMPL-1.1",
  "title": "Reserve a book",
  "description": "Before it is lent.",
  "depends_on": [],
  "convergence": {"criteria": ["a reserved book cannot be lent"], "verification": "look at the shelf and ask"},
  "files": [{"path": "library/reserve.py", "change": "create - reservations", "conflict_risk": "low"}],
  "implementation": [
    {"step": 1, "title": "Red", "description": "Write 2 test cases: [free, taken]", "tdd_phase": "red"},
    {"step": 2, "title": "Green", "description": "Implement reserve()", "tdd_phase": "green", "test_fix_cycle": {"max_iterations": 4}},
    {"step": 3, "title": "Refactor", "description": "Name things", "tdd_phase": "refactor"}
  ],
  "test": {"commands": ["pytest tests/test_reserve.py"], "coverage_target": 85},
  "meta": {"agent": "@code-developer", "execution_config": {"method": "cli", "cli_tool": "codex", "enable_resume": true}, "tdd_cycles": [{"test_count": 2, "test_cases": ["free", "taken"], "expected_coverage": ">=85%"}]},
  "cli_execution": {"id": "WFS-library-IMPL-1.1", "strategy": "merge_fork", "resume_from": ["WFS-library-IMPL-1", "WFS-library-IMPL-0"]},
  "risks": [{"description": "two readers at once", "probability": "Low", "impact": "High", "mitigation": "lock"}],
  "status": "active"
}
"#;

pub(crate) const CCW_QUEUE: &str = r#"{
  "id": "QUE-1",
  "status": "active",
  "execution_groups": [
    {"id": "P1", "type": "parallel", "solutions": ["S-1", "S-2"]},
    {"id": "S1", "type": "sequential", "solutions": ["S-3", "S-4"]}
  ],
  "solutions": [
    {"item_id": "S-1", "issue_id": "ISS-1", "solution_id": "SOL-1", "status": "completed", "execution_group": "P1", "depends_on": [], "files_touched": ["a.py"], "semantic_priority": 0.7},
    {"item_id": "S-2", "issue_id": "ISS-2", "solution_id": "SOL-2", "status": "executing", "execution_group": "P1", "depends_on": [], "files_touched": ["b.py"]},
    {"item_id": "S-3", "issue_id": "ISS-3", "solution_id": "SOL-3", "status": "ready", "execution_group": "S1", "depends_on": ["P1"], "files_touched": []},
    {"item_id": "S-4", "issue_id": "ISS-4", "solution_id": "SOL-4", "status": "pending", "execution_group": "S1", "depends_on": ["P1"], "files_touched": []}
  ],
  "conflicts": [{"type": "file_conflict", "file": "a.py", "solutions": ["S-1", "S-2"], "resolution": "sequential", "resolution_order": ["S-1", "S-2"], "resolved": true}],
  "_metadata": {"version": "2.0"}
}
"#;
