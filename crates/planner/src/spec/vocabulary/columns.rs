//! What the columns of a table hold, recognised by their heads.

use std::collections::HashSet;

use crate::spec::document::{DocumentTable, RunningText};

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::spec) enum ColumnMeaning {
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

/// Heads by column, separated by `|`; the first that fits decides. A head fits if it is one of the words or contains it
/// as a word; scripts without spaces have no word boundaries.
const HEADS: [(ColumnMeaning, &str); 24] = [
    (ColumnMeaning::Creates, "creates|create|created"),
    (ColumnMeaning::Modifies, "modifies|modify|modified"),
    (ColumnMeaning::Deletes, "deletes|delete|deleted|removes"),
    (ColumnMeaning::Depends, "depends|dependencies|dependency|blocked|requires|after|依赖"),
    (ColumnMeaning::Lines, "lines|loc"),
    (ColumnMeaning::File, "file|files|file(s)|path|paths|location|filename|文件|路径"),
    (ColumnMeaning::Task, "task|tasks|task(s)|owner|任务"),
    (ColumnMeaning::Operation, "operation|op|action|change type|status|操作"),
    (ColumnMeaning::Mitigation, "mitigation|缓解"),
    (ColumnMeaning::Risk, "risk|risks|风险"),
    (ColumnMeaning::Decision, "decision|question|choice made|决策"),
    (ColumnMeaning::Choice, "choice|rationale|chosen"),
    (ColumnMeaning::Component, "component|module|service|class|layer|组件|模块"),
    (ColumnMeaning::Method, "method|verb"),
    (ColumnMeaning::Route, "endpoint|route|url|uri|接口"),
    (ColumnMeaning::Requirement, "requirement|requirements|criterion|criteria|acceptance|需求|标准"),
    (ColumnMeaning::Target, "target|threshold|expected|goal|目标"),
    (ColumnMeaning::Level, "level"),
    (ColumnMeaning::Phase, "phase|milestone|stage|阶段"),
    (ColumnMeaning::Priority, "priority|优先级"),
    (ColumnMeaning::Id, "id|#|ref|no|no."),
    (ColumnMeaning::Field, "field|column|attribute|property|字段"),
    (ColumnMeaning::Responsibility, "responsibility|responsibilities|purpose|role|changes|职责"),
    (ColumnMeaning::Title, "title|description|name|summary|details|what|说明|描述"),
];

/// What each column of a table holds.
pub(in crate::spec) struct TableColumns(Vec<ColumnMeaning>);

impl TableColumns {
    pub(in crate::spec) fn from_table(table: &DocumentTable) -> TableColumns {
        // In a table of phases the number of tasks is what is looked for.
        let is_phase =
            |head: &RunningText| matches!(column(&head.text), ColumnMeaning::Phase | ColumnMeaning::Level);
        let has_phases = table.head.iter().any(is_phase);
        let of_head = |(at, head): (usize, &RunningText)| match column(&head.text) {
            ColumnMeaning::Task if !has_phases && counts(table, at) => ColumnMeaning::Other,
            meaning => meaning,
        };
        TableColumns(table.head.iter().enumerate().map(of_head).collect())
    }

    /// The first column of a kind.
    pub(in crate::spec) fn find(&self, wanted: ColumnMeaning) -> Option<usize> {
        self.0.iter().position(|c| *c == wanted)
    }

    /// Whether there is a column of a kind.
    pub(in crate::spec) fn has(&self, wanted: ColumnMeaning) -> bool {
        self.find(wanted).is_some()
    }

    /// The cell of a row in the first column of a kind.
    pub(in crate::spec) fn cell<'r>(
        &self,
        row: &'r [RunningText],
        wanted: ColumnMeaning,
    ) -> Option<&'r RunningText> {
        row.get(self.find(wanted)?)
    }

    /// The first cell among these columns that is not blank.
    pub(in crate::spec) fn first<'r>(
        &self,
        row: &'r [RunningText],
        wanted: &[ColumnMeaning],
    ) -> Option<&'r RunningText> {
        wanted.iter().filter_map(|c| self.cell(row, *c)).find(|w| !is_blank(&w.text))
    }

    /// Whether any column names files.
    pub(in crate::spec) fn names_files(&self) -> bool {
        [ColumnMeaning::File, ColumnMeaning::Creates, ColumnMeaning::Modifies, ColumnMeaning::Deletes]
            .into_iter()
            .any(|c| self.has(c))
    }
}

/// Whether a column holds numbers of which some are the same: how many tasks, not which.
fn counts(table: &DocumentTable, at: usize) -> bool {
    let cells: Vec<&str> = table.rows.iter().filter_map(|row| row.get(at)).map(|c| c.text.trim()).collect();
    let is_number = |cell: &&str| !cell.is_empty() && cell.chars().all(|c| c.is_ascii_digit());
    let distinct: HashSet<&str> = cells.iter().copied().collect();
    cells.len() > 1 && cells.iter().all(is_number) && distinct.len() < cells.len()
}

pub(super) fn column(head: &str) -> ColumnMeaning {
    let head = head.trim().trim_matches('*').to_lowercase();
    let words: Vec<&str> = head.split([' ', '/', '-', '.']).filter(|w| !w.is_empty()).collect();
    let fits = |n: &str| head == n || words.contains(&n) || (n >= "\u{3000}" && head.contains(n));
    let found = HEADS.iter().find(|(_, names)| names.split('|').any(fits));
    found.map_or(ColumnMeaning::Other, |(column, _)| *column)
}

/// Whether a cell says nothing.
pub(in crate::spec) fn is_blank(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || matches!(text.to_lowercase().as_str(), "—" | "–" | "-" | "none" | "n/a" | "tbd")
}
