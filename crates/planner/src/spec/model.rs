//! What the documents say, each thing with the place it was read from. Data only.

use windlass_core::diagnostic::{Sources, Span};

/// Everything a set of documents says.
#[derive(Debug, Clone, Default)]
pub struct Spec {
    /// What the whole is called.
    pub title: Option<String>,
    /// What it is to achieve, in a few sentences.
    pub summary: String,
    /// The documents, in the order read.
    pub documents: Vec<SpecDocument>,
    /// Who wants what.
    pub stories: Vec<Story>,
    /// What must hold.
    pub criteria: Vec<SpecCriterion>,
    /// What was decided.
    pub decisions: Vec<Decision>,
    /// The parts of the system.
    pub components: Vec<Component>,
    /// Tables, entities, types.
    pub models: Vec<Model>,
    /// What can be called from outside.
    pub endpoints: Vec<Endpoint>,
    /// Files and who changes them.
    pub files: Vec<FileRow>,
    /// Tasks the documents name.
    pub tasks: Vec<StatedTask>,
    /// Orders the documents state.
    pub edges: Vec<StatedEdge>,
    /// Tasks that are said to wait for nothing.
    pub free: Vec<String>,
    /// Phases in order.
    pub phases: Vec<Phase>,
    /// How it is to be tested.
    pub tests: Vec<Remark>,
    /// What could go wrong.
    pub risks: Vec<Remark>,
    /// What is expressly not wanted.
    pub exclusions: Vec<Remark>,
    /// How success is measured.
    pub metrics: Vec<Remark>,
    /// House rules.
    pub conventions: Vec<Remark>,
    /// Details by heading, for the tasks they belong to.
    pub details: Vec<Detail>,
    /// What no reader could place.
    pub unplaced: Vec<Remark>,
    /// The texts.
    pub sources: Sources,
}

/// What a document is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocumentKind {
    /// Product requirements: stories and criteria.
    Requirements,
    /// Architecture decisions.
    Decisions,
    /// Components, models, interfaces, files.
    Design,
    /// Screens and flows.
    Wireframes,
    /// House rules for people and agents.
    Conventions,
    /// What others build on, where there are documents that ask for something: research, introductions.
    Background,
    /// Anything else.
    Other,
}

impl DocumentKind {
    /// What it is called in messages.
    pub fn as_str(self) -> &'static str {
        match self {
            DocumentKind::Requirements => "requirements",
            DocumentKind::Decisions => "decisions",
            DocumentKind::Design => "design",
            DocumentKind::Wireframes => "wireframes",
            DocumentKind::Conventions => "conventions",
            DocumentKind::Background => "background",
            DocumentKind::Other => "other",
        }
    }
}

/// A document that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecDocument {
    /// Its path as the user gave it.
    pub path: String,
    /// Its first heading.
    pub title: Option<String>,
    /// What it is for.
    pub kind: DocumentKind,
}

/// A user story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Story {
    /// Its id, given or assigned.
    pub id: String,
    /// A short title.
    pub title: String,
    /// The sentence itself.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// How a criterion was recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CriterionForm {
    /// An item of a list or a checkbox.
    Item,
    /// A row of a table.
    Row,
    /// A heading with an id.
    Heading,
    /// A sentence in the EARS form.
    Ears,
    /// Given, when, then.
    Scenario,
}

/// Something that must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecCriterion {
    /// Its id, given or assigned.
    pub id: String,
    /// What must hold.
    pub text: String,
    /// What is said about it below.
    pub detail: String,
    /// The story it belongs to.
    pub story: Option<String>,
    /// The task whose heading it stands under.
    pub task: Option<String>,
    /// How it was recognised.
    pub form: CriterionForm,
    /// Whether the document gave the id.
    pub given_id: bool,
    /// Where it stands.
    pub span: Span,
}

/// A decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Its id, given or assigned.
    pub id: String,
    /// What it is about.
    pub title: String,
    /// What was decided.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A part of the system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Component {
    /// Its name.
    pub name: String,
    /// What it does.
    pub responsibility: String,
    /// Its files.
    pub files: Vec<String>,
    /// The names of components it builds on, as they are written.
    pub needs: Vec<String>,
    /// The criteria its row names.
    pub serves: Vec<String>,
    /// Where it stands.
    pub span: Span,
}

/// A table, entity or type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// Its fields, as far as they are listed.
    pub fields: Vec<String>,
    /// Its declaration, where there is one.
    pub code: Option<String>,
    /// Where it stands.
    pub span: Span,
}

/// Something that can be called from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// `GET`, `POST`, …
    pub method: String,
    /// The route.
    pub route: String,
    /// What it does.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// What is done to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// It is made.
    Create,
    /// It is changed.
    Modify,
    /// It is removed.
    Delete,
    /// It is looked at.
    Read,
    /// The documents do not say.
    Unsaid,
}

/// How much a mention of a file weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Authority {
    /// A table of files and tasks.
    Ownership,
    /// A task's own row, heading or list of files.
    Task,
    /// A drawn tree of files.
    Tree,
    /// A component's file.
    Component,
    /// Named in passing.
    Mention,
}

/// A file, and what is said about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRow {
    /// Its path, relative to the repository.
    pub path: String,
    /// What is done to it.
    pub operation: Operation,
    /// The tasks it is given to.
    pub tasks: Vec<String>,
    /// What is said about the change.
    pub note: String,
    /// Estimated lines.
    pub lines: Option<u32>,
    /// How much it weighs.
    pub authority: Authority,
    /// Where it stands.
    pub span: Span,
}

/// A task the documents name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedTask {
    /// Its id as written.
    pub id: String,
    /// Its title, where one is given.
    pub title: String,
    /// What is said about it.
    pub text: String,
    /// Its level, where one is given.
    pub level: Option<u32>,
    /// Its phase, where one is given.
    pub phase: Option<String>,
    /// Where it stands.
    pub span: Span,
}

/// An order the documents state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedEdge {
    /// What comes first.
    pub before: String,
    /// What waits for it.
    pub after: String,
    /// Where it stands.
    pub span: Span,
}

/// A phase of the work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phase {
    /// Its name.
    pub name: String,
    /// How many tasks it is said to have.
    pub tasks: Option<u32>,
    /// What is said about it.
    pub text: String,
    /// Everything that stands in its part of the document.
    pub body: String,
    /// Where it stands.
    pub span: Span,
}

/// A line worth keeping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// What it says.
    pub text: String,
    /// The heading it stands under.
    pub heading: String,
    /// Where it stands.
    pub span: Span,
}

/// A section that says how something is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detail {
    /// Its heading.
    pub heading: String,
    /// Its prose, without code.
    pub text: String,
    /// Paths it names, the heading's first.
    pub paths: Vec<String>,
    /// Task and criterion ids it names.
    pub ids: Vec<String>,
    /// The one file that the heading names.
    pub subject: Option<String>,
    /// Its code, with language and path where they are given.
    pub code: Vec<DetailCode>,
    /// Whether its heading says that it is about something else than what is to be made: why, when, how it is tested.
    pub aside: bool,
    /// Where it stands.
    pub span: Span,
}

/// A block of code in a detail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DetailCode {
    /// The language of the fence.
    pub language: String,
    /// The file that a comment in the first line names.
    pub path: Option<String>,
    /// The line that introduces it, where one does.
    pub label: Option<String>,
    /// The code.
    pub text: String,
}
