//! `windlass plan`: documents and a repository in, a plan out.

use std::path::PathBuf;

use clap::Args;
use windlass_core::derive::{DeriveOptions, Derived, Shape, derive};
use windlass_core::dialect::{self, Dialect, TextFile};
use windlass_core::lint::Profile;
use windlass_core::spec::{self, Spec};
use windlass_core::steps::{Adaptive, Detail, History};
use windlass_core::survey::{CodeWanted, Ground, Snippet, Survey, TestCall, TestWanted};

use super::writing::{Overwrite, write_files};
use super::{CliError, Exit};
use crate::input::{Checkout, Configuration, gather, locate, plan_name};
use crate::render::counted;
use crate::world::World;

/// Make a plan from specifications
#[derive(Debug, Args)]
pub(crate) struct PlanArgs {
    /// The documents: files, folders, a `state.json`, or a session folder.
    #[arg(required = true, value_name = "SPEC")]
    specs: Vec<PathBuf>,

    /// How much the steps of a task say: low, medium or high.
    #[arg(long, value_name = "LEVEL", default_value = "medium", value_parser = detail)]
    detail: Detail,

    /// The rules the plan is to pass: default, zerg, homerun, ccw, superplanner or contract.
    #[arg(long, value_name = "PROFILE")]
    profile: Option<Profile>,

    /// The plan's name; without it, what the documents are called.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Print the plan instead of writing it.
    #[arg(long, conflicts_with = "output")]
    stdout: bool,

    /// The format: native, json, or another tool's.
    #[arg(long, value_name = "FORMAT", default_value = "native")]
    format: Written,

    /// Where to write it; without it, `plans/<name>`.
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,

    /// Ask nothing; take what is suggested.
    #[arg(short, long)]
    yes: bool,

    /// Overwrite files that exist.
    #[arg(long)]
    force: bool,
}

/// What a plan is written as.
#[derive(Debug, Clone, Copy)]
enum Written {
    Json,
    Dialect(Dialect),
}

impl std::str::FromStr for Written {
    type Err = dialect::UnknownDialect;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "json" { Ok(Written::Json) } else { text.parse().map(Written::Dialect) }
    }
}

fn detail(text: &str) -> Result<Detail, String> {
    Detail::parse(text).ok_or_else(|| format!("`{text}` is not low, medium or high"))
}

/// What the checkout answers until a survey does.
struct Surroundings {
    checkout: Checkout,
    survey: Survey,
}

impl Ground for Surroundings {
    fn survey(&self) -> &Survey {
        &self.survey
    }
    fn test_command(&self, test_file: &str) -> Option<TestCall> {
        let found = windlass_code::detect::test_command(&self.checkout, test_file)?;
        Some(TestCall { script: found.script, why: found.why })
    }
    fn format_commands(&self, _: &[String]) -> Vec<String> {
        Vec::new()
    }
    fn gate_commands(&self, _: &[String]) -> Vec<String> {
        Vec::new()
    }
    fn test_snippet(&self, _: &TestWanted<'_>) -> Option<Snippet> {
        None
    }
    fn code_snippet(&self, _: &CodeWanted<'_>) -> Option<String> {
        None
    }
}

/// Makes a plan.
pub(crate) fn cmd_plan(world: &World, args: &PlanArgs) -> Result<Exit, CliError> {
    use windlass_code::repo::Tree as _;
    let configuration = Configuration::find(world)?;
    let gathered = gather(world, &args.specs)?;
    let root = locate(&world.cwd).and_then(|l| l.top).unwrap_or_else(|| world.cwd.clone());
    let checkout = Checkout::open(world, &root);
    let known = checkout.paths().to_vec();
    let survey = Survey { paths: known.clone(), ..Survey::default() };
    let ground = Surroundings { checkout, survey };
    let spec = spec::read(&gathered.files, &known);
    let options = options(args, &spec, &configuration);
    let derived = derive(&spec, &ground, &options);
    finish(world, args, &derived)
}

fn options<'a>(args: &PlanArgs, spec: &Spec, configuration: &Configuration) -> DeriveOptions<'a> {
    let titled = || spec.title.clone().unwrap_or_else(|| "plan".to_owned());
    let name = args.name.clone().unwrap_or_else(titled);
    let configured = configuration.config.profile.as_deref().and_then(|p| p.parse().ok());
    DeriveOptions {
        name: plan_name(&name.to_lowercase()).as_str().to_owned(),
        profile: args.profile.or(configured).unwrap_or_default(),
        detail: args.detail,
        history: History::default(),
        adaptive: Adaptive::default(),
        shape: Shape::Suggested,
        phase: None,
        method: None,
        tool: None,
        session: None,
        branch: None,
        is_test: &windlass_code::detect::is_test_path,
    }
}

fn finish(world: &World, args: &PlanArgs, derived: &Derived) -> Result<Exit, CliError> {
    for note in &derived.notes {
        world.tell(&format!("{}: {}\n", note.kind.as_str(), note.text));
    }
    let plan = &derived.plan;
    let files = match args.format {
        Written::Json => {
            let text = serde_json::to_string_pretty(&dialect::plan_json(plan))? + "\n";
            vec![TextFile { path: format!("{}.json", plan.name), bytes: text.into_bytes() }]
        }
        Written::Dialect(to) => dialect::write(to, plan, &|_| None),
    };
    if args.stdout {
        for file in &files {
            if files.len() > 1 {
                world.print(&format!("=== {}\n", file.path))?;
            }
            world.print(&String::from_utf8_lossy(&file.bytes))?;
        }
        return Ok(Exit::Fine);
    }
    let root = match &args.output {
        Some(path) => world.cwd.join(path),
        None => world.cwd.join("plans").join(&plan.name),
    };
    let overwrite = if args.force { Overwrite::Yes } else { Overwrite::No };
    let written = write_files(world, &root, &files, overwrite)?;
    world.print(&format!("wrote {} for {}\n", counted(written.len(), "file"), counted(plan.tasks.len(), "task")))?;
    Ok(Exit::Fine)
}
