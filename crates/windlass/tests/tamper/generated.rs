//! Cheats that are drawn at random: mechanism, language, place and shape of the test. `scripts/generated-cheats` draws 200 of them
//! by a new seed each time and says which layer finds what; this is its quick form. Its seeds are consecutive numbers, so that none
//! is hand-picked, and fixed, so that a failure is caused by a change and not by a new seed.

use std::path::Path;
use std::process::Command;

#[test]
fn no_drawn_cheat_is_accepted_and_every_honest_program_is_first_seed() {
    holds("1");
}

#[test]
fn no_drawn_cheat_is_accepted_and_every_honest_program_is_second_seed() {
    holds("2");
}

#[test]
fn no_drawn_cheat_is_accepted_and_every_honest_program_is_third_seed() {
    holds("3");
}

fn holds(seed: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let drawn = Command::new("python3")
        .arg(root.join("scripts/generated-cheats"))
        .args(["--count", "12", "--languages", "python,javascript,shell", "--seed", seed])
        .args(["--windlass", env!("CARGO_BIN_EXE_windlass")])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&drawn.stdout);
    let complained = String::from_utf8_lossy(&drawn.stderr);
    assert!(drawn.status.success(), "{said}{complained}");
}
