//! A connection: frames in and out through bounded queues, a thread for each direction. A side that does not read holds the
//! other up; memory stays bounded.

use std::io::{Read, Write};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::mpsc;
use tokio::time::{Instant, interval_at, timeout_at};
use windlass_core::ids::BlobName;

use super::frame::{FrameError, FrameReader, MAX_BODY, WireFrame, write_frame};
use super::message::{ParcelKind, ParcelNote};

/// How often each side says that it is alive.
const PING_EVERY: Duration = Duration::from_secs(5);
/// A side that was silent for so long is gone.
pub(crate) const SILENCE: Duration = Duration::from_secs(30);
/// How many frames wait in each direction.
const QUEUE: usize = 16;

/// Why a connection can no longer be used, for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum LinkBroken {
    /// The other side closed it.
    #[error("{0}")]
    Closed(String),
    /// Something else went wrong.
    #[error("{0}")]
    Failed(String),
}

impl LinkBroken {
    fn closed() -> Self {
        FrameError::Closed { noise: String::new() }.into()
    }
}

impl From<FrameError> for LinkBroken {
    fn from(error: FrameError) -> Self {
        let reason = error.to_string();
        match error {
            FrameError::Closed { .. } => Self::Closed(reason),
            FrameError::Garbage { .. }
            | FrameError::Changed
            | FrameError::TooLarge(_)
            | FrameError::Io(_) => Self::Failed(reason),
        }
    }
}

/// One end of a connection.
pub(crate) struct PlaceLink {
    to: mpsc::Sender<WireFrame>,
    from: mpsc::Receiver<Result<WireFrame, FrameError>>,
    last_frame: Instant,
}

/// A message as it travels.
pub(super) fn json(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).unwrap_or_else(|e| unreachable!("plain data: {e}"))
}

/// Says that this side is alive for as long as the connection is used, unless there is enough on its way to show it.
async fn keep_alive(to: mpsc::WeakSender<WireFrame>, ping: WireFrame) {
    let mut every = interval_at(Instant::now() + PING_EVERY, PING_EVERY);
    loop {
        every.tick().await;
        let Some(to) = to.upgrade() else { return };
        let _ = to.try_send(ping.clone());
    }
}

/// What came: a message, or a whole parcel.
#[derive(Debug)]
pub(crate) enum Arrival<M> {
    Message(M),
    Parcel(ParcelKind, Vec<u8>),
}

/// A message that may announce a parcel.
pub(crate) trait Announces: DeserializeOwned {
    /// The parcel that follows it.
    fn parcel(&self) -> Option<&ParcelNote>;
    /// Whether it only says that the other side is alive.
    fn is_ping(&self) -> bool;
}

impl PlaceLink {
    /// A connection over these pipes, made inside a runtime. Its threads end when a pipe is closed. `ping` is sent at intervals,
    /// whatever this side is busy with: reading a large pack may take longer than the allowed silence.
    pub(crate) fn new(
        input: impl Read + Send + 'static,
        output: impl Write + Send + 'static,
        ping: &impl Serialize,
    ) -> Self {
        let (to, mut outgoing) = mpsc::channel::<WireFrame>(QUEUE);
        let (incoming, from) = mpsc::channel(QUEUE);
        std::thread::spawn(move || {
            let mut output = output;
            while let Some(frame) = outgoing.blocking_recv() {
                // The reading thread reports a closed pipe.
                if write_frame(&mut output, &frame).is_err() {
                    return;
                }
            }
        });
        std::thread::spawn(move || {
            let mut reader = FrameReader::new(input);
            loop {
                let frame = reader.next();
                let over = frame.is_err();
                if incoming.blocking_send(frame).is_err() || over {
                    return;
                }
            }
        });
        tokio::spawn(keep_alive(to.downgrade(), WireFrame::Message(json(ping))));
        Self { to, from, last_frame: Instant::now() }
    }

    /// Sends a message.
    pub(crate) async fn say(&self, message: &impl Serialize) -> Result<(), LinkBroken> {
        let body = json(message);
        if body.len() > MAX_BODY {
            return Err(LinkBroken::Failed(format!("a message of {} bytes is too large", body.len())));
        }
        self.push(WireFrame::Message(body)).await
    }

    /// Sends a message that may be lost: a full queue drops it. Returns whether it was queued.
    pub(crate) fn mention(&self, message: &impl Serialize) -> bool {
        self.to.try_send(WireFrame::Message(json(message))).is_ok()
    }

    /// Whether the queue has room for messages that may be lost, beside those that may not.
    pub(crate) fn has_room(&self) -> bool {
        self.to.capacity() > QUEUE / 2
    }

    /// Sends the pieces of a parcel that was announced.
    pub(crate) async fn pieces(&self, bytes: &[u8]) -> Result<(), LinkBroken> {
        for piece in bytes.chunks(MAX_BODY) {
            self.push(WireFrame::Piece(piece.to_vec())).await?;
        }
        Ok(())
    }

    async fn push(&self, frame: WireFrame) -> Result<(), LinkBroken> {
        let sent = tokio::time::timeout(SILENCE, self.to.send(frame)).await;
        match sent {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(LinkBroken::closed()),
            Err(_) => Err(LinkBroken::Failed(format!("nothing was taken for {} s", SILENCE.as_secs()))),
        }
    }

    /// The next message or parcel; a parcel has at most `limit` bytes. Pings count as a sign of life and are not returned.
    ///
    /// Safe to be dropped while it waits for a message, not in the middle of a parcel: callers that also wait for something
    /// else use [`PlaceLink::frame`].
    pub(crate) async fn next<M: Announces>(&mut self, limit: u64) -> Result<Arrival<M>, LinkBroken> {
        loop {
            let frame = self.frame().await?;
            if let Some(arrival) = self.arrival(frame, limit).await? {
                return Ok(arrival);
            }
        }
    }

    /// The next frame, or the end of the other side's time. May be dropped at any time.
    pub(crate) async fn frame(&mut self) -> Result<WireFrame, LinkBroken> {
        let frame = timeout_at(self.last_frame + SILENCE, self.from.recv()).await;
        match frame {
            Ok(Some(frame)) => {
                self.last_frame = Instant::now();
                Ok(frame?)
            }
            Ok(None) => Err(LinkBroken::closed()),
            Err(_) => Err(LinkBroken::Failed(format!("nothing was heard for {} s", SILENCE.as_secs()))),
        }
    }

    /// What a frame begins: a message, or a parcel whose pieces are read here. `None` for a ping.
    pub(crate) async fn arrival<M: Announces>(
        &mut self,
        frame: WireFrame,
        limit: u64,
    ) -> Result<Option<Arrival<M>>, LinkBroken> {
        let WireFrame::Message(body) = frame else {
            return Err(LinkBroken::Failed("a piece came that belongs to no parcel".into()));
        };
        let message: M = serde_json::from_slice(&body)
            .map_err(|error| LinkBroken::Failed(format!("a message cannot be read: {error}")))?;
        if message.is_ping() {
            return Ok(None);
        }
        match message.parcel().cloned() {
            None => Ok(Some(Arrival::Message(message))),
            Some(note) => {
                let bytes = self.parcel::<M>(&note, limit).await?;
                Ok(Some(Arrival::Parcel(note.what, bytes)))
            }
        }
    }

    async fn parcel<M: Announces>(&mut self, note: &ParcelNote, limit: u64) -> Result<Vec<u8>, LinkBroken> {
        if note.bytes > limit {
            return Err(LinkBroken::Failed(format!(
                "it sent {} bytes at once, and {limit} are allowed",
                note.bytes
            )));
        }
        let wanted = usize::try_from(note.bytes).unwrap_or(usize::MAX);
        let mut bytes = Vec::new();
        while bytes.len() < wanted {
            match self.frame().await? {
                WireFrame::Piece(piece) => bytes.extend_from_slice(&piece),
                // Only a ping may come between two pieces.
                WireFrame::Message(body) if serde_json::from_slice::<M>(&body).is_ok_and(|m| m.is_ping()) => {
                }
                WireFrame::Message(_) => {
                    return Err(LinkBroken::Failed("a message came within a parcel".into()));
                }
            }
        }
        if bytes.len() > wanted || BlobName::of(&bytes) != note.hash {
            return Err(LinkBroken::Failed("a parcel differs from its announcement".into()));
        }
        Ok(bytes)
    }
}
