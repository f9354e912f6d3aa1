//! A long list read in pieces, by several hands at once.
//!
//! Where items begin is guessed from the look of the first one. Whether a guess was right shows when the reader arrives at
//! the place: a piece is taken only if it begins exactly where the next item does, and only if there was no mistake in it.
//! So a wrong guess costs time and nothing else, and what comes out is what one hand would have read.

use super::node::Node;
use super::parser::{Take, parse_taking, read_items};
use super::scan::{skip_blank, skip_string};
use windlass_core::diagnostic::{Diagnostic, FileIx};
use windlass_core::hands::{Hands, Job};

/// Shorter texts are read before a second hand is there.
#[cfg(not(test))]
const LONG: usize = 1 << 20;
#[cfg(test)]
const LONG: usize = 64;

/// More hands than this only wait for memory.
const MOST: usize = 4;

/// What the items of a list become.
pub(crate) trait Gather: Send {
    /// Takes an item.
    fn item(&mut self, item: &Node<'_>, out: &mut Vec<Diagnostic>);

    /// Takes in what was gathered right behind it; `false` if it cannot go on from there, and the items are to be read again.
    fn append(&mut self, later: Self) -> bool;
}

/// Reads `text` like [`parse`](super::parse), but hands the items of the list `key` of the outermost object over one by one
/// and forgets them: a plan of many tasks never stands in memory twice. `begin` is told how many bytes lie before it.
pub(crate) fn parse_list<'a, G: Gather>(
    text: &'a str,
    file: FileIx,
    out: &mut Vec<Diagnostic>,
    key: &str,
    hands: &dyn Hands,
    begin: impl Fn(usize) -> G + Sync,
) -> (Option<Node<'a>>, G) {
    let mut pieces = ahead(text, file, key, hands, &begin).into_iter();
    let first = pieces.as_slice().first().map(|piece| piece.from);
    let mut list =
        List { gathered: begin(if first.is_some() { 0 } else { text.len() }), pieces: &mut pieces };
    let root = parse_taking(text, file, out, key, &mut list);
    (root, list.gathered)
}

/// A part of the list that was read before its time.
struct Piece<G> {
    from: usize,
    to: usize,
    found: Vec<Diagnostic>,
    gathered: G,
}

struct List<'p, G> {
    gathered: G,
    pieces: &'p mut std::vec::IntoIter<Piece<G>>,
}

impl<G: Gather> Take for List<'_, G> {
    fn item(&mut self, item: &Node<'_>, out: &mut Vec<Diagnostic>) {
        self.gathered.item(item, out);
    }

    fn skip(&mut self, mut at: usize, out: &mut Vec<Diagnostic>) -> usize {
        let mut is_first = true;
        for piece in self.pieces.by_ref() {
            if piece.from != at {
                break;
            }
            if is_first {
                self.gathered = piece.gathered;
            } else if !self.gathered.append(piece.gathered) {
                break;
            }
            is_first = false;
            out.extend(piece.found);
            at = piece.to;
        }
        at
    }
}

/// What several hands can read at once, in the order of the text.
fn ahead<G: Gather>(
    text: &str,
    file: FileIx,
    key: &str,
    hands: &dyn Hands,
    begin: &(impl Fn(usize) -> G + Sync),
) -> Vec<Piece<G>> {
    let count = hands.count().min(MOST);
    if count < 2 || text.len() < LONG {
        return Vec::new();
    }
    let starts = starts(text, key, count);
    if starts.len() < 2 {
        return Vec::new();
    }
    let mut pieces: Vec<Option<Piece<G>>> = starts.iter().map(|_| None).collect();
    let limits = starts[1..].iter().copied().chain([text.len()]);
    let jobs = pieces.iter_mut().zip(starts.iter().copied().zip(limits)).map(|(piece, (from, limit))| {
        // The first piece takes in all the others.
        let expected = if from == starts[0] { text.len() } else { limit - from };
        let job: Job<'_> = Box::new(move || {
            let (mut gathered, mut found) = (begin(expected), Vec::new());
            let to =
                read_items(text, file, &mut found, from..limit, &mut |item, out| gathered.item(item, out));
            *piece = to.map(|to| Piece { from, to, found, gathered });
        });
        job
    });
    hands.work(jobs.collect());
    pieces.into_iter().map_while(|piece| piece).collect()
}

/// Places where items of the list `key` seem to begin: the first one, and others that look like it, spread over the text.
fn starts(text: &str, key: &str, count: usize) -> Vec<usize> {
    let Some((first, look)) = first_item(text, key) else { return Vec::new() };
    let mark = format!("}},{look}");
    // Behind the end of the item before, its comma, and what stands between items.
    let into = look.find('{').unwrap_or(0) + 2;
    let share = (text.len() - first) / count;
    let mut starts = vec![first];
    for n in 1..count {
        let from = text.floor_char_boundary(first + n * share);
        let to = text.floor_char_boundary(from + share);
        let found = text[from..to].find(&mark).map(|at| from + at + into);
        starts.extend(found.filter(|at| starts.last() < Some(at)));
    }
    starts
}

/// Where the first item of the list `key` begins, if it is an object, and how it looks: from what stands before its bracket
/// to the end of its first key.
fn first_item<'t>(text: &'t str, key: &str) -> Option<(usize, &'t str)> {
    let bytes = text.as_bytes();
    let next =
        |at: usize, wanted: u8| Some(skip_blank(bytes, at)).filter(|at| bytes.get(*at) == Some(&wanted));
    let quoted = format!("\"{key}\"");
    let colon = next(text.find(&quoted)? + quoted.len(), b':')?;
    let list = next(colon + 1, b'[')?;
    let first = next(list + 1, b'{')?;
    let name = next(first + 1, b'"')?;
    Some((first, text.get(list + 1..skip_string(bytes, name + 1))?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    #[derive(Default, Debug, PartialEq)]
    struct Words(Vec<(String, u32)>);

    impl Gather for Words {
        fn item(&mut self, item: &Node<'_>, _: &mut Vec<Diagnostic>) {
            let id = item.get("id").and_then(Node::word).unwrap_or(item.kind.name());
            self.0.push((id.to_owned(), item.start));
        }

        fn append(&mut self, later: Self) -> bool {
            self.0.extend(later.0);
            true
        }
    }

    /// Four hands, of which the last begins.
    struct Four;

    impl Hands for Four {
        fn count(&self) -> usize {
            4
        }

        fn work(&self, jobs: Vec<Job<'_>>) {
            for job in jobs.into_iter().rev() {
                job();
            }
        }
    }

    /// What the list holds, and everything that was found, read by these hands.
    fn read(text: &str, hands: &dyn Hands) -> (Words, Vec<String>) {
        let mut out = Vec::new();
        let (root, words) = parse_list(text, FileIx(0), &mut out, "tasks", hands, |_| Words::default());
        assert_eq!(root.is_some(), parse(text, FileIx(0), &mut Vec::new()).is_some());
        (words, out.iter().map(|d| format!("{:?} {}", d.span, d.message)).collect())
    }

    fn tasks(count: usize, between: &str) -> String {
        let one =
            |n| format!(r#"{{"id": "T{n}", "steps": [{{"id": "x{n}"}},{{"id": "y{n}"}}], "note": "a ] ü"}}"#);
        (0..count).map(one).collect::<Vec<_>>().join(between)
    }

    #[test]
    fn several_hands_find_items_ahead() {
        // Between tasks there is a line, between their steps there is none.
        let text = format!("{{\"tasks\": [\n{}\n]}}", tasks(40, ",\n"));
        let pieces = ahead(&text, FileIx(0), "tasks", &Four, &|_| Words::default());
        assert_eq!(pieces.len(), 4);
        assert_eq!(pieces.iter().map(|p| p.gathered.0.len()).sum::<usize>(), 40);
    }

    #[test]
    fn several_hands_read_what_one_reads() {
        let plain = tasks(40, ",");
        let texts = [
            format!(r#"{{"tasks": [{plain}], "end": 1}}"#),
            format!("{{\n \"tasks\": [\n  {}\n ]\n}}", tasks(40, ",\n  ")),
            // Guesses that are wrong: in a text, one level down, in a second list of that name.
            format!(r#"{{"title": "\"tasks\": [{{\"id\"", "tasks": [{plain}]}}"#),
            format!(r#"{{"title": "tasks", "more": {{"tasks": [{plain}]}}, "tasks": [{plain}]}}"#),
            format!(r#"{{"tasks": [{plain}], "tasks": [{}]}}"#, tasks(3, ",")),
            // Mistakes in the middle and at the end.
            format!(r#"{{"tasks": [{plain},, {plain}]}}"#),
            format!(r#"{{"tasks": [{plain} {plain},]}}"#),
            format!(r#"{{"tasks": [{plain}, 7, null, {plain}]}}"#),
            format!(
                r#"{{"tasks": [{plain}, // no comment
                {plain}]}}"#
            ),
            format!(r#"{{"tasks": [{plain}, {{"id": }}, {plain}]}}"#),
            format!(r#"{{"tasks": [{plain}"#),
        ];
        for text in &texts {
            assert_eq!(read(text, &Four), read(text, &windlass_core::hands::OneHand), "{text}");
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config { failure_persistence: None, ..Default::default() })]

        #[test]
        fn whatever_is_broken_is_broken_for_all(at in 0_usize..2_000, with in ".{0,3}") {
            let text = format!(r#"{{"tasks": [{}], "end": 1}}"#, tasks(30, ", "));
            let at = text.floor_char_boundary(at.min(text.len()));
            let to = text.ceil_char_boundary(at + 1);
            let text = format!("{}{with}{}", &text[..at], &text[to.min(text.len())..]);
            proptest::prop_assert_eq!(read(&text, &Four), read(&text, &windlass_core::hands::OneHand));
        }
    }
}
