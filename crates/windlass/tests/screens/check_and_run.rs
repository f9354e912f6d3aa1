//! What is checked is what runs: `run` refuses nothing about a plan that `check` has not reported as an error, and both
//! see the same tasks with the same content: mode, files, tests, criteria. Over every example of the rules' pages, and over one plan in every format.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use windlass_core::graph::task_hash;
use windlass_core::plan::Task;

use crate::plans;
use crate::space::Space;

const FORMATS: [&str; 8] =
    ["native", "zerg", "homerun", "ccw", "superplanner", "contract", "taskmaster", "speckit"];

/// Standard output, and the exit code.
fn outcome(space: &Space, arguments: &[&str]) -> (String, String, i32) {
    let said = space.run(arguments);
    let (text, code) = said.rsplit_once("--- exit ").unwrap();
    let (out, told) = text.split_once("--- told\n").unwrap_or((text, ""));
    (out.to_owned(), told.to_owned(), code.parse().unwrap())
}

/// Why `check` and `run --dry-run` disagree about a plan, if they do.
fn disagreement(space: &Space, plan: &str) -> Option<String> {
    let (checked, told, code) = outcome(space, &["check", plan, "--format", "json"]);
    let Ok(findings) = serde_json::from_str::<Value>(&checked) else {
        let (_, run_told, run_code) = outcome(space, &["run", plan, "--dry-run"]);
        return (run_code != code).then(|| format!("no report: {told}\nrun: {run_told}"));
    };
    let findings = findings["diagnostics"].as_array().unwrap();
    let has_errors = findings.iter().any(|f| f["severity"] == "error");
    let (dry, told, run_code) = outcome(space, &["run", plan, "--dry-run", "--json"]);
    if has_errors != (run_code == 1) || has_errors != (code == 1) || run_code > 1 {
        return Some(format!("check exits with {code}, run with {run_code}: {told}"));
    }
    if has_errors {
        return None;
    }
    let ids = |text: &str, pointer: &str| -> BTreeSet<String> {
        let list: Value = serde_json::from_str(text).unwrap();
        let tasks = list.pointer(pointer).and_then(Value::as_array).unwrap();
        tasks.iter().map(|t| t["id"].as_str().unwrap().to_owned()).collect()
    };
    let run = ids(&dry, "/tasks");
    let (next, _, _) = outcome(space, &["next", plan, "--json"]);
    let next_count = serde_json::from_str::<Value>(&next).unwrap()["counts"]["total"].as_u64();
    if next_count != u64::try_from(run.len()).ok() || !ids(&next, "/ready").is_subset(&run) {
        return Some(format!("run has {run:?}, next has {next}"));
    }
    let (drawn, told, _) = outcome(space, &["graph", plan, "--format", "json"]);
    let contents = |text: &str| -> BTreeSet<(String, String)> {
        let list: Value = serde_json::from_str(text).unwrap_or_else(|e| panic!("{plan}: {e} {told}"));
        let text = |task: &Value, key: &str| task[key].as_str().unwrap().to_owned();
        let tasks = list["tasks"].as_array().unwrap();
        tasks.iter().map(|task| (text(task, "id"), text(task, "hash"))).collect()
    };
    if contents(&drawn) != contents(&dry) {
        return Some(format!("graph draws {drawn}, run has {dry}"));
    }
    let explained = run.iter().find_map(|id| {
        let (_, told, code) = outcome(space, &["explain", id, plan]);
        (code != 0).then(|| format!("explain {id} exits with {code}: {told}"))
    });
    if explained.is_some() {
        return explained;
    }
    let dry: Value = serde_json::from_str(&dry).unwrap();
    dry["tasks"].as_array().unwrap().iter().find_map(|task| other_content(space, plan, task))
}

/// How the content of a task that runs differs from that of the task that was checked.
fn other_content(space: &Space, plan: &str, run: &Value) -> Option<String> {
    let id = run["id"].as_str().unwrap();
    let (text, told, _) = outcome(space, &["next", plan, "--task", id, "--json"]);
    let mut checked: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{id}: {e} {told}"));
    checked["task"].as_object_mut().unwrap().remove("state");
    let task: Task = serde_json::from_value(checked["task"].take()).unwrap();
    (run["hash"] != task_hash(&task)).then(|| format!("`{id}` runs as {run}, and was checked as {task:?}"))
}

/// The plans of a rules' page: the files of each `Bad:` and `Good:`.
fn examples(page: &str) -> Vec<(String, Vec<String>)> {
    let mut plans: Vec<(String, Vec<String>)> = Vec::new();
    let (mut rule, mut block) = (String::new(), None::<String>);
    for line in page.lines() {
        if let Some(text) = &mut block {
            if line == "```" {
                let text = block.take().unwrap();
                if let Some((_, files)) = plans.last_mut() {
                    files.push(text);
                }
            } else {
                text.push_str(line);
                text.push('\n');
            }
        } else if let Some(name) = line.strip_prefix("## ") {
            name.clone_into(&mut rule);
        } else if line.starts_with("Bad") || line.starts_with("Good") {
            plans.push((format!("{rule} {line}"), Vec::new()));
        } else if line == "```markdown" {
            block = Some(String::new());
        }
    }
    plans.retain(|(_, files)| !files.is_empty());
    plans
}

#[test]
fn every_example_of_a_rule_is_run_as_it_is_checked() {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/lints");
    let mut plans = Vec::new();
    for page in fs::read_dir(pages).unwrap() {
        plans.extend(examples(&fs::read_to_string(page.unwrap().path()).unwrap()));
    }
    assert!(plans.len() > 60, "only {} examples were found", plans.len());
    let space = Space::repository();
    for (n, (_, files)) in plans.iter().enumerate() {
        space.write(&format!("plans/p{n}/plan.toml"), &format!("name = \"p{n}\"\n"));
        for (i, text) in files.iter().enumerate() {
            space.write(&format!("plans/p{n}/tasks/{i}.md"), text);
        }
    }
    let wrong: Vec<String> = plans
        .iter()
        .enumerate()
        .filter_map(|(n, (what, _))| {
            Some(format!("{what} {}", disagreement(&space, &format!("plans/p{n}"))?))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Tests of one task, code of another: the pair is one task of the run.
fn handed_over(space: &Space) {
    plans::whole(space);
    space.write(
        "plans/shop/tasks/t.md",
        "---\nid: t\ntitle: Write tests\nfiles: {create: [tests/test_till.py]}\n---\n\n# Write tests\n",
    );
    space.write(
        "plans/shop/tasks/u.md",
        "---\nid: u\ntitle: Make them pass\ndepends_on: [t]\nfiles: {create: [src/till.py]}\ntest_file: tests/test_till.py\n---\n\n# Make them pass\n",
    );
}

#[test]
fn a_plan_in_every_format_is_run_as_it_is_checked() {
    let space = Space::repository();
    handed_over(&space);
    for format in FORMATS {
        let (_, told, code) = outcome(&space, &["export", "plans/shop", "--to", format, "-o", format]);
        assert_eq!(code, 0, "{format}: {told}");
        assert_eq!(disagreement(&space, format), None, "{format}");
    }
}

#[test]
fn the_graph_shows_the_tasks_that_run() {
    let space = Space::repository();
    handed_over(&space);
    let (graph, _, _) = outcome(&space, &["graph", "plans/shop", "--format", "dot"]);
    assert!(graph.contains("\"u\"") && !graph.contains("\"t\" "), "{graph}");
    let (explained, _, _) = outcome(&space, &["explain", "t", "plans/shop"]);
    assert!(explained.contains("done when its parts are: u"), "{explained}");
}
