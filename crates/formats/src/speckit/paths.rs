//! The files named in a sentence, and what is done to them.
//!
//! Goes by the look of words: a path has a slash and an ending, or one of the endings every project knows.

use std::collections::HashSet;

use windlass_core::path_text::FILE_ENDINGS;
use windlass_core::plan::Files;

/// Files that are called by an ending only, or by none.
const WHOLE_NAMES: &[&str] =
    &[".gitignore", ".env", ".dockerignore", ".editorconfig", "Dockerfile", "Makefile"];

/// What a sentence does to its files, by its verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileAction {
    Make,
    Change,
    Move,
    Remove,
    Look,
}

/// Reads the files of a sentence. `made` holds what earlier tasks have made: that can only be changed.
pub(super) fn files(sentence: &str, made: &mut HashSet<String>) -> Files {
    let mut files = Files::default();
    let deed = deed(sentence);
    let paths = paths(sentence, deed);
    match (deed, &paths[..]) {
        (FileAction::Look, _) => files.read = paths,
        (FileAction::Move, [from, to, ..]) => {
            files.delete = vec![from.clone()];
            files.create = vec![to.clone()];
        }
        (FileAction::Remove, [first, ..]) if follows_verb(sentence, first) => files.delete = paths,
        (FileAction::Make, _) => {
            for path in paths {
                let list = if made.contains(&path) { &mut files.modify } else { &mut files.create };
                list.push(path);
            }
        }
        (FileAction::Change | FileAction::Move | FileAction::Remove, _) => files.modify = paths,
    }
    made.extend(files.create.iter().chain(&files.modify).cloned());
    files
}

fn deed(sentence: &str) -> FileAction {
    let verb: String = sentence.chars().take_while(|c| c.is_alphabetic()).collect();
    match verb.to_ascii_lowercase().as_str() {
        "create" | "implement" | "write" | "build" | "define" | "generate" | "scaffold" | "initialize"
        | "setup" | "set" | "establish" | "design" | "develop" | "introduce" | "draft" | "bootstrap" => {
            FileAction::Make
        }
        "rename" | "move" => FileAction::Move,
        "delete" | "remove" | "drop" => FileAction::Remove,
        "verify" | "run" | "check" | "validate" | "count" | "review" | "confirm" | "test" | "ensure"
        | "read" | "investigate" | "research" => FileAction::Look,
        _ => FileAction::Change,
    }
}

fn follows_verb(sentence: &str, path: &str) -> bool {
    let after = sentence.split_once(char::is_whitespace).map_or("", |(_, rest)| rest);
    after.trim_start_matches(['`', '"', '\'']).starts_with(path)
}

/// Every path of a sentence, once, in order. A bare name that ends another path is the same file. A file in a
/// command is at most read.
fn paths(sentence: &str, deed: FileAction) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once('`') {
        words(before, &mut found);
        let (code, behind) = after.split_once('`').unwrap_or((after, ""));
        if deed == FileAction::Look || !code.trim().contains(char::is_whitespace) {
            words(code, &mut found);
        }
        rest = behind;
    }
    words(rest, &mut found);
    let all = found.clone();
    let is_end_of = |name: &str, path: &str| path.strip_suffix(name).is_some_and(|head| head.ends_with('/'));
    found.retain(|name| name.contains('/') || !all.iter().any(|path| is_end_of(name, path)));
    found
}

fn words(text: &str, found: &mut Vec<String>) {
    let apart = |c: char| {
        c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')' | '"' | '\'' | '→' | '<' | '>' | '|')
    };
    for word in text.split(apart) {
        let word = word.trim_end_matches(['.', ':', '!', '?']).trim_start_matches("./");
        if is_path(word) && !found.iter().any(|f| f == word) {
            found.push(word.to_owned());
        }
    }
}

fn is_path(word: &str) -> bool {
    if word.starts_with(['/', '-', '$', '~'])
        || word.contains("://")
        || word.contains(['*', '{', '}', '[', ']', '='])
    {
        return false;
    }
    let name = word.rsplit('/').next().unwrap_or_default();
    if WHOLE_NAMES.contains(&name) {
        return true;
    }
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    let plain = !ending.is_empty() && ending.len() <= 8 && ending.bytes().all(|b| b.is_ascii_alphanumeric());
    let known = FILE_ENDINGS.contains(&ending.to_ascii_lowercase().as_str());
    let lettered = ending.starts_with(|c: char| c.is_ascii_alphabetic());
    plain && !stem.is_empty() && (known || word.contains('/') && lettered && !stem.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_in_sentences() {
        let table: [(&str, &[&str]); 11] = [
            ("Create the user model in src/models/user.py", &["create src/models/user.py"]),
            ("Add a field to `src/a.rs` (see docs/x.md)", &["modify src/a.rs", "modify docs/x.md"]),
            ("Rename `a/old.md` to `a/new.md`", &["create a/new.md", "delete a/old.md"]),
            ("Delete src/dead.ts", &["delete src/dead.ts"]),
            ("Create main.mts beside index.rst", &["create main.mts", "create index.rst"]),
            ("Remove the flag from src/cli.ts", &["modify src/cli.ts"]),
            ("Verify output of src/a.py with `pytest tests/ -q`", &["read src/a.py"]),
            ("Verify `jq .name conf/a.json` prints it", &["read conf/a.json"]),
            ("Add flag parsing to implement.md (commands/implement.md)", &["modify commands/implement.md"]),
            (
                "Create README.md and .gitignore, e.g. workflow.name, v1.2",
                &["create README.md", "create .gitignore"],
            ),
            ("Update /speckit.plan at https://x.y/z.html in 3.5 s", &[]),
        ];
        for (sentence, expected) in table {
            let files = files(sentence, &mut HashSet::new());
            let mut all: Vec<String> = files.create.iter().map(|f| format!("create {f}")).collect();
            all.extend(files.modify.iter().map(|f| format!("modify {f}")));
            all.extend(files.read.iter().map(|f| format!("read {f}")));
            all.extend(files.delete.iter().map(|f| format!("delete {f}")));
            assert_eq!(all, expected, "{sentence}");
        }
    }

    #[test]
    fn what_was_made_is_only_changed() {
        let mut made = HashSet::new();
        files("Create A in src/m.py", &mut made);
        assert_eq!(files("Create B in src/m.py", &mut made).modify, ["src/m.py"]);
    }
}
