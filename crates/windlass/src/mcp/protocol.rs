//! Messages of the protocol: requests, results and errors, with and without a handshake.

use serde_json::{Value, json};

/// The version without a handshake: every request names its version and what its client can do.
pub(super) const MODERN: &str = "2026-07-28";
/// The versions with a handshake, the newest first.
pub(super) const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// The result of a request, or why there is none.
pub(super) type RpcReply = Result<Value, RpcError>;

/// A request that wants an answer.
pub(super) struct Call<'m> {
    pub(super) id: Value,
    pub(super) method: &'m str,
    pub(super) params: &'m Value,
    /// Whether it names its version itself.
    pub(super) is_modern: bool,
}

impl<'m> Call<'m> {
    /// The request in a message; `None` for notifications and answers.
    pub(super) fn read(message: &'m Value) -> Result<Option<Self>, RpcError> {
        if !message.is_object() {
            return Err(RpcError {
                code: -32600,
                message: "a message is one JSON object".into(),
                data: Value::Null,
            });
        }
        let Some(method) = message["method"].as_str() else { return Ok(None) };
        let Some(id) = message.get("id").filter(|id| id.is_string() || id.is_number()) else {
            return Ok(None);
        };
        let params = &message["params"];
        let version = params["_meta"][VERSION].as_str();
        if let Some(version) = version.filter(|version| *version != MODERN) {
            return Err(RpcError {
                code: -32022,
                message: format!("the protocol {version} is not spoken here"),
                data: json!({ "supported": [MODERN], "requested": version }),
            });
        }
        Ok(Some(Self { id: id.clone(), method, params, is_modern: version.is_some() }))
    }

    /// Whether the client says with this request that it can ask its person.
    pub(super) fn can_ask(&self) -> bool {
        self.params["_meta"][CAPABILITIES]["elicitation"].is_object()
    }

    /// The result in the form of the request's version.
    pub(super) fn complete(&self, mut result: Value) -> Value {
        if self.is_modern {
            result["resultType"] = "complete".into();
        }
        result
    }
}

/// Why a request has no result.
#[derive(Debug)]
pub(super) struct RpcError {
    code: i32,
    message: String,
    data: Value,
}

impl RpcError {
    pub(super) fn parse(message: &str) -> Self {
        Self { code: -32700, message: format!("this is no JSON: {message}"), data: Value::Null }
    }

    pub(super) fn unknown(method: &str) -> Self {
        Self { code: -32601, message: format!("there is no method `{method}`"), data: Value::Null }
    }

    pub(super) fn params(message: String) -> Self {
        Self { code: -32602, message, data: Value::Null }
    }

    /// The message that says so.
    pub(super) fn reply(&self, id: &Value) -> Value {
        let mut error = json!({ "code": self.code, "message": self.message });
        if !self.data.is_null() {
            error["data"] = self.data.clone();
        }
        json!({ "jsonrpc": "2.0", "id": id, "error": error })
    }
}
