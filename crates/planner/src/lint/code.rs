//! Code in a plan, read by its look: functions, exported names, tests, placeholders. No parser, any language; when in
//! doubt it sees nothing.

/// A line without its comment, if it is not one.
fn code_line(line: &str) -> Option<&str> {
    let line = line.trim();
    let comment =
        ["//", "#", "--", "*", "/*", "\"\"\""].iter().any(|c| line.starts_with(c)) && !line.starts_with("#[");
    (!comment && !line.is_empty()).then_some(line)
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Words before a parenthesis that are not functions.
const NOT_FUNCTIONS: [&str; 16] = [
    "if", "for", "while", "switch", "match", "return", "function", "catch", "fn", "def", "func", "await",
    "new", "and", "or", "not",
];

/// Signatures in a piece of interface code: the name before the first parenthesis, and the whole line without spaces.
pub(super) fn functions(code: &str) -> Vec<(&str, String)> {
    let mut found = Vec::new();
    for line in code.lines().filter_map(code_line) {
        let Some(open) = line.find('(') else { continue };
        let before = line[..open].trim_end_matches(['?', '!']);
        let before =
            before.rsplit_once('<').filter(|_| before.ends_with('>')).map_or(before, |(name, _)| name);
        let start = before
            .rfind(|c: char| !is_name(c))
            .map_or(0, |i| i + before[i..].chars().next().map_or(1, char::len_utf8));
        let name = &before[start..];
        let declares =
            line.ends_with([';', ',', ':', '{', ')']) || line.contains("->") || line.contains("...");
        if !name.is_empty()
            && !NOT_FUNCTIONS.contains(&name)
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && declares
        {
            found.push((name, normal(line)));
        }
    }
    found
}

/// A declaration without what may differ: spaces, final marks, words about visibility.
fn normal(line: &str) -> String {
    let mut text: String =
        line.trim_end_matches("...").trim_end_matches([';', ',', '{', ':', ' ']).to_owned();
    for word in ["export ", "pub ", "public ", "async ", "default "] {
        text = text.replacen(word, "", 1);
    }
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Names a contract exports: what is declared at the outermost level.
pub(super) fn exports(code: &str) -> Vec<&str> {
    const DECLARES: [&str; 16] = [
        "const",
        "let",
        "function",
        "class",
        "interface",
        "type",
        "enum",
        "struct",
        "trait",
        "fn",
        "def",
        "func",
        "var",
        "module",
        "record",
        "protocol",
    ];
    let mut found = Vec::new();
    for line in code.lines().filter(|l| !l.starts_with([' ', '\t'])).filter_map(code_line) {
        let mut words = line.split(|c: char| !is_name(c)).filter(|w| !w.is_empty());
        if words.any(|w| DECLARES.contains(&w))
            && let Some(name) = words.next()
        {
            found.push(name);
        }
    }
    found
}

/// How many tests a piece of test code holds.
pub(super) fn tests(code: &str) -> usize {
    let is_test = |line: &&str| {
        let line = line.trim_start();
        let call = ["it(", "test(", "it.each", "test.each", "Deno.test("].iter().any(|c| line.starts_with(c));
        let python = line.starts_with("def test_") || line.starts_with("async def test_");
        let rust = line.starts_with("#[test]") || line.starts_with("#[tokio::test");
        let other = line.starts_with("func Test") || line.starts_with("@Test") || line.starts_with("it \"");
        call || python || rust || other
    };
    code.lines().filter(is_test).count()
}

/// Whether test code looks at something going wrong. Words without their first letter stand for both cases.
pub(super) fn has_error_case(code: &str) -> bool {
    const SIGNS: [&str; 34] = [
        "rror",
        "hrow",
        "aises",
        "eject",
        "400",
        "404",
        "nvalid",
        "issing",
        "alse",
        "null",
        "Null",
        "None",
        "is_none",
        "fail",
        "Fail",
        "empty",
        "Empty",
        "ot found",
        "ot_found",
        "otFound",
        "Err(",
        "is_err",
        "panic",
        "efuse",
        "enied",
        "nauthorized",
        "orbidden",
        "401",
        "403",
        "409",
        "422",
        "500",
        "NOT_FOUND",
        "undefined",
    ];
    SIGNS.iter().any(|s| code.contains(s))
}

/// Words that stand where code should.
const PLACEHOLDERS: [&str; 5] =
    ["code here", "mplementation here", "mplement me", "est of the code", "existing code"];

/// A placeholder left in code, if there is one.
pub(super) fn placeholder(code: &str) -> Option<&str> {
    let has_words = |text: &str| PLACEHOLDERS.iter().any(|w| text.contains(w));
    let dotted = code.contains("...") || code.contains('…');
    let marked = ["TODO", "FIXME", "XXX"].iter().any(|w| code.contains(w));
    if !(dotted || marked || has_words(code)) {
        return None;
    }
    code.lines().map(str::trim).find(|line| {
        let squeezed: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        let dots = matches!(squeezed.as_str(), "//..." | "#..." | "..." | "…" | "//…" | "#…" | "--...");
        let todo = line.split(|c: char| !is_name(c)).any(|w| matches!(w, "TODO" | "FIXME" | "XXX"));
        squeezed.contains("/*...*/") || dots || todo || has_words(line)
    })
}

/// A line of a contract that does work instead of declaring.
pub(super) fn does_work(code: &str) -> Option<&str> {
    code.lines().filter_map(code_line).find(|line| {
        ["return ", "if (", "if ", "for ", "for(", "while ", "await ", "throw ", "raise "]
            .iter()
            .any(|w| line.starts_with(w))
    })
}

#[cfg(test)]
mod tests_of_code {
    use super::*;

    #[test]
    fn declarations_are_found_in_several_languages() {
        let code = "// src/a.ts\nexport const repo: {\n  findById(id: string): Promise<Item>;\n};\nexport function f<T>(x: T): T;\n";
        let names: Vec<&str> = functions(code).iter().map(|(n, _)| *n).collect();
        assert_eq!(names, ["findById", "f"]);
        assert_eq!(exports(code), ["repo", "f"]);
        assert_eq!(exports("def greet(name: str) -> str: ..."), ["greet"]);
        assert_eq!(exports("pub struct A;\npub(crate) fn b();\n  fn inner();"), ["A", "b"]);
        assert_eq!(functions("pub fn add(a: i32) -> i32;"), [("add", "fnadd(a:i32)->i32".to_owned())]);
        assert_eq!(functions("def greet(name: str) -> str: ...")[0].0, "greet");
    }

    #[test]
    fn tests_are_counted() {
        assert_eq!(tests("describe('x', () => {\n  it('a', f);\n  test('b', f);\n});"), 2);
        assert_eq!(tests("def test_a():\n    pass\n\n#[test]\nfn b() {}\n"), 2);
    }

    #[test]
    fn placeholders_are_found() {
        for code in ["a\n  // ...\nb", "f(/* ... */)", "# TODO: later", "    ..."] {
            assert!(placeholder(code).is_some(), "{code}");
        }
        for code in ["f(...args)", "// ... existing methods", "todos.push(x)", "def f(): ..."] {
            assert_eq!(placeholder(code), None, "{code}");
        }
    }
}
