//! Every rule by the examples on its page: the bad one has the finding, the good one has not.

mod conditions;
mod findings;
mod pairs;
mod paths_and_scripts;
mod plans;

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use windlass_code::detect::is_test_path;
use windlass_core::diagnostic::Severity;
use windlass_core::graph::{Overlap, SealOptions, seal};
use windlass_core::plan::{
    CodeBlock, Criterion, Files, Interface, Loaded, Plan, Task, TddCycle, TestPlan, Verification,
};
use windlass_formats::{Dialect, Input, TextFile, read};

fn context(profile: Profile) -> LintContext<'static> {
    LintContext {
        profile,
        dialect: Dialect::Native,
        overrides: BTreeMap::new(),
        tokens: &|text| text.len() / 4,
        token_limits: crate::brief::TokenLimits {
            small: 1_500,
            answer: 1_000,
            ..crate::brief::TokenLimits::default()
        },
        exists: Some(&|path| path.contains("existing")),
    }
}

/// The fenced examples of a page below `Bad:` or `Good:`.
fn example(page: &str, label: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut current = "";
    let mut fence: Option<(String, String, String)> = None;
    for line in page.lines() {
        match &mut fence {
            Some((mark, _, _)) if line == mark => {
                let (_, info, text) = fence.take().unwrap();
                if current == label {
                    found.push((info, text));
                }
            }
            Some((_, _, text)) => {
                text.push_str(line);
                text.push('\n');
            }
            None if line.starts_with("```") => {
                let mark: String = line.chars().take_while(|c| *c == '`').collect();
                fence = Some((mark.clone(), line[mark.len()..].to_owned(), String::new()));
            }
            None if line.ends_with(':') && line.starts_with("Bad") => current = "Bad",
            None if line.ends_with(':') && line.starts_with("Good") => current = "Good",
            None => {}
        }
    }
    found
}

fn load(example: &[(String, String)]) -> Loaded {
    let mut files = Vec::new();
    let mut dialect = Dialect::Native;
    for (i, (info, text)) in example.iter().enumerate() {
        let task = format!("tasks/{i:02}.md");
        let (path, bytes) = match info.split(' ').collect::<Vec<_>>().as_slice() {
            ["toml"] => ("plan.toml", text.clone().into_bytes()),
            ["toml", "windlass.toml"] => continue,
            ["json", "zerg", path @ ..] => {
                dialect = Dialect::Zerg;
                (path.first().copied().unwrap_or("task-graph.json"), text.clone().into_bytes())
            }
            ["json", "ccw", ..] => {
                dialect = Dialect::Ccw;
                (".task/IMPL-1.json", text.clone().into_bytes())
            }
            ["bytes"] => (task.as_str(), with_bytes(text)),
            ["tasks"] => {
                files.extend(short_tasks(text));
                continue;
            }
            _ => (task.as_str(), text.clone().into_bytes()),
        };
        files.push(TextFile { path: path.to_owned(), bytes });
    }
    if dialect == Dialect::Native && !files.iter().any(|f| f.path == "plan.toml") {
        files.push(TextFile { path: "plan.toml".into(), bytes: b"name = \"example\"\n".to_vec() });
    }
    read(dialect, &Input { root: "example".into(), files })
}

/// A text in which `\xe9` stands for that byte.
fn with_bytes(text: &str) -> Vec<u8> {
    let mut parts = text.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
        bytes.extend(&part.as_bytes()[2..]);
    }
    bytes
}

/// One task per line: `B-{1..9} in B after A verified`.
fn short_tasks(text: &str) -> Vec<TextFile> {
    let mut files = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let (name, last) = match words[0].split_once("{1..") {
            Some((name, last)) => (name, last.trim_end_matches('}').parse().unwrap()),
            None => (words[0], 0),
        };
        let after = |word| words.iter().position(|w| *w == word).map(|at| words[at + 1]);
        let mut rest = String::new();
        for (word, key) in [("in", "parent"), ("after", "depends_on")] {
            rest.extend(after(word).map(|id| format!("{key}: {id}\n")));
        }
        let proof = if words.contains(&"verified") { "## Verification\n\n```bash\ntrue\n```\n" } else { "" };
        for n in last.min(1)..=last {
            let id = if last == 0 { name.to_owned() } else { format!("{name}{n}") };
            let bytes = format!("---\nid: {id}\n{rest}---\n\n{proof}").into_bytes();
            files.push(TextFile { path: format!("tasks/{id}.md"), bytes });
        }
    }
    files
}

/// The pools of an example's configuration.
fn pools(example: &[(String, String)]) -> BTreeMap<String, u32> {
    let text = example.iter().find(|(info, _)| info == "toml windlass.toml").map(|(_, text)| text.as_str());
    let table: toml::Table = text.unwrap_or_default().parse().unwrap();
    let pools = table.get("pools").and_then(toml::Value::as_table).into_iter().flatten();
    pools.map(|(name, n)| (name.clone(), u32::try_from(n.as_integer().unwrap()).unwrap())).collect()
}

/// Everything said about an example: by the reader, by sealing and by the rules.
fn codes(example: &[(String, String)], profile: Profile) -> BTreeSet<&'static str> {
    let loaded = load(example);
    let options = SealOptions {
        is_test: &is_test_path,
        max_depth: 3,
        overlap: Overlap::Order,
        tier_limits: BTreeMap::new(),
        pools: pools(example),
    };
    let sealed = match seal(&loaded.plan, &options) {
        Ok(sealed) => sealed.findings,
        Err(found) => found,
    };
    let session = example.iter().any(|(info, _)| info == "json ccw");
    let dialect = if session { Dialect::Ccw } else { Dialect::Native };
    let checked = check(&loaded.plan, &LintContext { dialect, ..context(profile) });
    loaded.diagnostics.iter().chain(&sealed).chain(&checked).map(|d| d.code).collect()
}

#[test]
fn every_rule_finds_its_bad_example_and_not_its_good_one() {
    for rule in rules() {
        let profile = Profile::ALL.into_iter().find(|p| rule.levels.get(*p).is_some()).unwrap();
        let (bad, good) = (example(rule.page(), "Bad"), example(rule.page(), "Good"));
        assert!(!bad.is_empty() && !good.is_empty(), "{} {} has no examples", rule.code, rule.name);
        let found = codes(&bad, profile);
        assert!(found.contains(rule.code), "{} is not found in its bad example: {found:?}", rule.code);
        let found = codes(&good, profile);
        assert!(!found.contains(rule.code), "{} is found in its good example: {found:?}", rule.code);
    }
}

#[test]
fn codes_and_names_are_unique_and_in_order() {
    let codes: Vec<&str> = rules().map(|r| r.code).collect();
    let mut sorted = codes.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(codes, sorted);
    let names: BTreeSet<&str> = rules().map(|r| r.name).collect();
    assert_eq!(names.len(), codes.len());
    for rule in rules() {
        assert!(!rule.page().is_empty(), "{} has no page", rule.code);
        assert!(!rule.summary.ends_with('.'), "{}", rule.code);
    }
}

#[test]
fn a_rule_is_found_by_code_and_by_name() {
    assert_eq!(explain("wl0301").map(|r| r.name), Some("no-proof"));
    assert_eq!(explain("no-proof").map(|r| r.code), Some("WL0301"));
    assert!(explain("WL9999").is_none());
}

#[test]
fn levels_can_be_set_and_rules_switched_off() {
    let plan =
        Plan { name: "p".into(), tasks: vec![Task { id: "a".into(), ..Task::default() }], ..Plan::default() };
    let levels = |key: &str, level: Option<Severity>| {
        let overrides = BTreeMap::from([(key.to_owned(), level)]);
        let found = check(&plan, &LintContext { overrides, ..context(Profile::Default) });
        found.iter().find(|d| d.code == "WL0301").map(|d| d.severity)
    };
    assert_eq!(levels("other", None), Some(Severity::Error));
    assert_eq!(levels("WL0301", Some(Severity::Note)), Some(Severity::Note));
    assert_eq!(levels("no-proof", None), None);
}

#[test]
fn a_rule_without_which_no_run_can_start_stays_an_error() {
    let plan = Plan { name: "p".into(), branch: Some("a..b".into()), ..Plan::default() };
    for (key, level) in [("WL0111", None), ("branch-name", Some(Severity::Note))] {
        let overrides = BTreeMap::from([(key.to_owned(), level)]);
        let found = check(&plan, &LintContext { overrides, ..context(Profile::Default) });
        let severity = found.iter().find(|d| d.code == "WL0111").map(|d| d.severity);
        assert_eq!(severity, Some(Severity::Error), "{key}");
    }
}

#[test]
fn another_tools_plan_is_warned_where_ours_is_refused() {
    let command = Some("pytest | tail".to_owned());
    let test = TestPlan { command, ..TestPlan::default() };
    let files = Files { create: vec!["a.py".into()], ..Files::default() };
    let task = Task { id: "a".into(), title: "a".into(), test, files, ..Task::default() };
    let plan = Plan { name: "p".into(), tasks: vec![task], ..Plan::default() };
    for (dialect, severity) in [(Dialect::Native, Severity::Error), (Dialect::Zerg, Severity::Warning)] {
        let found = check(&plan, &LintContext { dialect, ..context(Profile::Default) });
        let masked = found.iter().find(|d| d.code == "WL0303").map(|d| d.severity);
        assert_eq!(masked, Some(severity), "{dialect}");
    }
}

/// The files the guide shows: a fence after a comment `<!-- file: path -->`.
fn guide_example() -> Input {
    let guide = include_str!("../../../../docs/guide/plan-formats.md");
    let file = |part: &str| {
        let (path, rest) = part.split_once(" -->\n")?;
        let (mark, rest) = rest.split_at(rest.find(|c| c != '`')?);
        let (_, rest) = rest.split_once('\n')?;
        let (code, _) = rest.split_once(&format!("\n{mark}\n"))?;
        Some(TextFile { path: path.into(), bytes: format!("{code}\n").into_bytes() })
    };
    let files = guide.split("<!-- file: ").skip(1).filter_map(file).collect();
    Input { root: "plans/greeting".into(), files }
}

#[test]
fn the_guides_example_has_no_findings_in_its_own_profile() {
    let loaded = read(Dialect::Native, &guide_example());
    for profile in [Profile::Default, Profile::Contract] {
        let found = check(&loaded.plan, &context(profile));
        let worth: Vec<String> = found
            .iter()
            .filter(|d| d.severity > Severity::Note && d.code != "WL0103")
            .map(|d| format!("{profile} {}: {}", d.code, d.message))
            .collect();
        assert_eq!(worth, Vec::<String>::new());
    }
}

/// Texts with what shells, sentences and code are made of.
fn odd_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        2 => "[a-zé0-9]{1,5}",
        2 => prop::sample::select(vec![
            " ", "\n", "&&", "||", ";", "|", "&", "<<EOF", "<<-", "<", ">", "2>&1", "'", "\"", "`", "$(", ")", "(", "\\",
            "#", "cd ", "true", "exit", " 0", "/", "..", ".", "a.py", "::", "--x=", "given ", "when ", "then ", "< 3",
            "at least ", "returns ", "sees ", "throws ", "etc.", "...", "fn f(", "export const x", "TODO", "tests",
        ]).prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|p| p.concat())
}

fn odd_task() -> impl Strategy<Value = Task> {
    let names = ["a", "b", "A"];
    let id = prop_oneof![prop::sample::select(names.to_vec()).prop_map(str::to_owned), odd_text()];
    let some = || prop::collection::vec(odd_text(), 0..3);
    (id, some(), some(), odd_text(), odd_text(), prop::option::of(odd_text())).prop_map(
        |(id, list, more, x, y, z)| {
            let block = CodeBlock { path: z.clone(), code: x.clone(), ..CodeBlock::default() };
            Task {
                id,
                title: x.clone(),
                objective: y.clone(),
                depends_on: more.clone(),
                parent: z.clone(),
                criteria: list
                    .iter()
                    .map(|t| Criterion { text: t.clone(), ..Criterion::default() })
                    .collect(),
                files: Files {
                    create: list.clone(),
                    modify: more.clone(),
                    read: list.clone(),
                    delete: more.clone(),
                },
                test: TestPlan {
                    file: z.clone(),
                    command: Some(y.clone()),
                    none: z.clone(),
                    ..TestPlan::default()
                },
                contract: vec![block.clone()],
                test_code: vec![block],
                interfaces: vec![Interface { source: z, code: y.clone(), ..Interface::default() }],
                verification: Some(Verification { script: x, timeout_seconds: Some(0) }),
                done_when: list,
                tdd_cycles: vec![TddCycle::default()],
                notes: y,
                ..Task::default()
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_plan_makes_a_check_panic_and_parts_say_the_same(tasks in prop::collection::vec(odd_task(), 0..4), name in odd_text()) {
        let plan = Plan { name, tasks, ..Plan::default() };
        for profile in Profile::ALL {
            let context = context(profile);
            let whole = check(&plan, &context);
            for found in &whole {
                prop_assert!(explain(found.code).is_some(), "{} has no page", found.code);
            }
            let lint = Lint::new(&plan, &context);
            let (half, end) = (plan.tasks.len() / 2, plan.tasks.len());
            prop_assert_eq!(whole, lint.finish([lint.part(0..half), lint.part(half..end)]));
        }
    }
}
