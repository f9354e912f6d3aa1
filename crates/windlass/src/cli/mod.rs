//! The command line: one file per command, each with its arguments and what it does.

mod agents;
mod answer;
mod approve;
mod attend;
mod attest;
mod audit;
mod brief;
mod cancel;
mod check;
mod checked;
mod clean;
mod completing;
mod completions;
mod config;
mod demo;
mod diff;
mod doctor;
mod done_before;
mod dry_run;
mod error;
mod exit;
mod explain;
mod export;
mod familiarity;
mod graph;
mod hold_out;
mod import;
mod init;
mod known;
mod land;
mod live_outputs;
mod logs;
mod man;
mod mcp;
mod next;
mod pause;
mod plan;
mod pr;
mod probe;
mod proofs;
mod reopen;
mod report;
mod resume;
mod retry;
mod run;
mod show;
mod since_last_run;
mod skill;
mod skip;
mod state;
mod status;
#[cfg(any(feature = "tui", feature = "web", feature = "mcp"))]
mod steering;
mod sync;
mod trust;
mod ui;
mod wishing;
mod writing;

use std::path::PathBuf;

use clap::{CommandFactory as _, Parser, Subcommand};

pub(crate) use checked::{CheckedPlan, seal_options};
pub(crate) use error::CliError;
pub(crate) use exit::Exit;
pub(crate) use state::unknown_task;
#[cfg(feature = "tui")]
pub(crate) use {
    diff::{change_of, diff_text},
    live_outputs::outputs_below,
    logs::output_of,
    show::{Shelf, evidence_of},
    state::{PlanState, run_state, titles},
    status::{pending_wishes, wish_words},
    steering::leave,
};

/// What the MCP server needs of the commands that do the same.
#[cfg(feature = "mcp")]
pub(crate) mod steer {
    pub(crate) use super::state::{PlanState, StateArgs, task_in};
    pub(crate) use super::steering::leave;
}

/// What the page needs of the commands that show and ask the same.
#[cfg(feature = "web")]
pub(crate) mod shared {
    pub(crate) use super::brief::{brief_doc, purpose_of};
    pub(crate) use super::checked::{CheckedPlan, PlanSelection, ProfileArgs};
    pub(crate) use super::live_outputs::newest;
    pub(crate) use super::logs::output_of;
    pub(crate) use super::show::evidence_of;
    pub(crate) use super::state::{PlanState, StateArgs, liveness, plan_of, task_in};
    pub(crate) use super::status::wishes_left;
    pub(crate) use super::steering::leave;
}

use crate::world::{ColourWish, World};

/// Windlass turns specifications into verified commits.
///
/// It carries out a plan of small, test-bounded tasks with coding agents, each in its own isolated clone, and lets
/// nothing into the branch that a verifier the agents cannot reach has not seen go red, then green.
#[derive(Debug, Parser)]
#[command(name = "windlass", version, long_version = LONG_VERSION, arg_required_else_help = true, max_term_width = 100)]
#[command(after_help = AFTER_HELP)]
struct Cli {
    /// Show colours: on terminals, always or never.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        value_enum,
        default_value_t,
        hide_possible_values = true
    )]
    #[arg(help_heading = "Everywhere")]
    color: ColourWish,

    /// Work as if started in this directory.
    #[arg(short = 'C', long = "directory", global = true, value_name = "DIR", help_heading = "Everywhere")]
    directory: Option<PathBuf>,

    #[command(subcommand)]
    command: CliCommand,
}

/// The version with what it is built from.
const LONG_VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("WINDLASS_BUILD"), ")");

const AFTER_HELP: &str = "\
Exit codes: 0 fine · 1 findings or failed tasks · 2 usage or unreadable input · 3 a person is needed · \
4 environment · 130 interrupted

Begin with `windlass demo`, or in your own repository with `windlass init`.";

#[derive(Debug, Subcommand)]
enum CliCommand {
    Demo(demo::DemoArgs),
    Init(init::InitArgs),
    Plan(plan::PlanArgs),
    Check(check::CheckArgs),
    Explain(explain::ExplainArgs),
    Graph(graph::GraphArgs),
    Export(export::ExportArgs),
    Import(import::ImportArgs),
    Run(run::RunArgs),
    Status(status::StatusArgs),
    Show(show::ShowArgs),
    Logs(logs::LogsArgs),
    Diff(diff::DiffArgs),
    Ui(ui::UiArgs),
    Next(next::NextArgs),
    Pause(pause::PauseArgs),
    Resume(resume::ResumeArgs),
    Cancel(cancel::CancelArgs),
    Retry(retry::RetryArgs),
    Reopen(reopen::ReopenArgs),
    Skip(skip::SkipArgs),
    Approve(approve::ApproveArgs),
    Answer(answer::AnswerArgs),
    Land(land::LandArgs),
    Sync(sync::SyncArgs),
    Pr(pr::PrArgs),
    Audit(audit::AuditArgs),
    Attest(attest::AttestArgs),
    Report(report::ReportArgs),
    HoldOut(hold_out::HoldOutArgs),
    Skill(skill::SkillArgs),
    Mcp(mcp::McpArgs),
    Config(config::ConfigArgs),
    Trust(trust::TrustArgs),
    Clean(clean::CleanArgs),
    Doctor(doctor::DoctorArgs),
    Attend(attend::AttendArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

/// The program: the command line in, how it ended out.
pub(crate) fn main() -> Exit {
    // A shell that completes starts the program with this variable set.
    clap_complete::CompleteEnv::with_factory(Cli::command).var(completions::VARIABLE).complete();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(told) => {
            // Help and version are no errors to clap's exit code, nor to ours.
            let exit = if told.use_stderr() { Exit::Usage } else { Exit::Fine };
            let _ = told.print();
            return exit;
        }
    };
    let world = match World::look(cli.color, cli.directory.as_deref()) {
        Ok(world) => world,
        Err(error) => return complain(&error),
    };
    match dispatch(&world, cli.command) {
        Ok(exit) => exit,
        Err(error) => {
            world.tell(&error.render(&world.err));
            error.exit
        }
    }
}

fn dispatch(world: &World, command: CliCommand) -> Result<Exit, CliError> {
    match command {
        CliCommand::Demo(args) => demo::cmd_demo(world, &args),
        CliCommand::Init(args) => init::cmd_init(world, &args),
        CliCommand::Plan(args) => plan::cmd_plan(world, &args),
        CliCommand::Check(args) => check::cmd_check(world, &args),
        CliCommand::Explain(args) => explain::cmd_explain(world, &args),
        CliCommand::Graph(args) => graph::cmd_graph(world, &args),
        CliCommand::Export(args) => export::cmd_export(world, &args),
        CliCommand::Import(args) => import::cmd_import(world, &args),
        CliCommand::Run(args) => run::cmd_run(world, &args),
        CliCommand::Status(args) => status::cmd_status(world, &args),
        CliCommand::Show(args) => show::cmd_show(world, &args),
        CliCommand::Logs(args) => logs::cmd_logs(world, &args),
        CliCommand::Diff(args) => diff::cmd_diff(world, &args),
        CliCommand::Ui(args) => ui::cmd_ui(world, &args),
        CliCommand::Next(args) => next::cmd_next(world, &args),
        CliCommand::Pause(args) => pause::cmd_pause(world, &args),
        CliCommand::Resume(args) => resume::cmd_resume(world, &args),
        CliCommand::Cancel(args) => cancel::cmd_cancel(world, &args),
        CliCommand::Retry(args) => retry::cmd_retry(world, &args),
        CliCommand::Reopen(args) => reopen::cmd_reopen(world, &args),
        CliCommand::Skip(args) => skip::cmd_skip(world, &args),
        CliCommand::Approve(args) => approve::cmd_approve(world, &args),
        CliCommand::Answer(args) => answer::cmd_answer(world, &args),
        CliCommand::Land(args) => land::cmd_land(world, &args),
        CliCommand::Sync(args) => sync::cmd_sync(world, &args),
        CliCommand::Pr(args) => pr::cmd_pr(world, &args),
        CliCommand::Audit(args) => audit::cmd_audit(world, &args),
        CliCommand::Attest(args) => attest::cmd_attest(world, &args),
        CliCommand::Report(args) => report::cmd_report(world, &args),
        CliCommand::HoldOut(args) => hold_out::cmd_hold_out(world, &args),
        CliCommand::Skill(args) => skill::cmd_skill(world, &args),
        CliCommand::Mcp(args) => mcp::cmd_mcp(world, &args),
        CliCommand::Config(args) => config::cmd_config(world, &args),
        CliCommand::Trust(args) => trust::cmd_trust(world, &args),
        CliCommand::Clean(args) => clean::cmd_clean(world, &args),
        CliCommand::Doctor(args) => doctor::cmd_doctor(world, &args),
        CliCommand::Attend(args) => attend::cmd_attend(world, &args),
        CliCommand::Completions(args) => completions::cmd_completions(world, &args),
        CliCommand::Man(args) => man::cmd_man(world, &args),
    }
}

/// Says what went wrong before the program knew its surroundings.
fn complain(error: &CliError) -> Exit {
    use std::io::Write as _;
    let plain = crate::render::Screen { terminal: false, colour: false, width: 100 };
    let _ = std::io::stderr().lock().write_all(error.render(&plain).as_bytes());
    error.exit
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of a command line, as far as a shell would give them to the program.
    fn words(line: &str) -> Vec<String> {
        let line = line.split("  ").find(|part| !part.is_empty()).unwrap_or_default();
        let mut words: Vec<String> = Vec::new();
        for (n, part) in line.split('"').enumerate() {
            if n % 2 == 1 {
                words.push(part.to_owned());
            } else {
                words.extend(part.split_whitespace().map(str::to_owned));
            }
        }
        let end = words.iter().position(|word| ["|", ">", "<", "&&"].contains(&word.as_str()));
        words.truncate(end.unwrap_or(words.len()));
        words
    }

    #[test]
    fn every_command_teaches_by_examples_that_it_understands() {
        let command = Cli::command();
        let taught =
            command.get_subcommands().filter(|c| !["help", "man", "completions"].contains(&c.get_name()));
        for sub in taught {
            let name = sub.get_name();
            let text = sub.get_after_help().or(sub.get_after_long_help()).map(ToString::to_string);
            let text = text.unwrap_or_else(|| panic!("`{name}` has no examples"));
            let own = format!("  windlass {name}");
            let lines: Vec<&str> = text.lines().filter(|line| line.starts_with(&own)).collect();
            assert!(!lines.is_empty(), "`{name}` has no examples of itself");
            for line in lines {
                if let Err(error) = Cli::try_parse_from(words(line)) {
                    panic!("{line}\n{error}");
                }
            }
        }
    }
}
