//! Says which of the files that a plan is about could not be read, or not as a whole: what they offer is then not known.

use std::collections::BTreeSet;

use super::note::{Note, NoteKind};
use windlass_code::survey::{Language, Survey};
use windlass_core::plan::Plan;

/// Notes about source files of the plan that are there and do not say all they should.
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
                format!("`{path}` does not parse at line {line}: what it offers is known only in part")
            }
            None => {
                format!("`{path}` is no text, or too large to be source code: what it offers is not known")
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
        `b.py` does not parse at line 3: what it offers is known only in part
        `c.py` is no text, or too large to be source code: what it offers is not known
        ");
    }
}
