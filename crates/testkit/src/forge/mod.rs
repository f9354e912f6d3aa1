//! A small forge on loopback: it speaks as much of GitHub's and GitLab's REST interface as Windlass uses, keeps what it is
//! told, and refuses what the real ones refuse: tokens without rights, a second pull request, commits that are not there,
//! texts that are too long. It knows nothing of its callers.

mod github;
mod gitlab;
mod state;

use std::io::{self, BufReader, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use serde_json::{Value, json};

use crate::model::http::{self, Request, Response};
pub use state::{ForgeRemark, ForgeState, Person, StandInIssue, StandInPull};

/// A running forge. Dropping it ends it.
#[derive(Debug)]
pub struct ForgeServer {
    address: SocketAddr,
    state: Arc<Mutex<ForgeState>>,
    stopping: Arc<AtomicBool>,
    serving: Option<JoinHandle<()>>,
}

/// One call, taken apart.
struct ForgeCall<'c> {
    method: &'c str,
    /// The parts of the path, unescaped.
    parts: Vec<String>,
    query: Vec<(String, String)>,
    body: Value,
    /// The account that calls; none without a token.
    login: Option<String>,
}

impl ForgeCall<'_> {
    fn asked(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    fn said(&self, name: &str) -> String {
        self.body[name].as_str().unwrap_or_default().to_owned()
    }
}

/// An answer: its code and its document.
type Told = (u16, Value);

fn refused(code: u16, why: &str) -> Told {
    (code, json!({ "message": why }))
}

impl ForgeServer {
    /// Starts on a free port.
    pub fn start(state: ForgeState) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let state = Arc::new(Mutex::new(state));
        let stopping = Arc::new(AtomicBool::new(false));
        let (shared, stop) = (Arc::clone(&state), Arc::clone(&stopping));
        let serving = thread::Builder::new().name("forge".into()).spawn(move || {
            for stream in listener.incoming().flatten() {
                if stop.load(Ordering::SeqCst) {
                    break;
                }
                // A caller that goes away is no matter of ours.
                let _ = serve(&stream, &shared, address);
            }
        })?;
        Ok(Self { address, state, stopping, serving: Some(serving) })
    }

    /// Where it is, without a path: `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What it holds now; calls wait while it is looked at.
    pub fn state(&self) -> MutexGuard<'_, ForgeState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ForgeServer {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.serving.take() {
            let _ = thread.join();
        }
    }
}

/// Answers one request and closes the connection.
fn serve(stream: &TcpStream, state: &Mutex<ForgeState>, own: SocketAddr) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    let Some(request) = http::read(&mut reader, &mut &*stream)? else { return Ok(()) };
    let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
    state.heard.push(format!("{} {}", request.method, request.path));
    let mut headers = Vec::new();
    let (code, body) = match answer(&mut state, &request) {
        Ok((code, Value::Array(all))) => {
            let (page, link) = paged(&state, &request, own, all);
            headers.extend(link.map(|link| ("link", link)));
            (code, Value::Array(page))
        }
        Ok(told) => told,
        Err(Limited) => {
            headers.push(("retry-after", "1".to_owned()));
            refused(403, "You have exceeded a secondary rate limit")
        }
    };
    drop(state);
    let mut response = match &body {
        Value::String(text) => {
            let mut raw = Response::json(code, &Value::Null);
            raw.pieces = vec![text.clone().into_bytes()];
            raw
        }
        body => Response::json(code, body),
    };
    response.headers.extend(headers);
    response.headers.push(("connection", "close".to_owned()));
    let mut to = stream;
    to.write_all(response.head().as_bytes())?;
    response.pieces.iter().try_for_each(|piece| to.write_all(piece))
}

/// Too many calls at once.
struct Limited;

fn answer(state: &mut ForgeState, request: &Request) -> Result<Told, Limited> {
    if state.limited > 0 {
        state.limited -= 1;
        return Err(Limited);
    }
    let token = request.header("private-token").map(str::to_owned).or_else(|| {
        let said = request.header("authorization")?;
        said.strip_prefix("Bearer ").or_else(|| said.strip_prefix("token ")).map(str::to_owned)
    });
    let login = match &token {
        None => None,
        Some(token) => match state.login(token) {
            Some(login) => Some(login),
            None => return Ok(refused(401, "Bad credentials")),
        },
    };
    let path = request.path.trim_matches('/');
    // Below a host of their own, both put a version in front.
    let path = ["api/v4/", "api/v3/"].iter().find_map(|version| path.strip_prefix(version)).unwrap_or(path);
    let call = ForgeCall {
        method: &request.method,
        parts: path.split('/').map(unescaped).collect(),
        query: request.query.split('&').filter_map(|p| p.split_once('=')).map(pair).collect(),
        body: serde_json::from_slice(&request.body).unwrap_or(Value::Null),
        login,
    };
    Ok(match call.parts.first().map(String::as_str) {
        Some("repos") => github::answer(state, &call),
        Some("projects") => gitlab::answer(state, &call),
        // What `gh auth status` asks.
        Some("" | "graphql") => match &call.login {
            Some(login) => (200, json!({ "data": { "viewer": { "login": login } } })),
            None => refused(401, "Requires authentication"),
        },
        // What `glab auth status` asks.
        Some("user") => match &call.login {
            Some(login) => (200, json!({ "username": login })),
            None => refused(401, "401 Unauthorized"),
        },
        _ => refused(404, "Not Found"),
    })
}

fn pair((name, value): (&str, &str)) -> (String, String) {
    (unescaped(name), unescaped(&value.replace('+', " ")))
}

/// One page of a list, and the header that leads to the next.
fn paged(
    state: &ForgeState,
    request: &Request,
    own: SocketAddr,
    all: Vec<Value>,
) -> (Vec<Value>, Option<String>) {
    let asked = |name: &str| {
        let found = request.query.split('&').find_map(|p| p.strip_prefix(name)?.strip_prefix('='));
        found.and_then(|text| text.parse::<usize>().ok())
    };
    let size = asked("per_page").unwrap_or(30).min(state.page);
    let page = asked("page").unwrap_or(1).max(1);
    let rest = all.len().saturating_sub(page * size);
    let shown: Vec<Value> = all.into_iter().skip((page - 1) * size).take(size).collect();
    let others: Vec<&str> = request.query.split('&').filter(|p| !p.starts_with("page=")).collect();
    let link = format!("<http://{own}{}?{}&page={}>; rel=\"next\"", request.path, others.join("&"), page + 1);
    (shown, (rest > 0).then_some(link))
}

fn unescaped(text: &str) -> String {
    let mut out = Vec::new();
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let mut digit = || bytes.next().and_then(|b| char::from(b).to_digit(16));
        match byte {
            b'%' => {
                let code = digit().zip(digit()).map_or(0, |(high, low)| high * 16 + low);
                out.push(u8::try_from(code).unwrap_or_default());
            }
            byte => out.push(byte),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
