//! The findings of every rule for the bad example on its page, by family: levels, message and help.

use std::fmt::Write as _;

use super::super::{Profile, RuleFamily, check, rules};
use super::{context, example, load, pools};
use windlass_code::detect::is_test_path;
use windlass_core::graph::{Overlap, SealOptions, seal};

fn findings(family: RuleFamily) -> String {
    let mut out = String::new();
    for rule in rules().filter(|rule| rule.family == family) {
        let level = |p: Profile| rule.levels.get(p).map(|level| format!("{p} {level:?}").to_lowercase());
        let levels: Vec<String> = Profile::ALL.into_iter().filter_map(level).collect();
        let _ = writeln!(out, "{} {}: {}", rule.code, rule.name, levels.join(", "));
        let profile = Profile::ALL.into_iter().find(|p| rule.levels.get(*p).is_some()).unwrap();
        let bad = example(rule.page(), "Bad");
        let loaded = load(&bad);
        let options = SealOptions {
            is_test: &is_test_path,
            max_depth: 3,
            overlap: Overlap::Order,
            tier_limits: std::collections::BTreeMap::new(),
            pools: pools(&bad),
        };
        let sealed = seal(&loaded.plan, &options).map_or_else(|found| found, |sealed| sealed.findings);
        let checked = check(&loaded.plan, &context(profile));
        for found in loaded.diagnostics.iter().chain(&sealed).chain(&checked).filter(|d| d.code == rule.code)
        {
            let _ = writeln!(out, "  {}", found.message);
            if let Some(help) = &found.help {
                let _ = writeln!(out, "    {help}");
            }
        }
    }
    out
}

#[test]
fn reading() {
    insta::assert_snapshot!(findings(RuleFamily::Reading), @r"
    WL0001 unreadable: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      the file is not UTF-8 text: byte 23 is not valid
    WL0002 syntax: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      the YAML cannot be read: unclosed bracket '['
    WL0003 wrong-type: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      `layer` cannot be read: a whole number is expected, found `second`
    WL0004 misspelt-key: default warning, zerg warning, homerun warning, ccw warning, superplanner warning, contract warning
      unknown key `depend_on`
        did you mean `depends_on`? Unknown keys are kept, but have no meaning
    WL0005 duplicate-key: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      `layer` is given twice; the last one counts
    WL0006 status-in-plan: default warning, zerg warning, homerun warning, ccw warning, superplanner warning, contract warning
      a plan holds no state; the journal records what is done
        remove `status`
    WL0007 assumed: default note, zerg note, homerun note, ccw note, superplanner note, contract note
      the task has no id; `00` is taken from the file name
    WL0008 no-tasks: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      the plan has no tasks
        put one Markdown file per task into the folder `tasks` beside `plan.toml`
    WL0009 open-fence: default warning, zerg warning, homerun warning, ccw warning, superplanner warning, contract warning
      the code fence is never closed
    WL0010 stray-line: default warning, zerg warning, homerun warning, ccw warning, superplanner warning, contract warning
      the step has no known action: write_test, verify_fail, implement, verify_pass, refactor, format or commit is expected
    WL0012 unknown-word: default warning, zerg warning, homerun warning, ccw warning, superplanner warning, contract warning
      `almost` is not one of pending, todo, in_progress, claimed, verifying, waiting_retry, complete, failed, blocked, paused; it is kept as written
    WL0013 left-out: default warning, zerg warning, homerun warning, ccw warning, superplanner warning, contract warning
      `till/task-graph.json` is another plan; `shop/task-graph.json` is read
    ");
}

#[test]
fn shape() {
    insta::assert_snapshot!(findings(RuleFamily::Shape), @r"
    WL0101 id-case-clash: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      `Parser` and `parser` differ only in case
        give one of them another id
    WL0102 no-title: default warning, zerg warning, homerun warning, ccw warning, superplanner warning, contract warning
      `T-1` has no title
        describe in a few words what it does
    WL0103 id-pattern: zerg warning, homerun warning, ccw warning, contract warning
      `setup` does not follow the pattern `LETTERS-L1-001`
    WL0104 repeated-dependency: default note, zerg note, homerun note, ccw note, superplanner note, contract note
      `T-2` depends on `T-1` twice
    WL0105 level-order: default note, zerg warning, homerun note, ccw note, superplanner note, contract note
      `T-2` (level 1) depends on `T-1` (level 2)
        the dependency sets the order; the level is only a hint
    WL0106 number-order: homerun warning
      `001` depends on `002`, which comes later by number
        number tasks in the order they are carried out
    WL0107 layer-order: default note, zerg note, homerun note, ccw note, superplanner note, contract warning
      `T-2` (layer 1) depends on `T-1` (layer 3)
        a lower layer should not need a higher one
    WL0108 chain-dependency: default note, zerg note, homerun note, ccw note, superplanner note, contract warning
      `T-3` depends on `T-1` through `T-2` already
        name only the tasks whose results it uses
    WL0109 hostile-name: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      the title of `T-1` contains `\u{1b}`
        remove the character
    WL0110 plan-name: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      `my plan!` cannot be the name of a plan: ` ` is not allowed at position 3: use letters, digits, `.`, `_`, `-`, starting with a letter or digit
        set `name`, or rename the folder
    WL0111 branch-name: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      `feature/..x` is not a branch name git allows
    WL0112 unknown-phase: default warning, zerg warning, homerun warning, ccw warning, superplanner warning, contract warning
      `T-1` is in phase `buidl`, which the plan does not list
        add it to `phases`, or use one of them
    WL0113 plan-size: ccw warning
      the plan has 19 tasks, the limit is 18
        divide it into several sessions, for example one per phase
    WL0114 flat-plan: ccw note, superplanner warning
      16 tasks without sub-projects
        group them under parents, one per phase or feature
    WL0115 sub-project-size: superplanner warning
      `P` has 10 direct parts; fewer than ten are easy to survey
        split it once more
    WL0116 hierarchy-depth: homerun warning, ccw warning
      `IMPL-1.2` is a part of a part
        two levels are enough: tasks and their parts
    WL0117 empty-sub-plan: default warning, zerg warning, homerun warning, ccw warning, superplanner warning, contract warning
      the sub-plan of `phase-2` has no tasks
    WL0118 many-phases: superplanner warning
      11 tasks at the top level; five to ten are easy to survey
        group related tasks under one phase
    WL0119 schema-field: zerg warning, homerun warning, ccw note, superplanner warning, contract note
      `SHOP-L1-001` has no valid `level`: the schema requires a number from 1 to 10
        the format's own tools reject or ignore such a task
    WL0124 part-id: homerun warning
      `009a` is a part of `002`
        the id of a part is its parent's with a letter: `002a` for `002`
    WL0150 cycle: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      dependency cycle: A → B → A
        remove one of these dependencies
    WL0151 unknown-reference: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      `A` depends on `Z`, which is not in the plan
    WL0152 self-reference: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      `A` depends on itself
        take the entry away
    WL0153 bad-id: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      `add parser` cannot be the id of a task: ` ` is not allowed at position 4: use letters, digits, `.`, `_`, `-`, starting with a letter or digit
    WL0154 duplicate-id: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      two tasks have the id `A`
        give it another id
    WL0155 too-deep: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      `e` lies 4 parents deep, the limit is 3
        make the plan flatter, or raise the limit
    WL0156 too-many-links: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      `B` depends on `A`: 2250000 links, with the others more than 2000000
        give `A` a verification of its own: it then closes with one task
    WL0157 empty-pool: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      the limit of `database` is 0: nothing that needs it can ever run
        set it to 1 or more
    WL0160 unordered-overlap: default warning, zerg warning, homerun warning, ccw warning, superplanner warning, contract warning
      unordered overlap on `src/app.py`: `B` now runs after `A`
        say it in the plan: `B` depends on `A`
    WL0161 level-only-overlap: default note, zerg note, homerun note, ccw note, superplanner note, contract note
      only levels 1 and 2 order the overlap on `src/app.py`: `B` now runs after `A`
        say it in the plan: `B` depends on `A`
    WL0162 read-before-made: default note, zerg note, homerun note, ccw note, superplanner note, contract note
      `B` reads `src/app.py`, which `A` creates: it now runs after it
        say it in the plan: `B` depends on `A`
    ");
}

#[test]
fn files() {
    insta::assert_snapshot!(findings(RuleFamily::Files), @"
    WL0201 bad-path: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      the path `../../etc/cron.d/job` contains `..`
    WL0202 later-file: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      `T-1` is verified with `tests/test_a.py`, which only the later `T-2` creates
        verify the task with files that exist by then
    WL0203 unrelated-file: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      `T-2` is verified with `src/a.py`, which `T-1` creates, and nothing orders them
        add `T-1` to `depends_on`, or verify something the task itself creates
    WL0204 other-test-file: default warning, zerg warning, homerun warning, ccw warning, superplanner warning, contract error
      the tests are in `tests/test_a.py`, but the verification runs `tests/test_b.py`
        run the file that contains the tests
    WL0205 file-twice: default warning, zerg warning, homerun warning, ccw warning, superplanner warning, contract warning
      `T-1` creates and deletes `src/a.py`
        keep the final operation
    WL0206 created-twice: default warning, zerg warning, homerun warning, ccw warning, superplanner warning, contract warning
      `src/a.py` is created by `T-1` and by `T-2`
        one task creates a file, the others modify it
    WL0207 owns-plan: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      `plans/a/plan.toml` is in `plans/`, which agents cannot see
        a plan is edited by people, not by its own tasks
    WL0208 file-by-level: default warning, zerg warning, homerun warning, ccw warning, superplanner warning, contract warning
      `T-2` is verified with `src/a.py` of `T-1`, and only levels order them
        add `T-1` to `depends_on`, or verify something the task itself creates
    WL0209 no-files: default note, zerg note, homerun note, ccw note, superplanner note, contract warning
      `T-1` changes code and names no file
        name the files it writes; otherwise it runs as a gate and changes nothing
    WL0210 writes-over: contract warning
      `TASK-001` writes `src/existing.ts`, which is there already
        use MODIFY for it
    WL0211 modifies-nothing: contract warning
      `TASK-001` modifies `src/new.ts`, which is not there
        use WRITE for a new file
    ");
}

#[test]
fn proof() {
    insta::assert_snapshot!(findings(RuleFamily::Proof), @"
    WL0301 no-proof: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      nothing verifies `T-1`
        give it a test file, a verification script, or one of the reasons for having no test
    WL0302 never-fails: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      `python -m pytest || true` cannot fail
        use the exit code of the test command
    WL0303 masked-exit-code: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      the exit code is that of `tail`, not of the test
        remove the filter, or begin with `set -o pipefail`
    WL0304 unknown-reason: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      `too simple` is not a reason for having no test
        one of documentation_only, config_static, type_definitions_only, dependency_update, delete_dead_code
    WL0305 no-test-file: homerun error
      `001` has neither a test file nor a reason for having none
        set `test_file`, or `no_test_reason`
    WL0306 not-a-test: default warning, zerg warning, homerun warning, ccw warning, superplanner warning, contract warning
      `src/parser.rs` does not look like a test file
        append `(inline tests)` if the tests are inside the source
    WL0307 mode: default note, zerg note, homerun note, ccw note, superplanner note, contract note
      T-1 runs in mode `gate`
        set `mode` to change it
    WL0308 coverage-without-tool: default warning, zerg warning, homerun warning, ccw warning, superplanner warning, contract warning
      `T-1` requires coverage, and no command measures it
        add the option of your test runner that measures it
    WL0309 reason-and-test: default warning, zerg warning, homerun warning, ccw warning, superplanner warning, contract warning
      `T-1` has a test and says `config_static`
        keep one of the two
    WL0310 reason-misfit: default warning, zerg warning, homerun warning, ccw warning, superplanner warning, contract warning
      `documentation_only` does not fit `src/a.py`
        give the task a test, or move the file to another task
    WL0311 only-looks: default note, zerg note, homerun warning, ccw note, superplanner note, contract warning
      the verification of `T-1` only looks at files
        run a test that uses the result of the task
    WL0312 bad-timeout: default warning, zerg warning, homerun warning, ccw warning, superplanner warning, contract warning
      a time limit of 0 seconds; allowed are 1 to 1800
    WL0313 bad-hash: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      the hash of `tests/h.py` is not 64 hexadecimal digits
    WL0314 left-running: default warning, zerg warning, homerun warning, ccw warning, superplanner warning, contract warning
      a command is started with `&` and its exit code is lost
        start services with `[verify] services`
    WL0315 mode-misfit: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      `T-1` is a gate and owns files
    WL0316 step-order: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      step 1 of `SHOP-L1-001`: `implement` comes before `verify_fail`: with the code there, the test does not fail
        write_test, verify_fail, implement, verify_pass, format, commit is the order of a test-first task
    ");
}

#[test]
fn size() {
    insta::assert_snapshot!(findings(RuleFamily::Size), @"
    WL0401 many-criteria: default note, zerg note, homerun error, ccw note, superplanner note, contract note
      `T-1` has 4 criteria; three are enough for one commit
        split it, one part per criterion
    WL0402 many-files: default note, zerg note, homerun error, ccw note, superplanner note, contract warning
      `T-1` changes 5 files; four are enough for one commit
        split it by layer or by file
    WL0403 many-layers: default note, zerg note, homerun error, ccw note, superplanner note, contract warning
      `T-1` spans data, logic
        make a task per layer
    WL0404 decomposable-type: homerun warning
      `001` has the type `create_service` and no parts
        give it a smaller type; a task with a single criterion is not split
    WL0405 compound-title: default note, zerg note, homerun warning, ccw note, superplanner note, contract warning
      the title of `T-1` joins two things with `and`
        make two tasks, or name what they have in common
    WL0406 many-test-files: default note, zerg note, homerun warning, ccw note, superplanner note, contract note
      `T-1` needs 2 test files
        split it by subject
    WL0407 mixed-methods: default note, zerg note, homerun warning, ccw note, superplanner note, contract note
      `T-1` changes tested code and configuration
        move the configuration to a task of its own
    WL0408 outside-world: homerun note
      `001` uses an external service (payment) and changes 2 files
        move the external service to a task of its own
    WL0409 risk-concentration: default note, zerg note, homerun warning, ccw note, superplanner note, contract note
      5 of 6 tasks depend directly on `T-0`
        split it, so that some of them can start earlier
    WL0410 divided-too-far: homerun warning
      `001` is split into 1 parts, but its type is mechanical
        merge the parts
    WL0411 part-shape: homerun note
      the part `001a` has 2 criteria
        a part does one thing in one file
    WL0412 too-long: default note, zerg warning, homerun warning, ccw note, superplanner note, contract note
      `T-1` is estimated at 180 minutes; the limit is 60
        split it
    WL0413 too-small: homerun note
      `001` (constant) is too small to be tested alone
        join it with the task that uses it
    WL0414 many-stories: homerun warning
      `001` serves 2 stories
        make a task per story
    WL0420 output-lines: contract warning
      `TASK-001` is simple and writes 40 lines; the limit is 30
        split it, or raise its complexity
    WL0421 must-split: contract error
      `TASK-001` writes 80 lines; more than 65 must be split
        make a task per function or per file
    WL0422 token-budget: contract warning
      `TASK-001` has about 591 tokens; its limit is 500
        split it, or remove text the agent does not need
    WL0423 file-lines: default note, zerg note, homerun note, ccw note, superplanner note, contract warning
      `src/a.py` is planned with 400 lines; the limit of a source file is 150
        split it into two files
    WL0424 files-to-read: contract warning
      `TASK-001` reads 3 files; the limit is two
        copy the interfaces it needs into the task
    WL0425 many-steps: contract warning
      `TASK-001` has 4 steps of work; the limit is three
        split it
    WL0426 many-functions: contract warning
      the contract of `TASK-001` has 4 functions; the limit is three
        make a task per function
    WL0427 cycle-files: ccw warning
      `IMPL-1` changes 7 files; the limit of one cycle is six
        divide it into parts
    WL0428 cycle-lines: ccw warning
      `IMPL-1` writes 3000 lines; the limit of one cycle is 2,500
        divide it into parts
    WL0429 many-stacks: ccw warning
      `IMPL-1` is written in python and typescript
        make a part per language
    WL0430 brief-too-large: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      the brief of `T-1` has 859 tokens; the limit is 500: objective 701, files 1
        shorten it, or split the task
    WL0431 no-line-estimate: contract warning
      `TASK-001` does not estimate the lines of `src/a.ts`
        for example `WRITE: src/a.ts (~40 lines)`
    WL0440 three-phases: ccw warning
      `IMPL-1` has 1 red, 1 green and 0 refactor steps
        one of each in `implementation`, in this order, by its `tdd_phase`
    WL0441 no-cycles: ccw warning
      `IMPL-1` has no cycle with test cases
        add a cycle with its count and list of test cases
    WL0442 test-count: default warning, zerg warning, homerun warning, ccw error, superplanner warning, contract warning
      `T-1` counts 5 test cases and lists 2
        give the count and name every case
    WL0443 unmeasured-coverage: ccw warning
      a cycle of `IMPL-1` has no coverage in per cent
        for example `>=85%`
    WL0444 uncounted-scope: ccw warning
      a cycle of `IMPL-1` has no counted scope
        for example `2 functions in src/login.ts, 40 lines`
    WL0445 no-fix-limit: ccw warning
      `IMPL-1` has no limit for its test-and-fix rounds
        set `max_iterations`, usually to 3
    WL0446 no-focus: ccw warning
      `IMPL-1` has no `focus_paths`: its scope is not clear
        list the files and folders it works on
    WL0447 uncounted-refactoring: ccw warning
      the refactor step of `IMPL-1` counts nothing in its description
        for example `Apply 2 refactorings: [name the limit, extract the parser]`
    WL0448 uncounted-red: ccw warning
      the red step of `IMPL-1` counts nothing in its description
        for example `Write 2 test cases: [adds, refuses a zero]`
    WL0449 uncounted-green: ccw warning
      the green step of `IMPL-1` counts nothing in its description
        for example `Implement 2 functions in src/login.ts lines 1-40: [check() 1-20, hash() 21-40]`
    WL0450 no-tdd-workflow: ccw warning
      `IMPL-1` does not say `meta.tdd_workflow: true`
        add it: the session is a TDD workflow
    WL0451 no-pre-analysis: ccw warning
      `IMPL-1` has no `pre_analysis`
        add a step that reads the integration points of the change
    ");
}

#[test]
fn words() {
    insta::assert_snapshot!(findings(RuleFamily::Words), @"
    WL0501 vague-task: default note, zerg note, homerun warning, ccw warning, superplanner note, contract warning
      `Implement the service layer` does not say what `T-1` does
        name the functions, endpoints or files
    WL0502 pattern-elsewhere: default note, zerg note, homerun note, ccw note, superplanner note, contract warning
      `T-1` says `follow the existing pattern`
        copy the pattern into the task
    WL0503 own-judgement: default note, zerg note, homerun note, ccw note, superplanner note, contract warning
      `T-1` says `use your judgement`
        list the cases and the result of each
    WL0504 edge-cases: default note, zerg note, homerun note, ccw note, superplanner note, contract warning
      `T-1` says `handle edge cases`
        list every case
    WL0505 similar-to: default note, zerg note, homerun note, ccw note, superplanner note, contract warning
      `T-1` says `similar to how`
        repeat the description; an agent does not know other tasks
    WL0506 multi-file: contract warning
      `TASK-001` changes 3 source files at once
        make a task per file; an index that exports it may be included
    WL0507 placeholder: default warning, zerg warning, homerun warning, ccw warning, superplanner warning, contract error
      the code of `T-1` has a placeholder: `// ...`
        write it out
    WL0508 prose-only: contract warning
      `TASK-001` is described in prose only
        give it a contract and tests
    WL0509 contract-without-path: contract warning
      the contract of `TASK-001` does not name its file
        begin it with a comment that is the path
    WL0510 contract-prose: contract warning
      the contract of `TASK-001` has prose in it
        say it as a signature or as a test
    WL0511 contract-body: contract warning
      the contract of `TASK-001` has an implementation in it: `return a + b;`
        keep signatures and types only
    WL0512 interface-without-dependency: default warning, zerg warning, homerun warning, ccw warning, superplanner warning, contract error
      `T-2` uses an interface of `T-1` and does not depend on it
        add it to `depends_on`
    WL0513 interface-without-source: contract warning
      an interface in `TASK-002` does not name the task that provides it
        begin it with a comment `From TASK-001: name`
    WL0514 interface-differs: default warning, zerg warning, homerun warning, ccw warning, superplanner warning, contract error
      `add` is declared differently in the contract of `T-1`
        copy the declaration from the contract
    WL0515 long-interface: contract warning
      an interface in `TASK-002` has 32 lines
        keep only the functions that the task calls; five lines are usual
    WL0516 untested-export: default note, zerg note, homerun note, ccw note, superplanner note, contract warning
      no test of `T-1` names `add`
        test what the contract promises
    WL0517 no-error-case: default note, zerg note, homerun note, ccw note, superplanner note, contract warning
      the tests of `T-1` have no error case
        test a wrong or missing input
    WL0518 subjective: default note, zerg note, homerun note, ccw note, superplanner note, contract warning
      `clean` cannot be checked
        name something a command can check
    WL0519 test-count-differs: default warning, zerg warning, homerun warning, ccw warning, superplanner warning, contract error
      the check list of `T-1` counts 2 tests; there are 1
    WL0520 no-check-list: contract warning
      `TASK-001` has no check list
        add the section Done When
    WL0521 missing-section: contract warning
      `TASK-001` has no `## Test Specification`, `## Output Files`, `## Verification`
        an agent that sees nothing else needs all six sections
    WL0522 contract-elsewhere: contract warning
      the contract of `TASK-001` is about `src/b.ts`, which it does not write
        name the file in Output Files, or correct the path
    WL0523 open-question: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      `T-1` needs an answer: Log in by [NEEDS CLARIFICATION: mail or name?]
        answer it in the document or in the task, and take the mark out
    ");
}

#[test]
fn trace() {
    insta::assert_snapshot!(findings(RuleFamily::Trace), @r"
    WL0601 adjective-only: default warning, zerg note, homerun warning, ccw note, superplanner note, contract note
      `AC-1` cannot be tested: it names a quality and no observable result
        name the visible result, as in `The page shows …` or `The page contains …`
    WL0602 vague-outcome: default warning, zerg note, homerun warning, ccw note, superplanner note, contract note
      `AC-1` cannot be tested: its outcome cannot be checked
        name the outcome, as in `given …, when …, then Login returns …`
    WL0603 no-threshold: default warning, zerg note, homerun warning, ccw note, superplanner note, contract note
      `AC-1` cannot be tested: it names no number
        name a limit, as in `Search < 200 ms`; then `expect(duration).toBeLessThan(200)`
    WL0604 passive-outcome: default warning, zerg note, homerun warning, ccw note, superplanner note, contract note
      `AC-1` cannot be tested: it does not say what happens
        name the result, as in `Errors: the response is 400 with a message`
    WL0605 no-assertion: homerun note
      `AC-1` of `001` has no assertion yet
        perhaps `expect(response.status).toBe(201)`
    WL0606 coverage-gap: default warning, zerg warning, homerun error, ccw warning, superplanner warning, contract warning
      no task covers `AC-1`
        add it to the `traces_to` of a task, or add a task
    WL0607 untraced: default note, homerun warning
      `T-1` traces to no story, criterion or decision
        name its reason in `traces_to`
    WL0608 unknown-criterion: default warning, zerg warning, homerun warning, ccw warning, superplanner warning, contract warning
      `T-1` traces to `AC-9`, which is not in the plan
    WL0609 no-criteria: homerun warning
      `001` has no acceptance criteria
        take them from the specification
    ");
}

#[test]
fn routing() {
    insta::assert_snapshot!(findings(RuleFamily::Routing), @r"
    WL0701 tier-misfit: default note, zerg note, homerun warning, ccw note, superplanner note, contract note
      `T-1` has the type `architectural`; `small` is too small for it
        use `large`, or split the task
    WL0702 unknown-type: homerun warning
      `add_stuff` is not a known type of task
        see the guide for the types and their models
    WL0703 method-misfit: ccw note
      `IMPL-1` (0 test cases, 0 files) does not choose a method
        up to 5 test cases and 3 files go to an agent, more to a tool
    WL0704 session-id: ccw warning
      the session of `IMPL-1` is `other`; `WFS-a-IMPL-1` is usual
        its id is that of the plan's session and of the task
    WL0705 same-session: default error, zerg error, homerun error, ccw error, superplanner error, contract error
      `T-1` and `T-2` have the session `s`
        give each task a session of its own
    WL0706 session-strategy: default note, zerg note, homerun note, ccw warning, superplanner note, contract note
      the session of `T-1` has strategy `fork`; its dependencies imply `new`
    WL0707 session-from: default note, zerg note, homerun note, ccw warning, superplanner note, contract note
      the session of `T-2` continues `s-T-9`, which is not a session of its dependencies
    WL0708 no-resume: ccw warning
      `IMPL-1` is for a command-line tool and cannot be resumed
        set `enable_resume` to true
    WL0709 direct-code: default note, zerg note, homerun warning, ccw note, superplanner note, contract note
      `T-1` changes `src/a.py` and is not test-driven
        `direct` is for configuration and documentation
    WL0710 no-tool: ccw note
      `IMPL-1` is for a command-line tool and names none
        set `agent`
    ");
}
