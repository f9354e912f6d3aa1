//! What agents and commands of a task printed, part by part, and what is being printed.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use serde_json::json;
use windlass_core::event::{Event, Stamped, TaskEvent};
use windlass_core::ids::BlobName;

use super::answers::text_of;
use super::page_state::PageState;
use super::query::{NoAnswer, PageQuery};
use super::task_doc::task_of;
use crate::cli::shared::{newest, output_of};
use crate::render::{Screen, Transcript, harmless};

/// Of a longer output the end is shown.
const SHOWN: u64 = 1 << 20;
/// The window over a long running output moves in steps of this, so that what was read stays where it is.
const STEP: u64 = 512 << 10;

/// The recorded parts, oldest first, and the running one.
pub(super) fn parts(page: &PageState, query: &PageQuery) -> Result<String, NoAnswer> {
    let task = task_of(page, query)?;
    let mut parts = Vec::new();
    page.state.run_chronicle()?.each_of(&task, 0, |stamped| {
        if let Some((attempt, title, output)) = output_of(&stamped.event) {
            let file = output.checked().map(|name| page.state.paths.out().join(name));
            let bytes = file.and_then(|path| path.metadata().ok()).map(|meta| meta.len());
            parts.push(json!({
                "key": stamped.seq, "at": stamped.at, "attempt": attempt.0, "title": title, "bytes": bytes,
            }));
        }
    })?;
    let live = newest(&page.state.paths.live(&task)).map(|path| path.display().to_string());
    text_of(&json!({ "schema": "windlass.log/1", "parts": parts, "live": live.is_some() }))
}

/// One recorded part.
pub(super) fn part(page: &PageState, query: &PageQuery) -> Result<String, NoAnswer> {
    let task = task_of(page, query)?;
    let key: u64 = query.number("key").ok_or_else(|| NoAnswer::unclear("`key` is the number of an event"))?;
    let mut found: Option<(BlobName, bool)> = None;
    page.state.run_chronicle()?.each_of(&task, key.saturating_sub(1), |stamped| {
        if stamped.seq == key {
            found = output_of(&stamped.event).map(|(_, _, output)| (output.clone(), is_spoken(stamped)));
        }
    })?;
    let (name, spoken) = found.ok_or_else(|| NoAnswer::missing("there is no such part"))?;
    let checked = name.checked().ok_or_else(|| NoAnswer::missing("there is no such output"))?;
    let path = page.state.paths.out().join(checked);
    let (bytes, base) = window(&path, 1).ok_or_else(|| NoAnswer::missing("the output is gone"))?;
    text_of(&json!({ "schema": "windlass.log-part/1", "cut": base, "text": as_read(&bytes, spoken) }))
}

/// What a running process has printed after the first `from` characters.
pub(super) fn live(page: &PageState, query: &PageQuery) -> Result<String, NoAnswer> {
    let task = task_of(page, query)?;
    let read = newest(&page.state.paths.live(&task)).and_then(|path| Some((window(&path, STEP)?, path)));
    let Some(((bytes, base), path)) = read else {
        return text_of(&json!({ "schema": "windlass.log-live/1", "name": null }));
    };
    let text = as_read(&bytes, true);
    // A new process, or a window that has moved, begins anew.
    let name = format!("{}@{base}", blake3::hash(path.as_os_str().as_encoded_bytes()).to_hex());
    let from = if query.text("name") == name { query.number("from").unwrap_or(0) } else { 0 };
    let rest: String = text.chars().skip(from).collect();
    let next = from + rest.chars().count();
    text_of(
        &json!({ "schema": "windlass.log-live/1", "name": name, "cut": base, "text": rest, "next": next }),
    )
}

/// Whether an output is what an agent said, and not what a command printed.
fn is_spoken(stamped: &Stamped) -> bool {
    matches!(stamped.event, Event::Task { event: TaskEvent::TurnEnded(_), .. })
}

/// The end of a file, from a place that is a multiple of `step`; and that place.
fn window(path: &Path, step: u64) -> Option<(Vec<u8>, u64)> {
    let mut file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    let base = length.saturating_sub(SHOWN).div_ceil(step) * step;
    file.seek(SeekFrom::Start(base)).ok()?;
    let mut bytes = Vec::new();
    file.take(SHOWN).read_to_end(&mut bytes).ok()?;
    Some((bytes, base))
}

/// An output as people read it, without anything that would command a terminal.
fn as_read(bytes: &[u8], spoken: bool) -> String {
    if !spoken {
        return harmless(&String::from_utf8_lossy(bytes));
    }
    let mut transcript = Transcript::new(Screen { terminal: false, colour: false, width: usize::MAX });
    let mut text = transcript.push(bytes);
    // A line that is not whole yet is shown when it is.
    if text.is_empty() {
        text = transcript.finish();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_output_is_shown_from_a_place_that_stays() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        let at = |length: u64| {
            std::fs::write(&path, vec![b'x'; usize::try_from(length).unwrap()]).unwrap();
            window(&path, STEP).map(|(bytes, base)| (bytes.len() as u64, base)).unwrap()
        };
        assert_eq!(at(10), (10, 0));
        assert_eq!(at(SHOWN), (SHOWN, 0));
        assert_eq!(at(SHOWN + 1), (SHOWN - STEP + 1, STEP));
        assert_eq!(at(SHOWN + STEP), (SHOWN, STEP));
        assert!(window(&dir.path().join("none"), 1).is_none());
    }

    #[test]
    fn what_commands_a_terminal_is_left_out() {
        assert_eq!(as_read(b"\x1b[31mred\x1b[0m \x1b]0;title\x07x\r\n", false), "red x\n");
        assert_eq!(as_read(b"plain\nhalf", true), "plain\n");
    }
}
