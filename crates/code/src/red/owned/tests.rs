//! Tests of `owned`.

use super::*;

/// What an answer is where a task owns these files and its contract exports these names.
pub(crate) fn with_owned<T>(files: &[&str], names: &[&str], ask: impl Fn(OwnedFiles<'_>) -> T) -> T {
    let own = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let (files, names) = (own(files), own(names));
    ask(OwnedFiles { files: &files, names: &names, present: &[] })
}

#[test]
fn names_and_printed_paths() {
    let names = &["Parser.parse"];
    assert!(with_owned(&[], names, |owned| owned.promises("parse") && !owned.promises("pars")));
    let has = |printed: &str| with_owned(&["src/lexer.rs"], &[], |owned| owned.has_path(printed));
    assert!(has("/tmp/w/src/lexer.rs") && !has("/tmp/w/xsrc/lexer.rs"));
}
