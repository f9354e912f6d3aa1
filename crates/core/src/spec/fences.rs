//! Fences inside fences: documents show Markdown with code in it, and a plain reader takes the first inner end for the
//! outer one.

use std::borrow::Cow;

/// The text with the marks of inner fences made harmless, byte for byte as long as before.
pub(super) fn flatten(text: &str) -> Cow<'_, str> {
    let mut inner: Vec<(usize, usize)> = Vec::new();
    let mut open: Vec<Fence> = Vec::new();
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
                None => open.push(fence),
            }
        }
        at += line.len();
    }
    if inner.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut flat = text.to_owned();
    for (at, length) in inner {
        flat.replace_range(at..at + length, &"'".repeat(length));
    }
    Cow::Owned(flat)
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
        assert_eq!(flat.len(), text.len());
        assert_eq!(flat, "```markdown\n# A\n'''bash\nls\n'''\nend\n```\n# B\n");
        let plain = "```\na\n```\n\n```sh\nb\n```\n";
        assert_eq!(flatten(plain), plain);
    }
}
