//! Thirty edits, each with the tasks that a person names.

use std::collections::BTreeSet;

use crate::derive::{DeriveOptions, Grouping, SessionFindings, derive};
use crate::lint::Profile;
use crate::living::{Derivation, Drafts, KeptDocument, PlanChangeKind, Revision, Standings, revise};
use crate::repository::Repository;
use crate::spec::{SpecFile, read};
use crate::steps::{Adaptive, History, StepDetail};
use windlass_code::repo::{MemoryTree, Tree};
use windlass_code::survey::survey;
use windlass_core::plan::Plan;

pub(super) const PRD: &str = include_str!("documents/prd.md");
pub(super) const DESIGN: &str = include_str!("documents/design.md");

fn options() -> DeriveOptions {
    DeriveOptions {
        name: "desk".to_owned(),
        folder: None,
        profile: Profile::Default,
        detail: StepDetail::Low,
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
    }
}

/// The plan of a document in a small project with pytest; `made` are files that runs have made meanwhile.
pub(super) fn planned(text: &str, made: &[&str]) -> Plan {
    let mut files = vec![
        ("pyproject.toml".to_owned(), "[tool.pytest.ini_options]\n".to_owned()),
        ("desk/shelf.py".to_owned(), "def shelf():\n    return []\n".to_owned()),
        ("tests/test_shelf.py".to_owned(), "def test_shelf():\n    assert True\n".to_owned()),
    ];
    files.extend(made.iter().map(|path| ((*path).to_owned(), "def made():\n    return 1\n".to_owned())));
    let tree = MemoryTree::new(files);
    let repository = Repository::new(&tree, survey(&tree));
    let known: Vec<String> = tree.paths().to_vec();
    let spec = read(&document(text), &known);
    derive(&spec, &repository, &options()).plan
}

fn document(text: &str) -> Vec<SpecFile> {
    vec![SpecFile { path: "docs/SPEC.md".to_owned(), text: text.to_owned() }]
}

/// What the plan of a document remembers.
pub(super) fn remembered(text: &str) -> Derivation {
    Derivation {
        schema: Derivation::SCHEMA.to_owned(),
        given: vec!["docs".to_owned()],
        phase: None,
        language: None,
        documents: vec![KeptDocument { path: "docs/SPEC.md".to_owned(), text: text.to_owned() }],
        plan: planned(text, &[]),
        retired: Vec::new(),
    }
}

/// The plan after the document changed; `done` are completed tasks.
pub(super) fn revised(record: &Derivation, now: &str, ours: &Plan, done: &[&str], made: &[&str]) -> Revision {
    let before = planned(&record.documents[0].text, made);
    let after = planned(now, made);
    let drafts = Drafts { before: &before, now: &after, documents: &document(now) };
    let completed = |id: &str| done.contains(&id);
    let standings = Standings { completed: &completed, taken: &BTreeSet::new() };
    revise(record, &drafts, ours, &standings)
}

/// Everything but untouched tasks, in a line.
pub(super) fn told(revision: &Revision) -> String {
    let named = |kind: PlanChangeKind| {
        let ids: Vec<&str> = revision.of(kind).map(|c| c.id.as_str()).collect();
        (!ids.is_empty()).then(|| format!("{} {}", kind.as_str(), ids.join(" ")))
    };
    let kinds = PlanChangeKind::ALL.into_iter().filter(|kind| *kind != PlanChangeKind::Untouched);
    let said: Vec<String> = kinds.filter_map(named).collect();
    if said.is_empty() { "nothing".to_owned() } else { said.join(", ") }
}

/// An edit: what it is called, the text that is replaced, the new text, and what changes.
type Edit = (&'static str, &'static str, &'static str, &'static str);

fn check(document: &str, edits: &[Edit]) {
    let record = remembered(document);
    let mut wrong = Vec::new();
    for (name, old, new, expected) in edits {
        assert!(document.contains(old), "{name}: the document has no {old:?}");
        let now = document.replacen(old, new, 1);
        let told = told(&revised(&record, &now, &record.plan, &[], &[]));
        if told != *expected {
            wrong.push(format!("{name}: expected {expected:?}, found {told:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} edits:\n{}", wrong.len(), edits.len(), wrong.join("\n"));
}

const NEW_STORY: &str = "### US-5: Print a card
**As a** reader
**I want** a card with my name

**Acceptance Criteria:**
- [ ] The card shows the reader's name in capitals

## Out of Scope";

#[test]
fn edits_of_requirements_change_what_a_person_names() {
    let edits: [Edit; 18] = [
        ("nothing", "Lend books", "Lend books", "nothing"),
        ("a typo above everything", "Lend books at a desk.", "Lend books at the desk.", "nothing"),
        (
            "white space",
            "- [ ] A reader has at most five books",
            "-  [ ]  A reader has at most five books",
            "nothing",
        ),
        ("a box is ticked", "- [ ] The search ignores case", "- [x] The search ignores case", "nothing"),
        ("a limit changes", "at most five books", "at most six books", "changed T001"),
        ("an example changes", "returns `\"B1\"`", "returns `\"R1\"`", "changed T002"),
        (
            "a sentence is rewritten",
            "A late return costs 10 cents a day",
            "Each late day costs the reader 25 cents",
            "changed T002",
        ),
        (
            "a criterion is added",
            "- [ ] The search ignores case",
            "- [ ] The search ignores case\n- [ ] Umlauts are found without their dots",
            "changed T003",
        ),
        (
            "a criterion is added at the top",
            "- [ ] A book that is out",
            "- [ ] The date of the loan is stored\n- [ ] A book that is out",
            "changed T001",
        ),
        ("a criterion is removed", "- [ ] At most 20 results are shown\n", "", "changed T003"),
        (
            "criteria change places",
            "- [ ] The search ignores case\n- [ ] At most 20 results are shown",
            "- [ ] At most 20 results are shown\n- [ ] The search ignores case",
            "nothing",
        ),
        (
            "a criterion moves to another story",
            "- [ ] No reader gets two mails on one day\n",
            "",
            "changed T004",
        ),
        ("a story is added at the end", "## Out of Scope", NEW_STORY, "new T005"),
        (
            "a story is added in front",
            "### US-1: Lend a book",
            "### US-5: Print a card\n**As a** reader\n**I want** a card with my name\n\n**Acceptance Criteria:**\n- [ ] The card shows the reader's name in capitals\n\n### US-1: Lend a book",
            "new T005",
        ),
        (
            "a story is removed",
            "### US-3: Search the catalogue\n**As a** reader\n**I want** to find books by title\n\n**Acceptance Criteria:**\n- [ ] The search ignores case\n- [ ] At most 20 results are shown\n\n",
            "",
            "gone T003",
        ),
        ("a heading is renamed", "### US-2: Return a book", "### US-2: Take a book back", "renamed T002"),
        ("something is out of scope", "- Reservations", "- Reservations\n- Fines by mail", "nothing"),
        ("the title changes", "# PRD: Library desk", "# PRD: Lending desk", "nothing"),
    ];
    check(PRD, &edits);
}

/// Sections without ids that change places keep the stories of their tasks, as they keep their criteria.
#[test]
fn stories_without_ids_keep_theirs() {
    const DOORS: &str = "## Doors\n\n- A door opens for a known card\n- A door stays shut at night\n\n";
    const CARDS: &str = "## Cards\n\n- A card has a number and an owner\n- A lost card is refused\n\n";
    const LOGS: &str = "## Logs\n\n- Each opening is written down\n- Entries are kept for a year\n\n";
    let text = |parts: &[&str]| format!("# Gate\n\n{}", parts.concat());
    let record = remembered(&text(&[DOORS, CARDS, LOGS]));
    let stories = |plan: &Plan| -> Vec<(String, Vec<String>)> {
        let of = |title: &str| plan.tasks.iter().find(|t| t.title.to_lowercase().contains(title)).cloned();
        let named = ["doors", "cards", "logs"].into_iter().filter_map(|title| Some((title, of(title)?)));
        named.map(|(title, task)| (title.to_owned(), task.traces_to.stories)).collect()
    };
    let before = stories(&record.plan);
    assert_eq!(before.len(), 3, "{before:?}");
    let edits: [(&str, String, usize); 3] = [
        ("reordered", text(&[DOORS, LOGS, CARDS]), 3),
        ("moved to the front", text(&[LOGS, DOORS, CARDS]), 3),
        ("removed", text(&[CARDS, LOGS]), 2),
    ];
    for (name, now, left) in edits {
        let revision = revised(&record, &now, &record.plan, &[], &[]);
        let after = stories(&revision.plan);
        assert_eq!(after.len(), left, "{name}");
        assert!(after.iter().all(|own| before.contains(own)), "{name}: {before:?}, then {after:?}");
    }
}

#[test]
fn edits_of_designs_change_what_a_person_names() {
    let edits: [Edit; 12] = [
        ("nothing", "Keep accounts", "Keep accounts", "nothing"),
        ("a description changes", "sums by month", "sums by month and by year", "changed T003"),
        (
            "a criterion changes",
            "refuses an amount of zero",
            "refuses an amount of zero or less",
            "changed T001",
        ),
        (
            "a criterion is added",
            "- AC-3:",
            "- AC-5: `ledger/book.py` refuses entries of the future\n- AC-3:",
            "changed T002",
        ),
        (
            "a criterion is removed",
            "- AC-3: `ledger/report.py` adds up every month once\n",
            "",
            "changed T003",
        ),
        (
            "a contract changes",
            "def by_month(book: Book) -> dict[str, int]: ...",
            "def by_month(book: Book, year: int) -> dict[str, int]: ...",
            "changed T003",
        ),
        (
            "a contract below others changes",
            "def amount(self) -> int: ...",
            "def amount(self) -> float: ...",
            "changed T001",
        ),
        (
            "a file is added",
            "| `ledger/cli.py` | create | the command line |",
            "| `ledger/cli.py` | create | the command line |\n| `ledger/chart.py` | create | a drawing of a year |",
            "new T005",
        ),
        (
            "a file is added in front",
            "| `ledger/entry.py` |",
            "| `ledger/money.py` | create | amounts with a currency |\n| `ledger/entry.py` |",
            "new T005",
        ),
        (
            "a sentence below a heading changes",
            "The book refuses entries from the future.",
            "The book refuses entries older than a year.",
            "changed T002",
        ),
        ("a file is renamed", "`ledger/cli.py` | create", "`ledger/main.py` | create", "changed T004"),
        (
            "rows change places",
            "| `ledger/entry.py` | create | one booking with date, text and amount |\n| `ledger/book.py` | create | all bookings, sorted by date |\n",
            "| `ledger/book.py` | create | all bookings, sorted by date |\n| `ledger/entry.py` | create | one booking with date, text and amount |\n",
            "nothing",
        ),
    ];
    check(DESIGN, &edits);
}
