//! Frames: how two programs talk over a pair of pipes. Magic, kind, length, checksum, body; nothing else is understood.
//!
//! The checksum is for carriers that change a bit on the way: what a message says of an attempt becomes part of the journal. Parcels
//! have a hash of their own as well.
//!
//! What a login shell prints before the first frame is skipped, up to a limit. After the first frame every byte counts.

use std::io::{self, Read, Write};

/// The start of every frame. No shell prints it by accident, and it is not UTF-8.
const MAGIC: [u8; 4] = [0xf1, b'W', b'L', 0x0a];
/// The largest body.
pub(crate) const MAX_BODY: usize = 256 << 10;
/// How much may come before the first frame.
const MAX_NOISE: usize = 64 << 10;

/// One frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WireFrame {
    /// A message, as JSON.
    Message(Vec<u8>),
    /// A piece of the parcel that was announced last.
    Piece(Vec<u8>),
}

/// Why no further frame can be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FrameError {
    /// The other side closed the connection.
    #[error("the connection was closed{}", said(.noise))]
    Closed {
        /// What came instead of a frame.
        noise: String,
    },
    /// Something else than frames came.
    #[error("the answer does not follow the protocol of `windlass attend`{}", said(.noise))]
    Garbage {
        /// The end of the bytes that were read.
        noise: String,
    },
    /// A frame is not what was sent.
    #[error("a frame was changed on its way")]
    Changed,
    /// A frame that is larger than allowed.
    #[error("a frame of {0} bytes came, and {MAX_BODY} are allowed")]
    TooLarge(usize),
    /// The pipe failed.
    #[error("the connection failed: {0}")]
    Io(#[from] io::Error),
}

/// What was printed instead, for people.
fn said(noise: &str) -> String {
    let noise = noise.trim();
    if noise.is_empty() { String::new() } else { format!("; it said: {noise}") }
}

/// Reads frames.
pub(crate) struct FrameReader<R> {
    from: R,
    begun: bool,
}

impl<R: Read> FrameReader<R> {
    pub(crate) fn new(from: R) -> Self {
        Self { from, begun: false }
    }

    /// The next frame.
    pub(crate) fn next(&mut self) -> Result<WireFrame, FrameError> {
        if self.begun {
            self.expect_magic()?;
        } else {
            self.find_magic()?;
        }
        self.begun = true;
        let (mut head, mut sum) = ([0; 5], [0; 4]);
        self.fill(&mut head)?;
        self.fill(&mut sum)?;
        let length = u32::from_le_bytes([head[1], head[2], head[3], head[4]]);
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        if length > MAX_BODY {
            return Err(FrameError::TooLarge(length));
        }
        let mut body = vec![0; length];
        self.fill(&mut body)?;
        if checksum(head, &body) != sum {
            return Err(FrameError::Changed);
        }
        match head[0] {
            b'm' => Ok(WireFrame::Message(body)),
            b'p' => Ok(WireFrame::Piece(body)),
            _ => Err(FrameError::Garbage { noise: String::new() }),
        }
    }

    fn expect_magic(&mut self) -> Result<(), FrameError> {
        let mut start = [0; 4];
        self.fill(&mut start)?;
        let noise = || String::from_utf8_lossy(&start).into_owned();
        if start == MAGIC { Ok(()) } else { Err(FrameError::Garbage { noise: noise() }) }
    }

    /// Skips what a login shell prints.
    fn find_magic(&mut self) -> Result<(), FrameError> {
        let mut seen: Vec<u8> = Vec::new();
        let mut byte = [0];
        while !seen.ends_with(&MAGIC) {
            if seen.len() > MAX_NOISE {
                return Err(FrameError::Garbage { noise: tail(&seen) });
            }
            match self.from.read(&mut byte) {
                Ok(0) => return Err(FrameError::Closed { noise: tail(&seen) }),
                Ok(_) => seen.push(byte[0]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), FrameError> {
        self.from.read_exact(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => FrameError::Closed { noise: String::new() },
            _ => error.into(),
        })
    }
}

/// The end of a text, short enough to be told.
pub(crate) fn tail(bytes: &[u8]) -> String {
    const SHOWN: usize = 400;
    const LINES: usize = 6;
    let text = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(SHOWN)..]);
    let text: String = text.chars().filter(|c| !c.is_control() || *c == '\n').collect();
    let mut lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.drain(..lines.len().saturating_sub(LINES));
    lines.join("; ")
}

/// What tells a frame from one that was changed: the start of a hash of its kind, length and body.
fn checksum(head: [u8; 5], body: &[u8]) -> [u8; 4] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&head).update(body);
    let mut sum = [0; 4];
    hasher.finalize_xof().fill(&mut sum);
    sum
}

/// Writes a frame.
pub(crate) fn write_frame(to: &mut impl Write, frame: &WireFrame) -> io::Result<()> {
    let (kind, body) = match frame {
        WireFrame::Message(body) => (b'm', body),
        WireFrame::Piece(body) => (b'p', body),
    };
    let length = u32::try_from(body.len()).map_err(|_| io::Error::other("a frame is too large"))?;
    let mut head = [kind, 0, 0, 0, 0];
    head[1..].copy_from_slice(&length.to_le_bytes());
    let sum = checksum(head, body);
    let bytes = [&MAGIC[..], &head, &sum, body].concat();
    to.write_all(&bytes)?;
    to.flush()
}

#[cfg(test)]
mod tests;
