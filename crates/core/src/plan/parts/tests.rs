//! The small vocabularies of a plan.

use serde_json::json;

use super::*;

#[test]
fn reasons_are_read_with_and_without_a_remark() {
    let table = [
        ("documentation_only", Some(NoTestReason::DocumentationOnly)),
        ("Type definitions only - the compiler checks", Some(NoTestReason::TypeDefinitionsOnly)),
        ("dependency-update (lockfile)", Some(NoTestReason::DependencyUpdate)),
        ("too simple", None),
        ("", None),
    ];
    for (text, expected) in table {
        assert_eq!(NoTestReason::parse(text), expected, "{text}");
    }
}

#[test]
fn every_reason_is_read_in_every_spelling() {
    for reason in NoTestReason::ALL {
        let name = reason.as_str();
        let spellings = [
            name.to_owned(),
            name.to_uppercase(),
            name.replace('_', " "),
            name.replace('_', "-"),
            format!("  {name}\r\n"),
            format!("{name}: see below"),
            format!("{name} — a remark - with a dash"),
            format!("{name} (and, more)"),
            format!("{name}; really"),
        ];
        for text in spellings {
            assert_eq!(NoTestReason::parse(&text), Some(reason), "{text:?}");
        }
        assert_eq!(serde_json::to_value(reason).unwrap(), name);
    }
}

#[test]
fn a_reason_that_only_resembles_one_is_none() {
    let table = [
        "documentation",
        "documentationonly",
        "documentation  only",
        "no documentation_only",
        "- documentation_only",
        "documentation_only and config_static",
        ": documentation_only",
        "config_statique",
        "—",
    ];
    for text in table {
        assert_eq!(NoTestReason::parse(text), None, "{text}");
    }
}

#[test]
fn tiers_grow_up_to_the_largest() {
    let table = [
        (Tier::Small, "small", Some(Tier::Medium)),
        (Tier::Medium, "medium", Some(Tier::Large)),
        (Tier::Large, "large", None),
    ];
    for (tier, name, up) in table {
        assert_eq!((tier.as_str(), tier.up()), (name, up));
        assert_eq!(serde_json::to_value(tier).unwrap(), name);
        assert!(up.is_none_or(|up| up > tier));
    }
}

#[test]
fn words_in_files_are_fixed() {
    fn check<T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(
        table: &[(T, &str)],
    ) {
        for (value, word) in table {
            assert_eq!(serde_json::to_value(value).unwrap(), *word);
            assert_eq!(serde_json::from_value::<T>((*word).into()).unwrap(), *value);
            assert!(serde_json::from_value::<T>(word.to_uppercase().into()).is_err(), "{word} in capitals");
        }
    }
    check(&[(Methodology::Tdd, "tdd"), (Methodology::Direct, "direct")]);
    check(&[
        (Complexity::Trivial, "trivial"),
        (Complexity::Simple, "simple"),
        (Complexity::Medium, "medium"),
        (Complexity::Complex, "complex"),
    ]);
    check(&[(Method::Agent, "agent"), (Method::Cli, "cli"), (Method::Hybrid, "hybrid")]);
    check(&[
        (Strategy::New, "new"),
        (Strategy::Resume, "resume"),
        (Strategy::Fork, "fork"),
        (Strategy::MergeFork, "merge_fork"),
    ]);
    check(&[(Placement::Whole, "whole"), (Placement::Addition, "addition")]);
}

#[test]
fn files_are_empty_only_if_none_is_named() {
    let one = |list: &str| serde_json::from_value::<Files>(json!({list: ["a"]})).unwrap();
    assert!(Files::default().is_empty());
    for (list, owned) in [("create", 1), ("modify", 1), ("delete", 1), ("read", 0)] {
        let files = one(list);
        assert!(!files.is_empty(), "{list}");
        assert_eq!(files.owned().count(), owned, "{list}");
    }
}

#[test]
fn traces_are_empty_only_if_nothing_is_traced() {
    assert!(Traces::default().is_empty());
    for list in ["stories", "criteria", "decisions"] {
        let traces: Traces = serde_json::from_value(json!({list: ["X-1"]})).unwrap();
        assert!(!traces.is_empty(), "{list}");
        assert_eq!(serde_json::to_value(&traces).unwrap(), json!({list: ["X-1"]}));
    }
}

#[test]
fn a_cycle_keeps_keys_that_no_reader_knows() {
    let written = json!({"feature": "login", "test_count": 2, "priority": {"a": 1}});
    let cycle: TddCycle = serde_json::from_value(written.clone()).unwrap();
    assert_eq!((cycle.test_count, cycle.extra.len()), (Some(2), 1));
    assert_eq!(serde_json::to_value(&cycle).unwrap(), written);
}

#[test]
fn a_block_of_code_is_a_whole_file_unless_it_says_otherwise() {
    let whole: CodeBlock = serde_json::from_value(json!({"path": "a.py", "code": "x = 1\r\n"})).unwrap();
    assert_eq!((whole.placement, whole.code.as_str()), (Placement::Whole, "x = 1\r\n"));
    assert_eq!(serde_json::to_value(&whole).unwrap(), json!({"path": "a.py", "code": "x = 1\r\n"}));
    let added = CodeBlock { placement: Placement::Addition, ..whole };
    assert_eq!(serde_json::to_value(&added).unwrap()["placement"], "addition");
}
