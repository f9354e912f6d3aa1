//! The ways a notice goes: a command, an address, the desktop, a bell.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{Notice, NoticeKind};
use crate::config::NotifyKeys;
use crate::world::World;

/// How long one way may take.
const LIMIT: Duration = Duration::from_secs(10);

/// What is posted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoticeFormat {
    /// The notice, `windlass.notice/1`.
    Json,
    /// Its text, with title and priority in headers: what ntfy takes.
    Text,
    /// `{"text": "…"}`: what Slack, Mattermost and Discord (`/slack`) take.
    Slack,
}

/// Where notices go.
#[derive(Debug, Clone, Default)]
pub(super) struct Channels {
    command: Option<String>,
    post: Option<Post>,
    desktop: Option<Desktop>,
    bell: bool,
    dir: PathBuf,
}

/// An address, and how to speak to it.
#[derive(Debug, Clone)]
struct Post {
    url: String,
    format: NoticeFormat,
    token: Option<String>,
}

/// The desktop's own program for notices.
#[derive(Debug, Clone)]
enum Desktop {
    /// freedesktop.org's.
    NotifySend(PathBuf),
    /// macOS's.
    OsaScript(PathBuf),
}

impl Channels {
    pub(super) fn of(world: &World, keys: &NotifyKeys) -> Self {
        let token = keys.token_env.as_deref().and_then(|name| world.env_of([name]).pop());
        let token = token.map(|(_, value)| value.to_string_lossy().into_owned());
        let post = keys.url.clone().map(|url| Post { url, format: keys.format, token });
        Self {
            command: keys.command.clone(),
            post,
            desktop: if keys.desktop && world.out.terminal { desktop(world) } else { None },
            bell: keys.bell && world.err.terminal,
            dir: world.cwd.clone(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.command.is_none() && self.post.is_none() && self.desktop.is_none() && !self.bell
    }
}

/// The program that shows notices, where there is a desktop.
fn desktop(world: &World) -> Option<Desktop> {
    if !world.env_of(["DISPLAY", "WAYLAND_DISPLAY"]).is_empty() {
        return world.program(OsStr::new("notify-send")).map(Desktop::NotifySend);
    }
    if cfg!(target_os = "macos") {
        world.program(OsStr::new("osascript")).map(Desktop::OsaScript)
    } else {
        None
    }
}

/// Sends a notice every way there is; the first thing that went wrong.
pub(super) fn deliver(channels: &Channels, notice: &Notice) -> Result<(), String> {
    if channels.bell {
        let _ = std::io::stderr().lock().write_all(b"\x07");
    }
    if let Some(desktop) = &channels.desktop {
        // A desktop without a notification service says so in its own way.
        let _ = show(desktop, notice);
    }
    let ran = channels.command.as_ref().map(|command| run(command, channels, notice));
    let posted = channels.post.as_ref().map(|post| send(post, notice));
    ran.into_iter().chain(posted).collect()
}

fn show(desktop: &Desktop, notice: &Notice) -> Result<(), String> {
    let title = format!("windlass · {}", notice.plan);
    let text = format!("{}\n{}", notice.title, notice.body());
    let mut command = match desktop {
        Desktop::NotifySend(program) => {
            let mut command = Command::new(program);
            command.args(["-a", "windlass", "--", &title, &without_markup(&text)]);
            command
        }
        Desktop::OsaScript(program) => {
            let mut command = Command::new(program);
            let script = "display notification (item 2 of argv) with title (item 1 of argv)";
            command.args(["-e", "on run argv", "-e", script, "-e", "end run", &title, &text]);
            command
        }
    };
    command.stdin(Stdio::null());
    finish(command, "", "the desktop's notification")
}

/// Desktops read markup in the text of a notice, links included. Tasks and agents wrote this one.
fn without_markup(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Runs the user's command. Nothing of the notice is part of the command line: tasks and agents wrote it.
fn run(command: &str, channels: &Channels, notice: &Notice) -> Result<(), String> {
    let json = serde_json::to_string(notice).map_err(|e| e.to_string())?;
    let mut bash = Command::new("bash");
    bash.arg("-c").arg(command).current_dir(&channels.dir).stdin(Stdio::piped());
    let task = notice.task.clone().unwrap_or_default();
    let facts = [
        ("WINDLASS_EVENT", notice.event.as_str()),
        ("WINDLASS_PLAN", &notice.plan),
        ("WINDLASS_TASK", &task),
        ("WINDLASS_TITLE", &notice.title),
        ("WINDLASS_TEXT", &notice.text),
        ("WINDLASS_NEXT", &notice.next),
    ];
    bash.envs(facts.map(|(name, value)| (name, value.replace('\0', ""))));
    finish(bash, &json, "`notify.command`")
}

/// Gives a program its input and waits for it, up to the limit.
fn finish(mut command: Command, input: &str, what: &str) -> Result<(), String> {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|e| format!("{what}: {e}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that does not read is not told; the rest is in its environment.
        let _ = stdin.write_all(input.as_bytes());
    }
    wait(&mut child, what)
}

fn wait(child: &mut Child, what: &str) -> Result<(), String> {
    let begun = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(format!("{what} failed: {status}")),
            Ok(None) if begun.elapsed() < LIMIT => std::thread::sleep(Duration::from_millis(20)),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("{what} took longer than {} s", LIMIT.as_secs()));
            }
            Err(error) => return Err(format!("{what}: {error}")),
        }
    }
}

fn send(post: &Post, notice: &Notice) -> Result<(), String> {
    let agent = ureq::Agent::config_builder().timeout_global(Some(LIMIT)).build().new_agent();
    let mut request = agent.post(&post.url);
    if let Some(token) = &post.token {
        request = request.header("Authorization", format!("Bearer {token}"));
    }
    let (kind, body) = match post.format {
        NoticeFormat::Json => ("application/json", serde_json::to_string(notice).map_err(|e| e.to_string())?),
        NoticeFormat::Text => {
            request =
                request.header("Title", one_line(&notice.title)).header("Priority", priority(notice.event));
            ("text/plain; charset=utf-8", notice.body())
        }
        NoticeFormat::Slack => {
            let text = format!("*{}* · {}\n{}", notice.plan, notice.title, notice.body());
            ("application/json", serde_json::json!({ "text": text }).to_string())
        }
    };
    // An address may hold a secret, so errors do not repeat it.
    match request.header("Content-Type", kind).send(body) {
        Ok(_) => Ok(()),
        Err(ureq::Error::StatusCode(code)) => Err(format!("`notify.url` answered {code}")),
        Err(error) => Err(format!("`notify.url`: {error}")),
    }
}

/// A header is one line of ASCII.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii() && !c.is_ascii_control() { c } else { ' ' }).collect()
}

fn priority(event: NoticeKind) -> &'static str {
    match event {
        NoticeKind::Question | NoticeKind::Approval | NoticeKind::Blocked | NoticeKind::Failed => "high",
        NoticeKind::Budget | NoticeKind::Finished => "default",
    }
}
