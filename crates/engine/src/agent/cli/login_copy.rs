//! The copy of a login that a turn gets: without refresh tokens, so that it is worth nothing after its time.
//!
//! The user's own file is never written. A program that renews its login does so when the user starts it; the next turn
//! then gets the new one.

use serde_json::Value;
use windlass_core::event::Millis;

use crate::config::CliSpec;

/// Keys of refresh tokens, in the files of all programs.
const REFRESH: [&str; 3] = ["refreshToken", "refresh_token", "refresh"];
/// Keys of the time at which a login ends, in milliseconds since the epoch.
const ENDS: [&str; 3] = ["expiresAt", "expiry_date", "expires"];
/// The key of a token that says in itself when it ends.
const TOKEN: &str = "access_token";

/// A login file without its refresh tokens. A file that cannot be read is not copied: what it holds is not known.
pub(super) fn without_refresh(login: &[u8]) -> Option<Vec<u8>> {
    let mut login: Value = serde_json::from_slice(login).ok()?;
    walk(&mut login, &mut |key, value| {
        if REFRESH.contains(&key) && value.is_string() {
            // Programs insist on the key.
            *value = Value::from("");
        }
    });
    serde_json::to_vec(&login).ok()
}

impl CliSpec {
    /// When the login that turns get a copy of ends; `None` if it does not, or if nothing says so.
    pub fn login_ends(&self) -> Option<Millis> {
        let facts = self.kind.facts();
        let set = |name: &&&str| self.env.iter().any(|(n, value)| n == **name && !value.is_empty());
        if facts.login.keys.iter().chain(facts.variables).any(|name| set(&name)) {
            return None;
        }
        let path = facts.login.path(self.home.as_ref()?, &self.env);
        ends(&std::fs::read(path).ok()?)
    }
}

/// The first end of anything in a login file.
fn ends(login: &[u8]) -> Option<Millis> {
    let mut login: Value = serde_json::from_slice(login).ok()?;
    let mut found = Vec::new();
    walk(&mut login, &mut |key, value| {
        if ENDS.contains(&key) {
            found.extend(value.as_i64().filter(|at| *at > 0));
        } else if key == TOKEN {
            found.extend(value.as_str().and_then(end_of_token));
        }
    });
    found.into_iter().min()
}

/// The end that a JSON web token states.
fn end_of_token(token: &str) -> Option<Millis> {
    let claims: Value = serde_json::from_slice(&from_base64(token.split('.').nth(1)?)?).ok()?;
    claims["exp"].as_i64()?.checked_mul(1000)
}

fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let (mut held, mut bits) = (0_u32, 0_u32);
    for byte in text.trim_end_matches('=').bytes() {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'-' | b'+' => 62,
            b'_' | b'/' => 63,
            _ => return None,
        };
        held = held << 6 | u32::from(six);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push(u8::try_from(held >> bits & 0xff).ok()?);
        }
    }
    Some(out)
}

/// Calls `look` with every key and its value.
fn walk(value: &mut Value, look: &mut dyn FnMut(&str, &mut Value)) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                look(key, value);
                walk(value, look);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| walk(item, look)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests;
