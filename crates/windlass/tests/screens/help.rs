//! What the program says of itself.

use crate::space::Space;

#[test]
fn every_command_explains_itself() {
    let space = Space::new();
    insta::assert_snapshot!(space.run(&["--help"]), @r"
    Windlass turns specifications into verified commits.

    It carries out a plan of small, test-bounded tasks with coding agents, each in its own isolated
    clone, and lets nothing into the branch that a verifier the agents cannot reach has not seen go red,
    then green.

    Usage: windlass [OPTIONS] <COMMAND>

    Commands:
      demo         Run the whole pipeline on a bundled sample; needs no agent, key or network
      init         Set Windlass up in this repository: windlass.toml and a state directory
      plan         Make a plan from specifications, without a model
      check        Check a plan and report every finding
      explain      Explain a rule by its code, or why a task is (not) ready
      graph        Draw a plan: levels, critical path, and how long N workers would take
      export       Write a plan in another format, with progress from the journal
      import       Bring another tool's plan into `plans/`, in the native format
      run          Run a plan; continues where an earlier run stopped
      status       Show where everything stands
      show         Show one task's history: attempts, verdicts, evidence
      logs         Print what agents and commands of a task said
      diff         Show what a task changed: its commit, or its latest attempt
      ui           Watch and steer a run: tasks, logs, diffs, evidence, what waits for you
      next         List the tasks that could start now; answer a conductor's other questions
      pause        Start nothing new; running work continues
      resume       Continue after a pause
      cancel       Stop the run, or one task's attempt; finished work is kept, and the next run
                   continues
      retry        Run tasks again from the start
      reopen       Run a merged task again on top of the branch, because it is wrong
      skip         Skip tasks, and the tasks that depend on them
      approve      Let verified tasks that wait for a person be merged, or give a task more files
      answer       Answer what a task asks; it goes on with the answer
      land         Bring the integration branch home: fast-forward, or a verified merge; never forced
      sync         Bring your branch into the integration branch, by a verified merge
      pr           Push a plan's branch and evidence, and open or update its pull request
      audit        Check every evidence record again, from the commits alone
      attest       Write the evidence as in-toto statements, signed or not
      report       Report on a plan's runs: coverage, timeline, cost, fix rates
      hold-out     Store tests where no agent sees them, and print the lines for the plan
      skill        Print the skill that teaches an agent to use Windlass
      mcp          Serve the commands as tools to an agent (Model Context Protocol, over standard input
                   and output)
      config       Show which settings count here, and which file sets each
      trust        Show what windlass.toml sets beyond the sandbox, and let it count
      clean        Show what Windlass keeps on disk, and free it
      doctor       Check that everything Windlass needs is installed
      attend       Carry out attempts for a run on another machine
      completions  Print a completion script for a shell: commands, options, tasks and plans
      man          Print a manual page, or write all of them
      help         Print this message or the help of the given subcommand(s)

    Options:
      -h, --help
              Print help (see a summary with '-h')

      -V, --version
              Print version

    Everywhere:
          --color <WHEN>
              Show colours: on terminals, always or never
              
              [default: auto]

      -C, --directory <DIR>
              Work as if started in this directory

    Exit codes: 0 fine · 1 findings or failed tasks · 2 usage or unreadable input · 3 a person is needed
    · 4 environment · 130 interrupted

    Begin with `windlass demo`, or in your own repository with `windlass init`.
    --- exit 0
    ");
    for command in [
        "demo",
        "init",
        "check",
        "explain",
        "graph",
        "export",
        "import",
        "run",
        "status",
        "show",
        "logs",
        "next",
        "pause",
        "resume",
        "cancel",
        "retry",
        "skip",
        "approve",
        "ui",
        "land",
        "pr",
        "audit",
        "attest",
        "doctor",
        "completions",
    ] {
        let help = space.run(&[command, "--help"]);
        assert!(help.ends_with("--- exit 0") && help.contains("Usage: windlass"), "{help}");
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
    }
}

#[test]
fn the_commands_people_use_most() {
    let space = Space::new();
    insta::assert_snapshot!(space.run(&["run", "--help"]), @"
    Run a plan; continues where an earlier run stopped

    Usage: windlass run [OPTIONS] [PLAN]

    Arguments:
      [PLAN]  The plan: a file or folder in any known format, `-` for standard input. Without it, `plan`
              in windlass.toml, or the only folder in `plans/`

    Options:
          --from <FORMAT>      The plan's format, if it cannot be detected: native, zerg, homerun, ccw,
                               superplanner, contract, taskmaster or speckit
          --profile <PROFILE>  The lint profile: default, zerg, homerun, ccw, superplanner or contract.
                               Without it, the plan's own, then the one in windlass.toml, then the one
                               that goes with the plan's format
          --agent <AGENT>      The agent of every task, whatever its tier: `claude`, `codex`, `gemini`,
                               `qwen`, `opencode`, `mechanical`, `cmd:COMMAND`, `acp:COMMAND`,
                               `replay:FOLDER`, or a name from `[agents]`
      -j, --jobs <N>           How many attempts and verifications run at once
          --max-cost <USD>     Spend at most this many US dollars, and one answer of an agent beyond it.
                               Agents at work are ended there
          --max-tokens <N>     Use at most this many tokens, and one answer of an agent beyond it
          --dry-run            Try the set-up, show what would be done and the highest cost, and ask no
                               agent
          --briefs             With `--dry-run`: print the full brief of each task's first turn
          --until <TASK>       Run only this task and what it depends on. May be given more than once
      -y, --yes                Continue although the check has warnings, or a reviewer rejects the plan
          --record <DIR>       Record what agents change, turn by turn, for `--agent replay:DIR`
          --sandbox <RUNG>     The sandbox of agents and tests: `auto`, `bubblewrap`, `namespaces`,
                               `landlock` or `off`
          --share <PATH>       Let agents read and write this path too. May be given more than once
          --allow-unsandboxed  Let agents run without a sandbox if this machine has none
          --background         Start the run and return: it goes on by itself. `windlass status` follows
                               it, `windlass cancel` ends it
          --json               Print events as JSON, one per line
          --progress <STYLE>   How progress is shown: `live` redraws rows on a terminal, `lines` prints
                               a line per step. `auto` is `live` on a terminal and `lines` elsewhere
                               [default: auto]
      -h, --help               Print help

    Everywhere:
          --color <WHEN>     Show colours: on terminals, always or never [default: auto]
      -C, --directory <DIR>  Work as if started in this directory

    Examples:
      windlass run                              the plan of windlass.toml, or the only one in plans/
      windlass run plans/shop --agent claude    with Claude Code
      windlass run --dry-run                    what would be done, and what it may cost
      windlass run --until T7 --max-cost 5      T7 and what it needs, for at most 5 dollars
      windlass run --json | jq .kind            events for a program
    --- exit 0
    ");
    insta::assert_snapshot!(space.run(&["status", "--help"]), @"
    Show where everything stands

    Usage: windlass status [OPTIONS] [TASK|PHASE]

    Arguments:
      [TASK|PHASE]  Only this task, with its steps; or this phase, with its tasks

    Options:
      -p, --plan <PLAN>  The plan, by its name or its path; without it, the plan that was run last
          --json         Print `windlass.status/1` as JSON
          --since <SEQ>  With `--json`: only what changed after this event, as `windlass.change/1`;
                         `head.seq` of an answer is where the next one goes on
      -w, --watch        Keep watching until the run ends
          --all          List every task, however many there are
          --depth <N>    Fold everything below so many levels of parents into its parent; 0 shows only
                         the top
          --flat         List tasks one below the other, without their phases
      -h, --help         Print help

    Everywhere:
          --color <WHEN>     Show colours: on terminals, always or never [default: auto]
      -C, --directory <DIR>  Work as if started in this directory

    Examples:
      windlass status                 where everything stands, and what waits for you
      windlass status T3              one task with its steps
      windlass status --json | jq .attention
      windlass status --json --since 120     what changed after event 120, for a program that looks
      again and again
    --- exit 0
    ");
}

#[test]
fn a_slip_of_the_finger() {
    let space = Space::new();
    insta::assert_snapshot!(space.run(&["chek"]), @"
    --- told
    error: unrecognized subcommand 'chek'

      tip: a similar subcommand exists: 'check'

    Usage: windlass [OPTIONS] <COMMAND>

    For more information, try '--help'.
    --- exit 2
    ");
    insta::assert_snapshot!(space.run(&["check", "--from", "zreg"]), @"
    --- told
    error: invalid value 'zreg' for '--from <FORMAT>': `zreg` is not a plan format; known formats: native, contract, ccw, zerg, homerun, superplanner, taskmaster, speckit

    For more information, try '--help'.
    --- exit 2
    ");
}

#[test]
fn completions_for_every_shell() {
    let space = Space::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = space.run(&["completions", shell]);
        assert!(script.contains("windlass") && script.ends_with("exit 0"), "{shell}");
    }
}
