//! The keys at the beginning of a JSON file: those at the top, and those of its first task.
//!
//! Serves to detect the dialect. Its cost does not depend on the size of the file, and the file may be broken.

use super::scan::{skip_blank, skip_string};

/// The most bytes of a file that are read.
const WINDOW: usize = 256 << 10;

/// The most bytes that are read after the first task.
const MORE: usize = 16 << 10;

/// The keys found at the beginning of a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Peek<'a> {
    /// Keys of the outermost object; for a list, none.
    pub(crate) top: Vec<&'a str>,
    /// Keys one level down, with the key above them.
    pub(crate) second: Vec<(&'a str, &'a str)>,
    /// Keys of the first task: the first object in a list, or below `tasks`, or below `tasks` of a tag.
    pub(crate) task: Vec<&'a str>,
    /// The bracket behind `tasks`, or the outermost one if it is a list.
    pub(crate) tasks: Option<u8>,
}

impl Peek<'_> {
    /// Whether the outermost object has this key.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.top.contains(&key)
    }

    /// Whether the first task has this key.
    pub(crate) fn task_has(&self, key: &str) -> bool {
        self.task.contains(&key)
    }

    /// Whether an object at the top has this key.
    pub(crate) fn below_has(&self, key: &str) -> bool {
        self.second.iter().any(|(_, k)| *k == key)
    }
}

/// An open bracket around the current position.
#[derive(Clone, Copy)]
struct OpenBracket<'a> {
    bracket: u8,
    /// The key before the bracket.
    name: &'a str,
    /// The first of its kind inside the level above.
    first: bool,
    children: usize,
}

/// Finds the keys at the beginning of `bytes`.
pub(crate) fn peek(bytes: &[u8]) -> Peek<'_> {
    let mut bytes = &bytes[..bytes.len().min(WINDOW)];
    let mut found = Peek::default();
    let mut levels: Vec<OpenBracket<'_>> = Vec::new();
    let mut pending = "";
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'"' => {
                let end = skip_string(bytes, at);
                let colon = skip_blank(bytes, end);
                if bytes.get(colon) == Some(&b':') {
                    pending = std::str::from_utf8(&bytes[at..end.saturating_sub(1).max(at)]).unwrap_or("");
                    note_key(&mut found, &levels, pending);
                }
                at = end;
            }
            b'{' | b'[' => {
                open(&mut found, &mut levels, *byte, pending);
                pending = "";
            }
            b'}' | b']' => {
                let closed = levels.pop();
                if !found.task.is_empty() && closed.is_some_and(|l| l.first) && holds_tasks(&levels) {
                    bytes = &bytes[..bytes.len().min(at + MORE)];
                }
            }
            _ => {}
        }
    }
    found
}

fn open<'a>(found: &mut Peek<'a>, levels: &mut Vec<OpenBracket<'a>>, bracket: u8, name: &'a str) {
    let first = levels.last_mut().is_none_or(|up| {
        up.children += 1;
        up.children == 1
    });
    let is_tasks = levels.is_empty() && bracket == b'[' || name == "tasks" && levels.len() <= 2;
    if is_tasks && found.tasks.is_none() {
        found.tasks = Some(bracket);
    }
    levels.push(OpenBracket { bracket, name, first, children: 0 });
}

fn note_key<'a>(found: &mut Peek<'a>, levels: &[OpenBracket<'a>], key: &'a str) {
    match levels {
        [top] if top.bracket == b'{' => found.top.push(key),
        [_, below] if below.bracket == b'{' => found.second.push((below.name, key)),
        _ => {}
    }
    if let [above @ .., task] = levels
        && task.bracket == b'{'
        && task.first
        && holds_tasks(above)
    {
        found.task.push(key);
    }
}

/// Whether the objects in the innermost of these levels are tasks.
fn holds_tasks(levels: &[OpenBracket<'_>]) -> bool {
    match levels {
        [list] => list.bracket == b'[',
        [_, tasks] => tasks.name == "tasks",
        [_, tag, tasks] => tasks.name == "tasks" && tag.bracket == b'{' && tag.first,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_task_is_found_wherever_tasks_live() {
        for text in [
            r#"{"a": 1, "tasks": [{"id": "x", "files": {"create": []}}, {"other": 1}]}"#,
            r#"{"tasks": {"x": {"id": "x", "files": []}, "y": {"other": 1}}}"#,
            r#"{"master": {"tasks": [{"id": 1, "files": 2}, {"other": 1}], "metadata": {}}}"#,
            r#"[{"id": 1, "files": 2}, {"other": 1}]"#,
            r#"{"tasks": [{"id": 1, "files": [{"path": "a"#,
        ] {
            assert_eq!(peek(text.as_bytes()).task, ["id", "files"], "{text}");
        }
    }

    #[test]
    fn garbage_shows_nothing() {
        assert_eq!(peek(b"\xff\xfe{{{]]]\"a"), Peek::default());
        assert_eq!(peek(b""), Peek::default());
    }
}
