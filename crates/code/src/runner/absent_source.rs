//! Runs in which the source of a test is gone before the test starts: for runners that build programs and let another program start them.

use windlass_core::path_text::file_name;
use windlass_core::report::Runner;

use super::row;
use crate::repo::Tree;
use crate::script::quote;
use crate::syntax::{language_of, tests};

/// Words of tests that look for their own source when they run.
const LOOKS: [&str; 5] = ["file!()", "runtime.Caller", "trybuild", "packages.Load", "parser.ParseFile"];

/// The script with the sources of these tests removed once they are built. Files that hold no tests stay, as what tests may read.
/// None if the runner cannot do that, or a test may look for its source.
pub fn without_sources(
    tree: &dyn Tree,
    script: &str,
    runner: Runner,
    files: &[(String, Vec<u8>)],
) -> Option<String> {
    let variables = row(runner).starts_by;
    let own_start = |path: &String| {
        (path.ends_with(".cargo/config.toml") || path.ends_with(".cargo/config"))
            && tree.read(path).is_some_and(|bytes| String::from_utf8_lossy(&bytes).contains("runner"))
    };
    if variables.is_empty() || script.contains("-exec") || tree.paths().iter().any(own_start) {
        return None;
    }
    let has_tests = |(path, bytes): &&(String, Vec<u8>)| {
        language_of(path).is_some_and(|language| language.row().runners.contains(&runner))
            && !tests(path, bytes).is_empty()
    };
    let gone: Vec<&(String, Vec<u8>)> = files.iter().filter(has_tests).collect();
    let looks = |(path, bytes): &&(String, Vec<u8>)| {
        let text = String::from_utf8_lossy(bytes);
        let name = file_name(path);
        text.contains(name) || LOOKS.iter().any(|word| text.contains(word))
    };
    if gone.is_empty() || gone.iter().any(looks) {
        return None;
    }
    Some(format!("{}\n{script}", preamble(variables, &gone)))
}

/// Writes the program that starts the tests, and names it in the variables. The tests see these as they were.
fn preamble(variables: &[(&str, &str)], gone: &[&(String, Vec<u8>)]) -> String {
    let mut lines = vec!["'#!/bin/sh'".to_owned()];
    let mut exports = Vec::new();
    for (name, value) in variables {
        lines.push(format!("'unset {name}'"));
        lines.push(format!("\"${{{name}+export {name}='${name}'}}\""));
        let value = value.replace("{}", "$TMPDIR/start");
        exports.push(if value.starts_with('-') {
            format!("export {name}=\"${{{name}:+${name} }}{value}\"")
        } else {
            format!("export {name}=\"${{{name}:-{value}}}\"")
        });
    }
    for (path, _) in gone {
        lines.push(format!("\"rm -f -- '$PWD'/\"{}", quote(&quote(path))));
    }
    lines.push("'exec \"$@\"'".to_owned());
    format!(
        "printf '%s\\n' {} >\"$TMPDIR/start\"\nchmod +x \"$TMPDIR/start\"\n{}",
        lines.join(" "),
        exports.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Files(Vec<String>);

    impl Tree for Files {
        fn paths(&self) -> &[String] {
            &self.0
        }

        fn has(&self, path: &str) -> bool {
            self.0.iter().any(|known| known == path)
        }

        fn read(&self, _: &str) -> Option<Vec<u8>> {
            Some(b"[target.x86_64-unknown-linux-gnu]\nrunner = \"qemu\"\n".to_vec())
        }
    }

    fn held(path: &str, text: &str) -> Vec<(String, Vec<u8>)> {
        vec![(path.to_owned(), text.as_bytes().to_vec())]
    }

    const RUST: &str = "#[test]\nfn adds() {\n    assert_eq!(total(&[7]), 7);\n}\n";
    const GO: &str = "package shop\n\nimport \"testing\"\n\nfunc TestAdds(t *testing.T) {\n\tif Total(7) != 7 {\n\t\tt.Fatal()\n\t}\n}\n";

    #[test]
    fn what_is_built_is_started_by_another_program() {
        let none = Files(Vec::new());
        let script = without_sources(&none, "cargo test", Runner::CargoTest, &held("p1/tests/held.rs", RUST));
        let script = script.unwrap();
        assert!(script.contains("\"rm -f -- '$PWD'/\"p1/tests/held.rs"), "{script}");
        assert!(script.contains("export CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="), "{script}");
        assert!(script.ends_with("\ncargo test"), "{script}");
        let script =
            without_sources(&none, "go test ./...", Runner::GoTest, &held("held_test.go", GO)).unwrap();
        assert!(script.contains("export GOFLAGS=\"${GOFLAGS:+$GOFLAGS }-exec=$TMPDIR/start\""), "{script}");
    }

    #[test]
    fn a_source_that_may_be_needed_stays() {
        let none = Files(Vec::new());
        let of = |tree: &Files, script: &str, runner, files: &[(String, Vec<u8>)]| {
            without_sources(tree, script, runner, files)
        };
        let looks = RUST.replace("7)", "file!())");
        assert_eq!(of(&none, "cargo test", Runner::CargoTest, &held("tests/held.rs", &looks)), None);
        assert_eq!(of(&none, "cargo test", Runner::CargoTest, &held("tests/data.txt", RUST)), None);
        assert_eq!(
            of(&none, "cargo test", Runner::CargoTest, &held("tests/ui/a.rs", "fn main() {}\n")),
            None
        );
        assert_eq!(
            of(&none, "pytest", Runner::Pytest, &held("test_a.py", "def test_a():\n    pass\n")),
            None
        );
        assert_eq!(of(&none, "go test -exec qemu", Runner::GoTest, &held("held_test.go", GO)), None);
        let own = Files(vec![".cargo/config.toml".into()]);
        assert_eq!(of(&own, "cargo test", Runner::CargoTest, &held("tests/held.rs", RUST)), None);
    }
}
