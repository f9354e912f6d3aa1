//! What the files of a project have in common.

use super::*;
use crate::repo::MemoryTree;
use crate::survey::survey;

fn texts(all: &[&str]) -> Vec<String> {
    all.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn quotes_by_majority() {
    let table: [(Language, &[&str], Option<Quotes>); 6] = [
        (Language::Python, &["x = 'a'\n"], Some(Quotes::Single)),
        (Language::Python, &["x = 'a'\n", "y = \"b\"\nz = \"c\"\n"], Some(Quotes::Double)),
        (Language::Python, &["x = 'a'\ny = \"b\"\n"], None),
        (Language::TypeScript, &[], None),
        (Language::Php, &["<?php $x = 'a';"], Some(Quotes::Single)),
        // In Rust and Go a single quote is a character.
        (Language::Rust, &["let x = 'a';"], None),
    ];
    for (language, sample, expected) in table {
        assert_eq!(quotes(language, &texts(sample)), expected, "{sample:?}");
    }
}

#[test]
fn semicolons_only_where_they_can_be_left_out() {
    let table: [(Language, &[&str], Option<bool>); 5] = [
        (Language::TypeScript, &["run();\nconst a = 'b';\n"], Some(true)),
        (Language::TypeScript, &["run()\nconst a = 'b'\n"], Some(false)),
        (Language::JavaScript, &["run();  \r\n"], Some(true)),
        (Language::TypeScript, &["// nothing\n"], None),
        (Language::Python, &["run();\n"], None),
    ];
    for (language, sample, expected) in table {
        assert_eq!(semicolons(language, &texts(sample)), expected, "{sample:?}");
    }
}

#[test]
fn the_first_indentation_counts() {
    let table = [
        ("def f():\n    x\n", Some("    ")),
        ("func F() {\n\tx\n}\n", Some("\t")),
        ("/**\n * doc\n */\nif (a) {\n  b\n}\n", Some("  ")),
        ("x\n", None),
        ("", None),
        // An argument in its column is no step.
        ("call(a,\n            b)\n", None),
    ];
    for (text, expected) in table {
        assert_eq!(indent(text).as_deref(), expected, "{text}");
    }
}

#[test]
fn samples_and_majorities() {
    assert_eq!(evenly(&["a", "b"], 3), ["a", "b"]);
    assert_eq!(evenly(&["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"], 3), ["0", "3", "6"]);
    assert_eq!(most([("a", 1), ("b", 2), ("a", 2)].into_iter()), Some("a"));
    assert_eq!(most([("b", 1), ("a", 1)].into_iter()), Some("a"), "of equal ones the smallest");
    assert_eq!(most(std::iter::empty::<(&str, usize)>()), None);
}

#[test]
fn a_directory_belongs_to_the_deepest_member_above() {
    let known = HashSet::from(["packages/a", "packages/a/inner"]);
    let table = [
        ("packages/a/src", "packages/a"),
        ("packages/a/inner/src", "packages/a/inner"),
        ("packages/ab", ""),
        ("", ""),
    ];
    for (dir, expected) in table {
        assert_eq!(member_of(dir, &known), expected, "{dir}");
    }
    assert_eq!((name_stem("a/b.test.ts"), name_stem("Makefile")), ("b", "Makefile"));
}

#[test]
fn the_conventions_of_a_python_project() {
    let tree = MemoryTree::new([
        ("pyproject.toml", "[project]\nname = \"shop\"\n"),
        ("shop/price_list.py", "def total():\n    return 'a'\n"),
        ("shop/tax_rate.py", "def rate():\n    return 'b'\n"),
        ("tests/conftest.py", "import pytest\n@pytest.fixture\ndef client(): ...\n"),
        ("tests/test_price_list.py", "from shop.price_list import total\ndef test_total(client): ...\n"),
    ]);
    let survey = survey(&tree);
    let found = survey.conventions_for("shop/new.py").unwrap();
    assert_eq!((found.dir.as_str(), found.language), ("", Language::Python));
    assert_eq!(found.style, Some(TestStyle { framework: Framework::Pytest, shape: TestShape::Functions }));
    assert_eq!((found.file_names, found.quotes), (Some(Naming::Snake), Some(Quotes::Single)));
    assert_eq!((found.indent.as_deref(), found.semicolons), (Some("    "), None));
    assert_eq!((found.absolute_imports, found.fixtures.as_slice()), (Some(true), &["client".to_owned()][..]));
    assert_eq!(survey.test_file_for("shop/new.py").unwrap().path, "tests/test_new.py");
}

#[test]
fn each_member_has_conventions_of_its_own() {
    let tree = MemoryTree::new([
        ("web/package.json", "{\"name\": \"web\", \"devDependencies\": {\"jest\": \"29\"}}"),
        ("web/src/cartView.ts", "export const a = \"x\"\n"),
        ("web/src/cartView.spec.ts", "describe('s', () => { it('a', () => {}) })\n"),
        ("core/Cargo.toml", "[package]\nname = \"core\"\n"),
        ("core/src/lib.rs", "pub fn f() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {}\n}\n"),
    ]);
    let survey = survey(&tree);
    let web = survey.conventions_for("web/src/line.ts").unwrap();
    assert_eq!((web.dir.as_str(), web.file_names), ("web", Some(Naming::Camel)));
    assert_eq!(survey.test_file_for("web/src/line.ts").unwrap().path, "web/src/line.spec.ts");
    // A new kind of file follows its relatives; a language without any has no conventions.
    assert_eq!(survey.conventions_for("web/src/Line.tsx").unwrap().dir, "web");
    assert!(survey.conventions_for("web/tool.py").is_none());
    let core = survey.test_file_for("core/src/line.rs").unwrap();
    assert_eq!((core.path.as_str(), core.inline), ("core/src/line.rs", true));
}
