//! Examples in code blocks: a command with what it prints, an expression with its value.

use crate::spec::document::{BlockContent, CodeListing, DocumentBlock, SectionTree};
use crate::spec::reading::DocumentReading;
use windlass_code::survey::Language;

/// The commands and expressions behind the prompts of a code block.
pub(super) fn calls(code: &CodeListing) -> Vec<String> {
    let behind = |line: &str| {
        let rest = line.strip_prefix(">>> ").or_else(|| line.strip_prefix("$ "))?;
        Some(rest.trim().to_owned())
    };
    code.text.lines().filter_map(behind).collect()
}

/// An example as a criterion.
pub(super) struct WorkedExample {
    /// What is done and what comes of it.
    pub(super) text: String,
    /// The output, if it has several lines.
    pub(super) detail: String,
}

/// The examples of a code block: lines behind a prompt, each with the lines below it.
pub(super) fn read(code: &CodeListing) -> Vec<WorkedExample> {
    let info = code.info.split([' ', ',']).next().unwrap_or_default().to_lowercase();
    let is_shell = matches!(
        info.as_str(),
        "" | "sh" | "bash" | "shell" | "console" | "text" | "shell-session" | "terminal"
    );
    let is_python = matches!(info.as_str(), "" | "pycon" | "doctest")
        || Language::of_hint(&info) == Some(Language::Python);
    let mut found: Vec<(String, bool, Vec<&str>)> = Vec::new();
    for line in code.text.lines() {
        let command = line.strip_prefix("$ ").filter(|_| is_shell).map(|rest| (rest, false));
        let expression = line.strip_prefix(">>> ").filter(|_| is_python).map(|rest| (rest, true));
        match command.or(expression) {
            Some((input, evaluates)) => found.push((input.trim().to_owned(), evaluates, Vec::new())),
            None => {
                if let Some((_, _, output)) = found.last_mut() {
                    output.push(line);
                }
            }
        }
    }
    let example = |(input, evaluates, output): (String, bool, Vec<&str>)| {
        let output: Vec<&str> = output.into_iter().skip_while(|l| l.trim().is_empty()).collect();
        let end = output.iter().rposition(|l| !l.trim().is_empty())? + 1;
        let verb = if evaluates { "returns" } else { "prints" };
        let input = input.split(" # ").next().unwrap_or(&input).trim().to_owned();
        if let Some(error) = raised(&output[..end]).filter(|_| evaluates) {
            return Some(WorkedExample {
                text: format!("`{input}` raises `{error}`"),
                detail: String::new(),
            });
        }
        match &output[..end] {
            [only] => Some(WorkedExample {
                text: format!("`{input}` {verb} `{}`", only.trim()),
                detail: String::new(),
            }),
            lines => Some(WorkedExample {
                text: format!("`{input}` {verb} the {} lines of the example", lines.len()),
                detail: lines.join("\n"),
            }),
        }
    };
    found.into_iter().filter_map(example).collect()
}

/// The steps of a flow that is drawn with branches: `├── Save to JSON`. A tree of files is none.
fn drawn_steps(code: &CodeListing) -> Vec<String> {
    let info = code.info.trim();
    if !(info.is_empty() || info == "text") {
        return Vec::new();
    }
    let step = |line: &str| {
        let line = line.trim_start_matches(['│', '|', ' ', '\t']);
        let rest = line.strip_prefix("├").or_else(|| line.strip_prefix("└"))?;
        Some(rest.trim_start_matches(['─', '-', ' ']).trim().to_owned())
    };
    let steps: Vec<String> = code.text.lines().filter_map(step).collect();
    let is_file = |step: &String| {
        let first = step.split_whitespace().next().unwrap_or_default();
        first.ends_with('/') || (first.contains('.') && !first.ends_with('.') && !first.contains('('))
    };
    let speaks = |step: &&String| step.split_whitespace().count() > 1;
    let is_flow = steps.len() > 1
        && !steps.iter().any(is_file)
        && steps.iter().filter(speaks).count() * 3 > steps.len() * 2;
    if is_flow { steps } else { Vec::new() }
}

/// The steps that a drawn flow shows, each under the name of the flow.
pub(super) fn flow_steps(
    tree: &SectionTree,
    block: &DocumentBlock,
    code: &CodeListing,
) -> Vec<WorkedExample> {
    let label = block.label.as_deref().unwrap_or_else(|| tree.heading(block.section));
    let name = label.trim_matches(['*', ':', ' ']);
    let name = name.strip_suffix("Flow").or_else(|| name.strip_suffix("flow")).unwrap_or(name).trim();
    let name = if name.len() < 3 { tree.heading(block.section) } else { name };
    let steps = drawn_steps(code).into_iter();
    let said = |step: String| WorkedExample { text: format!("{name}: {step}"), detail: String::new() };
    steps.map(said).collect()
}

/// The example that two code blocks make: `The input` … `prints` …
pub(super) fn shown_result(reading: &DocumentReading<'_>, block: &DocumentBlock) -> Option<WorkedExample> {
    let blocks = &reading.tree.blocks;
    let words = |at: usize| -> Option<String> {
        let text = blocks.get(at)?.running_text()?.text.to_lowercase();
        Some(text.trim_end_matches([':', '.', ',', ' ']).to_owned())
    };
    let code = |at: usize| match &blocks.get(at)?.content {
        BlockContent::Code(code) => Some(code.text.trim_end()),
        BlockContent::Paragraph(_) | BlockContent::Item(_) | BlockContent::Table(_) => None,
    };
    let before = words(block.index.checked_sub(1)?)?;
    let between = words(block.index + 1)?;
    let (input, output) = (code(block.index)?, code(block.index + 2)?);
    let asks = ["input", "given", "file", "contains", "text", "call", "request"];
    let gives = [
        "prints",
        "print",
        "gives",
        "output",
        "returns",
        "produces",
        "yields",
        "becomes",
        "results in",
        "response",
        "is",
    ];
    let is_pair = asks.iter().any(|word| before.ends_with(word))
        && between.split_whitespace().count() <= 4
        && gives.iter().any(|word| between.ends_with(word) || between.starts_with(word));
    let said = match (input.lines().count(), output.lines().count()) {
        (1, 1) => format!("The input `{}` gives `{}`", input.trim(), output.trim()),
        (1, lines) => format!("The input `{}` gives the {lines} lines of the example", input.trim()),
        (_, lines) => format!("The input of the example gives its {lines} lines of output"),
    };
    is_pair.then(|| WorkedExample { text: said, detail: format!("{input}\n\n{between}\n\n{output}") })
}

/// The error that ends an output: the name in the last line of a traceback, also of an abridged one.
fn raised<'l>(output: &[&'l str]) -> Option<&'l str> {
    let opens = output.first().is_some_and(|l| l.starts_with("Traceback") || l.trim() == "...");
    let last = output.last()?.trim();
    let name = last.split(':').next()?.rsplit('.').next()?;
    let is_name =
        name.starts_with(char::is_uppercase) && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (opens && is_name).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_with_outputs_are_examples() {
        let table: [(&str, &str, &[&str]); 6] = [
            (
                "py",
                ">>> f('')\nTraceback (most recent call last):\n  ...\na.BadText: no\n",
                &["`f('')` raises `BadText`"],
            ),
            ("console", "$ todo add x\nAdded 1\n$ todo list", &["`todo add x` prints `Added 1`"]),
            ("python", ">>> slug('A b')  # lower\n'a-b'\n", &["`slug('A b')` returns `'a-b'`"]),
            ("", "$ ls\na\nb\n\n", &["`ls` prints the 2 lines of the example"]),
            ("bash", "npm install\nnpm test", &[]),
            ("json", "$ todo\nx", &[]),
        ];
        for (info, text, expected) in table {
            let code = CodeListing { info: info.into(), text: text.into(), at: 0..0 };
            let found: Vec<String> = read(&code).into_iter().map(|e| e.text).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
