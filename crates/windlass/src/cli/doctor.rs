//! `windlass doctor`: checks that everything Windlass needs is installed, and how strong the sandbox is.

use std::fmt::Write as _;

use clap::Args;

use super::probe::{ProbeFinding, ProbeVerdict, probe};
use super::{CliError, Exit};
use crate::render::{Paint, Screen, pad};
use crate::world::World;

/// Check that everything Windlass needs is installed
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DoctorArgs {
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
    let findings = probe(world);
    if args.json {
        let doc = serde_json::json!({ "schema": "windlass.doctor/1", "findings": findings });
        world.print(&(serde_json::to_string_pretty(&doc)? + "\n"))?;
    } else {
        world.print(&human(&findings, &world.out))?;
    }
    let missing = findings.iter().any(|f| f.verdict == ProbeVerdict::Missing);
    Ok(if missing { Exit::Environment } else { Exit::Fine })
}

fn human(findings: &[ProbeFinding], screen: &Screen) -> String {
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
    let verdict = match (missing, weak) {
        (0, 0) => "everything needed is installed".to_owned(),
        (0, n) => format!("everything needed is installed; {n} could be better"),
        (n, _) => format!("{n} missing: `windlass run` would refuse to start"),
    };
    text.push_str(&verdict);
    text.push('\n');
    text
}
