//! `windlass ui` and the live view of a run on a real terminal.

use std::os::unix::fs::PermissionsExt as _;

use windlass_testkit::eventually;

use crate::live::{PATIENT, began, go, shop};
use crate::steering::heard;
use crate::tmux::TmuxPane;

const PROGRAM: &str = env!("CARGO_BIN_EXE_windlass");

#[test]
fn a_run_is_watched_and_steered_and_the_terminal_is_given_back() {
    let repo = shop(PATIENT);
    let pane = TmuxPane::open(&repo, 100, 24, &format!("{PROGRAM} ui"));
    pane.until("plan demo was never run");
    let run = repo.start_run(&["--jobs", "2"]);
    began(&repo, "a");
    pane.until("1 at work");
    // The names of phases come with the next look at the plan.
    let screen = pane.until("The basket 0/2");
    assert!(screen.contains("implement"), "{screen}");

    pane.keys(&["p"]);
    eventually("the pause was heard", || heard(&repo, "paused") == 1);
    pane.until("paused");
    pane.keys(&["p"]);
    eventually("the run was resumed", || heard(&repo, "resumed") == 1);

    pane.keys(&["/"]);
    pane.types("say a");
    pane.keys(&["Enter"]);
    pane.keys(&["2"]);
    pane.until("working on a");
    pane.resize(40, 12);
    let small = pane.until("[2 log]");
    assert!(small.lines().all(|line| line.chars().count() <= 40), "{small}");
    pane.keys(&["Escape"]);
    pane.until("The basket");
    pane.keys(&["?"]);
    pane.until("move");
    pane.keys(&["Escape"]);
    pane.resize(19, 3);
    pane.until("too small");
    pane.resize(100, 24);

    go(&repo, "a");
    pane.until("1 of 3 done");
    began(&repo, "b");
    pane.keys(&["X"]);
    pane.until("cancel the whole run?");
    pane.keys(&["n"]);
    pane.keys(&["X"]);
    pane.until("cancel the whole run?");
    pane.keys(&["y"]);
    run.wait().ends(130);
    pane.until("cancelled");
    pane.keys(&["q"]);
    let after = pane.until("left with 0");
    assert!(!after.contains("The basket"), "the screen is the one from before: {after}");
}

#[test]
fn the_live_view_keeps_its_rows_and_lets_finished_tasks_scroll_by() {
    let repo = shop(PATIENT);
    let home = repo.home().display().to_string();
    let run = format!("{PROGRAM} run --jobs 2 --agent cmd:fake-agent --share {home}");
    let pane = TmuxPane::open(&repo, 90, 24, &run);
    began(&repo, "a");
    pane.until("0 of 3 done · 1 at work");
    go(&repo, "a");
    began(&repo, "b");
    began(&repo, "c");
    let screen = pane.until("1 of 3 done · 2 at work");
    assert!(screen.contains("✔ a  merged as"), "{screen}");
    assert_eq!(screen.matches("▶ b").count(), 1, "{screen}");
    pane.resize(40, 12);
    pane.until("1 of 3 done");
    go(&repo, "b");
    go(&repo, "c");
    pane.until("left with 0");
}

/// A terminal that can do nothing gets lines; one without UTF-8 gets plain characters.
#[test]
fn poor_terminals_are_served_too() {
    let repo = shop("write {task}.sh echo {task}\n");
    let home = repo.home().display().to_string();
    let run = format!("TERM=dumb LC_ALL=C NO_COLOR=1 {PROGRAM} run --agent cmd:fake-agent --share {home}");
    let pane = TmuxPane::open(&repo, 100, 40, &run);
    let lines = pane.until("left with 0");
    assert!(lines.contains("merged as") && lines.is_ascii(), "{lines}");
    let poor = TmuxPane::open(&repo, 60, 14, &format!("LC_ALL=C NO_COLOR=1 {PROGRAM} ui"));
    let screen = poor.until("3 of 3 done");
    assert!(screen.is_ascii(), "{screen}");
    poor.keys(&["q"]);
    poor.until("left with 0");
    let dumb = TmuxPane::open(&repo, 61, 14, &format!("TERM=dumb {PROGRAM} ui"));
    dumb.until("left with 4");
    assert!(dumb.screen().contains("windlass status"), "{}", dumb.screen());
    let narrow = TmuxPane::open(&repo, 20, 20, &format!("{PROGRAM} status"));
    narrow.until("left with 0");
}

/// A question rings and is shown on the desktop, through the desktop's own program; what an agent wrote is no markup there.
#[test]
fn a_question_rings_the_bell_and_is_shown_on_the_desktop() {
    let repo = shop(r#"result {"status":"blocked","reason":"<a href=x>which</a> & why?"}"#);
    let home = repo.home().display().to_string();
    let shown = repo.home().join("shown");
    let script = format!("#!/bin/sh\nprintf '%s\\n' \"$@\" >> {}\n", shown.display());
    let program = repo.home().join("bin/notify-send");
    std::fs::create_dir_all(program.parent().unwrap()).unwrap();
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let run = |settings: &str| {
        format!("{settings} PATH={home}/bin:$PATH {PROGRAM} run --agent cmd:fake-agent --share {home}")
    };
    repo.write("windlass.toml", "[notify]\nbell = false\n");
    let quiet = TmuxPane::open(&repo, 99, 24, &run(""));
    quiet.until("left with 3");
    assert!(!quiet.has_rung() && !shown.exists(), "there is no desktop, and no bell is wanted");
    repo.write("windlass.toml", "");
    repo.windlass(&["retry", "--blocked"]).ends(0);
    let pane = TmuxPane::open(&repo, 100, 24, &run("DISPLAY=:77"));
    pane.until("left with 3");
    assert!(pane.has_rung());
    let shown = std::fs::read_to_string(shown).unwrap();
    assert!(shown.starts_with("-a\nwindlass\n--\nwindlass · demo\na asks: Say a\n"), "{shown}");
    assert!(shown.contains("&lt;a href=x&gt;which&lt;/a&gt; &amp; why?"), "{shown}");
    assert!(shown.contains("windlass answer a"), "{shown}");
}
