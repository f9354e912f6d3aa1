//! Plans that are derived from Markdown fixtures by the public function: which rule a line of a fixture shows is said in the test.

use windlass_code::repo::MemoryTree;
use windlass_code::survey::survey;
use windlass_core::plan::{Plan, Task};
use windlass_planner::derive::{DeriveOptions, Grouping, SessionFindings, derive};
use windlass_planner::lint::Profile;
use windlass_planner::repository::Repository;
use windlass_planner::spec::{SpecFile, read};
use windlass_planner::steps::{Adaptive, History, StepDetail};

/// The plan of one document in a repository with one Python file.
fn planned(name: &str, text: &str) -> Plan {
    let tree = MemoryTree::new([("pyproject.toml", "[project]\nname = \"shop\"\n"), ("src/__init__.py", "")]);
    let repository = Repository::new(&tree, survey(&tree));
    let documents = [SpecFile { path: name.to_owned(), text: text.to_owned() }];
    let options = DeriveOptions {
        name: "shop".to_owned(),
        folder: None,
        profile: Profile::Default,
        detail: StepDetail::High,
        history: History::default(),
        adaptive: Adaptive::default(),
        grouping: Grouping::Flat,
        language: None,
        phase: None,
        method: None,
        tool: None,
        session: None,
        branch: None,
        findings: SessionFindings::default(),
    };
    let known = ["pyproject.toml".to_owned(), "src/__init__.py".to_owned()];
    derive(&read(&documents, &known), &repository, &options).plan
}

/// The task that writes a file.
#[track_caller]
fn writer<'p>(plan: &'p Plan, path: &str) -> &'p Task {
    let writes = |task: &&Task| task.files.create.iter().any(|file| file.as_str() == path);
    plan.tasks.iter().find(writes).unwrap_or_else(|| panic!("no task writes {path}"))
}

#[test]
fn code_that_shows_how_it_was_or_how_it_is_used_is_no_contract() {
    let plan = planned("design.md", include_str!("asides.md"));
    let task = writer(&plan, "src/slug.py");
    let code: Vec<&str> = task.contract.iter().map(|block| block.code.trim()).collect();
    assert_eq!(code, ["# src/slug.py\ndef slug(title: str) -> str: ..."]);
}

#[test]
fn what_a_user_sees_is_not_the_work_of_a_model() {
    let plan = planned("PRD.md", include_str!("models.md"));
    let criteria = |path: &str| -> Vec<&str> {
        writer(&plan, path).criteria.iter().map(|criterion| criterion.id.as_str()).collect()
    };
    assert_eq!(criteria("src/models/basket.py"), ["AC-1"]);
    assert_eq!(criteria("src/checkout.py"), ["AC-2", "AC-3", "AC-4"]);
}
