//! Listings in two columns: names and what each is, and settings with a comment behind or above each.

/// The fewest words of a comment that says something.
const FEWEST: usize = 3;

/// The lines of a listing that give a name a meaning in a second column: `Bytes 1..5   u32   length of the title`.
pub(super) fn pairs(text: &str) -> Vec<String> {
    const FEWEST_LINES: usize = 2;
    const LONGEST_NAME: usize = 5;
    let is_data = |line: &str| line.contains(['{', '}', ';', '│', '├', '└', '─', '|']);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    if lines.iter().any(|line| is_data(line)) {
        return Vec::new();
    }
    let pair = |line: &&str| {
        let indent = line.len() - line.trim_start().len();
        let gap = line[indent..].find("  ").or_else(|| line[indent..].find('\t'))? + indent;
        let meaning = line[gap..].trim_start();
        let column = line.len() - meaning.len();
        let name = line[indent..gap].trim_end_matches([':', ' ']);
        let is_named = !name.is_empty() && name.split_whitespace().count() <= LONGEST_NAME;
        let says = meaning.split_whitespace().count() > 1 || meaning.chars().count() > 12;
        (is_named && says)
            .then(|| (column, name.to_owned(), meaning.split_whitespace().collect::<Vec<_>>().join(" ")))
    };
    let found: Vec<(usize, String, String)> = lines.iter().filter_map(pair).collect();
    // Gaps that are no column are spaces inside sentences.
    let column = found.first().map_or(0, |(column, _, _)| *column);
    let aligned = found.iter().filter(|(own, _, _)| *own == column).count();
    let is_table =
        found.len() >= FEWEST_LINES && found.len() * 2 > lines.len() && aligned * 3 >= found.len() * 2;
    if !is_table {
        return Vec::new();
    }
    found.into_iter().map(|(_, name, meaning)| format!("{name}: {meaning}")).collect()
}

/// Settings of which a comment says what they are for: `port: 8080   # where the server listens`, or with the comment above.
pub(super) fn settings(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut above = String::new();
    for line in text.lines().map(str::trim) {
        if let Some(comment) = comment(line) {
            let gap = if above.is_empty() { "" } else { " " };
            above.push_str(&format!("{gap}{comment}"));
            continue;
        }
        let above = std::mem::take(&mut above);
        let (setting, behind) = match [" # ", " ; ", " // "].iter().find_map(|mark| line.split_once(mark)) {
            Some((setting, behind)) => (setting.trim(), behind.trim()),
            None => (line, ""),
        };
        if !is_setting(setting) {
            continue;
        }
        let says = |comment: &&str| comment.split_whitespace().count() >= FEWEST;
        if let Some(meaning) = [behind, above.as_str()].iter().find(|comment| says(comment)) {
            found.push(format!("`{}`: {meaning}", setting.trim_end_matches(',')));
        }
    }
    found
}

/// The text of a line that is nothing but a comment.
fn comment(line: &str) -> Option<&str> {
    ["# ", "; ", "// "].iter().find_map(|mark| line.strip_prefix(mark)).map(str::trim)
}

/// Whether a line gives a name a value: `port: 8080`, `retries = 3`, `SHELF_HOME=/srv`.
fn is_setting(line: &str) -> bool {
    let line = line.strip_prefix("- ").or_else(|| line.strip_prefix("export ")).unwrap_or(line);
    let name = line.split([':', '=']).next().unwrap_or_default().trim().trim_matches(['"', '\'']);
    name.len() < line.len()
        && !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_meanings_beside_them() {
        let layout = "Byte 0:         u8    version, always 6\nBytes 1..5:     u32   length of the title\nNext N bytes:   [u8]  title\n";
        assert_eq!(
            pairs(layout),
            [
                "Byte 0: u8 version, always 6",
                "Bytes 1..5: u32 length of the title",
                "Next N bytes: [u8] title"
            ]
        );
        assert!(pairs("The shelf  is full.\nAnother one is not.\nA third, too.").is_empty());
        assert!(pairs("{\n  \"a\":  1,\n  \"b\":  2\n}").is_empty());
    }

    #[test]
    fn settings_with_comments() {
        let yaml = "server:\n  port: 8080   # where the server listens\n  # how often a page is\n  # fetched again\n  retries: 3\n  name: shelf\n";
        assert_eq!(
            settings(yaml),
            ["`port: 8080`: where the server listens", "`retries: 3`: how often a page is fetched again"]
        );
        assert_eq!(
            settings("SHELF_HOME=/srv # the folder of all shelves"),
            ["`SHELF_HOME=/srv`: the folder of all shelves"]
        );
        assert!(settings("run: echo # a\n").is_empty());
    }
}
