//! Criteria of one section go together where files divide the work, and long texts draw nothing to themselves.

use super::*;

#[test]
fn what_stands_in_one_section_goes_to_one_task() {
    let text = "# Kite desk\n\n## Structure\n\n```\ndesk/\n├── trainer.py    # guided training of moves\n├── storage.py    # storage of moves as JSON\n└── main.py       \
                # entry point: window, camera, text, storage and display of moves\n```\n\n## Scenarios\n\n### Training of new moves\n\n1. The owner starts the \
                training with a key\n2. The program asks for a name\n3. The owner shows the move five times\n4. The new move is ready at once\n";
    let tree = MemoryTree::new([("README.md", "# Desk\n")]);
    let spec = read(&[SpecFile { path: "SPEC.md".to_owned(), text: text.to_owned() }], tree.paths());
    let made = derive(&spec, &Repository::new(&tree, survey(&tree)), &options(Profile::Default));
    let trainer = made.plan.tasks.iter().find(|task| task.owned().any(|path| path == "desk/trainer.py"));
    assert_eq!(trainer.map(|task| task.criteria.len()), Some(4), "{:#?}", made.plan.tasks);
}

#[test]
fn sections_of_phases_are_the_tasks_and_own_the_files_that_they_name() {
    let part = |title: &str, first: &str, second: &str| {
        format!(
            "### {title}\n\n- **Goal:** It goes on.\n- **Approach:**\n  - {first}\n  - {second}\n- **Definition of Done:** It is seen.\n\n"
        )
    };
    let text = format!(
        "# Shop Plan\n\n## Phase 1: Ground\n\n{}{}{}## Phase 2: Trade\n\n{}{}",
        part(
            "1.1 Move to PostgreSQL",
            "Update `src/core/settings.py` to read addresses",
            "Refactor `src/core/base.py` to pool connections"
        ),
        part(
            "1.2 Tenant Architecture",
            "**Data Layer:** Add a column to all tables in `src/core/models.py`",
            "Read the tenant from the token"
        ),
        part("1.3 Queue", "Create `src/core/queue.py` for workers", "Answer at once and go on later"),
        part(
            "2.1 Asset Modules",
            "**Assets:** Create `src/books/assets.py` to write off assets",
            "**Tax:** Create `src/books/tax.py` for rates"
        ),
        part("2.2 Audit Log", "Record changes in `src/core/audit.py`", "Show the old value and the new one"),
    );
    let tree = MemoryTree::new([("README.md", "# Shop\n")]);
    let spec = read(&[SpecFile { path: "PLAN.md".to_owned(), text }], tree.paths());
    let made = derive(&spec, &Repository::new(&tree, survey(&tree)), &options(Profile::Default));
    let task = |path: &str| {
        let owner = made.plan.tasks.iter().find(|task| task.owned().any(|own| own == path));
        owner.map(|task| task.title.clone()).unwrap_or_default()
    };
    for (path, title) in [
        ("src/core/settings.py", "PostgreSQL"),
        ("src/core/base.py", "PostgreSQL"),
        ("src/core/models.py", "Tenant Architecture"),
        ("src/core/queue.py", "Queue"),
        ("src/books/assets.py", "Asset Modules"),
        ("src/books/tax.py", "Asset Modules"),
        ("src/core/audit.py", "Audit Log"),
    ] {
        assert!(task(path).to_lowercase().contains(&title.to_lowercase()), "{path}: {}", task(path));
    }
}
