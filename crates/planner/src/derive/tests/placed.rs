//! Where criteria go by what they stand under, and the files they name.

use super::*;

fn plan_of(path: &str, text: &str, files: &[(&str, &str)]) -> Derived {
    let own = |(path, text): &(&str, &str)| ((*path).to_owned(), (*text).to_owned());
    let tree = MemoryTree::new(files.iter().map(own).collect::<Vec<_>>());
    let spec = read(&[SpecFile { path: path.to_owned(), text: text.to_owned() }], tree.paths());
    derive(&spec, &Repository::new(&tree, survey(&tree)), &options(Profile::Default))
}

fn criteria(made: &Derived, title: &str) -> Vec<String> {
    let task = made.plan.tasks.iter().find(|task| task.title.contains(title));
    task.map(|task| task.criteria.iter().map(|c| c.text.clone()).collect()).unwrap_or_default()
}

#[test]
fn what_stands_in_the_section_of_a_module_belongs_to_it() {
    let text = "# Gate design\n\nWritten in Go.\n\n## Module Design\n\n### internal/door - the door\n\n**Purpose**: Open for a known card\n\n\
                **Endpoints**:\n- `POST /cards` - Add a card\n\n### internal/cards - what is known\n\n**Purpose**: Keep cards apart from the door\n\n\
                - `POST /door` - Mock of the door\n";
    let made = plan_of("design.md", text, &[]);
    assert_eq!(criteria(&made, "internal/door"), ["Open for a known card", "`POST /cards` - Add a card"]);
    assert_eq!(
        criteria(&made, "internal/cards"),
        ["Keep cards apart from the door", "`POST /door` - Mock of the door"]
    );
    let files: Vec<&String> = made.plan.tasks.iter().flat_map(|task| &task.files.create).collect();
    assert!(files.contains(&&"internal/door/door.go".to_owned()), "{files:?}");
    // Endpoints inside a module are no tasks beside it.
    assert!(
        !made
            .plan
            .tasks
            .iter()
            .any(|task| task.title.contains("/cards ") || task.title.starts_with("Add POST"))
    );
}

#[test]
fn a_file_that_a_criterion_orders_is_owned_by_its_task() {
    let text = "# Actions\n\n## Remaining steps\n\n1. **Schema**: Add the action to `src/schema.yaml`\n\
                2. **Mapper**: Add the import to `src/mapper.ts`\n\n## Behaviour\n\nReading returns every row.\n";
    let made = plan_of(
        "REQUEST.md",
        text,
        &[("src/mapper.ts", "export const a = 1;\n"), ("src/schema.yaml", "a: 1\n")],
    );
    let changed: Vec<&String> = made.plan.tasks.iter().flat_map(|task| &task.files.modify).collect();
    assert!(changed.contains(&&"src/schema.yaml".to_owned()), "{changed:?}");
    assert!(changed.contains(&&"src/mapper.ts".to_owned()), "{changed:?}");
}
