//! The conformance table: every cell a run, written where `WINDLASS_CONFORMANCE` says.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::UNIX_EPOCH;

use windlass_engine::agent::cli::CliKind;

use crate::cells::{CELLS, Said};
use crate::programs;

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
    // Here the program is the person's own, not an agent of Windlass: there is no protocol between them.
    let own = |c: &usize| ["skill", "command", "mcp"].contains(&CELLS[*c].name);
    let cells: Vec<usize> = cells.into_iter().filter(|c| !programs::by_acp() || !own(c)).collect();
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
        let _ = write!(page, " | {} {}", title(*kind), version(*kind));
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
    page
}

fn title(kind: CliKind) -> &'static str {
    match kind {
        CliKind::Claude if programs::by_acp() => "claude-agent-acp",
        CliKind::Codex if programs::by_acp() => "codex-acp",
        CliKind::Claude
        | CliKind::Codex
        | CliKind::Gemini
        | CliKind::Qwen
        | CliKind::Opencode
        | CliKind::Other => kind.facts().title,
    }
}

fn today() -> String {
    let since = UNIX_EPOCH.elapsed().unwrap();
    windlass_core::calendar::date(i64::try_from(since.as_secs()).unwrap())
}

fn version(kind: CliKind) -> String {
    if programs::by_acp() && matches!(kind, CliKind::Claude | CliKind::Codex) {
        return adapter_version(title(kind));
    }
    let mut command = Command::new(programs::program(kind));
    let home = tempfile::tempdir().unwrap();
    command.arg("--version").env_clear().env("PATH", "/usr/bin:/bin").env("HOME", home.path());
    let out = command.stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    text.split_whitespace().find(|w| w.starts_with(|c: char| c.is_ascii_digit())).unwrap_or("?").to_owned()
}

/// The version of an adapter as it was installed: not all of them tell.
fn adapter_version(name: &str) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/agents");
    let out = Command::new(script).args(["--list", name]).output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    text.split_whitespace().nth(1).unwrap_or("?").to_owned()
}

/// Replaces what is between the marks of the page.
fn write(path: &Path, table: &str) {
    let text = std::fs::read_to_string(path).unwrap();
    let mark = if programs::by_acp() { "acp" } else { "conformance" };
    let (begin, end) = (format!("<!-- {mark}:begin -->\n"), format!("<!-- {mark}:end -->"));
    let (before, rest) = text.split_once(&begin).unwrap();
    let (_, after) = rest.split_once(&end).unwrap();
    let page = format!("{before}{begin}{table}{end}{after}");
    std::fs::write(path, page).unwrap();
}
