//! Acceptance criteria.

use crate::facts::{Facts, fixture};

#[test]
fn items_under_a_heading_about_criteria() {
    insta::assert_snapshot!(Facts::new(&fixture!("criteria/lists.md")).criteria().text(), @r"
    5: AC-001 Wrong passwords are refused (Item)
    6: AC-002 Right ones are not (Item)
    8: AC-003 A cart is empty at first (Item)
    9: AC-004 A cart holds lines (Item)
    10: AC-005 An order has an address (Item) | detail the street is a detail of the order; so is the town
    13: AC-7 An order has a number (Item)
    14: AC-008 An order has a date (Item) | detail in UTC
    19: AC-006 Users sign in (Item)
    20: FR-2 Users sign out (Item)
    24: AC-007 The test suite covers all roles (Item)
    28: AC-009 Names are short (Item)
    33: AC-010 results within 200 ms (Item) | detail Search: finds things | story US-1
    34: AC-011 results are ordered (Item) | detail Search: finds things | story US-1
    35: AC-012 Export is nice (Item) | story US-2
    36: AC-013 Every export SHALL be signed (Ears) | story US-3
    40: FR-3 stated where no topic says otherwise (Item)
    41: AC-014 Some note (Item)
    ");
}

#[test]
fn headings_with_an_id() {
    insta::assert_snapshot!(Facts::new(&fixture!("criteria/headings.md")).criteria().text(), @r"
    5: FR-1 Login (Heading) | detail Users sign in. by mail; by phone | story US-2
    18: AC-001 The session ends (Item)
    26: AC-002 Admins see all (Item) | story US-3
    30: FR-4.1 Members (Heading) | detail A group has members.
    34: FR-5 A heading with an id only. (Heading) | detail A heading with an id only.
    42: AC-003 A mail is sent (Item) | story US-7
    48: AC-004 The table exists (Item) | task TASK-001
    ");
}

#[test]
fn rows_of_tables() {
    insta::assert_snapshot!(Facts::new(&fixture!("criteria/tables.md")).criteria().text(), @r"
    7: AC-001 Page load: < 2 s (Row)
    8: AC-002 Memory (Row)
    12: AC-003 Speed: fast (Row)
    18: FR-1 Carts hold things (Row)
    19: FR-2 Orders are sent (Row)
    23: AC-004 Stock: counted (Row)
    37: FR-3 Explained (Heading)
    47: SC-1 An id makes it a criterion here (Row)
    ");
}

#[test]
fn sentences_of_a_fixed_form() {
    insta::assert_snapshot!(Facts::new(&fixture!("criteria/sentences.md")).criteria().text(), @r"
    3: FR-1 The session MUST end after 30 minutes. (Item)
    9: AC-001 WHEN a file is too large THE SYSTEM SHALL refuse it. (Ears)
    11: AC-002 Given a cart, when it is empty, then the total is 0. (Scenario)
    13: AC-003 marked as a criterion (Item)
    23: FR-5 Explained (Heading) | detail WHEN explained THE SYSTEM SHALL not repeat it.
    ");
}

#[test]
fn scenarios_in_lines_and_in_gherkin() {
    insta::assert_snapshot!(Facts::new(&fixture!("criteria/scenarios.md")).criteria().text(), @r"
    10: AC-001 Given a session When a question is asked Then the answer names a step. (Scenario) | detail Chat | story US-1
    14: AC-002 Given none Then nothing is shown. (Scenario) | detail Chat | story US-1
    19: AC-003 Search What: finds things (Item) | story US-1
    25: AC-004 When nothing is found Then it says so But stays (Scenario) | detail Acceptance criteria: | story US-2
    31: AC-005 Steps to reproduce: Given a bug Then it fails (Sentence) | story US-2
    37: AC-006 Given a cart When it is empty Then the total is 0 (Scenario) | detail empty | story US-3
    37: AC-007 Given a full cart And a voucher Then the total is less (Scenario) | detail full | story US-3
    49: AC-008 Given an order Then it is sent (Scenario) | detail by its steps | story US-3
    ");
}
