//! Notes the source files of a plan that cannot be read or parsed completely, so their exports are unknown.

use std::collections::BTreeSet;

use super::note::{Note, NoteKind};
use windlass_code::survey::{Language, Survey};
use windlass_core::plan::Plan;

/// Adds a note for each existing source file that is not parsed completely.
pub(super) fn unread(plan: &Plan, survey: &Survey, notes: &mut Vec<Note>) {
    let files = plan.tasks.iter().flat_map(|task| {
        task.owned().chain(task.files.read.iter().chain(&task.focus_paths).map(String::as_str))
    });
    let files: BTreeSet<&str> =
        files.filter(|path| Language::of_path(path).is_some() && survey.has(path)).collect();
    survey.prepare(&files.iter().copied().collect::<Vec<_>>());
    for path in files {
        let text = match survey.facts(path).map(|facts| facts.broken) {
            Some(None) => continue,
            Some(Some(line)) => {
                format!("`{path}` does not parse at line {line}: its exports are known only in part")
            }
            None => {
                format!("`{path}` is not text, or too large: its exports are unknown")
            }
        };
        notes.push(Note::new(NoteKind::Unread, text));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use super::*;
    use windlass_code::survey::FileFacts;
    use windlass_core::plan::Task;

    #[test]
    fn files_that_say_nothing_or_not_all_are_named() {
        let facts = |broken| {
            Arc::new(FileFacts {
                language: Language::Python,
                exports: Vec::new(),
                imports: Vec::new(),
                bases: Vec::new(),
                tests: Vec::new(),
                style: None,
                fixtures: Vec::new(),
                package: None,
                broken,
            })
        };
        let known = BTreeMap::from([("a.py".to_owned(), facts(None)), ("b.py".to_owned(), facts(Some(3)))]);
        let paths = ["a.py", "b.py", "c.py", "d.md"].map(str::to_owned).to_vec();
        let survey = Survey::of(paths, known);
        let mut task = Task::default();
        task.files.modify = ["a.py", "b.py", "d.md", "new.py"].map(str::to_owned).to_vec();
        task.files.read = vec!["c.py".into()];
        let mut notes = Vec::new();
        unread(&Plan { tasks: vec![task], ..Plan::default() }, &survey, &mut notes);
        let told: Vec<String> = notes.into_iter().map(|note| note.text).collect();
        insta::assert_snapshot!(told.join("\n"), @r"
        `b.py` does not parse at line 3: its exports are known only in part
        `c.py` is not text, or too large: its exports are unknown
        ");
    }
}
