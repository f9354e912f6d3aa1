//! User stories.

use crate::facts::{Facts, fixture, read_documents};

#[test]
fn headings_and_sentences() {
    insta::assert_snapshot!(Facts::new(&fixture!("stories/forms.md")).stories().text(), @"
    3: US-7 Sign in | As a visitor I want to sign in So that I am known
    11: US-8 Sign out | No sentence, so the prose is the story.
    19: US-3 fill carts | As a buyer, I want to fill carts, so that I keep things.
    21: US-4 reports | As an admin, I need reports.
    22: US-5 see everything | As the owner, I can (sometimes) see everything.
    23: US-9 look around | As a guest, I want to look around.
    25: US-10 orders | As a seller, I want orders.
    27: US-11 be in a code block | As a robot, I want to be in a code block so that I am read.
    32: US-12 购物车 | 作为买家，我想要购物车，以便保存商品。
    36: US-20 An id is enough under this heading | An id is enough under this heading.
    ");
}

#[test]
fn several_stories_in_one_paragraph() {
    insta::assert_snapshot!(Facts::new(&fixture!("stories/lines.md")).stories().text(), @r#"
    3: US-1 carts | As a buyer, I want carts so that I keep things.
    3: US-2 orders | As a seller, I want orders.
    "#);
}

#[test]
fn plain_items_below_user_stories() {
    insta::assert_snapshot!(Facts::new(&fixture!("stories/plain_items.md")).stories().text(), @r#"
    5: US-1 Sign up with a password or log in | Sign up with a password or log in.
    7: US-2 Avatars | Avatars: initials (two) are shown for online users.
    8: US-3 Profile | Profile: a page
    "#);
}

/// Two documents of requirements may both count from one; a design refers to the stories of the requirements.
#[test]
fn documents_that_count_from_one() {
    let text = |name: &str| {
        format!(
            "# PRD\n\n### US-1: {name}\n\nAs a buyer, I want it.\n\n**Acceptance Criteria:**\n- {name} works\n"
        )
    };
    let (a, b, c, d) = (text("Carts"), text("Vouchers"), text("carts"), text("Other words"));
    let spec = read_documents(&[
        ("PRD-a.md", a.as_str()),
        ("PRD-b.md", b.as_str()),
        ("PRD-c.md", c.as_str()),
        ("design.md", d.as_str()),
    ]);
    insta::assert_snapshot!(Facts::new(&spec).stories().criteria().text(), @r#"
    3: US-1 Carts | As a buyer, I want it.
    3: US-1-2 Vouchers | As a buyer, I want it.
    8: AC-001 Carts works (Item) | story US-1
    8: AC-002 Vouchers works (Item) | story US-1-2
    8: AC-003 Other words works (Item) | story US-1
    "#);
}

/// A story on labelled lines, with the steps of its scenario behind colons.
#[test]
fn stories_on_labelled_lines() {
    insta::assert_snapshot!(Facts::new(&fixture!("stories/labelled.md")).stories().criteria().text(), @"
    3: US-1 searching books by title | As a: librarian I want: searching books by title So that: a book is found Acceptance criteria: Given: a shelf of books When: a title is typed Then: the book is shown
    12: US-2 rating a book | As a: reader I want: rating a book So that: others know it Acceptance criteria: Given: a book that is returned When: it is rated Then: the rating is kept
    8: AC-001 Given a shelf of books When a title is typed Then the book is shown (Scenario) | detail As a: librarian | story US-1
    17: AC-002 Given a book that is returned When it is rated Then the rating is kept (Scenario) | detail As a: reader | story US-2
    ");
}
