//! What the tools print and how it is read.

use super::*;
use crate::red::with_owned;

fn shown(text: &str, files: &[&str]) -> String {
    let files: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
    let errors = read(text, OwnedFiles { files: &files, names: &[], present: &[] });
    format!("missing {:?} wrong {:?}", errors.missing, errors.wrong)
}

const MISSING: &str = "   Compiling mycrate v0.1.0 (/w)
error[E0432]: unresolved import `mycrate::sub`
 --> tests/missfn.rs:1:20
  |
1 | use mycrate::{add, sub};
  |                    ^^^ no `sub` in the root

error[E0432]: unresolved import `mycrate::lexer`
 --> tests/missfn.rs:2:14
  |
2 | use mycrate::lexer::Lexer;
  |              ^^^^^ could not find `lexer` in `mycrate`

error[E0425]: cannot find function `mul` in crate `mycrate`
 --> tests/missfn.rs:3:95
  |
3 | #[test] fn a() { assert_eq!(mycrate::mul(1,2), 2); }
  |                                      ^^^ not found in `mycrate`

error[E0433]: cannot find `Parser` in `parser`
 --> tests/missmeth.rs:2:43

Some errors have detailed explanations: E0425, E0432.
For more information about an error, try `rustc --explain E0425`.
error: could not compile `mycrate` (test \"missfn\") due to 3 previous errors
";

#[test]
fn names_are_lenient_and_modules_strict() {
    assert_eq!(
        shown(MISSING, &["src/lexer.rs"]),
        r#"missing ["mycrate::sub", "lexer", "mul", "Parser"] wrong []"#
    );
    assert_eq!(
        shown(MISSING, &["src/other.rs"]),
        r#"missing ["mycrate::sub", "mul", "Parser"] wrong [Foreign("error[E0432]: unresolved import `mycrate::lexer`")]"#
    );
}

#[test]
fn a_missing_field_is_named() {
    let text = "error[E0560]: struct `mycrate::P` has no field named `y`\n";
    assert_eq!(shown(text, &["src/p.rs"]), r#"missing ["y"] wrong []"#);
}

#[test]
fn crates_types_syntax_and_cargo() {
    let table: [(&str, &[&str], &str); 12] = [
        (
            "error[E0432]: unresolved import `serde_nope`\n --> tests/x.rs:1:5\n  |\n1 | use serde_nope::S;\n  |     ^^^ use of unresolved module or unlinked crate `serde_nope`\n",
            &["src/a.rs"],
            r#"missing [] wrong [Foreign("error[E0432]: unresolved import `serde_nope`")]"#,
        ),
        (
            "error[E0433]: cannot find module or crate `mycrate` in this scope\n",
            &["src/lib.rs"],
            r#"missing ["mycrate"] wrong []"#,
        ),
        (
            "error: hiding a lifetime is confusing\n  --> core/src/a.rs:3:4\n",
            &["src/lib.rs"],
            r#"missing [] wrong [Foreign("error: hiding a lifetime is confusing (core/src/a.rs:3:4)")]"#,
        ),
        (
            "error: hiding a lifetime is confusing\n  --> src/lib.rs:3:4\n",
            &["src/lib.rs"],
            r#"missing [] wrong [Other("error: hiding a lifetime is confusing")]"#,
        ),
        (
            "error[E0308]: mismatched types\n",
            &["src/lib.rs"],
            r#"missing [] wrong [Misfit { line: "error[E0308]: mismatched types", about: "" }]"#,
        ),
        (
            "error: this file contains an unclosed delimiter\n",
            &["src/lib.rs"],
            r#"missing [] wrong [Syntax("error: this file contains an unclosed delimiter")]"#,
        ),
        (
            "error[E0583]: file not found for module `lexer`\n",
            &["src/lexer.rs"],
            r#"missing ["lexer"] wrong []"#,
        ),
        (
            "error[E0599]: no method named `go` found for struct `S` in the current scope\nerror[E0282]: type annotations needed\n",
            &["src/s.rs"],
            r#"missing ["go"] wrong []"#,
        ),
        ("error: cannot find macro `mk` in this scope\n", &["src/s.rs"], r#"missing ["mk!"] wrong []"#),
        (
            "error: failed to parse manifest at `/w/Cargo.toml`\n\nCaused by:\n  no targets specified in the manifest\n",
            &["src/lib.rs"],
            r#"missing ["library target"] wrong []"#,
        ),
        (
            "error: package ID specification `x` did not match any packages\n",
            &["crates/x/Cargo.toml"],
            r#"missing ["x"] wrong []"#,
        ),
        (
            "error: test failed, to rerun pass `--lib`\n\nCaused by:\n  process didn't exit successfully: `/w/x` (signal: 6, SIGABRT: process abort signal)\n",
            &["src/lib.rs"],
            r#"missing [] wrong [Other("process didn't exit successfully: `/w/x` (signal: 6, SIGABRT: process abort signal)")]"#,
        ),
    ];
    for (text, files, expected) in table {
        assert_eq!(shown(text, files), expected, "{text}");
    }
}

/// `todo!()` in a macro or a constant stops the build; what the macro would have written is missing with it.
#[test]
fn code_that_is_unwritten_at_build_time() {
    let derive = "error: proc-macro derive panicked\n --> tests/up.rs:3:10\n  |\n3 | #[derive(Up)]\n  |          ^^\n  |\n  = help: message: not yet implemented\n";
    let bound = "error[E0277]: the trait bound `A: Display` is not satisfied\n --> tests/up.rs:9:1\n";
    let table = [
        (derive.to_owned(), r#"missing ["todo!() in a macro"] wrong []"#),
        (format!("{bound}\n{derive}"), r#"missing ["todo!() in a macro"] wrong []"#),
        (
            bound.to_owned(),
            r#"missing [] wrong [Misfit { line: "error[E0277]: the trait bound `A: Display` is not satisfied", about: " --> tests/up.rs:9:1" }]"#,
        ),
        (
            "error: proc macro panicked\n  = help: message: not implemented: later\n".to_owned(),
            r#"missing ["todo!() in a macro"] wrong []"#,
        ),
        (
            "error: proc-macro derive panicked\n  = help: message: index out of bounds\n".to_owned(),
            r#"missing [] wrong [Other("error: proc-macro derive panicked")]"#,
        ),
        (
            "error[E0080]: evaluation panicked: not yet implemented\n --> src/lib.rs:2:22\n".to_owned(),
            r#"missing ["todo!()"] wrong []"#,
        ),
        (
            "error[E0080]: evaluation panicked: attempt to divide by zero\n".to_owned(),
            r#"missing [] wrong [Other("error[E0080]: evaluation panicked: attempt to divide by zero")]"#,
        ),
    ];
    for (text, expected) in table {
        assert_eq!(shown(&text, &["impl/src/up.rs"]), expected, "{text}");
    }
}

/// A package from elsewhere that cannot be built is the environment; one of the project is not.
#[test]
fn build_scripts_of_packages_from_elsewhere() {
    let said =
        |package: &str| shown(&format!("error: failed to run custom build command for `{package}`\n"), &[]);
    assert!(said("pcsc-sys v1.3.0").contains("wrong [Foreign("), "{}", said("pcsc-sys v1.3.0"));
    assert!(!said("own v0.1.0 (/windlass/work)").contains("Foreign"));
}

#[test]
fn rust_modules_and_crates() {
    let table: [(&[&str], &str, bool, bool); 7] = [
        (&["src/a.rs"], "a", true, true),
        (&["src/a/mod.rs"], "b", true, false),
        (&["src/a/b.rs"], "a", true, true),
        (&["src/lib.rs"], "b", true, true),
        (&["src/main.rs"], "b", true, false),
        (&["Cargo.toml"], "serde", false, true),
        (&["my-crate/src/x.rs"], "my_crate", false, true),
    ];
    for (files, name, module, krate) in table {
        assert_eq!(with_owned(files, &[], |owned| owned.rust_module(name)), module, "{files:?} {name}");
        assert_eq!(with_owned(files, &[], |owned| owned.rust_crate(name)), krate, "{files:?} {name}");
    }
}
