//! The way to the REST interface of a forge: `gh` or `glab` where they are logged in, else our own calls with a token.
//!
//! Knows methods, pages, rate limits and errors; nothing of issues or pull requests.

use std::ffi::OsStr;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::Value;

use super::program::ForgeProgram;
use super::{ForgeKind, PullRefusal, RefusalCause};
use crate::base64::from_base64;
use crate::cli::CliError;
use crate::input::Configuration;
use crate::world::World;

/// How long one call may take.
pub(super) const LIMIT: Duration = Duration::from_secs(30);
/// The largest answer.
const LARGEST: u64 = 32 << 20;
/// The most pages of one list.
const PAGES: usize = 100;
/// A rate limit that ends within this time is waited for.
const PATIENCE: Duration = Duration::from_mins(1);
/// How often a call that met a limit or a failing server is repeated.
const REPEATED: usize = 3;

/// What a call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RestMethod {
    Get,
    Post,
    Patch,
    Put,
}

impl RestMethod {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            RestMethod::Get => "GET",
            RestMethod::Post => "POST",
            RestMethod::Patch => "PATCH",
            RestMethod::Put => "PUT",
        }
    }
}

/// The way to a forge.
#[derive(Debug, Clone)]
pub(super) struct Connection {
    kind: ForgeKind,
    way: Way,
    /// Whether requests carry a login.
    pub(super) logged_in: bool,
    /// What to set for a login.
    login: String,
}

#[derive(Debug, Clone)]
enum Way {
    /// `gh api` or `glab api`.
    Program(ForgeProgram),
    /// Our own calls.
    Rest { base: String, token: Option<String> },
}

/// What came back.
#[derive(Debug)]
pub(super) struct RestAnswer {
    pub(super) status: u16,
    /// Names in lower case.
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl RestAnswer {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// The address of the next page.
    pub(super) fn next(&self) -> Option<String> {
        let of_next = |part: &&str| part.contains("rel=\"next\"");
        let part = self.header("link")?.split(',').find(of_next)?;
        Some(part.split_once('<')?.1.split_once('>')?.0.to_owned())
    }

    /// The time until a limit ends, if one was met.
    fn limited(&self, now: i64) -> Option<Duration> {
        if !matches!(self.status, 403 | 429) {
            return None;
        }
        let number = |name: &str| self.header(name).and_then(|text| text.trim().parse::<i64>().ok());
        let used_up = ["x-ratelimit-remaining", "ratelimit-remaining"].iter().any(|n| number(n) == Some(0));
        let reset =
            || number("x-ratelimit-reset").or_else(|| number("ratelimit-reset")).map(|at| at - now / 1000);
        let seconds = number("retry-after").or_else(|| reset().filter(|_| used_up));
        let seconds = seconds.or_else(|| (self.status == 429).then_some(60))?;
        Some(Duration::from_secs(seconds.clamp(0, 86_400).unsigned_abs()))
    }

    /// What the forge says went wrong, on one line.
    fn said(&self) -> String {
        let body = self.json();
        let mut words: Vec<String> = Vec::new();
        let texts = |value: &Value| -> Vec<String> {
            match value {
                Value::String(text) => vec![text.clone()],
                Value::Array(all) => all
                    .iter()
                    .filter_map(|v| v.as_str().or_else(|| v["message"].as_str()))
                    .map(str::to_owned)
                    .collect(),
                Value::Object(map) => map.iter().map(|(key, v)| format!("{key}: {v}")).collect(),
                _ => Vec::new(),
            }
        };
        for key in ["message", "error", "errors"] {
            words.extend(texts(&body[key]));
        }
        let line = words.join("; ");
        let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).take(300).collect();
        if line.is_empty() { "it gave no reason".to_owned() } else { line }
    }
}

impl Connection {
    /// Chooses the way. `known` says that the host may see the user's token.
    pub(super) fn open(
        world: &World,
        configuration: &Configuration,
        kind: ForgeKind,
        host: &str,
        known: bool,
    ) -> Result<Self, CliError> {
        let config = configuration.trusted(world)?;
        let keys = &config.forge;
        let (program, usual): (&str, &[&str]) = match kind {
            ForgeKind::GitHub => ("gh", &["GH_TOKEN", "GITHUB_TOKEN"]),
            ForgeKind::GitLab => ("glab", &["GITLAB_TOKEN"]),
        };
        let named = keys.token_env.as_deref();
        let variables = named.map_or_else(|| usual.to_vec(), |name| vec![name]);
        let login =
            format!("log in with `{program} auth login`, or put a token into `{}`", variables.join("` or `"));
        let found = world.program(OsStr::new(program)).filter(|_| keys.api.is_none() && named.is_none());
        if let Some(program) = found.and_then(|path| ForgeProgram::logged_in(path, kind, host)) {
            return Ok(Self { kind, way: Way::Program(program), logged_in: true, login });
        }
        let may_see = known || keys.api.is_some();
        let token = world.env_of(variables).into_iter().next().filter(|_| may_see);
        let token =
            token.map(|(_, value)| value.to_string_lossy().trim().to_owned()).filter(|t| !t.is_empty());
        let base = keys.api.clone().unwrap_or_else(|| match kind {
            ForgeKind::GitHub if host == "github.com" => "https://api.github.com".to_owned(),
            ForgeKind::GitHub => format!("https://{host}/api/v3"),
            ForgeKind::GitLab => format!("https://{host}/api/v4"),
        });
        let base = base.trim_end_matches('/').to_owned();
        Ok(Self { kind, logged_in: token.is_some(), way: Way::Rest { base, token }, login })
    }

    /// Refuses what needs a login where there is none.
    pub(super) fn needs_login(&self) -> Result<(), CliError> {
        if self.logged_in {
            return Ok(());
        }
        let said = format!("{} does not know who you are", self.kind.name());
        Err(CliError::environment(said).hint(self.login.clone()))
    }

    /// Reads one thing.
    pub(super) fn get(&self, path: &str) -> Result<Value, CliError> {
        self.call(RestMethod::Get, path, None)
    }

    /// Reads one thing that may be absent, or that this user may not see.
    pub(super) fn find(&self, path: &str) -> Result<Option<Value>, CliError> {
        let answer = self.ask(RestMethod::Get, path, None)?;
        match answer.status {
            403 | 404 => Ok(None),
            _ => self.checked(path, &answer).map(Some),
        }
    }

    /// Reads a file as it is; `None` where there is none.
    pub(super) fn text(&self, path: &str) -> Result<Option<String>, CliError> {
        let answer = self.ask(RestMethod::Get, path, None)?;
        if answer.status == 404 {
            return Ok(None);
        }
        let body = self.checked(path, &answer)?;
        // GitHub sends a file in Base64 inside a document, unless it is asked otherwise.
        let coded = body["content"].as_str().filter(|_| body["encoding"] == "base64");
        let bytes = match coded {
            Some(text) => from_base64(text),
            None => Some(answer.body),
        };
        Ok(bytes.and_then(|bytes| String::from_utf8(bytes).ok()))
    }

    /// Reads a whole list, page by page.
    pub(super) fn list(&self, path: &str) -> Result<Vec<Value>, CliError> {
        let mut all = Vec::new();
        let mut next = Some(path.to_owned());
        for _ in 0..PAGES {
            let Some(at) = next else { return Ok(all) };
            let answer = self.ask(RestMethod::Get, &at, None)?;
            let page = self.checked(&at, &answer)?;
            match page {
                Value::Array(items) => all.extend(items),
                // Some lists of GitHub are a field of a document.
                Value::Object(map) => all.extend(
                    map.into_iter()
                        .find_map(|(_, v)| match v {
                            Value::Array(items) => Some(items),
                            _ => None,
                        })
                        .unwrap_or_default(),
                ),
                _ => {}
            }
            next = answer.next();
        }
        Err(CliError::environment(format!("the list `{path}` has more than {PAGES} pages")))
    }

    /// Makes a call that must succeed.
    pub(super) fn call(
        &self,
        method: RestMethod,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Value, CliError> {
        let answer = self.ask(method, path, body)?;
        self.checked(path, &answer)
    }

    /// Opens a pull request; a refusal by the rules of the forge (422, 409, 400) is an answer.
    pub(super) fn open_pull(&self, path: &str, body: &Value) -> Result<Result<Value, PullRefusal>, CliError> {
        let answer = self.ask(RestMethod::Post, path, Some(body))?;
        match answer.status {
            400 | 409 | 422 => {
                let said = answer.said();
                let because = RefusalCause::read(self.kind, answer.status, &answer.json(), &said);
                Ok(Err(PullRefusal { because, said }))
            }
            _ => self.checked(path, &answer).map(Ok),
        }
    }

    fn checked(&self, path: &str, answer: &RestAnswer) -> Result<Value, CliError> {
        let (forge, said) = (self.kind.name(), answer.said());
        let shown = path.split('?').next().unwrap_or_default();
        Err(match answer.status {
            200..=299 => return Ok(answer.json()),
            401 => CliError::environment(format!("{forge} does not accept the login: {said}"))
                .hint(self.login.clone()),
            403 => CliError::blocked(format!("{forge} does not allow `{shown}`: {said}"))
                .hint("the token or the account lacks a right for it"),
            404 => {
                let error = CliError::usage(format!("{forge} has no `{shown}`, or does not show it: {said}"));
                if self.logged_in { error } else { error.hint(self.login.clone()) }
            }
            410 => CliError::usage(format!("`{shown}` was deleted: {said}")),
            422 => CliError::usage(format!("{forge} refuses `{shown}`: {said}")),
            code => CliError::environment(format!("{forge} answered {code} to `{shown}`: {said}")),
        })
    }

    /// Makes a call, and makes it again where a limit ends soon or the server failed.
    fn ask(&self, method: RestMethod, path: &str, body: Option<&Value>) -> Result<RestAnswer, CliError> {
        let mut tried = 0;
        loop {
            let answer = match &self.way {
                Way::Program(program) => program.ask(method, path, body)?,
                Way::Rest { base, token } => self.by_rest(base, token.as_deref(), method, path, body)?,
            };
            tried += 1;
            let since = UNIX_EPOCH.elapsed().unwrap_or_default();
            let now = i64::try_from(since.as_millis()).unwrap_or(i64::MAX);
            let wait = match answer.limited(now) {
                Some(wait) if wait > PATIENCE || tried > REPEATED => {
                    let minutes = wait.as_secs().div_ceil(60);
                    let said = format!("{} allows no more calls for {minutes} min", self.kind.name());
                    let error = CliError::environment(said);
                    return Err(if self.logged_in { error } else { error.hint(self.login.clone()) });
                }
                Some(wait) => wait,
                None if answer.status >= 500 && method == RestMethod::Get && tried <= REPEATED => {
                    Duration::from_secs(1)
                }
                None => return Ok(answer),
            };
            std::thread::sleep(wait);
        }
    }

    fn by_rest(
        &self,
        base: &str,
        token: Option<&str>,
        method: RestMethod,
        path: &str,
        body: Option<&Value>,
    ) -> Result<RestAnswer, CliError> {
        let url = if path.starts_with("https://") || path.starts_with("http://") {
            // The forge names the next page; a token goes nowhere else.
            if !path.starts_with(&format!("{base}/")) {
                let said = format!("{} leads to another host for the next page", self.kind.name());
                return Err(CliError::environment(said));
            }
            path.to_owned()
        } else {
            format!("{base}/{path}")
        };
        let config = ureq::Agent::config_builder().timeout_global(Some(LIMIT)).http_status_as_error(false);
        let agent = config.build().new_agent();
        let mut request = ureq::http::Request::builder().method(method.as_str()).uri(&url);
        request = request.header("User-Agent", concat!("windlass/", env!("CARGO_PKG_VERSION")));
        request = request.header("Accept", "application/json");
        if let Some(token) = token {
            request = match self.kind {
                ForgeKind::GitHub => request.header("Authorization", format!("Bearer {token}")),
                ForgeKind::GitLab => request.header("PRIVATE-TOKEN", token),
            };
        }
        let text = body.map(Value::to_string).unwrap_or_default();
        let request = request.header("Content-Type", "application/json").body(text);
        let failed = |error: &(dyn std::error::Error + 'static)| {
            CliError::environment(format!("cannot reach {}", self.kind.name())).because_of(Some(error))
        };
        let request = request.map_err(|e| failed(&e))?;
        let mut answer = agent.run(request).map_err(|e| failed(&e))?;
        let lower = |(name, value): (&ureq::http::HeaderName, &ureq::http::HeaderValue)| {
            (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
        };
        let headers = answer.headers().iter().map(lower).collect();
        let status = answer.status().as_u16();
        let read = answer.body_mut().with_config().limit(LARGEST).read_to_vec();
        let body = read.map_err(|e| failed(&e))?;
        Ok(RestAnswer { status, headers, body })
    }
}

/// A text as a part of an address.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_told_from_refusals() {
        let answer = |status, headers: &[(&str, &str)]| RestAnswer {
            status,
            headers: headers.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect(),
            body: Vec::new(),
        };
        let limited = |status, headers: &[(&str, &str)]| {
            answer(status, headers).limited(1_000_000).map(|wait| wait.as_secs())
        };
        assert_eq!(limited(403, &[]), None);
        assert_eq!(limited(403, &[("retry-after", "7")]), Some(7));
        assert_eq!(limited(403, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1030")]), Some(30));
        assert_eq!(limited(403, &[("x-ratelimit-remaining", "9"), ("x-ratelimit-reset", "1030")]), None);
        assert_eq!(limited(429, &[]), Some(60));
        assert_eq!(limited(200, &[("retry-after", "7")]), None);
    }
}
