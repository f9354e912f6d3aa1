//! Wrong versions of shell scripts.
//!
//! The shell has no grammar here: the one lexer of scripts finds the commands. Every change keeps the syntax: an operator
//! for an operator, a number for a number, `:` for a command.

use std::ops::Range;
use windlass_core::path_text::file_name;

use super::{Mutant, MutantKind};
use crate::script::{Separator, ShellScript, SimpleCommand};

/// Commands that steer the script: without them it would be another script, not a wrong one.
const STEERING: [&str; 32] = [
    "[", "[[", "test", "exit", "return", "break", "continue", "shift", "set", "unset", "trap", "local",
    "export", "readonly", "declare", "typeset", "read", "cd", ".", "source", "eval", "exec", "true", "false",
    ":", "for", "case", "select", "in", "fi", "done", "esac",
];

/// Every mutant of a script. What stands outside functions belongs to the script, under the name of its file.
pub(super) fn all(path: &str, text: &str) -> Vec<Mutant> {
    let name = file_name(path);
    let functions = functions(text);
    let mut maker = ShellMaker { text, name, functions, made: Vec::new() };
    let script = ShellScript::parse(text);
    maker.early_returns(&script);
    for command in &script.commands {
        maker.comparison(command);
        maker.assignment(command);
        maker.dropped(command);
    }
    for span in arithmetic(text) {
        maker.numbers(span);
    }
    maker.made
}

struct ShellFunction {
    name: String,
    /// Behind the opening brace, to the closing one.
    body: Range<usize>,
}

struct ShellMaker<'a> {
    text: &'a str,
    name: &'a str,
    functions: Vec<ShellFunction>,
    made: Vec<Mutant>,
}

impl ShellMaker<'_> {
    fn function_at(&self, at: usize) -> Option<&ShellFunction> {
        self.functions.iter().rfind(|function| function.body.contains(&at))
    }

    fn push(&mut self, kind: MutantKind, range: Range<usize>, text: String) {
        let function = self.function_at(range.start).map_or(self.name, |f| f.name.as_str()).to_owned();
        let line = self.text[..range.start].matches('\n').count() + 1;
        let last_line = line + self.text[range.clone()].matches('\n').count();
        self.made.push(Mutant { kind, function, line, last_line, range, text });
    }

    fn early_returns(&mut self, script: &ShellScript) {
        let bodies: Vec<Range<usize>> = self.functions.iter().map(|function| function.body.clone()).collect();
        for body in bodies {
            self.push(MutantKind::EarlyReturn, body.start..body.start, " return 0;".into());
        }
        let outside = |command: &SimpleCommand| {
            let first = command.argv().first();
            first.is_some_and(|word| {
                !is_function_head(&word.text) && self.function_at(word.range.start).is_none()
            })
        };
        if script.commands.iter().any(outside) {
            let has_line = self.text.starts_with("#!");
            let start = if has_line { self.text.find('\n').map_or(self.text.len(), |at| at + 1) } else { 0 };
            // A script that another one reads returns; one that is executed ends.
            self.push(MutantKind::EarlyReturn, start..start, "return 0 2>/dev/null || exit 0\n".into());
        }
    }

    fn comparison(&mut self, command: &SimpleCommand) {
        let argv = command.argv();
        if !argv.first().is_some_and(|word| matches!(word.text.as_str(), "[" | "[[" | "test")) {
            return;
        }
        for (at, word) in argv.iter().enumerate() {
            let Some(opposite) = opposite(&word.text) else { continue };
            self.push(MutantKind::NegatedCondition, word.range.clone(), opposite.into());
            let operands = [at.checked_sub(1), Some(at + 1)];
            for operand in operands.into_iter().flatten().filter_map(|at| argv.get(at)) {
                let written = &self.text[operand.range.clone()];
                if is_numeric(&word.text)
                    && let Ok(number) = written.parse::<u64>()
                {
                    let next = number.saturating_add(1).to_string();
                    self.push(MutantKind::OffByOne, operand.range.clone(), next);
                }
            }
            return;
        }
    }

    /// `name=12` becomes `name=13`.
    fn assignment(&mut self, command: &SimpleCommand) {
        for word in command.words.iter().filter(|word| word.is_assignment()) {
            let written = &self.text[word.range.clone()];
            let Some((name, value)) = written.split_once('=') else { continue };
            let Ok(number) = value.parse::<u64>() else { continue };
            let start = word.range.start + name.len() + 1;
            self.push(MutantKind::OffByOne, start..word.range.end, number.saturating_add(1).to_string());
        }
    }

    fn dropped(&mut self, command: &SimpleCommand) {
        let alone = |separator: Separator| matches!(separator, Separator::Line | Separator::Semicolon);
        let Some(first) = command.argv().first() else { return };
        let word = first.text.as_str();
        let has_document = command.redirects.iter().any(|redirect| redirect.operator.contains("<<"));
        let steers = STEERING.contains(&word) || word.contains(['(', ')', '}', '{']) || !first.fixed;
        if steers || has_document || !alone(command.before) || !alone(command.after) {
            return;
        }
        let range = first.range.start..command.end.max(first.range.end);
        self.push(MutantKind::DroppedCall, range, ":".into());
    }

    fn numbers(&mut self, span: Range<usize>) {
        let bytes = self.text.as_bytes();
        let is_word = |at: usize| {
            bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'#' | b'{'))
        };
        let mut at = span.start;
        while at < span.end {
            if !bytes[at].is_ascii_digit() {
                at += 1;
                continue;
            }
            let end = (at..span.end).find(|i| !bytes[*i].is_ascii_digit()).unwrap_or(span.end);
            let whole = !is_word(end) && at.checked_sub(1).is_none_or(|before| !is_word(before));
            if whole && let Ok(number) = self.text[at..end].parse::<u64>() {
                self.push(MutantKind::OffByOne, at..end, number.saturating_add(1).to_string());
            }
            at = end;
            // The rest of a word such as `16#ff` or `1st` is no number.
            while is_word(at) {
                at += 1;
            }
        }
    }
}

/// The insides of `$((…))` and `((…))`, comments left out.
fn arithmetic(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        if line.trim_start().starts_with('#') {
            continue;
        }
        let mut from = 0;
        while let Some(open) = line[from..].find("((").map(|at| from + at + 2) {
            let mut depth = 2;
            let close = line[open..].bytes().position(|byte| {
                depth += i32::from(byte == b'(') - i32::from(byte == b')');
                depth == 0
            });
            let end = close.map_or(line.len(), |at| open + at);
            out.push(start + open..start + end);
            from = end;
        }
    }
    out
}

/// `name() {` and `function name {`, closed by a brace that stands as far to the right as their first letter.
fn functions(text: &str) -> Vec<ShellFunction> {
    let mut out: Vec<ShellFunction> = Vec::new();
    let mut open: Vec<(String, usize, usize)> = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let (start, indent) = (offset, line.len() - line.trim_start().len());
        offset += line.len();
        let trimmed = line.trim();
        if let Some(name) = function_name(trimmed) {
            let brace = start + line.find('{').unwrap_or_default() + 1;
            if let Some(close) = trimmed.strip_suffix('}').filter(|rest| rest.contains('{')) {
                let end = start + indent + close.len();
                out.push(ShellFunction { name, body: brace..end.max(brace) });
            } else {
                open.push((name, brace, indent));
            }
        } else if trimmed.starts_with('}')
            && open.last().is_some_and(|(_, _, of)| *of == indent)
            && let Some((name, brace, _)) = open.pop()
        {
            out.push(ShellFunction { name, body: brace..start + indent });
        }
    }
    out.sort_by_key(|function| function.body.start);
    out
}

fn function_name(line: &str) -> Option<String> {
    let (head, _) = line.split_once('{')?;
    let head = head.trim();
    let name = match head.strip_prefix("function ") {
        Some(rest) => rest.trim().trim_end_matches("()").trim(),
        None => head.strip_suffix("()")?.trim(),
    };
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_-:.".contains(c));
    plain.then(|| name.to_owned())
}

fn is_function_head(word: &str) -> bool {
    word == "function" || word.ends_with("()") || word == "}"
}

fn opposite(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "=" | "==" => "!=",
        "!=" => "=",
        "-eq" => "-ne",
        "-ne" => "-eq",
        "-lt" => "-ge",
        "-ge" => "-lt",
        "-gt" => "-le",
        "-le" => "-gt",
        "-z" => "-n",
        "-n" => "-z",
        _ => return None,
    })
}

fn is_numeric(operator: &str) -> bool {
    matches!(operator, "-eq" | "-ne" | "-lt" | "-ge" | "-gt" | "-le")
}
