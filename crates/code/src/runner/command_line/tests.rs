//! Words of command lines.

use super::*;
use crate::script::ShellScript;

fn words(script: &str) -> Vec<ShellWord> {
    ShellScript::parse(script).commands.into_iter().next().map(|command| command.words).unwrap_or_default()
}

#[test]
fn the_program_behind_its_wrappers() {
    let table = [
        ("x a", "x"),
        ("A=1 B=2 x", "x"),
        ("env x", "x"),
        ("env -u B A=1 x", "x"),
        ("cross-env A=1 x", "x"),
        ("command x", "x"),
        ("exec x", "x"),
        ("stdbuf -oL x", "x"),
        ("nice -n 5 x", "x"),
        ("nice x", "x"),
        ("timeout 5 x", "x"),
        ("timeout -s KILL -k 5 60 x", "x"),
        ("timeout --signal=KILL 60 x", "x"),
        ("npx x", "x"),
        ("npx --yes -p y x", "x"),
        ("uvx --from y x", "x"),
        ("uv run x", "x"),
        ("uv run --with y --env-file .env x", "x"),
        ("uv run -- x", "x"),
        ("uv sync", "uv"),
        ("poetry run x", "x"),
        ("poetry install", "poetry"),
        ("npm exec -- x", "x"),
        ("npm run x", "npm"),
        ("pnpm dlx x", "x"),
        ("yarn build", "yarn"),
        ("yarn jest", "jest"),
        ("bundle exec x", "x"),
        ("bundle install", "bundle"),
        ("env A=1 timeout 5 uv run npx bundle exec x", "x"),
        ("/usr/bin/env x", "x"),
        ("env", ""),
        ("timeout", ""),
        ("A=1", ""),
    ];
    for (script, expected) in table {
        let words = words(script);
        assert_eq!(text(&words, past_wrappers(&words, 0)), expected, "{script}");
    }
}

#[test]
fn options_and_their_values() {
    let table = [
        ("x -a y", "y"),
        ("x -v 1 y", "y"),
        ("x -v=1 y", "y"),
        ("x -a -v 1 -- -y", "-y"),
        ("x y", "y"),
        ("x -a", ""),
        ("x -v", ""),
        ("x", ""),
    ];
    for (script, expected) in table {
        let words = words(script);
        assert_eq!(text(&words, past_options(&words, 1, &["-v"])), expected, "{script}");
    }
}

#[test]
fn an_option_is_given_alone_or_with_a_value() {
    let table = [
        ("x --name", true),
        ("x --name y", true),
        ("x --name=y", true),
        ("x --name=", true),
        ("x --names", false),
        ("x --nam", false),
        ("x 'y --name'", false),
        ("x", false),
    ];
    for (script, expected) in table {
        let words = words(script);
        assert_eq!(has_option(&words[1..], "--name"), expected, "{script}");
        assert_eq!(has_any(&words[1..], &["--other", "--name"]), expected, "{script}");
    }
}

#[test]
fn a_pattern_with_an_end_picks_single_tests() {
    let table = [
        ("x -run '^A$'", true),
        ("x '-run=^A$'", true),
        ("x -run A", false),
        ("x -run A '$'", false),
        ("x -other '^A$'", false),
        ("x -run", false),
    ];
    for (script, expected) in table {
        assert_eq!(is_anchored(&words(script)[1..], &["-run"]), expected, "{script}");
    }
}

#[test]
fn file_names_of_programs() {
    let table = [("x", "x"), ("/usr/bin/x", "x"), ("./x", "x"), ("'a b'/x", "x"), ("x/", "")];
    for (script, expected) in table {
        assert_eq!(base_name(&words(script)[0]), expected, "{script}");
    }
}
