//! Fixtures as specifications, and facts as lines of text.

use windlass_core::diagnostic::Span;
use windlass_planner::spec::{Remark, Spec, SpecFile, read};

/// Reads one fixture beside the calling file.
macro_rules! fixture {
    ($path:literal) => {
        crate::facts::read_documents(&[($path, include_str!($path))])
    };
}
pub(crate) use fixture;

/// Reads documents; the path of each decides its kind.
pub(crate) fn read_documents(documents: &[(&str, &str)]) -> Spec {
    read_in_repository(documents, &[])
}

/// Reads documents in a repository with these files.
pub(crate) fn read_in_repository(documents: &[(&str, &str)], known: &[&str]) -> Spec {
    let file = |(path, text): &(&str, &str)| SpecFile { path: (*path).to_owned(), text: (*text).to_owned() };
    let files: Vec<SpecFile> = documents.iter().map(file).collect();
    let known: Vec<String> = known.iter().map(|path| (*path).to_owned()).collect();
    read(&files, &known)
}

/// One line per fact: the line of the document, then what the fact says.
pub(crate) struct Facts<'s> {
    spec: &'s Spec,
    out: String,
}

impl<'s> Facts<'s> {
    pub(crate) fn new(spec: &'s Spec) -> Facts<'s> {
        Facts { spec, out: String::new() }
    }

    fn line(mut self, span: Span, fact: &str) -> Self {
        let line = self.spec.sources.position(span).line;
        self.out.push_str(&format!("{line}: {fact}\n"));
        self
    }

    /// Every fact, kind by kind.
    pub(crate) fn all(self) -> Self {
        let facts = self.documents().heading("stories").stories().heading("criteria").criteria();
        let facts = facts.heading("files").files().heading("tasks").tasks().heading("order").edges();
        let facts = facts.heading("phases").phases().heading("components").components();
        let facts = facts.heading("interfaces").interfaces().heading("decisions").decisions();
        facts
            .heading("remarks")
            .remarks()
            .heading("details")
            .details()
            .heading("unplaced")
            .unplaced()
            .closed()
    }

    /// Begins a kind of facts; a kind without facts is left out.
    fn heading(mut self, kind: &str) -> Self {
        self = self.closed();
        self.out.push_str(&format!("== {kind}\n"));
        self
    }

    /// Removes a heading without facts.
    fn closed(mut self) -> Self {
        let last = self.out.trim_end().rfind('\n').map_or(0, |at| at + 1);
        if self.out[last..].starts_with("== ") {
            self.out.truncate(last);
        }
        self
    }

    pub(crate) fn text(self) -> String {
        self.out
    }

    pub(crate) fn criteria(self) -> Self {
        self.spec.criteria.iter().fold(self, |facts, c| {
            let part = |name: &str, value: &str| match value {
                "" => String::new(),
                value => format!(" | {name} {value}"),
            };
            let fact = format!(
                "{} {} ({:?}){}{}{}",
                c.id,
                c.text,
                c.form,
                part("detail", &c.detail),
                part("story", c.story.as_deref().unwrap_or_default()),
                part("task", c.task.as_deref().unwrap_or_default())
            );
            facts.line(c.span, &fact)
        })
    }

    pub(crate) fn stories(self) -> Self {
        self.spec.stories.iter().fold(self, |facts, s| {
            facts.line(s.span, &format!("{} {} | {}", s.id, s.title, s.text.replace('\n', " / ")))
        })
    }

    pub(crate) fn files(self) -> Self {
        self.spec.files.iter().fold(self, |facts, f| {
            let lines = f.lines.map(|n| format!(" | {n} lines")).unwrap_or_default();
            let fact = format!(
                "{:?} {} by {:?} for [{}] | {}{lines}",
                f.operation,
                f.path,
                f.authority,
                f.tasks.join(" "),
                f.note
            );
            facts.line(f.span, fact.trim_end_matches([' ', '|']))
        })
    }

    pub(crate) fn tasks(self) -> Self {
        self.spec.tasks.iter().fold(self, |facts, t| {
            let level = t.level.map(|n| format!(" | level {n}")).unwrap_or_default();
            let phase = t.phase.as_ref().map(|p| format!(" | in {p}")).unwrap_or_default();
            let text = if t.text.is_empty() { String::new() } else { format!(" | {}", t.text) };
            facts.line(t.span, &format!("{} {}{level}{phase}{text}", t.id, t.title))
        })
    }

    pub(crate) fn phases(self) -> Self {
        self.spec.phases.iter().fold(self, |facts, p| {
            let tasks = p.tasks.map(|n| format!(" | {n} tasks")).unwrap_or_default();
            let body = p.body.trim().replace('\n', " / ");
            facts.line(p.span, &format!("{}{tasks} | {} | {body}", p.name, p.text))
        })
    }

    pub(crate) fn edges(mut self) -> Self {
        let spec = self.spec;
        self = spec
            .edges
            .iter()
            .fold(self, |facts, e| facts.line(e.span, &format!("{} before {}", e.before, e.after)));
        if !spec.free.is_empty() {
            self.out.push_str(&format!("free: {}\n", spec.free.join(" ")));
        }
        self
    }

    pub(crate) fn components(self) -> Self {
        self.spec.components.iter().fold(self, |facts, c| {
            let fact = format!(
                "{} {:?} needs {:?} serves {:?} | {}",
                c.name, c.files, c.needs, c.serves, c.responsibility
            );
            facts.line(c.span, fact.trim_end_matches([' ', '|']))
        })
    }

    pub(crate) fn interfaces(self) -> Self {
        let spec = self.spec;
        let facts = spec
            .endpoints
            .iter()
            .fold(self, |facts, e| facts.line(e.span, &format!("{} {} | {}", e.method, e.route, e.text)));
        spec.models.iter().fold(facts, |facts, m| {
            let code = m.code.as_ref().map(|code| format!(" | {} lines", code.lines().count()));
            facts.line(m.span, &format!("model {} {:?}{}", m.name, m.fields, code.unwrap_or_default()))
        })
    }

    pub(crate) fn decisions(self) -> Self {
        self.spec
            .decisions
            .iter()
            .fold(self, |facts, d| facts.line(d.span, &format!("{} {} | {}", d.id, d.title, d.text)))
    }

    pub(crate) fn remarks(self) -> Self {
        let spec = self.spec;
        let lists = [
            ("risk", &spec.risks),
            ("test", &spec.tests),
            ("metric", &spec.metrics),
            ("convention", &spec.conventions),
        ];
        lists.into_iter().fold(self, |facts, (name, list)| facts.list(name, list)).exclusions()
    }

    pub(crate) fn exclusions(self) -> Self {
        let list = &self.spec.exclusions;
        self.list("excluded", list)
    }

    pub(crate) fn unplaced(self) -> Self {
        let list = &self.spec.unplaced;
        self.list("unplaced", list)
    }

    fn list(self, name: &str, list: &[Remark]) -> Self {
        list.iter().fold(self, |facts, r| {
            let text = r.text.trim().replace('\n', " / ");
            let fact = format!("{name} ({}) {text}", r.heading);
            facts.line(r.span, &fact)
        })
    }

    pub(crate) fn details(self) -> Self {
        self.spec.details.iter().fold(self, |mut facts, d| {
            let aside = if d.aside { "aside " } else { "" };
            let subject = d.subject.as_ref().map(|s| format!(" about {s}")).unwrap_or_default();
            let fact =
                format!("{aside}{}{subject} paths {:?} ids {:?} | {}", d.heading, d.paths, d.ids, d.text);
            facts = facts.line(d.span, &fact);
            for code in &d.code {
                let label = code.label.as_deref().unwrap_or("-");
                let path = code.path.as_deref().unwrap_or("-");
                facts.out.push_str(&format!("    code {:?} path {path} label {label}\n", code.language));
            }
            facts
        })
    }

    pub(crate) fn documents(mut self) -> Self {
        for document in &self.spec.documents {
            let title = document.title.as_deref().unwrap_or("-");
            self.out.push_str(&format!("{} is {}: {title}\n", document.path, document.kind.as_str()));
        }
        self
    }
}
