//! What is done to a file, recognised by verbs: in table cells, descriptions, headings and remarks.

use crate::spec::model::Operation;

/// Words of a heading or remark that say what is done to a file.
const OPERATION_WORDS: [(Operation, &[&str]); 3] = [
    (Operation::Create, &["new", "create", "creates", "created", "add", "adds", "added", "additions"]),
    (
        Operation::Modify,
        &[
            "modify",
            "modifies",
            "modified",
            "modifications",
            "update",
            "updates",
            "updated",
            "change",
            "changes",
            "changed",
        ],
    ),
    (Operation::Delete, &["delete", "deletes", "deleted", "remove", "removes", "removed"]),
];

/// The operation that a verb stands for: the cell of a table, or the beginning of a line.
pub(in crate::spec) fn operation_of_verb(text: &str) -> Operation {
    let text = text.to_lowercase();
    let words: Vec<&str> = words(&text).collect();
    let first = words.first().copied().unwrap_or_default();
    let has = |word: &str| words.contains(&word);
    let both = (has("create") || has("new")) && has("modify");
    match first {
        _ if first.starts_with(|c: char| c >= '\u{3000}') => operation_of_wide_verb(first),
        _ if both && first != "modify" => Operation::Unsaid,
        "modify" if text.starts_with("modify+") => Operation::Unsaid,
        "create" | "new" | "add" | "generate" | "creates" | "added" | "write" | "c" | "a" => {
            Operation::Create
        }
        "delete" | "remove" | "rm" | "deletes" | "d" | "removed" => Operation::Delete,
        "read" | "reference" | "verify" | "existing" | "preserved" | "unchanged" | "keep" => Operation::Read,
        "git" if has("rm") => Operation::Delete,
        "merge" | "move" | "rename" if has("delete") => Operation::Delete,
        "modify" | "update" | "edit" | "change" | "extend" | "thin" | "regenerate" | "append"
        | "refactor" | "fix" | "wire" | "merge" | "modified" | "updates" | "modifies" | "m" | "receive"
        | "rewrite" | "simplify" | "slim" => Operation::Modify,
        // `139→30` lines.
        "" if text.contains('→') => Operation::Modify,
        _ => Operation::Unsaid,
    }
}

/// The operation of a verb in a script without spaces between words.
fn operation_of_wide_verb(text: &str) -> Operation {
    let begins = |verbs: &[&str]| verbs.iter().any(|verb| text.starts_with(verb));
    if begins(&["创建", "新建", "新增", "添加", "增加", "编写", "作成", "追加"]) {
        Operation::Create
    } else if begins(&["删除", "移除", "削除"]) {
        Operation::Delete
    } else if begins(&["修改", "更新", "重构", "扩展", "修复", "変更"]) {
        Operation::Modify
    } else {
        Operation::Unsaid
    }
}

/// The operation that a description of a change implies: `new component` creates the file, `remove the photo fields`
/// modifies it.
pub(in crate::spec) fn operation_in_description(text: &str) -> Operation {
    let lower = text.trim().to_lowercase();
    let words = lower.split_whitespace().count();
    let verb: String = lower.chars().take_while(|c| c.is_alphabetic()).collect();
    let rest = lower[verb.len()..].trim_start();
    // `delete (merged into b)`, `delete: unused`, `delete the file`: the file itself is deleted.
    let means_file = rest.starts_with(|c: char| !c.is_alphanumeric() && !matches!(c, '`' | '\'' | '"'))
        || ["file", "the file", "this file", "entire file", "whole file"].iter().any(|w| rest.starts_with(w));
    match operation_of_verb(text) {
        Operation::Create if words <= 2 || lower.starts_with("new") || lower.starts_with("create") => {
            Operation::Create
        }
        Operation::Delete if words <= 1 || means_file || verb != "delete" && verb != "remove" => {
            Operation::Delete
        }
        Operation::Create | Operation::Delete | Operation::Modify => Operation::Modify,
        Operation::Read if words <= 2 => Operation::Read,
        Operation::Read | Operation::Unsaid => Operation::Unsaid,
    }
}

/// The operation that a heading names for the files below it.
pub(in crate::spec) fn operation_in_heading(heading: &str) -> Operation {
    let lower = heading.to_lowercase();
    let named = OPERATION_WORDS.iter().find(|(_, verbs)| words(&lower).any(|w| verbs.contains(&w)));
    named.map_or(Operation::Unsaid, |(operation, _)| *operation)
}

/// The operation that the remark beside a file in a drawn tree names.
pub(in crate::spec) fn operation_in_remark(remark: &str) -> Operation {
    let lower = remark.to_lowercase();
    let stays =
        ["no change", "unchanged", "already", "review", "reference"].iter().any(|w| lower.starts_with(w));
    let exists = || words(&lower).any(|w| matches!(w, "preserved" | "existing" | "unchanged"));
    match operation_in_heading(remark) {
        _ if stays => Operation::Read,
        Operation::Create => Operation::Create,
        _ if exists() => Operation::Read,
        other => other,
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphabetic()).filter(|w| !w.is_empty())
}
