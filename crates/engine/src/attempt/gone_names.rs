//! Public names that a refactoring has dropped. Tests need not mention them, so their users are told.

use windlass_code::detect::is_test_path;
use windlass_code::repo::Tree as _;
use windlass_code::syntax::exports;
use windlass_core::ids::Oid;

use super::steps::Attempt;
use crate::error::EngineError;
use crate::git_tree::GitTree;

impl Attempt<'_> {
    /// Tells of the public names of changed files that are in none of them any more.
    pub(super) fn tell_gone_names(&self, before: &Oid, after: &Oid) -> Result<(), EngineError> {
        let changed = self.ctx.repo.diff(before, after)?.into_iter().map(|change| change.path);
        let changed: Vec<String> = changed.filter(|path| !is_test_path(path)).collect();
        let names = |view: &GitTree| -> Vec<String> {
            let of = |path: &String| Some(exports(path, &view.read(path)?));
            changed.iter().filter_map(of).flatten().map(|export| export.name).collect()
        };
        let kept = names(&GitTree::open(&self.ctx.repo, after)?);
        let mut gone = names(&GitTree::open(&self.ctx.repo, before)?);
        gone.retain(|name| !kept.contains(name));
        gone.dedup();
        if !gone.is_empty() {
            let list = gone.join("`, `");
            self.channel.finding(format!("the refactoring drops public names: `{list}`"));
        }
        Ok(())
    }
}
