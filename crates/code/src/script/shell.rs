//! The one shell lexer: a bash script as a list of simple commands, each word with its place in the text.
//!
//! Knows quoting, operators, redirections, comments and here-documents; expands nothing. The text inside `$( )` or
//! quotes is part of a word and is not parsed further.

use std::ops::Range;

use windlass_core::path_text::file_name;

use crate::survey::resolve_dots;

/// One word of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellWord {
    /// The word with its quotes removed; expansions stand as written.
    pub text: String,
    /// Its bytes in the script.
    pub range: Range<usize>,
    /// Whether the command sees exactly this text: the word has no expansion.
    pub fixed: bool,
}

impl ShellWord {
    /// Whether the word has the form `NAME=value`.
    pub(crate) fn is_assignment(&self) -> bool {
        self.text.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty()
                && !name.starts_with(|c: char| c.is_ascii_digit())
                && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        })
    }
}

/// One redirection of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    /// The operator with its file descriptor, such as `2>` or `&>`.
    pub operator: String,
    /// The file or descriptor behind the operator.
    pub target: ShellWord,
}

impl Redirect {
    /// Whether standard output goes elsewhere because of it.
    pub(crate) fn moves_stdout(&self) -> bool {
        matches!(self.operator.as_str(), ">" | ">>" | "1>" | "1>>" | ">|" | "&>" | "&>>" | ">&" | "1>&")
            && !matches!(self.target.text.as_str(), "1" | "&1")
    }
}

/// What stands between two commands, or at the beginning and the end of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Separator {
    /// The beginning or the end of a line.
    Line,
    /// `;`
    Semicolon,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|` or `|&`
    Pipe,
    /// `&`
    Background,
    /// The end of a subshell.
    Group,
}

/// One simple command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimpleCommand {
    /// Its words, without reserved words in front.
    pub words: Vec<ShellWord>,
    /// Its redirections.
    pub redirects: Vec<Redirect>,
    /// Where the command ends, redirections included.
    pub end: usize,
    /// What separates it from the command before it.
    pub before: Separator,
    /// What separates it from the command after it.
    pub after: Separator,
    /// Whether a successful run may skip it: it follows `||`, or stands inside a condition or loop.
    pub conditional: bool,
    /// The directory it runs in, relative to where the script starts, where that is known.
    pub dir: Option<String>,
}

impl SimpleCommand {
    /// The words behind the assignments in front: the program and its arguments.
    pub fn argv(&self) -> &[ShellWord] {
        let assigned = self.words.iter().take_while(|word| word.is_assignment()).count();
        &self.words[assigned..]
    }

    /// Whether its output goes into a pipe.
    pub(crate) fn is_piped(&self) -> bool {
        self.after == Separator::Pipe
    }
}

/// A script as its simple commands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShellScript {
    /// The commands, in order.
    pub commands: Vec<SimpleCommand>,
    /// Whether it has conditions, loops, functions, groups or subshells.
    pub is_compound: bool,
}

impl ShellScript {
    /// Reads a script. Any text gives one.
    pub fn parse(text: &str) -> Self {
        let mut lexer = ShellLexer {
            text,
            bytes: text.as_bytes(),
            at: 0,
            out: Self::default(),
            dirs: vec![Some(String::new())],
            depth: 0,
            before: Separator::Line,
            after_or: false,
        };
        lexer.run();
        lexer.out
    }
}

/// Whether a file is a shell script, by its name or its first line.
pub(crate) fn is_shell_file(path: &str, bytes: &[u8]) -> bool {
    let name = file_name(path);
    let first = bytes.split(|b| *b == b'\n').next().unwrap_or_default();
    let hash_bang =
        first.starts_with(b"#!") && (first.ends_with(b"sh") || first.windows(3).any(|w| w == b"sh "));
    name.ends_with(".sh")
        || name.ends_with(".bash")
        || name.ends_with(".bats")
        || (!name.contains('.') && hash_bang)
}

/// Words in front of a command that are no part of it.
const RESERVED: [&str; 11] =
    ["if", "then", "elif", "else", "while", "until", "do", "!", "{", "time", "coproc"];

/// Joins a directory and a relative path, resolving `.` and `..`; `None` when it leaves the tree.
pub(crate) fn join(dir: &str, path: &str) -> Option<String> {
    if path.starts_with(['/', '~']) {
        return None;
    }
    resolve_dots(dir, path)
}

struct ShellLexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    out: ShellScript,
    /// The current directory of each open subshell.
    dirs: Vec<Option<String>>,
    /// How many conditions and loops are open.
    depth: usize,
    /// The separator in front of the command that is being read.
    before: Separator,
    /// Whether the command that is being read follows `||`.
    after_or: bool,
}

/// The command that is being read.
#[derive(Default)]
struct OpenCommand {
    words: Vec<ShellWord>,
    redirects: Vec<Redirect>,
    end: usize,
    /// Ends of here-documents whose text begins on the next line.
    here: Vec<String>,
}

impl ShellLexer<'_> {
    fn run(&mut self) {
        let mut open = OpenCommand::default();
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'\\' if self.bytes.get(self.at + 1) == Some(&b'\n') => self.at += 2,
                b'#' => self.skip_line(),
                b'\n' => self.newline(&mut open),
                b'&' if self.bytes.get(self.at + 1) == Some(&b'>') => self.redirect(&mut open),
                b';' | b'&' | b'|' => self.operator(&mut open),
                b'(' => {
                    self.at += 1;
                    self.finish(&mut open, Separator::Group);
                    self.dirs.push(self.dirs.last().cloned().flatten());
                    self.out.is_compound = true;
                }
                b')' => {
                    self.at += 1;
                    self.finish(&mut open, Separator::Group);
                    if self.dirs.len() > 1 {
                        self.dirs.pop();
                    }
                    self.out.is_compound = true;
                }
                b'<' | b'>' if self.bytes.get(self.at + 1) != Some(&b'(') => self.redirect(&mut open),
                b'0'..=b'9' if self.is_descriptor() => self.redirect(&mut open),
                _ => {
                    let word = self.word();
                    open.end = word.range.end;
                    open.words.push(word);
                }
            }
        }
        self.finish(&mut open, Separator::Line);
    }

    fn newline(&mut self, open: &mut OpenCommand) {
        self.at += 1;
        let here = std::mem::take(&mut open.here);
        // Behind `&&`, `||` and `|` the list goes on.
        let goes_on =
            open.words.is_empty() && matches!(self.before, Separator::And | Separator::Or | Separator::Pipe);
        if !goes_on {
            self.finish(open, Separator::Line);
            self.after_or = false;
        }
        for end in here {
            self.skip_here(&end);
        }
    }

    fn operator(&mut self, open: &mut OpenCommand) {
        let (separator, length) = match (self.bytes[self.at], self.bytes.get(self.at + 1)) {
            (b'&', Some(b'&')) => (Separator::And, 2),
            (b'|', Some(b'|')) => (Separator::Or, 2),
            (b'|', Some(b'&')) => (Separator::Pipe, 2),
            (b'|', _) => (Separator::Pipe, 1),
            (b';', Some(b';')) => (Separator::Semicolon, 2),
            (b';', _) => (Separator::Semicolon, 1),
            (_, _) => (Separator::Background, 1),
        };
        self.at += length;
        self.finish(open, separator);
        // In `a || b && c` the last may be skipped too.
        let same_list = matches!(separator, Separator::And | Separator::Pipe);
        self.after_or = separator == Separator::Or || (self.after_or && same_list);
    }

    /// Whether digits here are the descriptor of a redirection.
    fn is_descriptor(&self) -> bool {
        let rest = &self.bytes[self.at..];
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        matches!(rest.get(digits), Some(b'<' | b'>'))
    }

    fn redirect(&mut self, open: &mut OpenCommand) {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        if self.bytes.get(self.at) == Some(&b'&') {
            self.at += 1;
        }
        while self.bytes.get(self.at).is_some_and(|b| matches!(b, b'<' | b'>')) {
            self.at += 1;
        }
        if self.bytes.get(self.at).is_some_and(|b| matches!(b, b'&' | b'|' | b'-')) {
            self.at += 1;
        }
        let operator = self.text.get(start..self.at).unwrap_or_default().to_owned();
        while self.bytes.get(self.at).is_some_and(|b| matches!(b, b' ' | b'\t')) {
            self.at += 1;
        }
        let target = self.word();
        open.end = open.end.max(target.range.end);
        // `<<<` is followed by a word, not by a document.
        if matches!(operator.trim_start_matches(|c: char| c.is_ascii_digit()), "<<" | "<<-") {
            open.here.push(target.text.clone());
        }
        open.redirects.push(Redirect { operator, target });
    }

    fn word(&mut self) -> ShellWord {
        let start = self.at;
        let mut text = String::new();
        let mut fixed = true;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b')' => {
                    let substitution = matches!(byte, b'<' | b'>')
                        && self.bytes.get(self.at + 1) == Some(&b'(')
                        && text.is_empty();
                    if !substitution {
                        break;
                    }
                    fixed = false;
                    self.at += 1;
                }
                b'(' if text.is_empty() && fixed => break,
                b'(' => {
                    self.out.is_compound = true;
                    self.copy_group(&mut text);
                }
                b'\'' => self.single_quotes(&mut text),
                b'"' => self.double_quotes(&mut text, &mut fixed),
                b'\\' => self.escape(&mut text),
                b'$' | b'`' => {
                    fixed = false;
                    self.expansion(&mut text);
                }
                _ => {
                    fixed &= !matches!(byte, b'*' | b'?' | b'~');
                    self.copy_char(&mut text);
                }
            }
        }
        if self.at == start && self.at < self.bytes.len() {
            // Always make progress.
            self.copy_char(&mut text);
        }
        ShellWord { text, range: start..self.at, fixed }
    }

    fn copy_char(&mut self, text: &mut String) {
        if let Some(c) = self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            text.push(c);
            self.at += c.len_utf8();
        } else {
            self.at += 1;
        }
    }

    fn single_quotes(&mut self, text: &mut String) {
        self.at += 1;
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte == b'\'' {
                self.at += 1;
                return;
            }
            self.copy_char(text);
        }
    }

    fn double_quotes(&mut self, text: &mut String, fixed: &mut bool) {
        self.at += 1;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'"' => {
                    self.at += 1;
                    return;
                }
                b'\\' => self.escape(text),
                b'$' | b'`' => {
                    *fixed = false;
                    self.expansion(text);
                }
                _ => self.copy_char(text),
            }
        }
    }

    fn escape(&mut self, text: &mut String) {
        self.at += 1;
        if self.bytes.get(self.at) == Some(&b'\n') {
            self.at += 1;
        } else if self.at < self.bytes.len() {
            self.copy_char(text);
        }
    }

    fn expansion(&mut self, text: &mut String) {
        if self.bytes[self.at] == b'`' {
            self.copy_char(text);
            while self.bytes.get(self.at).is_some_and(|b| *b != b'`') {
                self.copy_char(text);
            }
            if self.at < self.bytes.len() {
                self.copy_char(text);
            }
            return;
        }
        self.copy_char(text);
        if self.bytes.get(self.at).is_some_and(|b| matches!(b, b'(' | b'{')) {
            self.copy_group(text);
        }
    }

    /// Copies a bracketed group, nested ones and quotes included.
    fn copy_group(&mut self, text: &mut String) {
        let mut depth = 0usize;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'(' | b'{' => depth += 1,
                b')' | b'}' => depth = depth.saturating_sub(1),
                b'\'' | b'"' => {
                    self.copy_quoted(text, byte);
                    continue;
                }
                _ => {}
            }
            self.copy_char(text);
            if depth == 0 {
                return;
            }
        }
    }

    fn copy_quoted(&mut self, text: &mut String, quote: u8) {
        self.copy_char(text);
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte == b'\\' && quote == b'"' {
                self.copy_char(text);
            }
            if self.at < self.bytes.len() {
                self.copy_char(text);
            }
            if byte == quote {
                return;
            }
        }
    }

    fn skip_line(&mut self) {
        while self.bytes.get(self.at).is_some_and(|b| *b != b'\n') {
            self.at += 1;
        }
    }

    fn skip_here(&mut self, end: &str) {
        while self.at < self.bytes.len() {
            let start = self.at;
            self.skip_line();
            let line = self.text.get(start..self.at).unwrap_or_default();
            self.at = (self.at + 1).min(self.bytes.len());
            if line.trim_start_matches('\t') == end {
                return;
            }
        }
    }

    /// Ends the command that is being read, if there is one.
    fn finish(&mut self, open: &mut OpenCommand, after: Separator) {
        let done = std::mem::take(open);
        open.here = done.here;
        let before = match (done.words.is_empty(), after) {
            // A subshell begins: its first command follows the separator in front of the bracket.
            (true, Separator::Group) => return,
            _ => std::mem::replace(&mut self.before, after),
        };
        let outside = self.depth;
        let mut words = done.words;
        while words.first().is_some_and(|word| word.fixed && RESERVED.contains(&word.text.as_str())) {
            let word = words.remove(0);
            self.depth += usize::from(matches!(word.text.as_str(), "if" | "while" | "until"));
            self.out.is_compound |= !matches!(word.text.as_str(), "!" | "time" | "coproc");
        }
        let Some(first) = words.first() else { return };
        match first.text.as_str() {
            "for" | "case" | "select" => {
                self.depth += 1;
                self.out.is_compound = true;
                return;
            }
            "fi" | "done" | "esac" => self.depth = self.depth.saturating_sub(1),
            "function" => {
                self.out.is_compound = true;
                return;
            }
            "[[" | "}" => self.out.is_compound = true,
            _ => {}
        }
        let command = SimpleCommand {
            words,
            redirects: done.redirects,
            end: done.end,
            before,
            after,
            conditional: outside > 0 || self.after_or,
            dir: self.dirs.last().cloned().flatten(),
        };
        self.change_dir(&command);
        self.out.commands.push(command);
    }

    fn change_dir(&mut self, command: &SimpleCommand) {
        if !matches!(command.words[0].text.as_str(), "cd" | "pushd" | "popd") {
            return;
        }
        let target = command.words.iter().skip(1).find(|word| word.text != "--");
        let moved = match (command.dir.as_deref(), target) {
            (Some(dir), Some(word)) if word.fixed && !word.text.starts_with('-') => join(dir, &word.text),
            _ => None,
        };
        if let Some(current) = self.dirs.last_mut() {
            *current = moved;
        }
    }
}

#[cfg(test)]
mod tests;
