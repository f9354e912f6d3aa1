//! Unexpected behaviour of these programs, with the version it was observed in and how it is handled. Look here first
//! when a new version behaves differently.

use super::CliKind;
use super::version::Version;

/// One observation.
#[derive(Debug)]
pub struct Quirk {
    /// The program.
    pub kind: CliKind,
    /// The version it was seen in.
    pub seen: Version,
    /// What happens.
    pub what: &'static str,
    /// What is done about it.
    pub answer: &'static str,
}

/// What was seen of a program.
pub fn quirks_of(kind: CliKind) -> impl Iterator<Item = &'static Quirk> {
    QUIRKS.iter().filter(move |quirk| quirk.kind == kind)
}

const fn claude(what: &'static str, answer: &'static str) -> Quirk {
    Quirk { kind: CliKind::Claude, seen: Version(2, 1, 325), what, answer }
}

const fn codex(what: &'static str, answer: &'static str) -> Quirk {
    Quirk { kind: CliKind::Codex, seen: Version(0, 166, 0), what, answer }
}

const fn gemini(what: &'static str, answer: &'static str) -> Quirk {
    Quirk { kind: CliKind::Gemini, seen: Version(0, 61, 0), what, answer }
}

const fn qwen(what: &'static str, answer: &'static str) -> Quirk {
    Quirk { kind: CliKind::Qwen, seen: Version(0, 24, 4), what, answer }
}

const fn opencode(what: &'static str, answer: &'static str) -> Quirk {
    Quirk { kind: CliKind::Opencode, seen: Version(1, 18, 33), what, answer }
}

static QUIRKS: &[Quirk] = &[
    claude("retries a refused login ten times, for minutes", "ended at the first refusal"),
    claude("a broken answer ends with exit code 0 and `success`", "an empty last answer is a failure"),
    claude(
        "`total_cost_usd` of a continued conversation includes what it cost before",
        "only usage since then is counted",
    ),
    claude("a failed request says `success` with `is_error`", "only the error fields are believed"),
    claude("refuses a schema that names its draft", "`$schema` is left out"),
    claude("the money limit is checked after a turn", "it may be overshot by one turn"),
    claude(
        "what is not permitted is skipped with exit code 0",
        "denials are told, and a failure if nothing was changed",
    ),
    claude(
        "`CLAUDE_CODE_SUBPROCESS_ENV_SCRUB` hides keys from tools, and forbids them to write or run anything",
        "not set: its tools see the key",
    ),
    codex("usage is that of the whole thread", "the part before is subtracted"),
    codex("a continued thread forgets its sandbox", "the sandbox is named at every turn"),
    codex("waits for a network for ever", "`unbounded_connection_retries` is off"),
    codex("asks the network about plugins at every start", "`plugins` is off"),
    codex(
        "commands fail if its home lies in the temporary directory",
        "it gets a temporary directory of its own",
    ),
    codex("has no limit of turns", "its tools are counted"),
    codex("hands a schema on as a strict one", "it gets the strict form"),
    gemini("starts itself again and ignores signals", "`GEMINI_CLI_NO_RELAUNCH`"),
    gemini("exit codes are HTTP statuses modulo 256", "they are not believed"),
    gemini("a broken answer ends with exit code 0", "the status in the result decides"),
    gemini(
        "cannot resume in another directory, and has no fork",
        "the file of the conversation begins a new one",
    ),
    gemini(
        "by ACP, a session that is loaded in the minute it began in is overwritten before it is read",
        "its file is brought under another name",
    ),
    qwen("a limit of its own ends it without a result", "its exit code tells"),
    qwen(
        "the total of a continued conversation counts some of it twice",
        "the answers are counted one by one",
    ),
    qwen("waits a minute after a rate limit without saying why", "a wait so long is a rate limit"),
    qwen("cannot resume in another directory", "a new conversation, with the summary in the brief"),
    qwen(
        "tries again for minutes, silently, after an error of its provider",
        "its silence is limited (`idle`)",
    ),
    qwen("needs up to 9 s to end while a tool runs", "killed after 2 s"),
    opencode("by ACP, tells the tokens of its last answer only", "counted so; `opencode` itself tells all"),
    opencode("a broken answer is asked for again without end", "ended after 5 times"),
    opencode("hangs if it resumes in another directory", "a new conversation, with the summary in the brief"),
    opencode(
        "a prompt on the command line is quoted before the model sees it",
        "the prompt comes on standard input",
    ),
    opencode("its limit of steps does not hold", "its steps are counted"),
    opencode("tools survive it", "everything an attempt started is ended"),
];
