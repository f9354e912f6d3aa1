//! Arranges for a structured report of every runner that a script calls.
//!
//! Adds arguments to a call, or copies what it prints into a file; exit codes, order and everything else of the script
//! stay as they are.

use std::ops::Range;

use windlass_core::report::Runner;

use super::indirect::{self, Indirect};
use super::report_options::{
    collected, ctest_options, has_option, jest_options, node_options, phpunit_options, pytest_options,
    rspec_options, vitest_options,
};
use super::runner_call::{Kind, RunnerCall, runner_call};
use super::shell::{ShellScript, ShellWord, SimpleCommand};
use crate::repo::Tree;
use crate::report::{Need, ReportFormat, ReportPlace, ReportSource};

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
    Builder::new(None, report_dir).build(script)
}

/// As [`instrument`], but able to look through `package.json` scripts, `Makefile` targets and shell scripts of `tree`,
/// at whose root the script starts.
pub fn instrument_in(tree: &dyn Tree, script: &str, report_dir: &str) -> Instrumented {
    Builder::new(Some(tree), report_dir).build(script)
}

/// One change of the text; an empty range inserts.
struct Edit {
    range: Range<usize>,
    text: String,
}

struct Builder<'a> {
    tree: Option<&'a dyn Tree>,
    dir: &'a str,
    edits: Vec<Edit>,
    env: Vec<(String, String)>,
    expects: Vec<ReportSource>,
}

impl<'a> Builder<'a> {
    fn new(tree: Option<&'a dyn Tree>, dir: &'a str) -> Self {
        Self { tree, dir, edits: Vec::new(), env: Vec::new(), expects: Vec::new() }
    }

    fn build(mut self, script: &str) -> Instrumented {
        let calls = ShellScript::parse(script).commands;
        for call in &calls {
            let before = self.expects.len();
            if let Some(found) = runner_call(&call.words) {
                self.direct(call, &found);
            } else if let Some(tree) = self.tree {
                for found in indirect::look_through(tree, call) {
                    self.indirect(call, found);
                }
            }
            if call.conditional {
                self.expects[before..].iter_mut().for_each(|source| source.need = Need::IfPresent);
            }
        }
        // A script inside a word, as in `bash -c '…'`, is not looked into: let pytest leave a report if it runs there.
        let inner = |word: &ShellWord| word.text.contains("pytest") && word.text.contains(' ');
        if self.expects.is_empty() && calls.iter().flat_map(|call| &call.words).any(inner) {
            let file = self.expect(Runner::Pytest, ReportFormat::Junit, Need::IfPresent, "xml");
            self.env.push(("PYTEST_ADDOPTS".into(), pytest_options(&file)));
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

    fn direct(&mut self, call: &SimpleCommand, found: &RunnerCall) {
        let args = &call.words[found.at + 1..];
        match found.kind {
            Kind::Pytest => {
                let file = self.expect(Runner::Pytest, ReportFormat::Junit, Need::Required, "xml");
                self.append(call, args, &pytest_options(&file));
            }
            Kind::Vitest => {
                let file = self.expect(Runner::Vitest, ReportFormat::Junit, Need::Required, "xml");
                self.append(call, args, &vitest_options(args, &file));
            }
            Kind::Jest => {
                let file = self.expect(Runner::Jest, ReportFormat::JestJson, Need::Required, "json");
                self.append(call, args, &jest_options(&file));
            }
            Kind::Mocha => self.mocha(call, args),
            Kind::CargoTest => self.cargo_test(call, found),
            Kind::Nextest => self.nextest(call, found, args),
            Kind::NodeTest => self.node(call, found, Need::Required),
            Kind::NodeFile => self.node(call, found, Need::IfPresent),
            Kind::GoTest => self.go(call, found, args),
            Kind::Unittest => self.unittest(call, found, args),
            Kind::Rspec => {
                let file = self.expect(Runner::Rspec, ReportFormat::RspecJson, Need::Required, "json");
                self.append(call, args, &rspec_options(args, &file));
            }
            Kind::RubyTest => self.ruby_test(call, args),
            Kind::Phpunit => {
                let file = self.expect(Runner::Phpunit, ReportFormat::Junit, Need::Required, "xml");
                self.append(call, args, &phpunit_options(&file));
            }
            Kind::Maven | Kind::Gradle => {
                let file = self.expect(Runner::Junit, ReportFormat::Junit, Need::Required, "xml");
                let (before, after) = collected(&file);
                self.insert(call.words[0].range.start, before);
                self.insert(call.end, after);
            }
            Kind::Ctest => {
                let file = self.expect(Runner::Ctest, ReportFormat::Junit, Need::Required, "xml");
                self.append(call, args, &ctest_options(&file));
            }
        }
    }

    /// Names are only told to those who ask, and what tests print must not break into them.
    fn unittest(&mut self, call: &SimpleCommand, found: &RunnerCall, args: &[ShellWord]) {
        if !self.copy_output(call, Runner::Unittest, ReportFormat::Unittest) {
            return;
        }
        // A subcommand has to stay the first word.
        let discover = args.first().filter(|word| word.text == "discover");
        let at = discover.unwrap_or(&call.words[found.at]).range.end;
        for (long, short) in [("--verbose", "-v"), ("--buffer", "-b")] {
            if !has_option(args, long) && !has_option(args, short) {
                self.insert(at, format!(" {short}"));
            }
        }
    }

    /// Minitest and test-unit both tell names to those who ask.
    fn ruby_test(&mut self, call: &SimpleCommand, args: &[ShellWord]) {
        let before = self.edits.len();
        if !has_option(args, "-v") && !has_option(args, "--verbose") {
            self.append(call, args, "-v");
        }
        if !self.copy_output(call, Runner::Minitest, ReportFormat::Minitest) {
            self.edits.truncate(before);
        }
    }

    fn mocha(&mut self, call: &SimpleCommand, args: &[ShellWord]) {
        self.mocha_through(call, args, args, "");
    }

    /// Mocha takes one reporter only; TAP is the one that both a person and a program can read.
    fn mocha_through(
        &mut self,
        call: &SimpleCommand,
        known: &[ShellWord],
        args: &[ShellWord],
        separators: &str,
    ) {
        if has_option(known, "--reporter") || has_option(known, "-R") {
            return;
        }
        let before = self.edits.len();
        self.append(call, args, &format!("{separators}--reporter tap"));
        if !self.copy_output(call, Runner::Tap, ReportFormat::Tap) {
            self.edits.truncate(before);
        }
    }

    fn cargo_test(&mut self, call: &SimpleCommand, found: &RunnerCall) {
        if !self.copy_output(call, Runner::CargoTest, ReportFormat::Libtest) {
            return;
        }
        // Quiet output has no names, and uncaptured output breaks into the lines that have them.
        let mut harness = false;
        let mut drop_next = false;
        for (index, word) in call.words.iter().enumerate() {
            let text = word.text.as_str();
            let value = std::mem::take(&mut drop_next);
            let quiet = matches!(text, "-q" | "--quiet");
            let loud = harness && matches!(text, "--nocapture" | "--no-capture");
            let format = harness && (text == "--format" || text.starts_with("--format="));
            drop_next = format && text == "--format";
            if value || quiet || loud || format {
                self.edits.push(Edit { range: word.range.clone(), text: String::new() });
            }
            harness |= index > found.at && text == "--";
        }
        for (key, value) in [("CARGO_TERM_QUIET", "false"), ("CARGO_TERM_COLOR", "never")] {
            self.set_env(key, value);
        }
    }

    fn nextest(&mut self, call: &SimpleCommand, found: &RunnerCall, args: &[ShellWord]) {
        if has_option(args, "--message-format")
            || !self.copy_output(call, Runner::Nextest, ReportFormat::NextestJson)
        {
            return;
        }
        self.insert(call.words[found.at].range.end, " --message-format libtest-json".to_owned());
        self.set_env("NEXTEST_EXPERIMENTAL_LIBTEST_JSON", "1");
    }

    fn go(&mut self, call: &SimpleCommand, found: &RunnerCall, args: &[ShellWord]) {
        // A filter behind the pipe expects go's own text.
        if call.is_piped() || !self.copy_output(call, Runner::GoTest, ReportFormat::GoJson) {
            return;
        }
        let note = self.go_module(call).unwrap_or_default();
        let json = if has_option(args, "-json") { "" } else { " -json" };
        self.insert(call.words[found.at].range.end, format!("{json}{note}"));
    }

    /// A module whose name ends otherwise than its directory is noted beside the report: its tests are found by both.
    fn go_module(&self, call: &SimpleCommand) -> Option<String> {
        let dir = call.dir.as_deref().filter(|dir| !dir.is_empty())?;
        let bytes = self.tree?.read(&format!("{dir}/go.mod"))?;
        let text = String::from_utf8_lossy(&bytes);
        let module = text.lines().find_map(|line| line.strip_prefix("module "))?.trim();
        let ReportPlace::File(file) = &self.expects.last()?.place else { return None };
        let last = |path: &str| path.rsplit('/').next().map(str::to_owned);
        let note = quote(&format!("{module} {dir}"));
        (last(module) != last(dir)).then(|| format!("$(echo {note} >{})", quote(&format!("{file}.root"))))
    }

    fn node(&mut self, call: &SimpleCommand, found: &RunnerCall, need: Need) {
        let file = self.expect(Runner::NodeTest, ReportFormat::NodeEvents, need, "jsonl");
        let count = |name: &str| call.words.iter().filter(|word| word.text.starts_with(name)).count();
        let destinations = count("--test-reporter-destination");
        let reporters = count("--test-reporter") - destinations;
        let mut options = node_options(&file);
        if reporters == 0 {
            options.push_str(" --test-reporter=spec --test-reporter-destination=stdout");
        } else if destinations == 0 {
            options.push_str(" --test-reporter-destination=stdout");
        }
        self.insert(call.words[found.at].range.end, format!(" {options}"));
    }

    fn indirect(&mut self, call: &SimpleCommand, found: Indirect) {
        match found {
            Indirect::Append { kind: Kind::Vitest, separators, args } => {
                let file = self.expect(Runner::Vitest, ReportFormat::Junit, Need::Required, "xml");
                self.append(call, &[], &format!("{separators}{}", vitest_options(&args, &file)));
            }
            Indirect::Append { kind: Kind::Jest, separators, .. } => {
                let file = self.expect(Runner::Jest, ReportFormat::JestJson, Need::Required, "json");
                self.append(call, &[], &format!("{separators}{}", jest_options(&file)));
            }
            Indirect::Append { kind: Kind::Mocha, separators, args } => {
                self.mocha_through(call, &args, &[], &separators);
            }
            Indirect::Append { .. } => {}
            Indirect::Pytest => {
                let file = self.expect(Runner::Pytest, ReportFormat::Junit, Need::IfPresent, "xml");
                let options = quote(&pytest_options(&file));
                self.insert(call.words[0].range.start, format!("PYTEST_ADDOPTS={options} "));
            }
            Indirect::Node => {
                let file = self.expect(Runner::NodeTest, ReportFormat::NodeEvents, Need::IfPresent, "jsonl");
                let options = format!(
                    "{} --test-reporter=spec --test-reporter-destination=stdout",
                    node_options(&file).replace('\'', "")
                );
                self.insert(call.words[0].range.start, format!("NODE_OPTIONS={} ", quote(&options)));
            }
            Indirect::CargoTest => {
                let file = self.expect(Runner::CargoTest, ReportFormat::Libtest, Need::IfPresent, "txt");
                if !self.tee(call, &file) {
                    self.expects.pop();
                }
                self.set_env("CARGO_TERM_COLOR", "never");
            }
        }
    }

    /// Announces one more report file and returns its path.
    fn expect(&mut self, runner: Runner, format: ReportFormat, need: Need, ending: &str) -> String {
        let number = self.expects.len() + 1;
        let path = format!("{}/report-{number}.{ending}", self.dir.trim_end_matches('/'));
        self.expects.push(ReportSource { runner, format, place: ReportPlace::File(path.clone()), need });
        path
    }

    /// Copies what the call prints into a report file; false when the script takes that output elsewhere.
    fn copy_output(&mut self, call: &SimpleCommand, runner: Runner, format: ReportFormat) -> bool {
        let file = self.expect(runner, format, Need::Required, "txt");
        let copied = self.tee(call, &file);
        if !copied {
            self.expects.pop();
        }
        copied
    }

    /// `( set -o pipefail; call 2>&1 | tee file )` keeps the call's exit code, because `tee` does not fail.
    fn tee(&mut self, call: &SimpleCommand, file: &str) -> bool {
        if let Some(moved) = call.redirects.iter().find(|redirect| redirect.moves_stdout()) {
            let discarded = moved.target.fixed && moved.target.text == "/dev/null";
            if discarded {
                self.edits.push(Edit { range: moved.target.range.clone(), text: quote(file) });
            }
            return discarded;
        }
        let both = if call.redirects.is_empty() && !call.is_piped() { " 2>&1" } else { "" };
        self.insert(call.words[0].range.start, "( set -o pipefail; ".to_owned());
        // Behind a filter that stops reading early, `tee` has to go on writing.
        let option = if call.is_piped() { " -p" } else { "" };
        self.insert(call.end, format!("{both} | tee{option} {} )", quote(file)));
        true
    }

    /// Adds arguments at the end of a call, before a `--` of its own.
    fn append(&mut self, call: &SimpleCommand, args: &[ShellWord], text: &str) {
        if let Some(dashes) = args.iter().find(|word| word.text == "--") {
            self.insert(dashes.range.start, format!("{text} "));
        } else {
            let end = call.words.last().map_or(call.end, |word| word.range.end);
            self.insert(end, format!(" {text}"));
        }
    }

    fn insert(&mut self, at: usize, text: String) {
        self.edits.push(Edit { range: at..at, text });
    }

    fn set_env(&mut self, key: &str, value: &str) {
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

fn apply(script: &str, mut edits: Vec<Edit>) -> String {
    // Stable: of two insertions at one place the first made stands first.
    edits.sort_by_key(|edit| edit.range.start);
    let mut out = String::with_capacity(script.len() + 200);
    let mut at = 0;
    for edit in edits {
        out.push_str(script.get(at..edit.range.start).unwrap_or_default());
        out.push_str(&edit.text);
        at = edit.range.end.max(at);
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
