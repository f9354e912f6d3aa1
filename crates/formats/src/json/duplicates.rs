//! Repeated keys in one object: the last one wins, as in every common reader, and the repetition is reported.

use std::collections::HashMap;

use super::node::JsonMember;
use crate::reading::code;
use windlass_core::diagnostic::{Diagnostic, FileIx, Severity, Span};

/// Objects up to this size are searched without a table.
const SMALL: usize = 24;

/// The most findings that are listed per object.
const MOST_FINDINGS: usize = 20;

/// Removes every member whose key is repeated later.
pub(super) fn drop_earlier(members: &mut Vec<JsonMember<'_>>, file: FileIx, out: &mut Vec<Diagnostic>) {
    let lost = if members.len() <= SMALL { lost_of_few(members) } else { lost_of_many(members) };
    if lost.is_empty() {
        return;
    }
    for (early, late) in lost.iter().take(MOST_FINDINGS) {
        report(&members[*early], &members[*late], file, out);
    }
    let mut dropped = vec![false; members.len()];
    for (early, _) in &lost {
        dropped[*early] = true;
    }
    let mut flags = dropped.into_iter();
    members.retain(|_| flags.next() != Some(true));
}

/// Pairs of an earlier and the next later member of the same key.
fn lost_of_few(members: &[JsonMember<'_>]) -> Vec<(usize, usize)> {
    let earlier = |late: usize| members[..late].iter().rposition(|m| m.key == members[late].key);
    (1..members.len()).filter_map(|late| Some((earlier(late)?, late))).collect()
}

fn lost_of_many(members: &[JsonMember<'_>]) -> Vec<(usize, usize)> {
    let mut seen: HashMap<&str, usize> = HashMap::with_capacity(members.len());
    let pairs = members.iter().enumerate();
    pairs.filter_map(|(late, m)| seen.insert(m.key.as_ref(), late).map(|early| (early, late))).collect()
}

fn report(early: &JsonMember<'_>, late: &JsonMember<'_>, file: FileIx, out: &mut Vec<Diagnostic>) {
    let at = |m: &JsonMember<'_>| Some(Span { file, start: m.start, end: m.end });
    let first = early.value.word().map_or_else(String::new, |w| {
        let short: String = w.chars().take(40).collect();
        format!(" (it was `{}`)", short.escape_debug())
    });
    let message = format!("the key `{}` is repeated; the first value is not used{first}", late.key);
    let finding = Diagnostic::new(code::DUPLICATE_KEY, Severity::Error, message);
    out.push(finding.at(at(late)).also(at(early), "first given here"));
}
