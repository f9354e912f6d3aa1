//! Carriers: what brings the frames of a connection to a `windlass attend` elsewhere and back.
//!
//! A carrier gives a pair of pipes for each connection and knows nothing of the messages in them. A command that leads to
//! the other machine is one; a broker that machines fetch their work from is another.

use std::fmt::Debug;
use std::future::Future;
use std::io::{Read, Write};
use std::pin::Pin;

use super::frame::{FrameReader, WireFrame, write_frame};
use super::link::json;
use super::message::{FromPlace, ToPlace};

/// A connection that is being opened; the reason for people if that fails.
pub type CarrierOpening<'a> = Pin<Box<dyn Future<Output = Result<CarriedPipes, String>> + Send + 'a>>;

/// The workers that are there; the reason if there are none.
pub type CarrierRoster<'a> = Pin<Box<dyn Future<Output = Result<Vec<CarrierWorker>, String>> + Send + 'a>>;

/// One of several machines that a carrier leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CarrierWorker {
    /// In a line, for people.
    pub line: String,
    /// Its processor, if it can take work.
    pub arch: Option<String>,
}

/// Something a carrier does in its own time.
pub type CarrierTask<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// A way to a place.
pub trait Carrier: Debug + Send + Sync {
    /// What it is, and where it leads, for people.
    fn described(&self) -> (&'static str, String);

    /// What to look at if it does not lead there.
    fn advice(&self) -> String;

    /// Opens a connection. The other side answers the first message, or it is not there.
    fn open(&self) -> CarrierOpening<'_>;

    /// How many connections may be opened at the same time; `None` where that is not for this side to limit.
    fn opened_at_once(&self) -> Option<usize> {
        None
    }

    /// The workers that are available, where a carrier leads to several machines.
    fn roster(&self) -> CarrierRoster<'_> {
        Box::pin(async { Ok(Vec::new()) })
    }

    /// Removes what it kept for a run that is over. Every connection is closed by then.
    fn finish(&self) -> CarrierTask<'_> {
        Box::pin(async {})
    }
}

/// The two directions of a connection.
pub struct CarriedPipes {
    /// What comes from the place.
    pub input: Box<dyn Read + Send>,
    /// What goes there. What is written between two flushes are whole frames.
    pub output: Box<dyn Write + Send>,
    /// The other end.
    pub end: Box<dyn CarrierEnd>,
}

/// The other end of a connection. The connection is closed when it is dropped.
pub trait CarrierEnd: Send + Sync {
    /// What the carrier has to say about a connection that broke; empty if nothing.
    fn words(&self) -> String;

    /// Called when the other end refused. Returns whether the whole place pauses, and not this worker alone.
    fn turned_away(&self) -> bool {
        true
    }
}

/// Reads frames until there are no more, and passes the bytes of each on. Noise before the first one is left out. Why it
/// ended, for people.
pub fn pass_frames(from: impl Read, mut pass: impl FnMut(Vec<u8>) -> bool) -> String {
    let mut reader = FrameReader::new(from);
    loop {
        match reader.next() {
            Ok(frame) => {
                if !pass(bytes_of(&frame)) {
                    return "the other side has gone".into();
                }
            }
            Err(error) => return error.to_string(),
        }
    }
}

/// The frame with which a coordinator says that it is alive.
pub fn coordinator_ping() -> Vec<u8> {
    bytes_of(&WireFrame::Message(json(&ToPlace::Ping)))
}

/// The frame with which a place says that it is alive.
pub fn place_ping() -> Vec<u8> {
    bytes_of(&WireFrame::Message(json(&FromPlace::Ping)))
}

fn bytes_of(frame: &WireFrame) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_frame(&mut bytes, frame).unwrap_or_else(|e| unreachable!("memory takes a frame: {e}"));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_passed_on_one_by_one_without_the_noise_before_them() {
        let (first, second) = (coordinator_ping(), place_ping());
        let stream = [b"welcome\n".as_slice(), &first, &second, b"rest"].concat();
        let mut passed = Vec::new();
        let why = pass_frames(stream.as_slice(), |frame| {
            passed.push(frame);
            true
        });
        assert_eq!(passed, [first.clone(), second]);
        assert!(why.contains("does not follow the protocol"), "{why}");
        let why = pass_frames(first.as_slice(), |_| true);
        assert!(why.contains("was closed"), "{why}");
    }
}
