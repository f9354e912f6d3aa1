//! Reads one task file: front matter by the key table, then section by section. Never fails; reports what it could not use.

use std::collections::HashMap;

use super::code::{code_block, interfaces};
use super::keys::{self, TASK_KEYS};
use super::lists;
use super::output::output_file;
use super::section::SectionKind;
use super::steps::read_steps;
use crate::markdown::{
    BodyBlock, FencedCode, RawSection, SectionedText, TextSlice, blocks, join, lines, without_backticks,
};
use crate::reading::code as codes;
use crate::tree::{TreeMember, TreeValue, parse_yaml, span_of};
use windlass_core::diagnostic::{Diagnostic, FileIx, Severity, Span};
use windlass_core::plan::{Section, Task};

/// A file to read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TaskSource<'a> {
    /// Its text.
    pub(crate) text: &'a str,
    /// Its index among the sources.
    pub(crate) file: FileIx,
    /// The id to use if the file names none.
    pub(crate) fallback_id: &'a str,
    /// Keys that the plan sets for every task.
    pub(crate) defaults: &'a [TreeMember<'static>],
}

/// What the readings of a plan's files share: their findings, and the spellings already looked up.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    pub(crate) diagnostics: Vec<Diagnostic>,
    spellings: HashMap<String, Option<&'static str>>,
}

/// Reads a task.
pub(crate) fn read_task(source: &TaskSource<'_>, shared: &mut Shared) -> Task {
    let document = SectionedText::parse(source.text);
    let from = shared.diagnostics.len();
    let mut reader = TaskReader { task: Task::default(), file: source.file, shared };
    reader.front(source, &document);
    reader.title(source, &document);
    reader.intro(&document);
    for section in &document.sections {
        reader.section(section);
    }
    let TaskReader { task, .. } = reader;
    for diagnostic in &mut shared.diagnostics[from..] {
        diagnostic.task.get_or_insert_with(|| task.id.clone());
    }
    task
}

struct TaskReader<'s> {
    task: Task,
    file: FileIx,
    shared: &'s mut Shared,
}

impl TaskReader<'_> {
    fn report(&mut self, code: &'static str, severity: Severity, message: impl Into<String>, span: Span) {
        self.shared.diagnostics.push(Diagnostic::new(code, severity, message).at(Some(span)));
    }

    fn span(&self, at: usize, end: usize) -> Span {
        span_of(self.file, at, end)
    }

    fn place(&mut self, field: &'static str, at: usize, end: usize) {
        let span = self.span(at, end);
        self.task.places.note(field, span);
    }

    fn place_item(&mut self, field: &'static str, item: usize, at: usize, end: usize) {
        let span = self.span(at, end);
        self.task.places.note_item(field, item, span);
    }

    fn front(&mut self, source: &TaskSource<'_>, document: &SectionedText<'_>) {
        let mut entries = Vec::new();
        if let Some(front) = document.front {
            if !document.front_closed {
                let span = self.span(front.at, front.at);
                self.report(codes::SYNTAX, Severity::Error, "the front matter has no closing `---`", span);
            }
            let root = parse_yaml(front.text, self.file, front.at, &mut self.shared.diagnostics);
            match root.map(|node| (node.span, node.tree)) {
                None => {}
                Some((_, TreeValue::Map(found))) => entries = found,
                Some((_, TreeValue::Scalar(text, _))) if text.is_empty() => {}
                Some((span, TreeValue::Scalar(..) | TreeValue::List(_))) => {
                    self.report(
                        codes::WRONG_TYPE,
                        Severity::Error,
                        "front matter is a list of `key: value`",
                        span,
                    );
                }
            }
        }
        for default in source.defaults {
            let own = |e: &TreeMember<'_>| {
                e.key == default.key
                    || keys::find(&default.key).is_some_and(|k| k.aliases.contains(&e.key.as_ref()))
            };
            if !entries.iter().any(own) {
                self.entry(default);
            }
        }
        for entry in &entries {
            self.entry(entry);
        }
    }

    fn entry(&mut self, entry: &TreeMember<'_>) {
        if matches!(entry.key.as_ref(), "status" | "state") {
            self.status(entry);
            return;
        }
        let Some(key) = keys::find(&entry.key) else {
            self.check_spelling(entry);
            self.task.extra.insert(entry.key.to_string(), entry.node.to_value());
            return;
        };
        match (key.set)(&mut self.task, &entry.node) {
            Ok(()) => entry.node.remember(key.field, &mut self.task.places),
            Err(misfit) => {
                let message = format!("`{}` cannot be read: {}", entry.key, misfit.message);
                self.report(
                    codes::WRONG_TYPE,
                    Severity::Error,
                    message,
                    misfit.span.unwrap_or(entry.node.span),
                );
                self.task.extra.insert(entry.key.to_string(), entry.node.to_value());
            }
        }
    }

    fn status(&mut self, entry: &TreeMember<'_>) {
        let message = "a plan holds no state; the journal records what is done";
        let diagnostic = Diagnostic::new(codes::STATUS, Severity::Warning, message)
            .at(Some(entry.key_span))
            .with_help(format!("remove `{}`", entry.key));
        self.shared.diagnostics.push(diagnostic);
        self.task.claimed_state = entry.node.fit().unwrap_or_default();
    }

    fn check_spelling(&mut self, entry: &TreeMember<'_>) {
        let spellings = &mut self.shared.spellings;
        let close = *spellings.entry(entry.key.to_string()).or_insert_with(|| closest(&entry.key));
        if let Some(known) = close {
            let message = format!("unknown key `{}`", entry.key.escape_debug());
            let diagnostic = Diagnostic::new(codes::UNKNOWN_KEY, Severity::Warning, message)
                .at(Some(entry.key_span))
                .with_help(format!("did you mean `{known}`? Unknown keys are kept, but have no meaning"));
            self.shared.diagnostics.push(diagnostic);
        }
    }

    /// Takes id and title from the heading if the front matter has none; the last resort for the id is the file name.
    fn title(&mut self, source: &TaskSource<'_>, document: &SectionedText<'_>) {
        let end = document.front.map_or(0, |f| f.at.saturating_sub(1));
        let at = document.title.map_or(self.span(0, end), |t| self.span(t.at, t.end()));
        self.task.places.note("", at);
        let heading = document.title.map_or("", |t| t.text);
        let (id, title) = split_title(heading, &self.task.id);
        if self.task.id.is_empty() && !self.task.places.contains_key("id") {
            match id {
                Some(id) => id.clone_into(&mut self.task.id),
                None => self.assume_id(source, at),
            }
            self.task.places.note("id", at);
        }
        if self.task.title.is_empty() && !self.task.places.contains_key("title") {
            title.clone_into(&mut self.task.title);
            self.task.places.note("title", at);
        }
    }

    fn assume_id(&mut self, source: &TaskSource<'_>, at: Span) {
        source.fallback_id.clone_into(&mut self.task.id);
        let message = format!(
            "the task has no id; `{}` is taken from the file name",
            source.fallback_id.escape_debug()
        );
        self.report(codes::ASSUMED, Severity::Note, message, at);
    }

    fn intro(&mut self, document: &SectionedText<'_>) {
        let prose = join(lines(document.intro.text, 0).map(|l| l.text));
        if prose.is_empty() {
            return;
        }
        let intro = document.intro;
        if self.task.objective.is_empty() {
            self.task.objective = prose;
            self.place("objective", intro.at, intro.end());
        } else {
            add_text(&mut self.task.description, &prose);
            self.place("description", intro.at, intro.end());
        }
    }

    fn section(&mut self, section: &RawSection<'_>) {
        let Some(kind) = SectionKind::of(section.heading.text) else {
            self.keep(section.heading.text, join(lines(section.body.text, 0).map(|l| l.text)));
            return;
        };
        let body = section.body;
        self.place(kind.fields()[0], section.heading.at, section.heading.end());
        let blocks = blocks(&body);
        self.check_fences(&blocks);
        let stray = match kind {
            SectionKind::Objective | SectionKind::Description | SectionKind::Notes => self.text(kind, body),
            SectionKind::Criteria => self.criteria(&blocks),
            SectionKind::Contract | SectionKind::Tests => self.code(kind, &blocks),
            SectionKind::Interfaces => self.interfaces(&blocks),
            SectionKind::Files => self.files(&blocks),
            SectionKind::Steps => self.steps(&blocks),
            SectionKind::Verification => self.verification(&blocks),
            SectionKind::DoneWhen | SectionKind::Risks => self.items(kind, &blocks),
        };
        let prose = join(stray);
        if !prose.is_empty() {
            self.keep(kind.heading(), prose);
        }
    }

    fn keep(&mut self, heading: &str, body: String) {
        self.task.sections.push(Section { heading: heading.to_owned(), body });
    }

    fn check_fences(&mut self, blocks: &[BodyBlock<'_>]) {
        for block in blocks {
            if let BodyBlock::Code(code) = block
                && !code.closed
            {
                let span = self.span(code.at, code.at + 3);
                self.report(codes::OPEN_FENCE, Severity::Warning, "the code fence is never closed", span);
            }
        }
    }

    fn text<'a>(&mut self, kind: SectionKind, body: TextSlice<'a>) -> Vec<&'a str> {
        let target = match kind {
            SectionKind::Objective => &mut self.task.objective,
            SectionKind::Notes => &mut self.task.notes,
            _ => &mut self.task.description,
        };
        add_text(target, &join(lines(body.text, 0).map(|l| l.text)));
        Vec::new()
    }

    fn criteria<'a>(&mut self, blocks: &[BodyBlock<'a>]) -> Vec<&'a str> {
        let (found, stray) = lists::criteria(blocks);
        for item in found {
            let index = self.task.criteria.len();
            self.place_item("criteria", index, item.line.at, item.line.end());
            self.task.criteria.push(item.value);
        }
        stray
    }

    fn code<'a>(&mut self, kind: SectionKind, blocks: &[BodyBlock<'a>]) -> Vec<&'a str> {
        let (codes, stray) = split(blocks);
        for code in codes {
            let block = code_block(code.text.clone(), code.info);
            let (name, list) = match kind {
                SectionKind::Tests => ("test_code", &mut self.task.test_code),
                _ => ("contract", &mut self.task.contract),
            };
            let index = list.len();
            list.push(block);
            self.place_item(name, index, code.at, code.end);
        }
        stray
    }

    fn interfaces<'a>(&mut self, blocks: &[BodyBlock<'a>]) -> Vec<&'a str> {
        let (codes, stray) = split(blocks);
        for code in codes {
            for interface in interfaces(&code.text, code.info) {
                let index = self.task.interfaces.len();
                self.place_item("interfaces", index, code.at, code.end);
                self.task.interfaces.push(interface);
            }
        }
        stray
    }

    fn files<'a>(&mut self, blocks: &[BodyBlock<'a>]) -> Vec<&'a str> {
        let mut stray = Vec::new();
        for block in blocks {
            match block {
                BodyBlock::Text(line) => self.file_line(line.text, line.at, &mut stray),
                BodyBlock::Code(code) => {
                    let inner = lines(code.raw, code.at);
                    let fences = |at: usize| at == code.at || (code.closed && at + 3 >= code.end);
                    for line in inner.filter(|l| !fences(l.at) && !l.text.trim().is_empty()) {
                        self.file_line(line.text, line.at, &mut stray);
                    }
                }
            }
        }
        stray
    }

    fn file_line<'a>(&mut self, line: &'a str, at: usize, stray: &mut Vec<&'a str>) {
        let Some(file) = output_file(line) else {
            let words = line.trim_start_matches(['-', '*', '+', ' ']);
            let verb = words.split_once(": ").map(|(verb, _)| verb);
            if verb.is_some_and(|verb| verb.chars().all(|c| c.is_ascii_uppercase())) {
                let span = self.span(at, at + line.len());
                let message = "the line names no file: WRITE, MODIFY, DELETE or READ is expected";
                self.report(codes::STRAY_LINE, Severity::Warning, message, span);
            }
            stray.push(line);
            return;
        };
        if let Some(lines) = file.lines {
            self.task.lines.insert(file.path.to_owned(), lines);
        }
        if let Some(change) = file.change {
            self.task.changes.insert(file.path.to_owned(), change.to_owned());
        }
        let list = file.verb.list(&mut self.task);
        if list.iter().any(|p| p == file.path) {
            return;
        }
        let index = list.len();
        list.push(file.path.to_owned());
        self.place_item(file.verb.field(), index, at, at + line.len());
    }

    fn steps<'a>(&mut self, blocks: &[BodyBlock<'a>]) -> Vec<&'a str> {
        let read = read_steps(blocks);
        for (line, step) in read.steps {
            let index = self.task.steps.len();
            self.place_item("steps", index, line.at, line.end());
            self.task.steps.push(step);
        }
        let mut stray = read.stray;
        // `1. dance` is a mistake in an action; `1. Read the table first` is a sentence.
        let sentences = read.unknown.iter().all(|line| line.text.split_whitespace().count() > 3);
        if let (true, Some(first)) = (self.task.steps.is_empty() && sentences, read.unknown.first()) {
            let span = self.span(first.at, first.end());
            let message = "no step has a known action, so they are read as text and not carried out";
            self.report(codes::STRAY_LINE, Severity::Warning, message, span);
            stray.extend(read.unknown.iter().map(|line| line.text));
            return stray;
        }
        for line in read.unknown {
            let span = self.span(line.at, line.end());
            let message = "the step has no known action: write_test, verify_fail, implement, verify_pass, refactor, \
                           format or commit is expected";
            self.report(codes::STRAY_LINE, Severity::Error, message, span);
            stray.push(line.text);
        }
        stray
    }

    fn verification<'a>(&mut self, blocks: &[BodyBlock<'a>]) -> Vec<&'a str> {
        let (codes, mut stray) = split(blocks);
        let mut scripts: Vec<String> = codes.iter().map(|c| c.text.clone()).collect();
        if codes.is_empty() {
            let (items, rest) = lists::items(blocks);
            let commands: Option<Vec<String>> = items.iter().map(|i| inline_code(&i.value)).collect();
            if let Some(commands) = commands.filter(|c| !c.is_empty()) {
                scripts = commands;
                stray = rest;
            }
        }
        if let (Some(first), Some(last)) = (codes.first(), codes.last()) {
            self.place("verification", first.at, last.end);
        }
        if !scripts.is_empty() {
            let verification = self.task.verification.get_or_insert_default();
            if !verification.script.is_empty() {
                verification.script.push('\n');
            }
            verification.script.push_str(&scripts.join("\n"));
        }
        stray
    }

    fn items<'a>(&mut self, kind: SectionKind, blocks: &[BodyBlock<'a>]) -> Vec<&'a str> {
        let (items, stray) = lists::items(blocks);
        for item in items {
            let list =
                if kind == SectionKind::Risks { &mut self.task.risks } else { &mut self.task.done_when };
            let index = list.len();
            list.push(item.value);
            self.place_item(kind.fields()[0], index, item.line.at, item.line.end());
        }
        stray
    }
}

fn add_text(target: &mut String, text: &str) {
    if !target.is_empty() && !text.is_empty() {
        target.push_str("\n\n");
    }
    target.push_str(text);
}

/// Fenced code and the lines around it.
fn split<'b, 'a>(blocks: &'b [BodyBlock<'a>]) -> (Vec<&'b FencedCode<'a>>, Vec<&'a str>) {
    let mut codes = Vec::new();
    let mut stray = Vec::new();
    for block in blocks {
        match block {
            BodyBlock::Code(code) => codes.push(code),
            BodyBlock::Text(line) => stray.push(line.text),
        }
    }
    (codes, stray)
}

/// A command that is the whole of a list item.
fn inline_code(item: &str) -> Option<String> {
    let inner = without_backticks(item);
    (inner.len() < item.len()).then(|| inner.to_owned())
}

/// `ID: title`, where the id is known or looks like one.
fn split_title<'a>(heading: &'a str, id: &str) -> (Option<&'a str>, &'a str) {
    if !id.is_empty()
        && let Some(rest) = heading.strip_prefix(id)
    {
        let title = rest.trim_start();
        return (None, title.strip_prefix(':').unwrap_or(title).trim());
    }
    if let Some((head, rest)) = heading.split_once(':') {
        let idish = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        let head = head.trim();
        if !head.is_empty() && head.chars().all(idish) && head.contains(|c: char| c.is_ascii_digit()) {
            return (Some(head), rest.trim());
        }
    }
    (None, heading)
}

/// The known key that a misspelt one resembles.
fn closest(word: &str) -> Option<&'static str> {
    let near = |known: &'static str| {
        let score = strsim::jaro_winkler(word, known);
        (score >= 0.93 && word.len() > 3).then_some((score, known))
    };
    let scored = TASK_KEYS.iter().filter_map(|k| near(k.name));
    scored.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, known)| known)
}
