//! Pipes between threads that read and write, and tasks that carry parts.

use std::io::{self, Read, Write};

use tokio::sync::mpsc;

/// How many pieces wait in each direction: what is sent while the broker is away has to lie somewhere.
pub(crate) const WAITING: usize = 128;

/// What a task puts in is read here.
pub(crate) struct PartReader {
    from: mpsc::Receiver<Vec<u8>>,
    rest: Vec<u8>,
    read: usize,
}

/// What is written here between two flushes is one piece.
pub(crate) struct PartWriter {
    to: mpsc::Sender<Vec<u8>>,
    piece: Vec<u8>,
}

impl PartReader {
    pub(crate) fn new(from: mpsc::Receiver<Vec<u8>>) -> Self {
        Self { from, rest: Vec::new(), read: 0 }
    }
}

impl PartWriter {
    pub(crate) fn new(to: mpsc::Sender<Vec<u8>>) -> Self {
        Self { to, piece: Vec::new() }
    }
}

impl Read for PartReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.read == self.rest.len() {
            let Some(piece) = self.from.blocking_recv() else { return Ok(0) };
            (self.rest, self.read) = (piece, 0);
        }
        let count = buffer.len().min(self.rest.len() - self.read);
        buffer[..count].copy_from_slice(&self.rest[self.read..self.read + count]);
        self.read += count;
        Ok(count)
    }
}

impl Write for PartWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let piece = std::mem::take(&mut self.piece);
        let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
        if piece.is_empty() { Ok(()) } else { self.to.blocking_send(piece).map_err(gone) }
    }
}
