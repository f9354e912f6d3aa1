//! A scripted model on loopback: it speaks what the real ones speak and says what its script says.
//!
//! Four dialects (Anthropic Messages, OpenAI Responses and Chat Completions, Gemini generateContent), with and without
//! streaming, with tool calls in the tools the caller offers, and with the faults real servers have. The same script and
//! the same requests give the same answers and the same token counts. It knows nothing of the programs that call it.

mod answer;
mod anthropic;
mod asked;
mod chat;
mod dialect;
mod gemini;
pub(crate) mod http;
mod responses;
mod script;
mod server;
mod stage;

pub use dialect::Dialect;
pub use script::{Fault, Outage, Script, ScriptError, Step, Tokens};
pub use server::{Heard, ModelServer};
