//! `windlass doctor`: checks that everything Windlass needs is installed, and how strong the sandbox is.

use std::fmt::Write as _;

use clap::Args;
use windlass_engine::place::{CarrierWorker, PlaceLoss, probe_place};
use windlass_engine::sandbox::SandboxRung;

use super::probe::{ProbeFinding, ProbeVerdict, probe};
use super::{CliError, Exit};
use crate::config::PlaceKeys;
use crate::input::Configuration;
use crate::render::{Paint, Screen, pad};
use crate::running::{places, runtime};
use crate::world::World;

/// Check that everything Windlass needs is installed
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DoctorArgs {
    /// Try a place of `[places]`: what works there.
    #[arg(long, value_name = "NAME")]
    place: Option<String>,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass doctor
  windlass doctor --json | jq .";

/// Looks at the machine and the repository.
pub(crate) fn cmd_doctor(world: &World, args: &DoctorArgs) -> Result<Exit, CliError> {
    let findings = match &args.place {
        Some(name) => look_at_place(world, name)?,
        None => probe(world),
    };
    if args.json {
        let doc = serde_json::json!({ "schema": "windlass.doctor/1", "findings": findings });
        world.print(&(serde_json::to_string_pretty(&doc)? + "\n"))?;
    } else {
        world.print(&human(&findings, args.place.as_deref(), &world.out))?;
    }
    let missing = findings.iter().any(|f| f.verdict == ProbeVerdict::Missing);
    Ok(if missing { Exit::Environment } else { Exit::Fine })
}

/// Greets a place, and tells what it has.
fn look_at_place(world: &World, name: &str) -> Result<Vec<ProbeFinding>, CliError> {
    let found = Configuration::find(world)?;
    let settings = found.trusted(world)?;
    let mut known = places(world, &settings)?;
    let Some(spec) = known.remove(name) else {
        let names: Vec<String> = known.keys().map(|name| format!("`{name}`")).collect();
        let error = CliError::usage(format!("there is no place `{name}`"));
        return Err(if names.is_empty() {
            error.hint("windlass.toml has no `[places]`")
        } else {
            error.hint(format!("places: {}", names.join(", ")))
        });
    };
    let (what, way) = spec.carrier.described();
    let mut findings = vec![ProbeFinding::new(what, ProbeVerdict::Told, way)];
    findings
        .extend(settings.places.get(name).map(|keys| odd_settings(world, name, keys)).unwrap_or_default());
    let probed = runtime(2)?.block_on(async {
        let there = spec.carrier.roster().await.map_err(|reason| PlaceLoss { reason, refused: false })?;
        let probed = probe_place(&spec, env!("CARGO_PKG_VERSION")).await;
        spec.carrier.finish().await;
        probed.map(|probe| (there, probe))
    });
    let probe = match probed {
        Ok((there, probe)) => {
            let worker = |worker: CarrierWorker| ProbeFinding::new("worker", ProbeVerdict::Fine, worker.line);
            findings.extend(there.into_iter().map(worker));
            probe
        }
        Err(PlaceLoss { reason, refused }) => {
            let lost = ProbeFinding::new(name, ProbeVerdict::Missing, reason);
            // A place that answers and says no says what to do.
            findings.push(if refused { lost } else { lost.hint(spec.carrier.advice()) });
            return Ok(findings);
        }
    };
    let (ready, millis) = (probe.ready, |time: std::time::Duration| time.as_millis());
    let answered = format!("windlass {} answered after {} ms", ready.version, millis(probe.connect));
    findings.push(ProbeFinding::new(name, ProbeVerdict::Fine, answered));
    let megabyte = format!("a megabyte takes {} ms", millis(probe.megabyte));
    findings.push(ProbeFinding::new("link", ProbeVerdict::Told, megabyte));
    findings.push(ProbeFinding::new(
        "machine",
        ProbeVerdict::Told,
        format!("{}, git {}", ready.arch, ready.git),
    ));
    let is_strong = SandboxRung::parse(&ready.rung).is_some_and(SandboxRung::has_own_root);
    let verdict = if is_strong { ProbeVerdict::Fine } else { ProbeVerdict::Weak };
    findings.push(ProbeFinding::new("sandbox", verdict, ready.rung));
    findings.push(if ready.agents.is_empty() {
        let none =
            ProbeFinding::new("agents", ProbeVerdict::Weak, "none of the known agents is installed there");
        none.hint(
            "install the agent of your runs there and log in; a `cmd:` agent needs its own program only",
        )
    } else {
        ProbeFinding::new("agents", ProbeVerdict::Told, ready.agents.join(", "))
    });
    Ok(findings)
}

/// Settings of a place with which nothing runs there, or not as it was meant.
fn odd_settings(world: &World, name: &str, keys: &PlaceKeys) -> Vec<ProbeFinding> {
    let mut findings = Vec::new();
    if keys.slots == 0 {
        let none = ProbeFinding::new("slots", ProbeVerdict::Weak, "0: nothing runs there");
        findings.push(none.hint(format!("set `places.{name}.slots`")));
    }
    let set = world.env_of(keys.logins.iter().map(String::as_str));
    for login in keys.logins.iter().filter(|login| !set.iter().any(|(known, _)| known == login.as_str())) {
        let unset = format!("`{login}` is not set here, so agents there do not get it");
        findings.push(
            ProbeFinding::new("logins", ProbeVerdict::Weak, unset).hint("set it where runs are started"),
        );
    }
    findings
}

fn human(findings: &[ProbeFinding], place: Option<&str>, screen: &Screen) -> String {
    let mut text = String::new();
    for finding in findings {
        let (sign, paint) = match finding.verdict {
            ProbeVerdict::Fine => ("✓", Paint::Good),
            ProbeVerdict::Told => ("·", Paint::Faint),
            ProbeVerdict::Weak => ("!", Paint::Warning),
            ProbeVerdict::Missing => ("✗", Paint::Error),
        };
        let _ = writeln!(text, "{} {} {}", screen.paint(paint, sign), pad(&finding.what, 14), finding.found);
        if let Some(hint) = &finding.hint {
            let _ = writeln!(text, "{}{} {hint}", " ".repeat(17), screen.paint(Paint::Help, "hint:"));
        }
    }
    let count = |verdict| findings.iter().filter(|f| f.verdict == verdict).count();
    let (missing, weak) = (count(ProbeVerdict::Missing), count(ProbeVerdict::Weak));
    text.push('\n');
    let verdict = match (missing, weak, place) {
        (0, 0, _) => "everything needed is installed".to_owned(),
        (0, n, _) => format!("everything needed is installed; {n} could be better"),
        (n, _, None) => format!("{n} missing: `windlass run` would refuse to start"),
        (_, _, Some(place)) => format!("`{place}` cannot be used: `windlass run` would go on without it"),
    };
    text.push_str(&verdict);
    text.push('\n');
    text
}
