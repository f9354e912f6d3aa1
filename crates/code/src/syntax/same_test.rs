//! Whether a name in a report is a test found in source code.
//!
//! A report's names are those of [`crate::report`]; an item's name is [`TestItem::name`](super::TestItem), best with
//! its file in front as [`TestItem::name_in`](super::TestItem::name_in) gives it. Parameters (`test[1]`, `test::case_1`,
//! titles with `%s` or `${…}`) are the same test.

use super::language_of;

/// Whether `report_name` is the test that `item_name` names.
pub fn same_test(report_name: &str, item_name: &str) -> bool {
    if report_name == item_name {
        return true;
    }
    if let (Some(one), Some(other)) = (document(report_name), document(item_name)) {
        return same_path(one, other);
    }
    let Some((path, name)) = split_file(item_name) else { return same_unqualified(report_name, item_name) };
    language_of(path).is_some_and(|language| (language.row().same_test)(report_name, path, name))
}

/// The path of a document whose examples are one test: `docs/a.txt::a.txt`.
fn document(name: &str) -> Option<&str> {
    let (path, name) = name.split_once("::")?;
    (path.rsplit('/').next() == Some(name) && language_of(path).is_none()).then_some(path)
}

/// Whether a reported name says that its test stands in this file.
pub fn is_named_in(report_name: &str, path: &str) -> bool {
    split_file(report_name).is_some_and(|(file, _)| same_path(file, path))
}

/// Splits `path::name`, `path > name` or `path name` where the path is a source file.
fn split_file(item: &str) -> Option<(&str, &str)> {
    let by = |separator: &str| {
        let (path, name) = item.split_once(separator)?;
        language_of(path).map(|_| (path, name))
    };
    by(" > ").or_else(|| by("::")).or_else(|| by(" "))
}

/// Whether one path is the other seen from a directory further in or out.
pub(crate) fn same_path(a: &str, b: &str) -> bool {
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    let (a, b) = (a.trim_start_matches("./"), b.trim_start_matches("./"));
    ends(a, b) || ends(b, a)
}

pub(crate) fn without_parameters(name: &str) -> &str {
    name.split_once('[').map_or(name, |(name, _)| name)
}

/// The modules in front when `test` is `name` itself, inside modules, or one case of it.
pub(crate) fn ends_with_path<'a>(test: &'a str, name: &str) -> Option<&'a str> {
    let strip = |test: &'a str| match test.strip_suffix(name)? {
        "" => Some(""),
        rest => rest.strip_suffix("::"),
    };
    // `rstest` and `test_case` append a segment to the function's name.
    strip(test).or_else(|| strip(test.rsplit_once("::")?.0))
}

/// Compares a title with its pattern, in which `%s`, `$name` and `${…}` stand for anything.
pub(crate) fn same_title(title: &str, pattern: &str) -> bool {
    let parts = fixed_parts(pattern);
    let [first, .., last] = parts.as_slice() else { return title == pattern };
    if parts.len() == 1 {
        return title == pattern;
    }
    let Some(mut rest) = title.strip_prefix(first.as_str()) else { return false };
    for part in &parts[1..parts.len() - 1] {
        let Some(at) = rest.find(part.as_str()) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last.as_str())
}

/// The pieces of a pattern between its placeholders; one piece when there is none.
fn fixed_parts(pattern: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        let placeholder = match c {
            '%' => chars.next_if(|next| "sdifjoOp#$c%".contains(*next)).is_some(),
            '$' if chars.peek() == Some(&'{') => {
                skip_braces(&mut chars);
                true
            }
            '$' => {
                let named =
                    chars.peek().is_some_and(|next| next.is_alphabetic() || *next == '_' || *next == '#');
                while named && chars.next_if(|next| next.is_alphanumeric() || "_.#".contains(*next)).is_some()
                {
                }
                named
            }
            _ => false,
        };
        if placeholder {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    parts
}

fn skip_braces(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    let mut depth = 0usize;
    for c in chars.by_ref() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return;
        }
    }
}

pub(crate) fn same_unqualified(report: &str, name: &str) -> bool {
    let report = without_parameters(report);
    let ends =
        [" > ", "::", " ", "/", "."].iter().any(|separator| report.ends_with(&format!("{separator}{name}")));
    ends || report == name || ends_with_path(report, name).is_some() || same_title(report, name)
}

#[cfg(test)]
mod tests;
