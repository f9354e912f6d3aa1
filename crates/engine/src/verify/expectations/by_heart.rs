//! Tells where everything that the tests expect stands in the change.

use windlass_code::detect::is_test_path;
use windlass_code::expectation::{ChangedText, WrittenAnswer, stand_in_code, written_answers};
use windlass_code::repo::Tree as _;

use super::super::gates::Bench;
use super::pick::MutatedTest;
use crate::git::GitError;
use crate::git_tree::GitTree;

impl Bench<'_> {
    /// A finding if every answer of these tests stands in the change, beside what is asked. Honest tables do: nothing is refused for it.
    pub(super) fn tell_answers_by_heart(&self, tests: &[MutatedTest]) -> Result<(), GitError> {
        let answers: Vec<WrittenAnswer> =
            tests.iter().flat_map(|test| written_answers(&test.right, &test.seen)).collect();
        let Some(before) = self.input.before.filter(|_| !answers.is_empty()) else { return Ok(()) };
        // A place that was not sent the commit knows nothing of it.
        let Ok(tree) = self.ctx.repo.tree_of(before.base) else { return Ok(()) };
        let base = GitTree::open(&self.ctx.repo, &tree)?;
        let own = self.task.test_files();
        let is_code = |path: &&String| !is_test_path(path) && !own.contains(&path.as_str());
        let read = |path: &String| {
            let after = self.tree.read(path)?;
            Some(ChangedText { path: path.clone(), before: base.read(path), after })
        };
        let changed: Vec<ChangedText> = self.input.changed.iter().filter(is_code).filter_map(read).collect();
        if stand_in_code(&answers, &changed) {
            self.input.channel.finding(
                "by heart: every value that the tests expect stands in the change, beside what is asked; only a test that is held out \
                 shows whether the code knows more"
                    .to_owned(),
            );
        }
        Ok(())
    }
}
