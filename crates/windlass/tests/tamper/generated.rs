//! Cheats that are drawn at random: mechanism, language, place and shape of the test. `scripts/generated-cheats` draws 200 of them
//! and says which layer finds what; this is its quick form, with one seed so that it says the same every time.

use std::path::Path;
use std::process::Command;

#[test]
fn no_drawn_cheat_is_accepted_and_every_honest_program_is() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let drawn = Command::new("python3")
        .arg(root.join("scripts/generated-cheats"))
        .args(["--count", "18", "--languages", "python,javascript,shell", "--seed", "11"])
        .args(["--windlass", env!("CARGO_BIN_EXE_windlass")])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&drawn.stdout);
    let complained = String::from_utf8_lossy(&drawn.stderr);
    assert!(drawn.status.success(), "{said}{complained}");
}
