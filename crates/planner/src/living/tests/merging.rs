//! What people edited, what is done, and what the repository has become stays.

use super::edits::{DESIGN, PRD, planned, remembered, revised, told};
use crate::living::{Derivation, PlanChangeKind};

#[test]
fn a_repository_that_has_grown_changes_nothing() {
    let record = remembered(PRD);
    let made: Vec<String> = record.plan.tasks.iter().flat_map(|t| t.owned().map(str::to_owned)).collect();
    let made: Vec<&str> = made.iter().map(String::as_str).collect();
    let revision = revised(&record, PRD, &record.plan, &["T001", "T002"], &made);
    assert_eq!(told(&revision), "nothing");
    assert_eq!(revision.plan.tasks, record.plan.tasks);
    let now = PRD.replace("five books", "six books");
    assert_eq!(told(&revised(&record, &now, &record.plan, &["T001"], &made)), "changed T001");
}

#[test]
fn completed_tasks_change_only_where_their_source_did() {
    let record = remembered(PRD);
    let now =
        PRD.replace("five books", "six books").replace("### US-2: Return a book", "### US-2: Give it back");
    let revision = revised(&record, &now, &record.plan, &["T001", "T002"], &[]);
    assert_eq!(told(&revision), "changed T001, renamed T002");
    let task = revision.plan.task("T001").unwrap();
    assert_eq!(task.criteria[1].text, "A reader has at most six books");
    let change = revision.of(PlanChangeKind::Changed).next().unwrap();
    assert!(change.completed);
    let sentence = &change.sentences[0];
    assert_eq!(
        (sentence.criterion.as_str(), sentence.was.as_str(), sentence.now.as_str()),
        ("AC-002", "A reader has at most five books", "A reader has at most six books")
    );
    assert_eq!(
        revision.plan.task("T002"),
        record.plan.task("T002"),
        "a new heading leaves done work as it is"
    );
}

#[test]
fn hand_edits_stay() {
    let record = remembered(PRD);
    let mut ours = record.plan.clone();
    ours.tasks[0].objective = "Lend, and write it down twice.".to_owned();
    ours.tasks[2].files.create.push("desk/index.py".to_owned());
    ours.tasks[1].criteria[1].text = "A late return costs nothing".to_owned();
    ours.tasks.remove(3);
    let now = PRD.replace("five books", "six books").replace("ignores case", "ignores case and accents");
    let revision = revised(&record, &now, &ours, &[], &[]);
    assert_eq!(told(&revision), "changed T001 T003");
    let task = |id: &str| revision.plan.task(id).unwrap();
    assert_eq!(task("T001").objective, "Lend, and write it down twice.");
    assert_eq!(task("T001").criteria[1].text, "A reader has at most six books");
    assert!(task("T003").files.create.contains(&"desk/index.py".to_owned()));
    assert_eq!(task("T002").criteria[1].text, "A late return costs nothing");
    assert!(revision.plan.task("T004").is_none(), "what was removed by hand does not come back");

    let both = PRD.replace("costs 10 cents", "costs 30 cents");
    let revision = revised(&record, &both, &ours, &[], &[]);
    assert_eq!(revision.plan.task("T002").unwrap().criteria[1].text, "A late return costs nothing");
    assert_eq!(revision.kept_edits, ["`T002`: `criteria AC-004` was edited by hand and is kept"]);
}

#[test]
fn one_change_after_another_is_compared_with_the_last() {
    let mut record = remembered(PRD);
    let first = PRD.replace("five books", "six books");
    let revision = revised(&record, &first, &record.plan, &["T001"], &[]);
    record.plan = revision.unedited.clone();
    record.documents[0].text.clone_from(&first);
    let again = revised(&record, &first, &revision.plan, &["T001"], &[]);
    assert_eq!(told(&again), "nothing");
    let second = first.replace("10 cents", "15 cents");
    let revision = revised(&record, &second, &revision.plan, &[], &[]);
    assert_eq!(told(&revision), "changed T002");
    assert!(revision.kept_edits.is_empty(), "{:?}", revision.kept_edits);
}

#[test]
fn what_is_gone_is_retired_and_its_id_is_not_given_again() {
    let record = remembered(DESIGN);
    let report = DESIGN.find("## Report").unwrap();
    let line = DESIGN.find("## Command line").unwrap();
    let without = format!("{}{}", &DESIGN[..report], &DESIGN[line..])
        .replace("| `ledger/report.py` | create | sums by month |\n", "")
        .replace("- AC-3: `ledger/report.py` adds up every month once\n", "");
    let revision = revised(&record, &without, &record.plan, &[], &[]);
    assert_eq!(told(&revision), "gone T003");
    assert_eq!(revision.retired, ["T003"]);
    assert!(revision.plan.task("T003").is_none());
    let waits = |id: &str| revision.plan.tasks.iter().any(|t| t.depends_on.iter().any(|d| d == id));
    assert!(!waits("T003"), "nothing waits for what is gone");

    let kept = revised(&record, &without, &record.plan, &["T003"], &[]);
    assert!(kept.plan.task("T003").is_some(), "what is done stays in the plan");

    let next =
        Derivation { plan: revision.unedited.clone(), retired: revision.retired.clone(), ..record.clone() };
    let next = Derivation {
        documents: vec![crate::living::KeptDocument { path: "docs/SPEC.md".into(), text: without.clone() }],
        ..next
    };
    let again = revised(&next, DESIGN, &revision.plan, &[], &[]);
    assert_eq!(told(&again), "new T005");
}

#[test]
fn tasks_in_another_order_are_the_same_tasks() {
    let record = remembered(PRD);
    let (one, two) = (PRD.find("### US-1").unwrap(), PRD.find("### US-2").unwrap());
    let three = PRD.find("### US-3").unwrap();
    let now = format!("{}{}{}{}", &PRD[..one], &PRD[two..three], &PRD[one..two], &PRD[three..]);
    let revision = revised(&record, &now, &record.plan, &[], &[]);
    assert_eq!(told(&revision), "moved T001");
    assert_eq!(revision.plan.tasks.len(), 4);
}

#[test]
fn a_record_of_another_version_is_refused() {
    let record = remembered(PRD);
    assert_eq!(Derivation::read(&record.text()).unwrap(), record);
    let other = record.text().replace("derivation/1", "derivation/9");
    assert!(Derivation::read(&other).unwrap_err().to_string().contains("derivation/9"));
    assert!(Derivation::read("{}").is_err());
    assert!(planned(PRD, &[]).tasks.len() == 4);
}
