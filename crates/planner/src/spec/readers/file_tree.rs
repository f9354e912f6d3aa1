//! Trees of files: drawn with branches, listed by indentation, as nested items, with or without a slash behind folders.

use crate::spec::document::{CodeListing, DocumentBlock, ItemBlock, SectionTree};
use crate::spec::model::{Authority, FileRow, Operation};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{Topic, operation_in_heading, operation_in_remark, paths};
use windlass_code::detect::is_lockfile;
use windlass_code::survey::Language;

/// Adds the files of a drawn tree, and those of a list of paths under a heading about files.
pub(super) fn collect_tree(
    reading: &mut DocumentReading<'_>,
    block: &DocumentBlock,
    code: &CodeListing,
    known: &[String],
) {
    let written = written_out(&code.text);
    let entries = drawn_entries(&written);
    let about_files = reading.tree.topic(block) == Some(Topic::Ownership);
    if !(is_drawn(&code.text) || is_listed(&entries, code, about_files)) {
        return;
    }
    if shows_data(&entries) || shows_output(reading.tree, block, about_files) {
        return;
    }
    let mut files = tree_files(&entries, known);
    let binary: Vec<String> = files.iter().map(|f| f.path.clone()).filter(|p| paths::is_binary(p)).collect();
    files.retain(|file| is_written(&file.path));
    if files.is_empty() {
        return;
    }
    reading.claim(block);
    let span = reading.span(&code.at);
    if let Some(first) = binary.first() {
        let more = if binary.len() > 1 { format!(" and {} more", binary.len() - 1) } else { String::new() };
        reading.list_unplaced(format!("`{first}`{more}: binary files are made by no task"), span);
    }
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

/// Whether the line above a tree says that the program makes it, or that it is an example: `Default output:`.
fn shows_output(tree: &SectionTree, block: &DocumentBlock, about_files: bool) -> bool {
    let before =
        block.index.checked_sub(1).and_then(|at| tree.blocks.get(at)).filter(|b| b.section == block.section);
    let line =
        before.and_then(DocumentBlock::running_text).map(|text| text.text.to_lowercase()).unwrap_or_default();
    let line = line.rsplit(['.', '!']).next().unwrap_or_default();
    let says = ["output", "example", "generates", "produces", "results in", "looks like", "will create"];
    !about_files && says.iter().any(|word| line.contains(word))
}

/// Adds the files of nested items: `- src/`, below it `- cart.py: adds prices up`. Returns whether the item is one.
pub(super) fn collect_item_tree(
    reading: &mut DocumentReading<'_>,
    block: &DocumentBlock,
    item: &ItemBlock,
) -> bool {
    let folder = match item.parent {
        Some(parent) => item_folder(reading.tree, parent),
        None => heading_folder(reading.tree, block.section),
    };
    let Some(folder) = folder else { return false };
    let name = item_label(&item.text.text);
    let Some(path) = paths::clean(&format!("{folder}{name}")).filter(|p| is_written(p)) else { return false };
    let remark = item.text.text.replacen(['`', '*'], "", 2);
    let remark = remark.trim_start().strip_prefix(name).unwrap_or_default();
    // Below the heading of a folder an item is also what is said of the file.
    let is_entry = item.parent.is_some();
    if is_entry {
        reading.claim(block);
    }
    let row = FileRow {
        path,
        operation: operation_in_remark(remark.trim_start_matches([':', '-', '—', '–', '(', ' ', '`'])),
        tasks: Vec::new(),
        note: remark.trim_start_matches([':', '-', '—', '–', ' ', '`']).to_owned(),
        lines: None,
        authority: Authority::Tree,
        span: reading.span(&item.text.at),
    };
    reading.spec.files.push(row);
    is_entry
}

/// The folder that a heading around a section names: `internal/policy/`.
pub(in crate::spec) fn heading_folder(tree: &SectionTree, section: usize) -> Option<String> {
    let named = |title: String| {
        let name = title.trim_matches(['`', ' ']);
        let is_path = name.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c));
        let is_inside = name.len() > 1 && name.ends_with('/') && !name.starts_with(['/', '.']);
        (is_path && is_inside).then(|| name.to_owned())
    };
    tree.chain(section).find_map(|(_, section)| named(section.title.plain()))
}

/// The folder that an item names, with the folders of the items around it. Only a slash behind the name, or a heading
/// about files, tells a folder from a word.
pub(super) fn item_folder(tree: &SectionTree, block: usize) -> Option<String> {
    let item = tree.item(block)?;
    let label = item_label(&item.text.text);
    let name = label.trim_end_matches('/').trim_start_matches("./");
    let about_files = tree.blocks.get(block).and_then(|b| tree.topic(b)) == Some(Topic::Ownership);
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "/._-@".contains(c));
    if !is_name || !(label.ends_with('/') || (about_files && paths::clean(name).is_none())) {
        return None;
    }
    let outer = item.parent.and_then(|parent| item_folder(tree, parent)).unwrap_or_default();
    Some(format!("{outer}{name}/"))
}

/// The words an item begins with, up to a colon, a dash or a bracket: the name of what it describes.
pub(super) fn item_label(text: &str) -> &str {
    let text = text.trim_start_matches(['`', '*', ' ']);
    let end = text.find(['`', '*', ':', '(', '—', '–', ' ', ',']).unwrap_or(text.len());
    &text[..end]
}

/// A file of a tree and the remark beside it.
struct TreeFile {
    path: String,
    remark: String,
}

/// One line of a drawing: how far right it begins, whether branches lead to it, its name and the remark behind it.
struct DrawnEntry<'t> {
    column: usize,
    branched: bool,
    name: &'t str,
    remark: &'t str,
    /// Whether a slash stood before the name, as before every other name of the drawing.
    slashed: bool,
}

fn is_branch(c: char) -> bool {
    matches!(
        c,
        '│' | '├' | '└' | '─' | '┃' | '┣' | '┗' | '━' | '|' | '`' | '-' | '+' | '\\' | ' ' | '\u{a0}' | '\t'
    )
}

/// The lines of a drawing with a name each: several names beside each other, and what stands in braces, get lines of their own.
fn written_out(text: &str) -> String {
    let mut lines = String::with_capacity(text.len());
    for line in text.lines() {
        let start = line.find(|c: char| !is_branch(c)).unwrap_or(line.len());
        let (margin, body) = line.split_at(start);
        let (names, remark) = body.split_once(" #").unwrap_or((body, ""));
        let names: Vec<String> = names.split_whitespace().flat_map(without_braces).collect();
        let is_name = |name: &String| paths::clean(name).is_some() || name.ends_with('/');
        if names.len() < 2 || !names.iter().all(is_name) {
            lines.push_str(line);
            lines.push('\n');
            continue;
        }
        for name in names {
            lines.push_str(&format!("{margin}{name} # {remark}\n"));
        }
    }
    lines
}

/// The names that a name with braces stands for: `prisma/{schema.prisma,seed/}`.
fn without_braces(name: &str) -> Vec<String> {
    let parts = name.split_once('{').and_then(|(head, rest)| Some((head, rest.split_once('}')?)));
    match parts {
        Some((head, (inner, tail))) if inner.contains(',') => {
            inner.split(',').map(|one| format!("{head}{one}{tail}")).collect()
        }
        Some(_) | None => vec![name.to_owned()],
    }
}

fn drawn_entries(text: &str) -> Vec<DrawnEntry<'_>> {
    let entry = |line: &'_ str| -> Option<(usize, bool, usize)> {
        let column = line.chars().take_while(|c| is_branch(*c)).count();
        let start: usize = line.chars().take(column).map(char::len_utf8).sum();
        let branched = line[..start].chars().any(|c| !c.is_whitespace());
        (start < line.len()).then_some((column, branched, start))
    };
    let mut entries = Vec::new();
    for line in text.lines() {
        let Some((column, branched, start)) = entry(line) else { continue };
        let body = line[start..].trim_start();
        let name = body.split_whitespace().next().unwrap_or_default();
        // `(shop)/` is a folder, `(generated)` a remark.
        let is_remark = name.starts_with('(') && !name.contains(")/");
        let says_nothing =
            is_remark || name.starts_with(['#', '…']) || name.starts_with("..") || name == "//";
        if !says_nothing {
            let remark = body[name.len()..].trim().trim_start_matches(['#', '←', '(', '-', '—', '/', ' ']);
            entries.push(DrawnEntry { column, branched, name, remark, slashed: false });
        }
    }
    take_slashes(&mut entries);
    entries
}

/// `/app`, below it `/page.tsx`: the slashes are a manner of drawing, unless the top is a folder of the system.
fn take_slashes(entries: &mut [DrawnEntry<'_>]) {
    const OF_THE_SYSTEM: [&str; 12] =
        ["/etc", "/var", "/usr", "/home", "/tmp", "/opt", "/dev", "/proc", "/root", "/mnt", "/data", "/srv"];
    let is_slashed =
        |e: &DrawnEntry<'_>| e.name.len() > 1 && e.name.starts_with('/') && !e.name.starts_with("//");
    let is_outside =
        |e: &DrawnEntry<'_>| OF_THE_SYSTEM.iter().any(|dir| e.name.trim_end_matches('/') == *dir);
    let is_nested = entries.windows(2).any(|two| two[1].column > two[0].column);
    if is_nested && entries.iter().all(is_slashed) && !entries.first().is_some_and(is_outside) {
        for entry in entries {
            (entry.name, entry.slashed) = (&entry.name[1..], true);
        }
    }
}

/// Whether a text is drawn as a tree. A drawing of boxes uses the same lines, and corners.
fn is_drawn(text: &str) -> bool {
    // `+-----+`
    let is_edge = |line: &str| {
        let line = line.trim();
        line.len() > 3
            && line.starts_with('+')
            && line.ends_with('+')
            && line.chars().all(|c| "+-=".contains(c))
    };
    let has_corner = text.contains(['┌', '┐', '╔', '▶', '►']) || text.lines().any(is_edge);
    let leads = |line: &str| {
        let branch = ["├─", "└─", "┣━", "┗━", "|--", "`--", "+--", "\\--"];
        branch.iter().any(|b| line.trim_start_matches([' ', '│', '|', '\u{a0}', '\t', '┃']).starts_with(b))
    };
    !has_corner && text.lines().any(leads)
}

/// Whether a tree shows data that a program leaves behind, and not a project: its top is a placeholder (`[data-dir]/`,
/// `<root>/`), lies outside (`~/.config/`), or a folder in it is called by a date.
fn shows_data(entries: &[DrawnEntry<'_>]) -> bool {
    let outside = |name: &str| {
        name.starts_with(['[', '<', '{', '~', '$', '%']) || (name.starts_with('/') && name.len() > 1)
    };
    let dated = |name: &str| {
        let digits = name.chars().filter(char::is_ascii_digit).count();
        name.trim_end_matches('/').len() == 10 && digits == 8 && name.matches('-').count() == 2
    };
    entries.first().is_some_and(|first| outside(first.name)) || entries.iter().any(|e| dated(e.name))
}

/// Whether a text without branches lists files: every line is a name, and either indentation puts a file into a folder,
/// or all are paths under a heading about files.
fn is_listed(entries: &[DrawnEntry<'_>], code: &CodeListing, about_files: bool) -> bool {
    let is_plain = matches!(code.info.trim(), "" | "text" | "txt" | "plaintext" | "tree" | "files");
    let is_folder = |at: usize| {
        let name = entries[at].name;
        let deeper = entries.get(at + 1).is_some_and(|next| next.column > entries[at].column);
        let plain = name.chars().all(|c| c.is_alphanumeric() || "/._-@[]".contains(c));
        plain && (name.ends_with('/') || deeper)
    };
    let is_name = |at: usize| paths::clean(entries[at].name).is_some() || is_folder(at);
    let files = entries.iter().filter(|e| paths::clean(e.name).is_some());
    let nested = entries.windows(2).any(|two| {
        two[1].column > two[0].column
            && (two[0].name.ends_with('/') || two[0].slashed || about_files)
            && paths::clean(two[1].name).is_some()
    });
    is_plain
        && files.count() > 1
        && (0..entries.len()).all(is_name)
        && (nested || (about_files && entries.iter().any(|e| e.name.contains('/'))))
}

/// The files of a tree: a name belongs to the last folder above it that begins further left.
fn tree_files(entries: &[DrawnEntry<'_>], known: &[String]) -> Vec<TreeFile> {
    let mut folders: Vec<(usize, String)> = Vec::new();
    let mut files = Vec::new();
    let root = root(entries, known);
    for (at, entry) in entries.iter().enumerate() {
        folders.retain(|(column, _)| *column < entry.column);
        let base = folders.last().map_or("", |(_, folder)| folder.as_str());
        let name = entry.name.trim_start_matches("./");
        let deeper = entries.get(at + 1).is_some_and(|next| next.column > entry.column);
        // Files have no children; a name that only begins with a dot may be a folder.
        let can_hold = paths::clean(name).is_none() || (name.starts_with('.') && !name[1..].contains('.'));
        if name.ends_with('/') || name == "." || (deeper && can_hold) {
            let name = name.trim_end_matches(['/', '.']);
            let folder =
                if name.is_empty() || root == Some(at) { base.to_owned() } else { format!("{base}{name}/") };
            folders.push((entry.column, folder));
        } else if !paths::is_dot_folder(name) {
            let path = paths::clean(&format!("{base}{name}"));
            files.extend(path.map(|path| TreeFile { path, remark: entry.remark.to_owned() }));
        }
    }
    files
}

/// The entry that stands for the repository itself: the first, if it holds all others, the repository has no folder of
/// that name, and what it holds directly is found at the top of a repository.
fn root(entries: &[DrawnEntry<'_>], known: &[String]) -> Option<usize> {
    // Parts of a repository that have a manifest of their own.
    const PARTS: [&str; 10] =
        ["app", "apps", "packages", "server", "client", "frontend", "backend", "api", "web", "src"];
    const TOP: [&str; 12] = [
        "src", "lib", "tests", "test", "docs", "include", "cmd", "pkg", "internal", "scripts", "examples",
        "bin",
    ];
    let (first, rest) = entries.split_first()?;
    let name = first.name.trim_end_matches('/').trim_start_matches("./");
    let holds_all = !rest.is_empty() && rest.iter().all(|e| e.column > first.column);
    let is_there = known.iter().any(|path| path.strip_prefix(name).is_some_and(|rest| rest.starts_with('/')));
    if !holds_all || is_there || PARTS.contains(&name) || (first.branched && !first.name.ends_with('/')) {
        return None;
    }
    let inner = rest.iter().map(|e| e.column).min()?;
    let at_top = |entry: &DrawnEntry<'_>| {
        let own = entry.name.trim_end_matches('/');
        let lower = own.to_lowercase();
        Language::is_manifest(own)
            || own == name
            || TOP.contains(&own)
            || own == ".gitignore"
            || ["readme", "license", "makefile", "dockerfile"].iter().any(|w| lower.starts_with(w))
    };
    rest.iter().filter(|e| e.column == inner).any(at_top).then_some(0)
}

/// Whether a file of a tree is written by a task: not what tools and runs of the program leave behind, nor the folder of
/// the documents themselves.
fn is_written(path: &str) -> bool {
    const LEFT_BEHIND: [&str; 11] = [
        "node_modules",
        "__pycache__",
        ".git",
        ".venv",
        "venv",
        "dist",
        "target",
        "coverage",
        ".next",
        ".pytest_cache",
        "specs",
    ];
    const RESULTS: [&str; 6] = ["output", "outputs", "results", "logs", "checkpoints", "tmp"];
    let mut folders: Vec<&str> = path.split('/').collect();
    folders.pop();
    let of_a_run = folders.iter().any(|f| RESULTS.contains(f)) && !crate::file_kind::is_source(path);
    let left_behind =
        folders.iter().any(|f| LEFT_BEHIND.contains(f) && (*f != "specs" || folders[0] == "specs"));
    !(of_a_run || left_behind || paths::is_binary(path) || is_lockfile(path))
}
