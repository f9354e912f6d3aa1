//! Tests of `go`.

use super::*;

const RUN: &str = r#"{"Action":"start","Package":"example.com/lab/calc"}
{"Action":"run","Package":"example.com/lab/calc","Test":"TestAdd"}
{"Action":"output","Package":"example.com/lab/calc","Test":"TestAdd","Output":"--- PASS: TestAdd (0.00s)\n"}
{"Action":"pass","Package":"example.com/lab/calc","Test":"TestAdd","Elapsed":0}
{"Action":"run","Package":"example.com/lab/calc","Test":"TestTable/b_b"}
{"Action":"skip","Package":"example.com/lab/calc","Test":"TestTable/b_b"}
{"Action":"run","Package":"example.com/lab/calc","Test":"TestHangs"}
not json
{"Action":"fail","Package":"example.com/lab/calc","Elapsed":0.004}
{"ImportPath":"example.com/lab/miss [example.com/lab/miss.test]","Action":"build-fail"}
{"Action":"fail","Package":"example.com/lab/miss","Elapsed":0,"FailedBuild":"example.com/lab/miss"}
"#;

#[test]
fn events_become_outcomes() {
    let report = read(RUN.as_bytes(), None).unwrap().unwrap();
    insta::assert_debug_snapshot!(report.tests, @r#"
        {
            "example.com/lab/calc TestAdd": Passed,
            "example.com/lab/calc TestHangs": Failed,
            "example.com/lab/calc TestTable/b_b": Skipped,
            "example.com/lab/miss": Errored,
        }
        "#);
    assert_eq!(read(b"FAIL\n", None), Ok(None));
    let event = br#"{"Action":"pass","Package":"example.com/api/store","Test":"TestA"}"#;
    let placed = read(event, Some("example.com/api backend")).unwrap().unwrap();
    assert_eq!(placed.tests.keys().collect::<Vec<_>>(), ["backend/store TestA"]);
}

/// The tests of a report as `name Outcome`, or why there is none.
fn shown(text: &str, module: Option<&str>) -> String {
    match read(text.as_bytes(), module).unwrap() {
        Some(report) => {
            let all: Vec<String> =
                report.tests.iter().map(|(name, outcome)| format!("{name} {outcome:?}")).collect();
            all.join(", ")
        }
        None => "none".to_owned(),
    }
}

/// One event of package `p`.
fn event(action: &str, test: &str) -> String {
    format!("{{\"Action\":\"{action}\",\"Package\":\"p\",\"Test\":\"{test}\"}}\n")
}

#[test]
fn runs() {
    let package_failed = "{\"Action\":\"fail\",\"Package\":\"p\"}\n";
    let table = [
        (String::new(), "none"),
        ("# p\np/a.go:3: undefined: X\nFAIL\n".to_owned(), "none"),
        ("{\"Action\":\"pass\"}\n".to_owned(), "none"),
        ("{\"Action\":\"start\",\"Package\":\"p\"}\n".to_owned(), ""),
        (event("pass", "TestA"), "p TestA Passed"),
        (event("fail", "TestA"), "p TestA Failed"),
        (event("skip", "TestA"), "p TestA Skipped"),
        (event("bench", "TestA"), ""),
        // A test that never ended, as when the process is killed.
        (event("run", "TestA"), "p TestA Errored"),
        (event("run", "TestA") + &event("pass", "TestA"), "p TestA Passed"),
        (event("pass", "TestA") + &event("fail", "TestA"), "p TestA Failed"),
        (event("pass", "TestA/a_b#01"), "p TestA/a_b#01 Passed"),
        (event("pass", "TestÄ/<b>"), "p TestÄ/<b> Passed"),
        // A program that ended with an error while tests were under way: a panic in a goroutine, `os.Exit(1)`.
        (event("run", "TestA") + package_failed, "p TestA Failed"),
        (
            event("run", "TestA") + &event("run", "TestA/b") + package_failed,
            "p TestA Failed, p TestA/b Failed",
        ),
        (event("run", "TestA") + &event("pause", "TestA") + package_failed, "p TestA Errored"),
        (
            event("run", "TestA") + &event("pause", "TestA") + &event("cont", "TestA") + package_failed,
            "p TestA Failed",
        ),
        // The package itself stands in for a test only where none of its tests failed.
        (package_failed.to_owned(), "p Errored"),
        (event("pass", "TestA") + package_failed, "p Errored, p TestA Passed"),
        (event("fail", "TestA") + package_failed, "p TestA Failed"),
        // Lines that are no event, and half a line at the end.
        (format!("ok\n{{}}\n[1]\n{}{{\"Action\":\"pa", event("pass", "TestA")), "p TestA Passed"),
        (event("pass", "TestA").replace('\n', "\r\n"), "p TestA Passed"),
    ];
    for (text, expected) in table {
        assert_eq!(shown(&text, None), expected, "{text}");
    }
}

#[test]
fn a_second_result_of_a_name_is_a_duplicate() {
    let text = event("pass", "TestA") + &event("pass", "TestA") + &event("pass", "TestB");
    assert_eq!(read(text.as_bytes(), None).unwrap().unwrap().duplicates, ["p TestA"]);
}

#[test]
fn the_directory_takes_the_place_of_the_module() {
    let table = [
        ("example.com/api", "backend T Passed"),
        ("example.com/api/store", "backend/store T Passed"),
        ("example.com/apis", "example.com/apis T Passed"),
        ("other", "other T Passed"),
    ];
    for (package, expected) in table {
        let text = format!("{{\"Action\":\"pass\",\"Package\":\"{package}\",\"Test\":\"T\"}}");
        assert_eq!(shown(&text, Some("example.com/api backend")), expected);
        assert_eq!(shown(&text, Some("no-directory")), format!("{package} T Passed"));
    }
}

/// What `go test -json` says of a program that ends itself with success in the middle of a test.
#[test]
fn a_test_that_never_said_that_it_passed_is_open() {
    let line = r#"{"Action":"output","Package":"p","Test":"TestA","Output":"ok  \tp\t0.019s\n"}"#;
    let cut = format!("{}{line}\n{}", event("run", "TestA"), event("pass", "TestA"));
    assert_eq!(shown(&cut, None), "p TestA Errored");
    let printed = line.replace("\\tp\\t", "\\tother\\t");
    let honest = format!("{}{printed}\n{}", event("run", "TestA"), event("pass", "TestA"));
    assert_eq!(shown(&honest, None), "p TestA Passed");
}
