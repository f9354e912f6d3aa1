//! The program that serves the page, in a test repository.

use windlass_testkit::{Running, TestRepo, eventually};

use crate::browser::Browser;

/// A server at work.
pub(crate) struct Served {
    program: Running,
    seen: usize,
    pub(crate) port: u16,
}

impl Served {
    /// Serves the page of a repository on any port.
    pub(crate) fn start(repo: &TestRepo) -> Self {
        Self::on(repo, 0)
    }

    /// Serves it on this port.
    pub(crate) fn on(repo: &TestRepo, port: u16) -> Self {
        let program = repo.start(&["ui", "--web", "--no-open", "--port", &port.to_string()]);
        let mut served = Self { program, seen: 0, port };
        let address = served.address();
        served.port = address.split([':', '/']).nth(4).and_then(|port| port.parse().ok()).unwrap();
        served.seen = 0;
        served
    }

    /// The next address that lets a browser in.
    pub(crate) fn address(&mut self) -> String {
        let mut address = String::new();
        eventually("the program says an address", || {
            let said = self.program.printed();
            let found: Vec<&str> =
                said.split_whitespace().filter(|word| word.starts_with("http://")).collect();
            found.get(self.seen).map(|found| (*found).clone_into(&mut address)).is_some()
        });
        self.seen += 1;
        address
    }

    /// The address of a page.
    pub(crate) fn page(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}/#/{path}", self.port)
    }

    /// Ends it as Ctrl-C does.
    pub(crate) fn stop(self) {
        self.program.interrupt();
        self.program.wait().ends(0);
    }

    /// A browser that was let in and is on the first page.
    pub(crate) fn browser(&mut self, width: u32, height: u32) -> Browser {
        let browser = Browser::open(width, height);
        self.let_in(&browser);
        browser
    }

    /// Lets a browser in.
    pub(crate) fn let_in(&mut self, browser: &Browser) {
        browser.go(&self.address());
        browser.until("the page is live", "return document.getElementById('link')?.dataset.state === 'open'");
    }
}
