//! Who is let in, and what is shown. Every route of the table is asked by raw requests over a real socket.

mod hostile;
mod open_page;

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use tokio::runtime::Runtime;
use windlass_core::ids::PlanName;
use windlass_engine::paths::Paths;

use super::door::Door;
use super::page_state::PageState;
use super::routes::router;
use super::secret::Secret;
use crate::cli::shared::PlanState;
use crate::world::{ColourWish, World};

/// A server on a plan that was never run.
struct OpenPage {
    dir: TempDir,
    port: u16,
    session: Secret,
    door: Arc<Door>,
    _runtime: Runtime,
}

impl OpenPage {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let git = Command::new("git").args(["init", "-q"]).current_dir(dir.path()).status().unwrap();
        assert!(git.success());
        let world = World::look(ColourWish::Never, Some(dir.path())).unwrap();
        let name = PlanName::new("demo").unwrap();
        let paths = Paths::new(&dir.path().join(".git"), &dir.path().join("cache")).plan(&name);
        let page = Arc::new(PageState::open(world, PlanState { name, paths }).unwrap());
        let runtime = Runtime::new().unwrap();
        let listener = runtime.block_on(super::listen(Some(0))).unwrap();
        let port = listener.local_addr().unwrap().port();
        let session = Secret::new().unwrap();
        let door = Arc::new(Door::new(port, session.clone()).unwrap());
        let app = router(&page, Arc::clone(&door), |_| {});
        runtime.spawn(async move { axum::serve(listener, app).await });
        Self { dir, port, session, door, _runtime: runtime }
    }

    /// Sends a request as it is, and gives the answer as far as it comes at once.
    fn send(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(1500))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let mut piece = vec![0; 65_536];
        // A stream of changes goes on: its head is enough.
        while let Ok(n @ 1..) = stream.read(&mut piece) {
            answer.extend_from_slice(&piece[..n]);
            if answer.windows(17).any(|w| w == b"text/event-stream") {
                break;
            }
        }
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn status(&self, request: &str) -> u16 {
        let answer = self.send(request);
        answer.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0)
    }

    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    fn cookie(&self) -> String {
        format!("windlass_{}={}", self.port, self.session.text())
    }

    /// The headers of an honest request.
    fn honest(&self) -> Vec<(String, String)> {
        let own = |name: &str, value: String| (name.to_owned(), value);
        vec![
            own("host", self.host()),
            own("cookie", self.cookie()),
            own("origin", format!("http://{}", self.host())),
            own("sec-fetch-site", "same-origin".into()),
        ]
    }

    /// Whether a wish was left.
    fn wished(&self) -> bool {
        self.dir.path().join(".git/windlass/plans/demo/requests.db").exists()
    }
}

fn request(method: &str, target: &str, headers: &[(String, String)], body: &str) -> String {
    let lines: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    format!(
        "{method} {target} HTTP/1.1\r\n{lines}content-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}
