//! Which edition of the helper a program contains.
//!
//! The helper may be another file than the program that starts it. Two files of different builds must not meet: the arguments and
//! the report of the helper have no version of their own.

use std::path::Path;
use std::process::{Command, Stdio};

/// The argument that makes the helper print its edition.
pub(super) const EDITION: &str = "__edition";

/// Everything that decides what the helper does.
const SOURCES: [&[u8]; 22] = [
    include_bytes!("bubblewrap.rs"),
    include_bytes!("bubblewrap_args.rs"),
    include_bytes!("edition.rs"),
    include_bytes!("final_steps.rs"),
    include_bytes!("keeper.rs"),
    include_bytes!("keeper_report.rs"),
    include_bytes!("landlock.rs"),
    include_bytes!("loopback.rs"),
    include_bytes!("mod.rs"),
    include_bytes!("namespaces.rs"),
    include_bytes!("overlay.rs"),
    include_bytes!("relay.rs"),
    include_bytes!("root_directory.rs"),
    include_bytes!("shared_network.rs"),
    include_bytes!("spec.rs"),
    include_bytes!("syscall_filter.rs"),
    include_bytes!("user_namespace.rs"),
    include_bytes!("../../sandbox/limits.rs"),
    include_bytes!("../../sandbox/needs.rs"),
    include_bytes!("../../sandbox/rung.rs"),
    include_bytes!("../../process/launcher.rs"),
    include_bytes!("../../process/watchdog.rs"),
];

/// A number that changes with the sources.
const HASH: u64 = hash();

/// FNV-1a over all sources; computed by the compiler.
const fn hash() -> u64 {
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    let mut file = 0;
    while file < SOURCES.len() {
        let mut at = 0;
        while at < SOURCES[file].len() {
            sum = (sum ^ SOURCES[file][at] as u64).wrapping_mul(0x100_0000_01b3);
            at += 1;
        }
        file += 1;
    }
    sum
}

/// The edition that this program contains.
pub(super) fn own() -> String {
    format!("{} {HASH:016x}", env!("CARGO_PKG_VERSION"))
}

/// Whether the program at this path is a helper of this build.
pub fn is_own_edition(program: &Path) -> bool {
    let asked =
        Command::new(program).arg(EDITION).env_clear().stdin(Stdio::null()).stderr(Stdio::null()).output();
    asked.is_ok_and(|answer| answer.status.success() && answer.stdout.trim_ascii() == own().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_room_counts() {
        let room = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/platform/confine");
        for entry in std::fs::read_dir(room).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "rs") {
                let text = std::fs::read(&path).unwrap();
                assert!(SOURCES.contains(&text.as_slice()), "{} is missing in SOURCES", path.display());
            }
        }
    }
}
