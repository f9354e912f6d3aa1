//! What a heading is about, told by its words alone.

/// What a part of a specification is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Topic {
    Criteria,
    Stories,
    Requirements,
    Metrics,
    Decisions,
    Components,
    Models,
    Endpoints,
    Ownership,
    Graph,
    Phases,
    Tests,
    Risks,
    /// What is expressly not wanted.
    Excluded,
    Conventions,
    /// Screens and flows.
    Surface,
    /// Why and what for; nothing to do.
    Background,
}

/// Phrases by topic; the first that stands in the heading decides.
const PHRASES: [(Topic, &[&str]); 17] = [
    (
        Topic::Excluded,
        &[
            "non-goal",
            "non goal",
            "nongoal",
            "out of scope",
            "out-of-scope",
            "nice to have",
            "nice-to-have",
            "no-goal",
            "anti-goal",
            "future work",
            "future consideration",
            "future enhancement",
            "future extension",
            "future feature",
            "future phase",
            "future improvement",
            "future iteration",
            "future scope",
            "future version",
            "future release",
            "future roadmap",
            "future development",
            "future plans",
            "future ideas",
            "later phase",
            "later version",
            "later release",
            "later iteration",
            "post-mvp",
            "post mvp",
            "beyond mvp",
            "beyond the mvp",
            "stretch goal",
            "backlog",
            "icebox",
            "won't have",
            "won’t have",
            "could have",
            "not in scope",
            "not included",
            "not part of",
            "not planned",
            "not doing",
            "deferred",
            "excluded",
            "非目标",
            "非需求",
            "范围外",
            "不在范围",
            "超出范围",
            "不包含",
            "未来",
            "后续",
            "nicht im umfang",
            "nicht-ziele",
            "nichtziele",
            "fuera de alcance",
            "fuera del alcance",
            "hors périmètre",
            "hors scope",
        ],
    ),
    (
        Topic::Criteria,
        &[
            "acceptance criteria",
            "acceptance criterion",
            "acceptance scenario",
            "acceptance test",
            "success criteria",
            "definition of done",
            "done when",
            "exit criteria",
            "completion criteria",
            "验收标准",
            "验收条件",
            "接受标准",
            "完成标准",
            "成功标准",
            "受け入れ基準",
            "akzeptanzkriterien",
            "abnahmekriterien",
            "criterios de aceptación",
            "critères d'acceptation",
            "critères d’acceptation",
            "критерии приёмки",
            "критерии приемки",
        ],
    ),
    (Topic::Metrics, &["成功指标", "指标", "success metric", "metrics", "kpi"]),
    (Topic::Risks, &["风险", "回滚", "risiken", "riesgos", "risques", "risk", "mitigation", "rollback"]),
    (
        Topic::Stories,
        &[
            "用户故事",
            "用例",
            "ユーザーストーリー",
            "benutzergeschichten",
            "historias de usuario",
            "user stories",
            "user story",
            "use case",
            "user scenarios",
        ],
    ),
    (
        Topic::Requirements,
        &[
            "功能需求",
            "需求",
            "要求",
            "anforderungen",
            "requisitos",
            "exigences",
            "требования",
            "requirement",
            "must have",
            "should have",
            "must-have",
        ],
    ),
    (
        Topic::Ownership,
        &[
            "文件结构",
            "目录结构",
            "文件清单",
            "文件变更",
            "修改文件",
            "新增文件",
            "涉及文件",
            "file ownership",
            "ownership",
            "file manifest",
            "file changes",
            "file structure",
            "files changed",
            "files to ",
            "affected files",
            "new files",
            "new file",
            "modified files",
            "file summary",
            "file plan",
            "file list",
            "project structure",
            "source code",
            "directory structure",
            "folder structure",
        ],
    ),
    (
        Topic::Graph,
        &[
            "依赖关系",
            "依赖图",
            "执行顺序",
            "dependency graph",
            "dependency order",
            "task dependencies",
            "task graph",
            "execution order",
            "implementation order",
            "build order",
            "dependencies",
        ],
    ),
    (Topic::Decisions, &["决策", "decision", "adr-", "alternatives considered"]),
    (
        Topic::Tests,
        &[
            "测试",
            "test strategy",
            "testing strategy",
            "test plan",
            "testing",
            "verification",
            "validation",
            "tests",
        ],
    ),
    (
        Topic::Models,
        &[
            "数据模型",
            "数据库",
            "数据结构",
            "data model",
            "database",
            "schema",
            "entities",
            "entity",
            "domain model",
            "type definitions",
        ],
    ),
    (
        Topic::Endpoints,
        &["接口设计", "接口定义", "endpoint", "api contract", "api design", "rest api", "http api", "routes"],
    ),
    (
        Topic::Components,
        &[
            "组件",
            "模块",
            "架构",
            "component",
            "module",
            "architecture",
            "detailed design",
            "detailed changes",
        ],
    ),
    (
        Topic::Phases,
        &[
            "阶段",
            "里程碑",
            "任务分解",
            "任务列表",
            "实施计划",
            "实现计划",
            "phase",
            "milestone",
            "roadmap",
            "implementation plan",
            "implementation tasks",
            "task summary",
            "task breakdown",
            "task details",
            "tasks",
            "timeline",
            "level ",
        ],
    ),
    (
        Topic::Conventions,
        &["规范", "约定", "约束", "convention", "code style", "coding standard", "guideline", "constraints"],
    ),
    (Topic::Surface, &["wireframe", "layout", "screen", "user flow", "user journey", "visual", "ui "]),
    (
        Topic::Background,
        &[
            "背景",
            "概述",
            "简介",
            "目标",
            "总结",
            "附录",
            "metadata",
            "overview",
            "summary",
            "problem",
            "goal",
            "background",
            "context",
            "introduction",
            "purpose",
            "scope",
            "assumption",
            "open question",
            "approval",
            "reference",
            "glossary",
            "changelog",
            "documentation impact",
            "parallel execution",
            "recommended workers",
            "estimated duration",
            "motivation",
            "research",
            "root cause",
            "rationale",
            "solution",
            "data flow",
            "high-level design",
            "technical context",
            "clarification",
            "appendix",
        ],
    ),
];

impl Topic {
    /// The topic of a heading or label, if its words name one.
    pub(super) fn of(title: &str) -> Option<Topic> {
        let title = title.trim().to_lowercase();
        let title = title.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' ' | ')'));
        let word = title.trim_end_matches([':', '：', ' ']);
        let single = match word {
            "api" | "apis" => Some(Topic::Endpoints),
            "files" | "files changed" => Some(Topic::Ownership),
            "future" | "later" | "someday" => Some(Topic::Excluded),
            "models" | "types" => Some(Topic::Models),
            "acceptance" | "dod" => Some(Topic::Criteria),
            "nfr" | "nfrs" | "frs" => Some(Topic::Requirements),
            _ => None,
        };
        single.or_else(|| {
            let names = |phrases: &[&str]| phrases.iter().any(|p| has(title, p));
            PHRASES.iter().find(|(_, phrases)| names(phrases)).map(|(topic, _)| *topic)
        })
    }
}

/// Whether a phrase begins at the beginning of a word; scripts that put no spaces between words have none.
fn has(title: &str, phrase: &str) -> bool {
    if phrase.starts_with(|c: char| c >= '\u{3000}') {
        return title.contains(phrase);
    }
    let mut from = 0;
    while let Some(at) = title[from..].find(phrase).map(|i| from + i) {
        if title[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric()) {
            return true;
        }
        from = at + phrase.len();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_told_by_their_words() {
        let table = [
            ("Acceptance Criteria:", Some(Topic::Criteria)),
            ("5.2 File Ownership", Some(Topic::Ownership)),
            ("Non-Functional Requirements", Some(Topic::Requirements)),
            ("1.3 Non-Goals", Some(Topic::Excluded)),
            ("API", Some(Topic::Endpoints)),
            ("Capital", None),
            ("3.4 StepExecutor", None),
            ("Risk Assessment", Some(Topic::Risks)),
            ("Success Metrics", Some(Topic::Metrics)),
            ("Future Improvements (v2)", Some(Topic::Excluded)),
            ("Future", Some(Topic::Excluded)),
            ("9. Later Phases", Some(Topic::Excluded)),
            ("Post-MVP", Some(Topic::Excluded)),
            ("Futures and promises", None),
            ("验收标准：", Some(Topic::Criteria)),
            ("二、功能需求", Some(Topic::Requirements)),
            ("非目标", Some(Topic::Excluded)),
            ("Akzeptanzkriterien", Some(Topic::Criteria)),
        ];
        for (title, expected) in table {
            assert_eq!(Topic::of(title), expected, "{title}");
        }
    }
}
