//! The blocks of an answer: fenced ones, and edits that stand outside any fence. Tolerant: models forget to close.

/// A block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AnswerBlock<'a> {
    /// What stands after the opening fence.
    pub(super) info: &'a str,
    /// The last line with something on it before the block, if no other block is between.
    pub(super) above: Option<&'a str>,
    /// Its lines.
    pub(super) lines: Vec<&'a str>,
}

/// How an edit begins, is divided, and ends.
pub(super) const SEARCH: &str = "<<<<<<<";
/// The line between what is there and what is to be.
pub(super) const DIVIDER: &str = "=======";
/// The line after an edit.
pub(super) const REPLACE: &str = ">>>>>>>";

/// All blocks of an answer, in order.
pub(super) fn blocks(text: &str) -> Vec<AnswerBlock<'_>> {
    let mut all = Vec::new();
    let mut above = None;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(fence) = OpeningFence::opens(line) {
            let body = fence.body(&mut lines);
            all.push(AnswerBlock { info: fence.info, above: above.take(), lines: body });
        } else if line.trim_start().starts_with(SEARCH) {
            let mut body = vec![line];
            for line in lines.by_ref() {
                body.push(line);
                if line.trim_start().starts_with(REPLACE) {
                    break;
                }
            }
            // Several edits under one name are one after the other.
            all.push(AnswerBlock { info: "", above, lines: body });
        } else if !line.trim().is_empty() {
            above = Some(line);
        }
    }
    all
}

/// An answer up to the end of its last block that was closed: what comes after may have been cut.
pub(super) fn closed(text: &str) -> &str {
    let (mut open, mut at, mut end): (Option<OpeningFence<'_>>, usize, usize) = (None, 0, 0);
    for line in text.split_inclusive('\n') {
        at += line.len();
        match &open {
            // Without its line break a closing fence may be the beginning of something else.
            Some(fence) if fence.is_closed_by(line) && line.ends_with('\n') => (open, end) = (None, at),
            Some(_) => {}
            None => open = OpeningFence::opens(line),
        }
    }
    &text[..end]
}

/// An opening fence.
struct OpeningFence<'a> {
    mark: char,
    length: usize,
    info: &'a str,
}

impl<'a> OpeningFence<'a> {
    fn opens(line: &'a str) -> Option<Self> {
        let line = line.trim_start();
        let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let rest = line.trim_start_matches(mark);
        let length = line.len() - rest.len();
        // Words between backticks on one line are no fence.
        (length >= 3 && !(mark == '`' && rest.contains('`'))).then(|| Self {
            mark,
            length,
            info: rest.trim(),
        })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let line = line.trim();
        line.len() >= self.length && line.chars().all(|c| c == self.mark)
    }

    /// Fences with a language inside a Markdown file belong to it, and so do those that close them.
    fn nests(&self) -> bool {
        self.info.split(|c: char| !c.is_alphanumeric()).any(|word| matches!(word, "md" | "markdown"))
    }

    fn body(&self, lines: &mut std::str::Lines<'a>) -> Vec<&'a str> {
        let (mut body, mut depth) = (Vec::new(), 0_u32);
        for line in lines.by_ref() {
            if self.is_closed_by(line) {
                if depth == 0 {
                    break;
                }
                depth -= 1;
            } else if self.nests()
                && OpeningFence::opens(line).is_some_and(|f| f.mark == self.mark && !f.info.is_empty())
            {
                depth += 1;
            }
            body.push(line);
        }
        body
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<(String, Option<String>, String)> {
        let tell = |b: AnswerBlock<'_>| (b.info.to_owned(), b.above.map(str::to_owned), b.lines.join("|"));
        blocks(text).into_iter().map(tell).collect()
    }

    #[test]
    fn only_what_was_closed_is_whole() {
        let whole = "Here:\n```sh\necho a\n```\n";
        for more in ["", "And then", "```py\nprint(", "```py\nx\n```"] {
            assert_eq!(closed(&format!("{whole}{more}")), whole, "{more}");
        }
        assert_eq!(closed("```sh\necho a\n"), "");
    }

    #[test]
    fn fences_are_found_among_chatter() {
        let text = "Sure!\n\nFile: a.py\n\n```python\nx = 1\n```\nand\n~~~~ sh\n```\n~~~~\nuse ```x``` so\n";
        let first = ("python".to_owned(), Some("File: a.py".to_owned()), "x = 1".to_owned());
        let second = ("sh".to_owned(), Some("and".to_owned()), "```".to_owned());
        assert_eq!(told(text), [first, second]);
    }

    #[test]
    fn a_markdown_file_keeps_its_own_fences_and_an_open_fence_ends_with_the_answer() {
        let text = "```md path=a.md\nx\n```sh\nls\n```\ny\n```\n```rs\nfn a() {}";
        let all = told(text);
        assert_eq!(all[0].2, "x|```sh|ls|```|y");
        assert_eq!(all[1].2, "fn a() {}");
    }

    #[test]
    fn edits_outside_a_fence_are_blocks_too() {
        let text = "a.py\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nz\n=======\n>>>>>>> REPLACE\nbye";
        let all = told(text);
        assert_eq!(all.len(), 2);
        assert!(all.iter().all(|(_, above, _)| above.as_deref() == Some("a.py")), "{all:?}");
    }
}
