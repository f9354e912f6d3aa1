//! The findings about links that were added because of files, with the reason for their order.

use super::claim::{self, Touch};
use super::overlap::{LeafFiles, Meet, Pair};
use super::seal::Overlap;
use crate::diagnostic::{Diagnostic, Severity};
use crate::plan::Task;

/// The reason for the order of two leaves that meet on a path.
enum Reason {
    /// The plan's levels, and nothing else.
    Level(i64, i64),
    /// What each does to the file.
    Touch,
    /// The later one reads what the earlier one makes.
    Read,
    /// Nothing the plan says: length of chains, then the order written.
    Guess,
}

/// The finding for one added link; an error where unordered overlaps are refused.
pub(super) fn finding(
    tasks: [&Task; 2],
    holders: [&LeafFiles<'_>; 2],
    pair: &Pair,
    overlap: Overlap,
) -> Diagnostic {
    let [first, then] = tasks;
    let path = &pair.path;
    let more = match pair.more {
        0 => String::new(),
        1 => " and one more path".to_owned(),
        n => format!(" and {n} more paths"),
    };
    let runs = format!("`{}` now runs after `{}`", then.id, first.id);
    let refused = overlap == Overlap::Refuse;
    let (code, severity, message) = match reason(holders, pair) {
        Reason::Level(a, b) => {
            let levels = format!("only levels {a} and {b} order the overlap on `{path}`{more}");
            ("WL0161", Severity::Note, format!("{levels}: {runs}"))
        }
        Reason::Read => {
            let said = format!("`{}` reads `{path}`{more}, which `{}` creates", then.id, first.id);
            ("WL0162", Severity::Note, format!("{said}: it now runs after it"))
        }
        Reason::Touch | Reason::Guess if refused => {
            let said = format!("`{}` and `{}` both change `{path}`{more}", first.id, then.id);
            ("WL0160", Severity::Error, format!("unordered overlap: {said}"))
        }
        Reason::Touch => ("WL0160", Severity::Note, format!("unordered overlap on `{path}`{more}: {runs}")),
        Reason::Guess => {
            ("WL0160", Severity::Warning, format!("unordered overlap on `{path}`{more}: {runs}"))
        }
    };
    let here = claim::span(then, path);
    let there = claim::span(first, path);
    let help = format!("say it in the plan: `{}` depends on `{}`", then.id, first.id);
    Diagnostic::new(code, severity, message)
        .with_task(&then.id)
        .at(here)
        .also(there, format!("also in `{}`", first.id))
        .with_help(help)
}

fn reason(holders: [&LeafFiles<'_>; 2], pair: &Pair) -> Reason {
    if pair.meet == Meet::Read {
        return Reason::Read;
    }
    if let [Some(a), Some(b)] = holders.map(|h| h.level)
        && a < b
    {
        return Reason::Level(a, b);
    }
    let touch =
        |h: &LeafFiles<'_>| h.owned.iter().find(|(path, _)| *path == pair.path).map(|(_, touch)| *touch);
    match holders.map(touch) {
        [Some(a), Some(b)] if a < b && !(a == Touch::Test && b == Touch::Modify) => Reason::Touch,
        _ => Reason::Guess,
    }
}
