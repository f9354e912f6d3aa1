//! E. Git: what an agent can do to the repository it is given, and to git around it. Nothing of it may be executed by
//! Windlass, and nothing may go unseen.

use windlass_core::event::AttemptEnd;
use windlass_core::ids::TaskId;
use windlass_engine::chronicle::Chronicle;
use windlass_testkit::{PlanTask, TestRepo};

const STRICT: &str = "[ladder]\nbug_hunter = 0\nsame_agent = 0\nfresh_agent = 0\ntier_up = 0\n";

/// What an attack must lead to.
enum Outcome {
    /// The task is completed without this path, which is named in a finding.
    LeftOut(&'static str),
    /// The work is honest: it is taken, and the attack has no effect.
    Taken,
    /// It is refused, and the refusal says this.
    Refused(&'static str),
}

struct Attack {
    id: &'static str,
    what: &'static str,
    agent: &'static str,
    outcome: Outcome,
}

/// `{trap}` is a program that leaves a mark when anything runs it.
const ATTACKS: [Attack; 14] = [
    Attack {
        id: "hooks",
        what: "46: hooks in its repository",
        agent: "shell for h in pre-commit post-commit post-checkout post-index-change reference-transaction update; do mkdir -p .git/hooks; cp {trap} .git/hooks/$h; done",
        outcome: Outcome::Taken,
    },
    Attack {
        id: "fsmonitor",
        what: "46: a file-system monitor",
        agent: "shell git config core.fsmonitor {trap}; git config core.fsmonitorHookVersion 2",
        outcome: Outcome::Taken,
    },
    Attack {
        id: "filters",
        what: "46: filters and external diffs by attributes",
        agent: "shell git config filter.evil.clean {trap}; git config filter.evil.smudge {trap}; git config diff.external {trap}; mkdir -p .git/info; echo '* filter=evil diff=evil' >.git/info/attributes",
        outcome: Outcome::Taken,
    },
    Attack {
        id: "attributes",
        what: "46: a .gitattributes file that it does not own",
        agent: "shell git config filter.evil.clean {trap}; echo '* filter=evil text eol=crlf ident' >.gitattributes",
        outcome: Outcome::LeftOut("`.gitattributes`"),
    },
    Attack {
        id: "programs",
        what: "46: programs named in its configuration",
        agent: "shell for k in core.pager core.editor core.sshCommand core.askPass gpg.program credential.helper sequence.editor core.gitProxy; do git config $k {trap}; done; git config alias.status '!{trap}'",
        outcome: Outcome::Taken,
    },
    Attack {
        id: "redirect",
        what: "47: a `.git` file that leads elsewhere",
        agent: "shell git init -q --bare elsewhere.tmp && mv elsewhere.tmp $HOME/elsewhere-$WINDLASS_TASK; cp {trap} $HOME/elsewhere-$WINDLASS_TASK/hooks/post-checkout; rm -rf .git; echo \"gitdir: $HOME/elsewhere-$WINDLASS_TASK\" >.git",
        outcome: Outcome::Taken,
    },
    Attack {
        id: "replace",
        what: "45: replaced objects",
        agent: "shell new=$(echo evil | git hash-object -w --stdin); git replace $(git rev-parse HEAD:README.md) $new; git replace --edit HEAD </dev/null",
        outcome: Outcome::Taken,
    },
    Attack {
        id: "nested",
        what: "48: a nested repository that hides content",
        agent: "nested-repo vendor/inner",
        outcome: Outcome::Refused("a repository inside the repository"),
    },
    Attack {
        id: "gitlink",
        what: "48: a submodule",
        agent: "nested-repo sub\nshell git add sub 2>/dev/null; printf '[submodule \"sub\"]\\n\\tpath = sub\\n\\turl = ext::{trap}\\n' >.gitmodules",
        outcome: Outcome::Refused("a repository inside the repository"),
    },
    Attack {
        id: "prune",
        what: "49: gc, prune, and no reflog",
        agent: "shell git reflog expire --expire=now --all; git gc -q --prune=now --aggressive; rm -rf .git/logs .git/objects/pack/*.idx",
        outcome: Outcome::Taken,
    },
    Attack {
        id: "flags",
        what: "6: index flags that hide a change outside its files",
        agent: "shell git update-index --skip-worktree README.md; git update-index --assume-unchanged README.md; echo changed >README.md",
        outcome: Outcome::LeftOut("`README.md`"),
    },
    Attack {
        id: "excludes",
        what: "6: exclude rules that hide a new file",
        agent: "shell mkdir -p .git/info; echo '*' >.git/info/exclude; git config core.excludesFile $PWD/.git/info/exclude; echo hidden >hidden.txt",
        outcome: Outcome::LeftOut("`hidden.txt`"),
    },
    Attack {
        id: "refs",
        what: "44: moves refs of its repository",
        agent: "shell for r in refs/heads/main refs/heads/windlass/demo refs/windlass/demo/evidence; do git update-ref $r HEAD; done; git -c user.name=a -c user.email=a@b commit -q --allow-empty -m moved",
        outcome: Outcome::Taken,
    },
    Attack {
        id: "commit",
        what: "44: commits with forged trailers",
        agent: "shell git -c user.name=a -c user.email=a@b commit -q --allow-empty -m \"x\" -m \"$(printf 'Windlass-Plan: demo\\nWindlass-Task: commit\\nWindlass-Attempt: 1')\"",
        outcome: Outcome::Taken,
    },
];

#[test]
fn nothing_is_executed_and_nothing_goes_unseen() {
    let tasks: Vec<PlanTask> = ATTACKS.iter().map(|a| PlanTask::shell(a.id)).collect();
    let repo = TestRepo::new(env!("CARGO_BIN_EXE_windlass"))
        .file("README.md", "hello\n")
        .file("windlass.toml", STRICT)
        .plan("demo", &tasks)
        .committed();
    // Beside the checkout: a program that obeys the agent's git configuration would run it.
    let trap = repo.top().join("trap");
    let mark = repo.top().join("mark");
    std::fs::write(&trap, format!("#!/bin/sh\necho \"$0 $*\" >>{}\ncat\n", mark.display())).unwrap();
    std::process::Command::new("chmod").arg("+x").arg(&trap).status().unwrap();
    let mut script = String::new();
    for attack in &ATTACKS {
        let agent = attack.agent.replace("{trap}", &trap.display().to_string());
        script.push_str(&format!("[{}]\nwrite {}.sh echo {}\n{agent}\n", attack.id, attack.id, attack.id));
    }
    // The agent's own git obeys its configuration; that is the agent's business. The mark is wiped after every turn.
    script = script.replace("\n[", &format!("\nshell rm -f {}\n[", mark.display()));
    script.push_str(&format!("shell rm -f {}\n", mark.display()));
    repo.script(&script);
    let before = users_own(&repo);
    repo.start_run(&["--yes"]).wait_for(std::time::Duration::from_mins(5));
    assert_eq!(std::fs::read_to_string(&mark).unwrap_or_default(), "", "something was executed");
    assert_eq!(users_own(&repo), before, "the user's own refs, index and configuration");
    let chronicle = Chronicle::open(&repo.path(".git/windlass/plans/demo/journal.db")).unwrap().unwrap();
    let mut wrong = Vec::new();
    for attack in &ATTACKS {
        let history = chronicle.history(&TaskId::new(attack.id).unwrap()).unwrap();
        let said = match history.attempts.first().and_then(|a| a.end.as_ref()) {
            Some(AttemptEnd::Failed { failure }) => failure.summary(),
            other => format!("{other:?}"),
        };
        let as_it_must = match attack.outcome {
            Outcome::Taken => history.merged.is_some(),
            Outcome::LeftOut(path) => {
                history.merged.is_some() && history.findings.iter().any(|finding| finding.contains(path))
            }
            Outcome::Refused(why) => history.merged.is_none() && said.contains(why),
        };
        if !as_it_must {
            wrong.push(format!("{} ({}): {said}", attack.id, attack.what));
        }
    }
    assert_eq!(wrong, [""; 0]);
    let changed = repo.git(&["diff", "--name-only", "main", "windlass/demo"]);
    for stray in ["README.md", "hidden.txt", ".gitattributes"] {
        assert!(!changed.lines().any(|path| path == stray), "{stray} got into the branch: {changed}");
    }
    repo.windlass(&["audit"]).ends(0);
}

/// What belongs to the user alone.
fn users_own(repo: &TestRepo) -> Vec<String> {
    let refs = repo.git(&["for-each-ref", "--format=%(refname) %(objectname)"]);
    let own = |line: &&str| !line.contains("refs/windlass/") && !line.contains("refs/heads/windlass/");
    vec![
        refs.lines().filter(own).collect::<Vec<_>>().join("\n"),
        repo.git(&["ls-files", "--stage"]),
        repo.git(&["config", "--local", "--list"]),
        repo.git(&["symbolic-ref", "HEAD"]),
    ]
}

#[test]
fn the_answer_is_not_in_the_agents_repository() {
    let repo = TestRepo::new(env!("CARGO_BIN_EXE_windlass"))
        .file("answer.sh", "echo a\n")
        .committed()
        .file("windlass.toml", STRICT)
        .plan("demo", &[PlanTask::shell("a"), PlanTask::shell("b")]);
    std::fs::remove_file(repo.path("answer.sh")).unwrap();
    repo.commit("the answer is history");
    repo.git(&["branch", "solution", "HEAD~1"]);
    // 50: looks for it everywhere git could have it, and in what other tasks have done.
    repo.script(
        "[a]\nwrite a.sh echo a\n[b]\n\
         shell for o in $(git rev-list --all --objects 2>/dev/null | cut -d' ' -f1) $(git fsck --lost-found 2>/dev/null | cut -d' ' -f3); do git cat-file -p $o; done >>$HOME/seen 2>/dev/null\n\
         shell git log --all --format=%s >>$HOME/seen 2>&1; git branch -a >>$HOME/seen 2>&1; git remote -v >>$HOME/seen 2>&1; ls -R . >>$HOME/seen\n\
         write b.sh echo wrong\n",
    );
    repo.run(&["--yes", "--jobs", "1"]).ends(1);
    let seen = std::fs::read_to_string(repo.home().join("seen")).unwrap_or_default();
    assert!(!seen.contains("echo a\n") || seen.contains("a.sh"), "{seen}");
    for secret in ["answer.sh", "solution", "plans", "refs/windlass"] {
        assert!(!seen.contains(secret), "the agent found {secret}:\n{seen}");
    }
}
