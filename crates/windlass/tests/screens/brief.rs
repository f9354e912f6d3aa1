//! What an agent would be told, without a run.

use crate::plans;
use crate::space::Space;

#[test]
fn a_brief_has_the_code_around_its_task() {
    let space = Space::new();
    plans::whole(&space);
    space.write("pyproject.toml", "[tool.pytest.ini_options]\n");
    space
        .write("src/model.py", "class Model:\n    def load(self, id: int) -> str:\n        return str(id)\n");
    space.write("src/start.py", "def start() -> None:\n    pass\n");
    space.write(
        "tests/test_start.py",
        "from src.start import start\n\n\ndef test_start():\n    assert start() is None\n",
    );
    insta::assert_snapshot!(space.run(&["show", "b", "--brief"]), @r#"
    # b: Add the endpoint

    Your part: write the code that makes the tests of this task pass.

    ## How it is done here
    `src/model.py`:
    ```python
    class Model:
        def load(self, id: int) -> str:
            return str(id)
    ```

    ## Conventions
    - indentation is by 4 spaces

    ## Files
    - you may change `src/endpoint.py`
    - `tests/test_endpoint.py` is frozen: do not touch it

    ## How it is checked
    ```bash
    python3 -m pytest tests/test_endpoint.py
    ```

    ## Rules
    - Change only the files listed above. If you need another one, write `{"status": "blocked", "needs_files": ["path"]}` to
      the file named by `WINDLASS_RESULT`.
    - If the tests contradict the description, do not work around them: write `{"status": "blocked", "reason": "…"}` there.
    - Do not commit. Do not change tests that are frozen, nor the configuration that runs them.
    - A claim that it is done does not count: the result is checked on a clean checkout, without other files you leave behind.
    --- told
    251 tokens of 30000
    --- exit 0
    "#);
    insta::assert_snapshot!(space.run(&["show", "b", "--brief=test-writer", "--plan", "shop"]), @r#"
    # b: Add the endpoint

    Your part: write the failing test for this task. Write tests only, no code under test. The test must fail now because the
    code is missing, and must pass once the task is done.

    ## You can rely on
    `src/model.py`
    ```python
    class Model
        def load(self, id: int) -> str
    ```

    ## How it is done here
    `tests/test_start.py`:
    ```python
    from src.start import start


    def test_start():
        assert start() is None
    ```

    ## Conventions
    - tests are written with pytest, as functions
    - tests import the code by its package, not by a relative path
    - indentation is by 4 spaces

    ## Files
    - you may change `tests/test_endpoint.py`
    - the code under test will be in `src/endpoint.py`: it is written after the test, by another agent

    ## How it is checked
    ```bash
    python3 -m pytest tests/test_endpoint.py
    ```

    ## Rules
    - Change only the files listed above. If you need another one, write `{"status": "blocked", "needs_files": ["path"]}` to
      the file named by `WINDLASS_RESULT`.
    - If the tests contradict the description, do not work around them: write `{"status": "blocked", "reason": "…"}` there.
    - Do not commit. Do not change tests that are frozen, nor the configuration that runs them.
    - A claim that it is done does not count: the result is checked on a clean checkout, without other files you leave behind.
    --- told
    344 tokens of 30000
    --- exit 0
    "#);
}

#[test]
fn a_brief_keeps_to_its_budget() {
    let space = Space::new();
    plans::whole(&space);
    let many: String = (0..40).map(|n| format!("def start_{n}() -> None:\n    pass\n")).collect();
    space.write("src/start.py", &many);
    space.write("windlass.toml", "[brief]\nmedium = 2290\n");
    let text = space.run(&["show", "b", "--brief"]);
    insta::assert_snapshot!(text.lines().skip_while(|line| !line.starts_with("## Left")).collect::<Vec<_>>().join("\n"), @"
    ## Left out to keep this short
    - a similar file: read `src/start.py`
    --- told
    233 tokens of 290
    --- exit 0
    ");
    space.write("windlass.toml", "[brief]\nmedium = 2100\n");
    insta::assert_snapshot!(space.run(&["show", "b", "--brief"]), @"
    --- told
    error: the brief of `b` has 227 tokens; the limit is 100: verification 11, files 4
      hint: shorten it, or split the task
    --- exit 2
    ");
    insta::assert_snapshot!(space.run(&["check"]).lines().take(3).collect::<Vec<_>>().join("\n"), @"
    error[WL0430]: the brief of `a` has 174 tokens; the limit is 100: files 9
      --> plans/shop/tasks/a.md:8:3
       |
    ");
}

#[test]
fn a_parent_has_no_brief() {
    let space = Space::new();
    plans::whole(&space);
    space.write("plans/shop/tasks/c.md", "---\nid: c\ntitle: Show it\n---\n");
    for part in ["c1", "c2"] {
        let text =
            format!("---\nid: {part}\ntitle: Show a part\nparent: c\nfiles: {{create: [{part}.py]}}\n---\n");
        space.write(&format!("plans/shop/tasks/{part}.md"), &text);
    }
    insta::assert_snapshot!(space.run(&["show", "c", "--brief"]), @"
    --- told
    error: `c` has no brief: it is a parent of c1, c2
      hint: `windlass show c1 --brief`
    --- exit 2
    ");
}
