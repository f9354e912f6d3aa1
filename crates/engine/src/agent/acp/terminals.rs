//! Commands that an agent has its client run, in the directories of the turn.

use std::collections::BTreeMap;
use std::io::Read;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use super::files::is_inside;

/// The most terminals at once, and the most that is kept of one's output.
const MOST: usize = 16;
const KEPT: usize = 1 << 20;

/// The commands of one session.
#[derive(Default)]
pub(super) struct Terminals {
    all: BTreeMap<String, Terminal>,
    made: u32,
}

struct Terminal {
    child: Child,
    output: Arc<Mutex<KeptOutput>>,
    over: Option<ExitStatus>,
}

#[derive(Default)]
struct KeptOutput {
    bytes: Vec<u8>,
    most: usize,
    truncated: bool,
}

type Answered = Result<Value, (i32, String)>;

impl Terminals {
    /// `terminal/create`.
    pub(super) fn create(&mut self, params: &Value, dir: &Path, roots: &[&Path]) -> Answered {
        let cwd = params["cwd"].as_str().map_or_else(|| dir.to_owned(), PathBuf::from);
        if !is_inside(&cwd, roots) {
            return Err((-32602, format!("`{}` is not in the directory of this session", cwd.display())));
        }
        if self.all.len() >= MOST {
            return Err((-32603, format!("{MOST} terminals are open already")));
        }
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let words: Vec<String> = params["args"].as_array().into_iter().flatten().map(text).collect();
        let program = text(&params["command"]);
        // A whole command line comes as one word where there are no arguments.
        let mut command = if words.is_empty() {
            let mut shell = Command::new("bash");
            shell.arg("-c").arg(&program);
            shell
        } else {
            let mut command = Command::new(&program);
            command.args(&words);
            command
        };
        let set = params["env"].as_array().into_iter().flatten();
        command.envs(set.map(|pair| (text(&pair["name"]), text(&pair["value"]))));
        command.current_dir(cwd).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|e| (-32603, format!("`{program}` does not start: {e}")))?;
        let most = params["outputByteLimit"].as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or(KEPT);
        let output = Arc::new(Mutex::new(KeptOutput { most: most.min(KEPT), ..KeptOutput::default() }));
        listen(child.stdout.take(), &output);
        listen(child.stderr.take(), &output);
        self.made += 1;
        let id = format!("terminal-{}", self.made);
        self.all.insert(id.clone(), Terminal { child, output, over: None });
        Ok(json!({ "terminalId": id }))
    }

    /// `terminal/output`.
    pub(super) fn output(&mut self, params: &Value) -> Answered {
        let terminal = self.of(params)?;
        let exit = terminal.look();
        let kept = terminal.output.lock().unwrap_or_else(PoisonError::into_inner);
        let mut doc = json!({ "output": String::from_utf8_lossy(&kept.bytes), "truncated": kept.truncated });
        if let Some(exit) = exit {
            doc["exitStatus"] = exit_doc(exit);
        }
        Ok(doc)
    }

    /// `terminal/wait_for_exit`: the answer once it is over, else nothing yet.
    pub(super) fn exit(&mut self, params: &Value) -> Option<Answered> {
        match self.of(params) {
            Ok(terminal) => terminal.look().map(|exit| Ok(exit_doc(exit))),
            Err(error) => Some(Err(error)),
        }
    }

    /// `terminal/kill`, and `terminal/release`, which forgets it too.
    pub(super) fn end(&mut self, params: &Value, forget: bool) -> Answered {
        let terminal = self.of(params)?;
        let _ = terminal.child.kill();
        let _ = terminal.child.wait();
        if forget {
            self.all.remove(params["terminalId"].as_str().unwrap_or_default());
        }
        Ok(json!({}))
    }

    fn of(&mut self, params: &Value) -> Result<&mut Terminal, (i32, String)> {
        let id = params["terminalId"].as_str().unwrap_or_default();
        self.all.get_mut(id).ok_or_else(|| (-32602, format!("there is no terminal `{id}`")))
    }
}

impl Terminal {
    fn look(&mut self) -> Option<ExitStatus> {
        if self.over.is_none() {
            self.over = self.child.try_wait().ok().flatten();
        }
        self.over
    }
}

fn exit_doc(exit: ExitStatus) -> Value {
    json!({ "exitCode": exit.code(), "signal": exit.signal().map(|n| n.to_string()) })
}

/// Keeps the end of what a command prints.
fn listen(from: Option<impl Read + Send + 'static>, output: &Arc<Mutex<KeptOutput>>) {
    let Some(mut from) = from else { return };
    let output = Arc::clone(output);
    std::thread::spawn(move || {
        let mut piece = [0; 8192];
        while let Ok(n @ 1..) = from.read(&mut piece) {
            let mut kept = output.lock().unwrap_or_else(PoisonError::into_inner);
            kept.bytes.extend_from_slice(&piece[..n]);
            if kept.bytes.len() > kept.most {
                let over = kept.bytes.len() - kept.most;
                kept.bytes.drain(..over);
                kept.truncated = true;
            }
        }
    });
}
