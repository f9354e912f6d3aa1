//! The rules of contract tasks, as `check` applies them.

use windlass_testkit::TestRepo;

use crate::frame::{empty, fixture};

/// The document's own task with a change, checked in a repository that has the files it modifies.
fn checked(change: impl Fn(String) -> String) -> String {
    let task = change(fixture("004/TASK-042.md"));
    repository(&task).windlass(&["check", "tasks"]).screen()
}

fn repository(task: &str) -> TestRepo {
    empty()
        .file("backend/src/repositories/content.repository.ts", "export const contentRepository = {};\n")
        .file("backend/src/repositories/content.repository.test.ts", "// tests\n")
        .file("tasks/TASK-042.md", task)
        .committed()
}

fn without(section: &str) -> String {
    checked(|text| {
        let (head, rest) = text.split_once(section).unwrap();
        let tail = rest.find("\n## ").map_or("", |at| &rest[at + 1..]);
        format!("{head}{tail}")
    })
}

pub(super) fn the_example_is_accepted() {
    let said = checked(|text| text);
    for code in ["error", "WL0512", "WL0151", "WL0210", "WL0211", "WL0431", "WL0521", "WL0522"] {
        assert!(!said.contains(code), "{code}: {said}");
    }
}

pub(super) fn six_sections_are_required() {
    for section in [
        "## Contract\n",
        "## Dependencies (Interfaces Only)\n",
        "## Test Specification\n",
        "## Output Files\n",
        "## Verification (Deterministic)\n",
    ] {
        assert!(without(section).contains("WL0521"), "{section}");
    }
    assert!(without("## Done When\n").contains("WL0520"));
}

pub(super) fn prose_in_a_fence_is_found() {
    let said = checked(|text| {
        text.replace(
            "findByState(state: ContentState): Promise<ContentItem[]>;\n```",
            "The repository should find everything quickly.\n```",
        )
    });
    assert!(said.contains("WL0510"), "{said}");
}

pub(super) fn earlier_tasks_need_no_entry() {
    the_example_is_accepted();
    let said = checked(|text| text.replace("depends_on: [TASK-031]", "depends_on: [TASK-999]"));
    assert!(said.contains("WL0151"), "a dependency that nothing speaks of is a mistake: {said}");
}

pub(super) fn write_and_modify_are_told_apart() {
    let said = checked(|text| {
        text.replace(
            "MODIFY: backend/src/repositories/content.repository.ts",
            "WRITE: backend/src/repositories/content.repository.ts",
        )
    });
    assert!(said.contains("WL0210"), "{said}");
    let said = checked(|text| text.replace("content.repository", "other.repository"));
    assert!(said.contains("WL0211"), "{said}");
    let said = checked(|text| {
        text.replacen("// backend/src/repositories/content.repository.ts", "// backend/src/elsewhere.ts", 1)
    });
    assert!(said.contains("WL0522"), "{said}");
}

pub(super) fn lines_are_estimated() {
    let said = checked(|text| text.replace(" (~10 lines added)", ""));
    assert!(said.contains("WL0431"), "{said}");
}

pub(super) fn contract_tasks_have_eight_thousand_tokens() {
    let repo = repository(&fixture("004/TASK-042.md"));
    let said = repo.windlass(&["run", "tasks", "--dry-run"]).screen();
    assert!(said.contains("small"), "{said}");
    let long = fixture("004/TASK-042.md")
        .replace("## Done When", &format!("## Notes\n\n{}\n\n## Done When", "word ".repeat(9_000)));
    let long = long.replace("// Setup: insert test data", &format!("// {}", "data ".repeat(9_000)));
    let said = repository(&long).windlass(&["check", "tasks"]).screen();
    assert!(said.contains("WL0430") || said.contains("WL0421"), "{said}");
}
