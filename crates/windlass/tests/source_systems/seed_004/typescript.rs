//! The two tasks that document 004 writes out in full, carried out in a strict TypeScript repository with vitest.

use windlass_testkit::TestRepo;

use crate::frame::{empty, fixture, write};
use crate::packages::{packages, run as carried_out, setup};

const TYPES: &str =
    "export type ContentState = 'opportunity' | 'draft' | 'review' | 'published' | 'archived';
export interface ContentItem { id: string; state: ContentState; title: string; created_at?: number }
export interface CreateContentData { title: string }
export type Result<T, E> = { ok: true; data: T } | { ok: false; error: E };
";

const DB: &str = "import type { ContentItem } from './types.js';

export const contentItems: { rows: ContentItem[] } = { rows: [] };

export const db = {
  insert(table: { rows: ContentItem[] }) {
    return { values: async (rows: ContentItem[]) => void table.rows.push(...rows) };
  },
};
";

const REPOSITORY: &str = "import { contentItems } from '../db.js';
import type { ContentItem } from '../types.js';

export const contentRepository = {
  async findById(id: string): Promise<ContentItem | null> {
    return contentItems.rows.find((item) => item.id === id) ?? null;
  },
};
";

const REPOSITORY_TEST: &str = "import { beforeEach, describe, expect, it } from 'vitest';
import { contentItems, db } from '../db.js';
import { contentRepository } from './content.repository.js';

beforeEach(() => {
  contentItems.rows = [];
});

describe('contentRepository.findById', () => {
  it('returns null for an unknown id', async () => {
    await db.insert(contentItems).values([]);
    expect(await contentRepository.findById('x')).toBeNull();
  });
});
";

const TSCONFIG: &str = r#"{
  "compilerOptions": {
    "strict": true,
    "noUnusedLocals": true,
    "target": "es2022",
    "module": "nodenext",
    "moduleResolution": "nodenext",
    "noEmit": true,
    "skipLibCheck": true
  },
  "include": ["src"]
}
"#;

/// The repository the examples speak of: strict TypeScript with vitest, below `backend`.
fn backend(packages: &std::path::Path, task: &str) -> TestRepo {
    let manifest = r#"{"name":"backend","private":true,"type":"module","devDependencies":{"typescript":"5.9.3","vitest":"3.2.4","@types/node":"22.18.0"}}"#;
    empty()
        .file("windlass.toml", &setup(packages, "backend/"))
        .file(".gitignore", "node_modules\n")
        .file("backend/package.json", manifest)
        .file("backend/tsconfig.json", TSCONFIG)
        .file("backend/vitest.config.ts", "export default { test: { cache: false } };\n")
        .file("backend/src/types.ts", TYPES)
        .file("backend/src/db.ts", DB)
        .file("backend/src/repositories/content.repository.ts", REPOSITORY)
        .file("backend/src/repositories/content.repository.test.ts", REPOSITORY_TEST)
        .file("backend/src/services/index.ts", "export {};\n")
        .file(&format!("tasks/{task}.md"), &fixture(&format!("004/{task}.md")))
        .committed()
}

fn run(repo: &TestRepo, packages: &std::path::Path) -> String {
    carried_out(repo, packages, "tasks").screen()
}

fn with_find_by_state(signature: &str, body: &str) -> String {
    let method = format!("  async findByState({signature} {{\n    {body}\n  }},\n}};\n");
    REPOSITORY
        .replace("import type { ContentItem } from", "import type { ContentItem, ContentState } from")
        .replace("  },\n};\n", &format!("  }},\n{method}"))
}

fn good_repository() -> String {
    with_find_by_state(
        "state: ContentState): Promise<ContentItem[]>",
        "const found = contentItems.rows.filter((item) => item.state === state);\n    return found.sort((a, b) => (b.created_at ?? 0) - (a.created_at ?? 0));",
    )
}

const SERVICE: &str = "import { contentRepository } from '../repositories/content.repository.js';
import type { ContentItem, CreateContentData, Result } from '../types.js';

export const contentService = {
  async findById(id: string): Promise<Result<ContentItem, 'NOT_FOUND'>> {
    const item = await contentRepository.findById(id);
    return item ? { ok: true, data: item } : { ok: false, error: 'NOT_FOUND' };
  },
  async create(data: CreateContentData): Promise<Result<ContentItem, 'VALIDATION_ERROR'>> {
    if (!data.title) return { ok: false, error: 'VALIDATION_ERROR' };
    return { ok: true, data: { id: data.title, state: 'draft', title: data.title } };
  },
};
";

pub(super) fn the_method_addition_runs() {
    let Some(packages) = packages() else { return };
    let repo = backend(&packages, "TASK-042");
    let path = "backend/src/repositories/content.repository.ts";
    repo.script(&format!("[TASK-042]\n{}", write(path, &good_repository())));
    let said = run(&repo, &packages);
    assert!(said.contains("1 of 1"), "{said}");
    let tests = repo.git(&["show", "windlass/tasks:backend/src/repositories/content.repository.test.ts"]);
    assert!(tests.contains("unknown id") && tests.contains("returns items matching state"), "{tests}");
}

pub(super) fn the_content_service_runs() {
    let Some(packages) = packages() else { return };
    let repo = backend(&packages, "TASK-050");
    let (service, index) = ("backend/src/services/content.service.ts", "backend/src/services/index.ts");
    let export = "export { contentService } from './content.service.js';\n";
    repo.script(&format!("[TASK-050]\n{}{}", write(service, SERVICE), write(index, export)));
    let said = run(&repo, &packages);
    assert!(said.contains("1 of 1"), "{said}");
}

/// An object without a promised method, with another type of error: found by the compiler, told, and fixed.
pub(super) fn object_contracts_are_compared() {
    let Some(packages) = packages() else { return };
    let repo = backend(&packages, "TASK-050");
    let service = "backend/src/services/content.service.ts";
    let (head, _) = SERVICE.split_once("  async create").unwrap();
    let wrong = head.replace("CreateContentData, ", "").replace("'NOT_FOUND'>>", "string>>") + "};\n";
    repo.script(&format!(
        "[TASK-050 implement 1]\n{}[TASK-050]\nexpect-brief contentService\n{}",
        write(service, &wrong),
        write(service, SERVICE)
    ));
    let said = run(&repo, &packages);
    assert!(said.contains("1 of 1"), "{said}");
    let story = repo.windlass(&["show", "TASK-050"]).ends(0).screen();
    assert!(story.contains("is not what its contract says"), "{story}");
}

/// An addition to an existing object whose parameter is narrower than promised: its tests and the type check pass.
pub(super) fn additions_are_compared() {
    let Some(packages) = packages() else { return };
    let repo = backend(&packages, "TASK-042");
    let path = "backend/src/repositories/content.repository.ts";
    let good = good_repository();
    let wrong = good.replace("findByState(state: ContentState)", "findByState(state: 'draft' | 'archived')");
    let wrong = wrong.replace("import type { ContentItem, ContentState }", "import type { ContentItem }");
    repo.script(&format!(
        "[TASK-042 implement 1]\n{}[TASK-042]\n{}",
        write(path, &wrong),
        write(path, &good)
    ));
    let said = run(&repo, &packages);
    assert!(said.contains("1 of 1"), "{said}");
    let story = repo.windlass(&["show", "TASK-042"]).ends(0).screen();
    assert!(story.contains("is not what its contract says"), "{story}");
}

/// The compiler is a gate by itself: code that the tests accept and the compiler does not is refused.
pub(super) fn types_are_checked() {
    let Some(packages) = packages() else { return };
    let repo = backend(&packages, "TASK-050");
    let (service, index) = ("backend/src/services/content.service.ts", "backend/src/services/index.ts");
    let wrong = format!("{SERVICE}\nexport const limit: number = 'many';\n");
    let export = "export { contentService } from './content.service.js';\n";
    repo.script(&format!(
        "[TASK-050 implement 1]\n{}{}[TASK-050]\nexpect-brief TS2322\n{}{}",
        write(service, &wrong),
        write(index, export),
        write(service, SERVICE),
        write(index, export)
    ));
    let said = run(&repo, &packages);
    assert!(said.contains("1 of 1"), "{said}");
}

/// vitest runs in the verifier, and its own report names the tests.
pub(super) fn tests_are_run_by_vitest() {
    let Some(packages) = packages() else { return };
    let repo = backend(&packages, "TASK-042");
    let path = "backend/src/repositories/content.repository.ts";
    let wrong = with_find_by_state(
        "state: ContentState): Promise<ContentItem[]>",
        "return contentItems.rows.filter((item) => item.state !== state);",
    );
    repo.script(&format!(
        "[TASK-042 implement 1]\n{}[TASK-042]\n{}",
        write(path, &wrong),
        write(path, &good_repository())
    ));
    let said = run(&repo, &packages);
    assert!(said.contains("1 of 1"), "{said}");
    let story = repo.windlass(&["show", "TASK-042"]).ends(0).screen();
    assert!(story.contains("returns items matching state") && story.contains("npx vitest run"), "{story}");
}
