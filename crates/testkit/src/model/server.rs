//! The server: a thread for each connection, a bound on their number, an end that is proved.

use std::io::{self, BufReader, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::answer::{Answer, done};
use super::asked::Asked;
use super::dialect::{Dialect, Terms};
use super::http::{self, Request, Response};
use super::script::{Fault, Script, Step};
use super::stage::{Play, Stage};

/// The most connections at once; one more is closed.
const CONNECTIONS: usize = 64;
/// The most requests that are remembered.
const REMEMBERED: usize = 10_000;
/// How often a connection that is held looks whether it is to end.
const LOOK: Duration = Duration::from_millis(20);

/// A request that came, and what was made of it.
#[derive(Debug, Clone)]
pub struct Heard {
    /// Its path, without the query.
    pub path: String,
    /// Its language; none for what is no question to a model.
    pub dialect: Option<Dialect>,
    /// The word its prompt is known by.
    pub conversation: Option<String>,
    /// The turn of the conversation, from 0.
    pub turn: usize,
    /// The step of the turn, from 0.
    pub step: usize,
    /// Whether it was a question of the caller's own beside the conversation.
    pub aside: bool,
    /// What the caller said, oldest first.
    pub prompts: Vec<String>,
    /// The names of the tools on offer.
    pub tools: Vec<String>,
    /// The key it came with.
    pub key: Option<String>,
    /// Its body.
    pub body: Value,
    /// Whether the whole answer, or the whole error, was sent.
    pub delivered: bool,
}

#[derive(Debug)]
struct Shared {
    script: Script,
    /// When the first request came.
    began: OnceLock<Instant>,
    stopping: AtomicBool,
    stage: Mutex<Stage>,
    heard: Mutex<Vec<Heard>>,
    open: Mutex<Vec<TcpStream>>,
}

/// A running server. Dropping it ends it.
#[derive(Debug)]
pub struct ModelServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

impl ModelServer {
    /// Starts on a free port.
    pub fn start(script: Script) -> io::Result<Self> {
        Self::start_at(0, script)
    }

    /// Starts on this port.
    pub fn start_at(port: u16, script: Script) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            script,
            began: OnceLock::new(),
            stopping: AtomicBool::new(false),
            stage: Mutex::default(),
            heard: Mutex::default(),
            open: Mutex::default(),
        });
        let for_thread = Arc::clone(&shared);
        let accepting = thread::Builder::new()
            .name("model-server".into())
            .spawn(move || accept(&listener, &for_thread))?;
        Ok(Self { address, shared, accepting: Some(accepting) })
    }

    /// Where it is, without a path: `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every request so far.
    pub fn heard(&self) -> Vec<Heard> {
        locked(&self.shared.heard).clone()
    }

    /// The requests of one conversation, asides left out.
    pub fn heard_of(&self, word: &str) -> Vec<Heard> {
        let mut all = self.heard();
        all.retain(|h| h.conversation.as_deref() == Some(word) && !h.aside);
        all
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.shared.stopping.store(true, Ordering::SeqCst);
        for stream in locked(&self.shared.open).drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
        // Wakes the thread that waits for connections.
        let _ = TcpStream::connect(self.address);
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes connections until the end, then waits for those under way.
fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    let mut serving: Vec<JoinHandle<()>> = Vec::new();
    for stream in listener.incoming() {
        if shared.stopping.load(Ordering::SeqCst) {
            break;
        }
        serving.retain(|thread| !thread.is_finished());
        let Ok(stream) = stream else { continue };
        if serving.len() >= CONNECTIONS {
            continue;
        }
        if let Ok(copy) = stream.try_clone() {
            locked(&shared.open).push(copy);
        }
        let shared = Arc::clone(shared);
        serving.push(thread::spawn(move || {
            let peer = stream.peer_addr();
            // A caller that goes away is no matter of ours.
            let _ = serve(&stream, &shared);
            let _ = stream.shutdown(Shutdown::Both);
            locked(&shared.open).retain(|other| {
                other.peer_addr().is_ok() && other.peer_addr().ok() != peer.as_ref().ok().copied()
            });
        }));
    }
    for thread in serving {
        let _ = thread.join();
    }
}

fn serve(stream: &TcpStream, shared: &Shared) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    while !shared.stopping.load(Ordering::SeqCst) {
        let Some(request) = http::read(&mut reader, &mut &*stream)? else { break };
        let closes = request.closes();
        let open = answer(stream, shared, &request)?;
        if open || closes {
            break;
        }
    }
    Ok(())
}

/// Answers one request; whether the connection must be closed for the caller to see the end.
fn answer(stream: &TcpStream, shared: &Shared, request: &Request) -> io::Result<bool> {
    let body: Value = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
    let dialect = Dialect::of(&request.path).filter(|_| request.method == "POST");
    let Some(dialect) = dialect else {
        remember(shared, heard(request, body));
        let response = beside(request);
        send(stream, &response, request.method == "HEAD", &Delivery::default(), shared)?;
        return Ok(false);
    };
    if let Some(fault) = shared.fault() {
        remember(shared, heard(request, body));
        return go_wrong(stream, shared, dialect, fault);
    }
    let asked = dialect.read(&request.path, &body);
    let found = asked.newest(|text| shared.script.word_in(text));
    let aside = found.is_none_or(|(word, _)| asked.tools.is_empty() && shared.script.has_tools(word));
    let mut entry = Heard {
        dialect: Some(dialect),
        conversation: found.map(|(word, _)| word.to_owned()),
        aside,
        prompts: asked.prompts(),
        tools: asked.tools.iter().map(|t| t.name.clone()).collect(),
        ..heard(request, body)
    };
    let play = found
        .filter(|_| !aside)
        .map(|(word, results)| locked(&shared.stage).next(&shared.script, word, results));
    if let Some(play) = &play {
        (entry.turn, entry.step) = (play.turn, play.step);
    }
    let at = remember(shared, entry);
    let number = u64::try_from(at).unwrap_or(u64::MAX) + 1;
    let (response, delivery) = perform(shared, dialect, &asked, play.as_ref(), number);
    let whole = send(stream, &response, false, &delivery, shared)?;
    if whole {
        if let Some(entry) = locked(&shared.heard).get_mut(at) {
            entry.delivered = true;
        }
        if let (Some((word, _)), 200) = (found.filter(|_| !aside), response.status) {
            locked(&shared.stage).delivered(word);
        }
    }
    Ok(response.open || !whole)
}

impl Shared {
    /// What goes wrong now, in a time without answers.
    fn fault(&self) -> Option<Fault> {
        let outage = self.script.outage?;
        let began = self.began.get_or_init(Instant::now);
        (began.elapsed() < Duration::from_millis(outage.millis)).then_some(outage.fault)
    }
}

/// Answers a request in a time without answers; whether the connection must be closed.
fn go_wrong(stream: &TcpStream, shared: &Shared, dialect: Dialect, fault: Fault) -> io::Result<bool> {
    match fault {
        Fault::Status(code) => {
            let response = Response::json(code, &dialect.error(code));
            send(stream, &response, false, &Delivery::default(), shared)?;
            Ok(false)
        }
        Fault::Reset => Ok(true),
        Fault::Hang => {
            while shared.fault().is_some() && !shared.stopping.load(Ordering::SeqCst) {
                thread::sleep(LOOK);
            }
            Ok(true)
        }
    }
}

fn heard(request: &Request, body: Value) -> Heard {
    let bearer = request.header("authorization").map(|a| a.trim_start_matches("Bearer ").to_owned());
    let named = ["x-api-key", "x-goog-api-key"].iter().find_map(|h| request.header(h)).map(str::to_owned);
    Heard {
        path: request.path.clone(),
        dialect: None,
        conversation: None,
        turn: 0,
        step: 0,
        aside: true,
        prompts: Vec::new(),
        tools: Vec::new(),
        key: named.or(bearer),
        body,
        delivered: false,
    }
}

/// Keeps a request; its place in the list.
fn remember(shared: &Shared, entry: Heard) -> usize {
    let mut all = locked(&shared.heard);
    if all.len() < REMEMBERED {
        all.push(entry);
        all.len() - 1
    } else {
        all.len()
    }
}

/// What callers ask besides: which models there are, how many tokens a text has.
fn beside(request: &Request) -> Response {
    let path = request.path.trim_end_matches('/');
    if path.ends_with("/count_tokens") || path.ends_with(":countTokens") {
        return Response::json(200, &json!({"input_tokens": 1000, "totalTokens": 1000}));
    }
    if path.ends_with("/models") {
        let model = json!({"id": "scripted", "object": "model", "owned_by": "nobody"});
        return Response::json(200, &json!({"object": "list", "data": [model], "models": []}));
    }
    let status = if request.method == "HEAD" { 200 } else { 404 };
    Response::json(status, &json!({"error": {"message": "there is nothing here"}}))
}

/// How an answer is sent.
#[derive(Debug, Default)]
struct Delivery {
    cut: Option<usize>,
    hang: bool,
    pause: Duration,
}

/// The answer of a step, with what goes wrong.
fn perform(
    shared: &Shared,
    dialect: Dialect,
    asked: &Asked,
    play: Option<&Play>,
    number: u64,
) -> (Response, Delivery) {
    let mut delivery = Delivery::default();
    let Some(play) = play else {
        let spoken = dialect.say(&Answer::aside(asked), &Terms { asked, usage: shared.script.usage, number });
        return (as_asked(asked, spoken), delivery);
    };
    delivery.pause = Duration::from_millis(play.pause);
    match &play.fault {
        Some(Step::Status { code, retry_after, .. }) => {
            let mut response = Response::json(*code, &dialect.error(*code));
            response.headers.extend(retry_after.map(|s| ("retry-after", s.to_string())));
            return (response, delivery);
        }
        Some(Step::Cut { after, .. }) => delivery.cut = Some(*after),
        Some(Step::Hang { .. }) => delivery.hang = true,
        _ => {}
    }
    if let Some(Step::Body(text)) = &play.says {
        let mut response = Response::json(200, &Value::Null);
        response.pieces = vec![text.clone().into_bytes()];
        return (response, delivery);
    }
    let answer = play.says.as_ref().map_or_else(done, |step| Answer::of(step, asked));
    let spoken = dialect.say(&answer, &Terms { asked, usage: shared.script.usage, number });
    (as_asked(asked, spoken), delivery)
}

fn as_asked(asked: &Asked, spoken: super::dialect::Spoken) -> Response {
    if asked.stream { Response::stream(spoken.events) } else { Response::json(200, &spoken.whole) }
}

/// Sends it; whether all of it was sent.
fn send(
    stream: &TcpStream,
    response: &Response,
    head_only: bool,
    how: &Delivery,
    shared: &Shared,
) -> io::Result<bool> {
    let mut out = stream;
    if how.hang && !response.open {
        hold(stream, shared);
        return Ok(false);
    }
    out.write_all(response.head().as_bytes())?;
    if head_only {
        return Ok(true);
    }
    let mut left = how.cut.unwrap_or(usize::MAX);
    for piece in &response.pieces {
        if left < piece.len() {
            out.write_all(&piece[..left])?;
            return Ok(false);
        }
        left -= piece.len();
        out.write_all(piece)?;
        if how.hang {
            hold(stream, shared);
            return Ok(false);
        }
        thread::sleep(how.pause);
    }
    out.flush()?;
    Ok(true)
}

/// Says nothing until the caller goes away or the server ends.
fn hold(stream: &TcpStream, shared: &Shared) {
    let _ = stream.set_read_timeout(Some(LOOK));
    while !shared.stopping.load(Ordering::SeqCst) {
        match stream.peek(&mut [0]) {
            Ok(0) => return,
            // It says more while it waits: it is still there.
            Ok(_) => thread::sleep(LOOK),
            Err(e) if matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {}
            Err(_) => return,
        }
    }
}
