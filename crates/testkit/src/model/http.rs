//! As much of HTTP/1.1 as the callers need: requests in, with a bound on everything, and the head of an answer out.

use std::io::{self, BufRead, Read, Write};

/// The longest head.
const HEAD: u64 = 64 << 10;
/// The longest body.
const BODY: usize = 64 << 20;

/// A request.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Without the query.
    pub(crate) path: String,
    /// What follows the question mark.
    pub(crate) query: String,
    /// Names in lower case.
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    /// A header's value.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// Whether the caller wants the connection to be closed afterwards.
    pub(crate) fn closes(&self) -> bool {
        self.header("connection").is_some_and(|c| c.eq_ignore_ascii_case("close"))
    }
}

/// Reads the next request; nothing where the connection ends before one.
pub(crate) fn read(from: &mut impl BufRead, to: &mut impl Write) -> io::Result<Option<Request>> {
    let mut head = from.by_ref().take(HEAD);
    let Some(first) = line(&mut head)? else { return Ok(None) };
    let mut words = first.split(' ');
    let (Some(method), Some(target)) = (words.next(), words.next()) else {
        return Err(bad("no request line"));
    };
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let (path, query) = (path.to_owned(), query.to_owned());
    let mut headers = Vec::new();
    loop {
        let line = line(&mut head)?.ok_or_else(|| bad("the head does not end"))?;
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').ok_or_else(|| bad("a header without a colon"))?;
        headers.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut request = Request { method: method.to_owned(), path, query, headers, body: Vec::new() };
    if request.header("expect").is_some_and(|e| e.eq_ignore_ascii_case("100-continue")) {
        to.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    request.body = body(from, &request)?;
    Ok(Some(request))
}

fn body(from: &mut impl BufRead, request: &Request) -> io::Result<Vec<u8>> {
    if request.header("transfer-encoding").is_some_and(|t| t.eq_ignore_ascii_case("chunked")) {
        return chunks(from);
    }
    let length = match request.header("content-length") {
        Some(text) => text.parse().map_err(|_| bad("a content length that is no number"))?,
        None => 0,
    };
    exactly(from, length)
}

fn chunks(from: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut all = Vec::new();
    loop {
        let size = line(&mut from.by_ref().take(1024))?.ok_or_else(|| bad("a chunk is missing"))?;
        let size = size.split(';').next().unwrap_or_default().trim();
        let size = usize::from_str_radix(size, 16).map_err(|_| bad("a chunk size that is no number"))?;
        if all.len().saturating_add(size) > BODY {
            return Err(bad("the body is too large"));
        }
        all.extend(exactly(from, size)?);
        line(&mut from.by_ref().take(1024))?;
        if size == 0 {
            return Ok(all);
        }
    }
}

fn exactly(from: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    if length > BODY {
        return Err(bad("the body is too large"));
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// A line without its end; nothing at the end of the connection.
fn line(from: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    from.read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.pop() != Some(b'\n') {
        return Err(bad("a line that does not end"));
    }
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    String::from_utf8(bytes).map(Some).map_err(|_| bad("a head that is no text"))
}

fn bad(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    /// Written one after the other.
    pub(crate) pieces: Vec<Vec<u8>>,
    /// Whether the length is not told: the end of the connection ends the body.
    pub(crate) open: bool,
}

impl Response {
    /// A document.
    pub(crate) fn json(status: u16, body: &serde_json::Value) -> Self {
        let headers = vec![("content-type", "application/json".to_owned())];
        Self { status, headers, pieces: vec![body.to_string().into_bytes()], open: false }
    }

    /// A stream of events.
    pub(crate) fn stream(events: Vec<String>) -> Self {
        let headers = vec![("content-type", "text/event-stream".to_owned())];
        Self {
            status: 200,
            headers,
            pieces: events.into_iter().map(String::into_bytes).collect(),
            open: true,
        }
    }

    /// The head.
    pub(crate) fn head(&self) -> String {
        let mut head = format!("HTTP/1.1 {} Scripted\r\n", self.status);
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if self.open {
            head.push_str("connection: close\r\n\r\n");
        } else {
            let length: usize = self.pieces.iter().map(Vec::len).sum();
            head.push_str(&format!("content-length: {length}\r\n\r\n"));
        }
        head
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> io::Result<Option<Request>> {
        read(&mut text.as_bytes(), &mut io::sink())
    }

    #[test]
    fn bodies_come_whole_or_in_chunks() {
        let whole = parse("POST /v1/a?b=c HTTP/1.1\r\nContent-Length: 2\r\n\r\nhi").unwrap().unwrap();
        assert_eq!((whole.path.as_str(), whole.body.as_slice()), ("/v1/a", b"hi".as_slice()));
        let chunked =
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n1;x=y\r\n!\r\n0\r\n\r\n";
        assert_eq!(parse(chunked).unwrap().unwrap().body, b"hi!");
    }

    #[test]
    fn what_is_no_request_is_refused() {
        assert!(parse("").unwrap().is_none());
        for text in [
            "GET\r\n\r\n",
            "GET / HTTP/1.1\r\n",
            "GET / HTTP/1.1\r\nno colon\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: many\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n",
        ] {
            assert!(parse(text).is_err(), "{text:?}");
        }
    }
}
