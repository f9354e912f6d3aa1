//! The scripted model as a program.
//!
//! ```text
//! model-server [--port N] [--log FILE] SCRIPT
//! ```
//!
//! Prints its address as its first line, then answers until its standard input ends, so that it cannot outlive the
//! process that started it. The log gets a line of JSON for each request when it ends.

use std::io::{self, Read as _, Write as _};
use std::process::ExitCode;

use serde_json::json;
use windlass_testkit::model::{Heard, ModelServer, Script};

#[derive(Default)]
struct Options {
    port: u16,
    log: Option<String>,
    script: Option<String>,
}

fn main() -> ExitCode {
    match options().and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            let _ = writeln!(io::stderr(), "model-server: {message}");
            ExitCode::from(2)
        }
    }
}

fn options() -> Result<Options, String> {
    let mut options = Options::default();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("`{word}` needs a value"));
        match word.as_str() {
            "--port" => options.port = value()?.parse().map_err(|_| "`--port` needs a number".to_owned())?,
            "--log" => options.log = Some(value()?),
            _ if options.script.is_none() && !word.starts_with('-') => options.script = Some(word),
            _ => {
                return Err(format!(
                    "`{word}` is unknown; usage: model-server [--port N] [--log FILE] SCRIPT"
                ));
            }
        }
    }
    Ok(options)
}

fn run(options: &Options) -> Result<(), String> {
    let path = options.script.as_ref().ok_or("a script is needed")?;
    let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read `{path}`: {e}"))?;
    let script = Script::read(&text).map_err(|e| format!("`{path}`: {e}"))?;
    let server = ModelServer::start_at(options.port, script).map_err(|e| format!("cannot listen: {e}"))?;
    let mut out = io::stdout();
    writeln!(out, "{}", server.url()).and_then(|()| out.flush()).map_err(|e| e.to_string())?;
    let mut piece = [0; 1024];
    while io::stdin().read(&mut piece).is_ok_and(|n| n > 0) {}
    let Some(log) = &options.log else { return Ok(()) };
    let lines: String = server.heard().iter().map(|heard| format!("{}\n", line(heard))).collect();
    std::fs::write(log, lines).map_err(|e| format!("cannot write `{log}`: {e}"))
}

fn line(heard: &Heard) -> serde_json::Value {
    json!({
        "path": heard.path, "dialect": heard.dialect.map(|d| format!("{d:?}").to_lowercase()),
        "conversation": heard.conversation, "turn": heard.turn, "step": heard.step, "aside": heard.aside,
        "prompts": heard.prompts, "tools": heard.tools, "delivered": heard.delivered, "body": heard.body,
    })
}
