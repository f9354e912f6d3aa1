//! Tests of `source`.

use proptest::prelude::*;
use windlass_core::report::TestOutcome;

use super::*;

const FORMATS: [(Runner, ReportFormat); 14] = [
    (Runner::Pytest, ReportFormat::Junit),
    (Runner::Vitest, ReportFormat::Junit),
    (Runner::Junit, ReportFormat::Junit),
    (Runner::CargoTest, ReportFormat::Libtest),
    (Runner::Nextest, ReportFormat::NextestJson),
    (Runner::Jest, ReportFormat::JestJson),
    (Runner::NodeTest, ReportFormat::NodeEvents),
    (Runner::GoTest, ReportFormat::GoJson),
    (Runner::Unittest, ReportFormat::Unittest),
    (Runner::Rspec, ReportFormat::RspecJson),
    (Runner::Minitest, ReportFormat::Minitest),
    (Runner::Phpunit, ReportFormat::Junit),
    (Runner::Ctest, ReportFormat::Junit),
    (Runner::Tap, ReportFormat::Tap),
];

fn source(runner: Runner, format: ReportFormat, place: ReportPlace) -> ReportSource {
    ReportSource { runner, format, place, need: Need::Required }
}

#[test]
fn a_missing_report_counts_only_when_all_are_asked_for() {
    let file = |name: &str| source(Runner::Tap, ReportFormat::Tap, ReportPlace::File(name.to_owned()));
    let files = |name: &str| (name == "a").then(|| b"1..1\nok 1 - works\n".to_vec());
    let both = [file("a"), file("b")];
    assert_eq!(read_all(&both, &files, b""), Ok(None));
    assert_eq!(read_any(&both, &files, b"").unwrap().unwrap().tests.len(), 1);
    assert_eq!(read_all(&both[..1], &files, b"").unwrap().unwrap().tests.len(), 1);
    assert_eq!(read_any(&both[1..], &files, b""), Ok(None));
}

#[test]
fn the_worse_of_two_calls_stays() {
    let place = |name: &str| source(Runner::Tap, ReportFormat::Tap, ReportPlace::File(name.to_owned()));
    let files = |name: &str| {
        let text = if name == "a" { "1..1\nok 1 - x\n" } else { "1..1\nnot ok 1 - x\n" };
        Some(text.as_bytes().to_vec())
    };
    let report = read_all(&[place("a"), place("b")], &files, b"").unwrap().unwrap();
    assert_eq!(report.tests.get("x"), Some(&TestOutcome::Failed));
    assert!(report.duplicates.is_empty());
}

/// Pieces that the formats are made of, in any order.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just("running 2 tests\n".to_owned()),
        Just("test a ... ok\n".to_owned()),
        Just("failures:\n".to_owned()),
        Just("test result: ok. 1 passed; 0 failed; 1 ignored; 0 measured\n".to_owned()),
        Just("     Running tests/a.rs (x-1)\n".to_owned()),
        Just("<testsuite tests=\"1\">".to_owned()),
        Just("<testcase name=\"a&#10;\" classname='b'>".to_owned()),
        Just("<failure/></testcase></testsuite>&bad;".to_owned()),
        Just("{\"type\":\"test\",\"event\":\"ok\",\"name\":\"a$b\"}\n".to_owned()),
        Just("{\"Action\":\"pass\",\"Package\":\"p\",\"Test\":\"T\"}\n".to_owned()),
        Just("{\"total\":1}\n".to_owned()),
        Just("test_a (m.T.test_a) ... ok\nRan 1 test in 0s\n".to_owned()),
        Just("T#test_a = 0.00 s = .\n1 runs, 1 assertions, 0 failures\n".to_owned()),
        Just("  test_a:\t\t.: (0.1)\n1 tests, 1 assertions\n".to_owned()),
        Just("[ RUN      ] A.B\n[       OK ] A.B (0 ms)\n".to_owned()),
        Just("1..3\nok 1 - a # SKIP\n".to_owned()),
        Just("        # Subtest: x\n    not ok 7\n".to_owned()),
        "\\PC{0,20}",
        "[ -~\n]{0,30}",
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|parts| parts.concat().into_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn no_bytes_are_too_strange(bytes in prop_oneof![pieces(), proptest::collection::vec(any::<u8>(), 0..300)]) {
        for (runner, format) in FORMATS {
            // No result is expected, only that reading ends without a panic.
            let _ = read(&source(runner, format, ReportPlace::Output), &|_| None, &bytes);
        }
    }
}

#[test]
fn messages_are_cut_and_counted() {
    let mut report = TestReport::new(Runner::Tap);
    keep_message(&mut report, "blank", " \n ");
    keep_message(&mut report, "short", "\n why \n");
    keep_message(&mut report, "long", &format!("{}the cause", "ü".repeat(8000)));
    assert_eq!(report.messages.get("blank"), None);
    assert_eq!(report.messages["short"], "why");
    assert!(report.messages["long"].len() <= 8 * 1024 && report.messages["long"].ends_with("the cause"));
    for number in 0..300 {
        keep_message(&mut report, &number.to_string(), "x");
    }
    assert_eq!(report.messages.len(), 200);
}

#[test]
fn errors_in_words() {
    let detail = || "why".to_owned();
    let table = [
        (
            ReportError::Malformed { format: ReportFormat::Junit, detail: detail() },
            "the JUnit report cannot be read: why",
        ),
        (
            ReportError::Incomplete { format: ReportFormat::NodeEvents, detail: detail() },
            "the node report is incomplete: why",
        ),
        (
            ReportError::CountMismatch { what: "tests", stated: 2, named: 1 },
            "the report says 2 tests but names 1",
        ),
    ];
    for (error, expected) in table {
        assert_eq!(error.to_string(), expected);
    }
}

/// A report that need not be there is left out where it is missing or names no test.
#[test]
fn optional_reports() {
    let optional = |name: &str| ReportSource {
        need: Need::IfPresent,
        ..source(Runner::Tap, ReportFormat::Tap, ReportPlace::File(name.to_owned()))
    };
    let required = |name: &str| source(Runner::Tap, ReportFormat::Tap, ReportPlace::File(name.to_owned()));
    let files = |name: &str| match name {
        "one" => Some(b"1..1\nok 1 - a\n".to_vec()),
        "empty" => Some(b"1..0\n".to_vec()),
        _ => None,
    };
    let table = [
        (vec![optional("one")], Some(1)),
        (vec![optional("gone")], None),
        (vec![optional("empty")], None),
        (vec![required("empty")], Some(0)),
        (vec![required("one"), optional("gone")], Some(1)),
        (vec![optional("one"), required("gone")], None),
        (vec![], None),
    ];
    for (sources, expected) in table {
        let found = read_all(&sources, &files, b"").unwrap().map(|report| report.tests.len());
        assert_eq!(found, expected, "{sources:?}");
    }
}

/// Calls that print to one stream are read once; a report that cannot be believed spoils the others.
#[test]
fn the_output_of_a_run() {
    let output = source(Runner::Tap, ReportFormat::Tap, ReportPlace::Output);
    let both = [output.clone(), output.clone()];
    let report = read_any(&both, &|_| None, b"1..1\nok 1 - a\n").unwrap().unwrap();
    assert!(report.duplicates.is_empty() && report.tests.len() == 1);
    assert!(read_any(&both, &|_| None, b"1..2\nok 1 - a\n").is_err());
    assert_eq!(read_any(&both, &|_| None, b"nothing"), Ok(None));
}
