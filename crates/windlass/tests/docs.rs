//! Keeps the documentation true where that is cheap: links lead somewhere, commands parse, rules exist, the plan of the
//! first guide has nothing wrong with it. Does not run what the guides run.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails like the test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The top of the repository.
fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Every page: the ones at the top and all below `docs`.
fn pages() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut pending = vec![top().join("docs")];
    let at_top = fs::read_dir(top()).unwrap().flatten().map(|e| e.path());
    found.extend(at_top.filter(|p| p.extension().is_some_and(|e| e == "md")));
    while let Some(dir) = pending.pop() {
        for path in fs::read_dir(dir).unwrap().flatten().map(|e| e.path()) {
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|e| e == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(found.len() > 10, "the pages were not found");
    found.into_iter().map(|p| (p.clone(), fs::read_to_string(p).unwrap())).collect()
}

fn shown(path: &Path) -> String {
    path.strip_prefix(top()).unwrap_or(path).display().to_string()
}

fn windlass(dir: &Path, args: &[String]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_windlass"));
    command.args(args).current_dir(dir).env("HOME", dir).env_remove("XDG_CACHE_HOME").output().unwrap()
}

/// The lines of a page outside fences, and the lines inside them.
fn split_fences(text: &str) -> (String, String) {
    let (mut prose, mut code) = (String::new(), String::new());
    let mut fence: Option<String> = None;
    for line in text.lines() {
        let ticks: String = line.trim_start().chars().take_while(|c| *c == '`').collect();
        match &fence {
            None if ticks.len() >= 3 => fence = Some(ticks),
            Some(open) if ticks.len() >= open.len() && line.trim() == ticks => fence = None,
            None => prose.extend([line, "\n"]),
            Some(_) => code.extend([line, "\n"]),
        }
    }
    (prose, code)
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    for (page, text) in pages() {
        let (prose, _) = split_fences(&text);
        for link in prose.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let target = link.split('#').next().unwrap_or_default();
            let elsewhere = target.contains("://") || target.is_empty();
            if !elsewhere && !page.parent().unwrap().join(target).exists() {
                broken.push(format!("{}: {link}", shown(&page)));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// The `windlass …` commands of a page: whole lines of a fence, and inline code.
fn commands(text: &str) -> Vec<String> {
    let (prose, code) = split_fences(text);
    let mut found = Vec::new();
    for line in code.lines() {
        let line = line.trim().trim_start_matches("$ ");
        if line.starts_with("windlass ") {
            // What follows after a gap is a remark.
            found.push(line.split("  ").next().unwrap_or(line).to_owned());
        }
    }
    let inline = prose.split('`').skip(1).step_by(2).filter(|c| c.starts_with("windlass "));
    found.extend(inline.map(str::to_owned));
    found.retain(|c| !c.contains(['…', '→']));
    found
}

/// The words of a command line; only quotes mean something.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, ' ') => words.push(String::new()),
            _ => words.last_mut().unwrap().push(c),
        }
    }
    words.retain(|w| !w.is_empty());
    words
}

#[test]
fn every_command_parses() {
    let temp = tempfile::tempdir().unwrap();
    let mut seen = std::collections::BTreeSet::new();
    let mut wrong = Vec::new();
    for (page, text) in pages() {
        for line in commands(&text) {
            let mut args = words(&line);
            args[0] = "--color=never".into();
            args.push("--help".into());
            if seen.insert(line.clone()) && !windlass(temp.path(), &args).status.success() {
                wrong.push(format!("{}: {line}", shown(&page)));
            }
        }
    }
    assert!(seen.len() > 30, "only {} commands were found", seen.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_rule_that_is_named_exists() {
    let temp = tempfile::tempdir().unwrap();
    let mut codes = std::collections::BTreeSet::new();
    for (_, text) in pages() {
        let after = text.split("WL").skip(1).filter_map(|rest| rest.get(..4));
        codes.extend(after.filter(|d| d.bytes().all(|b| b.is_ascii_digit())).map(|d| format!("WL{d}")));
    }
    let unknown = |code: &&String| {
        let args = ["explain".to_owned(), (*code).clone()];
        !windlass(temp.path(), &args).status.success()
    };
    let unknown: Vec<&String> = codes.iter().filter(unknown).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

/// Blocks that a page marks as files: `<!-- file: path -->` and a fence.
fn marked_files(text: &str) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for part in text.split("<!-- file: ").skip(1) {
        let (path, rest) = part.split_once(" -->\n").unwrap();
        let (open, body) = rest.split_once('\n').unwrap();
        let ticks: String = open.chars().take_while(|c| *c == '`').collect();
        let (body, _) = body.split_once(&format!("\n{ticks}\n")).unwrap();
        files.push((path.to_owned(), format!("{body}\n")));
    }
    files
}

#[test]
fn the_first_guides_plan_can_be_run() {
    let temp = tempfile::tempdir().unwrap();
    let guide = fs::read_to_string(top().join("docs/guide/getting-started.md")).unwrap();
    let files = marked_files(&guide);
    assert!(files.iter().any(|(path, _)| path.ends_with("plan.toml")));
    for (path, text) in files.iter().filter(|(path, _)| path.starts_with("plans/")) {
        let path = temp.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let out = windlass(temp.path(), &["check".into()]);
    let said = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success() && !said.contains("warning"), "{said}");
}

#[test]
fn the_agents_page_has_a_configuration_that_is_understood() {
    let temp = tempfile::tempdir().unwrap();
    let page = fs::read_to_string(top().join("docs/guide/agents.md")).unwrap();
    let (_, rest) = page.split_once("```toml\n").unwrap();
    let (toml, _) = rest.split_once("```").unwrap();
    fs::write(temp.path().join("windlass.toml"), toml).unwrap();
    fs::create_dir_all(temp.path().join(".git/objects")).unwrap();
    let out = windlass(temp.path(), &["check".into()]);
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(
        said.contains("there is none in `plans/`"),
        "the file is read before the plan is looked for: {said}"
    );
}
