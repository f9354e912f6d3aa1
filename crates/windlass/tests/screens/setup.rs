//! The first minutes with Windlass.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::space::Space;

#[test]
fn init_writes_a_file_that_says_everything() {
    let space = Space::repository();
    insta::assert_snapshot!(space.run(&["init"]), @r#"
    wrote windlass.toml
    state is kept in .git/windlass (only you can read it)

    next: describe what you want in a document, then `windlass plan DOCUMENT`;
          `windlass init --spec` writes one to fill in, `windlass plan "an idea"` takes a sentence
    --- exit 0
    "#);
    insta::assert_snapshot!(space.run(&["init"]), @r#"
    kept the existing windlass.toml
    state is kept in .git/windlass (only you can read it)

    next: describe what you want in a document, then `windlass plan DOCUMENT`;
          `windlass init --spec` writes one to fill in, `windlass plan "an idea"` takes a sentence
    --- exit 0
    "#);
    let state = space.work().join(".git/windlass");
    assert_eq!(fs::metadata(state).unwrap().permissions().mode() & 0o777, 0o700);
    let file = space.read("windlass.toml");
    insta::assert_snapshot!(file.lines().take(24).collect::<Vec<_>>().join("\n"), @r#"
    # Windlass configuration. Every key stands here with its default, commented out.
    # docs/guide/configuration.md says the same at more length.

    # The oldest version of Windlass that understands this file: `"0.2"`. An older one says so and does
    # nothing.
    # needs = …

    # The default plan of commands: a file or a folder, relative to this file.
    # plan = …

    # The prefix of integration branches; the plan's name follows.
    # branch_prefix = "windlass/"

    # The lint profile of plans that name none: `default`, `zerg`, `homerun`, `ccw`, `superplanner` or
    # `contract`.
    # profile = …

    # Continue without asking if a check has warnings.
    # auto_mode = false

    # The agents that carry tasks out.
    # [agents]

    # The agent for small tasks: `claude`, `codex`, `gemini`, `qwen`, `opencode`, `mechanical`,
    "#);
    // Every key that has a default may be taken out of its comment. Services have none: each must have a name.
    let (before, after) = file.split_once("# [[verify.services]]").unwrap();
    let after = &after[after.find("\n# [setup]").unwrap()..];
    let is_key = |line: &&str| line.starts_with('[') || (line.contains(" = ") && !line.contains(['…', '`']));
    let lines = before.lines().chain(after.lines()).map(|line| line.trim_start_matches("# "));
    let alive = lines.filter(is_key).collect::<Vec<_>>().join("\n");
    assert!(alive.contains("jobs = 2"), "{alive}");
    space.write("windlass.toml", &alive);
    let said = space.run(&["check"]);
    assert!(said.contains("no plan was named"), "{said}");
}

#[test]
fn init_needs_a_repository() {
    let space = Space::new();
    insta::assert_snapshot!(space.run(&["init"]), @"
    --- told
    error: `[TEMP]/work` is not inside a git repository
      hint: run `git init` and make a first commit
    --- exit 4
    ");
}

#[test]
fn doctor_says_what_is_missing() {
    let space = Space::new();
    let said = space.run(&["doctor"]);
    insta::assert_snapshot!(said.lines().take(2).collect::<Vec<_>>().join("\n"), @"
    ✗ git            `[TEMP]/work` is not inside a git repository
                     hint: run `git init` and make a first commit
    ");
    assert!(said.ends_with("exit 4"), "{said}");
    let space = Space::repository();
    let said = space.run(&["doctor", "--json"]);
    assert!(said.contains("\"windlass.doctor/1\"") && said.contains("Ada <ada@example.org>"), "{said}");
}

#[test]
fn state_needs_a_repository() {
    let space = Space::new();
    insta::assert_snapshot!(space.run(&["status"]), @"
    --- told
    error: `[TEMP]/work` is not inside a git repository
      hint: state is kept in the repository; `windlass check` and `graph` need none
    --- exit 4
    ");
}
