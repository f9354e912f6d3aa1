//! Parts of a run over several machines are killed at random moments: the coordinator, what attends elsewhere, the commands
//! that lead there, the broker. Each task is completed once, and the end is that of an undisturbed run.

use std::time::Duration;

use windlass_testkit::{NatsServer, PlanTask, TestRepo, eventually, left_behind, place_between_program};

use crate::fleets::Worker;
use crate::machines::{OtherMachine, SshServer, kill};
use crate::world::{HONEST, evidence, users_own, with_plan};

/// The variables that set how many parts are killed, and how many tasks a run has.
const KILLS: &str = "WINDLASS_KILLS";
const TASKS: &str = "WINDLASS_TORTURE_TASKS";

/// How long a run may take.
const PATIENCE: Duration = Duration::from_mins(10);

fn number(variable: &str, quick: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(quick)
}

/// A plan in which every third task waits for the one before.
fn repository(tasks: u64) -> TestRepo {
    let task = |n: u64| {
        let task = PlanTask::shell(&format!("t{n}"));
        if n % 3 == 2 { task.after(&[&format!("t{}", n - 1)]) } else { task }
    };
    with_plan(&(0..tasks).map(task).collect::<Vec<_>>())
}

/// A machine behind a pipe, one behind a program in between, one behind ssh; with a broker, one that fetches its work there.
fn fleet(repo: &TestRepo, machines: &[OtherMachine], server: &SshServer, broker: Option<&NatsServer>) {
    let doors: Vec<_> = machines.iter().map(|machine| machine.door(repo)).collect();
    let between = place_between_program().display().to_string();
    let plain = vec![doors[0].display().to_string()];
    let through = vec![between, "honest".to_owned(), doors[1].display().to_string()];
    let launches = [plain, through, server.launch(&doors[2])];
    // Two of them verify as well.
    let place = |(n, launch): (usize, &Vec<String>)| {
        format!("[places.p{n}]\nlaunch = {launch:?}\nslots = 2\nverify = {}\n", n > 0)
    };
    let mut places: String = launches.iter().enumerate().map(place).collect();
    if let Some(broker) = broker {
        places.push_str(&format!("[places.fleet]\nnats = {:?}\nslots = 2\nverify = true\n", broker.url()));
    }
    repo.write("windlass.toml", &format!("[limits]\njobs = 2\n[sandbox]\nwrite = [\"~/\"]\n{places}"));
    repo.commit("places");
}

/// The files of the plan's branch, but for the settings with the way to the machines.
fn made(repo: &TestRepo) -> String {
    let all = repo.git(&["ls-tree", "-r", "windlass/demo"]);
    all.lines().filter(|line| !line.ends_with("windlass.toml")).map(|line| format!("{line}\n")).collect()
}

/// Chance that can be repeated.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n.max(1)
    }
}

#[test]
fn kills_of_any_part_lose_nothing() {
    let (kills, tasks) = (number(KILLS, 6), number(TASKS, 5));
    let calm = repository(tasks);
    calm.start_run(&[]).wait_for(PATIENCE).ends(0);
    let tree = made(&calm);
    let (server, mut broker) = (SshServer::start(), NatsServer::start(""));
    let (mut chance, mut killed, mut rounds) = (Chance(0x9e37_79b9_7f4a_7c15), [0_u64; PARTS], 0);
    while killed.iter().sum::<u64>() < kills {
        rounds += 1;
        let launched = [HONEST; 3].map(OtherMachine::new);
        let repo = repository(tasks);
        fleet(&repo, &launched, &server, broker.as_ref());
        let worker = broker.as_ref().map(|broker| Worker::start(&repo, &broker.url(), HONEST, None));
        let before = users_own(&repo);
        let attending = worker.as_ref().map(|worker| &worker.machine);
        let machines = launched.iter().chain(attending).collect::<Vec<_>>();
        disturbed(&repo, &machines, broker.as_mut(), &mut chance, kills, &mut killed);
        holds(&repo, &tree, tasks, &before);
        eventually("nothing runs elsewhere", || machines.iter().all(|machine| machine.is_quiet()));
    }
    println!(
        "{rounds} runs of {tasks} tasks over {} ways: {} kills of the coordinator, {} of `attend`, {} of launchers, {} of the \
         broker: the same tree, each task once",
        if broker.is_some() { 4 } else { 3 },
        killed[0],
        killed[1],
        killed[2],
        killed[3]
    );
}

/// The coordinator, what attends, launchers, the broker.
const PARTS: usize = 4;

/// A run that is brought to its end although parts of it are killed.
fn disturbed(
    repo: &TestRepo,
    machines: &[&OtherMachine],
    mut broker: Option<&mut NatsServer>,
    chance: &mut Chance,
    kills: u64,
    killed: &mut [u64; PARTS],
) {
    let mut run = repo.start_run(&[]);
    let (parts, ways) = (if broker.is_some() { PARTS } else { PARTS - 1 }, machines.len());
    let mut one_of = |all: usize| usize::try_from(chance.below(all as u64)).unwrap();
    while killed.iter().sum::<u64>() < kills && !run.is_over() {
        std::thread::sleep(Duration::from_millis(100 + one_of(1_200) as u64));
        let (part, there) = (one_of(parts), one_of(ways));
        let targets = match (part, &mut broker) {
            (0, _) => vec![run.pid()],
            (1, _) => machines[there].attendants().iter().map(|left| left.pid).collect(),
            (3, Some(broker)) => {
                broker.kill();
                broker.start_again();
                killed[part] += 1;
                continue;
            }
            _ => launchers(repo),
        };
        killed[part] += u64::from(!targets.is_empty());
        for pid in targets {
            kill(pid);
        }
        if part == 0 {
            let ended = run.wait();
            assert!(matches!(ended.code, None | Some(0)), "{ended}");
            run = repo.start_run(&[]);
        }
    }
    let ended = run.wait_for(PATIENCE);
    assert_eq!(ended.code, Some(0), "{ended}");
}

/// The commands that lead to other machines.
fn launchers(repo: &TestRepo) -> Vec<u32> {
    let all = left_behind(&format!("HOME={}", repo.home().display()));
    let leads = |command: &str| command.starts_with("ssh ") || command.contains("place-between honest");
    all.into_iter().filter(|left| leads(&left.command)).map(|left| left.pid).collect()
}

/// What must hold at the end, whatever was killed.
fn holds(repo: &TestRepo, tree: &str, tasks: u64, before: &[String]) {
    assert_eq!(made(repo), tree, "the same files");
    let mut done: Vec<String> = evidence(repo, "windlass/demo").iter().map(|e| e.task.to_string()).collect();
    done.sort();
    let mut all: Vec<String> = (0..tasks).map(|n| format!("t{n}")).collect();
    all.sort();
    assert_eq!(done, all, "each task once, with evidence of its own tree");
    assert_eq!(users_own(repo), before, "what is the user's is untouched");
    let status = repo.windlass(&["show", "t0", "--json"]).ends(0);
    assert!(!status.stdout.contains("\"failure\""), "no attempt was used up\n{status}");
    assert_eq!(repo.left_behind(), []);
    repo.windlass(&["audit"]).ends(0);
}
