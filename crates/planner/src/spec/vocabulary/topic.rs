//! The topic of a heading or label, recognised by its words.

use super::deferral::is_deferred;
use super::foreign_headings::in_english;
use super::headings::without_number;
use super::phrases::is_release;
use super::wishes::is_order;
use crate::words::is_listed;

/// The topic of a part of a specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::spec) enum Topic {
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
    /// Out of scope.
    Excluded,
    Conventions,
    /// Screens and flows.
    Surface,
    /// Motivation and context; nothing to build.
    Background,
}

/// Phrases by topic, separated by `|`; the first one that the heading contains decides.
const PHRASES: [(Topic, &str); 17] = [
    (
        Topic::Excluded,
        "non-goal|non goal|nongoal|non-requirement|do not build|don't build|will not build|out of scope|out-of-scope|nice to have|nice-to-have|no-goal|anti-goal|\
         future work|future consideration|future enhancement|future extension|future feature|\
         future phase|future improvement|future iteration|future scope|future version|future release|\
         future roadmap|future development|future plans|future ideas|later phase|later version|\
         later release|later iteration|post-mvp|post mvp|beyond mvp|beyond the mvp|stretch goal|backlog|\
         icebox|future possibilit|after launch|post-launch|post launch|after the launch|removed requirement|renamed requirement|won't have|won’t have|could have|not in scope|not included|not part of|not planned|\
         not doing|deferred|excluded|非目标|非需求|范围外|不在范围|超出范围|不包含|未来|后续|将来|今後|后期|\
         nicht im umfang|nicht-ziele|nichtziele|fuera de alcance|fuera del alcance|hors périmètre|\
         hors scope|futuro|futuros|futura|futuras|évolutions futures|zukünftig|zukunft|später|más adelante|\
         mais tarde|plus tard|fuori ambito|fora do escopo|fora de escopo|非ゴール|スコープ外|対象外|やらないこと|今後の|将来の|비목표|범위 외|제외 범위|\
         향후|вне рамок|не входит|в будущем|не цели|hors-périmètre|escopo negativo|buiten scope|poza zakresem|kapsam dışı",
    ),
    (
        Topic::Criteria,
        "acceptance criteria|acceptance criterion|acceptance scenario|acceptance test|success criteria|\
         solution you'd like|solution you’d like|describe the solution|desired solution|desired behavio|\
         proposed behavio|definition of done|done when|exit criteria|completion criteria|what \"done\" looks like|what “done” looks like|done looks like|what success looks like|expected behavio|expected result|\
         erwartetes verhalten|预期行为|期望行为|期望结果|验收标准|验收条件|接受标准|\
         完成标准|成功标准|受け入れ基準|akzeptanzkriterien|abnahmekriterien|criterios de aceptación|\
         critères d'acceptation|critères d’acceptation|критерии приёмки|критерии приемки|受入基準|受け入れ条件|완료 조건|인수 조건|승인 기준",
    ),
    (
        Topic::Metrics,
        "指标|success metric|success measure|no-ship|go/no-go|measures of success|measuring success|metrics|kpi",
    ),
    (Topic::Risks, "风险|リスク|위험|риски|回滚|risiken|riesgos|risques|risk|mitigation|rollback"),
    (
        Topic::Stories,
        "用户故事|用例|ユーザーストーリー|사용자 스토리|benutzergeschichten|historias de usuario|user stories|\
         user story|use case|user scenarios",
    ),
    (
        Topic::Requirements,
        "需求|要求|要件|요구사항|요구 사항|anforderungen|requisitos|exigences|требования|requirement|must have|should have|\
         must-have|business rule|validation rule|technical goal|业务规则|校验规则",
    ),
    (
        Topic::Ownership,
        "文件结构|目录结构|文件清单|文件变更|修改文件|新增文件|涉及文件|file ownership|code ownership|module ownership|task ownership|ownership matrix|ownership table|ownership of files|file manifest|\
         file changes|file structure|files changed|files to |affected files|new file|modified files|\
         file summary|file plan|file list|project structure|source code|directory structure|\
         folder structure|crate structure|repository structure|directory layout|module structure",
    ),
    (
        Topic::Graph,
        "依赖关系|依赖图|执行顺序|dependency graph|dependency chain|dependency order|task graph|execution order|\
         implementation order|build order|dependencies",
    ),
    (Topic::Decisions, "决策|decision|adr-|alternatives considered"),
    (Topic::Tests, "测试|テスト|테스트|тестирование|test strategy|test plan|testing|verification|tests"),
    (
        Topic::Models,
        "数据模型|数据库|数据结构|data model|database|schema|entities|entity|domain model|\
         type definitions",
    ),
    (Topic::Endpoints, "接口设计|接口定义|endpoint|api contract|api design|rest api|http api|routes"),
    (Topic::Components, "组件|模块|架构|component|module|architecture|detailed design|detailed changes"),
    (
        Topic::Phases,
        "阶段|里程碑|マイルストーン|실행 계획|로드맵|этапы|任务分解|任务列表|实施计划|实现计划|phase|milestone|roadmap|implementation plan|\
         task summary|task breakdown|task details|tasks|timeline|level ",
    ),
    (
        Topic::Conventions,
        "规范|约定|约束|技术栈|技術スタック|기술 스택|non-functional|nonfunctional|quality attribute|convention|code style|coding standard|guideline|\
         constraints|tech stack|tech &|tech and |technology choice|technology decision|technology stack|technical stack|technologies used|technologies and tools|technologies & tools",
    ),
    (Topic::Surface, "wireframe|layout|screen|user flow|user journey|visual|ui "),
    (
        Topic::Background,
        "背景|概述|简介|目标|愿景|问题定义|问题陈述|下一步|总结|附录|metadata|overview|summary|problem|goal|background|context|\
         introduction|purpose|scope|assumption|open question|approval|reference|glossary|changelog|\
         documentation impact|parallel execution|recommended workers|estimated duration|motivation|\
         research|root cause|rationale|solution|data flow|clarification|appendix|drawback|prior art|\
         alternatives|actual behavio|actual result|current behavio|to reproduce|describe the bug|screenshots|tatsächliches verhalten|\
         ausgangslage|acknowledg|code of conduct|related projects|see also|security contact|\
         contributing|contributors|sponsor|action item|next steps|致谢|许可证|贡献|概要|目的|はじめに|\
         executive summary|conclusion|version control|completed phase|technical limitation|competitive|competitor|positioning|market analysis|target user|target audience|primary user|secondary user|stakeholder|known limit|\
         known issue|time expectation|submission guideline|evaluation criteria|bonus point|getting started|core vision|\
         product vision|current workaround|current state|current situation|current implementation|previous story|previous work|related file|\
         benefit|advantage|business value|value proposition|justification|user demand|terminology|definitions|provenance|feasibility|\
         implementation status|project status|current status|conformance audit|handoff|hand-off|repository state|\
         hypothesis|related doc|related link|related reading|completed work|work completed|verification completed|release history|document history|document control|version history|revision history|\
         inputs needed|inputs still needed|open inputs|what we need from you|\
         可行性|现有项目|参考资料|参考文献|参考链接|\
         cost estimate|cost breakdown|estimated cost|business model|business plan|go-to-market|go to market|marketing|revenue|monetization|market opportunity|market size|demo script|demo flow|\
         pitch deck|scoring criteria|judging criteria|table of contents|lessons learned|academic integrity|academic honesty|turning it in|how to submit|submission instruction|\
         grading criteria|pain point|best practice|troubleshooting|common issue|common problem|痛点|用户角色|目标用户|用户画像|竞品|商业模式|ターゲット|対象ユーザー|스케줄|일정|how we evaluate|what we look for|what we're looking for|what we’re looking for|about us|about the company|\
         who we are|what you get|what we provide|we provide|already set up|already done|already implemented|feedback request|agent record|completion note|debug log|change log|\
         qa result|useful links|further reading|frequently asked|environment setup|git workflow|\
         team member|integrantes|membros|introdução|introducción|introduzione|\
         einleitung|einführung|contexto|contexte|kontext|hintergrund|objectif|理由|未決定事項|未解决|待定|待确认|确认事项|\
         現状|現在の|既存|课题|課題|배경|개요|목적|목표|현황|용어|미해결|введение|цель проекта|цели проекта|предпосылки|открытые вопросы|\
         glossaire|glosario|glossário|begriffe|offene fragen|preguntas abiertas|questions ouvertes",
    ),
];

impl Topic {
    /// The topic of a heading or label, if its words name one.
    pub(in crate::spec) fn from_title(title: &str) -> Option<Topic> {
        Topic::of_words(title).or_else(|| Topic::of_words(in_english(without_number(title.trim()))?))
    }

    fn of_words(title: &str) -> Option<Topic> {
        // What stands in brackets behind a version says when it comes: `v1.1 — Faster (after the launch)`.
        let title = match title.rsplit_once(" (") {
            Some((version, _)) if is_release(version) => version,
            Some(_) | None => title,
        };
        if is_deferred(without_number(title.trim())) || is_put_off(title) {
            return Some(Topic::Excluded);
        }
        // `What it does not do`
        let lower = title.trim().to_lowercase();
        let opens = lower.starts_with("what ") || lower.starts_with("things ");
        if opens && ["not ", "n't ", "n’t "].iter().any(|word| lower.contains(word)) {
            return Some(Topic::Excluded);
        }
        // A heading that begins with code names a thing.
        if without_number(title.trim()).starts_with('`') {
            return None;
        }
        // `✅ Shipped`
        if title.trim().starts_with(['✅', '☑', '✔']) {
            return Some(Topic::Background);
        }
        let title = title.trim().to_lowercase();
        // Signs in front of a heading are no words.
        let title = title.trim_start_matches(|c: char| !c.is_alphanumeric());
        let title = without_number(title);
        // `F16 Timeline` is the name of a thing, whatever it is called.
        let code = title.split(' ').next().unwrap_or_default();
        let is_coded =
            title.len() > code.len() && (is_short_code(code) || is_issue(code)) || is_counted(title);
        // A route or a path names a thing of the program: `Add GET /tasks/{id}`.
        let named: Vec<&str> = title.split(' ').filter(|word| !word.starts_with('/')).collect();
        let title = named.join(" ");
        let title = title.as_str();
        // `Goals & non-goals` says nothing about its parts; people are described, whatever they do; reasons are no orders.
        let says_why = title.starts_with("why ") || title.starts_with("how to ");
        // What is there already is described, whatever it is called; what is to come later is not wanted now.
        let is_there =
            ["existing ", "already ", "what already "].iter().any(|words| title.starts_with(words));
        if is_there || title.trim_end_matches(':').ends_with(" concepts") {
            return Some(Topic::Background);
        }
        if is_of_the_future(title) {
            return Some(Topic::Excluded);
        }
        if says_why
            || speaks_of_people(title)
            || has_word(title, "persona")
            || has_word(title, "personas")
            || title.split(" (").next().is_some_and(|name| name.trim_end_matches(':').ends_with("audience"))
            || (title.starts_with("goals") && has(title, "non"))
        {
            return Some(Topic::Background);
        }
        // `In (the least that works)`
        let bare = title.split_once(" (").map_or(title, |(name, _)| name);
        let word =
            if matches!(bare, "in" | "out") { bare } else { title.trim_end_matches([':', '：', ' ']) };
        of_word(word).or_else(|| {
            let names = |topic: Topic, phrases: &str| {
                phrases.split('|').any(|phrase| has(title, phrase) && is_head(topic, title, phrase))
            };
            let found =
                PHRASES.iter().find(|(topic, phrases)| names(*topic, phrases)).map(|(topic, _)| *topic);
            let names_thing =
                |topic: &Topic| !matches!(topic, Topic::Excluded | Topic::Criteria | Topic::Requirements);
            // `Proposed solution` is what is built.
            let is_proposed = |topic: &Topic| *topic == Topic::Background && title.starts_with("proposed ");
            found.filter(|topic| {
                !(is_proposed(topic) || (is_coded || is_ordered(title)) && names_thing(topic))
            })
        })
    }
}

/// Whether a title is about the one who writes, or about what he looks forward to: `About me`, `What I'm willing to do`,
/// `Long-term vision`.
fn speaks_of_people(title: &str) -> bool {
    let asks = ["what ", "why ", "how ", "who "].iter().any(|word| title.starts_with(word));
    let is_own = asks && ["i", "my"].iter().any(|word| has_word(title, word));
    let bare = title.split(" (").next().unwrap_or(title).trim_end_matches([':', ' ']);
    title.starts_with("about me") || is_own || bare.ends_with(" vision") || bare.starts_with("strategic ")
}

/// Whether a heading is the name of a thing, and not what every document calls its parts.
pub(crate) fn names_thing(heading: &str) -> bool {
    Topic::from_title(heading).is_none()
}

/// The topic of a heading of a single word.
fn of_word(word: &str) -> Option<Topic> {
    match word {
        "api" | "apis" => Some(Topic::Endpoints),
        "files" | "ownership" => Some(Topic::Ownership),
        "future" | "later" | "someday" | "out" => Some(Topic::Excluded),
        "validation" => Some(Topic::Tests),
        "models" | "types" => Some(Topic::Models),
        "acceptance" | "dod" | "expected" | "期望" | "预期" | "what i expected" | "expected output" => {
            Some(Topic::Criteria)
        }
        "in" | "rules" | "nfr" | "nfrs" | "frs" => Some(Topic::Requirements),
        // What every README has.
        "completed" | "shipped" | "released" | "history" | "done" | "evidence" | "effort" | "meta"
        | "concepts" | "why" | "impact" | "what changes" | "status" | "actual" | "environment"
        | "attendees" | "repository" | "use case" | "license" | "licence" | "lizenz" | "authors"
        | "author" | "credits" | "install" | "installing" | "installation" | "badges" | "links"
        | "questions" | "questions?" | "community" | "vision" | "timing" | "tips" | "hints" | "faq"
        | "grading" | "rubric" | "submission" | "deadline" | "prerequisites" | "安装" => {
            Some(Topic::Background)
        }
        _ => None,
    }
}

/// Whether a heading ends by saying that its thing is not wanted now: `P3 — later`, `A second protocol — **dropped**`.
fn is_put_off(title: &str) -> bool {
    let lower = title.trim().trim_end_matches(['*', '_', ')', ':', ' ']).to_lowercase();
    // Behind a colon stands a name: `TASK-9: Later`.
    let marks = ["—", "–", " - ", "("];
    let (name, said) = marks.iter().find_map(|mark| lower.rsplit_once(mark)).unwrap_or_default();
    let said = said.trim_matches(['*', '_', ' ']);
    // `P1 — if time remains`, `P2 — post-launch vision`
    let depends =
        ["if time", "time permitting", "post-", "after the ", "after launch", "day after", "future "]
            .iter()
            .any(|opening| said.starts_with(opening));
    !name.trim().is_empty()
        && (depends
            || matches!(
                said,
                "later"
                    | "dropped"
                    | "rejected"
                    | "abandoned"
                    | "cancelled"
                    | "canceled"
                    | "parked"
                    | "someday"
            ))
}

/// Whether a word is the id of an issue: `hgo-12`. Decisions, phases and levels have ids of their own.
fn is_issue(word: &str) -> bool {
    const OTHERS: [&str; 7] = ["adr", "rfc", "phase", "level", "milestone", "sprint", "stage"];
    word.trim_end_matches([':', '.']).split_once('-').is_some_and(|(project, number)| {
        project.len() > 1
            && project.chars().all(|c| c.is_ascii_alphabetic())
            && !OTHERS.contains(&project)
            && !number.is_empty()
            && number.chars().all(|c| c.is_ascii_digit())
    })
}

/// Whether a title counts features: `feature 8: testing`.
fn is_counted(title: &str) -> bool {
    let mut words = title.split_whitespace();
    let is_thing = matches!(words.next(), Some("feature" | "epic" | "story" | "module" | "component"));
    is_thing && words.next().is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether a title is an order of several words: what it names is built, whatever words it has.
fn is_ordered(title: &str) -> bool {
    const TAILS: &str = include_str!("../../words/heading_tails.txt");
    const FEWEST: usize = 4;
    let words: Vec<&str> = title.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    let telling = words.iter().filter(|word| !is_listed(TAILS, word)).count();
    telling >= FEWEST && words.first().is_some_and(|first| is_order(first))
}

/// Whether a word is a short code of a feature: `f16`. Phases and levels have codes of their own.
fn is_short_code(word: &str) -> bool {
    let digits =
        word.strip_prefix(['f', 'm', 'e']).map(|rest| rest.trim_start_matches('-')).unwrap_or_default();
    !digits.is_empty() && digits.len() < 4 && digits.chars().all(|c| c.is_ascii_digit())
}

/// Whether a heading says that what is below it is still to be done, wherever it stands.
pub(in crate::spec) fn names_open_work(title: &str) -> bool {
    const OPEN: [&str; 9] = [
        "remaining",
        "to do",
        "todo",
        "missing",
        "needed",
        "what needs",
        "to be done",
        "to be built",
        "open work",
    ];
    let title = title.trim().to_lowercase();
    // `Inputs still needed` of people.
    let is_asked =
        ["input", "information", "decision", "content", "approval"].iter().any(|word| has(&title, word));
    // `What I am willing to do`
    let is_own = ["i", "i'm", "me", "my"].iter().any(|word| title.split(' ').any(|said| said == *word));
    !is_asked && !is_own && OPEN.iter().any(|phrase| has(&title, phrase))
}

/// Whether a title of a topic without work still introduces the work: what is said there in words that bind is wanted. Reasons,
/// history and other people's work are not.
pub(in crate::spec) fn introduces_work(title: &str) -> bool {
    const OPENINGS: &str = include_str!("../../words/introductions.txt");
    let title = title.trim().to_lowercase();
    OPENINGS.lines().any(|phrase| has(&title, phrase))
}

/// Whether a title names something that is not there yet and not wanted now: `Future plugins`. A date of the future is a thing.
fn is_of_the_future(title: &str) -> bool {
    const THINGS: [&str; 8] = ["date", "dates", "event", "events", "booking", "bookings", "time", "times"];
    let mut words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.next() == Some("future") && words.next().is_some_and(|next| !THINGS.contains(&next))
}

/// Whether a word that has a topic is what a title is about: `Database schema`, but not `Database backups`; `Project goals`, but not
/// `Goal tracking`. Phrases of several words, and topics that only criteria and requirements have, are never the name of a thing.
fn is_head(topic: Topic, title: &str, phrase: &str) -> bool {
    use Topic::{Background, Components, Metrics, Models, Phases, Risks, Surface, Tests};
    const TAILS: &str = include_str!("../../words/heading_tails.txt");
    let names_things =
        matches!(topic, Background | Components | Metrics | Models | Phases | Risks | Surface | Tests);
    if !names_things || phrase.contains(' ') || !phrase.is_ascii() {
        return true;
    }
    let word_at = |text: &str| text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    title.match_indices(phrase).any(|(at, _)| {
        // `Low-risk changes` are no risks.
        let begins = title[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '-');
        let rest = &title[at + word_at(&title[at..])..];
        // Only a word that follows directly makes another name of it.
        let Some(next) = rest.strip_prefix(' ') else { return begins };
        let next = &next[..word_at(next)];
        begins && (next.is_empty() || is_listed(TAILS, next) || next.chars().all(|c| c.is_ascii_digit()))
    })
}

/// Whether a title contains a whole word.
fn has_word(title: &str, wanted: &str) -> bool {
    title.split(|c: char| !c.is_alphanumeric()).any(|word| word == wanted)
}

/// Whether a title contains a phrase at the beginning of a word; scripts without spaces have no word boundaries.
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
    fn a_word_in_front_of_another_is_no_topic() {
        let table = [
            ("Project goals", Some(Topic::Background)),
            ("Problem Statement", Some(Topic::Background)),
            ("3. Context & scope", Some(Topic::Background)),
            ("🎯 Context", Some(Topic::Background)),
            ("Goal tracking", None),
            ("Context menu", None),
            ("Database schema", Some(Topic::Models)),
            ("Database backups", None),
            ("Screen reader support", None),
            ("Implementation tasks", Some(Topic::Phases)),
            ("Add GET /tasks/{id}", None),
            ("Why the old way fails", Some(Topic::Background)),
            ("Grading", Some(Topic::Background)),
            ("Grading of pictures", None),
            ("Academic Integrity", Some(Topic::Background)),
            ("Create core schema tables of parcels and shelves", None),
            ("Risk assessment and mitigation", Some(Topic::Risks)),
            ("HGO-12 - Add integration tests", None),
            ("ADR-012 Tests", Some(Topic::Decisions)),
            ("Feature 8: Quality and testing", None),
            ("`integrity` — hash verification", None),
            ("What the app does NOT do", Some(Topic::Excluded)),
            ("What the app does", None),
            ("In (the least that works)", Some(Topic::Requirements)),
            ("Out (with reasons)", Some(Topic::Excluded)),
            ("Go-to-market strategy", Some(Topic::Background)),
            ("P1 — if time remains / day after", Some(Topic::Excluded)),
            ("P2 — post-launch vision", Some(Topic::Excluded)),
            ("P1 — posters", None),
            ("v3.0 — Future vision", Some(Topic::Excluded)),
            ("v3.0 — Plugins", None),
            ("v1.1 — Plugins (two months post-launch)", None),
            ("将来拡張（Phase 2以降）", Some(Topic::Excluded)),
            ("Mejoras futuras", Some(Topic::Excluded)),
            ("Positioning & competition", Some(Topic::Background)),
        ];
        for (title, expected) in table {
            assert_eq!(Topic::from_title(title), expected, "{title}");
        }
    }
}
