//! Tests of `node`.

use super::*;

const RUN: &str = r#"{"file":"nt/a.test.js","path":["adds"],"suite":false,"whole":false,"outcome":"pass"}
{"file":"nt/a.test.js","path":["suite","inner fail"],"suite":false,"whole":false,"outcome":"fail"}
{"file":"nt/a.test.js","path":["suite"],"suite":true,"whole":false,"outcome":"fail"}
{"file":"nt/a.test.js","path":["later"],"suite":false,"whole":false,"outcome":"todo"}
{"file":"nt/b.test.js","path":["adds"],"suite":false,"whole":false,"outcome":"pass"}
{"file":"nt/gone.test.js","path":["/w/nt/gone.test.js"],"suite":false,"whole":true,"outcome":"fail"}
{"total":5}
"#;

#[test]
fn tests_are_named_by_file() {
    let report = read(Runner::NodeTest, RUN.as_bytes()).unwrap();
    insta::assert_debug_snapshot!(report.tests, @r#"
        {
            "nt/a.test.js > adds": Passed,
            "nt/a.test.js > later": Skipped,
            "nt/a.test.js > suite > inner fail": Failed,
            "nt/b.test.js > adds": Passed,
            "nt/gone.test.js": Errored,
        }
        "#);
}

#[test]
fn a_broken_or_lying_report_is_an_error() {
    assert!(matches!(
        read(Runner::NodeTest, RUN.replace("{\"total\":5}\n", "").as_bytes()),
        Err(ReportError::Incomplete { .. })
    ));
    assert!(matches!(
        read(Runner::NodeTest, RUN.replace("5}", "6}").as_bytes()),
        Err(ReportError::CountMismatch { what: "tests", stated: 6, named: 5 })
    ));
    assert!(read(Runner::NodeTest, b"garbage").is_err());
}

/// A line about a test of `a.js`.
fn line(path: &str, suite: bool, whole: bool, outcome: &str) -> String {
    format!(
        "{{\"file\":\"a.js\",\"path\":[{path}],\"suite\":{suite},\"whole\":{whole},\"outcome\":\"{outcome}\"}}\n"
    )
}

#[test]
fn lines_of_the_reporter() {
    let test = |outcome| line("\"t\"", false, false, outcome);
    let table = [
        (test("pass") + "{\"total\":1}\n", "a.js > t Passed"),
        (test("fail") + "{\"total\":1}\n", "a.js > t Failed"),
        (test("skip") + "{\"total\":1}\n", "a.js > t Skipped"),
        (test("todo") + "{\"total\":1}\n", "a.js > t Skipped"),
        (test("other") + "{\"total\":1}\n", "a.js > t Errored"),
        (test("pass") + "{\"total\":null}\n", "a.js > t Passed"),
        (line("\"s\",\"t\"", false, false, "pass") + "{\"total\":1}\n", "a.js > s > t Passed"),
        // A suite is no test, unless it failed and none of its tests did.
        (line("\"s\"", true, false, "pass") + "{\"total\":0}\n", ""),
        (line("\"s\"", true, false, "fail") + "{\"total\":0}\n", "a.js > s Errored"),
        (
            line("\"s\",\"t\"", false, false, "fail")
                + &line("\"s\"", true, false, "fail")
                + "{\"total\":1}\n",
            "a.js > s > t Failed",
        ),
        // A file without tests is no test; one that does not load is an error.
        (line("\"a.js\"", false, true, "pass") + "{\"total\":1}\n", ""),
        (line("\"a.js\"", false, true, "fail") + "{\"total\":1}\n", "a.js Errored"),
        ("{\"total\":0}\n".to_owned(), ""),
        (test("pass") + "{\"total\":2}\n", "the report says 2 tests but names 1"),
        (test("pass"), "the node report is incomplete: no totals at the end"),
        (String::new(), "the node report is incomplete: no totals at the end"),
    ];
    for (text, expected) in table {
        let shown = match read(Runner::NodeTest, text.as_bytes()) {
            Ok(report) => {
                let all: Vec<String> =
                    report.tests.iter().map(|(name, outcome)| format!("{name} {outcome:?}")).collect();
                all.join(", ")
            }
            Err(error) => error.to_string(),
        };
        assert_eq!(shown, expected, "{text}");
    }
}

#[test]
fn the_same_title_twice_is_a_duplicate() {
    let test = line("\"t\"", false, false, "pass");
    let report = read(Runner::NodeTest, format!("{test}{test}{{\"total\":2}}\n").as_bytes()).unwrap();
    assert_eq!(report.duplicates, ["a.js > t"]);
}
