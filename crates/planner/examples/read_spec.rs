//! Reads documents and prints what they say, as JSON: `read_spec FILE…`. For looking, and for `scripts/plan-figures`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example that prints")]
#![expect(clippy::disallowed_methods, reason = "the purity wall is for the library; this is a program")]

use serde_json::{Value, json};
use windlass_core::diagnostic::Span;
use windlass_planner::spec::{self, Remark, SpecFile};

fn main() {
    let read = |path: String| match std::fs::read(&path) {
        Ok(bytes) => Some(SpecFile { path, text: String::from_utf8_lossy(&bytes).into_owned() }),
        Err(error) => {
            eprintln!("error: {path}: {error}");
            None
        }
    };
    let files: Vec<SpecFile> = std::env::args().skip(1).filter_map(read).collect();
    let spec = spec::read(&files, &[]);
    let line = |span: Span| {
        let position = spec.sources.position(span);
        json!(format!("{}:{}", spec.sources.file(span.file).path, position.line))
    };
    let remarks = |list: &[Remark]| -> Vec<Value> {
        list.iter().map(|r| json!({ "at": line(r.span), "heading": r.heading, "text": r.text })).collect()
    };
    let all = json!({
        "title": spec.title,
        "summary": spec.summary,
        "documents": spec.documents.iter().map(|d| json!([d.path, d.kind.as_str()])).collect::<Vec<_>>(),
        "stories": spec.stories.iter().map(|s| json!([s.id, s.title, line(s.span), s.text])).collect::<Vec<_>>(),
        "criteria": spec.criteria.iter().map(|c| json!({
            "id": c.id, "text": c.text, "detail": c.detail, "story": c.story, "form": format!("{:?}", c.form), "at": line(c.span),
        })).collect::<Vec<_>>(),
        "decisions": spec.decisions.iter().map(|d| json!([d.id, d.title, d.text])).collect::<Vec<_>>(),
        "components": spec.components.iter().map(|c| json!([c.name, c.files])).collect::<Vec<_>>(),
        "models": spec.models.iter().map(|m| json!([m.name, m.fields])).collect::<Vec<_>>(),
        "endpoints": spec.endpoints.iter().map(|e| json!([e.method, e.route])).collect::<Vec<_>>(),
        "files": spec.files.iter().map(|f| json!([
            f.path, format!("{:?}", f.operation), f.tasks, format!("{:?}", f.authority), line(f.span),
        ])).collect::<Vec<_>>(),
        "tasks": spec.tasks.iter().map(|t| json!([t.id, t.title, t.level, t.phase])).collect::<Vec<_>>(),
        "edges": spec.edges.iter().map(|e| json!([e.before, e.after])).collect::<Vec<_>>(),
        "phases": spec.phases.iter().map(|p| json!([p.name, p.tasks])).collect::<Vec<_>>(),
        "details": spec.details.iter().map(|d| json!([d.heading, d.paths, d.ids, d.aside, d.text])).collect::<Vec<_>>(),
        "risks": remarks(&spec.risks),
        "tests": remarks(&spec.tests),
        "metrics": remarks(&spec.metrics),
        "exclusions": remarks(&spec.exclusions),
        "conventions": remarks(&spec.conventions),
        "unplaced": remarks(&spec.unplaced),
    });
    println!("{all:#}");
}
