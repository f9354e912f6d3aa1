//! Details: sections that say how something is done.

use crate::facts::{Facts, fixture, read_documents};

#[test]
fn sections_with_their_paths_ids_and_code() {
    insta::assert_snapshot!(Facts::new(&fixture!("details/sections.md")).details().text(), @r#"
    5: 3.1 Changes in src/cart.ts about src/cart.ts paths ["src/cart.ts", "src/line.ts", "src/item.ts", "src/types.ts", "a.py", "b.py"] ids ["FR-1", "TASK-002"] | Lines are held in order, see FR-1 and TASK-002, not T3. Also `src/line.ts`, `src/line.ts`. items name src/item.ts; The type:
        code "ts" path src/types.ts label The type:
        code "python" path - label The type:
    23: aside src/a.ts and src/b.ts paths ["src/a.ts", "src/b.ts"] ids [] | Two files, so no subject.
    29: aside Only code paths [] ids [] | 
        code "" path - label -
    35: aside Testing paths [] ids [] | Aside by its topic.
    43: aside Components paths ["src/cart.ts"] ids [] | Cart (`src/cart.ts`): claimed by the component
    47: Data Model paths [] ids [] | Said here only.
    "#);
}

#[test]
fn background_is_aside_and_conventions_have_no_details() {
    let prd = ("PRD.md", "# PRD\n");
    let text = "# Title\n\n## Colours\n\nBlue.\n";
    let details = |path: &str| Facts::new(&read_documents(&[prd, (path, text)])).details().text();
    assert_eq!(details("research.md"), "3: aside Colours paths [] ids [] | Blue.\n");
    assert_eq!(details("design.md"), "3: Colours paths [] ids [] | Blue.\n");
    assert_eq!(details("AGENTS.md"), "");
}
