//! The facts of a file as bytes and back: compact, because a hundred thousand of them are read at once.

use windlass_code::survey::{
    Export, ExportKind, FileFacts, Framework, Import, Language, TestShape, TestStyle,
};

/// Changes whenever the facts or how they are found change: an older cache is then a cold one.
pub(super) const VERSION: u32 = 2;

const KINDS: [ExportKind; 7] = [
    ExportKind::Function,
    ExportKind::Method,
    ExportKind::Type,
    ExportKind::Interface,
    ExportKind::Value,
    ExportKind::Module,
    ExportKind::Macro,
];

const FRAMEWORKS: [Framework; 18] = [
    Framework::Pytest,
    Framework::Unittest,
    Framework::Rust,
    Framework::Vitest,
    Framework::Jest,
    Framework::NodeTest,
    Framework::Mocha,
    Framework::Go,
    Framework::Junit4,
    Framework::Junit5,
    Framework::Rspec,
    Framework::Minitest,
    Framework::Phpunit,
    Framework::Xunit,
    Framework::Nunit,
    Framework::Mstest,
    Framework::Gtest,
    Framework::Catch2,
];

const SHAPES: [TestShape; 5] =
    [TestShape::Functions, TestShape::Classes, TestShape::Suites, TestShape::Table, TestShape::Inline];

/// Writes facts.
pub(super) fn encode(facts: &FileFacts) -> Vec<u8> {
    let mut out = Writer(Vec::with_capacity(256));
    out.number(index(Language::ALL, &facts.language));
    out.number(facts.exports.len());
    for export in &facts.exports {
        out.text(&export.name);
        out.number(index(&KINDS, &export.kind));
        out.text(&export.signature);
        out.number(export.line);
    }
    out.number(facts.imports.len());
    for import in &facts.imports {
        out.text(&import.module);
        out.texts(&import.names);
        out.number(import.line);
    }
    out.texts(&facts.bases);
    out.texts(&facts.tests);
    match facts.style {
        None => out.number(0),
        Some(style) => {
            out.number(1 + index(&FRAMEWORKS, &style.framework));
            out.number(index(&SHAPES, &style.shape));
        }
    }
    out.texts(&facts.fixtures);
    let package: Vec<String> = facts.package.iter().cloned().collect();
    out.texts(&package);
    out.number(facts.broken.unwrap_or_default());
    out.0
}

fn index<T: PartialEq>(all: &[T], one: &T) -> usize {
    all.iter().position(|known| known == one).unwrap_or_default()
}

/// Reads facts; `None` when the bytes are not what [`encode`] writes.
pub(super) fn decode(bytes: &[u8]) -> Option<FileFacts> {
    let mut from = Reader(bytes);
    let language = *Language::ALL.get(from.number()?)?;
    let exports = from.list(|from| {
        Some(Export {
            name: from.text()?,
            kind: *KINDS.get(from.number()?)?,
            signature: from.text()?,
            line: from.number()?,
        })
    })?;
    let imports = from.list(|from| {
        Some(Import { module: from.text()?, names: from.list(Reader::text)?, line: from.number()? })
    })?;
    let (bases, tests) = (from.list(Reader::text)?, from.list(Reader::text)?);
    let style = match from.number()? {
        0 => None,
        n => Some(TestStyle { framework: *FRAMEWORKS.get(n - 1)?, shape: *SHAPES.get(from.number()?)? }),
    };
    let fixtures = from.list(Reader::text)?;
    let package = from.list(Reader::text)?.pop();
    let broken = Some(from.number()?).filter(|line| *line > 0);
    let facts = FileFacts { language, exports, imports, bases, tests, style, fixtures, package, broken };
    from.0.is_empty().then_some(facts)
}

struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, mut value: usize) {
        while value > 0x7f {
            self.0.push(u8::try_from(value & 0x7f).unwrap_or_default() | 0x80);
            value >>= 7;
        }
        self.0.push(u8::try_from(value).unwrap_or_default());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }

    fn texts(&mut self, texts: &[String]) {
        self.number(texts.len());
        for text in texts {
            self.text(text);
        }
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn number(&mut self) -> Option<usize> {
        let mut value = 0usize;
        for shift in (0..usize::BITS).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            value |= usize::from(byte & 0x7f).checked_shl(shift)?;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn text(&mut self) -> Option<String> {
        let length = self.number()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        String::from_utf8(text.to_vec()).ok()
    }

    fn list<T>(&mut self, one: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.number()?;
        // A damaged count must not ask for all memory.
        let mut out = Vec::with_capacity(count.min(self.0.len()));
        for _ in 0..count {
            out.push(one(self)?);
        }
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use windlass_code::syntax::facts;

    use super::*;

    #[test]
    fn facts_come_back_the_same_and_damage_is_seen() {
        let texts = [
            (
                "tests/test_a.py",
                "import os\nfrom a import b, c\ndef test_x(): ...\nclass A(B):\n    def m(self, x=1): ...\n",
            ),
            (
                "src/a.rs",
                "use a::b;\npub fn f() {}\nimpl D for A {}\n#[cfg(test)] mod t { #[test] fn x() {} }\n",
            ),
            ("A.java", "package a.b;\npublic class A { public int f(String x) { return 1; } }\n"),
            ("bad.go", "package a\nfunc (\n"),
            ("empty.php", ""),
        ];
        for (path, text) in texts {
            let found = facts(path, text.as_bytes()).unwrap();
            let bytes = encode(&found);
            assert_eq!(decode(&bytes).as_ref(), Some(&found), "{path}");
            for end in 0..bytes.len() {
                assert_eq!(decode(&bytes[..end]), None, "{path} cut at {end}");
            }
            for at in 0..bytes.len() {
                let mut damaged = bytes.clone();
                damaged[at] ^= 0xff;
                let _ = decode(&damaged);
            }
        }
    }
}
