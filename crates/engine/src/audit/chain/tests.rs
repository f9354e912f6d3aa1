//! Tests of `audit/chain`.

use windlass_core::event::LeftOut;
use windlass_core::ids::{AttemptNo, TaskId};
use windlass_core::plan::Mode;

use super::*;
use crate::integrate::{ChainRecord, Evidence};

fn oid(digit: char) -> Oid {
    Oid::new(&digit.to_string().repeat(40)).unwrap()
}

fn evidence(chain: Option<ChainRecord>) -> Evidence {
    let green = serde_json::json!({"tree": oid('9'), "gates": [], "environment": [], "containment": "off"});
    Evidence {
        schema: Evidence::SCHEMA.into(),
        plan: PlanName::new("p").unwrap(),
        task: TaskId::new("T1").unwrap(),
        task_hash: String::new(),
        mode: Mode::Tdd,
        attempt: AttemptNo(1),
        place: None,
        verified_at: None,
        revision: 1,
        plan_text: None,
        onto: oid('8'),
        candidate: oid('7'),
        red: None,
        held: None,
        criteria: Vec::new(),
        mutants: Vec::new(),
        left_out: LeftOut::default(),
        green: serde_json::from_value(green).unwrap(),
        changes: Vec::new(),
        owned: Vec::new(),
        windlass: "0".into(),
        chain,
    }
}

/// A record in the chain after this one.
fn after(blob: char, previous: Option<char>) -> ChainLink {
    let chain = ChainRecord { previous: previous.map(oid), journal: None };
    ChainLink { blob: oid(blob), record: Some(ChainPart { chain: Some(chain) }) }
}

/// A record of an older program, which is in no chain.
fn unchained(blob: char) -> ChainLink {
    ChainLink { blob: oid(blob), record: Some(ChainPart { chain: None }) }
}

#[test]
fn each_record_names_the_one_before_it() {
    let unreadable = ChainLink { blob: oid('a'), record: None };
    let table = [
        (after('a', None), None, None),
        (after('b', Some('a')), Some(after('a', None)), None),
        (unchained('a'), None, None),
        (after('b', None), Some(after('a', None)), Some("it claims to be the first record and is not")),
        (after('b', Some('c')), Some(after('a', None)), Some("is missing or was replaced")),
        (after('b', Some('a')), None, Some("is missing or was replaced")),
        (unchained('b'), Some(after('a', None)), Some("it is in no chain")),
        (unreadable, None, Some("cannot be read")),
    ];
    for (link, before, wanted) in table {
        let found = follows(&link, before.as_ref());
        match wanted {
            None => assert_eq!(found, None, "{}", link.blob),
            Some(part) => assert!(found.as_deref().is_some_and(|f| f.contains(part)), "{found:?} {part}"),
        }
    }
}

fn audited(link: &ChainLink) -> Audited {
    Audited {
        commit: oid('1'),
        task: "T1".into(),
        blob: Some(link.blob.clone()),
        problems: Vec::new(),
        evidence: link.record.as_ref().map(|part| evidence(part.chain.clone())),
    }
}

#[test]
fn the_branch_has_its_records_in_the_order_of_the_chain() {
    let links = [after('a', None), after('b', Some('a')), after('c', Some('b'))];
    let problems = |order: &[usize]| {
        let mut records: Vec<Audited> = order.iter().map(|n| audited(&links[*n])).collect();
        in_order(&links, &mut records);
        records.iter().map(|r| r.problems.len()).collect::<Vec<_>>()
    };
    assert_eq!(problems(&[0, 1, 2]), [0, 0, 0]);
    assert_eq!(problems(&[0, 2]), [0, 0], "one that is not in the branch is no problem here");
    assert_eq!(problems(&[1, 0, 2]), [0, 1, 0]);
    assert_eq!(problems(&[0, 0]), [0, 1]);
    let mut foreign = [audited(&after('d', Some('c')))];
    in_order(&links, &mut foreign);
    assert_eq!(foreign[0].problems, ["it is not in the chain of the evidence ref"]);
    let mut old = [audited(&unchained('d'))];
    in_order(&links, &mut old);
    assert!(old[0].problems.is_empty(), "a record of an older program");
}

#[test]
fn a_problem_goes_to_its_record_or_to_the_audit() {
    let link = after('a', None);
    let mut audit =
        Audit { records: vec![audited(&link)], syncs: Vec::new(), others: Vec::new(), problems: Vec::new() };
    assert!(audit.holds());
    tell(&mut audit, &oid('a'), "x".into());
    tell(&mut audit, &oid('b'), "y".into());
    assert_eq!(audit.records[0].problems, ["x"]);
    assert_eq!(audit.problems, [format!("record {}: y", oid('b').short())]);
    assert!(!audit.holds());
}
