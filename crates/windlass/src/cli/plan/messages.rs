//! What planning says while it works and about what it assumed.

use std::fmt::Write as _;

use windlass_planner::derive::{Derived, Note, NoteKind};
use windlass_planner::repository::Repository;
use windlass_planner::spec::{DocumentKind, Spec};

use super::request::Request;
use crate::cli::CliError;
use crate::render::{Paint, counted};
use crate::world::World;

/// How many notes of a kind a person is shown.
pub(super) const SHOWN: usize = 4;

/// The phases of planning, told as they go.
pub(super) struct Stages<'w> {
    world: &'w World,
    current: &'static str,
    quiet: bool,
}

/// The phases, in order.
const STAGES: [&str; 4] = ["documents", "code", "specification", "plan"];

impl<'w> Stages<'w> {
    pub(super) fn new(world: &'w World, quiet: bool) -> Self {
        Self { world, current: "", quiet }
    }

    /// A phase is in progress; those behind it are pending.
    pub(super) fn begin(&mut self, name: &'static str) {
        self.current = name;
        if self.world.err.terminal && !self.quiet {
            let mark = self.world.err.paint(Paint::Busy, "…");
            let pending: Vec<&str> = STAGES.iter().copied().skip_while(|s| *s != name).skip(1).collect();
            let pending = pending.join(", ");
            let then = if pending.is_empty() { String::new() } else { format!(" (pending: {pending})") };
            self.world.tell(&format!("{mark} {name}{then}\r"));
        }
    }

    /// It is done.
    pub(super) fn end(&mut self, said: &str) {
        if !self.quiet {
            let mark = self.world.err.paint(Paint::Good, "✓");
            // The line may still hold what was pending.
            let clear = if self.world.err.terminal { "\u{1b}[K" } else { "" };
            self.world.tell(&format!("{mark} {}: {said}{clear}\n", self.current));
        }
    }
}

impl Stages<'_> {
    /// What could not be read is said also where the stages are not.
    pub(super) fn left_out(&self, skipped: &[String]) {
        for why in skipped.iter().filter(|_| self.quiet) {
            self.world.tell(&format!("left out: {why}\n"));
        }
    }
}

/// What was gathered.
pub(super) fn gathered(request: &Request) -> String {
    let mut text = format!("{} read", counted(request.documents.len(), "file"));
    for why in &request.skipped {
        let _ = write!(text, "; left out: {why}");
    }
    text
}

/// What the repository holds.
pub(super) fn surveyed(repository: &Repository<'_>) -> String {
    let survey = repository.survey();
    if survey.paths.is_empty() {
        return "nothing here yet".to_owned();
    }
    let mut text =
        format!("{}, {}", counted(survey.paths.len(), "file"), counted(survey.sources.len(), "source file"));
    if let Some(style) = survey.conventions.iter().find_map(|c| c.style) {
        let _ = write!(text, ", tests with {}", style.framework.as_str());
    }
    text
}

/// What the documents say.
pub(super) fn read(spec: &Spec) -> String {
    let counts = [
        (spec.stories.len(), "story", "stories"),
        (spec.criteria.len(), "criterion", "criteria"),
        (spec.decisions.len(), "decision", "decisions"),
        (spec.components.len(), "component", "components"),
        (spec.tasks.len(), "stated task", "stated tasks"),
    ];
    let named = counts.into_iter().filter(|(n, ..)| *n > 0);
    let parts: Vec<String> =
        named.map(|(n, one, many)| format!("{n} {}", if n == 1 { one } else { many })).collect();
    if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
}

/// What came of it.
pub(super) fn derived(derived: &Derived) -> String {
    let parts = derived.plan.tasks.iter().filter(|t| t.parent.is_some()).count();
    let own = derived.plan.tasks.len() - parts;
    if parts == 0 {
        counted(own, "task")
    } else {
        format!("{} with {}", counted(own, "task"), counted(parts, "part"))
    }
}

/// Why there is no plan.
pub(super) fn nothing(spec: &Spec, derived: &Derived, phase: Option<u32>) -> CliError {
    let no_phase = derived.notes.iter().rev().find(|note| phase.is_some() && note.kind == NoteKind::LeftOut);
    if let Some(note) = no_phase {
        return CliError::usage(note.text.clone()).hint("`windlass plan` without `--phase` plans all of it");
    }
    let mut error = if spec.files.is_empty() && spec.components.iter().all(|c| c.files.is_empty()) {
        CliError::usage("the documents name no files, and there is no code here to tell the language from")
            .hint("add a design with a table of files: `| File | Task | Operation |`")
            .hint("or say which language new files are in: `--language python`")
            .hint("or run it in the repository the plan is for")
    } else {
        CliError::usage("nothing is left to plan")
    };
    for note in derived.notes.iter().take(SHOWN) {
        error = error.hint(note.text.clone());
    }
    error
}

/// Everything that was assumed or could not be placed, in order of weight.
pub(super) fn notes(world: &World, spec: &Spec, derived: &Derived, most: usize) -> String {
    let mut text = String::new();
    let mut cut = false;
    let mut notes: Vec<&Note> = derived.notes.iter().collect();
    notes.sort_by_key(|n| n.kind);
    let mut at = 0;
    while let Some(first) = notes.get(at) {
        let alike: Vec<&&Note> = notes[at..].iter().take_while(|n| n.kind == first.kind).collect();
        // One more line says no less than a line that there is one more.
        let shown = if alike.len() <= most.saturating_add(1) { alike.len() } else { most };
        for (n, note) in alike.iter().take(shown).enumerate() {
            let next = alike.get(n + 1).filter(|_| n + 1 < shown);
            let help = note.help.as_deref().filter(|help| next.and_then(|n| n.help.as_deref()) != Some(help));
            one(world, spec, note, help, &mut text);
        }
        if alike.len() > shown {
            let _ = writeln!(text, "  … and {} more of these", alike.len() - shown);
            cut = true;
        }
        at += alike.len();
    }
    let two = spec.documents.iter().filter(|d| d.kind == DocumentKind::Requirements).count();
    if two > 1 {
        let _ = writeln!(text, "note: {two} documents hold requirements; they were read as one");
    }
    for remark in spec.unplaced.iter().take(most) {
        let place = spec.sources.position(remark.span);
        let file = &spec.sources.file(remark.span.file).path;
        let under =
            if remark.heading.is_empty() { String::new() } else { format!(" under `{}`", remark.heading) };
        let _ = writeln!(text, "not placed: {}{under} ({file}:{})", remark.text, place.line);
    }
    if spec.unplaced.len() > most {
        let _ = writeln!(text, "  … and {} more that no reader could place", spec.unplaced.len() - most);
        cut = true;
    }
    if cut {
        let _ = writeln!(text, "  {}: `--notes` says all of them", world.err.paint(Paint::Help, "help"));
    }
    text
}

fn one(world: &World, spec: &Spec, note: &Note, help: Option<&str>, text: &mut String) {
    let paint = match note.kind {
        NoteKind::CoverageGap
        | NoteKind::Question
        | NoteKind::Language
        | NoteKind::Contradiction
        | NoteKind::NoRunner
        | NoteKind::Unread => Paint::Warning,
        NoteKind::Unsure | NoteKind::Assumed | NoteKind::LeftOut | NoteKind::NotPlaced => Paint::Note,
    };
    let place = note.span.map(|span| {
        let file = &spec.sources.file(span.file).path;
        format!(" ({file}:{})", spec.sources.position(span).line)
    });
    let label = world.err.paint(paint, note.kind.as_str());
    let _ = writeln!(text, "{label}: {}{}", note.text, place.unwrap_or_default());
    if let Some(help) = help {
        let _ = writeln!(text, "  {}: {help}", world.err.paint(Paint::Help, "help"));
    }
}
