//! The supported command line agents and static facts about each.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::launch::{Launch, LaunchRequest};
use super::version::Version;
use super::{acp, claude, codex, gemini, opencode, qwen};
use crate::agent::stream::{Problem, StreamEntry};
use crate::config::{CliSpec, EnvVar};
use crate::proxy::HostRule;

/// Declares [`CliKind`] with the facts of each known program.
macro_rules! cli_kinds {
    ($($(#[$doc:meta])* $name:ident: $facts:path,)*) => {
        /// A command line agent.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum CliKind {
            $($(#[$doc])* $name,)*
            /// A program that nothing is known of; it is spoken to by the Agent Client Protocol.
            Other,
        }

        impl CliKind {
            /// All that are known.
            pub const ALL: [CliKind; [$(CliKind::$name),*].len()] = [$(CliKind::$name),*];

            /// What is known of it.
            pub fn facts(self) -> &'static CliFacts {
                match self {
                    $(CliKind::$name => &$facts,)*
                    CliKind::Other => &acp::FACTS,
                }
            }
        }
    };
}

cli_kinds! {
    /// Claude Code.
    Claude: claude::FACTS,
    /// Codex.
    Codex: codex::FACTS,
    /// Gemini CLI.
    Gemini: gemini::FACTS,
    /// Qwen Code.
    Qwen: qwen::FACTS,
    /// opencode.
    Opencode: opencode::FACTS,
}

/// Static facts about a command line agent.
#[derive(Debug)]
pub struct CliFacts {
    /// Its name for people.
    pub title: &'static str,
    /// The program.
    pub program: &'static str,
    /// Its package in the npm registry.
    pub package: &'static str,
    /// The version that was tested.
    pub tested: Version,
    /// The oldest version that has every option used here.
    pub minimum: Version,
    /// How it is logged in.
    pub login: Login,
    /// Its abilities, one word each.
    pub abilities: &'static [&'static str],
    /// The files with rules of a repository that it reads by itself.
    pub rules: &'static [&'static str],
    /// Further environment variables that are passed on if set.
    pub variables: &'static [&'static str],
    /// The hosts of its provider, where no variable names another endpoint.
    pub hosts: &'static [&'static str],
    /// Variables that name an endpoint; with one of them, the provider's hosts are not needed.
    pub endpoints: &'static [&'static str],
    /// Hosts that it asks for and no task needs: telemetry and updates. They are refused and not reported.
    pub chatter: &'static [&'static str],
    /// Where it keeps conversations below its home, and how the files' names end.
    pub(super) conversations: &'static [(&'static str, &'static [&'static str])],
    /// The name that the conventions of OpenTelemetry have for its provider.
    pub telemetry_provider: &'static str,
    /// Where the price of its turns comes from.
    pub price: PriceSource,
    /// Whether it may be logged in although nothing shows it.
    pub(crate) unseen_login: UnseenLogin,
    /// How it is told the schema of an answer.
    pub(super) schema: SchemaWay,
    /// Which limits it has options for.
    pub(super) limits: OwnLimits,
    /// Where it goes on with an earlier conversation.
    pub(super) resumes: SessionReach,
    /// What the Agent Client Protocol needs to know of it.
    pub(super) acp: AcpFacts,
    /// Where it tells its usage beside its stream; none if the stream tells everything.
    pub(super) side_usage: Option<SidePlace>,
    /// Where the user's settings of it lie, and what of them is about model and provider.
    pub settings: SettingsFacts,
    /// Exit codes for limits of its own, after which the stream just stops.
    pub(super) limit_exits: &'static [(i32, Problem)],
    /// Its hosts where the user's settings name them.
    pub(super) hosts_by_settings: Option<fn(&CliSpec) -> Vec<HostRule>>,
    /// Its command line.
    pub(super) launch: fn(&LaunchRequest<'_>) -> Launch,
    /// Whether its stream begins with this event.
    pub(in crate::agent) begins: fn(&Value) -> bool,
    /// What an event of its stream says.
    pub(in crate::agent) entries: fn(&Value) -> Vec<StreamEntry>,
}

/// Where a program keeps the settings of its user, and what of them is about model and provider.
#[derive(Debug)]
pub struct SettingsFacts {
    /// The file, below the home.
    pub path: &'static str,
    /// The variable that moves it, and the file's path below its value.
    pub moved_by: Option<(&'static str, &'static str)>,
    /// How the file is written.
    pub form: SettingsForm,
    /// The variable that names the model, which counts more than the file.
    pub model_variable: Option<&'static str>,
    /// Where the file names the model, as dotted paths.
    pub model: &'static [&'static str],
    /// Settings that are passed on.
    pub carried: &'static [&'static str],
    /// How they are passed on.
    pub carries: CarriedForm,
    /// Settings about the provider that are not: they run programs, or choose among several sets.
    pub left: &'static [&'static str],
}

impl SettingsFacts {
    /// A file of which nothing is taken over.
    pub(super) const fn at(path: &'static str) -> Self {
        Self {
            path,
            moved_by: None,
            form: SettingsForm::Json,
            model_variable: None,
            model: &[],
            carried: &[],
            carries: CarriedForm::Whole,
            left: &[],
        }
    }
}

/// How a file of settings is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingsForm {
    /// JSON, with comments.
    Json,
    /// TOML.
    Toml,
}

/// How a program takes settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CarriedForm {
    /// With the tables in them.
    Whole,
    /// One by one: its command line takes single values.
    SingleValues,
}

/// Where the price of a turn comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PriceSource {
    /// The program reports it.
    Reported,
    /// The program reports its model, whose price is known or set.
    ModelReported,
    /// The program reports neither: the model has to be set.
    ModelSet,
}

/// Whether a program may be logged in although nothing shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnseenLogin {
    /// Only where the user's variables, settings or arguments lead elsewhere.
    Elsewhere,
    /// Also where the system has a keychain: the login lies there.
    Keychain,
    /// Always: it has models that need no login.
    NotNeeded,
}

/// How a program is told the schema of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SchemaWay {
    /// By an option.
    Option,
    /// In the prompt.
    Words,
}

/// The limits of a turn that a program has options for. The others are held by listening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OwnLimits {
    /// Steps and money.
    StepsAndMoney,
    /// Steps.
    Steps,
    /// None.
    None,
}

/// Where a conversation can go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SessionReach {
    /// Nowhere.
    Never,
    /// In the directory that it was begun in.
    SameDir,
    /// There; in another directory as a fork, from its file.
    SameDirOrFork,
    /// In any directory.
    Anywhere,
}

/// What the Agent Client Protocol needs to know of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AcpFacts {
    /// Where it goes on with a conversation.
    pub(super) resumes: SessionReach,
    /// Where it forks one.
    pub(super) forks: SessionReach,
    /// Which files it asks its client for.
    pub(super) files: AcpFiles,
    /// How its adapter takes settings.
    pub(super) settings: AcpSettings,
    /// How the files of its conversations are named.
    pub(super) session_files: SessionFileNames,
}

impl AcpFacts {
    /// A program of which nothing is known.
    pub(super) const UNKNOWN: Self = Self {
        resumes: SessionReach::Never,
        forks: SessionReach::Never,
        files: AcpFiles::ByClient,
        settings: AcpSettings::None,
        session_files: SessionFileNames::ById,
    };
}

/// Who reads and writes files for an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AcpFiles {
    /// Its client.
    ByClient,
    /// The agent: it takes a file that is not there for an error where its client reads.
    ByAgent,
}

/// How the adapter of a program takes settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AcpSettings {
    /// It takes none.
    None,
    /// It takes the options of the program.
    OptionsOfProgram,
}

/// How the files of conversations are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SessionFileNames {
    /// By the conversation alone.
    ById,
    /// By their minute, too: one that is loaded in the minute it began in is overwritten before it is read.
    ByMinute,
}

/// Where a program tells its usage beside its stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SidePlace {
    /// Running totals of a conversation, in files below this directory of its home.
    Totals(&'static str),
    /// Single answers, written again when they grow, in files below this directory of its home.
    Answers(&'static str),
}

/// How a program is logged in.
#[derive(Debug)]
pub struct Login {
    /// The file with the login, below the home.
    pub file: &'static str,
    /// A variable that changes the location, and the file's path below its value.
    pub moved_by: Option<(&'static str, &'static str)>,
    /// Variables that contain a login.
    pub keys: &'static [&'static str],
    /// Other services that serve the model, each with a login of its own.
    pub ways: &'static [LoginWay],
    /// Files below the home that may hold variables with a login.
    pub env_files: &'static [&'static str],
    /// What a person does to log in.
    pub how: &'static str,
}

/// A service that serves the model with a login of its own.
#[derive(Debug)]
pub struct LoginWay {
    /// Its name for people.
    pub name: &'static str,
    /// The variable that chooses it.
    pub when: &'static str,
    /// Variables that go with it.
    pub with: &'static [&'static str],
    /// Files below the home with its login.
    pub files: &'static [&'static str],
}

/// The login of Google's cloud.
pub(super) const GOOGLE_FILES: &[&str] = &[".config/gcloud/application_default_credentials.json"];
/// Names the file with a key for Google's cloud.
pub(super) const GOOGLE_KEY_FILE: &str = "GOOGLE_APPLICATION_CREDENTIALS";
/// The login of Amazon's cloud.
pub(super) const AMAZON_FILES: &[&str] = &[".aws/config", ".aws/credentials"];
/// Variables of Amazon's cloud.
pub(super) const AMAZON: &[&str] = &[
    "AWS_REGION",
    "AWS_DEFAULT_REGION",
    "AWS_PROFILE",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_BEARER_TOKEN_BEDROCK",
    "ANTHROPIC_BEDROCK_BASE_URL",
    "CLAUDE_CODE_SKIP_BEDROCK_AUTH",
];

impl CliKind {
    /// Its name in configuration and on the command line.
    pub fn as_str(self) -> &'static str {
        self.facts().program
    }

    /// The one of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// The command that installs it.
    pub fn install(self) -> String {
        format!("npm install -g {}", self.facts().package)
    }

    /// The user's variables that it gets if they are set. No others are passed on.
    pub fn variables(self) -> impl Iterator<Item = &'static str> {
        let facts = self.facts();
        let login = facts.login.keys.iter().copied().chain(facts.login.moved_by.map(|(name, _)| name));
        let ways = facts.login.ways.iter().flat_map(|way| way.with.iter().copied().chain([way.when]));
        login.chain(ways).chain(facts.variables.iter().copied()).chain(NETWORK)
    }
}

impl Login {
    /// How a user with this home and these variables is logged in, if one can see it.
    pub fn found(&self, home: Option<&Path>, env: &[EnvVar]) -> Option<String> {
        if let Some(name) = self.keys.iter().find(|name| is_set(env, name)) {
            return Some(format!("`{name}`"));
        }
        if let Some(way) = self.ways.iter().find(|way| is_set(env, way.when)) {
            return Some(format!("{} (`{}`)", way.name, way.when));
        }
        let home = home?;
        if self.path(home, env).is_file() {
            return Some("logged in".to_owned());
        }
        self.env_files.iter().find(|file| home.join(file).is_file()).map(|file| format!("`~/{file}`"))
    }

    /// Files below the home that the login needs besides its own, with these variables.
    pub(super) fn files_with(&self, env: &[EnvVar]) -> impl Iterator<Item = &'static str> {
        let ways = self.ways.iter().filter(|way| is_set(env, way.when));
        ways.flat_map(|way| way.files.iter().copied()).chain(self.env_files.iter().copied())
    }

    /// Where the login file lies for a user with this home and these variables.
    pub fn path(&self, home: &Path, env: &[EnvVar]) -> PathBuf {
        let value = |name: &str| env.iter().find(|(n, v)| n == name && !v.is_empty()).map(|(_, v)| v);
        let moved = self.moved_by.and_then(|(name, below)| Some(Path::new(value(name)?).join(below)));
        moved.unwrap_or_else(|| home.join(self.file))
    }
}

fn is_set(env: &[EnvVar], name: &str) -> bool {
    env.iter().any(|(n, value)| n == name && !value.is_empty())
}

/// Variables about proxies and certificates.
const NETWORK: [&str; 12] = [
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NO_PROXY",
    "https_proxy",
    "http_proxy",
    "no_proxy",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "GIT_SSL_CAINFO",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_the_program_and_back() {
        for kind in CliKind::ALL {
            assert_eq!(CliKind::parse(kind.as_str()), Some(kind));
            assert!(kind.facts().minimum <= kind.facts().tested);
        }
        assert_eq!(CliKind::parse("emacs"), None);
    }

    #[test]
    fn a_login_is_looked_for_where_the_user_moved_it() {
        let home = Path::new("/home/me");
        let path = |kind: CliKind, name: &str, dir: &str| {
            let env = [(name.into(), dir.into())];
            kind.facts().login.path(home, &env)
        };
        assert_eq!(path(CliKind::Codex, "CODEX_HOME", "/x"), Path::new("/x/auth.json"));
        assert_eq!(path(CliKind::Codex, "CODEX_HOME", ""), Path::new("/home/me/.codex/auth.json"));
        assert_eq!(path(CliKind::Opencode, "XDG_DATA_HOME", "/x"), Path::new("/x/opencode/auth.json"));
        assert_eq!(path(CliKind::Gemini, "ANY", "/x"), Path::new("/home/me/.gemini/oauth_creds.json"));
    }
}
