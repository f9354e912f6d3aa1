//! Tests of `read`.

use super::*;

#[test]
fn reports_are_counted_by_file() {
    let lcov = b"TN:\nSF:src/a.js\nDA:1,1\nDA:2,0\nend_of_record\nSF:src/b.js\nend_of_record\n";
    let found = read(CoverageFormat::Lcov, lcov);
    assert_eq!(found["src/a.js"], LineCoverage { covered: 1, total: 2 });
    assert!((found["src/b.js"].percent() - 100.0).abs() < f64::EPSILON);
    let go = b"mode: set\nx/a.go:3.14,5.2 2 1\nx/a.go:7.1,9.2 2 0\n";
    assert_eq!(read(CoverageFormat::GoProfile, go)["x/a.go"], LineCoverage { covered: 2, total: 4 });
    let py = br#"{"files":{"a.py":{"summary":{"covered_lines":3,"num_statements":4}}}}"#;
    assert_eq!(read(CoverageFormat::CoveragePy, py)["a.py"], LineCoverage { covered: 3, total: 4 });
}

proptest::proptest! {
    #[test]
    fn garbage_is_read_without_a_panic(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200)) {
        for format in [CoverageFormat::CoveragePy, CoverageFormat::Lcov, CoverageFormat::GoProfile] {
            let _ = read(format, &bytes);
        }
    }
}

/// Each format: lines that count, and lines that do not.
#[test]
fn lines_of_reports() {
    let one = |format, text: &str| {
        let found = read(format, text.as_bytes());
        found
            .into_iter()
            .map(|(path, lines)| format!("{path} {}/{}", lines.covered, lines.total))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let lcov = [
        ("SF:a\nDA:1,1\nDA:2,0\nend_of_record\n", "a 1/2"),
        ("SF:a\r\nDA:1,1\r\nend_of_record\r\n", "a 1/1"),
        ("SF:a\nDA:1,1,hash\nend_of_record\n", "a 1/1"),
        ("SF:a\nDA:1,x\nDA:2\nDA:3,-1\nend_of_record\n", "a 0/0"),
        ("SF:a\nDA:1,1\nend_of_record\nDA:2,1\n", "a 1/1"),
        ("SF:a\nDA:1,1\nend_of_record\nSF:a\nDA:1,0\nend_of_record\n", "a 1/2"),
        ("DA:1,1\n", ""),
        ("", ""),
    ];
    for (text, expected) in lcov {
        assert_eq!(one(CoverageFormat::Lcov, text), expected, "{text}");
    }
    let go = [
        ("mode: set\na.go:1.1,2.2 3 1\n", "a.go 3/3"),
        ("mode: count\na.go:1.1,2.2 3 0\na.go:4.1,5.2 1 9\n", "a.go 1/4"),
        ("mode: set\nC:/a.go:1.1,2.2 1 1\n", "C:/a.go 1/1"),
        ("a.go:1.1,2.2 x 1\na.go:1.1,2.2 1\nno colon\n", ""),
        ("a.go:1,2 18446744073709551615 1\na.go:3,4 1 1\n", "a.go 18446744073709551615/18446744073709551615"),
    ];
    for (text, expected) in go {
        assert_eq!(one(CoverageFormat::GoProfile, text), expected, "{text}");
    }
    let python = [
        (r#"{"files":{"a":{"summary":{"covered_lines":1,"num_statements":2}}}}"#, "a 1/2"),
        (r#"{"files":{"a":{"summary":{"covered_lines":1}},"b":{}}}"#, ""),
        (r#"{"files":[]}"#, ""),
        (r#"{"files""#, ""),
        ("", ""),
    ];
    for (text, expected) in python {
        assert_eq!(one(CoverageFormat::CoveragePy, text), expected, "{text}");
    }
}

#[test]
fn per_cent() {
    let table = [(0, 0, 100.0), (0, 4, 0.0), (1, 4, 25.0), (4, 4, 100.0)];
    for (covered, total, expected) in table {
        assert!((LineCoverage { covered, total }.percent() - expected).abs() < f64::EPSILON);
    }
}
