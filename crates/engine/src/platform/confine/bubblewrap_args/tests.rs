//! Tests of `confine/bubblewrap_args`.

use std::path::PathBuf;

use super::super::spec::FinalSteps;
use super::*;
use crate::sandbox::{ResourceLimits, SandboxRung};

fn spec(mounts: Vec<Mount>) -> ConfinementSpec {
    ConfinementSpec {
        rung: SandboxRung::Bubblewrap,
        parent: 1,
        bubblewrap: None,
        uid: 1000,
        gid: 100,
        mounts,
        groups: Vec::new(),
        join: None,
        network: Network::Loopback,
        cwd: "/windlass/work".into(),
        last: FinalSteps {
            ordinary: None,
            limits: ResourceLimits::default(),
            mark: "/windlass/own/.inside".into(),
            kept: "/windlass/own/.kept".into(),
            settle_millis: 0,
            relay: None,
            shares_network: false,
            program: "true".into(),
            args: Vec::new(),
        },
    }
}

fn text(spec: &ConfinementSpec, filter: Option<u32>) -> String {
    let words = arguments(spec, filter);
    words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_kind_of_mount_has_its_option() {
    let overlay = MountKind::Overlay { lower: vec!["/l".into()], upper: "/u".into(), work: "/k/work".into() };
    let table = [
        (MountKind::ReadOnly("/from".into()), "--ro-bind /from /to"),
        (MountKind::Writable("/from".into()), "--bind /from /to"),
        (overlay, "--bind /k/work.merged /to"),
        (MountKind::Empty, "--tmpfs /to"),
        (MountKind::Blank, "--ro-bind /dev/null /to"),
        (MountKind::Link("usr/bin".into()), "--symlink usr/bin /to"),
    ];
    for (kind, wanted) in table {
        let mount = Mount { to: PathBuf::from("/to"), kind };
        let words = text(&spec(vec![mount]), None);
        assert!(words.contains(&format!(" {wanted} --remount-ro / ")), "{wanted}: {words}");
    }
}

#[test]
fn the_network_is_its_own_unless_it_is_open_or_shared() {
    let has = |network, join| {
        text(&ConfinementSpec { join, network, ..spec(Vec::new()) }, None).contains("--unshare-net")
    };
    assert!(has(Network::Loopback, None));
    assert!(!has(Network::Open, None));
    assert!(!has(Network::Loopback, Some(7)), "it was joined before");
}

#[test]
fn identity_and_filter_are_passed_on_and_the_keeper_comes_last() {
    let words = text(&spec(Vec::new()), Some(5));
    assert!(words.contains("--uid 1000 --gid 100") && words.contains("--seccomp 5"), "{words}");
    assert!(words.contains("--die-with-parent") && words.contains("--cap-drop ALL"), "{words}");
    assert!(words.contains("--chdir /windlass/work -- /windlass/confine __keep {"), "{words}");
    assert!(!text(&spec(Vec::new()), None).contains("--seccomp"));
}
