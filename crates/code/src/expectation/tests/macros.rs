//! Macros of a test file: what is given to them is what a test expects if they compare it.

use super::*;

fn kinds(seen: &[TestExpectations]) -> Vec<String> {
    let all = seen.iter().flat_map(|test| &test.mutants);
    all.map(|mutant| format!("{} {}", mutant.kind.as_str(), mutant.was)).collect()
}

fn rust(definition: &str, body: &str) -> Vec<String> {
    let text = format!("{definition}\n\n#[test]\nfn adds() {{\n    {body}\n}}\n");
    let seen = expectations("tests/a.rs", text.as_bytes(), &|_| true, 1);
    for mutant in seen.iter().flat_map(|test| &test.mutants) {
        let changed = with_edits(text.as_bytes(), &mutant.change.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!(changed[..definition.len()], text.as_bytes()[..definition.len()], "{mutant}");
        assert!(crate::syntax::parses(language_of("a.rs").unwrap(), &changed).is_ok(), "{mutant}");
    }
    kinds(&seen)
}

#[test]
fn a_macro_of_the_file_that_compares() {
    for definition in [
        "macro_rules! check { ($got:expr, $want:expr) => { assert_eq!($got, $want) }; }",
        "macro_rules! check {\n    ($got:expr, $want:expr $(,)?) => {{\n        assert_eq!(&$got, &$want, \"not {}\", $want);\n    }};\n}",
        "macro_rules! check {\n    ($got:expr, $want:literal) => {\n        if $got != $want {\n            panic!(\"{} is not {}\", $got, $want);\n        }\n    };\n    ($got:expr, $want:expr, $text:expr) => { assert_ne!($got, $want) };\n}",
        "macro_rules! check { ($got:expr, $want:expr) => { assert!(($got) == ($want)) } }",
        "macro_rules! check {\n    ($left:expr, $right:expr) => {\n        match (&$left, &$right) {\n            (left, right) => {\n                if !(*left == *right) {\n                    panic!(\"{:?} {:?}\", left, right);\n                }\n            }\n        }\n    };\n}",
        "macro_rules! check { ($got:expr, $want:expr) => {{ let (got, want) = (&$got, &$want); assert_eq!(got, want); }}; }",
        "macro_rules! check { ($got:expr, $want:expr) => {{ let want = $want; assert_eq!($got, want); }}; }",
    ] {
        assert_eq!(rust(definition, "check!(total(&[40, 2]), 42);")[0], "equality 42", "{definition}");
    }
    let near = "macro_rules! check { ($got:expr, $want:expr) => { assert!(($got - $want).abs() < 1e-9) }; }";
    assert_eq!(rust(near, "check!(mean(&[1.5]), 4.25);")[0], "equality 4.25");
}

/// What a macro gives to the code is no expectation, and what is not read is denied as a whole.
#[test]
fn a_macro_that_is_not_read() {
    for definition in [
        "macro_rules! check { ($got:expr, $want:expr) => { assert_eq!(total($got, $want), 42) }; }",
        "macro_rules! check { ($got:expr, $want:expr) => { let w = $want; assert_eq!(total(w), $got) }; }",
        "macro_rules! check { ($($got:expr),*) => { $(assert!($got > 1);)* }; }",
        "macro_rules! check { ($got:expr, $($rest:tt)*) => { assert!($got > 1, $($rest)*) }; }",
        "macro_rules! check { ($got:expr, $want:expr, $by:expr) => { assert_eq!($got, $want) }; ($a:expr, $b:expr) => { assert!(total($a) > $b) }; }",
    ] {
        let seen = rust(definition, "check!(total(&[40, 2]), 42);");
        assert_eq!(seen, ["denial check!(total(&[40, 2]), 42)"], "{definition}");
    }
    assert_eq!(
        rust("", "assert_matches!(total(1), Some(42));"),
        ["denial assert_matches!(total(1), Some(42))"]
    );
    assert_eq!(rust("macro_rules! say { ($a:expr) => { println!(\"{}\", $a) }; }", "say!(42);"), [""; 0]);
}

fn c(definition: &str, body: &str) -> Vec<String> {
    let text = format!("{definition}\n\nint main(void) {{\n    {body}\n    return failures;\n}}\n");
    let seen = file_expectations("tests/a.c", text.as_bytes(), 1);
    kinds(&seen.into_iter().collect::<Vec<_>>())
}

#[test]
fn a_macro_in_c_that_compares() {
    for definition in [
        "#define CHECK_EQ(a, b) assert((a) == (b))",
        "#define CHECK_EQ(a, b) do { if ((a) != (b)) abort(); } while (0)",
        "static int failures;\n#define CHECK_EQ(got, want) \\\n    do { \\\n        if ((got) != (want)) { \\\n            printf(\"%s: %d\\n\", #got, (got)); \\\n            failures++; \\\n        } \\\n    } while (0)",
        "#define CHECK_EQ(a, b) do { int got_ = (a); int want_ = (b); if (got_ != want_) { printf(\"%d\", want_); failures++; } } while (0)",
        "#define CHECK_EQ(a, b) if (!((a) == (b))) { fprintf(stderr, \"%s:%d\", __FILE__, __LINE__); exit(1); }",
    ] {
        let seen = c(definition, "CHECK_EQ(total(40, 2), 42);");
        assert_eq!(seen.first().map(String::as_str), Some("equality 42"), "{definition}");
    }
    let text = "#define CHECK_STR(a, b) \\\n  if (strcmp((a), (b)) != 0) return 1\n";
    assert_eq!(c(text, "CHECK_STR(name(1), \"seven\");")[0], "equality seven");
    let other = "#define CHECK_EQ(a, b) if (total((a), (b)) != 42) abort()";
    assert!(!c(other, "CHECK_EQ(40, 2);").iter().any(|seen| seen == "equality 2"));
}

/// The line of a changed value is its own, whatever stands before it.
#[test]
fn lines_stay() {
    let text = "#define CHECK_EQ(a, b) assert((a) == (b))\n#define OPEN {\n#define TEXT(a) #a\n\nint main(void) {\n    CHECK_EQ(total(1), 42);\n    return 0;\n}\n";
    let seen = file_expectations("tests/a.c", text.as_bytes(), 1).unwrap();
    assert_eq!((seen.mutants[0].line, seen.mutants[0].was.as_str()), (6, "42"));
}
