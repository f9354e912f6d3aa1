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
