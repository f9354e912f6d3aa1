//! What a record of evidence comes to as in-toto statements: `test-result` and `svr`.

use serde_json::{Value, json};
use windlass_core::criteria::Standing;
use windlass_core::report::TestOutcome;
use windlass_engine::audit::Audited;
use windlass_engine::integrate::Evidence;
use windlass_engine::{BiteRecord, BiteSeen, GateRecord, ProofStrength};

const STATEMENT: &str = "https://in-toto.io/Statement/v1";
const TEST_RESULT: &str = "https://in-toto.io/attestation/test-result/v0.1";
const VERIFICATION: &str = "https://in-toto.io/attestation/svr/v0.2";
/// The verifier; the number changes when a property means something else.
const VERIFIER: &str = "urn:windlass:verifier:1";

/// The statements of a record, each with the short name of its predicate.
pub(super) fn of(record: &Audited, evidence: &Evidence, time: &str) -> [(&'static str, Value); 2] {
    let statement = |kind: &str, predicate: Value| {
        json!({
            "_type": STATEMENT,
            "subject": [
                { "name": "commit", "digest": { "gitCommit": record.commit.as_str() } },
                { "name": "tree", "digest": { "gitTree": evidence.green.tree.as_str() } },
            ],
            "predicateType": kind,
            "predicate": predicate,
        })
    };
    [
        ("test-result", statement(TEST_RESULT, test_result(record, evidence))),
        ("svr", statement(VERIFICATION, verification(evidence, time))),
    ]
}

fn test_result(record: &Audited, evidence: &Evidence) -> Value {
    let tests = evidence.green.gates.iter().filter_map(|gate| gate.report.as_ref()).flat_map(|r| &r.tests);
    let (mut passed, mut failed): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for (name, outcome) in tests {
        match outcome {
            TestOutcome::Passed => passed.push(name),
            TestOutcome::Failed | TestOutcome::Errored => failed.push(name),
            TestOutcome::Skipped => {}
        }
    }
    for names in [&mut passed, &mut failed] {
        names.sort_unstable();
        names.dedup();
    }
    let mut configuration: Vec<Value> = Vec::new();
    if let Some(blob) = &record.blob {
        let name = format!("evidence of task {}", evidence.task);
        configuration.push(json!({ "name": name, "digest": { "gitBlob": blob.as_str() } }));
    }
    if let Some(plan) = &evidence.plan_text {
        configuration.push(json!({ "name": "plan", "digest": { "gitBlob": plan.as_str() } }));
    }
    for gate in &evidence.green.gates {
        let facts = json!({ "command": gate.command, "exit": gate.exit, "strength": gate.strength });
        configuration.push(json!({ "name": gate.gate.as_str(), "annotations": facts }));
    }
    // Tests that failed on the base already and still do are named, and are why it is no plain pass.
    let result = if failed.is_empty() { "PASSED" } else { "WARNED" };
    json!({ "result": result, "configuration": configuration, "passedTests": passed, "warnedTests": failed, "failedTests": [] })
}

fn verification(evidence: &Evidence, time: &str) -> Value {
    let mut properties = vec!["WINDLASS_TREE_VERIFIED_BEFORE_MERGE".to_owned()];
    properties.push(format!("WINDLASS_MODE_{}", evidence.mode.as_str().to_uppercase().replace('-', "_")));
    if evidence.red.is_some() {
        properties.push("WINDLASS_TESTS_SEEN_RED".to_owned());
    }
    let named = |gate: &GateRecord| gate.report.is_some() && gate.strength == ProofStrength::Named;
    if evidence.green.gates.iter().any(named) {
        properties.push("WINDLASS_TESTS_GREEN_BY_NAME".to_owned());
    }
    let bites = |bite: &BiteRecord| matches!(bite.seen, BiteSeen::Failed { .. });
    if !evidence.green.bites.is_empty() && evidence.green.bites.iter().all(bites) {
        properties.push("WINDLASS_TESTS_NOTICE_CHANGED_EXPECTATIONS".to_owned());
    }
    for criterion in evidence.criteria.iter().filter(|c| c.standing == Standing::Proved) {
        properties.push(format!("WINDLASS_CRITERION_PROVED_{}", criterion.criterion));
    }
    json!({
        "verifier": { "id": VERIFIER, "program": evidence.windlass },
        "timeCreated": time,
        "properties": properties,
    })
}
