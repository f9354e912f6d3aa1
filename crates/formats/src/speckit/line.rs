//! One line: `- [ ] T012 [P] [US1] Create the user model in src/models/user.py`.

use std::fmt::Write as _;

/// The parts of a task's line. Offsets count in the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TaskLine<'a> {
    /// The offset of the character in the check box.
    pub(super) mark_at: usize,
    /// That character.
    pub(super) mark: char,
    pub(super) id: &'a str,
    pub(super) parallel: bool,
    pub(super) stories: Vec<&'a str>,
    /// Where the sentence starts.
    pub(super) text_at: usize,
    pub(super) text: &'a str,
}

impl<'a> TaskLine<'a> {
    pub(super) fn parse(line: &'a str) -> Option<Self> {
        let rest = line.trim_start().strip_prefix(['-', '*', '+'])?.trim_start().strip_prefix('[')?;
        let mark = rest.chars().next().filter(|c| matches!(c, ' ' | 'x' | 'X' | '-' | '~' | '/' | '>'))?;
        let mark_at = line.len() - rest.len();
        let rest = rest[mark.len_utf8()..].strip_prefix(']')?.trim_start();
        let rest = rest.trim_start_matches('*');
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (id, rest) = rest.split_at(end);
        if !is_id(id) {
            return None;
        }
        let mut rest = rest.trim_start_matches(['*', ':']).trim_start();
        let mut task =
            TaskLine { mark_at, mark, id, parallel: false, stories: Vec::new(), text_at: 0, text: "" };
        while let Some((tag, after)) = rest.strip_prefix('[').and_then(|r| r.split_once(']')) {
            match tag {
                "P" => task.parallel = true,
                _ if is_story(tag) => task.stories.push(tag),
                _ => break,
            }
            rest = after.trim_start();
        }
        task.text = rest.trim_end();
        task.text_at = line.len() - rest.len();
        Some(task)
    }
}

/// `T012` or `T012a`.
pub(super) fn is_id(id: &str) -> bool {
    let digits = id.strip_prefix('T').unwrap_or_default().trim_end_matches(|c: char| c.is_ascii_lowercase());
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) && id.len() - 1 - digits.len() <= 1
}

/// `US1` or `US-001`.
pub(super) fn is_story(tag: &str) -> bool {
    let number = tag.strip_prefix("US").map(|n| n.trim_start_matches('-'));
    number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// A new line for a task.
pub(super) fn render(mark: char, id: &str, parallel: bool, stories: &[String], text: &str) -> String {
    let mut line = format!("- [{mark}] {id}");
    if parallel {
        line.push_str(" [P]");
    }
    for story in stories.iter().filter(|s| is_story(s)) {
        let _ = write!(line, " [{story}]");
    }
    line.push(' ');
    line.push_str(text);
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_into_its_parts() {
        let line = TaskLine::parse("- [x] T012 [P] [US1] Create [x] in a/b.py ").expect("a task");
        assert_eq!((line.mark, line.mark_at, line.id, line.parallel), ('x', 3, "T012", true));
        assert_eq!((line.stories, line.text, line.text_at), (vec!["US1"], "Create [x] in a/b.py", 21));
        let bold = TaskLine::parse("  * [ ] **T1**: Do").expect("a task");
        assert_eq!((bold.id, bold.text), ("T1", "Do"));
    }

    #[test]
    fn other_lines_are_no_tasks() {
        for line in
            ["- [ ] Create", "- [P] T1 x", "- T1 x", "", "- [", "- []", "- [é", "# [ ] T1", "- [ ] TX1 a"]
        {
            assert_eq!(TaskLine::parse(line), None, "{line}");
        }
    }
}
