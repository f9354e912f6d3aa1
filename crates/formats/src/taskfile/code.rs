//! Code blocks of a task: the file a block belongs to, and interfaces with the task they come from.

use windlass_core::plan::{CodeBlock, Interface, Placement};

/// Comment marks that may precede a path or a source; the longer ones first.
const LEADERS: [&str; 9] = ["<!--", "//", "/*", "--", "#", ";", "%", "\"\"\"", "*"];

/// The text of a comment line, without its marks.
fn comment(line: &str) -> Option<&str> {
    let line = line.trim();
    let leader = LEADERS.iter().find(|l| line.starts_with(**l))?;
    let words = line[leader.len()..].trim_start_matches(['/', '#', '!']).trim();
    let words = ["-->", "*/", "\"\"\""].iter().fold(words, |w, end| w.strip_suffix(end).unwrap_or(w));
    Some(words.trim())
}

/// A fenced block of code with its language, its file and whether it is the whole file.
pub(crate) fn code_block(code: String, info: &str) -> CodeBlock {
    let comments: Vec<&str> = code
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty() && !l.starts_with("#!"))
        .take(3)
        .map_while(comment)
        .collect();
    let first = comments.first().copied().unwrap_or_default();
    let path = path_in(addition(first).unwrap_or(first)).map(str::to_owned);
    let adds = comments.iter().any(|c| addition(c).is_some());
    let placement = if path.is_some() && adds { Placement::Addition } else { Placement::Whole };
    CodeBlock { path, language: (!info.is_empty()).then(|| info.to_owned()), code, placement }
}

/// The text after `ADD to`.
fn addition(words: &str) -> Option<&str> {
    let head = words.get(..7)?;
    head.eq_ignore_ascii_case("add to ").then(|| words[7..].trim())
}

/// The path that is the whole of a comment: one word with a folder or an ending, and an optional remark in parentheses.
fn path_in(words: &str) -> Option<&str> {
    let words = words.trim_end_matches(':');
    let word = match words.split_once(" (") {
        Some((word, rest)) if rest.ends_with(')') => word,
        Some(_) | None => words,
    };
    let word = word.trim_matches('`');
    let ending = word.rsplit('/').next().and_then(|name| name.rsplit_once('.'));
    let has_ending = ending.is_some_and(|(_, e)| e.starts_with(|c: char| c.is_ascii_alphabetic()));
    let clean = !word.contains(|c: char| c.is_whitespace() || "<>{}\"'`;,=|&$?!\\".contains(c));
    let shaped = has_ending || (word.contains('/') && !word.ends_with('/'));
    (clean && shaped && !word.contains("://") && !word.starts_with('@')).then_some(word)
}

/// The interfaces in a fenced block: each begins at a comment `From TASK-031: name`.
pub(crate) fn interfaces(code: &str, info: &str) -> Vec<Interface> {
    let language = (!info.is_empty()).then(|| info.to_owned());
    let mut found = Vec::new();
    let mut current = Interface { language: language.clone(), ..Interface::default() };
    let mut lines: Vec<&str> = Vec::new();
    for line in code.split('\n') {
        let Some((source, name)) = comment(line).and_then(source_of) else {
            lines.push(line);
            continue;
        };
        finish(&mut found, current, &lines);
        lines.clear();
        let name = (!name.is_empty()).then(|| name.to_owned());
        current = Interface {
            source: Some(source.to_owned()),
            name,
            language: language.clone(),
            ..Interface::default()
        };
    }
    finish(&mut found, current, &lines);
    found
}

fn finish(found: &mut Vec<Interface>, mut interface: Interface, lines: &[&str]) {
    let from = lines.iter().position(|l| !l.trim().is_empty()).unwrap_or(lines.len());
    let to = lines.iter().rposition(|l| !l.trim().is_empty()).map_or(from, |i| i + 1);
    interface.code = lines[from..to].join("\n");
    if interface.source.is_some() || !interface.code.is_empty() {
        found.push(interface);
    }
}

/// The task and the name in `From TASK-031: name`.
fn source_of(words: &str) -> Option<(&str, &str)> {
    let rest = words.get(..5).filter(|w| w.eq_ignore_ascii_case("from ")).map(|_| words[5..].trim())?;
    let (source, name) = rest.split_once(':').unwrap_or((rest, ""));
    let idish = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    (!source.is_empty() && source.chars().all(idish)).then(|| (source, name.trim()))
}

/// The comment mark of a language.
pub fn comment_mark(language: Option<&str>) -> &'static str {
    match language.unwrap_or_default().split_whitespace().next().unwrap_or_default() {
        "python" | "py" | "sh" | "bash" | "ruby" | "rb" | "yaml" | "yml" | "toml" | "r" | "perl"
        | "elixir" => "#",
        "sql" | "lua" | "haskell" | "hs" => "--",
        _ => "//",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_comment_names_the_file() {
        let table: [(&str, Option<&str>, Placement); 15] = [
            ("// src/a.ts\ncode", Some("src/a.ts"), Placement::Whole),
            ("# tests/test_a.py", Some("tests/test_a.py"), Placement::Whole),
            ("\n-- db/schema.sql\n", Some("db/schema.sql"), Placement::Whole),
            ("/* a.css */", Some("a.css"), Placement::Whole),
            ("<!-- x/y.html -->", Some("x/y.html"), Placement::Whole),
            ("// src/a.ts (new file)", Some("src/a.ts"), Placement::Whole),
            ("// app/[id]/page.tsx", Some("app/[id]/page.tsx"), Placement::Whole),
            ("// ADD to src/a.test.ts\n", Some("src/a.test.ts"), Placement::Addition),
            ("// src/a.ts\n// ADD to existing object:\n", Some("src/a.ts"), Placement::Addition),
            ("#!/bin/sh\n# bin/run.sh\n", Some("bin/run.sh"), Placement::Whole),
            ("#[cfg(test)]\nmod t;", None, Placement::Whole),
            ("#include <stdio.h>", None, Placement::Whole),
            ("// see https://a.b/c", None, Placement::Whole),
            ("// returns 1.5 of it", None, Placement::Whole),
            ("const a = 1; // src/a.ts", None, Placement::Whole),
        ];
        for (code, path, placement) in table {
            let block = code_block(code.to_owned(), "ts");
            assert_eq!((block.path.as_deref(), block.placement), (path, placement), "{code}");
        }
    }

    #[test]
    fn interfaces_are_split_at_their_sources() {
        let code =
            "type X = 1;\n\n// From TASK-031: repo\ntype A = {\n};\n\n// From TASK-002\ninterface B {}";
        let found = interfaces(code, "ts");
        let short: Vec<_> =
            found.iter().map(|i| (i.source.as_deref(), i.name.as_deref(), i.code.as_str())).collect();
        assert_eq!(
            short,
            [
                (None, None, "type X = 1;"),
                (Some("TASK-031"), Some("repo"), "type A = {\n};"),
                (Some("TASK-002"), None, "interface B {}"),
            ]
        );
    }
}
