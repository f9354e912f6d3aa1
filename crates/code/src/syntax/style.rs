//! What a file with tests shows about how its tests are written.

use super::import::Import;
use crate::survey::TestShape;

/// A file with tests, as far as it was read.
pub(crate) struct TestFileText<'a> {
    /// Its path.
    pub(crate) path: &'a str,
    /// Its text.
    pub(crate) text: &'a str,
    /// Its imports.
    pub(crate) imports: &'a [Import],
    /// The types that its types extend.
    pub(crate) bases: &'a [String],
    /// The names of its tests.
    pub(crate) tests: &'a [String],
}

impl TestFileText<'_> {
    /// Whether it imports a module whose name begins like this.
    pub(crate) fn imports(&self, start: &str) -> bool {
        self.imports.iter().any(|import| import.module.starts_with(start))
    }

    /// Whether most of its tests have this mark in their names.
    pub(crate) fn most_have(&self, mark: &str) -> bool {
        self.tests.iter().filter(|name| name.contains(mark)).count() * 2 > self.tests.len()
    }

    /// This shape where most tests have the mark in their names, else functions.
    pub(crate) fn shape(&self, mark: &str, shape: TestShape) -> TestShape {
        if self.most_have(mark) { shape } else { TestShape::Functions }
    }
}
