//! The list of dialects: names, usual files, and what an unknown name says.

use super::fixtures;
use crate::{Dialect, Input, TextFile, UnknownDialect, detect, read, write};

#[test]
fn every_name_is_read_back() {
    for dialect in Dialect::ALL {
        assert_eq!(dialect.as_str().parse(), Ok(dialect));
        assert_eq!(serde_json::to_value(dialect).unwrap(), dialect.as_str());
        assert!(!dialect.usual_file().is_empty());
    }
}

#[test]
fn an_unknown_name_lists_the_known_ones() {
    let error = "yaml".parse::<Dialect>().unwrap_err();
    assert_eq!(error, UnknownDialect("yaml".into()));
    insta::assert_snapshot!(error, @"`yaml` is not a plan format; known formats: native, contract, ccw, zerg, homerun, superplanner, taskmaster, speckit");
}

#[test]
fn every_fixture_is_detected_as_its_dialect_alone() {
    for (dialect, input) in fixtures::all() {
        assert_eq!(detect(&input), [dialect]);
    }
}

#[test]
fn a_plan_is_detected_as_the_dialect_it_is_written_in() {
    for dialect in Dialect::ALL {
        let files = write(dialect, &fixtures::plain(), &|_| None);
        assert_eq!(detect(&Input { root: String::new(), files }), [dialect]);
    }
}

#[test]
fn an_input_without_a_plan_is_no_dialect_and_still_gives_a_plan() {
    let file = |path: &str, text: &str| TextFile { path: path.into(), bytes: text.into() };
    let files = vec![file("README.md", "# Hello\n"), file("data.json", "[1, 2]"), file("x.bin", "\0\0")];
    let input = Input { root: "here".into(), files };
    assert_eq!(detect(&input), []);
    for dialect in Dialect::ALL {
        let loaded = read(dialect, &input);
        assert_eq!(loaded.dialect, dialect.as_str());
        assert!(loaded.plan.tasks.is_empty(), "{dialect}");
        assert!(!loaded.diagnostics.is_empty(), "{dialect}");
    }
}
