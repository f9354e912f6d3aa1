//! Several scripts in one run of their test runner, which then starts once.
//!
//! Only calls that differ in nothing but their test files are joined, and only where the runner takes many of them.

use std::collections::BTreeSet;

use super::shell::{Separator, ShellScript, join};
use crate::repo::Tree;
use crate::runner::{base_name, runner_call};

/// How many scripts are joined at most: a run of very many files can no longer be shared between directories.
const MOST: usize = 12;

/// Scripts that run as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JoinedScript {
    /// What runs them all.
    pub script: String,
    /// The scripts themselves.
    pub members: Vec<String>,
}

/// A script around the test files that its last command names.
struct FileCall<'a> {
    before: &'a str,
    files: &'a str,
    behind: &'a str,
    /// Runners that import test files by their name alone cannot load two of one name.
    names: BTreeSet<String>,
}

/// A join under way.
struct OpenJoin<'a> {
    members: Vec<String>,
    call: Option<FileCall<'a>>,
    files: Vec<&'a str>,
}

impl<'a> OpenJoin<'a> {
    fn new(script: &'a str, call: Option<FileCall<'a>>) -> Self {
        let files = call.iter().map(|call| call.files).collect();
        Self { members: vec![script.to_owned()], call, files }
    }

    /// Takes the script in if it is the same call of other files.
    fn take(&mut self, script: &str, other: &FileCall<'a>) -> bool {
        let Some(call) = &mut self.call else { return false };
        let same = (call.before, call.behind) == (other.before, other.behind);
        if !same || self.members.len() == MOST || !call.names.is_disjoint(&other.names) {
            return false;
        }
        call.names.extend(other.names.iter().cloned());
        self.files.push(other.files);
        self.members.push(script.to_owned());
        true
    }

    fn close(self) -> JoinedScript {
        let script = match &self.call {
            Some(call) if self.members.len() > 1 => {
                format!("{}{}{}", call.before, self.files.join(" "), call.behind)
            }
            Some(_) | None => self.members[0].clone(),
        };
        JoinedScript { script, members: self.members }
    }
}

/// The scripts with those joined that one run can carry out, in the order of their first members.
pub fn join_runs(scripts: &[String], tree: &dyn Tree) -> Vec<JoinedScript> {
    let mut open: Vec<OpenJoin<'_>> = Vec::new();
    for script in scripts {
        let call = file_call(script, tree);
        let taken = call.as_ref().is_some_and(|call| open.iter_mut().any(|join| join.take(script, call)));
        if !taken {
            open.push(OpenJoin::new(script, call));
        }
    }
    open.into_iter().map(OpenJoin::close).collect()
}

/// The test files of a script that ends with a plain call of a runner and names them side by side.
fn file_call<'a>(script: &'a str, tree: &dyn Tree) -> Option<FileCall<'a>> {
    let parsed = ShellScript::parse(script);
    let (command, earlier) = parsed.commands.split_last()?;
    let plain = !parsed.is_compound
        && !command.conditional
        && command.redirects.is_empty()
        && command.after == Separator::Line
        && earlier.iter().all(|command| matches!(command.after, Separator::Line | Separator::And));
    let call = runner_call(command).filter(|_| plain)?;
    let flags = (call.row.many_files)(&call)?;
    if call.selects_by_name() || call.args.iter().any(|arg| !arg.fixed) {
        return None;
    }
    let dir = command.dir.as_deref()?;
    let is_file = |text: &str| join(dir, text).is_some_and(|path| tree.has(&path));
    let places: Vec<usize> = (0..call.args.len()).filter(|at| is_file(&call.args[*at].text)).collect();
    let (first, last) = (*places.first()?, *places.last()?);
    let before = call.args[..first].last().map(|arg| arg.text.as_str());
    // A file behind any other option may be its value.
    let is_value =
        before.is_some_and(|arg| arg.starts_with('-') && !arg.contains('=') && !flags.contains(&arg));
    if last - first + 1 != places.len() || is_value {
        return None;
    }
    let (start, end) = (call.args[first].range.start, call.args[last].range.end);
    let names = call.args[first..=last].iter().map(|arg| base_name(arg).to_owned()).collect();
    Some(FileCall { before: &script[..start], files: &script[start..end], behind: &script[end..], names })
}

#[cfg(test)]
mod tests;
