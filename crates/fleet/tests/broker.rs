//! A real broker between a coordinator and its workers: two workers, a broker that is killed and comes back, workers that send
//! what they must not, brokers that refuse.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up must fail")]

use std::io::{Read, Write};
use std::path::PathBuf;
use std::time::Duration;

use async_nats::jetstream;
use async_nats::jetstream::consumer::pull::Config;
use async_nats::jetstream::message::PublishMessage;
use futures_util::StreamExt as _;
use tokio::sync::watch;
use windlass_engine::place::{CarriedPipes, Carrier as _, place_ping};
use windlass_fleet::{FleetAddress, FleetCarrier, FleetWorker, attend_fleet};
use windlass_testkit::NatsServer;

const VERSION: &str = "1.2.3";
/// Far more than anything here takes; a test that waits for it has failed.
const PATIENCE: Duration = Duration::from_mins(2);

fn address(server: &NatsServer, key: Option<PathBuf>) -> FleetAddress {
    FleetAddress { url: server.url(), queue: "q".into(), key, authority: None }
}

/// A worker whose attendant sends back what it gets.
fn worker(address: &FleetAddress, version: &str) -> watch::Sender<u8> {
    let (stop, stopped) = watch::channel(0);
    let worker = FleetWorker {
        address: address.clone(),
        version: version.into(),
        slots: 1,
        command: vec!["cat".into()],
    };
    tokio::spawn(attend_fleet(worker, stopped, || {}));
    stop
}

/// A frame with a body of so many bytes of a kind.
fn frame(byte: u8, length: usize) -> Vec<u8> {
    windlass_testkit::frame(b'p', &vec![byte; length])
}

/// Sends frames and expects the same back; signs of life between them are skipped.
async fn echo(mut pipes: CarriedPipes, frames: Vec<Vec<u8>>) -> CarriedPipes {
    let ping = place_ping();
    let done = tokio::task::spawn_blocking(move || {
        for frame in &frames {
            pipes.output.write_all(frame).unwrap();
            pipes.output.flush().unwrap();
        }
        for frame in &frames {
            loop {
                let mut head = [0; 13];
                pipes.input.read_exact(&mut head).unwrap();
                let length = u32::from_le_bytes(head[5..9].try_into().unwrap());
                let mut came = head.to_vec();
                came.resize(13 + usize::try_from(length).unwrap(), 0);
                pipes.input.read_exact(&mut came[13..]).unwrap();
                if came != ping {
                    assert!(came == *frame, "frames come back whole and in order");
                    break;
                }
            }
        }
        pipes
    });
    tokio::time::timeout(PATIENCE, done).await.unwrap().unwrap()
}

async fn open(carrier: &FleetCarrier) -> CarriedPipes {
    tokio::time::timeout(PATIENCE, carrier.open()).await.unwrap().unwrap()
}

/// What lies at the broker: messages of calls and parts, and consumers of parts.
async fn left(server: &NatsServer) -> (u64, u64, usize) {
    let jetstream = jetstream::new(async_nats::connect(server.url()).await.unwrap());
    let calls = jetstream.get_stream("windlass_q_calls").await.unwrap().get_info().await.unwrap().state;
    let parts = jetstream.get_stream("windlass_q_parts").await.unwrap().get_info().await.unwrap().state;
    (calls.messages, parts.messages, parts.consumer_count)
}

async fn nothing_is_left(server: &NatsServer) {
    let waited = tokio::time::timeout(PATIENCE, async {
        while left(server).await != (0, 0, 0) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    assert!(waited.await.is_ok(), "calls, parts, consumers: {:?}", left(server).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_workers_share_a_queue_and_nothing_is_left_at_the_broker() {
    let Some(server) = NatsServer::start("") else { return };
    let address = address(&server, None);
    let carrier = FleetCarrier::new(address.clone(), VERSION);
    assert!(carrier.roster().await.unwrap_err().contains("no worker attends"));
    // A worker of another version takes no call.
    let _other = worker(&address, "9.9.9");
    let until = tokio::time::Instant::now() + PATIENCE;
    while !carrier.roster().await.unwrap_err().contains("another version than 1.2.3") {
        assert!(tokio::time::Instant::now() < until, "the other worker never came");
    }
    let (_one, _two) = (worker(&address, VERSION), worker(&address, VERSION));
    // Each has one slot: both are needed at once.
    let (first, second) = tokio::join!(open(&carrier), open(&carrier));
    let large: Vec<Vec<u8>> = (0..40).map(|n| frame(n, 200 << 10)).collect();
    let small: Vec<Vec<u8>> = (0..200).map(|n| frame(n, 10)).collect();
    let (first, second) = tokio::join!(echo(first, large), echo(second, small));
    assert_eq!(carrier.roster().await.unwrap().len(), 3);
    drop(first);
    // The worker that is free again takes the next one.
    let third = echo(open(&carrier).await, vec![frame(7, 1)]).await;
    drop((second, third));
    carrier.finish().await;
    nothing_is_left(&server).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_broker_that_is_killed_and_comes_back_breaks_no_connection() {
    let Some(mut server) = NatsServer::start("") else { return };
    let address = address(&server, None);
    let carrier = FleetCarrier::new(address.clone(), VERSION);
    let _worker = worker(&address, VERSION);
    let mut pipes = echo(open(&carrier).await, vec![frame(1, 100)]).await;
    for round in 0..3 {
        // In the middle of what is on its way.
        let under_way = tokio::spawn(echo(pipes, (0..60).map(|n| frame(n, 100 << 10)).collect()));
        tokio::time::sleep(Duration::from_millis(30 * round)).await;
        server.kill();
        server.start_again();
        pipes = under_way.await.unwrap();
    }
    drop(pipes);
    carrier.finish().await;
    nothing_is_left(&server).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whoever_did_not_get_the_call_is_not_heard() {
    let Some(server) = NatsServer::start("") else { return };
    let address = address(&server, None);
    let carrier = FleetCarrier::new(address.clone(), VERSION);
    let _worker = worker(&address, VERSION);
    let client = async_nats::connect(server.url()).await.unwrap();
    let mut heard = client.subscribe("windlass.q.part.>").await.unwrap();
    let pipes = echo(open(&carrier).await, vec![frame(1, 1)]).await;
    let subject = heard.next().await.unwrap().subject.to_string();
    let session = subject.split(".from.").next().unwrap().to_owned();
    let jetstream = jetstream::new(client.clone());
    let put = async |taker: &str, number: u64, bytes: Vec<u8>| {
        let subject = format!("{session}.from.{taker}");
        let message = PublishMessage::build().message_id(format!("{subject}.{number}")).payload(bytes.into());
        jetstream.send_publish(subject, message).await.unwrap().await.unwrap();
    };
    // A second worker claims the call, and is told that another one has it; what it sends is dropped.
    put("late", 0, br#"c{"worker":"x","host":"y"}"#.to_vec()).await;
    put("late", 1, [b"f".as_slice(), &frame(9, 9)].concat()).await;
    put("garbage", 7, b"\xff\xff".to_vec()).await;
    let told = tokio::time::timeout(PATIENCE, async {
        loop {
            let message = heard.next().await.unwrap();
            if message.subject.ends_with(".to.late") {
                return message.payload;
            }
        }
    });
    assert!(told.await.unwrap().starts_with(b"oanother worker"));
    // Parts of the right worker that came before change nothing.
    let taker = subject.rsplit('.').next().unwrap();
    let again = PublishMessage::build().message_id(format!("x.{taker}.1")).payload(b"fstale".to_vec().into());
    jetstream.send_publish(subject.clone(), again).await.unwrap().await.unwrap();
    drop(echo(pipes, vec![frame(2, 2)]).await);
    carrier.finish().await;
    nothing_is_left(&server).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn calls_of_a_coordinator_that_was_killed_hold_up_no_other() {
    let Some(server) = NatsServer::start("") else { return };
    let address = address(&server, None);
    let carrier = FleetCarrier::new(address.clone(), VERSION);
    let _worker = worker(&address, VERSION);
    drop(echo(open(&carrier).await, vec![frame(1, 1)]).await);
    let jetstream = jetstream::new(async_nats::connect(server.url()).await.unwrap());
    for n in 0..20 {
        let call = format!(r#"{{"run":"gone","session":"s{n}","avoid":[]}}"#);
        let message = PublishMessage::build().payload(call.into());
        let subject = format!("windlass.q.call.1_2_3.gone.s{n}");
        jetstream.send_publish(subject, message).await.unwrap().await.unwrap();
    }
    drop(echo(open(&carrier).await, vec![frame(2, 2)]).await);
    carrier.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_call_that_a_worker_took_and_never_answered_goes_to_another() {
    let Some(server) = NatsServer::start("") else { return };
    let address = address(&server, None);
    let carrier = FleetCarrier::new(address.clone(), VERSION);
    // Makes the streams and the consumer, and goes.
    let stop = worker(&address, VERSION);
    drop(echo(open(&carrier).await, vec![frame(1, 1)]).await);
    stop.send_replace(1);
    let jetstream = jetstream::new(async_nats::connect(server.url()).await.unwrap());
    let calls = jetstream.get_stream("windlass_q_calls").await.unwrap();
    let shared = calls.get_consumer::<Config>("workers_1_2_3").await.unwrap();
    let mut taken = shared.batch().max_messages(1).expires(PATIENCE).messages().await.unwrap();
    let opening = open(&carrier);
    tokio::pin!(opening);
    // A worker takes it and dies with it.
    tokio::select! {
        message = taken.next() => drop(message.unwrap().unwrap()),
        _ = &mut opening => panic!("nobody can have answered"),
    }
    drop(taken);
    let _worker = worker(&address, VERSION);
    drop(echo(opening.await, vec![frame(2, 2)]).await);
    carrier.finish().await;
    nothing_is_left(&server).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_broker_that_refuses_is_explained() {
    let said = async |address: FleetAddress| FleetCarrier::new(address, VERSION).open().await.err().unwrap();
    let Some(server) = NatsServer::start("authorization { token: \"right\" }") else { return };
    let right = server.file("right", "right\n");
    let carrier = FleetCarrier::new(address(&server, Some(right)), VERSION);
    assert!(carrier.roster().await.unwrap_err().contains("no worker attends"));
    let wrong = server.file("wrong", "wrong\n");
    assert!(said(address(&server, Some(wrong))).await.contains("does not let this key in"));
    assert!(said(address(&server, None)).await.contains("does not let this key in"));
    let nowhere = FleetAddress { url: "nats://no-such-host.invalid:4222".into(), ..address(&server, None) };
    let told = said(nowhere).await;
    assert!(told.contains("`no-such-host.invalid` of the broker is unknown"), "{told}");
    let silent = FleetAddress { url: "nats://127.0.0.1:1".into(), ..address(&server, None) };
    assert!(said(silent).await.contains("does not answer after"));
    let rights = "accounts { A { jetstream: enabled, users: [ { user: u, password: p, permissions: { publish: \"other.>\" } } ] } }\n\
                  no_auth_user: u\n";
    let without = NatsServer::start(&format!("jetstream {{}}\n{rights}")).unwrap();
    let told = said(address(&without, None)).await;
    assert!(told.contains("does not give the stream") && told.contains("rights"), "{told}");
    let plain = NatsServer::start("# no jetstream").unwrap();
    let told = said(address(&plain, None)).await;
    assert!(told.contains("it needs JetStream"), "{told}");
    let small = NatsServer::start("max_payload: 100000").unwrap();
    assert!(said(address(&small, None)).await.contains("max_payload"));
}

/// A certificate of an authority, and one of a server on loopback that it has signed, with its key.
fn certificates(dir: &std::path::Path) -> Option<()> {
    let openssl = |args: &str| {
        let done = std::process::Command::new("openssl").args(args.split(' ')).current_dir(dir).output();
        done.is_ok_and(|done| done.status.success()).then_some(())
    };
    std::fs::write(dir.join("names"), "subjectAltName=IP:127.0.0.1\n").unwrap();
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
    openssl(&format!("req -x509 {key} -days 2 -subj /CN=authority -keyout ca.key -out ca.pem"))?;
    openssl(&format!("req {key} -subj /CN=server -keyout server.key -out server.csr"))?;
    openssl(
        "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.pem",
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_broker_with_tls_lets_an_nkey_in_and_an_unknown_authority_is_explained() {
    // A pair of the documentation of NATS.
    const SEED: &str = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY";
    const PUBLIC: &str = "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4";
    let dir = tempfile::tempdir().unwrap();
    if certificates(dir.path()).is_none() {
        eprintln!("NOT EXECUTED: there is no openssl");
        return;
    }
    let at = |name: &str| dir.path().join(name).display().to_string();
    let more = format!(
        "tls {{ cert_file: {:?}, key_file: {:?} }}\nauthorization {{ users: [ {{ nkey: {PUBLIC} }} ] }}\n",
        at("server.pem"),
        at("server.key"),
    );
    let Some(server) = NatsServer::start(&more) else { return };
    let address = FleetAddress {
        url: server.url().replace("nats://", "tls://"),
        queue: "q".into(),
        key: Some(server.file("seed", SEED)),
        authority: Some(dir.path().join("ca.pem")),
    };
    let carrier = FleetCarrier::new(address.clone(), VERSION);
    let _worker = worker(&address, VERSION);
    drop(echo(open(&carrier).await, vec![frame(1, 200 << 10)]).await);
    carrier.finish().await;
    let said = async |address: FleetAddress| FleetCarrier::new(address, VERSION).open().await.err().unwrap();
    let told = said(FleetAddress { authority: None, ..address.clone() }).await;
    assert!(told.contains("TLS with the broker") && told.contains("certificate"), "{told}");
    let told = said(FleetAddress { key: None, ..address }).await;
    assert!(told.contains("does not let this key in"), "{told}");
}
