//! What `doctor` says of command line agents: which are here, which version, what they can, whether they are logged in.

use std::ffi::OsStr;
use std::thread;

use windlass_engine::agent::cli::{CliKind, quirks_of};

use super::probe::{Finding, Verdict};
use crate::installed::Installed;
use crate::world::World;

/// Looks at all of them at once: each takes its time.
pub(super) fn look(world: &World) -> Vec<Finding> {
    thread::scope(|scope| {
        let looks = CliKind::ALL.map(|kind| scope.spawn(move || look_at(world, kind)));
        looks.into_iter().filter_map(|look| look.join().ok()).collect()
    })
}

fn look_at(world: &World, kind: CliKind) -> Finding {
    let facts = kind.facts();
    let Some(found) = Installed::look(world, kind, OsStr::new(facts.program)) else {
        let said = format!("not installed (`{}`)", kind.install());
        return Finding::new(facts.program, Verdict::Told, said);
    };
    let version = found.version.map_or_else(|| "version unknown".into(), |v| v.to_string());
    let login = found.login.clone().unwrap_or_else(|| "not logged in".into());
    let tried = if found.version == Some(facts.tested) { "" } else { " (not the version that was tried)" };
    let said = format!("{version}{tried} · {login} · {}", facts.abilities.join(", "));
    let verdict = match (found.warning(), &found.login) {
        (Some(_), _) => Verdict::Weak,
        (None, None) => Verdict::Told,
        (None, Some(_)) => Verdict::Fine,
    };
    let mut finding = Finding::new(facts.program, verdict, said);
    finding.hint = found.warning().or_else(|| found.login.is_none().then(|| facts.login.how.to_owned()));
    finding.notes = quirks_of(kind).map(|q| format!("{} ({}): {}", q.what, q.seen, q.answer)).collect();
    finding
}
