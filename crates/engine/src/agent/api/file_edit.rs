//! Edits of a file in an answer, and their application.

use super::answer_blocks::{DIVIDER, REPLACE, SEARCH};

/// Lines to be found, and lines to put there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LineChange {
    pub(super) old: Vec<String>,
    pub(super) new: Vec<String>,
    /// The line it is said to begin at, from 0: only a hint.
    pub(super) near: usize,
}

/// What becomes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FileEdit {
    /// This text.
    Whole(String),
    /// Its own, with changes.
    Changes(Vec<LineChange>),
}

impl FileEdit {
    /// What the lines of a block do.
    pub(super) fn of(lines: &[&str], info: &str) -> Self {
        if lines.iter().any(|l| l.trim_start().starts_with(SEARCH)) {
            return FileEdit::Changes(searched(lines));
        }
        if is_diff(lines, info) {
            return FileEdit::Changes(hunks(lines));
        }
        FileEdit::Whole(text(lines))
    }

    /// The text of the file afterwards.
    pub(super) fn apply(&self, before: Option<&str>) -> Result<String, String> {
        match self {
            FileEdit::Whole(after) => whole(before, after),
            FileEdit::Changes(changes) if changes.is_empty() => Err("its edit changes nothing".into()),
            FileEdit::Changes(changes) => {
                let mut lines: Vec<String> = before.unwrap_or_default().lines().map(str::to_owned).collect();
                let mut shift = 0_isize;
                for change in changes {
                    shift = change.apply(&mut lines, shift)?;
                }
                let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
                Ok(text(&lines))
            }
        }
    }
}

fn text(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A whole file must not leave out parts of the one that is there.
fn whole(before: Option<&str>, after: &str) -> Result<String, String> {
    let left_out = after.lines().find(|l| before.is_some_and(|b| !b.contains(l.trim())) && elides(l));
    match left_out {
        Some(line) => {
            Err(format!("it leaves out a part (`{}`): give the whole file or an edit", line.trim()))
        }
        None => Ok(after.to_owned()),
    }
}

/// Whether a line stands for code that is not there.
fn elides(line: &str) -> bool {
    const WORDS: [&str; 7] =
        ["existing", "rest of", "unchanged", "remain", "same as before", "previous code", "as before"];
    let small = line.trim().to_lowercase();
    let comment = ["//", "#", "--", "/*", "<!--", "..."].iter().any(|l| small.starts_with(l));
    comment && (small.contains("...") || small.contains('…')) && WORDS.iter().any(|w| small.contains(w))
}

/// The edits between search and replace marks.
fn searched(lines: &[&str]) -> Vec<LineChange> {
    let mut changes = Vec::new();
    let mut now: Option<(LineChange, bool)> = None;
    for line in lines {
        let mark = line.trim();
        if mark.starts_with(SEARCH) {
            now = Some((LineChange { old: Vec::new(), new: Vec::new(), near: 0 }, false));
        } else if mark.starts_with(REPLACE) {
            changes.extend(now.take().map(|(change, _)| change));
        } else if let Some((change, divided)) = &mut now {
            match (mark == DIVIDER, *divided) {
                (true, false) => *divided = true,
                (_, true) => change.new.push((*line).to_owned()),
                (false, false) => change.old.push((*line).to_owned()),
            }
        }
    }
    changes
}

fn is_diff(lines: &[&str], info: &str) -> bool {
    let named = info.split_whitespace().next().is_some_and(|w| w == "diff" || w == "patch");
    let hunk = lines.iter().any(|l| l.starts_with("@@"));
    hunk && (named || lines.iter().any(|l| l.starts_with("+++ ")))
}

/// The hunks of a unified diff of one file.
fn hunks(lines: &[&str]) -> Vec<LineChange> {
    let mut changes: Vec<LineChange> = Vec::new();
    for line in lines {
        if let Some(head) = line.strip_prefix("@@") {
            let from = head.split('-').nth(1).and_then(|n| n.split([',', ' ']).next());
            let near: usize = from.and_then(|n| n.parse().ok()).unwrap_or(0);
            changes.push(LineChange { old: Vec::new(), new: Vec::new(), near: near.saturating_sub(1) });
            continue;
        }
        let Some(change) = changes.last_mut() else { continue };
        match line.chars().next() {
            Some('-') => change.old.push(line[1..].to_owned()),
            Some('+') => change.new.push(line[1..].to_owned()),
            Some('\\') => {}
            // An empty line of context often comes without its space.
            Some(' ') => both(change, &line[1..]),
            _ => both(change, line),
        }
    }
    changes
}

fn both(change: &mut LineChange, line: &str) {
    change.old.push(line.to_owned());
    change.new.push(line.to_owned());
}

/// Takes a diff of several files apart: the path of each with its lines.
pub(super) fn files_of_diff<'a>(lines: &[&'a str], info: &str) -> Vec<(&'a str, Vec<&'a str>)> {
    if !is_diff(lines, info) {
        return Vec::new();
    }
    let mut files: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in lines {
        if let Some(path) = line.strip_prefix("+++ ") {
            let path = path.split('\t').next().unwrap_or(path).trim();
            files.push((path.strip_prefix("b/").unwrap_or(path), Vec::new()));
        } else if let Some((_, body)) = files.last_mut()
            && !line.starts_with("--- ")
            && !line.starts_with("diff ")
            && !line.starts_with("index ")
        {
            body.push(line);
        }
    }
    files
}

impl LineChange {
    /// Applies it; by how many lines what follows has moved.
    fn apply(&self, lines: &mut Vec<String>, shift: isize) -> Result<isize, String> {
        if self.old.is_empty() {
            let at =
                if lines.is_empty() { 0 } else { self.near.saturating_add_signed(shift).min(lines.len()) };
            if at == 0 && !lines.is_empty() {
                return Err("its edit does not state what to replace".into());
            }
            lines.splice(at..at, self.new.iter().cloned());
            return Ok(shift + length(&self.new));
        }
        let wanted = self.near.saturating_add_signed(shift);
        let at = find(lines, &self.old, wanted, |a, b| a == b)
            .or_else(|| find(lines, &self.old, wanted, |a, b| a.trim_end() == b.trim_end()))
            .ok_or_else(|| {
                format!("the lines it replaces are not there, from `{}` on", self.old[0].trim())
            })?;
        lines.splice(at..at + self.old.len(), self.new.iter().cloned());
        Ok(shift + length(&self.new) - length(&self.old))
    }
}

fn length(lines: &[String]) -> isize {
    isize::try_from(lines.len()).unwrap_or(isize::MAX)
}

/// The place nearest to the wanted one where these lines stand.
fn find(lines: &[String], old: &[String], wanted: usize, same: fn(&str, &str) -> bool) -> Option<usize> {
    let last = lines.len().checked_sub(old.len())?;
    let fits = |at: &usize| old.iter().zip(&lines[*at..]).all(|(a, b)| same(a, b));
    (0..=last).filter(fits).min_by_key(|at| at.abs_diff(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(body: &str, info: &str) -> FileEdit {
        FileEdit::of(&body.lines().collect::<Vec<_>>(), info)
    }

    #[test]
    fn edits_find_their_place() {
        let before = "a\nb\nc\nb\nd\n";
        let search = "<<<<<<< SEARCH\nc  \nb\n=======\nX\n>>>>>>> REPLACE";
        assert_eq!(edit(search, "py").apply(Some(before)).unwrap(), "a\nb\nX\nd\n");
        let diff = "--- a/x\n+++ b/x\n@@ -3,3 +3,3 @@\n c\n-b\n+B\n d";
        assert_eq!(edit(diff, "diff").apply(Some(before)).unwrap(), "a\nb\nc\nB\nd\n");
        let two = "@@ -1 +1,2 @@\n-a\n+a1\n+a2\n@@ -4,2 +5 @@\n-b\n d";
        assert_eq!(edit(two, "diff").apply(Some(before)).unwrap(), "a1\na2\nb\nc\nd\n");
        let new = "@@ -0,0 +1,2 @@\n+x\n+y";
        assert_eq!(edit(new, "diff").apply(None).unwrap(), "x\ny\n");
        let new = "<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE";
        assert_eq!(edit(new, "").apply(None).unwrap(), "x\n");
    }

    #[test]
    fn what_has_no_place_is_an_error() {
        let lost = "<<<<<<< SEARCH\nzz\n=======\nX\n>>>>>>> REPLACE";
        assert_eq!(
            edit(lost, "").apply(Some("a\n")).unwrap_err(),
            "the lines it replaces are not there, from `zz` on"
        );
        let blind = "<<<<<<< SEARCH\n=======\nX\n>>>>>>> REPLACE";
        assert_eq!(
            edit(blind, "").apply(Some("a\n")).unwrap_err(),
            "its edit does not state what to replace"
        );
        assert!(edit("<<<<<<< SEARCH\na\n", "").apply(Some("a\n")).is_err());
        assert!(edit("@@ nonsense @@\n-a", "diff").apply(None).is_err());
    }

    #[test]
    fn a_whole_file_may_not_leave_out_what_is_there() {
        let after = "def a():\n    pass\n# ... rest of the code unchanged ...\n";
        assert!(edit(after, "py").apply(Some("def b(): pass\n")).is_err());
        assert!(edit(after, "py").apply(None).is_ok());
        assert!(edit(after, "py").apply(Some(after)).is_ok(), "the line was there before");
    }

    #[test]
    fn a_diff_of_several_files_is_taken_apart() {
        let diff = "diff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+c";
        let lines: Vec<&str> = diff.lines().collect();
        let files = files_of_diff(&lines, "diff");
        assert_eq!(files.iter().map(|(p, l)| (*p, l.len())).collect::<Vec<_>>(), [("x", 3), ("y", 2)]);
        assert!(files_of_diff(&["x = 1"], "py").is_empty());
    }
}
