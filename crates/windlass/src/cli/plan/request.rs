//! What is wanted, from the command line, homerun's input, or a session folder: documents, name, branch, session.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde_json::Value;
use windlass_engine::agent::cli::CliKind;
use windlass_planner::derive::SessionFindings;
use windlass_planner::lint::Profile;
use windlass_planner::spec::{Spec, SpecFile};

use super::input_file::InputFile;
use super::{MethodWish, PlanArgs, ToolChoice};
use crate::cli::CliError;
use crate::input::{Configuration, GatheredSpecs, gather, locate, plan_name};
use crate::world::World;

/// Everything that is wanted.
#[derive(Debug, Default)]
pub(super) struct Request {
    /// The documents, conventions and materials among them.
    pub(super) documents: Vec<SpecFile>,
    /// What was passed over, and why.
    pub(super) skipped: Vec<String>,
    /// The top of the repository the plan is for.
    pub(super) root: PathBuf,
    pub(super) profile: Profile,
    pub(super) name: Option<String>,
    pub(super) branch: Option<String>,
    pub(super) session: Option<String>,
    pub(super) method: Option<MethodWish>,
    pub(super) tool: Option<ToolChoice>,
    /// Criteria by id, from a state file: their ids are kept.
    traced: Vec<(String, String)>,
    /// What a session already found out.
    pub(super) findings: SessionFindings,
    /// Whether homerun's input asked, so that its answer is given.
    pub(super) homerun: bool,
    /// The phase that is planned; each has a plan of its own.
    pub(super) phase: Option<u32>,
    /// Whether the name was asked for.
    named: bool,
}

impl Request {
    /// Gathers what is wanted.
    pub(super) fn of(
        world: &World,
        args: &PlanArgs,
        configuration: &Configuration,
    ) -> Result<Request, CliError> {
        let configured = configuration.config.profile.as_deref().and_then(|p| p.parse().ok());
        let mut request = match &args.input {
            Some(path) => Self::from_input(world, path)?,
            None => Self::from_specs(world, args)?,
        };
        let usual = if request.homerun { Profile::Homerun } else { request.profile };
        request.profile = args.profile.or(configured).unwrap_or(usual);
        request.named = args.name.is_some();
        request.name = args.name.clone().or(request.name);
        request.phase = args.phase;
        request.tool = args.tool.or(request.tool);
        for path in &args.material {
            request.material(world, path)?;
        }
        // Naming a tool implies the method `cli`.
        request.method = args.method.or(request.method).or(request.tool.map(|_| MethodWish::Cli));
        request.conventions(world);
        Ok(request)
    }

    fn from_specs(world: &World, args: &PlanArgs) -> Result<Request, CliError> {
        let gathered = gather(world, &args.specs)?;
        let root = locate(&world.cwd).and_then(|l| l.top).unwrap_or_else(|| world.cwd.clone());
        let mut request = Request { root, ..Request::default() };
        request.session_folder(world, args);
        request.take(gathered)?;
        Ok(request)
    }

    fn from_input(world: &World, path: &Path) -> Result<Request, CliError> {
        let input = InputFile::read(world, path)?;
        let worktree = world.cwd.join(&input.worktree_path);
        if !worktree.is_dir() {
            return Err(CliError::usage(format!("the worktree `{}` does not exist", input.worktree_path))
                .hint("`worktree_path` in the input names it"));
        }
        let mut gathered = GatheredSpecs::default();
        for named in input.documents() {
            gathered.named(world, named, &[Some(&worktree), Some(&world.cwd)])?;
        }
        let state = worktree.join("state.json");
        if state.is_file() {
            gathered.states.push(state);
        }
        let mut request = Request { root: worktree, homerun: true, ..Request::default() };
        request.take(gathered)?;
        request.branch = input.branch.or(request.branch);
        request.session = input.session_id.or(request.session);
        request.name = request.name.or_else(|| request.session.clone());
        Ok(request)
    }

    fn take(&mut self, gathered: GatheredSpecs) -> Result<(), CliError> {
        self.documents = gathered.files;
        self.skipped = gathered.skipped;
        for state in &gathered.states {
            self.state(state);
        }
        if self.documents.is_empty() {
            let mut error = CliError::usage("there are no documents to plan from");
            for why in &self.skipped {
                error = error.hint(why.clone());
            }
            return Err(
                error.hint("documents are Markdown files: PRD.md, design.md, requirements.md, spec.md, …")
            );
        }
        Ok(())
    }

    /// Name, branch, session and traces of a state file.
    fn state(&mut self, path: &Path) {
        let Ok(text) = fs::read_to_string(path) else { return };
        let Ok(value) = serde_json::from_str::<Value>(&text) else { return };
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        self.name = self.name.take().or_else(|| text("feature"));
        self.branch = self.branch.take().or_else(|| text("branch"));
        self.session = self.session.take().or_else(|| text("session_id"));
        let criteria = value.pointer("/traceability/acceptance_criteria").and_then(Value::as_object);
        for (id, criterion) in criteria.into_iter().flatten() {
            let said =
                criterion.get("description").or_else(|| criterion.get("criterion")).unwrap_or(criterion);
            if let Some(text) = said.as_str() {
                self.traced.push((id.clone(), text.to_owned()));
            }
        }
    }

    /// A CCW session folder among the arguments gives the session and the rules.
    fn session_folder(&mut self, world: &World, args: &PlanArgs) {
        let found =
            args.specs.iter().map(|p| world.cwd.join(p)).find(|p| p.join("workflow-session.json").is_file());
        let Some(dir) = found else { return };
        self.profile = Profile::Ccw;
        self.session = dir.file_name().map(|n| n.to_string_lossy().into_owned());
        let text = fs::read_to_string(dir.join("workflow-session.json")).unwrap_or_default();
        let value: Value = serde_json::from_str(&text).unwrap_or_default();
        let json = |name: &str| -> Value {
            let text = fs::read_to_string(dir.join(".process").join(name)).unwrap_or_default();
            serde_json::from_str(&text).unwrap_or_default()
        };
        self.findings = SessionFindings::read(
            &json("context-package.json"),
            &json("test-context-package.json"),
            &json("conflict-resolution.json"),
        );
        let said =
            ["description", "project", "topic"].iter().find_map(|k| value.get(*k).and_then(Value::as_str));
        self.tool = self.tool.or_else(|| said.and_then(tool_in));
    }

    /// More to go by.
    pub(super) fn material(&mut self, world: &World, path: &Path) -> Result<(), CliError> {
        let file = if path == Path::new("-") {
            let mut text = String::new();
            let read = std::io::stdin().lock().take(8 * 1024 * 1024).read_to_string(&mut text);
            read.map_err(|e| CliError::usage("cannot read standard input").because_of(Some(&e)))?;
            SpecFile { path: "material".to_owned(), text }
        } else {
            let mut found = gather(world, &[path.to_owned()])?;
            self.tool = self.tool.or_else(|| found.files.iter().find_map(|f| tool_in(&f.text)));
            self.skipped.append(&mut found.skipped);
            self.documents.append(&mut found.files);
            return Ok(());
        };
        self.inline(file);
        Ok(())
    }

    /// Words of a person: they may name the tool.
    pub(super) fn inline(&mut self, file: SpecFile) {
        self.tool = self.tool.or_else(|| tool_in(&file.text));
        if self.tool.is_some() && self.method.is_none() {
            self.method = Some(MethodWish::Cli);
        }
        self.documents.push(file);
    }

    /// House rules beside the code.
    fn conventions(&mut self, world: &World) {
        for name in ["CLAUDE.md", "AGENTS.md"] {
            let path = self.root.join(name);
            let shown = world.shown(&path);
            if let Ok(text) = fs::read_to_string(&path)
                && !self.documents.iter().any(|d| d.path == shown)
            {
                self.documents.push(SpecFile { path: shown, text });
            }
        }
    }

    /// The plan's name: as asked for, else as the documents are called.
    pub(super) fn name(&self, spec: &Spec) -> String {
        self.named_for(spec, self.phase)
    }

    /// What the plan of another phase is called.
    pub(super) fn name_of_phase(&self, spec: &Spec, phase: u32) -> String {
        self.named_for(spec, Some(phase))
    }

    fn named_for(&self, spec: &Spec, phase: Option<u32>) -> String {
        let titled = || {
            let title = bare_title(spec.title.as_deref().unwrap_or("plan"));
            let says_nothing =
                GENERIC.contains(&title.to_lowercase().trim_matches(|c: char| !c.is_alphabetic()));
            let stem =
                || Some(spec.documents.first()?.path.rsplit('/').next()?.split('.').next()?.to_owned());
            let named = stem().filter(|stem| says_nothing && !stem.is_empty());
            named.unwrap_or_else(|| title.to_owned())
        };
        let named = self.name.clone().unwrap_or_else(titled).to_lowercase();
        let phase = phase.filter(|_| !self.named).map(|n| format!("-phase-{n}")).unwrap_or_default();
        plan_name(&format!("{named}{phase}")).as_str().to_owned()
    }

    /// Gives criteria the ids a state file has for them.
    pub(super) fn trace(&self, spec: &mut Spec) {
        for (id, text) in &self.traced {
            let start: String = text.to_lowercase().chars().take(20).collect();
            let taken = spec.criteria.iter().any(|c| c.id == *id);
            let fits = |c: &&mut windlass_planner::spec::SpecCriterion| {
                !c.given_id && c.text.to_lowercase().contains(&start)
            };
            if let Some(criterion) = spec.criteria.iter_mut().find(fits).filter(|_| !start.is_empty())
                && (!taken || criterion.id == *id)
            {
                criterion.id.clone_from(id);
                criterion.given_id = true;
            }
        }
    }
}

/// Titles that stand over any document.
const GENERIC: [&str; 8] =
    ["overview", "introduction", "summary", "executive summary", "background", "context", "goals", "purpose"];

/// What a document calls its subject: `Till` for `PRD: Till: a cash register`.
fn bare_title(title: &str) -> &str {
    let named = without_kind(title);
    let short = named.split_once(": ").map(|(head, _)| head.trim());
    short.filter(|head| !head.is_empty()).unwrap_or(named)
}

/// A title without the words that say what kind of document it is of: `PRD: Shop`, `Shop - Technical Design`.
fn without_kind(title: &str) -> &str {
    const KINDS: [&str; 20] = [
        "adr",
        "architecture decision record",
        "architecture decision records",
        "design",
        "design document",
        "epic",
        "feature",
        "feature specification",
        "implementation plan",
        "prd",
        "product requirements",
        "product requirements document",
        "requirements",
        "spec",
        "specification",
        "tdd",
        "technical design",
        "technical design document",
        "user stories",
        "wireframes",
    ];
    let kind = |part: &str| KINDS.contains(&part.trim().to_lowercase().as_str());
    for mark in [":", " - ", " – ", " — "] {
        if let Some((head, rest)) = title.split_once(mark)
            && kind(head)
        {
            return rest.trim();
        }
        if let Some((rest, tail)) = title.rsplit_once(mark)
            && kind(tail)
        {
            return rest.trim();
        }
    }
    title
}

/// The tool a text asks for: `use Codex`.
fn tool_in(text: &str) -> Option<ToolChoice> {
    let lower = text.to_lowercase();
    let kind = CliKind::ALL.into_iter().find(|kind| lower.contains(&format!("use {}", kind.as_str())));
    kind.map(ToolChoice::Cli)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_names_the_tool() {
        assert_eq!(tool_in("Please use Codex for this"), Some(ToolChoice::Cli(CliKind::Codex)));
        assert_eq!(tool_in("use opencode"), Some(ToolChoice::Cli(CliKind::Opencode)));
        assert_eq!(tool_in("the codex of laws"), None);
    }

    #[test]
    fn a_title_is_not_the_kind_of_its_document() {
        let table = [
            ("PRD: Shop", "Shop"),
            ("Shop — Technical Design", "Shop"),
            ("Architecture Decision Record: Best time", "Best time"),
            ("Feature: Shop", "Shop"),
            ("PRD: Till: a cash register", "Till"),
            ("Shop", "Shop"),
        ];
        for (title, expected) in table {
            assert_eq!(bare_title(title), expected, "{title}");
        }
    }
}
