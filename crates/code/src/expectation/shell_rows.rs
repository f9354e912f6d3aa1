//! Tables of cases in shell scripts: `while read -r first second want; do … done <<END`.

use std::ops::Range;

use super::alter::{self, Choice};
use super::edit::SourceEdit;

/// A loop over rows that are written out below it.
struct ReadLoop {
    names: Vec<String>,
    /// The separator of columns; blanks where none is stated.
    separator: Option<char>,
    /// The last row.
    row: Range<usize>,
}

/// Another value for a variable in the last row of the table that it is read from. One that is in the first row could be all that
/// is looked at.
pub(super) fn altered_row(text: &str, variable: &str, choice: &mut Choice) -> Option<(String, SourceEdit)> {
    let name = variable.trim_matches('"').strip_prefix('$')?.trim_matches(['{', '}']);
    let table = loops(text).into_iter().find(|table| table.names.iter().any(|known| known == name))?;
    let at = table.names.iter().position(|known| known == name)?;
    let row = &text[table.row.clone()];
    // The last name gets the rest of the row.
    let cells: Vec<&str> = match table.separator {
        Some(mark) => row.splitn(table.names.len(), mark).collect(),
        None => row.split_whitespace().collect(),
    };
    let cell = cells.get(at).filter(|_| cells.len() == table.names.len())?.trim();
    if cell.is_empty() || cell.contains(['$', '`', '\\']) {
        return None;
    }
    let start = table.row.start + cell.as_ptr().addr() - row.as_ptr().addr();
    let was = cell.to_owned();
    if cell.parse::<i64>().is_ok() {
        return alter::integer(cell, choice)
            .map(|now| (was, SourceEdit::new(start..start + cell.len(), now)));
    }
    let (at, size, other) = alter::text(cell, &|_, c| c.is_ascii_alphanumeric(), choice)?;
    Some((was, SourceEdit::new(start + at..start + at + size, other)))
}

/// Another text in the here-document that a command at this place compares with: `diff <(f) - <<END`, `diff <(f) <(cat <<END`.
/// One that goes through a pipe, or to another command, is an input.
pub(super) fn altered_document(text: &str, at: usize, choice: &mut Choice) -> Option<(String, SourceEdit)> {
    let line = text[at..].lines().next()?;
    let (head, mark) =
        line.split_once("<<").filter(|(_, mark)| !mark.starts_with('<') && !mark.contains("<<"))?;
    let open = head.matches('(').count() - head.matches(')').count().min(head.matches('(').count());
    let own = match open {
        0 => !head.contains('|'),
        _ => head.trim_end().ends_with("<(cat"),
    };
    let word =
        mark.trim_start_matches('-').split([' ', ')', '|', ';', '&']).next()?.trim_matches(['"', '\'']);
    let quoted = mark.trim_start_matches('-').starts_with(['"', '\'']);
    let start = at + line.len() + 1;
    let end = text[start..].split_inclusive('\n').scan(start, |end, row| {
        let own = *end;
        *end += row.len();
        Some((own, row))
    });
    let end = end.into_iter().find(|(_, row)| row.trim() == word)?.0;
    let body = &text[start..end];
    if !own || word.is_empty() || (!quoted && body.contains(['$', '`', '\\'])) {
        return None;
    }
    let (place, size, other) = alter::text(body, &|_, c| c.is_ascii_alphanumeric(), choice)?;
    let row = body[..place].rfind('\n').map_or(0, |at| at + 1);
    let was = body[row..].lines().next().unwrap_or_default().to_owned();
    Some((was, SourceEdit::new(start + place..start + place + size, other)))
}

fn loops(text: &str) -> Vec<ReadLoop> {
    let mut out = Vec::new();
    let mut open: Option<(Vec<String>, Option<char>)> = None;
    let mut at = 0;
    let mut lines = text.split_inclusive('\n');
    while let Some(line) = lines.next() {
        at += line.len();
        let words = line.trim();
        if let Some(head) = words.strip_prefix("while ").filter(|head| head.contains("read ")) {
            open = Some((names(head), separator(head)));
            continue;
        }
        let Some(mark) = words.strip_prefix("done").and_then(|rest| rest.split_once("<<")) else { continue };
        let mark = mark.1.trim_start_matches('-').trim().trim_matches(['"', '\'']);
        let Some((names, separator)) = open.take().filter(|_| !mark.is_empty()) else { continue };
        let mut last = None;
        for row in lines.by_ref() {
            let start = at;
            at += row.len();
            if row.trim() == mark {
                break;
            }
            if !row.trim().is_empty() {
                last = Some(start..start + row.trim_end().len());
            }
        }
        out.extend(last.map(|row| ReadLoop { names, separator, row }));
    }
    out
}

/// The names behind `read`, without its options.
fn names(head: &str) -> Vec<String> {
    let list = head.split_once("read ").map_or("", |(_, list)| list);
    let list = list.split([';', '&', '|']).next().unwrap_or_default();
    list.split_whitespace().filter(|word| !word.starts_with('-')).map(str::to_owned).collect()
}

/// The mark in `IFS=,` or `IFS='|'`.
fn separator(head: &str) -> Option<char> {
    let value = head.strip_prefix("IFS=")?.split(' ').next()?;
    value.trim_matches(['"', '\'']).chars().next()
}

#[cfg(test)]
mod tests {
    use super::super::file_expectations;

    fn changed(text: &str) -> Vec<String> {
        let seen = file_expectations("tests/run.sh", text.as_bytes(), 1);
        let mutants = seen.map(|seen| seen.mutants).unwrap_or_default();
        let lines = mutants.iter().filter(|m| m.kind.as_str() == "equality");
        lines.map(|m| format!("{} {}", m.line, m.was)).collect()
    }

    #[test]
    fn a_here_document_that_is_compared_with_is_changed() {
        let script = |command: &str| format!("{command}\nab c\nEND\n) || exit 1\n");
        assert_eq!(changed(&script("diff <(f 1) <(cat <<'END'")), ["1 ab c"]);
        assert_eq!(changed(&script("diff - <(f 1) <<END")), ["1 ab c"]);
        // What goes to the code, and what is computed.
        assert_eq!(changed(&script("diff want.txt <(f <<END")), [] as [&str; 0]);
        assert_eq!(changed(&script("diff <(f) <(cat <<END").replace("ab c", "$HOME")), [] as [&str; 0]);
    }

    #[test]
    fn the_last_row_of_a_table_is_changed_where_its_column_is_compared() {
        let script = |head: &str, rows: &str| {
            format!(
                "set -e\n{head}; do\n  got=$(sh a.sh \"$a\")\n  if [ \"$got\" != \"$want\" ]; then\n    exit 1\n  fi\ndone <<END\n{rows}END\n"
            )
        };
        assert_eq!(changed(&script("while read -r a want", "1 11\n2 22\n")), ["4 22"]);
        assert_eq!(changed(&script("while IFS='|' read -r a want", "1 2|11\n2 3|x y\n")), ["4 x y"]);
        // A row that has other columns, and none at all.
        assert_eq!(changed(&script("while read -r a want", "1 11\n2\n")), [] as [&str; 0]);
        assert_eq!(changed(&script("while read -r a want", "")), [] as [&str; 0]);
    }
}
