//! What it is like inside, rung by rung.

use windlass_engine::sandbox::Rung;

use crate::cell::{Cell, SECRET};

const OWN_ROOT: [Rung; 2] = [Rung::Bubblewrap, Rung::Namespaces];

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
    for rung in [Rung::Bubblewrap, Rung::Namespaces, Rung::Landlock] {
        let said = Cell::new(rung).says(script);
        let uid = rustix::process::getuid().as_raw();
        if rung == Rung::Landlock {
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
    for rung in [Rung::Bubblewrap, Rung::Namespaces, Rung::Landlock] {
        let cell = Cell::new(rung);
        let said =
            cell.says("ulimit -c; ulimit -u; ulimit -f; ulimit -u unlimited 2>/dev/null || echo fixed");
        // Core files, processes, blocks of 1024 bytes. Root's own number is not held by the second, but has it.
        let expected = format!("0\n4096\n{}\n", 8 << 20);
        assert!(said.starts_with(&expected), "{rung:?}: {said}");
    }
}
