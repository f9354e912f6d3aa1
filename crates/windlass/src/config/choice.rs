//! Keys that take one word of a few. The types are those that the program works with; only their words are listed here.

use std::sync::LazyLock;

use toml::Spanned;
use toml::de::DeValue;
use windlass_code::syntax::tricks::Strictness;
use windlass_core::plan::Tier;
use windlass_engine::agent::ApiDialect;
use windlass_engine::agent::cli::{CliKind, Permission};
use windlass_engine::config::{GateSwitch, Leftovers};
use windlass_engine::proxy::HostRule;
use windlass_engine::sandbox::{Network, SandboxRung, SandboxWish};

use super::reader::{TableReader, suggestion};
use super::shape::KeyShape;
use super::value::{Value, quoted};
use crate::forge::ForgeKind;
use crate::notify::{NoticeFormat, NoticeKind};

/// Declares the words of a type in the file.
macro_rules! words {
    ($name:ty: $expected:literal { $( $word:literal = $value:expr, )+ }) => {
        impl Value for $name {
            fn shape() -> KeyShape {
                KeyShape::Plain($expected)
            }

            fn read(value: &Spanned<DeValue<'_>>, reader: &mut TableReader<'_>) -> Option<Self> {
                read_word(value, reader, &[ $( ($word, $value) ),+ ], $expected)
            }

            fn show(&self) -> Option<String> {
                [ $( ($word, $value) ),+ ].iter().find(|(_, v)| v == self).map(|(name, _)| quoted(name))
            }
        }
    };
}

fn read_word<T: Copy>(
    value: &Spanned<DeValue<'_>>,
    reader: &mut TableReader<'_>,
    words: &[(&str, T)],
    expected: &'static str,
) -> Option<T> {
    let Some(word) = value.get_ref().as_str() else {
        reader.wrong_kind(value, &KeyShape::Plain(expected));
        return None;
    };
    let read = words.iter().find(|(name, _)| *name == word).map(|(_, v)| *v);
    if read.is_none() {
        let known: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
        let help = suggestion(word, &known).map(|close| format!("did you mean {}?", quoted(close)));
        reader.bad_value(value, &format!("must be {expected}"), help);
    }
    read
}

words! { NoticeFormat: "`\"json\"`, `\"text\"` or `\"slack\"`" {
    "json" = NoticeFormat::Json,
    "text" = NoticeFormat::Text,
    "slack" = NoticeFormat::Slack,
} }

words! { ForgeKind: "`\"github\"` or `\"gitlab\"`" {
    "github" = ForgeKind::GitHub,
    "gitlab" = ForgeKind::GitLab,
} }

words! { NoticeKind: "`\"question\"`, `\"approval\"`, `\"blocked\"`, `\"failed\"`, `\"budget\"` or `\"finished\"`" {
    "question" = NoticeKind::Question,
    "approval" = NoticeKind::Approval,
    "blocked" = NoticeKind::Blocked,
    "failed" = NoticeKind::Failed,
    "budget" = NoticeKind::Budget,
    "finished" = NoticeKind::Finished,
} }

words! { GateSwitch: "`\"on\"`, `\"off\"` or `\"auto\"`" {
    "on" = GateSwitch::On,
    "off" = GateSwitch::Off,
    "auto" = GateSwitch::Auto,
} }

words! { Leftovers: "`\"refuse\"` or `\"record\"`" {
    "refuse" = Leftovers::Refused,
    "record" = Leftovers::Recorded,
} }

words! { ApiDialect: "`\"openai\"` or `\"anthropic\"`" {
    "openai" = ApiDialect::OpenAi,
    "anthropic" = ApiDialect::Anthropic,
} }

words! { Tier: "`\"small\"`, `\"medium\"` or `\"large\"`" {
    "small" = Tier::Small,
    "medium" = Tier::Medium,
    "large" = Tier::Large,
} }

words! { Permission: "`\"read\"`, `\"edit\"` or `\"full\"`" {
    "read" = Permission::Read,
    "edit" = Permission::Edit,
    "full" = Permission::Full,
} }

words! { SandboxWish: "`\"auto\"`, `\"bubblewrap\"`, `\"namespaces\"`, `\"landlock\"` or `\"off\"`" {
    "auto" = SandboxWish::Strongest,
    "bubblewrap" = SandboxWish::Only(SandboxRung::Bubblewrap),
    "namespaces" = SandboxWish::Only(SandboxRung::Namespaces),
    "landlock" = SandboxWish::Only(SandboxRung::Landlock),
    "off" = SandboxWish::Only(SandboxRung::Off),
} }

/// The network of tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TestNetwork {
    /// Everything the machine reaches.
    Open,
    /// Their own loopback.
    Loopback,
}

words! { TestNetwork: "`\"open\"` or `\"none\"`" {
    "open" = TestNetwork::Open,
    "none" = TestNetwork::Loopback,
} }

impl Value for HostRule {
    fn shape() -> KeyShape {
        KeyShape::Plain("a host such as `\"pypi.org\"`")
    }

    fn read(value: &Spanned<DeValue<'_>>, reader: &mut TableReader<'_>) -> Option<Self> {
        let text = String::read(value, reader)?;
        HostRule::parse(&text).map_err(|help| reader.bad_value(value, "is not a host", Some(help))).ok()
    }

    fn show(&self) -> Option<String> {
        Some(quoted(&self.to_string()))
    }
}

words! { Network: "`\"model\"`, `\"open\"` or `\"none\"`" {
    "model" = Network::Model,
    "open" = Network::Open,
    "none" = Network::Loopback,
} }

words! { Strictness: "`\"off\"`, `\"warning\"` or `\"error\"`" {
    "off" = Strictness::Off,
    "warning" = Strictness::Warning,
    "error" = Strictness::Error,
} }

/// The level of a lint rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LintLevel {
    /// Not applied.
    Off,
    /// Reported.
    Note,
    /// The run asks before it starts.
    Warning,
    /// The run does not start.
    Error,
}

words! { LintLevel: "`\"off\"`, `\"note\"`, `\"warning\"` or `\"error\"`" {
    "off" = LintLevel::Off,
    "note" = LintLevel::Note,
    "warning" = LintLevel::Warning,
    "error" = LintLevel::Error,
} }

/// What happens to a verified task that only changes documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocsRule {
    /// It waits for `windlass approve`.
    Approve,
    /// It is merged.
    Pass,
}

words! { DocsRule: "`\"approve\"` or `\"pass\"`" {
    "approve" = DocsRule::Approve,
    "pass" = DocsRule::Pass,
} }

/// The kind of program behind an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AgentKind {
    /// A command from the configuration.
    Command,
    /// A command line agent.
    Cli(CliKind),
    /// A model behind an HTTP endpoint.
    Api,
    /// A command that speaks the Agent Client Protocol.
    Acp,
}

impl AgentKind {
    fn words() -> Vec<(&'static str, AgentKind)> {
        let clis = CliKind::ALL.into_iter().map(|kind| (kind.as_str(), AgentKind::Cli(kind)));
        let first = std::iter::once(("command", AgentKind::Command));
        first.chain(clis).chain([("api", AgentKind::Api), ("acp", AgentKind::Acp)]).collect()
    }

    fn expected() -> &'static str {
        static EXPECTED: LazyLock<String> = LazyLock::new(|| {
            let words: Vec<String> =
                AgentKind::words().iter().map(|(word, _)| format!("`{}`", quoted(word))).collect();
            match words.split_last() {
                Some((last, others)) => format!("{} or {last}", others.join(", ")),
                None => String::new(),
            }
        });
        EXPECTED.as_str()
    }
}

impl Value for AgentKind {
    fn shape() -> KeyShape {
        KeyShape::Plain(Self::expected())
    }

    fn read(value: &Spanned<DeValue<'_>>, reader: &mut TableReader<'_>) -> Option<Self> {
        read_word(value, reader, &Self::words(), Self::expected())
    }

    fn show(&self) -> Option<String> {
        Self::words().iter().find(|(_, kind)| kind == self).map(|(word, _)| quoted(word))
    }
}
