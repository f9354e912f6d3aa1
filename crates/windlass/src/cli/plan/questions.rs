//! The questions planning asks, on a terminal only, and all of them can be skipped.

use clap::ValueEnum as _;
use windlass_code::survey::Language;
use windlass_engine::agent::cli::CliKind;
use windlass_planner::derive::{ChosenPhase, DeriveOptions, Derived, Grouping, suggest};
use windlass_planner::lint::Profile;

use super::request::Request;
use super::{METHODS, PlanArgs, ToolChoice};
use crate::cli::CliError;
use crate::world::World;
use windlass_core::plan::Method;

/// Whether questions can be asked at all.
pub(super) fn asks(world: &World, args: &PlanArgs) -> bool {
    world.can_ask && !args.yes && args.input.is_none() && !args.stdout
}

/// Materials, method and tool: a session asks for them.
pub(super) fn materials(world: &World, args: &PlanArgs, request: &mut Request) -> Result<(), CliError> {
    if !asks(world, args) || request.profile != Profile::Ccw {
        return Ok(());
    }
    if args.material.is_empty() {
        let said =
            world.answer("more to go by? paths with commas between them, a line of text, or nothing: ")?;
        request.answered(world, &said)?;
    }
    if request.method.is_none() {
        let said = choice(world, "how are tasks carried out?", &METHODS.map(Method::as_str), "agent")?;
        request.method = METHODS.into_iter().find(|method| method.as_str() == said);
    }
    if request.method != Some(Method::Agent) && request.tool.is_none() {
        let known: Vec<&str> = ToolChoice::value_variants().iter().map(|tool| tool.as_str()).collect();
        let word = choice(world, "with which tool?", &known, CliKind::Codex.as_str())?;
        request.tool = ToolChoice::value_variants().iter().find(|tool| tool.as_str() == word).copied();
    }
    Ok(())
}

/// The language of new files, where nothing else names it. Says whether the plan has to be made again.
pub(super) fn language(
    world: &World,
    args: &PlanArgs,
    options: &mut DeriveOptions,
) -> Result<bool, CliError> {
    if !asks(world, args) {
        return Ok(false);
    }
    let words: Vec<&str> = Language::ALL.iter().map(|language| language.fence()).collect();
    let said = choice(world, "in which language?", &words, "later")?;
    options.language = Language::named(&said);
    Ok(options.language.is_some())
}

/// One of several words; another answer is asked for again.
fn choice(world: &World, question: &str, words: &[&str], usual: &str) -> Result<String, CliError> {
    loop {
        let said = world.answer(&format!("{question} {} [{usual}]: ", words.join(", ")))?.to_lowercase();
        let said = said.replace("customize", "customise");
        if said.is_empty() {
            return Ok(usual.to_owned());
        }
        let begins: Vec<&&str> = words.iter().filter(|word| word.starts_with(said.as_str())).collect();
        match begins.as_slice() {
            _ if words.contains(&said.as_str()) => return Ok(said),
            [only] => return Ok((**only).to_owned()),
            _ => world.tell(&format!("`{said}` is not one of {}\n", words.join(", "))),
        }
    }
}

/// Whether a person can be asked how tasks are grouped: then the draft is flat until the answer.
pub(super) fn asks_for_grouping(world: &World, args: &PlanArgs, profile: Profile) -> bool {
    // CCW has its own two levels.
    asks(world, args) && !args.flat && args.max_depth.is_none() && profile != Profile::Ccw
}

/// The phases first, then yes, no or customise. Says whether the plan has to be made again.
pub(super) fn grouping(
    world: &World,
    args: &PlanArgs,
    derived: &Derived,
    options: &mut DeriveOptions,
) -> Result<bool, CliError> {
    if !asks_for_grouping(world, args, options.profile) {
        return Ok(false);
    }
    let suggestion = suggest(&derived.plan);
    if !suggestion.ask || suggestion.phases.len() < 2 {
        return Ok(false);
    }
    let mut text = format!("{}:\n", suggestion.why);
    for (at, (name, tasks)) in (1..).zip(&suggestion.phases) {
        text.push_str(&format!("  {at}. {name} ({tasks})\n"));
    }
    world.tell(&text);
    let usual = if suggestion.nested { "yes" } else { "no" };
    options.grouping = answer(world, "group them by phase?", usual)?;
    Ok(options.grouping != Grouping::Flat)
}

/// Yes, no or customise: the phases, then the depth.
pub(super) fn answer(world: &World, question: &str, usual: &str) -> Result<Grouping, CliError> {
    Ok(match choice(world, question, &["yes", "no", "customise"], usual)?.as_str() {
        "yes" => Grouping::Nested(3),
        "no" => Grouping::Flat,
        _ => {
            let phases = chosen(world)?;
            let depth = world.answer("how many levels deep at most? [2]: ")?;
            Grouping::Chosen(depth.parse().unwrap_or(2), phases)
        }
    })
}

/// Which of the suggested phases are joined, left in what order, and called what.
fn chosen(world: &World) -> Result<Vec<ChosenPhase>, CliError> {
    loop {
        let said =
            world.answer("which phases? for example `1+2 Core, 3`; nothing keeps them as they are: ")?;
        match phases_in(&said) {
            Some(phases) => return Ok(phases),
            None => world.tell(&format!("`{said}` does not begin each phase with a number\n")),
        }
    }
}

/// `1+2 Core, 3` as phases; `None` where a part has no number.
fn phases_in(text: &str) -> Option<Vec<ChosenPhase>> {
    let phase = |part: &str| {
        let (numbers, name) = part.split_once([' ', ':']).unwrap_or((part, ""));
        let numbers: Option<Vec<usize>> = numbers.split('+').map(|n| n.trim().parse().ok()).collect();
        let name = name.trim();
        Some(ChosenPhase { numbers: numbers?, name: (!name.is_empty()).then(|| name.to_owned()) })
    };
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(phase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_are_chosen_by_number() {
        let phase = |numbers: &[usize], name: Option<&str>| ChosenPhase {
            numbers: numbers.to_vec(),
            name: name.map(str::to_owned),
        };
        let chosen = phases_in("1+2 Core, 3: File I/O,4");
        let expected = vec![phase(&[1, 2], Some("Core")), phase(&[3], Some("File I/O")), phase(&[4], None)];
        assert_eq!(chosen, Some(expected));
        assert_eq!(phases_in(""), Some(Vec::new()));
        assert_eq!(phases_in("core"), None);
    }
}
