//! Runners behind one more door: a `package.json` script, a `Makefile` target, a shell script of the repository.
//!
//! Only says what stands there; whoever asks decides how to reach it.

use serde_json::Value;

use super::runner_call::{Kind, base_name, past_wrappers, runner_call};
use super::shell::{ShellScript, ShellWord, SimpleCommand, join};
use crate::repo::Tree;

/// A runner found behind a door.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Indirect {
    /// It is the last command of a package script: arguments given to the script reach it.
    Append {
        kind: Kind,
        /// What has to stand before the arguments to get them through.
        separators: String,
        /// The arguments it has already.
        args: Vec<ShellWord>,
    },
    /// Reached through its environment.
    Pytest,
    /// Reached through its environment.
    Node,
    /// Heard by what it prints.
    CargoTest,
}

/// The runners that a command starts through files of the tree.
pub(crate) fn look_through(tree: &dyn Tree, call: &SimpleCommand) -> Vec<Indirect> {
    let Some(dir) = call.dir.as_deref() else { return Vec::new() };
    let start = past_wrappers(&call.words, 0);
    let words = &call.words[start.min(call.words.len())..];
    let Some(program) = words.first() else { return Vec::new() };
    match base_name(program) {
        "npm" | "pnpm" | "yarn" | "bun" => package_script(tree, dir, words, 0).into_iter().collect(),
        "make" | "gmake" => make_target(tree, dir, words),
        "sh" | "bash" | "dash" => {
            words.get(1).map_or_else(Vec::new, |file| shell_file(tree, dir, &file.text))
        }
        name if name.rsplit_once('.').is_some_and(|(_, ending)| ending == "sh") => {
            shell_file(tree, dir, &program.text)
        }
        _ => Vec::new(),
    }
}

fn package_script(tree: &dyn Tree, dir: &str, words: &[ShellWord], depth: usize) -> Option<Indirect> {
    if depth > 3 {
        return None;
    }
    let manager = base_name(words.first()?);
    let (dir, name, rest) = script_name(dir, words)?;
    let bytes = tree.read(&join(&dir, "package.json")?)?;
    let manifest: Value = serde_json::from_slice(&bytes).ok()?;
    let script = manifest.get("scripts")?.get(&name)?.as_str()?;
    let inner = ShellScript::parse(script).commands;
    let last = inner.last()?;
    // npm keeps for itself what does not stand behind `--`; the others pass arguments on.
    let dashes = if manager == "npm" && !rest.iter().any(|word| word.text == "--") { "-- " } else { "" };
    if let Some(found) = runner_call(&last.words) {
        let args = last.words[found.at + 1..].iter().chain(rest).cloned().collect();
        match found.kind {
            Kind::Vitest | Kind::Jest | Kind::Mocha if !last.is_piped() && last.redirects.is_empty() => {
                Some(Indirect::Append { kind: found.kind, separators: dashes.to_owned(), args })
            }
            kind => by_environment(kind, &last.words),
        }
    } else {
        let start = past_wrappers(&last.words, 0).min(last.words.len());
        match package_script(tree, &dir, &last.words[start..], depth + 1)? {
            Indirect::Append { kind, separators, args } => {
                Some(Indirect::Append { kind, separators: format!("{dashes}{separators}"), args })
            }
            other => Some(other),
        }
    }
}

/// The directory, the name and the further arguments of `npm run NAME …` and its relatives.
fn script_name<'a>(dir: &str, words: &'a [ShellWord]) -> Option<(String, String, &'a [ShellWord])> {
    let mut dir = dir.to_owned();
    let mut at = 1;
    let mut run = false;
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        match text {
            "--prefix" | "-C" | "--dir" | "--cwd" => {
                dir = join(&dir, &words.get(at + 1)?.text)?;
                at += 1;
            }
            _ if text.starts_with("--prefix=") || text.starts_with("--cwd=") => {
                dir = join(&dir, text.split_once('=')?.1)?;
            }
            // A workspace or filter runs somewhere else.
            "-w" | "--workspace" | "--filter" | "-F" | "workspace" | "-r" | "--workspaces" => return None,
            _ if text.starts_with('-') => {}
            "run" | "run-script" if !run => run = true,
            "t" | "tst" if !run => return Some((dir, "test".to_owned(), &words[at + 1..])),
            name => return Some((dir, name.to_owned(), &words[at + 1..])),
        }
        at += 1;
    }
    None
}

fn make_target(tree: &dyn Tree, dir: &str, words: &[ShellWord]) -> Vec<Indirect> {
    let mut dir = dir.to_owned();
    let mut targets = Vec::new();
    let mut args = words[1..].iter();
    while let Some(word) = args.next() {
        match word.text.as_str() {
            "-C" | "--directory" => {
                let Some(moved) = args.next().and_then(|d| join(&dir, &d.text)) else { return Vec::new() };
                dir = moved;
            }
            text if text.starts_with('-') || text.contains('=') => {}
            text => targets.push(text.to_owned()),
        }
    }
    let makefile = ["GNUmakefile", "makefile", "Makefile"]
        .iter()
        .find_map(|name| tree.read(&join(&dir, name)?))
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let Some(makefile) = makefile else { return Vec::new() };
    if targets.is_empty() {
        targets.extend(first_target(&makefile));
    }
    let mut found = Vec::new();
    for target in targets {
        for line in recipe(&makefile, &target) {
            runners_in(line.trim_start_matches(['@', '-', '+', ' ']), &mut found);
        }
    }
    found
}

fn first_target(makefile: &str) -> Option<String> {
    makefile.lines().find_map(|line| {
        let (name, _) = line.split_once(':')?;
        let plain =
            !name.is_empty() && !name.starts_with(['.', '\t', '#', ' ']) && !name.contains(['=', '$', ' ']);
        plain.then(|| name.to_owned())
    })
}

/// The recipe lines of one target.
pub(crate) fn recipe<'a>(makefile: &'a str, target: &str) -> Vec<&'a str> {
    let mut lines = makefile.lines();
    for line in lines.by_ref() {
        let is_rule = line.split_once(':').is_some_and(|(names, after)| {
            !line.starts_with('\t')
                && !after.starts_with('=')
                && names.split_whitespace().any(|name| name == target)
        });
        if is_rule {
            break;
        }
    }
    lines.take_while(|line| line.starts_with('\t') || line.trim().is_empty()).map(str::trim).collect()
}

fn shell_file(tree: &dyn Tree, dir: &str, path: &str) -> Vec<Indirect> {
    let mut found = Vec::new();
    if let Some(bytes) = join(dir, path).and_then(|path| tree.read(&path)) {
        runners_in(&String::from_utf8_lossy(&bytes), &mut found);
    }
    found
}

fn runners_in(text: &str, found: &mut Vec<Indirect>) {
    for call in ShellScript::parse(text).commands {
        let runner = match runner_call(&call.words) {
            Some(runner) => by_environment(runner.kind, &call.words),
            // `$(PYTHON) -m pytest` and `$(PYTEST)` are pytest by another name.
            None => call
                .words
                .iter()
                .any(|word| word.text == "pytest" || word.text.eq_ignore_ascii_case("$(pytest)"))
                .then_some(Indirect::Pytest),
        };
        if let Some(runner) = runner
            && !found.contains(&runner)
        {
            found.push(runner);
        }
    }
}

fn by_environment(kind: Kind, words: &[ShellWord]) -> Option<Indirect> {
    match kind {
        Kind::Pytest => Some(Indirect::Pytest),
        // A reporter of its own without a destination would clash with a second one.
        Kind::NodeTest if !words.iter().any(|word| word.text.starts_with("--test-reporter")) => {
            Some(Indirect::Node)
        }
        Kind::CargoTest if !words.iter().any(|word| matches!(word.text.as_str(), "-q" | "--quiet")) => {
            Some(Indirect::CargoTest)
        }
        Kind::CargoTest
        | Kind::NodeTest
        | Kind::Nextest
        | Kind::Vitest
        | Kind::Jest
        | Kind::Mocha
        | Kind::NodeFile
        | Kind::GoTest
        | Kind::Unittest
        | Kind::Rspec
        | Kind::RubyTest
        | Kind::Phpunit
        | Kind::Maven
        | Kind::Gradle
        | Kind::Ctest => None,
    }
}
