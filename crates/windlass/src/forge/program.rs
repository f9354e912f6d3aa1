//! `gh` and `glab`: they make calls to a forge for the user where they are logged in.
//!
//! Both take the same options of `api` and print the head of the answer before its body.

use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::ForgeKind;
use super::connection::{LIMIT, RestAnswer, RestMethod};
use crate::cli::CliError;

/// A program that is logged in to a host.
#[derive(Debug, Clone)]
pub(super) struct ForgeProgram {
    path: PathBuf,
    host: String,
    kind: ForgeKind,
}

impl ForgeProgram {
    /// The program, if it knows a login for this host that the host accepts.
    pub(super) fn logged_in(path: PathBuf, kind: ForgeKind, host: &str) -> Option<Self> {
        let mut command = quiet(&path);
        command.args(["auth", "status", "--hostname", host]);
        let out = finished(command, Vec::new()).ok()?;
        out.status.success().then(|| Self { path, host: host.to_owned(), kind })
    }

    /// Makes a call.
    pub(super) fn ask(
        &self,
        method: RestMethod,
        path: &str,
        body: Option<&Value>,
    ) -> Result<RestAnswer, CliError> {
        let shown = self.path.display();
        let path = self.relative(path).ok_or_else(|| {
            CliError::environment(format!("{} leads to another place for the next page", self.kind.name()))
        })?;
        let mut command = quiet(&self.path);
        command.args(["api", "--hostname", &self.host, "--include", "--method", method.as_str(), path]);
        if body.is_some() {
            command.args(["--header", "Content-Type: application/json", "--input", "-"]);
        }
        let input = body.map(|body| body.to_string().into_bytes()).unwrap_or_default();
        let out = finished(command, input)
            .map_err(|e| CliError::environment(format!("cannot run `{shown} api`")).because_of(Some(&e)))?;
        parsed(&out.stdout).ok_or_else(|| {
            let said = String::from_utf8_lossy(&out.stderr);
            let said = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("no answer");
            CliError::environment(format!("`{shown} api` failed: {said}"))
        })
    }

    /// The part of an address that the program puts behind its own host: whatever a forge names as its next page, the login
    /// goes nowhere else.
    fn relative<'p>(&self, path: &'p str) -> Option<&'p str> {
        let Some((_, rest)) = path.split_once("://") else { return Some(path) };
        match self.kind {
            ForgeKind::GitLab => rest.split_once("/api/v4/").map(|(_, rest)| rest),
            ForgeKind::GitHub => {
                rest.split_once('/').map(|(_, rest)| rest.strip_prefix("api/v3/").unwrap_or(rest))
            }
        }
    }
}

/// The program without the user's wishes for a terminal.
fn quiet(path: &Path) -> Command {
    let mut command = Command::new(path);
    command.env("NO_COLOR", "1");
    for name in ["CLICOLOR_FORCE", "COLOR_ENABLED", "GH_FORCE_TTY"] {
        command.env_remove(name);
    }
    command
}

/// Gives a program its input and waits for it, up to the limit of a call.
fn finished(mut command: Command, input: Vec<u8>) -> io::Result<Output> {
    let until = Instant::now() + LIMIT;
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that ends early says why itself.
        thread::spawn(move || stdin.write_all(&input));
    }
    let (stdout, stderr) = (read(child.stdout.take()), read(child.stderr.take()));
    let ended = wait(&mut child, until);
    if ended.is_err() {
        let _ = child.kill();
        let _ = child.wait();
    }
    let left = || until.saturating_duration_since(Instant::now()).max(Duration::from_secs(1));
    let text = |from: Receiver<Vec<u8>>| from.recv_timeout(left()).unwrap_or_default();
    Ok(Output { status: ended?, stdout: text(stdout), stderr: text(stderr) })
}

fn wait(child: &mut Child, until: Instant) -> io::Result<std::process::ExitStatus> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() >= until {
            let said = format!("it gave no answer within {} s", LIMIT.as_secs());
            return Err(io::Error::new(io::ErrorKind::TimedOut, said));
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Everything that comes out of a pipe.
fn read(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (send, told) = channel();
    if let Some(mut pipe) = pipe {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = pipe.read_to_end(&mut bytes);
            send.send(bytes)
        });
    }
    told
}

/// The head and the body of a printed answer.
fn parsed(text: &[u8]) -> Option<RestAnswer> {
    let ends = |mark: &[u8]| text.windows(mark.len()).position(|w| w == mark).map(|at| (at, at + mark.len()));
    let (head, body) = ends(b"\r\n\r\n").into_iter().chain(ends(b"\n\n")).min()?;
    let lines = String::from_utf8_lossy(&text[..head]).into_owned();
    let mut lines = lines.lines();
    let first = lines.next()?.strip_prefix("HTTP/")?.to_owned();
    let status = first.split_whitespace().nth(1)?.parse().ok()?;
    let header = |line: &str| {
        let (name, value) = line.split_once(':')?;
        Some((name.trim().to_ascii_lowercase(), value.trim().to_owned()))
    };
    Some(RestAnswer { status, headers: lines.filter_map(header).collect(), body: text[body..].to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_answers_are_read_as_answers() {
        let text =
            "HTTP/2.0 200 OK\nLink: <https://x/2>; rel=\"next\", <https://x/9>; rel=\"last\"\n\n[1]\n\n[2]";
        let answer = parsed(text.as_bytes()).unwrap();
        assert_eq!((answer.status, answer.next().as_deref()), (200, Some("https://x/2")));
        assert_eq!(answer.body, b"[1]\n\n[2]");
        assert!(parsed(b"gh: not logged in").is_none());
        // As `glab` prints it: one line end of one kind, the others of the other.
        let text = b"HTTP/1.1 404 Not Found\nContent-Type: application/json\r\nX-Page: 1\r\n\r\n{\"message\":\"404\"}";
        let answer = parsed(text).unwrap();
        assert_eq!((answer.status, answer.body.as_slice()), (404, b"{\"message\":\"404\"}".as_slice()));
        assert_eq!(answer.headers[0], ("content-type".to_owned(), "application/json".to_owned()));
    }

    #[test]
    fn the_next_page_is_at_the_same_host_whatever_the_forge_says() {
        let relative = |kind, path| {
            let program = ForgeProgram { path: PathBuf::new(), host: "h".into(), kind };
            program.relative(path).map(str::to_owned)
        };
        let table = [
            (ForgeKind::GitHub, "repos/a/b", Some("repos/a/b")),
            (
                ForgeKind::GitHub,
                "https://api.github.com/repositories/1/issues?page=2",
                Some("repositories/1/issues?page=2"),
            ),
            (ForgeKind::GitHub, "https://git.example.org/api/v3/repositories/1", Some("repositories/1")),
            (
                ForgeKind::GitLab,
                "https://gitlab.com/api/v4/projects/1/issues?page=2",
                Some("projects/1/issues?page=2"),
            ),
            (ForgeKind::GitLab, "https://example.org/gitlab/api/v4/projects/1", Some("projects/1")),
            (ForgeKind::GitLab, "https://evil.example/collect", None),
        ];
        for (kind, path, expected) in table {
            assert_eq!(relative(kind, path).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn a_program_that_does_not_read_still_ends() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo out; echo err >&2; exit 3"]);
        let out = finished(command, vec![b'x'; 1 << 20]).unwrap();
        assert_eq!(
            (out.status.code(), out.stdout.as_slice(), out.stderr.as_slice()),
            (Some(3), b"out\n".as_slice(), b"err\n".as_slice())
        );
    }
}
