//! What shell scripts and bats files expect: `[ "$x" = y ]`, `[[ … ]]`, `test`, and the assertions of bats.
//!
//! The shell has no grammar here: the one lexer of scripts finds the commands. Whether the falsity of a comparison is a
//! failure is not read off but seen: the denial of a comparison is its opposite, and a run with it tells.

use std::ops::Range;

use super::alter::{self, Choice};
use super::edit::SourceEdit;
use super::shell_rows::{altered_document, altered_row};
use super::{ExpectationKind, ExpectationMutant, TestExpectations};
use crate::script::{Separator, ShellScript, ShellWord, SimpleCommand, is_shell_file};

/// The tests of a bats file.
pub(super) fn named_tests(
    path: &str,
    bytes: &[u8],
    wanted: &dyn Fn(&str) -> bool,
    choice: &mut Choice,
) -> Vec<TestExpectations> {
    let (Ok(text), true) = (std::str::from_utf8(bytes), path.ends_with(".bats")) else { return Vec::new() };
    let blocks = bats_blocks(text).into_iter().filter(|(name, _)| wanted(name));
    let of = |(name, body): (String, Range<usize>)| {
        let mut mutants = mutants_in(text, body.clone(), Failing::AnyCommand, choice);
        choice.shuffle(&mut mutants);
        mutants.sort_by_key(|mutant| mutant.kind);
        let entry = Some(vec![SourceEdit::new(body.start..body.start, "\nfalse\n")]);
        TestExpectations {
            mutants,
            entry,
            marked: text[body].contains("skip"),
            ..TestExpectations::empty(name)
        }
    };
    blocks.map(of).collect()
}

/// A script whose exit code is the result.
pub(super) fn whole_file(path: &str, bytes: &[u8], choice: &mut Choice) -> Option<TestExpectations> {
    let text = std::str::from_utf8(bytes).ok().filter(|_| is_shell_file(path, bytes))?;
    let strict = text.lines().any(|line| {
        let line = line.trim();
        line.starts_with("set -") && line[5..].split(' ').next().is_some_and(|flags| flags.contains('e'))
    }) || text.lines().next().is_some_and(|line| line.starts_with("#!") && line.contains(" -e"));
    let failing = if strict { Failing::AnyCommand } else { Failing::LastCommand };
    let mut mutants = mutants_in(text, 0..text.len(), failing, choice);
    if mutants.is_empty() {
        return None;
    }
    choice.shuffle(&mut mutants);
    mutants.sort_by_key(|mutant| (mutant.kind, !mutant.straight));
    let start = if text.starts_with("#!") { text.find('\n').map_or(text.len(), |at| at + 1) } else { 0 };
    let entry = Some(vec![SourceEdit::new(start..start, "exit 1\n")]);
    Some(TestExpectations { mutants, entry, ..TestExpectations::empty(path.to_owned()) })
}

/// The titles and bodies of `@test "title" { … }`.
fn bats_blocks(text: &str) -> Vec<(String, Range<usize>)> {
    let mut out = Vec::new();
    let mut open: Option<(String, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        match &open {
            None => {
                let head =
                    line.trim().strip_prefix("@test ").and_then(|rest| rest.trim_end().strip_suffix('{'));
                open = head.map(|title| (title.trim().trim_matches(['"', '\'']).to_owned(), end));
            }
            Some((title, from)) if line.trim_end() == "}" => {
                out.push((title.clone(), *from..start));
                open = None;
            }
            Some(_) => {}
        }
    }
    out
}

/// Which failing command makes a script fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Failing {
    /// Any: `set -e`.
    AnyCommand,
    /// The last one.
    LastCommand,
}

fn mutants_in(
    text: &str,
    body: Range<usize>,
    failing: Failing,
    choice: &mut Choice,
) -> Vec<ExpectationMutant> {
    let script = ShellScript::parse(&text[body.clone()]);
    let helpers = comparing_functions(text);
    let margin = margin(&text[body.clone()]);
    let mut out = Vec::new();
    let mut left = false;
    for (at, command) in script.commands.iter().enumerate() {
        let place = ShellPlace {
            text,
            offset: body.start,
            command,
            next: &script.commands[at + 1..],
            failing,
            helpers: &helpers,
            margin,
        };
        out.extend(place.mutants(!left, choice));
        left = left || ends_well(command);
    }
    out
}

/// The blanks that every line of a body begins with.
fn margin(body: &str) -> &str {
    let lines = body.lines().filter(|line| !line.trim().is_empty());
    let blanks = lines.map(|line| &line[..line.len() - line.trim_start().len()]);
    blanks.min_by_key(|blanks| blanks.len()).unwrap_or_default()
}

/// Whether a command ends the script with success.
fn ends_well(command: &SimpleCommand) -> bool {
    let words: Vec<&str> = command.argv().iter().map(|word| word.text.as_str()).collect();
    matches!(words.as_slice(), ["exit" | "return"] | ["exit" | "return", "0"])
        || words.first() == Some(&"skip")
}

struct ShellPlace<'a> {
    text: &'a str,
    offset: usize,
    command: &'a SimpleCommand,
    /// The commands behind it.
    next: &'a [SimpleCommand],
    failing: Failing,
    helpers: &'a [ComparingFunction],
    /// The blanks in front of the lines of the body.
    margin: &'a str,
}

/// A function that ends the script if two of its arguments differ.
struct ComparingFunction {
    name: String,
    /// The numbers of the arguments.
    compared: (usize, usize),
}

/// The functions of a script and their bodies.
fn functions(text: &str) -> Vec<(&str, &str)> {
    let mut out = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let Some((head, rest)) = line.split_once("()") else { continue };
        let name = head.strip_prefix("function ").unwrap_or(head).trim();
        if name.is_empty() || name.contains(char::is_whitespace) || !rest.trim_start().starts_with('{') {
            continue;
        }
        let body = &text[start + head.len() + 2..];
        let one_line = rest.trim_end().ends_with('}');
        let end = if one_line { rest.len() } else { body.find("\n}").unwrap_or(body.len()) };
        out.push((name, &body[..end]));
    }
    out
}

/// The functions of a script that compare two of their arguments and end the script.
fn comparing_functions(text: &str) -> Vec<ComparingFunction> {
    let mut out = Vec::new();
    for (name, body) in functions(text).into_iter().filter(|(_, body)| body.contains("exit ")) {
        let commands = ShellScript::parse(body).commands;
        let compared = commands.iter().find_map(|command| {
            let words: Vec<&str> = command.argv().iter().map(|word| word.text.as_str()).collect();
            match words.as_slice() {
                ["[" | "[[", a, "=" | "==" | "!=" | "-eq" | "-ne", b, "]" | "]]"]
                | ["test", a, "=" | "!=" | "-eq" | "-ne", b] => Some((position(a)?, position(b)?)),
                _ => None,
            }
        });
        out.extend(compared.map(|compared| ComparingFunction { name: name.to_owned(), compared }));
    }
    out
}

/// The number in `$1` or `"$1"`.
fn position(word: &str) -> Option<usize> {
    let word = word.trim_matches('"').strip_prefix('$')?;
    word.trim_matches(['{', '}']).parse().ok().filter(|number| *number > 0)
}

impl ShellPlace<'_> {
    fn mutants(&self, reached: bool, choice: &mut Choice) -> Vec<ExpectationMutant> {
        let argv = self.command.argv();
        let Some(program) = argv.first() else { return Vec::new() };
        let Some(last) = argv.last() else { return Vec::new() };
        let range = self.offset + program.range.start..self.offset + last.range.end;
        let Some((expected, opposite)) = self.by_helper(argv).or_else(|| expected_of(argv)) else {
            return Vec::new();
        };
        let denial = vec![padded(range.clone(), opposite)];
        let straight = reached && self.is_straight(range.start, opposite);
        let base = ExpectationMutant {
            kind: ExpectationKind::Denial,
            line: self.text[..range.start].matches('\n').count() + 1,
            was: self.text[range].to_owned(),
            now: opposite.to_owned(),
            straight,
            every_case: false,
            change: denial.clone(),
            denial: None,
            same: Vec::new(),
            framed: None,
            may_not_compile: false,
        };
        let mut out = Vec::new();
        if expected.is_none()
            && let Some((was, edit)) = self.of_row(argv, choice).or_else(|| self.of_document(argv, choice))
        {
            let now = edit.text.clone();
            let (kind, denial) = (ExpectationKind::Equality, Some(denial.clone()));
            out.push(ExpectationMutant { kind, was, now, change: vec![edit], denial, ..base.clone() });
        }
        if let Some((word, is_number)) = expected
            && let Some(edit) = self.altered(word, is_number, choice)
        {
            let (was, now) = self.in_words(word, &edit);
            let kind = ExpectationKind::Equality;
            // Another blank between two words means nothing.
            let at = self.offset + word.range.start;
            out.push(ExpectationMutant {
                kind,
                was,
                now,
                change: vec![edit],
                denial: Some(denial),
                same: vec![SourceEdit::new(at..at, " ")],
                ..base.clone()
            });
        }
        // A comparison that may be anything says nothing when it is denied.
        if straight {
            out.push(base);
        }
        out
    }

    /// A value that is read from a table below, where the last word of a comparison is a variable.
    fn of_row(&self, argv: &[ShellWord], choice: &mut Choice) -> Option<(String, SourceEdit)> {
        let equal = ["=", "==", "!=", "-eq", "-ne"];
        let at = argv.iter().position(|word| equal.contains(&word.text.as_str()))?;
        let sides = [argv.get(at + 1)?, argv.get(at.checked_sub(1)?)?];
        sides.into_iter().find_map(|side| {
            let raw = &self.text[self.offset + side.range.start..self.offset + side.range.end];
            altered_row(self.text, raw, choice)
        })
    }

    /// A line of the here-document that `diff` or `cmp` compares with.
    fn of_document(&self, argv: &[ShellWord], choice: &mut Choice) -> Option<(String, SourceEdit)> {
        let program = argv.first().filter(|word| matches!(word.text.as_str(), "diff" | "cmp"))?;
        altered_document(self.text, self.offset + program.range.start, choice)
    }

    /// The expected argument of a function that compares.
    fn by_helper<'w>(&self, argv: &'w [ShellWord]) -> Option<ExpectedWord<'w>> {
        let name = argv.first()?.text.as_str();
        let helper = self.helpers.iter().find(|helper| helper.name == name)?;
        let (a, b) = (argv.get(helper.compared.0)?, argv.get(helper.compared.1)?);
        let expected = match (a.fixed, b.fixed) {
            (false, true) => Some((b, false)),
            (true, false) => Some((a, false)),
            (true, true) | (false, false) => None,
        };
        Some((expected, "exit 1"))
    }

    /// Whether a function of the script ends it with a failure.
    fn ends_script(&self, name: &str) -> bool {
        let mut named = functions(self.text).into_iter().filter(|(own, _)| *own == name);
        let body = named.next().filter(|_| named.next().is_none()).map(|(_, body)| body);
        let commands = body.map(|body| ShellScript::parse(body).commands).unwrap_or_default();
        commands.iter().any(|command| {
            let words: Vec<&str> = command.argv().iter().map(|word| word.text.as_str()).collect();
            matches!(words.as_slice(), ["exit", code] if *code != "0")
        })
    }

    /// Whether every good run comes by and fails if the comparison turns round: a line of its own at the left margin.
    fn is_straight(&self, start: usize, opposite: &str) -> bool {
        let line = &self.text[self.text[..start].rfind('\n').map_or(0, |at| at + 1)..start];
        let line = line.strip_prefix(self.margin).unwrap_or(line);
        let fails = |command: &SimpleCommand| {
            let words: Vec<&str> = command.argv().iter().map(|word| word.text.as_str()).collect();
            let ends = matches!(words.as_slice(), ["exit" | "return", code] if *code != "0");
            ends || words.first().is_some_and(|name| self.ends_script(name))
        };
        let next_fails = || self.next.iter().take(4).any(fails);
        match (line, opposite) {
            ("", "false") => match self.command.after {
                Separator::Or => next_fails(),
                Separator::Line | Separator::Semicolon => {
                    self.failing == Failing::AnyCommand || self.next.is_empty()
                }
                Separator::And | Separator::Pipe | Separator::Background | Separator::Group => false,
            },
            ("", "exit 1") => matches!(self.command.after, Separator::Line | Separator::Semicolon),
            ("", "true") => self.command.after == Separator::And && next_fails(),
            ("if ", "true") | ("if ! ", "false") => next_fails(),
            _ => false,
        }
    }

    fn altered(&self, word: &ShellWord, is_number: bool, choice: &mut Choice) -> Option<SourceEdit> {
        let range = self.offset + word.range.start..self.offset + word.range.end;
        let raw = &self.text[range.clone()];
        if raw.contains(['\\', '$', '`', '*', '?']) {
            return None;
        }
        if is_number {
            return alter::integer(raw.trim_matches(['"', '\'']), choice).map(|now| {
                let at = raw.find(|c: char| c != '"' && c != '\'').unwrap_or_default();
                let start = range.start + at;
                SourceEdit::new(start..start + now.len(), now)
            });
        }
        let (at, size, other) = alter::text(raw, &|_, c| c.is_ascii_alphanumeric(), choice)?;
        let start = range.start + at;
        Some(SourceEdit::new(start..start + size, other))
    }

    fn in_words(&self, word: &ShellWord, edit: &SourceEdit) -> (String, String) {
        let range = self.offset + word.range.start..self.offset + word.range.end;
        let (before, after) =
            (&self.text[range.start..edit.range.start], &self.text[edit.range.end..range.end]);
        (self.text[range.clone()].to_owned(), format!("{before}{}{after}", edit.text))
    }
}

/// The expected word of a command, whether it is compared as a number, and the command that says the opposite.
type ExpectedWord<'a> = (Option<(&'a ShellWord, bool)>, &'static str);

fn expected_of(argv: &[ShellWord]) -> Option<ExpectedWord<'_>> {
    let program = argv.first()?.text.as_str();
    let inner = match program {
        "[" | "[[" => argv.get(1..argv.len() - 1)?,
        "test" => argv.get(1..)?,
        "assert_equal" | "assert_output" | "assert_line" => {
            let words: Vec<&ShellWord> =
                argv[1..].iter().filter(|word| !word.text.starts_with('-')).collect();
            let fixed: Vec<&&ShellWord> = words.iter().filter(|word| word.fixed).collect();
            let exact = argv[1..].iter().all(|word| !word.text.starts_with('-'));
            let one = fixed.first().filter(|_| exact && fixed.len() == 1).map(|word| (**word, false));
            return Some((one, "false"));
        }
        "grep" | "diff" | "cmp" => return Some((None, "false")),
        _ => return None,
    };
    let (negated, inner) = match inner {
        [first, rest @ ..] if first.text == "!" => (true, rest),
        all => (false, all),
    };
    let [left, operator, right] = inner else { return Some((None, if negated { "true" } else { "false" })) };
    let (is_number, unequal) = match operator.text.as_str() {
        "=" | "==" => (false, false),
        "!=" => (false, true),
        "-eq" => (true, false),
        "-ne" => (true, true),
        _ => return Some((None, if negated { "true" } else { "false" })),
    };
    let opposite = if unequal == negated { "false" } else { "true" };
    let expected = match (left.fixed, right.fixed) {
        (false, true) => Some((right, is_number)),
        (true, false) => Some((left, is_number)),
        (true, true) | (false, false) => None,
    };
    Some((expected, opposite))
}

fn padded(range: Range<usize>, text: &str) -> SourceEdit {
    let blanks = " ".repeat(range.len().saturating_sub(text.len()));
    SourceEdit::new(range, format!("{text}{blanks}"))
}
