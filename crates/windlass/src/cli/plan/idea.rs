//! A plan from a bare idea: an agent proposes phases, a person says yes, no or customise, and the agent fills them.

use serde_json::Value;
use windlass_core::plan::{Plan, Task};
use windlass_engine::planning::PlannerEnd;
use windlass_planner::derive::{ChosenPhase, Derived, Grouping, Note, NoteKind};

use super::PlanArgs;
use super::agent::{Improved, Improving, Planner};
use super::messages::Stages;
use super::questions;
use crate::cli::CliError;

/// A phase that an agent proposed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ProposedPhase {
    title: String,
    about: String,
}

/// What is asked first.
pub(super) fn phases_brief(name: &str, idea: &str, findings: &[String]) -> String {
    let again = match findings {
        [] => String::new(),
        wrong => format!("\n## What was wrong with your last answer\n- {}\n", wrong.join("\n- ")),
    };
    format!(
        "# {name}\n\n\
         Your part: propose the phases of this project. Plan only: no code, no tests, no files.\n\n\
         ## The idea\n{}\n\n\
         ## Rules\n\
         - Up to ten phases, in the order in which they are carried out; later ones build on what earlier ones make.\n\
         - A phase has a short title, and one sentence about what it makes.\n\
         - A single feature is one phase.\n\
         {again}\n\
         ## Your answer\nAnswer with JSON of this form, and nothing else:\n\n\
         {{\"phases\": [{{\"title\": \"Foundation\", \"about\": \"architecture, tests, project set-up\"}}]}}\n",
        idea.trim()
    )
}

/// The plan of an idea; `None` where the agent was stopped.
pub(super) fn plan(
    of: &Improving<'_>,
    planner: &Planner,
    args: &PlanArgs,
    stages: &mut Stages<'_>,
) -> Result<Option<Derived>, CliError> {
    let idea: Vec<&str> = of.request.documents.iter().map(|d| d.text.trim()).collect();
    let idea = idea.join("\n\n");
    let empty = Derived::default();
    let (phases, spent) = match of.proposed(planner, &empty, &idea)? {
        Proposal::Phases(phases, spent) => (phases, spent),
        Proposal::Interrupted => return Ok(None),
    };
    stages.end(&format!("{} proposes {} phases ({spent})", planner.name, phases.len()));
    let mut text = String::from("the project in phases:\n");
    for (at, phase) in (1..).zip(&phases) {
        let about = if phase.about.is_empty() { String::new() } else { format!(" ({})", phase.about) };
        text.push_str(&format!("  {at}. {}{about}\n", phase.title));
    }
    of.world.tell(&text);
    let grouping = match (args.flat, questions::asks(of.world, args)) {
        (true, _) => Grouping::Flat,
        (false, true) => questions::answer(of.world, "create detailed sub-tasks for each phase?", "yes")?,
        (false, false) => Grouping::Nested(2),
    };
    let phases = match &grouping {
        Grouping::Chosen(_, chosen) => chosen_of(phases, chosen),
        Grouping::Suggested | Grouping::Flat | Grouping::Nested(_) => phases,
    };
    let mut derived = draft(of, &idea, &phases, &grouping);
    stages.begin("agent");
    match of.improve(planner, &mut derived, stages)? {
        Improved::Yes => {}
        Improved::Interrupted => return Ok(None),
    }
    if grouping != Grouping::Flat {
        filled(&derived.plan, &planner.name)?;
    }
    derived.notes.clear();
    Ok(Some(derived))
}

/// How the first question ended.
pub(super) enum Proposal {
    /// The phases, and what they cost.
    Phases(Vec<ProposedPhase>, String),
    Interrupted,
}

/// The phases of an answer, wherever it is.
pub(super) fn proposed_phases(end: &PlannerEnd) -> Result<Vec<ProposedPhase>, Vec<String>> {
    let PlannerEnd::Said { answer, file, words } = end else { return Err(vec!["no answer".to_owned()]) };
    let texts = [file.as_deref(), Some(words.as_str())];
    let inner = |text: &str| {
        let (from, to) = (text.find('{')?, text.rfind('}')?);
        serde_json::from_str::<Value>(text.get(from..=to)?).ok()
    };
    let written = texts.into_iter().flatten().filter_map(inner);
    let found = answer.clone().into_iter().chain(written).find(|value| value["phases"].is_array());
    let value = found.ok_or_else(|| vec!["the answer has no list `phases`".to_owned()])?;
    let phase = |value: &Value| {
        let title = value.as_str().or_else(|| value["title"].as_str()).or_else(|| value["name"].as_str())?;
        let about = value["about"].as_str().or_else(|| value["description"].as_str()).unwrap_or_default();
        let title = title.trim();
        (!title.is_empty()).then(|| ProposedPhase { title: title.to_owned(), about: about.trim().to_owned() })
    };
    let phases: Option<Vec<ProposedPhase>> =
        value["phases"].as_array().into_iter().flatten().map(phase).collect();
    match phases {
        Some(phases) if phases.is_empty() => Err(vec!["the list `phases` is empty".to_owned()]),
        Some(phases) => Ok(phases),
        None => Err(vec!["every phase needs a `title`".to_owned()]),
    }
}

/// The phases that a person made of the proposed ones.
fn chosen_of(phases: Vec<ProposedPhase>, chosen: &[ChosenPhase]) -> Vec<ProposedPhase> {
    if chosen.is_empty() {
        return phases;
    }
    let one = |wish: &ChosenPhase| {
        let parts: Vec<&ProposedPhase> =
            wish.numbers.iter().filter_map(|n| phases.get(n.checked_sub(1)?)).collect();
        let titles: Vec<&str> = parts.iter().map(|p| p.title.as_str()).collect();
        let about: Vec<&str> = parts.iter().map(|p| p.about.as_str()).filter(|a| !a.is_empty()).collect();
        let title = wish.name.clone().unwrap_or_else(|| titles.join(", "));
        (!parts.is_empty()).then(|| ProposedPhase { title, about: about.join("; ") })
    };
    chosen.iter().filter_map(one).collect()
}

/// A plan of phases without tasks, and what is open about it.
fn draft(of: &Improving<'_>, idea: &str, phases: &[ProposedPhase], grouping: &Grouping) -> Derived {
    let title = idea.lines().next().unwrap_or_default().trim_start_matches(['#', ' ']).to_owned();
    let mut plan = Plan {
        name: of.options.name.clone(),
        title: Some(title),
        objective: idea.to_owned(),
        profile: Some(of.options.profile.as_str().to_owned()),
        ..Plan::default()
    };
    let mut notes = Vec::new();
    for (at, phase) in (1..).zip(phases) {
        let name = format!("Phase {at}: {}", phase.title);
        let id = format!("phase-{at}");
        let nested = *grouping != Grouping::Flat;
        plan.tasks.push(Task {
            id: id.clone(),
            title: if nested { name.clone() } else { phase.title.clone() },
            objective: if phase.about.is_empty() { phase.title.clone() } else { phase.about.clone() },
            phase: Some(name.clone()),
            sub_plan: nested.then(|| id.clone()),
            ..Task::default()
        });
        let text = if nested {
            format!(
                "`{id}` has no tasks yet: add tasks with `parent: {id}`, fewer than ten, each with its files, its test \
             file and acceptance criteria"
            )
        } else {
            format!("`{id}` names no files and no tests yet")
        };
        notes.push(Note { kind: NoteKind::NotPlaced, text, span: None, help: None, criterion: None });
        plan.phases.push(name);
    }
    Derived { plan, notes, ..Derived::default() }
}

/// Every phase must have become tasks.
fn filled(plan: &Plan, planner: &str) -> Result<(), CliError> {
    let empty = |task: &&Task| {
        task.sub_plan.is_some() && !plan.tasks.iter().any(|other| other.parent.as_ref() == Some(&task.id))
    };
    let left: Vec<String> = plan.tasks.iter().filter(empty).map(|task| format!("`{}`", task.title)).collect();
    if left.is_empty() {
        return Ok(());
    }
    Err(CliError::findings(format!("`{planner}` made no tasks for {}", left.join(", ")))
        .hint("try again, or describe what is wanted in a document with acceptance criteria"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn phases_are_read_wherever_they_are() {
        let said = |answer: Option<Value>, words: &str| {
            let end = PlannerEnd::Said { answer, file: None, words: words.to_owned() };
            proposed_phases(&end).map(|all| all.into_iter().map(|p| p.title).collect::<Vec<_>>())
        };
        let fenced =
            "Here:\n```json\n{\"phases\": [{\"title\": \"Buffer\", \"about\": \"text\"}, \"File I/O\"]}\n```";
        assert_eq!(said(None, fenced), Ok(vec!["Buffer".to_owned(), "File I/O".to_owned()]));
        assert_eq!(said(Some(json!({"phases": [{"name": "A"}]})), ""), Ok(vec!["A".to_owned()]));
        assert!(said(None, "{\"phases\": []}").is_err());
        assert!(said(None, "{\"phases\": [{}]}").is_err());
        assert!(said(None, "no idea").is_err());
    }
}
