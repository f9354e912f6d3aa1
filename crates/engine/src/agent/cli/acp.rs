//! Agents that are spoken to by the Agent Client Protocol: their command line, and what is known of those whose program is.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use windlass_code::script::quote;

use super::CliKind;
use super::kind::{
    AcpFacts, AcpFiles, AcpSettings, CliFacts, Login, OwnLimits, PriceSource, SchemaWay, SessionFileNames,
    SessionReach, SettingsFacts, UnseenLogin,
};
use super::launch::{Launch, LaunchRequest, Permission};
use super::version::Version;
use crate::agent::Conversation;
use crate::agent::acp::{AcpRequest, CLIENT};

/// Nothing is known of the program.
pub(super) static FACTS: CliFacts = CliFacts {
    title: "the agent",
    program: "acp",
    package: "",
    tested: Version(0, 0, 0),
    minimum: Version(0, 0, 0),
    login: Login {
        file: ".config/acp/login",
        moved_by: None,
        keys: &[],
        ways: &[],
        env_files: &[],
        how: "log in as its documentation says, and name its variables under `env`",
    },
    abilities: &[],
    rules: &[],
    variables: &[],
    hosts: &[],
    endpoints: &[],
    chatter: &[],
    conversations: &[],
    telemetry_provider: "acp",
    price: PriceSource::Reported,
    unseen_login: UnseenLogin::NotNeeded,
    schema: SchemaWay::Words,
    limits: OwnLimits::None,
    resumes: SessionReach::Never,
    acp: AcpFacts::UNKNOWN,
    side_usage: None,
    settings: SettingsFacts::at(".config/acp/settings.json"),
    limit_exits: &[],
    hosts_by_settings: None,
    launch: |_| Launch::default(),
    begins: |_| false,
    entries: |_| Vec::new(),
};

/// Agents whose program is known under another name: what its name begins with, and whose login, variables and hosts it has.
const KNOWN: [(&str, CliKind); 7] = [
    ("claude-agent-acp", CliKind::Claude),
    ("claude-code-acp", CliKind::Claude),
    ("codex-acp", CliKind::Codex),
    ("gemini", CliKind::Gemini),
    ("qwen", CliKind::Qwen),
    ("opencode", CliKind::Opencode),
    ("codex", CliKind::Codex),
];

/// The known program behind an agent's command line.
pub fn kind_behind(command: &str) -> CliKind {
    let words = command.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
    let names = words.filter_map(|word| Path::new(word).file_name()?.to_str());
    let known = |name: &str| KNOWN.iter().find(|(known, _)| name.split('@').next() == Some(*known));
    names.filter_map(known).map(|(_, kind)| *kind).next().unwrap_or(CliKind::Other)
}

/// The files that a command line names by their full paths.
pub(super) fn programs(command: &str) -> Vec<PathBuf> {
    let words = command.split(|c: char| c.is_whitespace() || "'\"=;|&()<>`".contains(c));
    words.filter(|word| word.starts_with('/')).map(PathBuf::from).filter(|path| path.is_file()).collect()
}

/// How a conversation goes on: forks only where the agent is known to have them.
pub(super) fn continued(kind: CliKind, wish: Conversation, here: bool) -> Conversation {
    let facts = kind.facts().acp;
    let reach = match &wish {
        Conversation::New => SessionReach::Never,
        Conversation::Resume(_) => facts.resumes,
        Conversation::Fork(_) => facts.forks,
    };
    match reach {
        SessionReach::Anywhere => wish,
        SessionReach::SameDir | SessionReach::SameDirOrFork if here => wish,
        SessionReach::SameDir | SessionReach::SameDirOrFork | SessionReach::Never => Conversation::New,
    }
}

/// Where a file of an earlier conversation is put below a home.
pub(super) fn brought(kind: CliKind, below: &Path) -> PathBuf {
    let name = below.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let rest = name.strip_prefix("session-").filter(|rest| !rest.starts_with("before-"));
    match (rest, kind.facts().acp.session_files) {
        (Some(rest), SessionFileNames::ByMinute) => below.with_file_name(format!("session-before-{rest}")),
        (Some(_), SessionFileNames::ById) | (None, _) => below.to_owned(),
    }
}

/// The command line: this program as the client. Settings and variables are those of the program behind the agent.
pub(super) fn launch(ask: &LaunchRequest<'_>, command: &str) -> Launch {
    let Launch { env, files, args } = ask.own_launch();
    let facts = ask.spec.kind.facts().acp;
    let command = match facts.settings {
        AcpSettings::OptionsOfProgram => with_settings(command, &args),
        AcpSettings::None => command.to_owned(),
    };
    let (session, fork) = match ask.session {
        Conversation::New => (None, false),
        Conversation::Resume(id) => (Some(id.clone()), false),
        Conversation::Fork(id) => (Some(id.clone()), true),
    };
    let request = AcpRequest {
        command,
        dir: ask.dir.to_owned(),
        scratch: ask.scratch.to_owned(),
        permission: match ask.permission {
            Permission::Read => "read",
            Permission::Edit => "edit",
            Permission::Full => "full",
        }
        .to_owned(),
        files: facts.files == AcpFiles::ByClient,
        model: ask.spec.model.clone(),
        session,
        fork,
    };
    let text = serde_json::to_string(&request).unwrap_or_default();
    Launch { args: vec![CLIENT.into(), text.into()], env, files }
}

/// A command line with the settings (`-c KEY=VALUE`) of another.
fn with_settings(command: &str, args: &[OsString]) -> String {
    let texts: Vec<&str> = args.iter().filter_map(|arg| arg.to_str()).collect();
    let settings = texts.windows(2).filter(|pair| pair[0] == "-c").map(|pair| pair[1]);
    settings.fold(command.to_owned(), |line, setting| format!("{line} -c {}", quote(setting)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_behind_a_command_is_known_by_its_name() {
        for (command, kind) in [
            ("gemini --acp", CliKind::Gemini),
            ("/opt/x/bin/claude-agent-acp", CliKind::Claude),
            ("npx -y @zed-industries/codex-acp@0.16.0", CliKind::Codex),
            ("node \"/x/opencode\" acp", CliKind::Opencode),
            ("goose acp", CliKind::Other),
            ("geminix", CliKind::Other),
        ] {
            assert_eq!(kind_behind(command), kind, "{command}");
        }
    }

    #[test]
    fn a_session_of_gemini_is_not_overwritten_by_the_one_that_loads_it() {
        let chats = Path::new(".gemini/tmp/slot/chats");
        let brought = |name: &str| brought(CliKind::Gemini, &chats.join(name));
        let first = brought("session-2026-11-17T19-57-44c45ed6.jsonl");
        assert_eq!(first, chats.join("session-before-2026-11-17T19-57-44c45ed6.jsonl"));
        assert_eq!(super::brought(CliKind::Gemini, &first), first, "once");
        assert_eq!(brought("projects.json"), chats.join("projects.json"));
        let codex = Path::new("sessions/session-1.jsonl");
        assert_eq!(super::brought(CliKind::Codex, codex), codex);
    }
}
