//! Events in and out of a journal, and the views folded from it.
//!
//! The journal knows text, core knows events; this is the one place where they meet.

use std::path::Path;

use serde::Deserialize;
use windlass_core::event::{Event, Millis, Stamped};
use windlass_core::ids::TaskId;
use windlass_core::view::{self, Glance, RunView, TaskHistory, View, ViewError};

use crate::journal::{JournalError, JournalReader, Record};

/// Records are read in pieces of this many.
const PIECE: usize = 4096;

/// Why a journal cannot be made sense of.
#[derive(Debug, thiserror::Error)]
pub enum ChronicleError {
    /// The journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A record is no event this program knows.
    #[error("record {seq} of the journal is not an event this program knows")]
    NotAnEvent {
        /// Its number.
        seq: u64,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// A record has no time.
    #[error("record {seq} of the journal has no readable time: `{at}`")]
    NoTime {
        /// Its number.
        seq: u64,
        /// What stands there.
        at: String,
    },
    /// The events contradict each other.
    #[error("the journal contradicts itself")]
    View(#[from] ViewError),
}

/// An event as a journal keeps it: its kind and its JSON.
pub fn to_record(event: &Event) -> Result<(String, String), serde_json::Error> {
    #[derive(Deserialize)]
    struct EventKind {
        kind: String,
    }
    let json = serde_json::to_string(event)?;
    let EventKind { kind } = serde_json::from_str(&json)?;
    Ok((kind, json))
}

/// A moment as a journal keeps it.
pub fn to_time(at: Millis) -> String {
    at.to_string()
}

/// The event of a record.
pub fn from_record(record: &Record) -> Result<Stamped, ChronicleError> {
    let seq = record.seq;
    let no_time = |_| ChronicleError::NoTime { seq, at: record.at.clone() };
    let at: Millis = record.at.parse().map_err(no_time)?;
    let event =
        Event::from_json(&record.json).map_err(|source| ChronicleError::NotAnEvent { seq, source })?;
    Ok(Stamped { seq, at, event })
}

/// A plan's journal, read as events.
#[derive(Debug)]
pub struct Chronicle {
    reader: JournalReader,
}

impl Chronicle {
    /// Opens the journal at `path`; `None` if there is none yet.
    pub fn open(path: &Path) -> Result<Option<Self>, ChronicleError> {
        Ok(JournalReader::open(path)?.map(|reader| Self { reader }))
    }

    /// The number of the last event.
    pub fn last_seq(&self) -> Result<u64, ChronicleError> {
        Ok(self.reader.last_seq()?)
    }

    /// Where everything stands: the kept view, if it can be used, and what was written after it.
    pub fn view(&self) -> Result<View, ChronicleError> {
        let mut view = self.kept()?.unwrap_or_default();
        self.catch_up(&mut view)?;
        Ok(view)
    }

    /// Folds what was written since `view`.
    pub(crate) fn catch_up(&self, view: &mut View) -> Result<(), ChronicleError> {
        self.each_after(view.seq, |record| Ok(view.apply(&from_record(record)?)?))
    }

    /// Folds what was written since `view`, and hands over each event once it is folded.
    pub fn follow(&self, view: &mut View, mut take: impl FnMut(&Stamped)) -> Result<(), ChronicleError> {
        self.each_after(view.seq, |record| {
            let stamped = from_record(record)?;
            view.apply(&stamped)?;
            take(&stamped);
            Ok(())
        })
    }

    /// What fits on a screen. Exact where nothing was written after the kept view, and for plans that are not long. In
    /// the middle of a long run that is `live` it may be a second old, and costs next to nothing.
    pub fn glance(&self, live: impl Fn(&RunView) -> bool) -> Result<Glance, ChronicleError> {
        let last = self.reader.last_seq()?;
        let readable = |(seq, _, payload): (u64, Vec<u8>, Vec<u8>)| {
            view::decode_glance(&payload).ok().filter(|glance| glance.seq == seq)
        };
        if let Some(glance) = self.reader.cached_head()?.filter(|(seq, ..)| *seq == last).and_then(readable) {
            return Ok(glance);
        }
        if let Some(glance) = self.reader.cached_glance()?.and_then(readable)
            && (glance.seq == last || glance.run.as_ref().is_some_and(|r| r.ended.is_none() && live(r)))
        {
            return Ok(glance);
        }
        Ok(self.view()?.glance())
    }

    /// Everything that happened to one task.
    pub fn history(&self, task: &TaskId) -> Result<TaskHistory, ChronicleError> {
        let mut history = TaskHistory::new(task.clone());
        self.each_of(task, 0, |event| history.apply(event))?;
        Ok(history)
    }

    /// Hands over every event, oldest first.
    pub fn each(&self, take: impl FnMut(&Stamped)) -> Result<(), ChronicleError> {
        self.since(0, take)
    }

    /// Hands over every event after number `seq`, oldest first.
    pub fn since(&self, seq: u64, mut take: impl FnMut(&Stamped)) -> Result<(), ChronicleError> {
        self.each_after(seq, |record| {
            take(&from_record(record)?);
            Ok(())
        })
    }

    /// Hands over every event about a task after number `seq`, and returns the number of the last event of all.
    pub fn each_of(
        &self,
        task: &TaskId,
        seq: u64,
        mut take: impl FnMut(&Stamped),
    ) -> Result<u64, ChronicleError> {
        // Most records are about other tasks; looking for the name is far cheaper than reading them.
        let needle = format!("\"{task}\"");
        let mut last = seq;
        self.each_after(seq, |record| {
            last = record.seq;
            if record.json.contains(&needle) {
                let stamped = from_record(record)?;
                if stamped.event.task() == Some(task) {
                    take(&stamped);
                }
            }
            Ok(())
        })?;
        Ok(last)
    }

    fn kept(&self) -> Result<Option<View>, ChronicleError> {
        let Some((seq, _, payload)) = self.reader.cached_fold()? else { return Ok(None) };
        Ok(view::decode(&payload).ok().filter(|view| view.seq == seq))
    }

    fn each_after(
        &self,
        mut seq: u64,
        mut take: impl FnMut(&Record) -> Result<(), ChronicleError>,
    ) -> Result<(), ChronicleError> {
        loop {
            let records = self.reader.read_after(seq, PIECE)?;
            for record in &records {
                take(record)?;
                seq = record.seq;
            }
            if records.len() < PIECE {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use windlass_core::event::TaskEvent;

    use super::*;

    #[test]
    fn an_event_survives_its_record() {
        let event = TaskEvent::TaskReset.of(TaskId::new("a").unwrap());
        let (kind, json) = to_record(&event).unwrap();
        assert_eq!(kind, "task_reset");
        let record = Record { seq: 3, at: to_time(1_700_000_000_123), kind, json };
        assert_eq!(from_record(&record).unwrap(), Stamped { seq: 3, at: 1_700_000_000_123, event });
        let odd = Record { at: "yesterday".into(), ..record.clone() };
        assert!(matches!(from_record(&odd), Err(ChronicleError::NoTime { seq: 3, .. })));
        let unknown = Record { json: r#"{"kind":"from_the_future"}"#.into(), ..record };
        assert!(matches!(from_record(&unknown), Err(ChronicleError::NotAnEvent { .. })));
    }
}
