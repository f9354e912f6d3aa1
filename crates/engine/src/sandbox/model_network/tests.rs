//! Which network an agent gets, and where its ports lead.

use super::*;

fn rules(texts: &[&str]) -> Vec<HostRule> {
    texts.iter().map(|text| HostRule::parse(text).unwrap()).collect()
}

#[test]
fn an_agent_gets_the_narrowest_network_that_it_can_have() {
    use Network::{Loopback, Model, Open};
    let strong = [SandboxRung::Bubblewrap, SandboxRung::Namespaces];
    let weak = [SandboxRung::Landlock, SandboxRung::Off];
    // What the configuration grants, what the agent needs, whether hosts are named, and what comes of it with and without
    // a network of its own.
    let table = [
        (Model, Model, false, Model, Open),
        (Model, Model, true, Model, Open),
        (Model, Open, false, Open, Open),
        (Model, Open, true, Model, Open),
        (Open, Model, true, Open, Open),
        (Open, Open, false, Open, Open),
        (Loopback, Model, true, Loopback, Loopback),
        (Model, Loopback, true, Loopback, Loopback),
        (Open, Loopback, false, Loopback, Loopback),
    ];
    for (granted, needed, named, own_root, without) in table {
        let allow = if named { rules(&["example.org"]) } else { Vec::new() };
        let config = SandboxConfig { agents_network: granted, allow, ..SandboxConfig::default() };
        let needs = Needs { network: needed, ..Needs::default() };
        for rung in strong {
            assert_eq!(agent_network(rung, &config, &needs), own_root, "{granted:?} {needed:?} {rung:?}");
        }
        for rung in weak {
            assert_eq!(agent_network(rung, &config, &needs), without, "{granted:?} {needed:?} {rung:?}");
        }
    }
}

#[test]
fn endpoints_on_the_loopback_have_ports_of_their_own() {
    let shown = |texts: &[&str]| -> Vec<String> {
        let doors = doors(&rules(texts));
        doors.iter().map(|door| format!("{} {}", door.port, door.to.as_deref().unwrap_or("proxy"))).collect()
    };
    assert_eq!(shown(&["api.example.org:443"]), ["8118 proxy"]);
    assert_eq!(
        shown(&["localhost:11434", "127.0.0.1:11434", "[::1]:8118", "10.0.0.1:80"]),
        ["11434 localhost:11434", "8118 [::1]:8118", "8119 proxy"]
    );
}

#[tokio::test]
async fn the_users_proxy_is_replaced_by_ours() {
    let temp = tempfile::tempdir().unwrap();
    let network =
        ModelNetwork::start(&temp.path().join("own"), &SandboxConfig::default(), &Needs::default()).unwrap();
    let mut env: Vec<EnvVar> =
        vec![("https_proxy".into(), "http://me:secret@corp:1".into()), ("NO_PROXY".into(), "*".into())];
    network.lead(&mut env);
    assert!(env.iter().all(|(_, value)| !value.to_string_lossy().contains("secret") && value != "*"));
    assert_eq!(env.iter().filter(|(name, _)| name == "HTTPS_PROXY" || name == "https_proxy").count(), 2);
    let socket = temp.path().join("own.net/model.sock");
    assert!(socket.exists());
    assert_eq!(network.finish(), []);
    assert!(!socket.exists(), "nothing is left of it");
}
