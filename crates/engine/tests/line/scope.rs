//! What a turn may change: its own files, files it is granted, and never frozen tests.

use windlass_core::event::{BlockReason, Event, RunEnd, TaskEvent};
use windlass_core::failure::Failure;
use windlass_core::plan::{CodeBlock, Files, Placement, Task, TestPlan, Verification};
use windlass_core::state::TaskState;
use windlass_core::wish::Wish;

use crate::bench::{Bench, id, shell_task};
use crate::seen::{blocks, commit, failure_kinds, failures, findings, leave, strict};

fn granted(events: &[Event]) -> Vec<String> {
    let files = |e: &Event| match e {
        Event::Task { event: TaskEvent::FilesGranted { files }, .. } => Some(files.clone()),
        _ => None,
    };
    events.iter().filter_map(files).flatten().collect()
}

/// A task that names its test and no other file.
fn open_task(name: &str) -> Task {
    Task { files: Files::default(), ..shell_task(name, &[]) }
}

#[test]
fn strays_are_left_out_and_the_rest_is_the_candidate() {
    let right = "echo 'echo a' > a.sh";
    let table = [
        ("a new file", "echo x > other.txt", "left out of the candidate (out-of-scope): `other.txt`"),
        ("a changed file", "echo x > README.md", "left out of the candidate (out-of-scope): `README.md`"),
        ("a deleted file", "rm README.md", "left out of the candidate (out-of-scope): `README.md`"),
        ("a mode", "chmod +x README.md", "left out of the candidate (out-of-scope): `README.md`"),
        (
            "a name with a space and quotes",
            "mkdir 'my dir'; echo x > \"my dir/it's\"",
            "left out of the candidate (out-of-scope): `my dir/it's`",
        ),
        ("two files", "echo x > one; echo y > two", "left out of the candidate (out-of-scope): `one`, `two`"),
        (
            "a stray and a frozen test",
            "echo x > one; echo true > tests/a_test.sh",
            "left out of the candidate (out-of-scope): `one`; put back as frozen (frozen-changed): `tests/a_test.sh`",
        ),
    ];
    for (what, stray, told) in table {
        let bench = strict(Bench::new(vec![shell_task("a", &[])]).agent(&format!("{right}; {stray}")));
        let (end, events) = bench.run();
        assert_eq!(end, RunEnd::Completed, "{what}: {:?}", failures(&events));
        assert_eq!(findings(&events), [told], "{what}");
        let changed = bench.git(&["diff", "--name-only", "main", "windlass/demo"]);
        assert_eq!(changed, "a.sh\ntests/a_test.sh", "{what}");
    }
}

#[test]
fn work_of_which_nothing_may_stay_is_a_failure_with_the_paths() {
    let out = |paths: &[&str]| Failure::OutOfScope { paths: paths.iter().map(|p| (*p).to_owned()).collect() };
    let never = |thing: &str| Failure::NeverTaken { things: vec![thing.to_owned()] };
    let frozen =
        |paths: &[&str]| Failure::FrozenChanged { paths: paths.iter().map(|p| (*p).to_owned()).collect() };
    let table = [
        ("echo x > b; echo y > c", out(&["b", "c"])),
        ("rm README.md", out(&["README.md"])),
        ("echo true > tests/a_test.sh", frozen(&["tests/a_test.sh"])),
        ("rm -r tests", frozen(&["tests/a_test.sh"])),
        ("echo x > b; chmod +x tests/a_test.sh; echo >> tests/a_test.sh", frozen(&["tests/a_test.sh"])),
        (
            "git init -q nested; echo x > nested/y",
            never("`nested/.git` (a repository inside the repository)"),
        ),
        ("ln -s /etc/passwd a.sh", never("`a.sh` (a symbolic link)")),
        ("mkfifo pipe; echo 'echo a' > a.sh", never("`pipe` (a pipe, socket or device)")),
    ];
    for (agent, failure) in table {
        let bench = strict(Bench::new(vec![shell_task("a", &[])]).agent(agent));
        let (_, events) = bench.run();
        assert_eq!(failures(&events), [failure], "{agent}");
        assert!(bench.subjects().is_empty(), "{agent}");
    }
}

#[test]
fn a_task_that_names_only_its_test_is_granted_the_files_it_touches() {
    let bench = strict(Bench::new(vec![open_task("a")]).agent("echo 'echo a' > a.sh"));
    let (end, events) = bench.run();
    assert_eq!(end, RunEnd::Completed, "{:?}", failures(&events));
    assert_eq!(granted(&events), ["a.sh"]);
    assert!(findings(&events).is_empty(), "nothing was left out");
}

#[test]
fn an_open_task_is_not_granted_what_others_own_nor_what_configures_tests() {
    let agent = |stray: &str| {
        format!(
            r#"case $WINDLASS_TASK in
                a) echo 'echo a' > a.sh; {stray} ;;
                b) [ -e "$HOME/go" ] || sleep 1; echo 'echo b' > b.sh ;; esac"#
        )
    };
    let bench = Bench::new(vec![open_task("a"), shell_task("b", &[])]).agent(&agent("echo x > b.sh"));
    let (_, events) = bench.run();
    let files = vec![("b.sh".to_owned(), "owned by b".to_owned())];
    assert_eq!(blocks(&events), [BlockReason::NeedsFiles { files }]);
    assert_eq!((bench.state("a"), bench.state("b")), (TaskState::Blocked, TaskState::Completed));
    for (stray, path) in [
        ("echo x > conftest.py", "conftest.py"),
        ("echo x > windlass.toml", "windlass.toml"),
        ("mkdir -p .github/workflows; echo x > .github/workflows/ci.yml", ".github/workflows/ci.yml"),
        ("echo x > tests/helper.sh", "tests/helper.sh"),
        ("mkdir -p plans; echo x > plans/x.md", "plans/x.md"),
        ("echo x > README.md", "README.md"),
    ] {
        let bench = strict(Bench::new(vec![open_task("a"), shell_task("b", &[])]).agent(&agent(stray)));
        let (end, events) = bench.run();
        assert_eq!(end, RunEnd::Completed, "{stray}: {:?}", failures(&events));
        assert_eq!(granted(&events), ["a.sh"], "{stray}");
        let told = format!("left out of the candidate (out-of-scope): `{path}`");
        assert_eq!(findings(&events), [told], "{stray}");
    }
}

#[test]
fn an_open_task_changes_an_existing_file_only_if_its_test_names_it() {
    let agent = "echo 'echo a' > a.sh; echo '# seen' >> lib.sh";
    let bench = strict(Bench::new(vec![open_task("a")]).agent(agent));
    commit(&bench, &[("lib.sh", "true\n"), ("a.sh", "echo old\n")]);
    let (end, events) = bench.run();
    assert_eq!((end, granted(&events)), (RunEnd::Completed, vec!["a.sh".to_owned()]));
    assert_eq!(findings(&events), ["left out of the candidate (out-of-scope): `lib.sh`"]);
}

#[test]
fn a_person_gives_what_the_short_list_does_not() {
    let agent = r#"echo '{"needs_files":["Makefile"]}' > $WINDLASS_RESULT; echo 'all:' > Makefile
        echo 'echo a' > a.sh"#;
    let bench = strict(
        Bench::new(vec![shell_task("a", &[]), shell_task("b", &["a"])])
            .agent(&format!("if [ $WINDLASS_TASK = a ]; then {agent}\nelse echo 'echo b' > b.sh; fi")),
    );
    let (end, _) = bench.run();
    assert_eq!((end, bench.state("a")), (RunEnd::Stuck, TaskState::Blocked));
    let files = |paths: &[&str]| paths.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>();
    leave(&bench, &Wish::Approve { task: id("a"), files: files(&["../Makefile"]) });
    leave(&bench, &Wish::Approve { task: id("b"), files: files(&["Makefile"]) });
    leave(&bench, &Wish::Approve { task: id("a"), files: files(&["Makefile"]) });
    let (end, events) = bench.run();
    assert_eq!(end, RunEnd::Completed, "{:?}", failures(&events));
    assert_eq!(bench.git(&["show", "windlass/demo:Makefile"]), "all:");
    let refused: Vec<String> = findings(&events).into_iter().filter(|f| f.contains("ignored")).collect();
    assert_eq!(refused.len(), 2, "{refused:?}");
}

#[test]
fn files_are_asked_for_in_the_answer_and_granted_or_refused_by_their_path() {
    let table = [
        (r#"["extra.sh"]"#, None),
        (r#"["extra.sh","deep/er/x.sh"]"#, None),
        (r#"["../x"]"#, Some("not a path inside the repository")),
        (r#"["/etc/passwd"]"#, Some("not a path inside the repository")),
        (r#"[".git/config"]"#, Some("not a path inside the repository")),
        (r#"["Makefile"]"#, Some("it configures tools, the runner or the build")),
        (r#"["windlass.toml"]"#, Some("it configures tools, the runner or the build")),
        (r#"["notes.txt"]"#, Some("it is not source code")),
        (r#"["tests/help.sh"]"#, Some("it is among the tests")),
        (r#"["lib/old.sh"]"#, Some("it exists, and the task does not name it")),
    ];
    for (files, refused) in table {
        let agent = format!(
            r#"echo '{{"needs_files":{files}}}' > $WINDLASS_RESULT; echo x > extra.sh; echo 'echo a' > a.sh"#
        );
        let bench = strict(Bench::new(vec![shell_task("a", &[])]).agent(&agent));
        commit(&bench, &[("lib/old.sh", "true\n")]);
        let (_, events) = bench.run();
        match refused {
            None => {
                assert_eq!(bench.state("a"), TaskState::Completed, "{files}: {:?}", failures(&events));
                assert_eq!(bench.git(&["show", "windlass/demo:extra.sh"]), "x", "{files}");
            }
            Some(why) => {
                assert_eq!(bench.state("a"), TaskState::Blocked, "{files}");
                let failures = failures(&events);
                let [Failure::NeedsFiles { files: denied }] = failures.as_slice() else {
                    panic!("{files}: {events:?}")
                };
                assert_eq!(denied[0].1, why, "{files}");
            }
        }
    }
}

#[test]
fn an_agent_that_waits_for_files_is_asked_again_and_not_for_ever() {
    let patient = r#"if [ -e "$HOME/asked" ]; then echo 'echo a' > a.sh; echo x > extra.sh; else
        touch "$HOME/asked"; echo '{"status":"blocked","needs_files":["extra.sh"]}' > $WINDLASS_RESULT; fi"#;
    let bench = strict(Bench::new(vec![shell_task("a", &[])]).agent(patient));
    let (end, events) = bench.run();
    assert_eq!((end, granted(&events)), (RunEnd::Completed, vec!["extra.sh".to_owned()]));

    let greedy =
        r#"n=$(date +%s%N); echo "{\"status\":\"blocked\",\"needs_files\":[\"f$n.sh\"]}" > $WINDLASS_RESULT"#;
    let bench = strict(Bench::new(vec![shell_task("a", &[])]).agent(greedy));
    let (_, events) = bench.run();
    assert_eq!(granted(&events).len(), 3, "three turns and no more");
    let message = "the agent kept requesting more files".to_owned();
    assert_eq!(failures(&events), [Failure::AgentError { message }]);
}

const CODE: &str = "pub fn f() -> u8 { 1 }\n";
const TESTS: &str =
    "#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() {\n        assert_eq!(super::f(), 2);\n    }\n}\n";

/// A task whose tests stand in the file that it changes. Its command looks at the text, so that no compiler is needed.
fn inline_task() -> Task {
    Task {
        id: "a".into(),
        title: "Two".into(),
        files: Files { modify: vec!["src/lib.rs".into()], ..Files::default() },
        test: TestPlan { file: Some("src/lib.rs".into()), inline: true, ..TestPlan::default() },
        test_code: vec![CodeBlock {
            path: Some("src/lib.rs".into()),
            language: Some("rust".into()),
            code: TESTS.into(),
            placement: Placement::Addition,
        }],
        verification: Some(Verification {
            script: "grep -q 'u8 { 2 }' src/lib.rs".into(),
            timeout_seconds: None,
        }),
        ..Task::default()
    }
}

#[test]
fn inline_tests_are_put_back_and_the_code_around_them_stays() {
    let fixed = CODE.replace("{ 1 }", "{ 2 }");
    let whole = format!("{fixed}\n{TESTS}");
    let put_back = "put back as frozen (frozen-changed): `src/lib.rs`";
    let table: [(&str, &str, &[&str], &str); 3] = [
        ("left alone", "sed -i 's/{ 1 }/{ 2 }/' src/lib.rs", &[], &whole),
        (
            "weakened",
            "sed -i 's/{ 1 }/{ 2 }/; s/assert_eq.*/assert!(true);/' src/lib.rs",
            &[put_back],
            &whole,
        ),
        ("deleted", "echo 'pub fn f() -> u8 { 2 }' > src/lib.rs", &[put_back], &whole),
    ];
    for (what, agent, told, text) in table {
        let bench = strict(Bench::new(vec![inline_task()]).agent(agent));
        commit(&bench, &[("src/lib.rs", CODE)]);
        let (end, events) = bench.run();
        assert_eq!(end, RunEnd::Completed, "{what}: {:?}", failures(&events));
        // The command of this task looks at the text alone, so its tests are called weak.
        let found: Vec<String> =
            findings(&events).into_iter().filter(|f| !f.starts_with("weak test")).collect();
        assert_eq!(found, told, "{what}");
        assert_eq!(bench.git(&["show", "windlass/demo:src/lib.rs"]), text.trim_end(), "{what}");
    }
}

#[test]
fn inline_tests_that_cannot_be_put_back_fail_the_attempt() {
    let table = [
        ("nothing but the tests changed", "sed -i 's/assert_eq.*/assert!(true);/' src/lib.rs"),
        (
            "cut into two modules",
            "printf 'pub fn f() -> u8 { 2 }\\n#[cfg(test)]\\nmod tests {\\n}\\n#[cfg(test)]\\nmod more {\\n    #[test]\\n    fn t() {}\\n}\\n' > src/lib.rs",
        ),
        ("the file is gone", "rm src/lib.rs"),
    ];
    for (what, agent) in table {
        let bench = strict(Bench::new(vec![inline_task()]).agent(agent));
        commit(&bench, &[("src/lib.rs", CODE)]);
        let (_, events) = bench.run();
        assert_eq!(failure_kinds(&events), ["frozen-changed"], "{what}");
        assert!(bench.subjects().is_empty(), "{what}");
    }
}

#[test]
fn two_candidates_that_change_one_file_conflict_and_the_second_is_made_again() {
    // A granted file is what two tasks at the same time can both change: b asks for it once a is merged.
    let agent = r#"echo '{"needs_files":["shared.sh"]}' > $WINDLASS_RESULT
        if [ "$WINDLASS_TASK" = b ]; then
            until git -C "$HOME/../repo" cat-file -e windlass/demo:a.sh 2>/dev/null; do sleep 0.1; done; sleep 0.5
        fi
        echo "$WINDLASS_TASK" >> shared.sh; echo "echo $WINDLASS_TASK" > "$WINDLASS_TASK.sh""#;
    let bench = Bench::new(vec![shell_task("a", &[]), shell_task("b", &[])]).agent(agent);
    let (end, events) = bench.run();
    assert_eq!(failures(&events), [Failure::Conflict { paths: vec!["shared.sh".into()] }]);
    assert_eq!(end, RunEnd::Completed);
    assert_eq!(bench.git(&["show", "windlass/demo:shared.sh"]), "a\nb");
    assert_eq!(bench.subjects(), ["a: Say a", "b: Say b"]);
}

#[test]
fn the_estimate_of_a_file_is_a_finding_and_no_limit() {
    let mut task = shell_task("a", &[]);
    task.lines.insert("a.sh".into(), 2);
    let agent = "echo 'echo a' > a.sh; for i in 1 2 3 4 5; do echo '# padding' >> a.sh; done";
    let bench = strict(Bench::new(vec![task]).agent(agent));
    let (end, events) = bench.run();
    assert_eq!(end, RunEnd::Completed);
    assert_eq!(findings(&events), ["`a.sh` has 6 new lines, 2 were estimated"]);
}
