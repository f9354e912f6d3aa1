//! Formatters, detail and snippets: what the steps of a plan say about a repository's own tools and conventions.

use serde_json::Value;
use windlass_testkit::TestRepo;

use crate::frame::empty;

/// A design that creates these files.
fn design(files: &[&str]) -> String {
    let rows: String =
        files.iter().map(|f| format!("| `{f}` | {} | create |\n", f.replace(['/', '.'], "-"))).collect();
    format!("# Design\n\n## File Ownership\n\n| File | Task ID | Operation |\n|---|---|---|\n{rows}")
}

/// The plan of files in a repository, as JSON.
fn planned(repo: &TestRepo, files: &[&str], more: &[&str]) -> (Value, String) {
    repo.write("docs/design.md", &design(files));
    let out =
        repo.windlass(&[&["plan", "docs/design.md", "--stdout", "--format", "json"], more].concat()).ends(0);
    (serde_json::from_str(&out.stdout).unwrap(), out.stderr)
}

/// The format command of the first task.
fn format_of(plan: &Value) -> String {
    let steps = plan["tasks"][0]["steps"].as_array().cloned().unwrap_or_default();
    let found = steps.iter().find(|step| step["action"] == "format");
    found.map(|step| step["run"].as_str().unwrap().to_owned()).unwrap_or_default()
}

/// The format command for a file in a repository with this configuration.
fn with(config: &str, text: &str, file: &str) -> String {
    let repo = empty().file(config, text).file("src/other.py", "").committed();
    format_of(&planned(&repo, &[file, "src/z.py"], &[]).0)
}

pub(super) fn ruff() {
    let run = with("pyproject.toml", "[tool.ruff]\nline-length = 100\n", "src/a.py");
    assert!(run.contains("ruff check --fix") && run.contains("ruff format -- src/a.py"), "{run}");
}

pub(super) fn black() {
    assert!(with("pyproject.toml", "[tool.black]\n", "src/a.py").starts_with("black "));
}

pub(super) fn isort() {
    assert!(with("pyproject.toml", "[tool.isort]\n", "src/a.py").starts_with("isort "));
}

pub(super) fn prettier() {
    for (file, text) in [
        ("package.json", r#"{"devDependencies": {"prettier": "3"}}"#),
        ("package.json", r#"{"prettier": {}}"#),
        (".prettierrc", "{}"),
        (".prettierrc.json", "{}"),
        (".prettierrc.yaml", "semi: false\n"),
    ] {
        assert!(with(file, text, "src/a.ts").contains("prettier --write"), "{file}");
    }
}

/// Without a configuration eslint refuses to run; that is said instead of a step that could only fail.
pub(super) fn eslint() {
    let repo = empty()
        .file("package.json", r#"{"devDependencies": {"eslint": "9"}}"#)
        .file("src/o.ts", "")
        .committed();
    let (plan, said) = planned(&repo, &["src/a.ts", "src/b.ts"], &[]);
    assert_eq!(format_of(&plan), "");
    assert!(said.contains("`package.json` names eslint, but nothing configures it"), "{said}");
    repo.write("eslint.config.js", "export default []\n");
    assert!(format_of(&planned(&repo, &["src/a.ts", "src/b.ts"], &[]).0).contains("eslint --fix"));
}

pub(super) fn rustfmt() {
    for file in ["rustfmt.toml", ".rustfmt.toml"] {
        let repo = empty()
            .file(file, "")
            .file("Cargo.toml", "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2024\"\n")
            .file("src/lib.rs", "")
            .committed();
        assert!(
            format_of(&planned(&repo, &["src/a.rs", "src/b.rs"], &[]).0).contains("rustfmt --edition 2024"),
            "{file}"
        );
    }
}

pub(super) fn clang_format() {
    assert!(with(".clang-format", "BasedOnStyle: LLVM\n", "src/a.cpp").starts_with("clang-format -i"));
}

pub(super) fn gofmt() {
    assert!(with("go.mod", "module a\n", "src/a.go").starts_with("gofmt -w"));
}

pub(super) fn by_extension() {
    let repo = empty()
        .file("pyproject.toml", "[tool.ruff]\n")
        .file(".prettierrc", "{}")
        .file("src/o.py", "")
        .committed();
    assert!(format_of(&planned(&repo, &["src/a.py", "src/b.ts"], &[]).0).contains("ruff"));
    assert!(format_of(&planned(&repo, &["src/a.ts", "src/b.py"], &[]).0).contains("prettier"));
}

/// The formatter of `windlass.toml` is in the plan, as it is in the run.
pub(super) fn override_in_the_configuration() {
    let repo = empty()
        .file("pyproject.toml", "[tool.ruff]\n")
        .file("src/o.py", "")
        .file("windlass.toml", "[format.commands]\n\"*.py\" = \"myfmt --quiet\"\n")
        .committed();
    assert_eq!(
        format_of(&planned(&repo, &["src/a.py", "src/b.py"], &[]).0).split(" src").next(),
        Some("myfmt --quiet")
    );
    repo.write("windlass.toml", "[format]\noff = true\n");
    assert_eq!(format_of(&planned(&repo, &["src/a.py", "src/b.py"], &[]).0), "");
}

pub(super) fn detail_has_three_levels() {
    let repo = empty().file("pyproject.toml", "[tool.ruff]\n").file("src/o.py", "").committed();
    let steps = |level: &str| {
        let plan = planned(&repo, &["src/a.py", "src/b.py"], &["--detail", level]).0;
        plan["tasks"][0]["steps"].as_array().map_or(0, Vec::len)
    };
    assert_eq!((steps("low"), steps("standard")), (0, 0));
    assert!(steps("medium") >= 5 && steps("high") >= 5);
    repo.windlass(&["plan", "docs/design.md", "--detail", "ultra"]).ends(2).says("ultra");
}

const SERVICE: &str = "from shop.base import BaseService\n\n\nclass NameService(BaseService):\n    def run(self) -> int:\n        return 1\n";

/// A package whose files have a base class in common.
fn services() -> TestRepo {
    empty()
        .file("pyproject.toml", "[project]\nname = \"shop\"\nversion = \"1\"\n[tool.pytest.ini_options]\n")
        .file("shop/__init__.py", "")
        .file("shop/base.py", "class BaseService:\n    pass\n")
        .file("shop/invoice_service.py", &SERVICE.replace("Name", "Invoice"))
        .file("shop/order_service.py", &SERVICE.replace("Name", "Order"))
        .file("tests/test_order_service.py", "from shop.order_service import OrderService\n\n\ndef test_runs() -> None:\n    assert OrderService().run() == 1\n")
        .committed()
}

/// The sketch or code of the implement step of the first task.
fn sketch(plan: &Value) -> String {
    let steps = plan["tasks"][0]["steps"].as_array().cloned().unwrap_or_default();
    let found = steps.iter().find(|step| step["action"] == "implement").cloned().unwrap_or_default();
    found["sketch"].as_str().or_else(|| found["code"].as_str()).unwrap_or_default().to_owned()
}

/// The design of a service with its interface, as code under the name of its file.
fn refunds() -> String {
    design(&["shop/refund_service.py", "shop/note_service.py"])
        + "\n## Interfaces\n\n### `shop/refund_service.py`\n\n```python\nclass RefundService(BaseService):\n    def run(self) -> int: ...\n```\n"
}

pub(super) fn sketches_import_what_they_use() {
    let repo = services();
    repo.write("docs/design.md", &refunds());
    let out = repo
        .windlass(&["plan", "docs/design.md", "--stdout", "--format", "json", "--detail", "high"])
        .ends(0);
    let code = sketch(&serde_json::from_str(&out.stdout).unwrap());
    assert!(
        code.contains("from shop.base import BaseService")
            && code.contains("class RefundService(BaseService)"),
        "{code}"
    );
}

pub(super) fn files_like_their_neighbours_without_a_contract() {
    snippets_are_in_the_graph();
    let repo = services();
    let plan = planned(&repo, &["shop/refund_service.py", "shop/note_service.py"], &["--detail", "high"]).0;
    let code = sketch(&plan);
    assert!(
        code.contains("class RefundService(BaseService):")
            || code.contains("class NoteService(BaseService):"),
        "{code}"
    );
    assert_eq!(
        sketch(
            &planned(&repo, &["shop/refund_service.py", "shop/note_service.py"], &["--detail", "medium"]).0
        ),
        ""
    );
}

/// In ZERG's own format a sketch is the step's `code_snippet`, at high detail only; read again it is still a hint.
fn snippets_are_in_the_graph() {
    let repo = services();
    let snippets = |detail: &str| {
        repo.write("docs/design.md", &refunds());
        let out = repo
            .windlass(&["plan", "docs/design.md", "--stdout", "--format", "zerg", "--detail", detail])
            .ends(0);
        let graph: Value = serde_json::from_str(&out.stdout).unwrap();
        let steps = graph["tasks"][0]["steps"].as_array().cloned().unwrap_or_default();
        repo.write("task-graph.json", &out.stdout);
        steps.iter().filter_map(|step| step["code_snippet"].as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(snippets("medium"), Vec::<String>::new());
    assert!(snippets("high").iter().any(|code| code.contains("class RefundService(BaseService)")));
    let out = repo.windlass(&["export", "task-graph.json", "--to", "json"]).ends(0);
    let plan: Value = serde_json::from_str(&out.stdout).unwrap();
    let steps = plan["tasks"][0]["steps"].as_array().unwrap();
    assert!(
        steps.iter().any(|s| s["sketch"].is_string()) && steps.iter().all(|s| s["code"].is_null()),
        "{plan:#}"
    );
}

/// Tests by the project's conventions: the suite is called like the class, and a named error is expected.
pub(super) fn tests_by_the_projects_conventions() {
    let repo = services();
    let prd = "# PRD\n\n## Acceptance Criteria\n\n- AC-1: `halve(3)` raises ValueError\n- AC-2: `halve(4)` returns `2`\n";
    let text = design(&["shop/half.py", "shop/other.py"])
        + "\n## Interfaces\n\n### `shop/half.py`\n\n```python\ndef halve(n: int) -> int: ...\n```\n";
    repo.write("docs/prd.md", prd);
    repo.write("docs/design.md", &text);
    let out = repo
        .windlass(&[
            "plan",
            "docs/prd.md",
            "docs/design.md",
            "--stdout",
            "--format",
            "json",
            "--detail",
            "high",
        ])
        .ends(0);
    assert!(out.stdout.contains("with pytest.raises(ValueError):"), "{out}");
    let script = empty()
        .file("package.json", r#"{"type": "module", "devDependencies": {"vitest": "3"}}"#)
        .file("src/order.ts", "export class OrderService {\n  run(): number {\n    return 1\n  }\n}\n")
        .file("src/order.test.ts", "import { describe, expect, it } from 'vitest'\nimport { OrderService } from './order'\n\ndescribe('OrderService', () => {\n  it('runs', () => {\n    expect(new OrderService().run()).toBe(1)\n  })\n})\n")
        .committed();
    script.write("docs/design.md", &(design(&["src/invoice.ts", "src/other.ts"]) + "\n## Interfaces\n\n### `src/invoice.ts`\n\n```ts\nexport class InvoiceService {\n  run(): number\n}\n```\n"));
    script.write("docs/prd.md", "# PRD\n\n## Acceptance Criteria\n\n- AC-1: `src/invoice.ts` runs\n");
    let out = script
        .windlass(&[
            "plan",
            "docs/prd.md",
            "docs/design.md",
            "--stdout",
            "--format",
            "json",
            "--detail",
            "high",
        ])
        .ends(0);
    assert!(out.stdout.contains("describe('InvoiceService'"), "{out}");
}

/// The formatter runs before the commit, and what the repository's own hook asks for is in it.
pub(super) fn formatters_and_hooks_come_before_the_commit() {
    let graph = r#"{"feature": "adds", "version": "2.0", "tasks": [{
        "id": "ADD-L1-001", "title": "Add two numbers", "level": 1, "dependencies": [],
        "files": {"create": ["src/add.sh", "tests/test_add.sh"], "modify": [], "read": []},
        "verification": {"command": "sh tests/test_add.sh", "timeout_seconds": 60}}]}"#;
    let hooks = "repos:\n- repo: local\n  hooks:\n  - id: mark\n    name: mark\n    language: system\n    entry: sh hook.sh\n    files: \\.sh$\n";
    let hook = "for file; do grep -q '# hooked' \"$file\" || { echo '# hooked' >> \"$file\"; changed=1; }; done; exit ${changed:-0}\n";
    let repo = empty()
        .file("task-graph.json", graph)
        .file("windlass.toml", "[format.commands]\n\"src/*.sh\" = \"sh fmt.sh\"\n")
        .file("fmt.sh", "for file; do grep -q '# formatted' \"$file\" || echo '# formatted' >> \"$file\"; done\n")
        .file(".pre-commit-config.yaml", hooks)
        .file("hook.sh", hook)
        .committed()
        .agent("[* write_test]\nwrite tests/test_add.sh <<END\ntest \"$(sh src/add.sh 2 3)\" = 5\nEND\n[*]\nwrite src/add.sh echo $(($1 + $2))\n");
    repo.start_run(&["task-graph.json", "--yes"]).wait_long().ends(0);
    let merged = repo.git(&["show", "windlass/adds:src/add.sh"]);
    assert!(merged.contains("# formatted"), "{merged}");
    repo.windlass(&["audit"]).ends(0);
}

/// A run of a task graph counts, wherever the graph lies; that less is said is said.
pub(super) fn familiar_files_lower_the_detail_and_it_is_said() {
    let graph = r#"{"feature": "adds", "version": "2.0", "tasks": [{
        "id": "ADD-L1-001", "title": "Add two numbers", "level": 1, "dependencies": [],
        "files": {"create": ["src/add.sh", "tests/test_add.sh"], "modify": [], "read": []},
        "verification": {"command": "sh tests/test_add.sh", "timeout_seconds": 60}}]}"#;
    let repo = empty().file("task-graph.json", graph).committed().agent(
        "[ADD-L1-001 write_test]\nwrite tests/test_add.sh <<END\ntest \"$(sh src/add.sh 2 3)\" = 5\nEND\n[ADD-L1-001]\nwrite src/add.sh <<END\necho $(($1 + $2))\nEND\n",
    );
    repo.start_run(&["task-graph.json"]).wait_long().ends(0);
    let (plan, said) = planned(&repo, &["src/sub.sh", "lib/far.sh"], &["--detail", "high"]);
    assert!(said.contains("detail `medium` instead of `high` for"), "{said}");
    assert!(said.contains("familiar files"), "{plan:#}");
    repo.write("windlass.toml", "[planning]\nadaptive = false\n");
    let (_, said) = planned(&repo, &["src/sub.sh", "lib/far.sh"], &["--detail", "high"]);
    assert!(!said.contains("instead of `high`"), "{said}");
}
