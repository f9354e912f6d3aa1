//! Tests of `sandbox/layout`.

use std::fs;

use super::*;
use crate::sandbox::{Sandbox, SandboxChoice, SandboxConfig, SandboxRung};

/// A machine with a home, a Cargo home, a cache and a repository, all below one directory.
struct Machine {
    top: tempfile::TempDir,
    config: SandboxConfig,
}

impl Machine {
    fn new() -> Self {
        let top = tempfile::tempdir().unwrap();
        let at = |path: &str| top.path().join(path);
        for dir in [
            "home/.config/pip",
            "home/.cargo/registry",
            "home/.cargo/bin",
            "cache/npm",
            "repo/.git",
            "tools/bin",
        ] {
            fs::create_dir_all(at(dir)).unwrap();
        }
        for file in ["home/.npmrc", "home/.cargo/credentials.toml", "home/.cargo/config.toml", "helper"] {
            fs::write(at(file), "").unwrap();
        }
        let config = SandboxConfig {
            helper: Some(at("helper")),
            home: Some(at("home")),
            cargo_home: Some(at("home/.cargo")),
            caches: vec![at("cache/npm"), at("cache/absent")],
            roots: vec![at("tools")],
            hidden: vec![at("tools/bin"), at("repo")],
            ..SandboxConfig::default()
        };
        Self { top, config }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.top.path().join(path)
    }

    fn mounts(&self, role: FenceRole, needs: &Needs) -> BTreeMap<PathBuf, MountKind> {
        let choice = SandboxChoice { rung: SandboxRung::Namespaces, missed: Vec::new() };
        let sandbox = Sandbox::new(choice, self.config.clone());
        let fence = sandbox.fence(role, &self.at("work"), &self.at("own"));
        layout(&fence, needs).into_iter().map(|mount| (mount.to, mount.kind)).collect()
    }
}

#[test]
fn the_home_is_replaced_and_the_repository_is_absent() {
    let machine = Machine::new();
    let mounts = machine.mounts(FenceRole::Verifier, &Needs::default());
    assert_eq!(mounts[&machine.at("home")], MountKind::Writable(machine.at("own/home")));
    assert_eq!(mounts[Path::new(WORK)], MountKind::Writable(machine.at("work")));
    assert_eq!(mounts[Path::new(OWN)], MountKind::Writable(machine.at("own")));
    assert_eq!(mounts[Path::new("/tmp")], MountKind::Writable(machine.at("own/tmp")));
    assert_eq!(mounts[Path::new(HELPER)], MountKind::ReadOnly(machine.at("helper")));
    // Where temporary files lie in `/tmp`, the repository would be visible through it and is covered.
    assert!(mounts.get(&machine.at("repo")).is_none_or(|kind| *kind == MountKind::Empty));
}

#[test]
fn cargo_is_visible_without_its_credentials() {
    let machine = Machine::new();
    let mounts = machine.mounts(FenceRole::Agent, &Needs::default());
    assert_eq!(mounts[&machine.at("home/.cargo")], MountKind::Writable(machine.at("own/cargo")));
    for part in ["bin", "registry", "config.toml"] {
        let path = machine.at("home/.cargo").join(part);
        assert_eq!(mounts[&path], MountKind::ReadOnly(path.clone()), "{part}");
    }
    assert!(!mounts.contains_key(&machine.at("home/.cargo/credentials.toml")));
}

#[test]
fn caches_are_empty_where_overlays_do_not_work() {
    let machine = Machine::new();
    for role in [FenceRole::Verifier, FenceRole::Agent, FenceRole::Setup, FenceRole::UntrustedSetup] {
        let mounts = machine.mounts(role, &Needs::default());
        assert_eq!(
            mounts[&machine.at("cache/npm")],
            MountKind::Writable(machine.at("own/caches/0")),
            "{role:?}"
        );
        assert!(!mounts.contains_key(&machine.at("cache/absent")), "{role:?}");
    }
}

#[test]
fn only_a_trusted_set_up_sees_the_configuration_of_package_managers() {
    let machine = Machine::new();
    let inside = |name: &str| Path::new(OWN).join("home").join(name);
    for (role, visible) in [
        (FenceRole::Setup, true),
        (FenceRole::UntrustedSetup, false),
        (FenceRole::Verifier, false),
        (FenceRole::Agent, false),
    ] {
        let mounts = machine.mounts(role, &Needs::default());
        assert_eq!(mounts.contains_key(&inside(".npmrc")), visible, "{role:?}");
        assert_eq!(mounts.contains_key(&inside(".config/pip")), visible, "{role:?}");
        assert!(!mounts.contains_key(&inside(".yarnrc")), "a file that is not there");
    }
}

#[test]
fn needs_are_granted_and_what_is_absent_is_not() {
    let machine = Machine::new();
    let needs = Needs {
        read_only: vec![machine.at("cache"), machine.at("none"), "relative".into()],
        writable: vec![machine.at("cache/npm"), machine.at("nowhere")],
        ..Needs::default()
    };
    let mounts = machine.mounts(FenceRole::Verifier, &needs);
    assert_eq!(mounts[&machine.at("cache")], MountKind::ReadOnly(machine.at("cache")));
    assert_eq!(mounts[&machine.at("cache/npm")], MountKind::Writable(machine.at("cache/npm")));
    for absent in [machine.at("none"), machine.at("nowhere"), "relative".into()] {
        assert!(!mounts.contains_key(&absent), "{}", absent.display());
    }
}

#[test]
fn secrets_of_the_machine_are_covered() {
    let machine = Machine::new();
    let mounts = machine.mounts(FenceRole::Agent, &Needs::default());
    for secret in SECRETS.map(Path::new).into_iter().filter(|path| path.exists()) {
        let wanted = if secret.is_dir() { MountKind::Empty } else { MountKind::Blank };
        assert_eq!(mounts.get(secret), Some(&wanted), "{}", secret.display());
    }
    assert!(is_system(Path::new("/usr/bin/env")) && is_system(Path::new("/etc/passwd")));
    assert!(!is_system(Path::new("/home/me")) && !is_system(Path::new("/usrlocal")));
}

#[test]
fn a_parent_comes_before_what_is_inside_it() {
    let machine = Machine::new();
    let mut plan = MountPlan::default();
    plan.put(machine.at("a/b"), MountKind::Empty);
    plan.put(machine.at("a"), MountKind::Empty);
    let order: Vec<_> = plan.0.keys().cloned().collect();
    assert_eq!(order, [machine.at("a"), machine.at("a/b")]);
    plan.put(machine.at("tools"), MountKind::ReadOnly(machine.at("tools")));
    plan.read_only(&machine.at("tools/bin"));
    assert!(!plan.0.contains_key(&machine.at("tools/bin")), "it is visible through its parent");
    plan.hide(&machine.at("tools/bin"));
    assert_eq!(plan.0[&machine.at("tools/bin")], MountKind::Empty);
}
