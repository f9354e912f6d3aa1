//! The part of a test run's output that a person or a bug-hunter needs.
//!
//! Knows what failures look like in print; decides nothing.

use crate::text::plain;

/// Lines longer than this are cut in the middle.
const LINE: usize = 600;

/// Lines around a telling line that go with it.
const AROUND: usize = 6;

/// At most `max_bytes` of `output`: readable text without terminal codes, failure blocks first, then the end, then the
/// beginning, in the order in which they were printed. What was left out is counted.
pub fn failure_excerpt(output: &[u8], max_bytes: usize) -> String {
    let text = without_runner_frames(&plain(output));
    let text = text.trim_matches('\n');
    if text.len() <= max_bytes {
        return text.to_owned();
    }
    let lines: Vec<String> = text.lines().map(shorten).collect();
    let order = by_importance(&lines);
    let mut kept = vec![false; lines.len()];
    let mut room = max_bytes;
    for index in order {
        // Each run of kept lines may need one line that counts what is missing before it.
        let cost = lines[index].len() + 1 + if beside_kept(&kept, index) { 0 } else { GAP };
        if cost <= room {
            room -= cost;
            kept[index] = true;
        }
    }
    let excerpt = join(&lines, &kept);
    truncate(excerpt, max_bytes)
}

/// The text without the frames of pytest itself in tracebacks, of which every failed test has two dozen.
fn without_runner_frames(text: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut out = String::with_capacity(text.len());
    let mut dropped: Option<usize> = None;
    for line in text.split_inclusive('\n') {
        let place = line.trim_start().strip_prefix("File \"").and_then(|rest| rest.split('"').next());
        dropped = match (place, dropped) {
            (Some(path), _) if ["/_pytest/", "/pluggy/"].iter().any(|part| path.contains(part)) => {
                Some(indent(line))
            }
            // The source line of the frame, and the marks below it.
            (None, Some(depth)) if indent(line) > depth && !line.trim().is_empty() => Some(depth),
            _ => None,
        };
        if dropped.is_none() {
            out.push_str(line);
        }
    }
    out
}

/// The room that one `[… 12345 lines left out …]` takes.
const GAP: usize = 40;

fn beside_kept(kept: &[bool], index: usize) -> bool {
    (index > 0 && kept[index - 1]) || kept.get(index + 1).copied().unwrap_or(false)
}

fn shorten(line: &str) -> String {
    if line.len() <= LINE {
        return line.to_owned();
    }
    let head = line.floor_char_boundary(LINE * 2 / 3);
    let tail = line.ceil_char_boundary(line.len() - LINE / 4);
    format!("{} […] {}", &line[..head], &line[tail..])
}

/// The indices of all lines: telling blocks from the first, the last lines, the first lines, the rest.
fn by_importance(lines: &[String]) -> Vec<usize> {
    let mut order = Vec::with_capacity(lines.len());
    let mut listed = vec![false; lines.len()];
    let mut list = |index: usize| {
        if !std::mem::replace(&mut listed[index], true) {
            order.push(index);
        }
    };
    let last = lines.len().saturating_sub(1);
    for index in lines.len().saturating_sub(5)..lines.len() {
        list(index);
    }
    (0..lines.len().min(3)).for_each(&mut list);
    let telling: Vec<usize> = (0..lines.len()).filter(|index| is_telling(&lines[*index])).collect();
    telling.iter().copied().for_each(&mut list);
    for reach in 1..=AROUND {
        for index in &telling {
            list(index.saturating_sub(reach));
            list((index + reach).min(last));
        }
    }
    (0..lines.len()).rev().for_each(&mut list);
    order
}

fn is_telling(line: &str) -> bool {
    const STARTS: [&str; 20] = [
        "E  ",
        "error",
        "Error",
        "FAIL",
        "FAILED",
        "not ok",
        "--- FAIL",
        "panic",
        "thread '",
        "assertion",
        "AssertionError",
        "Traceback",
        "Expected",
        "Received",
        "- Expected",
        "+ Received",
        "left:",
        "right:",
        "---- ",
        "> ",
    ];
    const PARTS: [&str; 8] =
        ["panicked at", "AssertionError", " FAILED", "Error: ", "error[", ": undefined", "✕ ", "✖ "];
    let text = line.trim_start();
    STARTS.iter().any(|start| text.starts_with(start)) || PARTS.iter().any(|part| text.contains(part))
}

fn join(lines: &[String], kept: &[bool]) -> String {
    let mut out = String::new();
    let mut left_out = 0usize;
    for (line, kept) in lines.iter().zip(kept) {
        if *kept {
            say_gap(&mut out, &mut left_out);
            out.push_str(line);
            out.push('\n');
        } else {
            left_out += 1;
        }
    }
    say_gap(&mut out, &mut left_out);
    out.truncate(out.trim_end_matches('\n').len());
    out
}

fn say_gap(out: &mut String, left_out: &mut usize) {
    match std::mem::take(left_out) {
        0 => {}
        1 => out.push_str("[… 1 line left out …]\n"),
        count => {
            out.push_str("[… ");
            out.push_str(&count.to_string());
            out.push_str(" lines left out …]\n");
        }
    }
}

/// The last word on the limit, whatever the sums above said.
fn truncate(mut text: String, max_bytes: usize) -> String {
    if text.len() > max_bytes {
        text.truncate(text.floor_char_boundary(max_bytes));
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn frames_of_the_runner_are_left_out() {
        let said = "Traceback (most recent call last):\n  \
                    File \"/x/site-packages/_pytest/runner.py\", line 1, in from_call\n    result = func()\n             ^^^^\n  \
                    File \"/x/site-packages/pluggy/_caller.py\", line 2, in __call__\n    return 1\n  \
                    File \"/w/tests/test_a.py\", line 5, in test_a\n    assert f(1) == 2\nAssertionError: assert 1 == 2\n";
        assert_eq!(
            failure_excerpt(said.as_bytes(), 4000),
            "Traceback (most recent call last):\n  File \"/w/tests/test_a.py\", line 5, in test_a\n    \
             assert f(1) == 2\nAssertionError: assert 1 == 2"
        );
    }

    #[test]
    fn short_output_stays_whole() {
        assert_eq!(failure_excerpt(b"\x1b[31mred\x1b[0m\n", 100), "red");
    }

    #[test]
    fn the_failure_survives_the_flood() {
        let noise = (0..2000).map(|n| format!("progress {n}\n")).collect::<Vec<_>>().concat();
        let output = format!(
            "start\n{noise}    def test_bad():\n>       assert add(1, 2) == 4\nE       assert 3 == 4\n\ntests/test_x.py:5: AssertionError\n{noise}1 failed in 0.05s\n"
        );
        insta::assert_snapshot!(failure_excerpt(output.as_bytes(), 400), @r"
        start
        progress 0
        progress 1
        [… 1997 lines left out …]
        progress 1999
            def test_bad():
        >       assert add(1, 2) == 4
        E       assert 3 == 4

        tests/test_x.py:5: AssertionError
        progress 0
        [… 1995 lines left out …]
        progress 1996
        progress 1997
        progress 1998
        progress 1999
        1 failed in 0.05s
        ");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn never_longer_than_asked(bytes in proptest::collection::vec(any::<u8>(), 0..3000), max in 0usize..500) {
            let text = failure_excerpt(&bytes, max);
            prop_assert!(text.len() <= max);
        }
    }
}
