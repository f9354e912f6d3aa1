//! The proxy with real sockets on the loopback: what it lets through, what it refuses, and how it ends.

use std::net::{Ipv4Addr, Ipv6Addr};

use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, UnixStream};

use super::*;

/// A proxy in a directory of its own.
struct Bench {
    _temp: TempDir,
    proxy: ModelProxy,
}

impl Bench {
    fn new(rules: &[String], upstream: UpstreamProxy) -> Self {
        let temp = tempfile::tempdir().unwrap();
        let rules = rules.iter().map(|rule| HostRule::parse(rule).unwrap()).collect();
        let proxy = ModelProxy::start(&temp.path().join("net"), rules, upstream).unwrap();
        Self { _temp: temp, proxy }
    }

    async fn connect(&self) -> UnixStream {
        UnixStream::connect(self.proxy.socket()).await.unwrap()
    }

    async fn ask(&self, request: &str) -> String {
        answer_to(self.connect().await, request).await
    }
}

/// Sends a request; returns everything that comes back.
async fn answer_to(mut client: UnixStream, request: &str) -> String {
    client.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    client.read_to_string(&mut answer).await.unwrap();
    answer
}

/// A server that answers every connection with what it was sent first, and ends it. Returns its port.
fn echo(listener: TcpListener) -> u16 {
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut piece = vec![0; 4096];
                let read = client.read(&mut piece).await.unwrap_or(0);
                let _ = client.write_all(&piece[..read]).await;
            });
        }
    });
    port
}

async fn near() -> TcpListener {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap()
}

#[tokio::test]
async fn named_hosts_are_reached_and_others_are_refused_and_told() {
    let port = echo(near().await);
    let bench = Bench::new(&[format!("127.0.0.1:{port}")], UpstreamProxy::default());
    let answer = bench.ask(&format!("CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\nhello")).await;
    assert_eq!(answer, "HTTP/1.1 200 Connection established\r\n\r\nhello");
    let plain = format!("GET http://127.0.0.1:{port}/v1 HTTP/1.1\r\nHost: other\r\nX: 1\r\n\r\n");
    let expected = format!("GET /v1 HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX: 1\r\nConnection: close\r\n\r\n");
    assert_eq!(bench.ask(&plain).await, expected);
    for asked in ["CONNECT pypi.org:443 HTTP/1.1\r\n\r\n", "GET http://pypi.org/x HTTP/1.1\r\n\r\n"] {
        let answer = bench.ask(asked).await;
        assert!(answer.starts_with("HTTP/1.1 403 ") && answer.contains("[sandbox] allow"), "{answer}");
    }
    assert!(bench.ask("GET / HTTP/1.1\r\n\r\n").await.starts_with("HTTP/1.1 400 "));
    let shown: Vec<String> = bench.proxy.finish().iter().map(BlockedHost::shown).collect();
    assert_eq!(shown, ["`pypi.org:443`", "`pypi.org:80`"]);
}

#[tokio::test]
async fn a_machine_with_the_sixth_version_only_is_reached() {
    let Ok(listener) = TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).await else { return };
    let port = echo(listener);
    let bench = Bench::new(&[format!("[::1]:{port}")], UpstreamProxy::default());
    let answer = bench.ask(&format!("CONNECT [::1]:{port} HTTP/1.1\r\n\r\nsix")).await;
    assert!(answer.ends_with("\r\n\r\nsix"), "{answer}");
}

#[tokio::test]
async fn a_host_that_cannot_be_reached_is_told_with_its_reason() {
    let closed = near().await.local_addr().unwrap().port();
    let rules = ["nowhere.invalid".to_owned(), format!("127.0.0.1:{closed}")];
    let bench = Bench::new(&rules, UpstreamProxy::default());
    let answer = bench.ask("CONNECT nowhere.invalid:443 HTTP/1.1\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 502 ") && answer.contains("does not resolve"), "{answer}");
    let answer = bench.ask(&format!("CONNECT 127.0.0.1:{closed} HTTP/1.1\r\n\r\n")).await;
    assert!(answer.starts_with("HTTP/1.1 502 "), "{answer}");
    let blocked = bench.proxy.finish();
    assert!(blocked.iter().all(|host| matches!(host.why, HostFailure::Unreachable(_))) && blocked.len() == 2);
}

#[tokio::test]
async fn a_name_below_a_domain_does_not_lead_to_this_machine() {
    // `localhost` stands for any name whose owner gives it the address of this machine.
    let port = echo(near().await);
    let request =
        request_head::RequestHead { host: "localhost".into(), port, kind: request_head::RequestKind::Tunnel };
    let shared =
        ProxyRules { rules: Vec::new(), upstream: UpstreamProxy::default(), blocked: Mutex::default() };
    assert!(connection::open(&shared, &request, false).await.is_ok());
    let refused = connection::open(&shared, &request, true).await.unwrap_err();
    assert!(refused.contains("this machine"), "{refused}");
}

#[tokio::test]
async fn the_users_proxy_is_used_with_its_login_and_its_refusal_is_told() {
    let upstream = near().await;
    let port = upstream.local_addr().unwrap().port();
    let url = format!("http://me:pw@127.0.0.1:{port}");
    let read = UpstreamProxy::read(Some(&url), Some(&url), None).unwrap();
    let bench = Bench::new(&["model.invalid".to_owned()], read);
    tokio::spawn(async move {
        for answer in
            ["HTTP/1.1 200 OK\r\n\r\nearly ", "HTTP/1.1 407 Login\r\n\r\n", "HTTP/1.1 204 x\r\n\r\n"]
        {
            let (mut client, _) = upstream.accept().await.unwrap();
            let (head, _) = request_head::read_until_empty_line(&mut client).await.unwrap();
            assert!(String::from_utf8_lossy(&head).contains("Proxy-Authorization: Basic bWU6cHc=\r\n"));
            client.write_all(answer.as_bytes()).await.unwrap();
            client.write_all(head.split(|b| *b == b' ').nth(1).unwrap()).await.unwrap();
        }
    });
    let answer = bench.ask("CONNECT model.invalid:443 HTTP/1.1\r\n\r\n").await;
    assert!(answer.ends_with("\r\n\r\nearly model.invalid:443"), "{answer}");
    let answer = bench.ask("CONNECT model.invalid:443 HTTP/1.1\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 502 ") && answer.contains("407 Login"), "{answer}");
    let answer = bench.ask("GET http://model.invalid/v1 HTTP/1.1\r\n\r\n").await;
    assert!(answer.ends_with("http://model.invalid:80/v1"), "{answer}");
    let down = UpstreamProxy::read(Some("http://127.0.0.1:1"), None, None).unwrap();
    let bench = Bench::new(&["model.invalid".to_owned()], down);
    let answer = bench.ask("CONNECT model.invalid:443 HTTP/1.1\r\n\r\n").await;
    assert!(answer.contains("the proxy `127.0.0.1:1`"), "{answer}");
}

#[tokio::test]
async fn many_connections_are_served_in_turn() {
    let port = echo(near().await);
    let bench = Bench::new(&[format!("127.0.0.1:{port}")], UpstreamProxy::default());
    for _ in 0..10 {
        let mut all = JoinSet::new();
        for n in 0..CONNECTIONS + 20 {
            let client = bench.connect().await;
            all.spawn(async move {
                let answer =
                    answer_to(client, &format!("CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n{n}")).await;
                answer.ends_with(&format!("\r\n\r\n{n}"))
            });
        }
        assert!(all.join_all().await.into_iter().all(|good| good));
    }
    assert_eq!(bench.proxy.finish(), []);
}

#[tokio::test]
async fn a_client_and_a_server_that_hang_end_with_the_proxy() {
    let server = near().await;
    let port = server.local_addr().unwrap().port();
    let bench = Bench::new(&[format!("127.0.0.1:{port}")], UpstreamProxy::default());
    let mut silent = bench.connect().await;
    let mut open = bench.connect().await;
    open.write_all(format!("CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n").as_bytes()).await.unwrap();
    let (mut far, _) = server.accept().await.unwrap();
    let mut answer = [0; 12];
    open.read_exact(&mut answer).await.unwrap();
    let socket = bench.proxy.socket().to_owned();
    drop(bench);
    let mut rest = Vec::new();
    assert!(!socket.exists());
    // Each end sees the other one gone: no file descriptor of the proxy is left.
    let ended = async {
        let _ = silent.read_to_end(&mut rest).await;
        let _ = open.read_to_end(&mut rest).await;
        let _ = far.read_to_end(&mut rest).await;
    };
    tokio::time::timeout(Duration::from_secs(20), ended).await.unwrap();
}
