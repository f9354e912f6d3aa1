//! What listings say in words: comments beside fields, text below declarations, options with their meaning, rules of a grammar,
//! numbered steps and the lists in a drawing.

use super::listing_columns::{pairs, settings};
use crate::spec::document::CodeListing;

/// The fewest words of a comment that says something.
const FEWEST: usize = 3;

/// The statements of a listing, each with the name it is about.
pub(super) fn statements(code: &CodeListing) -> Vec<String> {
    let info = code.info.split([' ', ',', '{']).next().unwrap_or_default().to_lowercase();
    match info.as_str() {
        "abnf" | "ebnf" | "bnf" => rules(&code.text),
        "" | "text" | "txt" | "plain" | "plaintext" => plain_listing(&code.text),
        "sh" | "bash" | "shell" | "console" | "zsh" => options(&code.text),
        "jsonc" | "json5" => headed_values(&code.text),
        "yaml" | "yml" | "toml" | "ini" | "conf" | "env" | "dotenv" | "properties" => settings(&code.text),
        "json" | "html" | "xml" | "css" | "mermaid" | "plantuml" | "diff" => Vec::new(),
        _ => declarations(&code.text),
    }
}

/// A listing without a language: a grammar, a drawing with lists, steps, or the usage of a command.
fn plain_listing(text: &str) -> Vec<String> {
    let grammar = rules(text);
    if grammar.len() > 2 {
        return grammar;
    }
    let readers = [drawn_lists, listed, steps, options, pairs, usages, spoken, settings, declarations];
    readers.iter().map(|read| read(text)).find(|said| !said.is_empty()).unwrap_or_default()
}

/// The sentences that stand among pseudo-code at its margin: `Present the histogram to the user.`
fn spoken(text: &str) -> Vec<String> {
    let is_sentence = |line: &&str| {
        line.starts_with(|c: char| c.is_alphabetic())
            && line.trim_end().ends_with('.')
            && line.split_whitespace().count() > FEWEST
            && !line.contains([';', '{', '}', '│', '|'])
    };
    text.lines().filter(is_sentence).map(|line| line.trim().to_owned()).collect()
}

/// Values below a comment that names them: `// CircleCommand` above `{ "radius": r }`.
fn headed_values(text: &str) -> Vec<String> {
    const LONGEST: usize = 300;
    let mut found: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix("//").map(str::trim) {
            found.push(format!("{name}:"));
            is_open = true;
        } else if line.is_empty() {
            is_open = false;
        } else if let Some(last) = found.last_mut().filter(|last| is_open && last.len() < LONGEST) {
            last.push_str(&format!(" {line}"));
        }
    }
    found.retain(|value| !value.ends_with(':'));
    found
}

/// How the commands of one program are called, and what follows from what: `shelf add TITLE [--year N]`, `stale → asks again`.
fn usages(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let first = |line: &str| line.trim_start_matches("$ ").split_whitespace().next().map(str::to_owned);
    let is_call = |line: &&&str| {
        line.contains(" --")
            || line.contains("[-")
            || line.contains('<')
            || line.split(' ').skip(1).any(is_placeholder)
    };
    let name = lines.first().and_then(|line| first(line));
    let is_one_program = lines.len() > 1 && lines.iter().all(|line| first(line) == name);
    if is_one_program && lines.iter().filter(is_call).count() * 2 > lines.len() {
        return lines.iter().map(|line| format!("`{}`", line.trim_start_matches("$ "))).collect();
    }
    let follows = |line: &&str| {
        let marks = ["→", "⇒", "=>", " = "];
        marks.iter().any(|mark| line.contains(mark)) && line.split_whitespace().count() > 3
    };
    let is_drawn = text.contains(['│', '┌', '├', '▼', '{', '}']);
    if !is_drawn && lines.iter().copied().filter(|line| follows(line)).count() * 2 > lines.len() {
        return lines.iter().copied().filter(|line| follows(line)).map(str::to_owned).collect();
    }
    Vec::new()
}

/// Whether a word stands for what a user gives: `TITLE`, `[FILE]`.
fn is_placeholder(word: &str) -> bool {
    let word = word.trim_matches(['[', ']', '.']);
    word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_')
}

/// The rules of a grammar: `name = …`, `name ::= …`.
fn rules(text: &str) -> Vec<String> {
    let is_rule = |line: &&str| {
        let (name, body) = match line.split_once("::=").or_else(|| line.split_once(" = ")) {
            Some((name, body)) => (name.trim(), body.trim()),
            None => return false,
        };
        let named = !name.is_empty()
            && !line.starts_with(' ')
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '<' | '>'));
        let is_body = line.contains("::=") || body.contains(['/', '|', '*', '"', '%', '(']);
        named && is_body && !body.ends_with([';', '{', ','])
    };
    text.lines().filter(is_rule).map(|line| line.trim().to_owned()).collect()
}

/// The items of lists in a listing, each behind the line that introduces it, if most lines are items.
fn listed(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut name = "";
    let mut others = 0;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let item = ["- ", "* ", "• ", "[ ] "].iter().find_map(|mark| line.strip_prefix(mark)).map(str::trim);
        match item.map(|item| item.strip_prefix("[ ] ").unwrap_or(item)) {
            Some(item) if item.split_whitespace().count() > 1 || item.chars().count() > 7 => {
                let colon = if name.is_empty() { "" } else { ": " };
                found.push(format!("{name}{colon}{item}"));
            }
            Some(_) => {}
            None => {
                others += 1;
                name = line.strip_suffix([':', '：']).unwrap_or_default().trim_start_matches('#').trim();
            }
        }
    }
    if found.len() > 1 && found.len() >= others { found } else { Vec::new() }
}

/// The numbered lines of a listing, if there are several: `2. Fetch the rates`.
fn steps(text: &str) -> Vec<String> {
    let step = |line: &str| {
        let line = line.trim();
        let digits = line.chars().take_while(char::is_ascii_digit).count();
        let rest = line.get(digits..)?.strip_prefix(['.', ')'])?.trim();
        (digits > 0 && rest.split_whitespace().count() > 1).then(|| rest.to_owned())
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
    let found: Vec<String> = text.lines().filter_map(step).collect();
    if found.len() > 1 && found.len() * 2 > lines { found } else { Vec::new() }
}

/// The lists in the boxes of a drawing, each item behind the name of its box.
fn drawn_lists(text: &str) -> Vec<String> {
    const FRAME: [char; 20] =
        ['│', '┃', '|', '┌', '┐', '└', '┘', '├', '┤', '┬', '┴', '┼', '─', '━', '▼', '▲', '╔', '╗', '║', '═'];
    if !text.contains(['│', '┃', '║']) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut name = String::new();
    let mut opened = false;
    for line in text.lines() {
        let inner = line.trim_matches(|c: char| c.is_whitespace() || FRAME.contains(&c));
        if inner.is_empty() {
            opened = opened || line.contains(['┌', '╔']);
            continue;
        }
        // Boxes that stand side by side cannot be told apart.
        let item = inner.strip_prefix("- ").or_else(|| inner.strip_prefix("• ")).or_else(|| numbered(inner));
        match item.map(str::trim) {
            Some(item) if !item.contains(['│', '┃']) => {
                let is_said = item.split_whitespace().count() >= 2 || item.chars().count() > 7;
                if is_said {
                    let item = item.split("  ").next().unwrap_or(item).trim();
                    let colon = if name.is_empty() { "" } else { ": " };
                    found.push(format!("{name}{colon}{item}"));
                }
            }
            None if opened || line.contains(['┌', '╔']) => {
                inner.split(['(', '（']).next().unwrap_or(inner).trim().clone_into(&mut name);
                opened = false;
            }
            Some(_) | None => {}
        }
    }
    if found.len() > 1 { found } else { Vec::new() }
}

/// The text behind the number of a line: `2. Fetch`.
fn numbered(line: &str) -> Option<&str> {
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    if digits == 0 { None } else { line[digits..].strip_prefix(". ") }
}

/// Options and commands with their meaning: `--port <n>   server port`, `tool review   # what waits for me`, and the same with the
/// meaning in the line above.
fn options(text: &str) -> Vec<String> {
    let mut found = beside(text);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    for two in lines.windows(2) {
        let Some(meaning) = two[0].strip_prefix("# ") else { continue };
        let call = two[1].trim_start_matches("$ ");
        let is_call = !call.is_empty() && !call.starts_with('#') && !is_set_up(call);
        if is_call && meaning.split_whitespace().count() >= FEWEST {
            found.push(format!("`{call}`: {meaning}"));
        }
    }
    found
}

/// Those with their meaning in the same line.
fn beside(text: &str) -> Vec<String> {
    let said = |line: &str| {
        let line = line.trim().trim_start_matches("$ ");
        let (call, meaning) = if line.starts_with('-') {
            line.split_once("  ").or_else(|| line.split_once('\t'))?
        } else {
            line.split_once(" # ").filter(|(call, _)| !is_set_up(call))?
        };
        let meaning = meaning.trim().trim_start_matches("# ").trim();
        let says = meaning.split_whitespace().count() >= FEWEST && !call.trim().is_empty();
        says.then(|| format!("`{}`: {meaning}", call.trim()))
    };
    text.lines().filter_map(said).collect()
}

/// Whether a command belongs to setting things up, and not to what is built.
fn is_set_up(call: &str) -> bool {
    const OTHERS: &str = include_str!("../../words/other_programs.txt");
    let first = call.split_whitespace().next().unwrap_or_default();
    crate::words::is_listed(OTHERS, first)
        || matches!(first, "cd" | "mkdir" | "export" | "source" | "pip" | "cargo")
}

/// Comments beside fields and below declarations: `limit?: number; // at most 100`, `def stop(self): """Ends the run."""`.
fn declarations(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut declared: Option<String> = None;
    let mut above = String::new();
    // Below an opening brace or colon of a function there is code, not a list of fields.
    for line in text.lines() {
        let trimmed = line.trim();
        if let Some(comment) = comment_line(trimmed) {
            let gap = if above.is_empty() { "" } else { " " };
            above.push_str(&format!("{gap}{comment}"));
            continue;
        }
        let above = std::mem::take(&mut above);
        if let Some(doc) = docstring(trimmed) {
            if let Some(name) = declared.take().filter(|_| doc.split_whitespace().count() > 1) {
                found.push(format!("`{name}`: {doc}"));
            }
            continue;
        }
        let says = above.split_whitespace().count() > FEWEST;
        if let Some(name) = signature(trimmed).filter(|_| says) {
            found.push(format!("`{name}`: {above}"));
        }
        if let Some(name) = python_name(trimmed) {
            declared = Some(name);
            continue;
        }
        if !trimmed.is_empty() {
            declared = None;
        }
        if let Some((name, comment)) = field_comment(trimmed) {
            found.push(format!("`{name}`: {comment}"));
        }
    }
    found
}

/// The text of a line that is nothing but a comment.
fn comment_line(line: &str) -> Option<&str> {
    let text = ["///", "//!", "//", "/**", "/*", "*/", "* ", "# ", "-- "]
        .iter()
        .find_map(|mark| line.strip_prefix(mark))?;
    Some(text.trim_end_matches("*/").trim())
}

/// The head of a function or method that a line declares without saying how it works.
fn signature(line: &str) -> Option<&str> {
    let head =
        line.strip_suffix(';').or_else(|| line.strip_suffix('{')).or_else(|| line.strip_suffix(':'))?;
    let head = head.trim();
    let (name, _) = head.split_once('(')?;
    let is_declared = head.contains(')') && !name.contains(['=', '.', '"']) && !name.trim().is_empty();
    let first = name.split_whitespace().next().unwrap_or_default();
    let is_control = matches!(first, "if" | "for" | "while" | "switch" | "return" | "catch" | "else");
    (is_declared && !is_control && (line.ends_with(';') || name.contains(' '))).then_some(head)
}

/// The text of a docstring of one line.
fn docstring(line: &str) -> Option<&str> {
    let inner = line.strip_prefix("\"\"\"")?;
    let inner = inner.strip_suffix("\"\"\"").unwrap_or(inner).trim();
    (!inner.is_empty()).then_some(inner)
}

/// The name that a line of Python declares.
fn python_name(line: &str) -> Option<String> {
    let line = line.strip_prefix("async ").unwrap_or(line);
    let rest = line.strip_prefix("def ").or_else(|| line.strip_prefix("class "))?;
    let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (line.ends_with(':') && !name.is_empty()).then_some(name)
}

/// The field of a line and the comment behind it: `name?: string;   // at most 80 letters`.
fn field_comment(line: &str) -> Option<(String, &str)> {
    let (code, comment) = line.split_once(" // ").or_else(|| line.split_once("  # "))?;
    let code = code.trim().trim_end_matches([';', ',']);
    // `[length] u8 name`
    let code = code.split_once("] ").filter(|_| code.starts_with('[')).map_or(code, |(_, rest)| rest);
    let comment = comment.trim();
    let name: String = code.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let behind = code[name.len()..].trim_start_matches('?');
    let is_field = !name.is_empty()
        && (behind.starts_with(':') || (behind.starts_with(' ') && code.split_whitespace().count() == 2))
        && !code.contains(['(', '=', '{']);
    (is_field && comment.split_whitespace().count() >= FEWEST).then(|| (code.to_owned(), comment))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(info: &str, text: &str) -> Vec<String> {
        statements(&CodeListing { info: info.into(), text: text.into(), at: 0..0 })
    }

    #[test]
    fn fields_and_declarations_say_what_they_are() {
        let fields = "{\n  id: string;      // Required: the shelf to read\n  page?: number;   // counted from one\n  x: y;\n}";
        assert_eq!(
            said("ts", fields),
            ["`id: string`: Required: the shelf to read", "`page?: number`: counted from one"]
        );
        let stubs = "class Shelf:\n    \"\"\"Keeps books in order\"\"\"\n    async def close(self):\n        \"\"\"Writes what is open\"\"\"\n        self.x = 1  # not a field of it\n";
        assert_eq!(said("python", stubs), ["`Shelf`: Keeps books in order", "`close`: Writes what is open"]);
    }

    #[test]
    fn options_steps_rules_and_boxes_are_lists() {
        let usage = "shelf list   # every book by title\npip install shelf # for the first time\n  --all <n>    also those that are lent\n";
        assert_eq!(
            said("bash", usage),
            ["`shelf list`: every book by title", "`--all <n>`: also those that are lent"]
        );
        assert_eq!(
            said("", "1. Read the file\n2. Sort the books → print"),
            ["Read the file", "Sort the books → print"]
        );
        let grammar = "book = title *(sep author)\ntitle = 1*letter\nsep = \",\" / \";\"\n";
        assert_eq!(said("", grammar).len(), 3);
        let boxes = "┌──────────┐\n│ Reader (node)  │\n│ - opens the file   │\n│ - checks every line  │\n└──────────┘";
        assert_eq!(said("", boxes), ["Reader: opens the file", "Reader: checks every line"]);
        let calls = "shelf add TITLE [--year N]\nshelf lend TITLE --to NAME\n";
        assert_eq!(said("", calls), ["`shelf add TITLE [--year N]`", "`shelf lend TITLE --to NAME`"]);
        let rules = "no title given → refused with 2\nbook is lent → shown in grey\n";
        assert_eq!(said("", rules), ["no title given → refused with 2", "book is lent → shown in grey"]);
        assert!(said("json", "{\"a\": 1} // the number of books").is_empty());
    }
}
