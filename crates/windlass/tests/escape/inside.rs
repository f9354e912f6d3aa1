//! What it is like inside, rung by rung.

use windlass_engine::process::{Finished, LimitHit, ProcessExit};
use windlass_engine::sandbox::{FenceRole, ResourceLimits, Sandbox, SandboxConfig, SandboxRung, SandboxWish};

use crate::cell::{Cell, SECRET};

const OWN_ROOT: [SandboxRung; 2] = [SandboxRung::Bubblewrap, SandboxRung::Namespaces];

#[test]
fn the_directory_lies_at_a_constant_place_and_is_written_through() {
    for rung in OWN_ROOT {
        let cell = Cell::new(rung);
        assert_eq!(
            cell.says("pwd; echo hello > made; echo $TOP | grep -c cache"),
            "/windlass/work\n0\nCode(1)",
            "{rung:?}"
        );
        assert_eq!(std::fs::read_to_string(cell.path("cache/slots/1/tree/made")).unwrap(), "hello\n");
    }
}

#[test]
fn ordinary_work_works() {
    let script = "set -e; echo x > $TMPDIR/a; cat $TMPDIR/a; : > /dev/null; head -c 4 /dev/urandom | wc -c; \
                  git init -q . ; echo ~ | grep -c home; touch ~/.profile; id -u; python3 -c 'import socket; \
                  s=socket.create_server((\"127.0.0.1\",0)); socket.create_connection(s.getsockname()); print(\"loopback\")'";
    for rung in [SandboxRung::Bubblewrap, SandboxRung::Namespaces, SandboxRung::Landlock] {
        let said = Cell::new(rung).says(script);
        let uid = rustix::process::getuid().as_raw();
        if rung == SandboxRung::Landlock {
            assert!(said.starts_with("x\n4\n1\n"), "{said}");
        } else {
            assert_eq!(said, format!("x\n4\n1\n{uid}\nloopback"), "{rung:?}");
        }
    }
}

#[test]
fn a_link_left_for_the_next_command_leads_nowhere() {
    for rung in OWN_ROOT {
        let cell = Cell::new(rung);
        cell.says(
            "cd /windlass/own; rm -rf home tmp cargo; ln -s $TOP/home home; ln -s $TOP/repo tmp; ln -s $TOP/repo cargo",
        );
        let said = cell.says(
            "cat ~/.netrc /tmp/code.py /windlass/own/*/code.py; echo bad > /tmp/code.py; echo bad > ~/.netrc",
        );
        assert!(!said.contains(SECRET), "{rung:?}: {said}");
        for file in ["repo/code.py", "home/.netrc"] {
            assert_eq!(std::fs::read_to_string(cell.path(file)).unwrap(), SECRET, "{rung:?}: {file}");
        }
    }
}

#[test]
fn a_command_is_limited_in_what_it_uses_up() {
    for rung in [SandboxRung::Bubblewrap, SandboxRung::Namespaces, SandboxRung::Landlock] {
        let cell = Cell::new(rung);
        let said =
            cell.says("ulimit -c; ulimit -u; ulimit -f; ulimit -u unlimited 2>/dev/null || echo fixed");
        // Core files, processes, blocks of 1024 bytes. Root's own number is not held by the second, but has it.
        let expected = format!("0\n4096\n{}\n", 8 << 20);
        assert!(said.starts_with(&expected), "{rung:?}: {said}");
    }
}

/// A verifier's command.
fn verified(rung: SandboxRung, script: &str) -> Finished {
    let cell = Cell::new(rung);
    cell.run_in(&cell.fence_for(FenceRole::Verifier, cell.config()), cell.invocation(script))
}

#[test]
fn whoever_a_test_leaves_behind_is_ended_and_named() {
    for rung in [SandboxRung::Bubblewrap, SandboxRung::Namespaces, SandboxRung::Landlock, SandboxRung::Off] {
        let left = |script: &str| verified(rung, script).left;
        assert_eq!(left("(setsid sleep 600 >/dev/null 2>&1 </dev/null &); exit 0"), ["sleep"], "{rung:?}");
        // Who ends soon by himself was not left.
        let soon = verified(rung, "(setsid sleep 0.3 >/dev/null 2>&1 &); exit 0");
        assert_eq!((soon.left, soon.exit), (Vec::new(), ProcessExit::Code(0)), "{rung:?}");
    }
    for rung in OWN_ROOT {
        let silenced = "kill -9 1; kill -STOP 1; ln -s /etc/passwd /windlass/own/.kept; \
                        (trap '' TERM; setsid sh -c 'while :; do rm -rf /windlass/own/.kept; done' >/dev/null 2>&1 &)";
        assert_eq!(verified(rung, silenced).left.first().map(String::as_str), Some("sh"), "{rung:?}");
    }
}

/// A command with limits of its own, in whatever holds them here.
fn limited(rung: SandboxRung, limits: ResourceLimits, script: &str) -> Finished {
    let cell = Cell::new(rung);
    let config = SandboxConfig { wish: SandboxWish::Only(rung), limits, ..cell.config() };
    let sandbox = Sandbox::strongest(&config, &cell.path("cache/probe")).unwrap();
    let fence =
        sandbox.fence(FenceRole::Verifier, &cell.path("cache/slots/1/tree"), &cell.path("cache/scratch/1"));
    cell.run_in(&fence, cell.invocation(script))
}

#[test]
fn all_processes_together_are_limited() {
    let many = "python3 -c \"import subprocess as s, time; [s.Popen(['sleep', '60']) for _ in range(120)]; time.sleep(60)\"";
    for rung in OWN_ROOT {
        let limits = ResourceLimits { processes: 60, ..ResourceLimits::default() };
        let ended = limited(rung, limits, many);
        assert_ne!(ended.exit, ProcessExit::Code(0), "{rung:?}");
        // To others than root the kernel refuses the process itself.
        let refused = ended.output.tail_text().contains("Resource temporarily unavailable");
        assert!(ended.over == Some(LimitHit::Processes) || refused, "{rung:?}: {ended:?}");
    }
}

#[test]
fn the_memory_of_all_processes_together_is_limited() {
    let hungry =
        "for i in 1 2 3; do python3 -c 'import time; x = bytearray(90 << 20); time.sleep(60)' & done; wait";
    for rung in OWN_ROOT {
        let limits = ResourceLimits { total_memory: 150 << 20, ..ResourceLimits::default() };
        let ended = limited(rung, limits, hungry);
        assert_ne!(ended.exit, ProcessExit::Code(0), "{rung:?}");
        assert_eq!(ended.over, Some(LimitHit::Memory), "{rung:?}");
    }
}

#[test]
fn the_disk_is_limited_as_a_whole() {
    // No file is too large by itself.
    let many = "for i in $(seq 40); do head -c 1000000 /dev/zero > $TMPDIR/$i; done; sleep 60";
    for rung in [SandboxRung::Bubblewrap, SandboxRung::Namespaces, SandboxRung::Landlock] {
        let limits = ResourceLimits { disk: 20 << 20, file: 2 << 20, ..ResourceLimits::default() };
        let ended = limited(rung, limits, many);
        assert_eq!((ended.exit, ended.over), (ProcessExit::Signal(9), Some(LimitHit::Disk)), "{rung:?}");
    }
}
