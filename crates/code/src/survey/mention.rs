//! The words in the imports of a file, found without parsing it.
//!
//! One pass over the bytes, for an index of every file: it takes more than the grammars would (a word in a comment that
//! looks like an import), never less, so that only the files it names have to be parsed. Words are kept as hashes.

use crate::language::Language;
use crate::survey::words;
use memchr::memmem;

use crate::syntax::imports;

/// A word as it is kept.
pub fn word_hash(word: &str) -> u32 {
    hash(word.as_bytes())
}

fn hash(word: &[u8]) -> u32 {
    word.iter().fold(0x811c_9dc5, |sum: u32, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

/// Words of imports that a grammar finds in a file and [`mentions`] does not; there must be none.
pub fn missed(path: &str, bytes: &[u8]) -> Vec<String> {
    let Some(language) = Language::of_path(path) else { return Vec::new() };
    let found = mentions(language, bytes);
    let by_name = language.row().names_are_files;
    let mut out = Vec::new();
    for import in imports(path, bytes) {
        // `*` and `_` name nothing.
        let names = import.names.iter().filter(|name| by_name && name.contains(char::is_alphanumeric));
        let wanted = names.chain([&import.module]).flat_map(|name| words(name));
        out.extend(wanted.filter(|word| !found.contains(&word_hash(word))));
    }
    out
}

/// The words in the imports of a file, and in what it declares as its namespace where imports name those; sorted.
pub fn mentions(language: Language, bytes: &[u8]) -> Vec<u32> {
    let mut scan = ImportScan { bytes, found: Vec::with_capacity(16) };
    for (word, form) in language.row().import_words {
        scan.each(word, *form);
    }
    scan.found.sort_unstable();
    scan.found.dedup();
    scan.found
}

/// How far an import reaches behind, or around, the word that begins it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ImportForm {
    /// `import a.b`, `from . import c`, names in brackets over several lines.
    PythonImport,
    /// Up to the semicolon, where a statement can begin.
    Statement,
    /// Up to the semicolon or the brace.
    Head,
    /// The rest of the line.
    Line,
    /// A path, or a list of paths in brackets.
    GoImport,
    /// The string that follows, in brackets or not.
    ModuleString,
}

/// One pass over the bytes of a file.
struct ImportScan<'a> {
    bytes: &'a [u8],
    found: Vec<u32>,
}

fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

impl ImportScan<'_> {
    /// Takes the words of every import that begins with this word.
    fn each(&mut self, word: &[u8], form: ImportForm) {
        let bytes = self.bytes;
        for start in memmem::find_iter(bytes, word) {
            let free = start == 0 || !in_word(bytes[start - 1]);
            if free {
                let end = start + word.len();
                match form {
                    ImportForm::PythonImport => self.python(start, end),
                    ImportForm::Statement => self.statement(start, end),
                    ImportForm::Head => self.head(end),
                    ImportForm::Line => self.line(end),
                    ImportForm::GoImport => self.go(start, end),
                    ImportForm::ModuleString => self.module(end),
                }
            }
        }
    }

    fn words(&mut self, text: &[u8]) {
        let words =
            text.split(|b| b.is_ascii() && !b.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        self.found.extend(words.map(hash));
    }

    fn line_start(&self, at: usize) -> usize {
        memchr::memrchr(b'\n', &self.bytes[..at]).map_or(0, |n| n + 1)
    }

    fn line_end(&self, at: usize) -> usize {
        memchr::memchr(b'\n', &self.bytes[at..]).map_or(self.bytes.len(), |n| at + n)
    }

    /// Where the first of these stands, comments to the end of a line passed over.
    fn until(&self, from: usize, ends: &[u8], comment: &[u8]) -> usize {
        let mut at = from;
        while let Some(byte) = self.bytes.get(at) {
            if ends.contains(byte) {
                return at;
            }
            at = if self.bytes[at..].starts_with(comment) { self.line_end(at) } else { at + 1 };
        }
        self.bytes.len()
    }

    fn python(&mut self, start: usize, end: usize) {
        if self.bytes.get(end).copied().is_some_and(in_word) {
            return;
        }
        let mut first = self.line_start(start);
        while first > 1 && self.bytes[..first - 1].ends_with(b"\\") {
            first = self.line_start(first - 1);
        }
        let mut last = self.line_end(end);
        while self.bytes[..last].ends_with(b"\\") && last < self.bytes.len() {
            last = self.line_end(last + 1);
        }
        if memchr::memchr(b'(', &self.bytes[end..last]).is_some() {
            last = last.max(self.until(end, b")", b"#"));
        }
        let bytes = self.bytes;
        let before = bytes[first..start].trim_ascii_end();
        let dots = before.iter().rev().take_while(|b| **b == b'.' || b.is_ascii_whitespace()).count();
        if before.ends_with(b".") && before[..before.len() - dots].ends_with(b"from") {
            self.found.push(hash(b"."));
        }
        self.words(&bytes[first..last]);
    }

    fn statement(&mut self, start: usize, end: usize) {
        let before = self.bytes[self.line_start(start)..start].trim_ascii();
        let comment = before.starts_with(b"//") || before.starts_with(b"* ") || before == b"*";
        let begins = before.last().is_none_or(|b| b"{};)]/".contains(b))
            || before.ends_with(b"pub")
            || before.ends_with(b"?php");
        if begins && !comment {
            let last = self.until(end, b";", b"//");
            self.words(&self.bytes[end..last]);
        }
    }

    fn head(&mut self, end: usize) {
        let last = self.until(end, b";{", b"//");
        self.words(&self.bytes[end..last]);
    }

    fn line(&mut self, end: usize) {
        self.words(&self.bytes[end..self.line_end(end)]);
    }

    fn go(&mut self, start: usize, end: usize) {
        if !self.bytes[self.line_start(start)..start].trim_ascii().is_empty() {
            return;
        }
        let open = end + self.bytes[end..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        let last = match self.bytes.get(open) {
            Some(b'(') => self.until(open, b")", b"//"),
            _ => self.line_end(open.min(self.bytes.len())),
        };
        self.words(&self.bytes[end..last]);
    }

    fn module(&mut self, end: usize) {
        let mut at = self.blank(end);
        if self.bytes.get(at) == Some(&b'(') {
            at = self.blank(at + 1);
        }
        let Some(quote) = self.bytes.get(at).copied().filter(|b| matches!(b, b'\'' | b'"')) else { return };
        let text = &self.bytes[at + 1..];
        let text = &text[..memchr::memchr(quote, text).unwrap_or(text.len())];
        if text.iter().all(|b| matches!(b, b'.' | b'/')) {
            self.found.push(hash(b"."));
        }
        self.words(text);
    }

    /// Past blanks and comments.
    fn blank(&self, from: usize) -> usize {
        let mut at = from;
        while let Some(byte) = self.bytes.get(at) {
            let rest = &self.bytes[at..];
            if byte.is_ascii_whitespace() {
                at += 1;
            } else if rest.starts_with(b"//") {
                at = self.line_end(at);
            } else if rest.starts_with(b"/*") {
                at = memmem::find(rest, b"*/").map_or(self.bytes.len(), |n| at + n + 2);
            } else {
                break;
            }
        }
        at
    }
}

#[cfg(test)]
mod tests;
