//! A bash script as far as lints need it: lines, `&&`, `||`, `;`, pipes, words, and where `cd` has gone.
//!
//! Not a shell. What it does not understand (loops, subshells) it marks as such, and lints then say nothing.

use std::borrow::Cow;

/// How a pipeline hangs on the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Join {
    /// The first of a line.
    First,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `;`
    Then,
    /// `&`: the one before it runs on its own.
    Background,
}

/// A word without its quotes.
type Word<'t> = Cow<'t, str>;

/// Commands joined by `|`, each a list of words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pipeline<'t> {
    pub(super) join: Join,
    pub(super) commands: Vec<Vec<Word<'t>>>,
}

/// A script.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Script<'t> {
    pub(super) lines: Vec<Vec<Pipeline<'t>>>,
    /// Whether it has loops, conditions or subshells.
    pub(super) is_compound: bool,
    /// Whether a pipe fails when any of its commands does.
    pub(super) pipefail: bool,
}

/// Commands that succeed whatever happened before them, or only prepare.
const HARMLESS: [&str; 12] =
    ["echo", "printf", "true", ":", "cd", "set", "export", "mkdir", "sleep", "source", "touch", "unset"];

/// Commands that pass text on and hide the exit code of what is before them in a pipe.
const FILTERS: [&str; 14] =
    ["tail", "head", "cat", "tee", "wc", "less", "more", "sed", "tr", "cut", "sort", "uniq", "nl", "column"];

/// Commands that only look whether something is there.
const LOOKS: [&str; 12] =
    ["grep", "egrep", "fgrep", "rg", "test", "[", "ls", "cat", "wc", "find", "stat", "head"];

const KEYWORDS: [&str; 12] =
    ["if", "for", "while", "until", "case", "function", "{", "}", "[[", "select", "then", "do"];

impl<'t> Script<'t> {
    /// Reads a script.
    pub(super) fn parse(text: &'t str) -> Script<'t> {
        let mut lexer = Lexer { text, at: 0, script: Script::default() };
        lexer.run();
        let mut script = lexer.script;
        script.lines.retain(|l| !l.is_empty());
        let keyword = script.commands().any(|c| KEYWORDS.contains(&c[0].as_ref()));
        let pipefail = script.commands().any(|c| c[0] == "set" && c.iter().any(|w| w == "pipefail"));
        script.is_compound |= keyword;
        script.pipefail = pipefail;
        script
    }

    /// Every command that has a word.
    pub(super) fn commands(&self) -> impl Iterator<Item = &Vec<Word<'t>>> {
        self.lines.iter().flatten().flat_map(|p| &p.commands).filter(|c| !c.is_empty())
    }

    /// Whether nothing in it can make it fail.
    pub(super) fn never_fails(&self) -> bool {
        !self.is_compound && !self.lines.iter().any(|l| line_can_fail(l))
    }

    /// A filter that hides an exit code, if there is one.
    pub(super) fn mask(&self) -> Option<&str> {
        if self.pipefail || self.is_compound {
            return None;
        }
        self.lines.iter().find_map(|line| {
            let piped = line.iter().find_map(|p| {
                let last = p.commands.last().filter(|_| p.commands.len() > 1)?;
                last.first().filter(|w| FILTERS.contains(&w.as_ref()))
            });
            let shown_after = line.last().filter(|p| p.join == Join::Then && p.commands.len() == 1);
            let shown_after = shown_after.and_then(|p| p.commands[0].first());
            piped.or_else(|| shown_after.filter(|w| FILTERS.contains(&w.as_ref()))).map(Cow::as_ref)
        })
    }

    /// Whether a command is left running, its exit code unseen.
    pub(super) fn leaves_running(&self) -> bool {
        !self.is_compound && self.lines.iter().any(|l| l.last().is_some_and(|p| p.join == Join::Background))
    }

    /// Whether it only looks for files and words in them.
    pub(super) fn only_looks(&self) -> bool {
        let known = |c: &Vec<Word<'_>>| LOOKS.contains(&c[0].as_ref()) || HARMLESS.contains(&c[0].as_ref());
        !self.is_compound && self.commands().next().is_some() && self.commands().all(known)
    }

    /// Every word that could be a path, seen from the directory the script has changed to.
    pub(super) fn paths(&self) -> Vec<Cow<'_, str>> {
        let mut dir: Vec<&str> = Vec::new();
        let mut found = Vec::new();
        for command in self.commands() {
            if command[0] == "cd" {
                change_dir(&mut dir, command.get(1).map_or("", Cow::as_ref));
                continue;
            }
            for word in &command[1..] {
                found.extend(path_in(word).map(|p| joined(&dir, p)));
            }
            found.extend(path_in(&command[0]).filter(|p| p.contains('/')).map(|p| joined(&dir, p)));
        }
        found
    }
}

fn line_can_fail(line: &[Pipeline<'_>]) -> bool {
    line.iter().fold(false, |so_far, pipeline| {
        let this = pipeline.commands.last().is_some_and(|c| command_can_fail(c));
        match pipeline.join {
            Join::First | Join::Then => this,
            Join::And => so_far || this,
            Join::Or => so_far && this,
            Join::Background => this && !pipeline.commands.is_empty(),
        }
    })
}

fn command_can_fail(command: &[Word<'_>]) -> bool {
    match command.first().map(Cow::as_ref) {
        None => false,
        Some("exit" | "return") => command.get(1).is_some_and(|code| code != "0"),
        Some(word) => !HARMLESS.contains(&word),
    }
}

/// A word that could be a path: `./`, `--option=` and a test's name behind `::` are taken off.
fn path_in(word: &str) -> Option<&str> {
    let word = if word.starts_with('-') { word.split_once('=').map(|(_, v)| v)? } else { word };
    let mut shaped = false;
    let mut end = word.len();
    let bytes = word.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b':' if bytes.get(at + 1) == Some(&b':') => {
                end = at;
                break;
            }
            b':' if bytes[at + 1..].starts_with(b"//") => return None,
            b'/' | b'.' => shaped = true,
            other if NOT_IN_PATHS[usize::from(*other)] => return None,
            _ => {}
        }
    }
    let path = word[..end].strip_prefix("./").unwrap_or(&word[..end]);
    (shaped && path.bytes().any(|b| matches!(b, b'/' | b'.'))).then_some(path)
}

fn change_dir<'s>(dir: &mut Vec<&'s str>, to: &'s str) {
    if to.starts_with(['/', '~', '-', '$']) || to.is_empty() {
        dir.clear();
        return;
    }
    for part in to.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(dir.pop()),
            name => dir.push(name),
        }
    }
}

fn joined<'s>(dir: &[&'s str], path: &'s str) -> Cow<'s, str> {
    if dir.is_empty() && is_tidy(path) {
        return Cow::Borrowed(path);
    }
    let mut parts: Vec<&str> = dir.to_vec();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    Cow::Owned(parts.join("/"))
}

/// Whether no part of a path is empty or begins with a dot.
fn is_tidy(path: &str) -> bool {
    let mut before = b'/';
    for byte in path.bytes() {
        if before == b'/' && matches!(byte, b'/' | b'.') {
            return false;
        }
        before = byte;
    }
    before != b'/'
}

/// Goes by bytes: everything that means something is ASCII, and the rest is passed on as it is.
struct Lexer<'t> {
    text: &'t str,
    at: usize,
    script: Script<'t>,
}

/// A word again: only whole ASCII characters were taken out of it.
fn text_of(word: Vec<u8>) -> String {
    String::from_utf8(word).unwrap_or_default()
}

/// Bytes that end a word, or mean something in it.
static SPECIAL: [bool; 256] = marked(b"'\"`$\\<>|&;() \t\n\r\x0c");

/// Bytes that keep a word from being a path.
static NOT_IN_PATHS: [bool; 256] = marked(b"$*?{}()<>\"'`|;& \t\n\r\x0b\x0c");

const fn marked(bytes: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut at = 0;
    while at < bytes.len() {
        table[bytes[at] as usize] = true;
        at += 1;
    }
    table
}

/// Whether a byte belongs to a word and means nothing else.
fn is_plain(byte: u8) -> bool {
    !SPECIAL[usize::from(byte)]
}

impl<'t> Lexer<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, word: &str) -> bool {
        let fits = self.text.as_bytes()[self.at..].starts_with(word.as_bytes());
        if fits {
            self.at += word.len();
        }
        fits
    }

    fn run(&mut self) {
        self.script.lines.push(Vec::new());
        self.begin(Join::First);
        let mut heredoc: Option<String> = None;
        while let Some(c) = self.peek() {
            if c == b'\n' {
                self.at += 1;
                self.skip_heredoc(&mut heredoc);
                self.drop_empty();
                self.script.lines.push(Vec::new());
                self.begin(Join::First);
            } else if c.is_ascii_whitespace() || self.eat("\\\n") {
                self.at += usize::from(c.is_ascii_whitespace());
            } else if c == b'#' {
                self.skip_comment();
            } else if !self.operator() {
                self.word(&mut heredoc);
            }
        }
        self.drop_empty();
    }

    fn operator(&mut self) -> bool {
        if self.eat("&&") {
            self.begin(Join::And);
        } else if self.eat("||") {
            self.begin(Join::Or);
        } else if self.eat("|&") || self.eat("|") {
            if let Some(pipeline) = self.pipeline() {
                pipeline.commands.push(Vec::new());
            }
        } else if self.eat("&>") {
            self.at += usize::from(self.peek() == Some(b'>'));
        } else if self.eat(";") {
            self.begin(Join::Then);
        } else if self.eat("&") {
            self.begin(Join::Background);
        } else if self.eat("(") || self.eat(")") {
            self.script.is_compound = true;
        } else {
            return false;
        }
        true
    }

    fn begin(&mut self, join: Join) {
        if let Some(line) = self.script.lines.last_mut() {
            line.push(Pipeline { join, commands: vec![Vec::new()] });
        }
    }

    fn pipeline(&mut self) -> Option<&mut Pipeline<'t>> {
        self.script.lines.last_mut()?.last_mut()
    }

    /// A separator at the end of a line begins nothing, except that `&` has meant something.
    fn drop_empty(&mut self) {
        if let Some(line) = self.script.lines.last_mut() {
            line.retain(|p| p.join == Join::Background || p.commands.iter().any(|c| !c.is_empty()));
        }
    }

    fn skip_comment(&mut self) {
        while self.peek().is_some_and(|c| c != b'\n') {
            self.at += 1;
        }
    }

    fn skip_heredoc(&mut self, heredoc: &mut Option<String>) {
        let Some(end) = heredoc.take() else { return };
        while self.at < self.text.len() {
            let from = self.at;
            self.skip_comment();
            let line = &self.text[from..self.at];
            self.at += 1;
            if line.trim() == end {
                return;
            }
        }
        self.at = self.text.len();
    }

    /// Reads a word, a redirection or the start of a here document.
    fn word(&mut self, heredoc: &mut Option<String>) {
        let from = self.at;
        while self.peek().is_some_and(is_plain) {
            self.at += 1;
        }
        let plain = &self.text[from..self.at];
        if self.peek().is_none_or(|c| c.is_ascii_whitespace() || b"|&;()".contains(&c)) {
            return self.push_word(Cow::Borrowed(plain));
        }
        let mut word = plain.as_bytes().to_vec();
        while let Some(c) = self.peek() {
            match c {
                b'\'' | b'"' | b'`' => self.quoted(c, &mut word),
                b'$' if self.text.as_bytes().get(self.at + 1) == Some(&b'(') => self.substitution(&mut word),
                b'\\' => {
                    self.at += 1;
                    word.extend(self.peek());
                    self.at += 1;
                }
                b'>' | b'<' => return self.redirection(word, heredoc),
                _ if c.is_ascii_whitespace() || b"|&;()".contains(&c) => break,
                _ => {
                    word.push(c);
                    self.at += 1;
                }
            }
        }
        self.push_word(Cow::Owned(text_of(word)));
    }

    fn push_word(&mut self, word: Word<'t>) {
        let assigns = |w: &str| {
            let name = w.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
            name > 0 && w.as_bytes().get(name) == Some(&b'=')
        };
        if let Some(command) = self.pipeline().and_then(|p| p.commands.last_mut()) {
            let prefix = command.is_empty() && (word == "!" || word == "time" || assigns(&word));
            if !prefix {
                command.push(word);
            }
        }
    }

    fn quoted(&mut self, mark: u8, word: &mut Vec<u8>) {
        self.at += 1;
        while let Some(c) = self.peek() {
            self.at += 1;
            if c == mark {
                return;
            }
            if c == b'\\' && mark != b'\'' {
                word.extend(self.peek());
                self.at += 1;
            } else {
                word.push(c);
            }
        }
    }

    fn substitution(&mut self, word: &mut Vec<u8>) {
        let mut depth = 0;
        while let Some(c) = self.peek() {
            self.at += 1;
            word.push(c);
            match c {
                b'(' => depth += 1,
                b')' if depth == 1 => return,
                b')' => depth -= 1,
                _ => {}
            }
        }
    }

    /// `>file`, `2>&1`, `<<EOF`: nothing of it is an argument.
    fn redirection(&mut self, word: Vec<u8>, heredoc: &mut Option<String>) {
        if !word.iter().all(u8::is_ascii_digit) {
            self.push_word(Cow::Owned(text_of(word)));
        }
        let here = self.eat("<<<") || (self.eat("<<") && self.here_document(heredoc));
        if !here {
            self.at += 1;
            self.at += usize::from(self.peek().is_some_and(|c| c == b'>' || c == b'<'));
        }
        self.at += usize::from(self.peek() == Some(b'&'));
        self.skip_target();
    }

    fn here_document(&mut self, heredoc: &mut Option<String>) -> bool {
        self.at += usize::from(self.peek() == Some(b'-'));
        while self.peek() == Some(b' ') {
            self.at += 1;
        }
        let rest = self.text.get(self.at..).unwrap_or_default();
        let end: String =
            rest.chars().take_while(|c| !c.is_whitespace()).filter(|c| !"'\"\\".contains(*c)).collect();
        *heredoc = Some(end);
        true
    }

    fn skip_target(&mut self) {
        while self.peek() == Some(b' ') {
            self.at += 1;
        }
        let mut target = Vec::new();
        while let Some(c) = self.peek() {
            match c {
                b'\'' | b'"' => self.quoted(c, &mut target),
                _ if c.is_ascii_whitespace() || b"|&;()".contains(&c) => return,
                _ => self.at += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_that_cannot_fail() {
        let never = [
            "pytest || true",
            "pytest; true",
            "pytest ; echo ok",
            "pytest || echo failed",
            "pytest; exit 0",
            "exit 0",
            "echo ok",
            "",
            "# pytest",
            "cd x\necho done",
            "a && b || :",
            "pytest || exit 0",
            "pytest ||\\\n true",
        ];
        for script in never {
            assert!(Script::parse(script).never_fails(), "{script}");
        }
        let can = [
            "pytest",
            "pytest && echo ok",
            "pytest\necho ok",
            "a || exit 1",
            "a || true && b",
            "echo 'a || true' | grep a",
            "test -f x || (echo no; exit 1)",
            "if a; then true; fi",
            "x=1 pytest",
            "! grep x y",
            "pytest # || true",
            "cat <<EOF\n|| true\nEOF\npytest",
            "python -c 'x || true'",
        ];
        for script in can {
            assert!(!Script::parse(script).never_fails(), "{script}");
        }
    }

    #[test]
    fn filters_hide_exit_codes() {
        let table = [
            ("pytest | tail -5", Some("tail")),
            ("pytest 2>&1 | tee log", Some("tee")),
            ("cd a && npm test |& head", Some("head")),
            ("pytest > log; tail log", Some("tail")),
            ("set -o pipefail\npytest | tail", None),
            ("pytest | grep -q passed", None),
            ("test \"$(ls | wc -l)\" = 3", None),
            ("grep 'a | tail' x", None),
        ];
        for (script, expected) in table {
            assert_eq!(Script::parse(script).mask(), expected, "{script}");
        }
        assert!(Script::parse("server &").leaves_running());
        assert!(!Script::parse("a 2>&1 && b &> log").leaves_running());
    }

    #[test]
    fn paths_follow_cd() {
        let script = "cd backend\nnpx vitest run ./src/a.test.ts --config=../v.ts && pytest tests/x.py::test_y 1.5 'a b.c'";
        let script = Script::parse(script);
        let paths = script.paths();
        assert_eq!(paths, ["backend/src/a.test.ts", "v.ts", "backend/tests/x.py", "backend/1.5"]);
    }
}
