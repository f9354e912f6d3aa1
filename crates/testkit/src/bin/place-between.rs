//! A place that cannot be believed: stands between a coordinator and a real `windlass attend`, and changes what it says.
//!
//! ```text
//! place-between MODE COMMAND…
//! ```
//!
//! | mode | what it does |
//! |---|---|
//! | `honest` | passes everything on |
//! | `noise` | prints the greeting of a login shell first |
//! | `other-nonce` | gives the end of the attempt another nonce, then says it right |
//! | `other-attempt` | reports a step of another attempt |
//! | `forbidden` | reports that the task was merged |
//! | `ref-outside` | asks for a ref outside the attempt |
//! | `no-objects` | sends no pack |
//! | `other-commit` | names a commit as its candidate that no repository has |
//! | `bomb` | sends a pack that unpacks to a gigabyte |
//! | `too-much` | announces a parcel of a terabyte |
//! | `garbage` | prints a line in the middle |
//! | `flip` | changes one bit of an event |
//! | `twice` | says the end of the attempt twice |
//! | `cut` | closes the connection at the first event |
//! | `version` | says that it has another version |
//! | `arch` | says that it has the processor `s390x` |
//! | `verdict-tree` | says of a verification that another tree was verified |
//! | `verdict-proof` | names a proof that it never sent |
//! | `verdict-else` | answers a verification as if it had been asked for something else |
//! | `verdict-cut` | closes the connection before the end of a verification |
//! | `verdict-refs` | asks for a ref with a verification |

use std::env;
use std::io::{self, Read, Write};
use std::process::{Command, ExitCode, Stdio};
use std::thread;

use serde_json::{Value, json};
use windlass_testkit::frame;

fn main() -> ExitCode {
    let mut args = env::args().skip(1);
    let (Some(mode), Some(program)) = (args.next(), args.next()) else { return ExitCode::from(2) };
    let spawned = Command::new(program).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = spawned else { return ExitCode::from(3) };
    let (Some(mut to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
        return ExitCode::from(4);
    };
    thread::spawn(move || {
        let _ = io::copy(&mut io::stdin().lock(), &mut to);
    });
    if mode == "noise" {
        let _ = io::stdout().write_all(b"Last login: Tue\r\nwelcome to the machine\r\n");
    }
    let _ = pass_on(&mode, from, &mut io::stdout().lock());
    let _ = child.kill();
    let _ = child.wait();
    // What is still to be read on standard input is of no use any more.
    std::process::exit(0)
}

/// Passes the frames on, changed as the mode says.
fn pass_on(mode: &str, mut from: impl Read, to: &mut impl Write) -> io::Result<()> {
    let mut spent = false;
    loop {
        let mut head = [0; 13];
        from.read_exact(&mut head)?;
        let length = u32::from_le_bytes([head[5], head[6], head[7], head[8]]);
        let mut body = vec![0; usize::try_from(length).unwrap_or_default()];
        from.read_exact(&mut body)?;
        if head[4] != b'm' {
            write(to, head[4], &body)?;
            continue;
        }
        let mut message: Value = serde_json::from_slice(&body).unwrap_or_default();
        let say = message["say"].as_str().unwrap_or_default().to_owned();
        let what = message["what"].as_str().unwrap_or_default().to_owned();
        if say == "done" && message["end"]["end"] == "verified" {
            match mode {
                "verdict-tree" => message["end"]["tree"] = json!("1".repeat(40)),
                "verdict-proof" => message["end"]["proof"] = json!("0".repeat(64)),
                "verdict-else" => message["end"] = json!({ "end": "closed" }),
                "verdict-refs" => {
                    message["refs"] = json!([["refs/windlass/demo/a/1/x", message["end"]["tree"]]]);
                }
                "verdict-cut" => return Ok(()),
                _ => {}
            }
        }
        match (mode, say.as_str()) {
            ("version", "ready") => message["version"] = json!("9.9.9"),
            ("arch", "ready") => message["arch"] = json!("s390x"),
            ("cut", "event") => return Ok(()),
            ("flip", "event") if !spent => {
                let mut bytes = frame(b'm', &body);
                let middle = bytes.len() - body.len() / 2;
                bytes[middle] ^= 1;
                to.write_all(&bytes)?;
                to.flush()?;
                spent = true;
                continue;
            }
            ("garbage", "event") if !spent => to.write_all(b"a debug print\n")?,
            ("too-much", "event") if !spent => {
                let hash = message["hash"].clone();
                let note = json!({ "say": "parcel", "what": "output", "bytes": 1_u64 << 40, "hash": hash });
                say_it(
                    to,
                    &json!({ "hash": "0".repeat(64), "say": note["say"], "what": note["what"], "bytes": note["bytes"] }),
                )?;
            }
            ("other-attempt", "event") if !spent => {
                let mut other = message.clone();
                other["event"] =
                    json!({ "kind": "step_started", "attempt": 77, "step": 0, "action": "implement" });
                say_it(to, &other)?;
            }
            ("forbidden", "event") if !spent => {
                let mut other = message.clone();
                other["event"] = json!({ "kind": "approved" });
                say_it(to, &other)?;
            }
            ("no-objects" | "bomb", "parcel") if what == "pack" => {
                skip_pieces(&mut from, message["bytes"].as_u64().unwrap_or_default())?;
                if mode == "bomb" {
                    send_bomb(to, &message)?;
                }
                continue;
            }
            ("ref-outside", "done") => {
                let oid = message["refs"][0][1].clone();
                if let Some(refs) = message["refs"].as_array_mut() {
                    refs.push(json!(["refs/heads/main", oid]));
                }
            }
            ("other-commit", "done") => message["end"]["commit"] = json!("1".repeat(40)),
            ("other-nonce", "done") => {
                let mut other = message.clone();
                other["nonce"] = json!("stale");
                say_it(to, &other)?;
            }
            ("twice", "done") => say_it(to, &message)?,
            _ => {}
        }
        spent |= say == "event";
        say_it(to, &message)?;
    }
}

fn say_it(to: &mut impl Write, message: &Value) -> io::Result<()> {
    write(to, b'm', &serde_json::to_vec(message)?)
}

fn write(to: &mut impl Write, kind: u8, body: &[u8]) -> io::Result<()> {
    to.write_all(&frame(kind, body))?;
    to.flush()
}

fn skip_pieces(from: &mut impl Read, mut left: u64) -> io::Result<()> {
    while left > 0 {
        let mut head = [0; 13];
        from.read_exact(&mut head)?;
        let length = u32::from_le_bytes([head[5], head[6], head[7], head[8]]);
        let mut body = vec![0; usize::try_from(length).unwrap_or_default()];
        from.read_exact(&mut body)?;
        if head[4] == b'p' {
            left = left.saturating_sub(u64::from(length));
        }
    }
    Ok(())
}

/// A pack whose one object says that it has a gigabyte.
fn send_bomb(to: &mut impl Write, note: &Value) -> io::Result<()> {
    let mut pack = b"PACK\0\0\0\x02\0\0\0\x01".to_vec();
    // A blob of 2^30 bytes; what follows is never unpacked.
    pack.extend_from_slice(&[0xb0, 0x80, 0x80, 0x80, 0x20, 0x78, 0x9c]);
    pack.extend_from_slice(&[0; 40]);
    let mut note = note.clone();
    note["bytes"] = json!(pack.len());
    note["hash"] = json!(blake3::hash(&pack).to_hex().as_str());
    say_it(to, &note)?;
    write(to, b'p', &pack)
}
