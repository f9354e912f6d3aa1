//! A thin client of ChromeDriver: one browser with an empty profile of its own.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// The longest a test waits for the page.
const PATIENCE: Duration = Duration::from_secs(40);

/// Keeps the browser from asking anything of a network.
const QUIET: [&str; 9] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
];

/// A browser.
pub(crate) struct Browser {
    driver: Child,
    base: String,
    session: String,
    agent: ureq::Agent,
    profile: TempDir,
}

impl Browser {
    /// A window of this size.
    pub(crate) fn open(width: u32, height: u32) -> Self {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|e| panic!("chromedriver is needed, and `scripts/test` installs it: {e}"));
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines
            .find_map(|line| {
                Some(
                    line.ok()?
                        .split("successfully on port ")
                        .nth(1)?
                        .trim_end_matches('.')
                        .parse::<u16>()
                        .ok(),
                )
            })
            .flatten()
            .expect("chromedriver says its port");
        thread::spawn(move || lines.for_each(drop));
        let profile = tempfile::tempdir().unwrap();
        let config = ureq::Agent::config_builder().http_status_as_error(false);
        let agent: ureq::Agent = config.timeout_global(Some(Duration::from_mins(1))).build().into();
        let base = format!("http://127.0.0.1:{port}");
        let mut browser = Self { driver, base, session: String::new(), agent, profile };
        let mut args: Vec<String> = QUIET.iter().map(|arg| (*arg).to_owned()).collect();
        args.push(format!("--window-size={width},{height}"));
        args.push(format!("--user-data-dir={}", browser.profile.path().display()));
        let options = json!({ "args": args });
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options, "unhandledPromptBehavior": "dismiss",
        } } });
        let made = browser.post("/session", &wanted);
        made["sessionId"].as_str().expect("a session").clone_into(&mut browser.session);
        browser.cdp(
            "Emulation.setDeviceMetricsOverride",
            &json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 }),
        );
        browser
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let url = format!("{}{path}", self.base);
        let answer = self.agent.post(&url).header("content-type", "application/json").send(body.to_string());
        let mut answer = answer.unwrap_or_else(|e| panic!("{path}: {e}"));
        let text = answer.body_mut().with_config().limit(64 << 20).read_to_string().unwrap();
        let mut value: Value = serde_json::from_str(&text).unwrap();
        let value = value["value"].take();
        assert!(value["error"].is_null(), "{path}: {} {}", value["error"], value["message"]);
        value
    }

    fn ask(&self, path: &str, body: &Value) -> Value {
        self.post(&format!("/session/{}{path}", self.session), body)
    }

    /// Goes to an address.
    pub(crate) fn go(&self, url: &str) {
        self.ask("/url", &json!({ "url": url }));
    }

    /// The value of a script: the body of a function.
    pub(crate) fn js(&self, script: &str) -> Value {
        self.ask("/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// A text that a script gives.
    pub(crate) fn text(&self, script: &str) -> String {
        self.js(script).as_str().unwrap_or_default().to_owned()
    }

    /// What a person reads.
    pub(crate) fn read(&self) -> String {
        self.text("return document.body.innerText")
    }

    /// A command of the developer tools.
    pub(crate) fn cdp(&self, command: &str, params: &Value) -> Value {
        self.ask("/goog/cdp/execute", &json!({ "cmd": command, "params": params }))
    }

    /// Waits until a script gives something true.
    #[track_caller]
    pub(crate) fn until(&self, what: &str, script: &str) -> Value {
        let since = Instant::now();
        loop {
            let value = self.js(script);
            let holds = match &value {
                Value::Null => false,
                Value::Bool(holds) => *holds,
                Value::String(text) => !text.is_empty(),
                Value::Number(_) | Value::Array(_) | Value::Object(_) => true,
            };
            if holds {
                return value;
            }
            assert!(since.elapsed() < PATIENCE, "waited in vain until {what}\n── the page\n{}", self.read());
            thread::sleep(Duration::from_millis(30));
        }
    }

    /// Waits until the page says something.
    #[track_caller]
    pub(crate) fn until_read(&self, text: &str) {
        let wanted = serde_json::to_string(text).unwrap();
        self.until(text, &format!("return document.body.innerText.includes({wanted})"));
    }

    /// Clicks on the button or link with this name, as soon as it is there.
    #[track_caller]
    pub(crate) fn click(&self, name: &str) {
        let wanted = serde_json::to_string(name).unwrap();
        let script = format!(
            "const all = [...document.querySelectorAll('dialog[open] button, button, a')];
             const top = document.querySelector('dialog[open]');
             const found = all.find((n) => (!top || top.contains(n)) && (n.getAttribute('aria-label') || n.innerText.trim()) === {wanted});
             found?.click(); return !!found;"
        );
        self.until(&format!("there is `{name}` to click on"), &script);
    }

    /// Opens another tab and goes there; both tabs live on.
    pub(crate) fn tab(&self) -> String {
        let made = self.ask("/window/new", &json!({ "type": "tab" }));
        let handle = made["handle"].as_str().unwrap().to_owned();
        self.switch(&handle);
        handle
    }

    /// The tab that is in front.
    pub(crate) fn here(&self) -> String {
        let url = format!("{}/session/{}/window", self.base, self.session);
        let text = self.agent.get(&url).call().unwrap().body_mut().read_to_string().unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["value"].as_str().unwrap().to_owned()
    }

    /// Brings a tab to the front.
    pub(crate) fn switch(&self, handle: &str) {
        self.ask("/window", &json!({ "handle": handle }));
    }

    /// Whether the system wants dark pages.
    pub(crate) fn dark(&self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": value }]);
        self.cdp("Emulation.setEmulatedMedia", &json!({ "features": features }));
    }

    /// A picture of the window.
    pub(crate) fn picture(&self, path: &Path) {
        let made = self.cdp("Page.captureScreenshot", &json!({ "format": "png" }));
        std::fs::write(path, unbased(made["data"].as_str().unwrap())).unwrap();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            let _ = self.agent.delete(&format!("{}/session/{}", self.base, self.session)).call();
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Base64 as bytes.
fn unbased(text: &str) -> Vec<u8> {
    let value = |b: u8| match b {
        b'A'..=b'Z' => b - b'A',
        b'a'..=b'z' => b - b'a' + 26,
        b'0'..=b'9' => b - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let bytes: Vec<u8> = text.bytes().filter(|b| *b != b'=').map(value).collect();
    let join = |four: &[u8]| {
        let all = four.iter().fold(0_u32, |all, six| all << 6 | u32::from(*six)) << (6 * (4 - four.len()));
        all.to_be_bytes()[1..four.len()].to_vec()
    };
    bytes.chunks(4).flat_map(join).collect()
}
