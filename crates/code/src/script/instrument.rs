//! Arranges for a structured report of every runner that a script calls.
//!
//! Adds arguments to a call, or copies its output into a file; exit codes, order and everything else of the script stay
//! as they are. What each runner needs stands in its row.

use std::ops::Range;

use windlass_core::report::Runner;

use super::indirect::{Indirect, look_through};
use super::shell::{ShellScript, ShellWord, SimpleCommand};
use crate::repo::Tree;
use crate::report::{Need, ReportFormat, ReportPlace, ReportSource};
use crate::runner::{Behind, RUNNERS, ReportFacts, RunnerCall, runner_call};

/// A script that leaves reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instrumented {
    /// The script to run instead, with `bash`.
    pub script: String,
    /// Variables to set for it.
    pub env: Vec<(String, String)>,
    /// The reports to read afterwards.
    pub expects: Vec<ReportSource>,
}

impl Instrumented {
    /// The runner that is certain to leave a report, if there is one.
    pub fn runner(&self) -> Option<Runner> {
        self.expects.iter().find(|source| source.need == Need::Required).map(|source| source.runner)
    }
}

/// Instruments `script`; reports land in `report_dir`, an absolute path that must exist when the script runs.
pub fn instrument(script: &str, report_dir: &str) -> Instrumented {
    ScriptEdits::new(None, report_dir).instrument(script)
}

/// As [`instrument`], but able to look through `package.json` scripts, `Makefile` targets and shell scripts of `tree`,
/// at whose root the script starts.
pub fn instrument_in(tree: &dyn Tree, script: &str, report_dir: &str) -> Instrumented {
    ScriptEdits::new(Some(tree), report_dir).instrument(script)
}

/// The changes of a script, its variables and its reports, as the rows of its runners ask for them.
pub(crate) struct ScriptEdits<'a> {
    tree: Option<&'a dyn Tree>,
    dir: &'a str,
    /// Ranges and the text that replaces them; an empty range inserts.
    edits: Vec<(Range<usize>, String)>,
    env: Vec<(String, String)>,
    expects: Vec<ReportSource>,
}

impl<'a> ScriptEdits<'a> {
    fn new(tree: Option<&'a dyn Tree>, dir: &'a str) -> Self {
        Self { tree, dir, edits: Vec::new(), env: Vec::new(), expects: Vec::new() }
    }

    fn instrument(mut self, script: &str) -> Instrumented {
        let commands = ShellScript::parse(script).commands;
        for command in &commands {
            let before = self.expects.len();
            if let Some(call) = runner_call(command) {
                (call.report.instrument)(&mut self, &call);
            } else if let Some(tree) = self.tree {
                for found in look_through(tree, command) {
                    self.indirect(command, found);
                }
            }
            if command.conditional {
                self.expects[before..].iter_mut().for_each(|source| source.need = Need::IfPresent);
            }
        }
        if self.expects.is_empty() {
            self.inside_words(&commands);
        }
        if self.expects.is_empty() {
            self.expects.push(ReportSource {
                runner: Runner::Tap,
                format: ReportFormat::Tap,
                place: ReportPlace::Output,
                need: Need::IfPresent,
            });
        }
        Instrumented { script: apply(script, self.edits), env: self.env, expects: self.expects }
    }

    /// A script inside a word, as in `bash -c '…'`, is not parsed: a runner that takes its options from the environment
    /// leaves a report if it runs there.
    fn inside_words(&mut self, commands: &[SimpleCommand]) {
        let words = || commands.iter().flat_map(|command| &command.words);
        for row in RUNNERS {
            let inner = |word: &ShellWord| word.text.contains(row.name) && word.text.contains(' ');
            if let Some(report) = &row.report
                && let Behind::Variable { name, options, .. } = &report.behind
                && words().any(inner)
            {
                let file = self.expect(report, Need::IfPresent);
                self.env.push(((*name).to_owned(), options(&file)));
                return;
            }
        }
    }

    fn indirect(&mut self, command: &SimpleCommand, found: Indirect) {
        let Indirect { row, report, through } = found;
        if let Some((separators, args)) = through {
            let call = RunnerCall { row, report, command, at: 0, args, through: Some(separators) };
            (report.instrument)(self, &call);
            return;
        }
        match &report.behind {
            Behind::Variable { name, options, .. } => {
                let file = self.expect(report, Need::IfPresent);
                self.insert(command.words[0].range.start, format!("{name}={} ", quote(&options(&file))));
            }
            Behind::Output { env, .. } => {
                let file = self.expect(report, Need::IfPresent);
                if !self.tee(command, &file) {
                    self.expects.pop();
                }
                env.iter().for_each(|(key, value)| self.set_env(key, value));
            }
            Behind::Arguments | Behind::Unreachable => {}
        }
    }

    /// The repository, where it is known.
    pub(crate) fn tree(&self) -> Option<&dyn Tree> {
        self.tree
    }

    /// Announces one more report file and returns its path.
    pub(crate) fn expect(&mut self, report: &ReportFacts, need: Need) -> String {
        let number = self.expects.len() + 1;
        let path = format!("{}/report-{number}.{}", self.dir.trim_end_matches('/'), report.format.ending());
        let place = ReportPlace::File(path.clone());
        self.expects.push(ReportSource { runner: report.runner, format: report.format, place, need });
        path
    }

    /// The file of the report that was announced last.
    pub(crate) fn last_file(&self) -> Option<&str> {
        match &self.expects.last()?.place {
            ReportPlace::File(file) => Some(file),
            ReportPlace::Output => None,
        }
    }

    /// Copies the output of a call into a report file; false when the script sends it elsewhere.
    pub(crate) fn copy_output(&mut self, call: &RunnerCall<'_>) -> bool {
        let file = self.expect(call.report, Need::Required);
        let copied = self.tee(call.command, &file);
        if !copied {
            self.expects.pop();
        }
        copied
    }

    /// `( set -o pipefail; call 2>&1 | tee file )` keeps the call's exit code, because `tee` does not fail.
    fn tee(&mut self, command: &SimpleCommand, file: &str) -> bool {
        if let Some(moved) = command.redirects.iter().find(|redirect| redirect.moves_stdout()) {
            let discarded = moved.target.fixed && moved.target.text == "/dev/null";
            if discarded {
                self.replace(moved.target.range.clone(), quote(file));
            }
            return discarded;
        }
        let both = if command.redirects.is_empty() && !command.is_piped() { " 2>&1" } else { "" };
        self.insert(command.words[0].range.start, "( set -o pipefail; ".to_owned());
        // Behind a filter that stops reading early, `tee` has to go on writing.
        let option = if command.is_piped() { " -p" } else { "" };
        self.insert(command.end, format!("{both} | tee{option} {} )", quote(file)));
        true
    }

    /// Adds arguments at the end of a call, before a `--` of its own.
    pub(crate) fn append(&mut self, call: &RunnerCall<'_>, text: &str) {
        let separators = call.through.as_deref();
        let dashes = call.args.iter().find(|word| word.text == "--").filter(|_| separators.is_none());
        if let Some(dashes) = dashes {
            self.insert(dashes.range.start, format!("{text} "));
        } else {
            let end = call.command.words.last().map_or(call.command.end, |word| word.range.end);
            self.insert(end, format!(" {}{text}", separators.unwrap_or_default()));
        }
    }

    /// Inserts text right behind the words that name the runner.
    pub(crate) fn insert_behind_runner(&mut self, call: &RunnerCall<'_>, text: &str) {
        self.insert(call.command.words[call.at].range.end, text.to_owned());
    }

    /// Inserts text at a place of the script.
    pub(crate) fn insert(&mut self, at: usize, text: String) {
        self.edits.push((at..at, text));
    }

    /// Replaces a part of the script.
    pub(crate) fn replace(&mut self, range: Range<usize>, text: String) {
        self.edits.push((range, text));
    }

    /// Sets a variable for the script, unless it is set already.
    pub(crate) fn set_env(&mut self, key: &str, value: &str) {
        if !self.env.iter().any(|(known, _)| known == key) {
            self.env.push((key.to_owned(), value.to_owned()));
        }
    }
}

/// A word that bash reads as exactly `text`.
pub fn quote(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_./:=@%+,".contains(&b);
    if !text.is_empty() && text.bytes().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

fn apply(script: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    // Stable: of two insertions at one place the first made stands first.
    edits.sort_by_key(|(range, _)| range.start);
    let mut out = String::with_capacity(script.len() + 200);
    let mut at = 0;
    for (range, text) in edits {
        out.push_str(script.get(at..range.start).unwrap_or_default());
        out.push_str(&text);
        at = range.end.max(at);
    }
    out.push_str(script.get(at..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::MemoryTree;

    /// The script with the node reporter shortened, and what is expected of it.
    fn shown(found: &Instrumented) -> String {
        let mut script = found.script.clone();
        while let Some((before, rest)) = script.split_once("data:text/javascript,") {
            let end = rest.find(['\'', ' ']).unwrap_or(rest.len());
            script = format!("{before}<reporter>{}", &rest[end..]);
        }
        let expects: Vec<String> = found
            .expects
            .iter()
            .map(|source| format!("{:?} {:?} {:?}", source.runner, source.need, source.format))
            .collect();
        format!("{script}\n  -> {}\n", expects.join(", "))
    }

    #[test]
    fn every_runner_gets_its_report() {
        let scripts = [
            "pytest -q tests/x.py",
            "cd a && python -m pytest tests -k 'x y' 2>&1 | tail -3",
            "uv run pytest a.py && pytest b.py --junitxml=mine.xml",
            "cargo test -q -p x -- --nocapture --test-threads=1",
            "cargo test --lib 2>&1 | tail -5",
            "if cargo test >/dev/null 2>&1; then echo ok; fi",
            "cargo test > mine.txt",
            "cargo nextest run -p x",
            "npx vitest run a.test.ts",
            "npx vitest run --reporter=dot",
            "npx jest a.test.js",
            "npx mocha 'test/**/*.js'",
            "node --test a.test.js",
            "node --test --test-reporter=tap",
            "go test ./...",
            "go test ./... | grep ok",
            "python3 -m unittest tests/test_x.py",
            "python3 -m unittest discover -v -s tests",
            "bundle exec rspec spec/x_spec.rb",
            "rspec -fd spec",
            "bundle exec ruby -Ilib -Itest test/x_test.rb",
            "vendor/bin/phpunit tests/XTest.php",
            "cd core && mvn -q -Dtest=XTest test",
            "cmake --build build && ctest --test-dir build -R '^x_test$' --output-on-failure",
            "sh tests/run.sh",
            "pytest --collect-only | grep -q x",
            "bash -c 'pytest x'",
            "pytest a || pytest b",
        ];
        let all: String = scripts.iter().map(|script| shown(&instrument(script, "/r"))).collect();
        insta::assert_snapshot!(all, @r"
        pytest -q tests/x.py --junitxml=/r/report-1.xml -o junit_family=xunit1
          -> Pytest Required Junit
        cd a && python -m pytest tests -k 'x y' --junitxml=/r/report-1.xml -o junit_family=xunit1 2>&1 | tail -3
          -> Pytest Required Junit
        uv run pytest a.py --junitxml=/r/report-1.xml -o junit_family=xunit1 && pytest b.py --junitxml=mine.xml --junitxml=/r/report-2.xml -o junit_family=xunit1
          -> Pytest Required Junit, Pytest Required Junit
        ( set -o pipefail; cargo test  -p x --  --test-threads=1 2>&1 | tee /r/report-1.txt )
          -> CargoTest Required Libtest
        ( set -o pipefail; cargo test --lib 2>&1 | tee -p /r/report-1.txt ) | tail -5
          -> CargoTest Required Libtest
        if cargo test >/r/report-1.txt 2>&1; then echo ok; fi
          -> CargoTest Required Libtest
        cargo test > mine.txt
          -> Tap IfPresent Tap
        ( set -o pipefail; cargo nextest run --message-format libtest-json -p x 2>&1 | tee /r/report-1.txt )
          -> Nextest Required NextestJson
        npx vitest run a.test.ts --reporter=default --reporter=junit --outputFile.junit=/r/report-1.xml
          -> Vitest Required Junit
        npx vitest run --reporter=dot --reporter=junit --outputFile.junit=/r/report-1.xml
          -> Vitest Required Junit
        npx jest a.test.js --json --outputFile=/r/report-1.json$(pwd -P >/r/report-1.json.root)
          -> Jest Required JestJson
        ( set -o pipefail; npx mocha 'test/**/*.js' --reporter tap 2>&1 | tee /r/report-1.txt )
          -> Tap Required Tap
        node --test --test-reporter='<reporter>' --test-reporter-destination=/r/report-1.jsonl --test-reporter=spec --test-reporter-destination=stdout a.test.js
          -> NodeTest Required NodeEvents
        node --test --test-reporter='<reporter>' --test-reporter-destination=/r/report-1.jsonl --test-reporter-destination=stdout --test-reporter=tap
          -> NodeTest Required NodeEvents
        ( set -o pipefail; go test -json ./... 2>&1 | tee /r/report-1.txt )
          -> GoTest Required GoJson
        go test ./... | grep ok
          -> Tap IfPresent Tap
        ( set -o pipefail; python3 -m unittest -v -b tests/test_x.py 2>&1 | tee /r/report-1.txt )
          -> Unittest Required Unittest
        ( set -o pipefail; python3 -m unittest discover -b -v -s tests 2>&1 | tee /r/report-1.txt )
          -> Unittest Required Unittest
        bundle exec rspec spec/x_spec.rb --format progress --format json --out /r/report-1.json
          -> Rspec Required RspecJson
        rspec -fd spec --format json --out /r/report-1.json
          -> Rspec Required RspecJson
        ( set -o pipefail; bundle exec ruby -Ilib -Itest test/x_test.rb -v 2>&1 | tee /r/report-1.txt )
          -> Minitest Required Minitest
        vendor/bin/phpunit tests/XTest.php --log-junit /r/report-1.xml
          -> Phpunit Required Junit
        cd core && ( find . -name 'TEST-*.xml' \( -path '*/surefire-reports/*' -o -path '*/failsafe-reports/*' -o -path '*/test-results/*' \) -delete; code=0; mvn -q -Dtest=XTest test || code=$?; { echo '<testsuites>'; find . -name 'TEST-*.xml' \( -path '*/surefire-reports/*' -o -path '*/failsafe-reports/*' -o -path '*/test-results/*' \) -exec sed 's/<?xml[^>]*?>//' {} +; echo '</testsuites>'; } >/r/report-1.xml; exit $code )
          -> Junit Required Junit
        cmake --build build && ctest --test-dir build -R '^x_test$' --output-on-failure --output-junit /r/report-1.xml --test-output-size-passed 4194304 --test-output-size-failed 4194304
          -> Ctest Required Junit
        sh tests/run.sh
          -> Tap IfPresent Tap
        pytest --collect-only | grep -q x
          -> Tap IfPresent Tap
        bash -c 'pytest x'
          -> Pytest IfPresent Junit
        pytest a --junitxml=/r/report-1.xml -o junit_family=xunit1 || pytest b --junitxml=/r/report-2.xml -o junit_family=xunit1
          -> Pytest Required Junit, Pytest IfPresent Junit
        ");
    }

    #[test]
    fn runners_behind_other_files() {
        let tree = MemoryTree::new([
            ("package.json", r#"{"scripts":{"test":"vitest run","unit":"npm run test","lint":"eslint ."}}"#),
            ("api/package.json", r#"{"scripts":{"test":"tsc && jest","node":"node --test","spec":"mocha"}}"#),
            (
                "Makefile",
                "all: build\nbuild:\n\tcc x\ntest-x: build\n\t@$(PYTHON) -m pytest tests/x.py\nrs:\n\tcargo test\n",
            ),
            ("run.sh", "#!/bin/sh\nset -e\npytest -q\n"),
            ("backend/go.mod", "module example.com/api\n"),
            ("api/go.mod", "module example.com/api\n"),
        ]);
        let scripts = [
            "npm test",
            "npm run unit",
            "npm test -- src/a",
            "pnpm test",
            "cd api && npm test",
            "npm --prefix api run node",
            "yarn --cwd api spec",
            "npm run lint",
            "make test-x",
            "make rs",
            "make",
            "./run.sh",
            "npm run gone",
            "cd backend && go test .",
            "cd api && go test .",
        ];
        let all: String = scripts.iter().map(|script| shown(&instrument_in(&tree, script, "/r"))).collect();
        insta::assert_snapshot!(all, @"
        npm test -- --reporter=default --reporter=junit --outputFile.junit=/r/report-1.xml
          -> Vitest Required Junit
        npm run unit -- -- --reporter=default --reporter=junit --outputFile.junit=/r/report-1.xml
          -> Vitest Required Junit
        npm test -- src/a --reporter=default --reporter=junit --outputFile.junit=/r/report-1.xml
          -> Vitest Required Junit
        pnpm test --reporter=default --reporter=junit --outputFile.junit=/r/report-1.xml
          -> Vitest Required Junit
        cd api && npm test -- --json --outputFile=/r/report-1.json$(pwd -P >/r/report-1.json.root)
          -> Jest Required JestJson
        NODE_OPTIONS='--test-reporter=<reporter> --test-reporter-destination=/r/report-1.jsonl --test-reporter=spec --test-reporter-destination=stdout' npm --prefix api run node
          -> NodeTest IfPresent NodeEvents
        ( set -o pipefail; yarn --cwd api spec --reporter tap 2>&1 | tee /r/report-1.txt )
          -> Tap Required Tap
        npm run lint
          -> Tap IfPresent Tap
        PYTEST_ADDOPTS='--junitxml=/r/report-1.xml -o junit_family=xunit1' make test-x
          -> Pytest IfPresent Junit
        ( set -o pipefail; make rs 2>&1 | tee /r/report-1.txt )
          -> CargoTest IfPresent Libtest
        make
          -> Tap IfPresent Tap
        PYTEST_ADDOPTS='--junitxml=/r/report-1.xml -o junit_family=xunit1' ./run.sh
          -> Pytest IfPresent Junit
        npm run gone
          -> Tap IfPresent Tap
        cd backend && ( set -o pipefail; go test -json$(echo 'example.com/api backend' >/r/report-1.txt.root) . 2>&1 | tee /r/report-1.txt )
          -> GoTest Required GoJson
        cd api && ( set -o pipefail; go test -json . 2>&1 | tee /r/report-1.txt )
          -> GoTest Required GoJson
        ");
    }

    #[test]
    fn a_report_directory_is_quoted() {
        let found = instrument("pytest", "/a b/it's");
        assert_eq!(found.script, r"pytest --junitxml='/a b/it'\''s/report-1.xml' -o junit_family=xunit1");
        assert_eq!(found.expects[0].place, ReportPlace::File("/a b/it's/report-1.xml".into()));
        assert_eq!(found.runner(), Some(Runner::Pytest));
    }
}
