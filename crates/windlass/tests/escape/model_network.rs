//! An agent that reaches its model and nothing else: not the network, not the host's loopback, not its sockets.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};

use windlass_engine::process::Finished;
use windlass_engine::proxy::HostRule;
use windlass_engine::sandbox::{FenceRole, Needs, Network, SandboxConfig, SandboxRung};

use crate::cell::Cell;

const RUNGS: [SandboxRung; 2] = [SandboxRung::Bubblewrap, SandboxRung::Namespaces];

/// Asks whatever an agent might ask, and prints one word for each.
const ASK: &str = r#"
import os, socket, sys, urllib.request, urllib.error
model, other, name = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
def tried(what, ask):
    try:
        print(what, ask())
    except urllib.error.HTTPError as e:
        print(what, e.code, "allow" in e.read().decode())
    except OSError as e:
        print(what, "failed")
def raw(port):
    s = socket.create_connection(("127.0.0.1", port), timeout=20)
    s.sendall(b"GET / HTTP/1.0\r\n\r\n")
    return s.recv(100).decode().split("\r\n\r\n")[-1]
tried("model", lambda: raw(model))
tried("other port", lambda: raw(other))
def abstract():
    s = socket.socket(socket.AF_UNIX)
    s.connect("\0" + name)
    return "reached"
tried("abstract", abstract)
tried("page", lambda: urllib.request.urlopen("http://pypi.invalid/simple", timeout=20).status)
tried("secret page", lambda: urllib.request.urlopen("https://169.254.169.254/", timeout=20).status)
direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
tried("without the proxy", lambda: direct.open("http://192.0.2.1/", timeout=5).status)
print("proxy", os.environ["HTTPS_PROXY"] == os.environ["http_proxy"], "secret" in str(os.environ))
"#;

/// A model on the host: answers every request with `hello`.
fn model() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let mut client = client.unwrap();
            std::thread::spawn(move || {
                let _ = client.read(&mut [0; 512]);
                let _ = client.write_all(b"HTTP/1.0 200 OK\r\n\r\nhello");
            });
        }
    });
    port
}

fn said(finished: &Finished) -> String {
    std::fs::read_to_string(finished.output.merged.as_ref().unwrap()).unwrap_or_default()
}

fn limited(cell: &Cell) -> SandboxConfig {
    SandboxConfig { agents_network: Network::Model, ..cell.config() }
}

#[test]
fn the_model_is_reached_and_nothing_else() {
    for rung in RUNGS {
        let (cell, port) = (Cell::new(rung), model());
        let other = TcpListener::bind("127.0.0.1:0").unwrap();
        let name = format!("windlass-model-{}-{rung:?}", std::process::id());
        let address = SocketAddr::from_abstract_name(&name).unwrap();
        let _abstract = UnixListener::bind_addr(&address).unwrap();
        let mut inv = cell.invocation("");
        let other_port = other.local_addr().unwrap().port();
        inv.program = "python3".into();
        inv.args = ["-c", ASK].map(Into::into).into();
        inv.args.extend([port.to_string(), other_port.to_string(), name].map(Into::into));
        inv.env.push(("HTTPS_PROXY".into(), "http://me:secret@corp:1".into()));
        let rule = HostRule::of_url(&format!("http://127.0.0.1:{port}/v1")).unwrap();
        let needs = Needs { network: Network::Model, hosts: vec![rule], ..Needs::default() };
        let finished = cell.run_with(&cell.fence_for(FenceRole::Agent, limited(&cell)), inv, &needs);
        let expected = "model hello\nother port failed\nabstract failed\npage 403 True\nsecret page failed\n\
                        without the proxy failed\nproxy True False\n";
        assert_eq!(said(&finished), expected, "{rung:?}: {:?}", finished.exit);
        let blocked: Vec<String> =
            finished.blocked.iter().map(windlass_engine::proxy::BlockedHost::shown).collect();
        assert_eq!(blocked, ["`pypi.invalid:80`", "`169.254.169.254:443`"], "{rung:?}");
        assert!(other.set_nonblocking(true).is_ok() && other.accept().is_err(), "{rung:?}");
        let left = std::fs::read_dir(cell.path("cache/scratch")).unwrap().flatten();
        let sockets = left.filter(|entry| entry.path().extension().is_some_and(|e| e == "net")).count();
        assert_eq!(sockets, 0, "{rung:?}: nothing is left of the proxy");
    }
}

/// With an open network the machine's ports are in reach, which is said; its nameless sockets are not.
#[test]
fn nameless_sockets_are_out_of_reach_of_an_open_network() {
    for rung in RUNGS {
        let cell = Cell::new(rung);
        let port = TcpListener::bind("127.0.0.1:0").unwrap();
        let name = format!("windlass-open-{}-{rung:?}", std::process::id());
        let listener = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
        let number = port.local_addr().unwrap().port();
        let script = format!(
            "exec 3<>/dev/tcp/127.0.0.1/{number} && echo port\n\
             python3 -c 'import socket; a=socket.socket(socket.AF_UNIX); a.bind(\"\\0own\"); a.listen(); \
             b=socket.socket(socket.AF_UNIX); b.connect(\"\\0own\"); print(\"own\"); \
             socket.socket(socket.AF_UNIX).connect(\"\\0{name}\"); print(\"nameless\")' 2>/dev/null"
        );
        let needs = Needs { network: Network::Open, ..Needs::default() };
        let finished = cell.run_with(&cell.fence(), cell.invocation(&script), &needs);
        assert_eq!(said(&finished), "port\nown\n", "{rung:?}");
        assert!(listener.set_nonblocking(true).is_ok() && listener.accept().is_err(), "{rung:?}");
    }
}

#[test]
fn an_agent_of_unknown_hosts_is_limited_to_the_named_ones() {
    let cell = Cell::new(SandboxRung::Namespaces);
    let port = model();
    let needs = Needs { network: Network::Open, ..Needs::default() };
    let ask = format!(
        "python3 -c 'import urllib.request as u; print(u.urlopen(\"http://127.0.0.1:{port}/\", timeout=20).read().decode())' \
         || echo failed"
    );
    let open =
        cell.run_with(&cell.fence_for(FenceRole::Agent, limited(&cell)), cell.invocation(&ask), &needs);
    assert!(said(&open).contains("hello"), "{}", said(&open));
    let allow = vec![HostRule::parse("example.org").unwrap()];
    let config = SandboxConfig { allow, ..limited(&cell) };
    let named = cell.run_with(&cell.fence_for(FenceRole::Agent, config), cell.invocation(&ask), &needs);
    assert!(said(&named).contains("failed") && !said(&named).contains("hello"), "{}", said(&named));
}

#[test]
fn many_connections_at_once_and_a_client_that_hangs_do_no_harm() {
    let cell = Cell::new(SandboxRung::Namespaces);
    let port = model();
    let rule = HostRule::of_url(&format!("http://127.0.0.1:{port}")).unwrap();
    let needs = Needs { network: Network::Model, hosts: vec![rule], ..Needs::default() };
    let script = format!(
        "python3 - <<'END'\n\
         import socket, threading\n\
         idle = [socket.create_connection((\"127.0.0.1\", {port})) for _ in range(40)]\n\
         good = []\n\
         def ask():\n\
         \x20   s = socket.create_connection((\"127.0.0.1\", {port}), timeout=50)\n\
         \x20   s.sendall(b\"GET / HTTP/1.0\\r\\n\\r\\n\")\n\
         \x20   if b\"hello\" in s.recv(100): good.append(1)\n\
         all = [threading.Thread(target=ask) for _ in range(300)]\n\
         [t.start() for t in all]; [t.join() for t in all]\n\
         print(len(good))\nEND\n"
    );
    let fence = cell.fence_for(FenceRole::Agent, limited(&cell));
    let finished = cell.run_with(&fence, cell.invocation(&script), &needs);
    assert_eq!(said(&finished).trim(), "300", "{:?}", finished.exit);
}
