//! The facts that documents state, each with the place it was read from. Data only.

use windlass_core::diagnostic::{Sources, Span};
use windlass_core::worded;

/// Everything a set of documents says.
#[derive(Debug, Clone, Default)]
pub struct Spec {
    /// The name of the whole.
    pub title: Option<String>,
    /// Its purpose, in a few sentences.
    pub summary: String,
    /// The documents, in the order read.
    pub documents: Vec<SpecDocument>,
    /// User stories.
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
    /// Files and the tasks that change them.
    pub files: Vec<FileRow>,
    /// Files that sentences name. They count where nothing else names files.
    pub mentions: Vec<FileRow>,
    /// Files that a sentence calls what is to be made: `Your program, wc.c, counts words`.
    pub programs: Vec<FileRow>,
    /// Tasks the documents name.
    pub tasks: Vec<StatedTask>,
    /// What builds on what, by the names of things.
    pub uses: Vec<StatedUse>,
    /// The classes of class diagrams.
    pub classes: Vec<DrawnClass>,
    /// The files that names of code are said to be in.
    pub homes: Vec<NameHome>,
    /// The order that the documents state.
    pub edges: Vec<StatedEdge>,
    /// Tasks that wait for nothing, according to the documents.
    pub free: Vec<String>,
    /// Phases in order.
    pub phases: Vec<StatedPhase>,
    /// Remarks about tests.
    pub tests: Vec<Remark>,
    /// Risks.
    pub risks: Vec<Remark>,
    /// What is out of scope.
    pub exclusions: Vec<Remark>,
    /// What is to stay as it is.
    pub regressions: Vec<Remark>,
    /// What the documents leave open.
    pub questions: Vec<Remark>,
    /// How success is measured.
    pub metrics: Vec<Remark>,
    /// Conventions of the project.
    pub conventions: Vec<Remark>,
    /// Details by heading, for the tasks they belong to.
    pub details: Vec<DetailSection>,
    /// The first box that is ticked off although there is no code yet.
    pub doubted_tick: Option<Span>,
    /// Texts that no reader could place.
    pub unplaced: Vec<Remark>,
    /// The texts.
    pub sources: Sources,
}

worded! {
    /// What a document is for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum DocumentKind {
        /// Product requirements: stories and criteria.
        Requirements = "requirements",
        /// Architecture decisions.
        Decisions = "decisions",
        /// Components, models, interfaces, files.
        Design = "design",
        /// Screens and flows.
        Wireframes = "wireframes",
        /// Conventions for people and agents.
        Conventions = "conventions",
        /// Research and introductions beside documents that ask for something.
        Background = "background",
        /// Anything else.
        Other = "other",
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
    /// A sentence that says what the program does.
    Sentence,
    /// An example of input and output.
    Example,
}

/// Something that must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecCriterion {
    /// Its id, given or assigned.
    pub id: String,
    /// What must hold.
    pub text: String,
    /// The text below it.
    pub detail: String,
    /// The story it belongs to.
    pub story: Option<String>,
    /// The task whose heading it is under.
    pub task: Option<String>,
    /// The headings it is under, the nearest first, without the title of the document.
    pub headings: Vec<String>,
    /// The names of the item that says it and of those around it, the nearest first: `list` of `list: shows all notes`.
    pub within: Vec<String>,
    /// How it was recognised.
    pub form: CriterionForm,
    /// Whether the document gave the id.
    pub given_id: bool,
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
    pub span: Span,
}

/// A table, entity or type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// Its fields, if they are listed.
    pub fields: Vec<String>,
    /// Its declaration, if there is one.
    pub code: Option<String>,
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
    pub span: Span,
}

/// What is done to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// It is created.
    Create,
    /// It is changed.
    Modify,
    /// It is deleted.
    Delete,
    /// It is only read.
    Read,
    /// The documents do not say.
    Unsaid,
}

/// How much a statement about a file weighs, the strongest first.
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

/// A file, and the documents' remarks about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRow {
    /// Its path, relative to the repository.
    pub path: String,
    /// What is done to it.
    pub operation: Operation,
    /// The tasks it is given to.
    pub tasks: Vec<String>,
    /// The description of the change.
    pub note: String,
    /// Estimated lines.
    pub lines: Option<u32>,
    /// How much the statement weighs.
    pub authority: Authority,
    pub span: Span,
}

/// A task the documents name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedTask {
    /// Its id as written.
    pub id: String,
    /// Its title, if one is given.
    pub title: String,
    /// The text about it.
    pub text: String,
    /// Its level, if one is given.
    pub level: Option<u32>,
    /// Its phase, if one is given.
    pub phase: Option<String>,
    /// Whether it is a box of a list, which need not name the files that it changes.
    pub listed: bool,
    pub span: Span,
}

/// An order that the documents state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedEdge {
    /// The task that comes first.
    pub before: String,
    /// The task that waits for it.
    pub after: String,
    pub span: Span,
}

/// How plainly the documents say that one thing builds on another, the plainest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UseStrength {
    /// A list says that one is made after the other.
    Ordered,
    /// A sentence or an import says so.
    Said,
    /// A class diagram draws inheritance.
    Inherited,
    /// A class diagram draws another line.
    Drawn,
    /// A sequence diagram shows a call.
    Called,
    /// A sequence diagram shows another message.
    Told,
    /// A flow chart draws a line.
    Charted,
}

/// Something that builds on something else, by their names: files, classes, components.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedUse {
    /// What builds on the other.
    pub user: String,
    /// What it builds on.
    pub used: String,
    /// How plainly it is said.
    pub strength: UseStrength,
    pub span: Span,
}

/// A class of a class diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnClass {
    /// Its name.
    pub name: String,
    /// Its members as they are written.
    pub members: Vec<String>,
}

/// A name of code and the file it is in, according to the documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameHome {
    /// The name.
    pub name: String,
    /// The file.
    pub path: String,
}

/// A phase of the work.
#[derive(Debug, Clone, PartialEq)]
pub struct StatedPhase {
    /// Its name.
    pub name: String,
    /// The number of its tasks, if the documents give it.
    pub tasks: Option<u32>,
    /// Its estimated time, if the documents give it.
    pub minutes: Option<f64>,
    /// The text about it.
    pub text: String,
    /// All text of its part of the document.
    pub body: String,
    pub span: Span,
}

/// What stands in the place of a heading where a box excludes a line.
pub(crate) const TICKED_OFF: &str = "ticked off as done";

/// A line worth keeping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Its text.
    pub text: String,
    /// The heading it is under.
    pub heading: String,
    pub span: Span,
}

/// A section that says how something is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DetailSection {
    /// Its heading.
    pub heading: String,
    /// The headings it is under, the nearest first, without the title of the document.
    pub above: Vec<String>,
    /// Its prose, without code.
    pub text: String,
    /// Paths it names, the heading's first.
    pub paths: Vec<String>,
    /// Task and criterion ids it names.
    pub ids: Vec<String>,
    /// The one file that the heading names.
    pub subject: Option<String>,
    /// Its code.
    pub code: Vec<DetailCode>,
    /// Its tables that no other reader takes, as Markdown.
    pub tables: Vec<String>,
    /// Whether it is about something else than what is to be built: why, when, how it is tested.
    pub aside: bool,
    pub span: Span,
}

/// A block of code in a detail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DetailCode {
    /// The language of the fence.
    pub language: String,
    /// The file that a comment in its first line names.
    pub path: Option<String>,
    /// The line that introduces it.
    pub label: Option<String>,
    /// The code.
    pub text: String,
}
