//! The conformance table: every cell a run, written where `WINDLASS_CONFORMANCE` says.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use windlass_engine::agent::cli::CliKind;
use windlass_testkit::model::{Script, Step};

use crate::bench::{Bench, Wish};
use crate::cells::{CELLS, Said};
use crate::programs;

/// How often each side of the overhead is measured.
const ROUNDS: usize = 7;

/// A list in a variable; everything where it is not set.
fn chosen(variable: &str, name: &str) -> bool {
    std::env::var(variable).map_or(true, |list| list.split(',').any(|n| n == name))
}

#[test]
#[ignore = "takes minutes; scripts/conformance runs it"]
fn every_cell_holds() {
    let kinds: Vec<CliKind> =
        CliKind::ALL.into_iter().filter(|k| chosen("WINDLASS_CONFORMANCE_AGENTS", k.as_str())).collect();
    let cells: Vec<usize> =
        (0..CELLS.len()).filter(|c| chosen("WINDLASS_CONFORMANCE_CELLS", CELLS[*c].name)).collect();
    let jobs: Vec<(CliKind, usize)> = kinds.iter().flat_map(|k| cells.iter().map(|c| (*k, *c))).collect();
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((kind, cell)) = jobs.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let said = held(*kind, *cell);
                    tell(&format!("{} · {}: {said:?}\n", kind.as_str(), CELLS[*cell].name));
                    results.lock().unwrap().push((*kind, *cell, said));
                }
            });
        }
    });
    let results = results.into_inner().unwrap();
    let page = page(&kinds, &cells, &results);
    tell(&page);
    if let Some(path) = std::env::var_os("WINDLASS_CONFORMANCE") {
        write(Path::new(&path), &page);
    }
    let failed: Vec<String> = results
        .iter()
        .filter_map(|(kind, cell, said)| match said {
            Said::No(why) => Some(format!("{} · {}: {why}", kind.as_str(), CELLS[*cell].name)),
            Said::Yes(_) | Said::Unsupported(_) => None,
        })
        .collect();
    assert!(failed.is_empty(), "cells that do not hold:\n{}", failed.join("\n\n"));
}

/// A run that panics is a cell that does not hold.
fn held(kind: CliKind, cell: usize) -> Said {
    std::panic::catch_unwind(|| (CELLS[cell].run)(kind)).unwrap_or_else(|why| {
        let text = why
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| why.downcast_ref::<&str>().map(|s| (*s).to_owned()));
        Said::No(text.unwrap_or_default())
    })
}

fn tell(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

fn page(kinds: &[CliKind], cells: &[usize], results: &[(CliKind, usize, Said)]) -> String {
    let mut page = format!("{} · Linux · every cell is a run against the scripted model\n\n|", today());
    for kind in kinds {
        let _ = write!(page, " | {} {}", kind.facts().title, version(*kind));
    }
    page.push_str(" |\n|---");
    page.push_str(&"|---".repeat(kinds.len()));
    page.push_str("|\n");
    for cell in cells {
        let _ = write!(page, "| {}", CELLS[*cell].name);
        for kind in kinds {
            let said = results.iter().find(|(k, c, _)| k == kind && c == cell).map(|(_, _, said)| said);
            let word = match said {
                Some(Said::Yes(word)) => format!("✔ {word}"),
                Some(Said::Unsupported(why)) => format!("— {why}"),
                Some(Said::No(_)) => "✘".to_owned(),
                None => String::new(),
            };
            let _ = write!(page, " | {word}");
        }
        page.push_str(" |\n");
    }
    page.push('\n');
    for kind in kinds.iter().filter(|k| matches!(k, CliKind::Claude | CliKind::Codex)) {
        page.push_str(&overhead(*kind));
    }
    page
}

fn today() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%d").to_string()
}

fn version(kind: CliKind) -> String {
    let mut command = Command::new(programs::program(kind));
    let home = tempfile::tempdir().unwrap();
    command.arg("--version").env_clear().env("PATH", "/usr/bin:/bin").env("HOME", home.path());
    let out = command.stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    text.split_whitespace().find(|w| w.starts_with(|c: char| c.is_ascii_digit())).unwrap_or("?").to_owned()
}

/// Replaces what is between the marks of the page.
fn write(path: &Path, table: &str) {
    let text = std::fs::read_to_string(path).unwrap();
    let (before, rest) = text.split_once("<!-- conformance:begin -->\n").unwrap();
    let (_, after) = rest.split_once("<!-- conformance:end -->").unwrap();
    let page = format!("{before}<!-- conformance:begin -->\n{table}<!-- conformance:end -->{after}");
    std::fs::write(path, page).unwrap();
}

/// A turn by Windlass against the very same command by hand, both in a fresh home: the best of several, taken in turns.
/// By hand in a home that was used before, as a person would, is told besides.
fn overhead(kind: CliKind) -> String {
    let script = || Script::default().turn("first-prompt", [Step::say("here"), Step::write("never", "")]);
    let bench = Bench::new(kind, script());
    let recorder = recorder(&bench);
    let bench = bench.started_by(&recorder);
    bench.take(Wish::new("# first-prompt: answer"));
    let real = programs::program(kind);
    let bench = bench.started_by(&real);
    let (mut ours, mut hand, mut used) = (Duration::MAX, Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        ours = ours.min(bench.take(Wish::new("# first-prompt: answer")).1);
        refresh(&bench);
        hand = hand.min(by_hand(&bench, &real));
        used = used.min(by_hand(&bench, &real));
    }
    let more = ours.as_secs_f64() - hand.as_secs_f64();
    format!(
        "A turn of {} takes {} ms by Windlass and {} ms by hand in a home as fresh: {:.0} ms more. In a home that was \
         used before it takes {} ms by hand. (Best of {ROUNDS}.)\n\n",
        kind.facts().title,
        ours.as_millis(),
        hand.as_millis(),
        more * 1000.0,
        used.as_millis(),
    )
}

/// A program in the place of the agent that notes how it was started, and what its home was like.
fn recorder(bench: &Bench) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt as _;
    let path = bench.path("recorder");
    let place = |name: &str| bench.path(name).display().to_string();
    let text = format!(
        "#!/bin/sh\nprintf '%s\\0' \"$@\" >'{}'\nenv -0 >'{}'\nprintf %s \"$HOME\" >'{}'\ncp -a \"$HOME\" '{}'\n\
         exec '{}' \"$@\"\n",
        place("args"),
        place("env"),
        place("home-path"),
        place("fresh-home"),
        programs::program(bench.kind).display()
    );
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// Puts the home back as it was before its first use.
fn refresh(bench: &Bench) {
    let home = std::fs::read_to_string(bench.path("home-path")).unwrap();
    std::fs::remove_dir_all(&home).unwrap();
    let copied = Command::new("cp").arg("-a").arg(bench.path("fresh-home")).arg(&home).status().unwrap();
    assert!(copied.success());
}

fn by_hand(bench: &Bench, program: &Path) -> Duration {
    let words = |name: &str| -> Vec<String> {
        let bytes = std::fs::read(bench.path(name)).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        text.split_terminator('\0').map(str::to_owned).collect()
    };
    let pair = |word: &String| word.split_once('=').map(|(n, v)| (n.to_owned(), v.to_owned()));
    let env: Vec<(String, String)> = words("env").iter().filter_map(pair).collect();
    let since = Instant::now();
    let mut child = Command::new(program)
        .args(words("args"))
        .env_clear()
        .envs(env)
        .current_dir(bench.path("work"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"# first-prompt: answer").unwrap();
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    since.elapsed()
}
