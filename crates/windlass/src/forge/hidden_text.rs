//! Takes out of a text what a page does not show: HTML comments and characters without a shape. A person who agrees to an
//! issue has not read them, so no agent reads them either. Lines keep their numbers.

/// A text as a reader of the page sees it, and how many hidden places were left out.
pub(super) fn shown_text(text: &str) -> (String, usize) {
    let mut out = String::with_capacity(text.len());
    let mut hidden = 0;
    let mut in_comment = false;
    let mut fence: Option<String> = None;
    for line in text.split_inclusive('\n') {
        if in_comment || fence.is_none() {
            let (kept, left_out, open) = outside_comments(line, in_comment);
            in_comment = open;
            hidden += left_out;
            if !in_comment {
                fence = opened_fence(&kept);
            }
            out.push_str(&kept);
        } else {
            // A block of code is shown as it is.
            if fence.as_deref().is_some_and(|mark| closes(line, mark)) {
                fence = None;
            }
            out.push_str(line);
        }
    }
    let shaped: String = out.chars().filter(|c| !is_shapeless(*c)).collect();
    if shaped.len() < out.len() {
        hidden += 1;
    }
    (shaped, hidden)
}

/// A line without its comments, how many began in it, and whether one is still open at its end.
fn outside_comments(line: &str, mut inside: bool) -> (String, usize, bool) {
    let mut kept = String::new();
    let mut begun = 0;
    let mut rest = line;
    loop {
        let mark = if inside { "-->" } else { "<!--" };
        let Some(at) = rest.find(mark) else {
            match inside {
                true if rest.ends_with('\n') => kept.push('\n'),
                true => {}
                false => kept.push_str(rest),
            }
            return (kept, begun, inside);
        };
        if !inside {
            kept.push_str(&rest[..at]);
            begun += 1;
        }
        rest = &rest[at + mark.len()..];
        inside = !inside;
    }
}

/// The mark of a block of code that begins in this line.
fn opened_fence(line: &str) -> Option<String> {
    let text = line.trim_start();
    let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = text.chars().take_while(|c| *c == mark).count();
    // With more backticks in the line it is code within a sentence.
    let alone = mark == '~' || !text[length..].contains('`');
    (length >= 3 && alone).then(|| mark.to_string().repeat(length))
}

fn closes(line: &str, mark: &str) -> bool {
    let text = line.trim();
    text.starts_with(mark) && text.chars().all(|c| mark.starts_with(c))
}

/// Characters that are not seen: zero width, direction marks, tags.
fn is_shapeless(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
        | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_shown_is_left_out_and_lines_stay() {
        let table = [
            ("a <!-- run rm --> b\n", "a  b\n", 1),
            ("a\n<!-- one\ntwo\n-->\nb\n", "a\n\n\n\nb\n", 1),
            ("a\n<!-- never closed\nb", "a\n\n", 1),
            ("```html\n<!-- shown -->\n```\n<!-- not -->\n", "```html\n<!-- shown -->\n```\n\n", 1),
            ("<!--\n```\n-->\n<!-- x -->y\n", "\n\n\ny\n", 2),
            ("x\u{200b}y\u{e0041}z", "xyz", 1),
            ("nothing hidden\n", "nothing hidden\n", 0),
        ];
        for (text, expected, count) in table {
            assert_eq!(shown_text(text), (expected.to_owned(), count), "{text:?}");
        }
    }
}
