//! Runners that another file of the repository starts: a `package.json` script, a `Makefile` target, a shell script.
//!
//! Only finds them; the caller decides how to reach them.

use super::shell::{ShellScript, ShellWord, SimpleCommand, join};
use crate::detect::ManifestRow;
use crate::language::package;
use crate::repo::Tree;
use crate::runner::{
    Behind, MAKEFILES, RUNNERS, ReportFacts, RunnerCall, RunnerRow, base_name, past_wrappers, recipe,
    runner_call,
};

/// A runner that another file starts.
pub(crate) struct Indirect {
    pub(crate) row: &'static RunnerRow,
    pub(crate) report: &'static ReportFacts,
    /// Where it is the last command of a package script: the separators before further arguments, and the arguments it
    /// has already. Otherwise its row says how it is reached.
    pub(crate) through: Option<(String, Vec<ShellWord>)>,
}

/// The runners that a command starts through files of the tree.
pub(crate) fn look_through(tree: &dyn Tree, call: &SimpleCommand) -> Vec<Indirect> {
    let Some(dir) = call.dir.as_deref() else { return Vec::new() };
    let start = past_wrappers(&call.words, 0);
    let words = &call.words[start.min(call.words.len())..];
    // `python -m tox`
    let words = match words {
        [python, module, rest @ ..] if base_name(python).starts_with("python") && module.text == "-m" => rest,
        all => all,
    };
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
        name => sessions(tree, dir, ManifestRow::all().filter(|row| row.run_by == Some(name))),
    }
}

fn package_script(tree: &dyn Tree, dir: &str, words: &[ShellWord], depth: usize) -> Option<Indirect> {
    if depth > 3 {
        return None;
    }
    let manager = base_name(words.first()?);
    let (dir, name, rest) = script_name(dir, words)?;
    let manifest = package(tree, &dir)?;
    let script = manifest.get("scripts")?.get(&name)?.as_str()?;
    let inner = ShellScript::parse(script).commands;
    let last = inner.last()?;
    // npm takes arguments before `--` for itself; the others pass them on.
    let dashes = if manager == "npm" && !rest.iter().any(|word| word.text == "--") { "-- " } else { "" };
    if let Some(found) = runner_call(last) {
        if matches!(found.report.behind, Behind::Arguments) && !last.is_piped() && last.redirects.is_empty() {
            let args = found.args.iter().chain(rest).cloned().collect();
            let (row, report) = (found.row, found.report);
            return Some(Indirect { row, report, through: Some((dashes.to_owned(), args)) });
        }
        return by_environment(&found);
    }
    let start = past_wrappers(&last.words, 0).min(last.words.len());
    let mut inner = package_script(tree, &dir, &last.words[start..], depth + 1)?;
    if let Some((separators, _)) = &mut inner.through {
        separators.insert_str(0, dashes);
    }
    Some(inner)
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
    let makefile = MAKEFILES
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

/// The runners that programs such as tox and nox start in environments of their own. nox passes variables on; tox does for those that it
/// is told of (`TOX_OVERRIDE`).
fn sessions(
    tree: &dyn Tree,
    dir: &str,
    configs: impl Iterator<Item = &'static ManifestRow>,
) -> Vec<Indirect> {
    let texts = configs.filter_map(|row| tree.read(&join(dir, row.name)?));
    let mut found = Vec::new();
    for text in texts.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()) {
        for line in text.lines().filter(|line| !line.trim_start().starts_with(['#', '['])) {
            let words = line.replace(['"', '\'', ',', '(', ')', '[', ']', '='], " ");
            runners_in(words.trim_start_matches([' ', '-']), &mut found);
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

fn shell_file(tree: &dyn Tree, dir: &str, path: &str) -> Vec<Indirect> {
    let mut found = Vec::new();
    if let Some(bytes) = join(dir, path).and_then(|path| tree.read(&path)) {
        runners_in(&String::from_utf8_lossy(&bytes), &mut found);
    }
    found
}

fn runners_in(text: &str, found: &mut Vec<Indirect>) {
    for command in ShellScript::parse(text).commands {
        let runner = match runner_call(&command) {
            Some(call) => by_environment(&call),
            None => by_name(&command),
        };
        if let Some(runner) = runner
            && !found.iter().any(|known| std::ptr::eq(known.row, runner.row))
        {
            found.push(runner);
        }
    }
}

fn by_environment(call: &RunnerCall<'_>) -> Option<Indirect> {
    let works = match &call.report.behind {
        Behind::Variable { works, .. } | Behind::Output { works, .. } => works(&call.command.words),
        Behind::Arguments | Behind::Unreachable => false,
    };
    works.then_some(Indirect { row: call.row, report: call.report, through: None })
}

/// `$(PYTHON) -m pytest` and `$(PYTEST)` are pytest by another name.
fn by_name(command: &SimpleCommand) -> Option<Indirect> {
    RUNNERS.iter().find_map(|row| {
        let report = row.report.as_ref().filter(|report| matches!(report.behind, Behind::Variable { .. }))?;
        let variable = format!("$({})", row.name);
        let named = |word: &ShellWord| word.text == row.name || word.text.eq_ignore_ascii_case(&variable);
        command.words.iter().any(named).then_some(Indirect { row, report, through: None })
    })
}

#[cfg(test)]
mod tests;
