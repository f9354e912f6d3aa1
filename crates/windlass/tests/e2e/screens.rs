//! Every screen a person reads on an ordinary day, from `init` to `land`.

use insta::assert_snapshot;
use windlass_testkit::PlanTask;

use crate::world::{empty, evidence, state};

#[test]
fn an_ordinary_day() {
    let repo = empty().file("README.md", "hello\n").committed();
    assert_snapshot!(repo.windlass(&["init"]).ends(0).screen(), @"");
    let repo = repo.plan("demo", &[PlanTask::shell("a"), PlanTask::shell("b").after(&["a"])]);
    repo.commit("a plan");
    assert_snapshot!(repo.windlass(&["check"]).ends(0).screen(), @"");
    assert_snapshot!(repo.windlass(&["run", "--dry-run"]).ends(0).screen(), @"");
    assert_snapshot!(repo.windlass(&["status"]).screen(), @"");
    repo.script("[* implement]\nsay working on {task}\nwrite {task}.sh echo wrong\n[* fix]\nsay mending {task}\nwrite {task}.sh echo {task}\n");
    assert_snapshot!(repo.run(&["--jobs", "1", "--until", "a"]).ends(0).screen(), @"");
    assert_snapshot!(repo.windlass(&["status"]).ends(0).screen(), @"");
    assert_snapshot!(repo.windlass(&["next"]).ends(0).screen(), @"");
    assert_snapshot!(repo.windlass(&["explain", "b"]).ends(0).screen(), @"");
    assert_snapshot!(repo.windlass(&["show", "a"]).ends(0).screen(), @"");
    assert_snapshot!(repo.windlass(&["logs", "a"]).ends(0).screen(), @"");
    repo.run(&["--jobs", "1"]).ends(0);
    assert_eq!(state(&repo, "b"), "completed");
    assert_eq!(evidence(&repo, "windlass/demo").len(), 2);
    assert_snapshot!(repo.windlass(&["status"]).ends(0).screen(), @"");
    assert_snapshot!(repo.windlass(&["land"]).ends(0).screen(), @"");
    assert_eq!(repo.read("b.sh"), "echo b\n", "the checkout follows its branch");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    assert_snapshot!(repo.windlass(&["land"]).ends(0).screen(), @"");
}

#[test]
fn landing_on_a_branch_that_moved_is_verified_like_any_candidate() {
    let repo = crate::world::one_task();
    repo.run(&[]).ends(0);
    repo.write("mine.txt", "mine\n");
    repo.commit("mine");
    assert_snapshot!(repo.windlass(&["land"]).ends(0).screen(), @"");
    assert_eq!(repo.read("a.sh"), "echo a\n");
    assert_eq!(repo.read("mine.txt"), "mine\n");

    let repo = crate::world::one_task();
    repo.run(&[]).ends(0);
    repo.write("a.sh", "echo mine\n");
    repo.commit("mine");
    let before = repo.git(&["rev-parse", "main"]);
    assert_snapshot!(repo.windlass(&["land"]).ends(3).screen(), @"");
    assert_eq!(repo.git(&["rev-parse", "main"]), before, "never forced");
}

#[test]
fn a_machine_reads_the_same_as_a_person() {
    let repo = crate::world::one_task();
    let run = repo.run(&["--json"]).ends(0);
    let events: Vec<serde_json::Value> =
        run.stdout.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert!(events.len() > 10, "{run}");
    let status: serde_json::Value =
        serde_json::from_str(&repo.windlass(&["status", "--json"]).ends(0).stdout).unwrap();
    assert_eq!(status["schema"], "windlass.status/1");
    assert_eq!((&status["plan"], &status["state"]), (&"demo".into(), &"completed".into()));
}
