//! Whole documents as the tools that we know write them: every fact that is read from them.

use crate::facts::{Facts, read_documents};

fn all_facts(documents: &[(&str, &str)]) -> String {
    Facts::new(&read_documents(documents)).all().text()
}

/// A product requirements document with stories and criteria.
#[test]
fn requirements() {
    insta::assert_snapshot!(all_facts(&[("PRD.md", include_str!("whole/prd.md"))]), @r#"
    PRD.md is requirements: PRD: Parcel Desk
    == stories
    21: US-001 Register a parcel | As a receptionist I want to register a parcel So that its owner is told
    33: US-002 Pick up a parcel | As an employee, I want to pick up my parcel so that the desk is free again.
    == criteria
    29: AC-001 A parcel has an owner and a carrier (Item) | story US-001
    30: AC-002 The owner gets a mail within a minute (Item) | story US-001
    31: AC-003 A parcel without an owner is refused (Item) | story US-001
    39: AC-004 Given a parcel of mine, when I sign, then it is marked as picked up (Scenario) | story US-002
    40: AC-005 Edge case: a parcel that is picked up twice is refused (Item) | detail with the date of the first time | story US-002
    47: FR-1 Parcels are stored on disk (Row)
    48: FR-2 Old parcels are deleted after a year (Row)
    54: AC-006 Answer time: < 200 ms (Row)
    == remarks
    64: risk (7. Risks) Mail is down | Retry for an hour
    58: metric (6. Success Metrics) 90 % of parcels are picked up within two days
    16: excluded (Non-Goals) Sending parcels
    17: excluded (Non-Goals) Postage
    == details
    6: aside 1. Overview paths [] ids [] | Parcel Desk lets the front desk of an office note which parcels have arrived and who has picked them up.
    10: aside 2. Goals paths [] ids [] | Nobody waits for a parcel that is already there.
    21: aside US-001: Register a parcel paths [] ids ["US-001", "AC-001", "AC-002"] | As a receptionist I want to register a parcel So that its owner is told; Acceptance Criteria: AC-001: A parcel has an owner and a carrier; AC-002: The owner gets a mail within a minute; A parcel without an owner is refused
    33: aside US-002: Pick up a parcel paths [] ids ["US-002"] | As an employee, I want to pick up my parcel so that the desk is free again. Acceptance Criteria: Given a parcel of mine, when I sign, then it is marked as picked up; Edge case: a parcel that is picked up twice is refused; with the date of the first time
    66: aside 8. Open Questions paths [] ids [] | Do we need photos?
    "#);
}

/// A technical design with file ownership and a dependency graph.
#[test]
fn design() {
    insta::assert_snapshot!(all_facts(&[("design.md", include_str!("whole/design.md"))]), @r#"
    design.md is design: Technical Design: Parcel Desk
    == criteria
    35: AC-001 `POST /parcels` registers one (Item)
    36: AC-002 `POST /parcels/{id}/pickup` marks it (Item)
    40: AC-003 Opens the database lazily, see FR-1. (Sentence)
    == files
    19: Unsaid desk/store.py by Component for [] | keeps parcels (FR-1)
    20: Unsaid desk/mail.py by Component for [] | tells owners
    66: Create desk/store.py by Ownership for [TASK-001] | create
    67: Create desk/mail.py by Ownership for [TASK-002] | create
    68: Create desk/web.py by Ownership for [TASK-003] | create
    68: Create desk/routes.py by Ownership for [TASK-003] | create
    69: Modify setup.py by Ownership for [TASK-003] | modify (entry point)
    == tasks
    66: TASK-001 store | level 1 | in Foundation
    67: TASK-002 mail | level 1 | in Foundation
    68: TASK-003 web | level 2 | in Web
    == order
    73: TASK-001 before TASK-003
    73: TASK-002 before TASK-003
    == phases
    59: Foundation | 2 tasks | 2 · yes | 
    60: Web | 1 tasks | 1 · no | 
    == components
    19: Store ["desk/store.py"] needs [] serves ["FR-1"] | keeps parcels (FR-1)
    20: Mailer ["desk/mail.py"] needs [] serves [] | tells owners
    38: desk/store.py ["desk/store.py"] needs [] serves [] | Opens the database lazily, see FR-1.
    == interfaces
    35: POST /parcels | `POST /parcels` registers one
    36: POST /parcels/{id}/pickup | `POST /parcels/{id}/pickup` marks it
    26: model parcels [] | 4 lines
    == decisions
    49: ADR-001 SQLite | One file, no server.
    == remarks
    85: risk (7. Risk Assessment) The disk is full
    81: test (6. Testing Strategy) Unit tests for the store
    == details
    3: aside Metadata paths [] ids [] | Feature: parcel-desk
    9: aside 1.1 Summary paths [] ids [] | A small web service with one table, read and written by three handlers.
    24: 3.1 Data Model paths [] ids [] | 
        code "sql" path - label -
    33: aside 3.2 API paths [] ids [] | `POST /parcels` registers one; `POST /parcels/{id}/pickup` marks it
    38: 3.3 desk/store.py about desk/store.py paths ["desk/store.py"] ids ["FR-1"] | Opens the database lazily, see FR-1.
        code "python" path desk/store.py label -
    49: aside Decision: SQLite paths [] ids [] | Decision: One file, no server.
    79: aside 6. Testing Strategy paths [] ids [] | Unit tests for the store
    "#);
}

/// Requirements and design together: the design refers to the requirements.
#[test]
fn requirements_and_design() {
    let documents =
        [("PRD.md", include_str!("whole/prd.md")), ("design.md", include_str!("whole/design.md"))];
    let spec = read_documents(&documents);
    insta::assert_snapshot!(Facts::new(&spec).documents().criteria().components().unplaced().text(), @r#"
    PRD.md is requirements: PRD: Parcel Desk
    design.md is design: Technical Design: Parcel Desk
    29: AC-001 A parcel has an owner and a carrier (Item) | story US-001
    30: AC-002 The owner gets a mail within a minute (Item) | story US-001
    31: AC-003 A parcel without an owner is refused (Item) | story US-001
    39: AC-004 Given a parcel of mine, when I sign, then it is marked as picked up (Scenario) | story US-002
    40: AC-005 Edge case: a parcel that is picked up twice is refused (Item) | detail with the date of the first time | story US-002
    47: FR-1 Parcels are stored on disk (Row)
    48: FR-2 Old parcels are deleted after a year (Row)
    54: AC-006 Answer time: < 200 ms (Row)
    19: Store ["desk/store.py"] needs [] serves ["FR-1"] | keeps parcels (FR-1)
    20: Mailer ["desk/mail.py"] needs [] serves [] | tells owners
    38: desk/store.py ["desk/store.py"] needs [] serves [] | Opens the database lazily, see FR-1.
    "#);
}

/// A feature specification with numbered requirements.
#[test]
fn feature_specification() {
    insta::assert_snapshot!(all_facts(&[("spec.md", include_str!("whole/spec.md"))]), @r#"
    spec.md is requirements: Feature Specification: Parcel Desk
    == stories
    7: US-1 Register a parcel | The receptionist registers a parcel.
    == criteria
    13: AC-001 Given a parcel, When it is registered, Then its owner is told (Scenario) | story US-1
    23: FR-001 System MUST store parcels (Item)
    24: FR-002 System MUST tell owners [NEEDS CLARIFICATION: by mail?] (Item)
    28: AC-002 Parcel: what arrives (Item)
    34: SC-001 Owners know within a minute (Item)
    == remarks
    17: test (Edge Cases) What happens when the owner has left?
    == details
    7: aside User Story 1 - Register a parcel (Priority: P1) paths [] ids [] | The receptionist registers a parcel. Acceptance Scenarios: Given a parcel, When it is registered, Then its owner is told
    15: aside Edge Cases paths [] ids [] | What happens when the owner has left?
    21: aside Functional Requirements paths [] ids ["FR-001", "FR-002"] | FR-001: System MUST store parcels; FR-002: System MUST tell owners [NEEDS CLARIFICATION: by mail?]
    26: aside Key Entities paths [] ids [] | Parcel: what arrives
    "#);
}

/// A product requirements document between custom tags, in a text file.
#[test]
fn tagged_text() {
    insta::assert_snapshot!(all_facts(&[("prd.txt", include_str!("whole/prd.txt"))]), @r#"
    prd.txt is requirements: -
    == stories
    6: US-1 Registration | Registration
    10: US-2 Pickup | Pickup
    == criteria
    7: AC-001 Registration: registers parcels (Item) | story US-1
    11: AC-002 Pickup: marks parcels (Item) | story US-2
    15: AC-003 System components: a store and a mailer (Item)
    == phases
    18: Phase 1 | registration | Phase 1: registration / `desk/store.py`
    20: Phase 2 | pickup | Phase 2: pickup
    == remarks
    26: risk (Risks and Mitigations) Mail is down
    == details
    2: aside Overview paths [] ids [] | Parcel Desk notes which parcels have arrived.
    5: aside Core Features paths [] ids [] | Registration; What it does: registers parcels; Why it's important: owners are told; Pickup; What it does: marks parcels
    14: aside Technical Architecture paths [] ids [] | System components: a store and a mailer
    17: aside Development Roadmap paths ["desk/store.py"] ids [] | Phase 1: registration; `desk/store.py`; Phase 2: pickup
    "#);
}

/// Markdown with HTML blocks.
#[test]
fn html_blocks() {
    insta::assert_snapshot!(all_facts(&[("page.md", include_str!("whole/page.html.md"))]), @r#"
    page.md is requirements: PRD
    == criteria
    7: FR-1 Parcels & letters are stored (Row)
    13: AC-001 A parcel has an owner (Item)
    14: AC-002 A letter has none (Item)
    == remarks
    19: excluded (Out of Scope) Postage
    "#);
}
