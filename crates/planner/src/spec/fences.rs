//! Fences inside fences: documents show Markdown with code in it, and a plain reader takes the first inner end for the
//! outer one.

use std::borrow::Cow;

/// A text whose fences can be read one after the other.
#[derive(Debug)]
pub(super) struct Flat<'t> {
    pub(super) text: Cow<'t, str>,
    /// Where a block begins that never ends, though headings follow.
    pub(super) unclosed: Option<usize>,
}

/// The text with the marks of inner fences made harmless, byte for byte as long as before; so is one that never ends.
pub(super) fn flatten(text: &str) -> Flat<'_> {
    let mut inner: Vec<(usize, usize)> = Vec::new();
    let mut open: Vec<Fence> = Vec::new();
    let mut begins = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some(fence) = Fence::of(line) {
            let nested = open.len() > 1;
            match open.last() {
                Some(outer) if fence.bare && fence.length >= outer.length && fence.mark == outer.mark => {
                    open.pop();
                    if nested {
                        inner.push((at + fence.indent, fence.length));
                    }
                }
                Some(outer) if !fence.bare && outer.holds(&fence) => {
                    inner.push((at + fence.indent, fence.length));
                    open.push(fence);
                }
                Some(_) => {}
                None => {
                    begins = at + fence.indent;
                    open.push(fence);
                }
            }
        }
        at += line.len();
    }
    let headed =
        |from: usize| text[from..].lines().any(|line| line.starts_with("## ") || line.starts_with("### "));
    let unclosed = open.first().filter(|_| headed(begins)).map(|fence| {
        inner.push((begins, fence.length));
        begins
    });
    if inner.is_empty() {
        return Flat { text: Cow::Borrowed(text), unclosed };
    }
    let mut flat = text.as_bytes().to_vec();
    for (at, length) in inner {
        flat[at..at + length].fill(b'\'');
    }
    Flat { text: String::from_utf8(flat).map_or(Cow::Borrowed(text), Cow::Owned), unclosed }
}

#[derive(Debug, Clone, Copy)]
struct Fence {
    mark: u8,
    length: usize,
    indent: usize,
    /// Whether nothing stands behind the marks.
    bare: bool,
    markdown: bool,
}

impl Fence {
    fn of(line: &str) -> Option<Fence> {
        let trimmed = line.trim_start_matches([' ', '\t']);
        let mark = *trimmed.as_bytes().first().filter(|b| matches!(b, b'`' | b'~'))?;
        let length = trimmed.bytes().take_while(|b| *b == mark).count();
        let info = trimmed[length..].trim();
        let inline = mark == b'`' && info.contains('`');
        let markdown = matches!(info, "markdown" | "md" | "mdx");
        let indent = line.len() - trimmed.len();
        (length >= 3 && !inline).then_some(Fence { mark, length, indent, bare: info.is_empty(), markdown })
    }

    /// Whether another fence is meant to stand inside this one.
    fn holds(&self, other: &Fence) -> bool {
        self.mark == other.mark
            && other.length <= self.length
            && (self.markdown || other.indent > self.indent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_fences_are_made_harmless() {
        let text = "```markdown\n# A\n```bash\nls\n```\nend\n```\n# B\n";
        let flat = flatten(text);
        assert_eq!(flat.text.len(), text.len());
        assert_eq!(flat.text, "```markdown\n# A\n'''bash\nls\n'''\nend\n```\n# B\n");
        let plain = "```\na\n```\n\n```sh\nb\n```\n";
        assert_eq!(flatten(plain).text, plain);
        let open = flatten("a\n```py\nx = 1\n\n## B\n");
        assert_eq!((open.unclosed, &*open.text), (Some(2), "a\n'''py\nx = 1\n\n## B\n"));
        assert_eq!(flatten("```py\nx = 1\n").unclosed, None);
    }
}
