//! From the greeting to the end of the prompt: versions, login, session, mode, model.

use serde_json::{Value, json};

use super::client::{AcpTurn, TurnBroken, tell};
use super::permission::modes;
use crate::agent::cli::Permission;

/// The version of the protocol.
const VERSION: u64 = 1;
/// The error of an agent that wants a login first.
const NEEDS_LOGIN: i64 = -32000;

impl AcpTurn<'_> {
    /// Carries the turn out; the agent's answer to the prompt.
    pub(super) fn carry_out(&mut self, brief: &str) -> Result<Value, TurnBroken> {
        let terminal = self.permission == Permission::Full;
        let reads = self.request.files;
        let writes = reads && self.permission != Permission::Read;
        let agent = self.ask(
            "initialize",
            &json!({ "protocolVersion": VERSION,
                "clientCapabilities": { "fs": { "readTextFile": reads, "writeTextFile": writes },
                    "terminal": terminal },
                "clientInfo": { "name": "windlass", "title": "Windlass", "version": env!("CARGO_PKG_VERSION") } }),
        )?;
        if agent["protocolVersion"].as_u64() != Some(VERSION) {
            let said = format!(
                "the agent speaks version {} of the protocol, not {VERSION}",
                agent["protocolVersion"]
            );
            return Err(TurnBroken::Gone(said));
        }
        let opened = match self.open(&agent) {
            Err(TurnBroken::Refused(refusal)) if refusal.code == NEEDS_LOGIN => {
                self.log_in(&agent)?;
                self.open(&agent)?
            }
            opened => opened?,
        };
        let id =
            opened["sessionId"].as_str().or(self.request.session.as_deref()).unwrap_or_default().to_owned();
        self.set_mode(&id, &opened);
        let model = self.set_model(&id, &opened);
        tell(&json!({ "acp": "session", "id": id, "model": model, "agent": agent["agentInfo"] }));
        self.listening = true;
        self.ask("session/prompt", &json!({ "sessionId": id, "prompt": [{ "type": "text", "text": brief }] }))
    }

    /// Opens a new session, or goes on with one.
    fn open(&mut self, agent: &Value) -> Result<Value, TurnBroken> {
        let mut params = json!({ "cwd": self.request.dir, "mcpServers": [] });
        let Some(id) = &self.request.session else { return self.ask("session/new", &params) };
        params["sessionId"] = id.as_str().into();
        let able = &agent["agentCapabilities"];
        let method = if self.request.fork {
            "session/fork"
        } else if able["sessionCapabilities"]["resume"].is_object() {
            "session/resume"
        } else {
            "session/load"
        };
        self.ask(method, &params)
    }

    /// Logs in with a key from the environment, the only way without a person.
    fn log_in(&mut self, agent: &Value) -> Result<(), TurnBroken> {
        let methods = agent["authMethods"].as_array().cloned().unwrap_or_default();
        let by_key = methods.iter().find(|method| {
            let id = method["id"].as_str().unwrap_or_default();
            method["type"] == "env_var" || id.contains("api-key") || id == "openai"
        });
        let Some(method) = by_key else {
            let ways: Vec<&str> = methods.iter().filter_map(|method| method["name"].as_str()).collect();
            let message = format!("not logged in; the agent offers: {}", ways.join(", "));
            return Err(TurnBroken::Refused(super::wire::AgentRefusal { code: NEEDS_LOGIN, message }));
        };
        self.ask("authenticate", &json!({ "methodId": method["id"] })).map(|_| ())
    }

    /// Chooses the mode that fits the permission. Without one, its requests are answered one by one.
    fn set_mode(&mut self, id: &str, opened: &Value) {
        let offered = opened["modes"]["availableModes"].as_array().cloned().unwrap_or_default();
        let wanted = modes(self.permission).iter().find(|mode| offered.iter().any(|o| o["id"] == **mode));
        if let Some(mode) = wanted.filter(|mode| opened["modes"]["currentModeId"] != **mode) {
            // Refused, the session keeps asking.
            let _ = self.ask("session/set_mode", &json!({ "sessionId": id, "modeId": mode }));
        }
    }

    /// Chooses the model, by whichever way the agent offers; the model it then uses.
    fn set_model(&mut self, id: &str, opened: &Value) -> Option<String> {
        let option =
            opened["configOptions"].as_array().into_iter().flatten().find(|o| o["category"] == "model");
        let current = opened["models"]["currentModelId"].as_str();
        let current = current.or_else(|| option.and_then(|o| o["currentValue"].as_str())).map(str::to_owned);
        let Some(wanted) = self.request.model.clone().filter(|model| Some(model) != current.as_ref()) else {
            return current;
        };
        let set = if opened["models"].is_object() {
            self.ask("session/set_model", &json!({ "sessionId": id, "modelId": wanted }))
        } else if let Some(option) = option {
            let params = json!({ "sessionId": id, "configId": option["id"], "value": wanted });
            self.ask("session/set_config_option", &params)
        } else {
            return current;
        };
        if set.is_ok() {
            return Some(wanted);
        }
        let kept = current.as_deref().unwrap_or("its own");
        let message = format!("the agent does not take the model `{wanted}` and uses {kept}");
        tell(&json!({ "acp": "note", "message": message }));
        current
    }
}
