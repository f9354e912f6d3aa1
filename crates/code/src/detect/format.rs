//! Formatters that the repository's configuration asks for.
//!
//! Each gets only the files it was given, grouped by the nearest configuration. A fixing command may leave findings
//! behind and exit non-zero for it; that says nothing about the formatting.

use super::manifest::relative;
use super::tool_config::ToolConfig;
use crate::language::Language;
use crate::repo::Tree;
use windlass_core::path_text::file_name;

/// One formatter over some of the given files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatPlan {
    /// The formatter's name.
    pub name: String,
    /// A fixing command to run first, complete with its files.
    pub fix: Option<Vec<String>>,
    /// The formatting command, complete with its files.
    pub format: Vec<String>,
    /// What that command does.
    pub work: FormatWork,
    /// The files it is given, relative to the root of the tree.
    pub files: Vec<String>,
    /// Where to run it, relative to the root of the tree (empty for the root itself).
    pub dir: String,
    /// The configuration file that asked for it.
    pub from: String,
}

/// What a command has in it that fixes what a linter reports, and does nothing else.
const FIXES: [&str; 2] = ["--fix", "--autocorrect"];

impl FormatPlan {
    /// Whether it has a command that only fixes what the linter of the same name reports.
    pub fn has_linter_fixes(&self) -> bool {
        let fixes = |fix: &Vec<String>| fix.iter().any(|word| FIXES.contains(&word.as_str()));
        self.fix.as_ref().map_or(self.work == FormatWork::LinterFixes, fixes)
    }
}

/// What a formatting command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormatWork {
    /// It brings files into form and does nothing else.
    Form,
    /// It fixes what the linter of the same name reports.
    LinterFixes,
    /// What the user wants; nothing else is known of it.
    UsersOwn,
}

/// A formatter of the user's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnFormatter {
    /// A glob such as `*.py`.
    pub pattern: String,
    /// The command; the files are appended.
    pub command: Vec<String>,
}

impl OwnFormatter {
    /// Whether its glob with `*` and `?` matches a path or its file name.
    fn takes(&self, path: &str) -> bool {
        let name = file_name(path);
        let pattern = self.pattern.as_bytes();
        glob(pattern, path.as_bytes()) || glob(pattern, name.as_bytes())
    }
}

fn glob(pattern: &[u8], text: &[u8]) -> bool {
    match (pattern.split_first(), text.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) if glob(rest, text) => true,
        (Some((b'*', _)), Some((_, tail))) => glob(pattern, tail),
        (Some((p, rest)), Some((t, tail))) if p == t || *p == b'?' => glob(rest, tail),
        _ => false,
    }
}

/// What is known about a formatter.
pub(crate) struct FormatterRow {
    name: &'static str,
    endings: &'static [&'static str],
    /// Its configuration for a file, if it is to format it.
    config: fn(&dyn Tree, &str) -> Option<ToolConfig>,
    /// A fixing command to run first, empty where there is none.
    fix: &'static str,
    /// The formatting command. `{}` stands for the configuration's detail.
    format: &'static str,
}

impl FormatterRow {
    /// A formatter of files with these endings, with its command.
    pub(crate) const fn new(
        name: &'static str,
        endings: &'static [&'static str],
        config: fn(&dyn Tree, &str) -> Option<ToolConfig>,
        format: &'static str,
    ) -> Self {
        Self { name, endings, config, fix: "", format }
    }

    /// With a fixing command that runs first.
    pub(crate) const fn fixing(self, fix: &'static str) -> Self {
        Self { fix, ..self }
    }
}

/// The formatters for `files`, in the order in which they should run: the user's own, and detected ones for the files that
/// none of those takes.
pub fn formatters_with(tree: &dyn Tree, files: &[String], own: &[OwnFormatter]) -> Vec<FormatPlan> {
    let (taken, rest): (Vec<String>, Vec<String>) =
        files.iter().cloned().partition(|file| own.iter().any(|formatter| formatter.takes(file)));
    let mut plans: Vec<FormatPlan> = Vec::new();
    for formatter in own {
        let files: Vec<String> = taken.iter().filter(|file| formatter.takes(file)).cloned().collect();
        if files.is_empty() {
            continue;
        }
        plans.push(FormatPlan {
            name: formatter.command.first().cloned().unwrap_or_default(),
            fix: None,
            format: [formatter.command.as_slice(), &files].concat(),
            work: FormatWork::UsersOwn,
            files,
            dir: String::new(),
            from: "windlass.toml".to_owned(),
        });
    }
    plans.extend(formatters(tree, &rest));
    plans
}

/// The formatters for `files`, in the order in which they should run, each with its own share of the files.
pub fn formatters(tree: &dyn Tree, files: &[String]) -> Vec<FormatPlan> {
    let mut groups: Vec<(&FormatterRow, ToolConfig, Vec<String>)> = Vec::new();
    for file in files {
        let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
        let all = Language::families().flat_map(|language| language.row().tooling.formatters);
        for row in all.filter(|row| row.endings.contains(&ending)) {
            let Some(config) = (row.config)(tree, file) else { continue };
            match groups.iter_mut().find(|(known, same, _)| std::ptr::eq(*known, row) && *same == config) {
                Some((_, _, files)) => files.push(file.clone()),
                None => groups.push((row, config, vec![file.clone()])),
            }
        }
    }
    groups.into_iter().map(|(row, config, files)| plan(row, config, files)).collect()
}

fn plan(row: &FormatterRow, config: ToolConfig, files: Vec<String>) -> FormatPlan {
    let argv = |command: &str| -> Vec<String> {
        let words = command.split(' ').map(|word| word.replacen("{}", &config.detail, 1));
        words.chain(files.iter().map(|file| relative(&config.dir, file).to_owned())).collect()
    };
    FormatPlan {
        name: row.name.to_owned(),
        fix: (!row.fix.is_empty()).then(|| argv(row.fix)),
        format: argv(row.format),
        work: if FIXES.iter().any(|sign| row.format.contains(sign)) {
            FormatWork::LinterFixes
        } else {
            FormatWork::Form
        },
        dir: config.dir,
        from: config.from,
        files,
    }
}

#[cfg(test)]
mod tests;
