//! Gherkin → Markdown: a feature is a section, a scenario a section with its steps as items.
//!
//! The steps of the background come before those of every scenario, as they are run. Scenarios whose tags put them off
//! get that into their heading.

use super::{MarkdownDraft, TextLine, cells, text_lines, write_code, write_table};

/// Words that open a part, in the languages that are met most.
const FEATURE: [&str; 8] = [
    "Feature",
    "Funktionalität",
    "Fonctionnalité",
    "Característica",
    "Funcionalidade",
    "Функция",
    "功能",
    "機能",
];
const BACKGROUND: [&str; 8] =
    ["Background", "Grundlage", "Contexte", "Antecedentes", "Contexto", "Предыстория", "背景", "Hintergrund"];
const RULE: [&str; 6] = ["Rule", "Regel", "Règle", "Regla", "Regra", "Правило"];
const SCENARIO: [&str; 16] = [
    "Scenario Outline",
    "Scenario Template",
    "Scenario",
    "Example",
    "Szenariogrundriss",
    "Szenario",
    "Beispiel",
    "Plan du scénario",
    "Scénario",
    "Esquema del escenario",
    "Escenario",
    "Esquema do Cenário",
    "Cenário",
    "Сценарий",
    "场景",
    "シナリオ",
];
const EXAMPLES: [&str; 9] =
    ["Examples", "Scenarios", "Beispiele", "Exemples", "Ejemplos", "Exemplos", "Примеры", "例子", "例"];
/// Tags that put a scenario off.
const LATER_TAGS: [&str; 12] = [
    "@later",
    "@future",
    "@backlog",
    "@deferred",
    "@out-of-scope",
    "@outofscope",
    "@ignore",
    "@ignored",
    "@skip",
    "@disabled",
    "@notnow",
    "@nice-to-have",
];

/// What a line opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GherkinPart {
    Feature,
    Background,
    Rule,
    Scenario,
    Examples,
}

/// The part that a line opens, and its name.
fn opened<'l>(body: &'l str) -> Option<(GherkinPart, &'l str)> {
    let behind = |words: &[&str]| -> Option<&'l str> {
        words.iter().find_map(|word| body.strip_prefix(word)?.trim_start().strip_prefix([':', '：']))
    };
    let parts: [(GherkinPart, &[&str]); 5] = [
        (GherkinPart::Feature, &FEATURE),
        (GherkinPart::Background, &BACKGROUND),
        (GherkinPart::Rule, &RULE),
        (GherkinPart::Examples, &EXAMPLES),
        (GherkinPart::Scenario, &SCENARIO),
    ];
    parts.into_iter().find_map(|(part, words)| behind(words).map(|name| (part, name.trim())))
}

/// The Markdown of a feature file.
pub(super) fn as_markdown(text: &str) -> MarkdownDraft {
    let lines = text_lines(text);
    let mut writer = GherkinWriter::default();
    let mut at = 0;
    while at < lines.len() {
        at = writer.take(&lines, at);
    }
    writer.draft
}

#[derive(Default)]
struct GherkinWriter<'t> {
    draft: MarkdownDraft,
    part: Option<GherkinPart>,
    /// Whether the scenarios are below a rule.
    ruled: bool,
    /// The tags of the next part.
    tags: Vec<&'t str>,
    /// The steps that come before those of every scenario.
    background: Vec<TextLine<'t>>,
}

impl<'t> GherkinWriter<'t> {
    /// Writes what is at a line; returns the line behind it.
    fn take(&mut self, lines: &[TextLine<'t>], at: usize) -> usize {
        let line = &lines[at];
        if line.is_blank() || line.body.starts_with('#') {
            self.draft.blank();
            return at + 1;
        }
        if line.body.starts_with('@') {
            self.tags.extend(line.body.split_whitespace());
            return at + 1;
        }
        if let Some((part, name)) = opened(line.body) {
            self.open(part, name, line);
            return at + 1;
        }
        if let Some(mark) = ["\"\"\"", "```"].into_iter().find(|mark| line.body.starts_with(mark)) {
            let inner = lines[at + 1..].iter().take_while(|l| !l.body.starts_with(mark)).count();
            if self.part != Some(GherkinPart::Background) {
                write_code(&mut self.draft, "", &lines[at + 1..at + 1 + inner]);
            }
            return at + inner + 2;
        }
        if line.body.starts_with('|') {
            let rows = lines[at..].iter().take_while(|l| l.body.starts_with('|')).count();
            let table: Vec<Vec<String>> = lines[at..at + rows].iter().map(|l| cells(l.body)).collect();
            if self.part != Some(GherkinPart::Background) {
                write_table(&mut self.draft, &table, line.at);
            }
            return at + rows;
        }
        self.words(line);
        at + 1
    }

    fn open(&mut self, part: GherkinPart, name: &'t str, line: &TextLine<'t>) {
        let tags = std::mem::take(&mut self.tags);
        let later = tags.iter().find(|tag| LATER_TAGS.contains(&tag.to_lowercase().as_str()));
        let place = line.at + line.body.len() - name.len();
        let heading = |level: usize, word: &str| format!("{} {word}: ", "#".repeat(level));
        let suffix = later.map(|tag| format!(" ({tag}, not now)")).unwrap_or_default();
        let named = format!("{name}{suffix}");
        self.draft.blank();
        match part {
            GherkinPart::Feature => {
                self.draft.line("# ", name, place);
                self.draft.blank();
                self.draft.line(&heading(2, "Feature"), &named, place);
                self.background.clear();
                self.ruled = false;
            }
            GherkinPart::Rule => {
                self.draft.line(&heading(3, "Rule"), &named, place);
                self.ruled = true;
            }
            GherkinPart::Scenario => {
                let name = if name.is_empty() { line.body } else { &named };
                self.draft.line(&heading(if self.ruled { 4 } else { 3 }, "Scenario"), name, place);
                self.draft.blank();
                for step in &self.background {
                    self.draft.line("- ", step.body, step.at);
                }
            }
            GherkinPart::Background | GherkinPart::Examples => {}
        }
        self.part = Some(part);
        if part != GherkinPart::Scenario {
            self.draft.blank();
        }
    }

    /// A step, or a line of a description.
    fn words(&mut self, line: &TextLine<'t>) {
        // `<total>` is a place in the text, not a tag.
        let body = line.body.replace('<', "\\<");
        match self.part {
            Some(GherkinPart::Background) => self.background.push(*line),
            Some(GherkinPart::Scenario) => self.draft.line("- ", &body, line.at),
            Some(GherkinPart::Feature | GherkinPart::Rule | GherkinPart::Examples) | None => {
                self.draft.line("", &body, line.at);
            }
        }
    }
}
