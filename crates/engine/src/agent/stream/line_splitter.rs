//! Bytes into lines, in bounded memory: a line that is too long is counted and thrown away.

/// The longest line that is read. Events carry whole files; nothing sensible is longer.
const LONGEST: usize = 4 << 20;

/// One line.
#[derive(Debug, PartialEq, Eq)]
pub enum StreamLine<'a> {
    /// As it stands, without its end.
    Whole(&'a [u8]),
    /// A line that is too long, with its length in bytes.
    TooLong(u64),
}

/// Cuts what arrives at its line ends.
#[derive(Debug, Default)]
pub struct LineSplitter {
    begun: Vec<u8>,
    thrown: u64,
}

impl LineSplitter {
    /// Takes the next bytes and gives every line they complete.
    pub fn push(&mut self, mut bytes: &[u8], each: &mut dyn FnMut(StreamLine<'_>)) {
        while let Some(end) = bytes.iter().position(|b| *b == b'\n') {
            let (line, rest) = (&bytes[..end], &bytes[end + 1..]);
            bytes = rest;
            if self.begun.is_empty() && self.thrown == 0 && line.len() <= LONGEST {
                each(StreamLine::Whole(line));
                continue;
            }
            self.keep(line);
            self.finish(each);
        }
        self.keep(bytes);
    }

    /// Gives the last line, if it has no end.
    pub fn finish(&mut self, each: &mut dyn FnMut(StreamLine<'_>)) {
        if self.thrown > 0 {
            each(StreamLine::TooLong(self.thrown));
        } else if !self.begun.is_empty() {
            each(StreamLine::Whole(&self.begun));
        }
        self.thrown = 0;
        self.begun.clear();
        // A long line must not cost its memory for the rest of the run.
        self.begun.shrink_to(64 << 10);
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.thrown > 0 || self.begun.len() + bytes.len() > LONGEST {
            self.thrown += (self.begun.len() + bytes.len()) as u64;
            self.begun = Vec::new();
        } else {
            self.begun.extend_from_slice(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(pieces: &[&[u8]]) -> Vec<String> {
        let mut lines = LineSplitter::default();
        let mut all = Vec::new();
        let mut each = |line: StreamLine<'_>| {
            all.push(match line {
                StreamLine::Whole(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                StreamLine::TooLong(n) => format!("{n} bytes"),
            });
        };
        for piece in pieces {
            lines.push(piece, &mut each);
        }
        lines.finish(&mut each);
        all
    }

    #[test]
    fn lines_are_cut_wherever_the_pieces_end() {
        assert_eq!(cut(&[b"a\nb", b"c\n", b"\nd"]), ["a", "bc", "", "d"]);
        assert_eq!(cut(&[b"", b"\n"]), [""]);
        assert!(cut(&[]).is_empty());
    }

    #[test]
    fn a_line_without_end_costs_no_memory() {
        let mut lines = LineSplitter::default();
        let mut seen = Vec::new();
        let piece = vec![b'x'; 64 << 10];
        for _ in 0..160 {
            lines.push(&piece, &mut |_| panic!("no line has ended"));
            assert!(lines.begun.capacity() <= 2 * LONGEST, "{}", lines.begun.capacity());
        }
        lines.push(b"\nshort\n", &mut |line| {
            seen.push(match line {
                StreamLine::TooLong(n) => n,
                StreamLine::Whole(bytes) => bytes.len() as u64,
            });
        });
        assert_eq!(seen, [160 * (64 << 10), 5]);
    }
}
