//! Contract tasks carried out, in the document's six sections and in another language than its examples.

use serde_json::Value;
use windlass_testkit::TestRepo;

use crate::frame::{codes, empty, json as printed, state, write};

/// A contract task about a Python module: a function of one number, and two tests of it.
struct ContractTask {
    id: &'static str,
    name: &'static str,
    after: &'static [&'static str],
    contract: String,
    verification: String,
}

impl ContractTask {
    fn new(id: &'static str, name: &'static str) -> Self {
        let contract = format!("# maths/{name}.py\ndef {name}(n: int) -> int: ...\n");
        let verification = format!("python3 -m unittest tests/test_{name}.py");
        Self { id, name, after: &[], contract, verification }
    }

    fn text(&self) -> String {
        let Self { id, name, after, contract, verification } = self;
        let needs: String = after
            .iter()
            .map(|id| format!("# From {id}: a number\ndef number(n: int) -> int: ...\n"))
            .collect();
        format!(
            "---\nid: {id}\ntitle: Add {name} to the numbers\nlayer: 1\ntrack: backend\ndepends_on: [{}]\nestimated_complexity: simple\n---\n\n\
             # {id}: Add {name}\n\n## Contract\n\n```python\n{contract}```\n\n## Dependencies (Interfaces Only)\n\n```python\n{needs}```\n\n\
             ## Test Specification\n\n```python\n# tests/test_{name}.py\n{}```\n\n## Output Files\n\n```\nWRITE: maths/{name}.py (~4 lines)\nWRITE: tests/test_{name}.py (~14 lines)\n```\n\n\
             ## Verification (Deterministic)\n\n```bash\n{verification}\n```\n\n## Done When\n\n- [ ] `{name}` returns twice its number\n- [ ] Both tests pass\n",
            after.join(", "),
            test(name),
        )
    }
}

fn test(name: &str) -> String {
    format!(
        "import unittest\n\nfrom maths.{name} import {name}\n\n\nclass T(unittest.TestCase):\n    def test_twice(self):\n        self.assertEqual({name}(3), 6)\n\n\
         \x20   def test_error(self):\n        with self.assertRaises(TypeError):\n            {name}(None)\n"
    )
}

fn code(name: &str) -> String {
    format!("def {name}(n: int) -> int:\n    return n + n\n")
}

/// An agent's lines that do a task.
fn does(name: &str) -> String {
    write(&format!("maths/{name}.py"), &code(name))
}

fn repository(tasks: &[ContractTask], script: &str) -> TestRepo {
    let mut repo = empty().file("maths/__init__.py", "").file("tests/__init__.py", "");
    for task in tasks {
        repo = repo.file(&format!("tasks/{}.md", task.id), &task.text());
    }
    repo.committed().agent(script)
}

fn run(repo: &TestRepo) -> windlass_testkit::Outcome {
    repo.start_run(&["tasks", "--yes"]).wait_long()
}

fn attempts(repo: &TestRepo, id: &str) -> Vec<Value> {
    printed(repo, &["show", id, "--json"])["history"]["attempts"].as_array().cloned().unwrap_or_default()
}

/// Another signature than promised, which the tests do not notice: found, told, repaired. Functions and classes.
pub(super) fn signatures_are_compared() {
    let wide = "def double(n: float) -> int:\n    return n + n\n";
    let script = format!(
        "[* implement]\n{}[*]\nexpect-brief double\n{}",
        write("maths/double.py", wide),
        does("double")
    );
    let repo = repository(&[ContractTask::new("TASK-001", "double")], &script);
    assert_eq!(codes(&repo, "tasks").0, Some(0));
    run(&repo).ends(0);
    repo.windlass(&["show", "TASK-001"]).ends(0).says("`double` differs from its contract");
    assert_eq!(repo.git(&["show", "windlass/tasks:maths/double.py"]), code("double").trim_end());
    let contract = "# maths/double.py\ndef double(n: int) -> int: ...\n\n\nclass Doubler:\n    def twice(self, n: int) -> int: ...\n";
    let task = ContractTask { contract: contract.to_owned(), ..ContractTask::new("TASK-001", "double") };
    let class = |signature: &str| {
        format!(
            "{}\n\nclass Doubler:\n    def twice({signature}) -> int:\n        return n + n\n",
            code("double")
        )
    };
    let script = format!(
        "[* implement]\n{}[*]\n{}",
        write("maths/double.py", &class("self, n: str")),
        write("maths/double.py", &class("self, n: int"))
    );
    let repo = repository(&[task], &script);
    run(&repo).ends(0);
    assert_eq!(attempts(&repo, "TASK-001").len(), 2);
}

/// A promised name that is not there, though no test misses it.
pub(super) fn exports_must_be_there() {
    let contract = "# maths/double.py\ndef double(n: int) -> int: ...\n\n\ndef halve(n: int) -> int: ...\n";
    let task = || ContractTask { contract: contract.to_owned(), ..ContractTask::new("TASK-001", "double") };
    let whole = format!("{}\n\ndef halve(n: int) -> int:\n    return n // 2\n", code("double"));
    let script = format!(
        "[* implement]\n{}[*]\nexpect-brief halve\n{}",
        does("double"),
        write("maths/double.py", &whole)
    );
    let repo = repository(&[task()], &script);
    run(&repo).ends(0);
    assert_eq!(attempts(&repo, "TASK-001").len(), 2);
    let other =
        ContractTask { contract: "# maths/double.py\ndef triple(n: int) -> int: ...\n".into(), ..task() };
    let (_, found) = codes(&repository(&[other], ""), "tasks");
    assert!(found.iter().any(|c| c == "WL0516"), "{found:?}");
}

/// The brief has the interface of what a task builds on, and nothing of its file.
pub(super) fn briefs_have_interfaces() {
    let second = ContractTask { after: &["TASK-001"], ..ContractTask::new("TASK-002", "twice") };
    let repo = repository(&[ContractTask::new("TASK-001", "number"), second], "");
    let long: String = (0..900).map(|n| format!("def private_{n}(a):\n    return a + {n}\n\n\n")).collect();
    repo.write("maths/number.py", &long);
    repo.commit("the module is there");
    let brief = repo.windlass(&["show", "TASK-002", "--brief", "--plan", "tasks"]).ends(0).screen();
    assert!(brief.contains("def number(n: int) -> int") && !brief.contains("private_500"), "{brief}");
}

/// The tests are those of the task, word for word, whatever an agent writes over them.
pub(super) fn tests_are_written_and_frozen() {
    let weak = write("tests/test_double.py", "import unittest\n");
    let repo =
        repository(&[ContractTask::new("TASK-001", "double")], &format!("[*]\n{weak}{}", does("double")));
    run(&repo).ends(0);
    let merged = repo.git(&["show", "windlass/tasks:tests/test_double.py"]);
    assert!(merged.ends_with(test("double").trim_end()), "{merged}");
    repo.windlass(&["show", "TASK-001"]).ends(0).says("frozen");
}

/// What is to be deleted is gone; what is read is in the brief.
pub(super) fn files_are_what_the_task_lists() {
    let repo = repository(&[ContractTask::new("TASK-001", "double")], "");
    let text = repo.read("tasks/TASK-001.md").replace(
        "WRITE: maths/double.py (~4 lines)",
        "WRITE: maths/double.py (~4 lines)\nDELETE: maths/old.py\nREAD: maths/rules.py",
    );
    repo.write("tasks/TASK-001.md", &text);
    repo.write("maths/old.py", "OLD = 'a line of its own, which nothing else has'\n");
    repo.write("maths/rules.py", "LARGEST = 4711\n");
    repo.commit("files");
    repo.script(&format!(
        "[*]\nexpect-brief maths/rules.py\n{}delete maths/old.py\nwrite maths/stray.py OLD = 'a line of its own, which nothing else has'\n",
        does("double")
    ));
    run(&repo).ends(0);
    assert!(repo.try_git(&["show", "windlass/tasks:maths/old.py"]).is_err());
    // What it was not given is left out, a copy of what is to go as well, and the rest counts.
    assert!(repo.try_git(&["show", "windlass/tasks:maths/stray.py"]).is_err());
}

/// The commands are one script: the directory stays, the first failure ends it.
pub(super) fn the_verification_is_one_script() {
    let passes = "cd tests\ntest -f __init__.py\ncd ..\npython3 -m unittest tests/test_double.py";
    let with = |script: &str| ContractTask {
        verification: script.to_owned(),
        ..ContractTask::new("TASK-001", "double")
    };
    let repo = repository(&[with(passes)], &format!("[*]\n{}", does("double")));
    run(&repo).ends(0);
    let stops = "python3 -m unittest tests/test_double.py\ntest -f tests/nothing-here\necho fine";
    let repo = repository(&[with(stops)], &format!("[*]\n{}", does("double")));
    repo.write("windlass.toml", "[ladder]\nbug_hunter = 0\nsame_agent = 0\nfresh_agent = 0\ntier_up = 0\n");
    repo.commit("short");
    let out = run(&repo);
    assert_ne!(out.code, Some(0), "{out}");
    assert_ne!(state(&repo, "TASK-001"), "completed");
}

/// Chains begin anew for each task: no worker gets the session of another.
pub(super) fn workers_have_no_memory() {
    let second = ContractTask { after: &["TASK-001"], ..ContractTask::new("TASK-002", "twice") };
    let repo = repository(&[ContractTask::new("TASK-001", "number"), second], "");
    let agent = "cmd:echo \"$WINDLASS_TASK $WINDLASS_SESSION\" >> \"$HOME/sessions\"; \
        echo '{\"session\": \"s-1\", \"summary\": \"secret of the first\"}' > \"$WINDLASS_RESULT\"; \
        case $WINDLASS_TASK in TASK-001) name=number ;; *) name=twice ;; esac; \
        printf 'def %s(n: int) -> int:\\n    return n + n\\n' $name > maths/$name.py";
    let home = repo.home().to_string_lossy().into_owned();
    repo.start(&["run", "tasks", "--yes", "--agent", agent, "--share", &home]).wait_long().ends(0);
    let noted = std::fs::read_to_string(repo.home().join("sessions")).unwrap();
    let lines: Vec<Vec<&str>> = noted.lines().map(|line| line.split(' ').collect()).collect();
    assert!(lines.len() == 2 && lines.iter().all(|words| words[1] == "new"), "{noted}");
}

/// A retry is told what went wrong, in the words of the tests.
pub(super) fn retries_know_more() {
    let wrong = write("maths/double.py", "def double(n: int) -> int:\n    return n * n\n");
    let script = format!(
        "[* implement]\n{wrong}[*]\nexpect-brief 9 != 6\nexpect-brief test_twice\n{}",
        does("double")
    );
    let repo = repository(&[ContractTask::new("TASK-001", "double")], &script);
    run(&repo).ends(0);
    assert_eq!(attempts(&repo, "TASK-001").len(), 2);
}

/// A hundred and more agents at once: each waits until a hundred have begun.
pub(super) fn a_hundred_agents_at_once() {
    let names: Vec<&'static str> =
        (0..110).map(|n| &*Box::leak(format!("TASK-{n:03}").into_boxed_str())).collect();
    let modules: Vec<&'static str> =
        (0..110).map(|n| &*Box::leak(format!("double{n}").into_boxed_str())).collect();
    let tasks: Vec<ContractTask> =
        names.iter().zip(&modules).map(|(id, name)| ContractTask::new(id, name)).collect();
    let waits = "shell touch {home}/began-{task}; for i in $(seq 600); do test $(ls {home} | grep -c began) -ge 100 && exit 0; sleep 0.2; done\nexit 9\n";
    let repo = repository(&tasks, &format!("[*]\n{waits}"));
    repo.write("windlass.toml", "[ladder]\nbug_hunter = 0\nsame_agent = 0\nfresh_agent = 0\ntier_up = 0\n");
    repo.commit("short");
    repo.start_run(&["tasks", "--yes", "--jobs", "110"]).wait_for(std::time::Duration::from_mins(10)).ends(1);
    let began = std::fs::read_dir(repo.home())
        .unwrap()
        .flatten()
        .filter(|e| e.file_name().to_string_lossy().starts_with("began"))
        .count();
    assert_eq!(began, 110);
}

/// One task fails alone; the others are one commit each on the branch, which `land` brings home.
pub(super) fn a_failure_stays_alone() {
    let tasks = ["double", "twice", "again"]
        .iter()
        .zip(["TASK-001", "TASK-002", "TASK-003"])
        .map(|(name, id)| ContractTask::new(id, name));
    let script = format!("[TASK-002]\nexit 1\n[TASK-001]\n{}[TASK-003]\n{}", does("double"), does("again"));
    let repo = repository(&tasks.collect::<Vec<_>>(), &script);
    run(&repo).ends(1);
    assert_eq!(
        ["TASK-001", "TASK-002", "TASK-003"].map(|id| state(&repo, id)),
        ["completed", "failed", "completed"]
    );
}

pub(super) fn the_branch_is_reviewed_as_a_whole() {
    let tasks = [ContractTask::new("TASK-001", "double"), ContractTask::new("TASK-002", "twice")];
    let repo = repository(&tasks, &format!("[TASK-001]\n{}[TASK-002]\n{}", does("double"), does("twice")));
    run(&repo).ends(0);
    let mut subjects = repo.subjects("windlass/tasks");
    subjects.sort();
    assert_eq!(subjects, ["TASK-001: Add double to the numbers", "TASK-002: Add twice to the numbers"]);
    assert!(!repo.path("maths/double.py").exists(), "the checkout is the user's until it is landed");
    repo.windlass(&["land"]).ends(0);
    assert!(repo.path("maths/double.py").exists());
}
