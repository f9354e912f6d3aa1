//! Where the programs of this crate are.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::SystemTime;

/// The fake agent's program. `cargo test --workspace` has built it; tests of one crate alone have it built here.
pub(crate) fn fake_agent_program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| find_or_build("fake-agent"))
}

/// The program that stands between a coordinator and a place, and lies.
pub fn place_between_program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| find_or_build("place-between"))
}

fn find_or_build(name: &str) -> PathBuf {
    // Tests lie in `target/PROFILE/deps`, programs one above.
    let own = std::env::current_exe().unwrap();
    let profile = own.parent().and_then(Path::parent).map(Path::to_owned).unwrap_or_default();
    let program = profile.join(name);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/bin/{name}.rs"));
    let changed = |path: &Path| path.metadata().and_then(|m| m.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    if program.is_file() && changed(&program) >= changed(&source) {
        return program;
    }
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--offline", "--package", "windlass-testkit", "--bin", name]);
    if profile.ends_with("release") {
        build.arg("--release");
    }
    if let Some(target) = profile.parent() {
        build.arg("--target-dir").arg(target);
    }
    let built = build.current_dir(env!("CARGO_MANIFEST_DIR")).status();
    assert!(built.is_ok_and(|status| status.success()), "`{name}` cannot be built");
    program
}
