//! INI files as Python's tools write them: sections, keys, values over several lines.

/// The values of a key in a section, line by line, without comments and empty lines.
pub(crate) fn ini_lines(text: &str, section: &str, key: &str) -> Vec<String> {
    let found = ini_section(text, section).into_iter().find(|(name, _)| name == key);
    found.map(|(_, lines)| lines).unwrap_or_default()
}

/// The keys of a section in their order, each with the lines of its value.
pub(crate) fn ini_section(text: &str, section: &str) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            inside = name.trim() == section;
        } else if !inside || trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
            // Another section, or nothing said.
        } else if line.starts_with([' ', '\t']) {
            if let Some((_, lines)) = found.last_mut() {
                lines.push(without_comment(trimmed));
            }
        } else if let Some((name, value)) = line.split_once(['=', ':']) {
            let value = without_comment(value.trim());
            let lines = if value.is_empty() { Vec::new() } else { vec![value] };
            found.push((name.trim().to_owned(), lines));
        }
    }
    found
}

fn without_comment(value: &str) -> String {
    value.split(" #").next().unwrap_or(value).trim().to_owned()
}

#[cfg(test)]
mod tests;
