//! Which processors the machines of a run have. They are asked only if a task needs one.

use tokio::task::JoinSet;
use windlass_core::ids::TaskId;
use windlass_core::plan::Task;
use windlass_core::policy::{PlaceRules, architecture_labels, is_architecture};
use windlass_engine::place::architecture_of;
use windlass_engine::run::RunRequest;

/// Gives this machine and every place the labels of its processor. Places whose labels name one are not asked. What is to be
/// said about those that did not answer.
///
/// A carrier keeps its connection to a broker: it is asked in the runtime that the run has.
pub(crate) async fn ask_architectures(request: &mut RunRequest) -> Vec<String> {
    let wanted = |id: &TaskId| request.only.is_empty() || request.only.contains(id);
    let asks = |task: &Task| task.needs.iter().any(|need| is_architecture(need));
    if !request.runnable.leaves().any(|(node, task)| wanted(&node.id) && asks(task)) {
        return Vec::new();
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
    let mut asked = JoinSet::new();
    for (name, spec) in &request.config.places {
        if settings.places.get(name).is_some_and(|rules| !said(rules)) {
            let (name, spec, version) = (name.clone(), spec.clone(), request.version.clone());
            asked.spawn(async move { (name, architecture_of(&spec, &version).await) });
        }
    }
    let mut notes = Vec::new();
    for (name, answer) in asked.join_all().await {
        match (answer, settings.places.get_mut(&name)) {
            (Ok(arch), Some(rules)) => rules.labels.extend(architecture_labels(&arch)),
            (Ok(_), None) => {}
            (Err(reason), _) => {
                notes.push(format!("it is not known which processor the place `{name}` has: {reason}"));
            }
        }
    }
    notes.sort();
    notes
}
