//! Tests: the levels of rules in a proof.

use super::*;

fn proof(rules: BTreeMap<String, String>) -> GreenProof {
    GreenProof {
        tree: Oid::new(&"1".repeat(40)).unwrap(),
        gates: Vec::new(),
        setup: Vec::new(),
        project_version: None,
        environment: vec!["PATH".into()],
        containment: "off".into(),
        canaries: None,
        bites: Vec::new(),
        held_out: Vec::new(),
        repeated: None,
        reformatted: Vec::new(),
        findings: Vec::new(),
        rules,
    }
}

#[test]
fn levels_are_read_back_as_they_were_written() {
    let rule = Rule::ALL[0];
    for level in [Strictness::Off, Strictness::Warning, Strictness::Error] {
        let levels = BTreeMap::from([(rule, level)]);
        assert_eq!(proof(levels_in_words(&levels)).levels(), levels);
    }
}

#[test]
fn an_unknown_level_is_an_error_and_an_unknown_rule_is_ignored() {
    let rule = Rule::ALL[0];
    let words = |name: &str, word: &str| BTreeMap::from([(name.to_owned(), word.to_owned())]);
    assert_eq!(proof(words(rule.as_str(), "fatal")).levels(), BTreeMap::from([(rule, Strictness::Error)]));
    assert!(proof(words("no-such-rule", "off")).levels().is_empty());
}

#[test]
fn a_record_of_an_older_program_is_read() {
    let text = serde_json::json!({"tree": "1".repeat(40), "environment": ["PATH"], "containment": "off", "gates": [
        {"gate": "tests", "command": "pytest", "exit": 0, "millis": 5, "strength": "named"}]});
    let read: GreenProof = serde_json::from_value(text).unwrap();
    assert_eq!((read.gates.len(), read.canaries, read.held_out.len()), (1, None, 0));
    assert_eq!(read.gates[0].left, Vec::<String>::new());
    let names = CanaryRecord::Failed { names: vec!["c".into()] };
    let json = serde_json::to_value(&names).unwrap();
    assert_eq!(json, serde_json::json!({"canaries": "failed", "names": ["c"]}));
}
