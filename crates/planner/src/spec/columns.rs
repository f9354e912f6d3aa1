//! What the columns of a table hold, told by their heads.

use super::markdown::{Table, Words};

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Column {
    File,
    Creates,
    Modifies,
    Deletes,
    Task,
    Operation,
    Component,
    Responsibility,
    Depends,
    Title,
    Id,
    Requirement,
    Target,
    Level,
    Phase,
    Lines,
    Method,
    Route,
    Risk,
    Mitigation,
    Decision,
    Choice,
    Field,
    Priority,
    Other,
}

/// Heads by column; the first that fits decides. A head fits if it is the word or has it as a word of its own.
const HEADS: [(Column, &[&str]); 24] = [
    (Column::Creates, &["creates", "create", "created"]),
    (Column::Modifies, &["modifies", "modify", "modified"]),
    (Column::Deletes, &["deletes", "delete", "deleted", "removes"]),
    (Column::Depends, &["depends", "dependencies", "dependency", "blocked", "requires", "after"]),
    (Column::Lines, &["lines", "loc"]),
    (Column::File, &["file", "files", "file(s)", "path", "paths", "location", "filename"]),
    (Column::Task, &["task", "tasks", "task(s)", "owner", "task id"]),
    (Column::Operation, &["operation", "op", "action", "change type", "status"]),
    (Column::Mitigation, &["mitigation"]),
    (Column::Risk, &["risk", "risks"]),
    (Column::Decision, &["decision", "question", "choice made"]),
    (Column::Choice, &["choice", "rationale", "chosen"]),
    (Column::Component, &["component", "module", "service", "class", "layer"]),
    (Column::Method, &["method", "verb", "http method"]),
    (Column::Route, &["endpoint", "route", "url", "uri"]),
    (Column::Requirement, &["requirement", "requirements", "criterion", "criteria", "acceptance"]),
    (Column::Target, &["target", "threshold", "expected", "goal"]),
    (Column::Level, &["level"]),
    (Column::Phase, &["phase", "milestone", "stage"]),
    (Column::Priority, &["priority"]),
    (Column::Id, &["id", "#", "ref", "no", "no."]),
    (Column::Field, &["field", "column", "attribute", "property"]),
    (Column::Responsibility, &["responsibility", "responsibilities", "purpose", "role", "changes"]),
    (Column::Title, &["title", "description", "name", "summary", "details", "what"]),
];

/// Heads in scripts that put no spaces between words.
const WIDE: [(&str, Column); 20] = [
    ("依赖", Column::Depends),
    ("任务", Column::Task),
    ("文件", Column::File),
    ("路径", Column::File),
    ("操作", Column::Operation),
    ("风险", Column::Risk),
    ("缓解", Column::Mitigation),
    ("决策", Column::Decision),
    ("组件", Column::Component),
    ("模块", Column::Component),
    ("职责", Column::Responsibility),
    ("接口", Column::Route),
    ("需求", Column::Requirement),
    ("标准", Column::Requirement),
    ("目标", Column::Target),
    ("阶段", Column::Phase),
    ("优先级", Column::Priority),
    ("字段", Column::Field),
    ("说明", Column::Title),
    ("描述", Column::Title),
];

/// What each column of a table holds.
pub(super) struct Columns(Vec<Column>);

impl Columns {
    pub(super) fn of(table: &Table) -> Columns {
        Columns(table.head.iter().map(|head| column(&head.text)).collect())
    }

    /// The first column of a kind.
    pub(super) fn find(&self, wanted: Column) -> Option<usize> {
        self.0.iter().position(|c| *c == wanted)
    }

    /// Whether there is one.
    pub(super) fn has(&self, wanted: Column) -> bool {
        self.find(wanted).is_some()
    }

    /// The cell of a row in the first column of a kind.
    pub(super) fn cell<'r>(&self, row: &'r [Words], wanted: Column) -> Option<&'r Words> {
        row.get(self.find(wanted)?)
    }

    /// The first of these columns that the row has anything in.
    pub(super) fn first<'r>(&self, row: &'r [Words], wanted: &[Column]) -> Option<&'r Words> {
        wanted.iter().filter_map(|c| self.cell(row, *c)).find(|w| !is_blank(&w.text))
    }

    /// Whether it has columns that name files.
    pub(super) fn names_files(&self) -> bool {
        [Column::File, Column::Creates, Column::Modifies, Column::Deletes].into_iter().any(|c| self.has(c))
    }
}

fn column(head: &str) -> Column {
    let head = head.trim().trim_matches('*').to_lowercase();
    let words: Vec<&str> = head.split([' ', '/', '-', '.']).filter(|w| !w.is_empty()).collect();
    if let Some((_, column)) = WIDE.iter().find(|(name, _)| head.contains(name)) {
        return *column;
    }
    let fits = |names: &[&str]| names.iter().any(|n| head == *n || words.contains(n));
    HEADS.iter().find(|(_, names)| fits(names)).map_or(Column::Other, |(column, _)| *column)
}

/// Whether a cell says nothing.
pub(super) fn is_blank(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || matches!(text.to_lowercase().as_str(), "—" | "–" | "-" | "none" | "n/a" | "tbd")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_name_columns() {
        let table = [
            ("File", Column::File),
            ("File(s)", Column::File),
            ("Task ID", Column::Task),
            ("Op", Column::Operation),
            ("Depends On", Column::Depends),
            ("Est. Lines", Column::Lines),
            ("Creates", Column::Creates),
            ("Responsibility", Column::Responsibility),
            ("#", Column::Id),
            ("PR", Column::Other),
            ("文件路径", Column::File),
        ];
        for (head, expected) in table {
            assert_eq!(column(head), expected, "{head}");
        }
    }
}
