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
    assert_eq!(read.gates[0].strength, ProofStrength::Named);
    let names = CanaryRecord::Failed { names: vec!["c".into()] };
    let json = serde_json::to_value(&names).unwrap();
    assert_eq!(json, serde_json::json!({"canaries": "failed", "names": ["c"]}));
}

/// Words in evidence stay as they are, and one that is not known here is kept.
#[test]
fn a_strength_and_a_kind_are_read_and_written_as_words() {
    for (word, strength) in [
        ("named", ProofStrength::Named),
        ("exit-code", ProofStrength::ExitCode),
        ("nothing new", ProofStrength::NothingNew),
        ("alternative", ProofStrength::Alternative),
        ("unproved", ProofStrength::Unproved),
        ("certain", ProofStrength::Unknown("certain".into())),
    ] {
        let json = serde_json::json!(word);
        assert_eq!(serde_json::from_value::<ProofStrength>(json.clone()).unwrap(), strength);
        assert_eq!(serde_json::to_value(strength).unwrap(), json);
    }
    for (word, compares) in
        [("equality", true), ("computed", true), ("denial", false), ("negation", false), ("reversal", true)]
    {
        let json = serde_json::json!({
            "test": "a", "bite": "failed", "kind": word, "path": "t.py", "line": 1, "was": "1", "now": "2"
        });
        let read: BiteRecord = serde_json::from_value(json.clone()).unwrap();
        assert_eq!(read.compares_a_value(), compares, "{word}");
        assert_eq!(serde_json::to_value(read).unwrap(), json);
    }
    for kind in ["equality", "exception", "part", "golden", "field", "computed", "negation", "denial"] {
        let known = ExpectationKind::named(kind).unwrap();
        assert_eq!(serde_json::to_value(known).unwrap(), kind);
    }
}
