//! `windlass plan --review`: what was asked beside what will be done, on the terminal, as Markdown or as HTML.

use clap::ValueEnum;
use windlass_planner::asked::PlanPage;
use windlass_planner::derive::Derived;
use windlass_planner::living::Revision;

use super::change_messages;
use super::deliver::Delivery;
use crate::cli::{CliError, Exit};
use crate::render::{plan_page, plan_page_html, plan_page_markdown};

/// The form of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum PageForm {
    /// For a terminal.
    Text,
    /// Markdown, for a pull request.
    Markdown,
    /// One HTML file.
    Html,
}

/// Prints the page, or writes it to the file that `-o` names.
pub(super) fn show(
    of: &Delivery<'_>,
    derived: &Derived,
    revision: Option<&Revision>,
    form: PageForm,
) -> Result<Exit, CliError> {
    let Delivery { world, args, request, .. } = *of;
    if let Some(revision) = revision.filter(|revision| !revision.is_nothing()) {
        world.tell(&change_messages::changes(&world.err, revision, "documents"));
        world.tell("note: nothing is written; `windlass plan` without `--review` takes the changes over\n");
    }
    let page = PlanPage::new(&derived.plan, &request.documents, &derived.notes);
    let text = match form {
        PageForm::Text => plan_page(&page, &world.out),
        PageForm::Markdown => plan_page_markdown(&page),
        PageForm::Html => plan_page_html(&page),
    };
    match &args.output {
        None => world.print(&text)?,
        Some(path) => {
            let path = world.cwd.join(path);
            std::fs::write(&path, text).map_err(|e| CliError::file("cannot write", &path, &e))?;
            world.print(&format!("wrote {}\n", world.shown(&path)))?;
        }
    }
    Ok(Exit::Fine)
}
