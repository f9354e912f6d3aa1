//! Which plan is meant, and what cannot be read.

use std::fs;

use crate::plans;
use crate::space::Space;

#[test]
fn no_plan_and_too_many() {
    let space = Space::new();
    insta::assert_snapshot!(space.run(&["check"]), @"
    --- told
    error: no plan was named, and there is none in `plans/`
      hint: make one: `windlass plan DOCUMENT`; `windlass demo` shows how it goes on
      hint: a plan elsewhere is named by its path: `windlass check PATH`
    --- exit 2
    ");
    space.write("docs/tasks.json", "{}");
    space.write(".workflow/active/WFS-shop/workflow-session.json", "{}");
    space.write(".workflow/active/WFS-empty/notes.md", "");
    insta::assert_snapshot!(space.run(&["check"]).lines().nth(2).unwrap_or_default(), @"  hint: there is `docs/tasks.json`, `.workflow/active/WFS-shop`: name it, or set `plan` in windlass.toml");
    insta::assert_snapshot!(space.run(&["check", "nowhere"]), @"
    --- told
    error: `nowhere` does not exist
    --- exit 2
    ");
    space.write("plans/one/plan.toml", "name = \"one\"\n");
    space.write("plans/two/plan.toml", "name = \"two\"\n");
    insta::assert_snapshot!(space.run(&["check"]), @r#"
    --- told
    error: no plan was named, and `plans/` holds 2
      hint: name one of `plans/one`, `plans/two`
      hint: or set `plan = "…"` in windlass.toml
    --- exit 2
    "#);
    insta::assert_snapshot!(space.run(&["check", "three"]), @"
    --- told
    error: `three` does not exist
      hint: plans here: `plans/one`, `plans/two`
    --- exit 2
    ");
    space.write("windlass.toml", "plan = \"plans/three\"\n");
    insta::assert_snapshot!(space.run(&["check"]), @"
    --- told
    error: `plans/three` does not exist
      hint: `plan` in windlass.toml names it
    --- exit 2
    ");
}

#[test]
fn a_plan_by_its_name_alone() {
    let space = Space::new();
    plans::whole(&space);
    space.write("plans/other/plan.toml", "name = \"other\"\n");
    assert!(space.run(&["check", "shop"]).contains("plan `shop` (native, 3 tasks)"));
}

#[test]
fn what_is_no_plan() {
    let space = Space::new();
    space.write("notes.md", "# Notes\n\nNothing to do.\n");
    insta::assert_snapshot!(space.run(&["check", "notes.md"]), @"
    --- told
    error: `notes.md` is not a plan in a known format
      hint: known formats: native, contract, ccw, zerg, homerun, superplanner, taskmaster, speckit; name one with `--from`
    --- exit 2
    ");
    space.write("empty.json", "");
    insta::assert_snapshot!(space.run(&["check", "empty.json"]), @"
    --- told
    error: `empty.json` is not a plan in a known format
      hint: known formats: native, contract, ccw, zerg, homerun, superplanner, taskmaster, speckit; name one with `--from`
    --- exit 2
    ");
    fs::create_dir(space.work().join("void")).unwrap();
    insta::assert_snapshot!(space.run(&["check", "void"]), @"
    --- told
    error: `void` is not a plan in a known format
      hint: known formats: native, contract, ccw, zerg, homerun, superplanner, taskmaster, speckit; name one with `--from`
    --- exit 2
    ");
}

#[test]
fn a_plan_larger_than_any() {
    let space = Space::new();
    // A file with a hole: it has the size and takes no room.
    let file = fs::File::create(space.work().join("huge.json")).unwrap();
    file.set_len(300 * 1024 * 1024).unwrap();
    insta::assert_snapshot!(space.run(&["check", "huge.json"]), @"
    --- told
    error: `huge.json` is larger than any plan: the limit is 256 MB
    --- exit 2
    ");
}

#[test]
fn a_plan_from_standard_input() {
    let space = Space::new();
    let plan = r#"{"feature": "f", "tasks": [{"id": "T-1", "title": "One", "level": 1, "dependencies": [],
        "files": {"create": ["a.py"]}, "verification": {"command": "pytest tests/test_a.py"}}]}"#;
    insta::assert_snapshot!(space.run_with(&["check", "-", "--from", "zerg", "--profile", "default"], plan), @"
    plan `f` (zerg, 1 task): no findings
    --- exit 0
    ");
}

#[test]
fn two_formats_in_one_folder() {
    let space = Space::new();
    plans::whole(&space);
    space.write(
        "plans/shop/task-graph.json",
        r#"{"feature": "f", "tasks": [{"id": "T-1", "title": "One", "level": 1, "dependencies": []}]}"#,
    );
    insta::assert_snapshot!(space.run(&["check"]), @"
    --- told
    error: `plans/shop` could be read as native, zerg
      hint: say which with `--from native`
    --- exit 2
    ");
}

#[test]
fn what_could_start_now() {
    let space = Space::new();
    plans::whole(&space);
    insta::assert_snapshot!(space.run(&["next"]), @"
    a  pending      Add the model

    3 total · 3 pending · 1 ready
    --- exit 0
    ");
    insta::assert_snapshot!(space.run(&["next", "--json"]), @r#"
    {"schema":"windlass.next/1","plan":"shop","ready":[{"id":"a","title":"Add the model","state":"pending","mode":"tdd","priority":1800}],"counts":{"total":3,"pending":3,"in_progress":0,"testing":0,"test_failed":0,"completed":0,"failed":0,"blocked":0,"skipped":0,"ready":1}}
    --- exit 0
    "#);
    insta::assert_snapshot!(space.run(&["next", "--input", "b", "--json"]), @r#"
    {"schema":"windlass.next/1","plan":"shop","task":{"id":"b","title":"Add the endpoint","objective":"","criteria":[],"test":{"file":"tests/test_endpoint.py"},"files":{"create":["src/endpoint.py"],"modify":[],"read":[],"delete":[]},"contract":[],"interfaces":[],"test_code":[],"verification":null,"done_when":[]},"specs":[],"worktree_path":null}
    --- exit 0
    "#);
    insta::assert_snapshot!(space.run(&["next", "--task", "b"]), @r"
    ---
    id: b
    title: Add the endpoint
    depends_on: [a]
    test_file: tests/test_endpoint.py
    ---

    # b: Add the endpoint

    ## Output Files

    ```
    WRITE: src/endpoint.py
    ```
    --- exit 0
    ");
    insta::assert_snapshot!(space.run(&["next", "--task", "zz"]), @"
    --- told
    error: there is no task `zz`
      hint: tasks: a, b, c
    --- exit 2
    ");
}

#[test]
fn out_and_in_again() {
    let space = Space::new();
    plans::whole(&space);
    insta::assert_snapshot!(space.run(&["export", "--to", "native"]), @"
    --- told
    error: this format is a folder of 4 files
      hint: say where to write it: `-o FOLDER`
    --- exit 2
    ");
    insta::assert_snapshot!(space.run(&["export", "--to", "taskmaster", "-o", "out"]), @"
    wrote out/tasks.json
    --- exit 0
    ");
    insta::assert_snapshot!(space.run(&["export", "--to", "taskmaster", "-o", "out"]), @"
    --- told
    error: `out/tasks.json` exists
      hint: choose another place with `-o`, or pass `--force`
    --- exit 2
    ");
    let json = space.run(&["export", "--to", "json"]);
    assert!(json.starts_with("{\n  \"schema\": \"windlass.plan/1\",\n  \"name\": \"shop\""), "{json}");
    insta::assert_snapshot!(space.run(&["import", "out", "-o", "plans/back"]), @"
    read 3 tasks from taskmaster and wrote 4 files below plans/back

    next: `windlass check plans/back`
    --- exit 0
    ");
    assert!(space.read("plans/back/plan.toml").contains("shop"));
}
