//! Which existing functions fit a task.

use super::*;
use crate::repo::{MemoryTree, Tree as _};
use crate::survey::survey;

fn sorted(words: HashSet<String>) -> Vec<String> {
    let mut words: Vec<String> = words.into_iter().collect();
    words.sort();
    words
}

#[test]
fn subjects_of_a_text() {
    let table: [(&str, &[&str]); 8] = [
        ("Titles become slugs", &["become", "slug", "title"]),
        ("the list of all files", &[]),
        ("formatPrice", &["format", "price"]),
        ("parse_urls", &["parse", "url"]),
        // An address is no plural.
        ("address", &["address"]),
        ("class", &[]),
        ("of to a 1", &[]),
        ("", &[]),
    ];
    for (text, expected) in table {
        assert_eq!(sorted(subjects(text)), expected, "{text}");
    }
}

#[test]
fn words_that_match_the_task() {
    let about = subjects("the price of an order line");
    let table =
        [("formatPrice", 1), ("order_line_price", 3), ("Money.price", 1), ("prices", 1), ("total", 0)];
    for (name, expected) in table {
        assert_eq!(asked_for(name, &about), expected, "{name}");
    }
}

#[test]
fn long_signatures_lose_their_end() {
    let fits = "x".repeat(WIDE);
    assert_eq!(short(&fits), fits);
    assert_eq!(short(&"é".repeat(WIDE + 1)), format!("{}…", "é".repeat(WIDE)));
}

#[test]
fn imports_that_take_a_whole_module() {
    let import = |names: &[&str]| Import {
        module: "shop.text".to_owned(),
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        line: 1,
    };
    let table: [(&[&str], bool); 4] = [(&[], true), (&["*"], true), (&["text"], true), (&["slug"], false)];
    for (names, expected) in table {
        assert_eq!(takes_whole("shop/text.py", &import(names)), expected, "{names:?}");
    }
}

#[test]
fn the_nearest_files_come_first() {
    let peers = ["c/w.py", "a/y.py", "a/b/x.py", "a/b/deep/z.py"];
    assert_eq!(nearest(&peers, "a/b/new.py"), ["a/b/x.py", "a/b/deep/z.py", "a/y.py", "c/w.py"]);
    assert_eq!(nearest(&[], "a.py"), [""; 0]);
}

/// What a file about slugs finds in a tree.
fn found(files: &[(&str, &str)], file: &str) -> Vec<ReusableHelpers> {
    let tree = MemoryTree::new(files.iter().copied());
    let read = |path: &str| tree.read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let about = subjects("the slug of a title");
    survey(&tree).reusable(&Seeker { file, about: &about, known: &HashSet::new(), read: &read })
}

#[test]
fn no_more_than_fits_is_shown() {
    let many: String = (0..9).map(|n| format!("def slug_{n}(): ...\n")).collect();
    let shown = found(&[("a/util.py", &many), ("a/b.py", ""), ("a/c.py", "")], "a/new.py");
    assert_eq!(shown.len(), 1);
    assert_eq!(shown[0].functions.len(), OF_ONE);
    // An overloaded function is one.
    let twice = "def slug(a): ...\ndef slug(a, b): ...\n";
    assert_eq!(
        found(&[("a/util.py", twice), ("a/b.py", ""), ("a/c.py", "")], "a/new.py")[0].functions,
        ["def slug(a)"]
    );
}

#[test]
fn what_is_hidden_or_not_callable_is_left_out() {
    let table = [
        ("a/util.py", "def slug(t): ...\n", "a/new.py", true),
        ("a/util.py", "def _slug(t): ...\n", "a/new.py", false),
        ("a/util.py", "class Slug: ...\nSLUG = 1\n", "a/new.py", false),
        // A method needs an object, unless it belongs to its class.
        (
            "a/TextUtil.java",
            "public class TextUtil { public String slug() { return null; } }",
            "a/New.java",
            false,
        ),
        (
            "a/TextUtil.java",
            "public class TextUtil { public static String slug() { return null; } }",
            "a/New.java",
            true,
        ),
        // Only headers can be used by other files.
        ("a/util.c", "int slug(void) { return 1; }", "a/new.c", false),
        ("a/util.h", "int slug(void);", "a/new.c", true),
        // Compiled code can use what is not compiled, never the other way round.
        ("a/util.js", "export function slug() {}", "a/new.ts", true),
        ("a/util.ts", "export function slug() {}", "a/new.js", false),
        // Code does not use tests.
        ("tests/util.py", "def slug(t): ...\n", "a/new.py", false),
        ("a/util.py", "def slug(t): ...\n", "a/new.rs", false),
    ];
    for (path, text, file, expected) in table {
        let ending = path.rsplit_once('.').unwrap().1;
        let others = [format!("a/x.{ending}"), format!("a/y.{ending}")];
        let files = [(path, text), (others[0].as_str(), ""), (others[1].as_str(), "")];
        assert_eq!(!found(&files, file).is_empty(), expected, "{path} for {file}: {text}");
    }
}
