//! Agents that are not here, not logged in, too old, or not described well enough.

use crate::space::Space;

/// A repository with a plan that has nothing wrong with it, and this configuration.
fn configured(config: &str) -> Space {
    let space = Space::repository();
    space.write(
        "plans/p/tasks/a.md",
        "---\nid: a\ntitle: Say a\ntest_file: tests/a_test.sh\n---\n\n## Objective\n\nSay a.\n\n\
         ## Test Specification\n\n```sh\n# tests/a_test.sh\ntest \"$(sh a.sh)\" = a\n```\n\n\
         ## Output Files\n\n```\nWRITE: a.sh\nWRITE: tests/a_test.sh\n```\n\n\
         ## Verification (Deterministic)\n\n```bash\nsh tests/a_test.sh\n```\n",
    );
    space.write("plans/p/plan.toml", "name = \"p\"\n");
    space.write("windlass.toml", config);
    space
}

/// The last lines, from the first that begins with this word.
fn from(said: &str, word: &str) -> String {
    said.lines().skip_while(|line| !line.starts_with(word)).collect::<Vec<_>>().join("\n")
}

#[test]
fn an_agent_that_is_not_installed_is_said_before_the_run() {
    let space = configured("[agents.far]\nkind = \"qwen\"\nprogram = \"no-such-program\"\n");
    let said = space.run(&["run", "--yes", "--agent", "far", "--allow-unsandboxed"]);
    insta::assert_snapshot!(from(&said, "error"), @r"
    error: agent `far` is not installed: `no-such-program` is not on the search path
      hint: `npm install -g @qwen-code/qwen-code` installs it
      hint: `windlass doctor` shows the installed agents
    --- exit 4
    ");
}

#[test]
fn a_name_that_means_nothing_is_said_with_those_that_do() {
    let space = configured("");
    let said = space.run(&["run", "--yes", "--agent", "emacs"]);
    insta::assert_snapshot!(from(&said, "error"), @r"
    error: there is no agent `emacs`
      hint: use `claude`, `codex`, `gemini`, `qwen`, `opencode`, `mechanical`, `cmd:COMMAND`, `acp:COMMAND`, `replay:FOLDER`, or a name from `[agents]` in windlass.toml
    --- exit 2
    ");
    let space = configured("[agents.fast]\nmodel = \"m\"\n");
    insta::assert_snapshot!(from(&space.run(&["run", "--yes"]), "error"), @r#"
    error: `agents.fast` has no kind
      hint: give it a `kind`, such as `"claude"`, a `command` or an `endpoint`
    --- exit 2
    "#);
    let space = configured("[agents.fast]\nkind = \"claude\"\ncommand = \"x\"\n");
    insta::assert_snapshot!(from(&space.run(&["run", "--yes"]), "error"), @r"
    error: `agents.fast` has a command, and a kind that is not `command`
      hint: leave one of them out
    --- exit 2
    ");
    let space = configured("[agents.fast]\nkind = \"cluade\"\n");
    insta::assert_snapshot!(from(&space.run(&["run", "--yes"]), "error"), @r#"
    error[WL0904]: `agents.fast.kind` must be `"command"`, `"claude"`, `"codex"`, `"gemini"`, `"qwen"`, `"opencode"`, `"api"` or `"acp"`
      --> windlass.toml:2:8
       |
     2 | kind = "cluade"
       |        ^^^^^^^^
       = help: did you mean "claude"?

    error: `windlass.toml` has a mistake
    --- exit 2
    "#);
}

#[test]
fn doctor_says_which_agents_are_here_and_what_they_can() {
    let space = Space::repository();
    space.program("claude", "echo '2.1.325 (Claude Code)'");
    space.program("codex", "echo codex-cli 0.1.2");
    space.program("gemini", "exit 1");
    space.program("qwen", "echo 0.99.0");
    space.write_home(".claude/.credentials.json", "{}");
    let said = space.run(&["doctor"]);
    let wanted = |line: &&str| {
        let word = line.split_whitespace().nth(1).unwrap_or_default();
        ["claude", "codex", "gemini", "qwen"].contains(&word)
    };
    let lines: Vec<&str> = said.lines().filter(wanted).collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    ✓ claude         2.1.325 · logged in · resume, fork, schema, turn limit, money limit, tells cost
    ! codex          0.1.2 (not the tested version) · not logged in · resume, fork, schema
    ! gemini         version unknown (not the tested version) · not logged in · resume, fork, turn limit
    · qwen           0.99.0 (not the tested version) · not logged in · resume, fork, schema, turn limit
    ");
    let json = space.run(&["doctor", "--json"]);
    assert!(json.contains("an empty last answer is a failure"), "what is known of a program is in the JSON");
}

#[test]
fn doctor_says_that_no_agent_is_here() {
    let space = Space::repository();
    let none = "! agent          none is installed, and `windlass run` needs one";
    let said = space.run(&["doctor"]);
    assert!(said.contains(none) && said.contains("could be better"), "{said}");
    space.program("claude", "echo '2.1.325 (Claude Code)'");
    let said = space.run(&["doctor"]);
    assert!(!said.contains(none), "{said}");
}
