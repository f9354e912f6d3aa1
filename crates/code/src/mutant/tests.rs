//! Mutants by language: what is made, and what is left alone.

mod answers;
mod statements;

use super::*;

/// Each mutant as `kind: the changed line`.
fn made(path: &str, text: &str, wanted: &dyn Fn(&str) -> bool) -> Vec<String> {
    let all = mutants(path, text.as_bytes(), &|mutant| wanted(&mutant.function), 50);
    let changed = |mutant: &Mutant| {
        let after = String::from_utf8(mutant.apply(text.as_bytes())).unwrap();
        let old: Vec<&str> = text.lines().collect();
        let new = after.lines().find(|line| !old.contains(line)).unwrap_or_default();
        format!("{}: {}", mutant.kind.as_str(), new.trim())
    };
    all.iter().map(changed).collect()
}

#[test]
fn every_language_has_mutants_of_every_kind() {
    let cases: [(&str, &str, &[&str]); 11] = [
        (
            "a.py",
            "def f(a):\n    \"\"\"Doc.\"\"\"\n    if a < 3:\n        log(a)\n    return a\n",
            &[
                "early return: return None",
                "negated condition: if not (a < 3):",
                "off by one: if a <= 3:",
                "off by one: if a < 4 :",
                "dropped call: pass",
            ],
        ),
        (
            "a.rs",
            "fn f(a: u8) -> Result<u8, E> {\n    if a < 3u8 {\n        log(a);\n    }\n    Ok(a)\n}\n",
            &[
                "early return: fn f(a: u8) -> Result<u8, E> { if true { return Ok(Default::default()); }",
                "negated condition: if !(a < 3u8) {",
                "off by one: if a <= 3u8 {",
                "off by one: if a < 4u8  {",
                "dropped call: ;",
            ],
        ),
        (
            "a.js",
            "function f(a) {\n  if (a < 3) {\n    log(a)\n  }\n}\nconst g = (b) => b\n",
            &[
                "early return: function f(a) { return undefined;",
                "early return: const g = (b) => undefined",
                "negated condition: if (!(a < 3)) {",
                "off by one: if (a <= 3) {",
                "off by one: if (a < 4 ) {",
                "dropped call: ;",
            ],
        ),
        (
            "a.ts",
            "export function f(a: number): number {\n  return a\n}\n",
            &["early return: export function f(a: number): number { return 0 as any;"],
        ),
        (
            "a.go",
            "package a\n\nfunc F(a int) (string, error) {\n\tif a < 3 {\n\t\tlog(a)\n\t}\n\treturn \"x\", nil\n}\n",
            &[
                "early return: func F(a int) (string, error) { return \"\", nil;",
                "negated condition: if !(a < 3) {",
                "off by one: if a <= 3 {",
                "off by one: if a < 4  {",
                "dropped call: ",
            ],
        ),
        (
            "A.java",
            "class A {\n  boolean f(int a) {\n    if (a < 3) {\n      log(a);\n    }\n    return true;\n  }\n}\n",
            &[
                "early return: boolean f(int a) { if (true) { return false; }",
                "negated condition: if (!(a < 3)) {",
                "off by one: if (a <= 3) {",
                "off by one: if (a < 4 ) {",
                "dropped call: ;",
            ],
        ),
        (
            "a.c",
            "int f(int a) {\n  if (a < 3) {\n    log(a);\n  }\n  return a;\n}\n",
            &[
                "early return: int f(int a) { return 0;",
                "negated condition: if (!(a < 3)) {",
                "off by one: if (a <= 3) {",
                "off by one: if (a < 4 ) {",
                "dropped call: ;",
            ],
        ),
        (
            "a.cpp",
            "void f(int a) {\n  if (a < 3) {\n    log(a);\n  }\n}\n",
            &[
                "early return: void f(int a) { return;",
                "negated condition: if (!(a < 3)) {",
                "off by one: if (a <= 3) {",
                "off by one: if (a < 4 ) {",
                "dropped call: ;",
            ],
        ),
        (
            "a.rb",
            "def f(a)\n  if a < 3\n    log(a)\n  end\n  a\nend\n",
            &[
                "early return: return nil",
                "negated condition: if !(a < 3)",
                "off by one: if a <= 3",
                "off by one: if a < 4",
            ],
        ),
        (
            "A.cs",
            "class A {\n  int F(int a) {\n    if (a < 3) {\n      Log(a);\n    }\n    return a;\n  }\n}\n",
            &[
                "early return: int F(int a) { if (true) { return default; }",
                "negated condition: if (!(a < 3)) {",
                "off by one: if (a <= 3) {",
                "off by one: if (a < 4 ) {",
                "dropped call: ;",
            ],
        ),
        (
            "a.php",
            "<?php\nfunction f($a) {\n  if ($a < 3) {\n    log($a);\n  }\n  return $a;\n}\n",
            &[
                "early return: function f($a) { return null;",
                "negated condition: if (!($a < 3)) {",
                "off by one: if ($a <= 3) {",
                "off by one: if ($a < 4 ) {",
                "dropped call: ;",
            ],
        ),
    ];
    for (path, text, wanted) in cases {
        assert_eq!(made(path, text, &|_| true), wanted, "{path}");
    }
}

#[test]
fn only_wanted_functions_are_changed_and_no_tests() {
    let text = "fn f() -> u8 {\n    1\n}\n\nfn g() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() {\n        assert_eq!(super::f(), 1);\n    }\n}\n";
    let functions = |wanted: &dyn Fn(&str) -> bool| -> Vec<String> {
        let wanted = |mutant: &Mutant| wanted(&mutant.function);
        mutants("a.rs", text.as_bytes(), &wanted, 9).into_iter().map(|m| m.function).collect()
    };
    assert_eq!(functions(&|_| true), ["f", "g", "f"]);
    assert_eq!(functions(&|name| name == "g"), ["g"]);
}

#[test]
fn functions_take_turns_and_the_count_is_kept() {
    let text = "def f(a):\n    if a:\n        return 1\n\n\ndef g(a):\n    if a:\n        return 1\n";
    let kinds: Vec<String> =
        mutants("a.py", text.as_bytes(), &|_| true, 3).iter().map(ToString::to_string).collect();
    assert_eq!(
        kinds,
        ["early return in `f`, line 1", "early return in `g`, line 6", "negated condition in `f`, line 2"]
    );
}

#[test]
fn a_text_that_does_not_parse_or_is_no_code_has_none() {
    for (path, text) in [("a.py", "def f(:\n"), ("a.txt", "def f(): pass\n"), ("a.py", "import x\n")] {
        assert!(mutants(path, text.as_bytes(), &|_| true, 9).is_empty(), "{path}");
    }
}

#[test]
fn a_condition_that_binds_a_name_is_left_alone() {
    let text = "fn f(a: Option<u8>) {\n    if let Some(b) = a {\n        drop(b);\n    }\n}\n";
    let kinds: Vec<MutantKind> =
        mutants("a.rs", text.as_bytes(), &|_| true, 9).iter().map(|m| m.kind).collect();
    assert_eq!(kinds, [MutantKind::EarlyReturn, MutantKind::DroppedCall]);
}

#[test]
fn a_skeleton_answers_with_defaults_and_keeps_every_name() {
    let text = "def f(a):\n    def g():\n        return 2\n    return a + g()\n\n\ndef h():\n    return 1\n";
    let all = skeleton("a.py", text.as_bytes(), &|_| true).unwrap();
    let all = String::from_utf8(all).unwrap();
    assert_eq!(all.matches("return None").count(), 1, "{all}");
    assert_eq!(all.matches("return 0").count(), 2, "{all}");
    let one = String::from_utf8(skeleton("a.py", text.as_bytes(), &|m| m.function == "h").unwrap()).unwrap();
    assert!(one.contains("return a + g()") && one.contains("return 0\n    return 1"), "{one}");
    let arrow = b"export const f = (a) => [a].map((x) => x + 1)\n";
    let arrow = String::from_utf8(skeleton("a.js", arrow, &|_| true).unwrap()).unwrap();
    assert_eq!(arrow, "export const f = (a) => []\n");
    assert!(skeleton("a.py", b"x = 1\n", &|_| true).is_none());
}

/// The functions of a file that a change touched, each with the line of its first wrong version.
fn touched(path: &str, before: &str, after: &str) -> Vec<String> {
    let changed = ChangedCode::between(path, Some(before.as_bytes()), after.as_bytes()).unwrap();
    let all = mutants(path, after.as_bytes(), &|mutant| changed.has(mutant), 50);
    let cut = all.iter().filter(|mutant| mutant.kind == MutantKind::EarlyReturn);
    cut.map(|mutant| format!("{} {}", mutant.function, mutant.line)).collect()
}

#[test]
fn changed_functions_are_those_with_another_text() {
    let before = "def f(a):\n    return a + 1\n\n\ndef g(a):\n    return a + 2\n";
    let after = before.replace("a + 2", "a + 3");
    assert_eq!(touched("a.py", before, &after), ["g 5"]);
    // Nothing on the changed line can be made wrong by itself; the function can.
    let plain = "def f(a, b):\n    return a + b\n\n\ndef g(a):\n    return a + 2\n";
    assert_eq!(touched("a.py", &plain.replace("a + b", "3"), plain), ["f 1"]);
    assert!(ChangedCode::between("a.py", None, after.as_bytes()).is_none(), "a new file: all of them");
}

/// Code that the change leaves as it was gets no mutants.
#[test]
fn a_change_without_a_new_line_in_a_function_touches_no_other_function() {
    let functions = "\n\ndef f(a):\n    a = a + 1\n    return a\n\n\ndef g(a):\n    return a + 2\n";
    let table = format!("CHARS = set(bytes(b'@/'))\n{functions}");
    let cases: [(&str, String, String, &[&str]); 4] = [
        ("outside of functions", table.clone(), table.replace("'@/'", "'@/~'"), &[]),
        ("a line less", table.clone(), table.replace("    a = a + 1\n", ""), &["f 4"]),
        ("moved", table.clone(), format!("{functions}\n\nCHARS = set(bytes(b'@/'))\n"), &[]),
        ("a comment", table.clone(), format!("# What may stand in a path.\n{table}"), &[]),
    ];
    for (what, before, after, expected) in cases {
        assert_eq!(touched("a.py", &before, &after), expected, "{what}");
    }
}

/// Every implementation has a method of the same name; changing one leaves the others unchanged.
#[test]
fn a_changed_method_is_not_its_namesakes() {
    let before = "struct A;\nstruct B;\nimpl A {\n    fn size(&self) -> usize {\n        1\n    }\n}\nimpl B {\n    \
                  fn size(&self) -> usize {\n        let wide = true;\n        if wide { 2 } else { 4 }\n    }\n}\n";
    let after = before.replace("{ 2 }", "{ 3 }");
    assert_eq!(touched("a.rs", before, &after), ["size 9"]);
    let changed = ChangedCode::between("a.rs", Some(before.as_bytes()), after.as_bytes()).unwrap();
    let whole = skeleton("a.rs", after.as_bytes(), &|mutant| changed.has(mutant)).unwrap();
    let whole = String::from_utf8(whole).unwrap();
    assert!(whole.contains("{\n        1\n    }"), "A's is as it was: {whole}");
}

#[test]
fn constants_of_a_file_have_other_values() {
    let cases: [(&str, &str, &[&str]); 7] = [
        ("a.py", "LIMIT = 7\n__all__ = ['f']\n\n\nclass A:\n    kind = 0\n", &["LIMIT", "kind"]),
        ("a.py", "import b\n\nTABLE = {'a': 10, 'b': g(1), 'c': 20}\nnames = g('x')\n", &["TABLE", "TABLE"]),
        (
            "a.js",
            "export const users = { id: { type: 'uuid' }, email: { unique: true } };\n",
            &["users", "users"],
        ),
        ("a.ts", "export const LIMIT: number = 7;\nexport const f = () => LIMIT;\n", &["f", "LIMIT"]),
        ("a.rs", "pub const LIMIT: u8 = 7;\nstatic NAME: &str = \"ab\";\n", &["LIMIT", "NAME"]),
        ("a.go", "package a\n\nconst Limit = 7\n\nvar Names = []string{\"ab\"}\n", &["Limit", "Names"]),
        ("a.rb", "LIMIT = 7\n", &["LIMIT"]),
    ];
    for (path, text, expected) in cases {
        let all = mutants(path, text.as_bytes(), &|_| true, 50);
        let names: Vec<&str> = all.iter().map(|mutant| mutant.function.as_str()).collect();
        assert_eq!(names, expected, "{path}\n{text}");
        for mutant in all {
            assert_ne!(mutant.apply(text.as_bytes()), text.as_bytes(), "{path}: {mutant}");
        }
    }
}

#[test]
fn arguments_change_places_where_their_order_matters() {
    let made = |text: &str| made("a.py", &format!("def f(a, b):\n    return {text}\n"), &|_| true);
    assert_eq!(made("g(a, b)"), ["early return: return None", "swapped arguments: return g(b, a )"]);
    for same in ["g(a, a)", "max(a, b)", "g(a)", "g(a, k=b)"] {
        assert_eq!(made(same), ["early return: return None"], "{same}");
    }
}

#[test]
fn shell_scripts_have_wrong_versions_by_function_and_for_the_rest() {
    let text = "#!/bin/sh\nlimit=3\npad() {\n    if [ \"$1\" -lt 10 ]; then\n        printf '0'\n    fi\n    echo $(($1 % 100))\n}\n\
                if [ \"$1\" = all ]; then\n    pad \"$2\"\nfi\n# $((1 + 1)) is a comment\n[ -z \"$3\" ] || exit 1\n";
    insta::assert_snapshot!(made("src/pad.sh", text, &|_| true).join("\n"), @r#"
    early return: return 0 2>/dev/null || exit 0
    early return: pad() { return 0;
    negated condition: if [ "$1" -ge 10 ]; then
    negated condition: if [ "$1" != all ]; then
    off by one: if [ "$1" -lt 11 ]; then
    negated condition: [ -n "$3" ] || exit 1
    off by one: limit=4
    off by one: echo $(($1 % 101))
    dropped call: :
    dropped call: :
    dropped call: :
    "#);
    assert_eq!(made("src/pad.sh", text, &|name| name == "pad").len(), 6);
    assert_eq!(
        made("src/tidy", text, &|_| true),
        made("src/pad.sh", text, &|_| true),
        "the first line tells"
    );
    assert_eq!(made("src/pad.txt", text, &|_| true), [""; 0]);
}

#[test]
#[expect(clippy::disallowed_types, reason = "bash says what is a script")]
fn wrong_versions_of_shell_scripts_keep_the_syntax() {
    let text = "f() { echo $((16#ff + 010 + x1)); }\ncase $1 in\na) echo a ;;\n*) cat <<END\n$((1 + 2))\nEND\n;;\nesac\n\
                for i in 1 2; do echo $i; done\ng() (\n  cd /tmp && ls | wc -l\n)\nx=1 y='2' env\nfunction h {\n  test \"$1\" -gt 5 && return 1\n}\n";
    for mutant in mutants("a.sh", text.as_bytes(), &|_| true, 100) {
        let wrong = String::from_utf8(mutant.apply(text.as_bytes())).unwrap();
        let mut shell = std::process::Command::new("bash");
        let ended = shell.arg("-n").arg("-c").arg(&wrong).output().unwrap();
        assert!(ended.status.success(), "{mutant}\n{wrong}\n{}", String::from_utf8_lossy(&ended.stderr));
    }
}

#[test]
fn a_skeleton_answers_with_a_value_of_the_kind_that_the_function_gives() {
    let cases = [
        ("a.py", "def f(a):\n    return sum(a)\n", "return 0"),
        ("a.py", "def f(a) -> str:\n    return g(a)\n", "return ''"),
        (
            "a.py",
            "def f(a):\n    out = []\n    for b in a:\n        out.append(b)\n    return out\n",
            "return []",
        ),
        ("a.py", "def f(a):\n    if a:\n        return {'a': 1}\n    return {}\n", "return {}"),
        ("a.py", "def f(a):\n    return a > 3\n", "return False"),
        ("a.py", "def f(a):\n    return f'{a}'\n", "return ''"),
        // Where the answer is that value, another one.
        ("a.py", "def f(a):\n    return 0\n", "return 1"),
        ("a.py", "def f(a):\n    return False\n", "return True"),
        // Nothing is known, or two kinds are.
        ("a.py", "def f(a):\n    return a\n", "return None"),
        ("a.py", "def f(a):\n    return 1 if a else g()\n", "return 0"),
        ("a.py", "def f(a):\n    if a:\n        return 1\n    return 'b'\n", "return None"),
        ("a.js", "const f = (a) => a.reduce((b, c) => b + c, 0);\n", "=> 0;"),
        ("a.js", "const f = (a) => ({ a });\n", "=> ({});"),
        ("a.js", "function f(a) {\n  return a.map((b) => b + 1);\n}\n", "return [];"),
        ("a.js", "function f(a) {\n  return !a;\n}\n", "return false;"),
        ("a.php", "<?php\nfunction f($a): array {\n    return g($a);\n}\n", "return [];"),
        ("A.java", "class A {\n  String f(int a) {\n    return g(a);\n  }\n}\n", "return \"\";"),
    ];
    for (path, text, wanted) in cases {
        let whole = skeleton(path, text.as_bytes(), &|_| true).unwrap();
        let whole = String::from_utf8(whole).unwrap();
        assert!(whole.contains(wanted), "{text}\n{whole}");
    }
}

/// A test file is often about a few functions of a long file.
#[test]
fn what_the_tests_name_comes_first_in_every_turn() {
    let text =
        "def a(x):\n    return x + 1\n\n\ndef b(x):\n    return x + 2\n\n\ndef c(x):\n    return x + 3\n";
    let names = MutantNames::of([&b"assert c(1) == 4"[..]]);
    let all = mutants_of_named("a.py", text.as_bytes(), &|_| true, &names, 9);
    let functions: Vec<&str> = all.iter().map(|mutant| mutant.function.as_str()).collect();
    assert_eq!(functions, ["c", "a", "b", "c", "a", "b"]);
}
