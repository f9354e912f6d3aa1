//! A proxy as companies have them: the only way to the model in the test of the way through it.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// The name under which the model is known to the proxy alone.
pub(crate) const MODEL: &str = "model.test";

/// A proxy that knows one host.
pub(crate) struct Upstream {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Upstream {
    /// Starts a proxy before the server at this address, `http://host:port`.
    pub(crate) fn before(model: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (model, log) = (model.trim_start_matches("http://").to_owned(), Arc::clone(&asked));
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let (model, log) = (model.clone(), Arc::clone(&log));
                std::thread::spawn(move || serve(&client, &model, &log));
            }
        });
        Self { port, asked }
    }

    /// Its address.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Whether it was asked for this.
    pub(crate) fn was_asked(&self, start: &str) -> bool {
        self.asked.lock().unwrap().iter().any(|line| line.starts_with(start))
    }
}

/// Serves one client: tunnels to port 80 and plain requests lead to the model, everything else nowhere.
fn serve(client: &TcpStream, model: &str, log: &Mutex<Vec<String>>) -> io::Result<()> {
    let mut reader = BufReader::new(client.try_clone()?);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    log.lock().unwrap().push(first.trim_end().to_owned());
    let mut headers = String::new();
    while reader.read_line(&mut headers)? > 2 {}
    let mut writer = client.try_clone()?;
    let plain = format!(" http://{MODEL}:80/");
    if first.starts_with(&format!("CONNECT {MODEL}:80 ")) {
        let server = TcpStream::connect(model)?;
        writer.write_all(b"HTTP/1.1 200 OK\r\n\r\n")?;
        carry(reader, writer, server)
    } else if first.contains(&plain) {
        let mut server = TcpStream::connect(model)?;
        server.write_all(first.replace(&plain, " /").as_bytes())?;
        server.write_all(headers.as_bytes())?;
        carry(reader, writer, server)
    } else {
        writer.write_all(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
    }
}

fn carry(mut from: impl io::Read + Send + 'static, mut to: TcpStream, server: TcpStream) -> io::Result<()> {
    let (mut there, mut back) = (server.try_clone()?, server);
    std::thread::spawn(move || {
        let _ = io::copy(&mut from, &mut there);
        let _ = there.shutdown(Shutdown::Write);
    });
    let mut piece = [0; 4096];
    loop {
        let read = back.read(&mut piece)?;
        if read == 0 {
            return to.shutdown(Shutdown::Both);
        }
        to.write_all(&piece[..read])?;
    }
}
