//! Every key of `windlass.toml`.

use std::time::Duration;

use toml::Spanned;
use toml::de::DeValue;
use windlass_code::syntax::tricks::Strictness;
use windlass_core::policy::Ladder;
use windlass_engine::agent::ApiDialect;
use windlass_engine::agent::cli::Permission;
use windlass_engine::config::{GateSwitch, Leftovers, TestService};
use windlass_engine::proxy::HostRule;
use windlass_engine::sandbox::{Network, SandboxWish};
use windlass_planner::brief::TokenLimits;

use super::choice::{AgentKind, DocsRule, LintLevel, TestNetwork};
use super::map::Map;
use super::places::PlaceKeys;
use super::reader::TableReader;
use super::section::{ConfigSection, section};
use super::shape::KeyShape;
use super::team::{AccountKeys, GovernorKeys, PriceKeys, RoutingKeys, TeamKeys};
use super::value::Value;
use crate::forge::ForgeKind;
use crate::notify::{NoticeFormat, NoticeKind};

section! {
    /// The whole file.
    pub struct Config {
        /// The oldest version of Windlass that understands this file: `"0.2"`. An older one says so and does nothing.
        needs: Option<String> = None,
        /// The default plan of commands: a file or a folder, relative to this file.
        plan: Option<String> = None,
        /// The prefix of integration branches; the plan's name follows.
        branch_prefix: String = "windlass/".into(),
        /// The lint profile of plans that name none: `default`, `zerg`, `homerun`, `ccw`, `superplanner` or
        /// `contract`.
        profile: Option<String> = None,
        /// Continue without asking if a check has warnings.
        auto_mode: bool = false,
        /// The agents that carry tasks out.
        agents: Agents = Agents::default(),
        /// Several accounts of one program, used one after the other: `[[accounts.claude]]`. When one is limited, turns go on with the
        /// next. They belong into your own file.
        accounts: Map<Vec<AccountKeys>> = Map::new(),
        /// The agent of each role.
        team: TeamKeys = TeamKeys::default(),
        /// How tasks find their tier and their agent.
        routing: RoutingKeys = RoutingKeys::default(),
        /// How many turns a provider gets at once, and how long it rests after a rate limit.
        governor: GovernorKeys = GovernorKeys::default(),
        /// Prices of models by name, in addition to the built-in list: `[prices."my-model"]`. A model without a price is
        /// counted in tokens only.
        prices: Map<PriceKeys> = Map::new(),
        /// Machines besides this one that carry attempts out, by name: `[places.big]`.
        places: Map<PlaceKeys> = Map::new(),
        /// Limits of a run.
        limits: RunLimits = RunLimits::default(),
        /// What follows a failed attempt, rung by rung.
        ladder: LadderKeys = LadderKeys::default(),
        /// What a task must pass before it is merged.
        verify: Verify = Verify::default(),
        /// Preparation of a fresh checkout, such as installing dependencies.
        setup: SetupKeys = SetupKeys::default(),
        /// The private copies that agents work in.
        slot: SlotKeys = SlotKeys::default(),
        /// The sandbox of agents and tests.
        sandbox: SandboxKeys = SandboxKeys::default(),
        /// Formatting of changed files once their tests are green. The formatted files are verified again.
        format: FormatKeys = FormatKeys::default(),
        /// Severity by rule: `WL0301 = "warning"`. Overrides the profile.
        lint: Map<LintLevel> = Map::new(),
        /// The commits on the integration branch.
        commit: Commit = Commit::default(),
        /// How many tasks may use a resource at once, by the resource's name; 1 by default.
        pools: Map<u32> = Map::new(),
        /// Telling a person that a run needs them, or is over.
        notify: NotifyKeys = NotifyKeys::default(),
        /// Traces and metrics of runs for an OpenTelemetry collector.
        telemetry: TelemetryKeys = TelemetryKeys::default(),
        /// GitHub or GitLab: where issues come from and pull requests go.
        forge: ForgeKeys = ForgeKeys::default(),
        /// How plans are made.
        planning: Planning = Planning::default(),
        /// The size of briefs.
        brief: BriefKeys = BriefKeys::default(),
    }
}

section! {
    /// The agent of each tier.
    pub struct Tiers {
        /// The agent for small tasks: `claude`, `codex`, `gemini`, `qwen`, `opencode`, `mechanical`, `cmd:COMMAND`,
        /// `acp:COMMAND`, `replay:FOLDER`, or the name of a table below. Default: `mechanical`, which writes what the plan
        /// itself contains.
        small: Option<String> = None,
        /// The agent for medium tasks.
        medium: Option<String> = None,
        /// The agent for large tasks.
        large: Option<String> = None,
    }
}

/// `[agents]`: three tiers, and agents by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Agents {
    /// The agent of each tier.
    pub(crate) tiers: Tiers,
    /// `[agents.NAME]`.
    pub(crate) named: Map<AgentTable>,
}

impl Value for Agents {
    fn shape() -> KeyShape {
        KeyShape::Open(Tiers::keys(), Box::new(AgentTable::shape()))
    }

    fn read(value: &Spanned<DeValue<'_>>, reader: &mut TableReader<'_>) -> Option<Self> {
        let table = reader.table(value, &Self::shape())?;
        let mut agents = Agents::default();
        for (key, value) in table {
            let name = key.get_ref();
            if agents.tiers.read_key(name, value, reader) {
                continue;
            }
            if !value.get_ref().is_table() {
                reader.unknown(name, key.span(), &["small", "medium", "large"]);
            } else if let Some(agent) = reader.inside(name, |r| AgentTable::read(value, r)) {
                agents.named.insert(name.to_string(), agent);
            }
        }
        Some(agents)
    }

    fn show(&self) -> Option<String> {
        None
    }
}

section! {
    /// An agent by a name of one's own, to be named by a tier, a task or `--agent`.
    pub struct AgentTable {
        /// The kind of program. Default: `"command"` if there is one, else the name of the table.
        kind: Option<AgentKind> = None,
        /// The command, run by `bash` in the slot: with the brief on its standard input for the kind `command`, spoken to by the
        /// Agent Client Protocol for the kind `acp`.
        @host command: Option<String> = None,
        /// The program to start, by name or path, if its name differs from its kind.
        @host program: Option<String> = None,
        /// The model to use; a command gets it in `WINDLASS_MODEL`.
        model: Option<String> = None,
        /// The address of the model: `"http://127.0.0.1:11434/v1"`. For the kind `api`, which needs `model` too.
        @host endpoint: Option<String> = None,
        /// The protocol of the endpoint: `"openai"` (Ollama, llama.cpp, vLLM and most others) or `"anthropic"`.
        dialect: ApiDialect = ApiDialect::OpenAi,
        /// The environment variable that holds the key for the endpoint, by name. The key itself is never written down.
        @host key_env: Option<String> = None,
        /// The context of the model in tokens, its answer included. For the kind `api`.
        context: u32 = 8192,
        /// How many of them its answer may have. Default: a third.
        answer: Option<u32> = None,
        /// Arguments for the program, after those that Windlass gives it.
        @host args: Vec<String> = Vec::new(),
        /// Environment variables it may see, by name, besides the few that every process gets and those its kind needs
        /// to log in.
        @host env: Vec<String> = Vec::new(),
        /// What it may do without asking: `"read"` files, `"edit"` them in its directory, or anything (`"full"`).
        /// Default: `"full"` inside a sandbox, else `"edit"`.
        @host permission: Option<Permission> = None,
        /// The most turns of its model in one turn.
        max_turns: Option<u32> = None,
        /// The most money for one turn, in US dollars, if the agent reports its cost.
        max_budget_usd: Option<f64> = None,
        /// The longest one of its turns may take; never longer than `limits.attempt`.
        timeout: Option<Duration> = None,
        /// How long it may be silent.
        idle: Option<Duration> = None,
    }
}

section! {
    /// Limits of a run.
    pub struct RunLimits {
        /// How many attempts and verifications run at once.
        jobs: u32 = 2,
        /// How long an attempt may take.
        attempt: Duration = Duration::from_mins(30),
        /// How long one of its steps may take, except the agent's turn.
        step: Duration = Duration::from_mins(2),
        /// How long a verification may take, if the task does not say.
        verification: Duration = Duration::from_mins(5),
        /// How long the build of a task's tests may take, where it is a command of its own (cargo, go, Maven, Gradle, CMake).
        build: Duration = Duration::from_mins(30),
        /// How long a set-up may take, with the first build of what the tests need.
        setup: Duration = Duration::from_mins(30),
        /// How long an agent may be silent.
        idle: Duration = Duration::from_mins(10),
        /// The most money a run may spend, in US dollars, as reported by agents; exceeded by one answer at most.
        max_cost_usd: Option<f64> = None,
        /// The most tokens a run may spend, as reported by agents; exceeded by one answer at most.
        max_tokens: Option<u64> = None,
        /// The tokens of one turn in the worst case of `run --dry-run`. It limits nothing.
        turn_tokens: u64 = 200_000,
        /// The tokens of one turn in the likely case of `run --dry-run`. It limits nothing.
        likely_turn_tokens: u64 = 40_000,
        /// How many bytes of one process's output are kept.
        max_output_bytes: u64 = 16 * 1024 * 1024,
        /// How many tasks of a tier may run at once: `tiers = { large = 1 }`.
        tiers: TierLimits = TierLimits::default(),
    }
}

section! {
    /// How many tasks of a tier may run at once.
    pub struct TierLimits {
        /// Of small tasks.
        small: Option<u32> = None,
        /// Of medium tasks.
        medium: Option<u32> = None,
        /// Of large tasks.
        large: Option<u32> = None,
    }
}

section! {
    /// What follows a failed attempt. Rate limits cost no attempt.
    pub struct LadderKeys {
        /// Turns of a bug-hunter on the tree that failed.
        bug_hunter: u32 = Ladder::default().bug_hunter,
        /// Attempts of the same agent from the red commit.
        same_agent: u32 = Ladder::default().same_agent,
        /// Attempts of a fresh agent from the red commit.
        fresh_agent: u32 = Ladder::default().fresh_agent,
        /// Attempts one tier up.
        tier_up: u32 = Ladder::default().tier_up,
        /// This many equal failures in a row end a rung; as many equal rejections end the ladder. 0 turns it off.
        identical: u32 = Ladder::default().identical,
        /// This many kinds of attempt without a change end the ladder. 0 turns it off.
        rounds_without_progress: u32 = Ladder::default().rounds_without_progress,
        /// Two tasks that were each rejected this often because of the other wait for a person. 0 turns it off.
        each_other: u32 = Ladder::default().each_other,
    }
}

impl LadderKeys {
    /// The ladder as the scheduler knows it.
    pub(crate) fn ladder(&self) -> Ladder {
        Ladder {
            bug_hunter: self.bug_hunter,
            same_agent: self.same_agent,
            fresh_agent: self.fresh_agent,
            tier_up: self.tier_up,
            identical: self.identical,
            rounds_without_progress: self.rounds_without_progress,
            each_other: self.each_other,
        }
    }
}

section! {
    /// What a task must pass besides its own tests.
    pub struct Verify {
        /// A command that must pass on every merged tree.
        suite: Option<String> = None,
        /// Services that must run while tests run.
        services: Vec<TestService> = Vec::new(),
        /// Run the type checker.
        type_check: GateSwitch = GateSwitch::Auto,
        /// Run the linter on changed files.
        lint: GateSwitch = GateSwitch::Auto,
        /// Compare exported names and signatures with the task's contract.
        contract: GateSwitch = GateSwitch::Auto,
        /// Measure coverage of tasks that promise some.
        coverage: GateSwitch = GateSwitch::Auto,
        /// Add tests that must fail to a task's own, to expose a runner that passes everything. `"on"` refuses a task if
        /// that is not possible.
        canaries: GateSwitch = GateSwitch::Auto,
        /// Run tests that an agent wrote on wrong versions of the code. Versions that they do not notice go back to the
        /// test-writer once; tests that notice none are refused. `"off"` saves the runs and the turn.
        mutants: GateSwitch = GateSwitch::Auto,
        /// Run a task's tests again with one expected value changed in each: every one must fail. `"on"` refuses a task
        /// if one is not known to; `"auto"` reports it as weak.
        expectations: GateSwitch = GateSwitch::Auto,
        /// How long a run with changed expectations may take. Default: twice as long as the tests took, and half a minute.
        expectation_time: Option<Duration> = None,
        /// Run a task's tests three times even without a suspicion.
        repeat: bool = false,
        /// What happens to tests that leave processes running: `"refuse"`, or `"record"` for tools that keep a server,
        /// such as Gradle. The processes are ended in any case.
        leftovers: Leftovers = Leftovers::Refused,
        /// The level of a rule about changed code: `soft-exit = "error"`. The rules are listed in the guide,
        /// "What a verdict is worth".
        rules: Map<Strictness> = Map::new(),
        /// Environment variables that verification may see besides the few that every process gets.
        @host env: Vec<String> = Vec::new(),
        /// What happens to a verified task that only changes documentation: `"approve"` waits for a person, `"pass"`
        /// merges it.
        docs: DocsRule = DocsRule::Approve,
    }
}

section! {
    for TestService {
        /// Its name in messages.
        name: String = String::new(),
        /// The command that starts it and keeps running.
        command: String = String::new(),
        /// A command that exits with 0 once the service is ready.
        ready: Option<String> = None,
        /// How long it may take to become ready.
        timeout: Duration = Duration::from_mins(1),
        /// A command that stops it; without one it is killed.
        stop: Option<String> = None,
    }
}

section! {
    /// Preparation of a fresh checkout.
    pub struct SetupKeys {
        /// The command. Default: detected from lock files. `""` turns it off.
        command: Option<String> = None,
        /// The files it depends on.
        inputs: Vec<String> = Vec::new(),
        /// What it produces; never part of an agent's change.
        outputs: Vec<String> = Vec::new(),
    }
}

section! {
    /// The private copies that agents work in.
    pub struct SlotKeys {
        /// Untracked files to copy in, such as `.env.test`.
        @host copy: Vec<String> = Vec::new(),
    }
}

section! {
    /// The sandbox of agents and tests. The guide describes each rung under "trust".
    pub struct SandboxKeys {
        /// The rung: `"auto"` takes the strongest that is available.
        @host mode: SandboxWish = SandboxWish::Strongest,
        /// The network that agents see: `"model"` for their provider's hosts and nothing else, `"open"` for everything, or
        /// `"none"`. Agents given as a command keep the whole network with `"model"` unless `allow` names hosts.
        @host network: Network = Network::Model,
        /// Hosts that agents reach besides their model: `"pypi.org"`, `"*.crates.io"`, `"example.org:8443"`.
        @host allow: Vec<HostRule> = Vec::new(),
        /// The network that tests see. They always have a loopback of their own.
        @host verify_network: TestNetwork = TestNetwork::Loopback,
        /// Files and directories that agents and tests may read besides the system and the tool-chains. `~` is the home.
        @host read: Vec<String> = Vec::new(),
        /// Files and directories that agents may write besides their slot, such as where they keep their log-in.
        @host write: Vec<String> = Vec::new(),
        /// How many processes and threads one command may have; 0 for no limit.
        processes: u64 = 4096,
        /// How much memory one process may have, in megabytes; 0 for no limit.
        memory_mb: u64 = 0,
        /// How much memory all processes of one command may have together, in megabytes; 0 for no limit.
        total_memory_mb: u64 = 0,
        /// How much the directories that one command can write may hold, in megabytes; 0 for no limit.
        disk_mb: u64 = 32768,
        /// How large one file may get, in megabytes; 0 for no limit.
        file_mb: u64 = 8192,
    }
}

section! {
    /// Formatting of changed files once their tests are green. The formatted files are verified again.
    pub struct FormatKeys {
        /// Format nothing.
        off: bool = false,
        /// The command by file pattern, with the files appended: `"*.py" = "ruff format"`. Detected if nothing
        /// matches.
        commands: Map<String> = Map::new(),
        /// Run the repository's own hooks (pre-commit, husky, lint-staged) on the changed files.
        hooks: GateSwitch = GateSwitch::Auto,
    }
}

section! {
    /// The commits on the integration branch.
    pub struct Commit {
        /// Sign them. Default: git's `commit.gpgSign`.
        sign: Option<bool> = None,
        /// Add a `Signed-off-by` line.
        signoff: bool = false,
        /// The message; `{id}` and `{title}` stand for the task's own.
        message: String = "{id}: {title}".into(),
    }
}

section! {
    /// Telling a person that a run needs them, or is over.
    pub struct NotifyKeys {
        /// A command, run by `bash`. It gets the notice as JSON on its standard input, and `WINDLASS_EVENT`,
        /// `WINDLASS_PLAN`, `WINDLASS_TASK`, `WINDLASS_TITLE`, `WINDLASS_TEXT` and `WINDLASS_NEXT`.
        @host command: Option<String> = None,
        /// An address that gets each notice by POST.
        @host url: Option<String> = None,
        /// What is posted: `"json"` is the notice itself, `"text"` suits ntfy, `"slack"` suits hooks of Slack and Mattermost.
        format: NoticeFormat = NoticeFormat::Json,
        /// The environment variable with a token for the address, sent as `Authorization: Bearer`.
        @host token_env: Option<String> = None,
        /// Which events: `"question"`, `"approval"`, `"blocked"`, `"failed"`, `"budget"` (80 % is used), `"finished"`. None
        /// means all.
        events: Vec<NoticeKind> = Vec::new(),
        /// Show notices on the desktop, where there is one and the run is on a terminal.
        desktop: bool = true,
        /// Ring the terminal's bell.
        bell: bool = true,
    }
}

section! {
    /// Traces and metrics of runs for an OpenTelemetry collector. Nothing is sent without an endpoint.
    pub struct TelemetryKeys {
        /// The address of the collector, which takes OTLP as JSON over HTTP at `/v1/traces` and `/v1/metrics` below it:
        /// `"http://127.0.0.1:4318"`.
        @host endpoint: Option<String> = None,
        /// The environment variable with headers for the collector, such as a token: `name=value,name=value`.
        @host headers_env: Option<String> = None,
    }
}

section! {
    /// GitHub or GitLab. Without these keys everything follows from the remote, `gh`, `glab` and the usual variables.
    pub struct ForgeKeys {
        /// Which it is, where the host does not tell: `"github"` or `"gitlab"`.
        kind: Option<ForgeKind> = None,
        /// The address of its REST interface, where it is not the usual one: `"https://git.example.org/api/v4"`.
        @host api: Option<String> = None,
        /// The environment variable with a token for it. Default: `GH_TOKEN`, `GITHUB_TOKEN`, or `GITLAB_TOKEN`; `gh` and
        /// `glab` are asked first unless this is set.
        @host token_env: Option<String> = None,
    }
}

section! {
    /// How plans are made.
    pub struct Planning {
        /// How many parents may be stacked above a task.
        depth: u32 = 3,
        /// Use one level less detail in the steps of a task if earlier runs have made its files or directory familiar.
        adaptive: bool = true,
        /// A file is familiar once this many tasks that changed it were merged.
        familiar_touches: u32 = 3,
        /// A directory is familiar if this share of the tasks in it that ended were merged, in percent.
        familiar_success: u32 = 80,
    }
}

section! {
    /// The size of brief and answer together in tokens, by the size of the model.
    pub struct BriefKeys {
        /// Of small tasks.
        small: u32 = 8_000,
        /// Of medium tasks.
        medium: u32 = 32_000,
        /// Of large tasks.
        large: u32 = 100_000,
        /// Of that, what is kept free for the answer.
        answer: u32 = 2_000,
    }
}

impl BriefKeys {
    /// As the engine knows it.
    pub(crate) fn room(&self) -> TokenLimits {
        let wide = |tokens: u32| usize::try_from(tokens).unwrap_or(usize::MAX);
        TokenLimits {
            small: wide(self.small),
            medium: wide(self.medium),
            large: wide(self.large),
            answer: wide(self.answer),
        }
    }
}
