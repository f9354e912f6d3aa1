//! Every runner, for real: the detected command on the generated test is red while the code is missing, green with it,
//! red when it is broken, runs no other file's tests, and a file without tests is no pass; alone and as a member of a
//! larger repository.
//!
//! A file of `tests/runners` holds a repository and what is wanted in it. What the detection says about it stands at the
//! end of the file and is compared everywhere (`WINDLASS_BLESS=1` writes it anew). Where the tools are there, red and green
//! are carried out. `scripts/runners` installs all tools, sets `WINDLASS_RUNNERS` to a file for a line per runner, and
//! then everything is carried out and nothing may be missing.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use windlass_code::red::{Green, Red};
use windlass_code::repo::MemoryTree;
use windlass_code::survey::survey;
use windlass_code::syntax::{same_test, tests};
use windlass_core::plan::CodeBlock;
use windlass_planner::repository::Repository;
use windlass_planner::snippet::{CaseWanted, SnippetState, TestSnippet, TestWanted};

use crate::bench::{Place, Run, parts, search_path, target};

/// Where Debian's packages of Maven plug-ins and libraries lie.
const MAVEN_PACKAGES: &str = "/usr/share/maven-repo";

struct Fixture {
    name: &'static str,
    path: PathBuf,
    text: String,
    parts: Vec<(String, String)>,
}

/// The repository by itself, or below a directory of a larger one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    Alone,
    Member,
}

impl Fixture {
    fn open(name: &'static str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/runners/{name}.txt"));
        let text = std::fs::read_to_string(&path).unwrap();
        let parts = parts(&text);
        Self { name, path, text, parts }
    }

    fn part(&self, name: &str) -> Option<&str> {
        self.parts.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str())
    }

    /// A value of the part `!want`.
    fn want(&self, key: &str) -> &str {
        let lines = self.part("!want").unwrap().lines();
        lines.filter_map(|line| line.split_once(':')).find(|(k, _)| *k == key).map(|(_, v)| v.trim()).unwrap()
    }

    fn at(&self, place: Where, path: &str) -> String {
        match place {
            Where::Alone => path.to_owned(),
            Where::Member => format!("{}/{path}", self.want("member")),
        }
    }

    fn files(&self, place: Where) -> Vec<(String, String)> {
        let own = self.parts.iter().filter(|(name, _)| !name.starts_with('!'));
        let mut out: Vec<(String, String)> =
            own.map(|(name, text)| (self.at(place, name), text.clone())).collect();
        for (name, text) in self.parts.iter().filter(|_| place == Where::Member) {
            if let Some(path) = name.strip_prefix("!root ") {
                // What a member has by itself, the larger repository may have for it.
                out.retain(|(known, _)| known != path);
                out.push((path.to_owned(), text.clone()));
            }
        }
        out
    }

    fn missing<'a>(&'a self, key: &str) -> Vec<&'a str> {
        self.want(key).split_whitespace().filter(|need| !is_here(need)).collect()
    }
}

fn is_here(need: &str) -> bool {
    if let Some(module) = need.strip_prefix("module:") {
        return modules().join(module).exists();
    }
    match need.strip_prefix("file:") {
        Some(file) => Path::new(file).exists(),
        None => std::env::split_paths(&search_path()).any(|dir| dir.join(need).is_file()),
    }
}

fn modules() -> PathBuf {
    target().join("runners/node/node_modules")
}

/// What the detection says.
struct Said {
    command: String,
    snippet: Option<TestSnippet>,
    format: Vec<String>,
    gates: Vec<String>,
}

impl Said {
    fn of(fixture: &Fixture, place: Where) -> Self {
        let files = fixture.files(place);
        let tree = MemoryTree::new(files.iter().map(|(path, text)| (path.as_str(), text.as_str())));
        let repository = Repository::new(&tree, survey(&tree));
        let (test, subject) =
            (fixture.at(place, fixture.want("test")), fixture.at(place, fixture.want("subject")));
        let block = CodeBlock {
            language: Some(fixture.want("language").into()),
            code: fixture.part("!contract").unwrap().into(),
            ..CodeBlock::default()
        };
        let cases: Vec<CaseWanted<'_>> = fixture
            .part("!cases")
            .unwrap()
            .lines()
            .filter_map(|line| line.split_once(": "))
            .map(|(id, text)| CaseWanted { id, text })
            .collect();
        let wanted = TestWanted { file: &test, subject: &subject, contract: &[block], cases: &cases };
        let both = [subject.clone(), test.clone()];
        Self {
            command: repository.test_command(&test).map(|call| call.script).unwrap_or_default(),
            snippet: repository.test_snippet(&wanted),
            format: repository.format_commands(&both),
            gates: repository.gate_commands(&both),
        }
    }

    fn shown(&self, place: Where) -> String {
        let mut out = match place {
            Where::Alone => "alone\n".to_owned(),
            Where::Member => "as a member\n".to_owned(),
        };
        let _ = writeln!(out, "  tests: {}", self.command);
        self.format.iter().for_each(|line| writeln!(out, "  format: {line}").unwrap());
        self.gates.iter().for_each(|line| writeln!(out, "  gate: {line}").unwrap());
        if let Some(snippet) = &self.snippet {
            let _ = writeln!(out, "  {:?} snippet:", snippet.state);
            for line in snippet.code.lines() {
                out.push_str(format!("    {line}").trim_end());
                out.push('\n');
            }
        }
        out
    }
}

/// What was seen of one runner in one place.
#[derive(Default)]
struct Row {
    red: String,
    counted: usize,
    format: String,
    gates: String,
}

/// Compares what is said, then carries it out where the tools are there.
#[expect(clippy::print_stdout, reason = "what is not carried out is said, not passed over")]
#[track_caller]
fn check(name: &'static str) {
    let fixture = Fixture::open(name);
    let both = [Where::Alone, Where::Member].map(|place| (place, Said::of(&fixture, place)));
    let said: String = both.iter().map(|(place, said)| said.shown(*place)).collect();
    let head = fixture.text.split("\n=== !said\n").next().unwrap();
    let whole = format!("{}\n\n=== !said\n{said}", head.trim_end());
    if std::env::var_os("WINDLASS_BLESS").is_some() {
        std::fs::write(&fixture.path, whole).unwrap();
    } else {
        let path = fixture.path.display();
        assert!(
            fixture.text == whole,
            "{path} says something else (WINDLASS_BLESS=1 writes it anew):\n{said}"
        );
    }
    let missing = fixture.missing("needs");
    let table = std::env::var_os("WINDLASS_RUNNERS");
    if !missing.is_empty() {
        assert!(table.is_none(), "{name}: {} is not here", missing.join(", "));
        println!("NOT EXECUTED: {name}, because {} is not on this machine", missing.join(", "));
        return;
    }
    let Some(table) = table else {
        carry_out(&fixture, Where::Alone, &both[0].1, Extent::RedAndGreen);
        return;
    };
    for (place, said) in &both {
        let row = carry_out(&fixture, *place, said, Extent::Everything);
        note(Path::new(&table), &fixture, *place, &row);
    }
}

/// How much is carried out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    RedAndGreen,
    Everything,
}

fn carry_out(fixture: &Fixture, at: Where, said: &Said, extent: Extent) -> Row {
    let name = fixture.name;
    let files = fixture.files(at);
    let place = Place::new(&files.iter().map(|(p, t)| (p.as_str(), t.as_str())).collect::<Vec<_>>());
    prepare(fixture, at, &place);
    let (test, subject) = (fixture.at(at, fixture.want("test")), fixture.at(at, fixture.want("subject")));
    let own = fixture.part("!test").map(str::to_owned);
    let code = own.or_else(|| said.snippet.as_ref().map(|s| s.code.clone())).unwrap();
    if let Some(snippet) = &said.snippet {
        assert_eq!(snippet.state, SnippetState::Complete, "{name}:\n{}", snippet.code);
    }
    let run = |text: &str| place.run((&test, text), std::slice::from_ref(&subject));
    let mut row = Row::default();

    let red = run(&code);
    row.red = match &red.red {
        Red::MissingCode { names, .. } => format!("missing code, {} tests", names.len()),
        Red::Assertion { failed, .. } => format!("{} tests failed", failed.len()),
        Red::ExitOnly { code } => format!("exit code {code}"),
        Red::NotRed(why) => panic!("{name}: not red: {why}\n{}", red.output),
    };
    place.put(&subject, fixture.part("!code").unwrap());
    row.counted = counted(name, &test, &code, &run(&code));
    if extent == Extent::RedAndGreen {
        return row;
    }
    place.put(&subject, fixture.part("!broken").unwrap());
    let broken = run(&code);
    assert!(!broken.passed && matches!(broken.green, Green::Failed(_)), "{name}: broken\n{}", broken.output);
    place.put(&subject, fixture.part("!code").unwrap());
    if let Some(empty) = fixture.part("!empty") {
        let none = run(empty);
        assert!(matches!(none.green, Green::Failed(_)), "{name}: no test is a pass\n{}", none.output);
    }
    row.format = formatted(fixture, said, &place, (&test, &code), &subject);
    row.gates = gated(fixture, said, &place);
    row
}

/// Lays what a set-up would have left: node packages, a Maven repository, and the fixture's own files.
fn prepare(fixture: &Fixture, at: Where, place: &Place) {
    for (name, text) in &fixture.parts {
        if let Some(path) = name.strip_prefix("!lay ") {
            place.put(&fixture.at(at, path), text);
        }
    }
    if fixture.want("needs").contains("module:") {
        std::os::unix::fs::symlink(modules(), place.root().join("node_modules")).unwrap();
    }
    if fixture.want("needs").contains("mvn") {
        let repository = place.maven_repository(Path::new(MAVEN_PACKAGES));
        place.put(".mvn/maven.config", &format!("-o\n-Dmaven.repo.local={}\n", repository.display()));
    }
}

/// How many tests passed, all of them this file's.
#[track_caller]
fn counted(name: &str, test: &str, code: &str, run: &Run) -> usize {
    let Green::Passed { tests: passed, .. } = &run.green else {
        panic!("{name}: not green: {:?}\n{}", run.green, run.output)
    };
    let Some(report) = &run.report else {
        assert_eq!(name, "make", "only a make target has no report");
        return 0;
    };
    let items: Vec<String> = tests(test, code.as_bytes()).iter().map(|item| item.name_in(test)).collect();
    for known in report.tests.keys() {
        assert!(items.iter().any(|item| same_test(known, item)), "{name}: `{known}` is none of {items:?}");
    }
    for item in &items {
        assert!(passed.iter().any(|known| same_test(known, item)), "{name}: {item} is none of {passed:?}");
    }
    assert!(!passed.is_empty(), "{name}");
    passed.len()
}

/// The formatter changes the untidy code, and the tests still pass.
fn formatted(fixture: &Fixture, said: &Said, place: &Place, test: (&str, &str), subject: &str) -> String {
    let name = fixture.name;
    let missing = fixture.missing("formats");
    if said.format.is_empty() || !missing.is_empty() {
        let table = std::env::var_os("WINDLASS_RUNNERS");
        assert!(missing.is_empty() || table.is_none(), "{name}: {missing:?} is not here");
        return if said.format.is_empty() {
            "none".into()
        } else {
            format!("not tried ({})", missing.join(" "))
        };
    }
    place.put(test.0, test.1);
    let before = place.text(subject);
    for command in &said.format {
        let (code, output) = place.bash(command, &[]);
        assert_eq!(code, 0, "{name}: {command}\n{}", String::from_utf8_lossy(&output));
    }
    assert_ne!(before, place.text(subject), "{name}: {:?} changed nothing", said.format);
    let now = place.text(test.0);
    let again = place.run((test.0, &now), &[]);
    assert!(matches!(again.green, Green::Passed { .. }), "{name}: after formatting\n{}", again.output);
    "yes".into()
}

fn gated(fixture: &Fixture, said: &Said, place: &Place) -> String {
    if said.gates.is_empty() || !fixture.missing("formats").is_empty() {
        return if said.gates.is_empty() { "none".into() } else { "not tried".into() };
    }
    for command in &said.gates {
        let (code, output) = place.bash(command, &[]);
        assert_eq!(code, 0, "{}: {command}\n{}", fixture.name, String::from_utf8_lossy(&output));
    }
    "yes".into()
}

/// A line of the table that `scripts/runners` makes.
fn note(path: &Path, fixture: &Fixture, place: Where, row: &Row) {
    use std::io::Write as _;
    let place = match place {
        Where::Alone => "alone",
        Where::Member => "member",
    };
    let counted = if row.counted == 0 { "by exit code".to_owned() } else { row.counted.to_string() };
    let line = format!("{}|{place}|{}|{counted}|{}|{}\n", fixture.name, row.red, row.format, row.gates);
    let mut file = std::fs::OpenOptions::new().append(true).create(true).open(path).unwrap();
    file.write_all(line.as_bytes()).unwrap();
}

macro_rules! runners {
    ($($test:ident $name:literal),* $(,)?) => {
        $(#[test]
        fn $test() {
            check($name);
        })*
    };
}

runners! {
    pytest "pytest",
    unittest "unittest",
    cargo_test "cargo-test",
    nextest "nextest",
    vitest "vitest",
    jest "jest",
    mocha "mocha",
    uvu "uvu",
    ava "ava",
    tap "tap",
    tape "tape",
    node "node",
    go "go",
    maven "maven",
    gradle "gradle",
    rspec "rspec",
    minitest "minitest",
    phpunit "phpunit",
    ctest "ctest",
    make "make",
}
