//! What is worth a notice, and how it is sent.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use windlass_core::event::{Event, RunEnd, RunEvent};

use super::*;
use crate::config::NotifyKeys;

fn stamped(event: RunEvent) -> Stamped {
    Stamped { seq: 1, at: 0, event: Event::Run(event) }
}

#[test]
fn the_end_of_a_run_is_told_unless_a_person_ended_it() {
    let told = |end| {
        let notices = notice::notices_of_event(&stamped(RunEvent::RunEnded { end }), &View::default());
        notices.first().map(|notice| format!("{}: {}", notice.event.as_str(), notice.title))
    };
    assert_eq!(told(RunEnd::Completed).as_deref(), Some("finished: the run is done"));
    assert_eq!(told(RunEnd::Stuck).as_deref(), Some("finished: the run is over, and not everything is done"));
    assert_eq!(told(RunEnd::Broken { message: "disk".into() }).as_deref(), Some("failed: the run broke"));
    assert_eq!(told(RunEnd::Interrupted), None);
    assert_eq!(told(RunEnd::Cancelled), None);
}

#[test]
fn a_budget_counts_by_its_tighter_limit() {
    let used = Usage { input_tokens: 50, cost_usd: Some(0.9), ..Usage::default() };
    let table =
        [(None, None, 0.0), (Some(1.0), None, 90.0), (None, Some(100), 50.0), (Some(1.0), Some(50), 100.0)];
    for (cost, tokens, expected) in table {
        assert!((percent(&used, cost, tokens) - expected).abs() < 1e-9, "{cost:?} {tokens:?}");
    }
}

/// What a server on loopback gets from one POST.
fn posted(format: NoticeFormat) -> String {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/topic", server.local_addr().unwrap());
    let heard = std::thread::spawn(move || {
        let (mut stream, _) = server.accept().unwrap();
        let mut text = String::new();
        let mut piece = [0; 4096];
        while !text.contains("\r\n\r\n") || text.ends_with("\r\n\r\n") {
            let n = stream.read(&mut piece).unwrap();
            text.push_str(&String::from_utf8_lossy(&piece[..n]));
        }
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").unwrap();
        text
    });
    let keys = NotifyKeys { url: Some(url), format, ..NotifyKeys::default() };
    let mut notice =
        notice::notices_of_event(&stamped(RunEvent::RunEnded { end: RunEnd::Completed }), &View::default());
    let mut notice = notice.remove(0);
    notice.plan = "shop".into();
    deliver(&Channels::of(&World::for_test(), &keys), &notice).unwrap();
    heard.join().unwrap()
}

#[test]
fn each_format_is_posted_as_its_service_takes_it() {
    let body = |text: &str| text.split_once("\r\n\r\n").unwrap().1.to_owned();
    let json = posted(NoticeFormat::Json);
    assert!(json.starts_with("POST /topic "), "{json}");
    insta::assert_snapshot!(body(&json), @r#"{"schema":"windlass.notice/1","event":"finished","plan":"shop","title":"the run is done","text":"0 of 0 completed","next":"`windlass land`"}"#);
    let text = posted(NoticeFormat::Text);
    assert!(text.to_lowercase().contains("title: the run is done"), "{text}");
    insta::assert_snapshot!(body(&text), @r"
    0 of 0 completed
    next: `windlass land`
    ");
    insta::assert_snapshot!(body(&posted(NoticeFormat::Slack)), @r#"{"text":"*shop* · the run is done\n0 of 0 completed\nnext: `windlass land`"}"#);
}

#[test]
fn a_command_gets_the_notice_and_its_failure_is_known() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let notice = Notice {
        schema: "windlass.notice/1",
        event: NoticeKind::Question,
        plan: "shop".into(),
        task: Some("T1".into()),
        title: "T1 asks".into(),
        text: "$(touch pwned) `which` port?".into(),
        next: String::new(),
    };
    let command =
        format!("cat > {0}; echo \"$WINDLASS_EVENT $WINDLASS_TASK $WINDLASS_TEXT\" >> {0}", out.display());
    let keys = |command: &str| NotifyKeys { command: Some(command.into()), ..NotifyKeys::default() };
    deliver(&Channels::of(&World::for_test(), &keys(&command)), &notice).unwrap();
    let text = std::fs::read_to_string(&out).unwrap();
    assert!(text.ends_with("question T1 $(touch pwned) `which` port?\n"), "{text}");
    assert!(text.contains(r#""event":"question""#), "{text}");
    let failed = deliver(&Channels::of(&World::for_test(), &keys("exit 3")), &notice).unwrap_err();
    assert_eq!(failed, "`notify.command` failed: exit status: 3");
}
