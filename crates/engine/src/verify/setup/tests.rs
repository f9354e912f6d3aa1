//! Tests: set-up commands.

use super::*;

#[test]
fn a_word_reaches_the_shell_as_it_is() {
    for (word, wanted) in [
        ("plain-1.2_x/y:z@v=3,4%+", "plain-1.2_x/y:z@v=3,4%+"),
        ("", "''"),
        ("two words", "'two words'"),
        ("$(rm -rf x)", "'$(rm -rf x)'"),
        ("it's", r"'it'\''s'"),
        ("a;b", "'a;b'"),
        ("*.py", "'*.py'"),
        ("é", "'é'"),
    ] {
        assert_eq!(quote(word), wanted);
    }
}

#[test]
fn the_shell_reads_back_what_was_quoted() {
    for word in ["a b", "$HOME", "`id`", "'\"\\", "-n", "line\nbreak", "*"] {
        let script = format!("printf %s {}", quote(word));
        let out = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
        assert_eq!(String::from_utf8(out.stdout).unwrap(), word);
    }
}

#[test]
fn a_command_line_and_its_directory_are_quoted() {
    let argv = ["ruff", "check", "my file.py"].map(str::to_owned);
    assert_eq!(command_line(&argv), "ruff check 'my file.py'");
    assert_eq!(in_dir("", "make"), "make");
    assert_eq!(in_dir("a b", "make"), "cd 'a b'\nmake");
}
