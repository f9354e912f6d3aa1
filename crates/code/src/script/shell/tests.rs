//! Tests of `shell`.

use proptest::prelude::*;

use super::*;

fn commands(script: &str) -> Vec<SimpleCommand> {
    ShellScript::parse(script).commands
}

fn shape(script: &str) -> Vec<String> {
    commands(script)
        .iter()
        .map(|command| {
            let words: Vec<&str> = command.words.iter().map(|w| w.text.as_str()).collect();
            let redirects: Vec<String> =
                command.redirects.iter().map(|r| format!("{}{}", r.operator, r.target.text)).collect();
            let pipe = if command.is_piped() { " |" } else { "" };
            format!("{}: {words:?} {redirects:?}{pipe}", command.dir.as_deref().unwrap_or("?"))
        })
        .collect()
}

#[test]
fn commands_words_and_directories() {
    insta::assert_debug_snapshot!(
            shape("cd web && A=1 npx vitest run 'a b.test.ts' >out.txt 2>&1 | tail -3; (cd ..; make) || true\ncd \"$X\" && ls"),
            @r#"
        [
            ": [\"cd\", \"web\"] []",
            "web: [\"A=1\", \"npx\", \"vitest\", \"run\", \"a b.test.ts\"] [\">out.txt\", \"2>&1\"] |",
            "web: [\"tail\", \"-3\"] []",
            "web: [\"cd\", \"..\"] []",
            ": [\"make\"] []",
            "web: [\"true\"] []",
            "web: [\"cd\", \"$X\"] []",
            "?: [\"ls\"] []",
        ]
        "#);
}

#[test]
fn control_words_comments_and_here_documents() {
    insta::assert_debug_snapshot!(
            shape("set -e # stop\nif ! cargo test; then exit 1; fi\nfor f in a b; do pytest $f; done\ncat <<'EOF' > x\npytest not here\nEOF\necho $(pytest; echo) `x y` ${A:-b c}\n"),
            @r#"
        [
            ": [\"set\", \"-e\"] []",
            ": [\"cargo\", \"test\"] []",
            ": [\"exit\", \"1\"] []",
            ": [\"fi\"] []",
            ": [\"pytest\", \"$f\"] []",
            ": [\"done\"] []",
            ": [\"cat\"] [\"<<EOF\", \">x\"]",
            ": [\"echo\", \"$(pytest; echo)\", \"`x y`\", \"${A:-b c}\"] []",
        ]
        "#);
}

#[test]
fn what_may_be_passed_over() {
    let script = "a && b || c && d; e\nif f; then g; fi; h\nfor x in y; do i; done | j; k || l\nm";
    let conditional: Vec<String> = commands(script)
        .into_iter()
        .filter(|command| command.conditional && command.words[0].text.len() == 1)
        .map(|command| command.words[0].text.clone())
        .collect();
    assert_eq!(conditional, ["c", "d", "g", "i", "l"]);
}

#[test]
fn separators_on_both_sides() {
    let script = "a && b ||\n c | d; e & f\n( g ) && h\ni &";
    let sides =
        commands(script).into_iter().map(|c| format!("{:?} {} {:?}", c.before, c.words[0].text, c.after));
    insta::assert_snapshot!(sides.collect::<Vec<_>>().join("\n"), @"
        Line a And
        And b Or
        Or c Pipe
        Pipe d Semicolon
        Semicolon e Background
        Background f Line
        Line g Group
        And h Line
        Line i Background
        ");
}

#[test]
fn compound_scripts() {
    for yes in ["(a)", "if a; then b; fi", "f() { a; }", "[[ -f x ]] && a", "{ a; }", "while a; do b; done"] {
        assert!(ShellScript::parse(yes).is_compound, "{yes}");
    }
    for no in ["a && b", "! a", "echo $(a) \"(b)\"", "time a", "a 2>&1 | b", "test \"$(ls | wc -l)\" = 3"] {
        assert!(!ShellScript::parse(no).is_compound, "{no}");
    }
}

#[test]
fn ranges_point_at_the_text() {
    let script = "cd a && 'py'test \"x y\" -q";
    let found = commands(script);
    let word = &found[1].words[0];
    assert_eq!((word.text.as_str(), &script[word.range.clone()]), ("pytest", "'py'test"));
    assert_eq!(found[1].end, script.len());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn any_text_ends(script in "\\PC{0,120}|[a-z '\"$(){}<>|&;#\\\\\n`]{0,80}") {
        for command in commands(&script) {
            prop_assert!(script.get(..command.end).is_some());
            for word in command.words {
                prop_assert!(script.get(word.range).is_some());
            }
        }
    }
}

/// The words of a script's first command.
fn words(script: &str) -> Vec<String> {
    commands(script)
        .into_iter()
        .next()
        .map_or_else(Vec::new, |command| command.words.into_iter().map(|word| word.text).collect())
}

/// Programs of a script, in order.
fn programs(script: &str) -> Vec<String> {
    commands(script).into_iter().map(|command| command.words[0].text.clone()).collect()
}

#[test]
fn quotes_are_taken_off() {
    let table: [(&str, &[&str]); 18] = [
        ("a 'b c'", &["a", "b c"]),
        ("a \"b c\"", &["a", "b c"]),
        ("a b'c'\"d\"e", &["a", "bcde"]),
        ("a ''", &["a", ""]),
        ("a \"\"", &["a", ""]),
        ("a 'it'\\''s'", &["a", "it's"]),
        ("a \"it's\"", &["a", "it's"]),
        ("a 'say \"x\"'", &["a", "say \"x\""]),
        (r#"a "say \"x\"""#, &["a", "say \"x\""]),
        (r"a b\ c", &["a", "b c"]),
        (r"a \'b", &["a", "'b"]),
        (r"a 'b\'", &["a", r"b\"]),
        ("a 'b\nc'", &["a", "b\nc"]),
        ("a \"b;c|d&e#f\"", &["a", "b;c|d&e#f"]),
        ("a 'b", &["a", "b"]),
        ("a \"b", &["a", "b"]),
        ("a b\\", &["a", "b"]),
        ("a 'ü' 漢", &["a", "ü", "漢"]),
    ];
    for (script, expected) in table {
        assert_eq!(words(script), expected, "{script}");
    }
}

/// Text inside an expansion belongs to the word, with quotes and brackets of its own.
#[test]
fn expansions_are_part_of_their_word() {
    let table: [(&str, &[&str]); 10] = [
        ("a $B", &["a", "$B"]),
        ("a ${B:-c d}", &["a", "${B:-c d}"]),
        ("a $(b; c | d)", &["a", "$(b; c | d)"]),
        ("a $(b $(c d))e", &["a", "$(b $(c d))e"]),
        ("a $(b ')' c)", &["a", "$(b ')' c)"]),
        ("a \"$(b \"c d\")\"", &["a", "$(b \"c d\")"]),
        ("a `b c` d", &["a", "`b c`", "d"]),
        ("a $((1 + 2))", &["a", "$((1 + 2))"]),
        ("a $(b", &["a", "$(b"]),
        ("a `b", &["a", "`b"]),
    ];
    for (script, expected) in table {
        assert_eq!(words(script), expected, "{script}");
    }
}

/// Whether the command sees exactly the text of the word.
#[test]
fn words_without_an_expansion_are_fixed() {
    let table = [
        ("b", true),
        ("'$b'", true),
        ("'*'", true),
        ("\"b c\"", true),
        (r"\$b", true),
        ("$b", false),
        ("\"$b\"", false),
        ("`b`", false),
        ("*.py", false),
        ("a?", false),
        ("~/b", false),
        ("<(b)", false),
    ];
    for (word, expected) in table {
        assert_eq!(commands(&format!("a {word}"))[0].words[1].fixed, expected, "{word}");
    }
}

#[test]
fn where_a_command_ends() {
    let table: [(&str, &[&str]); 17] = [
        ("a; b", &["a", "b"]),
        ("a\nb", &["a", "b"]),
        ("a\r\nb\r\n", &["a", "b"]),
        ("a && b", &["a", "b"]),
        ("a&&b||c", &["a", "b", "c"]),
        ("a | b |& c", &["a", "b", "c"]),
        ("a & b", &["a", "b"]),
        ("a ||\n\n  b", &["a", "b"]),
        ("a;;b", &["a", "b"]),
        (";;;", &[]),
        ("", &[]),
        (" \n\t\n", &[]),
        ("a \\\n  b\nc", &["a", "c"]),
        ("a &&\\\nb", &["a", "b"]),
        ("(a; b); c", &["a", "b", "c"]),
        ("{ a; b; }", &["a", "b", "}"]),
        (")))a", &["a"]),
    ];
    for (script, expected) in table {
        assert_eq!(programs(script), expected, "{script:?}");
    }
}

/// A comment begins where a word could; elsewhere `#` is a character.
#[test]
fn comments() {
    let table: [(&str, &[&str]); 8] = [
        ("# a", &[]),
        ("a # b", &["a"]),
        ("a #b; c\nd", &["a"]),
        ("a;#b\nc", &["a"]),
        ("a b#c", &["a", "b#c"]),
        ("a '# b'", &["a", "# b"]),
        (r"a \# b", &["a", "#", "b"]),
        ("a $# b", &["a", "$#", "b"]),
    ];
    for (script, expected) in table {
        assert_eq!(words(script), expected, "{script}");
    }
    assert_eq!(programs("a # b && c\nd"), ["a", "d"]);
}

/// The text of a here-document is no command, whatever stands in it.
#[test]
fn here_documents() {
    let table: [(&str, &[&str]); 10] = [
        ("a <<X\nb\nX\nc", &["a", "c"]),
        ("a <<'X'\nb $(c\nX\nd", &["a", "d"]),
        ("a <<\"X Y\"\nb\nX Y\nc", &["a", "c"]),
        ("a <<-X\n\tb\n\tX\nc", &["a", "c"]),
        ("a <<X | b\nc\nX\nd", &["a", "b", "d"]),
        ("a <<X <<Y\nb\nX\nc\nY\nd", &["a", "d"]),
        ("a <<X && b\nc\nX\nd", &["a", "b", "d"]),
        ("a <<X\nb\n X\nc", &["a"]),
        ("a <<X\nb", &["a"]),
        ("a <<<X\nb", &["a", "b"]),
    ];
    for (script, expected) in table {
        assert_eq!(programs(script), expected, "{script:?}");
    }
}

/// Operator and target of each redirection, and whether standard output goes elsewhere.
#[test]
fn redirections() {
    let table: [(&str, &[&str], bool); 17] = [
        ("a >b", &["> b"], true),
        ("a > 'b c'", &["> b c"], true),
        ("a >>b", &[">> b"], true),
        ("a >|b", &[">| b"], true),
        ("a 1>b", &["1> b"], true),
        ("a &>b", &["&> b"], true),
        ("a &>>b", &["&>> b"], true),
        ("a >&2", &[">& 2"], true),
        ("a 2>b", &["2> b"], false),
        ("a 2>&1", &["2>& 1"], false),
        ("a <b", &["< b"], false),
        ("a <<<b", &["<<< b"], false),
        ("a 10>b", &["10> b"], false),
        ("a >b 2>&1", &["> b", "2>& 1"], true),
        ("a '>b'", &[], false),
        ("a 2 >b", &["> b"], true),
        ("a", &[], false),
    ];
    for (script, expected, moved) in table {
        let command = &commands(script)[0];
        let shown: Vec<String> =
            command.redirects.iter().map(|r| format!("{} {}", r.operator, r.target.text)).collect();
        assert_eq!(shown, expected, "{script}");
        assert_eq!(command.redirects.iter().any(Redirect::moves_stdout), moved, "{script}");
    }
}

#[test]
fn assignments() {
    let table = [
        ("A=1", true),
        ("_a1=", true),
        ("A='b c'", true),
        ("A=b=c", true),
        ("1A=b", false),
        ("=b", false),
        ("A-B=c", false),
        ("--a=b", false),
        ("A", false),
        ("a.b=c", false),
    ];
    for (word, expected) in table {
        assert_eq!(commands(word)[0].words[0].is_assignment(), expected, "{word}");
    }
    let command = &commands("A=1 B=2 x C=3")[0];
    let argv: Vec<&str> = command.argv().iter().map(|word| word.text.as_str()).collect();
    assert_eq!(argv, ["x", "C=3"]);
    assert!(commands("A=1")[0].argv().is_empty());
}

/// The directory of the last command, `?` where it is not known.
#[test]
fn directories() {
    let table = [
        ("x", ""),
        ("cd a && x", "a"),
        ("cd a/b; cd ..; x", "a"),
        ("cd ./a/; x", "a"),
        ("cd -- a; x", "a"),
        ("(cd a); x", ""),
        ("(cd a; x)", "a"),
        ("cd a; (cd b; y); x", "a"),
        ("pushd a; x", "a"),
        ("pushd a; popd; x", "?"),
        ("cd; x", "?"),
        ("cd -; x", "?"),
        ("cd /a; x", "?"),
        ("cd ~; x", "?"),
        ("cd ..; x", "?"),
        ("cd $A; x", "?"),
        ("cd $A; cd b; x", "?"),
        ("cd 'a b'; x", "a b"),
    ];
    for (script, expected) in table {
        let all = commands(script);
        assert_eq!(all.last().unwrap().dir.as_deref().unwrap_or("?"), expected, "{script}");
    }
}

/// Whether a run that succeeds may skip the command `x`.
#[test]
fn conditions() {
    let table = [
        ("x", false),
        ("a && x", false),
        ("a || x", true),
        ("a || b && x", true),
        ("a || b; x", false),
        ("a || b\nx", false),
        ("a || b | x", true),
        ("if x; then a; fi", false),
        ("if a; then x; fi", true),
        ("if a; then b; else x; fi", true),
        ("if a; then b; fi; x", false),
        ("while a; do x; done", true),
        ("until a; do b; done; x", false),
        ("for i in 1 2; do x; done", true),
        ("for i in 1; do for j in 2; do a; done; x; done", true),
        ("case a in b) x;; esac", true),
        ("case a in b) c;; esac; x", false),
        ("! x", false),
        ("x &", false),
        ("(x)", false),
    ];
    for (script, expected) in table {
        let all = commands(script);
        let found = all.iter().find(|command| command.words[0].text == "x");
        assert_eq!(found.unwrap().conditional, expected, "{script}");
    }
}

#[test]
fn joined_paths_stay_inside() {
    let table = [
        ("", "a", Some("a")),
        ("a", "b", Some("a/b")),
        ("a", ".", Some("a")),
        ("a", "..", Some("")),
        ("a/b", "../c", Some("a/c")),
        ("", "..", None),
        ("a", "../..", None),
        ("a", "/b", None),
        ("a", "~/b", None),
    ];
    for (dir, path, expected) in table {
        assert_eq!(join(dir, path).as_deref(), expected, "{dir} {path}");
    }
}
