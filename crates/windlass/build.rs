//! Tells the program which commit and which features it is built from. Debug builds do not name a commit: they would be
//! built again after each.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=WINDLASS_COMMIT");
    println!("cargo::rerun-if-changed=build.rs");
    // Every agent has a helper beside it. At a fixed address its tables need no relocation, so helpers share them.
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux")
        && env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|env| env == "gnu")
    {
        println!("cargo::rustc-link-arg-bin=windlass-confine=-no-pie");
        if packs_relocations() {
            println!("cargo::rustc-link-arg-bin=windlass=-Wl,-z,pack-relative-relocs");
        }
    }
    let given = env::var("WINDLASS_COMMIT").ok().filter(|commit| !commit.is_empty());
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if is_release && given.is_none() {
        for name in ["HEAD", "packed-refs", "refs/heads"] {
            let path = Path::new("../../.git").join(name);
            if path.exists() {
                println!("cargo::rerun-if-changed={}", path.display());
            }
        }
    }
    let commit = given.or_else(|| is_release.then(from_git).flatten());
    let commit = commit.map_or_else(|| "no commit".to_owned(), |commit| format!("commit {commit}"));
    let mut features: Vec<String> = env::vars()
        .filter_map(|(name, _)| name.strip_prefix("CARGO_FEATURE_").map(str::to_lowercase))
        .filter(|name| name != "default")
        .collect();
    features.sort();
    let features = if features.is_empty() { "none".to_owned() } else { features.join(" ") };
    println!("cargo::rustc-env=WINDLASS_BUILD={commit}; features: {features}");
}

/// Whether this system reads packed relocations, which make the program 2 MB smaller: glibc does from 2.36 on. Packages are built without
/// them, so that they start on older systems too.
fn packs_relocations() -> bool {
    let is_package = env::var("OUT_DIR").is_ok_and(|dir| dir.contains("/dist/"));
    if is_package || env::var("HOST") != env::var("TARGET") {
        return false;
    }
    let Ok(out) = Command::new("getconf").arg("GNU_LIBC_VERSION").output() else { return false };
    let version = String::from_utf8_lossy(&out.stdout);
    let Some((major, minor)) = version.trim().strip_prefix("glibc ").and_then(|v| v.split_once('.')) else {
        return false;
    };
    let number = |text: &str| text.split('.').next().and_then(|n| n.parse::<u32>().ok()).unwrap_or(0);
    (number(major), number(minor)) >= (2, 36)
}

fn from_git() -> Option<String> {
    let out = Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).output().ok()?;
    let text = String::from_utf8(out.stdout).ok()?;
    out.status.success().then(|| text.trim().to_owned())
}
