//! A bash script as a list of simple commands, each word with its place in the text.
//!
//! Knows quoting, operators, redirections, comments and here-documents; expands nothing. What stands inside `$( )` or
//! quotes is part of a word and is not looked into.

use std::ops::Range;

use crate::survey::resolve_dots;

/// One word of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// The word with its quotes removed; expansions stand as written.
    pub(crate) text: String,
    /// Its bytes in the script.
    pub(crate) range: Range<usize>,
    /// Whether the text is what the command will see: no expansion in it.
    pub(crate) fixed: bool,
}

/// One redirection of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Redirect {
    /// The operator with its file descriptor, such as `2>` or `&>`.
    pub(crate) operator: String,
    /// What it points to.
    pub(crate) target: Word,
}

impl Redirect {
    /// Whether it takes standard output away from where it would go.
    pub(crate) fn moves_stdout(&self) -> bool {
        matches!(self.operator.as_str(), ">" | ">>" | "1>" | "1>>" | ">|" | "&>" | "&>>" | ">&" | "1>&")
            && !matches!(self.target.text.as_str(), "1" | "&1")
    }
}

/// One simple command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    /// Its words, without reserved words in front.
    pub(crate) words: Vec<Word>,
    /// Its redirections.
    pub(crate) redirects: Vec<Redirect>,
    /// Where the command ends, redirections included.
    pub(crate) end: usize,
    /// Whether its output goes into a pipe.
    pub(crate) piped: bool,
    /// Whether it may be passed over in a run that succeeds: behind `||`, or inside a condition or loop.
    pub(crate) conditional: bool,
    /// The directory it runs in, relative to where the script starts, where that can be told.
    pub(crate) dir: Option<String>,
}

const RESERVED: [&str; 11] =
    ["if", "then", "elif", "else", "while", "until", "do", "!", "{", "time", "coproc"];

/// The simple commands of a script, in order.
pub(crate) fn calls(script: &str) -> Vec<Call> {
    let mut lexer = Lexer {
        text: script,
        bytes: script.as_bytes(),
        at: 0,
        out: Vec::new(),
        dirs: vec![Some(String::new())],
        depth: 0,
        after_or: false,
    };
    lexer.run();
    lexer.out
}

/// Joins a directory and a relative path, resolving `.` and `..`; `None` when it leaves the tree.
pub(crate) fn join(dir: &str, path: &str) -> Option<String> {
    if path.starts_with(['/', '~']) {
        return None;
    }
    resolve_dots(dir, path)
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    out: Vec<Call>,
    /// The current directory of each open subshell.
    dirs: Vec<Option<String>>,
    /// How many conditions and loops are open.
    depth: usize,
    /// Whether the command that is being read stands behind `||`.
    after_or: bool,
}

#[derive(Default)]
struct Pending {
    words: Vec<Word>,
    redirects: Vec<Redirect>,
    end: usize,
    /// Ends of here-documents whose text begins on the next line.
    here: Vec<String>,
}

impl Lexer<'_> {
    fn run(&mut self) {
        let mut pending = Pending::default();
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'\\' if self.bytes.get(self.at + 1) == Some(&b'\n') => self.at += 2,
                b'#' => self.skip_line(),
                b'\n' => {
                    self.at += 1;
                    let here = std::mem::take(&mut pending.here);
                    self.finish(&mut pending, false);
                    self.after_or = false;
                    for end in here {
                        self.skip_here(&end);
                    }
                }
                b'&' if self.bytes.get(self.at + 1) == Some(&b'>') => self.redirect(&mut pending),
                b';' | b'&' | b'|' => self.operator(&mut pending),
                b'(' => {
                    self.at += 1;
                    self.finish(&mut pending, false);
                    self.dirs.push(self.dirs.last().cloned().flatten());
                }
                b')' => {
                    self.at += 1;
                    self.finish(&mut pending, false);
                    if self.dirs.len() > 1 {
                        self.dirs.pop();
                    }
                }
                b'<' | b'>' if self.bytes.get(self.at + 1) != Some(&b'(') => self.redirect(&mut pending),
                b'0'..=b'9' if self.is_descriptor() => self.redirect(&mut pending),
                _ => {
                    let word = self.word();
                    pending.end = word.range.end;
                    pending.words.push(word);
                }
            }
        }
        self.finish(&mut pending, false);
    }

    fn operator(&mut self, pending: &mut Pending) {
        let piped = self.bytes[self.at] == b'|' && self.bytes.get(self.at + 1) != Some(&b'|');
        let length = match (self.bytes[self.at], self.bytes.get(self.at + 1)) {
            (b'&', Some(b'&')) | (b'|', Some(b'|' | b'&')) | (b';', Some(b';')) => 2,
            _ => 1,
        };
        let or = self.bytes[self.at] == b'|' && length == 2 && self.bytes.get(self.at + 1) == Some(&b'|');
        self.at += length;
        self.finish(pending, piped);
        // In `a || b && c` the last may be passed over too; a pipe keeps what it was.
        let new_list = self.bytes[self.at - 1] == b';' || (length == 1 && !piped);
        self.after_or = or || (self.after_or && !new_list);
    }

    /// Whether digits here are the descriptor of a redirection.
    fn is_descriptor(&self) -> bool {
        let rest = &self.bytes[self.at..];
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        matches!(rest.get(digits), Some(b'<' | b'>'))
    }

    fn redirect(&mut self, pending: &mut Pending) {
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
        pending.end = pending.end.max(target.range.end);
        if operator.ends_with("<<") || operator.ends_with("<<-") {
            pending.here.push(target.text.clone());
        }
        pending.redirects.push(Redirect { operator, target });
    }

    fn word(&mut self) -> Word {
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
                b'(' => self.copy_group(&mut text),
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
            // Never stand still, whatever the text.
            self.copy_char(&mut text);
        }
        Word { text, range: start..self.at, fixed }
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

    fn finish(&mut self, pending: &mut Pending, piped: bool) {
        let mut done = std::mem::take(pending);
        pending.here = std::mem::take(&mut done.here);
        let outside = self.depth;
        while done.words.first().is_some_and(|word| word.fixed && RESERVED.contains(&word.text.as_str())) {
            let word = done.words.remove(0);
            self.depth += usize::from(matches!(word.text.as_str(), "if" | "while" | "until"));
        }
        let Some(first) = done.words.first() else { return };
        match first.text.as_str() {
            "for" | "case" | "select" => {
                self.depth += 1;
                return;
            }
            "fi" | "done" | "esac" => self.depth = self.depth.saturating_sub(1),
            "function" => return,
            _ => {}
        }
        let conditional = outside > 0 || self.after_or;
        let dir = self.dirs.last().cloned().flatten();
        let call =
            Call { words: done.words, redirects: done.redirects, end: done.end, piped, conditional, dir };
        self.change_dir(&call);
        self.out.push(call);
    }

    fn change_dir(&mut self, call: &Call) {
        if !matches!(call.words[0].text.as_str(), "cd" | "pushd" | "popd") {
            return;
        }
        let target = call.words.iter().skip(1).find(|word| word.text != "--");
        let moved = match (call.dir.as_deref(), target) {
            (Some(dir), Some(word)) if word.fixed && !word.text.starts_with('-') => join(dir, &word.text),
            _ => None,
        };
        if let Some(current) = self.dirs.last_mut() {
            *current = moved;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shape(script: &str) -> Vec<String> {
        calls(script)
            .iter()
            .map(|call| {
                let words: Vec<&str> = call.words.iter().map(|w| w.text.as_str()).collect();
                let redirects: Vec<String> =
                    call.redirects.iter().map(|r| format!("{}{}", r.operator, r.target.text)).collect();
                let pipe = if call.piped { " |" } else { "" };
                format!("{}: {words:?} {redirects:?}{pipe}", call.dir.as_deref().unwrap_or("?"))
            })
            .collect()
    }

    #[test]
    fn commands_words_and_directories() {
        insta::assert_debug_snapshot!(
            shape("cd web && A=1 npx vitest run 'a b.test.ts' >out.txt 2>&1 | tail -3; (cd ..; make) || true\ncd \"$X\" && ls"),
            @r#"
        [
            ": [\"cd\", \"web\"] []",
            "web: [\"A=1\", \"npx\", \"vitest\", \"run\", \"a b.test.ts\"] [\">out.txt\", \"2>&1\"] |",
            "web: [\"tail\", \"-3\"] []",
            "web: [\"cd\", \"..\"] []",
            ": [\"make\"] []",
            "web: [\"true\"] []",
            "web: [\"cd\", \"$X\"] []",
            "?: [\"ls\"] []",
        ]
        "#);
    }

    #[test]
    fn control_words_comments_and_here_documents() {
        insta::assert_debug_snapshot!(
            shape("set -e # stop\nif ! cargo test; then exit 1; fi\nfor f in a b; do pytest $f; done\ncat <<'EOF' > x\npytest not here\nEOF\necho $(pytest; echo) `x y` ${A:-b c}\n"),
            @r#"
        [
            ": [\"set\", \"-e\"] []",
            ": [\"cargo\", \"test\"] []",
            ": [\"exit\", \"1\"] []",
            ": [\"fi\"] []",
            ": [\"pytest\", \"$f\"] []",
            ": [\"done\"] []",
            ": [\"cat\"] [\"<<EOF\", \">x\"]",
            ": [\"echo\", \"$(pytest; echo)\", \"`x y`\", \"${A:-b c}\"] []",
        ]
        "#);
    }

    #[test]
    fn what_may_be_passed_over() {
        let script = "a && b || c && d; e\nif f; then g; fi; h\nfor x in y; do i; done | j; k || l\nm";
        let conditional: Vec<String> = calls(script)
            .into_iter()
            .filter(|call| call.conditional && call.words[0].text.len() == 1)
            .map(|call| call.words[0].text.clone())
            .collect();
        assert_eq!(conditional, ["c", "d", "g", "i", "l"]);
    }

    #[test]
    fn ranges_point_at_the_text() {
        let script = "cd a && 'py'test \"x y\" -q";
        let found = calls(script);
        let word = &found[1].words[0];
        assert_eq!((word.text.as_str(), &script[word.range.clone()]), ("pytest", "'py'test"));
        assert_eq!(found[1].end, script.len());
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn any_text_ends(script in "\\PC{0,120}|[a-z '\"$(){}<>|&;#\\\\\n`]{0,80}") {
            for call in calls(&script) {
                prop_assert!(script.get(..call.end).is_some());
                for word in call.words {
                    prop_assert!(script.get(word.range).is_some());
                }
            }
        }
    }
}
