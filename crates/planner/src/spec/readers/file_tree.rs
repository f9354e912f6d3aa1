//! Trees of files drawn in code blocks.

use crate::spec::document::{CodeListing, DocumentBlock};
use crate::spec::model::{Authority, FileRow, Operation};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{Topic, operation_in_heading, operation_in_remark, paths};

/// Adds the files of a drawn tree; under a heading about files, also those of a list with folders.
pub(super) fn collect_tree(reading: &mut DocumentReading<'_>, block: &DocumentBlock, code: &CodeListing) {
    let is_drawn = ["├──", "└──", "|--"].iter().any(|branch| code.text.contains(branch));
    let is_listed = || {
        reading.tree.topic(block) == Some(Topic::Ownership)
            && code.text.lines().any(|line| line.trim_end().ends_with('/'))
    };
    if !(is_drawn || is_listed()) {
        return;
    }
    let mut files = tree_files(&code.text);
    remove_root(&mut files);
    // Some documents also draw the folder of the documents themselves. No task changes it.
    files.retain(|file| !file.path.starts_with("specs/"));
    if files.is_empty() {
        return;
    }
    reading.claim(block);
    let span = reading.span(&code.at);
    let by_heading = operation_in_heading(reading.tree.heading(block.section));
    reading.spec.files.extend(files.into_iter().map(|TreeFile { path, remark }| FileRow {
        path,
        operation: match operation_in_remark(&remark) {
            Operation::Unsaid => by_heading,
            stated => stated,
        },
        tasks: Vec::new(),
        note: remark,
        lines: None,
        authority: Authority::Tree,
        span,
    }));
}

/// A file of a drawn tree and the remark beside it.
struct TreeFile {
    path: String,
    remark: String,
}

/// The files of a drawn tree: a name belongs to the last folder above it that is drawn further left.
fn tree_files(text: &str) -> Vec<TreeFile> {
    let is_branch = |c: char| matches!(c, '│' | '├' | '└' | '─' | '|' | '`' | '-' | ' ' | '\u{a0}' | '\t');
    let mut folders: Vec<(usize, String)> = Vec::new();
    let mut files = Vec::new();
    for line in text.lines() {
        let column = line.chars().take_while(|c| is_branch(*c)).count();
        let body = line.trim_start_matches(is_branch).trim_start();
        let name = body.split_whitespace().next().unwrap_or_default();
        if name.is_empty() || name.starts_with('#') || name == "..." {
            continue;
        }
        folders.retain(|(c, _)| *c < column);
        let base = folders.last().map_or("", |(_, folder)| folder.as_str());
        match name.strip_suffix('/') {
            Some(".") => folders.push((column, base.to_owned())),
            Some(folder) => folders.push((column, format!("{base}{folder}/"))),
            None => {
                let remark = body[name.len()..].trim();
                let remark = remark.trim_start_matches(['#', '←', '(', '-', '—', ' ']).to_owned();
                let path = paths::clean(&format!("{base}{name}"));
                files.extend(path.map(|path| TreeFile { path, remark }));
            }
        }
    }
    files
}

/// Removes the folder of the repository itself from the paths, if it is drawn: it is the one that holds the manifest.
fn remove_root(files: &mut [TreeFile]) {
    // Parts of a repository that have a manifest of their own.
    const PARTS: [&str; 10] =
        ["app", "apps", "packages", "server", "client", "frontend", "backend", "api", "web", "src"];
    let Some((root, _)) = files.first().and_then(|file| file.path.split_once('/')) else { return };
    let prefix = format!("{root}/");
    let is_part = PARTS.contains(&root);
    let inner = |file: &TreeFile| file.path.strip_prefix(&prefix).map(str::to_owned);
    let is_manifest = |p: String| !p.contains('/') && (paths::is_manifest(&p) || p == ".gitignore");
    let has_manifest = files.iter().any(|file| inner(file).is_some_and(is_manifest));
    if has_manifest && !is_part && files.iter().all(|file| inner(file).is_some()) {
        for file in files {
            file.path = inner(file).unwrap_or_default();
        }
    }
}
