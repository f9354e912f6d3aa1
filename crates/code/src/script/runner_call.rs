//! Which test runner a simple command starts.
//!
//! Looks through the usual wrappers (`env`, `timeout`, `uv run`, `npx` …); does not know what the runner will do.

use super::shell::ShellWord;

/// What a command starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Pytest,
    CargoTest,
    Nextest,
    Vitest,
    Jest,
    Mocha,
    NodeTest,
    /// `node some.test.js`, which may or may not use node's test runner.
    NodeFile,
    GoTest,
    Unittest,
    Rspec,
    /// `ruby test/x_test.rb` or `rails test`: minitest, or its elder test-unit.
    RubyTest,
    Phpunit,
    Maven,
    Gradle,
    Ctest,
}

/// A runner in a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RunnerCall {
    pub(crate) kind: Kind,
    /// The index of the word after which the runner's own arguments begin.
    pub(crate) at: usize,
}

/// The runner that these words start, if it is one that runs tests and is known.
pub(crate) fn runner_call(words: &[ShellWord]) -> Option<RunnerCall> {
    let start = past_wrappers(words, 0);
    let program = base_name(words.get(start)?);
    let found = match program {
        "pytest" | "py.test" => Some((Kind::Pytest, start)),
        "vitest" => Some((Kind::Vitest, start)),
        "jest" => Some((Kind::Jest, start)),
        "mocha" => Some((Kind::Mocha, start)),
        "cargo" | "cargo-nextest" => cargo(words, start),
        "go" => (text(words, start + 1) == "test").then_some((Kind::GoTest, start + 1)),
        "node" | "tsx" => node(words, start),
        "rspec" => Some((Kind::Rspec, start)),
        "ruby" => ruby(words, start),
        "rails" => (text(words, start + 1) == "test").then_some((Kind::RubyTest, start + 1)),
        "phpunit" | "phpunit.phar" | "simple-phpunit" | "pest" => Some((Kind::Phpunit, start)),
        "php" => {
            let at = past_options(words, start + 1, &["-d", "-c"]);
            let inner = words.get(at).map(base_name);
            matches!(inner, Some("phpunit" | "phpunit.phar" | "simple-phpunit" | "pest"))
                .then_some((Kind::Phpunit, at))
        }
        "mvn" | "mvnw" | "mvnd" => builds(words, start, &MAVEN_GOALS).then_some((Kind::Maven, start)),
        "gradle" | "gradlew" => builds(words, start, &GRADLE_TASKS).then_some((Kind::Gradle, start)),
        "ctest" => Some((Kind::Ctest, start)),
        _ if is_python(program) => python(words, start),
        _ => None,
    };
    let (kind, at) = found?;
    let args = &words[at + 1..];
    runs_tests(kind, args).then_some(RunnerCall { kind, at })
}

/// Index of the first word that is the program itself.
pub(crate) fn past_wrappers(words: &[ShellWord], from: usize) -> usize {
    let mut at = from;
    loop {
        let before = at;
        while words.get(at).is_some_and(ShellWord::is_assignment) {
            at += 1;
        }
        let Some(word) = words.get(at) else { return at };
        at = match base_name(word) {
            "env" | "cross-env" | "nohup" | "command" | "exec" | "time" | "nyc" | "c8" | "xvfb-run"
            | "stdbuf" => past_options(words, at + 1, &["-u", "--unset", "-C", "--chdir"]),
            "nice" => past_options(words, at + 1, &["-n", "--adjustment"]),
            // The duration follows the options.
            "timeout" => past_options(words, at + 1, &["-k", "--kill-after", "-s", "--signal"]) + 1,
            "npx" | "bunx" | "uvx" => past_options(words, at + 1, &["-p", "--package", "--from", "--with"]),
            "uv" | "poetry" | "pipenv" | "pdm" | "rye" | "hatch" | "mise" | "pixi"
                if matches!(text(words, at + 1), "run" | "exec" | "x") =>
            {
                past_options(words, at + 2, &UV_VALUES)
            }
            "pnpm" | "yarn" | "npm" | "bun" if matches!(text(words, at + 1), "exec" | "dlx" | "x") => {
                past_options(words, at + 2, &["-p", "--package"])
            }
            "bundle" if text(words, at + 1) == "exec" => at + 2,
            "pnpm" | "yarn" | "bun" if matches!(text(words, at + 1), "vitest" | "jest" | "mocha" | "tsx") => {
                at + 1
            }
            _ => at,
        };
        if at == before {
            return at;
        }
    }
}

const UV_VALUES: [&str; 14] = [
    "--with",
    "--extra",
    "--group",
    "--only-group",
    "--python",
    "-p",
    "--package",
    "--directory",
    "--project",
    "--env-file",
    "--index",
    "--with-requirements",
    "--with-editable",
    "-e",
];

fn past_options(words: &[ShellWord], from: usize, with_value: &[&str]) -> usize {
    let mut at = from;
    while let Some(word) = words.get(at) {
        if word.text == "--" {
            return at + 1;
        }
        if !word.text.starts_with('-') {
            return at;
        }
        at += if with_value.contains(&word.text.as_str()) { 2 } else { 1 };
    }
    at
}

fn cargo(words: &[ShellWord], start: usize) -> Option<(Kind, usize)> {
    let mut at = start + 1;
    if text(words, at).starts_with('+') {
        at += 1;
    }
    at = past_options(words, at, &["--color", "-C", "--config", "-Z", "--manifest-path"]);
    match text(words, at) {
        "test" | "t" => Some((Kind::CargoTest, at)),
        "nextest" => {
            let run = past_options(
                words,
                at + 1,
                &["--color", "--config-file", "--manifest-path", "-P", "--profile"],
            );
            matches!(text(words, run), "run" | "r").then_some((Kind::Nextest, run))
        }
        _ => None,
    }
}

fn node(words: &[ShellWord], start: usize) -> Option<(Kind, usize)> {
    if let Some(offset) = words[start..].iter().position(|word| word.text == "--test") {
        return Some((Kind::NodeTest, start + offset));
    }
    let file =
        past_options(words, start + 1, &["--import", "--require", "-r", "--loader", "--experimental-loader"]);
    let word = words.get(file)?;
    (word.fixed && crate::detect::is_test_path(&word.text)).then_some((Kind::NodeFile, start))
}

/// Phases and goals of Maven that run tests.
const MAVEN_GOALS: [&str; 6] = ["test", "package", "verify", "install", "integration-test", "surefire:test"];

/// Tasks of Gradle that run tests, with or without a project in front.
const GRADLE_TASKS: [&str; 3] = ["test", "check", "build"];

fn builds(words: &[ShellWord], start: usize, goals: &[&str]) -> bool {
    words[start + 1..].iter().any(|word| {
        let name = if word.text.starts_with(':') {
            word.text.rsplit(':').next().unwrap_or_default()
        } else {
            word.text.as_str()
        };
        goals.contains(&name)
    })
}

/// A file that is named as one of tests; any other may be anything.
fn ruby(words: &[ShellWord], start: usize) -> Option<(Kind, usize)> {
    let file = past_options(words, start + 1, &["-I", "-r"]);
    let word = words.get(file).filter(|word| word.fixed)?;
    let stem = base_name(word).strip_suffix(".rb")?;
    (stem.ends_with("_test") || stem.starts_with("test_")).then_some((Kind::RubyTest, file))
}

fn python(words: &[ShellWord], start: usize) -> Option<(Kind, usize)> {
    let mut at = past_options(words, start + 1, &["-W", "-X"]);
    // `past_options` walks over `-m` as an option without a value.
    let module = text(words, at);
    if text(words, at.wrapping_sub(1)) != "-m" {
        return None;
    }
    if module == "coverage" && text(words, at + 1) == "run" {
        at = past_options(words, at + 2, &["--source", "--rcfile", "--include", "--omit"]);
        return (text(words, at) == "pytest").then_some((Kind::Pytest, at));
    }
    match module {
        "pytest" => Some((Kind::Pytest, at)),
        "unittest" => Some((Kind::Unittest, at)),
        _ => None,
    }
}

fn is_python(program: &str) -> bool {
    ["python", "pypy"].iter().any(|name| {
        program.strip_prefix(name).is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
    })
}

/// Whether these arguments run tests, rather than list them or print help.
fn runs_tests(kind: Kind, args: &[ShellWord]) -> bool {
    let idle: &[&str] = match kind {
        Kind::Pytest => &[
            "--collect-only",
            "--co",
            "--version",
            "-V",
            "--help",
            "-h",
            "--markers",
            "--fixtures",
            "--setup-plan",
            "--cache-show",
            "--funcargs",
        ],
        Kind::CargoTest => &["--no-run", "--help", "-h", "--list", "--build-plan"],
        Kind::Nextest => &["--no-run", "--help", "-h"],
        Kind::Vitest => {
            if args.first().is_some_and(|word| matches!(word.text.as_str(), "list" | "init" | "bench")) {
                return false;
            }
            &["--help", "-h", "--version", "-v"]
        }
        Kind::Jest => &["--listTests", "--help", "-h", "--version", "--showConfig", "--init", "--clearCache"],
        Kind::Mocha => &["--help", "-h", "--version", "-V", "--dry-run", "--list-files"],
        Kind::NodeTest | Kind::NodeFile => &["--help", "-h", "--version", "-v"],
        Kind::GoTest => &["-list", "-c", "-h", "-n", "-help"],
        Kind::Unittest | Kind::RubyTest => &["-h", "--help"],
        Kind::Rspec => &["--dry-run", "--init", "-h", "--help", "-v", "--version"],
        Kind::Phpunit => &["--list-tests", "--list-suites", "-h", "--help", "--version", "--check-version"],
        Kind::Maven => {
            &["-DskipTests", "-DskipTests=true", "-Dmaven.test.skip", "-Dmaven.test.skip=true", "-h"]
        }
        Kind::Gradle => &["--dry-run", "-m", "-h", "--help"],
        Kind::Ctest => &["-N", "--show-only", "-h", "--help", "--print-labels", "--version"],
    };
    !args.iter().any(|word| idle.contains(&word.text.as_str()))
}

/// The file name of a program word.
pub(crate) fn base_name(word: &ShellWord) -> &str {
    word.text.rsplit('/').next().unwrap_or(&word.text)
}

fn text(words: &[ShellWord], at: usize) -> &str {
    words.get(at).map_or("", |word| word.text.as_str())
}

#[cfg(test)]
mod tests {
    use super::super::shell::ShellScript;
    use super::*;

    #[test]
    fn runners_are_seen_through_their_wrappers() {
        let table = [
            ("pytest tests/x.py", Some(Kind::Pytest)),
            (".venv/bin/pytest -q", Some(Kind::Pytest)),
            ("python -m pytest x", Some(Kind::Pytest)),
            ("python3.11 -u -m pytest x", Some(Kind::Pytest)),
            ("PYTHONPATH=src timeout 60 uv run --with pytest-xdist pytest -n 2", Some(Kind::Pytest)),
            ("uv run python -m pytest", Some(Kind::Pytest)),
            ("poetry run pytest", Some(Kind::Pytest)),
            ("python -m coverage run --source src -m pytest x", Some(Kind::Pytest)),
            ("pytest --collect-only", None),
            ("python -m pytest --markers", None),
            ("python -m unittest", Some(Kind::Unittest)),
            ("uv run --frozen python -m unittest -v tests/test_a.py", Some(Kind::Unittest)),
            ("bundle exec rspec spec/a_spec.rb", Some(Kind::Rspec)),
            ("rspec --dry-run", None),
            ("bundle exec ruby -Ilib -Itest test/a_test.rb", Some(Kind::RubyTest)),
            ("ruby -I lib test/test_a.rb", Some(Kind::RubyTest)),
            ("ruby tools/build.rb", None),
            ("bin/rails test test/models/a_test.rb", Some(Kind::RubyTest)),
            ("vendor/bin/phpunit tests/ATest.php", Some(Kind::Phpunit)),
            ("php -d memory_limit=-1 vendor/bin/pest", Some(Kind::Phpunit)),
            ("php tools/x.php", None),
            ("./mvnw -q -pl core -am -Dtest=ATest test", Some(Kind::Maven)),
            ("mvn -q compile", None),
            ("mvn -DskipTests package", None),
            ("./gradlew :app:test --tests shop.ATest", Some(Kind::Gradle)),
            ("gradle assemble", None),
            ("ctest --test-dir build -R a_test", Some(Kind::Ctest)),
            ("ctest -N", None),
            ("python -c 'import pytest'", None),
            ("cargo test -q", Some(Kind::CargoTest)),
            ("cargo +nightly --offline t --lib", Some(Kind::CargoTest)),
            ("cargo test --no-run", None),
            ("cargo nextest run -p x", Some(Kind::Nextest)),
            ("cargo nextest list", None),
            ("cargo build", None),
            ("npx --yes vitest run a.test.ts", Some(Kind::Vitest)),
            ("pnpm vitest run", Some(Kind::Vitest)),
            ("yarn jest", Some(Kind::Jest)),
            ("npm exec -- jest x", Some(Kind::Jest)),
            ("node_modules/.bin/mocha", Some(Kind::Mocha)),
            ("node --test", Some(Kind::NodeTest)),
            ("node --import tsx --test a.ts", Some(Kind::NodeTest)),
            ("node src/a.test.js", Some(Kind::NodeFile)),
            ("node src/main.js", None),
            ("go test ./...", Some(Kind::GoTest)),
            ("go vet ./...", None),
            ("env -u X CI=1 nice -n 5 go test", Some(Kind::GoTest)),
            ("timeout", None),
        ];
        for (script, expected) in table {
            let found = ShellScript::parse(script)
                .commands
                .first()
                .and_then(|call| runner_call(&call.words))
                .map(|call| call.kind);
            assert_eq!(found, expected, "{script}");
        }
    }
}
