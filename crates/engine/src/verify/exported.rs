//! Lays a tree out for commands to work in: over a base that is kept, where everything stands for that, or anew.

use std::path::Path;

use windlass_core::ids::Oid;

use crate::context::Context;
use crate::error::EngineError;
use crate::slot::{ExportedTree, export, export_over};

impl Context {
    /// The tree in a directory for commands of this run. What they write is thrown away with the export.
    pub(crate) fn export(&self, tree: &Oid, dir: &Path) -> Result<ExportedTree, EngineError> {
        let export = if self.lays_over() {
            export_over(&self.bases, &self.repo, tree, dir, &self.hidden())?
        } else {
            export(&self.repo, tree, dir, &self.hidden())?
        };
        self.rooms.stand_on(dir, export.base());
        Ok(export)
    }

    /// Whether commands can be kept from what lies below. A service works in the directory at the same time as the tests,
    /// and the kernel has no two views of one that both may write to.
    fn lays_over(&self) -> bool {
        self.config.verify.services.is_empty()
            && self.sandbox.rung().has_own_root()
            && self.sandbox.can_overlay(&self.cache.join("probe").join("overlay"))
    }
}
