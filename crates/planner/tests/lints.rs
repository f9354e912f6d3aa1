//! The table of rules in the guide is the catalogue's. After a change of a rule:
//! `WINDLASS_BLESS=1 cargo test -p windlass-core --test lints` writes it anew.
#![expect(clippy::disallowed_methods, reason = "the test compares with a file of the repository")]

use std::path::PathBuf;

use windlass_core::diagnostic::Severity;
use windlass_planner::lint::{Profile, rules};

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/lints/README.md")
}

fn level(severity: Option<Severity>) -> &'static str {
    match severity {
        None => "",
        Some(Severity::Note) => "note",
        Some(Severity::Warning) => "warning",
        Some(Severity::Error) => "**error**",
    }
}

fn table() -> String {
    let mut lines = vec![
        "# Rules".to_owned(),
        String::new(),
        "Every finding has a code. `windlass explain WL0301` shows its page; the pages are the files beside this one,".into(),
        "one per family. How hard a rule is taken depends on the profile, and can be set by code or name in".into(),
        "`windlass.toml`. An empty cell means that the rule is off.".into(),
        String::new(),
        format!("| code | name | {} | |", Profile::ALL.map(Profile::as_str).join(" | ")),
        format!("|---|---|{}---|", "---|".repeat(Profile::ALL.len())),
    ];
    for rule in rules() {
        let levels = Profile::ALL.map(|p| level(rule.levels.get(p))).join(" | ");
        lines.push(format!("| {} | `{}` | {levels} | {} |", rule.code, rule.name, rule.summary));
    }
    lines.join("\n") + "\n"
}

#[test]
fn the_table_of_rules_is_current() {
    if std::env::var_os("WINDLASS_BLESS").is_some() {
        std::fs::write(file(), table()).unwrap();
    }
    let committed = std::fs::read_to_string(file()).unwrap_or_default();
    assert!(
        committed == table(),
        "docs/guide/lints/README.md is out of date: see the head of this test file"
    );
}
