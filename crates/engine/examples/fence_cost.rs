//! Prints what a sandbox costs, rung by rung: a command that does nothing, fenced in and not. It is its own helper.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use windlass_engine::process::{CancellationSignal, Capture, Invocation, ProcessExit, Token};
use windlass_engine::sandbox::{
    FenceRole, Needs, Sandbox, SandboxChoice, SandboxConfig, SandboxRung, can_have, confine,
};

const ROUNDS: usize = 40;

#[expect(clippy::print_stdout, clippy::unwrap_used, reason = "a program for people who measure")]
fn main() -> std::process::ExitCode {
    if let Some(code) = confine(std::env::args_os().skip(1)) {
        return code;
    }
    let dir = std::env::temp_dir().join(format!("fence-cost-{}", std::process::id()));
    let (work, own) = (dir.join("work"), dir.join("own"));
    for part in [&work, &own] {
        std::fs::create_dir_all(part).unwrap();
    }
    let config = SandboxConfig {
        helper: std::env::current_exe().ok(),
        bubblewrap: ["/usr/bin/bwrap", "/bin/bwrap"].map(PathBuf::from).into_iter().find(|p| p.exists()),
        ..SandboxConfig::default()
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    for rung in [SandboxRung::Off, SandboxRung::Landlock, SandboxRung::Namespaces, SandboxRung::Bubblewrap] {
        if let Err(why) = can_have(rung, &config, &dir.join("probe")) {
            println!("{} missing {why}", rung.as_str());
            continue;
        }
        let sandbox = Sandbox::new(SandboxChoice { rung, missed: Vec::new() }, config.clone());
        let fence = sandbox.fence(FenceRole::Verifier, &work, &own);
        let mut times: Vec<Duration> = (0..ROUNDS)
            .map(|n| {
                let began = Instant::now();
                let token = Token::new(&format!("cost.{}.{n}", std::process::id()));
                let stop = CancellationSignal::new();
                let run = runtime.block_on(fence.run(
                    nothing(&work, &dir),
                    &Needs::default(),
                    &token,
                    stop,
                    |_| {},
                ));
                assert_eq!(run.exit, ProcessExit::Code(0));
                began.elapsed()
            })
            .collect();
        times.sort();
        println!("{} {:.1} {:.1}", rung.as_str(), millis(times[0]), millis(times[ROUNDS / 2]));
    }
    let _ = std::fs::remove_dir_all(&dir);
    std::process::ExitCode::SUCCESS
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn nothing(work: &Path, dir: &Path) -> Invocation {
    Invocation {
        program: "true".into(),
        args: Vec::new(),
        cwd: work.to_owned(),
        env: vec![("PATH".into(), "/usr/bin:/bin".into())],
        stdin: Vec::new(),
        timeout: Duration::from_mins(1),
        idle_timeout: None,
        capture: Capture { dir: dir.join("out"), max_bytes: 1 << 20, tail_bytes: 1 << 10 },
    }
}
