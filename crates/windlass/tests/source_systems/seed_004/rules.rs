//! The rules of contract tasks, as `check` applies them.

use serde_json::json;
use windlass_testkit::TestRepo;

use crate::frame::{codes, empty, fixture, json as printed};

/// The document's own task with a change, checked in a repository that has the files it modifies.
fn checked(change: impl Fn(String) -> String) -> String {
    let task = change(fixture("004/TASK-042.md"));
    repository(&task).windlass(&["check", "tasks"]).screen()
}

fn repository(task: &str) -> TestRepo {
    empty()
        .file("backend/src/repositories/content.repository.ts", "export const contentRepository = {};\n")
        .file("backend/src/repositories/content.repository.test.ts", "// tests\n")
        .file("tasks/TASK-042.md", task)
        .committed()
}

fn without(section: &str) -> String {
    checked(|text| {
        let (head, rest) = text.split_once(section).unwrap();
        let tail = rest.find("\n## ").map_or("", |at| &rest[at + 1..]);
        format!("{head}{tail}")
    })
}

pub(super) fn the_example_is_accepted() {
    let said = checked(|text| text);
    for code in ["error", "WL0512", "WL0151", "WL0210", "WL0211", "WL0431", "WL0521", "WL0522"] {
        assert!(!said.contains(code), "{code}: {said}");
    }
}

pub(super) fn six_sections_are_required() {
    for section in [
        "## Contract\n",
        "## Dependencies (Interfaces Only)\n",
        "## Test Specification\n",
        "## Output Files\n",
        "## Verification (Deterministic)\n",
    ] {
        assert!(without(section).contains("WL0521"), "{section}");
    }
    assert!(without("## Done When\n").contains("WL0520"));
}

pub(super) fn prose_in_a_fence_is_found() {
    let said = checked(|text| {
        text.replace(
            "findByState(state: ContentState): Promise<ContentItem[]>;\n```",
            "The repository should find everything quickly.\n```",
        )
    });
    assert!(said.contains("WL0510"), "{said}");
}

pub(super) fn earlier_tasks_need_no_entry() {
    the_example_is_accepted();
    let said = checked(|text| text.replace("depends_on: [TASK-031]", "depends_on: [TASK-999]"));
    assert!(said.contains("WL0151"), "a dependency that nothing speaks of is a mistake: {said}");
}

pub(super) fn write_and_modify_are_told_apart() {
    let said = checked(|text| {
        text.replace(
            "MODIFY: backend/src/repositories/content.repository.ts",
            "WRITE: backend/src/repositories/content.repository.ts",
        )
    });
    assert!(said.contains("WL0210"), "{said}");
    let said = checked(|text| text.replace("content.repository", "other.repository"));
    assert!(said.contains("WL0211"), "{said}");
    let said = checked(|text| {
        text.replacen("// backend/src/repositories/content.repository.ts", "// backend/src/elsewhere.ts", 1)
    });
    assert!(said.contains("WL0522"), "{said}");
}

pub(super) fn lines_are_estimated() {
    let said = checked(|text| text.replace(" (~10 lines added)", ""));
    assert!(said.contains("WL0431"), "{said}");
}

pub(super) fn contract_tasks_have_eight_thousand_tokens() {
    let repo = repository(&fixture("004/TASK-042.md"));
    let said = repo.windlass(&["run", "tasks", "--dry-run"]).screen();
    assert!(said.contains("small"), "{said}");
    let long = fixture("004/TASK-042.md")
        .replace("## Done When", &format!("## Notes\n\n{}\n\n## Done When", "word ".repeat(9_000)));
    let long = long.replace("// Setup: insert test data", &format!("// {}", "data ".repeat(9_000)));
    let said = repository(&long).windlass(&["check", "tasks"]).screen();
    assert!(said.contains("WL0430") || said.contains("WL0421"), "{said}");
}

/// The document's task with a text replaced breaks this rule; as it is written it does not.
fn finds(code: &str, from: &str, to: &str) {
    let task = fixture("004/TASK-042.md");
    assert!(task.contains(from), "{from}");
    let (_, clean) = codes(&repository(&task), "tasks");
    assert!(!clean.iter().any(|c| c == code || c == "WL0421"), "{code} in {clean:?}");
    let (_, found) = codes(&repository(&task.replace(from, to)), "tasks");
    assert!(found.iter().any(|c| c == code || c == "WL0421"), "{code} is not in {found:?} after {to}");
}

pub(super) fn the_front_matter_is_read() {
    let plan =
        printed(&repository(&fixture("004/TASK-042.md")), &["export", "tasks", "--to", "json", "--stdout"]);
    let task = &plan["tasks"][0];
    assert_eq!(
        (&task["id"], &task["layer"], &task["track"]),
        (&json!("TASK-042"), &json!(2), &json!("backend"))
    );
    assert_eq!(
        (&task["title"], &task["depends_on"]),
        (&json!("Add findByState method to ContentRepository"), &json!(["TASK-031"]))
    );
    assert_eq!(task["complexity"], "simple", "{task:#}");
    for (from, to) in [("simple", "enormous"), ("layer: 2", "layer: two"), ("track: backend", "track: [1]")] {
        finds("WL0003", from, to);
    }
}

pub(super) fn the_sections_are_read() {
    for fence in ["```", "````", "~~~"] {
        let text = fixture("004/TASK-042.md").replace("```", fence);
        let plan = printed(&repository(&text), &["export", "tasks", "--to", "json", "--stdout"]);
        let task = &plan["tasks"][0];
        for section in ["contract", "interfaces", "test_code", "done_when"] {
            assert!(
                task[section].as_array().is_some_and(|list| !list.is_empty()),
                "{fence} {section}: {task:#}"
            );
        }
        assert_eq!(task["files"]["modify"].as_array().map(Vec::len), Some(2));
        assert!(task["verification"]["script"].as_str().unwrap().starts_with("cd backend\nnpx tsc"));
        assert!(
            task["test_code"][0]["code"]
                .as_str()
                .unwrap()
                .contains("describe('contentRepository.findByState'")
        );
    }
}

pub(super) fn a_contract_is_signatures_and_a_path() {
    finds("WL0509", "// backend/src/repositories/content.repository.ts\n// ADD to", "// ADD to");
    let signature = "findByState(state: ContentState): Promise<ContentItem[]>;";
    finds("WL0511", signature, "export function findByState(): number {\n  return 1;\n}");
    finds("WL0511", signature, "export function findByState(): number { return 1; }");
    finds("WL0511", signature, "export const findByState = (state: string) => state.length;");
}

pub(super) fn dependencies_are_short_and_sourced() {
    let long: String = (0..70).map(|n| format!("  method{n}(): void;\n")).collect();
    finds("WL0515", "  // ... existing methods\n", &long);
    finds("WL0513", "// From TASK-031: existing repository structure\n", "");
    let provider = fixture("004/TASK-042.md")
        .replace("TASK-042", "TASK-030")
        .replace("depends_on: [TASK-031]", "depends_on: []");
    let repo = repository(&fixture("004/TASK-042.md")).file("tasks/TASK-030.md", &provider);
    let (_, found) = codes(&repo, "tasks");
    assert!(
        found.iter().any(|c| c == "WL0512"),
        "an interface of a task in the plan is a dependency: {found:?}"
    );
}

pub(super) fn errors_are_tested() {
    finds(
        "WL0517",
        "it('returns empty array when no matches', async () => {\n    const result = await contentRepository.findByState('archived');\n    expect(result).toEqual([]);\n",
        "it('returns more', async () => {\n    expect(await contentRepository.findByState('review')).toHaveLength(3);\n",
    );
}

pub(super) fn verification_can_fail() {
    let line = "npx vitest run src/repositories/content.repository.test.ts\n```";
    finds("WL0302", line, "npx vitest run src/repositories/content.repository.test.ts || true\n```");
    finds("WL0302", line, "npx vitest run src/repositories/content.repository.test.ts; echo done\n```");
    finds("WL0204", line, "npx vitest run src/other.test.ts\n```");
}

pub(super) fn the_check_list_can_be_checked() {
    for item in ["The code is clean", "It is well structured", "Follows best practices"] {
        finds("WL0518", "Filters by state column", item);
    }
    finds("WL0519", "Both new tests pass", "All 5 tests pass");
}

/// The document's limits of each complexity.
pub(super) fn sizes_have_limits() {
    for (complexity, limit) in [("trivial", 15), ("simple", 30), ("medium", 50)] {
        let with = |lines: u32| {
            fixture("004/TASK-042.md")
                .replace("simple", complexity)
                .replace("(~10 lines added)", &format!("(~{lines} lines added)"))
        };
        let found = |lines| codes(&repository(&with(lines)), "tasks").1.iter().any(|c| c == "WL0420");
        assert_eq!((found(limit), found(limit + 6)), (false, true), "{complexity}");
    }
}

pub(super) fn large_tasks_must_be_split() {
    let task = |lines: u32| {
        let text = fixture("004/TASK-042.md")
            .replace("estimated_complexity: simple", "estimated_complexity: complex");
        codes(&repository(&text.replace("(~10 lines added)", &format!("(~{lines} lines added)"))), "tasks")
    };
    assert_eq!(task(65).0, Some(0));
    let (code, found) = task(66);
    assert!(code == Some(1) && found.iter().any(|c| c == "WL0421"), "{found:?}");
}

/// Contract and tests of more tokens than the complexity allows: 500, 1000, 1500, 2000.
pub(super) fn tokens_have_limits() {
    for (complexity, tokens, code) in [
        ("trivial", 500, "WL0422"),
        ("simple", 1000, "WL0422"),
        ("medium", 1500, "WL0422"),
        ("complex", 2000, "WL0421"),
    ] {
        let with = |words: usize| {
            let text = fixture("004/TASK-042.md")
                .replace("estimated_complexity: simple", &format!("estimated_complexity: {complexity}"));
            text.replace("// Setup: insert test data", &format!("// {}", "alpha beta ".repeat(words / 2)))
        };
        let found =
            |words| codes(&repository(&with(words)), "tasks").1.iter().any(|c| c == code || c == "WL0421");
        assert!(found(tokens + 200), "{complexity}");
        assert!(complexity == "trivial" || !found(tokens / 4), "{complexity}");
    }
}

pub(super) fn files_have_limits() {
    let files = "MODIFY: backend/src/repositories/content.repository.ts (~10 lines added)";
    for (file, lines) in
        [("backend/src/long.ts", 160), ("backend/src/long.test.ts", 210), ("backend/src/schema/long.ts", 110)]
    {
        finds("WL0423", files, &format!("{files}\nWRITE: {file} (~{lines} lines)"));
    }
}

pub(super) fn few_files_are_read() {
    let files = "MODIFY: backend/src/repositories/content.repository.ts";
    finds("WL0424", files, &format!("READ: a.ts\nREAD: b.ts\nREAD: c.ts\n{files}"));
}

pub(super) fn few_steps_are_taken() {
    finds(
        "WL0425",
        "## Done When",
        "## Steps\n\n1. Read the table of states\n2. Filter the rows by state\n3. Sort them by their date\n4. Cut the list at ten\n\n## Done When",
    );
}

pub(super) fn few_functions_are_made() {
    let signature = "findByState(state: ContentState): Promise<ContentItem[]>;";
    finds("WL0426", signature, &format!("{signature}\na(): void;\nb(): void;\nc(): void;"));
}

/// Words that a small model cannot follow, wherever they stand.
fn anti_pattern(code: &str, sentences: &[&str]) {
    for sentence in sentences {
        finds(code, "## Done When", &format!("## Notes\n\n{sentence}\n\n## Done When"));
    }
}

pub(super) fn vague_titles_are_found() {
    for title in ["Implement the service layer", "Improve things", "Update code"] {
        finds("WL0501", "title: Add findByState method to ContentRepository", &format!("title: {title}"));
    }
}

pub(super) fn patterns_elsewhere_are_found() {
    anti_pattern("WL0502", &["Follow existing pattern in content.service.", "Follow the existing patterns."]);
}

pub(super) fn judgment_is_found() {
    anti_pattern("WL0503", &["Use your judgment.", "Use your best judgement here."]);
}

pub(super) fn edge_cases_are_found() {
    anti_pattern("WL0504", &["Handle edge cases.", "Handle all edge cases properly."]);
}

pub(super) fn memories_are_found() {
    anti_pattern("WL0505", &["Similar to how we did findById.", "Do it similar to how we did Y."]);
}

pub(super) fn many_files_are_found() {
    let files = "MODIFY: backend/src/repositories/content.repository.ts";
    finds(
        "WL0506",
        files,
        &format!("WRITE: backend/src/a.ts (~5 lines)\nWRITE: backend/src/b.ts (~5 lines)\n{files}"),
    );
}

pub(super) fn placeholders_are_found() {
    for line in ["/* ... */", "// ...", "// ... the rest as before", concat!("// TO", "DO: insert")] {
        finds("WL0507", "// Setup: insert test data", line);
    }
}

/// Tasks with these dependencies, in the document's form.
fn chain(depends: &[(&str, &str)]) -> TestRepo {
    let mut repo = empty()
        .file("backend/src/repositories/content.repository.ts", "export const contentRepository = {};\n")
        .file("backend/src/repositories/content.repository.test.ts", "// tests\n");
    for (id, needs) in depends {
        let file = id.to_lowercase();
        let text = fixture("004/TASK-042.md")
            .replace("TASK-042", id)
            .replace("depends_on: [TASK-031]", &format!("depends_on: [{needs}]"))
            .replace("content.repository", &file)
            .replace("MODIFY:", "WRITE:");
        repo = repo.file(&format!("tasks/{id}.md"), &text);
    }
    repo.committed()
}

pub(super) fn chains_are_found() {
    let long = chain(&[("TASK-001", ""), ("TASK-002", "TASK-001"), ("TASK-003", "TASK-001, TASK-002")]);
    let (_, found) = codes(&long, "tasks");
    assert!(found.iter().any(|c| c == "WL0108"), "{found:?}");
    let (_, found) = codes(&chain(&[("TASK-001", ""), ("TASK-002", "TASK-001")]), "tasks");
    assert!(!found.iter().any(|c| c == "WL0108"), "{found:?}");
}

/// The graph that the document draws: what is independent is side by side.
pub(super) fn the_drawn_graph_is_ordered() {
    let repo = chain(&[
        ("TASK-006", ""),
        ("TASK-009a", ""),
        ("TASK-007", "TASK-006, TASK-009a"),
        ("TASK-008a", "TASK-007"),
        ("TASK-008b", "TASK-008a"),
        ("TASK-009b", "TASK-006, TASK-009a"),
        ("TASK-010", "TASK-009b"),
    ]);
    let dry = printed(&repo, &["run", "tasks", "--agent", "cmd:true", "--dry-run", "--yes", "--json"]);
    let place = |id: &str| dry["tasks"].as_array().unwrap().iter().position(|t| t["id"] == id).unwrap();
    for (before, after) in [
        ("TASK-006", "TASK-007"),
        ("TASK-009a", "TASK-007"),
        ("TASK-007", "TASK-008a"),
        ("TASK-008a", "TASK-008b"),
        ("TASK-009b", "TASK-010"),
    ] {
        assert!(place(before) < place(after), "{before} {after}");
    }
    let drawn = repo.windlass(&["graph", "tasks"]).ends(0).stdout;
    for id in ["TASK-006", "TASK-008b", "TASK-009b", "TASK-010"] {
        assert!(drawn.contains(id), "{drawn}");
    }
}

pub(super) fn unknown_dependencies_are_found() {
    finds("WL0151", "depends_on: [TASK-031]", "depends_on: [TASK-031, TASK-777]");
}
