//! What was asked beside what will be done, for ten kinds of documents. The pages are kept as files and read by people:
//! `cargo insta review` shows what changed.

use std::path::Path;

use crate::space::Space;

/// A page for each document of `pages/`.
const DOCUMENTS: [(&str, &str); 10] = [
    ("stories.md", include_str!("pages/stories.md")),
    ("design.md", include_str!("pages/design.md")),
    ("features.md", include_str!("pages/features.md")),
    ("endpoints.md", include_str!("pages/endpoints.md")),
    ("tasks.md", include_str!("pages/tasks.md")),
    ("phases.md", include_str!("pages/phases.md")),
    ("ears.md", include_str!("pages/ears.md")),
    ("plain.txt", include_str!("pages/plain.txt")),
    ("constraints.md", include_str!("pages/constraints.md")),
    ("markup.md", include_str!("pages/markup.md")),
];

/// A repository of Python with one document.
fn with_document(name: &str, text: &str) -> Space {
    let space = Space::new();
    space.write("pyproject.toml", "[tool.pytest.ini_options]\n");
    space.write("shop/cart.py", "def cart():\n    return []\n");
    space.write("tests/test_cart.py", "def test_cart():\n    assert True\n");
    space.write(&format!("docs/{name}"), text);
    space
}

#[test]
fn ten_plans_beside_their_documents() {
    for (name, text) in DOCUMENTS {
        let space = with_document(name, text);
        let page = space.run(&["plan", &format!("docs/{name}"), "--review=markdown"]);
        assert!(!space.work().join("plans").exists(), "a review writes nothing");
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("pages");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings
            .bind(|| insta::assert_snapshot!(Path::new(name).file_stem().unwrap().to_str().unwrap(), page));
    }
}

#[test]
fn a_page_for_the_terminal() {
    let (name, text) = DOCUMENTS[0];
    let space = with_document(name, text);
    insta::assert_snapshot!(space.run(&["plan", "docs", "--review"]), @r#"
    PRD: Library desk
    2 tasks, 3 of 3 criteria have a task, 2 lines came to no task

    What was asked

    docs/stories.md
      PRD: Library desk
        3  Lend books at a desk.
          US-1: Lend a book
        6  **As a** librarian                                                       → T001
        7  **I want** to lend a book to a reader                                    → T001
        9  **Acceptance Criteria:**
       10  - [ ] A book that is out cannot be lent again                            → T001
       11  - [ ] `lend("B1", "R1")` returns `"B1"`                                  → T001
          US-2: Return a book
       14  **As a** librarian                                                       → T002
       15  **I want** to take a book back                                           → T002
       17  **Acceptance Criteria:**
       18  - [ ] A late return costs 10 cents a day                                 → T002
        Out of Scope
       22  - Reservations

    What will be done

    T001  Lend a book
        test      tests/test_lend_book.py
        AC-001    A book that is out cannot be lent again
        AC-002    `lend("B1", "R1")` returns `"B1"`
        proof     `python3 -m pytest tests/test_lend_book.py` fails before the work and passes after it
        from      docs/stories.md:5-7,10-11

    T002  Return a book
        test      tests/test_return_book.py
        AC-003    A late return costs 10 cents a day
        proof     `python3 -m pytest tests/test_return_book.py` fails before the work and passes after it
        from      docs/stories.md:13-15,18

    What is open
      assumed: the documents give Lend a book no file; its files are left open
      assumed: the documents give Return a book no file; its files are left open
      left out: 1 line under `Out of Scope`, excluded by its heading
    --- exit 0
    "#);
}

#[test]
fn a_page_as_html_holds_no_markup_of_documents() {
    let (name, text) = DOCUMENTS[9];
    let space = with_document(name, text);
    let said = space.run(&["plan", "docs", "--review=html", "-o", "plan.html"]);
    assert!(said.starts_with("wrote plan.html"), "{said}");
    let page = space.read("plan.html");
    assert!(page.starts_with("<!doctype html>"), "{page}");
    assert!(!page.contains("<script") && !page.contains("<b>maker"), "{page}");
    assert!(page.contains("&lt;script&gt;"), "{page}");
    assert!(page.contains("href=\"#T001\"") && page.contains("id=\"T001\""), "{page}");
}
