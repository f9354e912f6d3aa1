//! Runners behind package scripts, make targets and shell scripts.

use super::*;
use crate::repo::MemoryTree;

/// The runners that a script's last command starts through files, with what goes before further arguments.
fn behind(files: &[(&str, &str)], script: &str) -> Vec<String> {
    let tree = MemoryTree::new(files.iter().copied());
    let commands = ShellScript::parse(script).commands;
    look_through(&tree, commands.last().unwrap())
        .into_iter()
        .map(|found| match found.through {
            Some((separators, args)) => {
                let args: Vec<&str> = args.iter().map(|word| word.text.as_str()).collect();
                format!("{} [{separators}] {}", found.row.name, args.join(" "))
            }
            None => found.row.name.to_owned(),
        })
        .collect()
}

const PACKAGE: &str = r#"{"scripts":{
"test":"vitest run","t2":"npm run test","t3":"npm run t2","t4":"npm run t3","t5":"npm run t4",
"build-test":"tsc && jest --ci","piped":"jest | tee x","node":"cross-env A=1 node --test","own":"node --test --test-reporter=dot",
"quiet":"cargo test -q","rust":"cargo test","lint":"eslint .","loop":"npm run loop","py":"pytest -q","empty":""}}"#;

#[test]
fn package_scripts() {
    let table: [(&str, &[&str]); 27] = [
        ("npm test", &["vitest [-- ] run"]),
        ("npm t", &["vitest [-- ] run"]),
        ("npm run test", &["vitest [-- ] run"]),
        ("npm run-script test", &["vitest [-- ] run"]),
        ("npm test -- a.ts", &["vitest [] run -- a.ts"]),
        ("npm --silent test", &["vitest [-- ] run"]),
        ("pnpm test", &["vitest [] run"]),
        ("yarn test", &["vitest [] run"]),
        ("bun run test", &["vitest [] run"]),
        ("npm run t2", &["vitest [-- -- ] run"]),
        ("npm run t4", &["vitest [-- -- -- -- ] run"]),
        ("npm run t5", &[]),
        ("npm run loop", &[]),
        ("npm run build-test", &["jest [-- ] --ci"]),
        ("npm run piped", &[]),
        ("npm run node", &["node --test"]),
        ("npm run own", &[]),
        ("npm run rust", &["cargo test"]),
        ("npm run quiet", &[]),
        ("npm run py", &["pytest"]),
        ("npm run lint", &[]),
        ("npm run empty", &[]),
        ("npm run gone", &[]),
        ("npm -w web test", &[]),
        ("pnpm --filter web test", &[]),
        ("npm", &[]),
        ("cd $X && npm test", &[]),
    ];
    for (script, expected) in table {
        assert_eq!(behind(&[("package.json", PACKAGE)], script), expected, "{script}");
    }
}

#[test]
fn the_directory_of_a_package_script() {
    let files = [("web/package.json", r#"{"scripts":{"test":"jest"}}"#), ("bad/package.json", "{")];
    let table: [(&str, &[&str]); 8] = [
        ("cd web && npm test", &["jest [-- ] "]),
        ("npm --prefix web test", &["jest [-- ] "]),
        ("npm --prefix=web test", &["jest [-- ] "]),
        ("pnpm -C web test", &["jest [] "]),
        ("yarn --cwd web test", &["jest [] "]),
        ("npm --prefix ../web test", &[]),
        ("npm test", &[]),
        ("cd bad && npm test", &[]),
    ];
    for (script, expected) in table {
        assert_eq!(behind(&files, script), expected, "{script}");
    }
}

#[test]
fn make_targets() {
    let makefile = "# first: x\n.PHONY: all\nCC = x\nall: test\n\techo\ntest:\n\t@-$(PYTEST) tests\n\tpytest more\nrust:\n\tcargo test\ngo:\n\tgo test ./...\n";
    let files = [("Makefile", makefile), ("api/makefile", "check:\n\t+pytest\n")];
    let table: [(&str, &[&str]); 10] = [
        ("make test", &["pytest"]),
        ("make A=1 -j4 test", &["pytest"]),
        ("make test rust", &["pytest", "cargo test"]),
        ("make", &[]),
        ("make go", &[]),
        ("make gone", &[]),
        ("gmake -C api", &["pytest"]),
        ("make -C api check", &["pytest"]),
        ("make -C", &[]),
        ("make -C ../x test", &[]),
    ];
    for (script, expected) in table {
        assert_eq!(behind(&files, script), expected, "{script}");
    }
}

#[test]
fn shell_scripts() {
    let files = [("run.sh", "#!/bin/sh\nset -e\ncargo test\npytest -q\n"), ("a/t.sh", "echo pytest | cat\n")];
    let table: [(&str, &[&str]); 7] = [
        ("./run.sh", &["cargo test", "pytest"]),
        ("sh run.sh", &["cargo test", "pytest"]),
        ("bash ./run.sh x", &["cargo test", "pytest"]),
        ("timeout 5 dash run.sh", &["cargo test", "pytest"]),
        ("sh gone.sh", &[]),
        ("sh", &[]),
        ("/run.sh", &[]),
    ];
    for (script, expected) in table {
        assert_eq!(behind(&files, script), expected, "{script}");
    }
}

#[test]
fn the_first_target() {
    let table = [
        ("a:\n", Some("a")),
        ("# c: d\n.PHONY: b\nA := x\nb: a\n", Some("b")),
        ("$(X): y\nb:\n", Some("b")),
        ("a b: c\nd:\n", Some("d")),
        ("", None),
    ];
    for (makefile, expected) in table {
        assert_eq!(first_target(makefile).as_deref(), expected, "{makefile:?}");
    }
}
