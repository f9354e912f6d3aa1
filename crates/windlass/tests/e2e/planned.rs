//! From documents to commits, with no plan written by hand: the tests are those the plan brings, red before and green after.

use windlass_core::event::RedKind;

use crate::world::{empty, evidence, users_own};

const PRD: &str = "# PRD: Addresses\n\n### US-1: Readable addresses\n**As a** reader\n**I want** addresses made of words\n**So that** I can tell pages apart\n\n**Acceptance Criteria:**\n- [ ] `slug('Hello World')` returns `'hello-world'`\n- [ ] `slug(null)` throws `TypeError`\n- [ ] `address('Hello World')` returns `'/hello-world'`\n";

const DESIGN: &str = "# Technical Design: Addresses\n\n## File Changes\n\n| File | Operation | What |\n|---|---|---|\n| `src/address.js` | create | make addresses of titles |\n| `src/text.js` | create | turn titles into slugs |\n\n## Text\n\n```js\n// src/text.js\nexport function slug(title) {\n  return title.toLowerCase();\n}\n```\n\n## Addresses\n\n```js\n// src/address.js\nimport { slug } from './text.js';\n\nexport function address(title) {\n  return `/${slug(title)}`;\n}\n```\n";

#[test]
fn documents_become_commits() {
    let agent = "[T001]\nwrite src/text.js export function slug(title) { return title.toLowerCase().replaceAll(' ', '-'); }\n[T002]\nwrite src/address.js import { slug } from './text.js'; export function address(title) { return '/' + slug(title); }\n";
    let repo = empty()
        .file("package.json", "{\n  \"type\": \"module\",\n  \"scripts\": { \"test\": \"node --test\" }\n}\n")
        .file("docs/PRD.md", PRD)
        .file("docs/TECHNICAL_DESIGN.md", DESIGN)
        .committed()
        .agent(agent);
    repo.windlass(&["plan", "docs", "--detail", "high", "--yes"]).ends(0);
    let before = users_own(&repo);
    repo.windlass(&["check"]).ends(0);
    repo.run(&[]).ends(0);
    assert_eq!(users_own(&repo), before);
    let records = evidence(&repo, "windlass/addresses");
    let red: Vec<(RedKind, usize)> =
        records.iter().filter_map(|r| r.red.as_ref()).map(|red| (red.kind, red.tests.len())).collect();
    assert_eq!(red, [(RedKind::MissingCode, 2), (RedKind::MissingCode, 1)]);
    let text = repo.git(&["show", "windlass/addresses:src/text.test.js"]);
    assert!(text.contains("assert.deepEqual(slug('Hello World'), 'hello-world')"), "{text}");
}
