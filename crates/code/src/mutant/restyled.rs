//! The same code in another style: tests of what it does pass on it as before, tests that read its text may not.

use crate::syntax::language_of;
use crate::syntax::source::{ParsedText, named_children};

/// Parts of a name of nodes whose blanks mean something.
const KEPT: [&str; 7] = ["string", "template", "char", "regex", "text", "heredoc", "literal"];

/// A file with two blanks wherever one stands between two words of a line, and with values that nothing uses where the language
/// has a place for them. `None` for languages in which blanks may mean something, and where nothing changes.
pub fn restyled(path: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let language = language_of(path)?;
    let idle_places = language.row().form.idle_places?;
    let source = ParsedText::parse(language, bytes)?;
    let mut kept: Vec<std::ops::Range<usize>> = Vec::new();
    let mut open = vec![source.root()];
    while let Some(node) = open.pop() {
        let kind = node.kind();
        let is_text = KEPT.iter().any(|part| kind.contains(part)) && !kind.contains("statement");
        // A comment at the beginning of a file or before a statement may be meant for a tool.
        let directed =
            kind.contains("comment") && node.parent().is_none_or(|parent| parent.parent().is_none());
        if is_text || directed {
            kept.push(node.byte_range());
        } else {
            open.extend(named_children(node));
        }
    }
    let is_kept = |at: usize| kept.iter().any(|range| range.contains(&at));
    let single = |at: usize| {
        let word = |byte: Option<&u8>| byte.is_some_and(|byte| !byte.is_ascii_whitespace() && *byte != b'\\');
        bytes[at] == b' ' && at > 0 && word(bytes.get(at - 1)) && word(bytes.get(at + 1)) && !is_kept(at)
    };
    let steps = idle_places(&source);
    let mut out = Vec::with_capacity(bytes.len() * 2);
    for (at, byte) in bytes.iter().enumerate() {
        if let Some((_, blanks)) = steps.iter().find(|(step, _)| *step == at) {
            let blanks = " ".repeat(*blanks);
            out.extend(format!("in_another_style = 0\n{blanks}in_another_style = ''\n{blanks}").as_bytes());
        }
        out.push(*byte);
        if single(at) {
            out.push(b' ');
        }
    }
    (out.len() > bytes.len()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parses;

    #[test]
    fn blanks_between_words_are_doubled_and_nothing_else() {
        let python = "def f(a):\n    # a + b\n    return f'{a} {a} x' + \"a b\" if a else [1, 2]\n";
        let changed = String::from_utf8(restyled("a.py", python.as_bytes()).unwrap()).unwrap();
        assert_eq!(
            changed,
            "def  f(a):\n    #  a  +  b\n    in_another_style = 0\n    in_another_style = ''\n    return  f'{a} {a} x'  +  \"a b\"  if  a  else  [1,  2]\n"
        );
        let words =
            "def f(a):\n    \"\"\"Adds.\"\"\"\n    global b\n    if a: return b\n\n\ndef g(): return 1\n";
        let changed = String::from_utf8(restyled("a.py", words.as_bytes()).unwrap()).unwrap();
        assert!(
            changed
                .contains("    global  b\n    in_another_style = 0\n    in_another_style = ''\n    if  a:"),
            "{changed}"
        );
        assert_eq!(changed.matches("style").count(), 2);
        for (path, text) in [
            ("a.js", "function f(a) {\n  return `x ${a} y` + /a b/.source + 'a b';\n}\n"),
            ("a.rs", "fn f(a: u8) -> char {\n    if a == 1 { ' ' } else { 'b' }\n}\n"),
            ("a.go", "package a\n\nfunc F(a int) string {\n\treturn `a b` + \"c d\"\n}\n"),
        ] {
            let changed = restyled(path, text.as_bytes()).unwrap();
            assert!(parses(language_of(path).unwrap(), &changed).is_ok());
            let changed = String::from_utf8(changed).unwrap();
            let same = changed.split_whitespace().eq(text.split_whitespace());
            assert!(same && !changed.contains("a  b") && !changed.contains("c  d"), "{changed}");
        }
        assert_eq!(restyled("a.rb", b"def f(a) = a + 1\n"), None);
        assert_eq!(restyled("a.py", b"a=1\n"), None);
    }
}
