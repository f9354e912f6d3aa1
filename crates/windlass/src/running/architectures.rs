//! Which processors the machines of a run have. They are asked only if a task needs one.

use tokio::task::JoinSet;
use windlass_core::ids::TaskId;
use windlass_core::plan::Task;
use windlass_core::policy::{PlaceRules, architecture_labels, is_architecture};
use windlass_engine::place::architecture_of;
use windlass_engine::run::RunRequest;

use super::runtime;
use crate::cli::CliError;

/// Gives this machine and every place the labels of its processor. Places whose labels name one are not asked. What is to be
/// said about those that did not answer.
pub(crate) fn ask_architectures(request: &mut RunRequest) -> Result<Vec<String>, CliError> {
    let wanted = |id: &TaskId| request.only.is_empty() || request.only.contains(id);
    let asks = |task: &Task| task.needs.iter().any(|need| is_architecture(need));
    if !request.runnable.leaves().any(|(node, task, _)| wanted(&node.id) && asks(task)) {
        return Ok(Vec::new());
    }
    let settings = &mut request.config.settings;
    settings.here = architecture_labels(std::env::consts::ARCH);
    let said = |rules: &PlaceRules| rules.labels.iter().any(|label| is_architecture(label));
    for rules in settings.places.values_mut() {
        let named: Vec<String> =
            rules.labels.iter().filter(|label| is_architecture(label)).cloned().collect();
        rules.labels.extend(named.iter().flat_map(|arch| architecture_labels(arch)));
        rules.labels.sort();
        rules.labels.dedup();
    }
    let unknown = settings.places.iter().filter(|(_, rules)| !said(rules)).map(|(name, _)| name.clone());
    let unknown: Vec<String> = unknown.collect();
    let (places, version) = (&request.config.places, &request.version);
    let answers = runtime(2)?.block_on(async {
        let mut asked = JoinSet::new();
        for (name, spec) in
            unknown.into_iter().filter_map(|name| Some((name.clone(), places.get(&name)?.clone())))
        {
            let version = version.clone();
            asked.spawn(async move { (name, architecture_of(&spec, &version).await) });
        }
        asked.join_all().await
    });
    let mut notes = Vec::new();
    for (name, answer) in answers {
        match (answer, settings.places.get_mut(&name)) {
            (Ok(arch), Some(rules)) => rules.labels.extend(architecture_labels(&arch)),
            (Ok(_), None) => {}
            (Err(reason), _) => {
                notes.push(format!("it is not known which processor the place `{name}` has: {reason}"));
            }
        }
    }
    notes.sort();
    Ok(notes)
}
