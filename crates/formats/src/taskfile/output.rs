//! The Output Files section: lines such as `WRITE: path (~40 lines)`.

use windlass_core::plan::Task;

/// What is done to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    Write,
    Modify,
    Delete,
    Read,
}

impl Verb {
    /// Every verb, in the order it is written.
    pub(crate) const ALL: [Verb; 4] = [Verb::Write, Verb::Modify, Verb::Delete, Verb::Read];

    fn of(word: &str) -> Option<Verb> {
        match word.to_ascii_lowercase().as_str() {
            "write" | "create" | "new" | "add" => Some(Verb::Write),
            "modify" | "edit" | "update" | "change" => Some(Verb::Modify),
            "delete" | "remove" => Some(Verb::Delete),
            "read" => Some(Verb::Read),
            _ => None,
        }
    }

    /// The word it is written as.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Verb::Write => "WRITE",
            Verb::Modify => "MODIFY",
            Verb::Delete => "DELETE",
            Verb::Read => "READ",
        }
    }

    /// The field of its files, as spans name it.
    pub(crate) fn field(self) -> &'static str {
        match self {
            Verb::Write => "files.create",
            Verb::Modify => "files.modify",
            Verb::Delete => "files.delete",
            Verb::Read => "files.read",
        }
    }

    /// The list of its files in a task.
    pub(crate) fn list(self, task: &mut Task) -> &mut Vec<String> {
        match self {
            Verb::Write => &mut task.files.create,
            Verb::Modify => &mut task.files.modify,
            Verb::Delete => &mut task.files.delete,
            Verb::Read => &mut task.files.read,
        }
    }
}

/// One line of the section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileEntry<'a> {
    pub(crate) verb: Verb,
    pub(crate) path: &'a str,
    pub(crate) lines: Option<u32>,
    pub(crate) change: Option<&'a str>,
}

/// Reads a line of the section.
pub(crate) fn output_file(line: &str) -> Option<FileEntry<'_>> {
    let line = line.trim().trim_start_matches(['-', '*', '+']).trim_start().trim_matches('`');
    let (word, rest) = line.split_once(':')?;
    let verb = Verb::of(word.trim().trim_matches('*'))?;
    let rest = rest.trim_start_matches('*').trim();
    let (path, note) = match rest.split_once(" (").and_then(|(p, n)| Some((p, n.strip_suffix(')')?))) {
        Some((path, note)) => (path, Some(note.trim())),
        None => (rest, None),
    };
    let path = path.trim().trim_matches('`');
    if path.is_empty() {
        return None;
    }
    let (change, lines) = note.map_or((None, None), split_note);
    Some(FileEntry { verb, path, lines, change })
}

/// The words and the line count of a remark: `~40 lines`, `add export`, `add export, ~3 lines`.
fn split_note(note: &str) -> (Option<&str>, Option<u32>) {
    if let Some(lines) = line_count(note) {
        return (None, Some(lines));
    }
    if let Some((change, count)) = note.rsplit_once(", ")
        && let Some(lines) = line_count(count)
    {
        return (Some(change), Some(lines));
    }
    ((!note.is_empty()).then_some(note), None)
}

fn line_count(text: &str) -> Option<u32> {
    let text = text.trim().trim_start_matches('~').trim();
    let (count, unit) = text.split_once(' ')?;
    let known = ["line", "lines", "lines added", "lines changed", "lines removed", "line added"];
    known.contains(&unit.trim()).then(|| count.parse().ok()).flatten()
}

/// The remark for a file, in the form that [`output_file`] reads.
pub(crate) fn note(lines: Option<u32>, change: Option<&str>) -> String {
    match (lines, change) {
        (None, None) => String::new(),
        (Some(n), None) => format!(" (~{n} lines)"),
        (None, Some(change)) => format!(" ({change})"),
        (Some(n), Some(change)) => format!(" ({change}, ~{n} lines)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_section() {
        let of = |verb, path, lines, change| Some(FileEntry { verb, path, lines, change });
        let table = [
            ("WRITE: src/a.ts (~40 lines)", of(Verb::Write, "src/a.ts", Some(40), None)),
            ("- MODIFY: `src/b.ts` (add export)", of(Verb::Modify, "src/b.ts", None, Some("add export"))),
            ("MODIFY: a.rs (~10 lines added)", of(Verb::Modify, "a.rs", Some(10), None)),
            ("modify: a.rs (use it, ~2 lines)", of(Verb::Modify, "a.rs", Some(2), Some("use it"))),
            ("DELETE: old.py", of(Verb::Delete, "old.py", None, None)),
            ("**READ:** x", of(Verb::Read, "x", None, None)),
            ("WRITE:", None),
            ("some words", None),
            ("Note: these", None),
        ];
        for (line, expected) in table {
            assert_eq!(output_file(line), expected, "{line}");
        }
    }
}
