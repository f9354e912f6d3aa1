//! The document's tasks carried out: with vitest as it shows them, and in other languages.

use serde_json::{Value, json};
use windlass_testkit::TestRepo;

use super::session::{HomerunRepo, finds};
use crate::frame::{empty, fixture, json as printed, state, write};
use crate::packages::{packages, run, setup};

const SCHEMA_TEST: &str = "import { describe, expect, it } from 'vitest';
import { columns, insert } from '../../src/schema/user';

describe('users table', () => {
  it('AC-001 has the columns of authentication', () => {
    expect(columns).toEqual(['id', 'email', 'password_hash', 'created_at', 'updated_at']);
  });
  it('AC-002 refuses an email twice', () => {
    insert('a@b.c');
    expect(() => insert('a@b.c')).toThrow(/unique/i);
  });
});
";
const SCHEMA: &str =
    "export const columns: string[] = ['id', 'email', 'password_hash', 'created_at', 'updated_at'];
const emails = new Set<string>();

export function insert(email: string): void {
  if (emails.has(email)) throw new Error(`unique constraint: ${email}`);
  emails.add(email);
}
";
const MODEL_TEST: &str = "import { describe, expect, it } from 'vitest';
import { User } from '../../src/models/user';

describe('User', () => {
  it('AC-003 validates the format of an email', () => {
    expect(User.validate({ email: 'invalid' })).toBe(false);
    expect(User.validate({ email: 'a@b.c' })).toBe(true);
  });
  it('AC-004 hashes the password', () => {
    expect(new User('a@b.c', 'secret').password_hash).not.toBe('secret');
    expect(new User('a@b.c', 'secret').password_hash).toHaveLength(6);
  });
});
";
const MODEL: &str = "export class User {
  readonly password_hash: string;

  constructor(readonly email: string, password: string) {
    this.password_hash = [...password].reverse().join('');
  }

  static validate(data: { email: string }): boolean {
    return /^[^@]+@[^@]+$/.test(data.email);
  }
}
";

/// The example literally: two tasks, no list of files, vitest.
pub(super) fn the_example_runs() {
    let Some(packages) = packages() else { return };
    let manifest =
        r#"{"name": "myapp", "private": true, "type": "module", "devDependencies": {"vitest": "3.2.4"}}"#;
    let repo = empty()
        .file("windlass.toml", &setup(&packages, ""))
        .file(".gitignore", "node_modules\n")
        .file("package.json", manifest)
        .file("docs/tasks.json", &fixture("001/tasks.json"))
        .committed()
        .agent(&format!(
            "[001 write_test]\n{}[001]\n{}[002 write_test]\n{}[002]\n{}",
            write("tests/schema/user.test.ts", SCHEMA_TEST),
            write("src/schema/user.ts", SCHEMA),
            write("tests/models/user.test.ts", MODEL_TEST),
            write("src/models/user.ts", MODEL)
        ));
    let out = run(&repo, &packages, "docs/tasks.json").ends(0);
    assert_eq!(
        (state(&repo, "001").as_str(), state(&repo, "002").as_str()),
        ("completed", "completed"),
        "{out}"
    );
    let branch = printed(&repo, &["status", "--json"])["branch"].as_str().unwrap().to_owned();
    assert_eq!(repo.git(&["show", &format!("{branch}:src/models/user.ts")]), MODEL.trim_end());
    let standing = repo.windlass(&["report"]).ends(0).stdout;
    // The tests of an agent have to notice wrong versions of functions and constants; AC-001 is about a constant.
    for (criterion, stands) in
        [("AC-001", "proved"), ("AC-002", "proved"), ("AC-003", "proved"), ("AC-004", "proved")]
    {
        let row = standing.lines().find(|line| line.contains(criterion)).unwrap_or_default();
        assert!(row.contains(stands), "{criterion}: {standing}");
    }
}

/// A list of tasks in the document's form, about a Python package. No task names its files.
fn python(parts: bool) -> TestRepo {
    let task = |id: &str, name: &str, after: &[&str]| {
        json!({ "id": id, "title": format!("Add {name}"), "objective": format!("Compute {name}."), "task_type": "add_method",
            "methodology": "tdd", "acceptance_criteria": [{ "id": format!("AC-{id}"), "criterion": format!("{name}(2) returns 4") }],
            "test_file": format!("tests/test_{name}.py"), "status": "pending", "depends_on": after, "model": "haiku",
            "traces_to": { "user_stories": [], "acceptance_criteria": [format!("AC-{id}")], "adr_decisions": [] } })
    };
    let mut second = task("002", "square", &["001"]);
    if parts {
        second["task_type"] = "create_service".into();
        second["model"] = "sonnet".into();
        second["acceptance_criteria"] = json!([{ "id": "AC-002a", "criterion": "square(2) returns 4" }, { "id": "AC-002b", "criterion": "power(2) returns 4" }]);
        second["subtasks"] = json!([task("002a", "square", &["001"]), task("002b", "power", &["002a"])]);
    }
    let test = |name: &str, id: &str| {
        let class = format!(
            "class T(unittest.TestCase):\n    def test_ac_{id}_{name}(self):\n        self.assertEqual({name}(2), 4)\n"
        );
        format!(
            "[{id} write_test]\n{}",
            write(
                &format!("tests/test_{name}.py"),
                &format!("import unittest\n\nfrom maths.{name} import {name}\n\n\n{class}")
            )
        )
    };
    let code = |name: &str, id: &str, body: &str| {
        format!(
            "[{id}]\n{}",
            write(&format!("maths/{name}.py"), &format!("def {name}(n):\n    return {body}\n"))
        )
    };
    let mut script = test("double", "001") + &code("double", "001", "n + n");
    let ids = if parts { ["002a", "002b"] } else { ["002", "none"] };
    script += &(test("square", ids[0]) + &code("square", ids[0], "n * n"));
    script += &(test("power", ids[1]) + &code("power", ids[1], "n ** 2"));
    empty()
        .file("pyproject.toml", "[tool.pytest.ini_options]\npythonpath = [\".\"]\n")
        .file("maths/__init__.py", "")
        .file("tests/__init__.py", "")
        .file("docs/tasks.json", &json!({ "tasks": [task("001", "double", &[]), second] }).to_string())
        .committed()
        .agent(&script)
}

pub(super) fn one_commit_per_task() {
    let repo = python(false);
    repo.start_run(&["docs/tasks.json", "--yes"]).wait_long().ends(0);
    let branch = printed(&repo, &["status", "--json"])["branch"].as_str().unwrap().to_owned();
    assert_eq!(repo.subjects(&branch), ["001: Add double", "002: Add square"]);
}

/// A parent is what its parts are, in `status` and in the file.
pub(super) fn a_parent_completes_with_its_parts() {
    let repo = python(true);
    repo.start_run(&["docs/tasks.json", "--yes", "--until", "002a"]).wait_long();
    let parent = || printed(&repo, &["status", "--json", "--all"])["parents"][0].clone();
    assert_eq!(
        (parent()["id"].as_str(), parent()["completed"].as_u64()),
        (Some("002"), Some(1)),
        "{}",
        parent()
    );
    assert_ne!(parent()["state"], "completed");
    repo.start_run(&["docs/tasks.json", "--yes"]).wait_long().ends(0);
    assert_eq!(parent()["state"], "completed", "{}", parent());
    repo.windlass(&["export", "docs/tasks.json", "--to", "homerun", "-o", "docs/tasks.json"]).ends(0);
    let tasks: Value = serde_json::from_str(&repo.read("docs/tasks.json")).unwrap();
    assert_eq!(tasks["tasks"][1]["status"], "completed");
    assert_eq!(tasks["tasks"][1]["subtasks"][1]["status"], "completed");
}

/// The journal knows what is done; the file is told on demand, in its place, and loses nothing.
pub(super) fn states_are_written_into_the_file() {
    let repo = python(false);
    let mut tasks: Value = serde_json::from_str(&repo.read("docs/tasks.json")).unwrap();
    tasks["mine"] = json!({ "kept": true });
    repo.write("docs/tasks.json", &tasks.to_string());
    repo.commit("a key of my own");
    repo.start_run(&["docs/tasks.json", "--yes", "--until", "001"]).wait_long().ends(0);
    repo.windlass(&["export", "docs/tasks.json", "--to", "homerun", "-o", "docs/tasks.json"]).ends(0);
    let after: Value = serde_json::from_str(&repo.read("docs/tasks.json")).unwrap();
    assert_eq!(
        (after["tasks"][0]["status"].as_str(), after["tasks"][1]["status"].as_str()),
        (Some("completed"), Some("pending"))
    );
    assert_eq!(after["mine"], tasks["mine"]);
    assert_eq!(after["tasks"][1]["objective"], tasks["tasks"][1]["objective"]);
    // Another place that has files is never written over unasked.
    repo.write("out/tasks.json", "{}");
    repo.windlass(&["export", "docs/tasks.json", "--to", "homerun", "-o", "out"]).ends(2).says("--force");
}

/// Documentation is looked at by a person.
pub(super) fn documentation_waits_for_a_person() {
    let task = json!({ "tasks": [{
        "id": "001", "title": "Describe the tables", "objective": "A page about the tables.", "task_type": "add_config",
        "acceptance_criteria": [{ "id": "AC-001", "criterion": "The page names the users table" }], "test_file": null,
        "no_test_reason": "documentation only", "status": "pending", "depends_on": [], "files": { "create": ["docs/tables.md"] },
        "traces_to": { "user_stories": [], "acceptance_criteria": ["AC-001"], "adr_decisions": [] } }] });
    let repo =
        empty().file("docs/tasks.json", &task.to_string()).committed().agent("write docs/tables.md users\n");
    repo.start_run(&["docs/tasks.json", "--yes"]).wait_long().ends(3).says("windlass approve 001");
    assert_eq!(state(&repo, "001"), "blocked");
    repo.windlass(&["approve", "001"]).ends(0);
    repo.start_run(&["docs/tasks.json", "--yes"]).wait_long().ends(0);
    assert_eq!(state(&repo, "001"), "completed");
    finds("WL0304", "error", |t| {
        t["test_file"] = Value::Null;
        t["no_test_reason"] = "it is obvious".into();
    });
}

/// `plan --input --run` hands the tasks over in the worktree of the input.
pub(super) fn planning_hands_over_to_the_run() {
    let session = HomerunRepo::new();
    let toml = "[agents]\nsmall = \"cmd:exit 9\"\nmedium = \"cmd:exit 9\"\nlarge = \"cmd:exit 9\"\n";
    let session = session.file("windlass.toml", toml);
    session.repo.write("windlass.toml", toml);
    session.bash("git add -A && git commit -qm settings");
    let out = session.plan(&["--commit", "--run", "--yes"]);
    out.says("PLANNING_COMPLETE").says("▶ 001");
}

/// The commits come home by `land`, whatever directory it is called in.
pub(super) fn the_result_is_landed() {
    let repo = python(false);
    repo.start_run(&["docs/tasks.json", "--yes"]).wait_long().ends(0);
    let below = repo.path("tests");
    let out = repo.command(crate::frame::program()).current_dir(below).arg("land").output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    assert!(repo.read("maths/square.py").contains("def square"));
}
