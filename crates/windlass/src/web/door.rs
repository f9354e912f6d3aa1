//! Who may ask: requests of this machine's browsers, from the page itself, with the secret.

use std::sync::{Mutex, PoisonError};

use axum::http::{HeaderMap, Method, StatusCode, Uri, header};

use super::secret::Secret;
use crate::cli::CliError;

/// The path of the address that lets a browser in.
pub(super) const ENTER: &str = "/enter";

/// The headers of every answer. Nothing inline, nothing from elsewhere, in no frame.
pub(super) const HEADERS: [(&str, &str); 9] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
         worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types windlass",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
    ("cache-control", "no-store"),
    ("vary", "cookie, origin"),
];

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DoorRefusal {
    /// It names another host: a foreign name may lead to this machine.
    Host,
    /// It comes from another page.
    Origin,
    /// It does not have the secret.
    Secret,
}

impl DoorRefusal {
    /// The status of the answer.
    pub(super) fn status(self) -> StatusCode {
        match self {
            DoorRefusal::Host => StatusCode::MISDIRECTED_REQUEST,
            DoorRefusal::Origin => StatusCode::FORBIDDEN,
            DoorRefusal::Secret => StatusCode::UNAUTHORIZED,
        }
    }

    /// What a person reads.
    pub(super) fn message(self) -> &'static str {
        match self {
            DoorRefusal::Host => "This page answers only under the address that `windlass ui --web` prints.",
            DoorRefusal::Origin => "This request comes from another page.",
            DoorRefusal::Secret => {
                "This browser was not let in. Open the address that `windlass ui --web` prints; each works once, and \
                 the terminal shows the next one."
            }
        }
    }
}

/// The door.
#[derive(Debug)]
pub(super) struct Door {
    port: u16,
    session: Secret,
    /// The secret of the next address.
    token: Mutex<Secret>,
}

impl Door {
    /// A door on a port, for browsers that have the secret of a session or of the next address.
    pub(super) fn new(port: u16, session: Secret) -> Result<Self, CliError> {
        Ok(Self { port, session, token: Mutex::new(Secret::new()?) })
    }

    /// The address that lets one browser in.
    pub(super) fn address(&self) -> String {
        let token = self.token.lock().unwrap_or_else(PoisonError::into_inner);
        format!("http://127.0.0.1:{}{ENTER}?token={}", self.port, token.text())
    }

    /// Lets a browser in: the cookie it gets. The address does not work again.
    pub(super) fn enter(&self, token: &str) -> Result<String, DoorRefusal> {
        let mut next = self.token.lock().unwrap_or_else(PoisonError::into_inner);
        if !next.is(token) {
            return Err(DoorRefusal::Secret);
        }
        *next = Secret::new().map_err(|_| DoorRefusal::Secret)?;
        let (name, secret) = (self.cookie(), self.session.text());
        Ok(format!("{name}={secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age=604800"))
    }

    /// Browsers share cookies between ports, so each port has its own.
    fn cookie(&self) -> String {
        format!("windlass_{}", self.port)
    }

    /// Whether a request may be answered.
    pub(super) fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), DoorRefusal> {
        let host = self.host(uri, headers)?;
        let access = RouteAccess::of(method, uri);
        origin(host, access, headers)?;
        site(access, headers)?;
        match access {
            RouteAccess::Enter => Ok(()),
            RouteAccess::Read | RouteAccess::Write => self.secret(headers),
        }
    }

    /// The host that is named: exactly one, and one of ours.
    fn host<'h>(&self, uri: &Uri, headers: &'h HeaderMap) -> Result<&'h str, DoorRefusal> {
        let HeaderState::Once(host) = said(headers, header::HOST.as_str()) else {
            return Err(DoorRefusal::Host);
        };
        let ours = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        let plain = uri.authority().is_none() && uri.scheme().is_none();
        if plain && ours.iter().any(|own| own == host) { Ok(host) } else { Err(DoorRefusal::Host) }
    }

    fn secret(&self, headers: &HeaderMap) -> Result<(), DoorRefusal> {
        let name = self.cookie();
        let texts = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs = texts.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let known = pairs.any(|(key, value)| key == name && self.session.is(value));
        if known { Ok(()) } else { Err(DoorRefusal::Secret) }
    }
}

/// What a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RouteAccess {
    /// The sign-in address.
    Enter,
    /// To read something.
    Read,
    /// To change something.
    Write,
}

impl RouteAccess {
    fn of(method: &Method, uri: &Uri) -> Self {
        match (*method == Method::GET || *method == Method::HEAD, uri.path() == ENTER) {
            (true, true) => Self::Enter,
            (true, false) => Self::Read,
            (false, _) => Self::Write,
        }
    }
}

/// What a request says in a header.
enum HeaderState<'h> {
    Nothing,
    Once(&'h str),
    /// Several times, or what is no text.
    Unclear,
}

fn said<'h>(headers: &'h HeaderMap, name: &str) -> HeaderState<'h> {
    let mut all = headers.get_all(name).iter();
    match (all.next(), all.next()) {
        (None, _) => HeaderState::Nothing,
        (Some(only), None) => only.to_str().map_or(HeaderState::Unclear, HeaderState::Once),
        (Some(_), Some(_)) => HeaderState::Unclear,
    }
}

/// The page that asks must be ours; what changes something must say that it is.
fn origin(host: &str, access: RouteAccess, headers: &HeaderMap) -> Result<(), DoorRefusal> {
    match said(headers, header::ORIGIN.as_str()) {
        HeaderState::Once(origin) if origin.strip_prefix("http://") == Some(host) => Ok(()),
        HeaderState::Nothing if access != RouteAccess::Write => Ok(()),
        HeaderState::Once(_) | HeaderState::Nothing | HeaderState::Unclear => Err(DoorRefusal::Origin),
    }
}

/// Checks `Sec-Fetch-Site`. A link on another site may open the sign-in address only.
fn site(access: RouteAccess, headers: &HeaderMap) -> Result<(), DoorRefusal> {
    match said(headers, "sec-fetch-site") {
        HeaderState::Nothing | HeaderState::Once("same-origin") => Ok(()),
        HeaderState::Once("none") if access != RouteAccess::Write => Ok(()),
        HeaderState::Once(_) if access == RouteAccess::Enter => Ok(()),
        HeaderState::Once(_) | HeaderState::Unclear => Err(DoorRefusal::Origin),
    }
}
