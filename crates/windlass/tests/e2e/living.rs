//! Documents and branches that change while a plan is carried out.

use insta::assert_snapshot;
use windlass_testkit::TestRepo;

use crate::world::{empty, evidence, one_task, state, two_tasks};

const SPEC: &str = "# Sums\n\n## File Changes\n\n| File | Operation | What |\n|---|---|---|\n\
    | `calc.py` | create | adding and negating |\n\n## Acceptance Criteria\n\n\
    - AC-1: `add(1, 2)` in `calc.py` is 3\n- AC-2: `neg(4)` in `calc.py` is -4\n";
const ADDS: &str = "def test_ac_1_adds():\n    from calc import add\n\n    assert add(1, 2) == 3\n";
const NEGATES: &str = "\n\ndef test_ac_2_negates():\n    from calc import neg\n\n    assert neg(4) == -4\n";
const CODE: &str = "def add(a, b):\n    return a + b\n\n\ndef neg(a):\n    return -a\n";

/// A plan that was made from a document and carried out.
fn carried_out() -> TestRepo {
    let repo = empty()
        .file(".gitignore", "__pycache__\n.pytest_cache\n")
        .file("pyproject.toml", "[tool.pytest.ini_options]\npythonpath = [\".\"]\n")
        .file("docs/SPEC.md", SPEC)
        .committed()
        .agent("");
    repo.windlass(&["plan", "docs", "--name", "sums"]).ends(0);
    let test = test_file(&repo);
    repo.script(&format!(
        "[T001 write_test]\nwrite {test} <<END\n{ADDS}{NEGATES}END\n[T001]\nwrite calc.py <<END\n{CODE}END\n"
    ));
    repo.run(&["plans/sums"]).ends(0);
    repo
}

/// The test file that planning has chosen.
fn test_file(repo: &TestRepo) -> String {
    let text = repo.read("plans/sums/tasks/T001.md");
    let line = text.lines().find_map(|line| line.strip_prefix("test_file: "));
    line.unwrap_or_else(|| panic!("{text}")).to_owned()
}

#[test]
fn a_changed_sentence_makes_its_task_stale_and_changes_only_its_tests() {
    let repo = carried_out();
    repo.write("docs/SPEC.md", &SPEC.replace("is -4", "is 4, for any sign"));
    let planned = repo.windlass(&["plan"]).ends(0).stdout;
    let (said, _) = planned.split_once("plans/sums has").unwrap();
    assert_snapshot!(said, @r"
    the documents changed; tasks: 1 changed
    ~ T001 changed  Create adding and negating in calc.py (completed: now stale)
        - AC-2: `neg(4)` in `calc.py` is -4
        + AC-2: `neg(4)` in `calc.py` is 4, for any sign
    help: `windlass retry T001` has what changed in it carried out by the next run
    ");
    assert_eq!(state(&repo, "T001"), "completed");
    repo.windlass(&["retry", "T001"]).ends(0);
    let test = test_file(&repo);
    // A test of an unchanged sentence may not be touched.
    let weaker = ADDS.replace("== 3", "> 0");
    let changed = NEGATES.replace("== -4", "== 4");
    let code = CODE.replace("return -a", "return abs(a)");
    let script = |tests: &str| {
        repo.script(&format!(
            "[T001 write_test]\nexpect-brief AC-2 said: `neg(4)` in `calc.py` is -4\n\
             expect-brief It now says: `neg(4)` in `calc.py` is 4, for any sign\n\
             expect-brief change or remove them as the new sentences ask: {test}::test_ac_2_negates\n\
             write {test} <<END\n{tests}END\n[T001]\nwrite calc.py <<END\n{code}END\n"
        ));
    };
    script(&format!("{weaker}{changed}"));
    let refused = repo.run(&["plans/sums"]).ends(1);
    assert!(refused.stdout.contains("changed frozen tests"), "{refused}");
    repo.windlass(&["retry", "T001"]).ends(0);
    script(&format!("{ADDS}{changed}"));
    let ran = repo.run(&["plans/sums"]).ends(0);
    let records = evidence(&repo, "windlass/sums");
    assert_eq!(records.iter().map(|r| r.revision).collect::<Vec<_>>(), [1, 2], "{ran}");
    let merged = repo.git(&["show", &format!("windlass/sums:{test}")]);
    assert!(merged.contains("add(1, 2) == 3") && merged.contains("neg(4) == 4"), "{merged}");
    repo.windlass(&["audit", "sums"]).ends(0);
    let again = repo.windlass(&["plan"]).ends(0);
    assert!(again.stdout.contains("the documents say what they said: 1 task untouched"), "{again}");
}

#[test]
fn hand_edits_and_files_that_did_not_change_stay_byte_for_byte() {
    let repo = carried_out();
    let path = "plans/sums/tasks/T001.md";
    let text = repo.read(path);
    repo.write(path, &text.replace("# T001:", "<!-- mine -->\n\n# T001:"));
    let mine = repo.read(path);
    let row = "| `twice.py` | create | doubling |\n\n## Acceptance";
    let more = SPEC.replace("\n## Acceptance", row) + "- AC-3: `double(2)` in `twice.py` is 4\n";
    repo.write("docs/SPEC.md", &more);
    let planned = repo.windlass(&["plan"]).ends(0);
    assert!(planned.stdout.contains("+ T002 new"), "{planned}");
    assert_eq!(repo.read(path), mine);
    repo.write("docs/SPEC.md", SPEC);
    let planned = repo.windlass(&["plan"]).ends(0);
    assert!(planned.stdout.contains("- T002 gone"), "{planned}");
    assert!(repo.path("plans/sums/tasks/T002.md.old").exists());
    repo.write("docs/SPEC.md", &more);
    let planned = repo.windlass(&["plan"]).ends(0);
    assert!(planned.stdout.contains("+ T003 new"), "an id is not given twice: {planned}");
}

#[test]
fn a_folder_belongs_to_its_documents() {
    let repo = carried_out();
    repo.write("notes/OTHER.md", "# Sums\n\n## Acceptance Criteria\n\n- `sub(3, 1)` in `calc.py` is 2\n");
    assert_snapshot!(repo.windlass(&["plan", "notes", "--name", "sums"]).ends(2).screen(), @r"
    ✓ documents: 1 file read
    ✓ code: 7 files, 0 source files
    ✓ specification: 1 criterion
    error: `plans/sums` holds another plan: it was made from `docs/SPEC.md`
      hint: choose another name with `--name`, or replace it with `--force`, which sets its tasks aside
    ");
    repo.write("docs/MORE.md", "# More\n\n## Acceptance Criteria\n\n- `mul(3, 2)` in `calc.py` is 6\n");
    repo.windlass(&["plan"]).ends(0);
    let part = repo.windlass(&["plan", "docs/SPEC.md"]).ends(2);
    assert!(part.stderr.contains("the plan was also made from `docs/MORE.md`"), "{part}");
    repo.write("plans/sums/tasks/T001.md", "---\nid: [\n");
    let broken = repo.windlass(&["plan"]).ends(2);
    assert!(broken.stderr.contains("cannot be read, so nothing is changed"), "{broken}");
    repo.write("plans/sums/derived.json", "{ nonsense");
    let broken = repo.windlass(&["plan", "docs"]).ends(2);
    assert!(broken.stderr.contains("`plans/sums"), "{broken}");
}

#[test]
fn the_users_branch_comes_in_by_a_verified_merge() {
    let repo = two_tasks();
    repo.run(&["--until", "a"]).ends(0);
    repo.write("NOTES.md", "mine\n");
    repo.git(&["add", "NOTES.md"]);
    repo.git(&["commit", "-qm", "notes"]);
    let status = repo.windlass(&["status"]).ends(0);
    assert!(
        status.stdout.contains("`main` has 1 commit that `windlass/demo` lacks: `windlass sync`"),
        "{status}"
    );
    assert_snapshot!(repo.windlass(&["sync"]).ends(0).screen(), @r"
    synced: `windlass/demo` is at [oid] with `main`, by a verified merge: 1 command of completed tasks passed
    ");
    assert_snapshot!(repo.windlass(&["sync"]).ends(0).screen(), @"`windlass/demo` has everything of `main` already");
    assert_eq!(repo.git(&["show", "windlass/demo:NOTES.md"]), "mine");
    let status = repo.windlass(&["status"]).ends(0);
    assert!(!status.stdout.contains("lacks"), "{status}");
    repo.run(&[]).ends(0);
    assert_snapshot!(repo.windlass(&["audit"]).ends(0).screen(), @r"
    ✔ [oid]  a
    ✔ [oid]  b
    ✔ [oid]  `main` brought in · 1 command passed
    3 records on windlass/demo: all hold
    ");
    repo.windlass(&["land"]).ends(0).says("by fast-forward");
}

#[test]
fn a_merge_that_breaks_what_is_done_is_refused_and_a_changed_test_makes_its_task_stale() {
    let repo = one_task();
    repo.run(&[]).ends(0);
    let base = repo.git(&["rev-parse", "windlass/demo"]);
    let test = repo.git(&["ls-tree", "-r", "--name-only", "windlass/demo"]);
    let test = test.lines().find(|path| path.contains("test")).unwrap_or_else(|| panic!("{test}")).to_owned();
    repo.git(&["merge", "-q", "--ff-only", "windlass/demo"]);
    repo.write("a.sh", "echo other\n");
    repo.git(&["commit", "-qam", "other"]);
    let refused = repo.windlass(&["sync"]).ends(3);
    assert!(refused.stderr.contains("the merge with `main` does not pass"), "{refused}");
    assert_eq!(repo.git(&["rev-parse", "windlass/demo"]), base);
    repo.write("a.sh", "echo a\n");
    let text = repo.read(&test);
    repo.write(&test, &format!("# checked by hand\n{text}"));
    repo.git(&["commit", "-qam", "mended, and a test changed"]);
    let synced = repo.windlass(&["sync"]).ends(0);
    assert!(synced.stdout.contains("stale: `a`, because `main` changed"), "{synced}");
    let status = repo.windlass(&["status"]).ends(0);
    assert!(status.stdout.contains("stale"), "{status}");
    repo.windlass(&["audit"]).ends(0);
}

#[test]
fn documents_that_vanish_or_turn_into_something_else_retire_nothing_by_accident() {
    let repo = carried_out();
    repo.write("docs/MORE.md", "# More\n\n## File Changes\n\n| File | Operation | What |\n|---|---|---|\n| `times.py` | create | products |\n\n\
         ## Acceptance Criteria\n\n- `mul(3, 2)` in `times.py` is 6\n");
    repo.windlass(&["plan"]).ends(0).says("+ T002 new");
    std::fs::write(repo.path("docs/MORE.md"), [0_u8, 159, 146, 150, 0, 1, 2]).unwrap();
    let binary = repo.windlass(&["plan"]).ends(2);
    assert!(binary.stderr.contains("`docs/MORE.md` is not text"), "{binary}");
    assert!(repo.path("plans/sums/tasks/T002.md").exists());
    std::fs::remove_file(repo.path("docs/MORE.md")).unwrap();
    repo.windlass(&["plan"]).ends(0).says("- T002 gone");
    std::fs::remove_file(repo.path("docs/SPEC.md")).unwrap();
    std::fs::remove_dir(repo.path("docs")).unwrap();
    let none = repo.windlass(&["plan"]).ends(2);
    assert!(none.stderr.contains("do not exist any more"), "{none}");
    assert!(repo.path("plans/sums/tasks/T001.md").exists());
}

#[test]
fn ideas_and_pipes_are_documents() {
    let repo = empty().file("pyproject.toml", "[tool.pytest.ini_options]\n").file("calc.py", "").committed();
    let planned = repo.windlass(&["plan", "Build a roman numeral converter that reads XIV"]).ends(0);
    assert!(planned.stdout.contains("wrote 1 task to plans/roman-numeral-converter"), "{planned}");
    let other = repo.windlass(&["plan", "Build a prime sieve"]).ends(0);
    assert!(other.stdout.contains("wrote 1 task to plans/prime-sieve"), "{other}");
}
