//! What a text says of the state of its thing: `Search ✔`, `Export (done)`, `⏳ Sync`.

/// How far the work on a thing is, as a document says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::spec) enum WorkState {
    Done,
    PutOff,
    /// Wanted: begun, or not begun.
    Open,
}

/// Signs behind what is done.
const DONE_SIGNS: &str = "✅☑✔✓";
/// Signs behind what is not done.
const OPEN_SIGNS: &str = "❌✖✗✘⬜☐🔲🚧⏳🔄";
/// Signs in front of what goes on or comes; a cross in front of something may also forbid it.
const COMING_SIGNS: &str = "⬜☐🔲🚧⏳🔄";

const DONE: [&str; 9] = [
    "completed",
    "complete",
    "done",
    "shipped",
    "implemented",
    "released",
    "finished",
    "delivered",
    "merged",
];
const PUT_OFF: [&str; 15] = [
    "future",
    "long-term",
    "long term",
    "later",
    "deferred",
    "postponed",
    "backlog",
    "on hold",
    "rejected",
    "dropped",
    "cancelled",
    "canceled",
    "out of scope",
    "someday",
    "not planned",
];
const OPEN: [&str; 12] = [
    "todo",
    "to do",
    "open",
    "pending",
    "planned",
    "in progress",
    "wip",
    "not started",
    "not done",
    "not implemented",
    "missing",
    "partial",
];

impl WorkState {
    /// The state that the words behind `Status:` or in brackets begin with.
    pub(in crate::spec) fn of_words(words: &str) -> Option<WorkState> {
        let lower = words.trim_start_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        stated(|word| {
            lower.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
        })
    }

    /// The state that a text is nothing but: `✅`, `Done`, `⏳ Planned`, `[x]`.
    pub(in crate::spec) fn of_whole(text: &str) -> Option<WorkState> {
        let text = text.trim_matches(['*', '_', '`', ' ', '\u{fe0f}', '[', ']']);
        let words = text.trim_start_matches(|c: char| is_sign(c) || matches!(c, ' ' | '\u{fe0f}'));
        let sign = text.chars().next().and_then(of_sign);
        let words = words.trim_end_matches(|c: char| is_sign(c) || matches!(c, ' ' | '.' | '\u{fe0f}'));
        match words.to_lowercase().as_str() {
            "" => sign,
            "x" if sign.is_none() => Some(WorkState::Done),
            lower => stated(|word| word == lower),
        }
    }

    /// The state that stands behind a text, and the text without it: `Search ✔`, `Export (done)`, `Sync — in progress`.
    pub(in crate::spec) fn behind(text: &str) -> Option<(WorkState, &str)> {
        let text = text.trim_end_matches([' ', '.', '\u{fe0f}']);
        let parts = text
            .strip_suffix([')', ']'])
            .and_then(|inner| inner.rsplit_once(['(', '[']))
            .or_else(|| [" — ", " – ", " - "].iter().find_map(|mark| text.rsplit_once(mark)));
        let named = parts.and_then(|(name, said)| {
            let is_box = said.trim().is_empty() && text.ends_with("[ ]");
            let state = if is_box { Some(WorkState::Open) } else { WorkState::of_whole(said) };
            Some((state?, name))
        });
        let signed = || {
            let last = text.chars().next_back()?;
            Some((of_sign(last)?, text.trim_end_matches(|c: char| is_sign(c) || c == '\u{fe0f}')))
        };
        let (state, name) = named.or_else(signed)?;
        let name = name.trim_end_matches([' ', '—', '–', '-', ':', '\u{fe0f}']);
        (!name.is_empty()).then_some((state, name))
    }

    /// The state whose sign stands in front of a text, and the text without it.
    pub(in crate::spec) fn before(text: &str) -> Option<(WorkState, &str)> {
        let text = text.trim_start();
        let first = text.chars().next()?;
        let state = if DONE_SIGNS.contains(first) {
            WorkState::Done
        } else if COMING_SIGNS.contains(first) {
            WorkState::Open
        } else {
            return None;
        };
        let name = text.trim_start_matches(|c: char| is_sign(c) || matches!(c, ' ' | '\u{fe0f}'));
        (!name.is_empty()).then_some((state, name))
    }
}

/// The state of which a word fits.
fn stated(fits: impl Fn(&str) -> bool) -> Option<WorkState> {
    let any = |words: &[&str]| words.iter().any(|word| fits(word));
    if any(&DONE) {
        Some(WorkState::Done)
    } else if any(&PUT_OFF) {
        Some(WorkState::PutOff)
    } else {
        any(&OPEN).then_some(WorkState::Open)
    }
}

fn is_sign(c: char) -> bool {
    of_sign(c).is_some()
}

fn of_sign(c: char) -> Option<WorkState> {
    if DONE_SIGNS.contains(c) {
        Some(WorkState::Done)
    } else if OPEN_SIGNS.contains(c) {
        Some(WorkState::Open)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_behind_and_before_texts() {
        let behind = [
            ("Search ✔", Some((WorkState::Done, "Search"))),
            ("Search ✔️", Some((WorkState::Done, "Search"))),
            ("Export to CSV (done)", Some((WorkState::Done, "Export to CSV"))),
            ("Export to CSV (✅ Done)", Some((WorkState::Done, "Export to CSV"))),
            ("Sync ❌", Some((WorkState::Open, "Sync"))),
            ("Sync — in progress", Some((WorkState::Open, "Sync"))),
            ("Sync [x]", Some((WorkState::Done, "Sync"))),
            ("Sync [ ]", Some((WorkState::Open, "Sync"))),
            ("Plugins (later)", Some((WorkState::PutOff, "Plugins"))),
            ("Plugins (done by hand)", None),
            ("What is done", None),
            ("✅", None),
        ];
        for (text, expected) in behind {
            assert_eq!(WorkState::behind(text), expected, "{text}");
        }
        assert_eq!(WorkState::before("⏳ Sync"), Some((WorkState::Open, "Sync")));
        assert_eq!(WorkState::before("❌ No tracking"), None);
        assert_eq!(WorkState::of_whole("⏳ Planned"), Some(WorkState::Open));
        assert_eq!(WorkState::of_whole("Export is done"), None);
        assert_eq!(WorkState::of_words("Completed on Monday"), Some(WorkState::Done));
    }
}
