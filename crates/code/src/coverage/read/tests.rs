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
