//! Answers to `pre_analysis` steps.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;

use super::*;
use windlass_code::survey::{Export, ExportKind, FileFacts, Language, Survey};
use windlass_core::plan::Plan;

#[test]
fn what_files_can_tell_is_told_and_the_rest_is_passed_on() {
    let export = Export {
        name: "total".into(),
        kind: ExportKind::Function,
        signature: "def total(lines) -> int".into(),
        line: 1,
    };
    let facts = FileFacts {
        language: Language::Python,
        exports: vec![export],
        imports: Vec::new(),
        bases: Vec::new(),
        tests: Vec::new(),
        style: None,
        fixtures: Vec::new(),
        package: None,
        broken: None,
    };
    let survey = Survey::of(
        vec!["docs/a.md".into(), "shop/cart.py".into(), "shop/line.py".into()],
        BTreeMap::from([("shop/cart.py".to_owned(), Arc::new(facts))]),
    );
    let read = |path: &str| {
        let text = if path == "docs/a.md" { "# Carts\n\nwords\n" } else { "def total(lines):\n    pass\n" };
        Some(text.to_owned())
    };
    let plan = Plan::default();
    let around = BriefInputs { plan: &plan, survey: &survey, read: &read };
    let asked = vec![
        json!({ "step": "read", "commands": ["Read(shop/cart.py)", "bash(cat docs/a.md)"] }),
        json!({ "step": "search", "commands": ["rg \"def total\" shop", "rg 'x|y'", "git log | head"] }),
        json!({ "step": "list", "commands": ["ls shop/"] }),
        json!("see `shop/cart.py`"),
        json!({ "step": "nothing", "action": "think" }),
    ];
    let task = Task { pre_analysis: asked, ..Task::default() };
    let told: Vec<String> =
        analyses(&task, &around).into_iter().map(|a| format!("# {}\n{}\n", a.title, a.text)).collect();
    insta::assert_snapshot!(told.concat(), @"
    # read
    `shop/cart.py`:
        def total(lines) -> int
    `docs/a.md`:
        # Carts
        words
    # search
    `def total` found in:
        shop/cart.py:1: def total(lines):
    not looked up: `rg 'x|y'`
    not looked up: `git log | head`
    # list
    `shop/` has 2 files:
        shop/cart.py
        shop/line.py
    # see `shop/cart.py`
    `shop/cart.py`:
        def total(lines) -> int
    ");
}

/// A survey of plain paths; every file has the text `name = "cart"`.
fn answered(steps: &[serde_json::Value], paths: &[&str]) -> Vec<String> {
    let survey = Survey::of(paths.iter().map(|path| (*path).to_owned()).collect(), BTreeMap::new());
    let plan = Plan::default();
    let around =
        BriefInputs { plan: &plan, survey: &survey, read: &|_| Some("\nname = \"cart\"\r\n".into()) };
    let task = Task { pre_analysis: steps.to_vec(), ..Task::default() };
    analyses(&task, &around).into_iter().map(|a| format!("{}: {}", a.title, a.text)).collect()
}

#[test]
fn the_title_is_that_of_the_step() {
    let paths = ["a.toml"];
    let table = [
        (json!({ "step": "s", "title": "t", "x": "a.toml" }), "s"),
        (json!({ "action": "act", "name": "n", "x": "a.toml" }), "act"),
        (json!({ "name": "n", "x": "a.toml" }), "n"),
        (json!(["see a.toml"]), "see a.toml"),
    ];
    for (step, title) in table {
        let said = answered(std::slice::from_ref(&step), &paths);
        assert_eq!(said, [format!("{title}: `a.toml`:\n    name = \"cart\"")], "{step}");
    }
}

#[test]
fn steps_without_an_answer_are_left_out() {
    for step in
        [json!(null), json!(3), json!([]), json!({}), json!("think"), json!("rg"), json!("see b.toml")]
    {
        assert_eq!(answered(std::slice::from_ref(&step), &["a.toml"]), Vec::<String>::new(), "{step}");
    }
}

#[test]
fn commands_that_files_cannot_answer_are_passed_on() {
    let table = [
        "git log --oneline",
        "rg 'a|b' src",
        "rg ab",
        "cat missing.toml",
        "ls missing",
        "ls a && rm -rf b",
        "bash(npm test)",
        "mcp__search(cart)",
    ];
    for command in table {
        assert_eq!(
            answered(&[json!({ "step": "s", "c": command })], &["a.toml"]),
            [format!("s: not looked up: `{command}`")]
        );
    }
    // A backtick would end the code in the brief.
    let said = answered(&[json!({ "step": "s", "c": "git log `x`" })], &["a.toml"]);
    assert_eq!(said, ["s: not looked up: `git log 'x'`"]);
}

#[test]
fn folders_are_listed_up_to_a_limit() {
    let paths: Vec<String> = (0..20).map(|n| format!("src/m{n:02}.toml")).collect();
    let mut paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    paths.push("srcs/other.toml");
    for command in ["ls src", "ls -la ./src/", "find src", "Glob(src/*)", "tree src extra"] {
        let said = answered(&[json!({ "step": "s", "c": command })], &paths).concat();
        assert!(said.starts_with("s: `src/` has 20 files:\n    src/m00.toml\n"), "{command}: {said}");
        assert_eq!(said.lines().count(), 1 + LINES, "{command}");
    }
}
