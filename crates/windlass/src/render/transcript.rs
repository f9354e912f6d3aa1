//! An agent's output for people: its text, the tools it used, the files it changed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use windlass_core::event::Usage;
use windlass_engine::agent::stream::{
    ClaimedEnd, ErrorWeight, LineContent, MessagePart, StreamEntry, StreamReader, UsageSpan,
};

use super::screen::{Paint, Screen};
use super::status::short_number;

/// Reads an agent's output in pieces and writes its events as text. Output that is not an event stream stays as it is.
pub(crate) struct Transcript {
    reader: StreamReader,
    screen: Screen,
    /// Whether the last words may go on.
    open: bool,
}

impl Transcript {
    /// Nothing read yet.
    pub(crate) fn new(screen: Screen) -> Self {
        Self { reader: StreamReader::guessing(), screen, open: false }
    }

    /// What the next bytes tell.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> String {
        let mut text = String::new();
        let Self { reader, screen, open } = self;
        reader.push(bytes, &mut |heard| write(&mut text, &heard, *screen, open));
        text
    }

    /// What a last line without an end tells.
    pub(crate) fn finish(&mut self) -> String {
        let mut text = String::new();
        let Self { reader, screen, open } = self;
        reader.finish(&mut |heard| write(&mut text, &heard, *screen, open));
        if std::mem::take(open) {
            text.push('\n');
        }
        text
    }
}

fn write(text: &mut String, heard: &LineContent<'_>, screen: Screen, open: &mut bool) {
    match heard {
        LineContent::Plain(line) => {
            text.push_str(&if screen.colour { coloured(line) } else { harmless(line) });
            text.push('\n');
        }
        LineContent::TooLong(n) => {
            let _ = writeln!(text, "(a line of {n} bytes is left out)");
        }
        LineContent::Entries(entries) => {
            for entry in entries {
                write_entry(text, entry, screen, open);
            }
        }
    }
}

fn write_entry(text: &mut String, entry: &StreamEntry, screen: Screen, open: &mut bool) {
    if let StreamEntry::Message { text: said, part } = entry {
        text.push_str(&harmless(said));
        *open = *part == MessagePart::Piece && !said.ends_with('\n');
        if *part == MessagePart::Whole && !said.ends_with('\n') {
            text.push('\n');
        }
        return;
    }
    let Some(line) = line_of(entry, screen) else { return };
    if std::mem::take(open) {
        text.push('\n');
    }
    text.push_str(&line);
    text.push('\n');
}

/// An entry in a line; those that tell a person nothing have none.
fn line_of(entry: &StreamEntry, screen: Screen) -> Option<String> {
    let paint = |paint: Paint, text: &str| screen.paint(paint, &harmless(text));
    let faint = |text: &str| paint(Paint::Faint, text);
    match entry {
        StreamEntry::Session { id, model: Some(model) } => Some(faint(&format!("session {id} · {model}"))),
        StreamEntry::Session { .. }
        | StreamEntry::Working
        | StreamEntry::ToolOver
        | StreamEntry::Message { .. }
        | StreamEntry::Usage { span: UsageSpan::Step(_), .. } => None,
        StreamEntry::ToolUse { tool, what } => Some(harmless(format!("→ {tool} {what}").trim_end())),
        StreamEntry::ToolFailed { what } => {
            Some(format!("  {} {}", paint(Paint::Error, "✗"), harmless(what)))
        }
        StreamEntry::FileChange { path } => Some(format!("  {} {}", paint(Paint::Good, "±"), harmless(path))),
        StreamEntry::Denied { what, .. } => Some(paint(Paint::Warning, &format!("  not allowed: {what}"))),
        StreamEntry::Usage { usage, span: UsageSpan::Run | UsageSpan::Conversation, .. } => {
            Some(faint(&used(usage)))
        }
        StreamEntry::Error { message, weight, .. } => {
            let kind = match weight {
                ErrorWeight::Warning => Paint::Faint,
                ErrorWeight::Passing => Paint::Warning,
                ErrorWeight::Final => Paint::Error,
            };
            Some(paint(kind, &format!("! {message}")))
        }
        StreamEntry::End { outcome: ClaimedEnd::Done, .. } => Some(faint("done, it says")),
        StreamEntry::End { outcome: ClaimedEnd::Failed, .. } => Some(paint(Paint::Error, "it gave up")),
    }
}

/// Text as it may be shown: lines and tabs stay, what would command the terminal does not.
pub(crate) fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            skip_sequence(&mut chars);
        } else if c == '\n' || c == '\t' || !c.is_control() {
            out.push(c);
        }
    }
    out
}

/// The same for a terminal with colours: colours and weights stay, and end where the text ends. Hidden text is shown.
pub(crate) fn coloured(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut painted = false;
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            let colour = colour_sequence(chars.clone());
            skip_sequence(&mut chars);
            if let Some(colour) = colour {
                painted = !matches!(colour.as_str(), "" | "0");
                out.push_str(&format!("\u{1b}[{colour}m"));
            }
        } else if c == '\n' || c == '\t' || !c.is_control() {
            out.push(c);
        }
    }
    if painted {
        out.push_str("\u{1b}[0m");
    }
    out
}

/// The numbers of a sequence that only changes how text looks; `None` for any other.
fn colour_sequence(mut rest: impl Iterator<Item = char>) -> Option<String> {
    if rest.next() != Some('[') {
        return None;
    }
    let mut numbers = String::new();
    loop {
        match rest.next()? {
            c @ ('0'..='9' | ';' | ':') => numbers.push(c),
            'm' if numbers.split(';').all(|n| n != "8") => return Some(numbers),
            _ => return None,
        }
    }
}

/// Skips the rest of an escape sequence: colours and cursor moves (`[1m`), titles (`]0;…`), single letters.
fn skip_sequence(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match chars.next_if(|c| *c != '\n') {
        Some('[') => while chars.next_if(|c| !('\u{40}'..='\u{7e}').contains(c) && *c != '\n').is_some() {},
        Some(']') => {
            while chars.next_if(|c| !matches!(c, '\u{7}' | '\u{1b}' | '\n')).is_some() {}
            if chars.next_if_eq(&'\u{1b}').is_none() {
                chars.next_if_eq(&'\u{7}');
                return;
            }
        }
        Some(_) | None => return,
    }
    // The last character of the sequence.
    chars.next_if(|c| *c != '\n');
}

/// Tokens and money in a line.
fn used(usage: &Usage) -> String {
    let cached = match usage.cache_read_tokens {
        0 => String::new(),
        n => format!(" ({} cached)", short_number(n)),
    };
    let money = usage.cost_usd.map(|usd| format!(" · ${usd:.4}")).unwrap_or_default();
    let (read, written) = (short_number(usage.input_tokens), short_number(usage.output_tokens));
    format!("{read} tokens read{cached}, {written} written{money}")
}

/// What an agent did, in a line: which tools it used how often, which files it says it changed. `None` where its output
/// does not tell.
pub(crate) fn deeds(output: &[u8]) -> Option<String> {
    const NAMED: usize = 6;
    let mut tools: BTreeMap<String, u32> = BTreeMap::new();
    let mut files: Vec<String> = Vec::new();
    let mut reader = StreamReader::guessing();
    let mut take = |heard: LineContent<'_>| {
        let LineContent::Entries(entries) = heard else { return };
        for entry in entries {
            match entry {
                StreamEntry::ToolUse { tool, .. } => *tools.entry(tool).or_default() += 1,
                StreamEntry::FileChange { path } if !files.contains(&path) => files.push(path),
                _ => {}
            }
        }
    };
    reader.push(output, &mut take);
    reader.finish(&mut take);
    let used: Vec<String> = tools.iter().take(NAMED).map(|(tool, n)| format!("{tool} {n}×")).collect();
    let changed: Vec<&str> = files.iter().take(NAMED).map(String::as_str).collect();
    match (used.is_empty(), changed.is_empty()) {
        (true, _) => None,
        (false, true) => Some(format!("used {}", used.join(", "))),
        (false, false) => Some(format!("used {}; changed {}", used.join(", "), changed.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCREEN: Screen = Screen { terminal: false, colour: false, width: 80 };

    const STREAM: &str = concat!(
        r#"{"type":"system","subtype":"init","session_id":"5e55","model":"some-model"}"#,
        "\nsomething on standard error\n",
        r#"{"type":"assistant","message":{"id":"1","content":[{"type":"text","text":"I write it."},{"type":"tool_use","name":"Write","input":{"file_path":"a.sh"}}]}}"#,
        "\n",
        r#"{"type":"user","message":{"content":[]},"tool_use_result":{"filePath":"a.sh","structuredPatch":[]}}"#,
        "\n",
        r#"{"type":"user","message":{"content":[{"type":"tool_result","is_error":true,"content":"exit code 1\nmore"}]}}"#,
        "\n",
        r#"{"type":"result","is_error":false,"result":"Done.","session_id":"5e55","total_cost_usd":0.012,"permission_denials":[{"tool_name":"Bash","tool_use_id":"7","tool_input":{"command":"rm -rf /"}}],"modelUsage":{"some-model":{"inputTokens":1500,"outputTokens":70,"cacheReadInputTokens":500}}}"#,
        "\n"
    );

    #[test]
    fn nothing_of_an_escape_sequence_is_left() {
        let table = [
            ("\u{1b}[1m\u{1b}[46mFAIL\u{1b}[0m a.test.ts\n", "FAIL a.test.ts\n"),
            ("\u{1b}]0;title\u{7}text", "text"),
            ("\u{1b}]0;title\u{1b}\\text", "text"),
            ("\u{1b}[2K\rdone\tit", "done\tit"),
            ("cut \u{1b}[3", "cut "),
            ("\u{1b}cfresh", "fresh"),
        ];
        for (raw, expected) in table {
            assert_eq!(harmless(raw), expected, "{raw:?}");
        }
    }

    #[test]
    fn only_colours_are_left_on_a_terminal_with_colours() {
        let table = [
            ("\u{1b}[1m\u{1b}[46mFAIL\u{1b}[0m x\n", "\u{1b}[1m\u{1b}[46mFAIL\u{1b}[0m x\n"),
            ("\u{1b}[31mred", "\u{1b}[31mred\u{1b}[0m"),
            ("\u{1b}[2J\u{1b}]0;title\u{7}\u{1b}[8mhidden", "hidden"),
            ("\u{1b}[38;5;208mx\u{1b}[m", "\u{1b}[38;5;208mx\u{1b}[m"),
            ("\u{1b}[?25l\u{9b}31mx\u{1b}[3", "31mx"),
        ];
        for (raw, expected) in table {
            assert_eq!(coloured(raw), expected, "{raw:?}");
        }
    }

    #[test]
    fn a_stream_reads_like_a_story_wherever_it_is_cut() {
        let mut whole = Transcript::new(SCREEN);
        let text = whole.push(STREAM.as_bytes()) + &whole.finish();
        insta::assert_snapshot!(text, @"
        session 5e55 · some-model
        something on standard error
        I write it.
        → Write a.sh
          ± a.sh
          ✗ exit code 1
          not allowed: Bash rm -rf /
        2.0k tokens read (500 cached), 70 written · $0.0120
        done, it says
        ");
        let mut pieces = Transcript::new(SCREEN);
        let mut same: String = STREAM.as_bytes().chunks(7).map(|piece| pieces.push(piece)).collect();
        same.push_str(&pieces.finish());
        assert_eq!(same, text);
        insta::assert_snapshot!(deeds(STREAM.as_bytes()).unwrap(), @"used Write 1×; changed a.sh");
    }

    #[test]
    fn what_is_no_stream_stays_as_it_is() {
        let mut plain = Transcript::new(SCREEN);
        let text = plain.push(b"{\"type\": \"other\"}\nhello\nhalf") + &plain.finish();
        assert_eq!(text, "{\"type\": \"other\"}\nhello\nhalf\n");
        assert_eq!(deeds(b"hello"), None);
    }

    #[test]
    fn pieces_of_a_message_make_one() {
        let stream = concat!(
            r#"{"type":"init","session_id":"1"}"#,
            "\n",
            r#"{"type":"message","role":"assistant","content":"Hel","delta":true}"#,
            "\n",
            r#"{"type":"message","role":"assistant","content":"lo","delta":true}"#,
            "\n",
            r#"{"type":"result","status":"success","stats":{}}"#,
        );
        let mut transcript = Transcript::new(SCREEN);
        let text = transcript.push(stream.as_bytes()) + &transcript.finish();
        assert_eq!(text, "Hello\n0 tokens read, 0 written\ndone, it says\n");
    }
}
