//! Keys that take one word of a few.

use toml::Spanned;
use toml::de::DeValue;

use super::reader::{Reader, suggestion};
use super::shape::Shape;
use super::value::{Value, quoted};

/// Declares an enum whose variants are words in the file.
macro_rules! choice {
    (
        $(#[doc = $about:literal])+
        pub enum $name:ident: $expected:literal {
            $( $(#[doc = $doc:literal])+ $variant:ident = $word:literal, )+
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum $name {
            $( $(#[doc = $doc])+ $variant, )+
        }

        impl $name {
            const WORDS: &'static [(&'static str, $name)] = &[ $( ($word, $name::$variant) ),+ ];
        }

        impl Value for $name {
            fn shape() -> Shape {
                Shape::Plain($expected)
            }

            fn read(value: &Spanned<DeValue<'_>>, reader: &mut Reader<'_>) -> Option<Self> {
                let Some(word) = value.get_ref().as_str() else {
                    reader.wrong_kind(value, &Self::shape());
                    return None;
                };
                let read = Self::WORDS.iter().find(|(name, _)| *name == word).map(|(_, v)| *v);
                if read.is_none() {
                    let words: Vec<&str> = Self::WORDS.iter().map(|(name, _)| *name).collect();
                    let help = suggestion(word, &words).map(|close| format!("did you mean {}?", quoted(close)));
                    reader.bad_value(value, concat!("must be ", $expected), help);
                }
                read
            }

            fn show(&self) -> Option<String> {
                Self::WORDS.iter().find(|(_, v)| v == self).map(|(name, _)| quoted(name))
            }
        }
    };
}

choice! {
    /// Whether something is done.
    pub enum Switch: "`\"on\"`, `\"off\"` or `\"auto\"`" {
        /// Always; not being able to is a failure.
        On = "on",
        /// Never.
        Off = "off",
        /// Where the repository's tools allow it.
        Auto = "auto",
    }
}

choice! {
    /// What becomes of a verified task that only changes documentation.
    pub enum DocsRule: "`\"approve\"` or `\"pass\"`" {
        /// It waits for `windlass approve`.
        Approve = "approve",
        /// It is merged.
        Pass = "pass",
    }
}

choice! {
    /// What becomes of tests that leave processes running.
    pub enum LeftoversKey: "`\"refuse\"` or `\"record\"`" {
        /// They have not passed.
        Refuse = "refuse",
        /// They may have passed; the evidence names the processes.
        Record = "record",
    }
}

choice! {
    /// Which program an agent is.
    pub enum AgentKind: "`\"command\"`, `\"claude\"`, `\"codex\"`, `\"gemini\"`, `\"qwen\"`, `\"opencode\"` or `\"api\"`" {
        /// A command of one's own.
        Command = "command",
        /// Claude Code.
        Claude = "claude",
        /// Codex.
        Codex = "codex",
        /// Gemini CLI.
        Gemini = "gemini",
        /// Qwen Code.
        Qwen = "qwen",
        /// opencode.
        Opencode = "opencode",
        /// A model behind a port.
        Api = "api",
    }
}

choice! {
    /// The language of a model behind a port.
    pub enum ApiLanguage: "`\"openai\"` or `\"anthropic\"`" {
        /// Chat Completions.
        OpenAi = "openai",
        /// Messages.
        Anthropic = "anthropic",
    }
}

choice! {
    /// A size of model.
    pub enum TierKey: "`\"small\"`, `\"medium\"` or `\"large\"`" {
        /// For mechanical work along a pattern.
        Small = "small",
        /// For ordinary work.
        Medium = "medium",
        /// For work that needs the whole picture.
        Large = "large",
    }
}

choice! {
    /// What an agent may do without asking.
    pub enum PermissionKey: "`\"read\"`, `\"edit\"` or `\"full\"`" {
        /// Look at files.
        Read = "read",
        /// Change files in its directory.
        Edit = "edit",
        /// Anything the sandbox lets through.
        Full = "full",
    }
}

choice! {
    /// How hard a rule is.
    pub enum LintLevel: "`\"off\"`, `\"note\"`, `\"warning\"` or `\"error\"`" {
        /// Not applied.
        Off = "off",
        /// Told.
        Note = "note",
        /// Asked about before a run.
        Warning = "warning",
        /// Refuses the run.
        Error = "error",
    }
}

choice! {
    /// How firmly agents and tests are fenced in.
    pub enum SandboxMode: "`\"auto\"`, `\"bubblewrap\"`, `\"namespaces\"`, `\"landlock\"` or `\"off\"`" {
        /// The strongest there is.
        Auto = "auto",
        /// Bubblewrap.
        Bubblewrap = "bubblewrap",
        /// Namespaces made by Windlass itself.
        Namespaces = "namespaces",
        /// Landlock.
        Landlock = "landlock",
        /// Not at all.
        Off = "off",
    }
}

choice! {
    /// Which network is seen.
    pub enum NetworkKey: "`\"open\"` or `\"none\"`" {
        /// Everything the machine reaches.
        Open = "open",
        /// One's own loopback.
        None = "none",
    }
}

choice! {
    /// How hard a rule about changed code is.
    pub enum RuleLevel: "`\"off\"`, `\"warning\"` or `\"error\"`" {
        /// Not applied.
        Off = "off",
        /// Shown in the evidence.
        Warning = "warning",
        /// The change is refused.
        Error = "error",
    }
}
