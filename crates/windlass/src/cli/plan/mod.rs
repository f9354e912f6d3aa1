//! `windlass plan`: documents and a repository in, a plan out.
//!
//! What is wanted is settled first ([`request`]), then the documents and the code are read, a plan is derived and checked,
//! and what came of it is written, committed or run ([`deliver`]).

mod agent;
mod agent_answer;
mod agent_brief;
mod change_messages;
mod deliver;
mod documents;
mod idea;
mod input_file;
mod living;
mod messages;
mod naming;
mod proposed;
mod questions;
mod request;
mod review_page;
mod session;
mod summary;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use windlass_code::detect::coming;
use windlass_code::repo::{Overlaid, Tree};
use windlass_code::survey::Language;
use windlass_code::survey::is_own;
use windlass_core::plan::Method;
use windlass_engine::agent::cli::CliKind;
use windlass_engine::survey::SurveyStore;
use windlass_formats::Dialect;
use windlass_planner::derive::{DeriveOptions, Derived, Grouping, Note, NoteKind, derive, suggest};
use windlass_planner::lint::Profile;
use windlass_planner::repository::Repository;
use windlass_planner::spec::{self, Spec};
use windlass_planner::steps::{Adaptive, History, StepDetail};

use super::familiarity::familiarity;
use super::{CliError, Exit};
use crate::config::Planning;
use crate::input::{Configuration, locate};
use crate::running::own_formatters;
use crate::world::World;
use agent::{AgentArgs, Improved, Improving, Planner};
use deliver::Delivery;
pub(super) use documents::given_documents;
use living::Living;
use messages::Stages;
use request::Request;
use review_page::PageForm;

/// Make a plan from specifications, without a model
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PlanArgs {
    /// The documents: files, folders, `-`, a `state.json`, a CCW session folder, issues (`gh:12`, `gl:12`,
    /// `gh:milestone/NAME`, `gh:label/NAME`, an address), or an idea in quotation marks. Without any, the documents of the
    /// plan here: what changed in them is planned.
    #[arg(value_name = "SPEC")]
    specs: Vec<PathBuf>,

    /// How much the steps of a task say: low (also `standard`), medium, or high, which adds code.
    #[arg(long, value_name = "LEVEL", default_value = "medium", value_parser = detail)]
    detail: StepDetail,

    /// The rules the plan is made to pass: default, zerg, homerun, ccw, superplanner or contract.
    #[arg(long, value_name = "PROFILE")]
    profile: Option<Profile>,

    /// The plan's name; without it, what the documents are called.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// The language of files that the documents do not name; without it, the repository's.
    #[arg(long, value_name = "LANGUAGE", value_parser = language)]
    language: Option<Language>,

    /// Leave tasks side by side, whatever their number.
    #[arg(long)]
    flat: bool,

    /// Group tasks by phase, so many levels deep at most.
    #[arg(long, value_name = "N", conflicts_with = "flat")]
    max_depth: Option<usize>,

    /// Plan this phase only, counted from 1; what earlier phases made is in the repository by then.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    phase: Option<u32>,

    /// More to go by: a file, or `-` for standard input. May be given more than once.
    #[arg(long, value_name = "PATH")]
    material: Vec<PathBuf>,

    /// With issues: take comments of this person too, who may not write to the repository. May be given more than once.
    #[arg(long, value_name = "LOGIN")]
    comments_of: Vec<String>,

    /// How tasks are carried out: by an agent, a command-line tool, or whichever fits the size of a task.
    #[arg(long, value_name = "METHOD", value_parser = method_parser())]
    method: Option<Method>,

    /// The command-line tool that tasks ask for; `auto` is the first that is installed.
    #[arg(long, value_enum, value_name = "TOOL")]
    tool: Option<ToolChoice>,

    /// Take what is wanted from homerun's input, as JSON: a file, or `-`. Answers with PLANNING_COMPLETE.
    #[arg(long, value_name = "FILE", conflicts_with = "specs")]
    input: Option<PathBuf>,

    /// Make the plan the first commit of its branch.
    #[arg(long, conflicts_with = "stdout")]
    commit: bool,

    /// Carry the plan out at once.
    #[arg(long, conflicts_with = "stdout")]
    run: bool,

    /// Show what was asked beside what will be done, and write nothing: `--review`, `--review=markdown`,
    /// `--review=html`; `-o FILE` keeps the page.
    #[arg(
        long,
        value_enum,
        value_name = "FORM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "text",
        conflicts_with_all = ["stdout", "commit", "run", "input"]
    )]
    review: Option<PageForm>,

    /// Print the plan instead of writing it.
    #[arg(long, conflicts_with = "output")]
    stdout: bool,

    /// The format: native, json, or another tool's.
    #[arg(long, value_name = "FORMAT")]
    format: Option<Written>,

    /// With `--format homerun` or `--input`: a Markdown file for each task in `docs/tasks` instead of one
    /// `docs/tasks.json`.
    #[arg(long)]
    task_files: bool,

    /// Where to write it; without it, `plans/<name>`.
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,

    /// Overwrite files that exist.
    #[arg(long)]
    force: bool,

    /// Say everything that was assumed or left out, not only the first few of each kind.
    #[arg(long)]
    notes: bool,

    /// Ask nothing; take what is suggested.
    #[arg(short, long)]
    yes: bool,

    #[command(flatten)]
    agent: AgentArgs,
}

const EXAMPLES: &str = "\
Examples:
  windlass plan docs/specs/                       from a PRD and a design, without a model
  windlass plan \"a command that counts words\"    from a sentence
  windlass plan                                   again, after the documents changed
  windlass plan --review                          what was asked beside what will be done
  windlass plan docs/prd.md --agent claude        let an agent complete it, under the same checks";

impl PlanArgs {
    /// What `windlass plan SPEC --yes` asks for.
    pub(crate) fn plain(spec: PathBuf) -> Self {
        Self {
            specs: vec![spec],
            detail: StepDetail::Medium,
            profile: None,
            name: None,
            language: None,
            flat: false,
            max_depth: None,
            phase: None,
            material: Vec::new(),
            comments_of: Vec::new(),
            method: None,
            tool: None,
            input: None,
            commit: false,
            run: false,
            review: None,
            stdout: false,
            format: None,
            task_files: false,
            output: None,
            force: false,
            notes: false,
            yes: true,
            agent: AgentArgs::default(),
        }
    }
}

/// What a plan is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    Json,
    Dialect(Dialect),
}

impl std::str::FromStr for Written {
    type Err = windlass_formats::UnknownDialect;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "json" { Ok(Written::Json) } else { text.parse().map(Written::Dialect) }
    }
}

/// The command-line tool that tasks ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ToolChoice {
    /// A command line agent that the engine knows.
    Cli(CliKind),
    /// The first one that is installed.
    Auto,
}

impl ToolChoice {
    fn as_str(self) -> &'static str {
        match self {
            ToolChoice::Cli(kind) => kind.as_str(),
            ToolChoice::Auto => "auto",
        }
    }
}

impl ValueEnum for ToolChoice {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<ToolChoice>> = LazyLock::new(|| {
            CliKind::ALL.into_iter().map(ToolChoice::Cli).chain([ToolChoice::Auto]).collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.as_str()))
    }
}

/// The methods, in the order in which they are offered.
const METHODS: [Method; 3] = [Method::Agent, Method::Hybrid, Method::Cli];

/// Reads the word of a method; help and completions list all of them.
fn method_parser() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(METHODS.map(Method::as_str))
        .try_map(|word| METHODS.into_iter().find(|method| method.as_str() == word).ok_or("not a method"))
}

fn detail(text: &str) -> Result<StepDetail, String> {
    StepDetail::parse(text).ok_or_else(|| format!("`{text}` is not low, medium or high"))
}

fn language(text: &str) -> Result<Language, String> {
    Language::named(text).ok_or_else(|| {
        let known: Vec<&str> = Language::ALL.iter().map(|language| language.fence()).collect();
        format!("`{text}` is not one of {}", known.join(", "))
    })
}

/// Makes a plan.
pub(crate) fn cmd_plan(world: &World, args: &PlanArgs) -> Result<Exit, CliError> {
    let configuration = Configuration::find(world)?;
    let planner = Planner::wanted(world, &args.agent, &configuration)?;
    let quiet = args.stdout || args.input.is_some() || args.review.is_some();
    let mut stages = Stages::new(world, quiet);
    let mut request = gather(world, args, &configuration, &mut stages)?;
    let root = request.root.clone();

    stages.begin("code");
    let store = survey_store(world, &root);
    let tree = store.disk(&root);
    let overlaid;
    let own = own_formatters(&configuration.config);
    let mut repository = Repository::new(&tree, store.of_disk(&tree)).formatted_by(own);
    stages.end(&messages::surveyed(&repository));

    stages.begin("specification");
    let known = own_files(&tree);
    let mut spec = spec::read(&request.documents, &known);
    request.trace(&mut spec);
    stages.end(&messages::read(&spec));
    let mut options = options(world, &request, args, &spec, &configuration.config.planning);
    let is_bare = says_nothing(&spec) || (request.idea && says_one_thing(&spec));
    if planner.is_none() && request.idea && is_bare {
        request.state_idea();
        spec = spec::read(&request.documents, &known);
    }
    let living = Living::find(world, args, &request, &options.name)?;
    if let Some(living) = &living {
        living.name().clone_into(&mut options.name);
        options.language = options.language.or_else(|| living.language());
    }
    if let (true, Some(planner)) = (is_bare, &planner) {
        let (request, spec, repository, options) = (&request, &spec, &repository, &options);
        let of = Improving { world, request, configuration: &configuration, spec, repository, options };
        return plan_idea(&of, planner, args, &mut stages);
    }
    refuse(&spec)?;

    stages.begin("plan");
    let mut derived = derive(&spec, &repository, &options);
    if derived.plan.tasks.is_empty() {
        return Err(messages::nothing(&spec, &derived, args.phase));
    }
    if derived.asks_for_language() && questions::language(world, args, &mut options)? {
        derived = derive(&spec, &repository, &options);
    }
    let mut coming = None;
    if let Some(made) = manifests_to_come(&derived, &request, &tree) {
        coming = Some(assumed_manifests(&made));
        overlaid = Overlaid::new(&tree, made);
        repository = repository.over(&overlaid);
        derived = derive(&spec, &repository, &options);
    }
    if living.is_none() && questions::grouping(world, args, &derived, &mut options)? {
        derived = derive(&spec, &repository, &options);
    }
    if let Some(session) = &request.homerun {
        derived.plan.specs.clone_from(&session.specs);
    }
    derived.notes.extend(coming);
    stages.end(&messages::derived(&derived));
    let revised = living.map(|living| {
        let revision = living.revise(world, &request, &repository, &known, &options, &derived);
        derived.plan = revision.plan.clone();
        (living, revision)
    });
    let earlier = earlier_phase(world, &request, &spec, &configuration);
    ungrouped(&derived, &options).iter().chain(&earlier).for_each(|note| world.tell(note));
    if let Some(planner) = &planner {
        let (request, spec, repository, options) = (&request, &spec, &repository, &options);
        let of = Improving { world, request, configuration: &configuration, spec, repository, options };
        if let Some(exit) = with_agent(&of, planner, args, &mut derived, &mut stages)? {
            return Ok(exit);
        }
    }
    let language = options.language;
    Delivery { world, args, request: &request, configuration: &configuration, spec: &spec, language }
        .deliver(&derived, revised.as_ref())
}

/// Where surveys of the repository are kept; nowhere outside of one.
fn survey_store(world: &World, root: &Path) -> SurveyStore {
    let paths = locate(root).and_then(|located| world.paths(&located.common_dir).ok());
    paths.map_or_else(SurveyStore::forgetful, |paths| SurveyStore::at(paths.cache()))
}

/// The repository's own files. A short name is lengthened to one of them, never to one that was installed.
fn own_files(tree: &impl Tree) -> Vec<String> {
    tree.paths().iter().filter(|path| is_own(path)).cloned().collect()
}

/// Reads the documents.
fn gather(
    world: &World,
    args: &PlanArgs,
    configuration: &Configuration,
    stages: &mut Stages<'_>,
) -> Result<Request, CliError> {
    stages.begin("documents");
    let mut request = Request::of(world, args, configuration)?;
    questions::materials(world, args, &mut request)?;
    stages.end(&messages::gathered(&request));
    stages.left_out(&request.skipped);
    for remark in &request.remarks {
        world.tell(&format!("note: {remark}\n"));
    }
    Ok(request)
}

/// Has an agent improve the draft. The exit code is there if planning ends here.
fn with_agent(
    of: &Improving<'_>,
    planner: &Planner,
    args: &PlanArgs,
    derived: &mut Derived,
    stages: &mut Stages<'_>,
) -> Result<Option<Exit>, CliError> {
    if args.agent.dry_run {
        of.world.print(&of.preview(planner, derived)?)?;
        return Ok(Some(Exit::Fine));
    }
    stages.begin("agent");
    match of.improve(planner, derived, stages)? {
        Improved::Yes => Ok(None),
        Improved::Interrupted => Ok(Some(Exit::Interrupted)),
    }
}

/// Plans a bare idea: an agent proposes phases first.
fn plan_idea(
    of: &Improving<'_>,
    planner: &Planner,
    args: &PlanArgs,
    stages: &mut Stages<'_>,
) -> Result<Exit, CliError> {
    if args.agent.dry_run {
        let idea: Vec<&str> = of.request.documents.iter().map(|d| d.text.as_str()).collect();
        of.world.print(&idea::phases_brief(&of.options.name, &idea.join("\n\n"), &[]))?;
        return Ok(Exit::Fine);
    }
    stages.begin("phases");
    match idea::plan(of, planner, args, stages)? {
        Some(derived) => {
            let Improving { world, request, configuration, spec, options, .. } = *of;
            let language = options.language;
            Delivery { world, args, request, configuration, spec, language }.deliver(&derived, None)
        }
        None => Ok(Exit::Interrupted),
    }
}

/// Manifests that the plan itself makes, where nothing that is there says how its tests are run.
fn manifests_to_come(derived: &Derived, request: &Request, tree: &dyn Tree) -> Option<Vec<(String, String)>> {
    derived.notes.iter().find(|note| note.kind == NoteKind::NoRunner)?;
    let said: String = request.documents.iter().map(|document| document.text.as_str()).collect();
    let created = derived.plan.tasks.iter().flat_map(|task| &task.files.create).map(String::as_str);
    let made = coming(created.filter(|path| !tree.has(path)), &said);
    (!made.is_empty()).then_some(made)
}

fn assumed_manifests(made: &[(String, String)]) -> Note {
    let named: Vec<String> = made.iter().map(|(path, _)| format!("`{path}`")).collect();
    let text = format!("tests are run as {} says, which the plan creates", named.join(", "));
    let help = "look at the commands of the tasks before you run it".to_owned();
    Note { kind: NoteKind::Assumed, text, span: None, help: Some(help), criterion: None }
}

/// What is suggested for a large plan that was left flat because no person could be asked.
fn ungrouped(derived: &Derived, options: &DeriveOptions) -> Option<String> {
    let flat = derived.plan.tasks.iter().all(|task| task.parent.is_none());
    let suggestion = suggest(&derived.plan);
    let said = flat && suggestion.nested && options.grouping == Grouping::Suggested;
    said.then(|| {
        let phases: Vec<String> =
            suggestion.phases.iter().map(|(name, tasks)| format!("{name} ({tasks})")).collect();
        format!(
            "note: {}: could be grouped as {}\n  \
             help: `--max-depth 2` groups them, `--flat` leaves them as they are\n",
            suggestion.why,
            phases.join(", ")
        )
    })
}

/// The note that the phase before this one is not in the repository yet: a phase is planned from what that left there.
fn earlier_phase(
    world: &World,
    request: &Request,
    spec: &Spec,
    configuration: &Configuration,
) -> Option<String> {
    let before = request.phase.filter(|n| *n > 1)? - 1;
    let name = request.name_of_phase(spec, before);
    let branch = format!("{}{name}", configuration.config.branch_prefix);
    let has = |words: &[&str]| world.git_in(&request.root, words).is_ok();
    let made = has(&["rev-parse", "--verify", "-q", &format!("refs/heads/{branch}")]);
    let landed = made && has(&["merge-base", "--is-ancestor", &branch, "HEAD"]);
    (made && !landed).then(|| {
        format!(
            "note: phase {before} is on `{branch}` and not in this checkout, so this plan does not see its results\n  \
             help: `windlass land {name}` first\n"
        )
    })
}

/// The most criteria of one plan: more could not be reviewed by a person.
const MOST: usize = 2_000;

/// Documents that say nothing a plan could be made from, or more than one could hold.
fn refuse(spec: &Spec) -> Result<(), CliError> {
    if spec.criteria.len() > MOST {
        let text = format!(
            "the documents hold {} criteria; a plan is made from at most {MOST}",
            spec.criteria.len()
        );
        return Err(
            CliError::usage(text).hint("name fewer documents, or divide them by what is to be done first")
        );
    }
    if !says_nothing(spec) {
        return Ok(());
    }
    let named = spec.documents.iter().map(|d| format!("`{}`", d.path)).collect::<Vec<_>>().join(", ");
    Err(CliError::usage(format!("nothing to plan was found in {named}"))
        .hint(
            "acceptance criteria, user stories, components or a table of files are what a plan is made from",
        )
        .hint("a bare idea needs an agent, which proposes phases first: `--agent NAME`")
        .hint("see docs/guide/writing-specs.md"))
}

/// Whether documents say nothing that a plan could be derived from.
fn says_nothing(spec: &Spec) -> bool {
    spec.criteria.is_empty() && states_no_parts(spec)
}

/// Whether an idea states nothing but itself.
fn says_one_thing(spec: &Spec) -> bool {
    spec.criteria.len() == 1 && states_no_parts(spec)
}

fn states_no_parts(spec: &Spec) -> bool {
    spec.stories.is_empty()
        && spec.files.is_empty()
        && spec.components.is_empty()
        && spec.tasks.is_empty()
        && spec.models.is_empty()
        && spec.endpoints.is_empty()
}

fn options(world: &World, request: &Request, args: &PlanArgs, spec: &Spec, keys: &Planning) -> DeriveOptions {
    let asked = questions::asks_for_grouping(world, args, request.profile);
    let grouping = match (args.flat, args.max_depth) {
        (true, _) => Grouping::Flat,
        (false, Some(depth)) => Grouping::Nested(depth),
        (false, None) if asked => Grouping::Flat,
        (false, None) => Grouping::Suggested,
    };
    DeriveOptions {
        name: request.name(spec),
        folder: request.folder(),
        profile: request.profile,
        detail: args.detail,
        history: if keys.adaptive { familiarity(world) } else { History::default() },
        adaptive: Adaptive {
            familiar: keys.familiar_touches,
            success: f64::from(keys.familiar_success) / 100.0,
        },
        grouping,
        language: args.language,
        phase: args.phase,
        method: request.method,
        tool: request.tool.map(|t| t.as_str().to_owned()),
        session: request.session.clone(),
        branch: request.branch.clone(),
        findings: request.findings.clone(),
    }
}
