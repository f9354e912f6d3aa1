//! From documents to a plan, as a person sees it.

use crate::space::Space;

const PRD: &str = "# PRD: Shop\n\n### US-1: Fill a cart\n**As a** customer\n**I want** to fill a cart\n\n**Acceptance Criteria:**\n- [ ] A cart holds at most 50 lines\n- [ ] Adding nothing raises ValueError in `cart.py`\n\n## Weather\n\nIt rains.\n";
const DESIGN: &str = "# Technical Design: Shop\n\n## File Ownership\n\n| File | Task | Operation |\n|---|---|---|\n| `src/cart.py` | T-1 | create |\n| `../outside.py` | T-1 | modify |\n| `src/total.py` | T-2 | create |\n\nT-2 depends on T-1.\n";

fn documents(space: &Space) {
    space.write("docs/PRD.md", PRD);
    space.write("docs/design.md", DESIGN);
}

#[test]
fn documents_become_a_plan_that_passes() {
    let space = Space::new();
    documents(&space);
    insta::assert_snapshot!(space.run(&["plan", "docs"]), @r"
    wrote 2 tasks to plans/shop
    criteria: 2 of 2 have a task that serves them
    documents: 3 lines came to no task; `--review` shows which

    next: `windlass plan --review` shows what was asked beside what will be done;
          no agent is installed that could carry it out: `npm install -g @anthropic-ai/claude-code` installs one,
          `--agent cmd:COMMAND` takes any program, and `windlass doctor` lists what is here
    --- told
    ✓ documents: 2 files read
    ✓ code: 2 files, 0 source files
    ✓ specification: 1 story, 2 criteria, 2 stated tasks
    ✓ plan: 2 tasks
    not placed: `../outside.py` is outside the repository (docs/design.md:8)
    --- exit 0
    ");
    let again = space.run(&["plan", "docs"]);
    assert!(again.contains("the documents say what they said: 2 tasks untouched"), "{again}");
    let checked = space.run(&["check", "plans/shop"]);
    assert!(checked.contains("--- exit 0") || !checked.contains("--- exit"), "{checked}");
    let task = space.read("plans/shop/tasks/T-1.md");
    assert!(task.contains("test_file: tests/test_cart.py"), "{task}");
}

#[test]
fn a_list_of_tasks_is_no_document() {
    let space = Space::new();
    space.write("specs/001/tasks.md", "# Tasks\n\n- [ ] T001 Create src/a.py\n");
    space.write("specs/001/checklists/quality.md", "# Quality\n\n## Acceptance Criteria\n\n- none\n");
    insta::assert_snapshot!(space.run(&["plan", "specs/001"]), @r"
    --- told
    error: there are no documents to plan from
      hint: `specs/001/tasks.md` is a plan already: see `windlass check specs/001`
      hint: documents are Markdown files: PRD.md, design.md, requirements.md, spec.md, …
    --- exit 2
    ");
}

#[test]
fn a_plan_is_printed_in_any_format() {
    let space = Space::new();
    documents(&space);
    let json = space.run(&["plan", "docs", "--stdout", "--format", "json", "--yes"]);
    assert!(json.contains("\"id\": \"T-2\""), "{json}");
    let zerg = space.run(&["plan", "docs", "--stdout", "--format", "zerg"]);
    assert!(zerg.contains("\"feature\": \"shop\""), "{zerg}");
}

#[test]
fn what_cannot_be_planned_is_refused_with_a_reason() {
    let space = Space::new();
    space.write("empty/notes.txt", "nothing");
    insta::assert_snapshot!(space.run(&["plan", "empty"]), @r"
    --- told
    error: there are no documents to plan from
      hint: documents are Markdown files: PRD.md, design.md, requirements.md, spec.md, …
    --- exit 2
    ");
    space.write("prose.md", "\u{feff}# Thoughts\r\n\r\nNothing but prose.\r\n");
    insta::assert_snapshot!(space.run(&["plan", "prose.md"]), @"
    --- told
    ✓ documents: 1 file read
    ✓ code: 2 files, 0 source files
    ✓ specification: nothing
    error: nothing to plan was found in `prose.md`
      hint: acceptance criteria, user stories, components or a table of files are what a plan is made from
      hint: a bare idea needs an agent, which proposes phases first: `--agent NAME`
      hint: see docs/guide/writing-specs.md
    --- exit 2
    ");
    space.write("wish.md", "# Wish\n\n## Acceptance Criteria\n\n- It shines\n");
    insta::assert_snapshot!(space.run(&["plan", "wish.md"]), @"
    wrote 1 task to plans/wish
    criteria: 1 of 1 have a task that serves them

    next: `windlass plan --language NAME` says in which language, and gives the tasks their files
    --- told
    ✓ documents: 1 file read
    ✓ code: 3 files, 0 source files
    ✓ specification: 1 criterion
    ✓ plan: 1 task
    language: the documents name none, and there is no code; until it is known, the tasks own no files (wish.md:5)
      help: say it in the documents, or `windlass plan --language NAME`
    --- exit 1
    ");
    insta::assert_snapshot!(space.run(&["plan", "wish.md", "--language", "cobol"]), @r"
    --- told
    error: invalid value 'cobol' for '--language <LANGUAGE>': `cobol` is not one of python, rust, javascript, typescript, tsx, go, java, c, cpp, ruby, csharp, php

    For more information, try '--help'.
    --- exit 2
    ");
    insta::assert_snapshot!(space.run(&["plan", "wish.md", "--language", "python", "--phase", "2"]), @"
    --- told
    ✓ documents: 1 file read
    ✓ code: 6 files, 0 source files
    ✓ specification: 1 criterion
    error: no phase 2; the documents have none
      hint: `windlass plan` without `--phase` plans all of it
    --- exit 2
    ");
    insta::assert_snapshot!(space.run(&["plan", "--language", "python"]), @"
    the language changed; tasks: 1 new, 1 changed
    + T002 new  Set up the project wish
    ~ T001 changed  Build wish
        also: mode, test, files, notes
    plans/wish has 2 tasks
    criteria: 1 of 1 have a task that serves them

    next: `windlass plan --review` shows what was asked beside what will be done;
          no agent is installed that could carry it out: `npm install -g @anthropic-ai/claude-code` installs one,
          `--agent cmd:COMMAND` takes any program, and `windlass doctor` lists what is here
    --- told
    ✓ documents: 1 file read
    ✓ code: 6 files, 0 source files
    ✓ specification: 1 criterion
    ✓ plan: 2 tasks
    assumed: the documents give Wish no file; assuming `wish/wish.py` (a new file, named after it) (wish.md:5)
      help: name it in a file ownership table
    --- exit 0
    ");
    space.write("binary.md", "a\0b");
    insta::assert_snapshot!(space.run(&["plan", "binary.md"]), @r"
    --- told
    error: there are no documents to plan from
      hint: `binary.md` is not text
      hint: documents are Markdown files: PRD.md, design.md, requirements.md, spec.md, …
    --- exit 2
    ");
    insta::assert_snapshot!(space.run(&["plan", "nowhere.md"]), @r"
    --- told
    error: `nowhere.md` does not exist
      hint: name documents, a folder of them, a `state.json`, or a session folder
    --- exit 2
    ");
}

#[test]
fn homerun_s_input_is_answered() {
    let space = Space::new();
    space.write("tree/docs/PRD.md", PRD);
    space.write("tree/docs/ADR.md", "# ADR-001: Memory\n\n**Decision**: Carts live in memory.\n");
    space.write("tree/docs/TECHNICAL_DESIGN.md", DESIGN);
    let input = r#"{"worktree_path": "tree", "session_id": "shop-1", "branch": "create/shop-1",
        "spec_paths": {"prd": "docs/PRD.md", "adr": "docs/ADR.md", "technical_design": "docs/TECHNICAL_DESIGN.md"}}"#;
    space.write("input.json", input);
    let said = space.run(&["plan", "--input", "input.json"]);
    assert!(said.contains("\"signal\": \"PLANNING_COMPLETE\""), "{said}");
    assert!(said.contains("\"tasks_count\": 2"), "{said}");
    let tasks = space.read("tree/docs/tasks.json");
    assert!(tasks.contains("\"AC-001\""), "{tasks}");
    space.write("bad.json", "{}");
    assert!(space.run(&["plan", "--input", "bad.json"]).contains("`worktree_path`"));
}

/// In a directory without code, what the plan makes says how its tests are run.
#[test]
fn a_project_that_is_only_planned_has_commands() {
    let space = Space::new();
    let text = "# Cart\n\n## Acceptance Criteria\n\n- AC-1: the total is shown\n\n## Testing\n\nUnit tests with Vitest.\n\n## File Changes\n\n| File | Operation | What |\n|---|---|---|\n| package.json | create | the package |\n| src/cart.ts | create | add up |\n";
    space.write("docs/design.md", text);
    let said = space.run(&["plan", "docs", "--stdout"]);
    let kept = |line: &&str| {
        line.contains("vitest") || line.contains("tests are run") || line.contains("depends_on")
    };
    insta::assert_snapshot!(said.lines().filter(kept).collect::<Vec<_>>().join("\n"), @"
    depends_on: [T001]
       run: `npx --no-install vitest run src/cart.test.ts`
       run: `npx --no-install vitest run src/cart.test.ts`
    npx --no-install vitest run src/cart.test.ts
    assumed: tests are run as `package.json` says, which the plan creates
    ");
}
