//! `windlass plan --agent`: an agent improves the draft, or does not.

use windlass_testkit::{Outcome, TestRepo};

use crate::world::{empty, users_own};

const PRD: &str = "# PRD: Shop\n\n### US-1: Fill a cart\n**As a** customer\n**I want** to fill a cart\n\n**Acceptance Criteria:**\n- [ ] A cart holds at most 50 lines\n- [ ] Adding nothing raises ValueError in `cart.py`\n";
const DESIGN: &str = "# Technical Design: Shop\n\n## File Ownership\n\n| File | Task | Operation |\n|---|---|---|\n| `src/cart.py` | T-1 | create |\n| `src/total.py` | T-2 | create |\n\nT-2 depends on T-1.\n";

/// A repository with documents for a plan of two tasks.
fn shop() -> TestRepo {
    empty().file("docs/PRD.md", PRD).file("docs/design.md", DESIGN).file("src/app.py", "x = 1\n").committed()
}

/// Plans with an agent that is a few lines of Python; `plan` is the draft, `brief` what it was told.
fn planned(repo: &TestRepo, python: &str) -> Outcome {
    let script = format!(
        "import json, os, sys\nbrief = sys.stdin.read()\nfile = 'windlass-plan/plan.json'\nplan = json.load(open(file))\n\
         tasks = {{t['id']: t for t in plan['tasks']}}\nnth = int(os.environ['WINDLASS_TRY'])\n\
         def save(): json.dump(plan, open(file, 'w'))\n\
         def result(value): json.dump(value, open(os.environ['WINDLASS_RESULT'], 'w'))\n{python}\n"
    );
    repo.write("agent.py", &script);
    let agent = format!("cmd:python3 {}", repo.path("agent.py").display());
    repo.windlass(&["plan", "docs", "--agent", &agent, "--force"])
}

/// The draft, as it is without anybody.
fn draft(repo: &TestRepo) -> [String; 2] {
    repo.windlass(&["plan", "docs", "--force"]).ends(0);
    tasks(repo)
}

fn tasks(repo: &TestRepo) -> [String; 2] {
    ["T-1", "T-2"].map(|id| repo.read(&format!("plans/shop/tasks/{id}.md")))
}

/// A repository in which this agent cannot do better than the draft, and what is said about it.
#[track_caller]
fn falls_back(python: &str) -> String {
    let repo = shop();
    let before = draft(&repo);
    let run = planned(&repo, python).ends(0);
    assert_eq!(tasks(&repo), before, "{run}");
    assert!(run.stderr.contains("warning: `cmd:python3"), "{run}");
    assert!(run.stderr.contains("help: what it said is in"), "{run}");
    assert_eq!(repo.left_behind(), []);
    run.stderr
}

#[test]
fn a_file_that_was_edited_is_the_plan_and_nothing_else_counts() {
    let repo = shop();
    let run = planned(
        &repo,
        "assert 'T-1: ' in brief and 'windlass-plan/documents/01-' in brief, brief\n\
         assert open('windlass-plan/plan.schema.json').read().startswith('{')\n\
         tasks['T-2']['objective'] = 'Add up the lines of a cart.'\ntasks['T-1']['verification'] = {'script': 'true'}\n\
         save()\nopen('src/app.py', 'w').write('hacked')\nopen('windlass.toml', 'w').write('[team]')\n",
    )
    .ends(0);
    assert!(run.stderr.contains("✓ agent: cmd:python3"), "{run}");
    assert!(run.stderr.contains("changed 1 task (1 turn)"), "{run}");
    let [first, second] = tasks(&repo);
    assert!(second.contains("Add up the lines of a cart."), "{second}");
    assert!(!first.contains("\ntrue\n"), "its checks are not the planner's: {first}");
    assert_eq!(repo.read("src/app.py"), "x = 1\n");
    repo.windlass(&["check", "plans/shop"]).ends(0);
    assert_eq!(repo.left_behind(), []);
}

#[test]
fn an_answer_may_stand_in_chatter_or_in_the_result_with_what_it_cost() {
    let repo = shop();
    let said = "print('Sure!\\n```json\\n' + json.dumps({'tasks': [{'id': 'T-1', 'notes': 'Mind the limit.'}, \
                {'id': 'T-2'}]}) + '\\n```\\nDone.')\n";
    planned(&repo, said).ends(0);
    assert!(tasks(&repo)[0].contains("Mind the limit."));
    let run = planned(
        &repo,
        "result({'tasks': [{'id': 'T-1'}, {'id': 'T-2', 'notes': 'Round half up.'}], 'session': 's-1',\n\
         'model': 'claude-sonnet-4-5', 'usage': {'input_tokens': 1000000, 'output_tokens': 1000}})\n",
    )
    .ends(0);
    assert!(run.stderr.contains("changed 1 task (1 turn, 1.0M tokens, $3.02, session s-1)"), "{run}");
    assert!(tasks(&repo)[1].contains("Round half up."));
    let kept = planned(&repo, "print('It is fine. {\"keep_draft\": true}')\n").ends(0);
    assert!(kept.stderr.contains("leaves the draft as it is (1 turn)"), "{kept}");
}

#[test]
fn what_is_wrong_goes_back_until_it_passes() {
    let repo = shop();
    let run = planned(
        &repo,
        "if nth == 1:\n    tasks['T-1']['criteria'] = []\n    tasks['T-1']['traces_to'] = {}\n    save()\n\
         else:\n    assert 'criterion `AC-001` has no task any more' in brief, brief\n\
         \x20   tasks['T-1']['criteria'] = [{'id': 'AC-001'}, {'id': 'AC-002'}]\n\
         \x20   tasks['T-1']['traces_to'] = {'stories': ['US-1']}\n    tasks['T-1']['notes'] = 'Mended.'\n    save()\n",
    )
    .ends(0);
    assert!(run.stderr.contains("try 1: "), "{run}");
    assert!(run.stderr.contains("changed 1 task (2 turns)"), "{run}");
    let [first, _] = tasks(&repo);
    assert!(first.contains("Mended.") && first.contains("A cart holds at most 50 lines"), "{first}");
}

#[test]
fn a_divided_task_gets_the_command_of_its_own_test() {
    let repo = shop();
    planned(
        &repo,
        "tasks['T-2']['files'] = {'create': ['src/total.py']}\n\
         plan['tasks'].append({'id': 'T-3', 'title': 'Print a receipt', 'objective': 'Print a receipt.',\n\
         'files': {'create': ['src/receipt.py']}, 'test': {'file': 'tests/test_receipt.py'}, 'depends_on': ['T-2'],\n\
         'verification': {'script': 'true'}})\nsave()\n",
    )
    .ends(0);
    let third = repo.read("plans/shop/tasks/T-3.md");
    assert!(third.contains("tests/test_receipt.py") && !third.contains("\ntrue\n"), "{third}");
    repo.windlass(&["check", "plans/shop"]).ends(0);
}

#[test]
fn whoever_cannot_do_better_leaves_the_draft() {
    let prose = falls_back("print('I would split the first task.')\n");
    assert!(prose.contains("try 3: 1 finding\n    no JSON object with `tasks` was found"), "{prose}");
    let nothing = falls_back("");
    assert!(nothing.contains("no plan that passes in 3 tries (3 turns)"), "{nothing}");
    let broken = falls_back("open(file, 'w').write('{\"tasks\": [')\n");
    assert!(broken.contains("the file is not valid JSON"), "{broken}");
    let outside =
        falls_back("tasks['T-2']['files'] = {'create': ['src/total.py', '../../etc/cron.d/x']}\nsave()\n");
    assert!(outside.contains("WL0201: the path `../../etc/cron.d/x` contains `..`"), "{outside}");
    let dropped = falls_back("plan['tasks'] = [tasks['T-2']]\nsave()\n");
    assert!(dropped.contains("no task owns `src/cart.py` any more"), "{dropped}");
    let invented = falls_back("tasks['T-1']['dependencies'] = ['T-2']\nsave()\n");
    assert!(invented.contains("`dependencies`"), "{invented}");
    let link = falls_back("os.remove(file)\nos.symlink('/etc/passwd', file)\n");
    assert!(link.contains("no plan that passes"), "{link}");
    let crashed = falls_back("sys.exit(3)\n");
    assert!(crashed.contains("exit code 3"), "{crashed}");
}

#[test]
fn whoever_will_not_answer_is_asked_once() {
    let limited = falls_back("sys.exit(75)\n");
    assert!(limited.contains("(1 turn)") && limited.contains("is rate-limited"), "{limited}");
    let repo = shop();
    repo.write(
        "windlass.toml",
        "[agents.slow]\ncommand = \"sleep 60\"\ntimeout = \"1s\"\n[team]\nplanner = \"slow\"\n",
    );
    let run = repo.windlass(&["plan", "docs"]).ends(0);
    assert!(
        run.stderr.contains(
            "`slow` did not improve the plan; the derived plan is kept: the attempt ran longer than 1 s"
        ),
        "{run}"
    );
    assert_eq!(repo.left_behind(), []);
    let without = repo.windlass(&["plan", "docs", "--force", "--agent", "mechanical"]).ends(0);
    assert!(!without.stderr.contains("slow"), "{without}");
}

#[test]
fn who_is_not_here_is_said_before_anything_is_read() {
    let repo = shop();
    let before = users_own(&repo);
    let said = |args: &[&str], code: i32| {
        repo.windlass(&[&["plan", "docs", "--agent"], args].concat()).ends(code).stderr
    };
    repo.write("windlass.toml", "[agents.claude]\nprogram = \"/nowhere/claude\"\n");
    let missing = said(&["claude"], 4);
    assert!(
        missing.contains("agent `claude` is not installed") && !missing.contains("documents"),
        "{missing}"
    );
    assert!(said(&["clod"], 2).contains("there is no agent `clod`"));
    assert!(said(&["replay:x"], 2).contains("replays recorded answers"));
    assert!(said(&["large"], 2).contains("the tier `large` has no agent"));
    std::fs::remove_file(repo.path("windlass.toml")).unwrap();
    assert_eq!(users_own(&repo), before, "nothing was written");
}

#[test]
fn what_it_would_be_told_can_be_read_first() {
    let repo = shop();
    let run = repo.windlass(&["plan", "docs", "--agent", "cmd:true", "--dry-run"]).ends(0);
    assert!(run.stdout.starts_with("# Plan shop\n") && run.stdout.contains(" tokens for cmd:true"), "{run}");
    assert!(!repo.path("plans").exists());
    let nobody = repo.windlass(&["plan", "docs", "--dry-run"]).ends(2);
    assert!(nobody.stderr.contains("name one with `--agent`"), "{nobody}");
}
