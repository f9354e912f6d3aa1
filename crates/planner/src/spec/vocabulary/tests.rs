//! What words, lines and headings mean. Each table is the documentation of one decision.

use super::columns::column;
use super::headings::{requirement_in_heading, task_in_heading};
use super::*;
use crate::spec::model::Operation;

/// Every phrase of a topic in a heading as people write it.
#[test]
fn headings_have_topics() {
    let table: [(Topic, &str); 17] = [
        (
            Topic::Excluded,
            "1.3 Non-Goals|Non goals|Nongoals|Out of Scope|Out-of-scope items|Nice to Have|Nice-to-haves|\
             No-goals|Anti-Goals|Future Work|Future considerations|Future Enhancements|Future extensions|\
             Future Features|Future phases|Future Improvements (v2)|Future iterations|Future scope|\
             Future versions|Future releases|Future roadmap|Future development|Future plans|Future ideas|\
             9. Later Phases|Later versions|Later releases|Later iterations|Post-MVP|Post MVP|Beyond MVP|\
             Beyond the MVP|Stretch Goals|Backlog|Icebox|Won't Have|Won’t have|Could Have|Not in scope|\
             Not included|Not part of this|Not planned|Not doing|Deferred|Excluded|非目标|非需求|范围外|\
             不在范围内|超出范围|不包含|未来计划|后续|Nicht im Umfang|Nicht-Ziele|Nichtziele|\
             Fuera de alcance|Fuera del alcance|Hors périmètre|Hors scope|Future|Later|Someday",
        ),
        (
            Topic::Criteria,
            "Acceptance Criteria:|Acceptance criterion|Acceptance Scenarios|Acceptance tests|\
             Success Criteria|Definition of Done|Done when|Exit criteria|Completion criteria|验收标准：|\
             验收条件|接受标准|完成标准|成功标准|受け入れ基準|Akzeptanzkriterien|Abnahmekriterien|\
             Criterios de aceptación|Critères d'acceptation|Critères d’acceptation|Критерии приёмки|\
             Критерии приемки|Acceptance|DoD",
        ),
        (Topic::Metrics, "成功指标|关键指标|Success Metric|Metrics|KPIs"),
        (Topic::Risks, "风险|回滚|Risiken|Riesgos|Risques|Risk Assessment|Mitigations|Rollback"),
        (
            Topic::Stories,
            "用户故事|用例|ユーザーストーリー|Benutzergeschichten|Historias de usuario|User Stories|\
             User Story 1|Use Cases|User Scenarios & Testing",
        ),
        (
            Topic::Requirements,
            "二、功能需求|需求|要求|Anforderungen|Requisitos|Exigences|Требования|\
             Non-Functional Requirements|Must Have|Should Have|Must-haves|NFRs|NFR|FRs",
        ),
        (
            Topic::Ownership,
            "文件结构|目录结构|文件清单|文件变更|修改文件|新增文件|涉及文件|5.2 File Ownership|Ownership|\
             File manifest|File changes|File structure|Files changed|Files to Modify|Affected files|\
             New files|New file: x|Modified Files|File summary|File plan|File list|Project Structure|\
             Source Code (repository root)|Directory structure|Folder structure|Files",
        ),
        (
            Topic::Graph,
            "依赖关系|依赖图|执行顺序|Dependency Graph|Dependency order|Task dependencies|Task graph|\
             Execution Order|Implementation order|Build order|Dependencies",
        ),
        (Topic::Decisions, "决策|Key Decisions|ADR-001: Queue|Alternatives considered"),
        (
            Topic::Tests,
            "测试|Test Strategy|Testing Strategy|Test plan|Testing|Verification|Validation|Unit tests",
        ),
        (
            Topic::Models,
            "数据模型|数据库|数据结构|Data Model|Database|Schema|Key Entities|Entity: Cart|Domain model|\
             Type definitions|Models|Types",
        ),
        (
            Topic::Endpoints,
            "接口设计|接口定义|Endpoints|API contracts|API Design|REST API|HTTP API|Routes|API|APIs",
        ),
        (
            Topic::Components,
            "组件|模块|架构|Components|Modules|Architecture|Detailed Design|Detailed changes",
        ),
        (
            Topic::Phases,
            "阶段|里程碑|任务分解|任务列表|实施计划|实现计划|Phase 1|Milestones|Roadmap|\
             Implementation Plan|Implementation tasks|Task summary|Task breakdown|Task details|Tasks|\
             Timeline|Level 2|High-Level Design",
        ),
        (Topic::Conventions, "规范|约定|约束|Conventions|Code style|Coding standards|Guidelines|Constraints"),
        (Topic::Surface, "Wireframes|Layout|Screens|User flows|User journey|Visual design|UI states"),
        (
            Topic::Background,
            "背景|概述|简介|目标|总结|附录|Metadata|Overview|Executive Summary|Problem Statement|Goals|\
             Background|Context|Introduction|Purpose|Scope|Assumptions|Open Questions|Approval|\
             References|Glossary|Changelog|Documentation impact|Parallel execution|Recommended workers|\
             Estimated duration|Motivation|Research|Root Cause|Rationale|Solution|Data Flow|\
             Technical context|Clarifications|Appendix A",
        ),
    ];
    for (topic, titles) in table {
        for title in titles.split('|') {
            assert_eq!(Topic::from_title(title), Some(topic), "{title}");
        }
    }
    // A phrase counts at the beginning of a word only, and some words only if they stand alone.
    for title in ["Capital", "3.4 StepExecutor", "Futures and promises", "Apiary", "Prefiles", "", "Subtypes"]
    {
        assert_eq!(Topic::from_title(title), None, "{title}");
    }
}

#[test]
fn heads_name_columns() {
    let table: [(ColumnMeaning, &str); 25] = [
        (ColumnMeaning::Creates, "Creates|Create|Files created"),
        (ColumnMeaning::Modifies, "Modifies|Modify|Modified files"),
        (ColumnMeaning::Deletes, "Deletes|Delete|Deleted|Removes"),
        (ColumnMeaning::Depends, "Depends On|Dependencies|Dependency|Blocked by|Requires|After|依赖任务"),
        (ColumnMeaning::Lines, "Est. Lines|LOC"),
        (ColumnMeaning::File, "File|Files|File(s)|**Path**|Paths|Location|Filename|文件路径|路径"),
        (ColumnMeaning::Task, "Task ID|Tasks|Task(s)|Owner|任务"),
        (ColumnMeaning::Operation, "Operation|Op|Action|Change Type|Status|操作"),
        (ColumnMeaning::Mitigation, "Mitigation|缓解措施"),
        (ColumnMeaning::Risk, "Risk|Risks|风险"),
        (ColumnMeaning::Decision, "Decision|Question|Choice made|决策"),
        (ColumnMeaning::Choice, "Choice|Rationale|Chosen"),
        (ColumnMeaning::Component, "Component|Module|Service|Class|Layer|组件|模块"),
        (ColumnMeaning::Method, "Method|Verb|HTTP Method"),
        (ColumnMeaning::Route, "Endpoint|Route|URL|URI|接口"),
        (ColumnMeaning::Requirement, "Requirement|Requirements|Criterion|Criteria|Acceptance|需求|标准"),
        (ColumnMeaning::Target, "Target|Threshold|Expected result|Goal|目标"),
        (ColumnMeaning::Level, "Level"),
        (ColumnMeaning::Phase, "Phase|Milestone|Stage|阶段"),
        (ColumnMeaning::Priority, "Priority|优先级"),
        (ColumnMeaning::Id, "ID|#|Ref|No|No."),
        (ColumnMeaning::Field, "Field|Column|Attribute|Property|字段"),
        (ColumnMeaning::Responsibility, "Responsibility|Responsibilities|Purpose|Role|Changes|职责"),
        (ColumnMeaning::Title, "Title|Description|Name|Summary|Details|What|说明|描述"),
        (ColumnMeaning::Other, "PR|Filed|Risky|"),
    ];
    for (expected, heads) in table {
        for head in heads.split('|') {
            assert_eq!(column(head), expected, "{head}");
        }
    }
}

#[test]
fn some_cells_are_blank() {
    for blank in ["", "  ", "—", "–", "-", "None", "n/a", "TBD"] {
        assert!(is_blank(blank), "{blank}");
    }
    for filled in ["0", "nothing", "T-1"] {
        assert!(!is_blank(filled), "{filled}");
    }
}

#[test]
fn texts_begin_with_requirement_ids() {
    let table = [
        ("FR-1: Detail flag", Some(("FR-1", "Detail flag"))),
        ("**FR-001**: System MUST", Some(("FR-001", "System MUST"))),
        ("AC-001a — works", Some(("AC-001a", "works"))),
        ("AC-1ab: works", None),
        ("R1: Ruff", Some(("R1", "Ruff"))),
        ("NFR-2", Some(("NFR-2", ""))),
        ("REQ_3. Speed", Some(("REQ_3", "Speed"))),
        ("SC-1.2: Nested", Some(("SC-1.2", "Nested"))),
        ("(BR-4) Rule", Some(("BR-4", "Rule"))),
        ("TR-1: a", Some(("TR-1", "a"))),
        ("UR-1: a", Some(("UR-1", "a"))),
        ("SR-1: a", Some(("SR-1", "a"))),
        ("NF-1: a", Some(("NF-1", "a"))),
        ("CR-1: a", Some(("CR-1", "a"))),
        ("AC-1: `total` prints", Some(("AC-1", "`total` prints"))),
        ("`AC-1`: total prints", Some(("AC-1", "total prints"))),
        ("R1 and R2 are chips", None),
        ("R 1: one", None),
        ("FR-123456789: too long", None),
        ("Redis 6", None),
        ("PR 1: x", None),
        ("FRx", None),
        ("FR-1_x", None),
        ("", None),
    ];
    for (text, expected) in table {
        let found = ids::requirement(text);
        assert_eq!(found.as_ref().map(|(id, rest)| (id.as_str(), *rest)), expected, "{text}");
    }
    assert_eq!(ids::requirements("serves FR-1, `FR-2` (NFR-3) and R4"), ["FR-1", "FR-2", "NFR-3", "R4"]);
}

#[test]
fn headings_name_requirements() {
    let table = [
        ("FR-1: Search", Some(("FR-1", "Search"))),
        ("3.1 FR-1: Search", Some(("FR-1", "Search"))),
        ("3.1 Search (FR-001)", Some(("FR-001", "Search"))),
        ("Search [NFR-2]", Some(("NFR-2", "Search"))),
        ("Search (FR-001):", Some(("FR-001", "Search"))),
        ("Search (fast)", None),
        ("3.1 Search", None),
    ];
    for (title, expected) in table {
        let found = requirement_in_heading(title);
        assert_eq!(found.as_ref().map(|t| (t.id.as_str(), t.title.as_str())), expected, "{title}");
    }
}

#[test]
fn headings_name_tasks() {
    let table = [
        ("BF-L1-003: WorkerProtocol tests", Some(("BF-L1-003", "WorkerProtocol tests"))),
        ("5.1 TASK-001 — Schema", Some(("TASK-001", "Schema"))),
        ("[TASK-002] Model", Some(("TASK-002", "Model"))),
        ("`TASK-003`: View", Some(("TASK-003", "View"))),
        ("TASK-1.1：购物车", Some(("TASK-1.1", "购物车"))),
        ("Task 3: Add login", Some(("TASK-3", "Add login"))),
        ("TASK 3.1. Add logout", Some(("TASK-3.1", "Add logout"))),
        ("Task list", None),
        ("FR-1: Flag", None),
        ("ADR-0001: Queue", None),
        ("US-1: Sign in", None),
        ("RFC-7231 semantics", None),
        ("UTF-8 everywhere", None),
        ("CVE-2024: patch", None),
        ("Tasks", None),
        ("T12 without a dash", None),
        ("3.3 FormatterDetector API", None),
    ];
    for (title, expected) in table {
        let found = task_in_heading(title);
        assert_eq!(found.as_ref().map(|t| (t.id.as_str(), t.title.as_str())), expected, "{title}");
    }
}

#[test]
fn headings_name_phases() {
    let table = [
        ("Level 2 — Core (5 tasks, parallel)", Some("Level 2 — Core")),
        ("## Phase 3: Polish", Some("Phase 3: Polish")),
        ("4. Milestone 1:", Some("Milestone 1")),
        ("stage 2 [later]", Some("stage 2")),
        ("Sprint 7", Some("Sprint 7")),
        ("Phase Summary", None),
        ("Phases", None),
        ("Iteration 1", None),
    ];
    for (title, expected) in table {
        assert_eq!(phase_name(title).as_deref(), expected, "{title}");
    }
    let same = [("Phase 1: Basket", "phase 1"), ("Level 2", "Level 2 — Core"), ("Polish", "Polish")];
    for (one, other) in same {
        assert!(same_phase(one, other), "{one} / {other}");
    }
    assert!(same_phase("Phase — 1", "phase 1"));
    for (one, other) in [("Phase 1", "Phase 11"), ("Phase 1", "Level 1"), ("Polish", "Build")] {
        assert!(!same_phase(one, other), "{one} / {other}");
    }
}

#[test]
fn words_are_task_ids() {
    for yes in ["TASK-001", "BITE-L2-001", "T-001", "T012", "L1-001", "IMPL-1.2", "001", "002a", "T_1"] {
        assert!(ids::is_task_id(yes), "{yes}");
    }
    let no = "modify README.md TASK 1 -L1 v1.2.3-beta T--1 T-001ab task-1 \
              12345 ABCDEFGHIJKLMNOPQRSTUVWX-1 T/1";
    for no in no.split(' ') {
        assert!(!ids::is_task_id(no), "{no}");
    }
    assert_eq!(ids::task_ids("T-1 + T-2/T-3, `T-4` → [T-5]. T-1"), ["T-1", "T-2", "T-3", "T-4", "T-5"]);
    assert_eq!(ids::shape("BITE-L2-001"), ("BITE".to_owned(), 3));
    assert_eq!(ids::level_of("BITE-L2-001"), Some(2));
    assert_eq!(ids::level_of("L2-001"), Some(2));
    assert_eq!(ids::level_of("TASK-001"), None);
}

#[test]
fn short_ids_stand_for_known_ones() {
    let known: Vec<String> =
        ["TASK-001", "DF-L1-002", "TASK-010", "EX-L1-003", "DF-L1-003"].map(str::to_owned).into();
    let table = [
        ("TASK-010", Some("TASK-010")),
        ("T001", Some("TASK-001")),
        ("T1", Some("TASK-001")),
        ("L1-002", Some("DF-L1-002")),
        ("L1-003", None),
        ("T002", None),
        ("TASK1", None),
        ("X1", None),
    ];
    for (word, expected) in table {
        assert_eq!(ids::resolve(word, &known).map(String::as_str), expected, "{word}");
    }
}

#[test]
fn texts_begin_with_story_ids() {
    let table = [
        ("US-1: Sign in", Some(("US-1", "Sign in"))),
        ("3. US-01 — Sign in", Some(("US-01", "Sign in"))),
        ("User Story 2 - Sign out (Priority: P1)", Some(("US-2", "Sign out (Priority: P1)"))),
        ("Story #3: Carts", Some(("US-3", "Carts"))),
        ("USER STORY 4", Some(("US-4", ""))),
        ("Users see", None),
        ("US-CAL1 — Connect", Some(("US-CAL1", "Connect"))),
        ("US-based servers", None),
        ("Story of a shop", None),
    ];
    for (text, expected) in table {
        let found = ids::story(text);
        assert_eq!(found.as_ref().map(|(id, rest)| (id.as_str(), *rest)), expected, "{text}");
    }
}

#[test]
fn texts_name_paths() {
    let table: [(&str, &[&str]); 32] = [
        ("`zerg/state.py` | x", &["zerg/state.py"]),
        ("zerg/commands/refactor.py, analyze.py", &["zerg/commands/refactor.py", "analyze.py"]),
        ("`a.py`, `a.py` again", &["a.py"]),
        ("`a.py + b.py`", &["a.py", "b.py"]),
        ("./src/main.rs.", &["src/main.rs"]),
        ("see https://example.com/a.ts", &[]),
        ("launcher.py:354-420 and cli.py:44,49", &["launcher.py", "cli.py"]),
        ("cli.py:~44", &["cli.py"]),
        ("`state.py:claim_task()`", &["state.py"]),
        ("zerg/data/commands/zerg:debug.md", &["zerg/data/commands/zerg:debug.md"]),
        (".gitignore, LICENSE.", &[".gitignore", "LICENSE"]),
        ("Makefile Dockerfile Justfile Readme", &["Makefile", "Dockerfile", "Justfile"]),
        ("runs on Node.js e.g. v1.2", &[]),
        ("node.js and next.js", &["next.js"]),
        ("process.env and .env", &[]),
        ("files end in .core.md or .md", &[]),
        ("../outside.ts /etc/passwd ~/x.py", &[]),
        ("src/../x.py src//x.py .git/config.toml", &[]),
        (".github/workflows/ci.yml", &[".github/workflows/ci.yml"]),
        (".test_durations", &[".test_durations"]),
        (".5em .v", &[]),
        ("src/app/[slug]/page.tsx", &["src/app/[slug]/page.tsx"]),
        ("self.name = config.value", &[]),
        ("data/sample.dat but sample.dat", &["data/sample.dat"]),
        ("docs/v1.2 and a/b.123", &[]),
        ("a/b.longending and a/b.longerending", &[]),
        ("a/b.12345678 a/b.abcdefgh", &["a/b.abcdefgh"]),
        ("@scope/pkg.js $HOME/a.py {x}.py #a.md", &[]),
        ("创建src/购物.ts，修改 `docs/说明.md`。", &["src/购物.ts", "docs/说明.md"]),
        ("C:\\work\\a.py and D:/b.py", &[]),
        ("**src/bold.py** \"quoted.py\"", &["src/bold.py", "quoted.py"]),
        ("..py ...", &[]),
    ];
    for (text, expected) in table {
        assert_eq!(paths::named_in(text), expected, "{text}");
    }
    let quoted: Vec<bool> = paths::mentions("a.py `b.py`").iter().map(|m| m.quoted).collect();
    assert_eq!(quoted, [false, true]);
}

#[test]
fn paths_lead_outside() {
    let table: [(&str, &[&str]); 10] = [
        ("../outside.py", &["../outside.py"]),
        ("`..\\outside.py`", &["..\\outside.py"]),
        ("~/notes.md", &["~/notes.md"]),
        ("src/../../x.py", &["src/../../x.py"]),
        ("/etc/passwd and /usr/bin/env", &["/etc/passwd", "/usr/bin/env"]),
        ("/srv/app.py", &["/srv/app.py"]),
        ("C:\\work\\a.py D:/b.py", &["C:\\work\\a.py", "D:/b.py"]),
        ("GET /carts/items", &[]),
        ("../folder", &[]),
        ("src/a.py", &[]),
    ];
    for (text, expected) in table {
        assert_eq!(paths::outside(text), expected, "{text}");
    }
}

#[test]
fn patterns_fit_files() {
    assert_eq!(paths::patterns("`src/*.py`, *.md, a*.md, /etc/*.conf, src/../*.py"), ["src/*.py"]);
    let table = [
        ("src/*.py", "src/a.py", true),
        ("src/*.py", "src/b/a.py", false),
        ("src/*.py", "lib/a.py", false),
        ("src/**/*.py", "src/b/c/a.py", true),
        ("src/**", "src/b/c/a.py", true),
        ("src/a*b.py", "src/axxb.py", true),
        ("src/a*b.py", "src/a.py", false),
        ("src/*_*_test.py", "src/a_b_test.py", true),
        ("src/*_*_test.py", "src/a_test.py", false),
        ("src/*", "src/x", true),
    ];
    for (pattern, path, expected) in table {
        assert_eq!(paths::fits(pattern, path), expected, "{pattern} {path}");
    }
}

#[test]
fn short_names_stand_for_one_full_path() {
    let known = ["zerg/commands/analyze.py", "src/a.ts", "lib/a.ts", "src/ma.ts"];
    let table = [
        ("analyze.py", Some("zerg/commands/analyze.py")),
        ("commands/analyze.py", Some("zerg/commands/analyze.py")),
        ("zerg/commands/analyze.py", None),
        ("a.ts", None),
        ("b.ts", None),
    ];
    for (name, expected) in table {
        assert_eq!(paths::expand(name, known.into_iter()), expected, "{name}");
    }
}

#[test]
fn verbs_are_operations() {
    let table: [(Operation, &str); 5] = [
        (
            Operation::Create,
            "create|new|Add|generate|creates|added|write|C|A|创建|新建|新增|添加|增加|编写|作成|追加",
        ),
        (
            Operation::Modify,
            "modify (remove dup class)|update|edit|change|extend|thin|regenerate|append|refactor|fix|\
             wire|merge|modified|updates|modifies|M|receive|rewrite|simplify|slim|139→30|修改|更新|重构|\
             扩展|修复|変更",
        ),
        (
            Operation::Delete,
            "delete|remove|rm|deletes|D|removed|git rm|merge→delete|move, delete|rename then delete|删除|\
             移除|削除",
        ),
        (Operation::Read, "read (verify)|reference|verify|existing|preserved|unchanged|keep"),
        (Operation::Unsaid, "modify+create|new or modify|gh CLI|git push|move||其他"),
    ];
    for (expected, verbs) in table {
        for verb in verbs.split('|') {
            assert_eq!(operation_of_verb(verb), expected, "{verb}");
        }
    }
}

/// What is removed from a file is not the file.
#[test]
fn descriptions_imply_operations() {
    let table = [
        ("Remove photo fields, add showWebcam", Operation::Modify),
        ("remove photos", Operation::Modify),
        ("Delete `old_name`", Operation::Modify),
        ("delete", Operation::Delete),
        ("Delete (merged into b.py)", Operation::Delete),
        ("remove — unused", Operation::Delete),
        ("delete the file", Operation::Delete),
        ("delete this file", Operation::Delete),
        ("delete entire file", Operation::Delete),
        ("delete whole file", Operation::Delete),
        ("merge→delete", Operation::Delete),
        ("git rm -r", Operation::Delete),
        ("Add visibility logic, use the new hook", Operation::Modify),
        ("Add it", Operation::Create),
        ("New component for carts", Operation::Create),
        ("Create new", Operation::Create),
        ("create (shared by both)", Operation::Create),
        ("update the list", Operation::Modify),
        ("read (verify)", Operation::Read),
        ("read all of the lines", Operation::Unsaid),
        ("Holds the lines", Operation::Unsaid),
    ];
    for (text, expected) in table {
        assert_eq!(operation_in_description(text), expected, "{text}");
    }
}

#[test]
fn headings_and_remarks_imply_operations() {
    let headings = [
        ("New Files", Operation::Create),
        ("Files to create", Operation::Create),
        ("Added modules", Operation::Create),
        ("Existing files to modify", Operation::Modify),
        ("Updated files", Operation::Modify),
        ("File Changes", Operation::Modify),
        ("Files to delete", Operation::Delete),
        ("Removed", Operation::Delete),
        ("Address book", Operation::Unsaid),
        ("Project Structure", Operation::Unsaid),
    ];
    for (heading, expected) in headings {
        assert_eq!(operation_in_heading(heading), expected, "{heading}");
    }
    let remarks = [
        ("NEW", Operation::Create),
        ("create: entry point", Operation::Create),
        ("add parser", Operation::Create),
        ("new, beside the existing one", Operation::Create),
        ("no change", Operation::Read),
        ("unchanged, but new tests", Operation::Read),
        ("already there", Operation::Read),
        ("review only", Operation::Read),
        ("reference for the new one", Operation::Read),
        ("existing, updated elsewhere", Operation::Read),
        ("preserved", Operation::Read),
        ("MODIFIED", Operation::Modify),
        ("update imports", Operation::Modify),
        ("changed", Operation::Modify),
        ("deleted", Operation::Delete),
        ("remove", Operation::Delete),
        ("entry point", Operation::Unsaid),
    ];
    for (remark, expected) in remarks {
        assert_eq!(operation_in_remark(remark), expected, "{remark}");
    }
}

#[test]
fn sentences_tell_stories() {
    let stories = "As a buyer, I want carts|as an admin I need reports|As the owner, I can sell|\
                   作为买家，我想要购物车|作为买家，我希望购物|作为买家，我需要它|作为买家，我可以购买|作为买家，我要购买";
    for text in stories.split('|') {
        assert!(is_story(text), "{text}");
    }
    for text in ["As a result, carts are empty", "I want carts", "作为买家", "Asa I want"] {
        assert!(!is_story(text), "{text}");
    }
    for line in ["As a buyer", "As an admin", "As the owner"] {
        assert!(opens_story(line), "{line}");
    }
    for line in ["as a result", "As agreed"] {
        assert!(!opens_story(line), "{line}");
    }
}

#[test]
fn sentences_state_criteria() {
    let ears = "WHEN a file is too large THE SYSTEM SHALL refuse it|**WHILE** it is dark, the lamp **SHALL** burn|\
                IF it rains, THEN the roof SHALL close|WHERE there is a roof, it SHALL close|The system shall sell|\
                System SHALL count|Each cart SHALL be empty|Every cart SHALL be empty|All carts SHALL be empty";
    for text in ears.split('|') {
        assert!(is_ears(text), "{text}");
    }
    for text in ["We SHALL overcome", "When it rains, the roof closes", "The marshall rode", ""] {
        assert!(!is_ears(text), "{text}");
    }
    for text in ["Given a cart, when it is empty, then 0", "When asked then answer", "given x then y"] {
        assert!(is_scenario(text), "{text}");
    }
    for text in ["Given names are kept", "Now and then it rains", "Then it rains"] {
        assert!(!is_scenario(text), "{text}");
    }
    let marked = [
        ("AC: works", Some("works")),
        ("**AC: works", Some("works")),
        ("AC - works", Some("works")),
        ("Acceptance: works", Some("works")),
        ("Acceptance criteria: works", Some("works")),
        ("Acceptance Criteria: works", Some("works")),
        ("AC:", None),
        ("ACME: works", None),
    ];
    for (text, expected) in marked {
        assert_eq!(marked_criterion(text), expected, "{text}");
    }
}

#[test]
fn sentences_state_dependencies() {
    let table = [
        ("T-2 depends on T-1", Some("depends on")),
        ("T-2 and T-3 depend on T-1", Some("depend on")),
        ("T-2: blocked by T-1", Some("blocked by")),
        ("T-2 Requires T-1", Some("Requires")),
        ("T-2 must run after T-1", Some("must run after")),
        ("T-2 (needs T-1, which requires T-0)", Some("needs")),
        ("T-2 follows T-1", None),
    ];
    for (text, expected) in table {
        assert_eq!(dependency_phrase(text).map(|(start, end)| &text[start..end]), expected, "{text}");
    }
    assert!(says_standalone("T-5 has no dependencies") && says_standalone("T-5 is Standalone"));
    assert!(!says_standalone("T-5 is independent"));
    for heading in ["(no hard dependency)", "[parallel, no deps]", "(independent)"] {
        assert!(says_independent(heading), "{heading}");
    }
    assert!(!says_independent("(parallel)"));
}

#[test]
fn numbers_are_found_in_texts() {
    for (text, expected) in
        [("about 5 tasks", Some(5)), ("~120", Some(120)), ("none", None), ("3-4", Some(3))]
    {
        assert_eq!(first_number(text), expected, "{text}");
    }
}
