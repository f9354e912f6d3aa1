//! Imports that test code of a plan forgets: names of a module that it mocks and uses without importing them.

use std::borrow::Cow;

use windlass_code::syntax::missing_imports;
use windlass_core::plan::{CodeBlock, Plan};

/// Adds them to the test code.
pub(super) fn complete(plan: &mut Cow<'_, Plan>) {
    let wanted = |block: &CodeBlock| missing_imports(block.path.as_deref()?, block.code.as_bytes());
    let mut found: Vec<(usize, usize, Vec<String>)> = Vec::new();
    for (at, task) in plan.tasks.iter().enumerate() {
        for (n, block) in task.test_code.iter().enumerate() {
            found.extend(wanted(block).filter(|lines| !lines.is_empty()).map(|lines| (at, n, lines)));
        }
    }
    for (at, n, lines) in found {
        let block = &mut plan.to_mut().tasks[at].test_code[n];
        block.code = with_lines(&block.code, &lines);
    }
}

/// The lines behind the last import at the beginning of a line, else at the top.
fn with_lines(code: &str, new: &[String]) -> String {
    let mut lines: Vec<&str> = code.lines().collect();
    let last = lines.iter().rposition(|line| line.starts_with("import ")).map_or(0, |at| at + 1);
    let tail = lines.split_off(last);
    let all: Vec<&str> = lines.into_iter().chain(new.iter().map(String::as_str)).chain(tail).collect();
    all.join("\n") + if code.ends_with('\n') { "\n" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use windlass_core::plan::Task;

    #[test]
    fn a_mocked_name_is_imported() {
        let code = "import { it, vi } from 'vitest';\nimport { shop } from './shop.js';\n\nvi.mock('./store.js', () => ({\n  store: { find: vi.fn() },\n}));\n\nit('finds', () => {\n  store.find.mockReturnValue(1);\n  shop.go();\n});\n";
        let block =
            CodeBlock { path: Some("src/shop.test.ts".into()), code: code.into(), ..CodeBlock::default() };
        let task = Task { id: "T".into(), test_code: vec![block], ..Task::default() };
        let mut plan = Cow::Owned(Plan { tasks: vec![task], ..Plan::default() });
        complete(&mut plan);
        let made = plan.tasks[0].test_code[0].code.clone();
        assert!(
            made.contains("from './shop.js';\nimport { store } from './store.js';\n\nvi.mock("),
            "{made}"
        );
        complete(&mut plan);
        assert_eq!(plan.tasks[0].test_code[0].code, made, "once is enough");
    }
}
